"""A model that writes findings, over real HTTP: accepted, sent back once, refused, lost, and not asked a second time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import JsonValue

from raggate_action.judging_jobs.findings.findings_job import (
    FindingsJob,
    OfferedMeasure,
    OfferedNumber,
    SynthesisTask,
)
from raggate_action.schema.ab_findings import Finding, Rejection
from raggate_action.schema.judges import Price
from raggate_action.schema.synthesis import Synthesis
from tests.fake_chat.actions import Script, error, says
from tests.fake_chat.server import FakeChat, fake_chat
from tests.integration.judge_calls import member, opened
from tests.message_pieces import read_message

OVERALL = OfferedMeasure(
    "overall", ("better", "note"), (OfferedNumber("questions", "12"), OfferedNumber("for the treatment", "8 of 12"))
)
TASK = SynthesisTask(
    (OVERALL, OfferedMeasure("control_won", ("note",), (OfferedNumber("questions", "2"),), ("q1",))), 12
)
SOUND: dict[str, Any] = {
    "kind": "better",
    "measure": "overall",
    "numbers": [8, 12],
    "text": "The treatment is ahead: 8 of 12 questions.",
}
GOOD: JsonValue = {"findings": [SOUND]}
MADE_UP: JsonValue = {"findings": [{**SOUND, "numbers": [9, 12], "text": "The treatment is ahead: 9 of 12 questions."}]}
PRICE = Price(input=1.0, output=2.0)


def check(findings: tuple[Finding, ...]) -> Rejection | None:
    """Holds numbers against those of the task, as far as these tests need it."""
    for place, finding in enumerate(findings, 1):
        if wrong := [number for number in finding.numbers if number not in (2, 8, 12)]:
            return Rejection(code="number", place=place, found=f"{wrong[0]:g}")
    return None if findings else Rejection(code="none")


JOB = FindingsJob(check)


def asked(chat: FakeChat, **given: Any) -> Synthesis:
    async def once() -> Synthesis:
        calls_left = given.pop("calls_left", 2)
        model = member(chat, **({"price": PRICE} | given))
        async with opened(model) as chats:
            return await JOB.write(model, chats["m"], TASK, calls_left=calls_left)

    return asyncio.run(once())


def one(script: Script, **given: Any) -> tuple[Synthesis, FakeChat]:
    with fake_chat({"m": script}) as chat:
        found = asked(chat, **given)
    assert chat.refused == []
    return found, chat


def test_what_it_writes_stands_where_the_numbers_bear_it_out() -> None:
    found, chat = one(says(GOOD))
    assert [each.text for each in found.findings] == ["The treatment is ahead: 8 of 12 questions."]
    assert (found.rejection, found.lost, found.refused, found.calls, found.reused) == (None, None, None, 1, False)
    assert found.cost_usd == pytest.approx((found.usage.input + 2 * found.usage.output) / 1e6)
    assert found.prompt == JOB.digest
    message = read_message(chat.asked[0].prompts[1])
    assert [name for name, _ in message.pieces] == ["limits", "measures"]
    lines = [json.loads(line) for line in dict(message.pieces)["measures"].splitlines()]
    assert lines == [
        {"measure": "overall", "kinds": ["better", "note"], "numbers": {"questions": "12", "for the treatment": "8 of 12"}},
        {"measure": "control_won", "kinds": ["note"], "numbers": {"questions": "2"}, "questions": ["q1"]},
    ]  # fmt: skip


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "text"])
def test_each_way_of_telling_the_form_is_taken_by_the_endpoint(structured: str) -> None:
    assert one(says(GOOD), structured=structured)[0].findings


def test_a_number_that_is_not_there_is_sent_back_once_with_the_number() -> None:
    found, chat = one([says(MADE_UP), says(GOOD)])
    assert [each.numbers for each in found.findings] == [(8, 12)]
    assert (found.calls, len(chat.asked)) == (2, 2)
    assert (
        chat.asked[1]
        .prompts[3]
        .startswith('What you wrote cannot be used as it is:\n- finding 1: the measure has no such number, "9"\n')
    )


@pytest.mark.parametrize(
    ("script", "code", "found"),
    [
        (says(MADE_UP), "number", "9"),
        (says({"findings": []}), "none", ""),
        ([says(MADE_UP), error(500)], "number", "9"),
    ],
)
def test_what_stays_wrong_is_refused_with_its_fault_and_no_finding(script: Script, code: str, found: str) -> None:
    written, _ = one(script, attempts=1)
    assert (written.findings, written.lost, written.calls) == ((), None, 2)
    assert written.rejection is not None
    assert (written.rejection.code, written.rejection.found, written.refused) == (code, found, written.rejection)


OFF_FORM: dict[str, JsonValue] = {
    "prose": "The treatment is better.",
    "prose around it": f"Here: {json.dumps(GOOD)}",
    "a kind of its own": {"findings": [{**SOUND, "kind": "great"}]},
    "a number as text": {"findings": [{**SOUND, "numbers": ["8"]}]},
    "a key of its own": {"findings": [{**SOUND, "confidence": 1}]},
    "no text": {"findings": [{**SOUND, "text": " \n"}]},
    "a text without end": {"findings": [{**SOUND, "text": "It is ahead. " * 60}]},
    "a list": [SOUND],
    "markdown": "# Findings\n\n- The treatment wins 8 of 12",
}


@pytest.mark.parametrize("name", OFF_FORM)
def test_a_reply_out_of_form_is_sent_back_once_and_lost_where_it_stays_so(name: str) -> None:
    found, chat = one([says(OFF_FORM[name]), says(GOOD)])
    assert (len(found.findings), found.calls) == (1, 2)
    found, _ = one(says(OFF_FORM[name]))
    assert (found.findings, found.rejection) == ((), None)
    assert found.lost is not None
    assert found.lost.code == "judge-off-schema"
    assert found.refused is not None
    assert (found.refused.code, found.refused.found) == ("no-reply", found.lost.detail)
    assert len(chat.asked) == 2


def test_a_lost_call_is_a_value_with_its_reason() -> None:
    found, _ = one(error(500), attempts=1)
    assert found.lost is not None
    assert (found.lost.code, found.findings, found.calls, found.cost_usd) == ("judge-server-error", (), 1, 0.0)
    found, chat = one(says(GOOD), calls_left=0)
    assert found.lost is not None
    assert (found.lost.code, found.calls, chat.asked) == ("budget", 0, [])


def test_calls_left_bound_what_is_spent() -> None:
    found, chat = one([says(MADE_UP), says(GOOD)], calls_left=1)
    assert (found.findings, len(chat.asked)) == ((), 1)


def test_an_endpoint_that_counts_no_tokens_costs_what_nobody_knows() -> None:
    assert one(says(GOOD, usage=None))[0].cost_usd is None


def test_what_was_written_of_the_same_numbers_is_not_asked_for_again() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        first, model = asked(chat), member(chat, name="another", price=PRICE)
    again = JOB.written_before([first], model, TASK)
    assert again is not None
    assert (again.findings, again.calls, again.cost_usd, again.reused) == (first.findings, 0, 0.0, True)
    assert again.judge == "another"
    assert JOB.written_before([first], model, TASK._replace(most=3)) is None
    assert JOB.written_before([first], model.model_copy(update={"model": "other"}), TASK) is None
    assert JOB.key(model, TASK) == first.key


def test_a_strangers_findings_are_held_against_the_numbers_before_they_are_believed() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        first, model = asked(chat), member(chat)
    forged = first.model_copy(update={"findings": (first.findings[0].model_copy(update={"numbers": (99,)}),)})
    assert JOB.written_before([forged], model, TASK) is None


def test_what_was_lost_is_asked_again_and_what_was_refused_is_not() -> None:
    (lost, chat), (refused, _) = one(error(500), attempts=1), one(says(MADE_UP))
    model = member(chat)
    again = JOB.written_before([lost, refused.model_copy(update={"key": lost.key})], model, TASK)
    assert again is not None
    assert (again.rejection, again.calls) == (refused.rejection, 0)
    assert JOB.written_before([lost], model, TASK) is None
