"""The replies of one app as traces, read by the suite's `response:` or by the keys that apps use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from raggate_action.replies.place_choice import Understanding
    from raggate_action.replies.proposal import Proposal

# Of two words, how much they are alike; `answr` is a slip for `answer`, `question` is none.
_A_SLIP = 0.75


class ReplyMapping:
    """Turns the replies of one app into trace JSON, every chunk under one id.

    Attributes:
        paths: Trace field -> path, of the first reply that its keys were read from; empty where none was.
        unused_keys: The keys of that reply of which nothing was taken.
        shape: Keys and types of the first reply that is no trace; empty where every one is.
        problem: What was wrong with the first reply that nobody could tell an answer in; empty without one.
        possible: Paths that would find its evidence, deeper in the first reply than a run looks; empty without any.
        repeating: Replies in which a chunk came twice in a stage.
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
        self._chunks = StageReader(store)
        self.paths: dict[str, str] = {}
        self.unused_keys: tuple[str, ...] = ()
        self.shape = ""
        self.problem = ""
        self.possible: dict[str, str] = {}
        self.repeating = 0

    @property
    def explicit(self) -> ResponseMapping | None:
        """The suite's `response:`; None where replies are read by their keys."""
        return self._explicit

    @property
    def paths_line(self) -> str:
        """The paths that are read, in a line."""
        found = ", ".join([f"{field} from `{path}`" for field, path in self.paths.items() if field != "case_id"])
        rest = f"; not read: {', '.join(map(printable_key, self.unused_keys))}" if self.unused_keys else ""
        return f"read from the app's replies: {found}{rest}"

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

    def trace_json(self, reply: JsonValue) -> dict[str, Any]:
        """The trace of one reply, as JSON.

        Raises:
            ReplyMismatchError: Nothing in it can be told to be its answer, or a path of the suite cannot be applied.
            UsageError: There was no end to an expression.
        """
        if self._explicit is not None:
            if (error := self.error_of(reply)) is not None:
                return {"error": error}
            found = self._explicit.trace_json(reply)
            if has_too_many_nodes(found):
                raise ReplyMismatchError(
                    f"as mapped by `response:`, it holds more than {MOST_NODES:,} values; answer with less"
                )
            answer = found.get("answer")
            if not is_answer_form(answer) and (text := read_answer(answer)) is not None:
                found["answer"] = text
        else:
            found = self._proposed(reply)
        trace = self._chunks.read(found)
        lists = [chunks for stage in STAGES if isinstance(chunks := trace.get(stage), list)]
        self.repeating += any(isinstance(each, dict) and each.get("repeated") for chunks in lists for each in chunks)
        return trace

    def error_of(self, reply: JsonValue) -> str | None:
        """The error that a reply states where the suite's paths find no answer in it; None without either.

        Raises:
            UsageError: There was no end to an expression.
        """
        error = stated_error(reply)
        if error is None or self._explicit is None:
            return None
        fields = [name for name in ("answer", "claims") if name in self._explicit.expressions]
        answered = len(fields) > len(self._explicit.without_value(reply, fields))
        return None if answered and not error.is_flagged else error.text

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

    def _proposed(self, reply: JsonValue) -> dict[str, Any]:
        # Imported here: of an app that speaks the trace format nothing has to be found.
        from raggate_action.replies.known_forms import envelope_of
        from raggate_action.replies.proposal import propose

        if not isinstance(reply, dict | str) and envelope_of(reply) is None:
            raise ReplyMismatchError(f"write one JSON object, found {json_kind(reply)}")
        proposal = propose(reply)
        if not self.shape and not proposal.is_trace:
            self.shape = shape_of(reply)
        if not proposal.has_answer:
            problem = clash_problem(proposal) if proposal.clashes else _nothing_problem(reply)
            self.problem = self.problem or problem
            raise ReplyMismatchError(problem)
        if "answer" in proposal.paths and not self.paths:
            if "context" not in proposal.paths:
                found = _understood(reply)
                self.possible = found.response if found.context.taken is not None else {}
            self.paths, self.unused_keys = proposal.paths, proposal.unused_keys
        return proposal.trace


def clash_problem(proposal: Proposal) -> str:
    """What is wrong with a reply of which two places fit one field and differ, and what to write."""
    found = " and ".join(
        [
            f"both `{each.paths[0]}` and `{each.paths[1]}` fit `{each.field}`, and they differ"
            for each in proposal.clashes
        ]
    )
    return f"{found}; write which is meant under `target:`, as in {response_line(proposal.response)}"


def response_line(response: Mapping[str, str]) -> str:
    """A mapping as a suite may have it in one line."""
    fields = ", ".join(
        [f'{field}: "{path}"' if "[" in path else f"{field}: {path}" for field, path in response.items()]
    )
    return f"`response: {{{fields}}}`"


def _understood(reply: JsonValue) -> Understanding:
    """What deeper reading finds, for a message; imported here, for most runs have nothing to say.

    Raises:
        ReplyMismatchError: It has too many places to look at.
    """
    from raggate_action.replies.place_choice import TOO_MANY, AskedReply, understand

    found = understand([AskedReply("", reply)])
    for field, choice in (("answer", found.answer), ("context", found.context)):
        if choice.doubt == TOO_MANY:
            example = response_line({field: choice.others[0].path})
            raise ReplyMismatchError(f"its {field} is not clear, {TOO_MANY}: write it under `target:`, as {example}")
    return found


def _nothing_problem(reply: JsonValue) -> str:
    keys = list(reply) if isinstance(reply, dict) else []
    if slip := get_close_matches("answer", keys, n=1, cutoff=_A_SLIP):
        return f"{slip[0]}: unknown field; did you mean answer?"
    found = _understood(reply).response
    example = response_line(found or {"answer": nearest_path(reply, "answer", "answer") or "output.text"})
    where = f"write where it stands under `target:`, as in {example}"
    return f"no key in it is known as an answer's: {where}; a reply is {shape_of(reply)}"


# A key of this form is a name that somebody gave a field; any other may be a value that an app files things under.
_NAME = re.compile(r"[A-Za-z_][\w-]{0,39}")
_PLAIN = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 6
_KEYS = 12
_PATHS = 500
# What apps call these things; only breaks ties between paths that are equally near.
_USUAL = {
    "answer": frozenset({"answer", "text", "output", "response", "content", "message", "result", "completion"}),
    "context": frozenset(
        {"context", "contexts", "docs", "documents", "sources", "chunks", "passages", "id", "chunk_id"}
    ),
    "candidates": frozenset({"candidates", "retrieved", "results", "hits", "docs", "documents", "id", "chunk_id"}),
}
_IS_ID = re.compile(r"(?:^|_)id$")


class _Path(NamedTuple):
    """A path that leads to text, and whether it leads to one for each item of a list."""

    written: str
    keys: tuple[str, ...]
    of_list: bool


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


def nearest_path(reply: JsonValue, field: str, expression: str) -> str | None:
    """The path nearest to `expression` that finds what the field needs; None where the reply has nothing of the kind.

    Args:
        reply: What the app said.
        field: `answer` needs a text; any other field a text for each item of a list.
        expression: What the suite says.
    """
    fitting = [path for path in _paths(reply) if path.of_list == (field != "answer")]
    return max(fitting, key=lambda path: _nearness(path, field, expression)).written if fitting else None


def _nearness(path: _Path, field: str, expression: str) -> float:
    words = re.findall(r"\w+", expression)
    last = SequenceMatcher(None, words[-1] if words else "", path.keys[-1]).ratio() if path.keys else 0.0
    usual = bool(_USUAL.get(field, frozenset()).intersection(path.keys))
    is_id = path.of_list and bool(path.keys) and _IS_ID.search(path.keys[-1]) is not None
    return SequenceMatcher(None, expression, path.written).ratio() + last / 2 + usual / 4 + is_id / 4


def _paths(reply: JsonValue) -> Iterator[_Path]:
    """Paths that lead to text, in the order of the reply."""
    budget = [_PATHS]

    def walk(value: JsonValue, path: _Path, depth: int) -> Iterator[_Path]:
        if not depth or budget[0] <= 0:
            return
        budget[0] -= 1
        if isinstance(value, str):
            yield path
        elif isinstance(value, dict):
            for key, each in value.items():
                if _NAME.fullmatch(key):
                    name = key if _PLAIN.fullmatch(key) else json.dumps(key)
                    written = f"{path.written}.{name}" if path.written else name
                    yield from walk(each, _Path(written, (*path.keys, key), path.of_list), depth - 1)
        elif isinstance(value, list) and value:
            yield from walk(value[0], _Path(f"{path.written}[]", path.keys, of_list=True), depth - 1)

    yield from walk(reply, _Path("", (), of_list=False), _DEEPEST)
