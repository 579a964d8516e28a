"""The cases of the report page: how each stands in the list, and everything that is shown of one that is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from raggate_action.report.catalogue import did, repair_of
from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import outcome_words
from raggate_action.report.page import Code, Fold, Foreign, Item, Strong, Text, WithCode, joined
from raggate_action.report.vote_view import claim_lines, item_lines, judge_call_lines
from raggate_action.schema.case_run import Ask, CaseRun, Claim
from raggate_action.schema.outcome import (
    Failed,
    GateName,
    Outcome,
    StageName,
)
from raggate_action.schema.policy import Gates
from raggate_action.strings.numbers import milliseconds, money
from raggate_action.strings.visible_text import cut

PageState: TypeAlias = Literal["failed", "not-blocked", "look", "unmeasured", "flaky", "waived", "passed", "blocked"]
CaseChange: TypeAlias = Literal["regressed", "fixed", "new", "edited", ""]
_CHUNK: Final = 600
_LINE: Final = 160
NO_CHUNKS: Final[Mapping[str, str]] = {}


class Look(NamedTuple):
    """How a state looks: a colour, for which the style sheet has a sign, and a word, so that colour is never alone."""

    colour: str
    word: str


# Worst first, as cases are listed.
STATES: Final[Mapping[PageState, Look]] = {
    "failed": Look("bad", "failed"),
    "not-blocked": Look("bad", "not blocked"),
    "unmeasured": Look("open", "not measured"),
    "look": Look("warn", "to look at"),
    "flaky": Look("warn", "flaky"),
    "waived": Look("warn", "waived"),
    "passed": Look("good", "passed"),
    "blocked": Look("good", "blocked"),
}
CHANGES: Final[Mapping[CaseChange, str]] = {
    "": "",
    "regressed": "↓ regressed",
    "fixed": "↑ fixed",
    "new": "+ new case",
    "edited": "~ case edited",
}
_GOOD: Final = frozenset({"passed", "blocked"})
_RANK = {state: rank for rank, state in enumerate(STATES)}


class ListedCase(NamedTuple):
    """A case in the list.

    Attributes:
        case_id: Its id.
        title: Its name, else its question.
        state, stage: How it counts, after its waivers.
        change: How it stands beside the baseline; empty where nothing is to be said of that.
        why: What is wrong with it, said once, in the words of the list; empty where nothing is.
        gate: The gate that says so.
        slices: Slices it belongs to, by number on the page.
        number: Its place in the run directory, from 0.
        weight: As in its row.
    """

    case_id: str
    title: str
    state: PageState
    stage: StageName | None
    change: CaseChange = ""
    why: str = ""
    gate: GateName | None = None
    slices: tuple[int, ...] = ()
    number: int = 0
    weight: float = 1

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at it."""
        return self.state not in _GOOD

    @property
    def rank(self) -> float:
        """Its place in the list: the worst first, of those what got worse, of those the heaviest."""
        return _RANK[self.state] * 10 + (self.change != "regressed") - min(self.weight, 1e6) / 1e7

    @property
    def line(self) -> str:
        """What is wrong with it, as far as a line of the list holds it."""
        return cut(self.why, _LINE)

    def lead(self, outcomes: Mapping[GateName, Outcome]) -> Iterator[Text]:
        """What is wrong with it, in sentences; `outcomes` are its own."""
        if self.state == "failed" and self.gate is None and self.stage is None:
            yield Strong("Blocks"), ": ", Foreign(self.why)
        elif self.why and self.state in {"failed", "waived"}:
            where = f"Fails at {self.stage}" if self.stage else "Fails, and is waived"
            yield Strong(where), ": ", Foreign(self.why)
        elif self.why:
            yield Strong(STATES[self.state].word.capitalize()), ": ", Foreign(self.why)
        if self.stage and self.gate is not None and self.state == "failed":
            found = outcomes.get(self.gate)
            yield WithCode(repair_of(self.stage, found.problems[0].code if isinstance(found, Failed) else "")), "."


def case_parts(
    case: ListedCase,
    row: CaseRun,
    gates: Gates,
    *,
    chunks: Mapping[str, str] = NO_CHUNKS,
    before: str | None = None,
    base: str = "baseline",
    repeat: str = "",
) -> Iterator[Fold]:
    """Everything that is shown of a case, in the order it is read; the page's script has the same order.

    Args:
        case: How it stands in the list.
        row: Its row.
        gates: The levels it counts by.
        chunks: Texts of its context by chunk id, as far as they may be shown.
        before: The baseline's answer; None where none is known.
        base: What the baseline is called.
        repeat: The command that runs it again; empty where none can be shown.
    """
    look = STATES[case.state].word
    known_bad = f", a known-bad case that must be blocked at {row.blocked_at}" if row.kind == "known_bad" else ""
    change = f", {CHANGES[case.change][2:]}" if case.change else ""
    head: Text = Code(row.case_id), f": {look}{known_bad}{change} · ", Code(f"{row.file}:{row.line}")
    yield Fold("", tuple([Item(each) for each in (head, *case.lead(row.outcomes), *_remarks(case, row))]))
    yield Fold("Question", (Item(Foreign(row.question, "no question")),))
    answer: Text = Foreign(row.answer, "An empty answer.") if row.answer is not None else "Withheld, or not kept."
    if row.answer is None and row.error is not None:
        answer = "No answer: ", Foreign(row.error)
    yield Fold("Answer", (Item(answer),))
    if before is not None:
        then: Text = "The same, word for word." if before == row.answer else Foreign(before, "An empty answer.")
        yield Fold(f"Answer of the {base}", (Item(then),))
    if row.context:
        yield Fold("Evidence shown", tuple([_chunk_item(each, chunks) for each in dict.fromkeys(row.context)]))
    yield from judgement_parts(row, gates, case.gate)
    facts = [f"answered in {milliseconds(row.latency_ms)}"] if row.latency_ms is not None else []
    facts += [f"cost {money(row.cost_usd)}"] if row.cost_usd is not None else []
    facts += [f"score {row.score:.2f}"] if row.score is not None else []
    if facts:
        yield Fold("Cost and time", (Item(" · ".join(facts)),))
    if repeat:
        yield Fold("Run this case again", (Item(Code(repeat)),))


def judgement_parts(row: CaseRun, gates: Gates, told: GateName | None = None) -> Iterator[Fold]:
    """The verdicts: every claim with its evidence, every gate with its reason, other answers, judges.

    Args:
        row: The row.
        gates: The levels it counts by.
        told: The gate of which the first reason is told elsewhere.
    """
    if row.claims:
        yield Fold("Claims", tuple([_claim_item(claim, row) for claim in row.claims]))
    if outcomes := tuple(gate_items(row.outcomes, gates, told)):
        yield Fold("Gates", outcomes)
    for number, ask in enumerate(row.asks, start=2):
        yield Fold(f"Answer {number} of {len(row.asks) + 1}", tuple(_ask_items(ask, gates)))
    if judges := tuple(_said_by_judges(row)):
        yield Fold("Judges", judges)


def _remarks(case: ListedCase, row: CaseRun) -> Iterator[Text]:
    """What else is to be said; what a gate says already is not said again."""
    if row.unconfirmed:
        yield "The retries did not complete, so the first answer counts."
    if row.abstained:
        yield "The answer declines."
    yield from (Foreign(issue) for issue in row.issues if issue not in case.why)
    for reason in row.beside_main.reasons if row.beside_main is not None else ():
        if not reason.shown:
            yield f"Poorer: it {did(reason.state)}: ", Foreign(reason.value or reason.here)
    for value in row.lacks:
        yield "In the reference answer and not in this one: ", Foreign(value.detail), f" ({value.code})"


def _claim_item(claim: Claim, row: CaseRun) -> Item:
    is_false = any(each.text == claim.text for each in row.hallucinations)
    false = ", counts as a hallucination" if is_false else ""
    cited: Text = (" · cites ", joined(", ", map(Code, claim.citations))) if claim.citations else " · cites nothing"
    text = Strong(f"{claim.verdict}{false}: "), Foreign(claim.text or claim.claim_id), cited
    under: list[Text] = []
    if claim.quote is not None:
        under.append((Foreign(quoted_from(claim)), ": “", Foreign(claim.quote), "”"))
    reasons = dict.fromkeys([*[("Advice: " if each.advisory else "") + each.reason for each in claim.findings]])
    if claim.note and claim.note not in reasons:
        reasons[claim.note] = None
    return Item(text, under=(*under, *map(Foreign, filter(None, reasons)), *claim_lines(claim)))


def quoted_from(claim: Claim) -> str:
    """The chunks that support the claim, else the chunk that a judge or a rule names against it."""
    voted = [vote.chunk_id for vote in claim.votes if vote.chunk_id and vote.quote == claim.quote]
    found = [each.chunk_id for each in claim.findings if each.chunk_id]
    return ", ".join(claim.supported_by) or next(iter([*voted, *found]), "the evidence")


def _chunk_item(chunk_id: str, chunks: Mapping[str, str]) -> Item:
    text = chunks.get(chunk_id)
    return Item((Code(chunk_id), *((": ", Foreign(cut(text, _CHUNK), "(empty)")) if text is not None else ())))


# In the order in which they are read.
_OUTCOMES = {"failed": "failed", "unmeasured": "not measured", "passed": "passed", "not_applicable": "not applicable"}


def gate_items(outcomes: Mapping[GateName, Outcome], gates: Gates, told: GateName | None = None) -> Iterator[Item]:
    """Every gate, failing ones first; `told` is the one whose first reason heads the case already."""
    for gate, outcome in sorted(outcomes.items(), key=lambda pair: list(_OUTCOMES).index(pair[1].kind)):
        level = gates.of(gate).level
        is_off = level == "off" and outcome.kind in {"failed", "unmeasured"}
        state = "off" if is_off else _OUTCOMES[outcome.kind]
        share = f" {outcome.share.hits}/{outcome.share.total}" if outcome.share is not None else ""
        warns = " (only warns)" if level == "warn" and outcome.kind == "failed" else ""
        why = outcome_words(outcome)[gate == told :]
        if outcome.kind == "not_applicable":
            yield Item((f"{gate_name(gate)}: {state}, ", Foreign("; ".join(why))))
        else:
            yield Item(f"{gate_name(gate)}: {state}{share}{warns}", under=tuple(map(Foreign, why)))


def _ask_items(ask: Ask, gates: Gates) -> Iterator[Item]:
    yield Item(Foreign(ask.error or ask.answer or "", "Empty, or not kept."))
    failed = {gate: each for gate, each in ask.outcomes.items() if isinstance(each, Failed)}
    yield from gate_items(failed, gates)
    yield from _said_by_judges(ask)
    yield from (Item(Foreign(claim.text), under=tuple(claim_lines(claim))) for claim in ask.claims if claim.votes)


def _said_by_judges(answer: CaseRun | Ask) -> Iterator[Item]:
    votes = answer.answer_votes
    asked = (*answer.judges, *(votes.judges if votes is not None else ()))
    yield from (Item(line) for line in judge_call_lines(asked))
    yield from (Item(head, under=under) for head, under in (item_lines(votes) if votes is not None else ()))
