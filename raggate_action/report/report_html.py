"""The report of a run as one HTML file: what is read without a script first, then every case as it is stored, packed.

The file asks nobody for anything. Its policy (CSP) names the digests of its one script and its one style sheet, so
nothing else in it can run; every word that is not ours reaches the page by spans or by text nodes alone.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import base_name
from raggate_action.report.html_sink import page_template
from raggate_action.report.page import CommentView, Fold, bare
from raggate_action.report.page_cases import CHANGES, STATES, ListedCase
from raggate_action.report.trend_view import FEWEST_RUNS, figures
from raggate_action.schema.history import Trend
from raggate_action.schema.json_lines import plain_json
from raggate_action.schema.outcome import GATES
from raggate_action.schema.run import Run

if TYPE_CHECKING:
    from raggate_action.report.ab_page import AbPage

# Few blocks make the smallest file, small ones the quickest case: 25 cases cost 6 % more than 250.
CASES_A_BLOCK: Final = 25
_TEXTS_A_BLOCK: Final = 50
# Half the time of level 6 for 4 to 9 % more bytes.
_LEVEL: Final = 4
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_STILL = "default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"
# A text of a chunk in a stored trace; a quotation mark inside of one stands behind a backslash.
# Short ones stay where they are.
_TEXT = re.compile(rb'"text":("[^"\\]*(?:\\.[^"\\]*)*")')
_LONG = 200


class PageFiles(NamedTuple):
    """The script and the style sheet of the page."""

    script: str
    style: str


class ReportPage(NamedTuple):
    """What is read of a report without a script.

    Attributes:
        run: The decided run.
        view: What its summary says.
        trend: The run at the end of the history of its branch.
        cases: Every case, the worst first.
        opened: What is shown of the first open ones, by case id.
        slices: The slices, by their numbers.
        notice: What is left out for size; empty where nothing is.
        repeat: What the command that repeats a case begins and ends with.
    """

    run: Run
    view: CommentView
    trend: Trend
    cases: Sequence[ListedCase]
    opened: Mapping[str, Sequence[Fold]]
    slices: Sequence[str]
    notice: str
    repeat: tuple[str, str]

    @property
    def listed(self) -> str:
        """How many cases stand in the list."""
        return f"{len(self.cases):,} {'case' if len(self.cases) == 1 else 'cases'}, worst first"


class PackedCases:
    """The stored lines of cases on their way into blocks; long texts that stand in many of them are kept once."""

    def __init__(self) -> None:
        """Start with none."""
        self._entries: list[bytes] = []
        self._texts: list[bytes] = []
        self._number_of: dict[bytes, int] = {}
        self._written = {"case": 0, "text": 0}

    def add(self, row: bytes | None, trace: bytes | None, beside: Mapping[str, object]) -> Iterator[bytes]:
        """Take in a case; gives the blocks that are full.

        Args:
            row: Its row as stored; None where it is left out.
            trace: Its trace, likewise.
            beside: What the page says of it that neither holds.
        """
        kept = b"null"
        if trace is not None:
            answer, context, chunks = trace.partition(b'"context":[')
            kept = answer + context + _TEXT.sub(self._pooled, chunks)
        self._entries.append(b"[%b,%b,%b]" % (row or b"null", kept, plain_json(beside) if beside else b"{}"))
        while len(self._texts) >= _TEXTS_A_BLOCK:
            yield self._block("text", self._texts[:_TEXTS_A_BLOCK])
            del self._texts[:_TEXTS_A_BLOCK]
        if len(self._entries) >= CASES_A_BLOCK:
            yield from self._cases()

    def rest(self) -> Iterator[bytes]:
        """The blocks that are not full."""
        if self._texts:
            yield self._block("text", self._texts)
        if self._entries:
            yield from self._cases()

    def _cases(self) -> Iterator[bytes]:
        yield self._block("case", self._entries)
        self._entries = []

    def _pooled(self, found: re.Match[bytes]) -> bytes:
        text = found[1]
        if len(text) < _LONG:
            return found[0]
        key = hashlib.sha256(text).digest()[:16]
        number = self._number_of.get(key)
        if number is None:
            number = self._number_of[key] = len(self._number_of)
            self._texts.append(text)
        return b'"text":%d' % number

    def _block(self, kind: str, entries: Sequence[bytes]) -> bytes:
        number = self._written[kind]
        self._written[kind] += 1
        return _packed(f"{kind}-{number}", b"[%b]" % b",".join(entries))


def report_pieces(page: ReportPage, files: PageFiles) -> Iterator[bytes]:
    """The page up to its packed cases, in pieces. Same run, same bytes."""
    context: dict[str, Any] = {
        "page": page,
        "policy": _POLICY.format(script=_digest(files.script), style=_digest(files.style)),
        "style": files.style,
        "title": f"{page.run.decision.kind.capitalize()} · {page.run.suite}",
        "known": frozenset([case.case_id for case in page.cases]),
        "state_tags": {state: f'<b class="tag {look.colour}">{look.word}</b>' for state, look in STATES.items()},
        "change_tags": {each: each and f'<b class="tag change">{words}</b>' for each, words in CHANGES.items()},
        "figures": figures(page.trend) if len(page.trend.lines) >= FEWEST_RUNS else [],
    }
    yield from (piece.encode(errors="replace") for piece in page_template().generate(context))
    levels = page.run.policy.gates
    about = {
        "gates": {gate: [gate_name(gate), levels.of(gate).level] for gate in GATES},
        "slices": page.slices,
        "perCase": CASES_A_BLOCK,
        "perText": _TEXTS_A_BLOCK,
        "texts": page.run.policy.texts,
        "base": base_name(page.run),
        "suite": page.run.suite,
        "repeat": page.repeat,
    }
    # Not compressed: it is read at once, before the browser goes on.
    yield _block("about", plain_json(about))
    yield f"<script>{files.script}</script>\n".encode()


def ab_report(findings: AbPage, style: str) -> str:
    """A comparison of two arms as one HTML file without a script: what is found, the tables, the best answers."""
    return page_template().render(
        policy=_STILL.format(style=_digest(style)),
        style=style,
        title=bare(findings.title),
        findings=findings,
        known=(),
    )


def _digest(content: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _packed(name: str, raw: bytes) -> bytes:
    """A block of JSON, compressed, in letters that can close no tag. Browsers run nothing of this type."""
    return _block(name, gzip.compress(raw, _LEVEL, mtime=0))


def _block(name: str, content: bytes) -> bytes:
    return b'<script type="application/octet-stream" id="%b">%b</script>\n' % (name.encode(), b64encode(content))
