"""The door to PyGithub: one request, tried again within bounds, and how a fault of it reads.

Requests go through the library's public requester, and answers are read by our own records: its lazy objects ask
again, unseen, for every field that an answer left out, and a run's calls are to be counted. The library is imported
when the first request is made.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from raggate_action.errors import RaggateError
from raggate_action.github.wait_limits import LONGEST_WAIT_S, HangError, HangTime, Patience
from raggate_action.network.connection_errors import retry_after_s
from raggate_action.version import __version__

if TYPE_CHECKING:
    from github import GithubException
    from github.GithubRetry import GithubRetry
    from github.Requester import Requester
    from urllib3.response import BaseHTTPResponse

PER_PAGE: Final = 100
_BACKOFF_S = 0.5
_BETWEEN_WRITES_S: float = 1
_MESSAGE_CHARACTERS = 300
_GRAPHQL_STATUS = {"FORBIDDEN": 403, "NOT_FOUND": 404, "RATE_LIMITED": 429}
_HEADERS = {"Accept": "application/vnd.github+json"}


class GitHubFault(RaggateError):  # noqa: N818 (an answer we could not get, not a mistake of the user)
    """The API refused a request, or did not answer it.

    Attributes:
        status: Its status; None when no answer came, or none that can be used.
        message: One line: status, what it said, what had been asked of it. No address with its query, no token.
        accepted_permissions: The permissions it says it would have accepted; None when it does not say.
    """

    slug = "github"

    def __init__(self, status: int | None, message: str, accepted_permissions: str | None = None) -> None:
        super().__init__(message, hint="Check the token's permissions and that GitHub is up; the gates do not need it.")
        self.status = status
        self.message = message
        self.accepted_permissions = accepted_permissions

    @property
    def is_rate_limit(self) -> bool:
        """It was refused for its rate, not for lack of a right."""
        return self.status == 429 or (self.status == 403 and "rate limit" in self.message.lower())

    @property
    def may_be_done(self) -> bool:
        """Whether it may have been carried out: there was no readable answer, or a server's error."""
        return self.status is None or self.status >= 500


class WaitLimits(NamedTuple):
    """How long GitHub is waited for.

    Attributes:
        timeout_s: For the next byte of an answer.
        tries_again: After the first try of a request.
        patience_s: Between tries, those of all requests together.
        hanging_s: For answers, those of all requests together.
    """

    timeout_s: int
    tries_again: int
    patience_s: float
    hanging_s: float = 25


# A run asks twice, for its baseline and to publish, and an artifact's store may take one time limit more: 60 s in all.
ORDINARY: Final = WaitLimits(timeout_s=10, tries_again=4, patience_s=120)
# For a cancelled run: the runner ends it after some seconds, whatever it is doing.
HURRIED: Final = WaitLimits(timeout_s=2, tries_again=0, patience_s=0)


class Connection:
    """One repository of one GitHub. A context manager: it holds connections."""

    def __init__(
        self,
        *,
        api_url: str,
        token: str | None,
        repository: str,
        bounds: WaitLimits = ORDINARY,
        wait: Callable[[float], None] = time.sleep,
        hang_time: HangTime | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent, and nothing heavy loaded, yet.

        Args:
            api_url: As the environment gives it: `https://api.github.com`, `https://HOST/api/v3`. The library finds
                the GraphQL address from it.
            token: None asks as anybody, which is enough for reading in public repositories.
            repository: `owner/name`.
            bounds: How long it is waited for.
            wait: Waits so many seconds before another try.
            hang_time: Shared with other connections; None is what `bounds` allow.
        """
        self.api_url = api_url
        self._token = token
        self.repository = repository
        self.patience = Patience(bounds.patience_s, wait)
        self.hang_time = hang_time or HangTime(bounds.hanging_s)
        self._bounds = bounds
        self._clients: dict[tuple[bool, bool], Requester] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    def ask(
        self,
        verb: str,
        path: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        body: Any = None,
        again: bool = True,
    ) -> Any:
        """One request about the repository.

        Args:
            verb: GET, POST, PATCH or DELETE.
            path: What follows `/repos/OWNER/NAME`; its parts quoted.
            parameters: The query.
            body: Sent as JSON.
            again: Tried again after any fault. False for what must not be done twice: that is tried again only where
                the rate limit refused it, and so it was not done.

        Returns:
            The answer's JSON; None for an empty one.

        Raises:
            GitHubFault: It was refused, there was no answer, or none that can be used.
        """
        return self.exchange(verb, path, parameters, body, again=again)[1]

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        """One GraphQL query, tried again like a read; returns and raises as `ask`, for the whole answer."""
        with _faults("POST /graphql", self._bounds):
            requester = self._client(again=True, reading=True)
            return self._within_hang_time(lambda: requester.graphql_query(query, dict(variables)))[1]

    def exchange(
        self, verb: str, path: str, parameters: Mapping[str, Any] | None, body: Any, *, again: bool
    ) -> tuple[Mapping[str, Any], Any]:
        """As `ask`, with the answer's headers, their names in lower case."""
        url = f"/repos/{self.repository}{path}"
        with _faults(f"{verb} {url}", self._bounds):
            requester = self._client(again=again)
            request = (verb, url, dict(parameters or {}), dict(_HEADERS), body)
            answer: tuple[Mapping[str, Any], Any] = self._within_hang_time(
                lambda: requester.requestJsonAndCheck(*request)
            )
            return answer

    def _within_hang_time(self, act: Callable[[], Any]) -> Any:
        return self.hang_time.run(act, waited=lambda: self.patience.waited)

    def _client(self, *, again: bool, reading: bool = False) -> Requester:
        """The library's requester; one for reading makes no pauses after a POST, which a GraphQL query is too."""
        from github.Auth import Token
        from github.Requester import Requester

        # At DEBUG the library logs the headers of every answer, and a Location may hold a signature.
        logging.getLogger("github").setLevel(logging.WARNING)
        if (again, reading) not in self._clients:
            self._clients[again, reading] = Requester(
                auth=Token(self._token) if self._token else None,
                base_url=self.api_url,
                timeout=self._bounds.timeout_s,
                user_agent=f"raggate-action/{__version__}",
                per_page=PER_PAGE,
                verify=True,
                retry=_retry(self.patience, self._bounds.tries_again, again=again),
                pool_size=None,
                # GitHub asks for pauses between writes; reads are few and one after the other.
                seconds_between_requests=None,
                seconds_between_writes=None if reading else _BETWEEN_WRITES_S,
                lazy=True,
            )
        return self._clients[again, reading]


def _retry(patience: Patience, tries_again: int, *, again: bool) -> GithubRetry:
    from github.GithubRetry import GithubRetry

    class Patient(GithubRetry):
        """Waits share one budget: the library bounds a wait for a rate limit, but neither Retry-After nor the sum."""

        def sleep(self, response: BaseHTTPResponse | None = None) -> None:
            headers = response.headers if response is not None else {}
            seconds = retry_after_s(headers, datetime.now(UTC)) or self.get_backoff_time()
            if not patience.wait(seconds, by_api=response is not None):
                status = response.status if response is not None else None
                raise GitHubFault(status, f"{status or 'GitHub'} asks to wait {seconds:.0f} s, longer than a run waits")

    class Refused(Patient):
        """Tries again only what was refused: after a server's error the request may have been carried out."""

        RETRY_AFTER_STATUS_CODES = frozenset({429})

    # Without raise_on_status the last answer comes back, and with it its status and what it says.
    bounds: dict[str, Any] = {
        "total": tries_again,
        "max_rate_limit_wait": LONGEST_WAIT_S,
        "backoff_factor": _BACKOFF_S,
        "raise_on_status": False,
        "allowed_methods": None,  # any: an edit may be repeated as well as a read
    }
    return Patient(**bounds) if again else Refused(**bounds, read=0, other=0, status_forcelist=[])


@contextmanager
def _faults(request: str, bounds: WaitLimits) -> Iterator[None]:
    """Turn every exception of the library, and of the libraries below it, into a `GitHubFault`."""
    from github import GithubException
    from urllib3.exceptions import HTTPError

    try:
        yield
    except GithubException as error:
        permissions = (error.headers or {}).get("x-accepted-github-permissions")
        status, message = _status_and_message(error)
        raise GitHubFault(
            status, f"{status} {_line(message)} ({request})", _line(permissions) if permissions else None
        ) from None
    # What requests raises is an OSError.
    except (OSError, HTTPError) as error:
        raise GitHubFault(None, f"no answer from GitHub ({request}): {_why(error, bounds)}") from None
    # Assertions included: the library asserts addresses, and trips over answers that are no JSON object.
    except (AssertionError, AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise GitHubFault(None, f"no usable answer from GitHub ({request}): {type(error).__name__}") from None


def _status_and_message(error: GithubException) -> tuple[int, str]:
    """Status and message. GraphQL refuses in an answer of its own form, which the library takes for a bad request."""
    answer = error.data if isinstance(error.data, dict) else {}
    message = answer.get("message")
    if isinstance(message, str):
        return error.status, message
    errors = answer.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    status = _GRAPHQL_STATUS.get(str(first.get("type")), error.status)
    return status, str(first.get("message") or error.message or "refused")


def _why(error: Exception, bounds: WaitLimits) -> str:
    """What failed, in our words: the library's own name the address, its query included."""
    from requests import exceptions
    from urllib3.exceptions import ReadTimeoutError

    if isinstance(error, HangError):
        return str(error)
    # After the last try the library reports all tries; why the last one failed is further down in its report.
    last = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(error, exceptions.Timeout | ReadTimeoutError) or isinstance(last, ReadTimeoutError):
        return f"nothing came for {bounds.timeout_s} s"
    if isinstance(error, exceptions.SSLError):
        return "its certificate cannot be verified"
    if isinstance(error, exceptions.ProxyError):
        return "the proxy refused"
    return "the connection failed"


def _line(text: str) -> str:
    """Foreign text on one line, cut; what does not print is shown as `?`."""
    return "".join([c if c.isprintable() else "?" for c in " ".join(text.split())[:_MESSAGE_CHARACTERS]])
