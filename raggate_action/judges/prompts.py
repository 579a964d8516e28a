"""The prompt of the claims job: a constant part, then the material, piece by piece between lines of a random token."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from raggate_action.judges.claims_reply import reply_schema
from raggate_action.judges.interface import AskedChunk, ClaimsTask
from raggate_action.judges.shown_text import is_plain, shown_text
from raggate_action.schema.base import digest_of
from raggate_action.template_files import template_directory

if TYPE_CHECKING:
    from jinja2 import Template

# How a task becomes pieces, in what order, under what names; another way is another prompt.
RENDERING: Final = 1
# About a quarter of a million tokens, more than most models read at once. What is longer is not cut: a judge that saw
# a part would call the rest unsupported.
MOST_CHARACTERS: Final = 1_000_000
_TEMPLATES = ("claims.system.j2", "claims.user.j2", "claims.repair.j2")


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

    @property
    def characters(self) -> int:
        """How long it is."""
        return len(self.system) + len(self.user)


def claims_prompt(task: ClaimsTask, token: str) -> Prompt:
    """The prompt for a task.

    Args:
        task: The material.
        token: What the lines around pieces are known by; nobody who wrote the material may be able to guess it.
    """
    labels = labels_of(task)
    pieces = [Piece(name, shown_text(text)) for name, text in _pieces(task, labels)]
    user = _template("claims.user.j2").render(token=token, pieces=pieces, closing=_closing(labels))
    return Prompt(system_part(), user, labels)


@cache
def system_part() -> str:
    """The constant part."""
    return _template("claims.system.j2").render(schema=json.dumps(reply_schema(), separators=(",", ":")))


def repair_part(problems: Iterable[str]) -> str:
    """What a judge is told of a reply that cannot be used."""
    return _template("claims.repair.j2").render(problems=[shown_text(problem) for problem in problems])


@cache
def claims_prompt_digest() -> str:
    """Digest of all that is constant: templates, the reply's schema, the way of rendering."""
    sources = [_source(name) for name in _TEMPLATES]
    return digest_of([*sources, reply_schema(), RENDERING])


def labels_of(task: ClaimsTask) -> Labels:
    """The names under which a task's claims, chunks and points are shown."""
    claims = [claim.claim_id for claim in (*task.claims, *task.settled)]
    plain = {chunk.chunk_id for chunk in task.chunks if is_plain(chunk.chunk_id)}
    chunks: dict[str, AskedChunk] = {}
    for number, chunk in enumerate(task.chunks, 1):
        name = chunk.chunk_id
        if name not in plain or name in chunks:
            name = f"chunk-{number}"
            while name in plain or name in chunks:
                name += "x"
        chunks[name] = chunk
    points = {number: point.point for number, point in enumerate(task.points, 1)}
    return Labels(dict(enumerate(claims, 1)), len(task.claims), chunks, points)


def _pieces(task: ClaimsTask, labels: Labels) -> Iterable[tuple[str, str]]:
    yield "question", task.question
    for name, chunk in labels.chunks.items():
        yield f'chunk "{name}"', chunk.text
    yield "answer", task.answer
    for number, claim in enumerate((*task.claims, *task.settled), 1):
        yield f"{'claim' if number <= labels.asked else 'settled claim'} {number}", claim.text
    for number, point in enumerate(task.points, 1):
        yield f"point {number}", point.text


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
def _template(name: str) -> Template:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: what is not HTML would be changed by it, and quotes are held against the text as it was shown.
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False, autoescape=False
    )
    return environment.from_string(_source(name))
