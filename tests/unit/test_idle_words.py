"""Words that tell nothing are remembered, and those that tell something are found each time."""

from __future__ import annotations

from raggate_action.core.text.idle_words import IdleWords


def test_each_idle_word_is_looked_at_once() -> None:
    asked: list[str] = []

    def tells(word: str) -> bool:
        asked.append(word)
        return word.isdigit()

    words = IdleWords(tells)
    assert words.are_all_of("paid within days")
    assert words.are_all_of("within days paid")
    assert asked == ["paid", "within", "days"]
    assert not words.are_all_of("within 14 days")
    assert not words.are_all_of("14")


def test_a_very_long_word_is_never_taken_for_idle() -> None:
    assert not IdleWords(lambda _word: False).are_all_of("a" * 31)
