"""What holds of every page, whatever a run holds: nothing foreign breaks out of the place it was put in."""

from __future__ import annotations

import html
import re
import unicodedata

OUR_TAGS = {"<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"}
MARKER = re.compile(
    r"<!-- raggate:v1 suite=[A-Za-z0-9._-]{0,64}( run=\d{1,19} attempt=\d{1,9}( head=[0-9a-f]{40,64})?)? -->"
)
# The only addresses a page links to are those of a workflow run, a commit and a case's line, in the repository it is about.
OUR_LINK = re.compile(
    r"\[\N{REPLACEMENT CHARACTER}[^\[\]]*\]\(https?://[A-Za-z0-9./:-]+/blob/[0-9a-f]{40,64}/[A-Za-z0-9_./%-]+#L\d+\)|"
    r"\[(workflow run \d+(, attempt \d+)?|[^\[\]]*\N{REPLACEMENT CHARACTER}[^\[\]]*)\]\(https?://[A-Za-z0-9./:-]+/[A-Za-z0-9_.-]+/"
    r"[A-Za-z0-9_.-]+/(commit/[0-9a-f]{40,64}|actions/runs/\d+(/attempts/\d+)?)\)"
)
# Every line is begun by us, so that no foreign text can open a heading, a fence, a list or a rule.
LINE_STARTS = re.compile(
    r"""
    $ | <!--\ raggate:v1\ | >\ | >$ | \*\*[A-Z⏳0-9] | -\  | \ \ -\  | \ \ >\  | \|\  | <details><summary> | </details>$
    | <sub>.*</sub>$ | [0-9,]+\ of\ [0-9,]+\ shown[,:]\ | [0-9,]+\ more\ stand[ ] | repeat:[ ]
    """,
    re.VERBOSE,
)


def outside_code(line: str) -> str:
    """The line without its code spans, each replaced by one character."""
    assert line.count("`") % 2 == 0, f"a code span stays open: {line!r}"
    return re.sub(r"`[^`]*`", "\N{REPLACEMENT CHARACTER}", line)


def assert_whole(page: str, *, characters: int, size: int, markers: int = 1) -> None:
    """All laws at once."""
    assert len(page) <= characters
    assert len(page.encode()) <= size
    assert page.endswith("</sub>\n")
    lines = page.removesuffix("\n").split("\n")
    assert page.count("<!--") == page.count("-->") == markers
    bare = [outside_code(line) for line in lines]
    if markers:
        assert MARKER.fullmatch(bare[0])
    for line in bare:
        assert LINE_STARTS.match(line), f"not begun by us: {line!r}"
        assert_only_our_markup(OUR_LINK.sub("", MARKER.sub("", line)))
    assert_folds_close(bare)
    assert_tables_are_square(bare)


def assert_only_our_markup(line: str) -> None:
    """No tag, link, mention or reference but ours, and nothing that cannot be seen."""
    tags = re.findall(r"<[^<>]*>", line)
    assert set(tags) <= OUR_TAGS, tags
    rest = re.sub(r"<[^<>]*>|^( {2})?>( \[!(CAUTION|WARNING|TIP|NOTE)\]$)?", "", line)
    assert not re.search(r"[<>\[\]\\]", rest), rest
    read = html.unescape(rest)
    assert not re.search(r"[@#$]|://|www\.|:\w|\bgh-\d|\b[0-9a-f]{7,40}\b", read, re.IGNORECASE | re.ASCII), read
    assert not [char for char in line if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}]
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", line)


def assert_folds_close(lines: list[str]) -> None:
    """Folds open and close by turns, with a blank line on either side of what is inside."""
    opened = False
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if "<details>" in line:
            assert not opened
            assert (before, after) == ("", "")
            opened = True
        elif "</details>" in line:
            assert opened
            assert (before, after) == ("", "")
            opened = False
    assert not opened


def assert_tables_are_square(lines: list[str]) -> None:
    """Every table has its head, its rule and rows of one width, after a blank line."""
    width = 0
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            width = 0
            continue
        if not width:
            width = line.count("|")
            assert lines[number - 1] == ""
            assert re.fullmatch(r"\|( -{3}:? \|)+", lines[number + 1])
        assert line.count("|") == width, line
