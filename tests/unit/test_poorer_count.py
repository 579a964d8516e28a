"""What is counted of answers that are poorer than the baseline's: only rows held against this baseline."""

from __future__ import annotations

from raggate_action.core.comparison.poorer_count import PoorerCount
from raggate_action.core.counting.case_state import NamedCases
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.main_answers import BesideMain, PoorerReason
from tests.row_builders import DECIDED_AT, TODAY, make_policy, make_row


def counted(held_against: str) -> int:
    """How many of one cut answer's rows are counted beside a baseline of `DECIDED_AT`."""
    beside = BesideMain(baseline=held_against, main="m", reasons=(PoorerReason(state="cut"),))
    count = PoorerCount(NamedCases(rules_tell=True), Waivers(make_policy(), decided_on=TODAY), DECIDED_AT)
    count.add(make_row(0, beside_main=beside))
    found = count.result()
    return 0 if found is None else found.poorer


def test_a_row_held_against_this_baseline_counts() -> None:
    assert counted(DECIDED_AT) == 1


def test_a_row_held_against_another_baseline_does_not_count() -> None:
    assert counted("2020-01-01T00:00:00Z") == 0
