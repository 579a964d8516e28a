"""How `openapi.json` and `webhooks.json` were made from GitHub's published OpenAPI description.

The description is `generated/api.github.com.json` of the npm package `@octokit/openapi` (the version is written into
both files). To make them anew, unpack that package into a folder and run

    .venv/bin/python -m tests.fake_github.trim_openapi FOLDER

What is kept: the operations and events of this module's two tables, and what their schemas reach. What is dropped:
prose, examples, and every key that says nothing about validity. What is rewritten: OpenAPI 3.0 becomes plain JSON
Schema of draft 2020-12 (`nullable`), a limit on page sizes that stands in the prose alone becomes a `maximum`, and
every object is closed against keys that the description does not name: neither raggate nor the fake may use them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_REPO = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/rate_limit": ["get"],
    "/user": ["get"],
    _REPO: ["get"],
    f"{_REPO}/actions/artifacts": ["get"],
    f"{_REPO}/actions/artifacts/{{artifact_id}}": ["get"],
    f"{_REPO}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ["get"],
    f"{_REPO}/actions/runs/{{run_id}}": ["get"],
    f"{_REPO}/actions/runs/{{run_id}}/artifacts": ["get"],
    f"{_REPO}/commits": ["get"],
    f"{_REPO}/commits/{{commit_sha}}/pulls": ["get"],
    f"{_REPO}/compare/{{basehead}}": ["get"],
    f"{_REPO}/issues/comments/{{comment_id}}": ["get", "patch", "delete"],
    f"{_REPO}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{_REPO}/pulls": ["get"],
    f"{_REPO}/pulls/{{pull_number}}": ["get"],
}
# Event and action as a workflow sees them -> name of the webhook in the description.
EVENTS = {
    "issue_comment.created": "issue-comment-created",
    "merge_group.checks_requested": "merge-group-checks-requested",
    "pull_request.closed": "pull-request-closed",
    "pull_request.opened": "pull-request-opened",
    "pull_request.synchronize": "pull-request-synchronize",
    "push": "push",
    "workflow_dispatch": "workflow-dispatch",
    "workflow_run.completed": "workflow-run-completed",
}
# Answers whose schema no operation names, but which every operation may give.
_ALWAYS = ["basic-error", "validation-error"]
# Where GitHub answers null although the description does not say so: the repository of a fork that was deleted.
_NULL_TOO = {
    "pull-request": ("head", "repo"),
    "pull-request-simple": ("head", "repo"),
    "webhook-pull-request-synchronize": ("pull_request", "head", "repo"),
    "workflow-run": ("head_repository",),
    "webhook-workflow-run-completed": ("workflow_run", "head_repository"),
}
_KEPT = {
    "type", "properties", "required", "items", "enum", "oneOf", "anyOf", "allOf", "additionalProperties", "pattern",
    "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "minLength", "maxLength",
}  # fmt: skip
_FORMATS = {"date-time", "uri"}
_PAGE_LIMIT = re.compile(r"\(max (\d+)\)")


def trim(description: Mapping[str, Any]) -> dict[str, Any]:
    """The used operations, as plain JSON Schema: `paths` as in the description, `$defs` what they reach."""
    trimming = _Trimming(_corrected(description["components"]))
    paths = {
        path: {method: trimming.operation(description["paths"][path][method]) for method in methods}
        for path, methods in OPERATIONS.items()
    }
    roots = [paths, [{"$ref": f"#/$defs/{name}"} for name in _ALWAYS]]
    return {"source": _source(description), "paths": paths, "$defs": trimming.reached(roots)}


def trim_webhooks(description: Mapping[str, Any]) -> dict[str, Any]:
    """The payloads of the used events, as plain JSON Schema."""
    trimming = _Trimming(_corrected(description["components"]))
    events = {
        event: trimming.body(description["x-webhooks"][name]["post"]["requestBody"]) for event, name in EVENTS.items()
    }
    return {"source": _source(description), "events": events, "$defs": trimming.reached(events)}


def _source(description: Mapping[str, Any]) -> str:
    return f"@octokit/openapi {description['info']['version']}, generated/api.github.com.json"


def _corrected(components: Mapping[str, Any]) -> Mapping[str, Any]:
    """The components, with null allowed where `_NULL_TOO` says."""
    corrected = deepcopy({kind: components[kind] for kind in ("schemas", "parameters", "responses")})
    for name, (*above, last) in _NULL_TOO.items():
        schema = corrected["schemas"][name]
        for key in above:
            schema = schema["properties"][key]
        schema["properties"][last] = {"nullable": True, "anyOf": [schema["properties"][last]]}
    return corrected


class _Trimming:
    """Trims parts of one description, whose components it knows."""

    def __init__(self, components: Mapping[str, Any]) -> None:
        self._components = components

    def operation(self, operation: Mapping[str, Any]) -> dict[str, Any]:
        """One operation: its id, parameters, bodies."""
        trimmed: dict[str, Any] = {
            "operationId": operation["operationId"],
            "parameters": [self._parameter(self._followed(each)) for each in operation.get("parameters", [])],
            "responses": {
                status: self.body(self._followed(answer)) for status, answer in operation["responses"].items()
            },
        }
        if body := operation.get("requestBody"):
            trimmed["requestBody"] = self.body(body)
        return trimmed

    def body(self, holder: Mapping[str, Any]) -> dict[str, Any] | None:
        """The schema of a JSON body; None when there is none."""
        content = holder.get("content", {}).get("application/json")
        return self.schema(content["schema"]) if content else None

    def reached(self, roots: Any) -> dict[str, Any]:
        """Every component that the roots need, directly or through another."""
        reached: dict[str, Any] = {}
        waiting = list(_references(roots))
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached[name] = self.schema(self._components["schemas"][name])
                waiting += _references(reached[name])
        return dict(sorted(reached.items()))

    def schema(self, schema: Mapping[str, Any], *, closed: bool = True) -> dict[str, Any]:
        """One schema of OpenAPI 3.0 as JSON Schema; the parts of an `allOf` stay open, the whole is closed."""
        if "$ref" in schema and closed:
            return {"$ref": schema["$ref"].replace("#/components/schemas/", "#/$defs/")}
        schema = self._followed(schema)
        plain = {key: self._value(key, value, closed) for key, value in schema.items() if key in _KEPT}
        if schema.get("format") in _FORMATS:
            plain["format"] = schema["format"]
        if "properties" in schema and "anyOf" in schema:
            # Conditions on the properties, no alternatives: they leave other keys alone.
            plain["anyOf"] = [
                {key: each[key] for key in ("properties", "required") if key in each} for each in schema["anyOf"]
            ]
        if closed and "allOf" in plain:
            plain["unevaluatedProperties"] = False
        elif closed and plain.get("properties"):
            plain.setdefault("additionalProperties", False)
        return _nullable(plain) if schema.get("nullable") else plain

    def _value(self, key: str, value: Any, closed: bool) -> Any:  # noqa: FBT001 - passed through
        match key:
            case "properties":
                return {name: self.schema(each, closed=closed) for name, each in value.items()}
            case "items":
                return self.schema(value, closed=closed)
            case "additionalProperties" if isinstance(value, Mapping):
                return self.schema(value, closed=closed)
            case "oneOf" | "anyOf":
                return [self.schema(each, closed=closed) for each in value]
            case "allOf":
                return [self.schema(each, closed=False) for each in value]
            case _:
                return value

    def _followed(self, thing: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference stands for."""
        if "$ref" not in thing:
            return thing
        _, _, kind, name = thing["$ref"].split("/")
        found: Mapping[str, Any] = self._components[kind][name]
        return found

    def _parameter(self, parameter: Mapping[str, Any]) -> dict[str, Any]:
        schema = self.schema(parameter["schema"])
        if limit := _PAGE_LIMIT.search(parameter.get("description", "")):
            schema |= {"minimum": 1, "maximum": int(limit[1])}
        return {
            "name": parameter["name"],
            "in": parameter["in"],
            "required": parameter.get("required", False),
            "schema": schema,
        }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if any(key in schema for key in ("oneOf", "anyOf", "allOf")) or "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    enum = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return schema | {"type": [schema["type"], "null"]} | enum


def _references(thing: Any) -> Iterator[str]:
    if isinstance(thing, Mapping):
        if isinstance(target := thing.get("$ref"), str):
            yield target.removeprefix("#/$defs/")
        for each in thing.values():
            yield from _references(each)
    elif isinstance(thing, list):
        for each in thing:
            yield from _references(each)


def _write(name: str, content: Mapping[str, Any]) -> None:
    (HERE / name).write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    source = json.loads((Path(sys.argv[1]) / "generated" / "api.github.com.json").read_text("utf-8"))
    _write("openapi.json", trim(source))
    _write("webhooks.json", trim_webhooks(source))
