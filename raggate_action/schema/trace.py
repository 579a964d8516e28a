"""What a target leaves behind for one case: the trace, and the ways of having none.

The trace is a format that apps write (see `docs/trace.md`), so its short forms are read here and
nowhere else: properties give the long form, and no reader asks which form was written.
"""

import re
from operator import not_
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeGuard

from pydantic import Field, JsonValue

from raggate_action.schema.base import Amount, Natural, Record
from raggate_action.schema.later import MainAnswer

Stage: TypeAlias = Literal["candidates", "rerank_input", "reranked", "context"]
STAGES: tuple[Stage, ...] = ("candidates", "rerank_input", "reranked", "context")


class TracedChunk(Record, defer_build=False):
    """A chunk as the app reports it.

    Attributes:
        chunk_id: Its id in the evidence store.
        version: The version the app read; None when the app does not report it.
        text: The text the app read; None when the app reports ids only.
        document_id: The document it was cut from; None when the app does not report it.
        repeated: It stands here a second time, found by its text: it counts once, and keeps its place, which `[2]` in
            an answer may name.
    """

    chunk_id: str
    version: str | None = None
    text: str | None = None
    document_id: str | None = None
    repeated: Literal[True] | None = None


class TraceClaim(Record):
    """A claim as the app (or a suite's author) itemised it.

    Attributes:
        claim_id: Name of the claim within the answer; None is numbered by us.
        text: What is asserted.
        citation_ids: Chunks cited for it; empty when it cites nothing.
        citation_id: Short form for exactly one citation, or null for none.
        support_phrases: Author's label: what a chunk must say, every phrase, to support it. Empty is no label.
        answer_point: Author's label: the required point it makes.
    """

    claim_id: str | None = None
    text: str
    citation_ids: tuple[str, ...] = ()
    citation_id: str | None = None
    support_phrases: tuple[str, ...] = ()
    answer_point: str | None = None

    @property
    def citations(self) -> tuple[str, ...]:
        """Every cited chunk id, the short form included, in order."""
        if self.citation_id is None or self.citation_id in self.citation_ids:
            return self.citation_ids
        return (self.citation_id, *self.citation_ids)


class Answer(Record, defer_build=False):
    """What the app answered.

    Attributes:
        text: The answer as a user would read it; may be empty when `claims` are given.
        abstained: True when the app says it declined; None when it does not report it.
        claims: The answer itemised; None when the app reports prose only.
    """

    text: str = ""
    abstained: bool | None = None
    claims: tuple[TraceClaim, ...] | None = None


class ToolCall(Record, defer_build=False):
    """One tool call the app made: exact tool name and its arguments."""

    name: str
    arguments: JsonValue = None


class Usage(Record, defer_build=False):
    """Tokens and money one answer cost, as the app reports them."""

    input_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    cost_usd: Amount = 0.0


class ChunkState(Record):
    """A chunk that values of an answer stand on, as it was then.

    Attributes:
        chunk_id: Its id.
        source: The document it was cut from; None where nothing says, or it is the chunk itself.
        version: Its version; None where nothing says.
        text: A digest of its text.
    """

    chunk_id: str
    source: str | None = Field(default=None, exclude_if=lambda source: source is None)
    version: str | None = None
    text: str


class Grounds(Record):
    """What the values of an answer stand on.

    Attributes:
        shown: The app showed evidence with its text.
        chunks: The chunks that hold values of the answer.
        held: Where each such value begins in the answer, and the number of its chunk.
    """

    shown: bool = False
    chunks: tuple[ChunkState, ...] = Field(default=(), exclude_if=not_)
    held: tuple[tuple[Natural, Natural], ...] = Field(default=(), exclude_if=not_)


# Left to right: nothing is both, and pydantic's search for the better match costs a fifth of reading a trace.
ChunkForm: TypeAlias = Annotated[str | TracedChunk, Field(union_mode="left_to_right")]
PipelineVersions: TypeAlias = Annotated[tuple[tuple[str, str], ...] | dict[str, str], Field(union_mode="left_to_right")]


_ONLY_STRINGS = frozenset({str})
# A tool whose name says no more gave the context.
_RETRIEVAL = frozenset(
    ("search", "retrieve", "retriever", "retrieval", "rag", "vector", "semantic", "hybrid", "knowledge", "base", "kb",
     "doc", "docs", "document", "documents", "passages", "chunks", "context", "evidence", "sources", "wiki", "faq")
)  # fmt: skip
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def are_ids(chunks: tuple[ChunkForm, ...]) -> TypeGuard[tuple[str, ...]]:
    """Whether all chunks of a stage are in short form."""
    return _ONLY_STRINGS.issuperset(map(type, chunks))


def chunk_ids(chunks: tuple[ChunkForm, ...] | None) -> tuple[str, ...] | None:
    """Chunk ids of a stage in order; None when the app does not report the stage.

    An id that the app names twice stands twice; a chunk that is marked as repeated, behind its first, does not.
    """
    if chunks is None or are_ids(chunks):
        return chunks
    if not any(isinstance(chunk, TracedChunk) and chunk.repeated for chunk in chunks):
        return tuple([chunk if isinstance(chunk, str) else chunk.chunk_id for chunk in chunks])
    once: set[str] = set()
    found: list[str] = []
    for chunk in chunks:
        chunk_id, repeated = (chunk, None) if isinstance(chunk, str) else (chunk.chunk_id, chunk.repeated)
        if not (repeated and chunk_id in once):
            found.append(chunk_id)
        once.add(chunk_id)
    return tuple(found)


class Trace(Record):
    """Everything one answer left behind. A stage that is None was not reported; () is reported and empty.

    Attributes:
        case_id: The case the app believes it answered; None when it does not say.
        answer: The answer; a plain string is its text.
        candidates: What retrieval returned, best first.
        rerank_input: What the reranker was given.
        reranked: What the reranker returned, best first.
        context: What the model was shown, in order; `[1]` in an answer is its first chunk.
        versions: Pipeline versions as pairs (which can show a duplicate key) or as a mapping.
        tool_calls: Tools called, in order; a plain string is a name. None when the app does not report tools.
        latency_ms: Time to the answer in milliseconds, as the app measured it.
        stage_latency_ms: Milliseconds per stage of the app, free names.
        usage: Tokens and cost.
        error: The app's own error message; a trace with one is a failed answer.
    """

    case_id: str | None = None
    answer: Annotated[str | Answer, Field(union_mode="left_to_right")] = ""
    candidates: tuple[ChunkForm, ...] | None = None
    rerank_input: tuple[ChunkForm, ...] | None = None
    reranked: tuple[ChunkForm, ...] | None = None
    context: tuple[ChunkForm, ...] | None = None
    versions: PipelineVersions | None = None
    tool_calls: tuple[str | ToolCall, ...] | None = None
    latency_ms: Amount | None = None
    # A factory: pydantic makes a deep copy of a default, which costs more than reading the rest of the numbers.
    stage_latency_ms: dict[str, float] = Field(default_factory=dict, json_schema_extra={"default": {}})
    usage: Usage | None = None
    error: str | None = None

    @property
    def reply(self) -> Answer:
        """The answer in its long form."""
        return Answer(text=self.answer) if isinstance(self.answer, str) else self.answer

    def ids(self, stage: Stage) -> tuple[str, ...] | None:
        """Chunk ids of a stage, what is marked as repeated left out; None when the app does not report the stage."""
        chunks = getattr(self, stage)
        # Without a call where there are names alone: every gate asks for them.
        return chunks if chunks is None or _ONLY_STRINGS.issuperset(map(type, chunks)) else chunk_ids(chunks)

    @property
    def context_chunks(self) -> tuple[TracedChunk, ...]:
        """The context in its long form, repeated chunks in their places; empty when it is not reported."""
        return tuple([TracedChunk(chunk_id=c) if isinstance(c, str) else c for c in self.context or ()])

    @property
    def version_pairs(self) -> tuple[tuple[str, str], ...]:
        """Pipeline versions as pairs, duplicates kept; empty when none are reported."""
        if self.versions is None:
            return ()
        return tuple(self.versions.items()) if isinstance(self.versions, dict) else self.versions

    @property
    def tool_names(self) -> tuple[str, ...] | None:
        """Names of the tools called, in order; None when the app does not report tools."""
        if self.tool_calls is None:
            return None
        return tuple([c if isinstance(c, str) else c.name for c in self.tool_calls])

    @property
    def lacks_results(self) -> bool:
        """Whether a tool was called that may have told the model more than its context."""
        words = {word.lower() for name in self.tool_names or () for word in _WORD.findall(name)}
        return not words <= _RETRIEVAL


class TraceLine(Trace):
    """A line of a file of traces: a trace under the suite's own case id.

    Attributes:
        case_id: The case it answers; None names none.
        reported_case_id: The case the app believed it answered, where that is another: a mix-up has to show.
        withheld: Its answer was kept out of the file, for it may repeat text that its asker may not read.
        asks: The traces of the other answers of a case that was asked again; this one stands for it.
        grounds: What the values of its answer, and of the other answers, stand on, in this order.
        earlier: What earlier runs of the branch answered to the same, for the run that has this one as its baseline.
        false_answers: Which of its answers have a certain hallucination: 0 is this one, the others behind it.
    """

    reported_case_id: str | None = None
    withheld: bool = False
    asks: tuple[Trace, ...] = ()
    grounds: tuple[Grounds | None, ...] = ()
    earlier: tuple[MainAnswer, ...] = ()
    false_answers: tuple[Natural, ...] = ()

    @property
    def trace(self) -> Trace:
        """The trace as the app reported it."""
        fields = {name: getattr(self, name) for name in Trace.model_fields}
        if self.reported_case_id is not None:
            fields["case_id"] = self.reported_case_id
        return Trace.model_construct(**fields)


class Answered(NamedTuple):
    """The target answered with a trace.

    Attributes:
        trace: What it left behind.
        latency_ms: Our own measurement around the call; None for a recorded trace.
        labelled: Whether labels inside the trace may count: only the suite's author can vouch for them.
    """

    trace: Trace
    latency_ms: float | None = None
    labelled: bool = False


class TargetFailure(NamedTuple):
    """The app gave no usable answer: a timeout, a crash, a 5xx, a reply off schema. The case has failed.

    Attributes:
        error: One line for people, without a stack.
        latency_ms: Time until the error; None for a recorded trace.
        excerpt: What the app wrote, as far as `error` may quote from it: held against what the asker may read, and
            written nowhere. Empty where `error` is all there is.
    """

    error: str
    latency_ms: float | None = None
    excerpt: str = ""


class NoTrace(NamedTuple):
    """There is nothing to measure, so the case is unmeasured.

    There is no recorded trace for it, the deadline cut it, or a fault of ours kept it from being judged.

    Attributes:
        reason, detail: Which of them, and what a row may say of it.
        error: A fault of ours that nobody has logged yet.
    """

    reason: Literal["trace", "cut", "fault"]
    detail: str
    error: Exception | None = None


Reply: TypeAlias = Answered | TargetFailure | NoTrace

# What a suite may map from an app's own reply by JMESPath; the key is a path into the trace.
RESPONSE_FIELDS: tuple[str, ...] = (
    "answer", "abstained", "claims", "candidates", "rerank_input", "reranked", "context", "versions",
    "tool_calls", "latency_ms", "stage_latency_ms", "usage", "error", "case_id",
)  # fmt: skip


def without_labels(trace: Trace) -> Trace:
    """The trace as a live target may report it: the same claims, labels dropped, for an app may not label its own."""
    answer = trace.answer
    if isinstance(answer, str) or not any(map(_labelled, answer.claims or ())):
        return trace
    claims = tuple(c.model_copy(update={"support_phrases": (), "answer_point": None}) for c in answer.claims or ())
    return trace.model_copy(update={"answer": answer.model_copy(update={"claims": claims})})


def _labelled(claim: TraceClaim) -> bool:
    return bool(claim.support_phrases) or claim.answer_point is not None


def mapped_trace(fields: dict[str, Any]) -> dict[str, Any]:
    """Arrange mapped reply fields as trace JSON: `abstained` and `claims` belong inside the answer."""
    inner = {key: fields.pop(key) for key in ("abstained", "claims") if fields.get(key) is not None}
    if inner:
        answer = fields.get("answer")
        fields["answer"] = {**(answer if isinstance(answer, dict) else {"text": answer or ""}), **inner}
    return {key: value for key, value in fields.items() if value is not None}
