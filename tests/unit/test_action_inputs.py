"""What stands under `with:`: defaults, strictness, and what is said of a mistake."""

from __future__ import annotations

import pytest

from raggate_action.errors import UsageError
from raggate_action.github.action_inputs import INPUT_NAMES, ActionInputs, read_inputs


def given(**inputs: str) -> dict[str, str]:
    """As a runner sets them: upper case, the hyphen kept, an input left out empty."""
    names = dict.fromkeys(INPUT_NAMES, "") | {name.replace("_", "-"): text for name, text in inputs.items()}
    return {f"INPUT_{name.upper()}": text for name, text in names.items()}


def test_inputs_left_empty_have_their_defaults() -> None:
    assert read_inputs(given()) == ActionInputs() == read_inputs({})


def test_inputs_are_read_as_what_they_mean() -> None:
    inputs = read_inputs(given(comment="changes", annotations=" OFF", pr_number="12", target_url=" http://app:8080 "))
    assert (inputs.comment, inputs.annotations) == ("changes", False)
    assert (inputs.pr_number, inputs.target_url) == (12, "http://app:8080")


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        pytest.param(
            {"comment": "alway"},
            "input `comment` is 'alway'; write 'always', 'changes', 'failures' or 'off'; did you mean always?",
            id="a misspelt mode",
        ),
        pytest.param(
            {"annotations": "maybe"}, "input `annotations` is 'maybe'; write true or false", id="no truth value"
        ),
        pytest.param({"pr_number": "#12"}, "input `pr-number` is '#12'; write a number above 0", id="no number"),
        pytest.param({"pr_number": "0"}, "input `pr-number` is '0'; write a number above 0", id="number 0"),
    ],
)
def test_a_mistake_is_named_with_what_to_write(inputs: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        read_inputs(given(**inputs))
    assert str(error.value) == said


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(UsageError, match=r"`comment`.*; input `fork`"):
        read_inputs(given(comment="x", fork="y"))


def test_a_token_is_not_shown_by_accident() -> None:
    inputs = read_inputs(given(**{"github-token": "ghs_secret"}))
    assert "ghs_secret" not in repr(inputs)
    assert inputs.github_token is not None
    assert inputs.github_token.get_secret_value() == "ghs_secret"
