"""A model that writes findings, over real HTTP: accepted, sent back once, refused, lost, and not asked a second time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import JsonValue

from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.findings_job import FindingsJob, MeasureLines, findings_in
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource
from raggate_action.run.judging.parallel_judges import opened_judges
from raggate_action.run_store import WorkFile
from raggate_action.schema.ab_run import Finding, Rejection
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import JudgeBudget, Price
from tests.fake_chat.actions import Hang, Script, error, says
from tests.fake_chat.server import FakeChat, fake_chat
from tests.integration.judge_calls import member
from tests.message_pieces import read_message

LINES = (
    json.dumps({"measure": "overall", "kinds": ["better", "note"], "numbers": {"questions": "12", "wins": "8 of 12"}}),
    json.dumps({"measure": "control_won", "kinds": ["note"], "numbers": {"questions": "2"}, "questions": ["q1"]}),
)
SUBJECT = JudgingSubject("case", "findings")
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


def asked(
    chat: FakeChat,
    *before: Judgement,
    calls: int = 2,
    seconds: float | None = None,
    lines: MeasureLines = LINES,
    **given: Any,
) -> Judgement:
    async def once() -> Judgement:
        model = member(chat, **({"price": PRICE} | given))
        budget, journal = Budget(JudgeBudget(calls_per_case=calls)), WorkFile()
        earlier = [JudgementSource("earlier", lambda: iter(before))]
        ends = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with opened_judges([model], JOB, budget, journal=journal, environment={}, earlier=earlier) as writer:
            [written] = await writer.ask_until(ends, lines, SUBJECT)
        assert list(journal.judgements()) == [written]
        journal.close()
        return written

    return asyncio.run(once())


def one(script: Script, **given: Any) -> tuple[Judgement, FakeChat]:
    with fake_chat({"m": script}) as chat:
        found = asked(chat, **given)
    assert chat.refused == []
    return found, chat


def test_what_it_writes_stands_where_the_numbers_bear_it_out() -> None:
    found, chat = one(says(GOOD))
    assert [each.text for each in findings_in(found)] == ["The treatment is ahead: 8 of 12 questions."]
    assert (found.job, found.lost, found.calls, found.reused) == ("findings", None, 1, False)
    assert found.cost_usd == pytest.approx((found.usage.input + 2 * found.usage.output) / 1e6)
    assert found.prompt == JOB.digest
    message = read_message(chat.asked[0].prompts[1])
    assert [name for name, _ in message.pieces] == ["limits", "measures"]
    assert tuple(dict(message.pieces)["measures"].splitlines()) == LINES


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "text"])
def test_each_way_of_telling_the_form_is_taken_by_the_endpoint(structured: str) -> None:
    assert findings_in(one(says(GOOD), structured=structured)[0])


def test_a_number_that_is_not_there_is_sent_back_once_with_the_number() -> None:
    found, chat = one([says(MADE_UP), says(GOOD)])
    assert [each.numbers for each in findings_in(found)] == [(8, 12)]
    assert (found.calls, len(chat.asked)) == (2, 2)
    assert (
        chat.asked[1]
        .prompts[3]
        .startswith('What you wrote cannot be used as it is:\n- finding 1: the measure has no such number, "9"\n')
    )


@pytest.mark.parametrize(
    ("script", "code"),
    [(says(MADE_UP), "number"), (says({"findings": []}), "none"), ([says(MADE_UP), error(500)], "number")],
)
def test_what_stays_wrong_is_kept_as_it_was_written_and_does_not_stand(script: Script, code: str) -> None:
    written, _ = one(script, attempts=1)
    assert (written.lost, written.calls) == (None, 2)
    rejection = check(findings_in(written))
    assert rejection is not None
    assert rejection.code == code


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
    assert (len(findings_in(found)), found.calls) == (1, 2)
    found, _ = one(says(OFF_FORM[name]))
    assert found.lost is not None
    assert (found.lost.code, found.text) == ("judge-off-schema", "")
    assert len(chat.asked) == 2


def test_a_lost_call_is_a_value_with_its_reason() -> None:
    found, _ = one(error(500), attempts=1)
    assert found.lost is not None
    assert (found.lost.code, found.text, found.calls, found.cost_usd) == ("judge-server-error", "", 1, 0.0)


def test_past_the_deadline_nobody_waits_for_it() -> None:
    found, _ = one(Hang(), seconds=0.0)
    assert (found.text, found.lost and found.lost.code, found.calls) == ("", "cut", 0)


def test_calls_left_bound_what_is_spent() -> None:
    found, chat = one([says(MADE_UP), says(GOOD)], calls=1)
    assert (check(findings_in(found)) is None, len(chat.asked)) == (False, 1)


def test_an_endpoint_that_counts_no_tokens_costs_what_nobody_knows() -> None:
    assert one(says(GOOD, usage=None))[0].cost_usd is None


def test_what_was_written_of_the_same_numbers_is_not_asked_for_again() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        first = asked(chat)
        again = asked(chat, first, name="another")
        assert len(chat.asked) == 1
        asked(chat, first, lines=LINES[:1])
        assert len(chat.asked) == 2, "of other numbers it is asked"
    assert (again.text, again.calls, again.cost_usd, again.reused) == (first.text, 0, 0.0, True)
    assert again.judge == "another"


def test_what_was_lost_or_cannot_be_read_is_asked_again_and_what_was_refused_is_not() -> None:
    (lost, _), (refused, _) = one(error(500), attempts=1), one(says(MADE_UP))
    with fake_chat({"m": says(GOOD)}) as chat:
        keys = {"key": asked(chat).key, "fingerprint": asked(chat).fingerprint}
        assert asked(chat, refused.model_copy(update=keys)).reused
        for before in (lost, refused.model_copy(update={"text": refused.text[:-1]})):
            assert not asked(chat, before.model_copy(update=keys)).reused
