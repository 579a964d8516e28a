"""The page for each kind of run, byte for byte, and what a reviewer has to find on each.

`RAGGATE_UPDATE_GOLDEN=1` writes the files anew; read the difference before you commit it.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from raggate_action.report.comment_size import COMMENT_BOUNDS, SUMMARY_BOUNDS
from raggate_action.report.decision_words import all_reasons
from raggate_action.report.page_sections import Reporting
from raggate_action.report.plain_sink import plain
from raggate_action.report.remarks import remarks
from raggate_action.report.render import (
    jobs_box,
    render_comment,
    render_summary,
)
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.comment_marker import JobResult
from tests.golden import judged_pages, pages
from tests.golden.builders import make_origin
from tests.golden.hostile import hostile, repeated
from tests.golden.hostile_judges import with_hostile_judges
from tests.golden.markdown_laws import assert_whole
from tests.open_lines import open_text

FILES = Path(__file__).parent / "comment"
RUNS: dict[str, Callable[[], Reporting]] = {
    "release": pages.release,
    "block": pages.block,
    "inconclusive": pages.inconclusive,
    "no_baseline": pages.no_baseline,
    "thousand_failing": pages.thousand_failing,
    "advises": pages.advises,
    "pull_request": pages.pull_request,
    "cancelled": pages.cancelled,
    "fork": pages.fork,
    "ids": pages.ids,
    "unreachable": pages.unreachable,
    "hostile": lambda: hostile(repeated()),
    "judged": judged_pages.judged,
    "advising_judges": judged_pages.advising,
    "declared_judges": judged_pages.declared,
    "advice": judged_pages.advised,
    "reused_judgements": judged_pages.reused,
    "judges_unavailable": judged_pages.unavailable,
    "judged_ids": judged_pages.judged_ids,
    "hostile_judges": lambda: with_hostile_judges(hostile(repeated(), compared=False), repeated()),
}
ORDINARY = [name for name in RUNS if not name.startswith("hostile")]


@pytest.fixture(params=RUNS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reporting(name: str) -> Reporting:
    return RUNS[name]()


# Every code of every gate, as documented.
PROBLEM_CODES = re.findall(r"`([a-z]+(?:-[a-z]+)+)`", (Path(__file__).parents[2] / "docs/gates.md").read_text())


def comment_of(name: str) -> str:
    return render_comment(RUNS[name]())


def summary_of(name: str) -> str:
    return render_summary(RUNS[name]())


def visible(page: str) -> str:
    """A comment without its hidden lines."""
    return re.sub(r"^<!-- .*\n", "", page, flags=re.MULTILINE)


def verdict_line(page: str) -> str:
    return next(line for line in page.splitlines() if re.match(r"> \*\*(Release|Block|Inconclusive)\*\*", line))


def held_to(file: Path, page: str) -> None:
    """The digest is of every field of the run."""
    page = re.sub(r"· run `[0-9a-f]{12}`", "· run `<digest>`", page)
    if os.environ.get("RAGGATE_UPDATE_GOLDEN") == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(page.encode())
    assert file.read_bytes().decode() == page


def test_the_comment_is_the_golden_one(name: str, reporting: Reporting) -> None:
    page = render_comment(reporting)
    held_to(FILES / name / "comment.md", page)
    assert_whole(page, characters=COMMENT_BOUNDS.characters, size=COMMENT_BOUNDS.bytes)


def test_the_summary_is_the_golden_one(name: str, reporting: Reporting) -> None:
    page = render_summary(reporting)
    held_to(FILES / name / "summary.md", page)
    assert_whole(page, characters=SUMMARY_BOUNDS.characters, size=SUMMARY_BOUNDS.bytes, markers=0)


@pytest.mark.parametrize("name", ORDINARY)
def test_a_run_read_back_from_its_file_gives_the_same_bytes(name: str) -> None:
    told = RUNS[name]()
    again = told._replace(run=type(told.run).model_validate_json(told.run.model_dump_json()))
    assert render_comment(again) == render_comment(told)
    assert render_summary(again) == render_summary(told)


# Lines and words that stand open, of the runs that have a bound: see also `test_one_screen`.
@pytest.mark.parametrize("name", [name for name in ORDINARY if RUNS[name]().run.panel is None])
def test_what_stands_open_is_one_screen(name: str) -> None:
    shown = open_text(comment_of(name))
    assert len(shown.lines) <= 25, shown.lines
    assert shown.words <= 250, shown.lines


@pytest.mark.parametrize(
    ("name", "alert", "line"),
    [
        pytest.param(
            "release",
            "TIP",
            "**Release** · suite `menu` · 13 passed (13 verified) · 0 failed · 0 not measured · 0 regressions · 0 new hallucinations",
            id="a release is a tip",
        ),
        pytest.param(
            "block",
            "CAUTION",
            "**Block** · suite `menu` · 5 passed (4 verified, 1 refuted) · 5 failed · 0 not measured · 5 regressions · 3 new hallucinations",
            id="a block is a caution",
        ),
        pytest.param(
            "inconclusive",
            "WARNING",
            "**Inconclusive** · suite `menu` · 2 passed (2 verified) · 0 failed · 5 not measured · 0 regressions · 0 new hallucinations",
            id="an inconclusive run is a warning",
        ),
        pytest.param(
            "no_baseline",
            "CAUTION",
            "**Block** · suite `menu` · 5 passed (4 verified, 1 refuted) · 5 failed · 0 not measured · 4 with hallucinations · no baseline",
            id="without a baseline nothing is a regression, and no hallucination is called new",
        ),
        pytest.param(
            "thousand_failing",
            "CAUTION",
            "**Block** · suite `menu` · 0 passed · 1,000 failed · 0 not measured · 1,000 with hallucinations · no baseline",
            id="counts are whole where lists are not",
        ),
        pytest.param(
            "advises",
            "CAUTION",
            "**Block** · suite `menu` · 1 passed (1 verified) · 1 failed · 0 not measured · 0 with hallucinations · no baseline",
            id="a waived case is in neither count",
        ),
    ],
)
def test_the_verdict_with_its_five_counts(name: str, alert: str, line: str) -> None:
    comment = comment_of(name)
    assert comment.splitlines()[:2] == ["<!-- raggate:v1 suite=menu -->", f"> [!{alert}]"]
    assert verdict_line(comment) == f"> {line}"
    assert verdict_line(summary_of(name)) == f"> {line}"


def test_no_box_is_green_for_a_forks_own_word() -> None:
    """What a second stage publishes; what it blocks is as red as any."""
    release = RUNS["fork"]()
    assert release.run.decision.kind == "release"
    assert render_comment(release).splitlines()[1] == "> [!NOTE]"
    block = RUNS["block"]()
    run = block.run.model_copy(update={"origin": make_origin(fork=True)})
    assert "> [!CAUTION]" in render_comment(block._replace(run=run)).splitlines()[:4]
    jobs = tuple([JobResult(name=name, attempt=1, decision="release") for name in "ab"])
    box = jobs_box(jobs, None, 0, of_fork=True)
    assert box.splitlines()[0] == "> [!NOTE]"
    assert "✅" not in box
    assert "✅" in jobs_box(jobs, jobs[0], 0)


def test_a_release_says_what_is_better_and_hides_what_nobody_asked_for() -> None:
    comment, summary = comment_of("release"), summary_of("release")
    assert open_text(comment).lines[2:4] == (
        "Every gate passed",
        "Fixed: 1 case passes again: case-4.",
    )
    assert "| candidate recall | 13/13 | 100.0 % | 12/13 | +7.7 pts | ≥ 95 % | ✅ passed |" in comment, "it moved"
    assert "| faithfulness |" not in comment, "it neither failed nor moved"
    assert "| faithfulness | 13/13 | 100.0 % | 13/13 | = | ≥ 95 % | ✅ passed |" in summary
    assert "| context precision | 8/13 | 61.5 % | – | – | ≥ 95 % | reported |" in summary
    assert "| category=wine | 5/5 | 100.0 % | 5/5 | = | watch |" in summary
    assert "❌" not in comment
    assert "Latency 910ms" not in comment + summary
    assert "| cost of the app | 0.0421 USD | 0.0398 USD |" in summary
    assert "| supported answer released | nothing to check |" in summary


def test_nothing_that_differs_from_one_run_to_the_next_stands_in_a_comment() -> None:
    comment = comment_of("release")
    assert " ms" not in comment
    assert "USD" not in comment
    assert "2026-06-02T18" not in comment, "the moment it was decided"


def test_a_block_lists_faults_and_no_gates_earliest_and_strictest_first() -> None:
    assert open_text(comment_of("block")).lines[2:8] == (
        "1 of 2 known-bad cases not blocked: bypass-1 had to be blocked at answer faithfulness, but passed (cases/menu.yaml:214)",
        "3 answers said what the evidence does not bear out. Repair: prompt, abstention, generation policy. lamb-wine, nut-dessert, signature",
        "1 case did not retrieve a required source (1 allowed). Repair: chunking, query, retrieval lane. egg-free",
        "1 answer cited a source that does not say it. Repair: citation attachment or validator. brunch",
        "1 slice is below the bar (each ≥ 95 %): category=allergen 3 of 5 (60.0 %)",
        "lamb-wine: Which wine goes with the lamb?",
    )


def test_gates_that_fail_for_the_same_cases_are_one_line() -> None:
    """Faithfulness and the rate of hallucinations fail for the cases of the first line."""
    shown = open_text(comment_of("block")).lines
    assert not [line for line in shown if line.startswith(("faithfulness", "hallucination rate"))]
    table = comment_of("block").partition("Gates that failed or moved (6 of 13)")[2].partition("</details>")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")][2:]
    assert rows[:4] == ["faithfulness", "slices", "known-bad blocked", "hallucination rate"]
    assert "| hallucination rate | – | 40.0 % (4 of 10 cases) | 20.0 % | +20.0 pts | ≤ 2 % | ❌ failed |" in table
    assert "| citation support | 9/10 | 90.0 % | 10/10 | -10.0 pts | ≥ 95 % | ⚠️ warns |" in table


def test_one_case_of_each_stage_stands_open_with_both_answers_and_the_chunk() -> None:
    comment = comment_of("block")
    opened = comment.partition("<details>")[0]
    assert (
        "- `lamb-wine`: Which wine goes with the lamb?\n"
        "  - baseline: The menu does not say.\n"
        "  - this run: A glass of Rioja goes with the lamb.\n"
        "  - nearest evidence: `menu-12` “Slow-roasted lamb shoulder with rosemary.”\n"
    ) in opened
    assert "- `egg-free`: What is asked in case 5?\n  - why: `menu-44` not in candidates\n" in opened
    assert "- `brunch`: What is asked in case 6?\n" in opened
    assert (
        "repeat: `raggate-action run raggate.yaml --case bypass-1 --case lamb-wine --case egg-free --case brunch`"
        in opened
    )
    assert opened.count("Rioja") == 1, "told once"


def test_every_failing_case_is_folded_with_claim_chunk_and_place() -> None:
    folded = comment_of("block").partition("Cases that fail a stage (5)")[2].partition("</details>")[0]
    assert (
        "- `nut-dessert` · answer faithfulness · `cases/menu.yaml:25`\n"
        "  - no chunk supports “The baklava is free of nuts.”\n"
        "  - evidence: `menu-31` “Baklava: filo pastry, walnuts, honey.” · id `claim:f8074fd78f665aae`\n"
    ) in folded
    assert folded.count("\n- `") == 5


def test_a_block_says_what_changed_in_a_fold() -> None:
    folded = comment_of("block").partition("Changed since the baseline (5)")[2].partition("</details>")[0]
    assert "- **Fixed:** 1 case passes again: `closing`; 1 hallucination gone (`closing`).\n" in folded
    assert "- `prompt`: `p7` → `p8`" in folded
    assert "- 1 case added: `oysters`" in folded
    assert "- 1 case removed from the suite, counted as not measured unless waived: `old-menu`" in folded
    assert "- 1 hallucination was already there on the baseline (`calories`)" in folded
    assert "low in calories" not in open_text(comment_of("block")).lines, "a persisting one is counted, not told again"
    notes = comment_of("block").partition("<summary>Notes (1)")[2]
    assert "- No evidence store was given: permission, currency and versions were not checked." in notes


@pytest.mark.parametrize("name", ORDINARY)
def test_no_code_of_a_problem_and_no_half_word_stands_open(name: str) -> None:
    shown = "\n".join(open_text(comment_of(name)).lines)
    assert not [code for code in PROBLEM_CODES if re.search(rf"(?<![\w-]){code}(?![\w-])", shown)]
    whole = set(re.findall(r"[\w-]+", html.unescape(summary_of(name))))
    assert set(re.findall(r"([\w-]+)…", shown)) <= whole, "a word was cut in the middle"


def test_an_inconclusive_run_says_what_could_not_be_measured() -> None:
    comment = comment_of("inconclusive")
    assert open_text(comment).lines[2] == "Not measured: 5 of 7 cases (1 allowed): cut by the deadline. late-1."
    assert "| candidate recall | – | not scored | – | – | ≥ 95 % | ⏳ not measured |" in comment
    assert (
        "- `late-1` · `cases/menu.yaml:18`\n  - target: cut by the deadline: the deadline of 60 s passed\n" in comment
    )
    assert "<details><summary>Cases not measured (5)</summary>" in comment


def test_without_a_baseline_the_page_says_why_nothing_is_compared() -> None:
    comment = comment_of("no_baseline")
    assert ("> - No baseline run to compare with, so regressions are unknown.\n") in comment
    assert "| Gate | Passed | Rate | Bar | Status |" in comment
    assert "no baseline ·" in comment.splitlines()[-1]


def test_a_thousand_failing_cases_are_counted_and_some_are_named() -> None:
    comment, summary = comment_of("thousand_failing"), summary_of("thousand_failing")
    assert "**1,000 answers said what the evidence does not bear out** (50 allowed). " in comment
    assert "`question-0000` and 999 more" in comment
    assert "<details><summary>Cases that fail a stage (1,000)</summary>" in comment
    assert re.findall(r"^(\d+) of 1,000 shown, more in the job summary, full table in", comment, re.MULTILINE) == ["50"]
    assert comment.count("\n- `question-") == 51, "those of the fold, and the open one"
    assert summary.count("\n- `question-") == 201
    assert "200 of 1,000 shown, full table in `cases.jsonl` of the run directory." in summary
    assert "50 of 400 shown, more in the job summary, full table in `run.json` of the run directory." in comment


def test_a_pull_request_page_says_where_it_comes_from_and_what_it_is_compared_with() -> None:
    comment, summary = comment_of("pull_request"), summary_of("pull_request")
    assert comment.splitlines()[0] == (
        "<!-- raggate:v1 suite=menu run=17234567890 attempt=2 head=0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 -->"
    )
    footer = comment.splitlines()[-1]
    assert (
        "baseline [`main@99aa88b`](https://github.com/menu/app/actions/runs/17234560000) (release),"
        " 4 commits behind, 13 cases compared"
    ) in footer
    workflow_run = "https://github.com/menu/app/actions/runs/17234567890/attempts/2"
    assert f"[workflow run 17234567890, attempt 2]({workflow_run}) ·" in footer
    assert "2 days old" in summary.splitlines()[-1], "what differs from day to day stands in the summary alone"
    commit = "https://github.com/menu/app/commit/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
    assert f"commit [`0a1b2c3d4e5f`]({commit}) ·" in footer
    assert "<summary>Notes (1)</summary>\n\n- The baseline is 2 days old.\n" in comment


def test_a_cancelled_run_says_so_first_and_is_no_release() -> None:
    lines = comment_of("cancelled").splitlines()
    assert lines[1:5] == [
        "> [!WARNING]",
        "> **This run was cancelled** when 2 of 13 cases had finished; everything below is of these alone.",
        ">",
        "> **Inconclusive** · suite `menu` · 2 passed (2 verified) · 0 failed · 0 not measured · 0 with hallucinations · no baseline",
    ]
    assert sum("cancelled" in line for line in lines) == 1, "said once"


def test_an_app_that_answered_nothing_is_one_paragraph_with_the_whole_advice() -> None:
    shown = [line for line in comment_of("unreachable").splitlines() if line]
    assert len(shown) == 5, shown
    assert shown[2] == (
        "> **Inconclusive** · suite `menu` · 0 passed · 2 failed · 0 not measured · – regressions · – hallucinations"
    )
    advice = html.unescape(shown[3]).replace("`", "")
    assert advice == "> - " + all_reasons(pages.unreachable().run).replace("`", "").replace("the app", "The app", 1)
    assert shown[4].startswith("<sub>")
    summary = summary_of("unreachable")
    assert shown[3] in summary.splitlines()
    for page in (comment_of("unreachable"), summary):
        assert not [
            word for word in ("house-wine", "terrace", "category", "passed |", "✅", "❌", "<details>") if word in page
        ]


@pytest.mark.parametrize("name", [name for name in ORDINARY if RUNS[name]().comparison is None])
def test_without_a_baseline_nothing_is_called_new(name: str) -> None:
    told = RUNS[name]()
    said = [plain(each.title) for each in remarks(told)]
    for page in (render_comment(told), render_summary(told), "\n".join([*outcome_lines(told), *said])):
        # The waiver's own reason speaks of a new index.
        assert not re.findall(r"\b(?:new(?! index)|now|newly|again)\b", re.sub(r"<!--.*?-->|https?:\S+", "", page)), (
            page
        )


@pytest.mark.parametrize("name", ORDINARY)
def test_no_comment_ends_in_digests_or_milliseconds(name: str) -> None:
    told = RUNS[name]()
    digest = told.run.provenance.evidence_digest
    footer = render_comment(told).splitlines()[-1]
    assert footer.startswith("<sub>scope ")
    assert not re.search(r"\d\.\d+Z|· run `", footer)
    assert digest is None or digest[:12] not in footer
    assert digest is None or f"evidence `{digest[:12]}`" in render_summary(told).splitlines()[-1]


def test_a_page_without_a_baseline_says_why_there_is_none() -> None:
    assert ("> - **No baseline.** No run of main has stored one yet. Regressions are unknown.\n") in comment_of(
        "cancelled"
    )


def test_what_a_fork_reports_is_labelled_before_its_verdict() -> None:
    shown = comment_of("fork")
    label = "> **Reported by a run of a fork or of Dependabot:** its own workflow measured this, and nobody here has checked it."
    assert shown.index(label) < shown.index("**Release**")
    assert label in summary_of("fork")


def test_a_run_that_only_advises_says_so_and_names_the_expired_waiver_first() -> None:
    lines = ["", *visible(comment_of("advises")).splitlines()]
    assert lines[2] == (
        "> **A waiver has expired** and no longer covers `egg-free` candidate recall (until 2026-05-31, `@menu-team`)."
    )
    assert "> - This suite only advises: the check passes whatever stands here." in lines
    assert sum("expired" in line for line in lines) == 1, "said once"
    assert any(
        line.startswith(
            "| `brunch` | citation support | nothing is cited for “Brunch ends at three.” | Fixed in `#412` |"
        )
        for line in lines
    )


@pytest.mark.parametrize("render", [render_comment, render_summary], ids=["comment", "summary"])
def test_under_texts_ids_no_word_of_an_answer_or_a_chunk_is_shown(render: Callable[[Reporting], str]) -> None:
    page, told = render(pages.ids()), pages.no_baseline()
    texts = {h.text for row in told.listed.hallucinating for h in row.hallucinations}
    quotes = {h.quote for row in told.listed.hallucinating for h in row.hallucinations if h.quote}
    for words in {*texts, *quotes, "Brunch ends at three", "Rioja"}:
        assert words not in page
        assert words in render(told), "it would be shown otherwise"
    case = "- `lamb-wine` · answer faithfulness · `cases/menu.yaml:18`\n  - told what the evidence cannot answer\n"
    assert "  - nearest evidence: `menu-12` · id `answered`" in page.partition(case)[2].partition("\n- `")[0]
    assert "  - `menu-44` not in candidates" in page, "ids are shown"


def test_a_case_whose_name_looks_like_an_option_is_repeated_all_the_same() -> None:
    told = pages.no_baseline()
    row = told.listed.failing[0].model_copy(update={"case_id": "--out=/etc"})
    listed = told.listed._replace(failing=(row,))
    page = render_summary(told._replace(listed=listed, run=told.run.model_copy(update={"scope": "--out=/etc"})))
    assert "repeat: `raggate-action run raggate.yaml --case=--out=/etc --scope=--out=/etc`" in page


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page = comment_of("hostile")
    assert re.fullmatch(
        r"<!-- raggate:v1 suite=[a-z._-]+-[0-9a-f]{8} run=1000000000000000000 attempt=100000000 -->",
        page.splitlines()[0],
    )
    assert "`@org/team`" in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    bare = re.sub(r"`[^`]*`", "", html.unescape(visible(page)))
    assert "raggate:v1" not in bare
