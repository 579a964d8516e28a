"""A real model as a judge: how many of its replies are usable, how often it is right, what it takes.

    REAL_JUDGE_URL=http://localhost:11434/v1 REAL_JUDGE_MODEL=gemma3:4b make test-real-judge

It is asked by the product's own prompts, schemas and calls: 30 labelled claims of the example app, the two worked
answers, one criterion, two pairs in both orders, and four questions of the menu app in a whole run. At most 60 calls
and 45 minutes; what the time does not reach is said. No part of the tests: a model decides here, and what it says is
told, whatever it is.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import yaml

from examples.demo import MENU, ROOT, running_app
from examples.judge_demo import JUDGES
from raggate_action.judges.chat_call import Chat, ChatOutcome, ChatReply, ChatRequest
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import CallResult, Judge
from raggate_action.judges.judging_job import JudgingJob
from raggate_action.judging_jobs.answer_job import ANSWER, AnswerTask
from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.judging_jobs.numbered_entries import NumberedText
from raggate_action.judging_jobs.pair_job import SOUND, UNPLANTED, PairJob
from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.schema.judgement import Lost, Usage
from raggate_action.schema.judges import Member
from raggate_action.suite_files.calibration_file import read_labels
from raggate_action.suite_files.rubric_file import default_rubric

MOST_CALLS: Final = 60
MOST_SECONDS: Final = 45 * 60
LABELS: Final = 30
MENU_CASES: Final = ("calamari-served-with", "hummus-without-garlic", "orzo-shellfish", "high-chairs")
OUT: Final = ROOT / "build" / "real-judge"


class Asked(NamedTuple):
    """A task, and what is right of it: by claim, by item; of a pair the better answer."""

    part: str
    job: JudgingJob[Any, Any]
    task: Any
    right: Mapping[str, str]


class Recorded:
    """A judge's endpoint that keeps the first outcome of each task, and how long calls took."""

    def __init__(self, chat: Chat) -> None:
        self.outcomes: list[ChatOutcome] = []
        self.seconds: list[float] = []
        self._chat = chat

    async def complete(self, request: ChatRequest) -> ChatOutcome:
        """Ask, and keep what came."""
        begun = time.monotonic()
        outcome = await self._chat.complete(request)
        self.seconds.append(time.monotonic() - begun)
        self.outcomes.append(outcome)
        return outcome

    async def aclose(self) -> None:
        """Close the endpoint."""
        await self._chat.aclose()


class Row(NamedTuple):
    """What one task came to.

    Attributes:
        part: Which part of the measurement.
        usable: The first reply said all that was asked, in the form.
        why: What was wrong with the first reply, or why there was none.
        calls: Calls it took.
        judged, agreed: Verdicts that came in the end, and those that are right.
        usage: Tokens of all its calls.
        seconds: Of all its calls.
    """

    part: str
    usable: bool
    why: tuple[str, ...]
    calls: int
    judged: int
    agreed: int
    usage: Usage
    seconds: float


def tasks() -> Iterator[Asked]:
    """Everything that is asked of the judge alone, in order of worth: what the clock cuts stands last."""
    for worked in CLAIMS.worked:
        yield _labelled("worked answers", worked)
    yield Asked(
        "criterion",
        ANSWER,
        AnswerTask(
            "May I bring my own wine?",
            "You may bring your own wine on weekdays. The corkage fee is 10 euros a bottle.",
            criteria=(NumberedText("fee", "names a fee"),),
        ),
        {"fee": "yes"},
    )
    for pair in UNPLANTED:
        yield Asked(
            "pairs", PairJob(default_rubric()), pair.task, {"better": "A" if pair.task.answer_a == SOUND else "B"}
        )
    labels = [answer for answer in read_labels(JUDGES / "labels.yaml") if isinstance(answer, LabelledAnswer)]
    # Good and faulty in turn, so that a cut leaves both.
    good, faulty = [each for each in labels if _is_good(each)], [each for each in labels if not _is_good(each)]
    mixed = [each for pair in zip(good, faulty, strict=False) for each in pair]
    left = LABELS
    for label in mixed:
        if left <= 0:
            return
        left -= len(label.claims)
        yield _labelled("labels", label)


def _is_good(label: LabelledAnswer) -> bool:
    return all(claim.verdict == "supported" for claim in label.claims)


def _labelled(part: str, label: LabelledAnswer) -> Asked:
    return Asked(part, CLAIMS, CLAIMS.task_of_label(label), {each.claim_id: str(each.verdict) for each in label.claims})


async def ask_all(member: Member, deadline: float) -> tuple[list[Row], int]:
    """Ask task after task; the rows, and how many tasks neither calls nor time reached."""
    chats = open_chats([member], os.environ, draw=random.Random(0), tell=print)
    chat = Recorded(chats[member.name])
    rows: list[Row] = []
    asked = list(tasks())
    try:
        for number, each in enumerate(asked):
            left = MOST_CALLS - 2 * len(MENU_CASES) - len(chat.outcomes)
            if left < 1 or time.monotonic() > deadline:
                return rows, len(asked) - number
            rows.append(await _row(member, chat, each, min(2, left)))
            print(_line(rows[-1]), flush=True)
    finally:
        await close_chats(chats)
    return rows, 0


async def _row(member: Member, chat: Recorded, asked: Asked, calls_left: int) -> Row:
    before = len(chat.outcomes)
    result = await Judge(member, chat, asked.job).ask(asked.task, calls_left)
    usable, why = _first_reply(asked, chat.outcomes[before])
    agreed = [right == verdict for right, verdict in _verdicts(asked, result)]
    return Row(
        asked.part,
        usable,
        why,
        result.calls,
        len(agreed),
        sum(agreed),
        result.usage,
        sum(chat.seconds[before:]),
    )


def _first_reply(asked: Asked, outcome: ChatOutcome) -> tuple[bool, tuple[str, ...]]:
    if not isinstance(outcome, ChatReply):
        return False, (f"{outcome.lost.code}: {outcome.lost.detail}",)
    reading = asked.job.reading(outcome.text, asked.task, fenced=outcome.by_words)
    return reading.usable and not reading.problems, reading.problems


def _verdicts(asked: Asked, result: CallResult) -> Iterator[tuple[str, str]]:
    """What is right beside what was said: fit or unfit for a claim, the word for an item, the letter for a pair."""
    if isinstance(result.found, Lost):
        return
    fields = result.found.fields
    for vote in fields.get("votes", ()):
        # A claim holds or it does not: what the gates ask.
        yield _holds(asked.right[vote.claim_id]), _holds(vote.verdict)
    for item in fields.get("items", ()):
        yield asked.right[item.item], item.said
    if scores := fields.get("scores"):
        totals = {"A": sum(scores.a.values()), "B": sum(scores.b.values())}
        tie = totals["A"] == totals["B"]
        yield asked.right["better"], "tie" if tie else max(totals, key=lambda letter: totals[letter])


def _holds(verdict: str) -> str:
    return "holds" if verdict == "supported" else "does not"


def _line(row: Row) -> str:
    why = "" if row.usable else f"  first reply not usable: {'; '.join(row.why)[:160]}"
    tokens = f"{row.usage.input:>5} + {row.usage.output:>3} tokens"
    return (
        f"  {row.part:<15} {row.agreed} of {row.judged} right, {row.calls} call(s), {tokens}, {row.seconds:5.1f} s{why}"
    )


def run_menu(member: Member) -> str:
    """Four questions of the menu app in a run of the product itself; what judging came to there."""
    OUT.mkdir(parents=True, exist_ok=True)
    suite: dict[str, Any] = yaml.safe_load((JUDGES / "raggate.yaml").read_text())
    suite["evidence"]["files"] = [str(MENU / "menu.jsonl")]
    suite["cases"] = [str(JUDGES / "questions.yaml")]
    suite["judges"] = {"panel": [member.model_dump(mode="json", exclude_defaults=True)], "claims": {"which": "all"}}
    path = OUT / "raggate.yaml"
    path.write_text(yaml.safe_dump(suite, sort_keys=False))
    cases = [word for case in MENU_CASES for word in ("--case", case)]
    with running_app("helpful") as port:
        command = [
            sys.executable,
            "-m",
            "raggate_action",
            "run",
            str(path),
            "--out",
            str(OUT / "run"),
            "--no-reuse",
            *cases,
        ]
        done = subprocess.run(command, env={**os.environ, "MENU_PORT": str(port)}, check=False)
    stored = [json.loads(line) for line in (OUT / "run" / "judgements.jsonl").read_text().splitlines()]
    lost = [each["lost"]["code"] for each in stored if each.get("lost")]
    calls = sum(each.get("calls", 0) for each in stored)
    return f"exit {done.returncode}; {len(stored)} judgements, {calls} calls, lost: {', '.join(lost) or 'none'}"


def table(rows: list[Row]) -> Iterator[str]:
    """The measurement as a table of Markdown, and each reason of an unusable first reply."""
    yield "| part | tasks | usable first replies | verdicts | right | output tokens a call | seconds a call |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for part in dict.fromkeys(row.part for row in rows):
        yield _table_row(part, [row for row in rows if row.part == part])
    yield _table_row("all", rows)
    for row in rows:
        if not row.usable:
            yield f"- {row.part}: {'; '.join(row.why)}"


def _table_row(name: str, rows: list[Row]) -> str:
    usable, judged, agreed = (sum(getattr(row, of) for row in rows) for of in ("usable", "judged", "agreed"))
    calls = max(1, sum(row.calls for row in rows))
    output, seconds = sum(row.usage.output for row in rows), sum(row.seconds for row in rows)
    return f"| {name} | {len(rows)} | {usable} | {judged} | {agreed} | {output / calls:.0f} | {seconds / calls:.1f} |"


def main() -> int:
    """Measure; 0 where 95 of 100 first replies are usable, 1 where not."""
    url = os.environ.get("REAL_JUDGE_URL")
    if not url:
        raise SystemExit("Name a judge: REAL_JUDGE_URL=http://localhost:11434/v1 REAL_JUDGE_MODEL=gemma3:4b")
    member = Member(
        name="real",
        lab=os.environ.get("REAL_JUDGE_LAB", "unknown"),
        model=os.environ.get("REAL_JUDGE_MODEL", "local"),
        base_url=url.rstrip("/"),
        api_key_env="REAL_JUDGE_KEY" if os.environ.get("REAL_JUDGE_KEY") else None,
        parameters={"temperature": 0},
        concurrency=1,
        timeout_s=600,
    )
    begun = time.monotonic()
    rows, unasked = asyncio.run(ask_all(member, begun + MOST_SECONDS))
    print("menu app:", run_menu(member) if time.monotonic() < begun + MOST_SECONDS else "not reached")
    print("\n".join(["", *table(rows)]))
    if unasked:
        print(f"{unasked} tasks were not asked: at most {MOST_CALLS} calls and {MOST_SECONDS // 60} minutes.")
    share = sum(row.usable for row in rows) / len(rows)
    print(f"Usable first replies: {100 * share:.0f} % of {len(rows)}; 95 % are wanted.")
    return 0 if share >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
