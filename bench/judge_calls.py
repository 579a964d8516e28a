"""What calling judges costs beside the bare client: a thousand calls, 32 at once, replies after 200 ms.

    python -m bench.judge_calls                             # 1,000 calls, three rounds, about a minute

The endpoint is the tests' own, in a process of its own. Each side is a process too, which loads the client and makes
one call before the clock starts; both make the same calls and get the same replies. Ideal is the waiting alone: rounds
of as many calls as there are lanes. CPU seconds are the caller's, user plus system, without its start. The sides take
turns, and each one's best round counts: what else the machine does can only add. It fails above 1.25 times ideal, 1.1
times the client's seconds or 1.3 times its CPU, and where more calls were under way than there are lanes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import subprocess
import sys
import time
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.judges.chat_call import ChatReply, ChatRequest
from tests.fake_chat.actions import says
from tests.fake_chat.server import fake_chat

_MOST_OF_IDEAL = 1.25
_MOST_OF_CLIENT = 1.1
_MOST_CPU = 1.3
_SYSTEM = "You judge claims by the chunks beside them. Reply in JSON. " * 20
_USER = "The kitchen closes at nine, and on Sundays at eight. Claim one of three. " * 20
_VERDICT: JsonValue = {"claims": [{"id": "1", "verdict": "supported", "quote": "closes at nine"}] * 3}
_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"claims": {"type": "string"}},
    "required": ["claims"],
    "additionalProperties": False,
}


class Took(NamedTuple):
    """Seconds of the clock and of the caller's CPU."""

    wall_s: float
    cpu_s: float


async def ours(base_url: str, calls: int, lanes: int) -> Took:
    """Every call by the judge's chat, all of them handed in at once."""
    from raggate_action.judges.endpoints import close_chats, open_chats
    from raggate_action.schema.judges import Member

    member = Member(name="judge", lab="bench", model="slow", base_url=base_url, concurrency=lanes)
    warm = member.model_copy(update={"name": "warm", "model": "quick"})
    chats = open_chats([member, warm], {}, draw=random.Random(1))
    await chats["warm"].complete(_request(0))
    begun = _now()
    outcomes = await asyncio.gather(*(chats["judge"].complete(_request(at)) for at in range(calls)))
    took = _since(begun)
    await close_chats(chats)
    return _whole(took, sum(isinstance(outcome, ChatReply) for outcome in outcomes), calls)


async def bare(base_url: str, calls: int, lanes: int) -> Took:
    """Every call by the client alone, behind a semaphore."""
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=base_url, max_retries=0, timeout=60)
    form = {"type": "json_schema", "json_schema": {"name": "verdicts", "strict": True, "schema": _SCHEMA}}
    free = asyncio.Semaphore(lanes)

    async def call(at: int, model: str = "slow") -> str:
        request = _request(at)
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
        async with free:
            reply = await client.chat.completions.create(model=model, messages=messages, response_format=form)  # type: ignore[call-overload]
        return str(reply.choices[0].message.content)

    await call(0, "quick")
    begun = _now()
    texts = await asyncio.gather(*(call(at) for at in range(calls)))
    took = _since(begun)
    await client.close()
    return _whole(took, sum(map(bool, texts)), calls)


def _whole(took: Took, replies: int, calls: int) -> Took:
    """What it took, if every call was replied to: a quicker side that loses calls is not measured."""
    if replies != calls:
        sys.exit(f"{replies} replies to {calls} calls")
    return took


def _request(at: int) -> ChatRequest:
    return ChatRequest(_SYSTEM, f"{_USER} Case {at}.", "verdicts", _SCHEMA)


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(begun: tuple[float, float]) -> Took:
    wall, cpu = _now()
    return Took(wall - begun[0], cpu - begun[1])


def _measured(side: str, calls: int, lanes: int, wait_s: float) -> tuple[Took, int, int]:
    """One side in a process of its own; gives what it took, the most calls at once, and connections."""
    endpoint = subprocess.Popen(
        [sys.executable, "-m", "bench.judge_calls", "--endpoint", "--wait", str(wait_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    base_url = endpoint.stdout.readline().strip() if endpoint.stdout is not None else ""
    command = [sys.executable, "-m", "bench.judge_calls", "--side", side, "--base-url", base_url]
    command += ["--calls", str(calls), "--lanes", str(lanes)]
    caller = subprocess.run(command, capture_output=True, text=True, check=True)
    told, _ = endpoint.communicate("end\n")
    return Took(*json.loads(caller.stdout)), *json.loads(told)


def _serve(wait_s: float) -> None:
    with fake_chat({"slow": says(_VERDICT, after_s=wait_s), "quick": says(_VERDICT)}) as chat:
        print(chat.base_url, flush=True)
        sys.stdin.readline()
        print(json.dumps([chat.peaks["slow"], chat.connections]))


def _compare(calls: int, lanes: int, wait_s: float, rounds: int) -> None:
    took: dict[str, list[Took]] = {"ours": [], "bare": []}
    most, opened = 0, 0
    for _ in range(rounds):
        for side, measured in took.items():
            found, peak, connections = _measured(side, calls, lanes, wait_s)
            measured.append(found)
            if side == "ours":
                most, opened = max(most, peak), max(opened, connections)
    ideal = math.ceil(calls / lanes) * wait_s
    wall = {side: min(each.wall_s for each in measured) for side, measured in took.items()}
    cpu = {side: min(each.cpu_s for each in measured) for side, measured in took.items()}
    print(
        f"{calls} calls, {wait_s * 1000:.0f} ms each, {lanes} at once; ideal {ideal:.2f} s; the best of {rounds} rounds"
    )
    for side, name in (("bare", "the client alone"), ("ours", "judges' calls")):
        each_ms = 1000 * cpu[side] / calls
        print(f"{name:17}{wall[side]:6.2f} s, {wall[side] / ideal:.2f} times ideal; CPU {each_ms:.2f} ms a call")
    beside, of_cpu = wall["ours"] / wall["bare"], cpu["ours"] / cpu["bare"]
    print(f"ours beside it: {beside:.2f} times the seconds, {of_cpu:.2f} times the CPU")
    print(f"at most {most} calls under way, {opened} connections")
    slow = wall["ours"] / ideal > _MOST_OF_IDEAL or beside > _MOST_OF_CLIENT or of_cpu > _MOST_CPU
    sys.exit("above a bound" if slow or most > lanes else 0)


def main() -> None:
    """Measure and print; fails above a bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=32)
    parser.add_argument("--wait", type=float, default=0.2, help="seconds until a reply")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--endpoint", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--side", choices=["ours", "bare"], help=argparse.SUPPRESS)
    parser.add_argument("--base-url", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.endpoint:
        _serve(given.wait)
    elif given.side is not None:
        side = ours if given.side == "ours" else bare
        print(json.dumps(asyncio.run(side(given.base_url, given.calls, given.lanes))))
    else:
        _compare(given.calls, given.lanes, given.wait, given.rounds)


if __name__ == "__main__":
    main()
