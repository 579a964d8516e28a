"""The gates prove themselves: mutants of the run's own passing traces are judged like any recorded trace."""

from __future__ import annotations

import hashlib
import heapq
import json
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple, TypeVar

from raggate_action.core.counting.case_state import case_state, suspects_in
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Diagnosis, Rulebook, diagnose
from raggate_action.core.mutants.answer_mutants import answer_mutations
from raggate_action.core.mutants.evidence_mutants import integrity_mutations
from raggate_action.core.mutants.mutation import Mutation, Subject, TraceJson, sample_of
from raggate_action.core.mutants.unlabelled_mutants import plain_mutations
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.run.internal_errors import guarded
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceChunk
from raggate_action.schema.outcome import GATES
from raggate_action.schema.self_test import MUTANTS_EACH, MutationKind, MutationResult, SelfTest, Survivor
from raggate_action.schema.trace import Answered, NoTrace, Trace
from raggate_action.targets.recorded_target import trace_of

_T = TypeVar("_T")

# What is kept of a run while its rows stream by.
_KEPT_OF_A_KIND = 8
_KINDS_KEPT = 32
_NO_TRACE = Trace()
# Ordinary answers take some forty milliseconds in all. A mutant that is not judged by then is not counted.
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


class Mutant(NamedTuple):
    """A passing trace with a fault put in, judged.

    Attributes:
        kind, mutation: Which fault.
        case_id: Whose trace it was.
        ended: What the gates say of it; its trace is as far as it may be written.
        caught: The gate that has to catch it did.
    """

    kind: MutationKind
    mutation: Mutation
    case_id: str
    ended: Diagnosis
    caught: bool


class SelfTesting:
    """Keeps a few passing cases of every kind while a run goes on, and tests the gates with them at its end."""

    def __init__(self, rules: Rulebook, *, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._ends = 0.0
        self._kept: dict[_Kind, list[tuple[int, int, _Original]]] = {}
        # One case of every kind there is, passing or not: what the suite could yield.
        self._offered: dict[_Kind, Case] = {}
        self._chunks: tuple[EvidenceChunk, ...] = ()

    def offer(self, evaluated: Evaluated) -> None:
        """Consider a finished case: only one that passed can show that a fault is what fails it."""
        case, row, trace = evaluated.case, evaluated.row, evaluated.trace
        if row.kind == "known_bad":
            return
        offers = _offers_of(case)
        if offers not in self._offered and len(self._offered) < _KINDS_KEPT:
            self._offered[offers] = case
        if row.state != "passed" or trace is None:
            return
        kept = self._kept.get(kind := (*offers, *_reported_in(trace)))
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
        """Judge the mutants. A case that does not pass again makes none; without such a case nothing is claimed."""
        sound = self._sound()
        if not sound:
            return SelfTest(originals=0)
        results, not_made = [], []
        for kind, mutation in self._mutations():
            if (result := self._tested(kind, mutation, sound)) is not None:
                results.append(result)
            elif any(self._could(mutation, case) for case in self._offered.values()):
                not_made.append(mutation.name)
        return SelfTest(originals=len(sound), results=tuple(results), not_made=tuple(not_made))

    def mutants_of(self, case_id: str) -> list[Mutant]:
        """Every mutant of one case that was offered; none where it does not pass."""
        sound = [each for each in self._sound() if each.original.case.case_id == case_id]
        return [
            mutant
            for kind, mutation in self._mutations()
            for mutant in self._mutants(kind, mutation, sound)
            if isinstance(mutant, Mutant)
        ]

    def _sound(self) -> list[_Sound]:
        """What mutants are made of, drawn by the suite's seed; the time for all of them begins."""
        self._ends = time.monotonic() + _LONGEST_S
        self._chunks = sample_of(self._rules.store)
        kept = [original for kept in self._kept.values() for _rank, _position, original in kept]
        originals = sorted(kept, key=lambda original: (original.draw, original.case.case_id))
        again = [self._unless_faulted(original, partial(self._again, original)) for original in originals]
        return [sound for sound in again if isinstance(sound, _Sound)]

    def _mutations(self) -> Iterator[tuple[MutationKind, Mutation]]:
        """Every fault whose gate is to stop anything: one that only warns, or is off, is not asked to."""
        kinds: tuple[tuple[MutationKind, Iterator[Mutation]], ...] = (
            ("integrity", integrity_mutations()),
            ("plain", plain_mutations()),
            ("answer", answer_mutations()),
        )
        for kind, mutations in kinds:
            for mutation in mutations:
                if self._rules.gates.of(mutation.gate).level == "block":
                    yield kind, mutation

    def _again(self, original: _Original) -> _Sound | None:
        """The case judged once more; None where it does not pass."""
        try:
            again = self._judged(original, original.answered.trace)
        except TimeLimitError:
            return None
        if case_state(again.outcomes, again.first_failed_stage, self._rules.gates) != "passed":
            return None
        return _Sound(original, _suspects(again))

    def _tested(self, kind: MutationKind, mutation: Mutation, sound: Iterable[_Sound]) -> MutationResult | None:
        """What became of a mutation's mutants; None when no case had anything to put the fault into."""
        mutants = list(islice(self._mutants(kind, mutation, sound), MUTANTS_EACH))
        if not mutants:
            return None
        judged = [mutant for mutant in mutants if isinstance(mutant, Mutant)]
        survivors = [
            Survivor(case_id=mutant.case_id, ended=mutant.ended.first_failed_stage, closes=mutation.closes)
            for mutant in judged
            if not mutant.caught
        ]
        return MutationResult(
            mutation=mutation.name,
            kind=kind,
            gate=mutation.gate,
            made=len(judged),
            killed=len(judged) - len(survivors),
            equivalent=mutants.count(None),
            unmeasured=len(mutants) - len(judged) - mutants.count(None),
            survivors=tuple(survivors),
        )

    def _mutants(
        self, kind: MutationKind, mutation: Mutation, sound: Iterable[_Sound]
    ) -> Iterator[Mutant | NoTrace | None]:
        """Its mutants, judged; None for one that says the same as its original. Fewer when the time is over.

        Of one that a fault of ours kept from being judged, what is known of the fault.
        """
        what = f"could not be judged with a fault put in ({mutation.name})"
        for each in sound:
            try:
                made = self._unless_faulted(each.original, partial(self._mutant, kind, mutation, each), what=what)
            except TimeLimitError:
                return
            if made != "unfit":
                yield made

    def _mutant(self, kind: MutationKind, mutation: Mutation, sound: _Sound) -> Mutant | Literal["unfit"] | None:
        """One mutant; unfit is a trace that has nothing to put the fault into."""
        original = sound.original
        content = mutation.make(self._subject(original.case, original.answered.trace))
        if content is None:
            return "unfit"
        mutant = _through_the_door(content)
        if mutant is None or mutant == original.answered.trace:
            return None
        ended = self._judged(original, mutant)
        if kind == "plain" and ended.first_failed_stage == GATES["admissibility"].stage:
            # A forbidden phrase may be a forbidden text as well, and nothing is judged after that.
            return "unfit"
        caught = _is_caught(kind, mutation, ended, sound.suspects)
        return Mutant(kind, mutation, original.case.case_id, ended, caught)

    def _could(self, mutation: Mutation, case: Case) -> bool:
        could = guarded(case.case_id, lambda: mutation.could(self._subject(case, _NO_TRACE)), lambda _fault: False)
        return could is True

    def _unless_faulted(
        self, original: _Original, work: Callable[[], _T], *, what: str = "makes no mutants"
    ) -> _T | NoTrace:
        return guarded(original.case.case_id, work, lambda fault: fault, what=what)

    def _subject(self, case: Case, trace: Trace) -> Subject:
        rules = self._rules
        language = rules.reading.language
        return Subject(case, trace, rules.store, rules.pipeline, rules.gates, rules.as_of, self._chunks, language)

    def _judged(self, original: _Original, trace: Trace) -> Diagnosis:
        """What the gates say of a trace of the case.

        Raises:
            TimeLimitError: The self-test's time is over.
        """
        answered = original.answered._replace(trace=trace)
        return within(self._ends - time.monotonic(), lambda: diagnose(original.case, answered, self._rules))


def _suspects(diagnosis: Diagnosis) -> frozenset[str]:
    return frozenset([finding.key for _claim, finding in suspects_in(diagnosis.claims)])


def _through_the_door(content: TraceJson) -> Trace | None:
    """The mutant as the recorded target reads it from a file; None when it is no trace at all."""
    read = trace_of(json.dumps(content).encode())
    return read if isinstance(read, Trace) else None


def _is_caught(kind: MutationKind, mutation: Mutation, ended: Diagnosis, suspects: frozenset[str]) -> bool:
    """Whether the gate that has to catch a fault has failed for it.

    What needs no label has to fail its own gate, whatever else fails; being slow may have one of its own at the same
    stage. Any other fault has to fail at its stage first, or, for false claims, to make a suspect that the original
    has not: what a run with a baseline would see as new.
    """
    if kind == "plain":
        of_stage = [gate for gate in ended.outcomes if GATES[gate].stage == mutation.stage]
        own = of_stage if mutation.gate == "behaviour" else [mutation.gate]
        return any(ended.outcomes[gate].kind == "failed" for gate in own)
    is_suspect = mutation.gate == "faithfulness" and bool(_suspects(ended) - suspects)
    return ended.first_failed_stage == mutation.stage or is_suspect


def _offers_of(case: Case) -> _Kind:
    """What the case itself offers."""
    return (
        case.expect == "abstain",
        bool(case.required_source_ids),
        bool(case.required_quotes),
        bool(case.required_points),
        bool(case.must_contain),
        bool(case.must_not_contain),
        bool(case.expected_tools),
        bool(case.forbidden_tools),
        case.max_latency_ms is not None,
        bool(case.principals),
    )


def _reported_in(trace: Trace) -> _Kind:
    """What its trace has to put a fault into."""
    answer = trace.answer
    return (
        not isinstance(answer, str) and bool(answer.claims),
        trace.reranked is not None,
        trace.candidates is not None,
        bool(trace.versions),
    )


def _draw(seed: int, case_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{case_id}".encode(errors="replace"), digest_size=8).digest())
