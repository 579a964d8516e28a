"""The fuzzer's harnesses hold on the inputs they begin from, cut and changed a little: they do not rot unseen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.harnesses import HARNESSES
from fuzz.stored_runs import VALUES, change
from tests.thorough import examples

SEEDS = [pytest.param(part, seed, id=f"{part}-{n}") for part, harness in HARNESSES.items() for n, seed in enumerate(harness.seeds())]  # fmt: skip


@pytest.mark.parametrize(("part", "seed"), SEEDS)
def test_a_harness_handles_what_it_begins_from(part: str, seed: bytes) -> None:
    HARNESSES[part].run(seed)


@pytest.mark.parametrize("part", HARNESSES)
@settings(deadline=None, max_examples=examples(50))
@given(data=st.data())
def test_a_harness_handles_what_is_cut_and_changed(part: str, data: st.DataObject) -> None:
    seed = bytearray(data.draw(st.sampled_from(HARNESSES[part].seeds())))
    for _ in range(data.draw(st.integers(0, 4)) if seed else 0):
        seed[data.draw(st.integers(0, len(seed) - 1))] = data.draw(st.integers(0, 255))
    HARNESSES[part].run(bytes(seed[: data.draw(st.integers(0, len(seed)))]))


def test_a_changed_stored_run_shares_no_value_with_the_next() -> None:
    """A list put into itself would have no end, and what an input did to it would be there in all that follow."""
    documents = {"run.json": {"suite": "x"}, "cases.jsonl": [], "comparison.json": {}}
    nested = VALUES.index([[]])
    for place in (0, 1, 2):
        change(documents, bytes([0, place, 2, nested]))
    assert documents["run.json"] == {"suite": [[[[]]]]}
    change(documents, bytes([0, 1, 0, 0]))
    change(documents, bytes([0, 2, 2, 0]))
    assert documents["run.json"] == {"suite": [[None], [[[]]]]}, "doubled, then one of the two changed"
    assert VALUES[nested] == [[]]
