"""`calibration.jsonl`: what people say of the claims of answers, one answer a line, held to be read without a doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.suite_files.entry_files import BrokenLine, Line, lines_of, place_in
from raggate_action.suite_files.problems import START, FileProblems, Mark
from raggate_action.suite_files.text_file import unreadable
from raggate_action.suite_files.words import name_text


def labelled_answers(path: Path, problems: FileProblems) -> tuple[LabelledAnswer, ...]:
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
    answers = []
    lines_by_id: dict[str, int] = {}
    for line in lines_of(path, LabelledAnswer, key="labelled answers", problems=problems):
        if isinstance(line, BrokenLine):
            continue
        first = lines_by_id.setdefault(line.record.id, line.number)
        if first != line.number:
            text = f"the id `{name_text(line.record.id)}` was given on line {first} already; write another one"
            problems.add(place_in(line.raw, ("id",), line.number, problems), text)
        for mark, text in _doubts(line, problems):
            problems.add(mark, text)
        answers.append(line.record)
    return tuple(answers)


def judged_labels_path(path: Path) -> Path:
    """Where the judgements of a file's labels are kept: beside it."""
    return path.with_name(f"{path.stem}.judgements.jsonl")


def _doubts(line: Line[LabelledAnswer], problems: FileProblems) -> Iterator[tuple[Mark, str]]:
    """What leaves open what was labelled, or what it was held against."""
    answer = line.record

    def place(*path: int | str) -> Mark:
        return place_in(line.raw, path, line.number, problems)

    if not answer.answer.strip():
        yield place("answer"), "the answer is empty; write the answer whose claims are labelled"
    for at, claim in enumerate(answer.claims):
        if not claim.text.strip():
            yield place("claims", at, "text"), "the claim is empty; write the words that are labelled"
    for at, name in _repeated([claim.claim_id for claim in answer.claims]):
        yield place("claims", at, "claim_id"), f"two claims are called `{name}`; give each an id of its own"
    for at, name in _repeated([chunk.chunk_id for chunk in answer.chunks]):
        yield place("chunks", at, "chunk_id"), f"two chunks are called `{name}`; give each an id of its own"
    in_chunks = [at for at, claim in enumerate(answer.claims) if claim.verdict in {"supported", "contradicted"}]
    if in_chunks and not any(chunk.text.strip() for chunk in answer.chunks):
        verdict = answer.claims[in_chunks[0]].verdict
        text = f"the claim is `{verdict}`, and no chunk has a text; write the chunks that were read"
        yield place("claims", in_chunks[0], "verdict"), text


def _repeated(ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Place and name of every id that an earlier one has already."""
    known: set[str] = set()
    for at, name in enumerate(ids):
        if name in known:
            yield at, name_text(name)
        known.add(name)
