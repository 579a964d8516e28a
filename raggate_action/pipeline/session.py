"""What `run` and `record` share: the suite with the command line's changes, the rulebook, the target."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from datetime import datetime

from raggate_action.core.forbidden.restricted import RestrictedText
from raggate_action.core.gates.diagnose import Rulebook
from raggate_action.core.support.custom_check import CheckIssues
from raggate_action.core.support.drafts import Reading
from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.child_user import ChildUser
from raggate_action.schema.case import Case
from raggate_action.schema.suite import Pipeline, Suite
from raggate_action.schema.target import FunctionTarget, RecordedTarget
from raggate_action.schema.trace import Trace
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.targets.build import build_target
from raggate_action.targets.custom_checks import CheckFailure, CustomChecks
from raggate_action.targets.interface import Target
from raggate_action.targets.surroundings import Surroundings

# Of the target's own default, where the target has no time limit.
_CHECK_S = 60.0


def load(options: argparse.Namespace) -> LoadedSuite:
    """The suite, its target replaced where the command line names another.

    Raises:
        SuiteError: Every problem of every file.
    """
    traces = getattr(options, "traces", None)
    target = RecordedTarget(kind="recorded", traces=str(traces.resolve())) if traces is not None else None
    return load_suite(options.suite, environment=os.environ, target=target, target_url=options.target_url)


def rulebook(loaded: LoadedSuite, as_of: datetime) -> Rulebook:
    """What every case of the suite is judged by."""
    suite = loaded.suite
    return Rulebook(
        gates=suite.gates,
        pipeline=suite.pipeline or Pipeline(),
        store=loaded.evidence,
        restricted=RestrictedText(loaded.evidence),
        reading=reading(suite),
        as_of=as_of,
        # A protected slice is judged whether or not results are cut by its field as well.
        slices_by=tuple(dict.fromkeys((*suite.slices.by, *suite.slices.protected))),
        texts=suite.texts,
    )


def reading(suite: Suite) -> Reading:
    """How the suite's answers are read."""
    markers = tuple(re.compile(pattern) for pattern in suite.citation_markers)
    return Reading(markers, suite.language, suite.own_addresses)


class SuiteChecks:
    """The suite's own checks, run by the app's interpreter where the suite names one.

    A check may take as long as the app may take for a case.
    """

    def __init__(self, loaded: LoadedSuite, child_user: ChildUser | None = None) -> None:
        target = loaded.suite.target
        python = target.python if isinstance(target, FunctionTarget) else None
        timeout_s = _CHECK_S if isinstance(target, RecordedTarget) else target.timeout_s
        env = child_environment(os.environ, {}, child_user)
        self._checks = CustomChecks(
            loaded.directory,
            python=python,
            env=env,
            timeout_s=timeout_s,
            child_user=child_user,
            secrets=loaded.secrets,
        )

    async def issues_of(self, case: Case, trace: Trace) -> CheckIssues:
        """What the case's check finds, or why it could not say anything."""
        found = await self._checks.issues_of(case, trace)
        return CheckIssues(error=found.detail) if isinstance(found, CheckFailure) else CheckIssues(issues=found)

    async def aclose(self) -> None:
        """End the process the checks run in."""
        await self._checks.aclose()


def target_of(loaded: LoadedSuite, known: Callable[[str], bool], child_user: ChildUser | None = None) -> Target:
    """The app under test, its programs run by `child_user`. `known` tells whether a recorded trace is the suite's."""
    suite = loaded.suite
    surroundings = Surroundings(loaded.directory, os.environ, child_user, loaded.secrets)
    return build_target(suite.target, surroundings, seed=suite.seed, known=known)
