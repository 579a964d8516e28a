"""`calibration.jsonl`: what people say of answers, one answer and one job a line, held to be read without a doubt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledSaid
from raggate_action.schema.judgement import ItemGate
from raggate_action.suite_files.file_reading import lines_of, place_in, unreadable
from raggate_action.suite_files.problems import START, FileProblems, name_text

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
            problems.add(place_in(line, ("id",), problems), text)
        doubts = _item_doubts(record) if isinstance(record, HeldAnswer) else _doubts(record)
        for at, text in doubts:
            problems.add(place_in(line, at, problems), text)
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
