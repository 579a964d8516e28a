"""What judges said, on disk: kept as it comes, cut clean after a kill, put in suite order, read back strictly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from raggate_action.run_store import RunDirectory, usable_judgements
from raggate_action.schema.judgement import DroppedVote, Judgement, Lost, Support, Vote
from raggate_action.schema.panel import Panel, PanelMember
from tests.stored_runs import answer_of, in_work_file, make_row, make_run, make_started, suite_cases

PANEL = Panel(
    members=tuple(PanelMember(name=name, lab=name, model="m", fingerprint=name) for name in ("ada", "bob")), prompt="p"
)
FILE = "judgements.jsonl"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "run"


def judged(case_id: str, judge: str = "ada", **fields: Any) -> Judgement:
    key = f"{case_id} {judge} {fields.get('ask', 0)}"
    support = (Support(chunk_id="c1", quote="tea is hot", quote_start=3),)
    vote = Vote(claim_id="claim-1", verdict="supported", support=support, note="said there")
    return Judgement(**{"id": case_id, "judge": judge, "fingerprint": judge, "prompt": "p", "key": key, "votes": (vote,), **fields})  # fmt: skip


def lost(case_id: str, judge: str = "ada") -> Judgement:
    return judged(case_id, judge, votes=(), lost=Lost(code="judge-timeout", detail="no reply in 60 s"))


def begun(place: Path, *said: Judgement, texts: Any = "quotes", positions: int = 3) -> RunDirectory:
    directory = RunDirectory.create(place, make_started(), texts=texts)
    for judgement in said:
        directory.work.add_judgement(judgement)
    for position in reversed(range(positions)):
        directory.append(make_row(position), answer_of(position))
    return directory


def finish(directory: RunDirectory, positions: int = 3) -> None:
    directory.finish(make_run(panel=PANEL), suite_cases(positions), {})


def read_judgements(place: Path) -> list[Judgement]:
    """All of the file, each line of which can be read."""
    return [each for each in usable_judgements(place) if each is not None]


def names(place: Path) -> list[tuple[str, str, int, str]]:
    return [(each.about, each.id, each.ask, each.judge) for each in read_judgements(place)]


def test_a_run_that_nobody_judged_has_no_such_file(place: Path) -> None:
    finish(begun(place))
    assert not (place / FILE).exists()
    assert read_judgements(place) == []


def test_in_the_end_they_stand_labels_first_then_in_suite_order_ask_by_ask_judge_by_judge(place: Path) -> None:
    ids = [make_row(position).case_id for position in range(3)]
    said = [
        judged(ids[2], "bob"),
        judged(ids[0], "bob", ask=1),
        judged(ids[0], "bob"),
        judged("label-7", "bob", about="label"),
        judged(ids[0], "ada"),
        judged("label-7", "ada", about="label"),
        judged(ids[1], "ada"),
    ]
    finish(begun(place, *said))
    assert names(place) == [
        ("label", "label-7", 0, "ada"),
        ("label", "label-7", 0, "bob"),
        ("case", ids[0], 0, "ada"),
        ("case", ids[0], 0, "bob"),
        ("case", ids[0], 1, "bob"),
        ("case", ids[1], 0, "ada"),
        ("case", ids[2], 0, "bob"),
    ]
    assert {each.key: each for each in read_judgements(place)} == {each.key: each for each in said}


def test_jobs_of_ones_own_stand_behind_the_others_by_name(place: Path) -> None:
    case = make_row(0).case_id
    jobs = ("polite", "answer", "brief", "claims")
    finish(begun(place, *[judged(case, "ada", job=job, key=job) for job in jobs]))
    assert [each.job for each in read_judgements(place)] == ["claims", "answer", "brief", "polite"]


def test_each_outlives_a_kill_once_it_is_added_and_no_file_of_them_is_there_before_the_end(place: Path) -> None:
    with begun(place, judged("a"), positions=0):
        assert in_work_file(place, "SELECT key FROM judgements") == [("a ada 0",)]
        assert not (place / FILE).exists()


def test_what_was_lost_is_kept_and_answers_no_question(place: Path) -> None:
    with begun(place, lost("a"), judged("a"), positions=0) as directory:
        assert directory.work.judgement("a ada 0") == judged("a"), "a later one that counts does"
        assert list(directory.work.judgements()) == [lost("a"), judged("a")]


def test_of_a_bad_line_nothing_is_used_and_the_others_are(place: Path) -> None:
    finish(begun(place, judged("a"), judged("b")))
    lines = (place / FILE).read_text().splitlines()
    forged = lines[0].replace('"verdict":"supported"', '"verdict":"perfect"')
    assert forged != lines[0]
    (place / FILE).write_text(f"{forged}\n[]\n{'[' * 5000}\n{lines[1]}\n")
    found = list(usable_judgements(place))
    assert [each.id if each else None for each in found] == [None, None, None, "b"]


def test_without_texts_no_word_stays_and_until_then_all_are_there_to_go_on_with(place: Path) -> None:
    first = judged("a", dropped=(DroppedVote(claim_id="claim-2", reason="no chunk holds “coffee is cold”"),))
    begun(place, first, texts="ids", positions=0).close()
    directory = RunDirectory.resume(place, make_started(), texts="ids")
    assert directory.work.judgement("a ada 0") == first
    for position in range(3):
        directory.append(make_row(position), answer_of(position))
    finish(directory)
    text = (place / FILE).read_text()
    assert "tea is hot" not in text
    assert "said there" not in text
    assert "coffee" not in text
    assert [vote.verdict for each in read_judgements(place) for vote in each.votes] == ["supported"]


def test_a_new_run_begins_without_what_an_older_one_was_told(place: Path) -> None:
    begun(place, judged("a"), positions=0).close()
    with begun(place, positions=0) as directory:
        assert list(directory.work.judgements()) == []
