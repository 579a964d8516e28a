"""Laws of the check of written findings: it never fails on a text, and no number from nowhere passes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.ab.aggregate_measures import measures_of
from raggate_action.core.ab.finding_check import rejection_of
from raggate_action.schema.ab_run import Finding
from tests.written_findings import panel

FOUND = panel()
MEASURES = measures_of(FOUND)
PIECES = st.sampled_from(
    (
        "the treatment", "the control", "Q7", "Q99", "10", "12", "3.42", "-", "+", "%", " of ", "/", "p = 0.002", "<", "one",
        "eleven", "no row", "tie", "lost", "better", "worse", "than", "not", ":", ". ", ", ", "(", ")", "and", "1.2.3", "AC1",
        "groundedness", "owl", "\u0435", "**", "@x", "", " ", "judges", "questions", "question 7", "twenty-three hundred",
    )
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, min_size=1, max_size=20).map(" ".join), st.text(min_size=1, max_size=80))


@settings(deadline=None)
@given(
    TEXTS,
    st.sampled_from(sorted(MEASURES)),
    st.sampled_from(["better", "worse", "no_difference", "note"]),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_text_is_held_or_left_out(text: str, measure: str, kind: str, number: float) -> None:
    given_text = text.strip() or "x"
    finding = Finding.model_validate({"kind": kind, "measure": measure, "numbers": (number,), "text": given_text[:600]})
    found = rejection_of([finding], FOUND)
    assert found is None or (found.place == 1 and len(found.found) <= 60)


@settings(deadline=None)
@given(st.sampled_from(sorted(MEASURES)), st.integers(0, 400), st.integers(1, 400))
def test_a_part_of_a_whole_that_nobody_counted_never_passes(measure: str, part: int, whole: int) -> None:
    counted = {(int(each.value), each.whole) for each in MEASURES[measure].numbers if each.kind == "count"}
    finding = Finding(kind="note", measure=measure, text=f"It is {part} of {whole} in this run.")
    if (part, whole) not in counted:
        assert rejection_of([finding], FOUND) is not None


@settings(deadline=None)
@given(st.sampled_from(sorted(MEASURES)), st.decimals(-20, 20, places=2))
def test_an_amount_that_nobody_has_worked_out_never_passes(measure: str, amount: object) -> None:
    values = [each.value for each in MEASURES[measure].numbers if each.kind != "count"]
    near = any(abs(abs(float(str(amount))) - abs(value)) < 0.0101 for value in values)
    finding = Finding(kind="note", measure=measure, text=f"The mean is {amount} points in this run.")
    if not near:
        assert rejection_of([finding], FOUND) is not None
