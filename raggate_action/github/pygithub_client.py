"""The door to PyGithub: its objects, asked for within bounds, and how a fault of it reads.

The library is imported when the first request is made.
"""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar

from raggate_action.errors import RaggateError
from raggate_action.network.connection_errors import reasons
from raggate_action.version import __version__

if TYPE_CHECKING:
    from github import Github, GithubException
    from github.Repository import Repository

PER_PAGE: Final = 100
_BETWEEN_WRITES_S: float = 1
_LONGEST_WAIT_S = 60
_MESSAGE_CHARACTERS = 300
_GRAPHQL_STATUS = {"FORBIDDEN": 403, "NOT_FOUND": 404, "RATE_LIMITED": 429}
Answer = TypeVar("Answer")


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
        in_all_s: For all requests together, what GitHub asks to wait included.
    """

    timeout_s: int = 10
    tries_again: int = 4
    in_all_s: float = 75


# A run asks twice, for its baseline and to publish; in each GitHub may once ask to wait a minute.
ORDINARY: Final = WaitLimits()
# For a cancelled run: the runner ends it after some seconds, whatever it is doing.
HURRIED: Final = WaitLimits(timeout_s=2, tries_again=0, in_all_s=4)


class Deadline:
    """Seconds that GitHub may still take, shared by requests that follow each other.

    A time limit on a socket is of the next byte: it ends neither a slow name server nor an answer that comes byte by
    byte, and begins again with each try of each request.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds

    def run(self, act: Callable[[], Answer]) -> Answer:
        """Do `act` on a thread that is left alone when the time is over: what it asks may still be carried out.

        Raises:
            TimeoutError: There was no time left, or not enough.
        """
        begun = time.monotonic()
        answers: list[Answer] = []
        errors: list[BaseException] = []

        def work() -> None:
            try:
                answers.append(act())
            except BaseException as error:  # noqa: BLE001 - raised again where the answer is asked for
                errors.append(error)

        thread = threading.Thread(target=work, daemon=True)
        if self._left > 0:
            thread.start()
            thread.join(self._left)
            self._left -= time.monotonic() - begun
        if not answers and not errors:
            raise TimeoutError(f"its answers took longer than {self._seconds:g} s in all")
        for error in errors:
            raise error
        return answers[0]

    def spend(self, seconds: float, then: float) -> bool:
        """Take so much for a pause of ours; False, and nothing is taken, when no more than `then` would be left."""
        if seconds + then >= self._left:
            return False
        self._left -= seconds
        return True


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
        deadline: Deadline | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent, and nothing heavy loaded, yet.

        Args:
            api_url: As the environment gives it: `https://api.github.com`, `https://HOST/api/v3`. The library finds
                the GraphQL address from it.
            token: None asks as anybody, which is enough for reading in public repositories.
            repository: `owner/name`.
            bounds: How long it is waited for.
            wait: Waits so many seconds between our own looks.
            deadline: Shared with other connections; None is what `bounds` allow.
        """
        self.api_url = api_url
        self._token = token
        self.repository = repository
        self._deadline = deadline or Deadline(bounds.in_all_s)
        self._bounds = bounds
        self._wait = wait
        self._clients: dict[bool, Github] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    def pause(self, seconds: float) -> bool:
        """Wait so long; False, and no waiting, when no time would be left for an answer."""
        may = self._deadline.spend(seconds, self._bounds.timeout_s)
        if may:
            self._wait(seconds)
        return may

    def ask(self, request: str, act: Callable[[Repository], Answer], *, writes: bool = False) -> Answer:
        """What the library gets of the repository.

        Args:
            request: What is asked, for the message.
            act: Asks; whatever is lazy in what it returns has to be asked for inside.
            writes: A POST of it is sent once. GitHub wants pauses between writes.

        Raises:
            GitHubFault: It was refused, there was no answer, or none that can be used.
        """
        from github import GithubException

        client = self._client(writes=writes)
        try:
            return self._deadline.run(lambda: act(client.get_repo(self.repository)))
        except GithubException as error:
            raise _fault(error, request) from None
        except OSError as error:
            raise GitHubFault(None, f"no answer from GitHub ({request}): {self._why(error)}") from None
        # The library asserts what it reads, and trips over answers that are no JSON object.
        except Exception as error:  # noqa: BLE001
            raise GitHubFault(None, f"no usable answer from GitHub ({request}): {type(error).__name__}") from None

    def _client(self, *, writes: bool) -> Github:
        from github import Github
        from github.Auth import Token
        from github.GithubRetry import GithubRetry

        # At DEBUG the library logs the headers of every answer, and a Location may hold a signature.
        logging.getLogger("github").setLevel(logging.WARNING)
        if writes not in self._clients:
            # Without raise_on_status the last answer comes back, and with it its status and what it says. Of the
            # requests that read, GraphQL's is a POST.
            tries = GithubRetry(
                total=self._bounds.tries_again,
                max_rate_limit_wait=_LONGEST_WAIT_S,
                raise_on_status=False,
                backoff_factor=0.5,
                allowed_methods=["GET", "PATCH", "DELETE"] if writes else None,
            )
            self._clients[writes] = Github(
                auth=Token(self._token) if self._token else None,
                base_url=self.api_url,
                timeout=self._bounds.timeout_s,
                user_agent=f"raggate-action/{__version__}",
                per_page=PER_PAGE,
                retry=tries,
                seconds_between_requests=None,
                seconds_between_writes=_BETWEEN_WRITES_S if writes else None,
                lazy=True,
            )
        return self._clients[writes]

    def _why(self, error: OSError) -> str:
        """What failed, in our words: the library's own name the address, its query included."""
        if type(error) is TimeoutError:
            return str(error)
        if any(isinstance(reason, TimeoutError) for reason in reasons(error)):
            return f"nothing came for {self._bounds.timeout_s} s"
        is_tls = any(isinstance(reason, ssl.SSLError) for reason in reasons(error))
        return "its certificate cannot be verified" if is_tls else "the connection failed"


def _fault(error: GithubException, request: str) -> GitHubFault:
    """Status and message. GraphQL refuses in an answer of its own form, which the library takes for a bad request."""
    permissions = (error.headers or {}).get("x-accepted-github-permissions")
    answer: dict[str, Any] = error.data if isinstance(error.data, dict) else {}
    status, message = error.status, answer.get("message")
    if not isinstance(message, str):
        errors = answer.get("errors")
        first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
        status = _GRAPHQL_STATUS.get(str(first.get("type")), status)
        message = str(first.get("message") or error.message or "refused")
    return GitHubFault(status, f"{status} {_line(message)} ({request})", _line(permissions) if permissions else None)


def _line(text: str) -> str:
    """Foreign text on one line, cut; what does not print is shown as `?`."""
    return "".join([c if c.isprintable() else "?" for c in " ".join(text.split())[:_MESSAGE_CHARACTERS]])
