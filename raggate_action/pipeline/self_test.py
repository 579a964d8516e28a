"""The gate proves itself: mutants of the run's own passing traces are judged like any recorded trace."""

from __future__ import annotations

import hashlib
import heapq
import json
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.core.gates.diagnose import Diagnosis, Rulebook, case_state, diagnose
from raggate_action.core.gates.row import Evaluated
from raggate_action.core.mutants.answers import answer_mutations
from raggate_action.core.mutants.integrity import integrity_mutations
from raggate_action.core.mutants.mutation import Mutation
from raggate_action.core.mutants.subject import Subject, TraceJson
from raggate_action.schema.case import Case
from raggate_action.schema.outcome import GateName
from raggate_action.schema.self_test import MUTANTS_EACH, MutationKind, MutationResult, SelfTest, Survivor
from raggate_action.schema.trace import Answered, Trace
from raggate_action.targets.recorded import trace_of
from raggate_action.time_limit import TimeLimitError, within

# What is kept of a run while its rows stream by.
_KEPT_OF_A_KIND = 8
_KINDS_KEPT = 32
# Ordinary answers take some thirty milliseconds in all. A mutant that is not judged by then is not counted.
_LONGEST_S = 10.0

# What a case offers to mutations: cases that offer the same are of one kind, and each kind keeps some.
_Kind = tuple[bool, ...]


class _Original(NamedTuple):
    """A passing case; `draw` depends on nothing but the suite's seed and the case's id."""

    draw: int
    case: Case
    answered: Answered


class _Sound(NamedTuple):
    """An original that passes again, and the suspects that the evidence checks find in it all the same."""

    original: _Original
    suspects: frozenset[str]


class SelfTesting:
    """Keeps a few passing cases of every kind while a run goes on, and tests the gates with them at its end."""

    def __init__(self, rules: Rulebook, *, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._ends = 0.0
        self._kept: dict[_Kind, list[tuple[int, int, _Original]]] = {}

    def offer(self, evaluated: Evaluated) -> None:
        """Consider a finished case: only one that passed can show that a fault is what fails it."""
        case, row, trace = evaluated.case, evaluated.row, evaluated.trace
        if row.state != "passed" or row.kind == "known_bad" or trace is None:
            return
        kept = self._kept.get(kind := _kind_of(case, trace))
        if kept is None:
            if len(self._kept) >= _KINDS_KEPT:
                return
            kept = self._kept[kind] = []
        draw = _draw(self._seed, case.case_id)
        if len(kept) == _KEPT_OF_A_KIND and -kept[0][0] <= draw:
            return
        original = _Original(draw, case, Answered(trace, row.latency_ms, labelled=evaluated.labelled))
        push = heapq.heappushpop if len(kept) == _KEPT_OF_A_KIND else heapq.heappush
        push(kept, (-draw, row.position, original))

    def result(self) -> SelfTest:
        """Judge the mutants. A case that does not pass again without a fault makes none."""
        self._ends = time.monotonic() + _LONGEST_S
        kept = [original for kept in self._kept.values() for _rank, _position, original in kept]
        originals = sorted(kept, key=lambda original: (original.draw, original.case.case_id))
        sound = [sound for original in originals if (sound := self._again(original)) is not None]
        kinds: tuple[tuple[MutationKind, Iterator[Mutation]], ...] = (
            ("integrity", integrity_mutations()),
            ("answer", answer_mutations()),
        )
        results = [
            result
            for kind, mutations in kinds
            for mutation in mutations
            if _blocks(self._rules, mutation.gate)
            if (result := self._tested(kind, mutation, sound)) is not None
        ]
        return SelfTest(originals=len(sound), results=tuple(results))

    def _again(self, original: _Original) -> _Sound | None:
        """The case judged once more; None where it does not pass."""
        again = self._judged(original, original.answered.trace)
        if again is None or case_state(again.outcomes, again.first_failed_stage, self._rules.gates) != "passed":
            return None
        return _Sound(original, _suspects(again))

    def _tested(self, kind: MutationKind, mutation: Mutation, sound: Iterable[_Sound]) -> MutationResult | None:
        """What became of a mutation's mutants; None when no case had anything to put the fault into."""
        made = killed = equivalent = 0
        survivors: list[Survivor] = []
        made_of = ((each, mutation.make(self._subject(each.original))) for each in sound)
        for each, content in islice(
            ((each, content) for each, content in made_of if content is not None), MUTANTS_EACH
        ):
            original = each.original
            mutant = _through_the_door(content)
            if mutant is None or mutant == original.answered.trace:
                equivalent += 1
                continue
            ended = self._judged(original, mutant)
            if ended is None:
                break
            made += 1
            if ended.first_failed_stage == mutation.stage or (
                # What a run with a baseline would see as new; faults of the evidence path are not for it to find.
                mutation.gate == "faithfulness" and _suspects(ended) - each.suspects
            ):
                killed += 1
            else:
                survivors.append(
                    Survivor(case_id=original.case.case_id, ended=ended.first_failed_stage, closes=mutation.closes)
                )
        if not made and not equivalent:
            return None
        return MutationResult(
            mutation=mutation.name,
            kind=kind,
            gate=mutation.gate,
            made=made,
            killed=killed,
            equivalent=equivalent,
            survivors=tuple(survivors),
        )

    def _subject(self, original: _Original) -> Subject:
        rules = self._rules
        return Subject(original.case, original.answered.trace, rules.store, rules.pipeline, rules.gates, rules.as_of)

    def _judged(self, original: _Original, trace: Trace) -> Diagnosis | None:
        """What the gates say of a trace of the case; None when the self-test's time is over."""
        answered = original.answered._replace(trace=trace)
        try:
            return within(self._ends - time.monotonic(), lambda: diagnose(original.case, answered, self._rules))
        except TimeLimitError:
            return None


def _suspects(diagnosis: Diagnosis) -> frozenset[str]:
    return frozenset([finding.key for _claim, finding in suspects_in(diagnosis.claims)])


def _through_the_door(content: TraceJson) -> Trace | None:
    """The mutant as the recorded target reads it from a file; None when it is no trace at all."""
    read = trace_of(json.dumps(content).encode())
    return read if isinstance(read, Trace) else None


def _kind_of(case: Case, trace: Trace) -> _Kind:
    answer = trace.answer
    return (
        case.expect == "abstain",
        bool(case.required_source_ids),
        bool(case.required_points),
        bool(case.must_not_contain),
        bool(case.expected_tools),
        case.max_latency_ms is not None,
        not isinstance(answer, str) and bool(answer.claims),
        trace.reranked is not None,
        trace.candidates is not None,
        bool(trace.versions),
    )


def _draw(seed: int, case_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{case_id}".encode(errors="replace"), digest_size=8).digest())


def _blocks(rules: Rulebook, gate: GateName) -> bool:
    """A gate that only warns, or is off, is not asked to stop anything."""
    return rules.gates.of(gate).level == "block"
