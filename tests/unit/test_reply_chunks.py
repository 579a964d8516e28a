"""Chunks in every form that apps report them in come out under one id each."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from raggate_action.replies.chunk_stages import StageReader
from raggate_action.replies.reply_forms import looks_like_id, text_id
from raggate_action.schema.trace import Trace
from tests.builders import make_chunk, make_store

REFUNDS, SHIPPING = "Refunds are paid within 30 days.", "Orders ship on the next day."
STORE = make_store(make_chunk("refunds", REFUNDS), make_chunk("shipping", SHIPPING), make_chunk("42", "Answers."))
RANDOM = "0a4f6a1c-93d7-4b5e-9c1a-5d2b8e7f1a20"


def read(context: Any, store: Any = None, **stages: Any) -> Any:
    """The context as it comes out, which the trace's own schema has to take."""
    found = StageReader(store).read({"context": context, **stages})
    Trace.model_validate_json(json.dumps(found))
    return found["context"]


def ids(context: Any, store: Any = None) -> list[str]:
    found = StageReader(store).read({"context": context})
    return list(Trace.model_validate_json(json.dumps(found)).ids("context") or ())


def test_the_id_made_of_a_text_is_twelve_digits_of_its_digest_with_folded_spaces() -> None:
    digest = hashlib.sha256(b"Refunds are paid within 30 days.").hexdigest()
    assert text_id(REFUNDS) == digest[:12]
    assert text_id("  Refunds are\n paid\twithin 30\u00a0days. ") == digest[:12]
    assert text_id("refunds are paid within 30 days.") != digest[:12], "a re-worded chunk is another chunk"
    assert len(text_id("half a pair: \ud800")) == 12


@pytest.mark.parametrize(
    ("string", "is_id"),
    [
        pytest.param("c1", True, id="a name"),
        pytest.param("docs/refunds.md#3", True, id="a path"),
        pytest.param("x" * 512, True, id="512 characters"),
        pytest.param("x" * 513, False, id="one more"),
        pytest.param("Refund policy", False, id="two words"),
        pytest.param("c1\n", False, id="a line end"),
        pytest.param("返金は三十日以内です。", False, id="Japanese, which has no spaces"),
        pytest.param("müller", False, id="a letter outside ASCII"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_what_looks_like_an_id(string: str, is_id: bool) -> None:  # noqa: FBT001
    assert looks_like_id(string) is is_id
    assert (read([string]) == [string]) is is_id


@pytest.mark.parametrize(
    ("item", "without_store", "with_store"),
    [
        pytest.param("refunds", "refunds", "refunds", id="an id"),
        pytest.param("ghost-1", "ghost-1", "ghost-1", id="an id that the store does not know stays one"),
        pytest.param(f" {REFUNDS}\n", text_id(REFUNDS), "refunds", id="a text, spaces folded"),
        pytest.param("Answers.", "Answers.", "42", id="a text that looks like an id"),
        pytest.param("Another text.", text_id("Another text."), text_id("Another text."), id="a text nobody knows"),
        pytest.param(42, "42", "42", id="a whole number"),
        pytest.param({"page_content": REFUNDS, "metadata": {}}, text_id(REFUNDS), "refunds", id="a document"),
        pytest.param({"id": "c9", "text": REFUNDS}, "c9", "refunds", id="an id that only the app's index knows"),
        pytest.param({"id": 42, "content": "Another."}, "42", "42", id="an id that is a number, and known"),
        pytest.param({"id": RANDOM, "text": REFUNDS}, text_id(REFUNDS), "refunds", id="an id made anew by each index"),
        pytest.param({"id": RANDOM}, RANDOM, RANDOM, id="such an id without a text"),
        pytest.param(
            {"chunk_id": RANDOM, "text": REFUNDS}, RANDOM, RANDOM, id="the trace's own form is taken by its word"
        ),
        pytest.param({"chunk_id": 7}, "7", "7", id="the trace's own form with a number"),
        pytest.param({"chunk_id": "c1", "text": "T t", "score": 0.5}, "c1", "c1", id="with a score beside it"),
        pytest.param({"source": "refunds"}, "refunds", "refunds", id="only its document"),
        pytest.param(
            {"document": {"content": "A b"}, "id": "h1", "score": 1}, "h1", "h1", id="a hit around a document"
        ),
    ],
)
def test_each_form_and_its_id(item: Any, without_store: str, with_store: str) -> None:
    assert ids([item]) == [without_store]
    assert ids([item], STORE) == [with_store]


def test_beside_a_passage_a_string_without_spaces_is_a_text_as_well() -> None:
    passage = "Refunds are paid to the same card within thirty days of the return."
    assert ids([passage, "---", "Example:"]) == [text_id(passage), text_id("---"), text_id("Example:")]
    assert read(read([passage, "---"])) == read([passage, "---"])
    assert ids([passage, "refunds"], STORE) == [text_id(passage), "refunds"], "the store knows it"
    named = "General terms and conditions of sale and delivery for members.pdf"
    assert ids([named, "refunds.pdf"]) == [text_id(named), "refunds.pdf"], "ten words name a document"


def test_text_document_and_version_are_kept_and_scores_have_no_place() -> None:
    document = {"page_content": "T t", "metadata": {"source": "a.md", "page": 3}, "id": "c1", "version": "v2"}
    assert read([[document, 0.7]]) == [{"chunk_id": "c1", "version": "v2", "text": "T t", "document_id": "a.md"}]
    assert read(["T t"]) == [{"chunk_id": text_id("T t"), "text": "T t"}]


def test_the_stores_own_text_needs_no_copy_and_a_differing_one_is_kept_to_be_judged() -> None:
    assert read([REFUNDS], STORE) == ["refunds"]
    assert read([{"id": "refunds", "text": "Never."}], STORE) == [{"chunk_id": "refunds", "text": "Never."}]


def test_an_id_with_spaces_never_stands_alone_for_it_would_be_read_as_a_text() -> None:
    assert read([{"id": "Refund policy"}]) == [{"chunk_id": "Refund policy"}]
    assert read(read([{"id": "Refund policy"}])) == [{"chunk_id": "Refund policy"}]


def test_of_two_chunks_with_one_text_the_one_is_meant_that_everybody_may_read() -> None:
    store = make_store(
        make_chunk("secret", REFUNDS, permitted=False),
        make_chunk("old", REFUNDS, current=False),
        make_chunk("team", REFUNDS, principals=("staff",)),
        make_chunk("open", REFUNDS),
        make_chunk("open-2", REFUNDS),
    )
    assert ids([REFUNDS], store) == ["open"]
    assert ids([REFUNDS], make_store(make_chunk("secret", REFUNDS, permitted=False))) == ["secret"], "and fails there"


def test_an_id_that_stands_for_two_texts_is_the_id_of_their_document() -> None:
    found = read([{"id": "a.md", "text": "First part."}, {"id": "a.md", "text": "Second part."}])
    assert [each["chunk_id"] for each in found] == [text_id("First part."), text_id("Second part.")]
    assert [each["document_id"] for each in found] == ["a.md", "a.md"]
    own = [{"chunk_id": "c1", "text": "First part."}, {"chunk_id": "c1", "text": "Second part."}]
    assert ids(own) == ["c1", "c1"], "the trace's own form is taken by its word, and the gates judge it"


def test_a_text_goes_by_the_id_that_another_stage_has_for_it() -> None:
    found = StageReader().read({"candidates": [{"id": "c1", "text": "A b"}], "context": ["A  b"]})
    assert found["context"] == [{"chunk_id": "c1", "text": "A  b"}]


def repeats(context: Any, store: Any = None) -> list[bool]:
    return [isinstance(each, dict) and each.get("repeated", False) for each in read(context, store)]


def test_a_chunk_that_comes_twice_is_marked_and_keeps_its_place() -> None:
    assert repeats(["A b", "C d", "A  b"]) == [False, False, True]
    assert repeats(["refunds", REFUNDS], STORE) == [False, True]
    assert repeats([REFUNDS, "refunds"], STORE) == [False, True]
    assert repeats([{"id": "c1", "text": "A b"}] * 3) == [False, True, True]
    # The seeds' rule: an app that reports ids is held to naming each once.
    assert repeats(["c1", "c1"]) == [False, False]
    assert repeats([{"chunk_id": "c1", "text": "A b"}] * 2) == [False, False]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        pytest.param([], [], id="an empty list is reported, and empty"),
        pytest.param("", [], id="an empty text as well"),
        pytest.param("One long text.", [text_id("One long text.")], id="one text"),
        pytest.param([["A b", "C d"]], [text_id("A b"), text_id("C d")], id="a batch of one"),
        pytest.param([["A b", 0.5]], [text_id("A b")], id="one chunk with its score"),
        pytest.param(["c1", "A b", {"text": "C d"}, 7], ["c1", text_id("A b"), text_id("C d"), "7"], id="mixed"),
        pytest.param([""], [text_id("")], id="a chunk without words keeps its place"),
    ],
)
def test_lists(value: Any, found: list[str]) -> None:
    assert ids(value) == found


@pytest.mark.parametrize("value", [None, 1.5, True, {}, {"title": "x"}, [["a", ["b"]]], {"id": None}, {"id": " "}])
def test_what_is_no_chunk_stays_for_whoever_names_it(value: Any) -> None:
    assert StageReader().read({"context": ["c1", value]})["context"] == ["c1", value]
    assert StageReader().read({"context": value if isinstance(value, dict) else 7}) is not None


def test_a_stage_that_is_null_was_not_reported() -> None:
    assert StageReader().read({"answer": "x", "context": None}) == {"answer": "x", "context": None}


def test_ten_thousand_chunks_are_read_once_each() -> None:
    found = read([f"Chunk number {number} of many." for number in range(10_000)])
    assert len({each["chunk_id"] for each in found}) == 10_000


def test_what_needs_no_reading_is_told() -> None:
    reader, beside = StageReader(), StageReader(STORE)
    ours = Trace(candidates=("c1", "c2"), context=("c1",))
    assert reader.leaves(ours)
    assert not reader.leaves(Trace(context=("A b",)))
    assert not beside.leaves(ours), "the store may have a chunk of that text"
    assert beside.leaves(Trace(context=("refunds", "shipping")))


def test_a_trace_in_the_suite_is_read_the_same_way() -> None:
    written = Trace(
        answer="A.", context=(REFUNDS, "ghost"), versions=(("index", "i1"), ("index", "i2")), latency_ms=3.0
    )
    read_by_store = StageReader(STORE).of_trace(written)
    assert read_by_store.ids("context") == ("refunds", "ghost")
    assert read_by_store.model_copy(update={"context": written.context}) == written
    plain = Trace(context=("c1",))
    assert StageReader().of_trace(plain) is plain


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "text",
                    "node",
                    "metadata",
                    "kwargs",
                    "lc",
                    "content",
                    "source",
                    "chunk_id",
                    "relationships",
                    "1",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_reply_is_too_strange(context: Any) -> None:
    found = StageReader(STORE).read({"context": context})
    try:
        Trace.model_validate_json(json.dumps(found))
    except ValidationError:
        return
    assert StageReader(STORE).read(found) == found, "what has been read is in the trace's own form"


@given(st.lists(st.text(min_size=1, max_size=30), max_size=8))
def test_texts_in_another_dress_are_the_same_chunks(texts: list[str]) -> None:
    plain = [{"text": text} for text in texts]
    documents: list[Any] = [{"page_content": text, "metadata": {}, "id": None} for text in texts]
    nodes = [{"node": {"text": text, "metadata": {}}, "score": 0.5} for text in texts]
    assert ids(plain) == ids(documents) == ids(nodes) == list(dict.fromkeys(map(text_id, texts)))
