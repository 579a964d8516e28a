"""The rules of a language as data, and the door to them."""

from __future__ import annotations

import re
from functools import cache, cached_property
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
        denials: The same in broad strokes, read only where a decline is expected, of a clause without the words of the
            question.
        bare_denials: The same, where the clause has no other words than those of sources, knowing and courtesies.
        obstacles: What is denied by one who agrees: "I see no reason not to" declines nothing.
        excuses: Right before such a find they take its force: reported speech, conditions.
        turns: Part a sentence into clauses that have to be read one by one; the words themselves belong to none.
        subordinates: At a sentence's start, its first comma parts clauses as well.
        subject: A clause that begins so has a source for its subject.
        same_source: One that begins so behind it goes on about that source.
        harmless: A clause that begins so asserts nothing of its own beside one that declines; never one with a number.
        about: A clause that begins so tells what the sources deal with or where they end, or what the speaker is for.
        refers: A sentence or clause that begins so sends the reader elsewhere, unless it goes on to a fact.
        fact: What makes a referral a claim after all, numbers apart.
        courtesy: Sentences, whole, that assert nothing.
        numbers: Numbers in words.
        guesses: Words of one who answers without knowing.
        lacks: Beside what the sources deal with, a clause that begins so may say what they lack.
        speaker: How a clause begins that is about the speaker, not about what was asked.
        sources: Words for what is put before the app; a number beside one belongs to its name.
        knowing: Words of sources and of knowing; beside a negation the clause may decline.
        telling: Words of telling, holding and knowing, and what fills such sentences: they bring no news.
        referring: Words of asking somebody and of helping; without a number the clause may be a bare referral.
        courteous: Words of courtesies and of who may help; beside a decline the clause may be nothing else.
    """

    hint: str
    declines: tuple[str, ...]
    denials: tuple[str, ...]
    bare_denials: tuple[str, ...]
    obstacles: str
    excuses: tuple[str, ...]
    turns: tuple[str, ...]
    subordinates: tuple[str, ...]
    subject: str
    same_source: str
    harmless: tuple[str, ...]
    about: tuple[str, ...]
    refers: tuple[str, ...]
    fact: str
    courtesy: tuple[str, ...]
    numbers: str
    guesses: str
    lacks: str
    speaker: str
    sources: str
    knowing: str
    telling: str
    referring: str
    courteous: str


class Expressions:
    """The rules of a language, one expression for each kind; field by field as in `LanguageRules`.

    A kind is compiled when it is first used: all of them together take longer than the rest of a small run.
    """

    hint: re.Pattern[str]
    declines: re.Pattern[str]
    denials: re.Pattern[str]
    bare_denials: re.Pattern[str]
    obstacles: re.Pattern[str]
    excuses: re.Pattern[str]
    turns: re.Pattern[str]
    subordinates: re.Pattern[str]
    subject: re.Pattern[str]
    same_source: re.Pattern[str]
    harmless: re.Pattern[str]
    about: re.Pattern[str]
    refers: re.Pattern[str]
    fact: re.Pattern[str]
    courtesy: re.Pattern[str]
    numbers: re.Pattern[str]
    guesses: re.Pattern[str]
    lacks: re.Pattern[str]
    speaker: re.Pattern[str]
    sources: re.Pattern[str]
    knowing: re.Pattern[str]
    telling: re.Pattern[str]
    referring: re.Pattern[str]
    courteous: re.Pattern[str]

    def __init__(self, rules: LanguageRules, language: str) -> None:
        self._rules = rules
        self.language = language

    def __getattr__(self, kind: str) -> re.Pattern[str]:
        if kind not in LanguageRules._fields:
            raise AttributeError(kind)
        rules: str | tuple[str, ...] = getattr(self._rules, kind)
        alternatives = (rules,) if isinstance(rules, str) else rules
        if kind == "excuses":
            alternatives = tuple(f"(?:{excuse})$" for excuse in alternatives)
        compiled = re.compile("|".join(alternatives), re.IGNORECASE)
        setattr(self, kind, compiled)
        return compiled

    @cached_property
    def _small_hint(self) -> re.Pattern[str]:
        return re.compile(self._rules.hint)

    def may_decline(self, lowered: str) -> bool:
        """Whether a sentence in small letters has a hint; to look for it in any case takes three times as long."""
        return self._small_hint.search(lowered) is not None


@cache
def expressions(language: str) -> Expressions:
    """The rules of a language, ready for use.

    Args:
        language: ISO 639-1 code, one of `KNOWN`.
    """
    rules: LanguageRules = import_module(f"{__package__}.{MODULES[language]}").RULES
    return Expressions(rules, language)
