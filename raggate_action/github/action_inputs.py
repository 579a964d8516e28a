"""The action's inputs, as the workflow's author wrote them under `with:`. action.yml has the same table."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError

from raggate_action.errors import UsageError
from raggate_action.schema.base import Record
from raggate_action.schema.comment_marker import instance_of
from raggate_action.version import INPUTS

CommentMode = Literal["always", "changes", "failures", "off"]
UploadMode = Literal["auto", "off", "required"]
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


def _flag(value: Any) -> Any:
    word = str(value).strip().lower()
    return word in _TRUE if word in _TRUE | _FALSE else value


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


Flag = Annotated[bool, BeforeValidator(_flag)]
Instance = Annotated[str, BeforeValidator(instance_of)]


class ActionInputs(Record):
    """The action's inputs; a field `target_url` is the input `target-url`.

    An input left empty has its default, as an expression without a value gives an empty text. What each means stands
    in action.yml, word for word in the table of docs/pull-requests.md.
    """

    suite: str = "raggate.yaml"
    working_directory: str = "."
    scope: str = "auto"
    target_url: str | None = None
    traces: str | None = None
    requirements: str | None = None
    baseline: str = "auto"
    artifact_name: str | None = None
    upload: UploadMode = "auto"
    instance: Instance = ""
    comment: CommentMode = "always"
    annotations: Flag = True
    fork: Literal["fail", "advise"] = "fail"
    pr_number: Annotated[int, BeforeValidator(_number), Field(ge=1)] | None = None
    github_token: Annotated[SecretStr, BeforeValidator(SecretStr)] | None = None


INPUT_NAMES = tuple(name.replace("_", "-") for name in ActionInputs.model_fields)


def read_inputs(environment: Mapping[str, str]) -> ActionInputs:
    """The inputs from `INPUT_*`, as a runner sets them: upper case, hyphens kept.

    Raises:
        UsageError: Every input that cannot be used, with what to write; values of secrets are not shown.
    """
    given = {
        name.replace("-", "_"): value
        for name in INPUT_NAMES
        if (value := environment.get(f"INPUT_{name.upper()}", "").strip())
    }
    try:
        return ActionInputs.model_validate(given)
    except ValidationError as error:
        found = [_problem(each["loc"][0], each["input"], each) for each in error.errors(include_url=False)]
    raise UsageError("; ".join(found), hint=f"Every input and what it may be: {INPUTS}")


def _problem(field: Any, value: Any, error: Any) -> str:
    name = str(field).replace("_", "-")
    expected = str(error.get("ctx", {}).get("expected", ""))
    if error["type"] == "literal_error":
        near = get_close_matches(str(value), [word.strip("' ") for word in expected.replace(" or ", ", ").split(",")])
        meant = f"; did you mean {near[0]}?" if near else ""
        return f"input `{name}` is {str(value)[:40]!r}; write {expected}{meant}"
    kind = "true or false" if error["type"].startswith("bool") else "a number above 0"
    return f"input `{name}` is {str(value)[:40]!r}; write {kind}"
