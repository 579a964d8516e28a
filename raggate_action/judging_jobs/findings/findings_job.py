"""A model writes findings from numbers alone: no word of a question or an answer is within its reach.

What it writes is a proposal. Whoever asks holds it against the same numbers, and it is told once what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from pydantic import ValidationError

from raggate_action.judges.chat_call import Chat
from raggate_action.judges.judge_exchange import (
    CallResult,
    call_judge,
    content_key,
    cost_of,
    fingerprint,
    is_usage_missing,
    random_token,
)
from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import RENDERING, Piece, repair_part, template_source, user_part
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, quoted_name
from raggate_action.schema.ab_findings import Finding, FindingKind, Rejection, RejectionCode
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Lost, Usage
from raggate_action.schema.judges import Member
from raggate_action.schema.synthesis import Synthesis

SCHEMA_NAME: Final = "findings"


class WrittenFinding(ReplyPart):
    """One finding."""

    kind: FindingKind
    measure: str
    numbers: tuple[float, ...]
    text: str


class FindingsReply(ReplyPart):
    """A whole reply."""

    findings: tuple[WrittenFinding, ...]


def read_findings(reply: FindingsReply) -> tuple[Finding, ...]:
    """The findings of a reply, in its order.

    Raises:
        OffSchemaError: One is not in the form; every problem is named.
    """
    found = []
    for place, each in enumerate(reply.findings, 1):
        try:
            found.append(Finding.model_validate(each.model_dump() | {"text": " ".join(each.text.split())}))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}" for fault in error.errors()]
            raise OffSchemaError(*[f"finding {place}, {fault}" for fault in faults]) from None
    return tuple(found)


_PROBLEMS: Final[Mapping[RejectionCode, str]] = {
    "none": "there is none; write at least one",
    "too-many": "there are too many; keep those that matter most",
    "measure": "there is no such measure",
    "kind": "this kind does not stand among the measure's kinds",
    "number": "the measure has no such number",
    "unit": "the number counts something else",
    "no-reply": "it could not be read",
}


def problem_of(rejection: Rejection) -> str:
    """Why findings are not accepted, in a sentence for whoever wrote them."""
    where = f"finding {rejection.place}: " if rejection.place else ""
    found = f", {quoted_name(rejection.found)}" if rejection.found else ""
    return f"{where}{_PROBLEMS[rejection.code]}{found}"


_REPLY_TOKENS: Final = 1_500

# Why findings cannot stand beside the numbers they are about; None where they can. No finding at all cannot.
Check: TypeAlias = Callable[[tuple[Finding, ...]], Rejection | None]


class OfferedNumber(NamedTuple):
    """A number as it may be written: `for the treatment`, `6 of 10 questions`."""

    label: str
    shown: str


class OfferedMeasure(NamedTuple):
    """Something that findings may be about.

    Attributes:
        name: `overall`, `dimension:groundedness`, ...
        kinds: What a finding on it may claim.
        numbers: Those it offers.
        questions: Ids that may be named with it.
    """

    name: str
    kinds: tuple[FindingKind, ...]
    numbers: tuple[OfferedNumber, ...]
    questions: tuple[str, ...] = ()


class SynthesisTask(NamedTuple):
    """All that a model is given. Nothing here holds a question's text, an answer's, or a judge's reasons.

    Attributes:
        measures: What there is to write about, names and numbers.
        most: Findings at most.
    """

    measures: tuple[OfferedMeasure, ...]
    most: int


class FindingsJob(JudgingJob[SynthesisTask, FindingsReply]):
    """See `JudgingJob` for each member; what it says is kept in a `Synthesis`."""

    name = "findings"
    form = FindingsReply
    schema_name = SCHEMA_NAME

    def __init__(self, check: Check) -> None:
        """The job, with what holds findings against the numbers."""
        self._check = check

    @property
    def system_source(self) -> str:
        return template_source(__file__, "findings.system.j2")

    @cached_property
    def digest(self) -> str:
        """Of a prompt without a measure, and of what is said of a reply."""
        blank = SynthesisTask((OfferedMeasure("measure", ("note",), (OfferedNumber("label", "1"),), ("id",)),), 1)
        user = user_part(self.pieces(blank), self.closing(blank), "token")
        return digest_of([self.system, user, self.repair([""]), dict(self.schema()), RENDERING])

    def pieces(self, task: SynthesisTask) -> Iterable[Piece]:
        yield Piece("limits", f"At most {task.most} findings.")
        yield Piece("measures", "\n".join(map(_line, task.measures)))

    def closing(self, task: SynthesisTask) -> str:
        return "Write what these measures show and reply with the JSON object alone."

    def reply_tokens(self, task: SynthesisTask) -> int:
        return _REPLY_TOKENS

    def read(self, reply: FindingsReply, task: SynthesisTask) -> ReplyReading:
        findings = read_findings(reply)
        rejection = self._check(findings)
        if rejection is not None:
            return ReplyReading({"rejection": rejection}, problems=(problem_of(rejection),))
        return ReplyReading({"findings": findings}, amount=1)

    def repair(self, problems: Iterable[str]) -> str:
        return repair_part(template_source(__file__, "findings.repair.j2"), problems)

    def key(self, member: Member, task: SynthesisTask) -> str:
        """What the findings of a task are known by."""
        return content_key(fingerprint(member), self.digest, task)

    def written_before(self, earlier: Iterable[Synthesis], member: Member, task: SynthesisTask) -> Synthesis | None:
        """What the same model wrote of the same numbers, where that still stands; None where it has to be asked.

        Args:
            earlier: What is kept of earlier runs. A stranger may have written it: it is held against the numbers anew.
            member: The model.
            task: What it would be given.
        """
        key = self.key(member, task)
        for each in earlier:
            if each.key == key and each.lost is None and (each.rejection or self._check(each.findings) is None):
                spent = {"usage": Usage(), "calls": 0, "cost_usd": 0.0, "reused": True}
                return each.model_copy(update={**spent, "judge": member.name})
        return None

    async def write(
        self,
        member: Member,
        chat: Chat,
        task: SynthesisTask,
        *,
        calls_left: int = 2,
        draw: Callable[[], str] = random_token,
    ) -> Synthesis:
        """Have findings written. What goes wrong is a value, never raised.

        Args:
            member: The model.
            chat: Its endpoint.
            task: What it is given.
            calls_left: Calls it may take; what is not accepted is sent back where two are left.
            draw: Draws the token of the call.
        """
        if calls_left < 1:
            return self.unwritten(
                member, task, Lost(code="budget", detail="what the suite allows for judging is used up")
            )
        return self._record(member, task, await call_judge(chat, self, task, calls_left=calls_left, draw=draw))

    def unwritten(self, member: Member, task: SynthesisTask, lost: Lost) -> Synthesis:
        """The record of a model that was given no time to write."""
        return self._record(member, task, CallResult(lost))

    def _record(self, member: Member, task: SynthesisTask, of: CallResult) -> Synthesis:
        is_lost = isinstance(of.found, Lost)
        unsaid = (of.unmetered or not is_lost) and is_usage_missing(of.usage, member.price)
        return Synthesis(
            judge=member.name,
            fingerprint=fingerprint(member),
            prompt=self.digest,
            key=self.key(member, task),
            usage=of.usage,
            calls=of.calls,
            cost_usd=None if unsaid else cost_of(of.usage, member.price),
            **({"lost": of.found} if isinstance(of.found, Lost) else of.found.fields),
        )


def _line(measure: OfferedMeasure) -> str:
    """A measure as a line of JSON: no name can run into the next."""
    value = {
        "measure": measure.name,
        "kinds": measure.kinds,
        "numbers": dict(measure.numbers),
        **({"questions": measure.questions} if measure.questions else {}),
    }
    return json.dumps(value, ensure_ascii=False)
