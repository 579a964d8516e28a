"""An endpoint refuses the length of a prompt: what is left out, what is said of it, and what no vote may then decide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raggate_action.judges.chat_call import LostCall
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask
from raggate_action.schema.judgement import Judgement
from tests.claims_prompts import examined, make_task, prompt_in, reply_of
from tests.command_line import raggate
from tests.fake_chat.actions import Action, Answer, Body, Script, error, says
from tests.fake_chat.server import fake_chat
from tests.integration.judge_calls import calls, member
from tests.integration.test_claims_judge import judged
from tests.judged_suites import CHUNK, honest, judgements_of, lie, reply, rows_of, truth, write_labels, write_suite
from tests.judged_suites import member as suite_member

OPENAI = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9100 tokens."

# As the endpoints write it, of their issue trackers.
TOO_LONG = {
    "OpenAI": error(400, OPENAI, kind="invalid_request_error", code="context_length_exceeded"),
    "vLLM": error(400, "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens"),
    "vLLM of old": error(400, "The prompt (total length 25938) is too long to fit into the model (context length 4096)."),
    "vLLM's decoder": error(400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    "llama.cpp": error(400, "the request exceeds the available context size, try increasing it", kind="exceed_context_size_error"),
    "llama.cpp meanwhile": error(500, "Context size has been exceeded."),
    "llama-cpp-python": error(400, "Requested tokens (5000) exceed context window of 2048"),
    "Ollama": Answer(400, {"error": "the input length exceeds the context length"}),
    "LM Studio": Answer(400, {"error": "Trying to keep the first 15857 tokens when context the overflows."}),
    "LM Studio's 200": Answer(200, {"error": {"message": "The number of tokens exceeds the context length"}}),
    "Anthropic": error(400, "prompt is too long: 205000 tokens > 200000 maximum", kind="invalid_request_error"),
    "Anthropic's sum": error(400, "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000"),
    "Anthropic's bytes": error(413, "Request exceeds the maximum size", kind="request_too_large"),
    "Bedrock": error(400, "Input is too long for requested model."),
    "Gemini": error(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "Mistral": error(400, "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"),
    "text-generation-inference": error(422, "Input validation error: `inputs` must have less than 1024 tokens. Given: 5000"),
    "a proxy": Answer(413, b"<h1>413 Request Entity Too Large</h1>", {"content-type": "text/html"}),
}  # fmt: skip
# Honest refusals and failures that read alike.
OTHERWISE = {
    "a limit of the reply": error(400, "max_tokens is too large: 50000. This model supports at most 16384 completion tokens"),
    "another field": error(400, "Invalid 'user': string too long. Expected a string with maximum length 64."),
    "no such model": error(404, "The model `m` does not exist"),
    "too many calls": error(429, "Limit 30000 tokens per minute. The request is too large"),
    "busy": error(503, "took too long"),
}  # fmt: skip


@pytest.mark.parametrize("answer", TOO_LONG.values(), ids=TOO_LONG)
def test_every_endpoints_words_for_a_prompt_that_is_too_long_are_known(answer: Action) -> None:
    with fake_chat({"m": answer}) as chat:
        (outcome,) = calls(member(chat, attempts=1))
    assert isinstance(outcome, LostCall)
    assert (outcome.too_long, outcome.lost.code) == (True, "judge-not-accepted")
    assert outcome.lost.detail.startswith("the prompt is too long for the model (")
    assert len(chat.asked) == 1, "another form of reply makes it no shorter"


@pytest.mark.parametrize("answer", OTHERWISE.values(), ids=OTHERWISE)
def test_what_reads_alike_is_no_refusal_of_the_length(answer: Action) -> None:
    with fake_chat({"m": answer}) as chat:
        (outcome,) = calls(member(chat, attempts=1, parameters={"max_tokens": 50_000}))
    assert isinstance(outcome, LostCall)
    assert not outcome.too_long


CHUNKS = {
    "fee": "The fee for every order is 20 EUR.",
    "noise": "The library lends umbrellas on rainy afternoons.",
    "cited": "Umbrellas may be lent until the evening.",
    "german": "Die Filiale ist am Sonntag für alle Kunden geschlossen, auch wenn es regnet.",
}
TASK = make_task("The fee is 20 EUR. Every dog pays too.", CHUNKS, claims=["The fee is 20 EUR.", "Every dog pays too."])
CITING = TASK._replace(cited=frozenset(["cited"]))
SPLIT = reply_of(examined(1, "supported", 1), examined(2, "unsupported", note="nothing of dogs"))


def takes(most: int, then: Action) -> Script:
    """An endpoint that takes so many chunks."""

    def answer(body: Body) -> Action:
        return then if len(prompt_in(body).chunks) <= most else TOO_LONG["vLLM"]

    return answer


def asked(task: ClaimsTask, script: Script, *, calls_left: int = 3) -> tuple[Judgement, list[list[str]]]:
    with fake_chat({"m": script}) as chat:
        (judgement,) = judged(chat, task, calls_left=calls_left)
        return judgement, [[*prompt_in(each.body).chunks] for each in chat.asked]


def test_chunks_that_share_no_word_with_a_claim_are_left_out_once_and_the_judgement_says_so() -> None:
    judgement, shown = asked(CITING, takes(3, says(SPLIT)))
    # Of the German chunk nobody can tell by its words whether it speaks of the claims.
    assert shown == [["fee", "noise", "cited", "german"], ["fee", "cited", "german"]]
    assert judgement.left_out == ("noise",)
    assert {vote.claim_id: vote.verdict for vote in judgement.votes} == {"c1": "supported", "c2": "unsupported"}
    assert judgement.calls == 2, "the refused one was sent as well"


def test_a_prompt_that_fits_is_shown_whole() -> None:
    judgement, shown = asked(CITING, says(SPLIT))
    assert (judgement.left_out, shown) == ((), [[*CHUNKS]])


def test_what_is_refused_in_its_shorter_form_too_is_lost_and_nothing_else_is_tried() -> None:
    judgement, shown = asked(CITING, takes(0, says(SPLIT)))
    assert judgement.lost is not None
    assert [len(each) for each in shown] == [4, 3]
    assert judgement.lost.detail.startswith("the prompt is too long for the model (400): ")
    assert judgement.lost.detail.endswith("; so it was without 1 of 4 chunks")


def test_nothing_is_left_out_where_that_would_be_all_or_nothing_or_no_call_is_left() -> None:
    assert CLAIMS.shortened(make_task("Dogs pay.", {"noise": CHUNKS["noise"]})) is None
    assert CLAIMS.shortened(make_task(chunks={"fee": CHUNKS["fee"]})) is None
    judgement, shown = asked(CITING, takes(3, says(SPLIT)), calls_left=1)
    assert (judgement.lost is not None, len(shown)) == (True, 1)


def test_a_claim_that_leans_on_the_question_keeps_the_chunks_that_speak_of_it() -> None:
    chunks = {"a": "Parking in the yard needs a ticket.", "b": CHUNKS["noise"]}
    found = CLAIMS.shortened(make_task("It is free.", chunks, question="What does parking cost?"))
    assert found is not None
    assert found[1] == ("b",)


def test_a_repaired_call_stays_in_the_shorter_form() -> None:
    def script(body: Body) -> Action:
        prompt = prompt_in(body)
        if len(prompt.chunks) > 3:
            return TOO_LONG["OpenAI"]
        # First of one claim alone, then of the other.
        whole = len(prompt.claims) == 2
        return says(reply_of(examined(1, "supported" if whole else "unsupported", *([1] if whole else []))))

    judgement, shown = asked(CITING, script)
    assert [len(each) for each in shown] == [4, 3, 3]
    assert (judgement.left_out, len(judgement.votes), judgement.calls) == (("noise",), 2, 3)


NOISE = {"chunk_id": "noise", "version": "v1", "text": CHUNKS["noise"]}


def small(body: Body) -> Action:
    """An armed judge whose endpoint reads no prompt with the chunk on umbrellas."""
    return TOO_LONG["vLLM"] if "umbrellas" in body["messages"][1]["content"] else says(reply(body, honest))


def test_what_a_judge_misses_that_was_not_shown_a_chunk_decides_nothing_and_says_so(tmp_path: Path) -> None:
    answers = {"good": truth(1), "bad": lie(2)}
    with fake_chat({"ada": small}) as chat:
        write_suite(tmp_path, answers, [suite_member("ada", chat)], chunks=(CHUNK, NOISE))
        write_labels(tmp_path, right=40, faults=30)
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert [card["armed"] for card in run["panel"]["cards"]] == [True], done.stderr
    rows = rows_of(tmp_path / "run")
    # What supports a claim is quoted. What does not may stand in the chunk left out, in other words.
    assert {name: row["claims"][0]["verdict"] for name, row in rows.items()} == {
        "good": "supported",
        "bad": "unverified",
    }
    (vote,) = rows["bad"]["claims"][0]["votes"]
    assert (vote["verdict"], vote["left_out"]) == ("unsupported", {"hits": 1, "total": 2})
    stored = [each for each in judgements_of(tmp_path / "run") if each["about"] == "case"]
    assert [each["left_out"] for each in stored] == [["noise"], ["noise"]]
    told = raggate("explain", "run", "bad", cwd=tmp_path).stdout
    assert "1 of 2 chunks not shown: the endpoint refused the length; so this vote does not count" in told
    assert "not shown noise, which share no word with a claim" in " ".join(told.replace("`", "").split())
    assert rows["bad"]["outcomes"]["faithfulness"]["kind"] != "passed"
