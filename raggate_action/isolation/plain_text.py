"""A text made plain: escapes undone, marks and invisible characters removed, the place of each character kept."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from raggate_action.strings.visible_text import COMMENT, EMPHASIS, INVISIBLE, TAG

_CITATION = r"\[\^?[\w.:/#-]{1,30}\]|【[^【】]{0,60}】"
_IN_URL = r"(?:%(?:25)*[0-9A-Fa-f]{2})+"
_IN_HTML = r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
_IN_JSON = r"(?:\\+u[0-9A-Fa-f]{4})+|\\+[nrtbf]?"
_UNIT = re.compile(rf"(?=[<*`~_\[【%&\\])(?:{COMMENT}|{TAG}|{EMPHASIS}|{_CITATION}|{_IN_URL}|{_IN_HTML}|{_IN_JSON})")
# A text without any of these is plain already.
_COVERED = re.compile(rf"[\\%&<*`~\n\r\t]|__|\s\s|[^\x00-\x7f]|{_CITATION}")
_MARK = re.compile(EMPHASIS)


class _Bare(dict[int, str]):
    """What is left of each character: letters without accents and width, one kind of space; a plus is one in a form."""

    def __missing__(self, code: int) -> str:
        decomposed = INVISIBLE.sub("", unicodedata.normalize("NFKD", chr(code)))
        kept = "".join(c for c in decomposed if unicodedata.category(c) not in {"Mn", "Me"})
        self[code] = bare = " " if kept.isspace() or kept == "+" else kept
        return bare


_BARE = _Bare()


def is_covered(text: str) -> bool:
    """Whether making the text plain could change it."""
    return _COVERED.search(text) is not None


def plain(text: str) -> str:
    """The text made plain; several spaces in a row become one."""
    return _UNIT.sub(lambda unit: _meaning(unit[0]), text).translate(_BARE)


def replaced(pattern: re.Pattern[str], by: str, text: str) -> str:
    """The text with `by` where `pattern` is found in its plain form; escapes and marks inside a find go with it."""
    places = [(character, start, end) for stretch, start, end in _parts(text) for character in stretch]
    pieces: list[str] = []
    at = 0
    for found in pattern.finditer("".join([character for character, _start, _end in places])):
        pieces += (text[at : places[found.start()][1]], by)
        at = places[found.end() - 1][2]
    return "".join([*pieces, text[at:]])


def _parts(text: str) -> Iterator[tuple[str, int, int]]:
    """What each stretch of the text shows, and its place."""
    at = 0
    for unit in _UNIT.finditer(text):
        yield from ((_BARE[ord(text[place])], place, place + 1) for place in range(at, unit.start()))
        at = unit.end()
        yield _meaning(unit[0]).translate(_BARE), unit.start(), at
    yield from ((_BARE[ord(text[place])], place, place + 1) for place in range(at, len(text)))


def _meaning(unit: str) -> str:
    """What an escape stands for; nothing for a mark."""
    match unit[0]:
        case "%":
            meaning = unquote(re.sub(r"%(?:25)+(?=[0-9A-Fa-f]{2})", "%", unit))
        case "&":
            meaning = html.unescape(re.sub(r"^&(?:amp;)+", "&", unit))
        case "\\" if "u" in unit:
            units = bytes.fromhex("".join(re.findall("u(.{4})", unit)))
            meaning = units.decode("utf-16-be", errors="replace")
        case "\\":
            meaning = " " if unit[-1].isalpha() else ""
        case _:
            meaning = ""
    return _MARK.sub("", meaning)
