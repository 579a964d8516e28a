"""What judging costs, computed: prompts as they would be sent, replies as they would come, prices as assumed.

    python -m bench.judge_cost

Nothing is asked. A token is taken for four characters of English, which is what providers give as a rule of thumb; a
model's own tokens differ by a fifth or so. `docs/judges.md` shows the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from raggate_action.core.gates.diagnosis import Drafted, draft
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import cost_of
from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.judging_jobs.claims.claims_task import ClaimQuestion, ClaimsTask
from raggate_action.run.run_session import rulebook
from raggate_action.schema.base import parse_moment
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judges import ClaimsJob, Judges, Member, Price
from raggate_action.schema.trace import Answered, Trace
from raggate_action.strings.numbers import money
from raggate_action.suite_files import load_suite

MENU = Path(__file__).parents[1] / "examples" / "menu"
CHARACTERS_PER_TOKEN = 4
# US dollars per million tokens, as small models of several labs cost in 2026: assumed, not looked up for any of them.
# Judges that are asked about every claim.
ALL = Judges(
    panel=(Member(name="a", lab="lab", model="m", base_url="http://localhost"),), claims=ClaimsJob(which="all")
)
PRICE = Price(input=0.10, cached=0.025, output=0.40)
JUDGES = 3
CASES = 100
# Answers of a support desk rather than of a menu.
_CHUNKS, _CHUNK_CHARACTERS, _CLAIMS = 5, 1_500, 8


class Call(NamedTuple):
    """Tokens of one call: of the constant part, of the material, of the reply."""

    constant: int
    material: int
    reply: int


class Line(NamedTuple):
    """A line of the table: what was judged, the mean call, dollars for all cases and judges, and with a cache."""

    what: str
    call: Call
    whole: float
    kept: float

    def __str__(self) -> str:
        call = f"{self.call.constant:,} + {self.call.material:,} | {self.call.reply:,}"
        return f"| {self.what} | {call} | {CASES * JUDGES:,} | {money(self.whole)} | {money(self.kept)} |"


def tokens(text: str) -> int:
    """How many tokens a text is taken for."""
    return ceil(len(text) / CHARACTERS_PER_TOKEN)


def call_of(task: ClaimsTask) -> Call:
    """The tokens of judging a task."""
    prompt = CLAIMS.prompt(task, "0" * 24)
    said = {"sentences": [1], "verdict": "supported", "note": ""}
    reply = {"claims": [{"claim": n, **said} for n in range(1, len(task.claims) + 1)], "declines": False}
    return Call(tokens(prompt.system), tokens(prompt.user), tokens(json.dumps(reply)))


def menu_tasks() -> Iterator[ClaimsTask]:
    """Every ordinary case of the menu example, answered by its app after the prompt change, with all claims judged."""
    sys.path.insert(0, str(MENU))
    from app import App

    loaded = load_suite(MENU / "raggate.yaml", environment={"MENU_PORT": "8080"})
    rules = rulebook(loaded, parse_moment("2026-06-02T12:00:00Z"))
    app = App(MENU / "menu.jsonl", "helpful", None)
    for placed in loaded.cases:
        case = placed.case
        if case.trace is not None or case.question is None:
            continue
        trace = Trace.model_validate_json(json.dumps(app.trace(case.question, case.case_id)))
        drafted = draft(case, Answered(trace), rules)
        if isinstance(drafted, Drafted) and (task := CLAIMS.task_of(drafted, ALL)) is not None:
            yield task


def desk_task() -> ClaimsTask:
    """Eight claims beside five chunks of 1,500 characters."""
    claims = [
        ClaimQuestion(f"claim-{n}", f"A sentence of the answer, of some eighty characters as they are, number {n}.")
        for n in range(_CLAIMS)
    ]
    words = "what a page of a handbook says " * _CHUNK_CHARACTERS
    chunks = [VisibleChunk(f"handbook-{n}", words[:_CHUNK_CHARACTERS]) for n in range(_CHUNKS)]
    answer = " ".join(claim.text for claim in claims)
    return ClaimsTask("How is this done, and by whom?", answer, tuple(claims), tuple(chunks))


def line(what: str, calls: list[Call]) -> Line:
    """What so many cases cost of which these are the mean."""
    call = Call(*[round(mean(part)) for part in zip(*calls, strict=True)])
    sent = call.constant + call.material
    each = [cost_of(Usage(input=sent, cached=kept, output=call.reply), PRICE) or 0.0 for kept in (0, call.constant)]
    return Line(what, call, *[CASES * JUDGES * cost for cost in each])


def table() -> list[str]:
    """The table in Markdown."""
    lines = [
        line("the menu example: short entries", [call_of(task) for task in menu_tasks()]),
        line(f"{_CLAIMS} claims beside {_CHUNKS} chunks of {_CHUNK_CHARACTERS:,} characters", [call_of(desk_task())]),
    ]
    return [
        "| a case | prompt: constant + material | reply | calls | nothing kept | constant part kept |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *map(str, lines),
    ]


def main() -> int:
    """Print the table."""
    print("\n".join(table()))
    print(f"constant part: {len(CLAIMS.system):,} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
