"""Answers that are poor by themselves, where no answer of the base branch is known."""

from __future__ import annotations

import random

import pytest

from raggate_action.core.counting.alone_tally import AloneTally
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.poorer.answers_alone import answer_alone
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.main_answers import AnswerAlone
from tests.row_builders import make_row

EVIDENCE = "The bike rental costs 12 EUR per day. It can be cancelled free of charge. We are open from 9:00 to 17:00."
ONE_FOR_ALL = "Our opening times are on the website."


def told(answer: str, evidence: str | None = EVIDENCE, *, fits: bool = False) -> tuple[bool, bool]:
    """Whether it is cut, and whether it has nothing of its evidence."""
    indexes = [EvidenceIndex(evidence, "en")] if evidence is not None else []
    found = answer_alone(answer, indexes, "en", fits=fits) or AnswerAlone()
    return found.cut, found.same is not None


@pytest.mark.parametrize(
    "answer",
    [
        "Yes.",
        "No",
        "We open at 9:00.",
        "It is free of charge.",
        "It can be cancelled free of charge, as we tell everybody who asks us about it.",
        "12 EUR",
        "...",
        EVIDENCE,
    ],
)
def test_an_answer_that_has_something_of_its_evidence_or_is_a_yes_or_no_fits(answer: str) -> None:
    assert told(answer) == (False, False)


def test_an_answer_that_has_nothing_of_its_evidence_is_looked_for_in_other_cases() -> None:
    assert told(ONE_FOR_ALL) == (False, True)
    assert told(ONE_FOR_ALL, fits=True) == (False, False)
    assert told(ONE_FOR_ALL, None) == (False, False), "without evidence nobody can tell"


def test_half_of_its_words_are_enough_wherever_they_stand() -> None:
    # Content words: bike, bright; then bike, bright, green; then bike, cancelled, bright, green over two chunks.
    assert told("The bike is bright.") == (False, False)
    assert told("The bike is bright and green.") == (False, True)
    chunks = [EvidenceIndex("The bike rental costs 12 EUR.", "en"), EvidenceIndex("It can be cancelled.", "en")]
    assert answer_alone("A cancelled bike is bright and green.", chunks, "en", fits=False) is None
    assert answer_alone("A cancelled bike is bright and green.", chunks[:1], "en", fits=False) is not None


def test_an_answer_is_cut_by_itself_or_beside_its_evidence() -> None:
    assert told("The rental costs 12 EUR (for one", fits=True) == (True, False)
    assert told("The bike rental costs 12 EUR", fits=True) == (True, False)
    assert told("The bike rental costs 12 EUR per day.", fits=True) == (False, False)


def row(position: int, *context: str, same: str | None = "a", cut: bool = False, answer: str = ONE_FOR_ALL) -> CaseRun:
    return make_row(position, alone=AnswerAlone(cut=cut, same=same), context=context, answer=answer)


def counted(*rows: CaseRun, waived: frozenset[str] = frozenset()) -> AloneTally:
    tally = AloneTally(waived)
    for each in rows:
        tally.add(each)
    return tally


def test_three_cases_with_other_evidence_have_the_same_answer() -> None:
    rows = [row(n, f"c{n}") for n in range(3)]
    found = counted(*rows).result(3)
    measured = found.measured
    assert (measured.same_for_all, measured.cut, measured.hits, measured.sentences) == (3, 0, 3, ("a",))
    assert [(each.case_id, str(each.problem)) for each in found.named] == [
        (rows[0].case_id, f"same-for-all: {ONE_FOR_ALL}")
    ]
    random.Random(4).shuffle(rows)
    assert counted(*rows).result(3) == found, "whatever the order of the rows"


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([row(0, "c0"), row(1, "c1")], id="two cases"),
        pytest.param([row(n, "hours") for n in range(5)], id="reworded, the same evidence"),
        pytest.param([row(n, *("ab", "ba")[n % 2]) for n in range(5)], id="the same chunks in another order"),
        pytest.param([row(n, "hours", f"c{n}") for n in range(5)], id="a chunk that all of them were shown"),
        pytest.param([row(n, f"c{n}", same=None, cut=False) for n in range(5)], id="they fit"),
        pytest.param([row(n, f"c{n}", same=f"s{n}") for n in range(5)], id="other answers"),
        pytest.param([row(n) for n in range(5)], id="no evidence shown"),
    ],
)
def test_what_may_well_be_right_is_not_told(rows: list[CaseRun]) -> None:
    assert counted(*rows).result(len(rows)).measured.hits == 0


def test_a_case_that_is_both_counts_once_and_a_waived_one_not_at_all() -> None:
    rows = [row(n, f"c{n}", cut=n == 0, answer="Our times are (see") for n in range(4)]
    found = counted(*rows).result(4).measured
    assert (found.same_for_all, found.cut, found.hits) == (4, 1, 4)
    one = counted(*rows, waived=frozenset([rows[0].case_id])).result(4)
    assert (one.measured.same_for_all, one.measured.cut, one.measured.hits, one.waived) == (3, 0, 3, 1)
    assert counted(*rows, waived=frozenset([""])).result(4).measured.hits == 0
