"""Serving a request: held against the description, carried out, and its answer held against the description too."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from tests.fake_github import graphql_api, reading, writing
from tests.fake_github.answers import ACCEPTED, Answer, Asked, check_permission, repository_of
from tests.fake_github.bodies import Bodies
from tests.fake_github.checks import Raw, Refused, Request, check_headers, checked, found_operation
from tests.fake_github.description import Operation, rest
from tests.fake_github.faults import Fault, Faults, faulty_answer
from tests.fake_github.server import Reply
from tests.fake_github.state import Artifact, Token
from tests.fake_github.world import World

HANDLERS: Mapping[str, Callable[[Asked], Answer]] = {
    "actions/download-artifact": reading.download_artifact,
    "actions/get-artifact": reading.get_artifact,
    "actions/get-workflow-run": reading.get_run,
    "actions/list-artifacts-for-repo": reading.list_artifacts,
    "actions/list-workflow-run-artifacts": reading.list_run_artifacts,
    "issues/create-comment": writing.create_comment,
    "issues/delete-comment": writing.delete_comment,
    "issues/get-comment": writing.get_comment,
    "issues/list-comments": reading.list_comments,
    "issues/update-comment": writing.update_comment,
    "pulls/get": reading.get_pull,
    "pulls/list": reading.list_pulls,
    "repos/compare-commits-with-basehead": reading.compare,
    "repos/get": reading.get_repository,
    "repos/list-commits": reading.list_commits,
    "repos/list-pull-requests-associated-with-commit": reading.list_pulls_of_commit,
}
_DOCS = "https://docs.github.com/rest"
_LIMITS = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999", "x-ratelimit-reset": "1800000000"}


class Call(NamedTuple):
    """One request, as it ended.

    Attributes:
        method, path: How it came; the path with its query, without the API's prefix.
        operation: Which; "graphql" and "blob" for those; empty for an unknown one.
        status: Of the answer; None when the connection was closed without one.
        refused: The reason's name; empty when it was not.
    """

    method: str
    path: str
    operation: str
    status: int | None
    refused: str = ""


class Service(World, Faults):
    """A world and what goes wrong in it, behind two functions from requests to replies.

    Attributes:
        calls: Every request.
        refusals: What no right client sends, by name and text; and what the fake itself got wrong.
        bodies: How things are told.
        blob_url: Where the host of blobs is.
    """

    bodies: Bodies
    blob_url: str

    def __init__(self, prefix: str, graphql_path: str) -> None:
        """Serve the REST API under `prefix` and GraphQL at `graphql_path`."""
        World.__init__(self)
        Faults.__init__(self)
        self.calls: list[Call] = []
        self.refusals: list[str] = []
        self.expected: set[str] = set()
        self.closing = threading.Event()
        self._prefix, self._graphql = prefix, graphql_path
        self._links: dict[str, Artifact] = {}
        self._lock = threading.Lock()

    def blob_link(self, artifact: Artifact) -> str:
        """A link to an artifact's blob; its `sig` opens it until the end."""
        signature = secrets.token_urlsafe(24)
        self._links[signature] = artifact
        return f"{self.blob_url}/artifacts/{artifact.id}?se=2026-11-02&sig={signature}"

    def serve(self, raw: Raw) -> Reply:
        """Reply to a request to the API."""
        name = "graphql" if raw.path == self._graphql else ""
        try:
            check_headers(raw.headers)
            if name:
                return self._reply(raw, name, lambda: self._asked_by_graphql(raw))
            match = found_operation(raw, self._prefix)
            name = match.operation.id
            request = checked(raw, match, self._token(raw))
        except Refused as refused:
            return self._refuse(raw, name, refused)
        return self._reply(raw, name, lambda: self._carried_out(request))

    def serve_blob(self, raw: Raw) -> Reply:
        """Reply to a request to the host of the blobs."""
        return self._reply(raw, "blob", lambda: self._blob(raw))

    def _reply(self, raw: Raw, name: str, carry_out: Callable[[], Answer]) -> Reply:
        """Carry a request out, or let it go wrong as a test has set it."""
        fault = self.next_fault(name)
        if fault is not None and fault.kind == "slow" and not fault.after_write:
            self.closing.wait(fault.seconds)
        try:
            done = carry_out() if fault is None or _is_carried_out(fault) else None
        except Refused as refused:
            return self._refuse(raw, name, refused)
        except Exception as error:  # noqa: BLE001 - a defect of ours, told where the test ends
            self.refusals.append(f"defect of the fake in {name}: {error!r}")
            return self._record(raw, name, Reply(Answer(500, {"message": repr(error)})))
        return self._record(raw, name, self._spoiled(done, fault))

    def _spoiled(self, done: Answer | None, fault: Fault | None) -> Reply:
        if fault is None:
            return Reply(done)
        match fault.kind:
            case "slow":
                if fault.after_write:
                    self.closing.wait(fault.seconds)
                return Reply(done)
            case "truncated":
                return Reply(done, share=0.5)
            case "drop":
                return Reply(None)
            case _:
                return Reply(faulty_answer(fault))

    def _carried_out(self, request: Request) -> Answer:
        operation = request.operation
        with self._lock:
            if operation.id == "rate-limit/get":
                answer = reading.rate_limit()
            elif operation.id == "users/get-authenticated":
                raise reading.NO_USER
            else:
                repository = repository_of(self, request.path, request.token)
                check_permission(operation.id, repository, request.token)
                answer = HANDLERS[operation.id](Asked(self, self.bodies, request, repository, self.blob_link))
        _check_answer(operation, answer)
        accepted = {"x-accepted-github-permissions": ACCEPTED[operation.id]} if operation.id in ACCEPTED else {}
        return answer._replace(headers=_LIMITS | accepted | dict(answer.headers))

    def _asked_by_graphql(self, raw: Raw) -> Answer:
        with self._lock:
            return graphql_api.answer(raw, self, self.bodies, self._token(raw))

    def _blob(self, raw: Raw) -> Answer:
        if "authorization" in raw.headers:
            raise Refused("authorization-at-blob-host", 400, "a token is no business of the host of blobs", wrong=True)
        if raw.method != "GET":
            raise Refused("method-wrong", 405, "a blob is read with GET", wrong=True)
        artifact = self._links.get(parse_qs(urlsplit(raw.target).query).get("sig", [""])[0])
        if artifact is None or raw.path != f"/artifacts/{artifact.id}":
            raise Refused("blob-link-wrong", 403, "Signature did not match.", wrong=True)
        return Answer(200, artifact.blob(), {"Content-Type": "application/zip"})

    def _token(self, raw: Raw) -> Token | None:
        header = raw.headers.get("authorization")
        if header is None:
            return None
        scheme, _, value = header.partition(" ")
        if scheme.lower() not in ("bearer", "token") or value not in self.tokens:
            raise Refused("token-unknown", 401, "Bad credentials")
        return self.tokens[value]

    def _refuse(self, raw: Raw, name: str, refused: Refused) -> Reply:
        if refused.wrong and refused.name not in self.expected:
            self.refusals.append(f"{refused.name}: {raw.method} {raw.target}: {refused.message}")
        body: dict[str, Any] = {"message": refused.message, "documentation_url": _DOCS}
        if refused.status == 200:
            body = {"data": None}
        elif refused.status != 422:
            body["status"] = str(refused.status)
        if refused.errors is not None:
            body["errors"] = refused.errors
        headers = _LIMITS | {"x-fake-github-refusal": refused.name} | refused.headers
        return self._record(raw, name, Reply(Answer(refused.status, body, headers)), refused.name)

    def _record(self, raw: Raw, name: str, reply: Reply, refused: str = "") -> Reply:
        status = reply.answer.status if reply.answer is not None else None
        self.calls.append(Call(raw.method, raw.target.removeprefix(self._prefix), name, status, refused))
        return reply


def _is_carried_out(fault: Fault) -> bool:
    return fault.after_write or fault.kind in ("slow", "truncated")


def _check_answer(operation: Operation, answer: Answer) -> None:
    """Hold an answer of ours against the description.

    Raises:
        ValueError: It is off schema: a defect of the fake.
    """
    if answer.status not in operation.answers:
        raise ValueError(f"{operation.id} never answers {answer.status}")
    if not operation.answers[answer.status]:
        problem = None if answer.body is None else "a body where none is"
    else:
        problem = rest().problem(f"{operation.pointer}/responses/{answer.status}", answer.body)
    if problem:
        raise ValueError(f"the answer of {operation.id} is off schema: {problem}")
