"""Foreign text, made harmless: one function per place it can stand in.

An answer, a chunk id or a case name may hold anything: a table's pipe, an HTML comment that looks like ours, a
mention, a link, a terminal's control sequence. GitHub reads a comment twice. cmark-gfm builds HTML from
the Markdown; then filters go over the text of that HTML and link mentions, issues, commits and emoji. So there
are two techniques, and no invisible characters, which would be copied along with an id:

- What means something to cmark (`|`, `<`, `*`, `[`, a backtick, ...) becomes an HTML entity. An entity is text
  to every parser that splits cells or looks for tags, and reads as the character.
- What means something to the filters survives entities, because they run after those are resolved. Such words
  (`@team`, `#12`, a link, a commit) go into a code span, where no filter looks.

No output of the Markdown functions contains a raw `<`, `>`, `|` or line break, and every backtick in it belongs
to a code span that closes on the same line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import groupby

from raggate_action.strings.visible_text import without_invisible

# A word longer than this would push a table off the screen; ids and links are cut, sentences are not concerned.
LONGEST_WORD = 80
# A command longer than this is not copied from a comment any more.
LONGEST_COMMAND = 400
# Nor is a longer piece of a suite, which may hold the waivers of several cases.
LONGEST_PIECE = 4_000
# Longer texts are not kept: a page that names every case of a run must not hold every answer.
_OFTEN_REPEATED = 500

_BREAKS = re.compile("[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]")
# Controls, marks of direction, lone surrogates and interlinear marks: shown as what they are, something broken.
_BROKEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb]"
)

# Words that a filter of GitHub's would act on: mentions, issues, mathematics, emoji and links, bare www, commits,
# advisories, and `GH-12` with every other tracker's ids of that form.
_LINKED = re.compile(
    r"[@#$]|:[^\s)\"'”’.,;!?]|www\.|(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])|[a-z]-\d|ghsa-", re.IGNORECASE | re.ASCII
)
# An underscore inside a word is one; everything else here is markup wherever it stands.
_MARKUP = re.compile(r"[\\`*\[\]<>&|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# What opens a list, a rule or a heading, only at the very start of a text.
_OPENING = re.compile(r"(?:[-+=]|\d{1,9}[.)](?=\s|$))")
_NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
# Belongs to the sentence, not to the word before it.
_PUNCTUATION = ".,;:!?)”’"
# Not even inside a code span: a table would split at the pipe, and no reader of the raw text may find a tag.
_NEVER_RAW = re.compile(r"([`|<>]+)")


def clean(text: str) -> str:
    """The text on one line without controls, direction overrides, invisible characters and lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    # Marks of direction are invisible too: they are shown, for they turn the text beside them around.
    return without_invisible(_BROKEN.sub("\ufffd", _BREAKS.sub(" ", text)))


def prose(text: str) -> str:
    """Foreign text inside a sentence or list item of ours; reads as written, and nothing in it is Markdown."""
    return _repeated_prose(text) if len(text) <= _OFTEN_REPEATED else _prose(text)


def _prose(text: str) -> str:
    words = _without_long_words(clean(text)).split()
    parts = [
        _code_in_prose(" ".join(run)) if linked else _entities(" ".join(run))
        for linked, run in groupby(words, key=lambda word: _LINKED.search(word) is not None)
    ]
    return _unopened(" ".join(parts))


@lru_cache(maxsize=8192)
def inline_code(text: str) -> str:
    """An id, name or version, set as code; a long word in it is cut. Safe in a table as well."""
    return _code(_without_long_words(clean(text)).strip()) or "–"


def with_code(text: str) -> str:
    """As `prose`, but what stands between two backticks is set as code, as in a message of ours that quotes a key.

    Foreign text in it may pair them otherwise; that moves what is set as code, and makes nothing else of it.
    """
    pieces = text.split("`")
    escaped = "".join([_padded(piece, inline_code if place % 2 else prose) for place, piece in enumerate(pieces)])
    # Two spans side by side would be one of two backticks.
    return prose(text) if len(pieces) % 2 == 0 or "``" in escaped else escaped


def _padded(piece: str, escape: Callable[[str], str]) -> str:
    """A piece of a line, escaped, with the spaces that hold it apart from its neighbours."""
    if not piece.strip():
        return piece and " "
    return f"{' ' * piece[0].isspace()}{escape(piece)}{' ' * piece[-1].isspace()}"


# A text is rendered at several extents, and the same names stand in many places of it.
_repeated_prose = lru_cache(maxsize=8192)(_prose)


def copyable(text: str, longest: int = LONGEST_COMMAND) -> bool:
    """Whether a command is short enough to be copied, and is the same afterwards."""
    return len(text) <= longest and clean(text) == text


def command(text: str) -> str:
    """A command or a piece of a suite to copy, set as code and never cut; empty when it cannot be copied."""
    return _code(text) if copyable(text, LONGEST_PIECE) else ""


def log_line(text: str) -> str:
    """Foreign text for a terminal or a CI log: one line, no control sequence, no workflow command.

    A runner reads `::set-output ...` at the start of a line and `##[...]` anywhere as commands to itself; a space
    in between takes that away and leaves both readable.
    """
    return re.sub(r":(?=:)", ": ", clean(text)).replace("##[", "## [")


def _without_long_words(text: str) -> str:
    if len(text) <= LONGEST_WORD or max(map(len, text.split()), default=0) <= LONGEST_WORD:
        return text
    return _long_word().sub(r"\1…", text)


@cache
def _long_word() -> re.Pattern[str]:
    # East Asian text has long runs without spaces and breaks anywhere, so it is never a long word. Wide ranges take
    # milliseconds to compile: only when there is a text to cut.
    return re.compile(rf"([^\s\u2e80-\U0010ffff]{{{LONGEST_WORD}}})[^\s\u2e80-\U0010ffff]+")


def _code(text: str) -> str:
    """A code span that nothing inside can close; what may not stand in one stands between two of them."""
    pieces = _NEVER_RAW.split(text)
    return "".join([_every_entity(piece) if place % 2 else _span(piece) for place, piece in enumerate(pieces)])


def _code_in_prose(text: str) -> str:
    """A code span that leaves the sentence's own punctuation outside."""
    bare = text.rstrip(_PUNCTUATION)
    return _code(bare) + text[len(bare) :] if bare else _code(text)


def _span(text: str) -> str:
    if not text:
        return ""
    # cmark takes one space off each end when both have one.
    pad = " " if text.startswith(" ") and text.endswith(" ") and text.strip() else ""
    return f"`{pad}{text}{pad}`"


def _every_entity(text: str) -> str:
    return "".join([_entity(character) for character in text])


def _entities(text: str) -> str:
    return _MARKUP.sub(lambda found: _entity(found[0]), text)


def _entity(character: str) -> str:
    return _NAMED.get(character) or f"&#{ord(character)};"


def _unopened(line: str) -> str:
    opening = _OPENING.match(line)
    if opening is None:
        return line
    last = opening.end() - 1
    return f"{line[:last]}{_entity(line[last])}{line[last + 1 :]}"
