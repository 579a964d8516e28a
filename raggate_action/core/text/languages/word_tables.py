"""How a language is read by rules whose words are English: what bounds, denies, counts and dates, by English words.

They stand under `english` in the file of a language, English words first; number words of several parts are made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from raggate_action.core.text.languages.language_rules import KNOWN, table_of
from raggate_action.core.text.number_words import NUMBERS, in_english

# The languages that are read by English words.
READ = tuple(sorted(language for language in KNOWN if language != "en"))


class EnglishWords(NamedTuple):
    """The closed words of a language, each with what it is in English; all in small letters.

    Attributes:
        words: A word.
        phrases: The same of several words with a blank, hyphen or apostrophe between them; looked for first.
        elided: What is drawn together with the word behind it, without its apostrophe.
    """

    words: Mapping[str, str]
    phrases: Mapping[str, str]
    elided: Mapping[str, str]


@cache
def english_words_of(language: str) -> EnglishWords:
    """The words of a language, one of `READ`."""
    table = table_of(language)["english"]
    numbers, phrases = _NUMBERS[language]()
    return EnglishWords(
        in_english(language) | numbers | _by_word(table["words"]),
        phrases | {phrase: english for english, named in table["phrases"].items() for phrase in named},
        _by_word(table.get("elided", {})),
    )


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: english for english, named in table.items() for word in named.split()}


def _german_numbers() -> tuple[dict[str, str], dict[str, str]]:
    """Every number word from two to 999, and round thousands, in digits, and larger ones."""
    named_by = {value: word for word, value in NUMBERS["de"].items()}

    def below_hundred(number: int) -> str:
        if number in named_by or not number:
            return named_by.get(number, "")
        return f"{named_by[number % 10]}und{named_by[number - number % 10]}"

    named = {below_hundred(number): str(number) for number in range(2, 100)}
    for hundreds in range(1, 10):
        for rest in range(100):
            number = str(hundreds * 100 + rest)
            named[f"{named_by[hundreds]}hundert{below_hundred(rest)}"] = number
            if hundreds == 1:
                named[f"hundert{below_hundred(rest)}"] = number
    for thousands in range(2, 100):
        named[f"{below_hundred(thousands)}tausend"] = str(thousands * 1000)
    named |= {f"{below_hundred(whole)}einhalb": f"{whole}.5" for whole in range(1, 10)} | {"anderthalb": "1.5"}
    return named, {}


def _french_numbers() -> tuple[dict[str, str], dict[str, str]]:
    """Number words of several words from 17 to 99, in digits, with the blank that stands for a hyphen as well."""
    named_by = {value: word for word, value in NUMBERS["fr"].items()} | {17: "dix sept", 18: "dix huit", 19: "dix neuf"}
    named: dict[str, str] = {}
    for ten in range(20, 70, 10):
        word = named_by[ten]
        named |= {f"{word} {named_by[one]}": str(ten + one) for one in range(1, 10)}
        named[f"{word} et un"] = named[f"{word} et une"] = str(ten + 1)
    named |= {f"soixante {named_by[one]}": str(60 + one) for one in range(10, 20)} | {"soixante et onze": "71"}
    named |= {f"quatre vingt {named_by[one]}": str(80 + one) for one in range(1, 20)}
    named |= {"quatre vingt": "80", "quatre vingts": "80"}
    return {}, named | {named_by[one]: str(one) for one in (17, 18, 19)}


def _spanish_numbers() -> tuple[dict[str, str], dict[str, str]]:
    """Number words from 31 to 99, in digits."""
    tens = [(word, ten) for word, ten in NUMBERS["es"].items() if ten in range(30, 100)]
    ones = [(word, one) for word, one in NUMBERS["es"].items() if one < 10]
    return {}, {f"{word} y {unit}": str(ten + one) for word, ten in tens for unit, one in ones}


_NUMBERS = {"de": _german_numbers, "fr": _french_numbers, "es": _spanish_numbers}
