"""A model writes findings from numbers alone: no word of a question or an answer is within its reach.

What it writes is a proposal. Whoever asks holds it against the same numbers, and it is told once what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field

from raggate_action.core.ab.finding_check import MOST_FINDINGS
from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import RENDERING, Piece, repair_part, template_source, user_part
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, parsed, quoted_name
from raggate_action.schema.ab_run import Finding, Rejection, RejectionCode
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Judgement


class WrittenFinding(Finding, ReplyPart):
    """One finding, its words on one line."""

    text: Annotated[
        str,
        BeforeValidator(lambda text: " ".join(text.split()) if isinstance(text, str) else text),
        Field(min_length=1, max_length=600),
    ]


class FindingsReply(ReplyPart):
    """A whole reply."""

    findings: tuple[WrittenFinding, ...]


_PROBLEMS: Final[Mapping[RejectionCode, str]] = {
    "none": "there is none; write at least one",
    "too-many": "there are too many; keep those that matter most",
    "measure": "there is no such measure",
    "kind": "this kind does not stand among the measure's kinds",
    "number": "the measure has no such number",
    "unit": "the number counts something else",
    "no-reply": "it could not be read",
}


_REPLY_TOKENS: Final = 1_500

# Why findings cannot stand beside the numbers they are about; None where they can. No finding at all cannot.
Check: TypeAlias = Callable[[tuple[Finding, ...]], Rejection | None]
# A line of each measure there is to write about: JSON, so that no name can run into the next. Nothing here holds a
# question's text, an answer's, or a judge's reasons.
MeasureLines: TypeAlias = tuple[str, ...]


class FindingsJob(JudgingJob[MeasureLines, FindingsReply]):
    """See `JudgingJob` for each member; what is written stands in the judgement's `text`, accepted or not."""

    name = "findings"
    form = FindingsReply
    schema_name = "findings"
    system_source = template_source(__file__, "findings.system.j2")

    def __init__(self, check: Check) -> None:
        """The job, with what holds findings against the numbers."""
        self._check = check

    @cached_property
    def digest(self) -> str:
        """Of a prompt without a measure, and of what is said of a reply."""
        user = user_part(self.pieces(()), self.closing(()), "token")
        return digest_of([self.system, user, self.repair([""]), dict(self.schema()), RENDERING])

    def pieces(self, task: MeasureLines) -> Iterable[Piece]:
        yield Piece("limits", f"At most {MOST_FINDINGS} findings.")
        yield Piece("measures", "\n".join(task))

    def closing(self, task: MeasureLines) -> str:
        return "Write what these measures show and reply with the JSON object alone."

    def reply_tokens(self, task: MeasureLines) -> int:
        return _REPLY_TOKENS

    def read(self, reply: FindingsReply, task: MeasureLines) -> ReplyReading:
        rejection, problems = self._check(reply.findings), list[str]()
        if rejection is not None:
            where = f"finding {rejection.place}: " if rejection.place else ""
            found = f", {quoted_name(rejection.found)}" if rejection.found else ""
            problems.append(f"{where}{_PROBLEMS[rejection.code]}{found}")
        return ReplyReading({"text": reply.model_dump_json()}, int(rejection is None), tuple(problems))

    def repair(self, problems: Iterable[str]) -> str:
        return repair_part(template_source(__file__, "findings.repair.j2"), problems)

    def fits(self, judgement: Judgement, task: MeasureLines) -> bool:
        """Whether what was written can be read; whether it stands is looked at again by whoever uses it."""
        try:
            findings_in(judgement)
        except OffSchemaError:
            return False
        return True


def findings_in(judgement: Judgement) -> tuple[Finding, ...]:
    """The findings that a judge has written, in its order.

    Raises:
        OffSchemaError: They are not in the form.
    """
    return parsed(judgement.text, FindingsReply, fenced=False).findings
