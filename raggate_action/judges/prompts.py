"""How a prompt is put together: a constant part, then the material, piece by piece between lines of a random token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.strings.visible_text import without_invisible

if TYPE_CHECKING:
    from jinja2 import Template


# The lines around a piece begin with three of these; what is drawn like one counts as one, or as the two or three it is
# drawn like.
OPENING = "<<<"
_LESS = "<\uff1c\ufe64\u2039\u00ab\u226a\u22d8\u300a\u3008\u27e8\u27ea\u2329\u276e\u276c\u2770\u02c2\u1438\u29fc"
_DRAWN = {"\u226a": 2, "\u22d8": 3}
_RUN = re.compile(rf"[{_LESS}](?:[^\S\r\n]*[{_LESS}])*")
# By these a chat template tells turns apart, and a server may read them inside a message too: `<|im_start|>`, `</s>`,
# `<start_of_turn>`, `[INST]`, `<<SYS>>`, with bars of any width.
_TURN = re.compile(
    r"<(?=[|\uff5c\u2502\u00a6])|<(?=/?(?:s|bos|eos|start_of_turn|end_of_turn|SYS|think)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/#@+-]{0,63}")


def prompt_text(text: str) -> str:
    """The text for a prompt: characters that nobody sees left out, runs of `<` cut to one, marks of turns opened up.

    What a reader sees of other text stays as it is, line breaks and spaces too. A text it has made stays the same when
    it is made again.
    """
    if not text.isascii():
        text = _HALF.sub("\ufffd", without_invisible(text))
    text = _CONTROL.sub(" ", text)
    text = _RUN.sub(_one, text)
    return _TURN.sub(lambda found: f"{found[0]} ", text)


def invisible(text: str) -> str:
    """A text in characters that nobody sees but some models read, for planted instructions."""
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def _one(found: re.Match[str]) -> str:
    """Two of them stay, as in `1 << 3`; of more one is left."""
    drawn = sum(_DRAWN.get(mark, 1) for mark in found[0] if not mark.isspace())
    return found[0] if drawn < len(OPENING) else "<"


def is_plain(text: str) -> bool:
    """Whether an id can stand in a prompt as it is: short, of letters, digits and a few marks, all of them ASCII."""
    return _PLAIN.fullmatch(text) is not None


# How a task becomes pieces, in what order, under what names; another way is another prompt.
RENDERING: Final = 1
# About a quarter of a million tokens, more than most models read at once. What is longer is not cut: a judge that saw
# a part would call the rest unsupported.
MOST_CHARACTERS: Final = 1_000_000
# What stands around a piece, about.
FRAME_BYTES: Final = 80


class Piece(NamedTuple):
    """A text between two lines of the token."""

    name: str
    text: str


class Prompt(NamedTuple):
    """A prompt as it is sent.

    Attributes:
        system: The constant part, the same bytes in every call.
        user: The material.
    """

    system: str
    user: str


def user_part(pieces: Iterable[Piece], closing: str, token: str) -> str:
    """The material of a call, each piece between lines of the token, and what is to be done as its last line."""
    listed = [piece._replace(text=prompt_text(piece.text)) for piece in pieces]
    return rendered(user_source(), token=token, pieces=listed, closing=closing)


def repair_part(source: str, problems: Iterable[str]) -> str:
    """What a judge is told of a reply that cannot be used."""
    return rendered(source, problems=[prompt_text(problem) for problem in problems])


def user_source() -> str:
    """The template of the material."""
    return template_source(__file__, "pieces.user.j2")


def repair_source() -> str:
    """The template of what a judge is told of a reply out of form, where its job has none of its own."""
    return template_source(__file__, "repair.j2")


def chunk_names(chunks: Sequence[VisibleChunk]) -> dict[str, VisibleChunk]:
    """The chunks by the names they are shown under: their own ids where these are plain, else names of ours."""
    plain = {chunk.chunk_id for chunk in chunks if is_plain(chunk.chunk_id)}
    found: dict[str, VisibleChunk] = {}
    for number, chunk in enumerate(chunks, 1):
        name = chunk.chunk_id
        if name not in plain or name in found:
            name = f"chunk-{number}"
            while name in plain or name in found:
                name += "x"
        found[name] = chunk
    return found


def chunk_pieces(chunks: Mapping[str, VisibleChunk]) -> Iterable[Piece]:
    """The chunks as pieces, by their names."""
    return (Piece(f'chunk "{name}"', chunk.text) for name, chunk in chunks.items())


@cache
def template_source(module: str, name: str) -> str:
    """The source of a template that lies beside a module."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


def rendered(source: str, **values: Any) -> str:
    """A template's text with these values."""
    return _template(source).render(values)


@cache
def _template(source: str) -> Template:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: what is not HTML would be changed by it, and quotes are held against the text as it was shown.
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False, autoescape=False
    )
    return environment.from_string(source)
