"""What a model writes of an aggregate: the form of its reply, the reading, and what it is told of a faulty one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from raggate_action.judges.reply_form import ReplyPart
from raggate_action.judges.strict_json import OffSchemaError, named
from raggate_action.schema.ab_findings import Finding, FindingKind, Rejection, RejectionCode

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
    "direction": "the words say the opposite of what the test does",
    "comparative": "a note and a no_difference compare nothing; leave this word out",
    "number": "the measure has no such number",
    "quantity": "write quantities as numbers of the measure, in digits",
    "attribution": "this number is not that arm's",
    "unit": "the number counts something else",
    "question": "the measure names no such question",
    "name": "another measure is about this",
    "reason": "the counts give no reason and no consequence; say what was counted",
    "markup": "write plain text: no markup, no link, no mention",
    "writing": "write all of it in Latin letters",
    "no-reply": "it could not be read",
}


def problem_of(rejection: Rejection) -> str:
    """Why findings are not accepted, in a sentence for whoever wrote them."""
    where = f"finding {rejection.place}: " if rejection.place else ""
    shown = f", {named(rejection.found)}" if rejection.found else ""
    return f"{where}{_PROBLEMS[rejection.code]}{shown}"
