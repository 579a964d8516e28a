"""Replies as providers and frameworks write them: answer and evidence are found, and the form is told by one entry.

Those of `sdk.jsonl` and `replies.json` were made of objects of the packages and versions that they name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from raggate_action.replies.known_forms import FORMS, envelope_of, known_form
from raggate_action.replies.mapping import compile_response, finder
from raggate_action.replies.place_choice import AskedReply, understand
from raggate_action.replies.reply_forms import text_id
from raggate_action.schema.trace import Trace
from raggate_action.targets.reply_mapping import NotChosenError, ReplyMapping

FOLDER = Path(__file__).parents[1] / "provider_replies"
QUESTION = "How long does a refund take?"


class Known(NamedTuple):
    """A reply, where its form is documented, and what is right; `context` is None where no text of evidence is in it."""

    name: str
    source: str
    reply: Any
    answer: str
    context: list[str] | None
    question: str = QUESTION


def known(file: str) -> list[Known]:
    return [Known(**json.loads(line)) for line in (FOLDER / file).read_text(encoding="utf-8").splitlines()]


REPLIES = [*known("sdk.jsonl"), *known("documented.jsonl")]


def texts(trace: dict[str, Any]) -> list[str] | None:
    found = Trace.model_validate_json(json.dumps(trace)).context_chunks
    # A passage that two sentences cite comes twice, and is counted once.
    return None if "context" not in trace else list(dict.fromkeys(chunk.text or "" for chunk in found))


@pytest.mark.parametrize("each", REPLIES, ids=lambda each: each.name)
def test_answer_and_evidence_are_found_and_the_paths_written_find_them_again(each: Known) -> None:
    found = understand([AskedReply(each.question, each.reply)])
    assert found.answer.taken is not None, found.answer
    assert found.answer.taken.texts[0] == each.answer
    assert (None if found.context.taken is None else list(found.context.taken.texts)) == each.context, found.context
    written = ReplyMapping(found.response).trace_json(each.reply)
    assert Trace.model_validate_json(json.dumps(written)).reply.text == each.answer
    assert texts(written) == each.context


@pytest.mark.parametrize("each", REPLIES, ids=lambda each: each.name)
def test_a_run_without_paths_reads_the_same_or_waits(each: Known) -> None:
    try:
        trace = ReplyMapping().trace_json(each.reply, may_wait=True)
    except NotChosenError:
        return
    assert Trace.model_validate_json(json.dumps(trace)).reply.text == each.answer
    assert texts(trace) in (each.context, None)


FRAMEWORKS: dict[str, Any] = json.loads((FOLDER.parent / "framework_replies/replies.json").read_text())["replies"]
REFUNDS, SHIPPING = "Refunds are paid within 30 days of purchase.", "Orders ship on the next working day."


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_real_packages_write_is_read_by_the_paths_chosen(name: str) -> None:
    mapping = ReplyMapping()
    mapping.choose([AskedReply(QUESTION, FRAMEWORKS[name])])
    trace = Trace.model_validate_json(json.dumps(mapping.trace_json(FRAMEWORKS[name])))
    assert trace.reply.text == REFUNDS
    if "message" in name and "documents" not in name:
        assert trace.context is None, "a bare message brings no context"
        return
    assert [chunk.text for chunk in trace.context_chunks] == [REFUNDS, SHIPPING]
    expected = [{"c-1", "n-1", "d-1", text_id(REFUNDS)}, {"c-2", "n-2", "d-2", text_id(SHIPPING)}]
    assert all(chunk.chunk_id in ids for chunk, ids in zip(trace.context_chunks, expected, strict=True))
    if "langchain" in name and '"source"' in json.dumps(FRAMEWORKS[name]):
        assert [chunk.document_id for chunk in trace.context_chunks] == ["refunds.md", "shipping.md"]


def test_every_form_is_told_by_its_own_mark_alone_and_has_a_reply_that_shows_it() -> None:
    seen = dict.fromkeys([form.name for form in FORMS], 0)
    for each in REPLIES:
        within = ""
        while (path := envelope_of(finder(within)(each.reply) if within else each.reply)) is not None:
            within = f"{within}.{path}".lstrip(".")
        part = finder(within)(each.reply) if within else each.reply
        marked = [form.name for form in FORMS if isinstance(part, dict) and finder(form.mark)(part)]
        assert len(marked) < 2, (each.name, marked)
        for name in marked:
            seen[name] += 1
            assert known_form(each.reply, to_choose=True) is not None
    assert [name for name, count in seen.items() if not count] == [], "every form has a reply that shows it"


def test_every_path_of_a_form_can_stand_in_a_suite() -> None:
    for form in FORMS:
        compile_response({"answer": form.answer})
        for path in form.contexts:
            compile_response({"context": path})


def test_each_reply_names_the_types_or_the_page_it_is_from() -> None:
    assert all(": " in each.source or each.source.startswith("https://") for each in REPLIES)
    assert len({each.name for each in REPLIES}) == len(REPLIES)
