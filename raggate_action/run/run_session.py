"""What all that ask the app share: the suite with the command line's changes, the rulebook, the target."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.disclosure.withholding import permitted_message
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, rule_verdicts
from raggate_action.errors import UsageError
from raggate_action.isolation.child_user import ChildUser
from raggate_action.isolation.suite_patterns import marker_patterns
from raggate_action.run.judging_steps import VerdictSource
from raggate_action.schema.base import digest_of
from raggate_action.schema.suite import Pipeline, Suite
from raggate_action.schema.target import FunctionTarget, RecordedTarget
from raggate_action.schema.verdicts import CheckIssues, Verdicts
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.problems import path_text
from raggate_action.targets.interface import Surroundings, Target, no_progress
from raggate_action.targets.target_factory import build_target

if TYPE_CHECKING:
    from raggate_action.targets.custom_checks import CustomChecks

# Of the target's own default, where the target has no time limit.
_CHECK_S = 60.0
# Of an http target's own default, where nothing is asked.
_RECORDED_LANES = 8


def load(suite: Path, *, traces: Path | None = None, target_url: str | None = None) -> LoadedSuite:
    """The suite, its target replaced where the command line names another.

    Raises:
        SuiteError: Every problem of every file.
    """
    target = RecordedTarget(kind="recorded", traces=str(traces.resolve())) if traces is not None else None
    return load_suite(suite, environment=os.environ, target=target, target_url=target_url)


def refuse_missing_traces(traces: Path | None) -> None:
    """See that the traces that the command line names are there, before anything is replaced.

    Raises:
        UsageError: There is no such file.
    """
    if traces is not None and (traces.is_dir() or not traces.exists()):
        what = "is a folder" if traces.is_dir() else "does not exist"
        raise UsageError(
            f"--traces names {path_text(traces)}, which {what}",
            hint="Name a file of traces; `raggate-action record --out` writes one.",
        )


def rulebook(loaded: LoadedSuite, as_of: datetime) -> Rulebook:
    """What every case of the suite is judged by."""
    suite = loaded.suite
    return Rulebook(
        gates=suite.gates,
        pipeline=suite.pipeline or Pipeline(),
        store=loaded.evidence,
        restricted=restricted_text(loaded),
        reading=reading(suite),
        as_of=as_of,
        slices_by=suite.slices.cut_by,
        texts=suite.texts,
        has_judges=suite.judges is not None,
    )


# What decides how a case comes out, beside the evidence.
_JUDGING = ("pipeline", "language", "citation_markers", "own_addresses")
# Levels and bars are looked at whenever rows are counted, as waivers are.
_OF_THE_RUN = frozenset({"level", "min", "max"})


def judging_digest(suite: Suite) -> str:
    """Digest of what the suite judges every case by: outcomes hold for another run where it is the same."""
    gates = {
        name: {key: value for key, value in rule.items() if key not in _OF_THE_RUN}
        for name, rule in suite.gates.model_dump(mode="json").items()
        if rule is not None
    }
    # An answer fails for a value that nothing shown holds where new suspects block.
    decides = [gates, suite.gates.new_suspects.level, suite.slices.cut_by]
    return digest_of([suite.model_dump(mode="json", include=set(_JUDGING)), decides])


def restricted_text(loaded: LoadedSuite) -> RestrictedText:
    """The evidence that not everybody may read."""
    return RestrictedText(loaded.evidence)


def reading(suite: Suite) -> Reading:
    """How the suite's answers are read."""
    return Reading(marker_patterns(suite.citation_markers), suite.language, suite.own_addresses)


class SuiteChecks(VerdictSource):
    """The suite's own checks, run by the app's interpreter where the suite names one.

    A check may take as long as the app may take for a case, and as many run side by side.
    """

    def __init__(self, loaded: LoadedSuite, child_user: ChildUser | None = None) -> None:
        self._loaded, self._child_user = loaded, child_user
        self._checks: CustomChecks | None = None

    def asks(self, drafted: Drafted) -> bool:
        """Whether the case names a check."""
        return drafted.case.custom_check is not None

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - a check hears of no other answer
        """What the case's check finds, or why it could not say anything; the claims are as rules judge them."""
        from raggate_action.targets.custom_checks import CheckFailure

        self._checks = self._checks or self._opened()
        found = await self._checks.issues_of(drafted.case, drafted.answered.trace)
        check = CheckIssues(error=found.detail) if isinstance(found, CheckFailure) else CheckIssues(issues=found)
        return rule_verdicts(drafted, check)

    async def aclose(self) -> None:
        """End the processes the checks run in."""
        if self._checks is not None:
            await self._checks.aclose()

    def _opened(self) -> CustomChecks:
        from raggate_action.isolation.child_environment import child_environment
        from raggate_action.targets.custom_checks import CustomChecks

        target = self._loaded.suite.target
        return CustomChecks(
            self._loaded.directory,
            python=target.python if isinstance(target, FunctionTarget) else None,
            env=child_environment(os.environ, {}, self._child_user),
            timeout_s=_CHECK_S if isinstance(target, RecordedTarget) else target.timeout_s,
            processes=lanes_of(self._loaded),
            child_user=self._child_user,
            secrets=self._loaded.secrets,
        )


def lanes_of(loaded: LoadedSuite, *, judged: bool = False) -> int:
    """How many answers are asked about at once: as many as the app is asked for, or as a judge may be asked about."""
    target, judges = loaded.suite.target, loaded.suite.judges
    lanes = _RECORDED_LANES if isinstance(target, RecordedTarget) else target.concurrency
    if not judged or judges is None:
        return lanes
    return max(lanes, *(member.concurrency for member in judges.panel))


def target_of(
    loaded: LoadedSuite,
    *,
    child_user: ChildUser | None = None,
    tell: Callable[[str], object] = no_progress,
) -> Target:
    """The app under test, its programs run by `child_user`; `tell` shows a line while it is waited for."""
    suite = loaded.suite
    surroundings = Surroundings(
        loaded.directory,
        os.environ,
        child_user,
        loaded.secrets,
        tell,
        evidence=loaded.evidence,
        asks_context=asks_context(suite),
    )
    known, warm_up = loaded.cases.has, judges_time(loaded)

    def questions() -> Iterator[tuple[str, str]]:
        return ((placed.case.case_id, placed.case.asked) for placed in loaded.cases)

    return build_target(suite.target, surroundings, seed=suite.seed, known=known, questions=questions, warm_up=warm_up)


def permitted_tell(tell: Callable[[str], object], restricted: RestrictedText) -> Callable[[str], object]:
    """Shows a line of what an app replied: keys stand in it, and an app may file its answers under anything."""
    return lambda line: tell(permitted_message(line, None, restricted, what="what was read of a reply"))


def asks_context(suite: Suite) -> bool:
    """Whether every answer has to come with its context."""
    return "context" in (suite.pipeline or Pipeline()).declared_stages


def judges_time(loaded: LoadedSuite) -> bool:
    """Whether a live app's first call, which may find it cold, must not be one that is judged."""
    suite = loaded.suite
    if suite.target.kind == "recorded":
        return False
    limited = any(placed.case.max_latency_ms is not None for placed in loaded.cases)
    return limited or suite.gates.p95_latency_ms is not None
