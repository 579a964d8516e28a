"""Gates 4 to 7: what the answer claims, cites and covers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.claims.claim_extraction import Drafts
from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.counting.case_state import is_not_shown
from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.gates.outdated_labels import OutdatedLabels, out_of_date
from raggate_action.core.judging.undecided_claims import known_decline, open_points
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.schema.base import Rate, meets, rate_of
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Claim
from raggate_action.schema.later import AskedJudge
from raggate_action.schema.outcome import (
    Failed,
    NotApplicable,
    Outcome,
    Passed,
    Problem,
    Unmeasured,
    UnmeasuredReason,
    passed_if,
)

_NO_POINTS = NotApplicable(why="the suite asks for no points")
DECLINED = NotApplicable(why="the answer declined, as expected")
CITATIONS_UNDECLARED = NotApplicable(why="the suite does not declare citations")
_PASSED = Passed()
_REASONS: dict[str, UnmeasuredReason] = {"budget": "budget", "cut": "cut"}
# The first that any judge was lost for: what another run may mend by itself comes last.
_FIRST: tuple[UnmeasuredReason, ...] = ("judge", "cut", "budget")


class JudgedAnswer(NamedTuple):
    """An answer with its claims judged; what gates 4 to 7 read.

    Attributes:
        case: The case.
        text: The answer's text.
        drafts: How the answer was itemised, and whether it declined.
        claims: Its claims with their verdicts.
        context: What the model was shown.
        outdated: Tells which of the case's labels are out of date.
        judges: Who was to be asked about it.
        panel_points: The required points that a panel decided, by name.
        abstained_as_expected: The evidence cannot answer, and the answer says so.
        says_nothing: An answer was expected, and this one is empty or declines.
    """

    case: Case
    text: str
    drafts: Drafts
    claims: tuple[Claim, ...]
    context: ShownContext
    outdated: OutdatedLabels
    judges: tuple[AskedJudge, ...] = ()
    panel_points: frozenset[str] = frozenset()
    abstained_as_expected: bool = False
    says_nothing: bool = False

    @property
    def undecided(self) -> Unmeasured | None:
        """Nothing can tell whether the answer declines; None where it is known.

        A claim that was verified or refuted asserts something, so its answer does not decline; of a panel's verdicts
        only the one on declining says so. Where an answer is expected, one that may decline counts as an answer.
        """
        if known_decline(self.drafts, self.claims) is not None:
            return None
        if any(judge.armed and judge.declines is not None for judge in self.judges):
            detail = f"the judges do not agree whether this declines: {_quoted(self.claims[0])}"
        elif self.drafts.declined is None:
            detail = (
                f"declining is not recognised in language {self.drafts.language}: report answer.abstained, or write "
                f"the suite's language if the app answers in one of {', '.join(KNOWN)}"
            )
        else:
            detail = f"this may decline or answer: {_quoted(self.claims[0])}; report answer.abstained to have it told"
        nobody = Unmeasured(reason="no-adjudicator", detail=detail)
        return unjudged_reason(
            "whether the answer declines is open", self.judges, lambda judge: judge.declines is None, nobody
        )


def answered(judged: JudgedAnswer) -> Outcome:
    """Gate 4: the answer makes claims, or declines where abstention is expected.

    Returns:
        Unmeasured for an answer of unverified claims alone, where nothing can tell whether they decline.
    """
    if judged.case.expect == "abstain":
        if judged.claims or judged.drafts.declined or judged.text.strip():
            return _PASSED
        return Failed(problems=(Problem(code="empty-answer", detail="declining in words was expected"),))
    if judged.drafts.declined:
        return Failed(problems=(Problem(code="declined", detail="the case expects an answer"),))
    if not judged.claims:
        detail = "the answer makes no claim" if judged.text.strip() else "the answer is empty"
        return Failed(problems=(Problem(code="no-claims", detail=detail),))
    return judged.undecided or _PASSED


def faithfulness(judged: JudgedAnswer, *, per_case: Decimal, on_values: bool) -> Outcome:
    """Gate 5: faithfulness = claims the context supports / all claims; 0.0 for an answer that says nothing.

    Args:
        judged: The answer.
        per_case: The share of its claims that has to be supported.
        on_values: A claim with a value that nothing shown holds counts against it.

    Returns:
        Failed for an answer where none was possible, quoting its first claim; not applicable to one that says nothing,
        which fails gate 4 alone. Failed when partial, unsupported or contradicted claims keep it under the bar;
        unmeasured when only unverified ones do, or when neither trace nor store has the text of a chunk.
    """
    if judged.case.expect == "abstain":
        if judged.abstained_as_expected:
            return DECLINED
        first = judged.claims[0].text
        return Failed(problems=(Problem(code="answered-though-unanswerable", detail=f"“{first}”"),))
    if judged.says_nothing:
        return nothing_to_judge()
    supported = len([claim for claim in judged.claims if claim.verdict == "supported"])
    if passed := passed_if(supported, len(judged.claims), per_case):
        return passed
    rate = rate_of(supported, len(judged.claims))
    against = [claim for claim in judged.claims if claim.verdict not in {"supported", "unverified"}]
    problems = [Problem(code=f"claim-{c.verdict}", detail=_quoted(c)) for c in against]
    unsure: list[Claim] = []
    for claim in [claim for claim in judged.claims if claim.verdict == "unverified"]:
        # People may have called the claim right.
        why = None if claim.cleared else next((each.reason for each in claim.findings if is_not_shown(each)), None)
        if on_values and why:
            problems.append(Problem(code="value-not-shown", detail=f"{why}: {_quoted(claim)}"))
        else:
            unsure.append(claim)
    if unsure and judged.context.without_text:
        silent = ", ".join(judged.context.without_text[:5])
        doubt = Unmeasured(reason="trace", detail=f"neither trace nor evidence store has the text of {silent}")
        return under_bar(rate, len(unsure), per_case, problems, doubt)
    detail = f"{len(unsure)} of {len(judged.claims)} claims need a judge; first: {_quoted(unsure[0])}" if unsure else ""
    doubt = unjudged_claims_reason(unsure, judged.judges, Unmeasured(reason="no-adjudicator", detail=detail))
    return under_bar(rate, len(unsure), per_case, problems, doubt)


def citation_support(judged: JudgedAnswer, *, per_case: Decimal) -> Outcome:
    """Gate 6: support = claims one of whose cited chunks is in the context and supports them / claims.

    In prose that cites, sentences without a citation are left to citation coverage.

    Of several citations one that supports is enough. While claims are unverified the gate is unmeasured, unless the
    others fail it already. An answer that says nothing has 0.0 and is not judged.
    """
    if (spared := _spared(judged)) is not None:
        return spared
    cited = () if judged.drafts.itemised else tuple([claim for claim in judged.claims if claim.citations])
    claims = cited or judged.claims
    bad = [claim for claim in claims if set(claim.citations).isdisjoint(claim.supported_by)]
    if passed := passed_if(len(claims) - len(bad), len(claims), per_case):
        return passed
    rate = rate_of(len(claims) - len(bad), len(claims))
    found = [(claim, _citation_problem(claim, judged.context)) for claim in bad]
    problems = [problem for _claim, problem in found if problem is not None]
    unsure = [claim for claim, problem in found if problem is None]
    detail = f"{len(unsure)} of {len(claims)} cited claims need a judge"
    doubt = unjudged_claims_reason(unsure, judged.judges, Unmeasured(reason="no-adjudicator", detail=detail))
    return under_bar(rate, len(unsure), per_case, problems, doubt)


def citation_coverage(judged: JudgedAnswer, *, per_case: Decimal) -> Outcome:
    """Coverage = claims that cite anything / claims; 0.0 for an answer that says nothing. Coverage is not support."""
    if (spared := _spared(judged)) is not None:
        return spared
    uncited = [claim for claim in judged.claims if not claim.citations]
    citing = len(judged.claims) - len(uncited)
    if passed := passed_if(citing, len(judged.claims), per_case):
        return passed
    problems = [Problem(code="uncited-claim", detail=_quoted(claim)) for claim in uncited]
    return Failed(problems=tuple(problems), share=rate_of(citing, len(judged.claims)))


def point_coverage(judged: JudgedAnswer, *, per_case: Decimal) -> Outcome:
    """Gate 7: coverage = required points that a claim makes which is not refuted / required points.

    Whether the claim is verified is the business of faithfulness. A point made only by claims that a finding stands
    against is unmeasured; so is one that nothing could recognise (prose, and no `answer_phrases`) and no panel has
    decided, and one that is out of date; a point no claim makes is missing.
    """
    points = judged.case.points
    if not points:
        return _NO_POINTS
    if (spared := _spared(judged, total=len(points))) is not None:
        return spared
    made = {name for claim in judged.claims if claim.points and _makes(claim) for name in claim.points}
    missed = [point.id for point in points if point.id not in made]
    if passed := passed_if(len(points) - len(missed), len(points), per_case):
        return passed
    rate = rate_of(len(points) - len(missed), len(points))
    unknown = {point.id for point in open_points(judged.case, judged.drafts, judged.claims)} - judged.panel_points
    now = {each.id: words for each in points if each.id in missed and (words := judged.outdated.of_label(each))}
    doubted = {name: [c for c in judged.claims if name in c.points and c.verdict == "unverified"] for name in missed}
    unsure = [name for name in missed if doubted[name] or name in unknown or name in now]
    problems = [Problem(code="point-missing", detail=name) for name in missed if name not in unsure]
    if now:
        return under_bar(rate, len(unsure), per_case, problems, out_of_date(now))
    what = f"whether the answer makes {', '.join(unsure)}"
    doubt = Unmeasured(reason="no-adjudicator", detail=f"{what} needs a judge")

    def is_silent(judge: AskedJudge) -> bool:
        return not {vote.point for vote in judge.points}.issuperset(unsure)

    if claims := [claim for name in unsure for claim in doubted[name]]:
        doubt = unjudged_claims_reason(claims, judged.judges, doubt)
    else:
        doubt = unjudged_reason(f"{what} is open", judged.judges, is_silent, doubt)
    return under_bar(rate, len(unsure), per_case, problems, doubt)


def _makes(claim: Claim) -> bool:
    """Whether a claim makes the points it names: it is not refuted, and no finding casts doubt on it."""
    if claim.verdict == "unverified":
        return all(finding.advisory or finding.kind == "structure" for finding in claim.findings)
    return claim.verdict == "supported"


def _spared(judged: JudgedAnswer, *, total: int = 0) -> NotApplicable | None:
    """The outcome of a gate on claims for an answer without claims: expected, or a failure of gate 4 alone."""
    if judged.abstained_as_expected:
        return DECLINED
    return nothing_to_judge(total) if judged.says_nothing else None


def nothing_to_judge(total: int = 0) -> NotApplicable:
    """Not applicable, with the value that the gate's arithmetic gives an empty answer: none of `total`."""
    return NotApplicable(why="the answer is empty or declines, which `answered` tells", share=rate_of(0, total))


def _citation_problem(claim: Claim, context: ShownContext) -> Problem | None:
    """Why no citation of the claim supports it; None when only a judge can tell whether one does."""
    if not claim.citations:
        return Problem(code="uncited-claim", detail=_quoted(claim))
    in_context = [chunk_id for chunk_id in claim.citations if chunk_id in context.by_id]
    if not in_context:
        detail = f"{', '.join(claim.citations)} cited for {_quoted(claim)}"
        return Problem(code="citation-not-in-context", detail=detail)
    if claim.verdict == "unverified":
        return None
    elsewhere = f"; {claim.supported_by[0]} does" if claim.supported_by else ""
    detail = f"{', '.join(in_context)} does not support {_quoted(claim)}{elsewhere}"
    return Problem(code="citation-unsupported", detail=detail)


def under_bar(rate: Rate, unsure: int, bar: Decimal, problems: Sequence[Problem], doubt: Unmeasured) -> Outcome:
    """What an answer under the bar is: failed even if every doubt were resolved in its favour, else in doubt."""
    if unsure and meets(rate_of(rate.hits + unsure, rate.total), bar):
        return doubt.model_copy(update={"share": rate})
    return Failed(problems=tuple(problems), share=rate)


def _quoted(claim: Claim) -> str:
    return f"“{claim.text}”"


def unjudged_claims_reason(unsure: Sequence[Claim], judges: Iterable[AskedJudge], otherwise: Unmeasured) -> Unmeasured:
    """Why claims are unverified.

    Args:
        unsure: The claims, one or more.
        judges: Who was to be asked about the answer.
        otherwise: What holds where no judge is the reason: none is armed, or a label and the answer are at odds.
    """
    left = [claim for claim in unsure if is_open(claim)]
    what = "1 claim is" if len(left) == 1 else f"{len(left)} claims are"

    def is_silent(judge: AskedJudge) -> bool:
        return any(all(vote.judge != judge.judge for vote in claim.votes) for claim in left)

    return unjudged_reason(f"{what} left open", judges, is_silent, otherwise) if left else otherwise


def unjudged_reason(
    what: str, judges: Iterable[AskedJudge], is_silent: Callable[[AskedJudge], bool], otherwise: Unmeasured
) -> Unmeasured:
    """Why a question about an answer has no verdict, where the armed judges did not reach their quorum on it.

    Args:
        what: What is left open, for people.
        judges: Who was to be asked about the answer; only the armed ones matter.
        is_silent: Whether a judge whose reply counts said nothing of it.
        otherwise: What holds where every armed judge spoke, or none is armed.
    """
    armed = [judge for judge in judges if judge.armed]
    lost = [(judge, judge.lost) for judge in armed if judge.lost is not None]
    silent = [judge.judge for judge in armed if judge.lost is None and is_silent(judge)]
    if not (lost or silent):
        return otherwise
    found = {_REASONS.get(each.code, "judge") for _judge, each in lost}
    reason = "judge" if silent else next(each for each in _FIRST if each in found)
    why = []
    if lost:
        judge, first = next((each for each in lost if _REASONS.get(each[1].code, "judge") == reason), lost[0])
        why.append(f"{len(lost)} of {len(armed)} judges lost, first {judge.judge} ({first.code}: {first.detail})")
    if silent:
        why.append(f"no verdict of {', '.join(silent)}")
    return Unmeasured(reason=reason, detail=f"{what}: {'; '.join(why)}")
