"""Whether a text is English: for a language whose words they do not know the rules of the evidence stay silent."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from raggate_action.strings.data_tables import read_words

_LATIN = re.compile(r"[A-Za-z]")
# Of ASCII texts, everything but letters as blanks.
_PARTED = {code: " " for code in range(128) if not chr(code).isalpha()}
_OTHER_LETTERS = re.compile(r"[^\W\d_A-Za-z\u00aa-\u024f\u1e00-\u1eff]")


_SETS = read_words("raggate_action.core.text.languages", "english_or_foreign.yaml")
_ENGLISH = _SETS["english"]
_FOREIGN = _SETS["foreign"] - _ENGLISH


def reads_as_english(words: AbstractSet[str], text: str) -> bool:
    """Whether a text is English, told by its commonest words; a text without any of them is not.

    Args:
        words: Its words, lower-cased.
        text: The text, or its beginning, for the script.
    """
    english = len(words & _ENGLISH)
    return english > len(words & _FOREIGN) and not is_other_script(text)


def reads_as_foreign(words: AbstractSet[str], text: str, *, least: int = 1) -> bool:
    """Whether a text is of another language: another script, or that language's common words outnumber English ones.

    Args:
        words: Its words, lower-cased.
        text: The text, or its beginning, for the script.
        least: How many of the other language's common words it takes.
    """
    foreign = len(words & _FOREIGN)
    return is_other_script(text) or (foreign >= least and foreign >= len(words & _ENGLISH))


def may_read_as_foreign(text: str, *, least: int) -> bool:
    """Whether `reads_as_foreign` may say so of some words of a text: a quick look before it is read."""
    return not text.isascii() or len(_FOREIGN.intersection(text.lower().translate(_PARTED).split())) >= least


def is_other_script(text: str) -> bool:
    """Whether most letters of a text are not Latin ones."""
    return not text.isascii() and len(_OTHER_LETTERS.findall(text)) > len(_LATIN.findall(text))
