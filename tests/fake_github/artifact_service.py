"""The runner's artifact service as GitHub's own client, `@actions/artifact` 6.2.1, was seen to use it.

Requests have the fields, names and headers that were recorded of that client (the same test runs it against this
service), and no others; what no right client sends fails the test. `faults` are answered in place of the real answers,
one for each request they name.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, quote, urlsplit
from uuid import uuid4
from xml.etree import ElementTree as ET

from tests.fake_github.answers import Answer
from tests.fake_github.checks import Raw
from tests.fake_github.server import Reply, Server
from tests.fake_github.state import sha256_digest

SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"
_IDS = ("workflow_run_backend_id", "workflow_job_run_backend_id")
# Method -> fields that stand in every request, fields that may.
FIELDS = {
    "CreateArtifact": ({*_IDS, "name", "version"}, {"expires_at", "mime_type"}),
    "FinalizeArtifact": ({*_IDS, "name", "size", "hash"}, set()),
    "ListArtifacts": ({*_IDS}, {"name_filter", "id_filter"}),
    "GetSignedArtifactURL": ({*_IDS, "name"}, set()),
    "DeleteArtifact": ({*_IDS, "name"}, set()),
}
TAKEN = "an artifact with this name already exists on the workflow run"
BLOCK_BYTES = 8 * 1024 * 1024


class Request(NamedTuple):
    """A request that came: the method, `block` or `blocklist`; its fields; its headers."""

    what: str
    fields: Mapping[str, Any]
    headers: Mapping[str, str]
    query: Mapping[str, str]
    target: str


class Fault(NamedTuple):
    """What is answered in place of the real answer: to whom, what, and whether the request is carried out all the same."""

    what: str
    answer: Answer | None
    is_done: bool = False


class StoredFile:
    """An artifact: created, with blocks, finalized."""

    def __init__(self, run: str, job: str, name: str, version: int, mime_type: str) -> None:
        self.run, self.job, self.name, self.version, self.mime_type = run, job, name, version, mime_type
        self.key = uuid4().hex
        self.sig = base64.b64encode(uuid4().bytes).decode()
        self.blocks: dict[str, bytes] = {}
        self.content: bytes | None = None
        self.content_type = ""
        self.artifact_id = 0


def _claims(run: str, job: str, scope: str | None) -> dict[str, str]:
    return {"scp": f"Actions.GenericRead:1 {scope or f'Actions.Results:{run}:{job}'}"}


def token_of(run: str = "run-1", job: str = "job-1", *, scope: str | None = None) -> str:
    """A job's token; the service looks at no signature, and neither does a client."""
    parts = ({"alg": "RS256"}, _claims(run, job, scope))
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*coded, "c2lnbmVk"])


class ArtifactService:
    """The service on a port of its own, from `with` to the end of its block, where it fails when it was misused."""

    def __init__(
        self,
        *,
        keep: Callable[[StoredFile], int] | None = None,
        in_camel_case: bool = False,
        bind: str = "127.0.0.1",
        host: str = "127.0.0.1",
        knows_files: bool = True,
    ) -> None:
        """Make it.

        Args:
            keep: Told of each artifact that is finalized, as GitHub's public API is; gives its number.
            in_camel_case: Answers as act and Gitea do; GitHub itself in snake case.
            bind: The address to listen on.
            host: The name that clients reach it by.
            knows_files: It has version 7; without it, it fails as servers do that know no `mime_type`.
        """
        self._server = Server(bind, self._serve)
        self._keep = keep or (lambda _file: len(self.files) + 100)
        self._in_camel_case = in_camel_case
        self._knows_files = knows_files
        self._lock = threading.Lock()
        self.url = f"http://{host}:{self._server.port}/"
        self.files: list[StoredFile] = []
        self.requests: list[Request] = []
        self.refusals: list[str] = []
        self.faults: list[Fault] = []
        # So many bytes are lost of each block that is kept.
        self.loses = 0

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._server.close()
        if kind is None:
            assert not self.refusals, self.refusals
            assert not self.faults, f"faults that nobody met: {self.faults}"

    def stored(self, name: str) -> StoredFile:
        """The artifact of a name; there is one."""
        (found,) = [file for file in self.files if file.name == name and file.artifact_id]
        return found

    def requested(self) -> list[str]:
        """What was requested, in order."""
        return [request.what for request in self.requests]

    def _serve(self, raw: Raw) -> Reply:
        with self._lock:
            parts = urlsplit(raw.target)
            if parts.path.startswith(SERVICE):
                return self._rpc(parts.path.removeprefix(SERVICE), raw)
            return self._blob(parts.path, {key: each[0] for key, each in parse_qs(parts.query).items()}, raw)

    def _fault(self, what: str, act: Callable[[], Answer]) -> Reply:
        fault = next((fault for fault in self.faults if fault.what == what), None)
        if fault is None:
            return Reply(act())
        self.faults.remove(fault)
        if fault.is_done:
            act()
        return Reply(fault.answer)

    def _rpc(self, method: str, raw: Raw) -> Reply:
        fields: dict[str, Any] = json.loads(raw.body)
        self.requests.append(Request(method, fields, raw.headers, {}, raw.target))
        must, may = FIELDS.get(method, (set(), set()))
        if method not in FIELDS or not must <= fields.keys() <= must | may:
            return self._refused(f"{method} with {sorted(fields)}")
        if raw.method != "POST" or raw.headers.get("content-type") != "application/json":
            return self._refused(f"{method}: {raw.method} of {raw.headers.get('content-type')}")
        token = raw.headers.get("authorization", "").removeprefix("Bearer ")
        run, job = fields[_IDS[0]], fields[_IDS[1]]
        if token != token_of(run, job) and method != "DeleteArtifact":
            return self._refused(f"{method} with ids that are not the token's")
        return self._fault(method, lambda: getattr(self, f"_{method}")(run, job, fields))

    def _refused(self, why: str) -> Reply:
        self.refusals.append(why)
        return Reply(_error(400, why))

    def _CreateArtifact(self, run: str, job: str, fields: dict[str, Any]) -> Answer:  # noqa: N802 - the method's name
        name, version, mime_type = fields["name"], fields["version"], fields.get("mime_type", "")
        if mime_type and not self._knows_files:
            return Answer(500, b"")
        if version >= 7 and "/" not in mime_type:
            return _error(400, "mime_type a valid mime_type is required for this artifact version")
        if version not in {4, 7} or re.search(r'[":<>|*?\r\n\\/]', name):
            return _error(400, "invalid name or version")
        if any(file.run == run and file.name == name for file in self.files):
            return _error(409, TAKEN)
        made = StoredFile(run, job, name, version, mime_type or "application/zip")
        self.files.append(made)
        signed = (
            f"{self.url}container/{made.key}?sv=2025-11-05&se=2026-01-01T00%3A00%3A00Z&sig={quote(made.sig, safe='')}"
        )
        return self._answer({"ok": True, "signed_upload_url": signed})

    def _FinalizeArtifact(self, run: str, job: str, fields: dict[str, Any]) -> Answer:  # noqa: N802
        found = [file for file in self.files if (file.run, file.job, file.name) == (run, job, fields["name"])]
        if not found or found[0].content is None:
            return _error(404, "no such artifact")
        content = found[0].content
        if fields["size"] != str(len(content)) or fields["hash"] != sha256_digest(content):
            return _error(400, "size or hash is not that of what was uploaded")
        if found[0].artifact_id:
            return _error(404, "the artifact is finalized")
        found[0].artifact_id = self._keep(found[0])
        return self._answer({"ok": True, "artifact_id": str(found[0].artifact_id)})

    def _ListArtifacts(self, run: str, _job: str, fields: dict[str, Any]) -> Answer:  # noqa: N802
        wanted = fields.get("name_filter")
        rows = [
            {
                "workflow_run_backend_id": file.run,
                "workflow_job_run_backend_id": file.job,
                "database_id": str(file.artifact_id),
                "name": file.name,
                "size": str(len(file.content or b"")),
                "created_at": "2026-01-01T00:00:00Z",
                "digest": sha256_digest(file.content or b""),
            }
            for file in self.files
            if file.run == run and file.artifact_id and wanted in {None, file.name}
        ]
        return self._answer({"artifacts": rows})

    def _DeleteArtifact(self, run: str, job: str, fields: dict[str, Any]) -> Answer:  # noqa: N802
        found = [file for file in self.files if (file.run, file.job, file.name) == (run, job, fields["name"])]
        if not found:
            return _error(404, "no such artifact")
        self.files.remove(found[0])
        return self._answer({"ok": True, "artifact_id": str(found[0].artifact_id)})

    def _blob(self, path: str, query: Mapping[str, str], raw: Raw) -> Reply:
        what = query.get("comp", "")
        self.requests.append(Request(what, {}, raw.headers, query, raw.target))
        found = [file for file in self.files if path == f"/container/{file.key}"]
        # GitHub's client drops the padding; what else is not as it was signed is refused.
        if not found or query.get("sig", "").rstrip("=") != found[0].sig.rstrip("="):
            return Reply(Answer(403, b"<Error><Code>AuthenticationFailed</Code></Error>"))
        missing = {"x-ms-version", "x-ms-client-request-id", "content-type"} - raw.headers.keys()
        if raw.method != "PUT" or "authorization" in raw.headers or missing or what not in {"block", "blocklist"}:
            return self._refused(f"{raw.method} of {what}, without {sorted(missing)}, or with our token")
        return self._fault(what, lambda: self._kept(found[0], what, query, raw))

    def _kept(self, file: StoredFile, what: str, query: Mapping[str, str], raw: Raw) -> Answer:
        if what == "block":
            if len(raw.body) > BLOCK_BYTES or len({*map(len, file.blocks), len(query["blockid"])}) > 1:
                self.refusals.append("a block that is too large, or ids of several lengths")
            base64.b64decode(query["blockid"], validate=True)
            file.blocks[query["blockid"]] = raw.body[: len(raw.body) - self.loses]
        else:
            listed = [latest.text or "" for latest in ET.fromstring(raw.body)]
            if missing := [each for each in listed if each not in file.blocks]:
                return Answer(400, f"InvalidBlockList {missing}".encode())
            file.content = b"".join([file.blocks[each] for each in listed])
            file.content_type = raw.headers.get("x-ms-blob-content-type", "")
            if file.content_type != file.mime_type:
                self.refusals.append(f"{file.mime_type} stored as {file.content_type!r}")
        return Answer(201, b"")

    def _answer(self, body: dict[str, Any]) -> Answer:
        return Answer(200, _in_camel_case(body) if self._in_camel_case else body)


def _error(status: int, message: str) -> Answer:
    code = {400: "invalid_argument", 403: "permission_denied", 404: "not_found", 409: "already_exists"}[status]
    return Answer(status, {"code": code, "msg": message})


def _in_camel_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {re.sub(r"_(\w)", lambda m: m[1].upper(), key): _in_camel_case(each) for key, each in value.items()}
    return [_in_camel_case(each) for each in value] if isinstance(value, list) else value
