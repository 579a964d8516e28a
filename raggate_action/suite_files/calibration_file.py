"""`calibration.jsonl`: what people say of answers, one answer and one job a line, held to be read without a doubt.

While a person labels, whole lines come, grow and go; every other byte stays.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from raggate_action.errors import SuiteError, UsageError
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledClaim, LabelledItem, LabelledSaid
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.judgement import ItemGate
from raggate_action.suite_files.file_reading import BOM, lines_of, mark_in, unreadable
from raggate_action.suite_files.problems import START, FileProblems, name_text, path_text

Labelled: TypeAlias = LabelledAnswer | HeldAnswer
_Place: TypeAlias = tuple[int | str, ...]
_OF_CLAIMS: Final = ("supported", "partial", "unsupported", "contradicted")
_SAYABLE: Final[Mapping[ItemGate, tuple[LabelledSaid, ...]]] = {
    "agreement": ("stated", "lacking", "contradicted"),
    "criteria": ("yes", "no"),
}


def labelled_answers(path: Path, problems: FileProblems) -> tuple[Labelled, ...]:
    """The labelled answers of a file, in its order.

    Args:
        path: The file. One that is not there, or holds nothing, has no labels; nobody has labelled yet.
        problems: Is told every line that cannot be read or leaves a doubt about what was labelled.
    """
    try:
        if not path.read_bytes().strip():
            return ()
    except FileNotFoundError:
        return ()
    except OSError as error:
        problems.add(START, unreadable(error))
        return ()
    answers: list[Labelled] = []
    lines_by_id: dict[str, int] = {}
    for line in lines_of(path, form_of, key="labelled answers", problems=problems):
        record = line.record
        if record is None:
            continue
        first = lines_by_id.setdefault(record.id, line.mark.line)
        if first != line.mark.line:
            text = f"the id `{name_text(record.id)}` was given on line {first} already; write another one"
            problems.add(mark_in(line, ("id",), problems), text)
        doubts = _item_doubts(record) if isinstance(record, HeldAnswer) else _doubts(record)
        for at, text in doubts:
            problems.add(mark_in(line, at, problems), text)
        answers.append(record)
    return tuple(answers)


def label_judgements_path(path: Path) -> Path:
    """Where the judgements of a file's labels are kept: beside it."""
    return path.with_name(f"{path.stem}.judgements.jsonl")


def form_of(raw: bytes) -> type[Labelled]:
    """What a line is: labels of claims, unless it names another job."""
    if b'"job"' not in raw:
        return LabelledAnswer
    try:
        line = json.loads(raw)
    except ValueError:
        return LabelledAnswer
    return HeldAnswer if isinstance(line, dict) and line.get("job", "claims") != "claims" else LabelledAnswer


def _doubts(answer: LabelledAnswer) -> Iterator[tuple[_Place, str]]:
    """What leaves open what was labelled, or what it was held against."""
    if not answer.answer.strip():
        yield ("answer",), "the answer is empty; write the answer whose claims are labelled"
    for at, claim in enumerate(answer.claims):
        if not claim.text.strip():
            yield ("claims", at, "text"), "the claim is empty; write the words that are labelled"
        for field, further in (("second", claim.second), ("settled", claim.settled)):
            if further is not None and further.verdict not in _OF_CLAIMS:
                said = ", ".join([f"`{word}`" for word in _OF_CLAIMS])
                text = f"of a claim nobody can say `{further.verdict}`; write one of {said}"
                yield ("claims", at, field, "verdict"), text
    for at, name in _repeated_ids([claim.claim_id for claim in answer.claims]):
        yield ("claims", at, "claim_id"), f"two claims are called `{name}`; give each an id of its own"
    for at, name in _repeated_ids([chunk.chunk_id for chunk in answer.chunks]):
        yield ("chunks", at, "chunk_id"), f"two chunks are called `{name}`; give each an id of its own"
    in_chunks = [at for at, claim in enumerate(answer.claims) if claim.verdict in {"supported", "contradicted"}]
    if in_chunks and not any(chunk.text.strip() for chunk in answer.chunks):
        verdict = answer.claims[in_chunks[0]].verdict
        text = f"the claim is `{verdict}`, and no chunk has a text; write the chunks that were read"
        yield ("claims", in_chunks[0], "verdict"), text


def _item_doubts(answer: HeldAnswer) -> Iterator[tuple[_Place, str]]:
    """The same of facts and criteria."""
    what = "fact" if answer.job == "agreement" else "criterion"
    if not answer.answer.strip():
        yield ("answer",), "the answer is empty; write the answer that was labelled"
    if not answer.labelled:
        yield ("items",), f"nobody says anything of it; write the `verdict` on one {what} at least"
    for at, name in _repeated_ids([item.item_id for item in answer.items]):
        yield ("items", at, "item_id"), f"two of them are called `{name}`; give each an id of its own"
    for at, item in enumerate(answer.items):
        if not item.text.strip():
            yield ("items", at, "text"), f"the {what} is empty; write its words"
        if item.verdict is not None and item.verdict not in _SAYABLE[answer.job]:
            words = ", ".join([f"`{word}`" for word in _SAYABLE[answer.job]])
            yield ("items", at, "verdict"), f"of a {what} nobody can say `{item.verdict}`; write one of {words}"
        for field, further in (("second", item.second), ("settled", item.settled)):
            if further is not None and (item.verdict is None or further.verdict not in _SAYABLE[answer.job]):
                words = ", ".join([f"`{word}`" for word in _SAYABLE[answer.job]])
                yield ("items", at, field, "verdict"), f"a second label stands beside a first; write one of {words}"
        if item.must_not and answer.job == "agreement":
            yield ("items", at, "must_not"), "a fact is to be stated; leave `must_not` out"


def _repeated_ids(ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Place and name of every id that an earlier one has already."""
    known: set[str] = set()
    for at, name in enumerate(ids):
        if name in known:
            yield at, name_text(name)
        known.add(name)


_SHORTEST_DIGEST = 8


class Line(NamedTuple):
    """A line of the file, its end included; `labels` is None for a blank one."""

    raw: bytes
    labels: Labelled | None


class Labels(NamedTuple):
    """The file's content, read."""

    lines: tuple[Line, ...] = ()

    @property
    def raw(self) -> bytes:
        """The file, byte for byte."""
        return b"".join([line.raw for line in self.lines])

    @property
    def answers(self) -> Iterator[LabelledAnswer]:
        """The answers whose claims are labelled, in the file's order."""
        return (line.labels for line in self.lines if isinstance(line.labels, LabelledAnswer))

    @property
    def held_answers(self) -> Iterator[HeldAnswer]:
        """The answers of which people say how they stand to facts or criteria, in the file's order."""
        return (line.labels for line in self.lines if isinstance(line.labels, HeldAnswer))

    def with_claim_label(self, answer: LabelledAnswer) -> Labels:
        """With the one claim of `answer` labelled: in the line of that answer and its chunks, else in a new line.

        The line's id is made of the case and a digest, so that it is the same whoever writes it.
        """
        for place, line in enumerate(self.lines):
            if isinstance(line.labels, LabelledAnswer) and _of_one_answer(line.labels, answer):
                claims = _with_claim(line.labels.claims, answer.claims[0])
                return self._with(place, line.labels.model_copy(update={"claims": claims}))
        return self._with_line(answer, "".join(f"{chunk.chunk_id}\n{chunk.text}\n" for chunk in answer.chunks))

    def with_item_labels(self, answer: HeldAnswer) -> Labels:
        """With what a person says of the labelled items of `answer`: in the line of that answer and those items."""
        for place, line in enumerate(self.lines):
            known = line.labels
            if isinstance(known, HeldAnswer) and _is_same_held_answer(known, answer):
                by_item = {(item.text, item.must_not): item for item in answer.labelled}
                items = tuple([_merged_label(item, by_item.get((item.text, item.must_not))) for item in known.items])
                return self._with(place, known.model_copy(update={"items": items}))
        return self._with_line(answer, "".join(f"{answer.job}\n{item.text}\n" for item in answer.items))

    def _with_line(self, answer: Labelled, neighbour: str) -> Labels:
        taken = {line.labels.id for line in self.lines if line.labels is not None}
        last = self.lines[-1].raw if self.lines else b"\n"
        # A last line without its end gets one.
        kept = self.lines if last.endswith(b"\n") else (*self.lines[:-1], self.lines[-1]._replace(raw=last + b"\n"))
        new = answer.model_copy(update={"id": _free_id(answer, neighbour, taken)})
        return Labels((*kept, Line(json_line(new), new)))

    def with_drawn(self, is_drawn: Callable[[Labelled, LabelledClaim | LabelledItem], bool]) -> Labels:
        """With the labels of which this holds counted as drawn at random; synthetic faults never are."""
        file = self
        for place, line in enumerate(self.lines):
            answer = line.labels
            if answer is None:
                continue
            field = "claims" if isinstance(answer, LabelledAnswer) else "items"
            before: tuple[LabelledClaim | LabelledItem, ...] = getattr(answer, field)
            after = tuple(
                each.model_copy(update={"drawn": "random"})
                if each.drawn == "chosen" and is_drawn(answer, each)
                else each
                for each in before
            )
            if after != before:
                file = file._with(place, answer.model_copy(update={field: after}))
        return file

    def with_answer(self, answer: Labelled) -> Labels:
        """With the line of this id as given."""
        place = next(n for n, line in enumerate(self.lines) if line.labels is not None and line.labels.id == answer.id)
        return self._with(place, answer)

    def _with(self, place: int, labels: Labelled) -> Labels:
        before = self.lines[place].raw
        content = json_line(labels).removesuffix(b"\n")
        line = Line(content + before[len(before.rstrip(b"\r\n")) :], labels)
        return Labels((*self.lines[:place], line, *self.lines[place + 1 :]))


def read_labels(path: Path) -> Labels:
    """The file as it is; empty where there is none.

    Raises:
        SuiteError: The file cannot be read, or leaves a doubt about what was labelled.
    """
    problems = FileProblems(path_text(path))
    labelled_answers(path, problems)
    if len(problems):
        listed = [*map(str, sorted(problems.kept)), *([f"and {problems.more} more"] if problems.more else [])]
        raise SuiteError("\n".join(listed), hint="Correct these lines; nothing was written.")
    raw = path.read_bytes() if path.exists() else b""
    return Labels(tuple(map(_line, io.BytesIO(raw))))


def write_labels(path: Path, labels: Labels, *, before: Labels) -> None:
    """Write the file by rename: it is the old one or the new one, whatever happens.

    Args:
        path: The file; a link is followed.
        labels: Its new content.
        before: What was read or written last: somebody else's change is not written over.

    Raises:
        UsageError: It was changed meanwhile, or cannot be written.
    """
    path = path.resolve()
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        there = path.exists()
        if (path.read_bytes() if there else b"") != before.raw:
            raise UsageError(
                f"{path_text(path)} was changed meanwhile",
                hint="Every label up to the last one was written. Start again: it goes on from what is there now.",
            )
        with partial.open("wb") as stream:
            stream.write(labels.raw)
            stream.flush()
            os.fsync(stream.fileno())
        if there:
            partial.chmod(path.stat().st_mode)
        partial.replace(path)
    except OSError as error:
        raise UsageError(
            f"{path_text(path)} cannot be written: {error.strerror or error}", hint="Check that you may write there."
        ) from None
    finally:
        # There only where it could not take its place.
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _line(raw: bytes) -> Line:
    content = raw.removeprefix(BOM)
    return Line(raw, form_of(content).model_validate_json(content) if content.strip() else None)


def _of_one_answer(known: LabelledAnswer, answer: LabelledAnswer) -> bool:
    return (known.question, known.answer, known.chunks) == (answer.question, answer.answer, answer.chunks)


def _is_same_held_answer(known: HeldAnswer, answer: HeldAnswer) -> bool:
    if (known.job, known.question, known.answer) != (answer.job, answer.question, answer.answer):
        return False
    return [(item.text, item.must_not) for item in known.items] == [(item.text, item.must_not) for item in answer.items]


def _merged_label(item: LabelledItem, new: LabelledItem | None) -> LabelledItem:
    return item if new is None else new.model_copy(update={"item_id": item.item_id})


def _with_claim(claims: tuple[LabelledClaim, ...], new: LabelledClaim) -> tuple[LabelledClaim, ...]:
    """The claims with a new one at the end, or in the place of the one with its text; ids stay unique."""
    for place, claim in enumerate(claims):
        if claim.text == new.text:
            return (*claims[:place], new.model_copy(update={"claim_id": claim.claim_id}), *claims[place + 1 :])
    taken = {claim.claim_id for claim in claims}
    number, claim_id = 1, new.claim_id
    while claim_id in taken:
        number += 1
        claim_id = f"{new.claim_id}-{number}"
    return (*claims, new.model_copy(update={"claim_id": claim_id}))


def _free_id(answer: Labelled, neighbour: str, taken: Collection[str]) -> str:
    digest = digest_of_text(f"{answer.question}\n{answer.answer}\n{neighbour}")
    names = [f"{answer.case_id or 'answer'}-{digest[:size]}" for size in (_SHORTEST_DIGEST, len(digest))]
    number = 1
    while names[-1] in taken:
        number += 1
        names.append(f"{answer.case_id or 'answer'}-{digest}-{number}")
    return next(name for name in names if name not in taken)
