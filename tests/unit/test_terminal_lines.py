"""What a run says on a terminal: a block says what to repair and the way out, a release what a reader has to weigh."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from raggate_action.core.decision.poorer_gate import poorer_gate
from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.decision_view import decision_box
from raggate_action.report.fault_list import fault_lines
from raggate_action.report.plain_sink import plain
from raggate_action.report.report_input import Reporting
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.comparison import GoneSources
from raggate_action.schema.main_answers import OwnRate, PoorerAnswers, PoorerCase, PoorerReason
from raggate_action.schema.policy import Gates
from tests import situations
from tests.golden import pages
from tests.golden.builders import RELEASED, blocked, case_rows, make_comparison, make_reporting, make_row

OLD = "old  failed  admissibility  superseded-chunk: c1 in context"


def told_first(reporting: Reporting) -> str:
    """What is to be repaired first; empty where nothing is."""
    found = [line for line in outcome_lines(reporting) if line.startswith("  first fault: ")]
    return found[0].removeprefix("  first fault: ") if found else ""


def notes(reporting: Reporting) -> list[str]:
    return [line.removeprefix("  note: ") for line in outcome_lines(reporting) if line.startswith("  note: ")]


def poorer(cases: int, *, rows: str = "a  passed") -> Reporting:
    """So many of 22 answers stopped before the end."""
    cut = PoorerCase(case_id="q1", reasons=(PoorerReason(state="cut", here="It takes"),))
    found = PoorerAnswers(compared=22, poorer=cases, states={"cut": cases}, listed=(cut,))
    comparison = make_comparison(poorer=found)
    gate = poorer_gate(comparison, Gates().poorer)
    assert gate is not None
    decision = blocked(gate) if gate.status == "failed" else RELEASED
    return make_reporting(case_rows(rows), decision, gates=(gate,), comparison=comparison)


@pytest.mark.parametrize(
    ("situation", "first"),
    [
        pytest.param(situations.weakened, "The suite is not the", id="a suite that demands less"),
        pytest.param(
            lambda: poorer(9),
            "9 poorer than on the baseline (2 allowed): 9 answers stopped before the end",
            id="poorer",
        ),
        pytest.param(lambda: poorer(9, rows=OLD), "9 poorer than on the baseline", id="most of the fault"),
        pytest.param(situations.block_of_one, "1 answer contradicted the evidence", id="a stage"),
    ],
)
def test_whatever_blocks_is_repaired_in_the_words_of_the_comment(
    situation: Callable[[], Reporting], first: str
) -> None:
    reporting = situation()
    said = told_first(reporting)
    assert said.startswith(first)
    assert said in [plain(line.words) for line in fault_lines(reporting, COMMENT_EXTENTS[0])]


def test_the_way_out_of_a_block_is_in_its_line() -> None:
    for reporting, gate in ((situations.weakened(), "policy_weakened"), (poorer(9), "poorer")):
        assert "Way out:" in told_first(reporting)
        assert f"gate: {gate}, " in told_first(reporting)


def test_what_stays_within_its_bar_is_not_to_be_repaired_but_read() -> None:
    reporting = poorer(1)
    assert told_first(reporting) == ""
    assert notes(reporting)[0].startswith(
        "Poorer than on the baseline: 1 answer stopped before the end: q1. It stopped before the end: “It takes”."
    )
    assert not notes(poorer(9)), "told as what to repair"


def test_a_release_names_a_document_that_no_longer_reaches_the_model() -> None:
    gone = GoneSources(sources=1, named=("fees.md",), cases=3)
    reporting = make_reporting(case_rows("a  passed"), RELEASED, comparison=make_comparison(gone_sources=gone))
    assert notes(reporting) == ["fees.md no longer reaches the model: 3 cases showed it on the baseline, none here."]


def test_a_release_tells_a_hallucination_that_was_excused_as_chance() -> None:
    rate = OwnRate(main_false=0, main_answers=23, here_false=1, here_answers=28)
    row = make_row(5, state="flaky", own_rate=rate)
    reporting = make_reporting(
        case_rows("a  passed"), RELEASED, comparison=make_comparison(compared=23), listed={"flaky": (row,)}
    )
    counts = reporting.run.counts.model_copy(update={"flaky": 1})
    reporting = reporting._replace(run=reporting.run.model_copy(update={"counts": counts}))
    (note,) = notes(reporting)
    assert note == (
        f"Hallucination in a single answer: {row.case_id}. The baseline has too few answers to tell it from chance "
        "(baseline: none in 23 answers; here: 1 in 28), so it is not counted as new. Run the "
        "baseline three times first; two such answers then count."
    )


def test_a_value_that_nothing_can_judge_is_to_be_read() -> None:
    why = PoorerReason(state="changed-value", value="45 euros → 10 euros", here="It costs 10 euros.", shown=True)
    found = PoorerAnswers(compared=22, listed=(PoorerCase(case_id="fee", reasons=(why,)),))
    (note,) = notes(make_reporting((), RELEASED, comparison=make_comparison(poorer=found)))
    assert note.startswith(
        "Changed since the baseline, please read: 1 answer gave another value: fee. It gave another value "
        "(45 euros → 10 euros) (for information, does not block)"
    )


def test_an_app_that_was_never_asked_has_no_counts() -> None:
    told = pages.unreachable()
    assert outcome_lines(told)[0].startswith("raggate: INCONCLUSIVE · menu · 0 passed · 2 failed")
    counts = told.run.counts.model_copy(update={"failed": 0, "unmeasured": 2})
    told = told._replace(run=told.run.model_copy(update={"counts": counts}))
    assert outcome_lines(told)[0] == "raggate: INCONCLUSIVE · menu"
    assert plain(decision_box(told, COMMENT_EXTENTS[0]).line) == "Inconclusive · suite menu"
