"""The three questions that `init` asks at a terminal, where nothing on the command line answers them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_address import AppOptions, answered_as
from raggate_action.onboarding.evidence_export import EVIDENCE_KINDS, EvidenceKind

_APP = "How is your app asked? Its address (http://...), a Python function (module:callable), or a .jsonl of answers"
_QUESTION = "A question it should be able to answer (Enter: one is made up from its own evidence)"
_EVIDENCE = f"Where are its chunks kept? {', '.join(EVIDENCE_KINDS)} (Enter: elsewhere, or not now)"
_TRIES = 3


class Answers(NamedTuple):
    """What a person said.

    Attributes:
        app: The app, or a file of recorded answers.
        question: A question; None for none.
        evidence: Where the chunks are kept; None for not now.
    """

    app: AppOptions | Path
    question: str | None
    evidence: EvidenceKind | None


def interview(ask: Callable[[str], str], *, evidence: EvidenceKind | None) -> Answers:
    """Ask what has to be known; what is known already is not asked.

    Raises:
        UsageError: Nothing said names an app.
    """
    for _ in range(_TRIES):
        app = answered_as(ask(_APP))
        if app is not None:
            break
    else:
        raise UsageError("that is neither an address, nor a function, nor a .jsonl file", hint=f"{_APP}.")
    if isinstance(app, Path):
        return Answers(app, None, evidence)
    question = ask(_QUESTION) or None
    if evidence is None:
        kind = ask(_EVIDENCE).lower()
        evidence = next((each for each in EVIDENCE_KINDS if each == kind), None)
    return Answers(app, question, evidence)


def at_the_terminal(question: str) -> str:
    """What is typed in answer to a question; empty where the input has ended."""
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()
