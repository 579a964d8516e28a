"""`labels.yaml`: what people say of answers, held to be read without a doubt; and how more answers get into it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias, cast

from pydantic import JsonValue

from raggate_action.errors import SuiteError, UsageError
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledSaid
from raggate_action.schema.outcome import ItemGate
from raggate_action.suite_files.file_reading import listed_in, unreadable
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.located_tree import Node, Scalar, child, mark_at
from raggate_action.suite_files.problems import START, FileProblems, name_text, path_text
from raggate_action.suite_files.yaml_file import in_json
from raggate_action.version import LABELLING

Labelled: TypeAlias = LabelledAnswer | HeldAnswer
_Place: TypeAlias = tuple[int | str, ...]
_SUFFIXES: Final = (".yaml", ".yml", ".json")
_SAYABLE: Final[Mapping[ItemGate, tuple[LabelledSaid, ...]]] = {
    "agreement": ("stated", "lacking", "contradicted"),
    "criteria": ("yes", "no"),
}
_HEAD: Final = f"""\
# Write a verdict behind each `verdict:`, by what the chunks say and not by what you know.
# Of a claim: supported (the chunks say all of it), partial (some of it, and nothing against the rest),
# unsupported (nothing of it, true or not), contradicted (a chunk says otherwise).
# Of a fact, by what the answer says: stated, lacking, contradicted. Of a criterion: yes if the answer does it, else no.
# `made: true`: something right was changed; say what it is now. What you leave empty counts for nothing.
# Ten hard kinds: {LABELLING}
"""


def labelled_answers(path: Path, problems: FileProblems) -> tuple[Labelled, ...]:
    """The labelled answers of a file, in its order.

    Args:
        path: The file. One that is not there, or holds nothing, has no labels; nobody has labelled yet.
        problems: Is told every entry that cannot be read or leaves a doubt about what was labelled.
    """
    try:
        if not path.read_bytes().strip():
            return ()
    except FileNotFoundError:
        return ()
    except OSError as error:
        problems.add(START, unreadable(error))
        return ()
    if path.suffix.lower() not in _SUFFIXES:
        problems.add(START, f"labels are a list in a file of one of {', '.join(_SUFFIXES)}; this is no such file")
        return ()
    answers: list[Labelled] = []
    lines_by_id: dict[str, int] = {}
    for node in listed_in(path, "labels", problems):
        record: Labelled | None = read_record(_form_of(node), node, problems)
        if record is None:
            continue
        first = lines_by_id.setdefault(record.id, node.mark.line)
        if first != node.mark.line:
            text = f"the id `{name_text(record.id)}` was given on line {first} already; write another one"
            problems.add(mark_at(node, "id"), text)
        doubts = _item_doubts(record) if isinstance(record, HeldAnswer) else _doubts(record)
        for at, text in doubts:
            problems.add(mark_at(node, *at), text)
        answers.append(record)
    return tuple(answers)


def read_labels(path: Path) -> tuple[Labelled, ...]:
    """The labelled answers of a file that no suite is loaded with.

    Raises:
        SuiteError: The file cannot be read, or leaves a doubt about what was labelled.
    """
    problems = FileProblems(path_text(path))
    answers = labelled_answers(path, problems)
    if len(problems):
        raise SuiteError(str(problems), hint="Correct these places.")
    return answers


def label_judgements_path(path: Path) -> Path:
    """Where the judgements of a file's labels are kept: beside it."""
    return path.with_name(f"{path.stem}.judgements.jsonl")


def _form_of(node: Node) -> type[Labelled]:
    """What an entry is: labels of claims, unless it names another job."""
    job = child(node, "job")
    return LabelledAnswer if job is None or (isinstance(job, Scalar) and job.value == "claims") else HeldAnswer


def _doubts(answer: LabelledAnswer) -> Iterator[tuple[_Place, str]]:
    """What leaves open what was labelled, or what it was held against."""
    if not answer.answer.strip():
        yield ("answer",), "the answer is empty; write the answer whose claims are labelled"
    for at, claim in enumerate(answer.claims):
        if not claim.text.strip():
            yield ("claims", at, "text"), "the claim is empty; write the words that are labelled"
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
    for at, name in _repeated_ids([item.item_id for item in answer.items]):
        yield ("items", at, "item_id"), f"two of them are called `{name}`; give each an id of its own"
    for at, item in enumerate(answer.items):
        if not item.text.strip():
            yield ("items", at, "text"), f"the {what} is empty; write its words"
        if item.verdict is not None and item.verdict not in _SAYABLE[answer.job]:
            words = ", ".join([f"`{word}`" for word in _SAYABLE[answer.job]])
            yield ("items", at, "verdict"), f"of a {what} nobody can say `{item.verdict}`; write one of {words}"
        if item.must_not and answer.job == "agreement":
            yield ("items", at, "must_not"), "a fact is to be stated; leave `must_not` out"


def _repeated_ids(ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Place and name of every id that an earlier one has already."""
    known: set[str] = set()
    for at, name in enumerate(ids):
        if name in known:
            yield at, name_text(name)
        known.add(name)


def add_labels(path: Path, labels: Sequence[Labelled]) -> None:
    """Write answers with empty verdicts behind what a file holds, byte for byte; it is the old one or the new one.

    Raises:
        SuiteError: The file cannot be read, or leaves a doubt about what was labelled.
        UsageError: It is no list that more can be written behind, or cannot be written.
    """
    path = path.resolve()
    known = read_labels(path)
    partial = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if known else _HEAD.encode()
        end = b"" if before.endswith(b"\n") else b"\n"
        partial.write_bytes(before + end + "".join(map(_entry, labels)).encode())
        problems = FileProblems("")
        if labelled_answers(partial, problems) != (*known, *labels) or len(problems):
            raise UsageError(
                f"nothing can be written behind the labels in {path_text(path)}",
                hint="Name another file with --out: one that is not there yet, or a YAML list.",
            )
        partial.replace(path)
    except OSError as error:
        raise UsageError(
            f"{path_text(path)} cannot be written: {error.strerror or error}", hint="Check that you may write there."
        ) from None
    finally:
        partial.unlink(missing_ok=True)


# Characters of which YAML makes something else in a block, or that nobody sees there.
_ODD: Final = re.compile(r"[^\n -~\u00a1-\u1fff]")


def _entry(label: Labelled) -> str:
    """An answer as an entry of a YAML list."""
    fields = label.model_dump(mode="json", exclude_defaults=True)
    for part in fields.get("claims") or fields["items"]:
        part["verdict"] = None
    return "".join(_item(fields, ""))


def _item(fields: Mapping[str, JsonValue], indent: str) -> Iterator[str]:
    begin = f"{indent}- "
    for key, value in fields.items():
        if isinstance(value, list) and value:
            yield f"{begin}{key}:\n"
            for each in value:
                yield from _item(cast("Mapping[str, JsonValue]", each), f"{indent}  ")
        elif isinstance(value, str) and "\n" in value and value == value.strip() and not _ODD.search(value):
            text = value.replace("\n", f"\n{indent}    ")
            yield f"{begin}{key}: |-\n{indent}    {text}\n"
        else:
            yield f"{begin}{key}:{'' if value is None else f' {in_json(value)}'}\n"
        begin = f"{indent}  "
