"""What an arm answered to a question, as a comparison needs it: through the suite's own gates, and fit to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.gates.diagnose import Drafted
from raggate_action.core.gates.row import Evaluated
from raggate_action.core.panel_ab.one_variable import Retrieved
from raggate_action.judges.chat import AskedChunk
from raggate_action.run_store import stored_trace_line
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judge_rows import Unasked
from raggate_action.schema.outcome import Failed, Unmeasured
from raggate_action.schema.policy import Texts
from raggate_action.schema.trace import Trace

_EMPTY = "its answer is empty"


class ArmAnswer(NamedTuple):
    """An arm's answer to a question.

    Attributes:
        row: What the suite's own gates say of it.
        line: Its trace, as a line that a recorded target replays.
        text: The answer, whole; empty where nothing may be judged.
        chunks: What it was made from, in order; chunks without a text are not among them.
        retrieved: What was retrieved for it; None where there is no trace.
        versions: What the arm says it is made of.
        unasked: Why no judge may be asked about it; None where one may.
        why: The same in words: an error, or what the evidence lacks.
    """

    row: CaseRun
    line: bytes
    text: str = ""
    chunks: tuple[AskedChunk, ...] = ()
    retrieved: Retrieved | None = None
    versions: tuple[tuple[str, str], ...] = ()
    unasked: Unasked | None = None
    why: str = ""


def arm_answer(drafted: Drafted | None, done: Evaluated, texts: Texts) -> ArmAnswer:
    """What of an evaluated answer a comparison keeps.

    Of an admissible answer every chunk may be read by whoever asks, and so by a judge.

    Args:
        drafted: The answer, itemised; None where it was not judged.
        done: The same behind its gates.
        texts: What files may hold.
    """
    trace = done.trace if done.trace is not None else Trace(error=done.row.error)
    line = stored_trace_line(done.row, trace, texts=texts, withheld=done.withheld)
    kept = ArmAnswer(done.row, line)
    if done.trace is not None:
        kept = kept._replace(
            retrieved=Retrieved(done.trace.ids("candidates"), done.trace.ids("context")),
            versions=done.row.versions,
        )
    if drafted is None:
        unasked, why = _unasked(done.row)
        return kept._replace(unasked=unasked, why=why)
    text = drafted.traced.reply.text or "\n".join(claim.text for claim in drafted.claims)
    if not text.strip():
        return kept._replace(unasked="no-answer", why=_EMPTY)
    chunks = tuple([AskedChunk(chunk.chunk_id, chunk.text) for chunk in drafted.context.chunks if chunk.text])
    return kept._replace(text=text, chunks=chunks)


def _unasked(row: CaseRun) -> tuple[Unasked, str]:
    """Why an answer that went no further than its evidence is not judged."""
    admitted, target = row.outcomes["admissibility"], row.outcomes["target"]
    if isinstance(admitted, Failed):
        return "inadmissible", str(admitted.problems[0])
    if isinstance(target, Unmeasured):
        return "no-answer", target.detail
    return "no-answer", row.error or _EMPTY


def is_silent(answers: Sequence[ArmAnswer]) -> bool:
    """Whether an arm answered nothing at all."""
    return all(each.unasked == "no-answer" for each in answers)
