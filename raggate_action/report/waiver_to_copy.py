"""A waiver as YAML to copy into a suite: valid as it stands, with a reason and an owner to be written in.

A suite that has waivers already takes it as an item of that list: a second key `waivers:` is no YAML.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta

from raggate_action.report.page import Code, Command, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.policy import NEW_SUSPECTS, OF_THE_CHANGE, POORER

# Long enough to mend what is waived, short enough to be looked at again.
_HOLDS = timedelta(days=30)
# In the order of their lines.
_ON_ANSWERS = (NEW_SUSPECTS, POORER)
# What YAML reads as the text that it is, whatever stands around it.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_OTHERWISE = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def waiver_to_copy(gate: str, reporting: Reporting, *, case: str = "") -> Text:
    """`waivers: [{gate: ..., reason: "why it is right", owner: "@you", expires: 2026-07-02}]`, for thirty days.

    Of a suite with waivers: `- {gate: ...}` as an item under `waivers:`.

    Args:
        gate: The gate to waive.
        reporting: The run; the waiver ends thirty days after it was decided.
        case: The case it is for; empty for the suite as a whole.
    """
    return _to_copy([_entry(gate, reporting, case)], reporting)


def release_by_waivers(gate: RunGateName, reporting: Reporting) -> Text:
    """Waivers that let the run through as it is, all of them in one piece; empty where none do.

    A case that fails, and what no waiver covers, has to be repaired. Of several gates on the answers of the change the
    last tells it, so that it is told once.

    Args:
        gate: The gate that asks, one of `OF_THE_CHANGE`.
        reporting: The run.
    """
    reasons = reporting.run.decision.reasons
    gates = [reason for reason in reasons if isinstance(reason, str)]
    on_answers = [each for each in _ON_ANSWERS if each in gates]
    if len(gates) < len(reasons) or not OF_THE_CHANGE.issuperset(gates) or on_answers[-1:] != [gate]:
        return ""
    return _to_copy([_entry(each, reporting, "") for each in gates], reporting)


def _to_copy(entries: list[str], reporting: Reporting) -> Text:
    """The whole key, or what is added to the list that the suite has, which may be written in either style of YAML."""
    if not reporting.run.policy.waivers:
        return Command(f"waivers: [{', '.join(entries)}]")
    items = joined(" and ", [Command(f"- {entry}") for entry in entries])
    what = "as an item" if len(entries) == 1 else "as items"
    return items, f" {what} under ", Code("waivers:"), " (in brackets: after a comma, without the dash)"


def _entry(gate: str, reporting: Reporting, case: str) -> str:
    of_case = f"case: {_scalar(case)}, " if case else ""
    expires = (reporting.run.decided_on + _HOLDS).isoformat()
    return f'{{{of_case}gate: {gate}, reason: "why it is right", owner: "@you", expires: {expires}}}'


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE else json.dumps(text)
