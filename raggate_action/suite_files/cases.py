"""The cases of a suite, read and put into the suite's order.

They are checked by themselves, against each other and against the evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from raggate_action.schema.case import (
    Case,
    Criterion,
    Phrase,
    PlacedCase,
    case_digest,
    phrase_in_words,
    with_criteria,
    words_of,
)
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote
from raggate_action.suite_files.accepted_labels import AcceptedLabels
from raggate_action.suite_files.callable_check import Modules
from raggate_action.suite_files.file_reading import ListEntry, entries_of, mark_in
from raggate_action.suite_files.problems import FileProblems, Problems, name_text, nearest_word_or, value_text


class Cases:
    """All cases of a suite in the suite's order: heavier first, then as the files and the cases in them stand.

    Attributes:
        cases_digest: Digest over all case digests in the suite's order.

    Args:
        read: Every case, as the files stand.
    """

    def __init__(self, read: Iterable[PlacedCase]) -> None:
        heavier_first = sorted(read, key=lambda placed: -placed.case.weight)
        self._placed = [placed._replace(position=position) for position, placed in enumerate(heavier_first)]
        self._ids = {placed.case.case_id for placed in self._placed}
        digests = b"".join(bytes.fromhex(placed.digest) for placed in self._placed)
        self.cases_digest = hashlib.sha256(digests).hexdigest()[:32]

    def __len__(self) -> int:
        return len(self._placed)

    def __iter__(self) -> Iterator[PlacedCase]:
        return self.at(None)

    def has(self, case_id: str) -> bool:
        """Whether the suite has a case of this id."""
        return case_id in self._ids

    def index(self) -> Iterator[tuple[str, str]]:
        """Id and digest of every case, in the suite's order."""
        return ((placed.case.case_id, placed.digest) for placed in self._placed)

    def at(self, positions: Iterable[int] | None) -> Iterator[PlacedCase]:
        """The cases at `positions`, in the order given; all of them, in the suite's order, when None.

        Raises:
            IndexError: There is no such position.
        """
        return iter(self._placed) if positions is None else (self._placed[position] for position in positions)


class CaseReading:
    """Reads the cases of files.

    Attributes:
        by_id: What has been read, in the order of the files; a position is the place in that order.
        is_whole: Every case could be read, so that an id or a value that none has is an unknown one.
        remarks: Accepted labels that do not count, because the case has its own, or that name a source that is gone.

    Args:
        accepted: Labels that cases have besides their own.
        store: The evidence that cases may require; None when there is none, or not all of it, to hold them against.
        problems: Where mistakes are reported.
        modules: Where custom checks are looked up; None leaves them alone.
        criteria: Of the whole suite, added to those of each case that expects an answer and is not known bad.
    """

    def __init__(
        self,
        accepted: AcceptedLabels,
        store: EvidenceStore | None,
        problems: Problems,
        *,
        modules: Modules | None = None,
        criteria: tuple[Criterion, ...] = (),
    ) -> None:
        self.by_id: dict[str, PlacedCase] = {}
        self.is_whole = True
        self.remarks: list[str] = []
        self._accepted = accepted
        self._store = store
        self._modules = modules
        self._criteria = criteria
        self._problems = problems

    @property
    def seen(self) -> Iterator[Case]:
        """Every case that could be read."""
        return (placed.case for placed in self.by_id.values())

    def read(self, paths: Iterable[Path]) -> None:
        """Read all files, in the order given."""
        for path in paths:
            problems = self._problems.within(path)
            for entry in entries_of(path, Case, key="cases", problems=problems):
                self.is_whole &= entry.record is not None
                if entry.record is not None:
                    self._place(entry.record, entry, problems)

    def _place(self, case: Case, entry: ListEntry[Case], problems: FileProblems) -> None:
        """Hold a case against the others and the evidence, and put it into the table."""
        first = self.by_id.get(case.case_id)
        if first is not None:
            text = f"case id `{name_text(case.case_id)}` is already used at {first.file}:{first.line}"
            problems.add(mark_in(entry, ("case_id",), problems), f"{text}; give every case its own id")
        labels = self._accepted.by_id.get(case.case_id, {})
        accepted = labels.keys() - case.model_fields_set
        for name in (each for each in labels if each not in accepted):
            own = f"{problems.file}:{mark_in(entry, (name,), problems).line}"
            beside = self._accepted.place(case.case_id, name)
            text = f"case `{name_text(case.case_id)}` has `{name}` of its own in {own}; that in {beside} does not count"
            self.remarks.append(text)
        if accepted:
            case = case.model_copy(update={name: labels[name] for name in accepted})
        unknown = list(self._unknown_sources(case, self._store, problems)) if self._store is not None else []
        for fault in (*unknown, *faults_in(case, self._modules)):
            if fault.path[0] not in accepted:
                problems.add(mark_in(entry, fault.path, problems), fault.text)
            elif fault in unknown:
                # It is out of date, and `accept` replaces it.
                self.remarks.append(f"{self._accepted.place(case.case_id, *fault.path)}: {fault.text}")
            else:
                self._accepted.problems.add(self._accepted.mark(case.case_id, *fault.path), fault.text)
        if first is None:
            if self._criteria and case.expect == "answer" and not case.known_bad:
                case = case.model_copy(update={"criteria": with_criteria(case.criteria, self._criteria)})
            position, digest = len(self.by_id), case_digest(case)
            names = frozenset(accepted) if case.case_id in self._accepted.by_id else None
            self.by_id[case.case_id] = PlacedCase(case, position, digest, problems.file, entry.mark.line, names)

    def _unknown_sources(self, case: Case, store: EvidenceStore, problems: FileProblems) -> Iterator[Fault]:
        for field in ("required_source_ids", "useful_source_ids"):
            for index, chunk_id in enumerate(getattr(case, field)):
                if chunk_id not in store and chunk_id not in store.origins:
                    end = "write the id of a chunk, or add the chunk to the evidence"
                    if not problems.full:
                        end = nearest_word_or(chunk_id, [chunk.chunk_id for chunk in store], otherwise=end)
                    text = f"`{field}` names `{name_text(chunk_id)}`, which is not in the evidence; {end}"
                    yield Fault((field, index), text)


class Fault(NamedTuple):
    """What is wrong: where in the case, and the message."""

    path: tuple[int | str, ...]
    text: str


def faults_in(case: Case, modules: Modules | None) -> Iterator[Fault]:
    """Everything that needs no other case and no evidence.

    Args:
        case: The case.
        modules: Where custom checks are looked up; None leaves them alone.
    """
    if case.must_not_contain or case.forbidden_tools:
        yield from _contradictions(case)
    if case.messages and case.messages[-1].role != "user":
        role = case.messages[-1].role
        text = f"the last of `messages` is from the {role}; end with what the user asks"
        yield Fault(("messages", len(case.messages) - 1, "role"), text)
    if len(case.required_source_ids) > 1:
        yield from _repeated("required_source_ids", case.required_source_ids)
    if len(case.useful_source_ids) > 1:
        yield from _repeated("useful_source_ids", case.useful_source_ids)
    if case.required_quotes:
        yield from _quotes(case.required_quotes)
    if len(case.required_points) > 1:
        yield from _repeated(
            "required_points", [point if isinstance(point, str) else point.id for point in case.required_points]
        )
    if len(case.criteria) > 1:
        yield from (Fault(("criteria", index), text) for index, text in faults_in_criteria(case.criteria))
    if case.custom_check is not None and modules is not None and (problem := modules.problem(case.custom_check)):
        yield Fault(("custom_check",), f"`custom_check` names `{name_text(case.custom_check)}`; {problem}")


def _quotes(quotes: Sequence[str]) -> Iterator[Fault]:
    yield from _repeated("required_quotes", quotes)
    for index, quote in enumerate(quotes):
        if len(folded_quote(quote)) < SHORTEST_QUOTE:
            text = f"`required_quotes` has {value_text(quote)}, which is shorter than {SHORTEST_QUOTE} characters"
            yield Fault(("required_quotes", index), f"{text} and may stand anywhere; write a sentence of the source")


def _repeated(name: str, ids: Sequence[str]) -> Iterator[Fault]:
    if len(ids) < 2 or len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for index, each in enumerate(ids):
        if each in seen:
            yield Fault((name, index), f"`{name}` names `{name_text(each)}` twice; keep one of them")
        seen.add(each)


def _contradictions(case: Case) -> Iterator[Fault]:
    for index, phrase in enumerate(case.must_not_contain):
        if any(_says(wanted, phrase) for wanted in case.must_contain):
            words = phrase if isinstance(phrase, str) else phrase_in_words(phrase)
            text = f"`must_not_contain` forbids {value_text(words)}, which `must_contain` demands; take one of them out"
            yield Fault(("must_not_contain", index), text)
    for index, tool in enumerate(case.forbidden_tools):
        if tool in case.expected_tools:
            text = f"tool `{name_text(tool)}` is both expected and forbidden; take it out of one list"
            yield Fault(("forbidden_tools", index), text)


def _says(wanted: Phrase, forbidden: Phrase) -> bool:
    """Whether an answer that says the one surely says the other."""
    if not (isinstance(wanted, str) and isinstance(forbidden, str)):
        return wanted == forbidden
    one, other = wanted.casefold(), forbidden.casefold()
    # A number is not found inside a longer one: "15 days" may be demanded where "5 days" is forbidden.
    cut = one == other or not (other[0].isdecimal() or other[-1].isdecimal())
    return cut and other in one


def faults_in_criteria(criteria: Sequence[Criterion]) -> Iterator[tuple[int, str]]:
    """Criteria written twice, or that demand what another forbids: each by its place, with the message."""
    seen: dict[str, Criterion] = {}
    for index, each in enumerate(criteria):
        words = " ".join(words_of(each).casefold().split())
        if words in seen:
            same = isinstance(seen[words], str) == isinstance(each, str)
            fault = "which stands there already" if same else "once as it must be and once as it must not"
            yield index, f"`criteria` has {value_text(words_of(each))}, {fault}; keep one of them"
        seen.setdefault(words, each)
