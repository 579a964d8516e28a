"""How a language is read by rules whose words are English: what bounds, denies, counts and dates, by English words.

A language with such a table is a module named by its ISO 639-1 code and `_words`, with a record called WORDS; nothing
else lists it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

_SUFFIX = "_words"
_CODE_LENGTH = 2


class WordTable(NamedTuple):
    """The closed words of a language; all in small letters.

    Attributes:
        words: A word, and what it is in English.
        phrases: The same of several words with a blank, hyphen or apostrophe between them; looked for first.
        elided: What is drawn together with the word behind it, without its apostrophe.
    """

    words: Mapping[str, str]
    phrases: Mapping[str, str]
    elided: Mapping[str, str]


def words(pairs: str) -> dict[str, str]:
    """A table from text: "english: word word; english: word"."""
    table: dict[str, str] = {}
    for entry in pairs.split(";"):
        english, _colon, named = entry.strip().partition(":")
        table |= {each.replace("_", " "): english.replace("_", " ") for each in named.split()}
    return table


# The languages that have a table, English aside.
READ = tuple(
    sorted(
        name.removesuffix(_SUFFIX)
        for name in [module.name for module in iter_modules(import_module(__name__.rpartition(".")[0]).__path__)]
        if name.endswith(_SUFFIX) and len(name) == _CODE_LENGTH + len(_SUFFIX) and name != f"en{_SUFFIX}"
    )
)

# The languages whose numbers, units, dates, negation and bounds are known.
KNOWN_WORDS = frozenset(("en", *READ))


@cache
def table_of(language: str) -> WordTable:
    """The table of a language, one of `READ`."""
    table: WordTable = import_module(f"{__package__}.{language}{_SUFFIX}").WORDS
    return table
