"""How judges stand beside people's labels, for a terminal: a block of lines for each, in neutral text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

from raggate_action.report.catalogue import LOST, SAID
from raggate_action.report.judge_messages import (
    NOT_ASKED,
    card_values,
    label_reason,
    wants_labels,
    what_arms,
    why_it_advises,
    words_of,
)
from raggate_action.report.page import Code, Command, Text, WithCode, joined
from raggate_action.report.record_words import Value, fields, lines, name_list, of, said, sentence
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import CardVerdict, JudgeCard, TrialJob
from raggate_action.schema.judgement import LostCode
from raggate_action.schema.judges import LIGHTER, Arming
from raggate_action.strings.numbers import money, share
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 60
_WIDTH = 26


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
    claims = labelled.right + labelled.faulty
    own: dict[str, Value] = {f"{name}_word": word for name, word in words_of(labelled.job).items()}
    own |= {"claims": claims, "judges": judges, "instructions": instructions}
    own["noun"] = own["one_word" if claims == 1 else "many_word"]
    kinds = joined(", ", lines(SAID["label kinds"], of(labelled, **own)))
    return sentence("labels", labelled, **own, kinds=kinds)


def card_lines(card: JudgeCard, arming: Arming, spent: JudgeSpending | None) -> Iterator[Text]:
    """One judge: whether it counts, how it errs, what would make it count. Without `spent` it is the panel's card."""
    wants = spent is not None and wants_labels(card)
    own: dict[str, Value] = {
        "name": Code(cut(card.judge, _LONGEST_NAME)),
        "gate": card.job != "claims",
        "panel": spent is None,
        "why": why_it_advises(card) if spent is not None and card.declared is None else "",
        "why_declared": label_reason(card) if spent is not None else "",
        "counts": spent is not None and card.armed and card.declared is None,
        "to_arm": _to_arm(card, spent) if spent is not None and not card.armed else "",
        "likely": wants and bool(card.chances),
        "lighter": _lighter(card) if wants and arming.labels > LIGHTER.labels else "",
        "bar_block": share(arming.false_block),
        "bar_pass": share(arming.false_pass),
        "bar_ac1": arming.ac1,
        "both": _faults_of_both(card),
        "drifted": card.drift is not None and (card.drift != card.agreement or bool(spent and spent.judged)),
        "tried": spent is not None and bool(spent.judged or spent.reused),
        "names": name_list(card.obeyed),
        "worked": spent.worked if spent is not None and (spent.judged or spent.reused) else None,
        "asked": _asked(spent) if spent is not None else "",
        **_confusion(card),
    }
    value = card_values(card, own)
    yield said(SAID["card title"], value)
    for label, text in fields("judge card", value):
        yield f"  {label:<{_WIDTH}}", text


def _faults_of_both(card: JudgeCard) -> Rate | None:
    """What both call faulty, of what people or the judge do."""
    if card.false_block is None or card.false_pass is None:
        return None
    hits, total = card.faults - card.false_pass.rate.hits, card.faults + card.false_block.rate.hits
    return Rate(hits=hits, total=total)


def _to_arm(card: JudgeCard, spent: JudgeSpending) -> Text:
    """What would make it count, said to somebody who has just had it judged."""
    if card.why_not == "not-judged" and spent.lost:
        return sentence("to arm: budget" if NOT_ASKED.issuperset(spent.lost) else "to arm: lost", card)
    label: Text = (": ", Command("raggate-action judges label raggate-run")) if wants_labels(card) else ""
    return WithCode(what_arms(card)), label


def _lighter(card: JudgeCard) -> Text:
    """The lighter terms in words and as the suite has them, and whether the judge meets them already."""
    blocked, passed = share(LIGHTER.false_block), share(LIGHTER.false_pass)
    terms = f"labels: {LIGHTER.labels}, faults: {LIGHTER.faults}, false_block: {blocked}, false_pass: {passed}"
    words = f"at most {blocked} of good ones called faulty, {passed} of faulty ones let pass: "
    enough = card.labels >= LIGHTER.labels and card.faults >= LIGHTER.faults
    errors = ((card.false_block, LIGHTER.false_block), (card.false_pass, LIGHTER.false_pass))
    agrees = card.ac1 is not None and card.ac1 >= LIGHTER.ac1
    meets = enough and agrees and all(each is not None and each.upper <= most for each, most in errors)
    code = Code(f"judges: {{arming: {{{terms.replace(' %', '%')}}}}}")
    return words, code, ", which this judge meets" if meets else ""


def _confusion(card: JudgeCard) -> dict[str, str]:
    """What the judge makes of the claims of each verdict that people gave, by number."""
    told = dict.fromkeys([f"people {verdict}" for verdict in get_args(CardVerdict)], "")
    for people, judge, claims in sorted(card.confusion, key=lambda each: each[::-1], reverse=True):
        so_far = told[f"people {people}"]
        told[f"people {people}"] = f"{so_far}{', ' if so_far else ''}{claims:,} {judge}"
    return told


def _asked(spent: JudgeSpending) -> Text:
    lost = ", ".join([f"{number:,} lost ({LOST[code]})" for code, number in spent.lost.items()])
    parts = joined(", ", lines(SAID["judge asked"], of(spent, lost=lost)) or ["nothing to judge"])
    price = "at an unknown price" if spent.cost_usd is None else money(spent.cost_usd)
    return parts, "; ", sentence("judge calls", spent, price=price)
