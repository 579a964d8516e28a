"""What a reader has to find on the page of a judged run; its bytes are held by `test_comment_golden`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from raggate_action.report.page_sections import Reporting
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.judgement import ClaimVote, LostCode
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.panel import Panel
from raggate_action.schema.run import Policy
from tests.golden import judged_pages, pages
from tests.golden.builders import wordless
from tests.golden.hostile import ATTACKS, hostile, repeated
from tests.golden.hostile_judges import with_hostile_judges
from tests.golden.judged_pages import BAKLAVA, MEMBERS, advised, advised_case, card, with_panel, with_row


def judge_fold(page: str) -> str:
    """The one fold about judges, its summary first."""
    return page.partition("<details><summary>Judges: ")[2].partition("</details>")[0]


def judge_line(page: str) -> str:
    """The line in it on who judged and what came of it."""
    return next(line for line in judge_fold(page).splitlines() if line.startswith("- ")).removeprefix("- ")


def line_of(panel: Panel, judging: JudgingCounts | None) -> str:
    return judge_line(render_comment(with_panel(pages.release(), panel, judging)))


def why_line(*cards: JudgeCard) -> str:
    """What stands below that line."""
    panel = Panel(members=MEMBERS[: len(cards)], prompt="p", cards=cards)
    fold = judge_fold(render_comment(with_panel(pages.release(), panel, JudgingCounts())))
    return [line for line in fold.splitlines() if line.startswith("- ")][1].removeprefix("- ")


def test_what_was_not_asked_for_is_not_called_lost() -> None:
    lost: dict[LostCode, int] = {"budget": 4, "judge-timeout": 2, "judge-off-schema": 1}
    judging = JudgingCounts(answers=3, judgements=9, calls=5, lost=lost, cost_usd=0.5)
    line = line_of(Panel(members=MEMBERS, prompt="p"), judging)
    assert (
        "9 judgements of 3 answers, 2 made, 3 lost (2 timed out, 1 not in the form asked for),"
        " 4 not asked for (budget used up)"
    ) in line
    assert line.endswith("5 calls, 0.5000 USD")


@pytest.mark.parametrize("judging", [None, JudgingCounts()])
def test_where_nothing_was_open_no_judgement_and_no_cost_is_made_up(judging: JudgingCounts | None) -> None:
    panel = Panel(members=MEMBERS, prompt="p", cards=tuple([card(each.name) for each in MEMBERS]))
    page = render_comment(with_panel(pages.release(), panel, judging))
    assert judge_line(page).endswith("`crow` (Eastlab) · no answer left them anything open")
    assert "cost of its judges" not in page


def test_without_a_label_there_is_no_table_of_dashes() -> None:
    panel = Panel(members=MEMBERS, prompt="p", cards=tuple([JudgeCard(judge=each.name) for each in MEMBERS]))
    page = render_comment(with_panel(pages.release(), panel, JudgingCounts(answers=1, judgements=3, calls=3)))
    assert "- Tokens: 0 read, 0 of them cached; 0 written.\n" in judge_fold(page)
    assert "|" not in judge_fold(page)
    assert "Tokens" not in render_comment(with_panel(pages.release(), panel, JudgingCounts()))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param(
            {"why_not": "no-labels", "missing_labels": 50, "missing_faults": 20, "labels": 0},
            "no claim is labelled yet. Label 50 claims, 20 of them faulty: `raggate-action judges label raggate-run`.",
            id="a team that never labelled",
        ),
        pytest.param(
            {"why_not": "too-few-labels", "labels": 49, "faults": 20, "missing_labels": 1, "missing_right": 1},
            "49 of 50 labels, 20 of 20 faults. Label 1 more claim, 1 of them right: `raggate-action judges label raggate-run`.",
            id="good ones are missing",
        ),
        pytest.param(
            {"why_not": "not-judged"},
            "this model with this prompt has not judged the labels. A run of the whole suite judges them, or"
            " `raggate-action judges check`.",
            id="nobody labels twice",
        ),
        pytest.param(
            {"why_not": "ac1", "ac1": 0.414},
            "it agrees too little with people (AC1 0.41). Choose another model.",
            id="it is no good",
        ),
        pytest.param(
            {"why_not": "false-pass", "missing_labels": 9, "missing_faults": 9},
            "it calls too many faulty claims supported: 2/20, at most 28.3 %. Choose another model, or label 9 more"
            " claims, 9 of them faulty: `raggate-action judges label raggate-run`.",
            id="too few faults to tell",
        ),
    ],
)  # fmt: skip
def test_each_reason_comes_with_its_way_out(fields: dict[str, object], said: str) -> None:
    assert why_line(card("owl", armed=False, **fields)) == f"**Advice only:** {said}"


def test_an_adviser_is_named_once_with_its_reason() -> None:
    advisers = [card("lark", armed=False, why_not="ac1"), card("crow", armed=False, why_not="obeyed-injection")]
    panel = Panel(members=MEMBERS, prompt="p", quorum=1, cards=(card("owl"), *advisers))
    assert line_of(panel, None).startswith("1 of 3 armed: `owl` (Northlab) ·")
    fold = judge_fold(render_comment(with_panel(pages.release(), panel, None)))
    (why,) = [line for line in fold.splitlines() if line.startswith("- **Advice only:** ")]
    assert [why.count(f"{name} (") for name in ("`lark`", "`crow`")] == [1, 1]


def test_votes_are_one_line_only_where_all_that_is_shown_is_the_same() -> None:
    def fold_of(*notes: str) -> list[str]:
        said = [
            ClaimVote(judge=judge, armed=True, verdict="contradicted", note=note)
            for judge, note in zip(("owl", "lark"), notes, strict=True)
        ]
        told = with_row(
            judged_pages.judged(), "nut-dessert", claims=(BAKLAVA.model_copy(update={"votes": tuple(said)}),)
        )
        fold = render_comment(told).partition("Judges on new hallucinations (1)")[2].partition("</details>")[0]
        return [line for line in fold.splitlines() if line.startswith("  - ")]

    assert fold_of("Nuts.", "Nuts.") == ["  - `owl`, `lark`: contradicted · Nuts."]
    assert fold_of("Nuts.", "Walnuts.") == ["  - `owl`: contradicted · Nuts.", "  - `lark`: contradicted · Walnuts."]


def test_judges_of_one_lab_are_disclosed() -> None:
    members = (MEMBERS[0], MEMBERS[1].model_copy(update={"lab": " northlab"}), MEMBERS[2])
    page = render_comment(with_panel(pages.release(), Panel(members=members, prompt="p"), None))
    assert "- `owl`, `lark` are of one lab, Northlab: their faults may be the same.\n" in page


def test_a_terminal_is_told_who_counts_and_what_would_arm_the_others() -> None:
    *_others, line, why = outcome_lines(judged_pages.advising())
    assert line.startswith("  judges: 3 advising: owl (Northlab), lark (Southlab), crow (Eastlab) · 30 judgements")
    assert why == (
        "  advice only: 18 of 50 labels, 4 of 20 faults. Label 32 more claims, 16 of them faulty:"
        " raggate-action judges label raggate-run."
    )
    for silent in (pages.release(), judged_pages.unavailable()):
        assert not [line for line in outcome_lines(silent) if "judge" in line.lower()], "told at the beginning"


def test_a_persisting_hallucination_is_no_new_one_of_the_judges_either() -> None:
    reporting = judged_pages.judged()
    comparison = reporting.comparison
    assert comparison is not None
    moved = [
        each.model_copy(update={"move": "same"}) if each.case_id == "nut-dessert" else each
        for each in comparison.changes
    ]
    told = reporting._replace(comparison=comparison.model_copy(update={"changes": tuple(moved)}))
    assert "Walnuts are nuts" not in render_comment(told)


@pytest.mark.parametrize("render", [render_comment, render_summary], ids=["comment", "summary"])
def test_under_texts_ids_no_note_and_no_quotation_of_a_judge_is_shown(render: Callable[[Reporting], str]) -> None:
    page, told = render(judged_pages.judged_ids()), render(judged_pages.judged())
    for words in ("Walnuts are nuts", "The entry lists walnuts", "filo pastry", "The baklava is free"):
        assert words in told, "it would be shown otherwise"
        assert words not in page
    assert (
        "- `nut-dessert`: `claim-1`, 2 of 2 armed judges say contradicted\n  - `owl`: contradicted · `menu-31`\n"
        in page
    )


def test_the_list_of_a_judged_run_is_that_of_the_run_without_its_judges() -> None:
    """What a reviewer needs most is not pushed down by whoever judged it."""
    judged, plain = (render_comment(each).partition("\n\n")[0] for each in (judged_pages.judged(), pages.block()))
    assert judged == plain


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda text: repr(text[:20]))
def test_a_judges_words_do_nothing_whatever_they_are(attack: str) -> None:
    page = render_comment(with_hostile_judges(hostile(lambda: "x", rows=1, compared=False), lambda: attack))
    fold = page.partition("<details><summary>Judges on hallucinations (1)</summary>")[2].partition("</details>")[0]
    assert fold.count("\n  - ") == 1, "one line, for all three say the same"
    bare = html.unescape(re.sub(r"`[^`]*`", "", fold))
    assert not re.search(r"@\w|::\w+|\]\(|https?://|^\s*#|\x1b|raggate:v1", bare)
    assert not re.search(
        r"<(?!/?(?:details|summary)\b)",
        re.sub(r"`[^`]*`", "", re.sub(r"^<!-- .*\n", "", page, flags=re.MULTILINE))
        .replace("<sub>", "")
        .replace("</sub>", ""),
    )


def test_a_judges_essay_is_cut() -> None:
    essay = with_hostile_judges(hostile(lambda: "x", rows=1, compared=False), repeated(("so be it " * 200,)))
    fold = render_comment(essay).partition("<details><summary>Judges on hallucinations (1)</summary>")[2]
    assert max(map(len, fold.partition("</details>")[0].splitlines())) < 1_500


def in_list(page: str) -> list[str]:
    return [line.removeprefix("> - ") for line in page.partition("\n\n")[0].splitlines() if line.startswith("> - ")]


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        ({"claims": 1, "unsupported": 0, "contradicted": 1}, "All judges call 1 claim of 1 answer contradicted"),
        (
            {"claims": 2, "unsupported": 1, "partial": 1, "by_most": 3},
            "All judges call 2 claims of 1 answer unsupported or backed in part; most judges call 3 more claims unsupported",
        ),
        ({"heard": 2}, "All judges heard call 1 claim of 1 answer unsupported"),
        (
            {"claims": 0, "answers": 0, "heard": 0, "unsupported": 0, "by_most": 2, "answers_by_most": 1},
            "Most judges call 2 claims of 1 answer unsupported",
        ),
    ],
)
def test_who_says_so_is_put_as_it_is(advice: dict[str, int], said: str) -> None:
    assert f"**{said}**" in in_list(render_comment(advised(1, **advice)))[1]


def test_a_quotation_decides_before_a_note_and_ids_hold_no_word() -> None:
    quoting = ClaimVote(judge="lark", verdict="contradicted", chunk_id="terms", quote="ten days", note="It says ten.")
    reporting = advised(1)
    cases = (advised_case(votes=(ClaimVote(judge="owl", verdict="supported"), quoting)),)
    told = reporting._replace(listed=reporting.listed._replace(advised=cases))
    assert "`refund-0`: “Refunds take two days.” · `terms` “ten days” · `lark`: It says ten." in in_list(
        render_comment(told)
    )
    ids = told._replace(run=told.run.model_copy(update={"policy": Policy(texts="ids")}))
    page = render_comment(wordless(ids))
    assert not [words for words in ("two days", "ten days", "It says ten") if words in page]
    assert "  - `claim-2` · 1 of 2 judges says contradicted (advice only)" in page


def test_a_known_bad_case_that_only_judges_could_block_is_told_in_the_list() -> None:
    bad = advised_case().row.model_copy(update={"kind": "known_bad", "blocked_at": "answer faithfulness"})
    reporting = judged_pages.reused()
    counts = reporting.run.counts.model_copy(update={"known_bad": 1, "known_bad_no_adjudicator": 1})
    run = reporting.run.model_copy(update={"counts": counts})
    page = render_comment(reporting._replace(listed=reporting.listed._replace(left_to_judges=(bad,)), run=run))
    assert "> - **1 of 1 known-bad case not measured**: no rule blocks them, and only judges can: `refund-0`\n" in page
