"""The verdicts of a suite with judges: its own checks, and the panel on what labels, quotation and rules leave open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from raggate_action.core.comparison.baseline_index import PastCase, kept_answer
from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.core.gates.diagnose import Drafted, by_rules
from raggate_action.core.panel.fold import PanelTerms, fold
from raggate_action.core.panel.open import is_open, known_decline, open_points
from raggate_action.judges.interface import AskedChunk, AskedClaim, AskedPoint, ClaimsTask
from raggate_action.pipeline.judge_budget import Cost
from raggate_action.pipeline.judgement_reuse import Subject
from raggate_action.pipeline.judges_at_work import JudgesAtWork
from raggate_action.pipeline.session import SuiteChecks
from raggate_action.pipeline.side_by_side import side_by_side
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.verdicts import CheckIssues, Verdicts


class Terms(NamedTuple):
    """What a panel source asks on.

    Attributes:
        panel: Who is asked, and whose votes count.
        which: Which claims: those left open, or all.
        share: What an answer may cost whatever the others do.
        past: The baseline's cases, to know what has changed.
    """

    panel: PanelTerms
    which: Literal["open", "all"]
    share: Cost
    past: Mapping[str, PastCase]


class PanelSource:
    """Asks the suite's checks and the panel; a `VerdictSource`, and a `Judging` that says who is asked first."""

    def __init__(self, checks: SuiteChecks, judges: JudgesAtWork[ClaimsTask], terms: Terms) -> None:
        self._checks = checks
        self._judges = judges
        self._terms = terms

    def asks(self, drafted: Drafted) -> bool:
        """Whether the case names a check, or something is open that a judge could say."""
        return self._checks.asks(drafted) or self._task(drafted) is not None

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:
        """What check and panel say; what went wrong with either is in it.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        task = self._task(drafted)
        if task is None:
            return await self._checks.of(drafted, ask)
        subject = Subject("case", drafted.case.case_id, ask)
        if not self._checks.asks(drafted):
            return self._folded(drafted, await self._judges.ask(task, subject), None)
        found: dict[str, CheckIssues | None] = {}

        async def checked() -> tuple[Judgement, ...]:
            found["check"] = (await self._checks.of(drafted, ask)).check
            return ()

        judged, _nothing = await side_by_side([self._judges.ask(task, subject), checked()])
        return self._folded(drafted, judged, found["check"])

    def said_before(self, drafted: Drafted, ask: int) -> Verdicts | None:
        """The verdicts where every judge has said its own before and no check is asked; None where somebody has to be.

        Raises:
            RunStoreError: As `of`.
        """
        task = self._task(drafted)
        if task is None or self._checks.asks(drafted):
            return None
        judged = self._judges.said_before(task, Subject("case", drafted.case.case_id, ask))
        return None if judged is None else self._folded(drafted, judged, None)

    def rank(self, drafted: Drafted, ask: int) -> tuple[bool, bool] | None:
        """How early the panel is asked where money may not suffice for all, smallest first; None for at once.

        At once goes what costs nothing, and what costs no more than its share. Of the others those come first whose
        answer is another than the baseline's, then those with a suspect.
        """
        task = self._task(drafted)
        if task is None:
            return None
        dearest = self._judges.dearest(task, Subject("case", drafted.case.case_id, ask))
        share = self._terms.share
        if dearest is None or (ask == 0 and dearest.tokens <= share.tokens and (dearest.usd <= max(share.usd, 0))):
            return None
        past = self._terms.past.get(drafted.case.case_id)
        is_same = past is not None and past.answer is not None and past.answer == kept_answer(task.answer)
        return is_same, not any(suspects_in(drafted.claims))

    def cut(self, drafted: Drafted, ask: int, detail: str) -> Verdicts | None:
        """The verdicts where the time is over: what was said until then; None where a check was to be asked as well.

        Raises:
            RunStoreError: As `of`.
        """
        task = self._task(drafted)
        if task is None or self._checks.asks(drafted):
            return None
        judged = self._judges.cut(task, Subject("case", drafted.case.case_id, ask), detail)
        return self._folded(drafted, judged, None)

    def _task(self, drafted: Drafted) -> ClaimsTask | None:
        return task_of(drafted, self._terms.which)

    def _folded(self, drafted: Drafted, judged: tuple[Judgement, ...], check: CheckIssues | None) -> Verdicts:
        return folded(drafted, judged, self._terms.panel, check)


class PastSource:
    """The panel on answers that the baseline's app gave; of these no check of the suite is asked."""

    def __init__(self, judges: JudgesAtWork[ClaimsTask], panel: PanelTerms, which: Literal["open", "all"]) -> None:
        self._judges, self._panel, self._which = judges, panel, which

    def said_before(self, drafted: Drafted) -> Verdicts | None:
        """The verdicts where every judge has said its own before, or has nothing to say; None where one is to be asked.

        Raises:
            RunStoreError: They cannot be written down.
        """
        task = task_of(drafted, self._which)
        if task is None:
            return by_rules(drafted)
        judged = self._judges.said_before(task, _subject(drafted))
        return None if judged is None else folded(drafted, judged, self._panel)

    async def of(self, drafted: Drafted) -> Verdicts:
        """What the panel says; what went wrong is in it.

        Raises:
            RunStoreError: As `said_before`.
        """
        task = task_of(drafted, self._which)
        if task is None:
            return by_rules(drafted)
        return folded(drafted, await self._judges.ask(task, _subject(drafted)), self._panel)


def _subject(drafted: Drafted) -> Subject:
    return Subject("baseline", drafted.case.case_id)


def folded(
    drafted: Drafted, judged: tuple[Judgement, ...], panel: PanelTerms, check: CheckIssues | None = None
) -> Verdicts:
    """What was said of an answer, as verdicts on the terms of the panel."""
    chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
    declined = known_decline(drafted.drafts, drafted.claims)
    return fold(drafted.claims, judged, panel, chunks=chunks, declined=declined).verdicts(check)


def task_of(drafted: Drafted, which: Literal["open", "all"]) -> ClaimsTask | None:
    """What a judge is asked about an answer; None where nothing is open, or the answer declines and asserts nothing.

    Of an admissible answer every chunk may be read by whoever asks, and so by a judge. Without the text of any chunk
    nothing can be said of claims.
    """
    declined = known_decline(drafted.drafts, drafted.claims)
    if declined:
        return None
    chunks = [AskedChunk(chunk.chunk_id, chunk.text) for chunk in drafted.context.chunks if chunk.text]
    asked = [claim for claim in drafted.claims if which == "all" or is_open(claim)] if chunks else []
    points = open_points(drafted.case, drafted.drafts, drafted.claims) if chunks else ()
    if not asked and not points and declined is not None:
        return None
    ids = {claim.claim_id for claim in asked}
    return ClaimsTask(
        question=_question(drafted.case),
        answer=drafted.traced.reply.text or "\n".join(claim.text for claim in drafted.claims),
        claims=tuple([AskedClaim(claim.claim_id, claim.text) for claim in asked]),
        chunks=tuple(chunks),
        points=tuple([AskedPoint(point.id, point.id) for point in points]),
        settled=tuple([AskedClaim(each.claim_id, each.text) for each in drafted.claims if each.claim_id not in ids]),
    )


def _question(case: Case) -> str:
    """What was asked, with the turns before it."""
    if case.question is not None or len(case.messages) <= 1:
        return case.asked
    return "\n".join(f"{turn.role}: {turn.content}" for turn in case.messages)
