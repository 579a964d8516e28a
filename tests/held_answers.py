"""Answers held against facts and criteria by judges, as far as their rows, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from raggate_action.core.gates.case_row import evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted, Rulebook
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.item_vote_aggregation import ItemTerms, fold_items
from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemSaid, ItemVote, Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.schema.outcome import ItemKind
from tests.builders import make_rules
from tests.panel_builders import drafted, judgement, said_of

NAMES = ("a", "b", "c")
ARMED: ItemTerms = {
    "agreement": PanelTerms(NAMES, frozenset(NAMES), 2),
    "criteria": PanelTerms(NAMES, frozenset(NAMES), 2),
}
ADVISING_ITEMS: ItemTerms = {"agreement": PanelTerms(NAMES), "criteria": PanelTerms(NAMES)}
_QUOTED = {"stated", "contradicted", "yes"}


def holds(judge: str, said: Mapping[str, ItemSaid], answer: str, **fields: Any) -> Judgement:
    """What a judge says: id of the fact or criterion -> verdict; it quotes the whole answer where it has to."""
    votes = [
        ItemVote(
            kind=_kind(name), item=name, said=word, quote=answer if word in _QUOTED else None, note=f"{judge} says so"
        )
        for name, word in said.items()
    ]
    return judgement(judge, job="answer", items=tuple(votes), **fields)


def _kind(name: str) -> ItemKind:
    return "fact" if name.startswith("fact") else "criterion"


def all_hold(said: Mapping[str, ItemSaid], answer: str, judges: str = "abc") -> list[Judgement]:
    """Every judge says the same."""
    return [holds(name, said, answer) for name in judges]


def held_draft(answer: str, *, rules: Rulebook | None = None, **case: Any) -> Drafted:
    """An answer of a suite with judges, before its gates."""
    return drafted(answer, rules or make_rules(has_judges=True), **case)


def held_row(
    answer: str,
    judgements: Iterable[Judgement] = (),
    *,
    terms: ItemTerms = ARMED,
    rules: Rulebook | None = None,
    position: int = 0,
    claims: Iterable[Judgement] = (),
    asked: bool = True,
    **case: Any,
) -> CaseRun:
    """The row of an answer of which judges said this beside facts and criteria; `asked`: anybody was."""
    rules = rules or make_rules(has_judges=True)
    found = held_draft(answer, rules=rules, **{"case_id": f"q{position}", **case})
    placed = PlacedCase(found.case, position, case_digest(found.case), "cases.yaml", position + 1)
    verdicts = said_of(found, claims)
    if (
        asked
        and ANSWER.task_of(found, Judges(panel=(Member(name="a", lab="lab", model="m", base_url="http://localhost"),)))
        is not None
    ):
        votes = fold_items(found.items, judgements, terms, answer=answer)
        verdicts = verdicts._replace(answer_votes=votes)
    return evaluate_drafted(placed, found, verdicts, rules, finished_at="2026-06-02T12:00:00Z").row
