"""Storing a file as an artifact of our own job, by the service that the runner tells a container action of.

The service speaks Twirp (JSON over POST) and keeps files as Azure block blobs. GitHub promises nothing of it: the
requests are those of its own client, `@actions/artifact`, and whatever goes wrong is one `StoringError`. Neither the
job's token, nor an address that the service has signed, nor a text of the service enters a message.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import json
import random
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import IO, Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx
from pydantic import SecretStr

from raggate_action.github.artifact_download import ASKED_AGAIN, USER_AGENT, open_store
from raggate_action.network.attempts import AttemptError, Backoff, with_attempts
from raggate_action.network.bounded_reply import UnreadableBodyError, json_problem
from raggate_action.network.connection_errors import reasons, retry_after_s, why
from raggate_action.strings.visible_text import cut

TOKEN: Final = "ACTIONS_RUNTIME_TOKEN"  # noqa: S105 - the variable's name
ADDRESS: Final = "ACTIONS_RESULTS_URL"
_SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"
_SCOPE = "Actions.Results"
# What GitHub's client refuses in a name.
_NOT_IN_A_NAME = re.compile(r'[":<>|*?\r\n\\/]')
_LONGEST_NAME = 200
# Version 4 keeps zips, 7 keeps other files as they are.
_ZIP_VERSION, _FILE_VERSION = 4, 7
_ZIP: Final = "application/zip"
BLOCK_BYTES: Final = 8 * 1024 * 1024
_STORAGE_VERSION = "2024-05-04"
_TRIES, _BLOCK_TRIES = 5, 4
_BLOCK_AGAIN = frozenset({408, *ASKED_AGAIN})
_LARGEST_ANSWER = 1024 * 1024
_CONFLICT = 409
_READ_BYTES = 256 * 1024


class StoringError(AttemptError):
    """The file is not stored; the message says why, in a clause without any address.

    Attributes:
        status: Of an answer that refuses; else None.
    """

    def __init__(self, message: str, *, status: int | None = None, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.status = status


class TakenNameError(StoringError):
    """Another job of the workflow run has stored an artifact of this name."""


class ServiceAccess(NamedTuple):
    """What the runner gives a container action: the service's address, and the job's token for it."""

    address: str
    token: SecretStr


class Bounds(NamedTuple):
    """How long is waited.

    Attributes:
        timeout_s: For an answer, and for a block to be taken.
        pause_s: At most before the second try; later pauses may be twice as long each.
    """

    timeout_s: float = 60
    pause_s: float = 3


ORDINARY: Final = Bounds()


class StoredArtifact(NamedTuple):
    """An artifact that is stored.

    Attributes:
        artifact_id, name: Which one.
        digest: SHA-256 of its bytes, in hex.
        replaced: One of that name that this job had stored before is gone.
    """

    artifact_id: int
    name: str
    digest: str
    replaced: bool = False


def take_access(environment: MutableMapping[str, str]) -> ServiceAccess | None:
    """The service's address and token, out of the environment, where no program of the suite finds them any more.

    Returns:
        None where the runner gives neither: in a `run:` step, and on runners without the service.
    """
    token, address = environment.pop(TOKEN, ""), environment.pop(ADDRESS, "")
    return ServiceAccess(address, SecretStr(token)) if token and address else None


Answer = TypeVar("Answer")


class _Job(NamedTuple):
    """What the service calls the workflow run and the job."""

    run_id: str
    job_id: str

    @property
    def fields(self) -> dict[str, Any]:
        return {"workflow_run_backend_id": self.run_id, "workflow_job_run_backend_id": self.job_id}


class ArtifactService:
    """Stores artifacts of one job.

    Attributes:
        tries: How often a request is sent at most.
    """

    def __init__(self, access: ServiceAccess, *, bounds: Bounds = ORDINARY) -> None:
        """Read what the token says of the job; nothing is asked yet.

        Args:
            access: Address and token.
            bounds: How long is waited.

        Raises:
            StoringError: The address or the token is none for artifacts.
        """
        self._origin = _origin(access.address)
        self._plain_http = self._origin.startswith("http:")
        self._token = access.token
        self._job = _job_of(access.token.get_secret_value())
        self._bounds = bounds
        self.tries = _TRIES

    def store(
        self, name: str, file: IO[bytes], mime_type: str = _ZIP, *, deadline_s: float | None = None
    ) -> StoredArtifact:
        """Store a file; an artifact of this name that this job stored before is replaced.

        Args:
            name: What it is called, once in a workflow run.
            file: The file, from its beginning to its end.
            mime_type: A zip, or a file that a browser is to open as what it is.
            deadline_s: How long all of it may take.

        Raises:
            StoringError: It is not stored. `TakenNameError`: another job's artifact has the name.
        """
        if not name or len(name) > _LONGEST_NAME or _NOT_IN_A_NAME.search(name):
            raise StoringError(f"{cut(name, 60)!r} cannot be an artifact's name: it is empty, long, or has one of"
                               ' ": <>|*?\\/')  # fmt: skip
        size, digest = _size_and_digest(file)
        kind = {"version": _ZIP_VERSION} if mime_type == _ZIP else {"version": _FILE_VERSION, "mime_type": mime_type}

        async def stored() -> StoredArtifact:
            async with asyncio.timeout(deadline_s), open_store(self._origin, _LARGEST_ANSWER) as self._client:
                address, replaced = await self._create({**self._job.fields, "name": name, **kind})
                await self._upload(address, file, mime_type)
                return StoredArtifact(await self._finalize(name, size, digest), name, digest, replaced)

        try:
            return asyncio.run(stored())
        except TimeoutError:
            raise StoringError(f"its answers took longer than {deadline_s:g} s in all") from None

    async def _create(self, fields: Mapping[str, Any]) -> tuple[str, bool]:
        """Where the file goes, and whether an artifact of that name had to go first."""
        try:
            created, replaced = await self._call("CreateArtifact", fields), False
        except StoringError as refused:
            if refused.status != _CONFLICT:
                raise
            await self._remove_own(str(fields["name"]))
            created, replaced = await self._call("CreateArtifact", fields), True
        address = str(created.get("signed_upload_url", ""))
        scheme = urlsplit(address).scheme
        if scheme != "https" and not (scheme == "http" and self._plain_http):
            raise StoringError("the service names no address to store it at")
        return address, replaced

    async def _remove_own(self, name: str) -> None:
        """Remove what this job has stored under a name; a job is known by the id that only its own token has."""
        rows = await self._rows(name)
        if any(not self._is_own(row) for row in rows):
            raise TakenNameError("another job of this workflow run has stored an artifact of this name")
        # A create whose answer was lost has left a name without an artifact: there is no row, and it is ours.
        await self._call("DeleteArtifact", {**self._job.fields, "name": name})

    async def _rows(self, name: str) -> list[Mapping[str, Any]]:
        found = await self._call("ListArtifacts", {**self._job.fields, "name_filter": name}, sees_ok=False)
        return [row for row in found.get("artifacts", ()) if isinstance(row, dict) and row.get("name") == name]

    def _is_own(self, row: Mapping[str, Any]) -> bool:
        return self._job.fields.items() <= row.items()

    async def _upload(self, address: str, file: IO[bytes], mime_type: str) -> None:
        """Store the bytes: block after block, then their list. A store may keep them in the order they come."""
        joint = "&" if urlsplit(address).query else "?"
        begun, ids = uuid4(), list[str]()
        file.seek(0)
        async with open_store(address, _LARGEST_ANSWER) as store:
            for number, block in enumerate(iter(partial(file.read, BLOCK_BYTES), b"")):
                ids.append(base64.b64encode(f"{begun}{number:012d}".encode()).decode())
                where = f"{address}{joint}comp=block&blockid={quote(ids[-1], safe='')}"
                await self._put_block(store, where, block, {"Content-Type": "application/octet-stream"})
            listed = "".join([f"<Latest>{each}</Latest>" for each in ids])
            content = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList>{listed}</BlockList>'
            headers = {"Content-Type": "application/xml", "x-ms-blob-content-type": mime_type}
            await self._put_block(store, f"{address}{joint}comp=blocklist", content.encode(), headers)

    async def _put_block(
        self, store: httpx.AsyncClient, address: str, content: bytes, headers: Mapping[str, str]
    ) -> None:
        told = {**headers, "x-ms-version": _STORAGE_VERSION, "x-ms-client-request-id": str(uuid4())}

        async def put(_attempt: int) -> None:
            request = store.build_request("PUT", address, content=content, headers=told)
            await self._send(store, request, "the store", _BLOCK_AGAIN)

        await self._with_tries(put, _BLOCK_TRIES)

    async def _finalize(self, name: str, size: int, digest: str) -> int:
        fields = {**self._job.fields, "name": name, "size": str(size), "hash": f"sha256:{digest}"}
        try:
            found = await self._call("FinalizeArtifact", fields)
            artifact_id = _number(found.get("artifact_id"))
        except StoringError:
            # The answer may be all that was lost.
            rows: list[Mapping[str, Any]] = []
            with suppress(StoringError):
                rows = await self._rows(name)
            kept = [
                _number(row.get("database_id"))
                for row in rows
                if self._is_own(row) and str(row.get("digest")).lower() == fields["hash"]
            ]
            if not kept:
                raise
            artifact_id = max(kept)
        if artifact_id <= 0:
            raise StoringError("the service names no artifact")
        return artifact_id

    async def _call(self, method: str, fields: Mapping[str, Any], *, sees_ok: bool = True) -> Mapping[str, Any]:
        # Servers without the version for files fail on its type, however often they are asked.
        again = ASKED_AGAIN - ({500} if "mime_type" in fields else set())
        headers = {"Authorization": f"Bearer {self._token.get_secret_value()}", "Content-Type": "application/json"}

        async def ask(_attempt: int) -> Mapping[str, Any]:
            request = self._client.build_request(
                "POST", f"{self._origin}{_SERVICE}{method}", content=json.dumps(fields).encode(), headers=headers
            )
            return _read_reply(await self._send(self._client, request, "the service", again))

        reply = await self._with_tries(ask, _TRIES)
        if sees_ok and reply.get("ok") is not True:
            raise StoringError(f"the service did not do it ({method})")
        return reply

    async def _with_tries(self, ask: Callable[[int], Awaitable[Answer]], tries: int) -> Answer:
        backoff = Backoff(random.SystemRandom(), self._bounds.pause_s)
        return await with_attempts(ask, min(tries, self.tries), backoff)

    async def _send(self, client: httpx.AsyncClient, request: httpx.Request, who: str, again: frozenset[int]) -> bytes:
        """The body of an answer that says that it was done.

        Args:
            client: Of whoever is asked.
            request: What is asked.
            who: What messages call the one that is asked.
            again: Statuses that another try may not meet.
        """
        request.headers.update(USER_AGENT)
        timeout_s = self._bounds.timeout_s
        try:
            async with asyncio.timeout(timeout_s):
                response = await client.send(request)
        except (TimeoutError, httpx.TimeoutException):
            raise StoringError(f"{who} did not answer in {timeout_s:g} s", again=True) from None
        except UnreadableBodyError as error:
            raise StoringError(f"its answer is {error}", again=True) from None
        except httpx.ConnectError as error:
            if any(isinstance(reason, ssl.SSLError) for reason in reasons(error)):
                words = f"the certificate of {who} cannot be verified (SSL_CERT_FILE names another authority)"
                raise StoringError(words) from None
            raise StoringError(f"{who} cannot be reached: {why(error)}") from None
        except httpx.HTTPError as error:
            raise StoringError(f"{who} broke off: {why(error)}", again=True) from None
        status = response.status_code
        if response.is_success:
            return response.content
        if status in again:
            seconds = retry_after_s(response.headers, datetime.now(UTC), at_most_s=timeout_s)
            raise StoringError(f"{who} answers {status}", again=True, retry_after_s=seconds)
        # What it says may repeat the request: it is looked for one reason, and never quoted.
        if who == "the service" and b"insufficient usage" in response.content.lower():
            raise StoringError("the storage that the account has for artifacts is used up", status=status)
        raise StoringError(f"{who} answers {status}", status=status)


def _read_reply(body: bytes) -> Mapping[str, Any]:
    """What the service replies, whose names come in snake case or in camel case."""
    if (problem := json_problem(body)) is not None:
        raise StoringError(f"its answer is more than is read: {problem}")
    try:
        reply = json.loads(body, object_pairs_hook=lambda pairs: {_in_snake_case(key): each for key, each in pairs})
    except ValueError:
        reply = None
    if not isinstance(reply, dict):
        raise StoringError("its answer is not one of the artifact service", again=True)
    return reply


def _in_snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)


def _number(value: object) -> int:
    """A number of the service's JSON, which writes large ones as text; 0 for anything else."""
    return int(str(value)) if str(value).isascii() and str(value).isdigit() else 0


def _origin(address: str) -> str:
    """Scheme, host and port of an address; its path is not the service's."""
    found = re.match(r"https?://[A-Za-z0-9.\[\]:-]+(?=/|$)", address)
    if found is None:
        raise StoringError(f"{ADDRESS} is no address")
    return found[0]


def _job_of(token: str) -> _Job:
    """The ids in the job's token: the scope `Actions.Results:RUN:JOB` of its claim `scp`."""
    parts = token.split(".")
    try:
        padded = parts[1] + "=" * (-len(parts[1]) % 4)
        claims = json.loads(base64.urlsafe_b64decode(padded))
        scopes = [scope.split(":") for scope in str(claims["scp"]).split(" ")]
    except (IndexError, KeyError, TypeError, ValueError, binascii.Error):
        scopes = []
    found = [scope for scope in scopes if scope[0] == _SCOPE]
    if not found or len(found[0]) != 3:
        raise StoringError("the job's token is none for artifacts")
    return _Job(*found[0][1:])


def _size_and_digest(file: IO[bytes]) -> tuple[int, str]:
    """How many bytes a file has, and their digest."""
    found, size = hashlib.sha256(), 0
    file.seek(0)
    while part := file.read(_READ_BYTES):
        found.update(part)
        size += len(part)
    return size, found.hexdigest()
