"""One case, run: its outcomes and everything a reader needs to repair it. A row of `cases.jsonl`."""

from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, SerializeAsAny, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Amount, Natural, Positive, Record, UnitScore
from raggate_action.schema.case import Expect
from raggate_action.schema.later import AnswerAlone, AnswerVotes, AskedJudge, BesideMain, ByRules, ClaimVote, OwnRate
from raggate_action.schema.outcome import GateName, Outcome, Problem, StageName

Verdict: TypeAlias = Literal["supported", "partial", "unsupported", "contradicted", "unverified"]
CaseState: TypeAlias = Literal["passed", "failed", "unmeasured", "flaky"]
CaseKind: TypeAlias = Literal["ordinary", "must_release", "known_bad"]
FindingKind: TypeAlias = Literal["conflict", "absent", "structure"]


class Finding(Record):
    """What a keyless rule found on a claim. Rules find faults, they certify nothing.

    A conflict, or what no evidence holds, makes the claim a suspect, unless it is advice only.

    Attributes:
        kind: A sentence of the evidence says otherwise, no evidence says it, or the citation does not lead there.
        code: What it is about: number, date, time, money, percent, unit, name, polarity, role, neighbour,
            quotation, citation, condition; phone, url, email, path, option, identifier.
        start, end: Where it stands in the claim's text.
        chunk_id: The chunk it was held against, where there is one.
        chunk_start, chunk_end: The sentence of that chunk.
        reason: One sentence for people.
        certain: The words of claim and sentence leave no other reading; never set for what is absent.
        sharp: Of a kind that right answers in other words hardly ever have: new in one case it blocks.
        advisory: It only warns, whatever the policy: a condition that came or went, an option, path or identifier that
            nothing shown holds.
        key: Equal on two runs of one case when it is the same finding.
    """

    kind: FindingKind
    code: str
    start: Natural | None = None
    end: Natural | None = None
    chunk_id: str | None = None
    chunk_start: Natural | None = None
    chunk_end: Natural | None = None
    reason: str
    certain: bool = False
    sharp: bool = False
    advisory: bool = False
    key: str = ""


class Claim(Record):
    """One assertable proposition of an answer, with its verdict.

    Attributes:
        claim_id: Unique in the answer.
        text: What is asserted; a list item stands behind its lead-in, a table row behind its column heads, a part of a
            sentence behind the subject it shares.
        start, end: Where it stands in the answer's text; None for a claim the app itemised.
        citations: Chunk ids it cites, resolved; what could not be resolved stays as written.
        verdict: Whether the context supports it.
        supported_by: Chunks that support it, in context order, and no others.
        quote: The words of the first supporting chunk, or of the chunk that contradicts it, verbatim; None without one
            or under `texts: ids`.
        quote_start: Where they begin in that chunk's text.
        points: Required points it makes.
        labelled: Whether an author's phrases decided the verdict.
        note: What is missing or in conflict.
        findings: What keyless rules found on it.
        judged: The panel decided the verdict: neither a label nor a certain rule did.
        votes: What each judge that was asked about it said, in the panel's order.
        cleared: People's labels call it supported, of the same question beside the same chunks.
    """

    claim_id: str
    text: str
    start: Natural | None = None
    end: Natural | None = None
    citations: tuple[str, ...] = ()
    verdict: Verdict = "unverified"
    supported_by: tuple[str, ...] = ()
    quote: str | None = None
    quote_start: Natural | None = None
    points: tuple[str, ...] = ()
    labelled: bool = False
    note: str | None = None
    findings: tuple[Finding, ...] = ()
    judged: bool = Field(default=False, exclude_if=not_)
    votes: tuple[ClaimVote, ...] = Field(default=(), exclude_if=not_)
    cleared: bool = Field(default=False, exclude_if=not_)


class Hallucination(Record):
    """One hallucination of a case, with the key that finds it again on the other run.

    Attributes:
        kind: A claim unsupported or contradicted, a must_not_contain hit, or an answer where none was possible.
        key: Equal on two runs of one case when it is the same hallucination.
        text: The offending words.
        chunk_id: The evidence nearest to it, where a chunk was cited or compared.
        quote: What that chunk says, verbatim.
    """

    kind: Literal["claim", "phrase", "answered"]
    key: str
    text: str
    chunk_id: str | None = None
    quote: str | None = None


class Tools(Record):
    """Tool use of a case that expects tools."""

    expected: tuple[str, ...]
    missing: tuple[str, ...]


class Musts(Record):
    """What a case demands of the answer, numbered from 0: must_contain, then expected tools, then forbidden ones.

    Attributes:
        met: What the answer has, and tools that were rightly not called.
        missed: What it lacks, and tools that were called all the same. What nobody reported is in neither.
    """

    met: tuple[Natural, ...] = ()
    missed: tuple[Natural, ...] = ()


class LabelPassage(Record):
    """Where a label of a case stands in what the model was shown, so that a later run can tell whether it changed.

    Attributes:
        label: The required phrase, point or quote.
        chunk_id, document, version: The chunk that holds it, and what it was cut from, where known.
        words: The sentence that holds it; empty of a quote, which is one, and under `texts: ids`.
    """

    label: str
    chunk_id: str
    document: str | None = Field(default=None, exclude_if=lambda document: document is None)
    version: str | None = Field(default=None, exclude_if=lambda version: version is None)
    words: str = Field(default="", exclude_if=not_)


# Written as what they are: to be tried against every kind costs twice as much as all the rest of the row.
Outcomes: TypeAlias = SerializeAsAny[dict[GateName, Outcome]]
# More than a suite may have a case asked again.
_MOST_ASKS = 20


class Ask(Record):
    """An answer of the app to a case, judged: the one that a row is of, or another to the same case.

    Attributes:
        outcomes, first_failed_stage, claims, hallucinations, flagged, issues, latency_ms, answer, answer_digest, error,
            judges, answer_votes, recalled: See `CaseRun`.
    """

    outcomes: Outcomes
    first_failed_stage: StageName | None = None
    claims: tuple[Claim, ...] = ()
    hallucinations: tuple[Hallucination, ...] = ()
    flagged: bool = False
    issues: tuple[str, ...] = ()
    latency_ms: Amount | None = None
    answer: str | None = None
    answer_digest: str | None = None
    error: str | None = None
    judges: tuple[AskedJudge, ...] = Field(default=(), exclude_if=not_)
    answer_votes: AnswerVotes | None = Field(default=None, exclude_if=not_)
    recalled: Musts | None = Field(default=None, exclude_if=not_)


class ListedRow(Record):
    """What the list of cases needs of a row; the rest of a line is skipped, which is most of it. See `CaseRun`."""

    model_config = ConfigDict(extra="ignore")

    case_id: str
    position: Natural
    kind: CaseKind = "ordinary"
    name: str | None = None
    question: str
    # As the suite has it: 1 stays 1.
    weight: Positive | Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1
    slices: tuple[str, ...] = ()
    state: CaseState
    outcomes: Outcomes
    first_failed_stage: StageName | None = None
    blocked_at: StageName | None = None
    error: str | None = None


class CaseRun(Ask, ListedRow, extra="forbid"):
    """One case of a run. Self-contained: compare, report and explain read nothing else of the case.

    Attributes:
        case_id, name, workflow, category, tags, weight, expect: As in the case.
        position: Place in the suite's order, from 0.
        digest: Digest of the case.
        kind: Ordinary, must be released, or known bad.
        file, line: Where the case is written.
        question: What was asked, cut for display.
        slices: `field=value` of every slice the case belongs to.
        state: Passed, failed, unmeasured, or flaky: it passed when it was asked again. Waivers are not yet considered.
        outcomes: Every gate's outcome, in order of diagnosis; of gates that only judges can feed where the case asks.
        first_failed_stage: The stage that owns the repair; None when no block-level gate failed.
        blocked_at: For a known-bad case, the stage that has to fail first.
        hallucinations: Each one found.
        score: Behaviour score in [0, 1], two decimals; None after an admissibility failure.
        flagged: A must_not_contain phrase was found.
        issues: What behaviour checks found (phrases, tools, latency, custom check); present in passing cases too.
        lacks: Values of the case's reference answer that the answer does not give, each with its kind (number, percent,
            money, unit, date, time or name) and as the reference writes it; they decide nothing.
        tools: Expected and missing tools; None when the case expects none.
        musts: Which demands on phrases and tools were met; None when the case has none, or no answer was judged.
        recalled: Which required sources and quotes were found: numbered from 0, sources before quotes, twice the number
            among the candidates and the odd one behind it in the context. None where nothing is required or was judged.
        forbids: The answer was searched for phrases that must not be in it.
        latency_ms: Reported by the app, else measured by us.
        cost_usd: As the app reports it.
        answer: The answer, cut to 2,000 characters for display; None when withheld.
        answer_length: Characters of the whole answer.
        answer_digest: Digest of the whole answer.
        abstained: The answer declined.
        context: Chunk ids the model was shown.
        documents: Documents of those chunks whose ids name no source, as evidence store or app name them.
        context_versions: Evidence versions of those chunks, where known.
        passages: Where the case's labels stand in those chunks.
        known_ids, unknown_ids: How many chunk ids of its stages the evidence store has and has not; 0 without a store.
        versions: Pipeline versions of the trace.
        error: The target's error, when it failed.
        finished_at: When the row was written.
        asks: The other answers of a case that was asked again, in order; the row is of the one that stands for it.
        unconfirmed: It was to be asked again, and was not often enough: too many cases were, or the app or the time was
            gone. Its first answer counts.
        judges: Each judge that was to be asked about the answer, in the panel's order; empty where none was.
        answer_votes: What judges said beside facts, criteria and relevance; None where nobody was asked.
        by_rules: How it comes out without the panel, where that is otherwise; None where it is not.
        beside_main: How its answers stand beside those of the base branch's app; None where they could not be held.
        alone: What its answer tells without them, in a run without a baseline; None where there is nothing to tell.
        own_rate: One of its answers alone has a certain hallucination, which counts nowhere, for the base branch's app
            has them as often by chance; None of any other case.
    """

    digest: str
    file: str
    line: Positive
    workflow: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    expect: Expect = "answer"
    score: UnitScore | None = None
    lacks: tuple[Problem, ...] = ()
    tools: Tools | None = None
    musts: Musts | None = None
    forbids: bool = False
    cost_usd: Amount | None = None
    answer_length: Natural = 0
    abstained: bool = False
    context: tuple[str, ...] = ()
    context_versions: tuple[str, ...] = ()
    passages: tuple[LabelPassage, ...] = Field(default=(), exclude_if=not_)
    documents: tuple[str, ...] = Field(default=(), exclude_if=not_)
    known_ids: Natural = 0
    unknown_ids: Natural = 0
    versions: tuple[tuple[str, str], ...] = ()
    finished_at: str = ""
    asks: Annotated[tuple[Ask, ...], Field(max_length=_MOST_ASKS)] = ()
    unconfirmed: bool = False
    by_rules: ByRules | None = None
    beside_main: BesideMain | None = Field(default=None, exclude_if=not_)
    alone: AnswerAlone | None = Field(default=None, exclude_if=not_)
    own_rate: OwnRate | None = Field(default=None, exclude_if=not_)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.kind == "known_bad" and self.blocked_at is None:
            raise PydanticCustomError("row", "a known-bad case names the stage it must be blocked at")
        target = self.outcomes.get("target")
        if target is not None and target.kind == "unmeasured" and (self.claims or self.hallucinations or self.flagged):
            raise PydanticCustomError("row", "a case that was not run has no claims and no hallucinations")
        return self

    @property
    def blocked_as_named(self) -> bool:
        """For a known-bad case: it failed first where its author says it must."""
        return self.first_failed_stage is not None and self.first_failed_stage == self.blocked_at


def answers_of(row: CaseRun) -> tuple[Ask, ...]:
    """All answers of a case: the one that stands for it, then the others in order."""
    return (row, *row.asks)


def is_certainly_false(answer: Ask) -> bool:
    """Whether an answer has a certain hallucination: a false claim, or that it answers where it could not.

    Forbidden phrases have a rule of their own.
    """
    return any(each.kind != "phrase" for each in answer.hallucinations)
