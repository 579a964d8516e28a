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


def test_nothing_that_differs_from_one_run_to_the_next_stands_in_a_comment() -> None:
    comment = comment_of("release")
    assert " ms" not in comment
    assert "USD" not in comment
    assert "2026-06-02T18" not in comment, "the moment it was decided"


@pytest.mark.parametrize("name", ORDINARY)
def test_no_code_of_a_problem_and_no_half_word_stands_open(name: str) -> None:
    shown = "\n".join(open_text(comment_of(name)).lines)
    assert not [code for code in PROBLEM_CODES if re.search(rf"(?<![\w-]){code}(?![\w-])", shown)]
    whole = set(re.findall(r"[\w-]+", html.unescape(summary_of(name))))
    assert set(re.findall(r"([\w-]+)…", shown)) <= whole, "a word was cut in the middle"


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
