"""The file of labels while somebody labels: every line that is not of the labelled answer stays, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.suite_files.calibration_file import Labels, read_labels, write_labels
from tests.thorough import examples

TEXTS = st.text(st.sampled_from("ab é😀'\"\\{}[]:\u2028\x7f\x00\r\n"), max_size=20)
WORDS = TEXTS.map(lambda text: f"It {text} holds.")
VERDICTS = st.sampled_from(["supported", "partial", "unsupported", "contradicted"])


@st.composite
def line(draw: st.DrawFn, number: int) -> bytes:
    """A labelled answer as a person, or another tool, writes it: any order, spaces, escapes and line end."""
    claims = draw(st.lists(st.tuples(WORDS, VERDICTS), min_size=1, max_size=3, unique_by=lambda claim: claim[0]))
    answer: dict[str, Any] = {
        "id": f"old-{number}",
        # No two lines are of one answer.
        "question": f"{number} {draw(TEXTS)}",
        "chunks": [{"chunk_id": "c1", "text": draw(WORDS)}],
        "answer": draw(WORDS),
        "claims": [
            {"claim_id": f"k{place}", "text": text, "verdict": verdict} for place, (text, verdict) in enumerate(claims)
        ],
    }
    keys = draw(st.permutations(list(answer)))
    text = json.dumps(
        {key: answer[key] for key in keys},
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (" , ", "  :  ")])),
    )
    blank = draw(st.sampled_from(["", "", "\n", "  \n"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return f"{blank}{text}{end}".encode()


@st.composite
def files(draw: st.DrawFn) -> bytes:
    content = b"".join([draw(line(number)) for number in range(draw(st.integers(0, 4)))])
    content = content.rstrip(b"\r\n") if draw(st.booleans()) else content
    return b"\xef\xbb\xbf" + content if content and draw(st.booleans()) else content


def labelled(question: str, claim: str, verdict: str) -> LabelledAnswer:
    return LabelledAnswer.model_validate_json(
        json.dumps({
            "id": "new",
            "question": question,
            "chunks": [{"chunk_id": "new-chunk", "text": "It holds."}],
            "answer": "It holds, and new.",
            "claims": [{"claim_id": "claim-1", "text": claim, "verdict": verdict, "drawn": "random"}],
            "case_id": "case",
        })
    )  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(content=files(), given_labels=st.lists(st.tuples(TEXTS, WORDS, VERDICTS), min_size=1, max_size=4))
def test_other_lines_stay_and_the_way_back_leads_to_the_same_bytes(
    content: bytes, given_labels: list[tuple[str, str, str]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "calibration.jsonl"
        path.write_bytes(content)
        states: list[Labels] = [read_labels(path)]
        assert states[0].raw == content
        for question, claim, verdict in given_labels:
            states.append(states[-1].with_claim_label(labelled(question, claim, verdict)))
            write_labels(path, states[-1], before=states[-2])
            assert path.read_bytes().startswith(content)
            assert read_labels(path) == states[-1]
        now = {
            (a.question, c.text): c.verdict for a in read_labels(path).answers for c in a.claims if c.drawn == "random"
        }
        assert now == {(question, claim): verdict for question, claim, verdict in given_labels}
        for after, before in zip(reversed(states), reversed(states[:-1]), strict=False):
            write_labels(path, before, before=after)
        assert path.read_bytes() == content
        assert [each.name for each in Path(folder).iterdir()] == ["calibration.jsonl"]


@settings(max_examples=examples(30), deadline=None)
@given(content=files(), place=st.integers(0, 3), new=WORDS.map(lambda text: f"{text} Newly."))
def test_a_further_claim_of_an_answer_goes_into_its_line_alone(content: bytes, place: int, new: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "calibration.jsonl"
        path.write_bytes(content)
        before = read_labels(path)
        places = [number for number, each in enumerate(before.lines) if each.labels is not None]
        if not places:
            return
        changed = places[place % len(places)]
        own = before.lines[changed].labels
        assert isinstance(own, LabelledAnswer)
        further = own.claims[0].model_copy(update={"text": new, "verdict": "partial"})
        write_labels(path, before.with_claim_label(own.model_copy(update={"claims": (further,)})), before=before)
        after = read_labels(path)
        assert [each.raw for each in after.lines[:changed]] == [each.raw for each in before.lines[:changed]]
        assert [each.raw for each in after.lines[changed + 1 :]] == [each.raw for each in before.lines[changed + 1 :]]
        grown = after.lines[changed].labels
        assert isinstance(grown, LabelledAnswer)
        assert grown.claims[:-1] == own.claims
        assert (grown.claims[-1].text, grown.claims[-1].verdict) == (new, "partial")
        assert len({claim.claim_id for claim in grown.claims}) == len(own.claims) + 1
