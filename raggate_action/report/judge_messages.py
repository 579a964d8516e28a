"""What befell a judge, in words: why it said nothing that counts, and why it only advises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from raggate_action.schema.judgement import LostCode, Unarmed
from raggate_action.strings.numbers import count, percent_of_share, rate, whole_number

if TYPE_CHECKING:
    from raggate_action.schema.calibration import ErrorRate, JudgeCard, TrialJob

# Nobody was asked: no fault of the judge's.
NOT_ASKED: frozenset[LostCode] = frozenset({"budget", "cut"})


class _Words(NamedTuple):
    """What a job judges, and how its two sides are called."""

    one: str
    many: str
    right: str
    faulty: str
    blocks: str
    passes: str


WORDS: Final[Mapping[TrialJob, _Words]] = {
    "claims": _Words("claim", "claims", "right", "faulty", "good claims faulty", "faulty claims supported"),
    "agreement": _Words("fact", "facts", "stated", "not stated", "stated facts missing", "missing facts stated"),
    "criteria": _Words("criterion", "criteria", "met", "unmet", "met criteria unmet", "unmet criteria met"),
}


_OTHER: Final = _Words("answer", "answers", "good", "faulty", "good answers faulty", "faulty answers good")


def words_of(job: TrialJob) -> _Words:
    """The words of a job; of one that has none here, those of a whole answer."""
    return WORDS.get(job, _OTHER)


def why_it_advises(card: JudgeCard) -> str:
    """Why the judge's verdicts do not count, as a clause without its subject; empty for one that is armed."""
    return "" if card.why_not is None else _WHY_NOT[card.why_not](card)


# What labels prove or show against a judge; the other reasons only say that there are too few of them.
SPEAKS_AGAINST: Final[frozenset[Unarmed]] = frozenset({"ac1", "false-block", "false-pass"})


def label_reason(card: JudgeCard) -> str:
    """Why labels do not arm a judge that counts by declaration, as a clause; empty of any other."""
    return "" if card.declared is None else _WHY_NOT[card.declared](card)


def _too_few(card: JudgeCard) -> str:
    of_labels = f"{card.labels:,} of {card.labels + card.missing_labels:,} labels"
    unclear = f"; of {card.untold:,} it cannot tell" if card.untold else ""
    return f"{of_labels}, {card.faults:,} of {card.faults + card.missing_faults:,} faults{unclear}"


def _disagrees(card: JudgeCard) -> str:
    return "it agrees too little with people" + ("" if card.ac1 is None else f" (AC1 {whole_number(card.ac1, 2)})")


_WHY_NOT: dict[Unarmed, Callable[[JudgeCard], str]] = {
    "no-labels": lambda card: f"no {words_of(card.job).one} is labelled yet",
    "too-few-labels": _too_few,
    "too-few-faults": _too_few,
    "not-judged": lambda _card: "this model with this prompt has not judged the labels",
    "obeyed-injection": lambda card: f"it obeyed {count(len(card.obeyed), 'planted instruction')}",
    "ac1": _disagrees,
    "false-block": lambda card: f"it calls too many {words_of(card.job).blocks}: {_errors(card.false_block)}",
    "false-pass": lambda card: f"it calls too many {words_of(card.job).passes}: {_errors(card.false_pass)}",
}


# A chance below this is told as none: people would label in vain.
_UNLIKELY = 0.05


def what_arms(card: JudgeCard) -> str:
    """What would make its verdicts count, as a sentence without its full stop and without the command."""
    if _is_out_of_reach(card):
        return f"choose another model: {chances_text(card)}"
    match card.why_not:
        case "no-labels" | "too-few-labels" | "too-few-faults":
            return f"label {_missing(card)}"
        case "not-judged":
            return "a run of the whole suite judges them, or `raggate-action judges check`"
        case "obeyed-injection":
            return "choose another model"
        case "ac1" | "false-block" | "false-pass":
            return f"choose another model, or label {_missing(card)}" if card.missing_labels else "choose another model"
        case None:
            return ""


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
    if card.why_not in {"no-labels", "too-few-labels", "too-few-faults"}:
        return True
    return card.why_not in {"ac1", "false-block", "false-pass"} and card.missing_labels > 0


def _missing(card: JudgeCard) -> str:
    """`32 more claims, 16 of them faulty`; which kind is said where it matters."""
    words = words_of(card.job)
    if not card.missing_labels:
        return words.many
    more = " more" if card.labels else ""
    kinds = [
        f"{number:,} of them {kind}"
        for number, kind in ((card.missing_faults, words.faulty), (card.missing_right, words.right))
        if number
    ]
    # Of both kinds the one tells the other: they add up.
    return f"{card.missing_labels:,}{more} {words.one if card.missing_labels == 1 else words.many}" + (
        f", {kinds[0]}" if kinds else ""
    )


def error_text(found: ErrorRate | None) -> str:
    """Errors of all labels of a kind, and how bad they may be at worst: `1/30, at most 14.9 %`."""
    return "–" if found is None or not found.rate.total else _errors(found)


def _errors(found: ErrorRate | None) -> str:
    if found is None:
        return "not known"
    return f"{rate(found.rate.hits, found.rate.total)}, at most {percent_of_share(found.upper)}"
