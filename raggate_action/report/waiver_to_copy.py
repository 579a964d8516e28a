"""A waiver as YAML to copy into a suite: valid as it stands, with a reason and an owner to be written in."""

from __future__ import annotations

import json
import re
from datetime import timedelta

from raggate_action.report.page import Command
from raggate_action.report.report_input import Reporting

# Long enough to mend what is waived, short enough to be looked at again.
_HOLDS = timedelta(days=30)
# What YAML reads as the text that it is, whatever stands around it.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_OTHERWISE = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def waiver_to_copy(gate: str, reporting: Reporting, *, case: str = "") -> Command:
    """`waivers: [{gate: ..., reason: "why it is right", owner: "@you", expires: 2026-07-02}]`, for thirty days.

    Args:
        gate: The gate to waive.
        reporting: The run; the waiver ends thirty days after it was decided.
        case: The case it is for; empty for the suite as a whole.
    """
    of_case = f"case: {_scalar(case)}, " if case else ""
    expires = (reporting.run.decided_on + _HOLDS).isoformat()
    return Command(
        f'waivers: [{{{of_case}gate: {gate}, reason: "why it is right", owner: "@you", expires: {expires}}}]'
    )


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE else json.dumps(text)
