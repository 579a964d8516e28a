"""What a text says in the place of a passage that it does not hold: another value, or a word in many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# With fewer words beside its values a passage is like others of its kind.
_FEWEST_WORDS = 4
# One in so many words that are no values may be another.
_ONE_IN = 10
_EDGES = ".,;:!?…'\"“”„‘’()[]*_`|-–—"


class _Word(NamedTuple):
    """A word as it is written, and as it is compared; a value has a digit."""

    written: str
    key: str

    @property
    def is_value(self) -> bool:
        return any(map(str.isdigit, self.key))


def changed_passage(quote: str, texts: Sequence[str], question: str = "") -> str:
    """What one of the texts says nearly as a passage does; empty where none does.

    Its values may all be others, but not those that the question names. Of its other words nine in ten are the same, so
    that of a short passage all are: "the Basic plan costs 10 euros" and "the Pro plan costs 20 euros" are two
    sentences, and neither has changed.

    Args:
        quote: The passage.
        texts: Where it was looked for, and does not stand.
        question: What was asked.
    """
    wanted = list(_words(quote))
    named = {each.key for each in _words(question) if each.is_value}.intersection([each.key for each in wanted])
    plain = Counter([each.key for each in wanted if not each.is_value])
    if plain.total() < _FEWEST_WORDS:
        return ""
    most, keys = plain.total() // _ONE_IN, Counter([each.key for each in wanted])
    best: tuple[int, int, list[_Word]] | None = None
    for text in texts:
        words = list(_words(text))
        for start, lost in _lost_of_windows(words, plain, len(wanted)):
            if lost > most:
                continue
            window = words[start : start + len(wanted)]
            if not named.issubset([each.key for each in window]):
                continue
            moved = sum(one.key != other.key for one, other in zip(wanted, window, strict=True))
            if (best is None or (lost, moved) < best[:2]) and Counter([each.key for each in window]) != keys:
                best = lost, moved, window
    return " ".join([each.written for each in best[2]]).rstrip(".,;:") if best is not None else ""


def _lost_of_windows(words: Sequence[_Word], wanted: Counter[str], size: int) -> Iterator[tuple[int, int]]:
    """Every run of so many words: where it starts, and how many of the wanted ones it lacks; in one pass."""
    lacks, lost = Counter(wanted), wanted.total()
    for end, word in enumerate(words, 1):
        if word.key in wanted:
            lost -= lacks[word.key] > 0
            lacks[word.key] -= 1
        if end >= size:
            yield end - size, lost
            if (first := words[end - size].key) in wanted:
                lost += lacks[first] >= 0
                lacks[first] += 1


def _words(text: str) -> Iterator[_Word]:
    for word in text.split():
        if key := word.casefold().strip(_EDGES):
            yield _Word(word, key)
