"""The suite file: which cases, which app, what must hold. Everything a user writes in `raggate.yaml`."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Record
from raggate_action.schema.case import Criterion, NonEmpty
from raggate_action.schema.later import Ab, Judges, Scope, Waiver
from raggate_action.schema.policy import Gates, Texts
from raggate_action.schema.slices import Slices
from raggate_action.schema.target import AUTO, Seconds, TargetSection
from raggate_action.schema.trace import Stage


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
        citations: The app cites: its citations are judged, and a free-text answer without any fails.
        context: `none`: the app cannot report what its model was shown. No gate on retrieval or evidence applies then
            to an answer that comes without its context; one that comes with it is judged as always.
    """

    stages: tuple[Stage, ...] = ("context",)
    versions: tuple[NonEmpty, ...] = ()
    chunk_versions: bool = False
    citations: bool = False
    context: Literal["none"] | None = None

    @property
    def declared_stages(self) -> tuple[Stage, ...]:
        """Stages every trace has to have: those named, or the context; none of it where the app reports no context."""
        return tuple([stage for stage in self.stages if stage != "context" or self.context is None])

    @property
    def has_no_context(self) -> bool:
        """Whether an answer may come without its context, and is judged without evidence then."""
        return self.context == "none"

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        named = "stages" in self.model_fields_set and "context" in self.stages
        if self.context == "none" and (named or self.citations or self.chunk_versions):
            what = "`stages` with context" if named else "`citations`" if self.citations else "`chunk_versions`"
            raise PydanticCustomError(
                "no_context",
                "`context: none` says that the app reports no context, and {what} wants one: leave one of them out",
                {"what": what},
            )
        return self


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
        language: Language of the answers (ISO 639-1); without it each answer is read in its own.
        own_addresses: URLs, domains, e-mail addresses and phone numbers that answers may name without a chunk.
        texts: Which texts the run directory holds: `full`, `quotes` (the default in a public repository), or `ids`.
        enforce: False only advises: same comment, exit 0.
        deadline_s: Longest run; what is left then is unmeasured.
        confirm: How often a live app is asked again about a case that newly fails, before it counts; 0 never does.
        judges: Who is asked about what rules leave open; None asks nobody.
        criteria: What every answer must do or must not do: added to the criteria of each case that expects an answer
            and is not known bad.
        ab: Two ways of making answers and who compares them, blind; None compares nothing.
    """

    suite: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    service_version: NonEmpty | None = None
    evidence: EvidenceFiles | tuple[NonEmpty, ...] | None = None
    cases: tuple[NonEmpty, ...]
    target: TargetSection
    pipeline: Pipeline | None = None
    scopes: dict[str, Scope] = {}
    slices: Slices = Slices()
    gates: Gates = Gates()
    waivers: tuple[Waiver, ...] = ()
    seed: int = 0
    citation_markers: Annotated[tuple[NonEmpty, ...], Field(min_length=1)] = DEFAULT_CITATION_MARKERS
    language: Annotated[str, Field(pattern=r"^(auto|[a-z]{2,3})$")] = AUTO
    own_addresses: tuple[NonEmpty, ...] = ()
    texts: Texts = "full"
    enforce: bool = True
    deadline_s: Seconds | None = None
    confirm: Annotated[int, Field(ge=0, le=5)] = 2
    judges: Judges | None = None
    criteria: tuple[Criterion, ...] = ()
    ab: Ab | None = None
