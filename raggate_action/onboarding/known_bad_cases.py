"""Known-bad cases, made of a good answer by putting in a fault that the suite's own gates block."""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.onboarding.starter_cases import quotable_sentences
from raggate_action.run.fault_check import FaultCheck, Mutant
from raggate_action.run.run_session import rulebook
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.outcome import GATES, StageName
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.suite_files import LoadedSuite

# Longer ones are no reading for a reviewer.
_LONGEST_TRACE = 3000
_BASES = 4
# Faults that a reader understands at a glance, which come first.
_TELLING = (
    "number changed",
    "unit changed",
    "names swapped",
    "empty context",
    "declined in words",
    "citation moved to another chunk",
    "required source lost at selection",
)


def known_bad_cases(
    loaded: LoadedSuite, question: str, shown: Trace, evidence: Sequence[TracedChunk], *, own_ids: bool, now: str
) -> list[Case]:
    """Known-bad cases made of a good answer; none where the evidence has no sentence that an answer could quote.

    Of the app's own answer, where that is short, and of answers that repeat a sentence of its evidence the one is taken
    that gives most cases. The latter are shown that chunk, whole: with an evidence store another text of it would be a
    fault of its own. Where it is required there is another beside it, so that it can be lost and something be shown.

    Args:
        loaded: The suite, whose gates have to block them.
        question: What the app was asked.
        shown: What it returned.
        evidence: What it answers from, chunk by chunk; empty where nobody knows.
        own_ids: The ids of the chunks are the app's own, so that a case may name one.
        now: The moment, ISO 8601 UTC.
    """
    rules = rulebook(loaded, parse_moment(now))

    def judged(trace: Trace, sources: tuple[str, ...] = ()) -> Evaluated:
        case = Case(case_id="good", question=question, required_source_ids=sources)
        placed = PlacedCase(case, 0, case_digest(case), "", 1)
        return evaluate_reply(placed, Answered(trace), rules, custom=None, finished_at=now)

    cites = any(claim.citations for claim in judged(shown).row.claims)
    bases: list[tuple[Trace, tuple[str, ...]]] = [(shown, ())]
    for chunk in evidence:
        for sentence in quotable_sentences(chunk)[:1]:
            others = [each for each in evidence if own_ids and each.chunk_id != chunk.chunk_id]
            context = [TracedChunk(chunk_id=each.chunk_id, text=each.text) for each in (chunk, *others[:1])]
            quoted = Trace(answer=f"{sentence} [{chunk.chunk_id}]" if cites else sentence, context=tuple(context))
            bases.append((quoted, (chunk.chunk_id,) if own_ids else ()))
    found: list[Case] = []
    for trace, sources in bases[:_BASES]:
        good = judged(trace, sources)
        is_short = len(trace.model_dump_json(exclude_none=True)) <= _LONGEST_TRACE
        if is_short and good.row.state == "passed" and good.row.claims:
            testing = FaultCheck(rules, seed=loaded.suite.seed)
            testing.offer(good)
            found = max(found, _one_a_stage(testing.mutants_of("good"), question, sources), key=len)
    return found


def _one_a_stage(mutants: Sequence[Mutant], question: str, sources: tuple[str, ...]) -> list[Case]:
    """A case for each stage that one answer can be spoilt at, by the fault that is told at a glance."""
    found: dict[StageName, Mutant] = {}
    for mutant in sorted(mutants, key=_rank):
        if mutant.ended.first_failed_stage == mutant.mutation.stage:
            found.setdefault(mutant.mutation.stage, mutant)
    return [
        Case(
            case_id=f"bad-{'-'.join(found[stage].mutation.name.split())}",
            question=question,
            required_source_ids=sources,
            released=False,
            blocked_at=stage,
            trace=found[stage].ended.trace,
        )
        for stage in dict.fromkeys(GATES.values())
        if stage in found
    ]


def _rank(mutant: Mutant) -> int:
    return _TELLING.index(mutant.mutation.name) if mutant.mutation.name in _TELLING else len(_TELLING)
