"""When citations count: as the suite declares, as at least half of the answers do, as the baseline's did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import conclude, head_of, index_stored, recount, texts_of
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.outcome import NotApplicable, Outcome
from raggate_action.schema.run import Invocation, Policy, Run, RunDescription, SuiteCase
from tests.row_builders import failed, in_words, make_row, passed
from tests.stored_runs import MORNING, make_started

CITES_NOTHING = NotApplicable(why="the answer cites nothing")


def answer(position: int, cited: str | None = None, *, itemised: bool = False, **fields: Any) -> CaseRun:
    """A supported claim of c1 that cites what is given: c1 rightly, another chunk wrongly, or nothing."""
    claim = Claim(
        claim_id="1",
        text="It is so.",
        start=None if itemised else 0,
        end=None if itemised else 9,
        citations=(cited,) if cited else (),
        verdict="supported",
        supported_by=("c1",),
    )
    outcome: Outcome = CITES_NOTHING
    if cited is not None:
        share = (int(cited == "c1"), 1)
        outcome = passed(share) if cited == "c1" else failed("citation-unsupported", f"{cited} does not", share)
    outcomes = {"citation_support": outcome}
    return make_row(position, claims=(claim,), context=("c1", "c2"), outcomes=outcomes, **fields)


def suite_of(rows: Sequence[CaseRun], left_out: int = 0) -> tuple[SuiteCase, ...]:
    cases = [(row.case_id, row.digest, True) for row in rows]
    return (*cases, *((f"other-{n}", "d", False) for n in range(left_out)))


def run_of(
    rows: Sequence[CaseRun],
    *,
    baseline: BaselineIndex | None = None,
    left_out: int = 0,
    cites: bool | None = None,
    **policy: Any,
) -> Reporting:
    judged = Policy(**policy)
    invocation = Invocation(cites=cites, baseline="main-run" if baseline else None)
    started = {**dict(make_started()), "complete": True, "policy": judged, "decided_at": MORNING}
    head = RunDescription(
        **{**started, "suite_size": len(rows) + left_out, "in_scope": len(rows), "invocation": invocation}
    )
    count = Count(judged, decided_on=head.decided_on, baseline=baseline, known=Known(cites))
    for row in rows:
        count.add(row)
    cases = suite_of(rows, left_out)
    reporting = conclude(head, *count.counted(cases))
    return reporting._replace(run=reporting.run.model_copy(update={"suite_cases": cases}))


def indexed(reporting: Reporting, rows: Sequence[CaseRun]) -> BaselineIndex:
    stored = Run.model_validate_json(reporting.run.model_dump_json())
    return index_stored(stored, lambda: rows)


def gate_of(reporting: Reporting) -> tuple[str, int | None, int | None]:
    gate = next((gate for gate in reporting.run.gates if gate.gate == "citation_support"), None)
    return ("not scored", None, None) if gate is None else (gate.status, gate.passed, gate.scored)


def answers(cases: int, citing: int, wrong: int = 0) -> list[CaseRun]:
    """So many answers; the first ones cite, and the very first of them wrongly."""
    return [answer(n, "c2" if n < wrong else "c1" if n < citing else None) for n in range(cases)]


@pytest.mark.parametrize(
    ("rows", "policy", "decision", "gate"),
    [
        pytest.param(answers(300, 10, 1), {}, "release", ("not scored", None, None), id="ten of 300 cite, one wrongly"),
        pytest.param(answers(20, 9, 1), {}, "release", ("not scored", None, None), id="fewer than half"),
        pytest.param(answers(20, 10, 1), {}, "block", ("failed", 9, 10), id="half of them are an app that cites"),
        pytest.param(answers(20, 10), {}, "release", ("passed", 10, 10), id="what cites nothing is left to coverage"),
        pytest.param(answers(300, 10, 1), {"citations": True}, "block", ("failed", 9, 10), id="the suite declares them"),
        pytest.param(
            [*answers(20, 0), answer(20, "c2", itemised=True)], {}, "block", ("failed", 0, 1), id="the app itemises"
        ),
    ],
)  # fmt: skip
def test_citations_count_where_they_are_declared_or_usual(
    rows: list[CaseRun], policy: dict[str, Any], decision: str, gate: tuple[str, int | None, int | None]
) -> None:
    reporting = run_of(rows, **policy)
    assert (reporting.run.decision.kind, gate_of(reporting)) == (decision, gate)
    # A case whose only failure does not count has not failed.
    assert (reporting.run.counts.failed == 0) == (decision == "release")
    assert (not reporting.run.stages) == (decision == "release")


def test_a_citation_that_leads_astray_is_told_where_it_does_not_count() -> None:
    (note,) = [each for each in run_of(answers(300, 10, 1)).run.remarks if "citation" in each]
    assert note == (
        "10 of 300 answers cite, fewer than half, and the suite does not declare citations: "
        "citation support is not scored; 1 of them leads elsewhere: q0."
    )


def test_a_new_citation_fault_blocks_though_citations_do_not_count() -> None:
    before = answers(300, 10)
    baseline = indexed(run_of(before), before)
    after = run_of(answers(300, 10, 1), baseline=baseline)
    assert after.run.decision.kind == "block"
    assert [why.split(":")[0] for why in in_words(after.run.decision)] == ["newly_miscited failed"]
    same = answers(300, 10, 1)
    assert run_of(same, baseline=indexed(run_of(same), same)).run.decision.kind == "release"


def test_an_app_that_cited_and_stopped_fails() -> None:
    before, after = answers(20, 19), answers(20, 0)
    baseline = indexed(run_of(before), before)
    stopped = run_of(after, baseline=baseline)
    assert (stopped.run.decision.kind, gate_of(stopped)) == ("block", ("failed", 0, 19))
    assert "nothing is cited for “It is so.”, and the baseline's answer cited" in in_words(stopped.run.decision)[0]
    assert stopped.comparison is not None
    assert stopped.comparison.regressed == 19
    # One answer that forgets its citation is noise, and so are a few: the app still cites.
    assert run_of(answers(20, 15), baseline=baseline).run.decision.kind == "release"
    # Who never cited has not stopped.
    never = answers(20, 4)
    assert run_of(after, baseline=indexed(run_of(never), never)).run.decision.kind == "release"


@pytest.mark.parametrize(
    ("cases", "citing", "scored"),
    [
        pytest.param(300, 10, False, id="the part that cites, of an app that does not"),
        pytest.param(20, 18, True, id="a part of an app that cites"),
    ],
)
def test_a_part_of_the_suite_counts_citations_as_the_whole_did(cases: int, citing: int, *, scored: bool) -> None:
    part = answers(3, 3, 1)
    before = answers(cases, citing, 1)
    baseline = indexed(run_of(before), before)
    reporting = run_of(part, baseline=baseline, left_out=cases - 3)
    assert (gate_of(reporting)[0] != "not scored") == scored
    # The part tells its own successor what the whole found.
    assert indexed(reporting, part).app_cites == scored


def test_the_printed_command_says_what_the_whole_found() -> None:
    rows = answers(300, 10, 1)
    run = run_of(rows).run
    assert repeat_command("q0", run) == "raggate-action run raggate.yaml --case q0 --cites no"
    again = run_of(rows[:1], left_out=299, cites=False)
    assert (again.run.decision.kind, again.run.counts.failed) == ("release", 0)
    assert run_of(rows[:1], left_out=299).run.decision.kind == "block", "it does not know of the others"
    # Nothing is printed that changes nothing.
    for others in (answers(20, 0), answers(20, 20, 1)):
        assert "--cites" not in repeat_command("q0", run_of(others).run)
    # An app that cites now, beside a baseline that did not.
    bare = answers(20, 0)
    newly = run_of(answers(20, 20, 1), baseline=indexed(run_of(bare), bare)).run
    assert repeat_command("q0", newly).endswith("--baseline main-run --cites yes")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(answers(20, 19), answers(20, 0), id="stopped"),
        pytest.param(answers(20, 2), answers(20, 2, 1), id="not held"),
        pytest.param(answers(20, 19), answers(20, 19, 2), id="as judged"),
    ],
)
def test_a_stored_run_comes_out_the_same_without_its_baseline(before: list[CaseRun], after: list[CaseRun]) -> None:
    reporting = run_of(after, baseline=indexed(run_of(before), before))
    assert reporting.comparison is not None
    stored = Run.model_validate_json(reporting.run.model_dump_json())
    comparison = type(reporting.comparison).model_validate_json(reporting.comparison.model_dump_json())
    again = recount(head_of(stored), after, suite_cases=stored.suite_cases, comparison=comparison)
    assert again.run.model_dump_json() == reporting.run.model_dump_json()
    assert texts_of(again) == texts_of(reporting)


def test_a_baseline_that_was_not_held_to_its_citations_has_no_failures_for_them() -> None:
    before = answers(300, 10, 1)
    baseline = indexed(run_of(before), before)
    then = baseline.cases["q0"].then
    assert then is not None
    assert then.state == "passed"
    fixed = run_of(answers(300, 10), baseline=baseline).comparison
    assert fixed is not None
    assert fixed.now_fixed == 0


@pytest.mark.parametrize("against", ["nothing", "one that cited", "one that did not"])
@pytest.mark.parametrize("citing", [3, 17])
def test_when_the_first_answer_comes_that_may_count_otherwise_is_no_matter(citing: int, against: str) -> None:
    """Before it rows are counted once, from it on twice."""
    itemised = [answer(20 + n, "c1", itemised=True) for n in range(10)]
    rows = [*answers(20, citing, 1), *itemised, answer(30, "c2", itemised=True, name="heavier", weight=3)]
    past = [*answers(20, 19 if against == "one that cited" else 1), *itemised]
    baseline = None if against == "nothing" else indexed(run_of(past), past)
    first, last = run_of(rows, baseline=baseline), run_of(rows[::-1], baseline=baseline)
    assert first.comparison == last.comparison
    assert texts_of(first) == texts_of(last._replace(run=last.run.model_copy(update={"suite_cases": suite_of(rows)})))
    assert gate_of(first)[2] is not None
