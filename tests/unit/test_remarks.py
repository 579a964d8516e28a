"""What is said at a case's own line: worst first, new apart from old, and nothing a runner takes for a command."""

from __future__ import annotations

import re

import pytest

from raggate_action.github.workflow_commands import Annotation, annotation_line
from raggate_action.report.decision_words import all_reasons
from raggate_action.report.remarks import Remark
from raggate_action.report.remarks import remarks as stream_of_remarks
from raggate_action.report.report_input import Reporting
from raggate_action.schema.comparison import CaseIds
from tests.golden import pages
from tests.golden.builders import blocked, case_rows, counted, first, make_comparison, make_reporting, make_row, moved
from tests.golden.hostile import ATTACKS, hostile, repeated

BLOCK = blocked()
CASES = """
    old-fault   failed      citation_support  citation-unsupported: menu-02 does not support it
    regressed   failed      candidate_recall  source-missing: menu-44 not in candidates
    invented    failed      faithfulness      claim-unsupported: “It is free of nuts.”
      ! claim | It is free of nuts. | menu-31 | Baklava: walnuts.
    only-warns  passed
      ! claim | It is light. | menu-19 | Salad.
    late        unmeasured  target            cut: the deadline passed
    fine        passed
"""


def remarks(reporting: Reporting, *, root: str = "") -> tuple[Remark, ...]:
    return tuple(stream_of_remarks(reporting, root=root))


def titles(found: tuple[Remark, ...]) -> list[tuple[str, str]]:
    return [(each.level, each.title) for each in found]


def test_new_failures_are_errors_and_what_was_there_before_is_a_warning() -> None:
    rows = case_rows(CASES)
    new = [moved(row.case_id, "new", row.hallucinations[0]) for row in rows if row.hallucinations]
    regression = first("regressed", "source-missing", gate="candidate_recall", move="new")
    comparison = make_comparison(**counted(*new, regression))
    bad = make_row(9, case_id="bypass", kind="known_bad", blocked_at="answer faithfulness")
    found = remarks(make_reporting((*rows, bad), BLOCK, comparison=comparison))
    assert titles(found) == [
        ("error", "bypass: known-bad case not blocked"),
        ("error", "regressed: fails at candidate retrieval"),
        ("error", "invented: new hallucination"),
        ("warning", "only-warns: new hallucination"),
        ("warning", "old-fault: failed on the baseline too"),
        ("notice", "late: not measured"),
    ]
    assert found[2].message == (
        "no chunk supports “It is free of nuts.” Repeat: raggate-action run raggate.yaml --case invented"
    )
    assert found[3].message == "“It is light.” Repeat: raggate-action run raggate.yaml --case only-warns"
    assert (found[1].file, found[1].line) == ("cases/menu.yaml", 4 + 7)


def test_the_stages_take_turns() -> None:
    """Of forty faults, thirty at one stage, the first ten tell of every stage."""
    stages = ["candidate_recall"] * 30 + ["faithfulness"] * 6 + ["behaviour"] * 4
    rows = case_rows("".join([f"    q{n}  failed  {gate}  x: y\n" for n, gate in enumerate(stages)]))
    found = [each.title.partition(": ")[0] for each in remarks(make_reporting(rows, BLOCK))]
    assert found[:10] == ["q0", "q30", "q36", "q1", "q31", "q37", "q2", "q32", "q38", "q3"]
    assert len(found) == 40


def test_no_code_is_said() -> None:
    for page in (pages.block(), pages.ids(), pages.thousand_failing()):
        for each in remarks(page):
            words = each.message.partition(" Repeat: ")[0]
            assert not re.search(r"\b(claim|source|citation|phrase|tool)-[a-z]+\b", words), words


def test_without_a_baseline_every_failure_is_an_error_and_none_is_called_new() -> None:
    found = remarks(make_reporting(case_rows(CASES), BLOCK))
    assert [each.title for each in found if each.level == "error"] == [
        "regressed: fails at candidate retrieval",
        "invented: hallucination",
        "old-fault: fails at citation support",
    ]


def test_a_case_that_the_baseline_does_not_have_fails_anew() -> None:
    rows = case_rows("oysters  failed  candidate_recall  source-missing: menu-44 not in candidates")
    added = remarks(
        make_reporting(rows, BLOCK, comparison=make_comparison(added=CaseIds(cases=1, named=("oysters",))))
    )[0]
    assert (added.level, added.title) == ("error", "oysters: fails at candidate retrieval"), "it never did otherwise"
    assert remarks(make_reporting(rows, BLOCK, comparison=make_comparison()))[0].level == "warning"


def test_an_app_that_answered_nothing_is_one_remark_with_the_whole_advice() -> None:
    told = pages.unreachable()
    [only] = remarks(told)
    assert only == Remark("error", all_reasons(told.run), "menu: no case was answered", "", None)
    [line] = annotation_line(Annotation(*only)).splitlines()
    assert line.endswith("under `target:`.")
    advice = told.run.decision.model_copy(update={"enforced": False})
    [only] = remarks(told._replace(run=told.run.model_copy(update={"decision": advice})))
    assert only.level == "warning"


def test_a_suite_that_only_advises_shows_no_errors() -> None:
    advice = BLOCK._replace(enforced=False)
    assert {each.level for each in remarks(make_reporting(case_rows(CASES), advice))} == {"warning", "notice"}


@pytest.mark.parametrize(
    ("root", "file", "shown"),
    [
        pytest.param("", "cases/menu.yaml", "cases/menu.yaml", id="at the top of the repository"),
        pytest.param(".", "./cases/menu.yaml", "cases/menu.yaml", id="with dots on the way"),
        pytest.param("apps/menu", "cases/menu.yaml", "apps/menu/cases/menu.yaml", id="in a working directory"),
        pytest.param("apps/menu", "../shared/menu.yaml", "apps/shared/menu.yaml", id="beside it"),
        pytest.param("apps", "../../menu.yaml", "", id="outside of the repository"),
        pytest.param("", "/srv/menu.yaml", "", id="an absolute path"),
    ],
)
def test_the_file_is_named_as_the_repository_has_it(root: str, file: str, shown: str) -> None:
    row = make_row(0, state="failed", file=file, line=3)
    found = remarks(make_reporting((row,), BLOCK), root=root)[0]
    assert (found.file, found.line) == (shown, 3 if shown else None)


def test_under_texts_ids_no_word_of_an_answer_is_said() -> None:
    told = pages.ids()
    said = " ".join([f"{each.title} {each.message}" for each in remarks(told)])
    words = {each.text for row in pages.no_baseline().listed.hallucinating for each in row.hallucinations}
    assert words
    assert not [text for text in words if text in said]
    assert "menu-44 not in candidates" in said, "ids are said"
    assert "said what no evidence says" in said, "and what kind of fault it is"


def test_f6_hostile_texts_are_one_line_without_a_command_in_it() -> None:
    found = remarks(hostile(repeated(), rows=len(ATTACKS)))
    assert len(found) > len(ATTACKS)
    for each in found:
        line = annotation_line(Annotation(*each))
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", line), "one line, no controls"
        assert "##[" not in line
        assert line.count("::") == 2, "one command, ours"
        assert re.match(r"::(error|warning|notice) ", line)
        assert len(each.message) <= 4_096


def test_f6_a_command_that_could_not_be_copied_is_not_shown() -> None:
    row = make_row(0, case_id="a\n::set-output name=x::y", state="failed")
    assert "Repeat" not in remarks(make_reporting((row,), BLOCK))[0].message
