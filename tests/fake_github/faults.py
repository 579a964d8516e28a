"""Everything that goes wrong between a client and GitHub, set by tests per operation and number of times."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Literal

from tests.fake_github.answers import Answer

Kind = Literal["status", "secondary limit", "primary limit", "slow", "drop", "truncated", "not json"]
_TEXTS = {
    403: "Resource not accessible by integration",
    404: "Not Found",
    422: "Validation Failed",
    429: "Too many requests",
}
_DOCS = "https://docs.github.com/rest"


@dataclass
class Fault:
    """Something that goes wrong.

    Attributes:
        operation: With which; "graphql" and "blob" are names too, "*" is all.
        kind: What: an answer of another `status`, a limit, an answer that comes late, a connection that is closed
            without one, half an answer, an answer that is no JSON.
        times: How often; None for always.
        skip: How many requests go well before.
        status: For `status`, and for "primary limit", which comes as 403 or 429.
        after_write: The request was carried out all the same.
        message: Of the answer; None for GitHub's own.
        retry_after: Seconds; None leaves the header out.
        reset_in: Seconds until a primary limit ends.
        seconds: How late.
    """

    operation: str
    kind: Kind
    times: int | None
    skip: int
    status: int
    after_write: bool
    message: str | None
    retry_after: int | None
    reset_in: int
    seconds: float


class Faults:
    """What is to go wrong."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._guard = threading.Lock()

    def fail(
        self,
        operation: str,
        kind: Kind = "status",
        *,
        times: int | None = 1,
        skip: int = 0,
        status: int = 502,
        after_write: bool = False,
        message: str | None = None,
        retry_after: int | None = None,
        reset_in: int = 3600,
        seconds: float = 30,
    ) -> None:
        """Let an operation go wrong; see `Fault`. Of several faults of an operation the first set comes first."""
        fault = Fault(operation, kind, times, skip, status, after_write, message, retry_after, reset_in, seconds)
        with self._guard:
            self._faults.append(fault)

    def next_fault(self, operation: str) -> Fault | None:
        """What goes wrong with this request; None when nothing does."""
        with self._guard:
            for fault in self._faults:
                if fault.operation not in (operation, "*") or fault.times == 0:
                    continue
                if fault.skip:
                    fault.skip -= 1
                    return None
                if fault.times is not None:
                    fault.times -= 1
                return fault
        return None


def faulty_answer(fault: Fault) -> Answer:
    """The answer of a fault that has one of its own."""
    headers = {"Retry-After": str(fault.retry_after)} if fault.retry_after is not None else {}
    match fault.kind:
        case "secondary limit":
            text = (
                "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
                "If you reach out to GitHub Support for help, please include the request ID."
            )
            return Answer(_limit_status(fault), _error(fault, text), headers)
        case "primary limit":
            headers |= {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + fault.reset_in)}
            return Answer(
                _limit_status(fault), _error(fault, "API rate limit exceeded for installation ID 1."), headers
            )
        case "not json":
            return Answer(200, "<html><body>Unicorn!</body></html>", {"Content-Type": "text/html"})
        case _ if fault.status >= 500:
            return Answer(fault.status, "<html><body>Unicorn!</body></html>", headers | {"Content-Type": "text/html"})
        case _:
            return Answer(fault.status, _error(fault, _TEXTS.get(fault.status, "Something went wrong")), headers)


def _limit_status(fault: Fault) -> int:
    return 429 if fault.status == 429 else 403


def _error(fault: Fault, text: str) -> dict[str, str]:
    return {"message": fault.message or text, "documentation_url": _DOCS, "status": str(fault.status)}
