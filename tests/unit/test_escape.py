"""Foreign text made harmless, held to what GitHub's renderer and a runner's log would do with it."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from raggate_action.report.escape import clean, command, inline_code, log_line, prose, with_code

HOSTILE = [
    "| a | b |",
    "`code` and ``````````",
    "\\`not escaped\\`",
    "<script>alert(1)</script>",
    "</details><details open>",
    "<!-- raggate:v1 suite=menu -->",
    "--> text <!--",
    "@octocat and @org/team, mail me@example.com",
    "fixes #123, GH-7, owner/repo#1, ABC-99, GHSA-xxxx-yyyy-zzzz",
    "deadbeefcafe 0123456789abcdef0123456789abcdef01234567 owner/repo@deadbeef",
    "see http://evil.test/x, www.evil.test, ftp://x.y and <https://evil.test>",
    "![x](http://evil.test/pixel.png) [click](javascript:alert(1))",
    "[^1]: note [!CAUTION] [ref]: http://evil.test",
    "*bold* **bold** _em_ __b__ ~~gone~~ snake_case _",
    "line one\nline two\r\nline three\rline four\u2028five\u2029six\x85seven\x0beight",
    "# heading\n---\n===\n- item\n1. item\n> quote\n```sh\nfence\n```",
    "::set-output name=x::y",
    "\r::add-mask::a",
    "##[error]x",
    "EOF ghadelimiter_1",
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.test\x07link\x1b]8;;\x07 \x9b31m",
    "abc\u202edcba\u202c \u2066x\u2069 \u200fy",
    "@\u200bteam #\u200b1 \u2060 \ufeff \U000e0041",
    "\ud800 lone \udfff \x00 nul",
    ":tada: $x^2$ $$y$$ $`z`$",
    "&lt;b&gt; &#96; &copy;",
    "w" * 5_000,
    "答" * 300,
    "   ",
    "",
    "{{ 7 * 7 }} {% raw %}",
]
TEXTS = st.text(st.characters(), max_size=80) | st.text(st.sampled_from("|`<>&\\*_[]()#@$:~!-+=.1aw/ \n"), max_size=40)

SPAN = re.compile(r"`([^`]*)`")


def unprintable(shown: str) -> list[str]:
    """Controls, surrogates, line separators, and what changes direction or cannot be seen."""
    kept = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
    categories = {"Cc", "Cs", "Zl", "Zp", "Cf"}
    return [ascii(c) for c in shown if unicodedata.category(c) in categories and c not in kept]


def outside_code(shown: str) -> str:
    return SPAN.sub("\N{REPLACEMENT CHARACTER}", shown)


def as_read(shown: str) -> str:
    """The text a reader of the rendered page sees: code spans literally, entities resolved elsewhere."""
    parts = re.split(r"(`[^`]*`)", shown)
    return "".join(part[1:-1] if part.startswith("`") else html.unescape(part) for part in parts)


def assert_inert(shown: str) -> None:
    """The laws that make a Markdown sink safe, whatever stands in it."""
    assert not re.search("[<>|\r\n]", shown), "a raw tag, pipe or line break"
    assert shown.count("`") % 2 == 0, "a code span stays open"
    assert not unprintable(shown)
    shown.encode()
    outside = outside_code(shown)
    assert "`" not in outside
    assert "\\" not in outside
    text = html.unescape(outside)
    assert not re.search(r"[@#$]|://|www\.|:\w|\b[0-9a-f]{7,40}\b|\bGH-\d", text, re.IGNORECASE | re.ASCII), text
    assert not re.search(r"[*\[\]~]", outside), "markup outside a code span"
    assert not re.match(r"[-+=]|\d{1,9}[.)](\s|$)", outside), "opens a list, a rule or a heading"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("sink", [prose, inline_code, with_code], ids=lambda sink: sink.__name__)
def test_hostile_text_is_inert(sink: Callable[[str], str], text: str) -> None:
    if sink is inline_code:
        shown = inline_code(text)
        assert not re.search("[<>|\r\n]", shown)
        assert shown.count("`") % 2 == 0
        assert set(html.unescape(outside_code(shown))) <= set("`|<>–\N{REPLACEMENT CHARACTER}")
    else:
        assert_inert(sink(text))


@given(TEXTS)
@example("`|<>`")
@example("1)")
def test_any_prose_is_inert(text: str) -> None:
    assert_inert(prose(text))


@given(TEXTS)
def test_any_prose_reads_as_it_was_written(text: str) -> None:
    written = " ".join(clean(text).split())
    if len(max(written.split(), key=len, default="")) <= 80:
        assert as_read(prose(text)) == written


@given(TEXTS.filter(lambda text: clean(text).strip() and len(text) <= 80))
@example(" `a` ")
@example("a | b|c ")
def test_any_name_in_code_reads_as_it_was_written(text: str) -> None:
    shown = inline_code(text)
    # cmark takes one space off both ends of a code span when both have one.
    read = re.sub(r"` ( [^`]* ) `", lambda found: f"`{found[1]}`", shown)
    assert as_read(read) == clean(text).strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The lamb is gluten-free.", "The lamb is gluten-free.", id="a sentence stays a sentence"),
        pytest.param("menu_31 in candidates, reranked", "menu_31 in candidates, reranked", id="an id stays an id"),
        pytest.param("ask @team now", "ask `@team` now", id="a mention becomes code"),
        pytest.param("a|b", "a&#124;b", id="a pipe becomes an entity"),
        pytest.param("<b>", "&lt;b&gt;", id="a tag becomes entities"),
        pytest.param("@a|@b", "`@a`&#124;`@b`", id="a pipe between mentions splits the code"),
        pytest.param("``", "&#96;&#96;", id="backticks become entities"),
        pytest.param("see #1 @x then", "see `#1 @x` then", id="neighbours share a code span"),
        pytest.param("- item", "&#45; item", id="a list marker at the start is text"),
        pytest.param("a - b", "a - b", id="a dash inside is a dash"),
        pytest.param("2026. Then", "2026&#46; Then", id="an ordered list marker at the start is text"),
        pytest.param("3.5 stars", "3.5 stars", id="a decimal is no list marker"),
        pytest.param("two\n\nlines", "two lines", id="line breaks become spaces"),
        pytest.param("x" * 100, "x" * 80 + "…", id="an endless word is cut"),
        pytest.param("答" * 100, "答" * 100, id="a sentence without spaces is no word"),
        pytest.param("all\u200bergen", "allergen", id="invisible characters are left out"),
        pytest.param("a\u202eb", "a\ufffdb", id="a direction override is shown as broken"),
        pytest.param("$5 or $6", "`$5` or `$6`", id="dollar signs are no mathematics"),
    ],
)
def test_prose_reads(text: str, expected: str) -> None:
    assert prose(text) == expected


def test_an_empty_name_shows_a_dash() -> None:
    assert inline_code("") == "–"


def test_a_quotation_stays_on_its_line() -> None:
    assert prose("one\n> two\n\nthree") == "one &gt; two three"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("run --case q1", "`run --case q1`", id="a plain command"),
        pytest.param("run --case 'a|b'", "`run --case 'a`&#124;`b'`", id="a pipe is copied, and splits no table"),
        pytest.param("run --case 'a\nb'", "", id="what copying would change is not offered"),
        pytest.param("run --case " + "x" * 4000, "", id="what nobody would copy is not offered"),
        pytest.param("run " + "p/" * 60, "`run " + "p/" * 60 + "`", id="a long path is not cut"),
    ],
)
def test_commands(text: str, expected: str) -> None:
    assert command(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("::error::x", ": :error: :x", id="a workflow command"),
        pytest.param(":::x", ": : :x", id="three colons leave no pair"),
        pytest.param("a ##[group]x", "a ## [group]x", id="the old form of a command"),
        pytest.param("a\r\nb\u2028c", "a  b c", id="line breaks"),
        pytest.param("\x1b[2Jgone", "\ufffd[2Jgone", id="a terminal sequence"),
        pytest.param("a:b 12:30", "a:b 12:30", id="single colons stay"),
        pytest.param("\ud800", "\ufffd", id="a lone surrogate"),
    ],
)
def test_log_lines(text: str, expected: str) -> None:
    assert log_line(text) == expected


@given(TEXTS)
@example("####[[::::")
def test_no_log_line_is_a_command_or_moves_the_cursor(text: str) -> None:
    shown = log_line(text)
    assert not unprintable(shown)
    assert "::" not in shown
    assert "##[" not in shown
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Correct `target: url`, or wait.", "Correct `target: url`, or wait.", id="what is quoted is code"),
        pytest.param("`ready:` first", "`ready:` first", id="at the start"),
        pytest.param("an odd ` one", "an odd &#96; one", id="a backtick alone is a character"),
        pytest.param("@team`a`", prose("@team`a`"), id="spans side by side would be another thing"),
        pytest.param("a `|` b", "a &#124; b", id="nothing stands raw in code either"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_message_of_ours_quotes_keys_as_code(text: str, shown: str) -> None:
    assert with_code(text) == shown
