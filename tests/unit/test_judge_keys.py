"""What a judgement is known by: the same for the same question, another for whatever changes what a judge says."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import content_key, cost_of, fingerprint
from raggate_action.judges.judging_job import JudgingJob
from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask
from raggate_action.judging_jobs.findings_job import FindingsJob
from raggate_action.judging_jobs.fix_job import FIX
from raggate_action.judging_jobs.numbered_entries import NumberedText
from raggate_action.judging_jobs.pair_job import PAIR_PLANTS, UNPLANTED, PairJob
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judges import Member, Price
from raggate_action.suite_files.rubric_file import default_rubric

MEMBER = Member(
    name="a", lab="Lab", model="m-1", base_url="https://a.example/v1", parameters={"temperature": 0, "seed": 7}
)
TASK = ClaimsTask("q", "a", (NumberedText("c1", "x"),), (VisibleChunk("k", "t"),), (NumberedText("p", "says p"),))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "b"},
        {"lab": "Other"},
        {"price": Price(input=1.0, output=2.0)},
        {"api_key_env": "KEY"},
        {"concurrency": 2, "timeout_s": 5, "attempts": 1},
        {"base_url": "https://a.example/v1/"},
        {"parameters": {"seed": 7, "temperature": 0}},
    ],
    ids=str,
)
def test_what_does_not_change_what_a_judge_says_leaves_its_fingerprint(change: dict[str, Any]) -> None:
    assert fingerprint(MEMBER.model_copy(update=change)) == fingerprint(MEMBER)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "m-2"},
        {"base_url": "https://b.example/v1"},
        {"parameters": {"temperature": 0.5, "seed": 7}},
        {"parameters": {}},
        {"structured": "text"},
    ],
    ids=str,
)
def test_what_may_change_what_a_judge_says_changes_its_fingerprint(change: dict[str, Any]) -> None:
    assert fingerprint(MEMBER.model_copy(update=change)) != fingerprint(MEMBER)


def test_a_key_changes_with_judge_prompt_and_every_part_of_the_task() -> None:
    keys = [
        content_key("j", "p", TASK),
        content_key("j2", "p", TASK),
        content_key("j", "p2", TASK),
        content_key("j", "p", TASK._replace(question="q2")),
        content_key("j", "p", TASK._replace(answer="a2")),
        content_key("j", "p", TASK._replace(answer="a\ud800")),
        content_key("j", "p", TASK._replace(answer="a\ud801")),
        content_key("j", "p", TASK._replace(claims=(NumberedText("c2", "x"),))),
        content_key("j", "p", TASK._replace(claims=(NumberedText("c1", "y"),))),
        content_key("j", "p", TASK._replace(claims=(), settled=TASK.claims)),
        content_key("j", "p", TASK._replace(chunks=(VisibleChunk("k", "t2"),))),
        content_key("j", "p", TASK._replace(chunks=(VisibleChunk("k2", "t"),))),
        content_key("j", "p", TASK._replace(points=())),
    ]
    assert len(set(keys)) == len(keys)
    assert content_key("j", "p", TASK._replace(claims=(NumberedText("c1", "x"),))) == keys[0]


@pytest.mark.parametrize(
    ("price", "usd"),
    [
        # (1000 - 400) * 2 + 400 * 0.5 + 100 * 8 = 2200 dollars per million tokens
        (Price(input=2.0, cached=0.5, output=8.0), 0.0022),
        # 1000 * 2 + 100 * 8 = 2800
        (Price(input=2.0, output=8.0), 0.0028),
        (Price(input=0.0, output=0.0), 0.0),
        (None, None),
    ],
)
def test_cost_is_of_tokens_and_price_kept_ones_at_their_own(price: Price | None, usd: float | None) -> None:
    cost = cost_of(Usage(input=1000, cached=400, output=100), price)
    assert cost == (None if usd is None else pytest.approx(usd, rel=1e-12))


def test_more_kept_tokens_than_there_were_cost_no_less_than_all_kept() -> None:
    price = Price(input=2.0, cached=0.5, output=8.0)
    assert cost_of(Usage(input=10, cached=50), price) == cost_of(Usage(input=10, cached=10), price)


# By these, judgements that earlier runs have stored are found again. Whoever changes one has every judge asked anew.
PROMPTS: list[tuple[JudgingJob[Any, Any], str]] = [
    (CLAIMS, "60d3675224c62b30"),
    (ANSWER, "49750dbaf1f1fc0b"),
    (PairJob(default_rubric()), "ddc56df6432fd657"),
    (FindingsJob(lambda _findings: None), "ca8a68e6b81be087"),
    (FIX, "5127f46819fba00a"),
]
PLANTED: dict[str, tuple[list[tuple[str, Any]], str]] = {
    "claims": ([(plant.id, plant.task) for plant in CLAIMS.plants], "da306219be5fac3f"),
    "items": ([(plant.id, plant.task) for plant in ANSWER.plants], "7fa5166560da9716"),
    "pairs": ([(plant.id, plant.task) for plant in (*PAIR_PLANTS, *UNPLANTED)], "4cf16695754748b1"),
}


@pytest.mark.parametrize(("job", "digest"), PROMPTS, ids=[job.name for job, _digest in PROMPTS])
def test_a_prompt_is_the_one_that_stored_judgements_were_made_with(job: JudgingJob[Any, Any], digest: str) -> None:
    assert job.digest[:16] == digest


@pytest.mark.parametrize("kind", PLANTED)
def test_planted_instructions_are_those_that_stored_judgements_are_of(kind: str) -> None:
    plants, digest = PLANTED[kind]
    assert digest_of([[name, content_key("judge", "prompt", task)] for name, task in plants])[:16] == digest


def test_a_key_is_the_one_under_which_judgements_are_stored() -> None:
    assert (fingerprint(MEMBER)[:16], content_key("judge", "prompt", TASK)[:16]) == (
        "9882a3b776f59a07",
        "af6cbc284c0fcec6",
    )
