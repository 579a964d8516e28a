"""The suite file: which cases, which app, which gates. Everything a user writes in `raggate.yaml`."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from raggate_action.schema.base import Record, Share
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.outcome import Level
from raggate_action.schema.trace import Stage

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
PositiveInt = Annotated[int, Field(ge=1)]


class Ready(Record):
    """What to wait for before the first case: `url` answers 2xx within `timeout_s`."""

    url: NonEmpty
    timeout_s: Seconds = 30


class HttpRequest(Record):
    """How a case becomes a request.

    Attributes:
        method: HTTP method.
        body: JSON in which "{{question}}", "{{messages}}", "{{case_id}}" and "{{input}}" are filled in.
    """

    method: Literal["POST", "PUT", "GET"] = "POST"
    body: JsonValue = None


class HttpTarget(Record):
    """A RAG app behind an HTTP endpoint.

    Attributes:
        url: Where a case is sent.
        headers: Request headers; `${VAR}` is read from the environment.
        request: Method and body; by default the case without its expectations is posted as JSON.
        response: Trace field -> JMESPath into the app's reply; empty when the app speaks our trace JSON.
        ready: Waited for before the first case.
        timeout_s: Longest wait for one attempt.
        concurrency: Requests under way at once.
        attempts: Tries per case on connection errors, 429 and 502 to 504.
    """

    kind: Literal["http"]
    url: NonEmpty
    headers: dict[str, str] = {}
    request: HttpRequest = HttpRequest()
    response: dict[str, str] = {}
    ready: Ready | None = None
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    attempts: Annotated[int, Field(ge=1, le=10)] = 3


class CommandTarget(Record):
    """A program that reads one JSON line per case on stdin and writes one JSON line per trace on stdout.

    Attributes:
        command: Program and arguments; no shell is involved.
        env: Environment variables added for the program.
        per_case: Start the program anew for every case.
        response: Trace field -> JMESPath into its line.
        timeout_s: Longest wait for one case; then the whole process group is killed.
        concurrency: How many processes run side by side.
    """

    kind: Literal["command"]
    command: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]
    env: dict[str, str] = {}
    per_case: bool = False
    response: dict[str, str] = {}
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=64)] = 1


class FunctionTarget(Record):
    """A Python callable, sync or async, run by the app's own interpreter; nothing of ours is installed there.

    Attributes:
        function: `module:callable`; called with the case as a mapping, returns trace JSON or the answer's text.
        python: The app's interpreter; the one raggate runs in when absent.
        env, response, timeout_s, concurrency: as for a command.
    """

    kind: Literal["function"]
    function: Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$")]
    python: NonEmpty | None = None
    env: dict[str, str] = {}
    response: dict[str, str] = {}
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=64)] = 1


class RecordedTarget(Record):
    """Traces recorded before, one JSON object per line.

    Attributes:
        traces: The JSONL file.
        labelled: The suite's author vouches for labels inside these traces (rules 6).
    """

    kind: Literal["recorded"]
    traces: NonEmpty
    labelled: bool = False


Target: TypeAlias = Annotated[HttpTarget | CommandTarget | FunctionTarget | RecordedTarget, Field(discriminator="kind")]


class EvidenceFiles(Record):
    """Where the evidence is, and which fields make a chunk's text when it has none of its own.

    Attributes:
        files: Paths or glob patterns, relative to the suite file.
        text: Fields joined, one line each, for chunks without `text`.
    """

    files: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]
    text: tuple[NonEmpty, ...] = ()


class Pipeline(Record):
    """What the app reports. What is declared here and missing from a trace fails admissibility.

    Attributes:
        stages: Stages every trace has.
        versions: Pipeline version keys every trace has.
        chunk_versions: Every context chunk carries its version.
        citations: The app cites: a free-text answer without any citation fails instead of going unjudged.
    """

    stages: tuple[Stage, ...] = ("context",)
    versions: tuple[NonEmpty, ...] = ()
    chunk_versions: bool = False
    citations: bool = False


class Scope(Record):
    """Which cases a scope runs: the union of what is named here. An empty scope is everything.

    Attributes:
        tags: Cases with any of these tags.
        changed: Cases that are new or differ from the baseline's.
        failing_on_base: Cases that did not pass on the baseline.
        sample: So many more, drawn by the suite's seed.
    """

    tags: tuple[NonEmpty, ...] = ()
    changed: bool = False
    failing_on_base: bool = False
    sample: Annotated[int, Field(ge=0)] = 0


class Slices(Record):
    """How results are cut, and what each slice must reach.

    Attributes:
        by: Case fields (`workflow`, `category`, `expect`, a key of `input`) or `tags`.
        min: Share of a slice's scored cases that must pass.
        min_cases: Smaller slices are watched, not judged.
        protected: Field -> values whose slices are judged at any size and must pass whole.
    """

    by: tuple[NonEmpty, ...] = ()
    min: Share = Decimal("0.95")
    min_cases: PositiveInt = 20
    protected: dict[str, tuple[NonEmpty, ...]] = {}


class CaseGate(Record):
    """A gate on cases.

    Attributes:
        level: `block` fails the release, `warn` is shown, `off` is only reported.
        min: Share of scored cases that must pass.
        per_case: Share each case must reach within itself, for gates that count.
    """

    level: Level = "block"
    min: Share = Decimal("0.95")
    per_case: Share = Decimal(1)


class Penalties(Record):
    """What each kind of issue takes from a case's score of 1.0, in steps of 0.01."""

    must_contain: Share = Decimal("0.2")
    must_not_contain: Share = Decimal("0.3")
    expected_tool: Share = Decimal("0.2")
    forbidden_tool: Share = Decimal("0.3")
    latency: Share = Decimal("0.1")


class HardGate(Record):
    """A gate on cases that cannot be softened: a case without an answer, or with an inadmissible one, has failed.

    Attributes:
        level: Always `block`.
        min: Share of scored cases that must pass.
    """

    level: Literal["block"] = "block"
    min: Share = Decimal("0.95")


class BehaviourGate(CaseGate):
    """The gate on phrases, tools and latency: passes at `per_case` or more with no hallucination flag."""

    per_case: Share = Decimal("0.7")
    penalties: Penalties = Penalties()


class LevelGate(Record):
    """A gate on the run without a bar to set."""

    level: Level = "block"


class CeilingGate(Record):
    """A gate on the run with a highest share."""

    level: Level = "block"
    max: Share


class AmountGate(Record):
    """A gate on the run with a highest amount, in the unit its name says."""

    level: Level = "block"
    max: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Gates(Record):
    """Every gate and its bar; what is not written has the default shown.

    Attributes:
        known_bad_blocked: Every known-bad case is blocked at the stage it names.
        must_release: Every case with `released: true` passes.
        forbidden_phrases: No must_not_contain hit that the baseline did not have.
        hallucination_rate: Share of cases with a hallucination.
        unmeasured: Share of cases that may go unmeasured (at least one case may).
        p95_latency_ms: 95th percentile of the answer time, milliseconds; not gated when absent.
        cost_usd: Cost of the run as the app reports it, US dollars; not gated when absent.
    """

    target: HardGate = HardGate()
    admissibility: HardGate = HardGate(min=Decimal(1))
    candidate_recall: CaseGate = CaseGate()
    context_recall: CaseGate = CaseGate()
    context_precision: CaseGate = CaseGate(level="off")
    answered: CaseGate = CaseGate()
    faithfulness: CaseGate = CaseGate()
    citation_support: CaseGate = CaseGate()
    citation_coverage: CaseGate = CaseGate(level="off")
    point_coverage: CaseGate = CaseGate()
    behaviour: BehaviourGate = BehaviourGate()
    known_bad_blocked: LevelGate = LevelGate()
    must_release: LevelGate = LevelGate()
    forbidden_phrases: LevelGate = LevelGate()
    hallucination_rate: CeilingGate = CeilingGate(max=Decimal("0.02"))
    unmeasured: CeilingGate = CeilingGate(max=Decimal("0.02"))
    p95_latency_ms: AmountGate | None = None
    cost_usd: AmountGate | None = None


class Waiver(Record):
    """A failure somebody answers for until a date.

    Attributes:
        case: The case id.
        gate: The gate waived for it, or `removed` for a case taken out of the suite.
        reason: Why it may ship.
        owner: Who answers for it.
        expires: Last day it holds (ISO date).
    """

    case: NonEmpty
    gate: NonEmpty
    reason: NonEmpty
    owner: NonEmpty
    expires: date


Texts: TypeAlias = Literal["full", "quotes", "ids"]

DEFAULT_CITATION_MARKERS: tuple[str, ...] = (r"\[(?P<ids>[^\[\]\n]{1,200})\](?!\()", r"【(?P<ids>[^【】\n]{1,200})】")


class Suite(Record):
    """A suite file, parsed.

    Attributes:
        suite: Its name; also the name of the baseline it compares with.
        service_version: Version of the app under test; None is taken from the trace or `AGENT_VERSION`.
        evidence: The evidence store; None when traces carry the text themselves.
        cases: Case files: paths or glob patterns, relative to the suite file (YAML, JSON, JSONL, CSV).
        target: The app under test.
        pipeline: What the app reports; None asks for the context only.
        scopes: Named choices of cases; `full` is always everything.
        slices: How results are cut.
        gates: What must hold.
        waivers: Failures somebody answers for.
        seed: Seed of every draw.
        citation_markers: Regular expressions with a group `ids` that find citations in prose.
        language: Language of the answers (ISO 639-1), for splitting sentences.
        texts: Which texts the run directory holds: `full`, `quotes`, or `ids` only.
        enforce: False only advises: same comment, exit 0.
        deadline_s: Longest run; what is left then is unmeasured.
    """

    suite: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    service_version: NonEmpty | None = None
    evidence: EvidenceFiles | tuple[NonEmpty, ...] | None = None
    cases: tuple[NonEmpty, ...]
    target: Target
    pipeline: Pipeline | None = None
    scopes: dict[str, Scope] = {}
    slices: Slices = Slices()
    gates: Gates = Gates()
    waivers: tuple[Waiver, ...] = ()
    seed: int = 0
    citation_markers: Annotated[tuple[NonEmpty, ...], Field(min_length=1)] = DEFAULT_CITATION_MARKERS
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] = "en"
    texts: Texts = "quotes"
    enforce: bool = True
    deadline_s: Seconds | None = None
