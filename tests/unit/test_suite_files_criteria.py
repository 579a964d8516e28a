"""Criteria and relevance as suites write them: what is read, what is a mistake and where, what it does to a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import SuiteError
from raggate_action.schema.case import Case, MustNot, case_digest
from raggate_action.suite_files import LoadedSuite, load_suite

PANEL = [
    {"name": "ada", "lab": "one", "model": "m", "base_url": "http://127.0.0.1:1/v1", "price": {"input": 1, "output": 1}}
]
SUITE = "suite: s\ncases: [cases.yaml]\ntarget: {kind: recorded, traces: traces.jsonl}\n"


def loaded(folder: Path, cases: str, more: str = "") -> LoadedSuite:
    (folder / "cases.yaml").write_text(cases)
    (folder / "traces.jsonl").write_text('{"case_id": "a", "answer": "x"}\n')
    (folder / "raggate.yaml").write_text(SUITE + more)
    return load_suite(folder / "raggate.yaml", environment={})


def problems(folder: Path, cases: str, more: str = "") -> list[str]:
    with pytest.raises(SuiteError) as caught:
        loaded(folder, cases, more)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def criteria_of(found: LoadedSuite) -> dict[str, tuple[Any, ...]]:
    return {placed.case.case_id: placed.case.criteria for placed in found.cases}


CASES = """\
- {case_id: a, question: q, criteria: [names the fee, {must_not: names a dish as safe}]}
- {case_id: b, question: q, expect: abstain, criteria: [names whom to ask]}
- {case_id: c, question: q}
- {case_id: d, question: q, released: false, blocked_at: behaviour, trace: {answer: x}}
"""


def test_criteria_of_the_suite_stand_behind_a_cases_own_where_an_answer_is_expected(tmp_path: Path) -> None:
    found = loaded(tmp_path, CASES, "criteria: [is polite, {must_not: names a dish as safe}]\n")
    safe = MustNot(must_not="names a dish as safe")
    assert criteria_of(found) == {
        "a": ("names the fee", safe, "is polite"),
        "b": ("names whom to ask",),
        "c": ("is polite", safe),
        "d": (),
    }


def test_a_cases_digest_changes_with_what_is_asked_of_it_and_with_nothing_else(tmp_path: Path) -> None:
    plain = {p.case.case_id: p.digest for p in loaded(tmp_path, CASES).cases}
    asked = {p.case.case_id: p.digest for p in loaded(tmp_path, CASES, "criteria: [is polite]\n").cases}
    assert [name for name in plain if plain[name] != asked[name]] == ["a", "c"]
    # As a case had it before there were criteria.
    bare = Case(case_id="c", question="q")
    assert plain["c"] == case_digest(bare)
    assert "criteria" not in json.dumps(bare.model_dump(mode="json", exclude_defaults=True))


@pytest.mark.parametrize(
    ("criteria", "problem"),
    [
        ("[x, x]", "cases.yaml:1:43: `criteria` has 'x', which stands there already; keep one of them"),
        ("[Is  polite, is polite]", "which stands there already; keep one of them"),
        (
            "[names it, {must_not: names it}]",
            "`criteria` has 'names it', once as it must be and once as it must not; keep one of them",
        ),
        ("[' ']", "cases.yaml:1:40: an entry of `criteria` is ' '; write some text"),
        ("[{must_not: ''}]", "`must_not` is ''; write some text"),
        ("[{mustnot: x}]", "unknown key `mustnot`; did you mean `must_not`?"),
        ("names it", "write a list, as in [a, b]"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(tmp_path: Path, criteria: str, problem: str) -> None:
    found = problems(tmp_path, f"- {{case_id: a, question: q, criteria: {criteria}}}\n")
    assert any(problem in line for line in found), found


def test_what_is_wrong_with_the_suites_own_is_told_there(tmp_path: Path) -> None:
    assert any(
        "raggate.yaml:4:15: `criteria` has 'x', which stands there already" in line
        for line in problems(tmp_path, CASES, "criteria: [x, x]\n")
    )


def test_criteria_that_nobody_judges_are_pointed_out(tmp_path: Path) -> None:
    remark = "criteria of case `a` and 1 more are judged by nobody; name judges (`judges:`)"
    assert remark in loaded(tmp_path, CASES).remarks
    judges = f"judges: {json.dumps({'panel': PANEL})}\n"
    assert not any("judged by nobody" in each for each in loaded(tmp_path, CASES, judges).remarks)
    assert not any("judged by nobody" in each for each in loaded(tmp_path, "- {case_id: c, question: q}\n").remarks)


@pytest.mark.parametrize("words", ["does not name a dish as safe", "Doesn't promise a refund", "never names a price"])
def test_a_criterion_that_something_is_left_out_is_pointed_out(tmp_path: Path, words: str) -> None:
    judges = f"judges: {json.dumps({'panel': PANEL})}\n"
    [remark] = [
        each
        for each in loaded(tmp_path, f'- {{case_id: a, question: q, criteria: ["{words}"]}}\n', judges).remarks
        if "criteria of" in each
    ]
    assert "write it as `{must_not: ...}`" in remark
    said = '- {case_id: a, question: q, criteria: ["says that it does not know", {must_not: never mind}]}\n'
    assert not any("criteria of" in each for each in loaded(tmp_path, said, judges).remarks)


def test_relevance_is_asked_for_where_somebody_wants_to_pay_for_it(tmp_path: Path) -> None:
    assert not loaded(tmp_path, CASES, f"judges: {json.dumps({'panel': PANEL})}\n").suite.judges.relevance  # type: ignore[union-attr]
    judges = f"judges: {json.dumps({'panel': PANEL, 'relevance': True})}\n"
    assert loaded(tmp_path, CASES, judges).suite.judges.relevance  # type: ignore[union-attr]
