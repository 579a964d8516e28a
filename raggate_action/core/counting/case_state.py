"""How a case came out: its state and first failed stage, whether it is verified or refuted, its suspects and faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import Ask, CaseRun, CaseState, Claim, Finding
from raggate_action.schema.counts import KnownAs
from raggate_action.schema.later import NamedCase
from raggate_action.schema.outcome import GATES, Failed, GateName, Outcome, RunGateName, StageName, Unmeasured
from raggate_action.schema.policy import Gates
from raggate_action.strings.visible_text import cut

_SUSPICIOUS = frozenset({"conflict", "absent"})
_VALUES: Mapping[str, frozenset[str]] = {
    "absent": frozenset({"money", "percent", "unit"}),
    "conflict": frozenset({"money", "percent", "unit", "number", "date", "time"}),
}
_NO_CODES = frozenset[str]()


def is_value(finding: Finding) -> bool:
    """Whether a finding is about a value that a sentence says otherwise, or an amount or percentage that none holds."""
    return not finding.advisory and finding.code in _VALUES.get(finding.kind, _NO_CODES)


def is_not_shown(finding: Finding) -> bool:
    """Whether a finding fails its case: a sharp one about a value."""
    return finding.sharp and is_value(finding)


def suspects_in(claims: Iterable[Claim]) -> Iterator[tuple[Claim, Finding]]:
    """The findings that make a claim suspect: conflicts and what no evidence holds, advice and structure left out."""
    for claim in claims:
        for finding in claim.findings:
            if finding.key and not finding.advisory and finding.kind in _SUSPICIOUS:
                yield claim, finding


def first_failed_stage(outcomes: dict[GateName, Outcome], gates: Gates) -> StageName | None:
    """The stage that owns the repair: the first failed gate at level `block`.

    Args:
        outcomes: In order of diagnosis.
        gates: Levels.
    """
    for gate, outcome in outcomes.items():
        # By type and not by `kind`: every case asks it of every gate.
        if type(outcome) is Failed and gates.of(gate).level == "block":
            return GATES[gate]
    return None


def case_state(outcomes: dict[GateName, Outcome], stage: StageName | None, gates: Gates) -> CaseState:
    """Passed when no block-level gate failed and none is unmeasured; failed beats unmeasured."""
    if stage is not None:
        return "failed"
    for gate, outcome in outcomes.items():
        # `no-adjudicator` only warns.
        if type(outcome) is Unmeasured and outcome.reason != "no-adjudicator" and gates.of(gate).level == "block":
            return "unmeasured"
    return "passed"


def is_faulted(row: CaseRun) -> bool:
    """Whether a fault of raggate kept the case from being judged."""
    target = row.outcomes.get("target")
    return isinstance(target, Unmeasured) and target.reason == "fault"


def with_state(row: CaseRun, gates: Gates) -> CaseRun:
    """The row with the state and stage that follow from its outcomes under these levels; the same where they do."""
    stage = first_failed_stage(row.outcomes, gates)
    state = case_state(row.outcomes, stage, gates)
    if (state, stage) == (row.state, row.first_failed_stage):
        return row
    return row.model_copy(update={"state": state, "first_failed_stage": stage})


_CLAIM_LENGTH = 200


def is_answered(row: CaseRun) -> bool:
    """Whether there is an answer, or an expected decline; an answer that may decline counts."""
    answered = row.outcomes.get("answered")
    return answered is not None and answered.kind in {"passed", "unmeasured"}


def is_verified(row: CaseRun) -> bool:
    """Whether a label, a quotation or a judge supports every claim of the answer, or it declined as expected.

    Every claim: what a suite's `per_case` lets through is not verified by that. Required phrases, tools and sources say
    nothing of the other claims.
    """
    faithful = row.outcomes.get("faithfulness")
    if faithful is None or not is_answered(row):
        return False
    if row.expect == "abstain":
        return faithful.kind == "not_applicable"
    return faithful.kind == "passed" and (faithful.share is None or faithful.share.hits == faithful.share.total)


def known_as(row: CaseRun, standing: Standing, *, rules_tell: bool) -> KnownAs | None:
    """The count of what is known that an answer is in: of one that passes; None where nothing is known.

    Args:
        row: The case.
        standing: How it stands.
        rules_tell: What keyless rules find counts at all.
    """
    if standing.state != "passed" or not is_answered(row):
        return None
    if standing.hallucinations:
        return "refuted"
    if is_verified(row):
        return "verified"
    doubted = rules_tell and any(claim.verdict != "supported" for claim, _finding in suspects_in(row.claims))
    return "to_look_at" if doubted else None


def passes_gates(row: CaseRun, *, answerable: bool) -> bool | None:
    """Whether the answer passes the suite's gates; None if that is not known.

    Of an answer that is not verified, and that was held against no phrase and no tool, no gate says anything. Nor of a
    decline, where nothing in the suite says that there is an answer: it may be the honest one.

    Args:
        row: The answer's.
        answerable: The case's author says that there is an answer.
    """
    failed = [name for name, outcome in row.outcomes.items() if outcome.kind == "failed"]
    only_declines = row.abstained and row.expect == "answer" and failed == ["answered"]
    if row.state == "unmeasured" or (not answerable and only_declines):
        return None
    was_held = is_verified(row) or row.musts is not None or row.forbids
    return (True if was_held else None) if row.state == "passed" else False


class NamedCases:
    """Keeps the cases that gates on the run name and that none of their own fails, while rows stream by."""

    def __init__(self, *, rules_tell: bool) -> None:
        """Start from nothing; `rules_tell` as in `known_as`."""
        self._rules_tell = rules_tell
        self._found: dict[str, NamedCase] = {}
        self._last: tuple[CaseRun, Standing] | None = None

    def see(self, row: CaseRun, standing: Standing) -> None:
        """Take the next case, as it is counted."""
        self._last = row, standing

    @property
    def seen(self) -> NamedCase | None:
        """The case taken last, named by no gate yet; None of one that fails."""
        if self._last is None or (state := self._last[1].state) == "failed":
            return None
        from raggate_action.schema.comparison import NamedCase

        known = known_as(*self._last, rules_tell=self._rules_tell)
        return NamedCase(case_id=self._last[0].case_id, state=state, known_as=known)

    def name(self, gate: RunGateName, case: NamedCase | None = None) -> None:
        """A gate names a case that was seen, the last one if none is given."""
        case = case if case is not None else self.seen
        if case is not None:
            case = self._found.get(case.case_id, case)
            gates = tuple(dict.fromkeys((*case.gates, gate)))
            self._found[case.case_id] = case.model_copy(update={"gates": gates})

    @property
    def result(self) -> tuple[NamedCase, ...]:
        """The cases, by id."""
        return tuple([self._found[case_id] for case_id in sorted(self._found)])


def open_claim(row: CaseRun) -> str:
    """The first claim of an answer that nothing supports, cut for display; empty where each is supported.

    One of which a note tells why stands behind those without, and with it: it may stand word for word in a chunk.
    """
    claims = [claim for claim in row.claims if claim.verdict != "supported"]
    if not claims:
        return ""
    claim = next((each for each in claims if each.note is None), claims[0])
    text = cut(claim.text, _CLAIM_LENGTH)
    return f"{text} ({claim.note})" if text and claim.note else text


def was_answered(answer: Ask) -> bool:
    """Whether the target gave an answer, or did not have to."""
    target = answer.outcomes.get("target")
    return target is None or target.kind in {"passed", "not_applicable"}


def was_run(row: CaseRun) -> bool:
    """Whether the case was run: with an answer, or an error of the app."""
    target = row.outcomes.get("target")
    return target is None or target.kind != "unmeasured"


def hundredths(score: float | None) -> int | None:
    """A score as a whole number, so that sums are exact; None for None."""
    return None if score is None else round(score * 100)


def says_nothing(row: CaseRun) -> bool:
    """Whether the answer is known to be empty, or to decline where an answer was expected."""
    answer = row.outcomes.get("answered")
    return answer is not None and answer.kind == "failed"


def citation_faults(row: CaseRun) -> frozenset[str]:
    """What is certainly wrong with the citations of an answer, by the chunks cited; nothing where the gate holds.

    A claim that cites only what is not in the context, or a chunk that does not say it while another does. Not the
    claim's words but what it cites tells two faults apart: the same answer in other words has no new fault. A claim
    without a citation is a matter of coverage, one that nobody could verify is in doubt, and a false one is a
    hallucination. That a panel named another chunk is no certain fault: it may have left out the one cited.
    """
    gate = row.outcomes.get("citation_support")
    if gate is None or gate.kind != "failed":
        return frozenset()
    found = set()
    for claim in row.claims:
        if not claim.citations or not set(claim.citations).isdisjoint(claim.supported_by):
            continue
        cited = " ".join(sorted(set(claim.citations)))
        if set(claim.citations).isdisjoint(row.context):
            found.add(f"not-in-context:{cited}")
        elif claim.supported_by and not claim.judged:
            found.add(f"elsewhere:{cited}")
    return frozenset(found)
