"""Reasons, bars and measured values: records in the core, words in the reports alone."""

from __future__ import annotations

import ast
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from raggate_action.report.decision_words import (
    bar_in_words,
    change_in_words,
    gate_in_words,
    measured_in_words,
    reason_in_words,
)
from raggate_action.schema.base import rate_of
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Bar, Cause, Decision, Kind, Measured, Operator, Reason, RunGate, Unit
from raggate_action.schema.waived import Waiver
from tests.golden.builders import RELEASED, case_rows, first, make_reporting

PACKAGE = Path(__file__).parents[2] / "raggate_action"


def bar(operator: Operator = ">=", amount: str = "0.95", unit: Unit = "share", **fields: Any) -> Bar:
    return Bar(operator=operator, amount=Decimal(amount), unit=unit, **fields)


def gate(**fields: Any) -> RunGate:
    given: dict[str, Any] = {"gate": "faithfulness", "level": "block", "status": "failed", "bar": bar(), **fields}
    return RunGate(**given)


def waiver(case: str) -> Waiver:
    return Waiver(case=case, gate="answered", reason="known", owner="@team", expires=date(2026, 5, 31))


def named(case_id: str, problem: str = "", **fields: Any) -> Change:
    return first(case_id, problem, **{"gate": "faithfulness", **fields})


GATES = (
    gate(passed=2, scored=3),
    gate(gate="answered", passed=0, scored=0),
    gate(gate="candidate_recall", status="unmeasured", offenders=(named("q1", "unmeasured-judge: none"),)),
)
REASONS: list[tuple[Reason, str]] = [
    # 2 of 3 is 66.66... %: rates are rounded half up.
    ("faithfulness", "faithfulness failed: 2 of 3 passed (66.7 %), the bar is ≥ 95 %"),
    ("answered", "answered failed: 0 of 0 passed, the bar is ≥ 95 %"),
    (
        "candidate_recall",
        "candidate_recall could not be measured; first: q1: judges gave no usable verdict: none",
    ),
    (Cause(kind="nothing-answered", asked=1), "the app did not answer the only case"),
    (Cause(kind="nothing-answered", asked=2, cause="refused"), "the app did not answer any of 2 cases: refused"),
    (
        Cause(kind="nothing-answered", asked=2, cause="no", case_id="q"),
        "the app did not answer any of 2 cases; first q: no",
    ),
    (
        Cause(kind="store-knows-none", ids=143, traces=20, first="kb/1"),
        (
            "0 of 143 ids known: the evidence store has no chunk id that 20 traces name; first: kb/1. Let the app report the "
            "store's `chunk_id` or texts, or name under `evidence:` what it answers from"
        ),
    ),
    (
        Cause(kind="waivers-expired", waivers=(waiver("q1"),), expired=1),
        "a waiver has expired and covers nothing: answered of q1 (2026-05-31, @team)",
    ),
    (
        Cause(kind="waivers-expired", waivers=(waiver("q1"),), expired=4),
        "4 waivers have expired and cover nothing: answered of q1 (2026-05-31, @team); and 3 more",
    ),
]


@pytest.mark.parametrize(("reason", "words"), REASONS, ids=[words for _reason, words in REASONS])
def test_a_reason_in_words(reason: Reason, words: str) -> None:
    stored = Decision(kind="block", reasons=(reason,)).model_dump_json()
    (back,) = Decision.model_validate_json(stored).reasons
    assert reason_in_words(back, make_reporting((), RELEASED, gates=GATES).run) == words, "and read back from a file"


def test_what_a_run_itself_tells_is_a_reason_by_name() -> None:
    """The counts stand in the verdict line; a gate that measured nothing is not called passed."""
    warned = gate(gate="new_suspects", level="warn", passed=0, scored=1)
    idle = gate(gate="agreement", status="unmeasured", unmeasured=1)
    run = make_reporting(case_rows("a  passed\nb  passed"), RELEASED, gates=(gate(status="passed"),), in_scope=9).run
    assert reason_in_words("released", run) == "every gate passed"
    mixed = run.model_copy(update={"gates": (warned, idle)})
    assert reason_in_words("released", mixed) == (
        "every blocking gate passed except agreement, which measured nothing; failed and only warns: new_suspects"
    )
    assert reason_in_words("stopped", run) == "not finished: 2 of 9 cases had finished"
    assert reason_in_words("nothing-in-scope", run) == "no case is in scope: nothing was evaluated"


def test_every_kind_of_reason_and_measure_has_words() -> None:
    causes = {reason.kind for reason, _words in REASONS if isinstance(reason, Cause)}
    assert causes == set(get_args(Cause.model_fields["kind"].annotation))
    # What is measured of weaker demands is the gates themselves, see below.
    assert {measured.kind for measured, _bar, _words in MEASURED} == set(get_args(Kind)) - {"weakenings"}


MEASURED: list[tuple[Measured, Bar, tuple[str, str]]] = [
    (Measured(kind="cases", hits=1, looked_at=100), bar("==", "0", "cases"), ("1 of 100 cases", "none are allowed")),
    (
        Measured(kind="alone", cut=1, same_for_all=3, hits=4, looked_at=9),
        bar("==", "0", "cases"),
        ("4 of 9 cases", "none are allowed"),
    ),
    (
        Measured(kind="cases", hits=1, looked_at=9),
        bar("==", "0", "new cases"),
        ("1 of 9 cases", "no new ones are allowed"),
    ),
    # 1 of 3 is 33.33... %.
    (Measured(kind="cases", hits=1, looked_at=3), bar("<=", "0.02"), ("33.3 % (1 of 3 cases)", "the bar is ≤ 2 %")),
    (
        Measured(kind="unmeasured", unmeasured=2, cases=7, removed=1),
        bar("<=", "0.02", allowed=1),
        ("2 of 7 cases and 1 removed", "the bar is ≤ 2 %, here 1"),
    ),
    (
        Measured(kind="slices", red=1, slices=3, watched=1, unmeasured=1),
        bar(each=True),
        ("1 of 3 red, 1 on watch, 1 not measured", "the bar is each ≥ 95 %"),
    ),
    (
        Measured(kind="advice", of="facts", good=7, total=9),
        bar(">=", "0.95", "share"),
        ("advises: 7 of 9 facts stated", "the bar is ≥ 95 %"),
    ),
    (
        Measured(kind="advice", of="criteria", good=1_000, total=1_200),
        bar(">=", "0.95", "share"),
        ("advises: 1,000 of 1,200 criteria met", "the bar is ≥ 95 %"),
    ),
    (
        Measured(kind="arms", treatment=1, control=9, tie=1, p=rate_of(11, 1024)),
        bar(">", "0.05", "p"),
        # 1024 / 11 is 93.1.
        (
            "base branch 9, this run 1 of 11 questions; chance alone gives such a difference once in 93",
            "the bar is oftener than once in 20",
        ),
    ),
    (
        # By the test alone it would have passed.
        Measured(kind="arms", treatment=2, control=4, tie=4, p=rate_of(63, 1024), harmed=1),
        bar(">", "0.05", "p"),
        ("every judge prefers the base branch's answer on 1 protected question", "none are allowed"),
    ),
    (Measured(kind="amount", amount=900.0), bar("<=", "800.0", "ms"), ("900 ms", "the bar is ≤ 800 ms")),
    (Measured(kind="amount", amount=800.02), bar("<=", "800.01", "ms"), ("800.02 ms", "the bar is ≤ 800.01 ms")),
    (Measured(kind="amount", amount=0.42009), bar("<=", "0.42001", "usd"), ("$0.42009", "the bar is ≤ $0.42001")),
    (
        Measured(kind="shift", before=10000, after=9400, cases=100),
        bar("<=", "0.05", "score"),
        ("1.00 to 0.94 (0.06 lower), 100 cases", "the bar is ≤ 0.05 lower"),
    ),
    (
        Measured(kind="shift", before=90000, after=84999, cases=1000),
        bar("<=", "0.05", "score"),
        ("0.90 to 0.84 (0.05001 lower), 1000 cases", "the bar is ≤ 0.05 lower"),
    ),
    (
        Measured(kind="shift", before=1, after=4, cases=100),
        bar("<=", "2.0", "points"),
        ("1.0 % to 4.0 % (3 points higher), 100 cases", "the bar is ≤ 2 points higher"),
    ),
    (
        Measured(kind="shift", before=4, after=1, cases=100),
        bar("<=", "2.0", "points"),
        ("4.0 % to 1.0 %, 100 cases", "the bar is ≤ 2 points higher"),
    ),
]


@pytest.mark.parametrize(("measured", "asked", "words"), MEASURED, ids=[words[0] for *_rest, words in MEASURED])
def test_a_measure_beside_its_bar(measured: Measured, asked: Bar, words: tuple[str, str]) -> None:
    judged = gate(measured=measured, bar=asked)
    assert measured_in_words(judged) == words[0]
    assert gate_in_words(judged) == f"failed: {words[0]}, {words[1]}"


OFFENDERS: list[tuple[Change, str]] = [
    (named("q1", "source-missing: c1 not in context"), "q1: c1 not in context"),
    (named("q1"), "q1"),
    (named("q1", "point-missing: p1", move="same"), "q1 (carried): it misses the point p1"),
    (named("q1", "removed"), "q1: removed from the suite"),
    (named("q1", "not-blocked: target"), "q1: had to be blocked at target"),
    (named("", "slice: a=b: 1 of 2 (50.0 %)", gate="slices"), "a=b: 1 of 2 (50.0 %)"),
    (named("", gate="behaviour"), "behaviour does not pass"),
]


@pytest.mark.parametrize(
    ("gates", "offending", "words"),
    [
        (1, 1, "1 gate fails by the base branch's suite"),
        (3, 3, "3 gates fail by the base branch's suite"),
    ],
)
def test_weaker_demands_are_measured_by_gates_and_told_by_the_first(gates: int, offending: int, words: str) -> None:
    judged = gate(
        gate="policy_weakened",
        status="failed" if gates else "passed",
        measured=Measured(kind="weakenings", weakenings=4, gates=gates),
        offenders=(named("", gate="behaviour"),) if gates else (),
        offending=offending,
    )
    assert measured_in_words(judged) == words
    if gates:
        more = "; and 2 more gates" if gates == 3 else ""
        assert gate_in_words(judged) == f"failed: by the base branch's suite behaviour does not pass{more}"


@pytest.mark.parametrize(("offender", "words"), OFFENDERS, ids=[words for _offender, words in OFFENDERS])
def test_an_offender_in_words(offender: Change, words: str) -> None:
    assert change_in_words(offender) == words


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (bar(), "≥ 95 %"),
        (bar(each=True), "each ≥ 95 %"),
        (bar("==", "1"), "100 %"),
        (bar("==", "0", "cases"), "none"),
        (bar("==", "0", "new cases"), "none new"),
        (bar("<=", "2", "cases"), "≤ 2 cases"),
        (bar("<=", "8000.0", "ms"), "≤ 8000 ms"),
    ],
    ids=str,
)
def test_a_bar_in_words(asked: Bar, words: str) -> None:
    assert bar_in_words(gate(bar=asked)) == words


@pytest.mark.parametrize("amount", ["1e-999999999", "1e999999999", "-0.1", "NaN", "Infinity", "0e-999999999"])
def test_an_amount_that_could_not_be_written_out_is_refused(amount: str) -> None:
    with pytest.raises(ValidationError):
        Bar.model_validate_json(f'{{"operator": "<=", "amount": "{amount}", "unit": "share"}}')


@pytest.mark.parametrize("amount", [5e-324, 1e-7, 0.1, 1e12])
def test_every_amount_that_a_suite_may_set_is_a_bar(amount: float) -> None:
    asked = Bar(operator="<=", amount=Decimal(str(amount)), unit="usd")
    assert Bar.model_validate_json(asked.model_dump_json()) == asked
    assert bar_in_words(gate(bar=asked, measured=Measured(kind="amount", amount=amount))).startswith("≤ $")


# --- where the words are


def constants(path: Path) -> set[str]:
    """The texts of a module, its docstrings aside."""
    tree = ast.parse(path.read_text())
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return texts - {text for text in docstrings if text is not None}


def test_no_sentence_about_a_reason_or_a_bar_stands_in_core_or_schema() -> None:
    modules = ("decision_words",)
    spoken = {text.strip(" ,:;()") for name in modules for text in constants(PACKAGE / "report" / f"{name}.py")}
    phrases = {text for text in spoken if len(text.split()) > 1 and len(text) > 8} - set(get_args(Unit))
    assert "the app did not answer" in phrases
    assert "none are allowed" in phrases
    assert "1 gate fails" in phrases
    found = [
        (path.relative_to(PACKAGE).as_posix(), text)
        for folder in ("core", "schema")
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for text in constants(path)
        if any(phrase in text for phrase in phrases)
    ]
    assert found == []


# What speaks of a reason or a bar, as a record or in words, and what would read words back.
SPEAKERS = {
    "Reason",
    "RunGate",
    "reasons",
    "bar",
    "reason_in_words",
    "all_reasons",
    "bar_in_words",
    "measured_in_words",
}
READERS = {"partition", "rpartition", "split", "replace", "startswith", "endswith", "removeprefix"}


def test_no_expression_in_the_reports_reads_a_reason_or_a_bar_back() -> None:
    rooms = [*(PACKAGE / "report").glob("*.py"), PACKAGE / "run" / "decision_text_and_exit_code.py"]
    speaking = 0
    for path in rooms:
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            names = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
            names |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            if names & SPEAKERS:
                speaking += 1
                assert not names & (READERS | {"re"}), f"{path.name}: {function.name}"
    assert speaking >= 10, "it looks at those that speak"
