"""The fold on judges: what became of asking them, and how each stands beside people's labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent, names
from raggate_action.report.judge_messages import error_text, words_of
from raggate_action.report.page import Code, Column, Fold, Foreign, Item, Section, Table, Text
from raggate_action.report.panel_view import (
    REASONS,
    cards_of_members,
    panel_in_short,
    panel_texts,
    reason_text,
    reasons_to_advise,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.strings.numbers import NOTHING, count, rate, score
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.calibration import JudgeCard
    from raggate_action.schema.panel import Panel, PanelMember

_LONGEST_NAME = 40
_NAMED = 10
_COLUMNS = (
    Column("Judge"),
    Column("Lab, model"),
    Column("Standing"),
    Column("Labels (faulty)", numeric=True),
    Column("Agrees", numeric=True),
    Column("AC1", numeric=True),
    Column("Good called faulty", numeric=True),
    Column("Faulty let pass", numeric=True),
)


def judging_section(reporting: Reporting, extent: Extent) -> Section:
    """Everything about the judges in one fold: agreement, lost calls, cost, why they advise, and their cards."""
    run = reporting.run
    panel = run.panel
    if panel is None or panel.unavailable is not None or not extent.rows:
        return Section()
    rows = [*_rows(panel, panel.cards, cards_of_members(panel))]
    for gate in dict.fromkeys(card.job for card in panel.item_cards):
        rows += _rows(panel, [card for card in panel.item_cards if card.job == gate], gate=gate)
    texts = (*panel_texts(reporting), *_notes(panel), *_of_run(run.judging))
    title = f"Judges: {panel_in_short(panel, run.judging)}"
    return Section(folds=(Fold(title, tuple(map(Item, texts)), Table(_COLUMNS, tuple(rows)) if rows else None),))


def _rows(
    panel: Panel, cards: Sequence[JudgeCard], of_members: Sequence[JudgeCard] | None = None, *, gate: str = ""
) -> Iterator[tuple[Text, ...]]:
    """A row per judge beside people's labels, and one of those that count together; none without a label."""
    if not any(card.labels for card in cards):
        return
    members, on = {each.name: each for each in panel.members}, f" (on {gate})" if gate else ""
    own = [card for card in cards if card.judge in members] if of_members is None else of_members
    for card in own:
        name, made = _named(members[card.judge])
        yield (name, on), made, *_figures(card)
    yield from ((f"all armed{on}", NOTHING, *_figures(card)) for card in cards if card.judge not in members)


def _named(member: PanelMember) -> tuple[Text, Text]:
    made = Foreign(cut(member.lab, _LONGEST_NAME)), ", ", Code(cut(member.model, _LONGEST_NAME))
    return Code(cut(member.name, _LONGEST_NAME)), made


def _figures(card: JudgeCard) -> tuple[Text, ...]:
    made = f", {card.made:,} made" if card.made else ""
    return (
        "by declaration" if card.declared is not None else "armed" if card.armed else "advises",
        f"{card.labels:,} ({card.faults:,}{made})",
        rate(card.agreement.hits, card.agreement.total),
        score(card.ac1),
        error_text(card.false_block),
        error_text(card.false_pass),
    )


def _notes(panel: Panel) -> Iterator[Text]:
    """What figures cannot say: why a judge advises, what it obeyed, how it stood before, whose lab it shares."""
    for cards in reasons_to_advise(panel)[REASONS:]:
        yield reason_text(cards, named=True)
    own = {each.name for each in panel.members}
    for card in (*cards_of_members(panel), *[each for each in panel.item_cards if each.judge in own and each.labels]):
        yield from _of_card(card)
    steady = [card for card in cards_of_members(panel) if card.armed and card.injections_shown]
    if steady:
        plants = min(card.injections_shown for card in steady)
        yield _listed([card.judge for card in steady]), f" obeyed none of {count(plants, 'planted instruction')}."
    labs = defaultdict(list)
    for member in panel.members:
        labs[member.lab.strip().casefold()].append(member)
    for same in labs.values():
        if len(same) > 1:
            lab = Foreign(cut(same[0].lab, _LONGEST_NAME))
            yield _listed([each.name for each in same]), " are of one lab, ", lab, ": their faults may be the same."


def _of_card(card: JudgeCard) -> Iterator[Text]:
    name, words = Code(cut(card.judge, _LONGEST_NAME)), words_of(card.job)
    if card.obeyed:
        yield name, " obeyed the planted ", _listed(card.obeyed), "."
    if card.unjudged:
        unjudged = count(card.unjudged, f"labelled {words.one}", f"labelled {words.many}")
        yield name, f" gave no verdict on {unjudged}, which are in no rate."
    if card.untold:
        yield name, f" cannot tell of {count(card.untold, f'labelled {words.one}', f'labelled {words.many}')}."
    if card.untested:
        unjudged = count(card.untested, f"labelled {words.one}", f"labelled {words.many}")
        why = "they are in two languages, or the claim has no content word"
        yield name, f" calls {unjudged} supported by a passage that could not be compared: {why}."
    if card.drift is not None and card.drift != card.agreement:
        yield name, f" agreed with people on {rate(card.drift.hits, card.drift.total)} in the run before."


def _listed(ids: Sequence[str]) -> Text:
    return names([Code(cut(each, _LONGEST_NAME)) for each in ids[:_NAMED]], len(ids))


def _of_run(judging: JudgingCounts | None) -> Iterator[Text]:
    if judging is None or not judging.answers:
        return
    if judging.decided:
        yield f"The panel decided {count(judging.decided, 'claim')} that rules left open."
    if judging.against_rules:
        claims = count(judging.against_rules, "claim")
        yield f"On {claims} a judge says otherwise than a label or a certain rule, which stands."
    if judging.calls:
        kept = f", {judging.usage.cached:,} of them kept by the provider" if judging.usage.cached else ""
        yield f"Tokens: {judging.usage.input:,} read{kept}; {judging.usage.output:,} written."
