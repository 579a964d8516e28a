"""Whether an answer fits its own case, as one that an app gives to whatever it is asked does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.text.languages.language_rules import in_any_language
from raggate_action.core.text.text import Text, words_alone
from raggate_action.schema.base import digest_of_text

_CITATION = re.compile(r"\[[^\[\]\n]{1,80}\]|【[^】\n]{1,80}】")
_WORD = re.compile(r"\w+")
# So many words of the evidence in a row are a quotation.
_QUOTED = 6


class OwnAnswer(NamedTuple):
    """What an answer is held against to tell whether it is about its own case.

    Attributes:
        mains: What main's app answered.
        evidence: Texts of what the answer was given.
        declined: It declines, and main's answers do.
    """

    mains: Sequence[str]
    evidence: Sequence[str]
    declined: bool


def same_digest(answer: str, own: OwnAnswer) -> str | None:
    """Digest of an answer that has nothing of its case, by which the same one is found in others; None of one that has.

    An answer has something of its case if it is main's, gives a value of main's, quotes its evidence, is the yes or no
    that main's begin with, or declines as they do.
    """
    spelled = _spelled(answer)
    if not spelled or own.declined or spelled in map(_spelled, own.mains):
        return None
    if _gives_value(answer, own.mains) or _quotes(spelled, own.evidence) or _agrees(answer, own.mains):
        return None
    return answer_digest(answer)


def answer_digest(answer: str) -> str:
    """Equal for answers that differ in case, spaces, marks and citations alone."""
    return digest_of_text(_spelled(answer))[:16]


def _spelled(answer: str) -> str:
    return words_alone(_CITATION.sub(" ", answer))


def _gives_value(answer: str, mains: Sequence[str]) -> bool:
    given = Text(answer).figures
    others = [Text(main).figures for main in mains]
    return any(given.times & other.times or set(given.values) & set(other.values) for other in others)


def _quotes(spelled: str, evidence: Sequence[str]) -> bool:
    words = spelled.split()
    runs = {" ".join(words[at : at + _QUOTED]) for at in range(len(words) - _QUOTED + 1)}
    return bool(runs) and any(run in f" {_spelled(text)} " for text in evidence for run in runs)


def _agrees(answer: str, mains: Sequence[str]) -> bool:
    """Whether it is a yes or no, and nothing else, with which main's answers begin."""
    return is_yes_or_no(answer) and all(_spelled(main).startswith(_spelled(answer)) for main in mains)


def is_yes_or_no(answer: str) -> bool:
    """Whether an answer is a yes or no, and nothing else."""
    began = in_any_language("yes_or_no").match(answer.strip())
    return began is not None and 0 < len(_WORD.findall(answer)) <= len(_WORD.findall(began[0]))
