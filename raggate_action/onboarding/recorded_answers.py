"""Answers that a team has recorded already, in a file of its own or of another tool: questions with their traces."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import read_reply
from raggate_action.onboarding.question_files import Question, QuestionFile, read_questions
from raggate_action.schema.trace import Trace
from raggate_action.suite_files.problems import path_text

TRACES = "gate/traces.jsonl"
# What such files call an answer of the app; under any other name a file of questions has right answers.
_ANSWERS = frozenset({"answer", "response", "actual_output", "output", "prediction", "generated_answer", "completion"})
# Of a row, what is no part of the app's reply.
_NOT_REPLIED = (
    "question",
    "user_input",
    "input",
    "query",
    "reference",
    "ground_truth",
    "ground_truths",
    "expected_output",
)


class Recorded(NamedTuple):
    """Questions, and what an app answered to each.

    Attributes:
        questions: The questions.
        traces: The answers, in the same order, each under its question's id.
        taken: Trace field -> key of the row.
    """

    questions: tuple[Question, ...]
    traces: tuple[Trace, ...]
    taken: dict[str, str]

    @property
    def lines(self) -> str:
        """The traces as JSON lines."""
        dumped = [trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for trace in self.traces]
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in dumped)


def read_recorded(path: Path) -> Recorded:
    """Recorded answers with their questions.

    Raises:
        UsageError: The file has no questions, or no answers to them.
    """
    found = recorded_in(read_questions(path))
    if found is None:
        raise UsageError(
            f"{path_text(path)} has questions and no recorded answers to them",
            hint='Give lines of {"question": "...", "answer": "...", "contexts": ["..."]}, or the app itself by --url.',
        )
    return found


def recorded_in(file: QuestionFile) -> Recorded | None:
    """What was answered to the questions of a file; None where it holds no answers."""
    read = [(question, _trace(question)) for question in file.questions]
    answered = [(question, *found) for question, found in read if found is not None]
    if not answered:
        return None
    questions = [
        question._replace(reference=None) if question.reference == trace.reply.text else question
        for question, trace, _taken in answered
    ]
    return Recorded(tuple(questions), tuple(trace for _, trace, _ in answered), answered[0][2])


def has_answers(questions: Iterable[Question]) -> bool:
    """Whether a file of questions holds, beside them, what an app answered and from what."""
    return any((found := _trace(question)) is not None and found[0].context for question in questions)


def _trace(question: Question) -> tuple[Trace, dict[str, str]] | None:
    row = {name: value for name, value in question.row.items() if "." not in name and name not in _NOT_REPLIED}
    if not _ANSWERS & row.keys():
        return None
    read = read_reply({**row, "case_id": question.case_id})
    if read.trace is None:
        return None
    taken = {field: path for field, path in read.taken.items() if field != "case_id"}
    return read.trace.model_copy(update={"case_id": question.case_id}), taken
