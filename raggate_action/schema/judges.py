"""The `judges:` section: who is asked about what rules leave open, at what cost, and from when on it counts."""

from decimal import Decimal
from typing import Annotated, Final, Literal, Self, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.network.addresses import address_problem, is_of_the_machine
from raggate_action.schema.base import Amount, AmountLimit, Positive, Record, Share
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.target import Seconds

OPENAI: Final = "https://api.openai.com/v1"
# Whose verdicts count: judges that people's labels have armed, or all that the suite names.
Counts: TypeAlias = Literal["labelled", "declared"]
Structured: TypeAlias = Literal["auto", "json_schema", "json_object", "text"]

# Fields of a call that are ours to write; the reply is read whole, and one is asked for.
_OURS: Final = ("model", "messages", "response_format", "stream", "n")


def _is_base_url(url: str) -> str:
    problem = address_problem(url)
    if problem is None:
        parts = urlsplit(url)
        if parts.path.rstrip("/").endswith("/chat/completions"):
            problem = "leave out `/chat/completions`, which is added to it"
        elif parts.fragment:
            problem = "it has a part after `#`"
        elif is_of_the_machine(url):
            problem = "it is a link-local address or a cloud's metadata, which no judge answers at"
    if problem is not None:
        raise PydanticCustomError("base_url", "write the address of a chat API: {problem}", {"problem": problem})
    return url


def _are_parameters(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    ours = next((name for name in _OURS if name in parameters), None)
    if ours is not None:
        raise PydanticCustomError(
            "parameters", "leave out {name}: every call writes it by itself", {"name": f"`{ours}`"}
        )
    return parameters


class Price(Record):
    """What a judge's tokens cost, US dollars per million.

    Attributes:
        input: Tokens of the prompt.
        cached: Tokens of the prompt that the provider had kept; None costs as `input`.
        output: Tokens of the reply.
    """

    input: Amount
    cached: Amount | None = None
    output: Amount


class Member(Record):
    """A judge of the panel, behind an endpoint that speaks the OpenAI chat API.

    Attributes:
        name: Its name in reports, unique in the panel.
        lab: Who trained the model: judges of one lab share their faults.
        model: As the endpoint calls it.
        base_url: The endpoint, without `/chat/completions`.
        api_key_env: Environment variable that holds the key; None for an endpoint that wants none.
        parameters: Sent with every call, as the endpoint names them: `temperature: 0`.
        price: What it costs; None is unknown, and is said.
        structured: How the endpoint is told the form of a reply: by schema, as any JSON object, in words alone, or
            `auto`, the first of these that it takes.
        concurrency: Calls under way at once; judges of one endpoint and key share the largest of theirs.
        timeout_s: Longest wait for one attempt, its whole reply.
        attempts: Tries per call, on what another try may mend.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    lab: NonEmpty
    model: NonEmpty
    base_url: Annotated[NonEmpty, AfterValidator(_is_base_url)] = OPENAI
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_are_parameters)] = {}
    price: Price | None = None
    structured: Structured = "auto"
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout_s: Seconds = 60
    attempts: Annotated[int, Field(ge=1, le=10)] = 4

    @model_validator(mode="after")
    def _holds_no_key(self) -> Self:
        # Of the member and not of its address, which the message would quote.
        if "@" in urlsplit(self.base_url).netloc:
            raise PydanticCustomError(
                "base_url",
                "leave user and password out of `base_url`: keys come from the environment, by `api_key_env`",
            )
        return self


class ClaimsJob(Record):
    """Which claims of an answer judges are asked about.

    Attributes:
        which: Those that labels, quotation and rules leave open, or all of an answer's.
    """

    which: Literal["open", "all"] = "open"


class JudgeBudget(Record):
    """What judging one run may cost at most.

    Attributes:
        calls_per_case: Calls per case, judge and job, a repaired reply counting twice.
        tokens: Tokens of prompts and replies together; None is without end.
        usd: US dollars, of judges with a price.
    """

    calls_per_case: Positive = 3
    tokens: Positive | None = None
    usd: AmountLimit | None = 1.0


class Arming(Record):
    """From when on a judge's verdicts count.

    Attributes:
        labels: Claims that people have labelled.
        faults: Of these, claims that are not supported.
        ac1: Least agreement with people (Gwet's AC1).
        false_block: Upper limit, one-sided 95 %, of the share of good claims it calls faulty.
        false_pass: Upper limit, one-sided 95 %, of the share of faulty claims it calls supported.
    """

    labels: Positive = 50
    faults: Positive = 20
    ac1: Annotated[float, Field(ge=-1, le=1)] = 0.6
    false_block: Share = Decimal("0.15")
    false_pass: Share = Decimal("0.3")


# Terms for whoever labels less: at most 25 % of good claims called faulty and 40 % of faulty ones let pass, 95 % sure.
LIGHTER: Final = Arming(labels=30, faults=12, false_block=Decimal("0.25"), false_pass=Decimal("0.40"))


class Judges(Record):
    """The panel and its terms.

    Attributes:
        panel: The judges.
        claims: The job of judging claims.
        quorum: Votes of armed judges that a verdict needs; None is more than half of the armed ones.
        budget: What a run's judging may cost.
        calibration: Claims labelled by people, beside the suite file.
        arming: From when on a judge counts.
        counts: `labelled`: a judge counts once people's labels show that it meets `arming`. `declared`: a
            judge counts because the suite's owner says so, and every page says that; it may fail an answer, and what it
            calls supported stays open unless the baseline's suite would have let it verify that.
        relevance: Judges say as well whether answer and chunks are to the question. It decides nothing, and makes
            prompts longer.
    """

    panel: Annotated[tuple[Member, ...], Field(min_length=1, max_length=16)]
    claims: ClaimsJob = ClaimsJob()
    quorum: Positive | None = None
    budget: JudgeBudget = JudgeBudget()
    calibration: NonEmpty = "labels.yaml"
    arming: Arming = Arming()
    counts: Counts = "labelled"
    relevance: bool = False

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [member.name for member in self.panel]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise PydanticCustomError(
                "judges", "two judges are named {name}: give each a name of its own", {"name": twice}
            )
        if self.quorum is not None and self.quorum > len(names):
            raise PydanticCustomError("judges", "a quorum of {n} needs as many judges", {"n": self.quorum})
        return self
