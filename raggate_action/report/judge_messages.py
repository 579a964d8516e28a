"""How a judge stands beside people's labels, in words: why it only advises, and what would make it count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from raggate_action.report.catalogue import JOBS, SAID
from raggate_action.report.page import bare
from raggate_action.report.record_words import Value, Values, of, said, sentence
from raggate_action.schema.later import ErrorRate, JudgeCard, LostCode, TrialJob, Unarmed
from raggate_action.strings.numbers import NOTHING, percent_of_share, rate

# Nobody was asked: no fault of the judge's.
NOT_ASKED: frozenset[LostCode] = frozenset({"budget", "cut"})
# What labels prove or show against a judge; the other reasons only say that there are too few of them.
SPEAKS_AGAINST: Final[frozenset[Unarmed]] = frozenset({"ac1", "false-block", "false-pass"})
# A chance below this is told as none: people would label in vain.
_UNLIKELY = 0.05


def words_of(job: TrialJob) -> Mapping[str, str]:
    """The words of a job; of one that has none, those of a whole answer."""
    return JOBS.get(job, JOBS["answers"])


def why_it_advises(card: JudgeCard) -> str:
    """Why the judge's verdicts do not count, as a clause without its subject; empty for one that is armed."""
    return _why(card, card.why_not)


def label_reason(card: JudgeCard) -> str:
    """Why labels do not arm a judge that counts by declaration, as a clause; empty of any other."""
    return _why(card, card.declared)


def _why(card: JudgeCard, why: Unarmed | None) -> str:
    return "" if why is None else bare(said(SAID[f"not armed: {why}"], card_values(card)))


def what_arms(card: JudgeCard) -> str:
    """What would make its verdicts count, as a sentence without its full stop and without the command."""
    code = "in-vain" if _is_out_of_reach(card) else card.why_not
    return "" if code is None else bare(said(SAID[f"to arm: {code}"], card_values(card)))


def card_values(card: JudgeCard, more: Mapping[str, Value] = {}) -> Values:
    """What rows about a card name: its fields, the words of its job, what is worked out of it, and `more`."""
    words, missing = words_of(card.job), card.missing_labels
    own: dict[str, Value] = {
        **words,
        "tick": "`",
        "noun": words["one"] if missing == 1 else words["many"],
        "needed_labels": card.labels + missing,
        "needed_faults": card.faults + card.missing_faults,
        "more": bool(card.labels and missing),
        # Of both kinds the one tells the other: they add up.
        "only_right": 0 if card.missing_faults else card.missing_right,
        "obeyed": len(card.obeyed),
        "block": error_text(card.false_block),
        "pass": error_text(card.false_pass),
        "chances": chances_text(card) if card.chances else "",
    }
    return of(card, **own, **more, missing=sentence("missing labels", card, **own))


def _is_out_of_reach(card: JudgeCard) -> bool:
    """Whether no number of labels that people write is likely to arm it."""
    return bool(card.chances) and max(chance for _labels, chance in card.chances) < _UNLIKELY


def chances_text(card: JudgeCard) -> str:
    """How likely further labels arm it: `at its errors so far, 100 labels arm it in 47 of 100 cases, 200 in 93`."""
    (labels, first), *rest = [(labels, _of_hundred(chance)) for labels, chance in card.chances]
    more = "".join([f", {labels:,} in {times}" for labels, times in rest])
    return f"at its errors so far, {labels:,} labels arm it in {first} of 100 cases{more}"


def _of_hundred(chance: float) -> str:
    """A probability as so many of a hundred; only what cannot be is 0, and what must be 100."""
    return f"{min(99, max(1, round(100 * chance)))}" if 0 < chance < 1 else f"{round(100 * chance)}"


def wants_labels(card: JudgeCard) -> bool:
    """Whether labels would arm it."""
    if _is_out_of_reach(card):
        return False
    few = {"no-labels", "too-few-labels", "too-few-faults"}
    return card.why_not in few or (card.why_not in SPEAKS_AGAINST and card.missing_labels > 0)


def error_text(found: ErrorRate | None) -> str:
    """Errors of all labels of a kind, and how bad they may be at worst: `1/30, at most 14.9 %`."""
    if found is None or not found.rate.total:
        return NOTHING
    return f"{rate(found.rate.hits, found.rate.total)}, at most {percent_of_share(found.upper)}"
