"""The panel in words: who judges and who counts, what became of the calls, and how each judge stands beside labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from raggate_action.report.catalogue import SAID
from raggate_action.report.comment_size import Extent, in_a_row
from raggate_action.report.judge_messages import (
    NOT_ASKED,
    SPEAKS_AGAINST,
    error_text,
    label_reason,
    wants_labels,
    what_arms,
    why_it_advises,
)
from raggate_action.report.page import (
    Code,
    Command,
    Fold,
    Foreign,
    Item,
    Section,
    Strong,
    Text,
    WithCode,
    bare,
    joined,
    sentences,
)
from raggate_action.report.record_words import Value, lines, name_list, of, sentence, table, why_lost
from raggate_action.report.report_input import Reporting
from raggate_action.schema.later import JudgeCard, JudgingCounts, Panel
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

# Judges named in a line.
_NAMED = 4
_LONGEST_NAME = 30
_LABEL = Command("raggate-action judges label raggate-run")
# What is said of a card that it does not hold.
_CARD: Mapping[str, Callable[[JudgeCard], Value]] = {
    "name": lambda card: Code(cut(card.judge, _LONGEST_NAME)),
    "gate": lambda card: card.job != "claims",
    "maker": lambda card: (Foreign(cut(card.lab, 40)), ", ", Code(cut(card.model, 40))) if card.model else None,
    "standing": lambda card: "by declaration" if card.declared is not None else "armed" if card.armed else "advises",
    "block": lambda card: error_text(card.false_block),
    "passes": lambda card: error_text(card.false_pass),
    "changed": lambda card: card.drift is not None and card.drift != card.agreement,
}


def panel_texts(reporting: Reporting) -> list[Text]:
    """Who judged and what came of it, then why a judge does not count; nothing where nobody was asked."""
    panel = reporting.run.panel
    if panel is None or panel.unavailable is not None:
        return []
    cards = cards_of_members(panel)
    listed = [card for card in cards if card.judge in panel.armed] or cards
    came = _what_came(panel, reporting.run.judging)
    read = list(dict.fromkeys(card.judge for card in panel.cards if card.from_file))
    found = [
        joined(" · ", [(_counted(panel), ": ", _labs(listed)), *came]),
        _by_declaration(panel, reporting.base_name),
        _advice_only("Advice only:", cards),
        *_of_gates(panel),
        sentence("read from file", panel, judges=name_list(read)) if read else "",
    ]
    return [each for each in found if each]


def panel_lines(reporting: Reporting) -> list[Text]:
    """The same for a terminal; who was not asked was told when the run began."""
    first, *rest = panel_texts(reporting) or [""]
    return [(Strong("Judges:"), " ", first), *([joined(" ", rest)] if rest else [])] if first else []


def declared_in_short(panel: Panel) -> str:
    """`2 of 2 count by declaration; 0 labels`; empty where no judge counts by declaration alone."""
    return _counted(panel) if _declared(panel) else ""


def _declared(panel: Panel) -> list[JudgeCard]:
    return [card for card in cards_of_members(panel) if card.declared is not None]


def _counted(panel: Panel) -> str:
    """`2 of 3 armed`; `1 armed, 2 of 3 count by declaration; 12 labels` where the suite declares that judges count."""
    declared = _declared(panel)
    armed = len(panel.armed) - len(declared)
    words = sentence(
        "panel",
        panel,
        members=len(panel.members),
        advising=not panel.armed,
        armed=armed,
        labelled=bool(armed and not declared),
        mixed=bool(armed and declared),
        declared=len(declared),
        count="counts" if len(declared) == 1 else "count",
        labels=max((card.labels for card in declared), default=0),
    )
    return bare(words)


def price(judging: JudgingCounts) -> Text:
    """What calls cost; a price that nobody knows is said, never taken for none."""
    unknown = bool(judging.unpriced)
    known = judging.cost_usd if judging.cost_usd or not unknown else None
    return sentence("price", judging, known=known, both=unknown and known is not None)


def _what_came(panel: Panel, judging: JudgingCounts | None) -> Iterator[Text]:
    if judging is None or not judging.answers:
        yield "no answer left them anything open"
    if judging is None:
        return
    lost = {code: number for code, number in judging.lost.items() if code not in NOT_ASKED}
    left = {code: number for code, number in judging.lost.items() if code in NOT_ASKED}
    relevant = [
        f"{each.good:,} of {count(each.total, each.kind)}" for each in judging.items if each.kind in {"answer", "chunk"}
    ]
    values = of(
        judging,
        made=judging.judgements - judging.reused - sum(judging.lost.values()),
        lost=sum(lost.values()),
        why_lost=why_lost(lost),
        left=sum(left.values()),
        why_left=why_lost(left),
        about_labels=panel.trial.calls,
        # With its own cost where others cost as well.
        labels_usd=panel.trial.cost_usd if 0 < panel.trial.cost_usd < judging.cost_usd else 0,
        again=panel.again.calls,
        price=price(judging),
        idle=bool(judging.answers and not judging.calls),
        relevant=" and ".join(relevant),
    )
    yield from lines(SAID["answers judged"], values)


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


def _advice_only(lead: str, cards: Iterable[JudgeCard]) -> Text:
    """Why judges only advise and what would arm them, those with the same reason together; nothing where all count.

    They are named where not all of them have the one reason.
    """
    groups: dict[tuple[str, str], list[JudgeCard]] = {}
    for card in (listed := list(cards)):
        if not card.armed:
            groups.setdefault((why_it_advises(card), what_arms(card)), []).append(card)
    named = any(len(group) < len(listed) for group in groups.values())
    reasons: list[Text] = []
    for (why, arms), group in groups.items():
        command: Text = (": ", _LABEL) if wants_labels(group[0]) else ""
        who: Text = (_labs(group), ": ") if named else ""
        reasons.append((who, f"{why}. ", WithCode(f"{arms[:1].upper()}{arms[1:]}"), command, "."))
    return sentences(Strong(lead), *reasons) if reasons else ""


def _of_gates(panel: Panel) -> Iterator[Text]:
    """For each gate that only judges feed who counts, and why others do not."""
    own = {each.name for each in panel.members}
    for gate in dict.fromkeys(card.job for card in panel.cards if card.job != "claims"):
        cards = [card for card in panel.cards_for(gate) if card.judge in own]
        if armed := [card.judge for card in cards if card.armed]:
            yield Strong(f"Armed for {gate}:"), " ", name_list(armed), "."
        yield _advice_only(f"Advice only for {gate}:", cards)


def cards_of_members(panel: Panel) -> list[JudgeCard]:
    """The card of every judge; one without a card has no labels."""
    from raggate_action.schema.calibration import JudgeCard

    cards = {card.judge: card for card in panel.cards_for("claims")}
    known = [(cards.get(each.name) or JudgeCard(judge=each.name), each) for each in panel.members]
    return [card.model_copy(update={"lab": each.lab, "model": each.model}) for card, each in known]


def _labs(cards: Sequence[JudgeCard]) -> Text:
    listed: list[Text] = []
    for card in cards[:_NAMED]:
        lab: Text = (" (", Foreign(cut(card.lab, _LONGEST_NAME)), ")") if card.lab else ""
        listed.append((Code(cut(card.judge, _LONGEST_NAME)), lab))
    return in_a_row(listed, len(cards))


def judging_section(reporting: Reporting, extent: Extent) -> Section:
    """Everything about the judges in one fold: what came of the calls, why they advise, and their cards."""
    panel, judging = reporting.run.panel, reporting.run.judging
    if panel is None or panel.unavailable is not None or not extent.rows:
        return Section()
    members = {each.name for each in panel.members}
    own = [*cards_of_members(panel), *[card for card in panel.cards if card.job != "claims" and card.judge in members]]
    together = [card for card in panel.cards if card.judge not in members]
    labelled = dict.fromkeys(card.job for card in own if card.labels)
    cards = [card for job in labelled for card in (*own, *together) if card.job == job]
    texts = [*panel_texts(reporting), *[line for card in own for line in lines(SAID["card"], of(card, **_CARD))]]
    texts += _of_many(own[: len(members)])
    if judging is not None and judging.answers:
        texts += lines(SAID["judging"], of(judging))
    rows = table("judge cards", cards, **_CARD, member=lambda card: card.judge in members) if cards else None
    return Section(folds=(Fold(f"Judges: {_counted(panel)}", tuple(map(Item, texts)), rows),))


def _of_many(cards: Sequence[JudgeCard]) -> Iterator[Text]:
    """Who obeyed no planted instruction, and who shares a lab."""
    steady = [card for card in cards if card.armed and card.injections_shown]
    if steady:
        plants = count(min(card.injections_shown for card in steady), "planted instruction")
        yield name_list([card.judge for card in steady]), f" obeyed none of {plants}."
    labs = defaultdict(list)
    for card in cards:
        labs[card.lab.strip().casefold()].append(card)
    for same in labs.values():
        if len(same) > 1:
            lab = Foreign(cut(same[0].lab, _LONGEST_NAME))
            yield name_list([card.judge for card in same]), " are of one lab, ", lab, ": their faults may be the same."
