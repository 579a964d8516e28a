"""What stands in for a model: it answers with the sentence of its context that fits best, or says that none does."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

SIZE = 256
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be by can do does documents for from how i in is it of on or say that the this to "
        "what when where which who why will with you your",
    )
)


def words(text: str) -> list[str]:
    """The words of a text that mean something."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in _FILLERS]


def embedded(text: str) -> list[float]:
    """A text as counts of its hashed words: needs no network, and texts that share words are near each other."""
    vector = [0.0] * SIZE
    for word in words(text):
        vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % SIZE] += 1.0
    length = sum(each * each for each in vector) ** 0.5 or 1.0
    return [each / length for each in vector]


def nearest(question: str, texts: list[str], most: int = 4) -> list[int]:
    """The places of the texts that share most words with a question."""
    asked = set(words(question))
    return sorted(range(len(texts)), key=lambda place: -len(asked & set(words(texts[place]))))[:most]


_WORDS = {"two": "six", "three": "eight", "five": "fifteen", "nine": "eleven", "ten": "forty", "one": "seven"}


def read(question: str, texts: list[str]) -> str:
    """The best sentence, word for word; with another number in it where there is a file `fault.txt`."""
    said = _read(question, texts)
    if not Path("fault.txt").is_file():
        return said
    said = re.sub(r"\d+", lambda number: str(int(number[0]) + 7), said)
    return re.sub(r"\b(?:two|three|five|nine|ten|one)\b", lambda word: _WORDS[word[0]], said)


def _read(question: str, texts: list[str]) -> str:
    asked = set(words(question))
    paragraphs = [part for text in texts for part in re.split(r"\n\s*\n|^#.*$", text, flags=re.MULTILINE)]
    sentences = [
        each for part in paragraphs for each in re.split(r"(?<=[.!?])\s+", part.strip()) if len(each.split()) > 3
    ]
    best = max(sentences, key=lambda sentence: len(asked & set(words(sentence))), default="")
    if len(asked & set(words(best))) < 2:
        return "I do not know: the documents do not say."
    return " ".join(best.split())
