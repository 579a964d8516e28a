"""A report page of which every word is a stranger's: in ids, names, questions, answers, chunks, judges' notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from raggate_action.run.report_page_file import page_files, page_pieces
from raggate_action.run_store.case_lines import row_line, stored_trace_line
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from raggate_action.schema.judgement import AskedJudge, ClaimVote
from raggate_action.schema.trace import Answer, Trace, TracedChunk
from tests.golden.hostile import ATTACKS, hostile, hostile_row, repeated

# Beside what is hostile in Markdown: what is in HTML, scripts, addresses and spreadsheets.
MORE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- <script>",
    "]]><svg onload=alert(1)>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    '=HYPERLINK("http://evil.test")',
    "%00%0d%0a#case=other&q=x",
    "a b+c%20d?e=f&g=h",
    "\"'`<>&",
    "مرحبا \u202eevil\u202c שלום",
    "z\u0335\u0321\u0353" * 40,
    "__proto__",
    "x" * 100_000,
)
WORDS = tuple(word.encode(errors="replace").decode() for word in (*ATTACKS, *MORE))
CHUNK = "Refunds take 30 days. <b>Ask</b> the desk\u202e now."


def hostile_case(number: int) -> tuple[CaseRun, Trace]:
    """A case whose id is the attack of that number, and whose words are the others."""
    say = repeated(WORDS[number:] + WORDS[:number])
    answer = f"Refunds take 90 days. {say()[:3000]} \U0001f469\u200d\U0001f52c Ask the desk."
    votes = (ClaimVote(judge=say(), verdict="contradicted", chunk_id="c1", quote="Refunds take 30 days.", note=say()),)
    finding = Finding(kind="conflict", code="number", reason=say(), chunk_id="c1", chunk_start=0, chunk_end=21)
    at = answer.index("Ask the")
    claims = (
        Claim(claim_id=say()[:200], text=answer[:21], start=0, end=21, verdict="contradicted", quote="Refunds take 30 days.",
              findings=(finding,), votes=votes, citations=(say()[:80],)),
        Claim(claim_id="2", text=say(), start=at, end=len(answer), verdict="supported", supported_by=("c1",), quote="<b>Ask</b> the desk"),
    )  # fmt: skip
    judges = (AskedJudge(judge=say()),)
    fields: dict[str, Any] = {"claims": claims, "judges": judges, "tags": (say()[:50],), "answer": answer[:2000]}
    fields |= {
        "answer_length": len(answer) + 7,
        "context": ("c1", say()[:500]),
        "versions": ((say()[:60], say()[:60]),),
    }
    row: CaseRun = hostile_row(number, say, **fields, case_id=WORDS[number][:300])
    trace = Trace(
        answer=Answer(text=answer),
        candidates=(say()[:500], "c1"),
        context=(TracedChunk(chunk_id="c1", text=CHUNK), TracedChunk(chunk_id=row.context[1], text=say()[:9000])),
        stage_latency_ms={say()[:60]: 3.0},
    )
    return row, trace


def write_hostile_page(path: Path) -> list[str]:
    """Writes the page; gives the ids of its cases."""
    cases = [hostile_case(number) for number in range(len(WORDS))]
    lines = [
        (row_line(row, withheld=False), stored_trace_line(row, trace, texts="full", withheld=False))
        for row, trace in cases
    ]
    say = repeated(WORDS)
    pieces = page_pieces(
        hostile(repeated(WORDS), texts="full"), lines, lambda _id: f"Refunds take 30 days. {say()[:2000]}", page_files()
    )
    path.write_bytes(b"".join(pieces))
    return [row.case_id for row, _trace in cases]
