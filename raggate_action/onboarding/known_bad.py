"""Known-bad cases to begin with: a good answer with one fault put in, one for each stage that the suite can block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from raggate_action.core.gates.diagnose import Rulebook
from raggate_action.core.gates.row import Evaluated, evaluate_reply
from raggate_action.onboarding.starter_cases import sentences_of
from raggate_action.pipeline.gate_self_test import Mutant, SelfTesting
from raggate_action.pipeline.session import rulebook
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES, StageName
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.suite_files import LoadedSuite

# Longer ones are no reading for a reviewer.
_LONGEST_TRACE = 3000
_BASES = 4
# Faults that a reader understands at a glance.
_TELLING = (
    "number changed",
    "unit changed",
    "names swapped",
    "empty context",
    "declined in words",
    "citation moved to another chunk",
    "required source lost at selection",
)


class KnownBad(NamedTuple):
    """A case that must be blocked.

    Attributes:
        case_id: Its name: `bad-` and the fault.
        question: What was asked.
        blocked_at: The stage that has to fail first.
        trace: The answer.
        required_source_ids: Of the case it was made from.
    """

    case_id: str
    question: str
    blocked_at: StageName
    trace: Trace
    required_source_ids: tuple[str, ...] = ()


class Asked(NamedTuple):
    """What is known of an app's answer.

    Attributes:
        question: What it was asked.
        shown: What it returned.
        evidence: What it answers from, chunk by chunk; empty where nobody knows.
        own_ids: The ids of the chunks are the app's own, so that a case may name one.
    """

    question: str
    shown: Trace
    evidence: tuple[TracedChunk, ...]
    own_ids: bool


def proposed(loaded: LoadedSuite, asked: Asked, *, now: str) -> tuple[KnownBad, ...]:
    """Known-bad cases made of a good answer; none where the evidence has no sentence that an answer could quote.

    Args:
        loaded: The suite, whose gates have to block them.
        asked: Of the app's own answer, where that is short, and of answers that quote its evidence the one is taken
            that gives most cases.
        now: The moment, ISO 8601 UTC.
    """
    plain = Case(case_id="good", question=asked.question)
    cites = any(claim.citations for claim in _judged(loaded, plain, asked.shown, now).claims)
    bases: list[tuple[Trace, tuple[str, ...]]] = [(asked.shown, ()), *_quoting(asked, cites=cites)]
    found: tuple[KnownBad, ...] = ()
    for trace, sources in bases[:_BASES]:
        if len(trace.model_dump_json(exclude_none=True)) <= _LONGEST_TRACE:
            case = plain.model_copy(update={"required_source_ids": sources})
            found = max(found, _of_one(loaded, case, trace, now), key=len)
    return found


def _of_one(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> tuple[KnownBad, ...]:
    """A known-bad case for each stage that one answer can be spoilt at; none where it does not pass itself."""
    row = _judged(loaded, case, trace, now)
    if row.state != "passed" or not row.claims:
        return ()
    testing = SelfTesting(_rules(loaded, now), seed=loaded.suite.seed)
    testing.offer(_evaluated(loaded, case, trace, now))
    found: dict[StageName, Mutant] = {}
    for mutant in sorted(testing.mutants_of(case.case_id), key=_telling):
        if mutant.ended.first_failed_stage == mutant.mutation.stage:
            found.setdefault(mutant.mutation.stage, mutant)
    order = {place.stage: number for number, place in enumerate(GATES.values())}
    return tuple([_known_bad(found[stage], case) for stage in sorted(found, key=lambda stage: order[stage])])


def _telling(mutant: Mutant) -> int:
    """What a reader understands at a glance comes first."""
    return _TELLING.index(mutant.mutation.name) if mutant.mutation.name in _TELLING else len(_TELLING)


def _judged(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> CaseRun:
    return _evaluated(loaded, case, trace, now).row


def _evaluated(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> Evaluated:
    placed = PlacedCase(case, 0, case_digest(case), "", 1)
    return evaluate_reply(placed, Answered(trace), _rules(loaded, now), custom=None, finished_at=now)


def _rules(loaded: LoadedSuite, now: str) -> Rulebook:
    return rulebook(loaded, parse_moment(now))


def _quoting(asked: Asked, *, cites: bool) -> Iterator[tuple[Trace, tuple[str, ...]]]:
    """Answers that repeat a sentence of a chunk, and what they require.

    They are shown that chunk, whole: with an evidence store another text of it would be a fault of its own. Where it is
    required there is another beside it, so that it can be lost and something be shown all the same.
    """
    for chunk in asked.evidence:
        for sentence in islice(sentences_of(chunk), 1):
            quoted = f"{sentence} [{chunk.chunk_id}]" if cites else sentence
            others = [each for each in asked.evidence if asked.own_ids and each.chunk_id != chunk.chunk_id]
            context = [TracedChunk(chunk_id=each.chunk_id, text=each.text) for each in (chunk, *others[:1])]
            yield Trace(answer=quoted, context=tuple(context)), (chunk.chunk_id,) if asked.own_ids else ()


def _known_bad(mutant: Mutant, case: Case) -> KnownBad:
    return KnownBad(
        case_id=f"bad-{'-'.join(mutant.mutation.name.split())}",
        question=case.asked,
        blocked_at=mutant.mutation.stage,
        trace=mutant.ended.trace,
        required_source_ids=case.required_source_ids,
    )
