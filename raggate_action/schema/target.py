"""The `target:` section: the app under test, behind one of its ways of being asked."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, JsonValue

from raggate_action.schema.base import Record
from raggate_action.schema.case import NonEmpty

AUTO: Final = "auto"
Response: TypeAlias = Literal["auto"] | dict[str, str]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


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
        response: Trace field -> JMESPath into the app's reply; `auto` takes trace JSON as it is, and finds answer and
            context of any other reply by the keys that apps use.
        ready: Waited for before the first case.
        timeout_s: Longest wait for one attempt.
        concurrency: Requests under way at once.
        attempts: Tries per case on connection errors and the statuses of `retry_on`.
        retry_on: HTTP statuses, 400 to 599, after which a case is tried again.
        max_reply_mib: Largest reply in MiB, unpacked; a larger one is a failed answer.
    """

    kind: Literal["http"]
    url: NonEmpty
    headers: dict[str, str] = {}
    request: HttpRequest = HttpRequest()
    response: Response = AUTO
    ready: Ready | None = None
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    retry_on: tuple[Annotated[int, Field(ge=400, le=599)], ...] = (429, 500, 502, 503, 504)
    max_reply_mib: Annotated[int, Field(ge=1, le=256)] = 8


class CommandTarget(Record):
    """A program that reads one JSON line per case on stdin and writes one JSON line per trace on stdout.

    Attributes:
        command: Program and arguments; no shell is involved. `{{question}}` in an argument is filled in, as one
            argument whatever it holds, and the program is started anew for every case.
        env: Environment variables added for the program.
        per_case: Start the program anew for every case. All it writes on stdout is its reply: JSON, or the answer as
            plain text; an exit status other than 0 is an error.
        response: Trace field -> JMESPath into its line; `auto` as for http.
        timeout_s: Longest wait for one case; then the whole process group is killed.
        concurrency: How many processes run side by side.
    """

    kind: Literal["command"]
    command: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]
    env: dict[str, str] = {}
    per_case: bool = False
    response: Response = AUTO
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=64)] = 1


class FunctionTarget(Record):
    """A Python callable, sync or async, run by the app's own interpreter; nothing of ours is installed there.

    Attributes:
        function: `module:callable`; called with the case as a mapping, or with the question where its parameter is a
            text or the case is of no use to it; an object with `invoke` with the question or `{"input": question}`.
            Returns trace JSON or the answer's text.
        python: The app's interpreter; the one raggate runs in when absent.
        env, response, timeout_s, concurrency: as for a command.
    """

    kind: Literal["function"]
    function: Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$")]
    python: NonEmpty | None = None
    env: dict[str, str] = {}
    response: Response = AUTO
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=64)] = 1


class RecordedTarget(Record):
    """Traces recorded before, one JSON object per line.

    Attributes:
        traces: The JSONL file.
        response: Trace field -> JMESPath into a line; `auto` as for http. Its `case_id` says whose line it is.
        labelled: The suite's author vouches for labels inside these traces; otherwise they are dropped.
    """

    kind: Literal["recorded"]
    traces: NonEmpty
    response: Response = AUTO
    labelled: bool = False


TargetSection: TypeAlias = Annotated[
    HttpTarget | CommandTarget | FunctionTarget | RecordedTarget, Field(discriminator="kind")
]
