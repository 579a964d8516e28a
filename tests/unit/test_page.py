"""A page is data: neutral text in sections, one list of them, and rows that nobody has to hold."""

from __future__ import annotations

import ast
import re
import tracemalloc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from raggate_action.report.case_view import case_item
from raggate_action.report.comment_size import COMMENT_EXTENTS, SUMMARY_EXTENTS, Extent, folded
from raggate_action.report.page import (
    Code,
    Column,
    Command,
    CommentView,
    FirstEntries,
    Fold,
    Foreign,
    Item,
    Link,
    Number,
    Section,
    Strong,
    Table,
    Text,
    WithCode,
    joined,
    sentences,
)
from raggate_action.report.page_sections import PARTS, comment_view
from raggate_action.report.plain_sink import plain
from raggate_action.report.render import comment_pieces, inline, page_pieces, render_comment, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed, Problem
from tests.golden import pages
from tests.golden.builders import blocked, make_reporting, make_row
from tests.golden.hostile import ATTACKS, hostile
from tests.golden.markdown_laws import assert_whole

REPORT = Path(__file__).parents[2] / "raggate_action" / "report"
BLOCKED = blocked()
EVERYTHING = Extent(rows=10_000, words=20_000, whole=True)
FAILED = {"faithfulness": Failed(problems=(Problem(code="claim-unsupported", detail="“Nuts are absent.”"),))}
FOREIGN = "⟦foreign⟧"


class Rows:
    """Failing cases that are nowhere until they are read, as those of a run directory are; counts what was read."""

    def __init__(self, total: int, *, longest: int = 40) -> None:
        self.total, self.longest = total, longest
        self.read = self.most_held = 0

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[CaseRun]:
        held: list[weakref.ref[CaseRun]] = []
        for number in range(self.total):
            row = make_row(number, state="failed", answer=f"{number}{'答' * self.longest}", outcomes=FAILED)
            held = [*(each for each in held if each() is not None), weakref.ref(row)]
            self.most_held = max(self.most_held, len(held))
            self.read += 1
            yield row
            del row


def page_of(rows: Rows, extent: Extent) -> CommentView:
    reporting = make_reporting((), BLOCKED)
    items = FirstEntries(rows, lambda row: case_item(row, reporting, extent), extent.rows)
    section = folded("Failing cases", items=items, total=len(rows), extent=extent)
    return comment_view(reporting, extent)._replace(sections=(section,))


def words_of(text: Text) -> Iterator[str]:
    """The words in a text that are ours: what a sink may write as they are."""
    if isinstance(text, str):
        yield text
    elif isinstance(text, tuple):
        for part in text:
            yield from words_of(part)
    elif isinstance(text, Strong):
        yield from words_of(text.text)
    elif isinstance(text, Foreign):
        yield text.if_blank
    elif isinstance(text, Link):
        yield from (word for word in text.words if isinstance(word, str))


def texts_of(view: CommentView) -> Iterator[Text]:
    """Every text of a page."""
    yield from (*view.decision.first, view.decision.line, *view.decision.reasons, view.footer)
    for section in view.sections:
        yield section.lead
        yield from _texts_of_block(section)
        for fold in section.folds:
            yield fold.summary
            yield from _texts_of_block(fold)


def _texts_of_block(block: Section | Fold) -> Iterator[Text]:
    yield block.more
    for item in block.items:
        yield from (item.text, *((item.quoted,) if item.quoted is not None else ()), *item.under)
    if block.table is not None:
        yield from (column.title for column in block.table.columns)
        for row in block.table.rows:
            assert len(row) == len(block.table.columns)
            yield from row


@pytest.mark.parametrize("compared", [False, True], ids=["alone", "compared"])
@pytest.mark.parametrize("extent", [*COMMENT_EXTENTS, *SUMMARY_EXTENTS], ids=repr)
def test_no_foreign_text_is_taken_for_words_of_ours(extent: Extent, *, compared: bool) -> None:
    texts = list(texts_of(comment_view(hostile(lambda: FOREIGN, rows=3, compared=compared), extent)))
    assert FOREIGN in "".join(inline(text) for text in texts), "the run is full of it"
    assert not [words for text in texts for words in words_of(text) if FOREIGN in words]


def test_every_section_is_one_line_of_one_list() -> None:
    written = [
        (path.stem, node.name)
        for path in sorted(REPORT.glob("*.py"))
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.endswith("_section") and not node.name.startswith("_")
    ]
    listed = [(part.section.__module__.rpartition(".")[2], part.section.__name__) for part in PARTS]
    # The others are rows of the list: a title, what is listed, how an entry reads.
    listed = [each for each in listed if each != ("page_sections", "section")]
    assert sorted(listed) == sorted(written)
    sink = (REPORT / "render.py").read_text()
    # Whole names: the list is in `page_sections`, which the renderer imports.
    assert not {name for _module, name in written} & set(re.findall(r"\w+", sink))
    assert sink.count("view.sections") == 1, "they are laid out in one place"


@pytest.mark.parametrize(
    ("title", "told"),
    [
        pytest.param("Release report", pages.release(), id="the release report"),
        pytest.param("Latency, score, cost", pages.release(), id="the amounts"),
    ],
)
def test_what_few_need_stands_in_the_summary_alone(title: str, told: Reporting) -> None:
    assert f"<summary>{title}" in render_summary(told)
    assert f"<summary>{title}" not in render_comment(told)


def test_ten_thousand_cases_are_named_and_never_held() -> None:
    rows = Rows(10_000)
    view = page_of(rows, EVERYTHING)
    assert rows.read == 0, "nothing is read before it is written"
    written = sum(piece.startswith("- `case-") for piece in page_pieces(view))
    assert written == rows.read == 10_000, "each is read once"
    assert rows.most_held <= 2, "the one that is written, and the one before it"


def test_the_memory_of_a_page_does_not_grow_with_its_cases() -> None:
    assert list(page_pieces(page_of(Rows(1), EVERYTHING))), "what it needs is loaded"
    tracemalloc.start()
    length = sum(map(len, page_pieces(page_of(Rows(300, longest=5_000), EVERYTHING))))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert length > 300 * 5_000
    assert peak < length / 2, f"{peak:,} bytes for {length:,} characters of two bytes"


@pytest.mark.parametrize("most", [0, 1, 200])
def test_a_listing_is_read_no_further_than_it_is_shown(most: int) -> None:
    rows = Rows(10_000)
    page = "".join(comment_pieces(page_of(rows, Extent(rows=most))))
    assert rows.read <= most + 1, "one row more may be drawn to see the end"
    assert page.count("\n- `case-") == most
    assert f"{most} of 10,000 shown, more in the job summary, full table in `cases.jsonl`" in page


def test_a_listing_is_a_sequence_of_what_is_shown() -> None:
    shown = FirstEntries(("a", "b", "c"), str.upper, 2)
    assert (len(shown), list(shown), list(shown)) == (2, ["A", "B"], ["A", "B"])
    assert not FirstEntries((), str.upper, 2)
    assert list(FirstEntries(("a",), str.upper, 2)) == ["A"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("18/20 <+0.1 pts", "18/20 <+0.1 pts", id="words of ours stay as they are"),
        pytest.param(("a ", ("b ", Code("c"))), "a b `c`", id="parts within parts"),
        pytest.param((), "", id="nothing"),
        pytest.param(Foreign("a|b <i>"), "a&#124;b &lt;i&gt;", id="foreign words are no markup"),
        pytest.param(Foreign(" \u200b\n", "–"), "–", id="what cannot be seen is a dash where one is asked for"),
        pytest.param(Foreign(" \u200b\n"), "", id="and nothing elsewhere"),
        pytest.param(Strong(("2 waivers of ", Foreign("*me*"))), "**2 waivers of &#42;me&#42;**", id="what stands out"),
        pytest.param(Command("run --case q1"), "`run --case q1`", id="a command"),
        pytest.param(WithCode("use `target:` *now*"), "use `target:` &#42;now&#42;", id="a message with a key"),
        pytest.param(("run ", Number(999_999)), "run 999999", id="a short number"),
        pytest.param(("run ", Number(1_234_567)), "run `1234567`", id="a long number looks like a commit"),
        pytest.param(
            Link(("run ", Number(1_234_567)), "https://github.com/menu/app/actions/runs/1234567"),
            "[run 1234567](https://github.com/menu/app/actions/runs/1234567)",
            id="in a link nothing looks like one",
        ),
        pytest.param(joined(", ", [Code("a"), "b", Code("c")]), "`a`, b, `c`", id="a row of names"),
        pytest.param(joined(", ", []), "", id="a row of none"),
        pytest.param(sentences("One.", (), "", Foreign("Two.")), "One. Two.", id="only sentences that say something"),
    ],
)
def test_how_markdown_sets_a_span(text: Text, expected: str) -> None:
    assert inline(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param((Strong("a "), ("b ", Code("c|d"))), "a b c|d", id="spans leave no mark"),
        pytest.param(Foreign("x::set-output ##[error]\x1b[31m\r"), "x: :set-output ## [error]\ufffd[31m ", id="a log"),
        pytest.param((":", Foreign(":set-output")), ": :set-output", id="a command of two spans is none"),
        pytest.param(Foreign("", "–"), "–", id="a dash where one is asked for"),
        pytest.param(Link(("run ", Number(1_234_567)), "https://a.test/b"), "run 1234567", id="the words of a link"),
        pytest.param(WithCode("use `target:`"), "use `target:`", id="a message stays as it is typed"),
    ],
)
def test_how_a_log_sets_a_span(text: Text, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("attack", ATTACKS, ids=range(len(ATTACKS)))
@pytest.mark.parametrize("span", [Foreign, Code, Command, WithCode], ids=lambda span: span.__name__)
def test_no_span_lets_a_foreign_text_out_of_its_place(
    span: type[Foreign | Code | Command | WithCode], attack: str
) -> None:
    said = span(attack)
    everywhere = Section(
        items=(Item((said, " and on"), quoted=said, under=(said,)),),
        folds=(Fold("Here", table=Table((Column("One"), Column("Two", numeric=True)), ((said, said),))),),
    )
    view = comment_view(make_reporting((), BLOCKED))._replace(sections=(everywhere,))
    page = "".join(comment_pieces(view))
    assert_whole(page, characters=60_000, size=200_000)
    assert page.count("<details>") == page.count("</details>") == 1
