"""A panel at its two jobs on an answer: what it claims, and how it stands to what people wrote of a right one."""

from __future__ import annotations

from typing import Literal, NamedTuple

from raggate_action.core.counting.left_to_judges import is_open
from raggate_action.core.gates.diagnose import Drafted, by_rules
from raggate_action.core.panel.fold import Folded, PanelTerms, fold
from raggate_action.core.panel.fold_items import JobTerms, fold_items
from raggate_action.core.panel.open import known_decline, open_points
from raggate_action.judges.interface import AnswerTask, AskedChunk, AskedClaim, AskedItem, AskedPoint, ClaimsTask
from raggate_action.pipeline.gather import side_by_side
from raggate_action.pipeline.judge_budget import Cost
from raggate_action.pipeline.judgement_reuse import Subject
from raggate_action.pipeline.judges_at_work import JudgesAtWork
from raggate_action.schema.answer_votes import AnswerVotes
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.verdicts import CheckIssues, Verdicts


class DeskTerms(NamedTuple):
    """What a panel is asked, and whose votes count.

    Attributes:
        panel: Of the claims job.
        items: Of the answer job, for each of its gates.
        which: Which claims: those left open, or all.
        relevance: Whether it is asked what is to the question.
        before: Of the claims job, on the baseline's terms, where those asked for more; else None.
        items_before: The same of the answer job.
    """

    panel: PanelTerms
    items: JobTerms
    which: Literal["open", "all"] = "open"
    relevance: bool = False
    before: PanelTerms | None = None
    items_before: JobTerms | None = None


class Tasks(NamedTuple):
    """What the panel is asked about an answer; None where a job has nothing to ask."""

    claims: ClaimsTask | None = None
    answer: AnswerTask | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked."""
        return self.claims is not None or self.answer is not None


class Said(NamedTuple):
    """What the judges said at each job, in the panel's order; empty where nothing was asked."""

    claims: tuple[Judgement, ...] = ()
    answer: tuple[Judgement, ...] = ()


class PanelDesk:
    """Asks both jobs side by side, from one budget."""

    def __init__(self, claims: JudgesAtWork[ClaimsTask], answers: JudgesAtWork[AnswerTask], terms: DeskTerms) -> None:
        self._claims = claims
        self._answers = answers
        self._terms = terms

    def tasks(self, drafted: Drafted) -> Tasks:
        """What is asked about an answer."""
        return Tasks(task_of(drafted, self._terms.which), answer_task_of(drafted, relevance=self._terms.relevance))

    async def ask(self, tasks: Tasks, subject: Subject) -> Said:
        """What the judges say; what goes wrong is a judgement that is lost.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        if tasks.claims is not None and tasks.answer is not None:
            works = [self._claims.ask(tasks.claims, subject), self._answers.ask(tasks.answer, subject)]
            claims, answer = await side_by_side(works)
            return Said(claims, answer)
        if tasks.answer is not None:
            return Said(answer=await self._answers.ask(tasks.answer, subject))
        return Said(() if tasks.claims is None else await self._claims.ask(tasks.claims, subject))

    def said_before(self, tasks: Tasks, subject: Subject) -> Said | None:
        """What every judge said before to all of it; None where one has to be asked.

        Raises:
            RunStoreError: As `ask`.
        """
        claims = () if tasks.claims is None else self._claims.said_before(tasks.claims, subject)
        answer = () if tasks.answer is None or claims is None else self._answers.said_before(tasks.answer, subject)
        return None if claims is None or answer is None else Said(claims, answer)

    def cut(self, tasks: Tasks, subject: Subject, detail: str) -> Said:
        """What was said until the time was over, and for the rest that it was cut.

        Raises:
            RunStoreError: As `ask`.
        """
        return Said(
            () if tasks.claims is None else self._claims.cut(tasks.claims, subject, detail),
            () if tasks.answer is None else self._answers.cut(tasks.answer, subject, detail),
        )

    def dearest(self, tasks: Tasks, subject: Subject) -> Cost | None:
        """What asking those that have to be asked may come to at most; None where nobody has to be."""
        costs = [
            None if tasks.claims is None else self._claims.dearest(tasks.claims, subject),
            None if tasks.answer is None else self._answers.dearest(tasks.answer, subject),
        ]
        known = [cost for cost in costs if cost is not None]
        return Cost(sum(cost.tokens for cost in known), sum(cost.usd for cost in known)) if known else None

    def verdicts(self, drafted: Drafted, tasks: Tasks, said: Said, check: CheckIssues | None = None) -> Verdicts:
        """What was said of an answer, as verdicts on the terms of the panel."""
        found = by_rules(drafted, check) if tasks.claims is None else self._on_claims(drafted, said.claims, check)
        if tasks.answer is None:
            return found
        votes = self._votes(drafted, tasks.answer, said.answer, self._terms.items)
        then, votes_then = found.by_baseline, votes
        if self._terms.items_before is not None:
            votes_then = self._votes(drafted, tasks.answer, said.answer, self._terms.items_before)
            if [each.said for each in votes_then.items] != [each.said for each in votes.items]:
                then = then or found
        then = None if then is None else then.model_copy(update={"answer_votes": votes_then})
        return found.model_copy(update={"answer_votes": votes, "by_baseline": then})

    def _on_claims(self, drafted: Drafted, said: tuple[Judgement, ...], check: CheckIssues | None) -> Verdicts:
        """On today's terms, and on the baseline's where these decide otherwise."""
        chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
        declined, question = known_decline(drafted.drafts, drafted.claims), drafted.case.asked
        found = fold(drafted.claims, said, self._terms.panel, chunks=chunks, declined=declined, question=question)
        verdicts, before = found.verdicts(check), self._terms.before
        if before is None:
            return verdicts
        then = fold(drafted.claims, said, before, chunks=chunks, declined=declined, question=question)
        if _decided(then) == _decided(found):
            return verdicts
        return verdicts.model_copy(update={"by_baseline": then.verdicts(check)})

    @staticmethod
    def _votes(drafted: Drafted, task: AnswerTask, said: tuple[Judgement, ...], terms: JobTerms) -> AnswerVotes:
        chunks = [chunk.chunk_id for chunk in task.chunks]
        return fold_items(drafted.items, said, terms, answer=task.answer, chunks=chunks)


def _decided(found: Folded) -> tuple[object, ...]:
    """What a panel has decided of an answer."""
    return [claim.verdict for claim in found.claims], found.declines, found.points


def task_of(drafted: Drafted, which: Literal["open", "all"]) -> ClaimsTask | None:
    """What a judge is asked about an answer; None where nothing is open, or the answer declines and asserts nothing.

    Of an admissible answer every chunk may be read by whoever asks, and so by a judge. Without the text of any chunk
    nothing can be said of claims.
    """
    declined = known_decline(drafted.drafts, drafted.claims)
    if declined:
        return None
    chunks = _chunks(drafted)
    asked = [claim for claim in drafted.claims if which == "all" or is_open(claim)] if chunks else []
    points = open_points(drafted.case, drafted.drafts, drafted.claims) if chunks else ()
    if not asked and not points and declined is not None:
        return None
    ids = {claim.claim_id for claim in asked}
    return ClaimsTask(
        question=drafted.case.asked_with_turns,
        answer=_answer(drafted),
        claims=tuple([AskedClaim(claim.claim_id, claim.text) for claim in asked]),
        chunks=chunks,
        points=tuple([AskedPoint(point.id, point.id) for point in points]),
        settled=tuple([AskedClaim(each.claim_id, each.text) for each in drafted.claims if each.claim_id not in ids]),
    )


def answer_task_of(drafted: Drafted, *, relevance: bool) -> AnswerTask | None:
    """What a judge is asked about an answer beside what people wrote of a right one; None where that is nothing.

    An answer that is empty, or declines where one was expected, is held against nothing; nor is one that declines to
    the question or not.
    """
    answer = _answer(drafted)
    declined = known_decline(drafted.drafts, drafted.claims)
    says_nothing = declined or not drafted.claims
    if not answer.strip() or (says_nothing and drafted.case.expect == "answer"):
        return None
    asked = [item for item in drafted.items if not item.withheld]
    is_relevance = relevance and not says_nothing
    if not asked and not is_relevance:
        return None
    return AnswerTask(
        question=drafted.case.asked_with_turns,
        answer=answer,
        facts=tuple([AskedItem(item.id, item.text) for item in asked if item.kind == "fact"]),
        criteria=tuple([AskedItem(item.id, item.text) for item in asked if item.kind == "criterion"]),
        chunks=_chunks(drafted) if is_relevance else (),
        relevance=is_relevance,
    )


def _chunks(drafted: Drafted) -> tuple[AskedChunk, ...]:
    return tuple([AskedChunk(chunk.chunk_id, chunk.text) for chunk in drafted.context.chunks if chunk.text])


def _answer(drafted: Drafted) -> str:
    return drafted.traced.reply.text or "\n".join(claim.text for claim in drafted.claims)
