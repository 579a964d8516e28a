from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import TargetError, UsageError
from raggate_action.schema.target import CommandTarget
from raggate_action.schema.trace import Answered
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.process_targets import CommandApp, calling_of
from raggate_action.targets.reply_mapping import ReplyMapping
from tests.integration.asking import answer, ask_all, error, eventually, is_running, latency_ms, numbered, placed

# A program that answers every line with its question; `ODD` is what it does on a case named so.
PROGRAM = """
import json, os, signal, subprocess, sys, time
print("starting", file=sys.stderr)
for line in sys.stdin:
    case = json.loads(line)
    odd = case["case_id"].rstrip("0123456789")
    if odd == "crash":
        print("Traceback (most recent call last):\\nKeyError: 'index'", file=sys.stderr)
        sys.exit(3)
    if odd == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if odd == "slow":
        time.sleep(30)
    if odd == "noisy":
        sys.stderr.write("warning\\n" * 200_000)
    if odd == "chatty":
        print("Loading the index...")
    if odd == "silent":
        os.close(1)
        time.sleep(30)
    if odd == "huge":
        print("x" * (33 * 1024 * 1024))
    if odd == "big":
        case["question"] = "x" * 3_000_000
    print()
    print(json.dumps({"case_id": case["case_id"], "answer": case["question"], "versions": {"pid": str(os.getpid())}}))
    if odd == "twice":
        print(json.dumps({"answer": "nobody asked"}))
    sys.stdout.flush()
"""


def command_app(directory: Path, program: str = PROGRAM, **settings: Any) -> CommandApp:
    (directory / "program.py").write_text(program)
    fields = {"kind": "command", "command": (sys.executable, "program.py"), **settings}
    return calling(directory, CommandTarget.model_validate(fields))


def calling(directory: Path, target: CommandTarget) -> CommandApp:
    settings = calling_of(target, Surroundings(directory, dict(os.environ)), ReplyMapping(target.response))
    return CommandApp(settings._replace(grace_s=0.4))


def pid(reply: object) -> str:
    assert isinstance(reply, Answered)
    return dict(reply.trace.version_pairs)["pid"]


def test_one_process_answers_many_cases(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path), numbered(20))
    assert [answer(replies[f"q{n}"]) for n in range(20)] == [f"What is q{n}?" for n in range(20)]
    assert len({pid(reply) for reply in replies.values()}) == 1


def test_per_case_starts_it_anew(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path, per_case=True), numbered(3))
    assert len({pid(reply) for reply in replies.values()}) == 3


def test_per_case_serves_programs_that_read_to_the_end_first(tmp_path: Path) -> None:
    program = "import json, sys; case = json.load(sys.stdin); print(json.dumps({'answer': case['question']}))"
    replies = ask_all(command_app(tmp_path, program, per_case=True), numbered(2))
    assert answer(replies["q1"]) == "What is q1?"


def test_concurrency_is_processes_side_by_side(tmp_path: Path) -> None:
    program = PROGRAM.replace("print()\n", "time.sleep(0.05)\n", 1)
    replies = ask_all(command_app(tmp_path, program, concurrency=3), numbered(12))
    assert len(replies) == 12
    assert len({pid(reply) for reply in replies.values()}) == 3


@pytest.mark.parametrize(
    ("odd", "line"),
    [
        pytest.param("crash", "the program ended with exit code 3 before its answer: KeyError: 'index'", id="crash"),
        pytest.param("killed", "the program was ended by SIGKILL", id="killed"),
        pytest.param("slow", "no answer within 0.7 s", id="slow"),
        pytest.param("silent", "the program closed its output without an answer", id="closes its output"),
        pytest.param("chatty", "reply is not JSON at line 1 column 1: expected value; it starts 'Loading", id="prints"),
        pytest.param("huge", "reply is larger than 32 MiB", id="huge"),
    ],
)
def test_what_befalls_a_case_is_its_reply_and_the_next_case_finds_a_program_in_step(
    tmp_path: Path, odd: str, line: str
) -> None:
    # Only what never comes is waited for in vain: 33 MiB take their time on a busy machine.
    replies = ask_all(command_app(tmp_path, timeout_s=0.7 if odd == "slow" else 20), placed("q1", odd, "q2", "q3"))
    assert line in error(replies[odd])
    assert [answer(replies[case_id]) for case_id in ("q1", "q2", "q3")] == [f"What is q{n}?" for n in (1, 2, 3)]
    assert pid(replies["q1"]) != pid(replies["q2"]) == pid(replies["q3"])


def test_a_line_too_many_is_seen_before_it_becomes_the_next_cases_answer(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path), placed("twice", "q1", "q2"))
    assert 'a line too many after its last answer: \'{"answer": "nobody asked"}\'' in error(replies["q1"])
    assert answer(replies["q2"]) == "What is q2?"


@pytest.mark.parametrize("case_id", ["noisy", "big"])
def test_much_output_does_not_block(tmp_path: Path, case_id: str) -> None:
    assert answer(ask_all(command_app(tmp_path, timeout_s=10), placed(case_id))[case_id])


def test_a_program_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    begins = "import sys; sys.stdout.buffer.write(bytes([0xEF, 0xBB, 0xBF])); sys.stdout.flush()\n"
    program = begins + PROGRAM.replace("    print()\n", "")
    replies = ask_all(command_app(tmp_path, program=program), placed("q1", "q2"))
    assert [answer(replies[case_id]) for case_id in ("q1", "q2")] == ["What is q1?", "What is q2?"]


def test_latency_is_the_time_of_the_answer_or_until_the_error(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path, timeout_s=0.5), placed("q", "slow"))
    assert 500 <= latency_ms(replies["slow"]) < 900
    assert latency_ms(replies["q"]) < 500


def test_replies_are_mapped(tmp_path: Path) -> None:
    reply = ask_all(command_app(tmp_path, response={"answer": "versions.pid"}), placed("q"))["q"]
    assert answer(reply).isdigit()


@pytest.mark.parametrize(
    "command", [("./no-such-program",), ("no-such-program-anywhere",)], ids=["by path", "by search"]
)
def test_a_program_that_does_not_exist_is_an_error_before_any_case(tmp_path: Path, command: tuple[str, ...]) -> None:
    target = CommandTarget(kind="command", command=command)
    with pytest.raises(TargetError, match=r"cannot be started in .*No such file") as caught:
        ask_all(calling(tmp_path, target), numbered(2))
    assert command[0] in str(caught.value)


def test_a_program_is_found_relative_to_the_suite(tmp_path: Path) -> None:
    script = tmp_path / "app.sh"
    script.write_text('#!/bin/sh\nwhile read -r line; do echo "{\\"answer\\": \\"$PWD\\"}"; done\n')
    script.chmod(0o755)
    reply = ask_all(calling(tmp_path, CommandTarget(kind="command", command=("./app.sh",))), placed("q"))["q"]
    assert answer(reply) == str(tmp_path)


def test_the_program_learns_nothing_of_our_environment_but_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_TOKEN", "PYTHONPATH", "PYTHONSTARTUP", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "of the job")
    monkeypatch.setenv("LC_TIME", "C")
    program = "import json, os; input(); print(json.dumps({'answer': json.dumps(dict(os.environ))}))"
    seen = answer(ask_all(command_app(tmp_path, program, env={"MODE": "strict", "TZ": "UTC"}), placed("q"))["q"])
    assert "of the job" not in seen
    assert '"MODE": "strict"' in seen
    assert '"TZ": "UTC"' in seen
    assert '"LC_TIME": "C"' in seen
    assert '"PATH"' in seen


def test_no_secret_of_its_environment_reaches_an_error_line(tmp_path: Path) -> None:
    program = "import os, sys; sys.exit('refused: ' + os.environ['API_TOKEN'] + os.environ['MODE'])"
    app = command_app(tmp_path, program, env={"API_TOKEN": "token-value", "MODE": "strict"})
    assert error(ask_all(app, placed("q"))["q"]).endswith("refused: ***strict")


GRANDCHILD = """
import json, os, signal, subprocess, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], stdout=subprocess.DEVNULL)
open("pids", "a").write(f"{os.getpid()} {child.pid} ")
for line in sys.stdin:
    if json.loads(line)["case_id"] == "slow":
        time.sleep(60)
    print(json.dumps({"answer": "x"}), flush=True)
    if "leaves" in sys.argv:
        sys.exit(0)
"""


def pids(directory: Path) -> list[int]:
    file = directory / "pids"
    return [int(word) for word in file.read_text().split()] if file.exists() else []


def all_gone(directory: Path) -> bool:
    return not any(is_running(number) for number in pids(directory))


@pytest.mark.parametrize(
    ("arguments", "case_id", "processes"),
    [
        pytest.param((), "slow", 2, id="after a timeout"),
        pytest.param(("stubborn",), "slow", 2, id="after a timeout, SIGTERM ignored"),
        pytest.param((), "q", 2, id="after the last case"),
        pytest.param(("leaves",), "q", 2, id="after the program left its child behind"),
    ],
)
def test_no_process_remains(tmp_path: Path, arguments: tuple[str, ...], case_id: str, processes: int) -> None:
    (tmp_path / "program.py").write_text(GRANDCHILD)
    command = (sys.executable, "program.py", *arguments)
    ask_all(calling(tmp_path, CommandTarget(kind="command", command=command, timeout_s=0.6)), placed(case_id))
    assert len(pids(tmp_path)) == processes
    assert eventually(lambda: all_gone(tmp_path), within_s=0.5)


@pytest.mark.parametrize("how", ["cancelled", "cancelled twice", "closed"])
def test_no_process_remains_when_the_run_is_left_early(tmp_path: Path, how: str) -> None:
    app = command_app(tmp_path, GRANDCHILD, concurrency=2, command=(sys.executable, "program.py", "stubborn"))

    async def closed() -> None:
        replies = app.replies(placed("q1", "q2", "slow", "q3"))
        await anext(replies)
        await replies.aclose()

    async def cancelled() -> None:
        async def run() -> None:
            async for _ in app.replies(placed("slow", "q1", "q2")):
                pass

        task = asyncio.create_task(run())
        await asyncio.to_thread(eventually, lambda: len(pids(tmp_path)) == 4)
        for _ in range(2 if how == "cancelled twice" else 1):
            task.cancel()
            await asyncio.sleep(0.05)
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(closed() if how == "closed" else cancelled())
    assert pids(tmp_path)
    assert eventually(lambda: all_gone(tmp_path), within_s=0.5)


def test_a_cancelled_case_does_not_delay_the_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(0.5):
            async for _ in command_app(tmp_path, timeout_s=60).replies(placed("slow")):
                pass

    started = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert time.monotonic() - started < 10


def test_a_mapping_that_cannot_work_is_refused_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="column 3"):
        command_app(tmp_path, response={"answer": "a["})


# Says what it was called with, and what it read; `ends` is how.
TELLING = """
import json, sys
case = json.loads(sys.stdin.readline())
print("Asked:", *[repr(each) for each in sys.argv[1:]])
print()
print("Case", case["case_id"])
print("a warning\\nno index", file=sys.stderr)
sys.exit(int(case.get("input", {}).get("ends", 0)))
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is tea?", "'What is tea?'"),
        (
            "$(touch owned); `id` && rm -rf x | cat > owned * \" '",
            repr("$(touch owned); `id` && rm -rf x | cat > owned * \" '"),
        ),
        ("{{case_id}} and -x --help", "'{{case_id}} and -x --help'"),
        ("two\nlines", "'two\\nlines'"),
        ("a \0 inside", "'a   inside'"),
    ],
)
def test_a_question_is_one_argument_and_never_a_shells(tmp_path: Path, question: str, told: str) -> None:
    program = (sys.executable, "program.py", "--ask", "{{question}}", "of {{case_id}}")
    replies = ask_all(command_app(tmp_path, TELLING, command=program), placed("q", question=question))
    assert answer(replies["q"]) == f"Asked: '--ask' {told} 'of q'\nCase q"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["program.py"]


def test_a_template_of_the_programs_own_is_given_as_it_stands(tmp_path: Path) -> None:
    program = (sys.executable, "program.py", "Answer from {{context}}")
    replies = ask_all(command_app(tmp_path, TELLING, command=program, per_case=True), placed("q"))
    assert answer(replies["q"]) == "Asked: 'Answer from {{context}}'\nCase q"


def test_plain_text_is_an_answer_where_a_program_is_started_for_each_case(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path, TELLING, per_case=True), numbered(3))
    assert [answer(replies[f"q{n}"]) for n in range(3)] == [f"Asked:\nCase q{n}" for n in range(3)]


def test_an_exit_status_is_an_error_whatever_was_written(tmp_path: Path) -> None:
    replies = ask_all(command_app(tmp_path, TELLING, per_case=True), placed("q", input={"ends": 3}))
    assert error(replies["q"]) == "the program ended with exit code 3 before its answer: no index"


def test_json_over_several_lines_is_json(tmp_path: Path) -> None:
    program = 'import json\nprint(json.dumps({"answer": "Tea.", "context": ["c1"]}, indent=2))'
    reply = ask_all(command_app(tmp_path, program, per_case=True), placed("q"))["q"]
    assert isinstance(reply, Answered)
    assert (answer(reply), reply.trace.context) == ("Tea.", ("c1",))


def test_a_program_that_writes_nothing_has_no_answer(tmp_path: Path) -> None:
    reply = ask_all(command_app(tmp_path, "print()", per_case=True), placed("q"))["q"]
    assert error(reply) == "the program ended with exit code 0 before its answer"


def test_text_without_end_is_left(tmp_path: Path) -> None:
    reply = ask_all(command_app(tmp_path, "while True: print('x' * 1000)", per_case=True, timeout_s=30), placed("q"))[
        "q"
    ]
    assert error(reply) == "reply is larger than 32 MiB"
