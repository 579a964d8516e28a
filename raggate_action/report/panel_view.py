"""The panel in words: who judges, from when on it counts, what became of the calls; and what would arm it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from raggate_action.report.attempt_words import further_attempts, unmetered_attempts
from raggate_action.report.comment_size import names
from raggate_action.report.judge_messages import (
    NOT_ASKED,
    SPEAKS_AGAINST,
    label_reason,
    wants_labels,
    what_arms,
    why_it_advises,
)
from raggate_action.report.page import Code, Command, Foreign, Strong, Text, WithCode, joined, sentences
from raggate_action.report.record_words import why_lost
from raggate_action.report.report_input import Reporting
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.strings.numbers import count, money
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.calibration import JudgeCard
    from raggate_action.schema.panel import Panel, PanelMember

# Judges named on the line, and reasons told below it.
_NAMED = 4
REASONS = 2
_LONGEST_NAME = 30
_LONGEST_SENTENCE = 300
_LABEL = Command("raggate-action judges label raggate-run")


def panel_texts(reporting: Reporting) -> list[Text]:
    """Who judged and what came of it, then why a judge does not count; nothing where nobody was asked."""
    panel, judging = reporting.run.panel, reporting.run.judging
    if panel is None or panel.unavailable is not None:
        return []
    first = joined(" · ", [_who(panel), *_what_came(panel, judging)])
    return [
        first,
        *[
            each
            for each in (
                _by_declaration(panel, reporting.base_name),
                _advising(panel),
                *_of_gates(panel),
                _from_file(panel),
            )
            if each
        ],
    ]


def panel_lines(reporting: Reporting) -> list[Text]:
    """The same for a terminal; who was not asked was told when the run began."""
    first, *rest = panel_texts(reporting) or [""]
    return [(Strong("Judges:"), " ", first), *([joined(" ", rest)] if rest else [])] if first else []


def panel_in_short(panel: Panel, judging: JudgingCounts | None) -> str:
    """`3 advising; agree on 20 of 22 claims; 2 judgements lost (timed out); cost 0.0123 USD`."""
    armed = _counted(panel)
    parts = [armed if panel.armed else f"{len(panel.members):,} advising"]
    if judging is not None and judging.answers:
        if judging.agreement.total:
            parts.append(f"agree on {judging.agreement.hits:,} of {count(judging.agreement.total, 'claim')}")
        if judging.lost:
            parts.append(f"{count(sum(judging.lost.values()), 'judgement')} lost ({why_lost(judging.lost)})")
    if judging is not None and judging.calls:
        parts.append(_price(judging))
    return "; ".join(parts)


def _price(judging: JudgingCounts) -> str:
    if judging.unpriced and not judging.cost_usd:
        return "cost unknown"
    return f"cost {money(judging.cost_usd)}{' and unknown prices' if judging.unpriced else ''}"


def _who(panel: Panel) -> Text:
    """`2 of 3 armed: owl (Northlab), lark (Southlab)`; who advises where the reasons below leave some out."""
    armed = [each for each in panel.members if each.name in panel.armed]
    others = [each for each in panel.members if each.name not in panel.armed]
    if not armed:
        return f"{count(len(others), 'judge')}, advising: ", _named(others)
    counted = _counted(panel)
    all_below = len(reasons_to_advise(panel)) <= REASONS
    advising: Text = ("; advising: ", _named(others)) if others and not all_below else ""
    return counted, ": ", _named(armed), advising


def _counted(panel: Panel) -> str:
    """`2 of 3 armed`; `1 of 3 armed, 2 count by declaration; 12 labels` where the suite declares that judges count."""
    declared = _declared(panel)
    armed = len(panel.armed) - len(declared)
    if not declared:
        return f"{armed:,} of {len(panel.members):,} armed"
    by_labels = f"{armed:,} armed, " if armed else ""
    counts = "counts" if len(declared) == 1 else "count"
    labels = count(max(card.labels for card in declared), "label")
    return f"{by_labels}{len(declared):,} of {len(panel.members):,} {counts} by declaration; {labels}"


def declared_in_short(panel: Panel) -> str:
    """`2 of 2 count by declaration; 0 labels`; empty where no judge counts by declaration alone."""
    return _counted(panel) if _declared(panel) else ""


def _declared(panel: Panel) -> list[JudgeCard]:
    return [card for card in cards_of_members(panel) if card.declared is not None]


def _by_declaration(panel: Panel, base: str) -> Text:
    """What a declaration allows, what labels say against a judge, and how to arm it by labels."""
    declared = _declared(panel)
    if not declared:
        return ""
    may = "Declared judges may fail an answer."
    if any(not card.verifies for card in declared):
        may += f" What they call supported stays open: the {base}'s suite does not let them verify it."
    against = [
        ("Labels speak against ", Code(cut(card.judge, _LONGEST_NAME)), f": {label_reason(card)}.")
        for card in declared
        if card.declared in SPEAKS_AGAINST
    ]
    return sentences(may, *against, ("To arm them by labels: ", _LABEL, "."))


def _named(members: Sequence[PanelMember]) -> Text:
    listed: list[Text] = [
        (Code(cut(each.name, _LONGEST_NAME)), " (", Foreign(cut(each.lab, _LONGEST_NAME)), ")")
        for each in members[:_NAMED]
    ]
    return names(listed, len(members))


def _what_came(panel: Panel, judging: JudgingCounts | None) -> Iterator[Text]:
    if judging is None or not judging.answers:
        yield "no answer left them anything open"
        if judging is not None and judging.calls:
            yield _cost(panel, judging)
        return
    yield _judgements(judging)
    if judging.agreement.total:
        yield f"agree on {judging.agreement.hits:,} of {count(judging.agreement.total, 'claim')}"
    if relevant := _relevant(judging):
        yield relevant
    yield _cost(panel, judging)


def _relevant(judging: JudgingCounts) -> str:
    """What they say of relevance, of which nothing follows: `38 of 40 answers and 90 of 160 chunks to the question`."""
    kinds = {"answer": "answer", "chunk": "chunk"}
    by_kind = {each.kind: each for each in judging.items}
    found = [
        f"{by_kind[kind].good:,} of {count(by_kind[kind].total, what)}"
        for kind, what in kinds.items()
        if kind in by_kind
    ]
    return f"{' and '.join(found)} to the question" if found else ""


def _judgements(judging: JudgingCounts) -> str:
    """`120 judgements of 40 answers: 112 reused, 7 made, 1 lost (timed out)`."""
    lost = {code: number for code, number in judging.lost.items() if code not in NOT_ASKED}
    left = {code: number for code, number in judging.lost.items() if code in NOT_ASKED}
    new = judging.judgements - judging.reused - sum(judging.lost.values())
    parts = [f"{judging.reused:,} reused"] if judging.reused else []
    parts += [f"{new:,} made"] if new or not parts else []
    parts += [f"{sum(lost.values()):,} lost ({why_lost(lost)})"] if lost else []
    parts += [f"{sum(left.values()):,} not asked for ({why_lost(left)})"] if left else []
    return f"{count(judging.judgements, 'judgement')} of {count(judging.answers, 'answer')}: {', '.join(parts)}"


def _cost(panel: Panel, judging: JudgingCounts) -> Text:
    """Calls and what they cost, the app's own cost apart; a price that nobody knows is said, never taken for none."""
    if not judging.calls:
        return "no call"
    calls = count(judging.calls, "call")
    # Outside the budget of the run, so with their own cost where others cost as well.
    is_part = 0 < panel.trial.cost_usd < judging.cost_usd
    apart = f" for {money(panel.trial.cost_usd)}" if is_part else ""
    further = (
        (panel.trial.calls, f"about labels{apart}"),
        (panel.again.calls, "about the baseline's answers"),
    )
    if parts := [f"{number:,} {what}" for number, what in further if number]:
        calls += f" ({', '.join(parts)})"
    calls += further_attempts(judging)
    if not judging.unpriced:
        return f"{calls}, {money(judging.cost_usd)}{unmetered_attempts(judging)}"
    if not any(each.priced for each in panel.members):
        return f"{calls} of unknown cost"
    unknown = names([Code(cut(each, _LONGEST_NAME)) for each in judging.unpriced[:_NAMED]], len(judging.unpriced))
    return f"{calls}, {money(judging.cost_usd)} without ", unknown, ", whose cost is unknown"


def _advising(panel: Panel) -> Text:
    """Why judges only advise, and what would arm them; nothing where all count."""
    groups = reasons_to_advise(panel)
    if not groups:
        return ""
    of_all = len(groups) == 1 and not panel.armed
    more = f"{count(len(groups) - REASONS, 'more reason')} below." if len(groups) > REASONS else ""
    lead = "They only advise:" if of_all and len(panel.members) > 1 else "Only advises:" if of_all else "Advising only:"
    return sentences(Strong(lead), *[reason_text(cards, named=not of_all) for cards in groups[:REASONS]], more)


def reasons_to_advise(panel: Panel) -> list[list[JudgeCard]]:
    """The cards of judges that only advise, those with the same reason and the same way out together."""
    return _reasons(cards_of_members(panel))


def _of_gates(panel: Panel) -> Iterator[Text]:
    """For each gate that only judges feed who counts, or why nobody does and what would change that."""
    own = {each.name for each in panel.members}
    for gate in dict.fromkeys(card.job for card in panel.item_cards):
        cards = [card for card in panel.item_cards if card.job == gate and card.judge in own]
        armed = [Code(cut(card.judge, _LONGEST_NAME)) for card in cards if card.armed]
        lead = Strong(f"On {gate}:")
        if armed:
            others = ", the others advise" if len(armed) < len(cards) else ""
            yield lead, " ", names(armed[:_NAMED], len(armed)), f" {'counts' if len(armed) == 1 else 'count'}{others}."
        else:
            groups = _reasons(cards)
            advise = "they only advise:" if len(cards) > 1 else "it only advises:"
            reasons = [reason_text(each, named=len(groups) > 1) for each in groups[:REASONS]]
            yield sentences((lead, " ", advise), *reasons)


def _from_file(panel: Panel) -> Text:
    """Whose trial was read from the file beside the labels, which whoever changes the repository can change."""
    read = {card.judge for card in (*panel.cards, *panel.item_cards) if card.from_file}
    listed = [Code(cut(each.name, _LONGEST_NAME)) for each in panel.members if each.name in read]
    if not listed:
        return ""
    named = names(listed[:_NAMED], len(listed))
    return Strong("Trial read from the file"), " beside the labels, nobody was asked: ", named, "."


def _reasons(cards: Iterable[JudgeCard]) -> list[list[JudgeCard]]:
    groups: dict[tuple[str, str], list[JudgeCard]] = {}
    for card in cards:
        if not card.armed:
            groups.setdefault((why_it_advises(card), what_arms(card)), []).append(card)
    return list(groups.values())


def cards_of_members(panel: Panel) -> list[JudgeCard]:
    """The card of every judge; one without a card has no labels."""
    from raggate_action.schema.calibration import JudgeCard

    cards = {card.judge: card for card in panel.cards}
    known = [(cards.get(each.name) or JudgeCard(judge=each.name), each.lab) for each in panel.members]
    return [card if card.lab else card.model_copy(update={"lab": lab}) for card, lab in known]


def _of_lab(card: JudgeCard) -> Text:
    name = Code(cut(card.judge, _LONGEST_NAME))
    return (name, " (", Foreign(cut(card.lab, _LONGEST_NAME)), ")") if card.lab else name


def reason_text(cards: Sequence[JudgeCard], *, named: bool) -> Text:
    """Why these judges advise: `18 of 50 labels, 4 of 20 faults. Label 32 more claims, 16 of them faulty: ...`."""
    who: Text = (names([_of_lab(card) for card in cards[:_NAMED]], len(cards)), ": ") if named else ""
    why, arms = why_it_advises(cards[0]), what_arms(cards[0])
    command: Text = (": ", _LABEL) if wants_labels(cards[0]) else ""
    return who, f"{why}. ", WithCode(f"{arms[:1].upper()}{arms[1:]}"), command, "."
