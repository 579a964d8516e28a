"""Two answers, cut to where they differ, with the words that changed marked."""

from __future__ import annotations

import pytest

from raggate_action.report.changed_words import excerpts
from raggate_action.report.render import inline


def told(before: str, now: str, most: int = 200) -> tuple[str, str]:
    found = excerpts(before, now, most)
    return inline(found.before), inline(found.now)


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        pytest.param(
            "The warranty lasts 24 months.",
            "The warranty lasts 36 months.",
            ("The warranty lasts 24 months.", "The warranty lasts **36** months."),
            id="a value that changed",
        ),
        pytest.param(
            "It lasts 24 months from delivery.",
            "It lasts from delivery.",
            ("It lasts **24 months** from delivery.", "It lasts from delivery."),
            id="what is only gone is marked where it stood",
        ),
        pytest.param("The same.", "The same.", ("The same.", "The same."), id="nothing changed"),
        pytest.param(
            "Ask the team.", "Bring your receipt.", ("Ask the team.", "Bring your receipt."), id="all of it changed"
        ),
        pytest.param("", "New.", ("", "New."), id="no answer before"),
    ],
)
def test_what_changed_is_marked(before: str, now: str, shown: tuple[str, str]) -> None:
    assert told(before, now) == shown


def test_marked_words_are_as_harmless_as_others() -> None:
    _before, now = told("You pay 5 EUR for a parcel at home.", "You pay **7 EUR @team <b> for a parcel at home.")
    assert now == "You pay **&#42;&#42;7** EUR **`@team` &lt;b&gt;** for a parcel at home."


def test_long_answers_are_cut_to_where_they_differ() -> None:
    same = "The terrace opens at noon and closes at nine on every day of the week. " * 3
    before, now = told(f"{same}It costs 5 EUR.", f"{same}It costs 9 EUR, drinks apart.", 60)
    assert before == "… day of the week. It costs 5 EUR."
    assert now == "… day of the week. It costs **9 EUR, drinks apart.**"
    assert len(before) <= 60


def test_what_does_not_fit_is_cut_behind_too() -> None:
    long = "word " * 100
    _before, now = told(long, f"fine {long}", 40)
    assert now.startswith("**fine** word")
    assert now.endswith(" …")


@pytest.mark.parametrize("most", [1, 10, 80])
def test_an_endless_word_is_cut(most: int) -> None:
    _before, now = told("a b c d", f"a b c d {'x' * 10_000}", most)
    assert len(now) < 200
