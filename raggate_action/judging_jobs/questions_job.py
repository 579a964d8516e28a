"""A judge asked for questions that sections of documents answer, each with the numbers of the sentences that do.

What it writes is a proposal: whoever asks holds each question against the documents, by rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, NamedTuple

from pydantic import BeforeValidator, JsonValue

from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import Piece, template_source
from raggate_action.judges.reply_form import LoosePart, entries
from raggate_action.judging_jobs.numbered_entries import list_of, number_up_to, strict_object
from raggate_action.judging_jobs.numbered_sentences import SentenceNumber, lines, one_line
from raggate_action.schema.judgement import Judgement

_TOKENS_A_QUESTION: Final = 60


class ReplyQuestion(LoosePart):
    """One question of a reply."""

    sentences: tuple[SentenceNumber, ...]
    question: str


def _sound(values: object) -> object:
    """A list without the entries that are not in the form: each stands or falls alone."""
    return tuple(entries(values, ReplyQuestion)) if isinstance(values, list) else values


class QuestionsReply(LoosePart):
    """The whole reply."""

    questions: Annotated[tuple[ReplyQuestion, ...], BeforeValidator(_sound)]


class DocumentSection(NamedTuple):
    """A section as it is shown.

    Attributes:
        heading: Where it stands: the document's title and its own heading.
        sentences: What it says.
    """

    heading: str
    sentences: tuple[str, ...]


class QuestionsTask(NamedTuple):
    """Sections, and how many questions are wanted at most."""

    sections: tuple[DocumentSection, ...]
    most: int


class WrittenQuestion(NamedTuple):
    """A question as it was written.

    Attributes:
        question: Its words, on one line.
        answers: The sentences that answer it, each as the number of its section and its own within that, from 0.
    """

    question: str
    answers: tuple[tuple[int, int], ...]


class QuestionsJob(JudgingJob[QuestionsTask, QuestionsReply]):
    """See `JudgingJob` for each member; what is written stands in the judgement's `text`."""

    name = "questions"
    form = QuestionsReply
    schema_name = "questions"
    system_source = template_source(__file__, "questions.system.j2")

    def schema(self, task: QuestionsTask | None = None) -> Mapping[str, JsonValue]:
        shown = sum(len(each.sentences) for each in task.sections) if task is not None else 0
        entry = strict_object({"sentences": list_of(number_up_to(shown)), "question": {"type": "string"}})
        return strict_object({"questions": list_of(entry)})

    def pieces(self, task: QuestionsTask) -> Iterable[Piece]:
        first = 1
        for number, section in enumerate(task.sections, 1):
            yield Piece(f"section {number}", f"{one_line(section.heading)}\n{lines(section.sentences, first)}")
            first += len(section.sentences)

    def closing(self, task: QuestionsTask) -> str:
        return f"Write at most {task.most} questions and reply with the JSON object alone."

    def reply_tokens(self, task: QuestionsTask) -> int:
        return _TOKENS_A_QUESTION * task.most

    def read(self, reply: QuestionsReply, task: QuestionsTask) -> ReplyReading:
        return ReplyReading({"text": reply.model_dump_json()}, amount=len(_questions(reply, task)))


QUESTIONS: Final = QuestionsJob()


def questions_in(judgement: Judgement, task: QuestionsTask) -> tuple[WrittenQuestion, ...]:
    """The questions that a judge has written, without those that name no sentence; none of a lost judgement."""
    return _questions(QuestionsReply.model_validate_json(judgement.text), task) if judgement.text else ()


def _questions(reply: QuestionsReply, task: QuestionsTask) -> tuple[WrittenQuestion, ...]:
    places = [(number, at) for number, each in enumerate(task.sections) for at in range(len(each.sentences))]
    found = []
    for each in reply.questions[: task.most]:
        numbers = dict.fromkeys(each.sentences)
        if numbers and all(1 <= number <= len(places) for number in numbers):
            answers = tuple([places[number - 1] for number in numbers])
            found.append(WrittenQuestion(" ".join(each.question.split()), answers))
    return tuple(found)
