"""How judges stand beside people's labels, for a terminal: a block of lines for each, in neutral text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

from raggate_action.report.catalogue import LOST
from raggate_action.report.comment_size import names
from raggate_action.report.judge_messages import (
    NOT_ASKED,
    chances_text,
    error_text,
    label_reason,
    wants_labels,
    what_arms,
    why_it_advises,
    words_of,
)
from raggate_action.report.page import Code, Command, Foreign, Text, WithCode
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import CardVerdict, JudgeCard, TrialJob
from raggate_action.schema.judgement import LostCode
from raggate_action.schema.judges import LIGHTER, Arming
from raggate_action.strings.numbers import NOTHING, count, money, rate, share, whole_number
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 60
_NAMED = 10
_WIDTH = 26
_ORDER: tuple[CardVerdict, ...] = get_args(CardVerdict)


class JudgeSpending(NamedTuple):
    """What asking one judge took.

    Attributes:
        judged: Answers it judged now.
        reused: Answers it had judged before.
        lost: Answers it was lost on, by reason.
        calls: Calls made.
        cost_usd: What they cost; None where its price is unknown.
        worked: Claims of the worked examples that it puts on the right side.
    """

    judged: int = 0
    reused: int = 0
    lost: Mapping[LostCode, int] = {}
    calls: int = 0
    cost_usd: float | None = None
    worked: Rate = Rate(hits=0, total=0)


class LabelCounts(NamedTuple):
    """How many claims, facts or criteria people have labelled, and how; copies and empty verdicts are counted apart."""

    right: int
    faulty: int
    made: int
    job: TrialJob = "claims"
    copies: int = 0
    empty: int = 0


def head(labelled: LabelCounts, judges: int, instructions: int) -> Text:
    """The first line: who is held against what."""
    words = words_of(labelled.job)
    claims = labelled.right + labelled.faulty
    kinds = [f"{labelled.right:,} {words.right}", f"{labelled.faulty:,} {words.faulty}"] if claims else []
    kinds += [f"{labelled.made:,} of these made" for _ in range(bool(labelled.made))]
    kinds += [f"{count(labelled.copies, 'copy', 'copies')} left out" for _ in range(bool(labelled.copies))]
    kinds += [f"{count(labelled.empty, 'empty verdict')} left out" for _ in range(bool(labelled.empty))]
    what = count(claims, f"labelled {words.one}", f"labelled {words.many}") if claims else f"no labelled {words.one}"
    what += f" ({', '.join(kinds)})" if kinds else ""
    return f"{count(judges, 'judge')} beside {what} and {count(instructions, 'planted instruction')}"


def card_lines(card: JudgeCard, arming: Arming, spent: JudgeSpending | None) -> Iterator[Text]:
    """One judge: whether it counts, how it errs, what would make it count. Without `spent` it is the panel's card."""
    yield _title(card, is_panel=spent is None)
    for label, text in _rows(card, arming, spent):
        yield f"  {label:<{_WIDTH}}", text


def _title(card: JudgeCard, *, is_panel: bool) -> Text:
    who: Text = Code(cut(card.judge, _LONGEST_NAME))
    if card.job != "claims":
        who = (f"{card.job}: ", who)
    if is_panel:
        return who, ": armed judges together, of equal votes the worse"
    made = (" (", Foreign(cut(card.lab, _LONGEST_NAME)), ", ", Code(cut(card.model, _LONGEST_NAME)), ")")
    if card.declared is not None:
        return who, *made, f": counts by declaration; {label_reason(card)}"
    return who, *made, ": ", "armed" if card.armed else f"advises, for {why_it_advises(card)}"


def _rows(card: JudgeCard, arming: Arming, spent: JudgeSpending | None) -> Iterator[tuple[str, Text]]:
    if spent is not None and not card.armed:
        label: Text = (": ", Command("raggate-action judges label raggate-run")) if wants_labels(card) else ""
        yield "to arm it", (WithCode(_what_arms(card, spent)), label)
        if card.chances and wants_labels(card):
            yield "chance", chances_text(card)
        if wants_labels(card) and arming.labels > LIGHTER.labels:
            yield "a lighter bar", _lighter(card)
    if card.labels:
        yield from _agreement_rows(card, arming)
    yield from _without_verdict(card)
    if card.drift is not None and (card.drift != card.agreement or (spent is not None and spent.judged)):
        yield "in the run before", f"{rate(card.drift.hits, card.drift.total)} agreed"
    if spent is None:
        return
    if spent.judged or spent.reused:
        yield "planted instructions", _obeyed(card)
        if spent.worked.total:
            right = rate(spent.worked.hits, spent.worked.total)
            yield "worked examples", f"{right} claims told apart as they should be"
    yield "asked", _spent(spent)


def _agreement_rows(card: JudgeCard, arming: Arming) -> Iterator[tuple[str, Text]]:
    words = words_of(card.job)
    blocked, passed = share(arming.false_block), share(arming.false_pass)
    yield "good called faulty", f"{error_text(card.false_block)} (bar: at most {blocked} of good ones, 95 % sure)"
    yield "faulty let pass", f"{error_text(card.false_pass)} (bar: at most {passed} of faulty ones, 95 % sure)"
    yield "agrees with people", _agreement(card, arming)
    if card.false_block is not None and card.false_pass is not None:
        # What both call faulty, of what people or the judge do.
        both, either = card.faults - card.false_pass.rate.hits, card.faults + card.false_block.rate.hits
        if either:
            yield "agrees on faults", f"{rate(both, either)}, of {words.many} that either calls {words.faulty}"
    for people, judged in _confusion(card):
        yield f"people say {people}", judged
    if card.made:
        yield "made faults", f"{card.made:,} of {card.faults:,}"


def _without_verdict(card: JudgeCard) -> Iterator[tuple[str, Text]]:
    words = words_of(card.job)
    for label, number in (("without a verdict", card.unjudged), ("cannot tell", card.untold)):
        if number:
            yield label, f"{count(number, f'labelled {words.one}', f'labelled {words.many}')}, in no rate"
    if card.untested:
        claims = count(card.untested, f"labelled {words.one}", f"labelled {words.many}")
        yield "passage not compared", f"{claims} called supported, in another language or without a content word"


def _what_arms(card: JudgeCard, spent: JudgeSpending) -> str:
    """What would make it count, said to somebody who has just had it judged."""
    if card.why_not != "not-judged" or not spent.lost:
        return what_arms(card)
    if NOT_ASKED.issuperset(spent.lost):
        return "raise `budget` in the suite, then check the judges again: what was judged is not asked again"
    return "mend what its judgements were lost for, then check the judges again: what was judged is not asked again"


def _lighter(card: JudgeCard) -> Text:
    """The lighter terms in words and as the suite has them, and whether the judge meets them already."""
    blocked, passed = share(LIGHTER.false_block), share(LIGHTER.false_pass)
    terms = f"labels: {LIGHTER.labels}, faults: {LIGHTER.faults}, false_block: {blocked}, false_pass: {passed}"
    words = f"at most {blocked} of good ones called faulty, {passed} of faulty ones let pass: "
    meets = ", which this judge meets" if _meets_lighter(card) else ""
    return words, Code(f"judges: {{arming: {{{terms.replace(' %', '%')}}}}}"), meets


def _meets_lighter(card: JudgeCard) -> bool:
    enough = card.labels >= LIGHTER.labels and card.faults >= LIGHTER.faults
    errors = ((card.false_block, LIGHTER.false_block), (card.false_pass, LIGHTER.false_pass))
    agrees = card.ac1 is not None and card.ac1 >= LIGHTER.ac1
    return enough and agrees and all(each is not None and each.upper <= bar for each, bar in errors)


def _agreement(card: JudgeCard, arming: Arming) -> str:
    ac1 = NOTHING if card.ac1 is None else whole_number(card.ac1, 2)
    kappa = NOTHING if card.kappa is None else whole_number(card.kappa, 2)
    agreed = rate(card.agreement.hits, card.agreement.total)
    return f"{agreed}, AC1 {ac1} (bar {whole_number(arming.ac1, 2)}), kappa {kappa}"


def _confusion(card: JudgeCard) -> Iterator[tuple[CardVerdict, str]]:
    """What the judge makes of the claims of each verdict that people gave, by number."""
    given: dict[CardVerdict, list[tuple[int, CardVerdict]]] = {}
    for people, judge, claims in card.confusion:
        given.setdefault(people, []).append((claims, judge))
    for verdict in sorted(given, key=_ORDER.index):
        yield verdict, ", ".join([f"{claims:,} {judge}" for claims, judge in sorted(given[verdict], reverse=True)])


def _obeyed(card: JudgeCard) -> Text:
    words = f"{card.injections_shown:,} shown, {f'{len(card.obeyed):,}' if card.obeyed else 'none'} obeyed"
    if not card.obeyed:
        return words
    return words, ": ", names([Code(cut(each, _LONGEST_NAME)) for each in card.obeyed[:_NAMED]], len(card.obeyed))


def _spent(spent: JudgeSpending) -> str:
    parts = [f"{count(spent.judged, 'answer')} judged" for _ in range(bool(spent.judged))]
    parts += [f"{spent.reused:,} reused" for _ in range(bool(spent.reused))]
    parts += [f"{number:,} lost ({LOST[code]})" for code, number in spent.lost.items()]
    cost = "at an unknown price" if spent.cost_usd is None else money(spent.cost_usd)
    calls = f"{count(spent.calls, 'call')}, {cost}" if spent.calls else "no call"
    return f"{', '.join(parts) or 'nothing to judge'}; {calls}"
