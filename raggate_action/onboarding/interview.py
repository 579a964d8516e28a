"""The three questions of `init`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_address import AppOptions, app_in_words
from raggate_action.onboarding.suite_text import EVIDENCE_KINDS, EvidenceKind

_APP = (
    "How is your app asked? Its address (http://...), a Python function (module:callable), a program "
    "(python app.py {{question}}), or a .jsonl of answers"
)
_QUESTION = "A question it should be able to answer (Enter: one is made up from its own evidence)"
_EVIDENCE = f"Where are its chunks kept? {', '.join(EVIDENCE_KINDS)} (Enter: elsewhere, or not now)"
_TRIES = 3


class InterviewAnswers(NamedTuple):
    """A person's answers to the three questions.

    Attributes:
        app: The app, or a file of recorded answers.
        question: A question; None for none.
        evidence: Where the chunks are kept; None for not now.
    """

    app: AppOptions | Path
    question: str | None
    evidence: EvidenceKind | None


def interview(ask: Callable[[str], str], *, evidence: EvidenceKind | None) -> InterviewAnswers:
    """Ask the questions that are not answered yet.

    Raises:
        UsageError: Nothing said names an app.
    """
    for _ in range(_TRIES):
        app = app_in_words(ask(_APP))
        if app is not None:
            break
    else:
        raise UsageError("that names no address, function, program or .jsonl file", hint=f"{_APP}.")
    if isinstance(app, Path):
        return InterviewAnswers(app, None, evidence)
    question = ask(_QUESTION) or None
    if evidence is None:
        kind = ask(_EVIDENCE).lower()
        evidence = next((each for each in EVIDENCE_KINDS if each == kind), None)
    return InterviewAnswers(app, question, evidence)
