"""`docs/criteria.md` cannot lie: its samples are a suite, its facts are cut by us, its row is a comment's."""

from __future__ import annotations

import re
from pathlib import Path

from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import decide
from raggate_action.core.text.reference_facts import facts_of
from raggate_action.report.render import render_comment
from raggate_action.schema.answer_votes import AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.case import MustNot
from raggate_action.schema.judgement import ItemSaid
from raggate_action.schema.outcome import Unmeasured
from raggate_action.suite_files import LoadedSuite, load_suite
from tests.golden.builders import make_reporting
from tests.row_builders import TODAY, make_policy, make_row

DOCUMENT = (Path(__file__).parents[2] / "docs/criteria.md").read_text()
SAMPLES = dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))


def loaded(folder: Path) -> LoadedSuite:
    for name, text in SAMPLES.items():
        (folder / name).write_text(text)
    return load_suite(folder / "raggate.yaml", environment={})


def test_the_samples_are_a_suite_without_a_mistake(tmp_path: Path) -> None:
    found = loaded(tmp_path)
    [placed] = found.cases
    assert placed.case.criteria == (
        "says that the kitchen cannot rule out traces",
        MustNot(must_not="names a dish as safe"),
        MustNot(must_not="promises something in the kitchen's name"),
    )
    assert not [remark for remark in found.remarks if "criteria" in remark]
    gates = found.suite.gates
    assert f"{gates.agreement.per_case} {gates.criteria.level}" == "0.8 warn"


def test_the_facts_are_those_of_the_sample(tmp_path: Path) -> None:
    [placed] = loaded(tmp_path).cases
    listed = re.findall(r"^\d\. (.*)$", DOCUMENT.partition("<!-- facts -->")[2].partition("\n\n")[0], re.MULTILINE)
    assert facts_of(placed.case.reference_answer or "", "en") == tuple(listed)


def test_the_row_is_the_one_of_a_comment() -> None:
    (row,) = re.findall(r"<!-- row -->\n```text\n(.*)\n```", DOCUMENT)
    tally, rows = Tally(make_policy(), decided_on=TODAY), []
    said: list[ItemSaid] = [*(("stated",) * 7), "lacking", "contradicted"]
    for number in range(3):
        items = [
            JudgedItem(kind="fact", item=f"fact-{at}", votes=(ItemOpinion(judge="mini", said=each),))
            for at, each in enumerate(said[number * 3 : number * 3 + 3])
        ]
        unfed = {"agreement": Unmeasured(reason="no-adjudicator", detail="")}
        rows.append(make_row(number, outcomes=unfed, answer_votes=AnswerVotes(items=tuple(items))))
        tally.add(rows[-1])
    decided = decide(tally.facts(), policy=make_policy(), comparison=None)
    assert decided.decision.kind == "release"
    assert row in render_comment(make_reporting(tuple(rows), decided.decision, gates=decided.gates))
