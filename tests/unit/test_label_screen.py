"""What stands on the screen of somebody who labels: the claim in its answer, the nearest evidence first, no control."""

from __future__ import annotations

import re
from collections.abc import Sequence

from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.report.label_screen import (
    ClaimOnScreen,
    Screen,
    claim_lines,
    others_line,
    progress_line,
    whole_lines,
)
from raggate_action.run.judging.evidence_for_claim import nearest_excerpts
from raggate_action.schema.calibration import Drawn, LabelledChunk
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ClaimVote

FILLER = "The shop was founded by two sisters who liked the sea. "
LONG = f"{FILLER * 12}Parcels can be returned within 30 days. {FILLER * 12}A parcel weighs at most 20 kg."
CLAIM = "Parcels can be returned within 30 days."


def opened(
    answer: str,
    claim: str,
    evidence: Sequence[tuple[str, tuple[str, ...], bool]] = (),
    *,
    drawn: Drawn = "random",
    question: str = "How long?",
    case_id: str = "returns",
) -> ClaimOnScreen:
    at = answer.find(claim)
    span = (at, at + len(claim)) if at >= 0 else None
    return ClaimOnScreen(1, drawn, case_id, question, answer, claim, span, evidence)


def shown(claim: ClaimOnScreen, look: Screen | None = None) -> str:
    return "\n".join(claim_lines(claim, look or Screen()))


def test_of_a_long_chunk_the_nearest_sentences_come_first_and_near_chunks_before_far_ones() -> None:
    chunks = [
        LabelledChunk(chunk_id="far", text="We open at nine."),
        LabelledChunk(chunk_id="long", text=LONG),
        LabelledChunk(chunk_id="short", text="A parcel goes by post."),
    ]
    excerpts = nearest_excerpts(CLAIM, chunks, IndexCache("en"))
    assert [each.chunk_id for each in excerpts] == ["long", "short", "far"]
    assert (excerpts[0].parts[0], excerpts[0].whole) == ("Parcels can be returned within 30 days.", False)
    assert excerpts[0].parts[1] == "A parcel weighs at most 20 kg."
    assert excerpts[2] == ("far", ("We open at nine.",), True)


def test_a_long_chunk_that_is_not_near_shows_its_beginning() -> None:
    (excerpt,) = nearest_excerpts("Zebras graze.", [LabelledChunk(chunk_id="c", text=LONG)], IndexCache("en"))
    assert excerpt.whole is False
    assert excerpt.parts[0].startswith("The shop was founded")
    assert len(excerpt.parts[0]) <= 400


def test_what_does_not_fit_is_counted_and_the_whole_is_a_key_away() -> None:
    evidence = [(f"c{number}", (f"Text {number}.",), True) for number in range(30)]
    text = shown(opened(CLAIM, CLAIM, evidence), Screen(80, 24))
    assert len(text.splitlines()) <= 24
    found = re.search(r"and (\d+) chunks farther from the claim: e shows them", text)
    assert found is not None
    assert text.count("Text ") + int(found[1]) == 30
    whole = whole_lines(opened(CLAIM, CLAIM, evidence), [("c1", LONG)], Screen())
    assert " ".join(" ".join(whole).split()).count("liked the sea.") == 24


def test_the_claim_is_marked_in_its_answer_and_written_again_only_where_its_words_differ() -> None:
    text = shown(opened(f"Yes. {CLAIM} So hurry.", CLAIM))
    assert f">>{CLAIM}<<" in text
    assert "\nclaim " not in text
    item = shown(opened("Fees:\n- Basic: 3\n- Pro: 9", "Fees: Pro: 9"))
    assert "\nanswer    Fees:\n          - Basic: 3\n          - Pro: 9\n" in item
    assert "\nclaim     >>Fees: Pro: 9<<\n" in item


def test_of_a_long_answer_what_stands_beside_the_claim_is_shown() -> None:
    text = shown(opened(f"{FILLER * 20}{CLAIM} {FILLER * 20}", CLAIM))
    assert f">>{CLAIM}<<" in " ".join(text.split())
    assert text.count("…") == 2
    assert len(text) < 1500


def test_a_highlight_over_lines_never_marks_the_margin_and_always_ends() -> None:
    claim = "Parcels can be returned within 30 days of delivery, whatever was in them and whoever sent them to us."
    lines = claim_lines(opened(f"Yes. {claim} So hurry.", claim), Screen(60, 40, colour=True))
    for line in lines:
        assert line.count("\x1b[1;4m") + line.count("\x1b[1m") == line.count("\x1b[0m"), line
        assert not re.match(r"\x1b\[1;4m {3}", line)
    marked = re.findall(r"\x1b\[1;4m(.*?)\x1b\[0m", "\n".join(lines))
    assert " ".join(marked) == claim


def test_nothing_foreign_reaches_the_terminal_as_a_command() -> None:
    evil = "a\x1b[2Jb\x9b31mc\u202ed\ue000e"
    claim = opened(f"{evil} {CLAIM}", CLAIM, [(evil, (evil,), False)], question=evil, case_id=evil)
    lines = [*claim_lines(claim, Screen()), *whole_lines(claim, [(evil, evil)], Screen())]
    said = Claim(claim_id="c", text=evil, votes=(ClaimVote(judge=evil, verdict="supported"),))
    lines += [others_line(said, None, Screen()), others_line(None, evil, Screen())]
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e\ue000\ue001]", "".join(lines))


def test_nothing_is_said_of_an_open_claim_but_how_it_came_to_be_shown() -> None:
    assert "drawn at random" in shown(opened(CLAIM, CLAIM))
    assert "chosen, for it teaches more than others" in shown(opened(CLAIM, CLAIM, drawn="chosen"))
    assert "Is it faulty now, or still right?" in " ".join(shown(opened(CLAIM, CLAIM, drawn="made")).split())


def test_progress_says_what_is_missing_and_of_which_kind() -> None:
    assert progress_line(1, 0, 0, (49, 18, 20)) == (
        "1 label: 1 right, 0 faulty; 49 more until a judge can be armed, 20 of them faulty"
    )
    assert progress_line(40, 12, 5, (8, 0, 8)) == (
        "52 labels: 40 right, 12 faulty, 5 of them made; 8 more until a judge can be armed, all of them faulty"
    )
    assert progress_line(30, 20, 18, (0, 0, 0)) == (
        "50 labels: 30 right, 20 faulty, 18 of them made; enough for a judge to be armed, if it agrees with them"
    )
    assert progress_line(10, 40, 0, (9, 9, 0)) == (
        "50 labels: 10 right, 40 faulty; 9 more until a judge can be armed, all of them right"
    )
