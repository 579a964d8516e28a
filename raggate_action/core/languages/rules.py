"""The rules of a language as data, and the door to them."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

# A language is one row here and one module with a record called RULES.
MODULES = {"en": "english", "de": "german", "fr": "french", "es": "spanish"}
KNOWN = tuple(MODULES)


class LanguageRules(NamedTuple):
    """How a language says that it does not answer. Every entry is a regular expression, read in any case.

    Attributes:
        hint: Words of which every declining sentence has one; most other sentences have none.
        declines: Found in a clause, each makes it decline; `^` is the clause's start.
        excuses: Right before such a find they take its force: reported speech, conditions.
        turns: Part a sentence into clauses that have to be read one by one; the words themselves belong to none.
        subordinates: At a sentence's start, its first comma parts clauses as well.
        harmless: A clause that begins so asserts nothing of its own beside one that declines; never one with a digit.
        refers: A sentence or clause that begins so sends the reader elsewhere, unless it goes on to a fact.
        fact: What makes a referral a claim after all.
        courtesy: Sentences, whole, that assert nothing.
    """

    hint: str
    declines: tuple[str, ...]
    excuses: tuple[str, ...]
    turns: tuple[str, ...]
    subordinates: tuple[str, ...]
    harmless: tuple[str, ...]
    refers: tuple[str, ...]
    fact: str
    courtesy: tuple[str, ...]


class Expressions(NamedTuple):
    """The rules of a language, compiled; field by field as in `LanguageRules`."""

    hint: re.Pattern[str]
    declines: re.Pattern[str]
    excuses: re.Pattern[str]
    turns: re.Pattern[str]
    subordinates: re.Pattern[str]
    harmless: re.Pattern[str]
    refers: re.Pattern[str]
    fact: re.Pattern[str]
    courtesy: re.Pattern[str]


@cache
def expressions(language: str) -> Expressions | None:
    """The rules of a language, ready for use; None for a language without any.

    Args:
        language: ISO 639-1 code.
    """
    if language not in MODULES:
        return None
    rules: LanguageRules = import_module(f"{__package__}.{MODULES[language]}").RULES
    return compiled(rules)


def compiled(rules: LanguageRules) -> Expressions:
    """One expression for each kind of rule."""
    return Expressions(
        hint=_any([rules.hint]),
        declines=_any(rules.declines),
        excuses=_any([f"(?:{excuse})$" for excuse in rules.excuses]),
        turns=_any(rules.turns),
        subordinates=_any(rules.subordinates),
        harmless=_any(rules.harmless),
        refers=_any(rules.refers),
        fact=_any([rules.fact]),
        courtesy=_any(rules.courtesy),
    )


def _any(alternatives: tuple[str, ...] | list[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)
