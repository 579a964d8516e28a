"""How one answer stands beside main's, state by state; and how all answers of a case that was asked again do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.poorer.answer_values import read_answer, reads_values
from raggate_action.core.poorer.same_answers import OwnAnswer, answer_digest, same_digest
from raggate_action.core.poorer.value_changes import changed_values, lost_values, watched_values
from raggate_action.schema.main_answers import BesideMain, MainAnswer, PoorerReason

_QUOTED = 200


class AnswerToHold(NamedTuple):
    """An answer that is held against main's.

    Attributes:
        text: The answer, whole.
        question: What was asked.
        evidence: Gives what the app was given for it; not asked where the answer is main's, which takes most time.
        declined: It declines.
        reading: How answers are read.
        labels: Gives texts of the case's own that decide about the values in them; asked as seldom.
        may_decline: The case expects a decline, so that none is poorer.
    """

    text: str
    question: str
    evidence: Callable[[], Sequence[EvidenceIndex]]
    declined: bool
    reading: Reading
    labels: Callable[[], Sequence[str]] = tuple
    may_decline: bool = False


class MainAnswersNow(NamedTuple):
    """Main's answers as they count beside an answer of today.

    Attributes:
        answers: All, the newest first.
        same_evidence: Those whose evidence has not changed since.
        baseline: When the run of the newest was decided.
        is_recorded: Nobody can be asked again, so main's own rate has to be known.
    """

    answers: tuple[MainAnswer, ...]
    same_evidence: tuple[MainAnswer, ...]
    baseline: str
    is_recorded: bool = False


def beside_main(answer: AnswerToHold, main: MainAnswersNow) -> BesideMain:
    """Hold an answer against main's."""
    kept = main.same_evidence if reads_values(answer.reading.language) else ()
    held = BesideMain(
        baseline=main.baseline,
        main=answer_digest(main.answers[0].text),
        answers=len(kept),
        has_values=bool(kept and kept[0].grounds is not None and kept[0].grounds.held),
    )
    texts = [each.text for each in main.answers]
    is_mains, has_own_rate = answer.text in texts[:1], main.is_recorded and len(kept) > 1
    if is_mains and not has_own_rate:
        # As most answers of an app that is recorded, or that nobody changed.
        return held
    evidence, labels = answer.evidence(), answer.labels()
    if has_own_rate:
        held = held.model_copy(update={"own": _own_losses(kept, answer, labels)})
    if is_mains:
        return held
    reasons = []
    if kept:
        read = read_answer(answer.text, answer.question, answer.reading.language)
        watched = watched_values(kept, answer.question, answer.reading.language, labels)
        reasons = [*changed_values(read, watched, kept, evidence), *lost_values(read, watched)]
    own = OwnAnswer(texts, [index.text for index in evidence], answer.declined)
    reasons += _reasons(answer, evidence, main)
    return held.model_copy(update={"reasons": tuple(reasons), "same": same_digest(answer.text, own)})


def _reasons(answer: AnswerToHold, evidence: Sequence[EvidenceIndex], main: MainAnswersNow) -> Iterator[PoorerReason]:
    from raggate_action.core.poorer.cut_answers import cut_end
    from raggate_action.core.poorer.evasive_answers import is_less_sure

    texts = [each.text for each in main.answers]
    end = cut_end(answer.text, texts, [index.text for index in evidence], answer.reading.language)
    if end is not None:
        yield PoorerReason(state="cut", here=_end_of(end), main=_end_of(texts[0]))
    begins = " ".join(answer.text.split())[:_QUOTED]
    main_begins = " ".join(texts[0].split())[:_QUOTED]
    if main.same_evidence and not answer.may_decline:
        stance = is_less_sure(answer.text, texts, answer.question, answer.reading)
        if stance is not None:
            yield PoorerReason(state="less-sure", here=begins, main=main_begins, doubtful=stance == "may decline")


def _own_losses(mains: Sequence[MainAnswer], answer: AnswerToHold, labels: Sequence[str]) -> tuple[int, int]:
    """How many of main's own answers lost a value of the others by the same rule, and of how many."""
    lost, question, language = 0, answer.question, answer.reading.language
    for place, one in enumerate(mains):
        watched = watched_values([*mains[:place], *mains[place + 1 :]], question, language, labels)
        found = lost_values(read_answer(one.text, question, language), [each for each in watched if each.by_all])
        lost += any(not each.shown for each in found)
    return lost, len(mains)


def _end_of(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _QUOTED else f"…{words[-_QUOTED:]}"


def beside_main_in_all(answers: Sequence[BesideMain | None]) -> BesideMain | None:
    """How all answers to a case stand: poorer in what every one of them lacks; None where none was held against main's.

    An answer that could not be held against main's says nothing.

    Args:
        answers: Each, in the order given; the reasons are quoted from the first.
    """
    held = [each for each in answers if each is not None]
    if not held:
        return None
    first, *others = held
    kept = []
    for reason in first.reasons:
        found = [each for other in others for each in other.reasons if _is_one(each, reason)]
        if len(found) == len(others):
            milder = any(each.shown for each in (reason, *found))
            kept.append(reason.model_copy(update={"shown": milder}) if milder != reason.shown else reason)
    same = first.same if all(other.same == first.same for other in others) else None
    update = {"reasons": tuple(kept), "same": same, "was_poorer": bool(others) and bool(first.counting)}
    return first.model_copy(update=update)


def _is_one(one: PoorerReason, other: PoorerReason) -> bool:
    return (one.state, one.key) == (other.state, other.key)
