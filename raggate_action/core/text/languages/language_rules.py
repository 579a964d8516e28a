"""What is known of a language: words and patterns by name, in one file a language, and the engine that reads them.

A language is one YAML file here, named by its ISO 639-1 code, which `KNOWN` lists. A pattern may stand on several
lines, which are joined; `<NAME>` in it stands for the part of that name, `<NUMBER>` for the language's number words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from raggate_action.core.text.number_words import number_pattern
from raggate_action.strings.data_tables import read_table

# Where a text may be in several, it is read in this order.
KNOWN = ("en", "de", "fr", "es")
# Of a hint, what follows the first of several words; where no blank has to, the first ends no word.
_LATER_WORDS = re.compile(r" (?!\?)(?:\(\?:[^()]*\)|[^|()])*")
_LATER_WORDS_IF_ANY = re.compile(r" \?(?:\(\?:[^()]*\)|[^|()])*")
# Words of the longest hint.
_HINT_WORDS = 3
# Words without a hint are remembered up to this number and length, for a text may be of anybody.
_WORDS_KEPT = 20_000
_LONGEST_KEPT = 30
# An excuse stands so many characters before a find.
_EXCUSE_WITHIN = 40


class SourceLead(NamedTuple):
    """How a language leads in a quotation, in small letters: "according to the documents provided,".

    Attributes:
        opening: How it begins, articles included.
        before: What may stand before the noun.
        nouns: What names the evidence as a whole.
        behind: What may stand behind the noun.
        courtesy: How a lead before a colon begins that is polite and says nothing.
        announcing: Words by which a lead before a colon announces an answer; these and the next one are no expressions.
        beside: Words that may stand beside these and the nouns in such a lead. Empty where no words are known.
    """

    opening: str
    before: str
    nouns: str
    behind: str
    courtesy: str
    announcing: str = ""
    beside: str = ""


class Form(NamedTuple):
    """An expression that is worth trying only where some words are.

    Attributes:
        expression: The expression.
        words: Expressions; it matches no text without a match of each of them.
    """

    expression: str
    words: tuple[str, ...]


class LanguageRules(NamedTuple):
    """How a language says that it does not answer. Every entry is a regular expression, read in any case.

    Attributes:
        common: Its commonest words, in small letters; this one field is no expression.
        leaning: How a sentence begins, in small letters, that is about what stands before it.
        source_lead: How it names the evidence before a quotation.
        hint: Words of which every declining sentence has one; most other sentences have none.
        denies_nothing: Negations of a price or a bound ("at no cost", "no later than"), and where one is taken back
            ("not only"): they are left out before a sentence is read.
        declines: Found in a clause, each makes it decline; `^` is the clause's start.
        denials: The same in broad strokes, read only where a decline is expected, of a clause without the words of the
            question.
        bare_denials: The same, where the clause has no other words than those of sources, knowing and courtesies.
        obstacles: What is denied by one who agrees: "I see no reason not to" declines nothing.
        excuses: Right before such a find they take its force: reported speech, conditions.
        turns: Part a sentence into clauses that have to be read one by one; the words themselves belong to none.
        concludes: Words of a turn behind which stands what follows from the clause before.
        subordinates: At a sentence's start, its first comma parts clauses as well; elsewhere a reason stands behind it.
        subject: A clause that begins so has a source for its subject.
        same_source: One that begins so behind it goes on about that source.
        harmless: A clause that begins so asserts nothing of its own beside one that declines; never one with a number.
        about: A clause that begins so tells what the sources deal with or where they end, or what the speaker is for.
        refers: A sentence or clause that begins so sends the reader elsewhere, unless it goes on to a fact.
        embedded: A question inside a sentence, up to its end: what may be asked there is not stated.
        fact: What makes a referral a claim after all, numbers apart.
        courtesy: Sentences, whole, that assert nothing.
        guesses: Words of one who answers without knowing.
        yes_or_no: How an answer to such a question begins.
        lacks: A curt clause that begins so may say what sources lack: "No refunds."
        speaker: How a clause begins that is about the speaker, not about what was asked.
        sources: Words for what is put before the app; a number beside one belongs to its name.
        knowing: Words of sources and of knowing; beside a negation the clause may decline.
        telling: Words of telling, holding and knowing, and what fills such sentences: they bring no news.
        referring: Words of asking somebody and of helping; without a number the clause may be a bare referral.
        courteous: Words of courtesies and of who may help; beside a decline the clause may be nothing else.
        asks_how_to: Words of questions for the steps to something.
        asks_openly: Words of questions that are not answered by yes or no.
        goes_on: Words that end no sentence, in small letters, a blank between two; no expression either.
    """

    common: str
    leaning: str
    source_lead: SourceLead
    hint: str
    denies_nothing: str
    declines: tuple[str | Form, ...]
    denials: tuple[str | Form, ...]
    bare_denials: tuple[str | Form, ...]
    obstacles: str
    excuses: tuple[str, ...]
    turns: tuple[str, ...]
    concludes: str
    subordinates: tuple[str, ...]
    subject: str
    same_source: str
    harmless: tuple[str, ...]
    about: tuple[str, ...]
    refers: tuple[str, ...]
    embedded: str
    fact: str
    courtesy: tuple[str, ...]
    guesses: str
    yes_or_no: str
    lacks: str
    speaker: str
    sources: str
    knowing: str
    telling: str
    referring: str
    courteous: str
    asks_how_to: str
    asks_openly: str
    goes_on: str


class Expressions:
    """The rules of a language, one expression for each kind; field by field as in `LanguageRules`.

    A kind is compiled when it is first used, and of the longest ones each expression by itself: all of them together
    take longer than the rest of a small run.
    """

    def __init__(self, rules: LanguageRules, language: str) -> None:
        self.rules = rules
        self.language = language

    def __getattr__(self, kind: str) -> re.Pattern[str]:
        if kind not in LanguageRules._fields:
            raise AttributeError(kind)
        compiled = _any_of(getattr(self.rules, kind))
        setattr(self, kind, compiled)
        return compiled

    def declines(self, clause: str) -> bool:
        """Whether a clause declines by one of the `declines`, without an excuse before it."""
        return self._finds(self._declines, clause)

    def denies(self, clause: str) -> bool:
        """The same by the `denials`."""
        return self._finds(self._denials, clause)

    def barely_denies(self, clause: str) -> bool:
        """The same by the `bare_denials`."""
        return self._finds(self._bare_denials, clause)

    @cached_property
    def numbers(self) -> re.Pattern[str]:
        """Numbers in words."""
        return _any_of(rf"\b{number_pattern(self.language)}\b")

    @cached_property
    def _declines(self) -> tuple[_Lazy, ...]:
        return tuple(map(_Lazy, self.rules.declines))

    @cached_property
    def _denials(self) -> tuple[_Lazy, ...]:
        return tuple(map(_Lazy, self.rules.denials))

    @cached_property
    def _bare_denials(self) -> tuple[_Lazy, ...]:
        return tuple(map(_Lazy, self.rules.bare_denials))

    def _finds(self, wanted: Sequence[_Lazy], clause: str) -> bool:
        """Whether one of the expressions is found where no excuse stands before it.

        Finds count as those of one expression of them all: leftmost first, and none inside another.
        """
        held: dict[str, bool] = {}
        possible = [each for each in wanted if each.may_be_in(clause, held)]
        for each in possible:
            found = each.pattern.search(clause)
            # Where nothing before it excuses anything, no other find that is excused can run over this one.
            if found is not None and self._excuse_anywhere.search(clause, 0, found.start()) is None:
                return True
        at = 0
        while finds := [find for each in possible if (find := each.pattern.search(clause, at)) is not None]:
            first = min(finds, key=re.Match.start)
            # A window, because a hostile clause may hold as many finds as it has words.
            if not self._excuse.search(clause, max(0, first.start() - _EXCUSE_WITHIN), first.start()):
                return True
            at = max(first.end(), at + 1)
        return False

    @cached_property
    def _excuse(self) -> re.Pattern[str]:
        return _any_of([f"(?:{excuse})$" for excuse in self.rules.excuses])

    @cached_property
    def _excuse_anywhere(self) -> re.Pattern[str]:
        return _any_of(self.rules.excuses)


class Readers:
    """The languages that a text may be in, asked together.

    Attributes:
        each: Their expressions, in order.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self.each = tuple([expressions(language) for language in languages])
        self._without_hint: set[str] = set()

    def may_decline(self, lowered: str) -> bool:
        """Whether a sentence in small letters has a hint; to look for it in any case takes three times as long."""
        words = lowered.split(" ")
        without = self._without_hint
        if without.issuperset(words):
            return False
        for at, word in enumerate(words):
            if word in without:
                continue
            if self._hint_opens.search(word) is None:
                if len(word) <= _LONGEST_KEPT and len(without) < _WORDS_KEPT:
                    without.add(word)
            elif self._hint.search(" ".join(words[at : at + _HINT_WORDS])) is not None:
                return True
        return False

    def may_be_idle(self, sentence: str) -> bool:
        """Whether it is a courtesy, or begins as a referral does."""
        # Small letters are compared as they are in half the time; in ASCII nothing else is meant by "in any case".
        if sentence.isascii():
            return self._idle.match(sentence.lower()) is not None
        return self._idle_in_any_case.match(sentence) is not None

    @cached_property
    def _hint(self) -> re.Pattern[str]:
        return re.compile("|".join([each.rules.hint for each in self.each]))

    @cached_property
    def _hint_opens(self) -> re.Pattern[str]:
        """Found in a word where a hint may begin: the hint, or the first of its words, which ends that word."""
        hints = "|".join([each.rules.hint for each in self.each])
        return re.compile(_LATER_WORDS_IF_ANY.sub("", _LATER_WORDS.sub("$", hints)))

    @cached_property
    def _idle(self) -> re.Pattern[str]:
        return re.compile(self._courtesies_and_referrals)

    @cached_property
    def _idle_in_any_case(self) -> re.Pattern[str]:
        return re.compile(self._courtesies_and_referrals, re.IGNORECASE)

    @property
    def _courtesies_and_referrals(self) -> str:
        courtesies = "|".join([form for each in self.each for form in each.rules.courtesy])
        referrals = "|".join([form for each in self.each for form in each.rules.refers])
        return rf"(?:{courtesies})\Z|{referrals}"


class _Lazy:
    """An expression that is compiled when it is first needed."""

    def __init__(self, form: str | Form) -> None:
        self._form = Form(form, ()) if isinstance(form, str) else form

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self._form.expression, re.IGNORECASE)

    def may_be_in(self, clause: str, held: dict[str, bool]) -> bool:
        """Whether the clause has the words that it needs; `held` keeps what was found of them."""
        for words in self._form.words:
            if words not in held:
                held[words] = _words(words).search(clause) is not None
            if not held[words]:
                return False
        return True


@cache
def _words(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


def _any_of(expressions: str | Iterable[str]) -> re.Pattern[str]:
    return re.compile(expressions if isinstance(expressions, str) else "|".join(expressions), re.IGNORECASE)


_PART = re.compile(r"<([A-Z_]+)>")


@cache
def table_of(language: str) -> dict[str, Any]:
    """The file of a language, as it stands there."""
    table: dict[str, Any] = read_table(__package__, f"{language}.yaml")
    return table


@cache
def others() -> dict[str, dict[str, str]]:
    """What is known of languages without a file: `common` and `leaning`, as in `LanguageRules`, by language.

    Languages that leave the subject out show it by the verb or particle in front; Japanese also by the want of a topic
    or subject particle.
    """
    table: dict[str, dict[str, str]] = read_table(__package__, "others.yaml")
    leaning = {language: text.replace("\n", "") for language, text in table["leaning"].items()}
    return table | {"leaning": leaning}


@cache
def rules_of(language: str) -> LanguageRules:
    """The words and patterns of a language.

    Args:
        language: ISO 639-1 code, one of `KNOWN`.
    """
    table = table_of(language)
    parts = {"NUMBER": number_pattern(language)}

    def filled(text: str) -> str:
        return _PART.sub(lambda named: parts[named[1]], text.replace("\n", ""))

    def forms(entry: str | dict[str, list[str]]) -> Iterator[str | Form]:
        if isinstance(entry, str):
            yield filled(entry)
        else:
            needed = tuple(map(filled, entry["needs"]))
            yield from (Form(filled(expression), needed) for expression in entry["any"])

    for name, text in table["parts"].items():
        parts[name] = filled(text)
    fields: dict[str, Any] = {
        name: filled(value)
        if isinstance(value, str)
        else tuple([form for entry in value for form in forms(entry)])
        if isinstance(value, list)
        else SourceLead(**{part: filled(text) for part, text in value.items()})
        for name, value in table.items()
        if name not in {"parts", "english"}
    }
    return LanguageRules(**fields)


@cache
def expressions(language: str) -> Expressions:
    """The rules of a language, ready for use.

    Args:
        language: ISO 639-1 code, one of `KNOWN`.
    """
    return Expressions(rules_of(language), language)


@cache
def readers(languages: tuple[str, ...]) -> Readers:
    """The expressions of some languages, to be asked together; there are as many as sets of languages."""
    return Readers(languages)


@cache
def in_any_language(kind: str) -> re.Pattern[str]:
    """An expression of one kind for all languages: for a text of which nobody knows the language, as a question."""
    return _any_of([getattr(rules_of(language), kind) for language in KNOWN])
