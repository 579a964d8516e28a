"""A judge asked to repair an answer: what nothing backs is dropped, softened or cited rightly, in one paragraph.

What comes back is a proposal like any answer: whoever asked has it judged before it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces, rendered, template_source
from raggate_action.judges.reply_form import ReplyPart
from raggate_action.schema.case_run import Verdict

# One short paragraph, in characters.
LONGEST: Final = 600


class FixReply(ReplyPart):
    """The whole reply."""

    fix: str | None


class FoundClaim(NamedTuple):
    """A claim as it was judged; `note` says what is wrong with it, where somebody said so."""

    text: str
    verdict: Verdict
    note: str | None


class FixTask(NamedTuple):
    """An answer to be repaired."""

    answer: str
    claims: tuple[FoundClaim, ...]
    chunks: tuple[VisibleChunk, ...]


class FixJob(JudgingJob[FixTask, FixReply]):
    """See `JudgingJob` for each member; what is written is the judgement's `text`."""

    name = "fix"
    form = FixReply
    schema_name = "repaired_answer"
    system_source = template_source(__file__, "fix.system.j2")

    @cached_property
    def system(self) -> str:
        schema = json.dumps(self.schema(), separators=(",", ":"))
        return rendered(self.system_source, schema=schema, longest=LONGEST)

    def pieces(self, task: FixTask) -> Iterable[Piece]:
        yield from chunk_pieces(chunk_names(task.chunks))
        yield Piece("answer", task.answer)
        for number, claim in enumerate(task.claims, 1):
            yield Piece(f"claim {number}, {claim.verdict}", claim.text)
            if claim.note and claim.verdict != "supported":
                yield Piece(f"note on claim {number}", claim.note)

    def closing(self, task: FixTask) -> str:
        return "Write the answer anew and reply with the JSON object alone."

    def read(self, reply: FixReply, task: FixTask) -> ReplyReading:
        """The text in one line; empty where it is too long, or of several paragraphs."""
        lines = (reply.fix or "").strip().splitlines()
        joined = " ".join(" ".join(lines).split()) if all(map(str.strip, lines)) else ""
        return ReplyReading({"text": joined if len(joined) <= LONGEST else ""})


FIX: Final = FixJob()
