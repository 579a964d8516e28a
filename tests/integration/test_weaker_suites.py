"""A pull request that asks less of its answers: faults that must not be released, and honest edits that must be."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import RunStoreError
from raggate_action.report.render import render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import texts_of
from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import stored_baseline, stored_reporting
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.target import RecordedTarget
from raggate_action.schema.trace import Reply
from raggate_action.suite_files import load_suite
from tests.command_line import raggate
from tests.weaker_suites import (
    App,
    Json,
    Outcome,
    Project,
    fact,
    live,
    outcome_of,
    project,
    pull_request,
    run,
    write,
)

GOOD = project()
BAD = project(bad=[3])
WEAKER = "**The suite is not the baseline's:**"


def waiver(**fields: str) -> Json:
    return {"reason": "known since May", "owner": "@team", "expires": "2099-01-01", **fields}


def case(number: int, **changes: Any) -> dict[str, Json]:
    """A case with other demands."""
    return {f"q{number}": {**GOOD.cases[f"q{number}"], **changes}}


PROTECTED: dict[str, Any] = {"slices": {"by": ["category"], "protected": {"category": ["allergen"]}}}
TWO_ALLERGENS = project(40, **PROTECTED).but(cases=case(1, category="allergen"))
UNPROTECTED = project(40, bad=[0], slices={"by": ["category"]}, gates={"newly_missed": {"level": "warn"}}).but(
    cases=case(1, category="allergen")
)
KNOWN_BAD = {"released": False, "blocked_at": "answer completeness", "trace": {"answer": "", "context": ["c3"]}}
SECRET = GOOD.but(
    chunks={"c3": {"text": fact(3), "permitted": False}},
    cases=case(3, required_source_ids=[], must_contain=[]),
    answers={"q3": {"answer": "I do not know.", "context": ["note"]}},
)
FOR_STAFF = SECRET.but(chunks={"c3": {"text": fact(3), "principals": ["staff"]}})
TOLD = {"q3": GOOD.answers["q3"]}
QUICK = GOOD.but(cases=case(3, max_latency_ms=1000), answers={"q3": {**GOOD.answers["q3"], "latency_ms": 900}})
LENIENT = {"behaviour": {"scoring": "lenient"}, "newly_missed": {"level": "off"}}


def asking(field: str, value: Any, answer: Json) -> Project:
    """A project whose third case demands something more, and an answer that has it."""
    return GOOD.but(cases=case(3, **{field: value}), answers={"q3": {**GOOD.answers["q3"], **answer}})


FAULTS = [
    pytest.param(
        BAD, project(bad=[3], gates={"behaviour": {"min": "80%"}}), "`gates.behaviour.min` `0.95` → `0.8`", id="a bar lowered"
    ),
    pytest.param(
        BAD,
        project(bad=[3], gates={"behaviour": {"level": "warn"}}),
        "`gates.behaviour.level` `block` → `warn`",
        id="a gate that only warns",
    ),
    pytest.param(
        GOOD,
        project(bad=[3], gates={"behaviour": {"level": "off"}, "newly_missed": {"max": 5}}),
        "`gates.newly_missed.max` `0` → `5`",
        id="a highest count raised",
    ),
    pytest.param(
        GOOD, project(bad=[3], gates=LENIENT), "`gates.behaviour.scoring` `strict` → `lenient`", id="lenient scoring"
    ),
    pytest.param(
        project(bad=[3], gates=LENIENT).but(cases=case(3, must_contain=["33 days", "purchase"])),
        project(bad=[3], gates=LENIENT | {"behaviour": {"scoring": "lenient", "per_case": "50%"}}).but(
            cases=case(3, must_contain=["33 days", "purchase"])
        ),
        "`gates.behaviour.per_case` `0.7` → `0.5`",
        id="the score of a case lowered",
    ),
    pytest.param(
        project(bad=[3], gates=LENIENT).but(cases=case(3, must_contain=["33 days", "purchase"])),
        project(
            bad=[3], gates=LENIENT | {"behaviour": {"scoring": "lenient", "penalties": {"must_contain": "10%"}}}
        ).but(cases=case(3, must_contain=["33 days", "purchase"])),
        "`gates.behaviour.penalties.must_contain` `0.2` → `0.1`",
        id="a penalty lowered",
    ),
    pytest.param(
        BAD,
        BAD.but(cases={"q3": None}, answers={"q3": None}),
        "`q3` was taken out",
        id="a failing case removed",
    ),
    pytest.param(
        GOOD.but(cases=case(3, released=True)),
        GOOD.but(cases={"q3": None}, answers={"q3": None}),
        "`q3` no longer tests the app, passed on the baseline and could not be asked once more",
        id="a case that must be released removed",
    ),
    pytest.param(
        BAD,
        BAD.but(cases=case(3, must_contain=[], **KNOWN_BAD), answers={"q3": None}),
        "`q3`: known_bad not set → `",
        id="a failing case made known bad",
    ),
    pytest.param(
        GOOD,
        BAD.but(cases=case(3, must_contain=[])),
        "`q3`: must_contain `33 days` → not set",
        id="a failing case relieved of its phrase",
    ),
    pytest.param(
        GOOD,
        BAD.but(cases=case(3, must_contain=[], question="how long may Delta 3 be  returned")),
        "`q3`: must_contain `33 days` → not set",
        id="and a question that only looks like another",
    ),
    pytest.param(
        GOOD,
        BAD.but(cases=case(3, must_contain=["shops"])),
        "`q3`: must_contain `33 days` → `shops`",
        id="a phrase replaced by something contained in the wrong answer",
    ),
    pytest.param(
        GOOD.but(cases=case(3, must_contain=[{"any": ["33 days", "33 nights"]}])),
        BAD.but(cases=case(3, must_contain=[{"any": ["33 days", "33 nights", "town"]}])),
        '→ `{"any": ["33 days", "33 nights", "town"]}`',
        id="a choice of phrases widened",
    ),
    pytest.param(
        asking("must_not_contain", ["shops"], {}),
        BAD.but(cases=case(3, must_contain=["33 days"])).but(cases=case(3, must_contain=[])),
        "`q3`: must_contain `33 days` → not set; `q3`: must_not_contain `shops` → not set",
        id="a forbidden phrase allowed",
    ),
    pytest.param(
        asking("expected_tools", ["search"], {"tool_calls": ["search"]}),
        asking("expected_tools", [], {"tool_calls": []}),
        "`q3`: expected_tools `search` → not set",
        id="an expected tool no longer expected",
    ),
    pytest.param(
        GOOD,
        GOOD.but(
            cases=case(3, required_source_ids=["note"]), answers={"q3": {"answer": fact(3), "context": ["note", "c4"]}}
        ),
        "`q3`: required_source_ids `c3` → `note`",
        id="another source required",
    ),
    pytest.param(
        GOOD.but(cases=case(3, required_source_ids=[], required_quotes=[fact(3)])),
        GOOD.but(
            cases=case(3, required_source_ids=[]), answers={"q3": {"answer": fact(3), "context": ["note", "c4"]}}
        ),
        "`q3`: required_quotes `The plan Delta 3 can be returned",
        id="a quote no longer required",
    ),
    pytest.param(
        GOOD.but(cases=case(3, must_contain=[])),
        GOOD.but(cases=case(3, must_contain=[], expect="abstain"), answers={"q3": {"answer": "I do not know.", "context": ["c3"]}}),
        "`q3`: expect not set → `abstain`",
        id="a decline expected where an answer was",
    ),
    pytest.param(
        SECRET, SECRET.but(chunks={"c3": {"text": fact(3)}}, answers=TOLD), "`readers.c3` `nobody` → not set",
        id="a chunk permitted",
    ),
    pytest.param(
        FOR_STAFF,
        FOR_STAFF.but(chunks={"c3": {"text": fact(3), "principals": ["staff", "all"]}}, cases=case(
            3, required_source_ids=[], must_contain=[], principals=["all"]), answers=TOLD),
        "`readers.c3` not set → `all`",
        id="a chunk opened to others, who now ask",
    ),
    pytest.param(
        FOR_STAFF,
        FOR_STAFF.but(
            cases=case(3, required_source_ids=[], must_contain=[], principals=["staff"]), answers=TOLD
        ),
        "`q3`: principals not set → `staff`",
        id="a case asked by somebody who may read more",
    ),
    pytest.param(
        TWO_ALLERGENS, UNPROTECTED, "`slices.protected.category` `allergen` → not set", id="a protected slice dropped"
    ),
    pytest.param(
        TWO_ALLERGENS,
        project(40, bad=[0], gates={"newly_missed": {"level": "warn"}}, **PROTECTED).but(
            cases={**case(0, category="other"), **case(1, category="allergen")}
        ),
        "`q0`: category `allergen` → `other`",
        id="a failing case moved out of its protected slice",
    ),
    pytest.param(
        project(40, slices={"by": ["category"], "min_cases": 5}),
        project(40, bad=[8, 9], slices={"by": ["category"], "min_cases": 50}, gates={"newly_missed": {"level": "off"}}),
        "`slices.min_cases` `5` → `50`",
        id="slices that are too small to be judged",
    ),
    pytest.param(
        GOOD, project(bad=[3], gates={"policy_weakened": {"level": "off"}, "behaviour": {"level": "off"},
                                      "newly_missed": {"level": "off"}}),
        "`gates.policy_weakened.level` `block` → `off`",
        id="the gate on the gates switched off",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head", "line"), FAULTS)
def test_weaker_demands_do_not_release_what_the_baselines_would_not(
    tmp_path: Path, base: Project, head: Project, line: str
) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.kind == "block"
    assert "policy_weakened" in found.gates
    assert WEAKER in found.top
    assert "By the baseline's suite this is a block." in found.top or "inconclusive." in found.top
    assert line in found.comment
    # Alone, the same suite and the same answers are released: only the baseline tells that they were made to be.
    alone = run(tmp_path / "alone", head)
    assert alone.reporting.run.decision.kind == "release", outcome_lines(alone.reporting)
    assert_rebuilt(tmp_path, found)


def assert_rebuilt(folder: Path, found: Outcome) -> None:
    """`report`, with the baseline at hand and without, comes to the same decision and comment."""
    head, base = folder / "head" / "run", folder / "base" / "run"
    for baseline in (base, None):
        again = stored_reporting(head, baseline=baseline)
        assert again.run.decision == found.reporting.run.decision
        assert texts_of(again)["comment.md"] == found.comment
        if again.comparison is not None and baseline is not None:
            assert again.comparison == found.reporting.comparison


RELEASED = [
    pytest.param(
        GOOD, GOOD.but(cases=case(3, must_contain=["33 day"])), "`q3`: must_contain `33 days` → `33 day`.", id="typo"
    ),
    pytest.param(
        GOOD,
        project(gates={"behaviour": {"min": "50%"}, "faithfulness": {"level": "warn"}}),
        "`gates.behaviour.min` `0.95` → `0.5`",
        id="bars that nothing falls below",
    ),
    pytest.param(
        GOOD,
        GOOD.but(cases={"q3": None}, answers={"q3": None}),
        "`q3` no longer tests the app",
        id="a passing case removed",
    ),
    pytest.param(
        project(enforce=True),
        project(enforce=False),
        "`enforce` `true` → `false`",
        id="from the next baseline on the suite only advises",
    ),
    pytest.param(
        BAD,
        project(bad=[3], gates={"behaviour": {"min": "80%"}}, waivers=[waiver(case="q3", gate="behaviour")]),
        "waived: behaviour of `q3`, by `@team` until 2099-01-01: known since May",
        id="a waiver for the failing case",
    ),
    pytest.param(
        BAD,
        project(bad=[3], waivers=[waiver(case="q3", gate="removed")]).but(cases={"q3": None}, answers={"q3": None}),
        "waived: `q3` taken out, by `@team` until 2099-01-01: known since May; `q3` was taken out",
        id="a waiver for the removed case",
    ),
    pytest.param(
        BAD,
        project(bad=[3], gates={"behaviour": {"min": "80%"}}, waivers=[waiver(gate="policy_weakened")]),
        "waived: policy weakened, by `@team` until 2099-01-01: known since May",
        id="a waiver for the weaker suite",
    ),
    pytest.param(
        GOOD,
        project(bad=[3], waivers=[waiver(case="q3", gate="policy_weakened")]).but(cases=case(3, must_contain=[])),
        "waived: policy weakened of `q3`",
        id="a waiver for the relieved case",
    ),
    pytest.param(
        project(bad=[3], gates={"policy_weakened": {"level": "warn"}, "behaviour": {"min": "80%"}}),
        project(bad=[3], gates={"policy_weakened": {"level": "warn"}, "behaviour": {"min": "50%"}}),
        "`gates.behaviour.min` `0.8` → `0.5`",
        id="the baseline only warns",
    ),
    pytest.param(
        FOR_STAFF.but(cases=case(3, principals=["staff"]), answers=TOLD),
        FOR_STAFF.but(
            chunks={"c3": {"text": fact(3), "principals": ["personnel"]}},
            cases=case(3, principals=["personnel"]),
            answers=TOLD,
        ),
        "`readers.c3` `staff` → `personnel`",
        id="a group of readers renamed",
    ),
]


@pytest.mark.parametrize(("base", "head", "line"), RELEASED)
def test_a_weakening_that_changes_nothing_or_that_somebody_answers_for_is_a_line(
    tmp_path: Path, base: Project, head: Project, line: str
) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert WEAKER in found.top
    assert line in found.top
    assert_rebuilt(tmp_path, found)


SILENT = [
    pytest.param(GOOD, GOOD, id="nothing changed"),
    pytest.param(GOOD, project(12), id="cases added"),
    pytest.param(GOOD, project(gates={"behaviour": {"min": "99%"}, "newly_missed": {"max": 0}}), id="a bar raised"),
    pytest.param(GOOD, GOOD.but(cases=case(3, must_contain=["33 days", "purchase"])), id="a phrase more"),
    pytest.param(GOOD, project(gates={"behaviour": {"min": "95%"}}, enforce=True), id="defaults written out"),
    pytest.param(
        GOOD,
        GOOD._replace(cases=dict(reversed(GOOD.cases.items())), chunks=dict(reversed(GOOD.chunks.items()))),
        id="the same in another order",
    ),
    pytest.param(GOOD, GOOD.but(cases=case(3, required_points=["plan"])), id="a point more"),
    pytest.param(
        GOOD.but(cases=case(3, required_points=["plan"])),
        GOOD.but(cases=case(3, required_points=[{"id": "plan"}])),
        id="a point in its long form",
    ),
    pytest.param(GOOD, GOOD.but(cases=case(3, tags=["smoke"], weight=2)), id="tags and weight"),
    pytest.param(GOOD, GOOD.but(cases=case(3, required_quotes=[fact(3)])), id="a quote more"),
    pytest.param(
        GOOD.but(cases=case(3, required_quotes=[fact(3)])),
        GOOD.but(cases=case(3, required_quotes=[fact(3).replace("can be", "**can**\n  be").upper()])),
        id="a quote in other lines",
    ),
    pytest.param(project(waivers=[waiver(case="q3", gate="behaviour")]), GOOD, id="a waiver taken out"),
]


@pytest.mark.parametrize(("base", "head"), SILENT)
def test_what_demands_as_much_or_more_is_no_weakening(tmp_path: Path, base: Project, head: Project) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert WEAKER not in found.comment or "By the baseline's suite this is released as well." in found.top
    assert "policy_weakened" not in [gate.gate for gate in found.reporting.run.gates]
    assert_rebuilt(tmp_path, found)


@pytest.mark.parametrize("head", [GOOD, project(12)])
def test_a_case_that_both_suites_judge_alike_is_judged_once(tmp_path: Path, head: Project) -> None:
    found = pull_request(tmp_path, GOOD, head)
    assert WEAKER not in found.comment
    assert not (tmp_path / "head" / "run" / "by_baseline.jsonl").exists()


def test_every_change_is_in_the_summary(tmp_path: Path) -> None:
    gates = {"behaviour": {"min": "99%"}, "answered": {"min": "90%"}, "slow": {"min": "90%"}}
    found = pull_request(tmp_path, GOOD, project(12, gates=gates))
    assert found.kind == "release"
    assert "`gates.slow.min` `0.95` → `0.9`. By the baseline's suite this is released as well." in found.top
    below = render_summary(found.reporting).partition("<summary>Changes of the suite (5)</summary>")[2]
    assert "`q11` is new" in below


def test_what_is_stricter_blocks_by_the_heads_demands_alone(tmp_path: Path) -> None:
    bad = {"context_recall": {"min": "50%"}, "behaviour": {"min": "50%"}, "newly_missed": {"level": "off"}}
    head = {**bad, "behaviour": {"min": "99%"}, "context_recall": {"min": "40%"}}
    found = pull_request(tmp_path, project(bad=[3], gates=bad), project(bad=[3], gates=head))
    assert (found.kind, found.gates) == ("block", ("behaviour",))


def test_waivers_are_said_before_everything_that_is_weaker(tmp_path: Path) -> None:
    waived = project(bad=[3], gates={"behaviour": {"min": "80%"}}, waivers=[waiver(case="q3", gate="behaviour")])
    top = pull_request(tmp_path, BAD, waived).top
    assert 0 < top.index("** waived: behaviour") < top.index("; `gates.behaviour.min`")


def test_a_waiver_past_its_date_answers_for_nothing(tmp_path: Path) -> None:
    late = [waiver(gate="policy_weakened", expires="2026-01-01")]
    found = pull_request(tmp_path, BAD, project(bad=[3], gates={"behaviour": {"min": "80%"}}, waivers=late))
    assert (found.kind, found.gates) == ("block", ("policy_weakened",))
    assert "**A waiver has expired** and no longer covers policy weakened (until 2026-01-01, `@team`)." in found.top


def test_removed_cases_count_as_unmeasured_in_the_line_of_the_verdict(tmp_path: Path) -> None:
    found = pull_request(tmp_path, GOOD, GOOD.but(cases={"q3": None}, answers={"q3": None}))
    assert "· 9 passed (9 verified) · 0 failed · 1 not measured ·" in found.top
    assert "9 passed (9 verified) · 0 failed · 1 not measured" in outcome_lines(found.reporting)[0]
    waived = project(waivers=[waiver(case="q3", gate="removed")]).but(cases={"q3": None}, answers={"q3": None})
    assert "· 0 not measured ·" in pull_request(tmp_path, GOOD, waived).top


def test_a_renamed_case_is_not_gone(tmp_path: Path) -> None:
    names = {f"q{n}": None for n in range(5)}
    head = GOOD.but(
        cases=names | {f"r{n}": GOOD.cases[f"q{n}"] for n in range(5)},
        answers=names | {f"r{n}": GOOD.answers[f"q{n}"] for n in range(5)},
    )
    found = pull_request(tmp_path, GOOD, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "`r0`: case_id `q0` → `r0`; `r1`: case_id `q1` → `r1`; `r2`: case_id `q2` → `r2`; and 2 more." in found.top
    assert "· 0 not measured ·" in found.top
    assert_rebuilt(tmp_path, found)


def test_a_case_that_became_another_is_shown_old_beside_new_and_judged_by_its_new_demands(tmp_path: Path) -> None:
    head = GOOD.but(cases=case(3, question="Where is it sold?", must_contain=["shops"]), answers=BAD.answers)
    found = pull_request(tmp_path, GOOD, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "`q3`: question `How long may Delta 3 be returned?` → `Where is it sold?`; `q3`: must_contain" in found.top
    assert "By the baseline's suite this is released as well." in found.top


def test_a_suite_that_stops_enforcing_is_enforced_once_more(tmp_path: Path) -> None:
    found = pull_request(tmp_path, GOOD, project(bad=[3], enforce=False))
    assert found.reporting.run.decision.enforced
    assert exit_code(found.reporting.run.decision) == 1
    assert_rebuilt(tmp_path, found)
    # Whoever starts the run may still ask for advice alone; and a baseline that advised stays what it was.
    asked = pull_request(tmp_path, GOOD, project(bad=[3], enforce=False), enforce=False)
    assert exit_code(asked.reporting.run.decision) == 0
    advising = pull_request(tmp_path, project(enforce=False), project(bad=[3], enforce=False))
    assert exit_code(advising.reporting.run.decision) == 0
    # A baseline that was run with --no-enforce is of a suite that enforces.
    run(tmp_path / "base", GOOD, enforce=False)
    done = run(tmp_path / "head", project(bad=[3], enforce=False), baseline=tmp_path / "base" / "run")
    assert exit_code(done.reporting.run.decision) == 1


def test_against_another_baseline_than_its_own_nobody_tells_what_that_ones_suite_decides(tmp_path: Path) -> None:
    run(tmp_path / "base", GOOD)
    run(tmp_path / "head", BAD.but(cases=case(3, must_contain=[])))
    found = stored_reporting(tmp_path / "head" / "run", baseline=tmp_path / "base" / "run")
    assert found.run.decision.kind == "release"
    comment = texts_of(found)["comment.md"]
    assert "`q3`: must_contain `33 days` → not set. What the baseline's suite would decide is not known." in comment


def test_without_an_evidence_store_nobody_is_kept_from_anything(tmp_path: Path) -> None:
    def told(project: Project) -> Project:
        chunk = {"chunk_id": "c3", "text": fact(3)}
        return project.but(answers={"q3": {"answer": fact(3), "context": [chunk]}}, cases=case(3, must_contain=[]))

    bare = told(SECRET)._replace(suite={"evidence": None})
    bare = bare.but(
        answers={
            name: {**answer, "context": [{"chunk_id": name.replace("q", "c"), "text": answer["answer"]}]}
            for name, answer in bare.answers.items()
        },
        cases={name: {**each, "required_source_ids": []} for name, each in bare.cases.items()},
    )
    found = pull_request(tmp_path, SECRET, bare)
    assert (found.kind, found.gates) == ("inconclusive", ("policy_weakened",))
    assert "`readers` `{" in found.top
    assert "What the baseline's suite would decide is not known." in found.top


def test_a_run_goes_on_against_the_baseline_it_began_with(tmp_path: Path) -> None:
    from tests.weaker_suites import resume

    run(tmp_path / "base", GOOD)
    run(tmp_path / "other", project(gates={"behaviour": {"min": "80%"}}))
    run(tmp_path / "head", GOOD, baseline=tmp_path / "base" / "run")
    stored = tmp_path / "head" / "run" / "run.json"
    begun = json.loads(stored.read_text()) | {"complete": False}
    kept = ("schema_version", "complete", "suite", "suite_file", "scope", "started_at", "as_of", "provenance", "policy",
            "case_filter", "by_suite", "suite_cases")  # fmt: skip
    stored.write_text(json.dumps({key: begun[key] for key in kept}))
    shutil.copytree(tmp_path / "head", tmp_path / "again")
    with pytest.raises(RunStoreError, match="begun with another baseline"):
        resume(tmp_path / "head", GOOD, baseline=tmp_path / "other" / "run")
    done = resume(tmp_path / "again", GOOD, baseline=tmp_path / "base" / "run")
    assert done.reporting.run.decision.kind == "release"


def test_a_demand_that_repeats_what_its_asker_may_not_read_is_kept_as_a_digest(tmp_path: Path) -> None:
    words = "The vault opens with the code ZX-4471-QQ at nine."
    guarded = GOOD.but(
        chunks={"vault": {"text": words, "permitted": False}}, cases=case(3, must_not_contain=["ZX-4471-QQ"])
    )
    found = pull_request(tmp_path, guarded, guarded.but(cases=case(3, must_not_contain=[])))
    assert found.kind == "release"
    assert "`q3`: withheld `must_not_contain, " in found.top
    stored = "".join(file.read_text() for file in tmp_path.rglob("run/*") if file.is_file())
    assert "ZX-4471" not in stored
    # Where the head still demands it, the rest of the case is judged by the old demands.
    head = project(bad=[3]).but(
        chunks={"vault": {"text": words, "permitted": False}},
        cases=case(3, must_contain=[], must_not_contain=["ZX-4471-QQ"]),
    )
    assert "policy_weakened" in pull_request(tmp_path, guarded, head).gates


def test_under_ids_only_no_word_of_a_demand_is_shown(tmp_path: Path) -> None:
    head = project(texts="ids").but(cases=case(3, must_contain=["33 day"]))
    found = pull_request(tmp_path, project(texts="ids"), head)
    assert "`q3`: must_contain changed." in found.top
    assert "33 day" not in found.comment


def test_a_run_without_a_baseline_reads_no_suite(tmp_path: Path) -> None:
    write(tmp_path, project())
    told = "print(*[name for name in sys.modules if name.endswith(('suite_difference', 'stored_suite'))])"
    code = (
        f"import sys; from raggate_action.cli.main import main; main(['run', 'raggate.json', '--out', 'out']); {told}"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "out" / "run.json").exists()
    assert done.stdout.splitlines()[-1] == ""


def test_the_first_pull_request_has_nothing_to_be_weaker_than(tmp_path: Path) -> None:
    done = run(tmp_path, project(gates={"behaviour": {"min": "10%"}}))
    assert done.reporting.run.decision.kind == "release"
    assert "demands less" not in done.texts["comment.md"]


def sliced(found: Reporting) -> dict[str, tuple[int, int, str]]:
    return {part.name: (part.passed, part.scored, part.status) for part in found.run.slices}


def test_a_suite_without_slices_is_cut_by_workflow_and_category_and_watched(tmp_path: Path) -> None:
    """The one allergen case fails; nothing blocks for it, and the table shows it beside the baseline's."""
    flows = {f"q{n}": {**GOOD.cases[f"q{n}"], "workflow": "returns" if n < 4 else "sizes"} for n in range(10)}
    lenient = {"behaviour": {"min": "50%"}, "newly_missed": {"level": "off"}}
    base = project(gates=lenient).but(cases=flows)
    head = base.but(answers={"q0": project(bad=[0]).answers["q0"]})
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert sliced(found.reporting) == {
        "category=allergen": (0, 1, "insufficient"),
        "category=other": (9, 9, "insufficient"),
        "workflow=returns": (3, 4, "insufficient"),
        "workflow=sizes": (6, 6, "insufficient"),
    }
    assert "| category=allergen | 0/1 | 0.0 % | 1/1 | -100.0 pts | watch |" in found.comment
    assert "| workflow=sizes |" not in found.comment, "as before"
    assert "slices" not in [gate.gate for gate in found.reporting.run.gates]
    assert_rebuilt(tmp_path, found)
    # Protected, the same case blocks: it is the suite that has to ask for it.
    asks = {"slices": {"protected": {"category": ["allergen"]}}}
    assert "slices" in pull_request(tmp_path / "asked", base.but(suite=asks), head.but(suite=asks)).gates


@pytest.mark.parametrize("category", [None, "other"])
def test_cases_that_nothing_parts_have_no_slice_table(tmp_path: Path, category: str | None) -> None:
    cases = {f"q{n}": {**GOOD.cases[f"q{n}"], "category": category} for n in range(10)}
    done = run(tmp_path, GOOD.but(cases=cases))
    assert sliced(done.reporting) == {}
    assert "Slice" not in done.texts["comment.md"]


def test_a_new_case_counts_in_no_slice_that_the_baseline_was_not_cut_by(tmp_path: Path) -> None:
    """The head asks for no slices any more. A new case is alone in its workflow and fails; the baseline's suite was cut
    by category, where it is one of ten.
    """
    lenient = {"behaviour": {"min": "50%"}}
    base = project(gates=lenient, slices={"by": ["category"], "min": "50%", "min_cases": 2})
    bad = project(11, bad=[10])
    new = {"q10": {**bad.cases["q10"], "workflow": "sizes"}}
    head = base.but(suite={"slices": None}, cases=new, chunks=bad.chunks, answers={"q10": bad.answers["q10"]})
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "`slices.by` `category` → not set; " in found.top
    assert "By the baseline's suite this is released as well." in found.top


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(GOOD, BAD.but(cases=case(3, must_contain=[])), id="a phrase taken out"),
        pytest.param(GOOD, project(bad=[3], gates={"behaviour": {"level": "warn"}}), id="a gate that only warns now"),
    ],
)
def test_a_case_that_fails_by_the_base_branchs_suite_is_named_with_both_answers(
    tmp_path: Path, base: Project, head: Project
) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.kind == "block"
    lines = found.comment.splitlines()
    at = lines.index("- `q3`: How long may Delta 3 be returned?")
    said = "\n".join(lines[at : at + 4])
    assert "baseline: The plan Delta 3 can be returned within 33 days of the purchase." in said
    assert "this run: It is sold in all shops of the town." in said
    assert "33 days" in said.partition("why: by the baseline's suite, ")[2]
    assert "passes by what the baseline demanded" not in found.comment
    assert_rebuilt(tmp_path, found)
    told = raggate("explain", tmp_path / "head" / "run", "q3", cwd=tmp_path).stdout
    assert "by the baseline's suite: FAILED, first failed stage: behaviour" in told
    assert "Answer of the baseline\n  The plan Delta 3" in told
    listed = raggate("explain", tmp_path / "head" / "run", cwd=tmp_path).stdout
    assert "q3: fails by the baseline's suite at behaviour" in listed


def test_an_honest_edit_names_no_case(tmp_path: Path) -> None:
    found = pull_request(tmp_path, GOOD, GOOD.but(cases=case(3, must_contain=["33 day"])))
    assert found.kind == "release"
    assert "why: by the baseline's suite" not in found.comment
    policy = found.reporting.comparison.policy if found.reporting.comparison is not None else None
    assert policy is not None
    assert (policy.failing, policy.red_slices) == ((), ())


def test_a_slice_that_is_red_by_the_base_branchs_suite_is_shown_red(tmp_path: Path) -> None:
    slices = {"by": ["category"], "protected": {"category": ["allergen"]}}
    base, head = project(slices=slices), project(bad=[0], slices=slices).but(cases=case(0, must_contain=[]))
    found = pull_request(tmp_path, base, head)
    assert found.kind == "block"
    row = next(line for line in found.comment.splitlines() if line.startswith("| category=allergen"))
    assert "0/1" in row
    assert "❌ failed by the baseline's suite" in row


def test_where_both_suites_block_no_row_says_that_the_base_branchs_passes(tmp_path: Path) -> None:
    found = pull_request(tmp_path, GOOD, project(bad=[3, 4, 5], gates={"behaviour": {"min": "90%"}}))
    assert found.kind == "block"
    assert "passes by" not in found.comment


# A free answer in other words, which only the rules of its language can fault.
FREE = project(**PROTECTED)
FREE = FREE.but(
    cases={name: {**each, "must_contain": []} for name, each in FREE.cases.items()},
    answers={
        f"q{n}": {"answer": f"You may return Delta {n} within {30 + n} days after you bought it.", "context": [f"c{n}"]}
        for n in range(10)
    },
)
WRONG = {"q0": {"answer": "You may return Delta 0 within 93 days after you bought it.", "context": ["c0"]}}


def suite_of(base: Project, **suite: Any) -> Project:
    return base._replace(suite={**base.suite, **suite})


def citing(*, wrong: bool) -> dict[str, Json]:
    """Answers that name their chunk in two ways, the first of them a chunk that is not there in one of the two."""
    cited = [f"[c9] (c{n})" if wrong and n == 0 else f"[c{n}] (c{n})" for n in range(10)]
    return {f"q{n}": {**GOOD.answers[f"q{n}"], "answer": f"{fact(n)[:-1]} {cited[n]}."} for n in range(10)}


CITING: Json = {"pipeline": {"citations": True}}
CITES = GOOD.but(answers={f"q{n}": {**GOOD.answers[f"q{n}"], "answer": f"{fact(n)[:-1]} [c{n}]."} for n in range(10)})
READ_OTHERWISE = [
    pytest.param(
        FREE, suite_of(FREE, language="de").but(answers=WRONG), "`language` `auto` → `de`", id="another language"
    ),
    pytest.param(
        suite_of(GOOD, **CITING).but(answers=citing(wrong=False)),
        suite_of(GOOD, **CITING, citation_markers=[r"\((?P<ids>[^()]+)\)"]).but(answers=citing(wrong=True)),
        "`citation_markers` ",
        id="another of two citations is read",
    ),
]


@pytest.mark.parametrize(("base", "head", "line"), READ_OTHERWISE)
def test_answers_are_read_as_the_baseline_read_them_as_well(
    tmp_path: Path, base: Project, head: Project, line: str
) -> None:
    found = pull_request(tmp_path, base, head)
    assert (found.kind, found.gates) == ("block", ("policy_weakened",)), outcome_lines(found.reporting)
    assert line in found.top
    assert "put it back, or copy `waivers: [{gate: policy_weakened, reason: " in found.top
    assert run(tmp_path / "alone", head).reporting.run.decision.kind == "release"
    assert_rebuilt(tmp_path, found)


GERMAN = FREE.but(
    answers={
        f"q{n}": {"answer": f"Delta {n} kann man {30 + n} Tage nach dem Kauf zurückgeben.", "context": [f"c{n}"]}
        for n in range(10)
    }
)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(GERMAN, suite_of(GERMAN, language="de"), id="German answers, and now said to be"),
        pytest.param(FREE, suite_of(FREE, language="de"), id="right answers"),
        pytest.param(
            suite_of(CITES, **CITING),
            suite_of(
                CITES, **CITING, citation_markers=[r"\[(?P<ids>[^\[\]\n]{1,200})\](?!\()", r"<<(?P<ids>[^<>]+)>>"]
            ),
            id="one marker more",
        ),
        pytest.param(
            FREE,
            suite_of(FREE, language="de", waivers=[waiver(gate="policy_weakened")]).but(answers=WRONG),
            id="somebody answers for it",
        ),
    ],
)
def test_another_reading_that_changes_nothing_is_a_line(tmp_path: Path, base: Project, head: Project) -> None:
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert_rebuilt(tmp_path, found)


LIVE: Json = {"target": {"kind": "http", "url": "http://127.0.0.1:9/answer"}}
GOLDEN: Json = {"target": {"kind": "recorded", "traces": "traces.jsonl", "labelled": True}}
RECORDED: Json = {"target": {"kind": "recorded", "traces": "traces.jsonl"}}


def recorded_run(folder: Path, found: Project, *, baseline: Path | None = None) -> Outcome:
    """A run whose suite names a live app and whose answers were recorded, as on a fork."""
    suite, traces = write(folder, found), RecordedTarget(kind="recorded", traces=str(folder / "traces.jsonl"))
    loaded = load_suite(suite, environment={}, target=traces)
    before = stored_baseline(baseline, suite="plans") if baseline is not None else None
    request = RunRequest(loaded=loaded, suite_file="raggate.json", scope="full", out=folder / "run", baseline=before)
    done = execute(request)
    return outcome_of(done.reporting, done.texts["comment.md"])


def test_recorded_answers_in_place_of_the_live_app_are_inconclusive(tmp_path: Path) -> None:
    recorded_run(tmp_path / "base", suite_of(CITES, **LIVE))
    found = recorded_run(tmp_path / "head", suite_of(CITES, **RECORDED), baseline=tmp_path / "base" / "run")
    assert (found.kind, found.gates) == ("inconclusive", ("policy_weakened",)), outcome_lines(found.reporting)
    assert "`kind` `http` → `recorded`" in found.top
    assert "`waivers: [{gate: policy_weakened, reason: " in found.top
    assert_rebuilt(tmp_path, found)
    waived = suite_of(CITES, **RECORDED, waivers=[waiver(gate="policy_weakened")])
    again = recorded_run(tmp_path / "waived", waived, baseline=tmp_path / "base" / "run")
    assert again.kind == "release", outcome_lines(again.reporting)


@pytest.mark.parametrize(
    ("before", "after", "answers", "line"),
    [
        pytest.param(RECORDED, GOLDEN, {}, "`labelled` `false` → `true`", id="labels that vouch for themselves"),
        pytest.param(
            CITING,
            {"pipeline": {"citations": False}},
            {"q3": {**GOOD.answers["q3"], "answer": f"{fact(3)[:-1]} [c9]."}},
            "`pipeline.citations` `true` → `false`",
            id="citations no longer declared",
        ),
    ],
)
def test_what_the_baselines_suite_reads_in_an_answer_is_read_so_once_more(
    tmp_path: Path, before: Json, after: Json, answers: Json, line: str
) -> None:
    recorded_run(tmp_path / "base", suite_of(CITES, **before))
    head = suite_of(CITES, **after).but(answers=answers)
    found = recorded_run(tmp_path / "head", head, baseline=tmp_path / "base" / "run")
    assert found.kind == ("block" if answers else "release"), outcome_lines(found.reporting)
    assert line in found.top
    assert_rebuilt(tmp_path, found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(RECORDED, LIVE, id="the live app for recorded answers"),
        pytest.param(GOLDEN, RECORDED, id="labels vouch for nothing any more"),
        pytest.param({"pipeline": {"citations": False}}, {"pipeline": {"citations": True}}, id="citations declared"),
        # The command line's traces are no change of the suite: so it is on every fork.
        pytest.param(LIVE, LIVE, id="a live app, of which recorded answers are judged"),
    ],
)
def test_a_target_that_shows_more_is_no_weakening(tmp_path: Path, before: Json, after: Json) -> None:
    recorded_run(tmp_path / "base", suite_of(CITES, **before))
    found = recorded_run(tmp_path / "head", suite_of(CITES, **after), baseline=tmp_path / "base" / "run")
    assert found.kind == "release", outcome_lines(found.reporting)
    assert WEAKER not in found.comment or "By the baseline's suite this is released as well." in found.top


def with_check(folder: Path, body: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "checks.py").write_text(f"def days(case, trace):\n    return {body}\n")


@pytest.mark.parametrize("body", ["[]", "['no days']"])
def test_a_changed_file_of_a_custom_check_is_told_by_name_and_never_red_alone(tmp_path: Path, body: str) -> None:
    checked = GOOD.but(cases=case(3, custom_check="checks:days"))
    with_check(tmp_path / "base", "[]")
    run(tmp_path / "base", checked)
    with_check(tmp_path / "head", f"{body} if case is not None else []")
    done = run(tmp_path / "head", checked, baseline=tmp_path / "base" / "run")
    found = outcome_of(done.reporting, done.texts["comment.md"])
    assert "`checks.py` changed" in found.top
    assert found.kind == ("release" if body == "[]" else "block"), outcome_lines(found.reporting)
    assert "policy_weakened" not in found.gates
    assert_rebuilt(tmp_path, found)


def test_an_unchanged_file_of_a_custom_check_is_not_told(tmp_path: Path) -> None:
    checked = GOOD.but(cases=case(3, custom_check="checks:days"))
    for name in ("base", "head"):
        with_check(tmp_path / name, "[]")
    assert "checks.py" not in pull_request(tmp_path, checked, checked).comment


# Cases that pass by what they demand alone; nine of ten are enough for the bars.
EASY = project(12, gates={"behaviour": {"min": "50%"}, "point_coverage": {"min": "50%"}})
WITHOUT = EASY.but(cases={"q3": None})
LOSES = project(12, bad=[3]).answers["q3"]


def never(_case_id: str, _ask: int) -> bool:
    return False


def removed_pull_request(tmp_path: Path, base: Project, head: Project, answers: Project | None = None) -> Outcome:
    live(tmp_path / "base", base, App(base, never))
    app = App(answers or head, never)
    done = live(tmp_path / "head", head, app, tmp_path / "base" / "run")
    assert app.asked.count("q3") <= 3
    return outcome_of(done.reporting, done.texts["comment.md"])


POINT = {"required_points": [{"id": "days", "answer_phrases": ["33 days"]}], "must_contain": []}


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({}, id="a phrase"),
        pytest.param(
            {"question": None, "messages": [{"role": "user", "content": "How long, Delta 3?"}]}, id="one turn"
        ),
        # Nothing but the waiver counts it: one of twelve is within the bar of the gate.
        pytest.param(POINT, id="a point"),
    ],
)
def test_a_removed_case_is_asked_once_more_and_only_a_waiver_lets_it_go_if_it_fails(
    tmp_path: Path, asked: Json
) -> None:
    base = EASY.but(cases=case(3, **{name: value for name, value in asked.items() if value is not None}))
    if "messages" in asked:
        del base.cases["q3"]["question"]
    head = base.but(cases={"q3": None}, answers={"q3": LOSES})
    found = removed_pull_request(tmp_path, base, head)
    assert (found.kind, found.gates) == ("block", ("policy_weakened",)), outcome_lines(found.reporting)
    first = found.top.partition(f"{WEAKER} ")[2]
    assert first.startswith("`q3` no longer tests the app; asked once more, it fails by the baseline's suite: ")
    assert "`waivers: [{case: q3, gate: removed, reason: " in found.top
    assert_rebuilt(tmp_path, found)
    for name, waived, kind in (
        ("case", waiver(case="q3", gate="removed"), "release"),
        ("suite", waiver(gate="policy_weakened"), "block"),
    ):
        again = suite_of(head, waivers=[waived])
        app = App(again, never)
        done = live(tmp_path / name, again, app, tmp_path / "base" / "run")
        assert done.reporting.run.decision.kind == kind, outcome_lines(done.reporting)
        # What somebody answers for is not asked.
        assert ("q3" in app.asked) == (kind == "block")


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(EASY, WITHOUT, id="it passes"),
        pytest.param(
            EASY,
            EASY.but(cases={"q3": None, "r3": {**EASY.cases["q3"], "must_contain": ["33 days"]}}, answers={"r3": EASY.answers["q3"]}),
            id="it is called otherwise",
        ),
    ],
)  # fmt: skip
def test_a_removed_case_that_passes_is_let_go(tmp_path: Path, base: Project, head: Project) -> None:
    found = removed_pull_request(tmp_path, base, head)
    assert found.kind == "release", outcome_lines(found.reporting)
    assert ("asked once more, it passes by the baseline's suite" in found.top) == ("r3" not in head.cases)
    assert_rebuilt(tmp_path, found)


def test_a_waiver_that_cannot_help_a_removed_case_is_not_named(tmp_path: Path) -> None:
    head = EASY.but(cases={"q3": None}, answers={"q3": LOSES})
    found = removed_pull_request(tmp_path, EASY, head)
    assert found.kind == "block"
    assert "gate: policy_weakened" not in found.top
    assert ".”." not in found.top
    lowered = suite_of(head, gates={"behaviour": {"min": "40%"}, "point_coverage": {"min": "50%"}})
    both = live(tmp_path / "both", lowered, App(lowered, never), tmp_path / "base" / "run").texts["comment.md"]
    assert "waivers: [{gate: policy_weakened, reason: " in both
    assert "; what fails asked once more has a waiver of its own." in both


def test_too_many_removed_cases_name_the_waiver_that_lets_them_go(tmp_path: Path) -> None:
    head = EASY.but(cases={"q3": None, "q4": None, "q5": None})
    found = removed_pull_request(tmp_path, EASY, head)
    assert found.kind == "inconclusive", outcome_lines(found.reporting)
    assert "By the baseline's suite this would be released." in found.top
    way = "**Way out:** restore the 3 removed cases, or for each copy "
    assert f"{way}`waivers: [{{case: q3, gate: removed, reason: " in found.top
    assert_rebuilt(tmp_path, found)
    gone = suite_of(head, waivers=[waiver(case=f"q{n}", gate="removed") for n in (3, 4, 5)])
    done = live(tmp_path / "waived", gone, App(gone, never), tmp_path / "base" / "run")
    assert done.reporting.run.decision.kind == "release", outcome_lines(done.reporting)
    assert "waived: `q3` taken out, by " in done.texts["comment.md"]


@pytest.mark.parametrize("changed", [True, False])
def test_another_value_goes_through_where_the_document_has_it(tmp_path: Path, *, changed: bool) -> None:
    other = fact(3).replace("33 days", "43 days")
    base = GOOD.but(cases=case(3, required_source_ids=[]))
    head = base.but(
        cases=case(3, required_source_ids=[], must_contain=["43 days"]),
        chunks={"c3": {"text": other}} if changed else {},
        answers={"q3": {**GOOD.answers["q3"], "answer": other}},
    )
    found = pull_request(tmp_path, base, head)
    assert found.kind == ("release" if changed else "block"), outcome_lines(found.reporting)
    assert WEAKER in found.top


def test_a_case_that_demands_less_names_the_waiver_of_its_own(tmp_path: Path) -> None:
    head = BAD.but(cases=case(3, must_contain=[]))
    found = pull_request(tmp_path, GOOD, head)
    assert " into the suite, with `case: q3` in it for that case alone." in found.top
    waived = suite_of(head, waivers=[waiver(case="q3", gate="policy_weakened")])
    done = run(tmp_path / "waived", waived, baseline=tmp_path / "base" / "run")
    assert done.reporting.run.decision.kind == "release", outcome_lines(done.reporting)
    assert "waived: policy weakened of `q3`, by `@team` until " in done.texts["comment.md"]


def made_known_bad(found: Project) -> Project:
    """The third case is an answer that must never ship now, so nobody asks the app its question any more."""
    known = {"question": EASY.cases["q3"]["question"], **KNOWN_BAD}
    return found.but(cases={"q3": known})


def test_a_case_made_known_bad_is_asked_once_more_like_one_that_is_taken_out(tmp_path: Path) -> None:
    head = made_known_bad(EASY).but(answers={"q3": LOSES})
    found = removed_pull_request(tmp_path, EASY, head)
    assert (found.kind, found.gates) == ("block", ("policy_weakened",)), outcome_lines(found.reporting)
    assert "`q3` no longer tests the app; asked once more, it fails by the baseline's suite: " in found.top
    assert "`waivers: [{case: q3, gate: removed, reason: " in found.top
    assert_rebuilt(tmp_path, found)
    again = suite_of(head, waivers=[waiver(case="q3", gate="removed")])
    done = live(tmp_path / "waived", again, App(again, never), tmp_path / "base" / "run")
    assert done.reporting.run.decision.kind == "release", outcome_lines(done.reporting)


def test_a_case_made_known_bad_that_passes_is_let_go(tmp_path: Path) -> None:
    found = removed_pull_request(tmp_path, EASY, made_known_bad(EASY))
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "`q3` no longer tests the app; asked once more, it passes by the baseline's suite" in found.top


def test_a_removed_case_that_fails_now_and_then_is_let_go(tmp_path: Path) -> None:
    live(tmp_path / "base", EASY, App(EASY, never))
    app = App(WITHOUT, lambda case_id, ask: case_id == "q3" and ask < 3)
    done = live(tmp_path / "head", WITHOUT, app, tmp_path / "base" / "run")
    assert done.reporting.run.decision.kind == "release"
    assert app.asked.count("q3") == 3


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"input": {"country": "AT"}}, id="a record beside the question"),
        pytest.param(
            {"question": "How long may Delta 3 be returned? " + "Please tell me. " * 40}, id="a long question"
        ),
    ],
)
def test_a_removed_case_is_asked_whole(tmp_path: Path, asked: Json) -> None:
    base = EASY.but(cases=case(3, **asked))
    found = removed_pull_request(tmp_path, base, base.but(cases={"q3": None}, answers={"q3": LOSES}))
    assert (found.kind, found.gates) == ("block", ("policy_weakened",)), outcome_lines(found.reporting)
    assert_rebuilt(tmp_path, found)


def test_a_removed_case_whose_answer_became_restricted_is_told_without_its_words(tmp_path: Path) -> None:
    base = EASY.but(cases=case(3, input={"country": "AT"}))
    hidden = {"c3": {"text": fact(3), "permitted": False}}
    found = removed_pull_request(tmp_path, base, base.but(cases={"q3": None}, chunks=hidden))
    assert "`q3` no longer tests the app" in found.top
    assert "33 days" not in found.comment


def test_a_removed_case_is_judged_by_permissions_as_the_baseline_had_them(tmp_path: Path) -> None:
    staff = EASY.but(cases=case(3, principals=["staff"]), chunks={"c3": {"text": fact(3), "principals": ["staff"]}})
    found = removed_pull_request(tmp_path, staff, staff.but(cases={"q3": None}))
    assert found.kind == "release", outcome_lines(found.reporting)


def test_nobody_asks_a_check_that_only_the_baselines_suite_names(tmp_path: Path) -> None:
    checked = EASY.but(cases=case(3, custom_check="checks:days"))
    with_check(tmp_path / "base", "[]")
    found = removed_pull_request(tmp_path, checked, checked.but(cases={"q3": None}))
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "`q3` no longer tests the app, passed on the baseline and could not be asked once more" in found.top


class StoppedApp(App):
    """Stopped at its seventh case, as by a Ctrl-C."""

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        async for each in super().replies(cases):
            if len(self.asked) > 6:
                raise KeyboardInterrupt
            yield each


def test_a_run_that_was_stopped_is_decided_by_the_baselines_suite_as_a_whole_one(tmp_path: Path) -> None:
    """What fails by that suite had its row before the stop; the case taken out is asked once in all."""
    head = EASY.but(cases={**case(3, must_contain=[]), "q4": None}, answers={"q3": LOSES})
    live(tmp_path / "base", EASY, App(EASY, never))
    with pytest.raises(KeyboardInterrupt):
        live(tmp_path / "head", head, StoppedApp(head, never), tmp_path / "base" / "run")
    app = App(EASY.but(answers=head.answers), never)
    done = live(tmp_path / "head", head, app, tmp_path / "base" / "run", resume=True)
    compared = done.reporting.comparison
    assert compared is not None
    assert compared.policy is not None
    assert [row.case_id for row in compared.policy.failing] == ["q3"]
    assert [(each.case_id, each.asked, each.fails) for each in compared.policy.removed] == [("q4", True, None)]
    assert app.asked.count("q4") == 1
    assert done.reporting.run.decision.kind == "block"
    assert_rebuilt(tmp_path, outcome_of(done.reporting, done.texts["comment.md"]))


def test_an_app_that_cannot_be_asked_any_more_leaves_the_removed_case_unasked(tmp_path: Path) -> None:
    found = pull_request(tmp_path, EASY, EASY.but(cases={"q3": None}, answers={"q3": None}))
    assert found.kind == "release", outcome_lines(found.reporting)
    assert "passed on the baseline and could not be asked once more" in found.top


V2 = fact(3).replace("33", "14")
HONEST = [
    pytest.param(EASY, project(13, **EASY.suite), id="new case"),
    pytest.param(EASY, EASY.but(cases=case(3, must_contain=["33 days", "purchase"])), id="stricter phrase"),
    pytest.param(EASY, EASY.but(cases=case(3, question="For how long can Delta 3 go back?")), id="reworded question"),
    pytest.param(
        EASY,
        EASY.but(
            cases={"q3": None, "delta-3": EASY.cases["q3"]}, answers={"q3": None, "delta-3": EASY.answers["q3"]}
        ),
        id="renamed id",
    ),
    pytest.param(EASY, suite_of(EASY, gates={"behaviour": {"min": "100%"}}), id="stricter bar"),
    pytest.param(
        EASY,
        EASY.but(
            chunks={"c3": {"text": V2, "version": "2"}},
            cases=case(3, must_contain=["14 days"]),
            answers={"q3": {"answer": V2, "context": [{"chunk_id": "c3", "version": "2"}]}},
        ),
        id="new document version with its label",
    ),
    pytest.param(
        EASY,
        EASY.but(
            chunks={"c3-v2": {"text": V2}, "c3": {"text": fact(3), "current": False}},
            cases=case(3, must_contain=["14 days"], required_source_ids=["c3-v2"]),
            answers={"q3": {"answer": V2, "context": ["c3-v2"]}},
        ),
        id="new document version under a new id, the old one kept and no longer current",
    ),
    pytest.param(
        EASY,
        EASY.but(
            chunks={"c3-v2": {"text": V2}, "c3": {"text": fact(3), "valid_until": "2020-01-01T00:00:00Z"}},
            cases=case(3, must_contain=["14 days"], required_source_ids=["c3-v2"]),
            answers={"q3": {"answer": V2, "context": ["c3-v2"]}},
        ),
        id="new document version under a new id, the old one run out",
    ),
    pytest.param(
        EASY, EASY.but(cases=case(3, must_contain=[{"any": ["33 days", "thirty-three days"]}])), id="spelling alternative"
    ),
    pytest.param(
        EASY,
        EASY.but(cases=case(3, tags=["smoke"]))._replace(
            cases=dict(reversed(EASY.but(cases=case(3, tags=["smoke"])).cases.items()))
        ),
        id="tags and order",
    ),
    pytest.param(
        EASY,
        suite_of(EASY, waivers=[waiver(case="q3", gate="removed")]).but(cases={"q3": None}, answers={"q3": LOSES}),
        id="obsolete case removed with a waiver",
    ),
    pytest.param(EASY, suite_of(EASY, slices={"by": ["category"]}, texts="ids"), id="slices and texts"),
    pytest.param(suite_of(EASY, slices={"by": ["category"]}), suite_of(EASY, slices={"by": ["workflow"]}), id="other slices"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head"), HONEST)
@pytest.mark.parametrize("asked", ["recorded", "live"])
def test_an_honest_edit_of_the_suite_is_not_held_up(tmp_path: Path, base: Project, head: Project, asked: str) -> None:
    if asked == "recorded":
        found = pull_request(tmp_path, base, head)
    else:
        live(tmp_path / "base", base, App(base, never))
        done = live(tmp_path / "head", head, App(head, never), tmp_path / "base" / "run")
        found = outcome_of(done.reporting, done.texts["comment.md"])
    assert found.kind == "release", outcome_lines(found.reporting)
    assert_rebuilt(tmp_path, found)
