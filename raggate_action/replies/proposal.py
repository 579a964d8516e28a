"""Where a reply has its answer and its evidence, told by its form or by the keys that apps use for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError
from pydantic_core import to_json

from raggate_action.replies.known_forms import FormPlace, below, envelope_of, known_form
from raggate_action.replies.machine_values import is_machine_value
from raggate_action.replies.mapping import finder
from raggate_action.replies.reply_forms import (
    are_separate_texts,
    folded_spaces,
    is_answer_form,
    items_of,
    names_nothing,
    read_answer,
    read_chunk,
)
from raggate_action.replies.stated_errors import StatedError, stated_error
from raggate_action.schema.trace import RESPONSE_FIELDS, Trace, TraceLine, mapped_trace

# In this order. Of keys that hold the same the first is taken; keys that hold different things are an error.
ANSWER_KEYS: tuple[str, ...] = (
    "answer", "response", "actual_output", "output_text", "output", "result", "text", "content", "completion",
    "generation", "reply",
)  # fmt: skip
CONTEXT_KEYS: tuple[str, ...] = (
    "context", "contexts", "retrieved_contexts", "retrieval_context", "retrieved_context", "documents", "docs",
    "source_documents", "source_nodes", "sources", "retrieved_documents", "retrieved_docs", "chunks",
    "retrieved_chunks", "passages",
)  # fmt: skip
# Looked into one level deep.
CONTAINERS: tuple[str, ...] = ("output", "outputs", "result", "response", "answer", "data", "message", "body")
# Of chats: looked at only where nothing else is an answer.
CHAT_PATHS: tuple[str, ...] = ("choices[0].message.content", "choices[0].text", "messages[-1]")
_WHOLE_REPLY = "@"
_READ_APART = frozenset({"answer", "context"})


class Clash(NamedTuple):
    """Two places of a reply that fit a field and differ."""

    field: str
    paths: tuple[str, ...]


class Proposal(NamedTuple):
    """A reading of a reply.

    Attributes:
        trace: Trace JSON; its chunks are in the reply's own form, see `StageReader`. Empty where nothing was found.
        paths: Trace field -> path into the reply (JMESPath; `@` is the whole of it). Empty for trace JSON itself.
        same: Field -> further paths that hold the same.
        clashes: Fields that two places fit which differ; such a reply has no trace.
        unused_keys: Keys at the top of the reply of which nothing was taken.
        is_trace: The reply is trace JSON itself.
        form: The form it was told by; empty where its keys told.
        holder: The key under which that form stands, beside keys of the app's own; empty where all of it has it.
    """

    trace: dict[str, Any]
    paths: dict[str, str]
    same: dict[str, tuple[str, ...]]
    clashes: tuple[Clash, ...] = ()
    unused_keys: tuple[str, ...] = ()
    is_trace: bool = False
    form: str = ""
    holder: str = ""

    def below(self, within: str) -> Proposal:
        """The same, its paths seen from outside what stands around the reply."""
        if not within:
            return self
        paths = {field: below(within, path) for field, path in self.paths.items()}
        same = {field: tuple([below(within, path) for path in found]) for field, found in self.same.items()}
        clashes = tuple(
            [Clash(each.field, tuple([below(within, path) for path in each.paths])) for each in self.clashes]
        )
        return self._replace(paths=paths, same=same, clashes=clashes)

    @property
    def response(self) -> dict[str, str]:
        """What a suite writes under `target: response` to take the same from every reply; of a clash the first."""
        clashing = {clash.field: clash.paths[0] for clash in self.clashes}
        found = {**self.paths, **clashing}
        return {field: found[field] for field in RESPONSE_FIELDS if field in found}

    @property
    def has_answer(self) -> bool:
        """Whether something was found that is an answer, or says why there is none."""
        error = self.trace.get("error")
        return self.is_trace or "answer" in self.trace or (isinstance(error, str) and bool(error.strip()))


def propose(reply: JsonValue) -> Proposal:
    """Read a reply without a mapping.

    Trace JSON is taken as it is. A string is an answer without context. Of any other object answer and context are
    taken by the form it has (`known_forms`), else looked for under the keys above; further fields of the trace are
    taken where they stand under their own names in the trace's form.
    """
    if isinstance(reply, str):
        return Proposal({"answer": reply}, {"answer": _WHOLE_REPLY}, {})
    if not isinstance(reply, dict):
        return _proposed(reply, None) if isinstance(reply, list) else Proposal({}, {}, {})
    error = stated_error(reply)
    if error is not None and error.is_flagged:
        return Proposal({"error": error.text}, {"error": error.path}, {})
    answer = reply.get("answer")
    holds_context = isinstance(answer, dict) and not answer.keys().isdisjoint(CONTEXT_KEYS)
    is_providers = "answer" not in reply and "candidates" in reply and known_form(reply) is not None
    if reply.keys() <= TraceLine.model_fields.keys() and not holds_context and not is_providers:
        message = None if is_answer_form(answer) else read_answer(answer)
        if error is not None and not isinstance(reply.get("error"), str) and not (message or answer):
            return Proposal({"error": error.text}, {"error": error.path}, {})
        return Proposal(reply if message is None else {**reply, "answer": message}, {}, {}, is_trace=True)
    return _proposed(reply, error)


def _proposed(reply: JsonValue, error: StatedError | None) -> Proposal:
    """A reply that is no trace, by its form and its keys."""
    within = _reply_proper(reply)
    inner = finder(within)(reply) if within else reply
    if isinstance(inner, str):
        return Proposal({"answer": inner}, {"answer": within}, {}, form="text in an envelope")
    if not isinstance(inner, dict):
        return Proposal({}, {}, {}) if error is None else Proposal({"error": error.text}, {"error": error.path}, {})
    form = _form_of(inner)
    found = {"answer": _answers(inner, form), "context": _contexts(inner, form)}
    clashes = tuple([Clash(field, _differing(places)) for field, places in found.items() if _differing(places)])
    paths = {field: places[0].path for field, places in found.items() if places}
    fields: dict[str, Any] = {field: places[0].value for field, places in found.items() if places}
    same = {field: tuple([each.path for each in places[1:]]) for field, places in found.items() if len(places) > 1}
    reading = Proposal({}, paths, same, clashes)
    if form is not None:
        reading = reading._replace(form=form.form.name, holder=form.holder)
    if not clashes:
        for name, path, value in _named_fields(inner, paths.get("answer", ""), form):
            fields[name], paths[name] = value, path
        if isinstance(fields.get("case_id"), int):
            fields["case_id"] = str(fields["case_id"])
        used = " ".join(chain(paths.values(), *same.values()))
        unused_keys = tuple([key for key in inner if not re.search(rf"(?<!\w){re.escape(key)}(?!\w)", used)])
        reading = reading._replace(trace=mapped_trace(fields), unused_keys=unused_keys)
    reading = reading.below(within)
    if error is not None and "answer" not in fields:
        return Proposal({"error": error.text}, {"error": error.path}, {}, unused_keys=reading.unused_keys)
    return reading


def _reply_proper(reply: JsonValue) -> str:
    """The path to the reply inside all that stands around it; empty where nothing does."""
    within = ""
    for _ in range(_ENVELOPES):
        path = envelope_of(finder(within)(reply) if within else reply)
        if path is None:
            break
        within = below(within, path)
    return within


# One inside the other: JSON-RPC, MCP, and a tool's own.
_ENVELOPES = 3


def _form_of(inner: dict[str, Any]) -> FormPlace | None:
    """The form of a reply, or of the one object in it that has a form."""
    whole = known_form(inner)
    if whole is not None:
        return whole
    holders = [key for key, value in inner.items() if isinstance(value, dict) and _PLAIN_KEY.fullmatch(key)]
    found = [place for key in holders if (place := known_form(inner, within=key)) is not None]
    return found[0] if len(found) == 1 else None


_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class _Place(NamedTuple):
    """A place of a reply that fits a field.

    Attributes:
        path: Where it is.
        value: What stands there, as the trace has it.
        means: What it comes to, whatever its form: equal where two places hold the same.
        rank: Of places that hold the same, the lowest is taken.
    """

    path: str
    value: Any
    means: Any
    rank: int = 0


def _answers(reply: dict[str, Any], form: FormPlace | None) -> list[_Place]:
    own = reply.get("answer")
    if form is not None:
        # An answer that the app wrote beside what a provider replied is another place.
        places = _places(reply, ANSWER_KEYS, _answer_place) if form.holder else []
        outside = [place for place in places if place.path.partition(".")[0] != form.holder]
        if not form.holder and isinstance(own, str) and form.answer[0] != "answer":
            outside = [_Place("answer", own, own)]
        return [_Place(*form.answer, form.answer[1]), *outside]
    if isinstance(own, dict) and is_answer_form(own) and "text" in own:
        return [_Place("answer", own, own)]
    if are_separate_texts(reply.get("content")) and not {"role", "type", "model"} & reply.keys():
        # The texts of a tool's result may be hits.
        reply = {key: value for key, value in reply.items() if key != "content"}
    return (
        _places(reply, ANSWER_KEYS, _answer_place)
        or [_Place(path, text, text) for path in CHAT_PATHS if (text := read_answer(_at(reply, path))) is not None][:1]
    )


def _answer_place(path: str, value: JsonValue) -> _Place | None:
    text = read_answer(value)
    if text is None or (text.strip() and is_machine_value(text) and path.rpartition(".")[2] not in _SURE):
        return None
    return _Place(path, text, text)


# What stands here is an answer in whatever words.
_SURE = frozenset({"answer", "reply"})


def _contexts(reply: dict[str, Any], form: FormPlace | None) -> list[_Place]:
    if form is not None and form.context is not None:
        return [_Place(*form.context, None)]
    places = _places(reply, CONTEXT_KEYS, _context_place)
    # Of two that hold the same texts the one with ids says more.
    return sorted(places, key=lambda place: place.rank)


def _context_place(path: str, value: JsonValue) -> _Place | None:
    items = items_of(value)
    if items is None or names_nothing(value):
        return None
    chunks = [read_chunk(item) for item in items]
    if items and not any(chunks):
        return None
    means = [
        None if chunk is None else chunk.ids[0] if chunk.text is None else folded_spaces(chunk.text) for chunk in chunks
    ]
    has_ids = any(chunk is not None and chunk.ids for chunk in chunks)
    return _Place(path, value, means, rank=0 if has_ids else 1)


def _places(
    reply: Mapping[str, Any], keys: tuple[str, ...], fit: Callable[[str, JsonValue], _Place | None]
) -> list[_Place]:
    found = [fit(key, reply[key]) for key in keys if key in reply]
    for container in CONTAINERS:
        inner = reply.get(container)
        if isinstance(inner, dict) and "lc" not in inner:
            found += [fit(f"{container}.{key}", inner[key]) for key in keys if key in inner]
    return [place for place in found if place is not None]


def _differing(places: list[_Place]) -> tuple[str, ...]:
    """The first of some places and the first that differs from it; empty where all hold the same."""
    other = next((place.path for place in places if place.means != places[0].means), None)
    return () if other is None else (places[0].path, other)


def _named_fields(reply: dict[str, Any], answer_path: str, form: FormPlace | None) -> Iterator[tuple[str, str, Any]]:
    """Further fields of the trace, under their own names, beside the answer or at the top of the reply.

    In a provider's form such a name is the provider's, as Gemini's `candidates` are no chunks.
    """
    if form is not None:
        return
    container = answer_path.partition(".")[0] if "." in answer_path and "[" not in answer_path else ""
    inside = reply.get(container)
    inner = inside if isinstance(inside, dict) else {}
    for name in RESPONSE_FIELDS:
        if name in _READ_APART:
            continue
        for path, holder in ((name, reply), (f"{container}.{name}", inner)):
            value = holder.get(name)
            if value is not None and _fits(name, value):
                yield name, path, value
                break


def _fits(name: str, value: JsonValue) -> bool:
    """Whether a value has the form that the trace wants of a field."""
    if name in {"candidates", "rerank_input", "reranked"}:
        return items_of(value) is not None
    if name == "case_id":
        return isinstance(value, str | int) and not isinstance(value, bool)
    inner = name in {"abstained", "claims"}
    try:
        Trace.model_validate_json(to_json({"answer": {"text": "", name: value}} if inner else {name: value}))
    except (ValidationError, ValueError):
        return False
    return True


def _at(reply: JsonValue, path: str) -> JsonValue:
    """The value at a path of keys and list positions; None without a value."""
    value: JsonValue = reply
    for step in path.replace("[", ".[").split("."):
        if step.startswith("["):
            place = int(step[1:-1])
            value = value[place] if isinstance(value, list) and -len(value) <= place < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value
