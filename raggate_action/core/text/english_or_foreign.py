"""Whether a text is English: for a language whose words they do not know the rules of the evidence stay silent."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

_LATIN = re.compile(r"[A-Za-z]")
# Of ASCII texts, everything but letters as blanks.
_PARTED = {code: " " for code in range(128) if not chr(code).isalpha()}
_OTHER_LETTERS = re.compile(r"[^\W\d_A-Za-z\u00aa-\u024f\u1e00-\u1eff]")


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = _words(
    "the and with that from this it be has not you your which their is are was were of to in for on at by as an a if"
    " or can may must will have had been its they he she his her we all but than only when after before there no"
    " does do did per each every up out about into over under more most other who would should"
)
_FOREIGN = (
    _words(
        "der die das und ist nicht ein eine einen einem einer mit von zu zum zur auf für den dem des im sind wird"
        " werden können kann nach bei aus oder auch wenn innerhalb le la les un une des du est et dans pour que qui sur"
        " avec pas ne vous nous sont être au aux ce cette par il elle el los las y es una por con para como del se su"
        " al lo está más e di il che per non della dei sono una gli nel alla het een en van voor niet dat zijn met"
        " wordt og er ikke til av som på att och är det en med för i de da do na os em não uma é są w z jest nie się o"
        " или и не на в с по что это как для"
    )
    - _ENGLISH
)


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
