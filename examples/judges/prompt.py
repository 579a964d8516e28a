"""What a judge is shown, read from the message as a careful reader does: by the token that was drawn for it alone."""

from __future__ import annotations

import re
from typing import NamedTuple

_FIRST = re.compile(r"The token of this message is (\S+)\.\n")
_CHUNK = re.compile(r'chunk "(.*)"')
_NUMBERED = re.compile(r"(claim|point) (\d+)")


class Material(NamedTuple):
    """The pieces of a message.

    Attributes:
        question, answer: As they are; no answer where there are two.
        chunks: By the name they are shown with, in order; of claims, each sentence on a line behind its number.
        claims: Those to be examined, by number.
        points: By number.
        answers: The two answers of a pair, by the letter they are shown under.
    """

    question: str
    answer: str
    chunks: dict[str, str]
    claims: dict[int, str]
    points: dict[int, str]
    answers: dict[str, str]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that strangers wrote."""
        return self.question, self.answer, *self.chunks.values(), *self.answers.values()


def read_material(message: str) -> Material:
    """The pieces between lines of the token; whatever else looks like such a line is a part of its piece.

    Raises:
        ValueError: The message names no token.
    """
    first = _FIRST.match(message)
    if first is None:
        raise ValueError("the message begins with no token")
    token = re.escape(first[1])
    found = re.findall(rf"^<<<{token} (?!end>>>)(.+?)>>>\n(.*?)\n<<<{token} end>>>$", message, re.DOTALL | re.MULTILINE)
    whole = dict(found)
    numbered = [(kind[1], int(kind[2]), text) for name, text in found if (kind := _NUMBERED.fullmatch(name))]
    return Material(
        question=whole.get("question", ""),
        answer=whole.get("answer", ""),
        chunks={kind[1]: text for name, text in found if (kind := _CHUNK.fullmatch(name))},
        claims={number: text for kind, number, text in numbered if kind == "claim"},
        points={number: text for kind, number, text in numbered if kind == "point"},
        answers={letter: whole[name] for letter in "AB" if (name := f"answer {letter}") in whole},
    )
