"""A folder of documents as sections: a heading, and the sentences and lines of code under it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.text.blocks import blocks, plain, without_links
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.errors import UsageError
from raggate_action.strings.passages import folded_quote, folded_text
from raggate_action.suite_files.problems import path_text

READ = (".md", ".txt", ".html")
_ALIKE = {".htm": ".html", ".markdown": ".md"}
_LARGEST_FILE = 2_000_000
_MOST_FILES = 2_000
_HEADING = re.compile(r"^[ ]{0,3}(?P<marks>#{1,6})[ \t]+(?P<words>\S.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"^[ ]{0,3}(?:={3,}|-{3,})[ \t]*$")
# "NAME" at the margin above what is set in, as manual pages have it.
_MARGIN_HEADING = re.compile(r"^[A-Z][A-Z0-9 /&-]{2,58}$(?=\n[ \t]+\S)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]{0,12}(?:`{3,}|~{3,})")
_MARK_IN_HEADING = re.compile(r"[*`]+|\[([^\]]*)\]\([^)]*\)|<[^>]{0,200}>")
_NUMBERED = re.compile(r"^(?:§[ ]*)?(?:\d{1,3}(?:\.\d{1,3}){0,4}[.):]?|[A-Z]\.\d{0,3}|[IVX]{1,5}\.)[ \t]+")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*\n", re.DOTALL)
_SAMPLE = 4_000
_NAMES_OF_CODE = re.compile(r"\w\(\)|(?<!\S)--?[a-z]\w|\$\w|[a-z]_[a-z]|\w::\w")
_SOME = 5
# What they say of a thing held once.
_CHANGES = re.compile(r"changelog|changes|release[-_ ]?notes|releases|news", re.IGNORECASE)


class DocumentPart(NamedTuple):
    """What stands under one heading.

    Attributes:
        document: The file, from the folder that was named.
        title: The document's first heading; empty without one.
        heading: Its own, without marks and numbers; empty before the first one.
        sentences: Of its paragraphs and list items, each on one line.
        is_technical: The document holds code, or names as code has them.
        language: ISO 639-1 code of the language that the document is in; empty where that has no rules here.
    """

    document: str
    title: str
    heading: str
    sentences: tuple[str, ...]
    is_technical: bool
    language: str


class Documents(NamedTuple):
    """The sections of a folder, and the files that are not read, in words."""

    sections: tuple[DocumentPart, ...]
    not_read: tuple[str, ...]


class _NotReadError(Exception):
    """Why a file is not read."""


def read_documents(folder: Path) -> Documents:
    """The documents of a folder and of those below it, in the order of their names.

    Links are not followed out of the folder, and hidden files are no documents.

    Raises:
        UsageError: There is no such folder, or nothing in it can be read.
    """
    if not folder.is_dir():
        raise UsageError(f"{path_text(folder)} is no folder", hint="Give the folder that your documents are in.")
    sections: list[DocumentPart] = []
    kinds, named = Counter[str](), list[str]()
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not _is_hidden(path, folder)]
    for path in paths[:_MOST_FILES]:
        name = path.relative_to(folder).as_posix()
        kind = _ALIKE.get(path.suffix.lower(), path.suffix.lower())
        if kind not in READ:
            kinds[kind or "without an ending"] += 1
            continue
        try:
            sections += sections_of(name, _text(path, kind, folder))
        except _NotReadError as why:
            named.append(f"{name} ({why})")
    kinds[f"behind the first {_MOST_FILES} files"] = len(paths[_MOST_FILES:])
    if not sections:
        raise UsageError(
            f"{path_text(folder)} has no document that can be read",
            hint=f"Read are {', '.join(READ)}; put what you have into one of them, as by `pandoc FILE -o FILE.md`.",
        )
    return Documents(tuple(sections), (*[f"{number} {kind}" for kind, number in kinds.most_common() if number], *named))


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _text(path: Path, kind: str, folder: Path) -> str:
    """A file as Markdown."""
    if _CHANGES.fullmatch(path.stem):
        raise _NotReadError("a list of changes")
    if folder.resolve() not in path.resolve().parents:
        raise _NotReadError("a link to another place")
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise _NotReadError("larger than 2 MB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _NotReadError("not UTF-8") from None
    except OSError as error:
        raise _NotReadError(error.strerror or error) from None
    if kind == ".html":
        page = _Page()
        page.feed(text)
        page.close()
        return page.markdown
    if kind == ".txt":
        # What is set in from the margin is a paragraph of a plain text, and code in Markdown.
        text = "\n".join(line.strip() for line in _MARGIN_HEADING.sub(r"# \g<0>\n", text).split("\n"))
    return _FRONT_MATTER.sub("", text)


def sections_of(document: str, text: str) -> Iterator[DocumentPart]:
    """The sections of a text, Markdown or plain, under the name of its document."""
    parts = list(_parts(text))
    title = next((heading for heading, _lines in parts if heading), "")
    language = _language(text)
    is_technical = "```" in text or "~~~" in text or len(_NAMES_OF_CODE.findall(text)) >= _SOME
    for heading, lines in parts:
        sentences = tuple(_sentences("\n".join(lines), language or "en"))
        if heading or sentences:
            yield DocumentPart(document, title, heading, sentences, is_technical, language)


def _language(text: str) -> str:
    found = languages_of(text[:_SAMPLE], KNOWN)
    return found[0] if found else ""


def _parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The text cut at its headings, those with a line of `=` or `-` under them among them: heading, and lines."""
    title, lines = "", list[str]()
    in_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            in_code = not in_code
        heading = None if in_code else _HEADING.match(line)
        above = lines[-1].strip() if lines else ""
        alone = len(lines) < 2 or not lines[-2].strip()
        if heading is not None:
            yield title, lines
            title, lines = _heading_words(heading["words"]), []
        elif not in_code and above and alone and len(above) < 80 and _UNDERLINE.match(line) and "|" not in above:
            yield title, lines[:-1]
            title, lines = _heading_words(above), []
        else:
            lines.append(line)
    yield title, lines


def _heading_words(words: str) -> str:
    plain_words = " ".join(_MARK_IN_HEADING.sub(lambda found: found[1] or "", words).split())
    return _NUMBERED.sub("", plain_words).strip(" #¶")


def _sentences(body: str, language: str) -> Iterator[str]:
    # What cannot be found again as it is written here proves nothing.
    source = folded_text.__wrapped__(body)
    for block in blocks(body):
        # A row, and an item behind what introduces it, say nothing by themselves.
        if block.cells or block.lead:
            continue
        words = plain(without_links(body[block.start : block.end]))
        # "Through an ssl.SSLContext": what goes on without a space has not ended.
        spans = sentence_spans(words, language)
        whole = [words[start:end] for start, end in spans if not words[end : end + 1].strip()]
        # A word that a line has broken is another one when it is found again.
        yield from (each for each in whole if folded_quote(each) in source and "\u2010 " not in each)


_HEADINGS = {f"h{depth}": "#" * depth for depth in range(1, 7)}
_BREAKS = frozenset({"p", "div", "section", "article", "ul", "ol", "dl", "table", "tr", "blockquote", "br", "body"})
_SKIPPED = frozenset(
    {"script", "style", "nav", "header", "footer", "head", "aside", "form", "noscript", "svg", "button"}
)


class _Page(HTMLParser):
    """A page of HTML as Markdown: headings, paragraphs, list items and fenced code; what leads elsewhere left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._skipping: list[str] = []
        self._in_code = False

    @property
    def markdown(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "".join(self._pieces))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  the base's form
        if tag == "body":
            # A head may be left open.
            self._skipping.clear()
        if tag in _SKIPPED:
            self._skipping.append(tag)
        elif tag in _HEADINGS:
            self._pieces.append(f"\n\n{_HEADINGS[tag]} ")
        elif tag in {"li", "dt"}:
            self._pieces.append("\n\n- " if tag == "li" else "\n\n")
        elif tag == "pre":
            self._in_code = True
            self._pieces.append("\n\n```\n")
        elif tag in _BREAKS or tag in {"dd", "td", "th"}:
            self._pieces.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            # What is left open inside ends with it.
            del self._skipping[self._skipping.index(tag) :]
        elif tag == "pre":
            self._in_code = False
            self._pieces.append("\n```\n\n")
        elif tag in _HEADINGS or tag in _BREAKS or tag in {"li", "dd", "dt", "td", "th"}:
            self._pieces.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self._pieces.append(data if self._in_code else re.sub(r"\s+", " ", data))
