"""What one judge said of one answer, or why it said nothing that counts: a line of `judgements.jsonl`."""

from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Amount, Natural, Rate, Record
from raggate_action.schema.outcome import ItemGate, ItemKind

# A judge has to say something: `unverified` is no verdict of its.
JudgedVerdict: TypeAlias = Literal["supported", "partial", "unsupported", "contradicted"]
LostCode: TypeAlias = Literal[
    "judge-off-schema",
    "judge-timeout",
    "judge-unreachable",
    "judge-rate-limited",
    "judge-server-error",
    "judge-refused",
    "judge-filtered",
    "judge-truncated",
    "judge-empty",
    "judge-not-accepted",
    "judge-key",
    "budget",
    "cut",
]
# `judge-not-accepted`: the endpoint refuses the request itself (400, 404, 422); `judge-key`: 401 or 403, or no key.


# A case of this run, a labelled answer, or the baseline's answer to a case.
About: TypeAlias = Literal["case", "label", "baseline"]


class Usage(Record):
    """Tokens of a call, as the endpoint counts them.

    Attributes:
        input: Of the prompt, kept ones among them.
        cached: Of the prompt, those that the provider had kept.
        output: Of the reply.
    """

    input: Natural = 0
    cached: Natural = 0
    output: Natural = 0

    def plus(self, other: "Usage") -> "Usage":
        """The tokens of both together."""
        return Usage(
            input=self.input + other.input, cached=self.cached + other.cached, output=self.output + other.output
        )


class Lost(Record):
    """Why a judge said nothing that counts.

    Attributes:
        code: Stable, for machines and docs.
        detail: For people, in one line; nothing secret is in it.
    """

    code: LostCode
    detail: str


class Support(Record):
    """A place in a chunk that a judge names, checked: these words are there.

    Attributes:
        chunk_id: The chunk.
        quote: Its words, verbatim.
        quote_start: Where they begin in the chunk's text.
    """

    chunk_id: str
    quote: str
    quote_start: Natural


class Part(Record):
    """A part of a claim that a judge told apart.

    Attributes:
        span: Its words, verbatim in the claim.
        verdict: On it alone.
    """

    span: str
    verdict: JudgedVerdict


class Vote(Record):
    """One judge on one claim.

    Attributes:
        claim_id: Which claim of the answer.
        verdict: Whether the chunks support it.
        support: Where; at least one for `supported`.
        against: Where a chunk disagrees, where it does.
        note: What is not backed, or which chunk disagrees, in the judge's words.
        parts: The claim split, where the judge told parts apart.
    """

    claim_id: str
    verdict: JudgedVerdict
    support: tuple[Support, ...] = ()
    against: Support | None = None
    note: str | None = None
    parts: tuple[Part, ...] = ()


class DroppedVote(Record):
    """A claim, a fact or a criterion that a reply spoke of, and why what it said of it does not count.

    Attributes:
        claim_id: Which of them.
        reason: What was wrong with it, as the judge was told; words of judge and answer may be in it.
    """

    claim_id: str
    reason: str


class PointVote(Record):
    """One judge on one required point that no phrase recognises.

    Attributes:
        point: The point.
        claim_id: The claim that makes it; None where none does.
    """

    point: str
    claim_id: str | None = None


def _is_claims(job: str) -> bool:
    return job == "claims"


def _is_none(value: object) -> bool:
    return value is None


class PairScores(Record):
    """One judge on two answers to one question, as it was shown them.

    Attributes:
        a, b: Dimension -> score, 1 to 5.
        total_a, total_b: What the judge says they come to; None where it did not say.
        verdict: Which the judge says is better; None where it did not say.
        reason: Why, its one sentence.
    """

    a: dict[str, int]
    b: dict[str, int]
    total_a: int | None = None
    total_b: int | None = None
    verdict: Literal["A", "B", "tie"] | None = None
    reason: str = ""


ItemSaid: TypeAlias = Literal["stated", "lacking", "contradicted", "yes", "no", "cannot-tell"]


class ItemVote(Record):
    """One judge on one thing that people wrote down of a right answer, or on what is relevant.

    Attributes:
        kind: What it is on.
        item: Which: the fact's or the criterion's id, the chunk's id, or empty for the answer.
        said: What the judge says of it.
        quote: Words of the answer it rests on, verbatim; None where there are none.
        note: Why, in the judge's words.
    """

    kind: ItemKind
    item: str = ""
    said: ItemSaid
    quote: str | None = None
    note: str | None = None


# What is asked, as `judging_jobs` names it: `claims`, `pair`, `answer`, ...
JobName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z-]{0,30}$")]


class JudgeReply(Record):
    """What is kept of one judge's reply to one job, in the file of judgements and in the row of the answer.

    Attributes:
        judge: The judge's name in the panel.
        job: What was asked.
        lost: Why nothing of it counts; None when it was judged.
        dropped: On claims that have no vote for what is wrong with it.
        declines: Whether the answer declines; None where that was not asked, or not said.
        points: On the required points asked about.
        left_out: Chunks that the judge was not shown, by id: the endpoint refused the length, and they share no word
            with a claim.
        usage: Tokens of all its calls; zero where it was reused.
        calls: Calls made for it, further attempts left out; 0 where it was reused.
        attempts: Further attempts at these calls.
        unmetered: Attempts that an endpoint took and of whose tokens nobody knows: no answer came, or none was read.
        cost_usd: Of these calls; None where the price is unknown. Zero where it was reused.
        reused: Taken from an earlier judgement of the same key.
    """

    judge: str
    job: JobName = Field(default="claims", exclude_if=_is_claims)
    lost: Lost | None = None
    dropped: tuple[DroppedVote, ...] = Field(default=(), exclude_if=not_)
    declines: bool | None = None
    points: tuple[PointVote, ...] = ()
    left_out: tuple[str, ...] = Field(default=(), exclude_if=not_)
    usage: Usage = Usage()
    calls: Natural = 0
    attempts: Natural = Field(default=0, exclude_if=not_)
    unmetered: Natural = Field(default=0, exclude_if=not_)
    cost_usd: Amount | None = None
    reused: bool = False


class Judgement(JudgeReply):
    """One judge asked about one answer, or about a pair.

    Attributes:
        about: A case of the suite, a labelled answer of the calibration file, or the baseline's answer to a case.
        id: Which of them: a case id, or the id of the labelled answer.
        ask: How often the case had been asked before; of a pair, 1 where it is shown swapped.
        fingerprint: Digest of what it is: endpoint, model, parameters, form of replies.
        prompt: Digest of the prompt's template and the reply's schema.
        key: Digest of judge, prompt and all that the prompt held, delimiters left out: equal keys ask the same.
        votes: On the claims asked about. A claim the reply left out has none.
        scores: Of a pair.
        items: On facts, criteria and relevance.
        text: What the judge was asked to write: a repaired answer, or findings from numbers, as JSON.
        judge, job, lost, dropped, declines, points, left_out, usage, calls, attempts, unmetered, cost_usd, reused: As
            in `JudgeReply`.
    """

    about: About = "case"
    id: str
    ask: Natural = 0
    fingerprint: str
    prompt: str
    key: str
    votes: tuple[Vote, ...] = ()
    scores: PairScores | None = Field(default=None, exclude_if=not_)
    items: tuple[ItemVote, ...] = Field(default=(), exclude_if=not_)
    text: str = Field(default="", exclude_if=not_)

    @model_validator(mode="after")
    def _says_or_is_lost(self) -> Self:
        if self.lost is not None and (self.votes or self.points or self.declines is not None or self.said):
            raise PydanticCustomError("judgement", "a lost judgement says nothing")
        return self

    @property
    def said(self) -> bool:
        """Whether it has scores, a text, or says something of facts, criteria or relevance."""
        return self.scores is not None or bool(self.items or self.text)


class ClaimVote(Record):
    """One judge's vote on a claim, as the claim's row keeps it.

    Attributes:
        judge: The judge's name.
        armed: Its votes count.
        declared: They count by the suite's declaration alone: no labels have armed the judge.
        verdict: Whether the chunks support the claim.
        support: Chunks that support it, by id; one without a quote that is there was dropped.
        chunk_id: The chunk quoted: the first that supports, or the one that disagrees; None without a quote.
        quote: Its words, verbatim; None without one or under `texts: ids`.
        note: What is not backed, in the judge's words; None where it said nothing.
        parts: The claim split, where the judge told parts apart.
        untested: It says `supported`, and nobody could look up whether its passage shares a word or a value with the
            claim: they are in two languages, or the claim has no content word.
        left_out: Chunks that the judge was not shown, of all; None of one that saw them all.
    """

    judge: str
    armed: bool = False
    declared: bool = Field(default=False, exclude_if=not_)
    verdict: JudgedVerdict
    support: tuple[str, ...] = ()
    chunk_id: str | None = None
    quote: str | None = None
    note: str | None = None
    parts: tuple[Part, ...] = ()
    untested: bool = Field(default=False, exclude_if=not_)
    left_out: Rate | None = Field(default=None, exclude_if=_is_none)

    @property
    def is_blind(self) -> bool:
        """Whether it misses support that may stand in a chunk it was not shown: such a vote decides nothing."""
        return self.left_out is not None and self.verdict in {"unsupported", "partial"}


# Why a judge only advises, the first that holds.
Unarmed: TypeAlias = Literal[
    "no-labels",
    "too-few-labels",
    "too-few-faults",
    "not-judged",
    "obeyed-injection",
    "ac1",
    "false-block",
    "false-pass",
]


class AskedJudge(JudgeReply):
    """What became of asking one judge about an answer, as the answer's row keeps it.

    Attributes:
        judge, job, lost, dropped, declines, points, left_out, usage, calls, attempts, unmetered, cost_usd, reused: As
            in `JudgeReply`.
        armed: Its verdicts counted.
        declared: They counted by the suite's declaration alone.
        armed_for: Of the answer job, the gates that they counted for.
        bound_to: Digest of judge and prompt: what is said under the same is alike.
    """

    armed: bool = False
    declared: bool = Field(default=False, exclude_if=not_)
    armed_for: tuple[ItemGate, ...] = Field(default=(), exclude_if=not_)
    bound_to: str = ""
