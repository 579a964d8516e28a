"""`ab` with a synthesizer: it sees no text, what it writes is checked, what it costs is counted, and it is asked once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ab_suites import ab_of, bold, panel, sound, write_ab
from tests.command_line import raggate
from tests.fake_chat.actions import Body, Script, error, says
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import member
from tests.message_pieces import read_message
from tests.pair_judges import honest, scripted

IDS = [f"q{number:02}" for number in range(12)]
BOLD = {case_id: bold(number) for number, case_id in enumerate(IDS)}
SOUND = {case_id: sound(number) for number, case_id in enumerate(IDS)}
HONEST = scripted(honest(SOUND.values()))
GOOD: Any = {
    "findings": [
        {
            "kind": "better",
            "measure": "overall",
            "numbers": [12, 12],
            "text": "The treatment is ahead: it wins 12 of 12 questions.",
        },
        {"kind": "note", "measure": "rows", "numbers": [24], "text": "24 of 24 rows were received."},
    ]
}
BOAST: Any = {
    "findings": [
        {
            "kind": "better",
            "measure": "overall",
            "numbers": [95],
            "text": "The treatment is 95% better than the control.",
        }
    ]
}


def compared(folder: Path, chat: FakeChat, *arguments: str, **ab: Any) -> dict[str, Any]:
    writer = member("writer", chat, price={"input": 20.0, "output": 20.0})
    write_ab(folder, BOLD, SOUND, panel(chat, "ada"), ab={"synthesizer": writer, **ab})
    done = raggate("ab", "raggate.json", "--out", "out", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return ab_of(folder / "out")


def page(folder: Path) -> str:
    return (folder / "out" / "findings.md").read_text()


def test_what_it_writes_stands_in_the_findings_and_is_not_asked_for_again(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "writer": says(GOOD)}) as chat:
        run = compared(tmp_path, chat)
        first = page(tmp_path)
        assert chat.counts["writer"] == 1
        again = compared(tmp_path, chat)
        assert chat.counts == {"ada": 24, "writer": 1}
        assert compared(tmp_path, chat, "--no-reuse")["synthesis"]["calls"] == 1
    assert [each["text"] for each in run["findings"]["written"]] == [each["text"] for each in GOOD["findings"]]
    assert "The treatment is ahead: it wins 12 of 12 questions." in first.partition("Written by a model")[2]
    assert (again["synthesis"]["reused"], again["synthesis"]["calls"]) == (True, 0)
    assert again["findings"] == run["findings"]
    assert again["judging"]["calls"] == 0


def test_it_is_given_no_word_of_a_question_an_answer_or_a_reason(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "writer": says(GOOD)}) as chat:
        compared(tmp_path, chat)
    (asked,) = chat.of("writer")
    sent = json.dumps(asked.body)
    assert [
        word
        for word in ("order", "Returns", "whenever", "desk", "thirty", "chunks say")
        if word in sent.replace('"orders"', "")
    ] == ["order"]
    measures = dict(read_message(asked.prompts[1]).pieces)["measures"]
    assert all(case_id in measures for case_id in IDS[:3])


def test_its_cost_is_part_of_what_the_comparison_took(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "writer": says(GOOD)}) as chat:
        run = compared(tmp_path, chat)
    assert run["judging"]["calls"] == 24 + 40 + 1
    assert run["synthesis"]["cost_usd"] > 0.002
    assert run["judging"]["cost_usd"] > run["synthesis"]["cost_usd"]
    assert run["judging"]["judgements"] == 24


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (says(BOAST), "number"),
        (says("The treatment is better in every way."), "no-reply"),
        (error(503, retry_after="0"), "no-reply"),
        (says({"findings": []}), "none"),
    ],
)
def test_what_does_not_stand_leaves_what_follows_by_rule(tmp_path: Path, script: Script, code: str) -> None:
    with fake_chat({"ada": HONEST, "writer": script}) as chat:
        run = compared(tmp_path, chat)
    assert run["findings"]["rejection"]["code"] == code
    assert "written" not in run["findings"] or run["findings"]["written"] == []
    assert [each["code"] for each in run["findings"]["derived"]][:2] == ["compared", "ahead"]
    assert "Written by a model" not in page(tmp_path)
    assert "12 of 12 questions" in page(tmp_path)


def test_it_is_told_once_what_is_wrong(tmp_path: Path) -> None:
    def once(body: Body) -> Any:
        return says(BOAST if len(body["messages"]) == 2 else GOOD)

    with fake_chat({"ada": HONEST, "writer": once}) as chat:
        run = compared(tmp_path, chat)
    assert len(run["findings"]["written"]) == 2
    assert run["synthesis"]["calls"] == 2


def test_where_judging_took_all_the_money_nobody_writes(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "writer": says(GOOD)}) as chat:
        run = compared(tmp_path, chat, budget={"usd": 0.1})
    assert chat.counts["writer"] == 0
    assert (run["judging"]["lost"], run["synthesis"]["lost"]["code"]) == ({}, "budget")
    assert run["findings"]["rejection"]["code"] == "no-reply"
