"""Hallucinations and suspects of one case on two runs: new, fixed, persisting, or not confirmed to be gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from raggate_action.core.claims.false_claim_identity import (
    MATCHED_AT_MOST,
    ClaimMeaning,
    by_values,
    is_same,
    may_stand_in,
    statement_in,
    statement_of,
    values_of,
)
from raggate_action.core.comparison.baseline_index import PastCase, PastHallucination
from raggate_action.core.comparison.change_list import ChangeList
from raggate_action.core.counting.case_state import suspects_in, was_answered
from raggate_action.core.counting.waivers import HALLUCINATION_GATES, Standing
from raggate_action.schema.case_run import CaseRun, Claim, Finding, Hallucination
from raggate_action.schema.change import Counts, Move
from raggate_action.schema.outcome import Problem

Suspect: TypeAlias = tuple[Claim, Finding]


def suspects_of(row: CaseRun, standing: Standing) -> list[Suspect]:
    """What makes claims of a case suspect, but for claims whose falsehood is waived."""
    return [pair for pair in suspects_in(row.claims) if not _is_waived(pair[0], row, standing)]


def new_among(found: Iterable[Suspect], past: PastCase) -> list[Suspect]:
    """Those that the baseline's answer to the same case did not have, in whatever words."""
    new = [(claim, finding) for claim, finding in found if finding.key not in past.suspects]
    if new and (before := [*past.doubtful, *(each.said for each in past.hallucinations)][:MATCHED_AT_MOST]):
        # Of an answer with more, the others count as new.
        looked_at, others = new[:MATCHED_AT_MOST], new[MATCHED_AT_MOST:]
        new = [pair for pair in looked_at if not _is_known(*pair, before)] + others
    return new


def _is_known(claim: Claim, finding: Finding, before: Sequence[ClaimMeaning]) -> bool:
    """Whether a finding is about what was found before on the same claim in other words."""
    meaning, values = statement_of(claim), values_of(finding, claim.text)
    return any(values <= each.values and is_same(each, meaning) for each in before)


def _is_waived(claim: Claim, row: CaseRun, standing: Standing) -> bool:
    if "faithfulness" in standing.waived:
        return True
    left = {hallucination.text for hallucination in standing.hallucinations}
    waived = {hallucination.text for hallucination in row.hallucinations} - left
    return bool(claim.text) and claim.text in waived


def add_suspects(
    changes: ChangeList,
    row: CaseRun,
    standing: Standing,
    past: PastCase,
    *,
    protected: frozenset[str],
    waived: frozenset[str],
) -> None:
    """Whether a case has suspects that the baseline's answer to it did not have, in whatever words they stood there.

    A claim whose falsehood is waived is no suspect either. One that is certain, of a kind which right answers hardly
    ever have, or in a protected slice counts by itself; others only where they are many.

    Args:
        changes: Where it is counted.
        row: The case on the head run.
        standing: After its waivers.
        past: The case on the baseline.
        protected: Names of the protected slices.
        waived: Cases whose new suspects may ship; the empty id is every case.
    """
    found = suspects_of(row, standing)
    if not found:
        return
    new = [finding for _claim, finding in new_among(found, past)]
    changes.count("new_suspects", "same", len(found) - len(new))
    if not new:
        return
    first = min(new, key=lambda finding: finding.kind != "conflict")
    counts: Counts = "warn"
    if any(finding.sharp for finding in new) or not protected.isdisjoint(row.slices):
        counts = "block"
    if waived & {"", row.case_id}:
        counts = "waived"
    changes.add(row, "new_suspects", "new", Problem(code=first.kind, detail=first.reason), counts=counts)


def add_new_phrases(changes: ChangeList, row: CaseRun, standing: Standing) -> None:
    """Count the forbidden phrases of a case that the baseline does not have: there is no excuse for them."""
    for each in standing.hallucinations:
        if each.kind == "phrase":
            _add(changes, row, "new", each)


def add_hallucinations(changes: ChangeList, row: CaseRun, standing: Standing, past: PastCase) -> bool:
    """Compare the hallucinations of one case with what the baseline found in it; one found twice counts once.

    A waived one is neither new nor persisting, and not fixed either. One that the head had no way to find
    (no answer, an inadmissible trace, its gate unmeasured), or that a claim nobody has verified may still say, is
    not confirmed to be gone. A case with a new one that is certain, false by label or by a conflict that leaves no
    other reading, or an answer where none was possible, is newly hallucinating; forbidden phrases have a rule of their
    own.

    Returns:
        Whether every hallucination of the baseline is known to be gone.
    """
    if not (row.hallucinations or past.hallucinations):
        return True
    found = match_hallucinations(row, past)
    unwaived = {h.key for h in standing.hallucinations}
    certain: Hallucination | None = None
    for each in found.pairs:
        if each.hallucination.key not in unwaived:
            continue
        _add(changes, row, "same" if each.is_known else "new", each.named)
        if not each.is_known and each.hallucination.kind != "phrase":
            certain = certain or each.named
    if certain is not None:
        changes.add(row, "new_hallucinations", "new", _problem(certain), key=certain.key)
    is_settled = not any(each.past is not None for each in found.pairs)
    open_claims = _unverified(row) if found.gone else None
    for gone in found.gone:
        is_gone = _is_gone(row, gone, open_claims)
        is_settled = is_settled and is_gone
        _add(changes, row, "fixed" if is_gone else "unknown", gone)
    return is_settled


def _add(changes: ChangeList, row: CaseRun, move: Move, found: Hallucination | PastHallucination) -> None:
    changes.add(row, "hallucination_rate", move, _problem(found), key=found.key)


def _problem(found: Hallucination | PastHallucination) -> Problem:
    return Problem(code=found.kind, detail=found.text)


class Pair(NamedTuple):
    """A hallucination of the head's answer, and what of the baseline's it is.

    Attributes:
        hallucination: As the head's row has it.
        past: The baseline's, which may be in other words; None where it had none of the kind.
        was_doubtful: The baseline's answer had it in words that left a doubt.
    """

    hallucination: Hallucination
    past: PastHallucination | None = None
    was_doubtful: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the baseline's answer had it."""
        return self.past is not None or self.was_doubtful

    @property
    def named(self) -> Hallucination:
        """The hallucination under the key that it had first."""
        if self.past is None or self.past.key == self.hallucination.key:
            return self.hallucination
        return self.hallucination.model_copy(update={"key": self.past.key})


class HallucinationMatches(NamedTuple):
    """A case's hallucinations on both runs: the head's, each once, and those of the baseline that none of them is."""

    pairs: tuple[Pair, ...]
    gone: tuple[PastHallucination, ...]


def match_hallucinations(row: CaseRun, past: PastCase) -> HallucinationMatches:
    """Find a case's hallucinations again: by key, then by what they say. One is found again once at most."""
    now = {h.key: h for h in row.hallucinations}
    left = {h.key: h for h in past.hallucinations}
    found = {key: left.pop(key) for key in now if key in left}
    doubtful = set()
    unknown = [key for key, each in now.items() if key not in found and each.kind == "claim"]
    for key in unknown[:MATCHED_AT_MOST]:
        hallucination = now[key]
        meaning = statement_in(hallucination, row)
        again = next((each for each in left.values() if _is_again(each, hallucination, meaning)), None)
        if again is not None:
            found[key] = left.pop(again.key)
        elif _any_same(past.doubtful, meaning):
            doubtful.add(key)
    pairs = [Pair(each, found.get(key), key in doubtful) for key, each in now.items()]
    return HallucinationMatches(tuple(pairs), tuple(left.values()))


def with_baseline_keys(row: CaseRun, past: PastCase | None) -> CaseRun:
    """The row with each hallucination that the baseline had under the baseline's key, in whatever words it is now.

    So one falsehood keeps one key while its wording changes from run to run, and a waiver of it holds.
    """
    if past is None or past.digest != row.digest or not (row.hallucinations and past.hallucinations):
        return row
    named = {pair.hallucination.key: pair.named for pair in match_hallucinations(row, past).pairs}
    if all(named[each.key] is each for each in row.hallucinations if each.key in named):
        return row
    renamed = tuple([each.model_copy(update={"key": named[each.key].key}) for each in row.hallucinations])
    return row.model_copy(update={"hallucinations": renamed})


def _is_again(past: PastHallucination, now: Hallucination, meaning: ClaimMeaning) -> bool:
    """Whether a false claim is the baseline's; where no words are kept, by the chunk and the values it has."""
    if past.kind != "claim":
        return False
    if past.said.is_known or meaning.is_known:
        return is_same(past.said, meaning)
    return past.chunk_id == now.chunk_id and by_values(past.key) == by_values(now.key)


def _any_same(many: Iterable[ClaimMeaning], meaning: ClaimMeaning) -> bool:
    return any(is_same(each, meaning) for each in many)


def _unverified(row: CaseRun) -> list[ClaimMeaning] | None:
    """The meaning of the unverified claims; None if there are too many."""
    claims = [claim for claim in row.claims if claim.verdict != "supported"]
    return [statement_of(claim) for claim in claims] if len(claims) <= MATCHED_AT_MOST else None


def _is_gone(row: CaseRun, gone: PastHallucination, open_claims: list[ClaimMeaning] | None) -> bool:
    """Whether the answer is known to say it no more: it has no such claim, or only one that is verified."""
    admissibility = row.outcomes.get("admissibility")
    if not was_answered(row) or (admissibility is not None and admissibility.kind == "failed"):
        return False
    gate = row.outcomes.get(HALLUCINATION_GATES[gone.kind])
    unmeasured = gate is not None and gate.kind == "unmeasured"
    if gone.kind != "claim" or open_claims == []:
        return not unmeasured
    return open_claims is not None and not any(may_stand_in(gone.said, open_claim) for open_claim in open_claims)
