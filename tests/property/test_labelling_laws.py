"""Labels put into case files: nothing but the labels is new, and every byte that was there is there, in its order."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from raggate_action.schema.case import Case
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.case_editing import LabelledCase, write_case_labels
from tests.thorough import examples

WORDS = st.text(st.sampled_from("ab é😀'\"#:{}[],&*!|>%@`-\\;0\u2028\x7f"), min_size=1, max_size=25).filter(str.strip)
QUOTES = st.lists(
    WORDS.map(lambda words: f"Refunds are paid {words} end"), min_size=1, max_size=2, unique_by=str.casefold
)
LABELS = st.fixed_dictionaries(
    {"required_quotes": QUOTES},
    optional={
        "required_source_ids": st.just(["policy.md", "c 2", "true"]),
        "required_points": st.just([{"id": "30-days", "answer_phrases": ["30 days"], "support_phrases": ['30 "days"']}]),
        "expect": st.just("abstain"),
    },
)  # fmt: skip


LAWS = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Written(NamedTuple):
    """A case file, the labels for some of its cases, and whether one case is part of another."""

    name: str
    content: bytes
    labels: dict[str, dict[str, Any]]
    merged: bool = False


SCALARS = st.sampled_from(
    ["plain words", "'single ''quoted'", '"double \\"quoted\\" é😀 # no comment"', "a: b".join("''")]
)
BLOCKS = st.sampled_from(["|\n    two\n    lines\n", ">-\n    folded\n    # no comment\n", "|+\n    kept\n\n"])
COMMENTS = st.sampled_from(["", "", "# a comment\n", "  # an indented one\n", "\n", "\n\n# two breaks before\n"])
TAILS = st.sampled_from(["", "  # behind"])


@st.composite
def block_case(draw: st.DrawFn, case_id: str, anchor: str, merge: str) -> str:
    """A case in lines: its keys in any order, comments between them, texts in any style."""
    fields = [f"case_id: {case_id}{draw(TAILS)}\n", f"question: {draw(SCALARS)}{draw(TAILS)}\n"]
    fields += draw(
        st.lists(
            st.sampled_from([
                "tags: [x,\n    y]  # over two lines\n", "must_contain:\n    - one\n    # inside\n    - 'two'\n",
                "weight: 2\n", "input: {a: [1, {b: c}], }\n", "name:\n", "messages:\n  - role: user\n    content: hi\n",
            ]),
            unique=True,
        )
    )  # fmt: skip
    if draw(st.booleans()):
        fields.append(f"reference_answer: {draw(BLOCKS)}")
    if merge:
        fields.append(f"<<: *{merge}\n")
    fields = draw(st.permutations(fields))
    lines = [line for text in fields for line in (draw(COMMENTS), text)]
    text = "".join(lines[1:])
    body = "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    return f"- &{anchor}\n{body}" if anchor else f"- {body[2:]}"


@st.composite
def flow_case(draw: st.DrawFn, case_id: str) -> str:
    question = draw(st.sampled_from(["plain words", '"quoted, } and ]"', "'single'"]))
    fields = [
        f"case_id: {case_id}",
        f"question: {question}",
        *draw(st.lists(st.sampled_from(["tags: [a, b,]", "weight: 2"]), unique=True)),
    ]
    joint = draw(st.sampled_from([", ", ",\n    ", " , # why\n    "]))
    end = draw(st.sampled_from(["", ",", " , ", "\n    "]))
    return f"- {{{joint.join(draw(st.permutations(fields)))}{end}}}{draw(TAILS)}\n"


@st.composite
def yaml_files(draw: st.DrawFn) -> Written:
    ids = [f"case{number}" for number in range(draw(st.integers(1, 4)))]
    merged = len(ids) > 1 and draw(st.booleans())
    texts = []
    for number, case_id in enumerate(ids):
        anchor = "shared" if merged and number == 0 else ""
        if anchor or draw(st.booleans()):
            texts.append(draw(block_case(case_id, anchor, "shared" if merged and number == 1 else "")))
        else:
            texts.append(draw(flow_case(case_id)))
    text = "".join(draw(COMMENTS) + each for each in texts) + draw(COMMENTS)
    if draw(st.booleans()):
        text = "cases:\n" + "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    return draw(as_file("cases.yaml", text, ids, merged=merged))


@st.composite
def as_file(draw: st.DrawFn, name: str, text: str, ids: list[str], *, merged: bool = False) -> Written:
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    content = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode()
    bom = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    chosen = draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    return Written(name, bom + content, {case_id: draw(LABELS) for case_id in chosen}, merged)


@st.composite
def json_lines(draw: st.DrawFn) -> Written:
    ids = [f"case{number}" for number in range(draw(st.integers(1, 4)))]
    lines = []
    for case_id in ids:
        case = {"case_id": case_id, "question": draw(WORDS), "input": {"a}": "{"}}
        items = dict(draw(st.permutations(list(case.items()))))
        spaced = draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
        lines.append(
            json.dumps(items, separators=spaced, ensure_ascii=draw(st.booleans()))
            + draw(st.sampled_from(["", " ", "\t"]))
        )
    blank = draw(st.sampled_from(["", "\n"]))
    return draw(as_file("cases.jsonl", "".join(f"{line}\n{blank}" for line in lines), ids))


def loaded(folder: Path, name: str, content: bytes) -> list[Case]:
    """The cases as a suite would have them."""
    (folder / name).write_bytes(content)
    suite = folder / "raggate.yaml"
    suite.write_text(f"suite: s\ncases: [{name}]\ntarget: {{kind: recorded, traces: t.jsonl}}\n")
    cases = [placed.case for placed in load_suite(suite, environment={}).cases]
    return sorted(cases, key=lambda case: case.case_id)


def is_put_in(before: bytes, after: bytes) -> bool:
    """Whether every byte of the one stands in the other, in order."""
    rest = iter(after)
    return all(byte in rest for byte in before)


def assert_laws(written: Written) -> LabelledCase:
    with TemporaryDirectory() as name:
        folder = Path(name)
        old = loaded(folder, written.name, written.content)
        done = write_case_labels(folder / written.name, written.labels)
        assert (folder / written.name).read_bytes() == written.content == done.before, "nothing is written"
        new = loaded(folder, written.name, done.after)
    assert {*done.written, *done.refused} == set(written.labels)
    assert is_put_in(done.before, done.after)
    assert written.merged or not done.refused, "only what others take in cannot be labelled alone"
    expected = []
    for case in old:
        labels = written.labels[case.case_id] if case.case_id in done.written else {}
        fields = case.model_dump(mode="json", exclude_unset=True) | labels
        expected.append(Case.model_validate(fields, strict=False))
    assert [case.model_copy(update={"proposed": ()}) for case in new] == expected
    event(f"{written.name}: {len(done.written)} written, {len(done.refused)} refused")
    return done


@LAWS
@given(yaml_files())
def test_yaml_files_keep_every_byte(written: Written) -> None:
    done = assert_laws(written)
    before, after = done.before.splitlines(keepends=True), done.after.splitlines(keepends=True)
    changes = list(difflib.diff_bytes(difflib.unified_diff, before, after, n=0))
    gone = [line for line in changes[2:] if line.startswith(b"-")]
    assert len(gone) <= len(done.written), "at most the last line of a case in brackets"


@LAWS
@given(json_lines())
def test_lines_of_json_keep_every_byte_and_only_their_cases_change(written: Written) -> None:
    done = assert_laws(written)
    before, after = done.before.splitlines(), done.after.splitlines()
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == len(done.written)
