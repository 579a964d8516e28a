"""Facts and criteria as people read them: in `explain`, in the comment, under `texts: ids`, and from hostile judges."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.cli.explain_command import printed
from raggate_action.report.page_cases import judgement_parts
from raggate_action.report.render import render_comment
from raggate_action.report.vote_view import votes_in_short
from raggate_action.schema.answer_votes import AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemSaid
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy
from tests.builders import make_rules
from tests.golden.builders import blocked, make_reporting
from tests.held_answers import ADVISING_ITEMS, all_hold, held_row, holds
from tests.panel_builders import lost

ANSWER = "The shop opens at nine."
REFERENCE = "The shop opens at nine. It is closed on Sundays."
BAD: dict[str, ItemSaid] = {"fact-1": "stated", "fact-2": "contradicted", "criterion-1": "no", "criterion-2": "yes"}
CASE: dict[str, Any] = {"reference_answer": REFERENCE, "criteria": ["names a day", {"must_not": "names an hour"}]}


def row(**fields: Any) -> CaseRun:
    return held_row(ANSWER, all_hold(BAD, ANSWER), **{**CASE, **fields})


def comment(*rows: CaseRun, texts: Any = "quotes") -> str:
    listed = {"failing": tuple([row for row in rows if row.state == "failed"])}
    return render_comment(make_reporting(rows, blocked(), listed=listed, policy=Policy(texts=texts)))


def test_explain_shows_every_vote_with_its_quotation_and_reason() -> None:
    lines = list(printed(judgement_parts(row(), Gates())))
    shown = lines[lines.index("  stated       fact-1: “The shop opens at nine.”") :]
    indent = " " * 4
    assert shown[:10] == [
        "  stated       fact-1: “The shop opens at nine.”",
        f"{indent}3 of 3 armed judges say stated",
        f"{indent}a: stated · “{ANSWER}” · a says so",
        f"{indent}b: stated · “{ANSWER}” · b says so",
        f"{indent}c: stated · “{ANSWER}” · c says so",
        "  contradicted fact-2: “It is closed on Sundays.”",
        f"{indent}3 of 3 armed judges say contradicted",
        f"{indent}a: contradicted · “{ANSWER}” · a says so",
        f"{indent}b: contradicted · “{ANSWER}” · b says so",
        f"{indent}c: contradicted · “{ANSWER}” · c says so",
    ]
    assert "  no           criterion-1: “names a day”" in shown
    assert "  yes          criterion-2 (must not): “names an hour”" in shown
    asked = lines[lines.index("Judges") + 1 :]
    assert asked[0].startswith("  a (on facts and criteria, armed for agreement and criteria): judged")


def test_explain_says_that_advice_only_advises_and_which_call_was_lost() -> None:
    facts: dict[str, ItemSaid] = {"fact-1": "stated", "fact-2": "lacking"}
    gone = lost("b").model_copy(update={"job": "answer"})
    advised = held_row(ANSWER, [holds("a", facts, ANSWER), gone], terms=ADVISING_ITEMS, reference_answer=REFERENCE)
    lines = list(printed(judgement_parts(advised, Gates())))
    assert "  open         fact-2: “It is closed on Sundays.”" in lines
    assert "    1 of 1 judges says lacking (advice only)" in lines
    assert any(line.startswith("  b (on facts and criteria, advising): lost, timed out") for line in lines)


def test_a_comment_names_what_an_answer_misses_and_folds_the_votes() -> None:
    text = comment(row())
    assert "it contradicts" in text
    assert "It is closed on Sundays." in text
    fold = text.partition("Judges on facts and criteria that answers miss (3)")[2].partition("</details>")[0]
    assert "`fact-2`, 3 of 3 armed judges say contradicted" in fold
    assert "`criterion-2` (must not), 3 of 3 armed judges say yes" in fold
    assert "`fact-1`" not in fold, "what is stated is no fault"


def test_judges_that_only_advise_have_no_fold() -> None:
    advised = held_row(ANSWER, all_hold(BAD, ANSWER), terms=ADVISING_ITEMS, **CASE)
    assert "that answers miss" not in comment(advised)


def test_under_ids_a_comment_names_and_quotes_nobody() -> None:
    text = comment(row(rules=make_rules(has_judges=True, texts="ids")), texts="ids")
    assert "`fact-2`, 3 of 3 armed judges say contradicted" in text
    assert "Sundays" not in text
    assert "says so" not in text


HOSTILE = "@everyone <!-- x --> ![x](http://evil.test/x.png) <script>1</script> ``` | a | b |"


def test_what_a_judge_or_an_answer_writes_stays_words() -> None:
    judgements = [
        each.model_copy(update={"items": tuple([item.model_copy(update={"note": HOSTILE}) for item in each.items])})
        for each in all_hold(BAD, ANSWER)
    ]
    text = comment(held_row(ANSWER, judgements, **CASE))
    assert "`@everyone`" in text
    bare = text.replace("`@everyone`", "").replace("`![x](http://evil.test/x.png`)", "")
    for raw in ("@everyone", "<!-- x", "<script>", "](http://evil.test"):
        assert raw not in bare
    lines = list(printed(judgement_parts(held_row(ANSWER, judgements, **CASE), Gates())))
    assert not any("\x1b" in line or "\n" in line for line in lines)


@pytest.mark.parametrize(
    ("said", "votes", "expected"),
    [
        (None, [], "no judge says anything"),
        (None, [("lacking", True)], "1 of 1 armed judges says lacking; too few to decide"),
        ("cannot-tell", [("cannot-tell", True), ("yes", True)], "1 of 2 armed judges says cannot tell"),
        ("lacking", [("lacking", True), ("stated", False)], "1 of 1 armed judges says lacking"),
    ],
)
def test_votes_in_short(said: ItemSaid | None, votes: list[tuple[ItemSaid, bool]], expected: str) -> None:
    opinions = tuple([ItemOpinion(judge="j", armed=armed, said=word) for word, armed in votes])
    kind: Any = "criterion" if said == "cannot-tell" else "fact"
    assert votes_in_short(JudgedItem(kind=kind, said=said, votes=opinions)) == expected


def test_what_nobody_may_read_is_named_and_withheld() -> None:
    votes = AnswerVotes(items=(JudgedItem(kind="fact", item="fact-2", withheld=True),))
    lines = list(printed(judgement_parts(row().model_copy(update={"answer_votes": votes}), Gates())))
    assert "  withheld     fact-2" in lines
