"""The replies of one app as traces: by the suite's `response:`, by the form that they have, or by paths chosen once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

from raggate_action.network.bounded_reply import MOST_NODES
from raggate_action.replies.chunk_stages import StageReader
from raggate_action.replies.mapping import ReplyMismatchError, ResponseMapping, compile_response, json_kind
from raggate_action.replies.reply_forms import is_answer_form, read_answer
from raggate_action.replies.stated_errors import stated_error
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.json_lines import case_id_of
from raggate_action.schema.reply_limits import has_too_many_nodes
from raggate_action.schema.target import AUTO, Response
from raggate_action.schema.trace import STAGES, Trace

if TYPE_CHECKING:
    from raggate_action.replies.known_forms import Form
    from raggate_action.replies.place_choice import AskedReply, Choice, Understanding


class NotChosenError(Exception):
    """Nothing but a choice by several replies can tell how a reply is read, and it may wait for that."""


class ReplyMapping:
    """Turns the replies of one app into trace JSON, every chunk under one id.

    Attributes:
        repeating: Replies in which a chunk came twice in a stage.
        keep: Takes the paths that were chosen, trace field -> path.
    """

    def __init__(self, response: Response = AUTO, store: EvidenceStore | None = None) -> None:
        """Prepare.

        Args:
            response: The suite's `response:`.
            store: The evidence store, which knows ids and texts.

        Raises:
            UsageError: A key is no trace field or an expression is not JMESPath.
        """
        self._explicit = compile_response(response) if isinstance(response, Mapping) and response else None
        self._chosen: ResponseMapping | None = None
        self._unclear: Understanding | None = None
        self._form: Form | None = None
        self._store = store
        self._chunks = StageReader(store)
        self.repeating = 0
        self.keep: Callable[[dict[str, str]], object] = lambda _paths: None

    @property
    def explicit(self) -> ResponseMapping | None:
        """The suite's `response:`; None where it names no path."""
        return self._explicit

    @property
    def paths(self) -> dict[str, str]:
        """Trace field -> path, as they were chosen; empty where none were."""
        return self._chosen.expressions if self._chosen is not None else {}

    @property
    def may_choose(self) -> bool:
        """Whether replies may come that paths have to be chosen for."""
        return self._explicit is None and self._chosen is None

    def read_by(self, paths: Mapping[str, str]) -> None:
        """Read replies by paths that were chosen before, as a resumed run does; without any nothing is changed."""
        if paths:
            self._chosen = compile_response(paths)

    def choose(self, replies: Sequence[AskedReply], *, asks_context: bool = True) -> bool:
        """Choose the paths of the app by some of its replies; False where it is not clear what they are.

        Args:
            replies: The replies.
            asks_context: The suite wants every answer to come with its context.
        """
        # Imported here: of an app that speaks the trace format nothing has to be chosen.
        from raggate_action.replies.place_choice import understand

        # What is the same for every question may be the answer, where nothing else can be: gates judge it.
        found = understand(replies, lambda _text: True)
        paths, context = found.response, found.context
        if context.taken is None and context.others and asks_context:
            if len(context.others) > 1 or context.others[0].texts or self._store is None:
                paths = {}
            else:
                # Ids alone, whose texts the store has.
                paths = {**paths, "context": context.others[0].path} if paths else {}
        self._unclear = None if paths else found
        if paths:
            self.read_by(paths)
            self.keep(paths)
        return bool(paths)

    def as_it_is(self, raw: bytes, schema: type[Trace] = Trace) -> Trace | None:
        """A reply that is a trace already, with nothing in it to be read; None for any other.

        Most replies of an app that speaks the trace format are, and reading those once more would make them dear.
        """
        if self._explicit is not None:
            return None
        try:
            trace = schema.model_validate_json(raw)
        except ValidationError:
            return None
        return trace if self._chunks.leaves(trace) else None

    def trace_json(self, reply: JsonValue, *, may_wait: bool = False) -> dict[str, Any]:
        """The trace of one reply, as JSON.

        Raises:
            NotChosenError: It may wait, and has to.
            ReplyMismatchError: Nothing in it can be told to be its answer, or a path of the suite cannot be applied.
            UsageError: There was no end to an expression.
        """
        if self._explicit is not None:
            found = self._by_paths(reply, self._explicit)
            if found is None:
                # A path that cannot be applied says so itself.
                self._explicit.value("answer" if "answer" in self._explicit.expressions else "claims", reply)
                raise ReplyMismatchError(_misfit(reply, self._explicit))
        else:
            found = self._found(reply, may_wait=may_wait)
        trace = self._chunks.read(found)
        lists = [chunks for stage in STAGES if isinstance(chunks := trace.get(stage), list)]
        self.repeating += any(isinstance(each, dict) and each.get("repeated") for chunks in lists for each in chunks)
        return trace

    def _found(self, reply: JsonValue, *, may_wait: bool) -> dict[str, Any]:
        """A reply that is a trace or plain text, or what paths or its form find in it."""
        from raggate_action.replies.known_forms import known_form, own_trace

        if (own := own_trace(reply)) is not None:
            return own
        found = None if self._chosen is None else self._by_paths(reply, self._chosen)
        if found is not None and "context" in found:
            return found
        if (place := known_form(reply, first=self._form)) is not None:
            self._form = place.form
            if place.context is not None:
                return {"answer": place.answer[1], "context": place.context[1]}
        # Beside a provider's form an app may have the evidence under a name of its own.
        if may_wait and self._chosen is None and isinstance(reply, dict | list):
            raise NotChosenError
        if found is not None and "error" not in found:
            return found
        if place is not None:
            return {"answer": place.answer[1]}
        if (error := stated_error(reply)) is not None:
            return {"error": error.text}
        if not isinstance(reply, dict | list):
            raise ReplyMismatchError(f"write one JSON object, found {json_kind(reply)}")
        raise ReplyMismatchError(self._not_clear(reply) if self._chosen is None else _misfit(reply, self._chosen))

    def _by_paths(self, reply: JsonValue, paths: ResponseMapping) -> dict[str, Any] | None:
        """What paths find in a reply, or the error that it states; None where they find no answer."""
        names = [name for name in ("answer", "claims") if name in paths.expressions]
        answered = len(names) > len(paths.without_value(reply, names))
        error = stated_error(reply)
        if error is not None and (error.is_flagged or not answered):
            return {"error": error.text}
        if names and not answered:
            return None
        found = paths.trace_json(reply)
        if has_too_many_nodes(found):
            raise ReplyMismatchError(
                f"as mapped by `response:`, it holds more than {MOST_NODES:,} values; answer with less"
            )
        answer = found.get("answer")
        if not is_answer_form(answer) and (text := read_answer(answer)) is not None:
            found["answer"] = text
        return found

    def case_id_of(self, line: bytes) -> str | None:
        """The case of a line of recorded replies; None where the line names no case.

        Raises:
            UsageError: There was no end to the suite's expression for it.
        """
        if self._explicit is not None and "case_id" in self._explicit.expressions:
            try:
                case_id = self._explicit.value("case_id", from_json(line))
            except ValueError:
                return None
        elif (case_id := case_id_of(line)) is None:
            try:
                reply = from_json(line)
            except ValueError:
                return None
            case_id = reply.get("case_id") if isinstance(reply, dict) else None
        if isinstance(case_id, int) and not isinstance(case_id, bool):
            return str(case_id)
        return case_id if isinstance(case_id, str) else None

    def _not_clear(self, reply: JsonValue) -> str:
        """Why no paths could be chosen, and what to write instead."""
        from raggate_action.replies.place_choice import AskedReply, understand

        found = self._unclear or understand([AskedReply("", reply)])
        if found.answer.taken is None and not found.answer.others:
            where = f"write where it stands under `target:`, as in {response_line({'answer': 'output.text'})}"
            return f"{_SHAPE}: nothing in it is an answer; {where}; the reply is {shape_of(reply)}"
        is_answer = found.answer.taken is None or not found.context.others
        field, choice = ("answer", found.answer) if is_answer else ("context", found.context)
        return _unclear_field(field, choice, found)


def _misfit(reply: JsonValue, paths: ResponseMapping) -> str:
    """What is wrong with a reply in which a path finds no answer."""
    field = "answer" if "answer" in paths.expressions else "claims"
    where = f"write under `target: response:` where it stands; the reply is {shape_of(reply)}"
    return f"{_SHAPE}: `{field}: {paths.expressions[field]}` finds nothing in it; {where}"


def _unclear_field(field: str, choice: Choice, found: Understanding) -> str:
    places = [each.path for each in (choice.taken, *choice.others) if each is not None]
    doubt = f" ({choice.doubt})" if choice.doubt else ""
    named = ", ".join([f"`{path}`" for path in places[:_MOST_PLACES]])
    example = response_line({**found.response, field: places[0]})
    return f"{_SHAPE}: its {field} is not clear{doubt}: {named}; write which is meant under `target:`, as in {example}"


_MOST_PLACES = 6
# Begins what is said of a reply in which nobody can tell the answer.
_SHAPE = "reply-shape"


def response_line(response: Mapping[str, str]) -> str:
    """A mapping as a suite may have it in one line."""
    fields = ", ".join(
        [f'{field}: "{path}"' if "[" in path else f"{field}: {path}" for field, path in response.items()]
    )
    return f"`response: {{{fields}}}`"


# A key of this form is a name that somebody gave a field; any other may be a value that an app files things under.
_NAME = re.compile(r"[A-Za-z_][\w-]{0,39}")
_DEEPEST = 6
_KEYS = 12


def shape_of(reply: JsonValue) -> str:
    """Keys and types: `{output: {text: string, docs: [{id: string}]}}`. Of a list its first item stands for all."""
    return _shape(reply, _DEEPEST)


def _shape(value: JsonValue, depth: int) -> str:
    if isinstance(value, dict):
        if not value or not depth:
            return "{...}" if value else "{}"
        fields = [f"{printable_key(key)}: {_shape(each, depth - 1)}" for key, each in list(value.items())[:_KEYS]]
        return "{" + ", ".join([*fields, *(["..."] if len(value) > _KEYS else [])]) + "}"
    if isinstance(value, list):
        return f"[{_shape(value[0], depth - 1)}]" if value and depth else "[...]" if value else "[]"
    if isinstance(value, bool):
        return "boolean"
    return "null" if value is None else "string" if isinstance(value, str) else "number"


def printable_key(key: str) -> str:
    """A key as messages may show it: a key that is no name may be a private value."""
    return key if _NAME.fullmatch(key) else "(another key)"
