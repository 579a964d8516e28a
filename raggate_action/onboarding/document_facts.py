"""What documents say that a question can be made of, and which of these questions one place alone answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.onboarding.document_files import DocumentPart
from raggate_action.onboarding.english_questions import MARKUP, Fact, Kind, facts_of_sentence, leans, word_set
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
_FEWEST_IN_HEADING = 4


class FoundFact(NamedTuple):
    """A question, the number of its section, and the sentence that answers it."""

    question: str
    kind: Kind
    section: int
    quote: str


def facts_in(sections: Sequence[DocumentPart]) -> list[FoundFact]:
    """The questions that one place of the documents answers, in their order."""
    counts = Counter(word for each in sections for text in each.sentences for word in text.split()[1:])

    def is_name(word: str) -> bool:
        """Whether a word keeps its capital: it mostly has it where no sentence begins."""
        inner = any(map(str.isupper, word[1:])) or any(map(str.isdigit, word))
        return word.lower() not in {"the", "a", "an"} and (inner or counts[word] > counts[word.lower()])

    found: list[FoundFact] = []
    for number, section in enumerate(sections):
        if (quote := _answer_to_heading(section)) is not None:
            found.append(FoundFact(section.heading[0].upper() + section.heading[1:], "heading", number, quote))
        for sentence in section.sentences if section.language == "en" else ():
            fact = next(facts_of_sentence(sentence, is_name), None)
            if fact is not None and not _is_of_context(fact, section):
                found.append(FoundFact(fact.question, fact.kind, number, sentence))
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


def _answer_to_heading(section: DocumentPart) -> str | None:
    """The passage under a heading that is a question; None without one."""
    heading = section.heading
    # The headline of an article asks nothing that its readers ask.
    if not heading.endswith("?") or heading == section.title or len(heading.split()) < _FEWEST_IN_HEADING:
        return None
    if MARKUP.search(heading) or (section.language == "en" and leans(heading)):
        return None
    opening = ""
    # Behind a word of two letters, as "No.", the sentence goes on.
    for sentence in section.sentences[:2]:
        opening = f"{opening} {sentence}".lstrip()
        if len(folded_quote(opening)) >= SHORTEST_QUOTE:
            return opening if opening.endswith((".", "!")) and len(opening) <= _LONGEST_QUOTE else None
    return None


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
        words = stems(each.question)
        key = frozenset({each.kind, *words})
        if key in kept:
            other = kept[key]
            if other.quote != each.quote and sections[other.section].document != sections[each.section].document:
                twice.add(key)
            continue
        if each.kind == "definition":
            is_only = bool(words)
        elif each.kind == "heading":
            is_only = bool(words) and sum(words <= stems(other.heading) for other in sections) == 1
        else:
            places = set.intersection(*[by_stem.get(word, set()) for word in words]) if len(words) > 1 else set()
            # Chunks that overlap say the same sentence twice.
            is_only = len(words) > 1 and {sections[number].sentences[at] for number, at in places} <= {each.quote}
        if is_only:
            kept[key] = each
    return [each for key, each in kept.items() if key not in twice]
