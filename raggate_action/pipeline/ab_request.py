"""A comparison of two arms as it is asked for, and what that comes to before anybody is asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import SuiteError, UsageError
from raggate_action.pipeline.ab_pairs import does_harm, type_of
from raggate_action.pipeline.case_choice import chosen_positions
from raggate_action.pipeline.stored import refuse_own_traces
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.ab_run import AbDigests, StartedAb
from raggate_action.schema.base import digest_of, parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.judges import Member
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.ab_arms import AskedArm, asked_arms
from raggate_action.suite_files.ab_checks import members_of, synthesizer_of
from raggate_action.version import PANEL, __version__


class AbRequest(NamedTuple):
    """What is to be compared.

    Attributes:
        loaded: The suite, loaded for its arms.
        suite_file: Its file as the user gave it.
        out: Where the comparison is written.
        scope: Which scope of it.
        case_ids: Only these cases; empty is the whole scope.
        reuse: What judges said before is used again.
    """

    loaded: LoadedSuite
    suite_file: str
    out: Path
    scope: str = "full"
    case_ids: tuple[str, ...] = ()
    reuse: bool = True


class AbPlan(NamedTuple):
    """What a request comes to.

    Attributes:
        request: What was asked for.
        ab: The suite's section.
        rubric: What pairs are scored by.
        arms: Who is asked, control first.
        judges: Who compares, in order.
        synthesizer: Who writes findings; None leaves it to rules.
        cases: What is asked, in the suite's order; cases with a trace of their own are not among them.
    """

    request: AbRequest
    ab: Ab
    rubric: Rubric
    arms: tuple[AskedArm, AskedArm]
    judges: tuple[Member, ...]
    synthesizer: Member | None
    cases: tuple[PlacedCase, ...]

    @property
    def loaded(self) -> LoadedSuite:
        """The suite."""
        return self.request.loaded

    @property
    def seed(self) -> int:
        """Of every draw of the comparison."""
        return self.loaded.suite.seed if self.ab.seed is None else self.ab.seed

    def of_arm(self, arm: AskedArm) -> LoadedSuite:
        """The suite as if the arm were its app."""
        suite = self.loaded.suite.model_copy(update={"target": arm.target})
        return self.loaded._replace(suite=suite, target_digest=arm.digest, written_target=arm.written)

    def type_of(self, placed: PlacedCase) -> str:
        """Of what kind a question is; empty where it does not say."""
        return type_of(placed.case, self.ab.question_type)

    def is_protected(self, placed: PlacedCase) -> bool:
        """Whether a wrong answer does harm: by the rubric, or by the suite's protected slices."""
        return does_harm(placed.case, self.type_of(placed), self.rubric, self.loaded.suite.slices)


def planned(request: AbRequest) -> AbPlan:
    """What a request comes to.

    Raises:
        SuiteError: The suite names no two arms.
        UsageError: A scope or case that the suite does not have, nothing to ask, or arms whose traces lie in `out`.
    """
    loaded = request.loaded
    suite = loaded.suite
    arms = asked_arms(suite, loaded.written_target, os.environ)
    if suite.ab is None or loaded.rubric is None or arms is None:
        lacks = "no `ab:` section" if suite.ab is None else "no `control:` and `treatment:` in its `ab:` section"
        raise SuiteError(
            f"{request.suite_file} has {lacks}, so that there is nothing to compare",
            hint=f"Write `ab: {{control: {{...}}, treatment: {{what differs}}, judges: [...]}}`: {PANEL}",
        )
    positions = chosen_positions(loaded, request.scope, case_ids=request.case_ids, baseline=None)
    cases = tuple([placed for placed in loaded.cases.at(positions) if placed.case.trace is None])
    if not cases:
        raise UsageError(
            "none of the cases chosen is a question to an app: all of them have a trace of their own",
            hint="Choose other cases with --case or --scope.",
        )
    plan = AbPlan(request, suite.ab, loaded.rubric, arms, members_of(suite), synthesizer_of(suite), cases)
    for arm in arms:
        refuse_own_traces(plan.of_arm(arm), request.out)
    return plan


def started_ab(plan: AbPlan, prompt: str, now: str) -> StartedAb:
    """The comparison as it begins.

    Args:
        plan: What is compared.
        prompt: Digest of the prompt's constant part.
        now: The moment.
    """
    loaded, request = plan.loaded, plan.request
    digests = AbDigests(
        suite=loaded.suite_digest,
        cases=loaded.cases.cases_digest,
        evidence=loaded.evidence.digest if loaded.evidence is not None else None,
        rubric=digest_of(plan.rubric.model_dump(mode="json")),
        prompt=prompt,
    )
    return StartedAb(
        suite=loaded.suite.suite,
        suite_file=request.suite_file,
        scope=request.scope,
        case_filter=tuple(sorted(request.case_ids)),
        run_id=f"{loaded.suite.suite}-{parse_moment(now):%Y%m%dT%H%M%SZ}",
        started_at=now,
        as_of=now,
        raggate_version=__version__,
        digests=digests,
    )
