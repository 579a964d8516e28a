"""A chunk, read once for every claim that is held against it, and the chunks one answer was shown."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token, spelled
from raggate_action.core.text.english_or_foreign import may_read_as_foreign, reads_as_foreign
from raggate_action.core.text.evidence_values import Figures
from raggate_action.core.text.identifiers import without_addresses
from raggate_action.core.text.languages.common_words import reads_as_another
from raggate_action.core.text.languages.en_words import STOP_WORDS
from raggate_action.core.text.languages.word_tables import READ
from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.read_in_english import in_english, keys_in, tokens_in
from raggate_action.core.text.text import Text, normal_words

# A sentence longer than this is cut: comparing it as a whole would no longer be quick, nor mean much.
LONGEST_STATEMENT = 120
# A word in more statements of a chunk than this tells none of them apart.
COMMONEST = 64
_PARTING_MARKS = frozenset((";", ":", "—", "–", "|", "(", ")", "\n"))
_PARTING_WORDS = frozenset(("but", "while", "whereas", "although"))
_PREFIX = 5
_CONTRACTED = re.compile(r"\b([a-z]+)n['’]t\b")
_LONG = {"ca": "can", "wo": "will", "sha": "shall"}
# Statements before and behind one that may be rows of the same table.
_BESIDE = 3
# Characters of a very long sentence that stand around a statement of it.
_AROUND = 1000
# Tokens of a chunk by which its language is told.
_READ_FOR_LANGUAGE = 200
# Texts of so few sentences are read sentence by sentence, as claims ask for them.
_FEW_SENTENCES = 32
# A name in an English text may hold one word of another language.
_FOREIGN_WORDS = 3


class Statement(NamedTuple):
    """A sentence of a chunk, or a clause or table cell row of one.

    Attributes:
        start, end: Its place in the chunk.
        tokens: Its tokens, punctuation included.
        content: Keys of its tokens that carry meaning.
        sentence: Number of the sentence it is or belongs to.
    """

    start: int
    end: int
    tokens: tuple[Token, ...]
    content: frozenset[str]
    sentence: int


class Wanted:
    """Keys that a statement is looked for by.

    Attributes:
        content: The keys.
        fewest: How many of them it must hold.
    """

    def __init__(self, content: AbstractSet[str], fewest: float) -> None:
        self.content = content
        self.fewest = fewest
        # As words begin that have such a key; "policies" has "policy". All else may be written in any way.
        self._beginnings = [key.removesuffix("y") for key in content if key.isalpha()]
        self._least = fewest - (len(content) - len(self._beginnings))

    def may_be_in(self, text: str) -> bool:
        """Whether a text may hold so many: a quick look before it is read."""
        return sum([beginning in text for beginning in self._beginnings]) >= self._least


class EvidenceIndex:
    """One chunk's text, ready to have claims held against it. Every part is worked out when first needed.

    Building is linear in the text; a megabyte takes seconds, not minutes.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self._source = chunk_text(text, language)
        # Tokens take forty times the text: kept as long as this index, and no longer.
        self._plain = Text(without_addresses(text), language)
        self._read: dict[int, list[Statement]] = {}

    @property
    def tokens(self) -> list[Token]:
        """All tokens in order, those of addresses left out."""
        return self._plain.tokens

    @property
    def figures(self) -> Figures:
        """Its numbers, dates and times."""
        return self._plain.figures

    @cached_property
    def words(self) -> frozenset[str]:
        """Keys of its words."""
        return keys_in(self._plain.raw, self.language)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The first five letters of its words: "Australian" is not unknown where "Australia" is."""
        return frozenset(word[:_PREFIX] for word in self.words)

    @cached_property
    def initials(self) -> str:
        """First letters of all words in a row, for abbreviations."""
        return "".join(token.key[0] for token in self.tokens if token.kind == "word")

    @cached_property
    def spoken(self) -> str:
        """Letters and digits alone, in lower case, a blank between words: what a quotation is looked up in."""
        return spoken(self.text)

    @cached_property
    def sentences(self) -> frozenset[str]:
        """The sentences in the spelling of `normal_words`."""
        text = self._source
        return frozenset(normal_words(text.verbatim(sentence)) for sentence in text.sentences)

    def says(self, spellings: AbstractSet[str]) -> bool:
        """Whether one of these, in the spelling of `normal_words`, is a sentence of it."""
        whole = self._source.normal
        return any(words in whole and words in self.sentences for words in spellings)

    @cached_property
    def spelled(self) -> str:
        """In the spelling that keys begin in."""
        return spelled(self._read_as(self._plain.raw))

    @property
    def compared(self) -> str:
        """The text as it is compared: of the same length."""
        return self._plain.compared

    def _read_as(self, text: str) -> str:
        return in_english(text, self.language).text if self.language in READ else text

    @cached_property
    def _spelled_sentences(self) -> tuple[str, ...]:
        return tuple(
            [spelled(self._read_as(self._plain.raw[start:end])) for _number, start, end in self._source.sentences]
        )

    def closest(self, wanted: Wanted) -> Iterator[tuple[int, Statement]]:
        """The statements that hold so many of the keys, in order, each with how many it holds.

        In a text of few sentences only those are read that may. In a longer one the commonest words are looked for in
        its first statements.
        """
        content, fewest = wanted.content, wanted.fewest
        if len(self._source.sentences) > _FEW_SENTENCES:
            held = Counter([number for key in content for number in self.postings.get(key, ())])
            for number in sorted(number for number, shared in held.items() if shared >= fewest):
                yield held[number], self.statements[number]
            return
        for number, sentence in enumerate(self._spelled_sentences):
            if wanted.may_be_in(sentence):
                for statement in self._in_sentence(number):
                    if (shared := len(content & statement.content)) >= fewest:
                        yield shared, statement

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Sentences, each followed by its clauses where it has several."""
        return tuple([each for number in range(len(self._source.sentences)) for each in self._in_sentence(number)])

    def _in_sentence(self, number: int) -> Sequence[Statement]:
        found = self._read.get(number)
        if found is None:
            _number, start, end = self._source.sentences[number]
            tokens = tokens_in(self._plain.raw, self.language, start, end)
            found = self._read[number] = []
            for low in range(0, len(tokens), LONGEST_STATEMENT):
                whole = tuple(tokens[low : low + LONGEST_STATEMENT])
                clauses = _clauses(whole)
                found.append(_statement(whole, number))
                if len(clauses) > 1:
                    found += [_statement(clause, number) for clause in clauses if len(clause) >= 3]
        return found

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Statements by content key; the commonest words, in `COMMONEST` statements and more, only in the first."""
        found: dict[str, list[int]] = {}
        for number, statement in enumerate(self.statements):
            for key in statement.content:
                places = found.setdefault(key, [])
                if len(places) < COMMONEST:
                    places.append(number)
        return found

    def beside(self, statement: Statement) -> Iterator[int]:
        """Numbers of a statement and of those right before and after it."""
        at = self._places[statement.start, statement.end]
        yield from range(max(0, at - _BESIDE), min(len(self.statements), at + _BESIDE + 1))

    def around(self, statement: Statement) -> list[Statement]:
        """The whole sentence of a statement, and those right before and behind it; of a very long one what is near."""
        numbers = range(max(0, statement.sentence - 1), min(len(self._source.sentences), statement.sentence + 2))
        return [
            each
            for number in numbers
            for each in self._in_sentence(number)
            if statement.start - _AROUND < each.end and each.start < statement.end + _AROUND
        ]

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        return {(statement.start, statement.end): number for number, statement in enumerate(self.statements)}

    @cached_property
    def is_foreign(self) -> bool:
        """It reads as another language than the suite's; a few words read as none."""
        if self.language != "en":
            return reads_as_another(self.text[:2000], self.language)
        if not may_read_as_foreign(self._plain.raw, least=_FOREIGN_WORDS):
            return False
        first = self.tokens[:_READ_FOR_LANGUAGE]
        words = {self.text[token.start : token.end].lower() for token in first if token.kind == "word"}
        return reads_as_foreign(words, self.text[:2000], least=_FOREIGN_WORDS)

    @cached_property
    def average_length(self) -> float:
        """Mean number of content keys per statement."""
        return sum(len(statement.content) for statement in self.statements) / (len(self.statements) or 1)


class ShownEvidence:
    """The chunks of one context that have a text, by id, in order.

    Attributes:
        chunks: Ids and texts.
        beside: What else stands beside them and may hold an address: metadata, and what the suite calls its own.
    """

    def __init__(self, chunks: tuple[tuple[str, EvidenceIndex], ...], metadata: tuple[str, ...] = ()) -> None:
        self.chunks = chunks
        self.beside = metadata

    @property
    def language(self) -> str:
        """ISO 639-1 code that its chunks are read in."""
        return self.chunks[0][1].language if self.chunks else "en"

    @cached_property
    def is_foreign(self) -> bool:
        """Some of it reads as another language than the suite's."""
        return any(index.is_foreign for _, index in self.chunks)


class IndexCache:
    """Chunk indexes shared between cases, least recently used ones given up beyond a bound.

    Args:
        language: ISO 639-1 code of the evidence.
        characters: Texts held at most, in characters; an index takes about forty bytes for each.
    """

    def __init__(self, language: str, *, characters: int = 1_000_000) -> None:
        self._language = language
        self._most = characters
        self._held = 0
        self._indexes: OrderedDict[str, EvidenceIndex] = OrderedDict()

    def shown(self, chunks: Sequence[tuple[str, str]], *, metadata: tuple[str, ...] = ()) -> ShownEvidence:
        """The evidence of one context, from chunk ids with their texts and what else stands beside them."""
        return ShownEvidence(tuple([(chunk_id, self._of(text)) for chunk_id, text in chunks]), metadata)

    def _of(self, text: str) -> EvidenceIndex:
        index = self._indexes.get(text)
        if index is not None:
            self._indexes.move_to_end(text)
            return index
        index = self._indexes[text] = EvidenceIndex(text, self._language)
        self._held += len(text)
        while self._held > self._most and len(self._indexes) > 1:
            old, _ = self._indexes.popitem(last=False)
            self._held -= len(old)
        return index


def spoken(text: str) -> str:
    """Letters and digits of a text in lower case, one blank for everything between; "didn't" is "did not"."""
    lowered = text.lower()
    if "n't" in lowered or "n’t" in lowered:
        lowered = _CONTRACTED.sub(lambda found: f"{_LONG.get(found[1], found[1])} not", lowered)
    return " ".join("".join(c if c.isalnum() else " " for c in lowered.replace("cannot", "can not")).split())


def content_of(tokens: Sequence[Token]) -> frozenset[str]:
    """Keys of the tokens that carry meaning."""
    return frozenset([token.key for token in tokens if token.kind != "mark" and token.key not in STOP_WORDS])


def _statement(tokens: tuple[Token, ...], number: int) -> Statement:
    return Statement(tokens[0].start, tokens[-1].end, tokens, content_of(tokens), number)


def _clauses(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    clauses: list[tuple[Token, ...]] = []
    first = 0
    for place, token in enumerate(tokens):
        parts = token.key in _PARTING_MARKS if token.kind == "mark" else token.key in _PARTING_WORDS
        if parts or (token.key == "and" and _joins_two_statements(tokens, first, place)):
            clauses.append(tokens[first:place])
            first = place + 1
    clauses.append(tokens[first:])
    return [clause for clause in clauses if clause]


def _joins_two_statements(tokens: tuple[Token, ...], first: int, place: int) -> bool:
    """Whether this "and" joins two statements with a quantity each: "Basic costs $10 and Pro costs $20"."""
    sides = (tokens[first:place], tokens[place + 1 :])
    return all(any(token.kind in {"number", "date", "time"} for token in side) and len(side) >= 3 for side in sides)
