"""What judges cost, computed, and what labels are worth: nothing is asked.

A token is taken for four characters of English, which is what providers give as a rule of thumb; a model's own tokens
differ by a fifth or so. Prompts are rendered as they would be sent, and replies have the form that would come. The
documents show these tables.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import TypeAlias

from bench.table import Options, Table
from raggate_action.core.judging.scorecard_and_arming import chances_of_arming
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import cost_of
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask
from raggate_action.judging_jobs.numbered_entries import NumberedText
from raggate_action.judging_jobs.pair_job import PAIR_PLANTS, PairJob, PairTask
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judges import LIGHTER, Arming, Price
from raggate_action.strings.numbers import money
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import members_of
from raggate_action.suite_files.rubric_file import default_rubric

MENU = Path(__file__).parents[1] / "examples" / "menu"
CHARACTERS_PER_TOKEN = 4
# Share of good claims called faulty, share of faulty ones let pass.
ERRORS = ((0.0, 0.0), (0.02, 0.05), (0.05, 0.05), (0.05, 0.10), (0.10, 0.15), (0.15, 0.30))
TERMS = {"default": Arming(), "lighter": LIGHTER}
# The rates are taken from a table this large, three good claims to two faulty ones.
_GOOD, _FAULTY = 6_000, 4_000
# US dollars per million tokens, as small models cost in 2026: of a judge, and of a model that writes answers; assumed.
JUDGE, PRODUCER = Price(input=0.10, cached=0.025, output=0.40), Price(input=1.00, output=5.00)
JUDGES, CASES = 3, 100
_CLAIMS, _CHUNKS, _CHUNK_CHARACTERS = 8, 5, 1_500
# How a model is assumed to reply: seconds to its first token, then so many tokens a second; and so many calls at once.
FIRST_TOKEN_S, TOKENS_A_SECOND, AT_ONCE = 2.0, 60, 8
_REASON = (
    "Answer A names what the entries leave open and vouches for nothing, while answer B is certain of what none states."
)


def arming(_options: Options) -> Iterator[Table]:
    """How likely labels arm a judge, by its true errors: what 50, 100 and 200 labels are worth."""
    rows = []
    for block, passed in ERRORS:
        blocked, let = round(block * _GOOD), round(passed * _FAULTY)
        errors = ConfusionTable(_GOOD - blocked, blocked, let, _FAULTY - let)
        for name, terms in TERMS.items():
            cells = [f"{100 * chance:.0f} %" for _labels, chance in chances_of_arming(errors, terms, labelled=0)]
            rows.append([f"{100 * block:.0f} %", f"{100 * passed:.0f} %", name, *cells])
    columns = ("good called faulty", "faulty let pass", "terms", "50 labels", "100", "200")
    yield Table("How likely labels arm a judge", columns, rows)


def tokens(text: str) -> int:
    """How many tokens a text is taken for."""
    return ceil(len(text) / CHARACTERS_PER_TOKEN)


def judge_cost(_options: Options) -> Iterator[Table]:
    """What judging costs an app with answers of a support desk, with and without a provider's cache."""
    claims = [
        NumberedText(f"claim-{n}", f"A sentence of the answer, of some eighty characters as they are, number {n}.")
        for n in range(_CLAIMS)
    ]
    words = ("what a page of a handbook says " * _CHUNK_CHARACTERS)[:_CHUNK_CHARACTERS]
    chunks = tuple(VisibleChunk(f"handbook-{n}", words) for n in range(_CHUNKS))
    answer = " ".join(claim.text for claim in claims)
    prompt = CLAIMS.prompt(ClaimsTask("How is this done, and by whom?", answer, tuple(claims), chunks), "0" * 24)
    said = {"sentences": [1], "verdict": "supported", "note": ""}
    reply = tokens(json.dumps({"claims": [{"claim": n + 1, **said} for n in range(_CLAIMS)], "declines": False}))
    constant, material = tokens(prompt.system), tokens(prompt.user)
    costs = [
        money(CASES * JUDGES * (cost_of(Usage(input=constant + material, cached=kept, output=reply), JUDGE) or 0.0))
        for kept in (0, constant)
    ]
    what = f"{_CLAIMS} claims beside {_CHUNKS} chunks of {_CHUNK_CHARACTERS:,} characters"
    row = [what, f"{constant:,} + {material:,}", str(reply), str(CASES * JUDGES), *costs]
    columns = ("a case", "prompt: constant + material", "reply", "calls", "nothing kept", "constant part kept")
    yield Table(f"What {JUDGES} judges cost over {CASES} cases", columns, [row])


# Tokens of one call: of the prompt and of the reply.
Call: TypeAlias = tuple[int, int]


def panel_cost(_options: Options) -> Iterator[Table]:
    """What comparing the example's two arms costs: ten questions, four judges, both orders, and the planted pairs."""
    ports = {"MENU_CONTROL_PORT": "8081", "MENU_TREATMENT_PORT": "8082"}
    loaded = load_suite(MENU / "panel.yaml", environment=ports)
    writing, pairs = _asked([placed.case for placed in loaded.cases])
    judging = [*_judge_calls(pairs)]
    calls = {"both arms, written by a model": (writing, PRODUCER)}
    calls |= {f"judge `{each.name}`": (judging, each.price or PRODUCER) for each in members_of(loaded.suite)}
    rows, total, once = [], 0.0, 0.0
    for who, (made, price) in calls.items():
        sent, written = map(sum, zip(*made, strict=True))
        dollars = cost_of(Usage(input=sent, output=written), price) or 0.0
        total += dollars
        if made is judging:
            plants = map(sum, zip(*made[-len(PAIR_PLANTS) :], strict=True))
            once += cost_of(Usage(**dict(zip(("input", "output"), plants, strict=True))), price) or 0.0
        prices = f"{price.input:.2f} / {price.output:.2f}"
        rows.append([who, str(len(made)), f"{sent:,}", f"{written:,}", prices, money(dollars)])
    judges = len(calls) - 1
    number = len(writing) + judges * len(judging)
    rows.append(["**all**", str(number), "", "", "", f"**{money(total)}**"])
    times = [
        ceil(sum(FIRST_TOKEN_S + reply / TOKENS_A_SECOND for _prompt, reply in made) / AT_ONCE)
        for made in (writing, judging * judges)
    ]
    said = (
        f"Wall time: {times[0]} s for the answers and {times[1]} s for the judging, {AT_ONCE} calls at once."
        f" Of this, {judges * len(PAIR_PLANTS)} calls and {money(once)} are the planted pairs, once: the next"
        f" comparison has {number - judges * len(PAIR_PLANTS)} calls and costs {money(total - once)}."
    )
    columns = ("who", "calls", "prompt tokens", "reply tokens", "dollars per million", "")
    yield Table("What a comparison of two arms costs", columns, rows, ["", said])


def _asked(cases: list[Case]) -> tuple[list[Call], list[PairTask]]:
    """The calls with which a model would have written both arms' answers, and the pairs, answered without one."""
    sys.path.insert(0, str(MENU))
    from answering import answer, policy_under
    from chat_model import SYSTEM_PROMPTS, messages_to
    from harness import directives
    from retrieval import CONTEXT, Index, load_menu
    from tool import read_directives
    from wording import read_question

    index = Index(load_menu(MENU / "menu.jsonl").entries)
    calls: list[Call] = []
    pairs: list[PairTask] = []
    for case in cases:
        question = read_question(case.asked)
        context = index.rerank(question, index.candidates(question))[:CONTEXT]
        answers = []
        for said in ((), read_directives(directives(case.asked))):
            answers.append(answer(question, context, when_not_stated=policy_under(said, "helpful")).text)
            messages = messages_to(SYSTEM_PROMPTS["helpful"], case.asked, context, said)
            calls.append((sum(tokens(each["content"]) for each in messages), tokens(answers[-1])))
        chunks = tuple(VisibleChunk(each.chunk_id, "\n".join((each.name, *each.sentences))) for each in context)
        pairs.append(PairTask(case.asked, answers[0], answers[1], chunks, harmful=case.category == "safety"))
    return calls, pairs


def _judge_calls(pairs: list[PairTask]) -> Iterator[Call]:
    """The calls of one judge: each pair in both orders, then the planted pairs."""
    job = PairJob(default_rubric())
    names = default_rubric().names
    scores, total = dict.fromkeys(names, 5), 5 * len(names)
    both = {"scores": {"A": scores, "B": scores}, "totals": {"A": total, "B": total}}
    reply = tokens(json.dumps({**both, "verdict": "tie", "verdict_reason": _REASON}))
    for task in [*(pair for pair in pairs for _order in range(2)), *(plant.task for plant in PAIR_PLANTS)]:
        prompt = job.prompt(task, "0" * 24)
        yield tokens(prompt.system) + tokens(prompt.user), reply
