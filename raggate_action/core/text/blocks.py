"""The layout of a Markdown text: paragraphs, list items behind their lead-in, table rows. Offsets stay true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+•‣]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_FENCE = re.compile(r"[ \t]{0,12}(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^`\s]*)")
# What is fenced as one of these is prose that a model has wrapped.
_PROSE_LANGUAGES = frozenset({"markdown", "md"})
_RULE = re.compile(r"[ \t]{0,3}(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}|[ \t]{0,3}(?:=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_QUOTE = re.compile(r"^[ \t]{0,3}(?:>[ \t]?){1,20}", re.MULTILINE)
_LINK_DEFINITION = re.compile(
    r"^[ \t]{0,3}\[[^\]\n^][^\]\n]{0,99}\]:[ \t]*<?(?:[a-z][a-z0-9+.-]{0,20}:|www\.|\.{0,2}/|#)\S*[ \t]*"
    r"(?:[\"'(].{0,200}[\"')][ \t]*)?$",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->)){0,2000}-->")
_VALUE = r"""(?:"[^"<>]{0,300}"|'[^'<>]{0,300}'|[^\s"'<>=]{1,300})"""
_TAG = re.compile(
    r"</?(?P<name>abbr|a|blockquote|big|br|b|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|img|ins|i|"
    r"kbd|li|mark|ol|pre|p|q|small|span|strong|sub|summary|sup|s|table|tbody|td|thead|th|tr|ul|u)"
    rf"(?:\s{{1,9}}[a-z-]{{1,30}}(?:\s{{0,9}}=\s{{0,9}}{_VALUE})?){{0,20}}\s{{0,9}}/?>",
    re.IGNORECASE,
)
# Inside a word these leave no gap: H<sub>2</sub>O.
_INLINE = frozenset({"a", "abbr", "b", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
                     "small", "span", "strong", "sub", "sup", "u"})  # fmt: skip
_CODE_SPAN = re.compile(r"``[^\n]{1,300}?``|`[^`\n]{1,300}`")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.{1,200}?)(?<=\S)\1")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{1,500}(?:[ ]\"[^\"\n]{0,200}\")?\)")
# A line in bold right above a list is its heading; with a stop or a number it states something.
_BOLD_LINE = re.compile(r"[ \t]{0,3}(\*\*|__)(?=\S)([^*_\n.!?0-9]{1,100})(?<=\S)\1[ \t]*:?[ \t]*")
# One half of an emphasis that runs over the end of a sentence.
_HALF_EMPHASIS = re.compile(r"^\*{1,2}(?=\w)|(?<!\S)\*\*(?=\w)|(?<=[\w.,;:!?)])\*\*(?!\w)")
_STOP = re.compile(r"[.!?؟।۔](?=\s)|[。！？]")
_SPACE_BEFORE_MARK = re.compile(r" (?=[.,;:!?。，、；：！？…])")


class Block(NamedTuple):
    """A stretch of lines that belong together: a paragraph, a list item or a table row.

    Attributes:
        start, end: Its place in the text; for a list item without the bullet.
        lead: For a list item, what the list is introduced with, ending in a colon; empty without an introduction.
        listing: Number of the list an item stands in; 0 for other blocks.
        cells: For a table row, column head and cell of every cell that is not blank.
        heading: For a list item or a table row, the heading it stands under; empty without one.
    """

    start: int
    end: int
    lead: str = ""
    listing: int = 0
    cells: tuple[tuple[str, str], ...] = ()
    heading: str = ""

    @property
    def row(self) -> str:
        """A table row as one statement: every cell behind its head."""
        return "; ".join(f"{head}: {plain(cell)}" if head else plain(cell) for head, cell in self.cells)


def blanked(text: str, pattern: re.Pattern[str]) -> str:
    """The text with every match made blank in place, so that offsets and lines stay true."""
    return pattern.sub(lambda match: re.sub(r"[^\r\n]", " ", match[0]), text)


def without_layout(text: str) -> str:
    """The text without what says nothing: quotation bars, comments, link reference definitions; offsets stay true."""
    if ">" in text:
        text = blanked(blanked(text, _COMMENT), _QUOTE)
    return blanked(text, _LINK_DEFINITION) if "]:" in text else text


def without_code(text: str, *, fenced_prose: frozenset[str] = _PROSE_LANGUAGES) -> str:
    """The text with code spans and fenced code blanked out; offsets stay true.

    Args:
        text: Any text.
        fenced_prose: What a fence may say of its language and still hold prose.
    """
    if "`" not in text and "~~~" not in text:
        return text
    lines: list[str] = []
    fence: re.Match[str] | None = None
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence is None:
            fence = mark
        elif mark is not None and mark["fence"].startswith(fence["fence"]) and not mark["language"]:
            fence = None
        blank = fence is not None and mark is None and fence["language"].lower() not in fenced_prose
        lines.append(re.sub(r"[^\r\n]", " ", line) if blank else line)
    return blanked("".join(lines), _CODE_SPAN)


def without_tags(text: str) -> str:
    """The text with its HTML tags blanked out; offsets stay true."""
    return blanked(text, _TAG) if "<" in text else text


def plain(text: str) -> str:
    """One line without tags and emphasis."""
    if "<" in text:
        text = _TAG.sub(lambda match: "" if match["name"].lower() in _INLINE else " ", text)
    text = _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text or "`" in text else text
    text = _HALF_EMPHASIS.sub("", text) if "*" in text else text
    return _SPACE_BEFORE_MARK.sub("", " ".join(text.split()))


def without_links(text: str) -> str:
    """The text with the words of its links in place of them."""
    return _LINK.sub(r"\1", text) if "](" in text else text


def has_code(text: str) -> bool:
    """Whether some line may open a fenced code block."""
    return "```" in text or "~~~" in text


def blocks(text: str, *, code: bool = False) -> Iterator[Block]:
    """Every block of the text in order, in time linear in its length. Headings, rules and fenced code give none.

    Args:
        text: The text; a bare lead-in ("Refunds are possible:") gives no block where a list follows or not.
        code: Read what is fenced as if it were not.
    """
    if text[:1].isalpha() and len(text.splitlines()) == 1 and not text.rstrip().endswith((":", "：")):
        return iter((Block(0, len(text.rstrip("\r\n"))),))  # one line of prose, as most chunks are
    return iter(_Reader(text, code=code).read())


class _Open(NamedTuple):
    """The block being read: its place so far, and for a list item the bullet's depth."""

    start: int
    end: int
    depth: int | None = None
    lead: str = ""


class _Reader:
    """Reads a text line by line; what is open is closed by whatever cannot belong to it."""

    def __init__(self, text: str, *, code: bool) -> None:
        self._text = text
        self._code = code
        self._lines = list(_lines(text))
        self._found: list[Block] = []
        self._open: _Open | None = None
        self._lead = ""
        self._inner: list[tuple[int, str]] = []  # items that introduce a list of their own: depth and lead-in
        self._listing = 0
        self._heads: tuple[str, ...] = ()
        self._heading = ""
        self._fence = ""
        self._shown = False

    def read(self) -> list[Block]:
        for number, (start, end) in enumerate(self._lines):
            line = self._text[start:end]
            if not self._is_code(line):
                self._read_line(number, start, end, line)
        self._close()
        return self._found

    def _is_code(self, line: str) -> bool:
        """Whether a line is a fence or stands inside one; the words inside are prose where `_shown`."""
        fence = _FENCE.match(line)
        if fence is not None and fence["fence"].startswith(self._fence):
            self._close()
            self._fence = "" if self._fence else fence["fence"]
            self._shown = self._code or fence["language"].lower() in _PROSE_LANGUAGES
            return True
        return bool(self._fence) and not self._shown

    def _read_line(self, number: int, start: int, end: int, line: str) -> None:
        if not line.strip():
            self._close()
            self._heads = ()
        elif heading := _HEADING.match(line):
            self._head(line[heading.end() :].rstrip(" \t#"))
        elif self._open is None and "**" in line and (bold := _BOLD_LINE.fullmatch(line)) and self._lists_next(number):
            self._head(bold[2].rstrip(" :"))
        elif self._is_row(number, line):
            self._close()
            self._read_row(start, end, line)
        elif _RULE.fullmatch(line):
            self._read_rule(line)
        elif item := _ITEM.match(line):
            self._read_item(start, end, item)
        elif self._open is not None:
            self._open = self._open._replace(end=end)
        else:
            self._open = _Open(start, end)

    def _head(self, words: str) -> None:
        self._close()
        self._lead, self._heads = "", ()
        self._heading = plain(words)

    def _lists_next(self, number: int) -> bool:
        """Whether the next line that says anything is a list item."""
        following = (self._text[slice(*place)] for place in self._lines[number + 1 : number + 3])
        return _ITEM.match(next((line for line in following if line.strip()), "")) is not None

    def _read_rule(self, line: str) -> None:
        """A rule parts paragraphs; right under a single line without a stop it makes that line a heading."""
        above = self._open
        if above is not None and above.depth is None and line.strip(" \t=-") == "":
            words = self._text[above.start : above.end].rstrip()
            if "\n" not in words and not words.endswith((".", "!", "?", ":", "。", "！", "？")):
                self._open = None
                self._heading = plain(words)
        self._close()
        self._lead, self._listing = "", self._listing + 1

    def _read_item(self, start: int, end: int, item: re.Match[str]) -> None:
        self._close()
        depth = len(item[0]) - len(item[0].lstrip())
        while self._inner and self._inner[-1][0] >= depth:
            self._inner.pop()
        lead = self._inner[-1][1] if self._inner else self._lead
        self._open = _Open(start + item.end(), end, depth, lead)

    def _read_row(self, start: int, end: int, line: str) -> None:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not self._heads:
            self._heads = tuple(plain(cell) for cell in cells)
        elif not _TABLE_RULE.fullmatch(line):
            heads = (*self._heads, *[""] * (len(cells) - len(self._heads)))
            named = tuple((head, cell) for head, cell in zip(heads, cells, strict=False) if cell.strip())
            self._found.append(Block(start, end, cells=named, heading=self._heading))

    def _is_row(self, number: int, line: str) -> bool:
        if "|" not in line:
            return False
        if self._heads:
            return True
        following = self._text[slice(*self._lines[number + 1])] if number + 1 < len(self._lines) else ""
        return "|" in following and _TABLE_RULE.fullmatch(following) is not None

    def _close(self) -> None:
        block, self._open = self._open, None
        if block is None:
            return
        words = self._text[block.start : block.end].rstrip()
        # A lead-in asserts nothing by itself, but the sentences before it may.
        introduces = words.endswith((":", "："))
        cut = _last_stop(words) if introduces else len(words)
        if block.depth is None:
            self._lead = plain(words[cut:])
            self._inner.clear()
            self._listing += 1
        elif introduces:
            self._inner.append((block.depth, plain(f"{block.lead} {words[cut:]}")))
            self._listing += 1
        if cut:
            listing = 0 if block.depth is None else self._listing
            end = block.start + cut if introduces else block.end
            heading = "" if block.depth is None else self._heading
            self._found.append(Block(block.start, end, block.lead, listing, heading=heading))


def _last_stop(text: str) -> int:
    stops = [match.end() for match in _STOP.finditer(text)]
    return stops[-1] if stops else 0


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n"))
        at += len(line)
