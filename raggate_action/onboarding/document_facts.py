"""What documents say that a question can be made of, and which of these questions one place alone answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.onboarding.document_files import DocumentPart
from raggate_action.onboarding.english_questions import (
    Fact,
    facts_of_sentence,
    heading_question,
    tells_what_to_do,
    word_set,
)
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote

_WORD = re.compile(r"[^\W_]+(?:[.+#'’-][^\W_]+)*")
_STEM = 6
# Words by which a question asks, which say nothing of what it asks about.
_ASKING = word_set(
    "how what when where who why which long much many does do did is are was were can could should will may must i my "
    "happens within mean used take takes cost costs find found need most least"
)
_PLACE = re.compile(r"[/._-]|\b(?:html|md|txt)\b")
_LONGEST_QUOTE = 320
_COMMANDS = re.compile(
    r"(?:pip|pipx|uv|npm|npx|make|git|docker|cargo|apt|apt-get|brew|python3?|curl|rm|cp|tox|poetry)\b"
)
_REFERS = re.compile(
    r"(?i)(?:note\b|(?:please )?(?:see|refer to|check|read|visit|click)\b|(?:the )?following\b|here\b)"
)


class FoundFact(NamedTuple):
    """A question, and the sentence that answers it.

    Attributes:
        fact: The question.
        section: Number of its section.
        quote: What proves the answer.
    """

    fact: Fact
    section: int
    quote: str


def facts_in(sections: Sequence[DocumentPart]) -> list[FoundFact]:
    """The questions that one place of the documents answers, in their order."""
    is_name = _names(sections)
    found: list[FoundFact] = []
    for number, section in enumerate(sections):
        found += _heading_facts(section, number, is_name)
        for sentence in section.sentences if section.language == "en" else ():
            fact = next(facts_of_sentence(sentence, is_name), None)
            if fact is not None and not _is_of_context(fact, section):
                found.append(FoundFact(fact, number, sentence))
    return _alone(found, sections)


def _is_of_context(fact: Fact, section: DocumentPart) -> bool:
    """Whether a question is one of its section's alone: of things that neither it nor the heading names.

    A reference of software tells the same of one thing after the other. So does what is said of "the" thing.
    """
    named = stems(f"{_PLACE.sub(' ', section.document)} {section.title} {section.heading}")
    if fact.kind == "definition":
        return fact.subject.startswith("the ") and fact.subject.islower() and not stems(fact.subject) <= named
    thing = re.match(r"What (?:happens|should I do) (?:if|when) the (.+)", fact.question)
    if thing is not None:
        return named.isdisjoint(stems(" ".join(thing[1].split()[:3])))
    has_name = any(any(map(str.isupper, word)) for word in fact.question.split()[1:] if word not in {"I", "I'm"})
    return section.is_technical and not has_name and named.isdisjoint(stems(fact.question))


def _names(sections: Sequence[DocumentPart]) -> Callable[[str], bool]:
    """Tells which words keep their capital: those that mostly have it where no sentence begins."""
    counts = Counter(word for each in sections for text in each.sentences for word in text.split()[1:])

    def is_name(word: str) -> bool:
        inner = any(map(str.isupper, word[1:])) or any(map(str.isdigit, word))
        return word.lower() not in {"the", "a", "an"} and (inner or counts[word] > counts[word.lower()])

    return is_name


def _heading_facts(section: DocumentPart, number: int, is_name: Callable[[str], bool]) -> Iterator[FoundFact]:
    """The heading as a question, with the passage under it that answers; none where that cannot be told."""
    # The headline of an article asks nothing that its readers ask.
    if not section.heading or section.heading == section.title:
        return
    is_question = section.heading.endswith("?")
    if section.language == "en":
        fact = heading_question(section.heading, is_name)
    else:
        fact = Fact(section.heading, "heading") if is_question and len(section.heading.split()) > 3 else None
    if fact is None:
        return
    first = _first_sentence(section)
    is_question = is_question and not section.heading.lower().startswith("how to ")
    if first and " > " not in first and not _REFERS.match(first) and (is_question or tells_what_to_do(first)):
        yield FoundFact(fact, number, first)
    elif not is_question and _COMMANDS.match(section.code):
        yield FoundFact(fact, number, section.code)


def _first_sentence(section: DocumentPart) -> str:
    """The sentence that a section begins with; behind a word of two letters, as "No.", with the one after it."""
    opening = ""
    for sentence in section.sentences[:2]:
        opening = f"{opening} {sentence}".lstrip()
        if len(folded_quote(opening)) >= SHORTEST_QUOTE:
            return opening if opening.endswith((".", "!")) and len(opening) <= _LONGEST_QUOTE else ""
    return ""


def stems(text: str) -> frozenset[str]:
    """The words of a text by which one tells what it is about, by their stems."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(
        [word.removesuffix("s")[:_STEM] for word in words if word not in COMMON_WORDS and word not in _ASKING]
    )


def _alone(found: list[FoundFact], sections: Sequence[DocumentPart]) -> list[FoundFact]:
    """The questions that one place answers: no other sentence has all their words, no other question is the same."""
    by_stem: dict[str, set[tuple[int, int]]] = {}
    for number, section in enumerate(sections):
        for place, text in enumerate(section.sentences):
            for stem in stems(text):
                by_stem.setdefault(stem, set()).add((number, place))
    kept: dict[frozenset[str], FoundFact] = {}
    twice: set[frozenset[str]] = set()
    for each in found:
        words = stems(each.fact.question)
        key = frozenset({each.fact.kind, *words})
        if key in kept:
            other = kept[key]
            if other.quote != each.quote and sections[other.section].document != sections[each.section].document:
                twice.add(key)
            continue
        if each.fact.kind == "definition":
            is_only = bool(words)
        elif each.fact.kind == "heading":
            is_only = bool(words) and sum(words <= stems(other.heading) for other in sections) == 1
        else:
            places = set.intersection(*[by_stem.get(word, set()) for word in words]) if len(words) > 1 else set()
            # Chunks that overlap say the same sentence twice.
            is_only = len(words) > 1 and {sections[number].sentences[at] for number, at in places} <= {each.quote}
        if is_only:
            kept[key] = each
    return [each for key, each in kept.items() if key not in twice]
