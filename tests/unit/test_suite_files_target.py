"""Addresses, programs, modules and recorded traces that a suite names and that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import SuiteError, UsageError
from raggate_action.network.addresses import address_problem, printable_address
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.callable_check import Modules

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOST": "app.test",
    "BARE": "app.test:8080/hush",
    "BLANK": " ",
    "PORT": "hush-hush",
    "DIR": "bin",
}


def write(folder: Path, target: str, case: str = "question: q") -> Path:
    path = folder / "raggate.yaml"
    path.write_text(f"suite: s\ncases: [c.yaml]\ntarget: {target}\n")
    (folder / "c.yaml").write_text(f"- {{case_id: a, {case}}}\n")
    return path


def mistakes(path: Path, *, on_this_machine: bool = True) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load_suite(path, environment=ENVIRONMENT, on_this_machine=on_this_machine)
    return [line.removeprefix(f"{path.parent.as_posix()}/") for line in str(caught.value).splitlines()]


def sound(path: Path) -> bool:
    return len(load_suite(path, environment=ENVIRONMENT, on_this_machine=True).cases) == 1


WHOLE = "write a whole one, as in http://localhost:8080/answer"
FILLED = "which is no address, once its variables are filled in"


FILLED_ONLY = (
    'which is sent as it stands; only `request: body` is filled in, as in `request: {body: {input: "{{input}}"}}`'
)
HANDED = "which the app is given as it stands; take `question` from the case, which a command reads from stdin and a function is called with"


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("{kind: http, url: 'http://u/ask?q={{question}}'}", '`url` says `{{question}}`, which is sent as it stands; write `request: {method: GET, body: {question: "{{question}}"}}`, and `?question=...` is added to the address'),
        ("{kind: http, url: 'http://u/{case_id}'}", '`url` says `{case_id}`, which is sent as it stands; write `request: {method: GET, body: {case_id: "{{case_id}}"}}`, and `?case_id=...` is added to the address'),
        ("{kind: http, url: http://u, ready: {url: 'http://u/{{question}}'}}", "`ready: url` says `{{question}}`, which is sent as it stands, before the first case; take it out"),
        ("{kind: http, url: http://u, headers: {X-Lang: 'lang={input}'}}", f"`headers` says `{{input}}`, {FILLED_ONLY}"),
        ("{kind: http, url: http://u, request: {body: {list: [{'{{question}}': 1}]}}}", "`body` has the key `{{question}}`, and keys are sent as they stand; write the app's name for it, as in `question: \"{{question}}\"`"),
        ("{kind: command, command: [/bin/sh, '{question}']}", f"`command` says `{{question}}`, {HANDED}"),
        ("{kind: command, command: [/bin/sh, '--q={messages}']}", f"`command` says `{{messages}}`, {HANDED}"),
        ("{kind: function, function: 'csv:reader', env: {Q: '{{question}}'}}", f"`env` says `{{{{question}}}}`, {HANDED}"),
        ("{kind: recorded, traces: '{case_id}.jsonl'}", "`traces` says `{case_id}`, which is filled in nowhere; write the path of one file with a line of JSON for each case"),
    ],
)  # fmt: skip
def test_a_placeholder_where_nothing_is_filled_in_says_what_to_write(tmp_path: Path, target: str, problem: str) -> None:
    [found] = mistakes(write(tmp_path, target), on_this_machine=False)
    assert found.split(": ", 1)[1] == problem


@pytest.mark.parametrize(
    "target",
    [
        "{kind: command, command: [/bin/sh, '--template=Answer {question} now', '{other}']}",
        "{kind: command, command: [/bin/sh], env: {PROMPT: 'Answer {{question}} from {{context}}'}}",
        "{kind: http, url: 'http://u/{tenant}', headers: {X-Form: '{questions}'}}",
    ],
)
def test_a_template_of_the_app_itself_is_no_placeholder(tmp_path: Path, target: str) -> None:
    assert sound(write(tmp_path, target))


def test_the_request_that_a_message_proposes_is_sound(tmp_path: Path) -> None:
    request = 'request: {method: GET, body: {question: "{{question}}"}}'
    assert sound(write(tmp_path, f"{{kind: http, url: http://u, {request}}}"))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        pytest.param(
            "localhost:8080/answer",
            "'localhost:8080/answer', which is no address: it does not begin with http:// or https://",
            id="no scheme",
        ),
        pytest.param("ftp://x/", "'ftp://x/', which is no address: it does not begin with http:// or", id="ftp"),
        pytest.param("http://:8080/x", "'http://:8080/x', which is no address: it names no host", id="no host"),
        pytest.param("http:///x", "'http:///x', which is no address: it names no host", id="nothing but a path"),
        pytest.param("http://h:80800/", "its port is no number from 1 to 65535", id="a port too large"),
        pytest.param("http://h:http/", "its port is no number from 1 to 65535", id="a port in words"),
        pytest.param("http://h:0/", "its port is no number from 1 to 65535", id="port 0"),
        pytest.param("http://[::1/", "its host cannot be read", id="half an address of version 6"),
        pytest.param("http://a b/", "it holds a blank", id="a blank inside"),
        pytest.param("${BARE}/answer", f"'${{BARE}}/answer', {FILLED}: it does not begin with", id="a bare variable"),
        pytest.param("http://${BLANK}/", f"'http://${{BLANK}}/', {FILLED}: it holds a blank", id="a blank variable"),
        pytest.param("http://h:${PORT}/", f"'http://h:${{PORT}}/', {FILLED}: its port is no number", id="a bad port"),
        pytest.param("http//me:pw@h/x?key=1", "'http//***@h/x', which is no address", id="user and query are hidden"),
    ],
)
def test_an_address_that_cannot_be_asked_is_told_where_it_stands(tmp_path: Path, url: str, said: str) -> None:
    path = write(tmp_path, f'{{kind: http, url: "{url}"}}')
    for on_this_machine in (True, False):
        [told] = mistakes(path, on_this_machine=on_this_machine)
        assert told.startswith("raggate.yaml:3:27: `url` is ")
        assert said in told
        assert told.endswith(WHOLE)
        assert "hush" not in told
        assert "me:pw" not in told


def test_the_address_waited_for_is_checked_too_and_one_of_the_command_line_replaces_the_url(tmp_path: Path) -> None:
    path = write(tmp_path, "{kind: http, url: nowhere, ready: {url: nowhere}}")
    assert [told.split(" is ")[0] for told in mistakes(path)] == [
        "raggate.yaml:3:27: `url`",
        "raggate.yaml:3:49: `ready: url`",
    ]
    with pytest.raises(SuiteError, match=r"^\S+:3:49: `ready: url` is 'nowhere'"):
        load_suite(path, environment={}, target_url="http://here")


def test_an_address_of_the_command_line_that_is_none_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "{kind: http, url: http://h}")
    with pytest.raises(UsageError, match=r"--target-url is 'here:80', which is no address: it does not begin"):
        load_suite(path, environment={}, target_url="here:80")
    with pytest.raises(UsageError, match=r"--target-url says \{question\}, which is sent as it stands") as caught:
        load_suite(path, environment={}, target_url="http://h/ask?q={question}")
    assert '"{{question}}" into `request: body`' in caught.value.hint


@pytest.mark.parametrize(
    "url",
    [
        "http://h",
        "https://user:pw@h:65535/a?b=c",
        "http://[::1]:8080/",
        "http://${HOST}:1/",
        "${UNSET}",
        "http://ü.test",
    ],
)
def test_sound_addresses_and_those_nobody_knows_yet_are_left_alone(tmp_path: Path, url: str) -> None:
    path = write(tmp_path, f'{{kind: http, url: "{url}"}}')
    if url == "${UNSET}":
        assert ["is not set" in told for told in mistakes(path)] == [True]
    else:
        assert sound(path)


def test_an_address_is_shown_without_what_may_be_secret() -> None:
    assert printable_address("https://me:pw@h:1/a@b?key=1#x") == "https://***@h:1/a@b"
    assert printable_address("h@x") == "h@x"
    assert address_problem("https://h/a@b") is None


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    for name, mode in (("app", 0o755), ("plain", 0o644)):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(mode)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "said"),
    [
        pytest.param(
            "{kind: command, command: [no-such-program, -x]}",
            "raggate.yaml:3:35: `command` starts `no-such-program`, which is no program on PATH; write its path",
            id="not on PATH",
        ),
        pytest.param(
            "{kind: command, command: [./bin/ap]}",
            "raggate.yaml:3:35: `command` starts `./bin/ap`, which does not exist; a path is relative to this file's",
            id="no such file",
        ),
        pytest.param(
            "{kind: command, command: [./bin]}", "3:35: `command` starts `./bin`, which is a folder", id="bin"
        ),
        pytest.param("{kind: command, command: [bin/plain]}", "which may not be run; make it executable", id="plain"),
        pytest.param(
            "{kind: command, command: ['${DIR}/gone']}", "`command` starts `${DIR}/gone`, which does not", id="variable"
        ),
        pytest.param(
            "{kind: command, command: [sh], env: {PATH: /nowhere}}",
            "`command` starts `sh`, which is no program on PATH",
            id="its own PATH",
        ),
        pytest.param(
            "{kind: function, function: 'json:loads', python: .venv/bin/python}",
            "raggate.yaml:3:58: `python` starts `.venv/bin/python`, which does not exist",
            id="no such interpreter",
        ),
        pytest.param(
            "{kind: function, function: 'json:loads', python: python1.4}",
            "raggate.yaml:3:58: `python` starts `python1.4`, which is no program on PATH",
            id="no such interpreter on PATH",
        ),
        pytest.param(
            "{kind: recorded, traces: t.jsonl}",
            "raggate.yaml:3:34: `traces` names `t.jsonl`, which does not exist; a path is relative to this file's folder; "
            "`raggate-action record --out` writes such a file",
            id="no traces",
        ),
        pytest.param(
            "{kind: recorded, traces: bin}", "`traces` names `bin`, which is a folder; write the path", id="a folder"
        ),
        pytest.param(
            "{kind: recorded, traces: bin/app/x}", "which cannot be read: Not a directory; check", id="unreadable"
        ),
    ],
)
def test_what_is_not_on_this_machine_is_told_when_asked(programs: Path, target: str, said: str) -> None:
    path = write(programs, target)
    [told] = mistakes(path)
    assert said in told
    assert len(load_suite(path, environment=ENVIRONMENT).cases) == 1, "a run decides on it"


@pytest.mark.parametrize(
    "target",
    [
        "{kind: command, command: [bin/app]}",
        "{kind: command, command: [sh]}",
        "{kind: command, command: ['${DIR}/app']}",
    ],
)
def test_programs_that_are_there_are_no_mistake(programs: Path, target: str) -> None:
    assert sound(write(programs, target))


MODULE = """\
from os.path import join as merge
import json

TABLE = {"a": 1}

def refund_math(case, trace):
    return []

class Checks:
    def inner(case, trace): ...

if True:
    def nested(case, trace): ...
"""


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    (tmp_path / "checks.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "binary.py").write_bytes(b"\x00")
    (tmp_path / "latin.py").write_bytes(b"x = '\xe8'\n")
    (tmp_path / "stars.py").write_text("from checks import *\n")
    (tmp_path / "lazy.py").write_text("def __getattr__(name): ...\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("from pack.inner import check\n")
    (tmp_path / "pack" / "inner.py").write_text("def check(case, trace): ...\n")
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "inner.py").write_text("def check(case, trace): ...\n")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "checks:refund_math", "checks:Checks.inner", "checks:nested", "checks:merge", "checks:TABLE", "stars:anything",
        "lazy:anything", "pack:check", "pack.inner:check", "bare.inner:check", "json:loads", "os.path:join",
    ],
)  # fmt: skip
def test_names_that_can_be_found_are_no_mistake(modules: Path, name: str) -> None:
    assert Modules(modules, ours=True).problem(name) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("check:refund_math", "there is no `check.py` in the suite file's folder, and no such module is installed"),
        ("checks:refnd_math", "`checks.py` defines no `refnd_math`; did you mean `refund_math`?"),
        ("checks:zzz", "`checks.py` defines no `zzz`; write the name of a function in it"),
        ("checks.sub:f", "there is no `checks/sub.py` in the suite file's folder"),
        ("pack.other:f", "there is no `pack/other.py` in the suite file's folder"),
        ("pack:other", "`pack/__init__.py` defines no `other`; write the name of a function in it"),
        ("bare:f", "`bare` is a folder without `__init__.py`; name a module in it"),
        ("broken:f", "broken.py:1 is not Python: "),
        ("latin:f", "latin.py:1 is not Python: "),
        ("..x:f", "write it as module:callable"),
        ("checks:.", "write it as module:callable"),
    ],
)
def test_names_that_cannot_be_found_are_told(modules: Path, name: str, said: str) -> None:
    looked_up = Modules(modules, ours=True)
    assert (looked_up.problem(name) or "").startswith(said)
    assert looked_up.problem(name) == looked_up.problem(name)


def test_a_file_that_is_no_text_is_told(modules: Path) -> None:
    assert "binary.py" in (Modules(modules, ours=True).problem("binary:f") or "")


@pytest.mark.parametrize("name", ["elsewhere:check", "broken:f"])
def test_what_another_interpreter_has_nobody_knows(modules: Path, name: str) -> None:
    assert Modules(modules, ours=False).problem(name) is None


def test_a_case_whose_check_is_missing_is_told_where_it_stands(modules: Path) -> None:
    path = write(modules, "{kind: http, url: http://h}", "question: q, custom_check: 'check:refund_math'")
    assert mistakes(path) == [
        (
            "c.yaml:1:43: `custom_check` names `check:refund_math`; there is no `check.py` in the suite file's folder, "
            "and no such module is installed"
        )
    ]
    assert len(load_suite(path, environment=ENVIRONMENT).cases) == 1, "a run finds it unmeasured"


def test_the_function_of_a_target_is_looked_up_as_well(modules: Path) -> None:
    path = write(modules, "{kind: function, function: 'checks:answr'}")
    [told] = mistakes(path)
    assert told.startswith("raggate.yaml:3:36: `function` names `checks:answr`; `checks.py` defines no `answr`; ")
