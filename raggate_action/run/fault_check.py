"""`check --faults`: faults are put into passing traces, and the gates have to catch them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.counting.case_state import case_state, suspects_in
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Diagnosis, Rulebook, diagnose
from raggate_action.core.mutants.answer_mutants import ANSWER_MUTATIONS, PLAIN_MUTATIONS
from raggate_action.core.mutants.evidence_mutants import EVIDENCE_MUTATIONS
from raggate_action.core.mutants.mutation import Mutation, Subject, sample_of
from raggate_action.core.text.languages.common_words import language_read
from raggate_action.run.internal_errors import guarded
from raggate_action.schema.case import Case
from raggate_action.schema.outcome import GATES, GateName
from raggate_action.schema.trace import Answered, Trace
from raggate_action.targets.recorded_target import trace_of

MutationKind: TypeAlias = Literal["integrity", "plain", "answer"]
# What the faults of a kind are called. Those of the evidence path, and those that need no label, must all be caught;
# others of the answer depend on the case's labels and advise.
FAULTS: dict[MutationKind, str] = {
    "integrity": "of the evidence path",
    "plain": "that need no label",
    "answer": "that only labels tell",
}
MUTATIONS: dict[MutationKind, tuple[Mutation, ...]] = {
    "integrity": EVIDENCE_MUTATIONS,
    "plain": PLAIN_MUTATIONS,
    "answer": ANSWER_MUTATIONS,
}
MUST_BE_CAUGHT: tuple[MutationKind, ...] = ("integrity", "plain")
# Mutants judged of each kind of fault, and passing cases kept of each kind of case.
_MUTANTS_EACH = 3
_KEPT_OF_A_KIND = 8


class _Original(NamedTuple):
    """A passing case.

    Attributes:
        draw: Orders the cases by the suite's seed, whatever order they come in.
        case, answered: The case and its answer.
        suspects: What the evidence checks find in it although it passes.
    """

    draw: tuple[str, str]
    case: Case
    answered: Answered
    suspects: frozenset[str] = frozenset()


_DRAW = attrgetter("draw")


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


class FaultReport(NamedTuple):
    """What became of all mutants.

    Attributes:
        mutants: At most three of each kind of fault, one kind after the other.
        not_tried: Gates that block and that no passing case had anything for.
    """

    mutants: tuple[Mutant, ...] = ()
    not_tried: tuple[GateName, ...] = ()

    @property
    def by_mutation(self) -> dict[str, list[Mutant]]:
        """The mutants of each kind of fault, by its name."""
        found: dict[str, list[Mutant]] = {}
        for mutant in self.mutants:
            found.setdefault(mutant.mutation.name, []).append(mutant)
        return found

    @property
    def inert(self) -> list[GateName]:
        """Gates that caught no mutant of theirs, though some were made."""
        caught = {mutant.mutation.gate for mutant in self.mutants if mutant.caught}
        return [gate for gate in dict.fromkeys([each.mutation.gate for each in self.mutants]) if gate not in caught]

    def counts(self, *kinds: MutationKind) -> tuple[int, int]:
        """How many mutants of these kinds were caught, and how many were made."""
        of_kind = [mutant.caught for mutant in self.mutants if mutant.kind in kinds]
        return sum(of_kind), len(of_kind)


class FaultCheck:
    """Keeps a few passing cases of every kind, and puts faults into them at the end."""

    def __init__(self, rules: Rulebook, *, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._chunks = sample_of(rules.store)
        self._kept: dict[Hashable, list[_Original]] = {}

    def offer(self, evaluated: Evaluated) -> None:
        """Consider a finished case: only one that passed can show that a fault is what fails it."""
        case, row, trace = evaluated.case, evaluated.row, evaluated.trace
        if row.kind == "known_bad" or row.state != "passed" or trace is None:
            return
        draw = hashlib.blake2b(f"{self._seed}:{case.case_id}".encode(errors="replace"), digest_size=8).hexdigest()
        answered = Answered(trace, row.latency_ms, labelled=evaluated.labelled)
        kept = self._kept.setdefault(_kind_of(case, trace), [])
        kept.append(_Original((draw, case.case_id), case, answered))
        kept.sort(key=_DRAW)
        del kept[_KEPT_OF_A_KIND:]

    def report(self) -> FaultReport:
        """Judge the mutants. A case that does not pass again makes none; without such a case nothing is claimed."""
        sound = self._sound()
        if not sound:
            return FaultReport()
        mutants: list[Mutant] = []
        for each in self._mutations():
            mutants += islice(self._mutants(*each, sound), _MUTANTS_EACH)
        tried = {mutant.mutation.gate for mutant in mutants}
        gates = dict.fromkeys([mutation.gate for _kind, mutation in self._mutations()])
        return FaultReport(tuple(mutants), tuple([gate for gate in gates if gate not in tried]))

    def mutants_of(self, case_id: str) -> list[Mutant]:
        """Every mutant of one case that was offered; none where it does not pass."""
        sound = [each for each in self._sound() if each.case.case_id == case_id]
        return [mutant for each in self._mutations() for mutant in self._mutants(*each, sound)]

    def _sound(self) -> list[_Original]:
        """What mutants are made of, in the order drawn: the cases that pass when they are judged once more."""
        found = []
        for original in sorted([each for kept in self._kept.values() for each in kept], key=_DRAW):
            again = diagnose(original.case, original.answered, self._rules)
            if case_state(again.outcomes, again.first_failed_stage, self._rules.gates) == "passed":
                found.append(original._replace(suspects=_suspects(again)))
        return found

    def _mutations(self) -> Iterator[tuple[MutationKind, Mutation]]:
        """Every fault whose gate is to stop anything: one that only warns, or is off, is not asked to."""
        for kind, mutations in MUTATIONS.items():
            for mutation in mutations:
                undeclared = mutation.gate == "citation_support" and not self._rules.pipeline.citations
                if self._rules.gates.of(mutation.gate).level == "block" and not undeclared:
                    yield kind, mutation

    def _mutants(self, kind: MutationKind, mutation: Mutation, sound: Iterable[_Original]) -> Iterator[Mutant]:
        what = f"could not be judged with a fault put in ({mutation.name})"
        for each in sound:
            work = partial(self._mutant, kind, mutation, each)
            mutant = guarded(each.case.case_id, work, lambda _fault: None, what=what)
            if mutant is not None:
                yield mutant

    def _mutant(self, kind: MutationKind, mutation: Mutation, original: _Original) -> Mutant | None:
        """One mutant; None where the trace has nothing to put the fault into, or says the same with it."""
        case, answered = original.case, original.answered
        content = mutation.mutant_of(self._subject(case, answered.trace))
        # As the recorded target reads it from a file.
        mutant = trace_of(json.dumps(content).encode()) if content is not None else None
        if not isinstance(mutant, Trace):
            return None
        ended = diagnose(case, answered._replace(trace=mutant), self._rules)
        caught = _is_caught(kind, mutation, ended, original.suspects)
        return Mutant(kind, mutation, case.case_id, ended, caught) if caught is not None else None

    def _subject(self, case: Case, trace: Trace) -> Subject:
        rules = self._rules
        language = language_read(rules.reading.language, trace.reply.text)
        return Subject(case, trace, rules.store, rules.pipeline, rules.gates, rules.as_of, self._chunks, language)


def _kind_of(case: Case, trace: Trace) -> Hashable:
    """What case and trace offer to mutations, by the fields that hold something; some of each kind are kept."""
    filled = frozenset([name for record in (case, trace) for name, value in record if value])
    return case.expect, type(trace.answer), filled


def _suspects(diagnosis: Diagnosis) -> frozenset[str]:
    return frozenset([finding.key for _claim, finding in suspects_in(diagnosis.claims)])


def _is_caught(kind: MutationKind, mutation: Mutation, ended: Diagnosis, suspects: frozenset[str]) -> bool | None:
    """Whether the gate that has to catch a fault has failed for it.

    What needs no label has to fail its own gate, whatever else fails; being slow may have one of its own at the same
    stage. Any other fault has to fail at its stage first, or, for false claims, to make a suspect that the original
    has not: what a run with a baseline would see as new.

    Returns:
        None if another gate fails and its own is not asked any more: a forbidden phrase may be a forbidden text as
        well, and an answer without its required phrase may be no answer.
    """
    if kind == "plain":
        of_stage = [gate for gate in ended.outcomes if GATES[gate] == mutation.stage]
        own = of_stage if mutation.gate == "behaviour" else [mutation.gate]
        if any(ended.outcomes[gate].kind == "failed" for gate in own):
            return True
        is_asked = ended.outcomes[mutation.gate].kind != "not_applicable" or ended.first_failed_stage is None
        return False if is_asked else None
    is_suspect = mutation.gate == "faithfulness" and bool(_suspects(ended) - suspects)
    return ended.first_failed_stage == mutation.stage or is_suspect
