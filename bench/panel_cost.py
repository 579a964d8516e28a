"""What comparing two arms costs and how long it takes, computed: the example's ten questions, four judges, both orders.

Each judge is shown the planted pairs as well, once: the next comparison by the same judges has none of these calls.

    python -m bench.panel_cost

Nothing is asked. Prompts are rendered as they would be sent, of the answers that the example's two arms give without a
model; prices are those of `examples/menu/panel.yaml`, and a token is taken for four characters. `docs/adapt.md` shows
the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from bench.judge_cost import MENU, tokens
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import cost_of
from raggate_action.judging_jobs.pairs.pair_injections import PAIR_PLANTS
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.schema.ab import Rubric
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judges import Member, Price
from raggate_action.strings.numbers import money
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.ab_section import members_of
from raggate_action.suite_files.rubric_file import default_rubric

# US dollars per million tokens of the model that writes the answers: assumed, as a small model of 2026 costs.
PRODUCER = Price(input=1.00, output=5.00)
# How a model is assumed to reply: seconds to its first token, then so many tokens a second.
FIRST_TOKEN_S, TOKENS_A_SECOND = 2.0, 60
# Calls at once: what judges of one endpoint and key share, and the target, where a suite says nothing.
AT_ONCE = 8
ORDERS = 2
_REASON = (
    "Answer A names what the entries leave open and vouches for nothing, while answer B is certain of what none states."
)


class Call(NamedTuple):
    """Tokens of one call."""

    prompt: int
    reply: int

    @property
    def seconds(self) -> float:
        """How long it is assumed to take."""
        return FIRST_TOKEN_S + self.reply / TOKENS_A_SECOND

    def dollars(self, price: Price) -> float:
        """What it costs."""
        return cost_of(Usage(input=self.prompt, output=self.reply), price) or 0.0


class Line(NamedTuple):
    """A line of the table: who is called, how often, the tokens of all calls, dollars and seconds."""

    who: str
    calls: tuple[Call, ...]
    price: Price

    @property
    def dollars(self) -> float:
        """Of all calls."""
        return sum(call.dollars(self.price) for call in self.calls)

    def __str__(self) -> str:
        sent, written = (sum(call[place] for call in self.calls) for place in (0, 1))
        prices = f"{self.price.input:.2f} / {self.price.output:.2f}"
        return f"| {self.who} | {len(self.calls)} | {sent:,} | {written:,} | {prices} | {money(self.dollars)} |"


class Asked(NamedTuple):
    """What came of the ten questions: the calls that wrote the answers, and the pairs."""

    producers: tuple[Call, ...]
    pairs: tuple[PairTask, ...]


def asked() -> Asked:
    """Both arms on the ten questions, and the prompts with which a model would have written the answers."""
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
    for case in (placed.case for placed in panel().cases):
        question = read_question(case.asked)
        context = index.rerank(question, index.candidates(question))[:CONTEXT]
        answers = []
        for said in ((), read_directives(directives(case.asked))):
            answers.append(answer(question, context, when_not_stated=policy_under(said, "helpful")).text)
            messages = messages_to(SYSTEM_PROMPTS["helpful"], case.asked, context, said)
            calls.append(Call(sum(tokens(each["content"]) for each in messages), tokens(answers[-1])))
        chunks = tuple(VisibleChunk(each.chunk_id, "\n".join((each.name, *each.sentences))) for each in context)
        pairs.append(PairTask(case.asked, answers[0], answers[1], chunks, harmful=case.category == "safety"))
    return Asked(tuple(calls), tuple(pairs))


def panel() -> LoadedSuite:
    """The example's panel."""
    ports = {"MENU_CONTROL_PORT": "8081", "MENU_TREATMENT_PORT": "8082"}
    return load_suite(MENU / "panel.yaml", environment=ports)


def judge_calls(pairs: tuple[PairTask, ...], rubric: Rubric) -> Iterator[Call]:
    """The calls of one judge: each pair in both orders, then the planted pairs."""
    job = PairJob(rubric)
    scores = dict.fromkeys(rubric.names, 5)
    total = 5 * len(scores)
    reply = {
        "scores": {"A": scores, "B": scores},
        "totals": {"A": total, "B": total},
        "verdict": "tie",
        "verdict_reason": _REASON,
    }
    for pair in pairs:
        prompt = job.prompt(pair, "0" * 24)
        yield from [Call(tokens(prompt.system) + tokens(prompt.user), tokens(json.dumps(reply)))] * ORDERS
    for plant in PAIR_PLANTS:
        prompt = job.prompt(plant.task, "0" * 24)
        yield Call(tokens(prompt.system) + tokens(prompt.user), tokens(json.dumps(reply)))


def lines() -> list[Line]:
    """The lines of the table: the answers, then each judge."""
    found = asked()
    calls = tuple(judge_calls(found.pairs, default_rubric()))
    judges: list[Member] = list(members_of(panel().suite))
    return [
        Line("both arms, written by a model", found.producers, PRODUCER),
        *[Line(f"judge `{each.name}`", calls, each.price or PRODUCER) for each in judges],
    ]


def seconds(rows: list[Line]) -> tuple[int, int]:
    """How long the answers and the judging take, in whole seconds, up: so many calls at once, none waited for twice."""
    answers, judging = rows[0].calls, [call for row in rows[1:] for call in row.calls]
    writing, scoring = (ceil(sum(call.seconds for call in calls) / AT_ONCE) for calls in (answers, judging))
    return writing, scoring


def table() -> list[str]:
    """The table in Markdown, and a line on time."""
    rows = lines()
    writing, judging = seconds(rows)
    calls = sum(len(row.calls) for row in rows)
    once = [row._replace(calls=row.calls[-len(PAIR_PLANTS) :]) for row in rows[1:]]
    planted, cost = sum(len(row.calls) for row in once), sum(row.dollars for row in once)
    return [
        "| who | calls | prompt tokens | reply tokens | dollars per million | |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *map(str, rows),
        f"| **all** | {calls} | | | | **{money(sum(row.dollars for row in rows))}** |",
        "",
        (
            f"Wall time: {writing} s for the answers and {judging} s for the judging, {AT_ONCE} calls at once."
            f" Of this, {planted} calls and {money(cost)} are the planted pairs, once: the next comparison has"
            f" {calls - planted} calls and costs {money(sum(row.dollars for row in rows) - cost)}."
        ),
    ]


def main() -> int:
    """Print it."""
    print("\n".join(table()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
