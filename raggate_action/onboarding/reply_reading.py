"""A raw reply read as a trace: what was taken for what, and what a suite would have to say where that is not plain."""

from __future__ import annotations

import json
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from raggate_action.replies.mapping import ReplyMismatchError
from raggate_action.replies.proposal import Proposal, propose
from raggate_action.replies.stages import StageReader
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import Trace
from raggate_action.targets.reply_mapping import ReplyMapping
from raggate_action.targets.reply_shape import nearest_path, shape_of
from raggate_action.targets.schema_problems import schema_problems

_FIELDS = ("answer", "context")


class ReadReply(NamedTuple):
    """A reply, read.

    Attributes:
        trace: The trace; None where it could not be read as one.
        taken: Trace field -> path in the reply; empty for trace JSON itself.
        response: What a suite has to write under `target: response`; empty where nothing has to be written.
        problem: Why there is no trace, or what of it is doubtful; empty where all is plain.
        shape: Keys and types of the reply.
        has_context: The reply has a place for the context, filled or not.
    """

    trace: Trace | None
    taken: dict[str, str]
    response: dict[str, str]
    problem: str
    shape: str
    has_context: bool


def read_reply(
    reply: JsonValue, response: dict[str, str] | None = None, *, store: EvidenceStore | None = None
) -> ReadReply:
    """Read a reply by a suite's mapping, else by itself.

    Where it cannot be read by itself, the paths that come nearest are proposed, and read by.
    """
    if response:
        return _mapped(reply, response, "", store)
    found = propose(reply)
    if found.clashes:
        clash = found.clashes[0]
        places = " and ".join(f"`{path}`" for path in clash.paths)
        problem = f"{clash.field} could be {places}, which differ; `{clash.paths[0]}` was taken"
        return _mapped(reply, found.response, problem, store)
    if not found.has_answer:
        return _guessed(reply, found, store)
    trace = _validated(StageReader(store).read(found.trace))
    problem = trace if isinstance(trace, str) else ""
    taken = {field: path for field, path in found.taken.items() if path != "@"}
    return ReadReply(
        None if isinstance(trace, str) else trace, taken, {}, problem, shape_of(reply), "context" in found.trace
    )


def _guessed(reply: JsonValue, found: Proposal, store: EvidenceStore | None) -> ReadReply:
    near = {field: nearest_path(reply, field, field) for field in _FIELDS if field not in found.taken}
    proposed = {**found.taken, **{field: path for field, path in near.items() if path}}
    if "answer" not in proposed:
        return ReadReply(None, found.taken, {}, "nothing in it is an answer", shape_of(reply), has_context=False)
    named = ", ".join(f"`{field}: {path}`" for field, path in proposed.items())
    return _mapped(reply, proposed, f"no key of it is one that apps use for an answer; nearest is {named}", store)


def _mapped(reply: JsonValue, response: dict[str, str], problem: str, store: EvidenceStore | None) -> ReadReply:
    shape = shape_of(reply)
    try:
        trace = _validated(ReplyMapping(response, store).trace_json(reply))
    except ReplyMismatchError as error:
        trace = str(error)
    has_context = "context" in response
    if isinstance(trace, str):
        return ReadReply(None, response, response, "; ".join(filter(None, (problem, trace))), shape, has_context)
    return ReadReply(trace, response, response, problem, shape, has_context)


def _validated(fields: dict[str, object]) -> Trace | str:
    try:
        return Trace.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        return schema_problems(error)
