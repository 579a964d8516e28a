"""The prompt of the claims job: a constant part, then the material, piece by piece between lines of a random token."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from raggate_action.judges.claims_reply import reply_schema
from raggate_action.judges.interface import AskedChunk, ClaimsTask
from raggate_action.judges.shown_text import is_plain, shown_text
from raggate_action.schema.base import digest_of
from raggate_action.strings.template_files import template_directory

if TYPE_CHECKING:
    from jinja2 import Template
    from pydantic import JsonValue

# How a task becomes pieces, in what order, under what names; another way is another prompt.
RENDERING: Final = 1
# About a quarter of a million tokens, more than most models read at once. What is longer is not cut: a judge that saw
# a part would call the rest unsupported.
MOST_CHARACTERS: Final = 1_000_000
# What stands around a piece, about.
FRAME_BYTES: Final = 80
_USER = "pieces.user.j2"
_SYSTEM = "claims.system.j2"
_REPAIR = "claims.repair.j2"


class Piece(NamedTuple):
    """A text between two lines of the token."""

    name: str
    text: str


class Labels(NamedTuple):
    """What the names in a prompt stand for.

    Attributes:
        claims: Number -> id of a claim, the settled ones behind those to be examined.
        asked: How many are to be examined.
        chunks: Name -> chunk. A chunk's own id where it is plain, else a name of ours.
        points: Number -> point.
    """

    claims: Mapping[int, str]
    asked: int
    chunks: Mapping[str, AskedChunk]
    points: Mapping[int, str]


class Prompt(NamedTuple):
    """A prompt as it is sent.

    Attributes:
        system: The constant part, the same bytes in every call.
        user: The material.
        labels: What its names stand for.
    """

    system: str
    user: str
    labels: Labels


def claims_prompt(task: ClaimsTask, token: str) -> Prompt:
    """The prompt for a task.

    Args:
        task: The material.
        token: What the lines around pieces are known by; nobody who wrote the material may be able to guess it.
    """
    labels = labels_of(task)
    return Prompt(system_part(), user_part(_pieces(task, labels), _closing(labels), token), labels)


def user_part(pieces: Iterable[Piece], closing: str, token: str) -> str:
    """The material of a call, each piece between lines of the token, and what is to be done as its last line."""
    listed = [piece._replace(text=shown_text(piece.text)) for piece in pieces]
    return template(_USER).render(token=token, pieces=listed, closing=closing)


@cache
def system_part() -> str:
    """The constant part."""
    return template(_SYSTEM).render(schema=json.dumps(reply_schema(), separators=(",", ":")))


def repair_part(problems: Iterable[str]) -> str:
    """What a judge is told of a reply that cannot be used."""
    return template(_REPAIR).render(problems=[shown_text(problem) for problem in problems])


@cache
def claims_prompt_digest() -> str:
    """Digest of all that is constant: templates, the reply's schema, the way of rendering."""
    return digest_of_prompt(_SYSTEM, reply_schema(), RENDERING)


def digest_of_prompt(system: str, schema: Mapping[str, JsonValue], rendering: int) -> str:
    """Digest of what is constant in a job's prompt.

    Args:
        system: Name of the template of its constant part; those of the material and of repair are the same for all.
        schema: The reply's.
        rendering: Which way of rendering.
    """
    return digest_of([*[_source(name) for name in (system, _USER, _REPAIR)], schema, rendering])


def labels_of(task: ClaimsTask) -> Labels:
    """The names under which a task's claims, chunks and points are shown."""
    claims = [claim.claim_id for claim in (*task.claims, *task.settled)]
    points = {number: point.point for number, point in enumerate(task.points, 1)}
    return Labels(dict(enumerate(claims, 1)), len(task.claims), chunk_names(task.chunks), points)


def chunk_names(chunks: Sequence[AskedChunk]) -> dict[str, AskedChunk]:
    """The chunks by the names they are shown under: their own ids where these are plain, else names of ours."""
    plain = {chunk.chunk_id for chunk in chunks if is_plain(chunk.chunk_id)}
    found: dict[str, AskedChunk] = {}
    for number, chunk in enumerate(chunks, 1):
        name = chunk.chunk_id
        if name not in plain or name in found:
            name = f"chunk-{number}"
            while name in plain or name in found:
                name += "x"
        found[name] = chunk
    return found


def chunk_pieces(chunks: Mapping[str, AskedChunk]) -> Iterable[Piece]:
    """The chunks as pieces, by their names."""
    return (Piece(f'chunk "{name}"', chunk.text) for name, chunk in chunks.items())


def _pieces(task: ClaimsTask, labels: Labels) -> Iterable[Piece]:
    yield Piece("question", task.question)
    yield from chunk_pieces(labels.chunks)
    yield Piece("answer", task.answer)
    for number, claim in enumerate((*task.claims, *task.settled), 1):
        yield Piece(f"{'claim' if number <= labels.asked else 'settled claim'} {number}", claim.text)
    for number, point in enumerate(task.points, 1):
        yield Piece(f"point {number}", point.text)


def _closing(labels: Labels) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    if not labels.asked:
        task = "There is no claim to examine"
    else:
        which = f"claims 1 to {labels.asked}" if labels.asked > 1 else "claim 1"
        task = f"Examine {which} against {'the chunks' if labels.chunks else 'nothing, for there is no chunk'}"
    points = ", look for the points" if labels.points else ""
    return f"{task}{points}, say whether the answer declines, and reply with the JSON object alone."


@cache
def _source(name: str) -> str:
    return (template_directory() / "prompts" / name).read_text(encoding="utf-8")


@cache
def template(name: str) -> Template:
    """A template of `templates/prompts`, by its file name."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: what is not HTML would be changed by it, and quotes are held against the text as it was shown.
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False, autoescape=False
    )
    return environment.from_string(_source(name))
