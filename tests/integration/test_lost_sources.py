"""A required source that the baseline found, or kept, and the head does not: one case blocks, chance does not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from raggate_action.run.decision_text_and_exit_code import outcome_lines
from tests.weaker_suites import App, Outcome, Project, fact, live, live_pull_request, project, pull_request

NOTE = "It is sold in all shops of the town."
WIDE: dict[str, Any] = {"pipeline": {"stages": ["candidates", "context"]}}


def quoting(size: int, *, bars: str = "50%", **suite: Any) -> Project:
    """So many cases that require a source and no phrase: an answer from another chunk is a quotation all the same."""
    gates = {"context_recall": {"min": bars}, "candidate_recall": {"min": bars}, **suite.pop("gates", {})}
    found = project(size, gates=gates, **suite)
    return found.but(cases={name: {**case, "must_contain": []} for name, case in found.cases.items()})


def off(base: Project, *numbers: int, **trace: Any) -> Project:
    """The same, with answers off the wrong chunk."""
    wrong = {"answer": NOTE, "context": ["note"], **trace}
    return base.but(answers={f"q{n}": wrong for n in numbers})


def wide(base: Project) -> Project:
    """The same of an app that reports what it retrieved."""
    return base.but(answers={k: {**each, "candidates": each["context"]} for k, each in base.answers.items()})


GOOD = quoting(72)


def test_two_answers_off_the_wrong_chunk_block_among_72(tmp_path: Path) -> None:
    found = pull_request(tmp_path, GOOD, off(GOOD, 3, 4))
    assert (found.kind, found.gates) == ("block", ("newly_missed",)), outcome_lines(found.reporting)
    line = "**2 cases lost a required source before the prompt** (0 new allowed). Repair: reranker or context gate. `q3`, `q4`"
    assert f"{line}. If its source moved, label the case anew" in found.comment


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(wide(quoting(8, **WIDE)), off(wide(quoting(8, **WIDE)), 3, candidates=["note"]), id="retrieved"),
        pytest.param(
            wide(quoting(8, **WIDE)), off(wide(quoting(8, **WIDE)), 3, candidates=["c3", "note"]), id="not kept"
        ),
        pytest.param(
            GOOD.but(cases={"q3": {**GOOD.cases["q3"], "required_source_ids": [], "required_quotes": [fact(3)]}}),
            off(GOOD, 3).but(
                cases={"q3": {**GOOD.cases["q3"], "required_source_ids": [], "required_quotes": [fact(3)]}}
            ),
            id="a quote",
        ),
        pytest.param(
            GOOD.but(
                cases={"q3": {**GOOD.cases["q3"], "required_source_ids": ["c3", "c4"]}},
                answers={"q3": {"answer": fact(3), "context": ["c3"]}},
            ),
            GOOD.but(
                cases={"q3": {**GOOD.cases["q3"], "required_source_ids": ["c3", "c4"]}},
                answers={"q3": {"answer": fact(4), "context": ["c4"]}},
            ),
            id="the one of two that was there",
        ),
        pytest.param(
            GOOD,
            off(GOOD, 3).but(cases={"q3": {**GOOD.cases["q3"], "required_source_ids": ["c3", "c4"]}}),
            id="required newly, and shown on the baseline",
        ),
    ],
)
def test_a_source_or_quote_that_is_gone_blocks(tmp_path: Path, base: Project, head: Project) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.gates == ("newly_missed",), outcome_lines(found.reporting)


V2 = {"c3-v2": {"text": fact(3).replace("33", "14")}}
CURRENT = {"q3": {**GOOD.cases["q3"], "required_source_ids": ["c3-v2"]}}
ANSWERED = {"q3": {"answer": fact(3).replace("33", "14"), "context": ["c3-v2"]}}
WAIVED = [
    {"case": "q3", "gate": "context_recall", "reason": "r", "owner": "@team", "expires": "2099-01-01"},
]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(off(GOOD, 3), off(GOOD, 3), id="the baseline lacked it too"),
        pytest.param(GOOD, GOOD.but(chunks={**V2, "c3": None}, cases=CURRENT, answers=ANSWERED), id="new id, old gone"),
        pytest.param(
            GOOD,
            GOOD.but(chunks={**V2, "c3": {"text": fact(3), "current": False}}, cases=CURRENT, answers=ANSWERED),
            id="new id, the old one kept and no longer current",
        ),
        pytest.param(GOOD, off(quoting(72, waivers=WAIVED), 3), id="waived"),
        pytest.param(
            quoting(72, gates={"context_recall": {"level": "off"}}),
            off(quoting(72, gates={"context_recall": {"level": "off"}}), 3),
            id="nobody looks at what the context holds",
        ),
        pytest.param(
            GOOD.but(
                cases={"q3": {**GOOD.cases["q3"], "required_source_ids": ["c3"]}},
                answers={"q3": {"answer": fact(3), "context": ["c3", "c4"]}},
            ),
            GOOD.but(answers={"q3": {"answer": fact(3), "context": ["note", "c3"]}}),
            id="what is not required is gone",
        ),
        pytest.param(
            GOOD, GOOD.but(answers={"q3": {"answer": "", "context": ["c3"]}}), id="no answer, its source there"
        ),
    ],
)
def test_what_only_looks_like_a_lost_source_does_not(tmp_path: Path, base: Project, head: Project) -> None:
    found = pull_request(tmp_path, base, head)
    assert "newly_missed" not in found.gates, outcome_lines(found.reporting)
    told = [line for line in found.comment.splitlines() if line.startswith("> ") and "lost a required source" in line]
    assert all("none new" in line for line in told), told


def never(_case_id: str, _ask: int) -> bool:
    return False


def test_a_source_lost_each_time_it_is_asked_for_blocks(tmp_path: Path) -> None:
    app = App(GOOD, lambda case_id, _ask: case_id == "q3")
    found = live_pull_request(tmp_path, GOOD, App(GOOD, never), app)
    assert found.gates == ("newly_missed",)
    # Once, and again until one ask finds it: at most twice `confirm` times.
    assert app.asked.count("q3") == 1 + 2 * 2


def test_a_source_lost_once_is_flaky(tmp_path: Path) -> None:
    app = App(GOOD, lambda case_id, ask: case_id == "q3" and ask == 1)
    found = live_pull_request(tmp_path, GOOD, App(GOOD, never), app)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert found.reporting.run.counts.flaky == 1


def test_a_noisy_retriever_is_not_blocked_in_twenty_unchanged_runs(tmp_path: Path) -> None:
    """Five sources of 30 are missed in one ask of ten, on main as on the branch."""
    base = quoting(30)
    draws = random.Random(19)

    def misses(case_id: str, _ask: int) -> bool:
        return case_id in {"q0", "q5", "q7", "q11", "q20"} and draws.random() < 0.1

    kinds = []
    for number in range(20):
        main = tmp_path / f"main{number // 5}"
        if not main.exists():
            live(main, base, App(base, misses))
        done = live(tmp_path / str(number), base, App(base, misses), main / "run")
        kinds.append(done.reporting.run.decision.kind)
    assert kinds == ["release"] * 20


QUIET: dict[str, Any] = {"context_recall": {"level": "warn"}, "flaky": {"level": "off"}}
MANY = quoting(100, gates=QUIET, seed=7)


def lost(found: Outcome) -> tuple[int, int, int] | None:
    comparison = found.reporting.comparison
    assert comparison is not None
    left = comparison.of("newly_missed")
    return (left.unasked, left.asked, left.confirmed) if left.unasked else None


@pytest.mark.parametrize(
    ("chance", "hits", "kind"),
    [
        # 60 lose theirs, 20 are asked again, and each has it then: chance, of which the other 40 prove nothing.
        pytest.param(60, 0, "release", id="chance"),
        # 20 lose theirs for good, whichever are drawn.
        pytest.param(0, None, "block", id="change"),
    ],
)
def test_of_many_cases_some_are_drawn_and_their_share_stands_for_the_rest(
    tmp_path: Path, chance: int, hits: int | None, kind: str
) -> None:
    def misses(case_id: str, ask: int) -> bool:
        return int(case_id[1:]) < 60 and (ask == 1 or int(case_id[1:]) >= chance)

    app = App(MANY, misses)
    found = live_pull_request(tmp_path, MANY, App(MANY, never), app)
    again = {case_id for case_id in app.asked if app.asked.count(case_id) > 1}
    assert len(again) == 20
    # Drawn, not the first of the suite.
    assert again != {f"q{n}" for n in range(20)}
    assert (found.kind, lost(found)) == (kind, (40, 20, 0 if hits == 0 else 20)), outcome_lines(found.reporting)
    gate = next(gate for gate in found.reporting.run.gates if gate.gate == "newly_missed")
    assert gate.offending == (60 if hits is None else hits)
    assert "**Not asked again:** 40 cases in doubt; they count as those that were (" in found.comment


def test_another_seed_draws_other_cases(tmp_path: Path) -> None:
    asked: list[set[str]] = []
    for seed in (7, 7, 8):
        base = MANY._replace(suite={**MANY.suite, "seed": seed})
        app = App(base, lambda case_id, _ask: int(case_id[1:]) < 60)
        live_pull_request(tmp_path / str(len(asked)), base, App(base, never), app)
        asked.append({case_id for case_id in app.asked if app.asked.count(case_id) > 1})
    assert asked[0] == asked[1] != asked[2]


def test_what_nobody_could_ask_again_is_no_release(tmp_path: Path) -> None:
    """The twenty that are asked again are heavier ones that fail otherwise, so no lost source was confirmed."""
    base = quoting(100, gates=QUIET | {"answered": {"level": "warn"}, "newly_unanswered": {"level": "warn"}})
    base = base.but(
        cases={f"q{n}": {**base.cases[f"q{n}"], "weight": 9, "must_not_contain": []} for n in range(20)},
    )
    silent = base.but(answers={f"q{n}": {"answer": "", "context": [f"c{n}"]} for n in range(20)})
    app = App(silent, lambda case_id, _ask: case_id == "q50")
    found = live_pull_request(tmp_path, base, App(base, never), app)
    assert lost(found) == (1, 0, 0)
    assert (found.kind, found.gates) == ("inconclusive", ("newly_missed",)), outcome_lines(found.reporting)
