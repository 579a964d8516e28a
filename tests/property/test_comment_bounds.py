"""Whatever a run holds, its page is whole: bounds, balance, one marker, and nothing foreign alive in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.report.comment_size import COMMENT_BOUNDS, COMMENT_EXTENTS, SUMMARY_BOUNDS, SUMMARY_EXTENTS, Extent
from raggate_action.report.render import render_comment, render_summary
from tests.golden.hostile import ATTACKS, hostile, repeated
from tests.golden.hostile_judges import with_hostile_judges
from tests.golden.markdown_laws import assert_whole
from tests.thorough import examples

COMMENT = {"characters": COMMENT_BOUNDS.characters, "size": COMMENT_BOUNDS.bytes}
SUMMARY = {"characters": SUMMARY_BOUNDS.characters, "size": SUMMARY_BOUNDS.bytes}

TEXTS = (
    st.text(st.characters(), max_size=60)
    | st.text(st.sampled_from("|`<>&\\*_[]()#@$:~!-+=./1a w\n\r"), max_size=30)
    | st.sampled_from(ATTACKS)
)


@settings(max_examples=examples(40), deadline=None)
@given(texts=st.lists(TEXTS, min_size=1, max_size=40), compared=st.booleans(), rows=st.integers(0, 4))
def test_no_text_anywhere_breaks_a_page(texts: list[str], *, compared: bool, rows: int) -> None:
    say = repeated(tuple(texts))
    reporting = with_hostile_judges(hostile(say, rows=rows, compared=compared), say)
    assert_whole(render_comment(reporting), **COMMENT)
    assert_whole(render_summary(reporting), **SUMMARY, markers=0)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("|" * 450, id="pipes, which escaping makes six times as long"),
        pytest.param("~ " * 225, id="markup between spaces"),
        pytest.param("@|" * 225, id="mentions between pipes"),
        pytest.param("👩" * 450, id="emoji of four bytes"),
        pytest.param("答" * 450, id="words without spaces"),
        pytest.param("word " * 90, id="plain words"),
        pytest.param("\ud800" * 450, id="lone surrogates"),
    ],
)
def test_a_page_of_the_longest_texts_everywhere_fits(text: str) -> None:
    # More gates, notes and cases than any step of the ladder but the first two would show.
    assert_whole(render_comment(hostile(lambda: text, rows=45)), **COMMENT)
    judged = with_hostile_judges(hostile(lambda: text, rows=45, compared=False), lambda: text)
    assert_whole(render_comment(judged), **COMMENT)


def test_a_summary_of_the_longest_texts_everywhere_fits() -> None:
    reporting = hostile(lambda: "|" * 2_100, rows=200)
    assert_whole(render_summary(reporting), **SUMMARY, markers=0)


def test_each_step_of_the_ladder_shows_less() -> None:
    def shown(extent: Extent) -> tuple[int, ...]:
        return (extent.rows, extent.words, extent.reason, extent.open_cases)

    for ladder in (COMMENT_EXTENTS, SUMMARY_EXTENTS):
        assert list(ladder) == sorted(ladder, key=shown, reverse=True)


@given(st.integers(1, 60), st.integers(0, 400))
@settings(max_examples=examples(8), deadline=None)
def test_a_page_is_full_to_its_bound_and_never_over(rows: int, length: int) -> None:
    reporting = hostile(lambda: "word " * (length // 5) or "x", rows=rows)
    assert_whole(render_comment(reporting), **COMMENT)
