"""From a page to HTML: how each span and shape is written, with nothing foreign alive in it. Works without a script."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterable, Iterator
from typing import assert_never
from urllib.parse import quote

from raggate_action.report.page import (
    Code,
    Command,
    DecisionBox,
    Fold,
    Foreign,
    Item,
    Link,
    Listing,
    Number,
    Section,
    Strong,
    Table,
    Text,
    WithCode,
)
from raggate_action.schema.decision import DecisionKind
from raggate_action.strings.visible_text import INVISIBLE

# Controls but tabs and line breaks, lone surrogates, separators of lines, marks between lines; the rest is `INVISIBLE`.
_CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufff9-\ufffb]"
_UNSEEN = re.compile(f"{_CONTROLS}|{INVISIBLE.pattern}")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._:/%#=-]+")
# Joiners and variation selectors between pictures belong to them.
_OF_PICTURES = frozenset("\u200d\ufe0e\ufe0f")
_FIRST_PICTURE = "\u2190"

# What stands for itself in a comment; a page has its own colours, and not every machine has these pictures.
_AS_TEXT = {
    "✅": '<span class="up" aria-hidden="true">✓</span>',
    "❌": '<span class="down" aria-hidden="true">✕</span>',
    "⚠️": '<span class="warns" aria-hidden="true">!</span>',
}
_OWN_SIGN = re.compile("|".join(_AS_TEXT))
_SIGNS: dict[DecisionKind, str] = {"release": "✓", "block": "✕", "inconclusive": "?"}


def with_signs(text: str) -> str:
    """Foreign text, escaped; every character that cannot be seen is shown as its code point."""
    escaped = html.escape(text)
    return escaped if escaped.isascii() and escaped.isprintable() else _UNSEEN.sub(_sign, escaped)


def _sign(found: re.Match[str]) -> str:
    letter, place = found[0], found.start()
    if letter in _OF_PICTURES and place and found.string[place - 1] >= _FIRST_PICTURE:
        return letter
    return f'<span class="sign">U+{ord(letter):04X}</span>'


def html_text(text: Text, cases: Container[str] = ()) -> str:
    """The text as HTML on one line.

    Args:
        text: What is to be read.
        cases: Ids of the cases that the page shows: where one is named, it leads there.
    """
    match text:
        case str():
            return _OWN_SIGN.sub(lambda found: _AS_TEXT[found[0]], html.escape(text))
        case tuple():
            return "".join([html_text(part, cases) for part in text])
        case Foreign():
            return f"<bdi>{with_signs(text.text) or html.escape(text.if_blank)}</bdi>"
        case Code():
            code = f"<code>{with_signs(text.text)}</code>"
            return f'<a href="#{_case_hash(text.text)}">{code}</a>' if text.text in cases else code
        case Command():
            return f'<code class="command">{with_signs(text.text)}</code>'
        case WithCode():
            pieces = text.text.split("`")
            return "".join([f"<code>{with_signs(p)}</code>" if n % 2 else with_signs(p) for n, p in enumerate(pieces)])
        case Number():
            return str(text.value)
        case Strong():
            return f"<strong>{html_text(text.text, cases)}</strong>"
        case Link():
            return _link(text, cases)
        case _:
            assert_never(text)


def _link(link: Link, cases: Container[str]) -> str:
    if len(link.words) == 1 and isinstance(link.words[0], Code) and link.words[0].text in cases:
        return html_text(link.words[0], cases)
    words = html_text(link.words)
    if not _ADDRESS.fullmatch(link.address):
        return words
    return f'<a href="{html.escape(link.address)}" rel="noopener noreferrer nofollow">{words}</a>'


def _case_hash(case_id: str) -> str:
    """The fragment that opens a case, as the page's script writes it."""
    return "case=" + quote(case_id, safe="-_.!~*'()", errors="replace").replace("'", "%27")


def decision_pieces(box: DecisionBox, cases: Container[str]) -> Iterator[str]:
    """The verdict banner and the list of what to look at."""
    kind = "claim" if box.is_claim and box.kind == "release" else box.kind
    head, counts = _parts(box.line)
    yield f'<section class="verdict {kind}" aria-labelledby="decision">'
    # Sign and word stand for the decision, so that colour is never alone.
    yield f'<h1 id="decision"><span class="mark" aria-hidden="true">{_SIGNS[box.kind]}</span> {html_text(head)}</h1>'
    yield '<ul class="counts">'
    yield from (f"<li>{html_text(each, cases)}</li>" for each in counts)
    yield "</ul>"
    for line in box.first:
        yield f'<p class="before">{html_text(line, cases)}</p>'
    if box.reasons:
        yield '<ul class="reasons">'
        yield from (f"<li>{html_text(reason, cases)}</li>" for reason in box.reasons)
        yield "</ul>"
    yield "</section>"


def _parts(line: Text) -> tuple[Text, list[Text]]:
    """The decision, and the counts beside it."""
    if not isinstance(line, tuple):
        return line, []
    parts: list[Text] = [part for part in line if part != " · "]
    return parts[0], parts[1:]


def section_pieces(section: Section, cases: Container[str]) -> Iterator[str]:
    """A part of the page; nothing for an empty one."""
    if not any(section):
        return
    yield '<section class="part">'
    if section.lead:
        yield f"<p>{html_text(section.lead, cases)}</p>"
    yield from _block(section.items, section.table, section.more, cases)
    for fold in section.folds:
        yield from _fold(fold, cases)
    yield "</section>"


def _fold(fold: Fold, cases: Container[str]) -> Iterator[str]:
    yield f'<details><summary>{html.escape(fold.summary)}</summary><div class="inside">'
    yield from _block(fold.items, fold.table, fold.more, cases)
    yield "</div></details>"


def _block(items: Listing[Item], table: Table | None, more: Text, cases: Container[str]) -> Iterator[str]:
    if len(items):
        yield "<ul>"
        yield from (_item(item, cases) for item in items)
        yield "</ul>"
    if table is not None:
        yield from _table(table, cases)
    if more:
        yield f'<p class="more">{html_text(more, cases)}</p>'


def _item(item: Item, cases: Container[str]) -> str:
    quoted = f"<blockquote>{html_text(item.quoted, cases)}</blockquote>" if item.quoted is not None else ""
    under = "".join([f"<li>{html_text(line, cases)}</li>" for line in item.under])
    return f"<li>{html_text(item.text, cases)}{quoted}{f'<ul>{under}</ul>' if under else ''}</li>"


def _table(table: Table, cases: Container[str]) -> Iterator[str]:
    yield '<div class="wide" tabindex="0" role="group" aria-label="table"><table><thead><tr>'
    yield from (f"<th{_numeric(column.numeric)}>{html.escape(column.title)}</th>" for column in table.columns)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        yield "<tr>"
        cells: Iterable[tuple[bool, Text]] = zip((each.numeric for each in table.columns), row, strict=True)
        yield from (f"<td{_numeric(numeric)}>{html_text(cell, cases)}</td>" for numeric, cell in cells)
        yield "</tr>"
    yield "</tbody></table></div>"


def _numeric(numeric: bool) -> str:  # noqa: FBT001 - a column's own field
    return ' class="number"' if numeric else ""
