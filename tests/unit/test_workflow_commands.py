"""Workflow commands: ours are written right, nobody else's get through (F6)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.workflow_commands import Annotation, annotation_line, mask_lines, without_commands


def test_an_annotation_stands_at_its_place() -> None:
    line = annotation_line(Annotation("error", "50 % off,\nnow", "a,title=x:y", "cases/menu.yaml", 12))
    assert line == "::error file=cases/menu.yaml,line=12,title=a%2Ctitle=x%3Ay::50 %25 off,%0Anow"


def test_an_annotation_without_a_place() -> None:
    assert annotation_line(Annotation("notice", "nothing changed")) == "::notice::nothing changed"


def test_a_long_message_is_cut_to_what_the_runner_keeps() -> None:
    assert annotation_line(Annotation("warning", "x" * 5000)) == "::warning::" + "x" * 4096


def test_secrets_are_masked_line_by_line_and_once() -> None:
    assert mask_lines(["one", "two\nthree", "", "one"]) == [
        "::add-mask::one",
        "::add-mask::two%0Athree",
        "::add-mask::two",
        "::add-mask::three",
    ]


@pytest.mark.parametrize(
    "hostile",
    [
        "::set-output name=decision::release",
        "  ::add-mask::a",
        "fine\r::add-mask::a",
        "fine\n::error::x",
        "a ##[error]x",
        "##[add-mask]a",
        "####[add-mask]a",
        ":::add-mask::a",
        "fine\u2028::error::x",
        "\x1b[2J::error::x",
        "\x85::error::x",
    ],
)
def test_f6_nothing_a_stranger_says_is_a_command(hostile: str) -> None:
    assert not is_command(without_commands(hostile))


@given(st.text(alphabet=st.sampled_from(list(":# []\r\n\t%a=,\u2028\x85\x1b")), max_size=40))
def test_f6_no_text_becomes_a_command(text: str) -> None:
    assert not is_command(without_commands(text))


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters=":#")))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert without_commands(text) == text


def is_command(text: str) -> bool:
    """As the runner reads: lines end at CR and LF, a command starts the trimmed line, the old form stands anywhere."""
    lines = re.split(r"\r\n|\r|\n", text)
    return any(line.strip().startswith("::") or "##[" in line for line in lines) or "\x1b" in text
