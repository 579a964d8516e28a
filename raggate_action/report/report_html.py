"""The report of a run as one HTML file: what is read without a script first, then the cases in compressed blocks.

The file asks nobody for anything. Its policy (CSP) names the digests of its one script and its one style sheet, so
nothing else in it can run; every word that is not ours reaches the page by text nodes alone.
"""

from __future__ import annotations

import gzip
import hashlib
import html
from base64 import b64encode
from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from raggate_action.report.case_details import (
    CHANGES,
    SHOWN_STAGES,
    STATES,
    VERDICTS,
    ShownCase,
    case_detail,
    gate_facts,
    index_entry,
)
from raggate_action.report.decision_words import base_name
from raggate_action.report.html_sink import decision_pieces, html_text, section_pieces
from raggate_action.report.page import CommentView
from raggate_action.report.plain_sink import bare
from raggate_action.report.repeat_command import repeated_by
from raggate_action.report.trend_view import FEWEST_RUNS
from raggate_action.schema.history import Trend
from raggate_action.schema.json_lines import plain_json
from raggate_action.schema.run import Run

if TYPE_CHECKING:
    from raggate_action.report.ab_page import FindingsPage
    from raggate_action.report.ab_run_view import AbSummary

# Few blocks make the smallest file, small ones the quickest case: 25 cases cost 6 % more than 250.
_CASES_A_BLOCK: Final = 25
_TEXTS_A_BLOCK: Final = 50
_ENTRIES_A_BLOCK: Final = 2_000
# Half the time of level 6 for 4 to 9 % more bytes.
_LEVEL: Final = 4
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_STILL = "default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"
_TRIMMED = (
    "",
    "This report would be larger than 50 MB, so it holds no texts of passing cases.",
    "This report would be larger than 50 MB, so it holds no texts of passing cases, and of no case the chunks.",
    "This report would be larger than 50 MB, so it holds no texts of any case.",
)


class PageFiles(NamedTuple):
    """The script and the style sheet of the page."""

    script: str
    style: str


class ReportPage(NamedTuple):
    """What a report is made of.

    Attributes:
        run: The decided run.
        view: What its comment and summary say.
        files: Script and style sheet.
        has_baseline: It was compared with another run.
        baseline: What that run is called; empty without one.
        cases: Every case, in the order of the suite.
        named: Ids of cases that the texts may name: there they lead to the case.
        trim: How much is left out for size; see `case_detail`.
        trend: The run at the end of the history of its branch.
    """

    run: Run
    view: CommentView
    files: PageFiles
    has_baseline: bool
    baseline: str
    cases: Callable[[], Iterable[ShownCase]]
    named: frozenset[str] = frozenset()
    trim: int = 0
    trend: Trend = Trend()


# As many ways as there are of leaving texts out.
MOST_TRIM: Final = len(_TRIMMED) - 1


class Piece(NamedTuple):
    """A piece of the file.

    Attributes:
        content: Its bytes.
        is_late: It stands behind every piece that is not: the texts of cases, which a browser may still be reading
            while the list is shown.
    """

    content: bytes
    is_late: bool = False


def report_pieces(page: ReportPage) -> Iterator[Piece]:
    """The file in pieces; a case is forgotten once its block is made, so none of them is held in memory.

    Args:
        page: What it is made of. Same run, same bytes.
    """
    for piece in (*_head(page), *_read_without_script(page, page.named)):
        yield Piece(piece.encode(errors="replace"))
    blocks = _Blocks(page)
    for case in page.cases():
        yield from blocks.add(case)
    yield from blocks.rest()
    yield Piece(f"<script>{page.files.script}</script>\n".encode())
    yield Piece(b"</body></html>\n", is_late=True)


def ab_report(summary: AbSummary, findings: FindingsPage, style: str) -> str:
    """A comparison of two arms as one HTML file without a script: what is found, the tables, the best answers.

    Args:
        summary: Its summary.
        findings: Its findings; the summary's first section says the same in short, and is left out.
        style: The style sheet.
    """
    title = f"A/B · {bare(summary.suite)}"
    policy = _STILL.format(style=_digest(style))
    name = html_text(summary.suite)
    parts = [*_opening(title, policy, style), '<body><header class="top">']
    parts.append(f'<a class="brand" href="#"><span>raggate</span> A/B {name}</a></header>')
    parts.append(f'<main id="page"><h1 class="alone">A/B: {name}</h1>')
    parts += [f'<p class="lead">{html_text(line)}</p>' for line in findings.lead]
    for chapter in findings.chapters:
        parts += [f'<h2 class="chapter">{html_text(chapter.title)}</h2>', *section_pieces(chapter.section, ())]
    parts.append('<h2 class="chapter">How it was made</h2>')
    for section in summary.sections[1:]:
        parts += section_pieces(section, ())
    return "".join([*parts, f"</main>\n<footer>{html_text(summary.footer)}</footer></body></html>\n"])


def _digest(content: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _head(page: ReportPage) -> Iterator[str]:
    policy = _POLICY.format(script=_digest(page.files.script), style=_digest(page.files.style))
    yield from _opening(f"{page.run.decision.kind.capitalize()} · {page.run.suite}", policy, page.files.style)


def _opening(title: str, policy: str, style: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">\n'
    yield f'<link rel="icon" href="data:,"><title>{html.escape(title)}</title>\n'
    yield f"<style>{style}</style></head>\n"


def _read_without_script(page: ReportPage, known: Container[str]) -> Iterator[str]:
    """The verdict, the list and what else the summary says: HTML that needs no script."""
    yield '<body><a class="skip" href="#app">Skip to the cases</a>\n<header class="top">'
    yield f'<a class="brand" href="#"><span>raggate</span> {html.escape(page.run.suite)}</a>'
    yield '<div id="tools"></div></header>\n<main id="page"><div id="overview">\n'
    yield from decision_pieces(page.view.decision, known)
    if len(page.trend.lines) >= FEWEST_RUNS:
        # The first runs of a branch do not load the drawing.
        from raggate_action.report.trend_html import trend_pieces

        yield from trend_pieces(page.trend)
    if page.trim:
        yield f'<p class="notice">{_TRIMMED[page.trim]} The run directory has all of them.</p>'
    yield '\n<nav id="views" aria-label="Views" hidden></nav></div>\n'
    yield '<noscript><p class="notice">The list of all cases needs JavaScript; all else is below.</p></noscript>\n'
    yield '<div id="app" aria-live="off"></div>\n<div id="run">'
    for section in page.view.sections:
        yield from section_pieces(section, known)
    yield f"</div></main>\n<footer>{html_text(page.view.footer, known)}</footer>\n"


class _Blocks:
    """The cases on their way into blocks: details, the texts of chunks each once, and what the list knows of them."""

    def __init__(self, page: ReportPage) -> None:
        self._page = page
        self._repeated = repeated_by(page.run)
        self._details: list[dict[str, Any]] = []
        self._entries: list[dict[str, Any]] = []
        self._texts: list[str] = []
        self._number_of: dict[bytes, int] = {}
        self._written = {"detail": 0, "index": 0, "texts": 0}
        self._tables: dict[str, dict[str, int]] = {"sl": {}, "tag": {}}
        self._cases = 0

    def add(self, case: ShownCase) -> Iterator[Piece]:
        """Take a case in; gives what is full."""
        self._cases += 1
        self._entries.append(self._numbered(index_entry(case)))
        self._details.append(case_detail(case, self._repeated, self._pooled, trim=self._page.trim))
        while len(self._texts) >= _TEXTS_A_BLOCK:
            yield self._block("texts", self._texts[:_TEXTS_A_BLOCK])
            del self._texts[:_TEXTS_A_BLOCK]
        if len(self._details) >= _CASES_A_BLOCK:
            yield self._block("detail", self._details)
            self._details = []
        if len(self._entries) >= _ENTRIES_A_BLOCK:
            yield self._index()

    def rest(self) -> Iterator[Piece]:
        """What is left, and what is said of all together."""
        if self._texts:
            yield self._block("texts", self._texts)
        if self._details:
            yield self._block("detail", self._details)
        if self._entries:
            yield self._index()
        page = self._page
        meta = {
            "cases": self._cases,
            "perDetail": _CASES_A_BLOCK,
            "perTexts": _TEXTS_A_BLOCK,
            "blocks": self._written,
            "states": STATES,
            "changes": CHANGES,
            "stages": SHOWN_STAGES,
            "verdicts": VERDICTS,
            "slices": list(self._tables["sl"]),
            "tags": list(self._tables["tag"]),
            "gates": gate_facts(page.run),
            "texts": page.run.policy.texts,
            "compared": page.has_baseline,
            "base": base_name(page.run),
            "baseline": page.baseline,
            "suite": page.run.suite,
            "version": page.run.provenance.raggate_version,
        }
        yield Piece(_written("meta", meta))

    def _numbered(self, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry with numbers in place of names that many cases share."""
        for field, table in self._tables.items():
            entry[field] = [table.setdefault(name, len(table)) for name in entry[field]]
        return entry

    def _pooled(self, text: str) -> int:
        key = hashlib.sha256(text.encode(errors="replace")).digest()[:16]
        if key not in self._number_of:
            self._number_of[key] = len(self._number_of)
            self._texts.append(text)
        return self._number_of[key]

    def _index(self) -> Piece:
        """As columns: equal values side by side take a third of the room that records take."""
        columns = {name: [entry[name] for entry in self._entries] for name in self._entries[0]}
        self._entries = []
        return self._block("index", columns)

    def _block(self, kind: str, content: object) -> Piece:
        number = self._written[kind]
        self._written[kind] += 1
        return Piece(_written(f"{kind}-{number}", content), is_late=kind != "index")


def _written(name: str, content: object) -> bytes:
    """A block: JSON, compressed, in letters that can close no tag. Browsers run nothing of this type."""
    raw = plain_json(content)
    packed = b64encode(gzip.compress(raw, _LEVEL, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="{name}" data-bytes="{len(raw)}">{packed}</script>\n'.encode()
