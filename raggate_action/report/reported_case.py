"""A case as other tools read it (JUnit, SARIF): how it counts, why, and where it is written."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from raggate_action.report.case_view import NAME_IDS_ONLY, why_left_open
from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import problem_in_words, unmeasured_in_words
from raggate_action.report.escape import log_line
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GateName, Problem, RunGateName, StageName, Unmeasured
from raggate_action.schema.policy import Waiver
from raggate_action.strings.visible_text import cut

LONGEST_REASON = 300
KNOWN_BAD: Final = "known_bad_blocked"
ReportedState: TypeAlias = Literal["passed", "failed", "unmeasured", "waived", "flaky"]


class Finding(NamedTuple):
    """A reason why a case counts against the run.

    Attributes:
        rule: The gate that says so: one on the case, one on the run that blocks for it, or `known_bad_blocked`.
        what: A clause without a word of a question, an answer or a chunk.
        lines: The same for those who may read answers, a line for each problem.
    """

    rule: GateName | RunGateName
    what: str
    lines: tuple[str, ...]


class ReportedCase(NamedTuple):
    """A case after its waivers.

    Attributes:
        row: Its row.
        state: How it counts.
        stage: Where it fails first; None where nothing fails.
        waived: Its failures under a waiver, by gate.
        left_open: Of a known-bad case that was not blocked: only judges could have told, and none did.
    """

    row: CaseRun
    state: ReportedState
    stage: StageName | None
    waived: Mapping[GateName, Waiver]
    left_open: bool = False

    def findings(self, reporting: Reporting, counts_for: Iterable[RunGateName] = ()) -> Iterator[Finding]:
        """Why it counts against the run, in order of diagnosis; under `texts: ids` without words of an answer.

        Args:
            reporting: Its run.
            counts_for: The gates on the run that block for it, where none of its own fails.
        """
        if self.row.kind == "known_bad":
            if not (self.row.blocked_as_named or self.left_open):
                stage = self.row.first_failed_stage
                instead = f"failed first at {stage}" if stage else "got through"
                what = f"had to be blocked at {self.row.blocked_at}, but {instead}"
                yield Finding(KNOWN_BAD, what, (f"it {what}",))
        elif self.state == "failed":
            # Gates that fail and block, without those under a waiver.
            for gate, outcome in self.row.outcomes.items():
                blocks = reporting.run.policy.gates.of(gate).level == "block"
                if blocks and outcome.kind == "failed" and gate not in self.waived:
                    named = gate_name(gate)
                    words = [f"{named}: {shown_problem(gate, each, reporting)}" for each in outcome.problems]
                    lines = [log_line(cut(each, LONGEST_REASON)) for each in words]
                    yield Finding(gate, f"fails {named}", tuple(lines))
        for counting in counts_for:
            what = f"counts for {gate_name(counting)}, which blocks the run"
            yield Finding(counting, what, (f"it {what}",))

    def why_unmeasured(self, reporting: Reporting) -> str:
        """Why it could not be measured, on one line."""
        if self.left_open:
            return log_line(cut(f"known-bad case not measured: {why_left_open(self.row)}", LONGEST_REASON))
        for gate, outcome in self.row.outcomes.items():
            if isinstance(outcome, Unmeasured) and outcome.reason != "no-adjudicator":
                with_texts = reporting.shows_texts or gate in NAME_IDS_ONLY
                detail = f": {unmeasured_in_words(outcome.detail)}" if with_texts and outcome.detail else ""
                return log_line(cut(f"{gate_name(gate)}: {outcome.reason}{detail}", LONGEST_REASON))
        return "no gate could be measured"

    @property
    def is_fault(self) -> bool:
        """Whether a fault in raggate kept it from being judged."""
        outcomes = self.row.outcomes.values()
        return any(isinstance(each, Unmeasured) and each.reason == "fault" for each in outcomes)


def shown_problem(gate: GateName, problem: Problem, reporting: Reporting) -> str:
    """The problem in words; under `texts: ids` without those of an answer."""
    if reporting.shows_texts or gate in NAME_IDS_ONLY:
        return problem_in_words(problem, reporting.base_name)
    return problem.code.replace("-", " ")


def place_of(row: CaseRun, root: str) -> tuple[str, int | None]:
    """File and line of a case; no file and None where it is written outside of the repository.

    Args:
        row: The case.
        root: The working directory of the run, seen from the top of the repository.
    """
    file = posixpath.normpath(posixpath.join(root, row.file))
    inside = not (posixpath.isabs(file) or file.split("/")[0] == "..")
    return (file, row.line) if inside else ("", None)
