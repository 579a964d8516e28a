"""`init` and `ask` beside real apps: from an empty folder to a verdict, and what a stranger's app may do instead."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import parse_qsl

import pytest

from raggate_action.cli.parser import parse_arguments
from raggate_action.errors import RaggateError, UsageError
from raggate_action.onboarding.suite_text import write_new
from raggate_action.suite_files import load_suite
from tests.integration.small_apps import DOCS, answer_to, asks_for, sent, serving

KEY = "t0p-s3cret-value"


class Done(NamedTuple):
    """What a command printed, and how it ended."""

    returncode: int
    stdout: str
    stderr: str


def raggate(*arguments: str | Path, cwd: Path, **environment: str) -> Done:
    """A command as `main` runs it, in this process: an interpreter's start takes longer than the command."""
    out, err = io.StringIO(), io.StringIO()
    env = {"PATH": "/usr/bin:/bin", "CI": "true", "COLUMNS": "80", **environment}
    with (
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, env, clear=True),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            typed = parse_arguments([*map(str, arguments)])
            assert typed is not None
            code = int(import_module(f"raggate_action.cli.{typed.name}_command").run(typed.options))
        except RaggateError as error:
            err.write(f"raggate: {error}\n  {error.hint}\n")
            code = error.exit_code
    return Done(code, out.getvalue(), err.getvalue())


def tree(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


WRITTEN = [
    ".github/workflows/release-gate.yml",
    "gate/cases.yaml",
    "gate/known_bad.yaml",
    "raggate.yaml",
]


def test_from_an_empty_folder_beside_a_running_app_to_a_verdict(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "raggate_action", "init", "--url"]
    with serving(asks_for("question")) as url:
        done = subprocess.run([*command, url], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "raggate: took answer from `answer`, context from `contexts`\n" in done.stdout
    assert "raggate: 3 cases, 1 that the app should decline; 3 known-bad answers made of a good one\n" in done.stdout
    assert f"raggate: RELEASE · {tmp_path.name[:64]}" in done.stdout
    assert "3 passed (" in done.stdout
    assert "green: the rules found no fault" in done.stdout
    assert "raggate-action run" in done.stdout.splitlines()[-1]
    assert [name for name in tree(tmp_path) if not name.startswith("raggate-run/")] == WRITTEN
    run = json.loads((tmp_path / "raggate-run/run.json").read_text())
    assert (run["counts"]["known_bad"], run["counts"]["known_bad_blocked"]) == (3, 3)
    check = raggate("check", cwd=tmp_path)
    assert (check.returncode, check.stderr) == (0, "")


@pytest.mark.parametrize(
    ("mark", "declared"),
    [
        pytest.param(" [doc1]", True, id="Azure"),
        pytest.param("【4:0†source】", False, id="Assistants, whose marks name nothing in the reply"),
        pytest.param("", False, id="none"),
    ],
)
def test_citations_are_declared_where_the_app_was_seen_to_cite(tmp_path: Path, mark: str, *, declared: bool) -> None:
    def cites(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        return sent({**reply, "answer": f"{reply['answer'][:-1]}{mark}." if reply["contexts"] else reply["answer"]})

    with serving(cites) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert "raggate: RELEASE" in done.stdout, done.stdout + done.stderr
    assert ("pipeline: {citations: true}" in (tmp_path / "raggate.yaml").read_text()) == declared
    run = json.loads((tmp_path / "raggate-run/run.json").read_text())
    assert ("citation_support" in run["gate_counts"]) == declared
    assert bool(run["counts"]["citing"]) == declared


@pytest.mark.parametrize(
    ("marks", "declared", "verdict"),
    [
        pytest.param(("1", "1"), True, "RELEASE", id="all cite"),
        pytest.param(("1", "doc9"), True, "BLOCK", id="one of them what is not there"),
        pytest.param(("1", ""), False, "RELEASE", id="one cites"),
    ],
)
def test_recorded_answers_declare_citations_where_all_of_them_cite(
    tmp_path: Path, marks: tuple[str, str], verdict: str, *, declared: bool
) -> None:
    answers = [f"{doc[:-1]} [{mark}]." if mark else doc for doc, mark in zip(DOCS, marks, strict=False)]
    rows = [
        {"question": f"{doc[:9]}?", "answer": said, "contexts": [doc]} for doc, said in zip(DOCS, answers, strict=False)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    assert f"raggate: {verdict}" in raggate("init", "--traces", "answers.jsonl", cwd=tmp_path).stdout
    assert ("pipeline: {citations: true}" in (tmp_path / "raggate.yaml").read_text()) == declared
    note = "1 answer cites, and the suite does not declare"
    assert (note in (tmp_path / "raggate-run/comment.md").read_text()) != declared


def test_an_app_that_makes_up_an_answer_is_blocked_by_what_was_written(tmp_path: Path) -> None:
    def invents(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        return sent(reply if reply["contexts"] else {"answer": "It will be 4, 8 and 15.", "contexts": list(DOCS[:1])})

    with serving(invents) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate: BLOCK" in done.stdout
    first = "first fault: 1 answer told what the evidence cannot answer. Repair: prompt, abstention, generation policy."
    assert f"{first} cannot-be-answered" in done.stdout


def test_a_first_run_that_decides_nothing_exits_3_and_leaves_what_was_written(tmp_path: Path) -> None:
    asked = []

    def breaks_down(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        asked.append(body)
        return sent(answer_to(body["question"])) if len(asked) == 1 else (500, "text/plain", b"boom")

    with serving(breaks_down) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "raggate: INCONCLUSIVE" in done.stdout
    assert "raggate: nothing is decided, for the reason above; the files are written: mend it and run" in done.stdout
    assert [name for name in tree(tmp_path) if not name.startswith("raggate-run/")] == WRITTEN


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("Die Erstattung wird in 30 Tagen auf das Konto des Kunden gezahlt.", "language: de "),
        ("Refunds are paid to the account of the customer within 30 days.", "language: en "),
    ],
)
def test_the_language_of_answers_and_passages_is_written(tmp_path: Path, answer: str, language: str) -> None:
    def one(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        return sent({"answer": f"{body['question']} {answer}", "contexts": [answer]})

    with serving(one) as url:
        raggate("init", "--url", url, cwd=tmp_path)
    assert language in (tmp_path / "raggate.yaml").read_text()


def test_no_language_is_written_where_answers_and_passages_differ(tmp_path: Path) -> None:
    def mixed(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        german = "Die Erstattung wird in 30 Tagen auf das Konto des Kunden gezahlt."
        return sent({"answer": f"The refund of “{body['question']}” is paid in 30 days.", "contexts": [german]})

    with serving(mixed) as url:
        raggate("init", "--url", url, cwd=tmp_path)
    assert "language: " not in (tmp_path / "raggate.yaml").read_text()


def test_judges_are_written_with_what_they_need_and_say_what_is_stored(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        done = raggate("init", "--url", url, "--judges", cwd=tmp_path)
    assert done.returncode in {0, 3}, done.stderr
    loaded = load_suite(tmp_path / "raggate.yaml", environment={})
    assert loaded.suite.judges is not None
    assert (loaded.suite.texts, loaded.suite.judges.panel[0].api_key_env) == ("full", "OPENAI_API_KEY")
    workflow = (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert 'OPENAI_API_KEY: "${{ secrets.OPENAI_API_KEY }}"' in workflow
    assert "a run keeps the passages shown; in a public repository" in done.stdout
    assert not any("can be labelled" in each for each in loaded.remarks)


def test_judges_beside_a_suite_that_is_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "raggate.yaml").write_text("suite: s\n")
    (tmp_path / "q.jsonl").write_text('{"question": "Why?"}\n')
    done = raggate("init", "--from", "q.jsonl", "--judges", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "raggate.yaml").read_text()) == (2, "suite: s\n")
    assert "--judges belongs to a new suite" in done.stderr


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    workflows = tmp_path / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "release-gate.yml").write_text("name: our own\n")
    with serving(asks_for("question")) as url:
        first = raggate("init", "--url", url, cwd=tmp_path)
        assert "kept, it is there already: .github/workflows/release-gate.yml\n" in first.stdout
        before = {name: (tmp_path / name).read_bytes() for name in tree(tmp_path)}
        again = raggate("init", "--url", url, cwd=tmp_path)
    assert again.returncode == 2
    assert again.stderr.startswith("raggate: raggate.yaml is there already, and nothing is overwritten\n")
    assert (workflows / "release-gate.yml").read_text() == "name: our own\n"
    assert {name: (tmp_path / name).read_bytes() for name in tree(tmp_path)} == before


@pytest.mark.parametrize("linked", ["gate", ".github", ".github/workflows"])
@pytest.mark.parametrize("there", [True, False], ids=["to a folder", "to nothing"])
def test_nothing_is_written_through_a_link(tmp_path: Path, linked: str, *, there: bool) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "app"
    if there:
        elsewhere.mkdir()
    (folder / linked).parent.mkdir(parents=True, exist_ok=True)
    (folder / linked).symlink_to(elsewhere)
    with serving(asks_for("question")) as url:
        done = raggate("init", "--url", url, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(f"raggate: {linked} is a link to another place, where nothing is written\n")
    assert tree(tmp_path) == []


def test_a_suite_that_is_a_link_to_nothing_is_there_already(tmp_path: Path) -> None:
    (tmp_path / "raggate.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    with serving(asks_for("question")) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.stderr.startswith("raggate: raggate.yaml is there already, and nothing is overwritten\n")
    assert tree(tmp_path) == []


def test_a_home_behind_a_link_is_a_folder_like_another(tmp_path: Path) -> None:
    (tmp_path / "disk/app").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    with serving(asks_for("question")) as url:
        assert raggate("init", "--url", url, cwd=tmp_path / "home/app").returncode == 0
        assert raggate("init", str(tmp_path / "home/app/second"), "--url", url, cwd=tmp_path).returncode == 0
    assert (tmp_path / "disk/app/raggate.yaml").is_file()
    assert (tmp_path / "disk/app/second/raggate.yaml").is_file()


def test_what_was_written_is_removed_where_the_rest_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    files = [tmp_path / "own/kept.yaml", tmp_path / "gate/deep/cases.yaml", tmp_path / "own/kept.yaml/below"]
    with pytest.raises(UsageError, match=r"below cannot be written: Not a directory") as raised:
        write_new(dict.fromkeys(files, "text"))
    assert "Nothing was written" in raised.value.hint
    assert [path.name for path in tmp_path.rglob("*")] == ["own"]


def test_a_dry_run_asks_and_shows_and_writes_nothing(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        done = raggate("init", "--url", url, "--evidence", "qdrant", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  would write raggate.yaml\n    | suite: " in done.stdout
    assert "    | from qdrant_client import QdrantClient\n" in done.stdout
    assert tree(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "request_line"),
    [("query", 'request: {body: {query: "{{question}}"}}'), ("user_text", 'request: {body: {user_text: "{{question}}"}}')],
)  # fmt: skip
def test_an_app_is_asked_in_the_form_it_wants(tmp_path: Path, name: str, request_line: str) -> None:
    with serving(asks_for(name)) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert request_line in (tmp_path / "raggate.yaml").read_text()


def test_an_app_that_is_asked_by_get_is_asked_by_get(tmp_path: Path) -> None:
    def by_get(method: str, headers: dict[str, str], _body: Any) -> tuple[int, str, bytes]:
        if method != "GET":
            return sent({"detail": "Method Not Allowed"}, 405)
        return sent(answer_to(dict(parse_qsl(headers["path"].partition("?")[2]))["question"]))

    with serving(by_get) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert 'request: {method: GET, body: {question: "{{question}}"}}' in (tmp_path / "raggate.yaml").read_text()
    assert "raggate: RELEASE" in done.stdout, done.stderr


def test_a_chat_app_is_sent_messages_and_read_by_its_choices(tmp_path: Path) -> None:
    def chat(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        if "messages" not in body:
            return sent({"error": "messages are missing"}, 400)
        reply = answer_to(body["messages"][-1]["content"])
        choices = [{"index": 0, "message": {"role": "assistant", "content": reply["answer"]}}]
        return sent(
            {"id": "x", "choices": choices, "documents": [{"page_content": each} for each in reply["contexts"]]}
        )

    with serving(chat) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert 'request: {body: {messages: "{{messages}}"}}' in (tmp_path / "raggate.yaml").read_text()
    assert "raggate: took answer from `choices[0].message.content`, context from `documents`\n" in done.stdout
    assert "raggate: RELEASE" in done.stdout, done.stderr


def test_a_key_is_named_and_never_written(tmp_path: Path) -> None:
    def guarded(_method: str, headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        if headers.get("Authorization") != f"Bearer {KEY}":
            return sent({"error": "no key"}, 401)
        return sent({**answer_to(body["question"]), "echo": headers["Authorization"]})

    with serving(guarded) as url:
        without = raggate("init", "--url", url, cwd=tmp_path)
        header = ("--header", "Authorization: Bearer ${SHOP_KEY}")
        unset = raggate("init", "--url", url, *header, cwd=tmp_path)
        assert tree(tmp_path) == []
        done = raggate("init", "--url", url, *header, cwd=tmp_path, SHOP_KEY=KEY)
        asked = raggate("ask", "When are refunds paid?", "--url", url, *header, cwd=tmp_path, SHOP_KEY=KEY)
    assert without.returncode == 3
    assert f"raggate: {url} wants a key: 401 Unauthorized" in without.stderr
    assert "--header 'Authorization: Bearer ${APP_KEY}'" in without.stderr
    assert unset.returncode == 2
    assert unset.stderr.startswith("raggate: ${SHOP_KEY} is not set in the environment\n")
    assert '"echo": "Bearer ***"' in asked.stdout
    assert KEY not in asked.stdout
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert 'SHOP_KEY: "${{ secrets.SHOP_KEY }}"' in (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert KEY not in done.stdout + done.stderr
    assert not [name for name in tree(tmp_path) if KEY.encode() in (tmp_path / name).read_bytes()]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        pytest.param((200, "text/html", b"<!doctype html><html><body>Shop</body></html>"), " answers with a page (HTML), not with JSON\n  Name the address of its interface", id="a page"),
        pytest.param((200, "text/plain", b"Within 30 days."), ": reply is not JSON at line 1 column 1", id="plain text"),
        pytest.param((404, "application/json", b'{"detail": "Not Found"}'), "Not Found", id="no such place"),
        pytest.param((500, "text/plain", b"boom"), " failed: 500 Internal Server Error: boom\n  Its own log says more.", id="it fails"),
    ],
)  # fmt: skip
def test_a_strangers_app_that_gives_no_answer_is_told_of_and_nothing_is_written(
    tmp_path: Path, reply: tuple[int, str, bytes], message: str
) -> None:
    with serving(lambda *_: reply) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.returncode == 3
    assert message in done.stderr
    assert tree(tmp_path) == []


def test_a_reply_that_only_its_owner_can_read_is_shown_by_its_shape(tmp_path: Path) -> None:
    with serving(lambda *_: sent({"ok": True, "count": 3})) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.returncode == 3
    assert (
        "no answer could be read from it: nothing in it is an answer; a reply is {ok: boolean, count: number}"
        in done.stderr
    )


def test_a_reply_with_keys_of_its_own_is_read_by_what_it_holds(tmp_path: Path) -> None:
    def own(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        return sent({"said": {"words": reply["answer"]}, "hits": [{"body": each} for each in reply["contexts"]]})

    with serving(own) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    text = (tmp_path / "raggate.yaml").read_text()
    assert "  response: {answer: said.words, context: hits}    # where a reply has them" in text
    assert f"  context: “{DOCS[0][:20]}" in done.stdout
    assert "raggate: RELEASE" in done.stdout, done.stderr


def two_answers(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
    return sent({**answer_to(body["question"]), "response": f"Thank you for asking {body['question']}"})


def test_of_two_places_that_could_be_the_answer_both_are_named_and_nothing_is_written(tmp_path: Path) -> None:
    with serving(two_answers) as url:
        asked = raggate("ask", "When are refunds paid?", "--url", url, cwd=tmp_path)
        done = raggate("init", "--url", url, cwd=tmp_path)
        assert tree(tmp_path) == []
        named = raggate("init", "--url", url, "--response", "answer=answer", cwd=tmp_path)
    for each in (asked, done):
        assert each.returncode == 2
        assert "the answer is not clear in the app's reply (several texts could be it): `answer` (“" in each.stderr
        assert "`response` (“Thank you for asking" in each.stderr
        assert "  Say which is meant: --response answer=answer.\n" in each.stderr
    assert "  response: {answer: answer, context: contexts}" in (tmp_path / "raggate.yaml").read_text()
    assert "raggate: RELEASE" in named.stdout, named.stderr


def test_a_text_that_is_the_same_for_every_question_is_no_answer(tmp_path: Path) -> None:
    def greets(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        return sent(
            {"response": "Welcome to our shop.", "words": answer_to(body["question"])["answer"], "contexts": list(DOCS)}
        )

    with serving(greets) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert "  response: {answer: words, context: contexts}" in (tmp_path / "raggate.yaml").read_text(), done.stderr
    with serving(lambda *_: sent({"answer": "Welcome to our shop.", "contexts": list(DOCS)})) as url:
        done = raggate("init", "second", "--url", url, cwd=tmp_path)
    assert done.returncode == 2
    assert "(it is the same for every question): `answer` (“Welcome to our shop.”)" in done.stderr
    with serving(lambda *_: sent({"answer": "I do not know.", "contexts": list(DOCS)})) as url:
        done = raggate("init", "third", "--url", url, cwd=tmp_path)
    assert done.returncode == 0, "an app without an index declines whatever is asked"


def test_evidence_at_any_depth_is_taken_shown_and_written(tmp_path: Path) -> None:
    def nested(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        hits = [{"id": f"d{DOCS.index(each)}", "snippet": each, "title": "Rules"} for each in reply["contexts"]]
        follow_up = ["How long does a refund take, and why?", "Where is the shop in Bergen?"]
        return sent({"data": {"reply": reply["answer"], "retrieval": {"hits": hits}, "followUpQuestions": follow_up}})

    with serving(nested) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
        asked = raggate("ask", "When are refunds paid?", "--url", url, cwd=tmp_path)
    assert "  response: {answer: data.reply, context: data.retrieval.hits}" in (tmp_path / "raggate.yaml").read_text()
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert "context from data.retrieval.hits" in asked.stdout
    assert f"  context: “{DOCS[1][:20]}" in asked.stdout


def test_between_two_lists_of_evidence_a_person_chooses_or_both_are_named(tmp_path: Path) -> None:
    def two(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        return sent({"answer": reply["answer"], "passages": list(DOCS), "documents": list(DOCS[::-1][:2])})

    with serving(two) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
        none = raggate("init", "--url", url, "--response", "context=none", "--response", "answer=answer", cwd=tmp_path)
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "raggate_action", "init", "second", "--url", url]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        os.close(theirs)
        os.write(ours, b"2\n")
        _out, err = process.communicate(timeout=60)
        os.close(ours)
    assert done.returncode == 2
    assert "what the answer rests on is not clear in the app's reply" in done.stderr
    assert "`passages` (“" in done.stderr
    assert "`documents` (“" in done.stderr
    assert "or --response context=none to be judged without evidence" in done.stderr
    assert none.returncode == 0, none.stderr
    assert "pipeline: {context: none}" in (tmp_path / "raggate.yaml").read_text()
    assert process.returncode == 0, err
    assert "Where in the reply is what the answer rests on?\n  1  `" in err
    chosen = err.partition("  2  `")[2].partition("`")[0]
    assert f"context: {chosen}}}" in (tmp_path / "second/raggate.yaml").read_text()


def test_sources_without_their_texts_are_never_taken_for_evidence_unasked(tmp_path: Path) -> None:
    def names(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        return sent({"answer": answer_to(body["question"])["answer"], "sources": ["returns.md", "refunds.md"]})

    with serving(names) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
        ids = raggate("init", "--url", url, "--response", "context=sources", cwd=tmp_path)
    assert done.returncode == 2
    assert "(it names sources without their texts): `sources`" in done.stderr
    assert "  response: {answer: answer, context: sources}" in (tmp_path / "raggate.yaml").read_text(), ids.stderr


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("answer", "--response says 'answer'"),
        ("words=x", "--response says 'words=x'"),
        (f"answer={'[' * 500}{']' * 500}", "--response answer: it is nested too deeply"),
        (f"answer={'a | ' * 300}a", "--response answer: it is nested too deeply"),
        ("answer=a..b", "--response answer: column 3: '.' does not fit here"),
    ],
)
def test_a_response_that_is_none_is_told(tmp_path: Path, said: str, words: str) -> None:
    done = raggate("init", "--url", "http://localhost:1/ask", "--response", said, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr


def test_an_error_at_http_200_ends_init_with_its_own_words(tmp_path: Path) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}
    with serving(lambda *_: sent(error)) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("raggate: the app replied with an error: Method not found (-32601)\n")
    assert tree(tmp_path) == []


def test_chunks_that_have_ids_of_their_own_are_required_by_them(tmp_path: Path) -> None:
    def named(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        context = [{"chunk_id": f"rule-{DOCS.index(each)}", "text": each} for each in reply["contexts"]]
        return sent({"answer": reply["answer"], "context": context})

    with serving(named) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert "  required_source_ids: [rule-0]" in (tmp_path / "gate/cases.yaml").read_text()
    assert "  blocked_at: context selection\n" in (tmp_path / "gate/known_bad.yaml").read_text()


APP = f"""
DOCS = {DOCS!r}


def ask(question: str) -> str:
    words = set(question.lower().replace("?", "").split())
    best = max(DOCS, key=lambda doc: len(words & set(doc.lower().split())))
    if "lottery" in words:
        return "I do not know."
    return best.split(". ")[0].rstrip(".") + "."


async def with_contexts(case):
    return {{"answer": ask(case["question"]), "contexts": [] if "lottery" in case["question"] else list(DOCS)}}


def both(question):
    return ask(question), list(DOCS)


def needs_key(question):
    import os
    return os.environ["SHOP_API_KEY"] and ask(question)
"""


def test_a_bare_function_that_returns_a_text_needs_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(APP)
    done = raggate("init", "--function", "rag:ask", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "it does not show what its answers rest on" in done.stdout
    text = (tmp_path / "raggate.yaml").read_text()
    assert 'function: "rag:ask"' in text
    assert "pipeline: {context: none}" in text
    assert "raggate: RELEASE" in done.stdout


def test_a_function_that_takes_the_case_is_asked_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(APP)
    (tmp_path / "requirements.txt").write_text("faiss-cpu\n")
    done = raggate("init", "--function", "rag:with_contexts", cwd=tmp_path)
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert 'function: "rag:with_contexts"' in (tmp_path / "raggate.yaml").read_text()
    workflow = (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert "requirements: requirements.txt" in workflow
    assert "start-app.sh" not in workflow


def test_an_interpreter_is_written_as_seen_from_the_suite(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/rag.py").write_text(APP)
    (tmp_path / "python").symlink_to(sys.executable)
    done = raggate("init", "shop", "--function", "rag:with_contexts", "--python", "./python", cwd=tmp_path)
    assert "raggate: RELEASE" in done.stdout, done.stderr
    assert '  python: "../python"' in (tmp_path / "shop/raggate.yaml").read_text()


def test_a_function_that_needs_a_key_says_how_it_gets_it(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(APP)
    done = raggate("init", "--function", "rag:needs_key", cwd=tmp_path, SHOP_API_KEY=KEY)
    assert done.returncode == 3
    assert "raggate: rag:needs_key failed: KeyError: 'SHOP_API_KEY' (rag.py line " in done.stderr
    assert "give --env SHOP_API_KEY" in done.stderr
    named = raggate("init", "--function", "rag:needs_key", "--env", "SHOP_API_KEY", cwd=tmp_path, SHOP_API_KEY=KEY)
    assert named.returncode == 0, named.stderr
    assert 'env: {SHOP_API_KEY: "${SHOP_API_KEY}"}' in (tmp_path / "raggate.yaml").read_text()


def test_a_function_that_returns_a_tuple_is_refused_as_in_a_run(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(APP)
    done = raggate("init", "--function", "rag:both", cwd=tmp_path)
    assert done.returncode == 3
    assert "rag:both failed: TypeError: the function returned tuple; return a mapping or text" in done.stderr
    assert not (tmp_path / "raggate.yaml").exists()


def test_a_function_that_cannot_be_imported_says_why(tmp_path: Path) -> None:
    done = raggate("init", "--function", "nowhere:ask", cwd=tmp_path)
    assert done.returncode == 3
    assert "raggate: nowhere:ask failed: ModuleNotFoundError: No module named 'nowhere'" in done.stderr


def test_a_teams_own_questions_become_cases_and_all_are_asked_as_a_run_asks_them(tmp_path: Path) -> None:
    goldens = [{"user_input": f"When are refunds paid, in case {n}?", "reference": "In five days."} for n in range(40)]
    (tmp_path / "goldens.jsonl").write_text("".join(json.dumps(each) + "\n" for each in goldens))
    asked: list[str] = []

    def counting(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        asked.append(body["question"])
        return sent(answer_to(body["question"]))

    with serving(counting) as url:
        done = raggate("init", "--url", url, "--from", "goldens.jsonl", cwd=tmp_path)
        again = raggate("run", cwd=tmp_path)
    assert "raggate: 41 cases, 1 that the app should decline" in done.stdout, done.stderr
    assert len(asked) == 3 + 41 + 41, "three to tell where the answer is"
    assert [line for line in done.stdout.splitlines() if "passed (" in line] == [again.stdout.splitlines()[0]]
    assert (tmp_path / "gate/cases.yaml").read_text().count("reference_answer: ") == 40


def test_a_decline_where_nothing_shown_answers_is_written_as_a_comment_and_said(tmp_path: Path) -> None:
    """Nothing shown speaks of the parrots; of refunds it does, and there a decline stays the app's fault."""
    (tmp_path / "q.txt").write_text(
        "Which parrots may travel?\nWhen are refunds paid?\nWhen can parcels be returned?\n"
    )

    def declining(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        reply = answer_to(body["question"])
        known = not {"parrots", "refunds"} & set(body["question"].split())
        return sent(reply if known else {"answer": "I do not know.", "contexts": list(DOCS)})

    with serving(declining) as url:
        done = raggate("init", "--url", url, "--from", "q.txt", cwd=tmp_path)
        again = raggate("run", cwd=tmp_path)
    assert "  1 question declined, where nothing shown answers (which-parrots-may-travel): if that is" in done.stdout
    parrots, refunds, *_ = (tmp_path / "gate/cases.yaml").read_text().split("- case_id: ")[1:]
    assert "\n  # expect: abstain" in parrots
    assert "expect: abstain" not in refunds
    assert "raggate: BLOCK" in done.stdout
    assert "2 failed" in again.stdout


SHOP = Path(__file__).parents[2] / "dev/foreign/documents"


def of_the_shop(question: str) -> tuple[str, list[str]]:
    """What a small app of the shop's documents says: the sentence with most words of the question, from its section."""
    sections = [part for file in sorted(SHOP.glob("*.md")) for part in file.read_text().split("## ")]
    words = {word.strip("?,.").lower() for word in question.split()} - {
        "how",
        "the",
        "a",
        "is",
        "of",
        "for",
        "be",
        "to",
    }
    sentences = [(sentence, part) for part in sections for sentence in " ".join(part.split()).split(". ")]
    best = sorted(sentences, key=lambda pair: -len(words & {word.strip(".,").lower() for word in pair[0].split()}))
    return best[0][0].split("# ")[-1], list(dict.fromkeys(part for _, part in best[:3]))


def test_documents_become_cases_with_the_passages_that_answer_them(tmp_path: Path) -> None:
    def answer(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        said, contexts = of_the_shop(body["question"])
        return sent({"answer": said, "contexts": contexts})

    with serving(answer) as url:
        done = raggate("init", "--url", url, "--documents", SHOP, "--count", "12", cwd=tmp_path)
    assert "raggate: read 3 documents: 2 questions proposed\n" in done.stdout
    assert "raggate: 3 cases, 1 that the app should decline" in done.stdout, done.stderr
    cases = (tmp_path / "gate/cases.yaml").read_text()
    assert cases.count("required_quotes:    # proposed\n") == 2
    assert "What can you tell me" not in cases
    loaded = load_suite(tmp_path / "raggate.yaml", environment={})
    assert len(loaded.cases) == 3 + sum(placed.case.known_bad for placed in loaded.cases)


def test_of_an_app_that_shows_no_texts_a_passage_is_a_right_answer_alone(tmp_path: Path) -> None:
    def answer(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        return sent({"answer": of_the_shop(body["question"])[0]})

    with serving(answer) as url:
        done = raggate("init", "--url", url, "--documents", SHOP, "--count", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = (tmp_path / "gate/cases.yaml").read_text()
    assert "required_quotes" not in cases
    assert 'reference_answer: "Opened software cannot be returned."    # proposed' in cases


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--traces", "answers.jsonl", "--documents", SHOP), "--traces have their questions already"),
        (("--url", "http://localhost:1/ask", "--count", "5"), "--count belongs to --documents"),
        (("--url", "http://localhost:1/ask", "--documents", "nowhere"), "nowhere is no folder"),
    ],
)
def test_documents_that_cannot_be_used_are_refused_before_the_app_is_asked(
    tmp_path: Path, arguments: tuple[str | Path, ...], message: str
) -> None:
    done = raggate("init", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


def test_recorded_answers_are_judged_and_nobody_is_asked(tmp_path: Path) -> None:
    rows = [
        {
            "question": "How long?",
            "answer": "Parcels can be returned within 30 days of delivery.",
            "contexts": [DOCS[0]],
        },
        {"question": "How much?", "answer": "The return label costs 40 EUR.", "contexts": [DOCS[0]]},
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    done = raggate("init", "--traces", "answers.jsonl", cwd=tmp_path)
    assert "raggate: answers.jsonl is read as questions: 2 rows, 2 questions, 2 answers\n" in done.stdout, done.stderr
    assert "how-much" in (tmp_path / "raggate-run/comment.md").read_text()
    assert "kind: recorded" in (tmp_path / "raggate.yaml").read_text()
    assert "without it every pull request judges the same file" in done.stdout
    workflow = (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert (
        "run: ./answer-cases.sh        # your app at this revision answers the questions into gate/traces.jsonl"
        in workflow
    )


def test_without_an_app_and_without_a_terminal_it_says_what_to_give(tmp_path: Path) -> None:
    done = raggate("init", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("raggate: nothing says how your app is asked\n  Give --url http://...")


def test_at_a_terminal_three_questions_are_asked(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "raggate_action", "init"]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        os.close(theirs)
        os.write(ours, f"{url}\nWhen are refunds paid?\nmarkdown\n".encode())
        out, err = process.communicate(timeout=60)
        os.close(ours)
    assert process.returncode == 0, err
    assert err.count(": ") >= 3
    assert "How is your app asked?" in err
    assert "raggate: asked the app “When are refunds paid?”" in out
    assert 'question: "When are refunds paid?"' in (tmp_path / "gate/cases.yaml").read_text()
    assert (tmp_path / "gate/export_evidence.py").is_file()


def test_the_workflow_of_a_folder_inside_a_repository_stands_at_its_top(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "services/shop"
    folder.mkdir(parents=True)
    with serving(asks_for("question")) as url:
        done = raggate("init", "services/shop", "--url", url, cwd=tmp_path)
    assert "raggate: RELEASE · shop" in done.stdout, done.stderr
    text = (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert "working-directory: services/shop" in text
    assert "upload-artifact" not in text
    assert done.stdout.splitlines()[-1].endswith("cd services/shop && raggate-action run")


# --- ask


def test_ask_shows_the_reply_what_is_read_from_it_and_what_the_gates_say(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        done = raggate("ask", "When are refunds paid?", "--url", url, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '  "question": "When are refunds paid?"' in done.stdout
    assert '"contexts": [' in done.stdout
    assert "context from contexts" in done.stdout
    assert "  faithfulness: passed 1/1" in done.stdout
    assert [each for each in done.stdout.splitlines() if each in {"the reply", "read as", "judged"}] == [
        "the reply",
        "read as",
        "judged",
    ]
    assert tree(tmp_path) == []


def test_ask_shows_what_a_function_is_asked_with(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(APP)
    text = raggate("ask", "When are refunds paid?", "--function", "rag:ask", cwd=tmp_path)
    assert text.returncode == 0, text.stderr
    assert "let it return the texts as well, as `contexts`" in text.stdout
    case = raggate("ask", "When are refunds paid?", "--function", "rag:with_contexts", cwd=tmp_path)
    assert 'asked with\n{\n  "case_id": "first-question",\n  "question": "When are refunds paid?"\n}\n' in case.stdout


def suite_of(folder: Path, url: str, **chunk: Any) -> None:
    target = f'target: {{kind: http, url: "{url}", request: {{body: {{question: "{{{{question}}}}"}}}}}}\n'
    (folder / "raggate.yaml").write_text(f"suite: shop\nevidence: [evidence.jsonl]\ncases: [cases.yaml]\n{target}")
    (folder / "cases.yaml").write_text(
        "- {case_id: refunds, question: When are refunds paid?, must_contain: [ten working days]}\n"
    )
    chunks = [{"chunk_id": f"d{place}", "text": text, **chunk} for place, text in enumerate(DOCS)]
    (folder / "evidence.jsonl").write_text("".join(json.dumps(each) + "\n" for each in chunks))


def test_a_question_of_the_suite_is_judged_by_its_case_and_another_by_the_gates_alone(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        suite_of(tmp_path, url)
        by_id = raggate("ask", "refunds", cwd=tmp_path)
        other = raggate("ask", "How long until parcels can be returned?", cwd=tmp_path)
    assert by_id.returncode == 1, by_id.stderr
    assert "behaviour: failed" in by_id.stdout
    assert other.returncode == 0, other.stdout
    assert '"d0"' in other.stdout


def test_the_suites_own_check_is_asked_as_well(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def polite(case, trace):\n    return ['it does not greet']\n")
    with serving(asks_for("question")) as url:
        suite_of(tmp_path, url)
        (tmp_path / "cases.yaml").write_text(
            "- {case_id: refunds, question: When are refunds paid?, custom_check: 'checks:polite'}\n"
        )
        done = raggate("ask", "refunds", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "the suite's own check found: it does not greet" in done.stdout


def test_what_its_asker_may_not_read_is_shown_by_nobody(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        suite_of(tmp_path, url, permitted=False)
        done = raggate("ask", "When are refunds paid?", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "five working days" not in done.stdout + done.stderr
    assert "{answer: string, contexts: [string]}" in done.stdout
    assert "its asker may not read" in done.stdout


def test_ask_reads_a_reply_with_keys_of_its_own_and_says_where_there_is_no_answer(tmp_path: Path) -> None:
    with serving(lambda *_: sent({"said": "In five days.", "hits": [{"body": DOCS[1]}]})) as url:
        near = raggate("ask", "When?", "--url", url, cwd=tmp_path)
    with serving(lambda *_: sent({"ok": True})) as url:
        nothing = raggate("ask", "When?", "--url", url, cwd=tmp_path)
    assert "answer from said\ncontext from hits\n" in near.stdout
    assert nothing.returncode == 3
    assert "no answer could be read from it: nothing in it is an answer; a reply is {ok: boolean}" in nothing.stderr


def test_an_app_that_is_down_is_told_of(tmp_path: Path) -> None:
    with serving(asks_for("question")) as url:
        pass
    done = raggate("ask", "When?", "--url", url, cwd=tmp_path)
    assert done.returncode == 3
    assert f"raggate: nothing listens at {url}\n  Start your app" in done.stderr


TOOL_FILES = Path(__file__).parents[1] / "tool_files"


@pytest.mark.parametrize("name", ["deepeval_run.json", "ragas.csv", "promptfoo.json", "mlflow_traces.json"])
def test_a_file_of_another_tool_is_a_suite_that_runs(tmp_path: Path, name: str) -> None:
    done = raggate("init", "--from", TOOL_FILES / name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate: RELEASE" in done.stdout or "raggate: BLOCK" in done.stdout
    cases = (tmp_path / "gate/cases.yaml").read_text()
    assert ("required_quotes: " in cases) is (name in {"deepeval_run.json", "ragas.csv"})
    assert cases.count("# proposed") == cases.count("required_quotes: ")
    check = raggate("check", cwd=tmp_path)
    assert (check.returncode, check.stderr) == (0, "")


def test_gold_contexts_are_what_has_to_be_found_and_not_what_was(tmp_path: Path) -> None:
    """An answer that rests on another chunk than the gold one is blocked at context selection."""
    case = {
        "input": "How long can a parcel be returned?",
        "actual_output": "Refunds are paid to the card that was charged.",
        "retrieval_context": ["Refunds are paid to the card that was charged."],
        "context": ["A parcel can be returned within 30 days of delivery."],
    }
    (tmp_path / "cases.json").write_text(json.dumps([case]))
    done = raggate("init", "--from", "cases.json", cwd=tmp_path)
    assert "raggate: BLOCK" in done.stdout, done.stderr
    assert "first fault: 1 case lost a required source before the prompt (0 allowed)" in done.stdout


def test_more_cases_than_people_read_are_lines_and_all_of_them_are_run(tmp_path: Path) -> None:
    rows = [
        {"question": f"How is parcel {n} sent?", "answer": f"Parcel {n} is sent by post.", "contexts": [f"Parcel {n} is sent by post."]}
        for n in range(1200)
    ]  # fmt: skip
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    done = raggate("init", "--traces", "answers.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate: 1,200 cases; " in done.stdout
    assert (tmp_path / "gate/cases.jsonl").read_text().count("\n") == 1200
    assert "cases: [gate/cases.jsonl, gate/known_bad.yaml]" in (tmp_path / "raggate.yaml").read_text()
    assert json.loads((tmp_path / "raggate-run/run.json").read_text())["counts"]["cases"] == 1200


def desk(folder: Path, *, cases: str = "cases: [gate/cases.yaml]\n") -> str:
    """A suite that asks when the desk is open, once."""
    (folder / "gate").mkdir()
    (folder / "gate/cases.yaml").write_text("- {case_id: desk, question: When is the desk open?}\n")
    text = f"suite: desk    # ours\n{cases}target: {{kind: recorded, traces: gate/traces.jsonl}}\n"
    (folder / "raggate.yaml").write_text(text)
    return text


@pytest.mark.parametrize(
    ("cases", "then"),
    [
        ("cases: [gate/cases.yaml]\n", "cases: [gate/cases.yaml, gate/cases-deepeval_run.yaml, gate/known_bad.yaml]\n"),
        ("cases:\n  - gate/cases.yaml   # old\n", "cases:\n  - gate/cases.yaml   # old\n  - gate/cases-deepeval_run.yaml\n  - gate/known_bad.yaml\n"),
        ("cases: [gate/*.yaml]\n", "cases: [gate/*.yaml]\n"),
    ],
    ids=["on a line", "one below the other", "a pattern that has them"],
)  # fmt: skip
def test_a_file_beside_a_suite_adds_its_new_cases(tmp_path: Path, cases: str, then: str) -> None:
    before = desk(tmp_path, cases=cases)
    done = raggate("init", "--from", TOOL_FILES / "deepeval_run.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 rows, 2 questions, 1 of them in the suite already, 2 answers\n" in done.stdout
    assert (tmp_path / "raggate.yaml").read_text() == before.replace(cases, then)
    assert (tmp_path / "gate/cases.yaml").read_text() == "- {case_id: desk, question: When is the desk open?}\n"
    added = (tmp_path / "gate/cases-deepeval_run.yaml").read_text()
    assert "How long can a parcel be returned?" in added
    assert "When is the desk open?" not in added
    # The answer to the question that the suite has is of its case.
    traces = [json.loads(line) for line in (tmp_path / "gate/traces-deepeval_run.jsonl").read_text().splitlines()]
    assert [trace["case_id"] for trace in traces] == ["how-long-can-a-parcel-be-returned", "desk"]
    run = raggate("run", "--traces", "gate/traces-deepeval_run.jsonl", cwd=tmp_path)
    assert "2 passed" in run.stdout, run.stdout + run.stderr
    assert "of a good one\n" in done.stdout
    counts = json.loads((tmp_path / "raggate-run/run.json").read_text())["counts"]
    assert counts["known_bad"] == counts["known_bad_blocked"] >= 2
    again = raggate("init", "--from", TOOL_FILES / "deepeval_run.json", cwd=tmp_path)
    assert "2 of them in the suite already" in again.stdout or "is there already" in again.stderr
    assert (tmp_path / "raggate.yaml").read_text() == before.replace(cases, then)


REPAIRS = "# Repairs\n\nIf a lamp breaks twice, we send a new one. To report a fault, use the form.\n"


@pytest.mark.parametrize("context", ["", "pipeline: {context: none}\n"], ids=["shows its evidence", "shows none"])
def test_documents_beside_a_suite_add_questions_and_overwrite_nothing(tmp_path: Path, context: str) -> None:
    before = desk(tmp_path) + context
    (tmp_path / "raggate.yaml").write_text(before)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/repairs.md").write_text(REPAIRS)
    done = raggate("init", "--documents", "docs", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  wrote gate/cases-docs.yaml\n" in done.stdout
    names = "gate/cases.yaml, gate/cases-docs.yaml" + ("" if context else ", gate/known_bad.yaml")
    named = before.replace("[gate/cases.yaml]", f"[{names}]")
    assert ("made of a sentence of the documents\n" in done.stdout) != bool(context)
    if not context:
        # Its gates block what was made; the answers of the two that are not recorded are unmeasured.
        raggate("run", cwd=tmp_path)
        counts = json.loads((tmp_path / "raggate-run/run.json").read_text())["counts"]
        assert counts["known_bad"] == counts["known_bad_blocked"] >= 2
    assert (tmp_path / "raggate.yaml").read_text() == named
    assert (tmp_path / "gate/cases.yaml").read_text() == "- {case_id: desk, question: When is the desk open?}\n"
    added = (tmp_path / "gate/cases-docs.yaml").read_text()
    assert 'question: "What happens if a lamp breaks twice?"\n' in added
    key = "reference_answer" if context else "required_quotes"
    assert f"  {key}: " in added or f"  {key}:    # proposed\n" in added
    assert ("required_quotes" in added) != bool(context)
    assert "# proposed" in added
    again = raggate("init", "--documents", "docs", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "2 of them are in the suite already\n" in again.stdout
    assert "wrote" not in again.stdout
    # A document that came later asks what is new, in a file of its own.
    (tmp_path / "docs/parcels.md").write_text("# Parcels\n\nExpress parcels cannot be returned.\n")
    later = raggate("init", "--documents", "docs", cwd=tmp_path)
    assert "  wrote gate/cases-docs-2.yaml\n" in later.stdout, later.stdout + later.stderr
    assert (tmp_path / "gate/cases-docs.yaml").read_text() == added
    assert "What happens if a lamp breaks twice?" not in (tmp_path / "gate/cases-docs-2.yaml").read_text()
    assert load_suite(tmp_path / "raggate.yaml", environment={}).suite.suite == "desk"


def test_a_file_and_documents_are_added_to_a_suite_one_after_the_other(tmp_path: Path) -> None:
    before = desk(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/repairs.md").write_text(REPAIRS)
    (tmp_path / "more.csv").write_text("question\nWhy?\n")
    done = raggate("init", "--documents", "docs", "--from", "more.csv", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "raggate.yaml").read_text()) == (2, before)
    assert done.stderr.startswith("raggate: a suite is there, which one source is added to at a time\n")


def test_what_a_suite_would_not_be_sound_with_is_not_added(tmp_path: Path) -> None:
    before = desk(tmp_path)
    rows = [{"vars": {"question": "Why?"}, "assert": [{"type": "contains", "value": "a"}, {"type": "not-contains", "value": "a"}]}]  # fmt: skip
    (tmp_path / "tests.json").write_text(json.dumps(rows))
    done = raggate("init", "--from", "tests.json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("raggate: with these cases raggate.yaml cannot be used: gate/cases-tests.yaml:"), done
    assert (tmp_path / "raggate.yaml").read_text() == before
    assert tree(tmp_path) == ["gate/cases.yaml", "raggate.yaml", "tests.json"]


def test_an_app_that_declines_its_first_question_is_asked_about_three_things_that_it_shows(tmp_path: Path) -> None:
    shown = [
        "If a form is missing, we send it again. Family passes cannot be lent to friends.",
        "The Nordic line is a tram that runs along the coast.",
        "Returns must not be sent by post.",
    ]

    def answers(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        asked = set(body["question"].lower().strip("?").split())
        found = [text for text in shown if len(asked & set(text.lower().split())) > 2]
        if "help?" in body["question"] and "find" in body["question"]:
            return sent({"answer": "I cannot answer that from our documents.", "contexts": shown})
        return sent({"answer": found[0] if found else "I cannot answer that from our documents.", "contexts": found})

    with serving(answers) as url:
        done = raggate("init", "--url", url, cwd=tmp_path)
    assert (
        "raggate: it declined “What topics can you help me with?”; the questions are made of the evidence that it showed\n"
        in (done.stdout)
    ), done.stdout + done.stderr
    # One of each chunk, though the first has two sentences; the last is to be declined.
    questions = [placed.case.question for placed in load_suite(tmp_path / "raggate.yaml", environment={}).cases]
    assert questions[:4] == [
        "What happens if a form is missing?",
        "What is the Nordic line?",
        "May returns be sent by post?",
        "Which numbers will be drawn in the lottery next Saturday?",
    ]
    assert "one question" not in done.stdout


def test_a_suite_of_one_question_says_so_and_names_the_two_commands_that_add_to_it(tmp_path: Path) -> None:
    with serving(lambda *_: sent({"answer": "I cannot answer that.", "contexts": []})) as url:
        done = raggate("init", "eval", "--url", url, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate: it declined “What topics can you help me with?”; it showed no evidence either\n" in done.stdout
    line = next(line for line in done.stdout.splitlines() if "one question" in line)
    assert line == (
        "  still to do: the app declined what it was asked and shows no evidence, so this suite is one question, which an "
        "app that declines everything passes: `raggate-action init eval --documents FOLDER` makes questions of your "
        "documents, `raggate-action init eval --from questions.txt` takes your own"
    )
    # The two commands do it.
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb/repairs.md").write_text(REPAIRS)
    (tmp_path / "questions.txt").write_text("Where is the desk?\n")
    for source in (("--documents", "kb"), ("--from", "questions.txt")):
        added = raggate("init", "eval", *source, cwd=tmp_path)
        assert added.returncode == 0, added.stderr
    questions = {each.case.question for each in load_suite(tmp_path / "eval/raggate.yaml", environment={}).cases}
    assert {"What happens if a lamp breaks twice?", "Where is the desk?"} <= questions


def git(*arguments: str, cwd: Path) -> str:
    """What a real git prints."""
    return subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("before", [None, "out/", "out/\n"], ids=["none", "without a last newline", "whole"])
def test_in_a_git_repository_no_run_reaches_a_commit(tmp_path: Path, before: str | None) -> None:
    git("init", "--quiet", cwd=tmp_path)
    if before is not None:
        (tmp_path / ".gitignore").write_text(before)
    (tmp_path / "app").mkdir()
    with serving(asks_for("question")) as url:
        dry = raggate("init", "app", "--url", url, "--dry-run", cwd=tmp_path)
        assert ((tmp_path / ".gitignore").read_text() if before else None) == before
        done = raggate("init", "app", "--url", url, cwd=tmp_path)
    line = "  added raggate-run/ and raggate-case/ to .gitignore: runs belong in no commit\n"
    assert line in done.stdout, done.stderr
    assert line not in dry.stdout
    assert (tmp_path / ".gitignore").read_text() == ("out/\n" if before else "") + "raggate-run/\nraggate-case/\n"
    assert (tmp_path / "app/raggate-run/run.json").is_file()
    git("add", "--all", cwd=tmp_path)
    staged = git("diff", "--cached", "--name-only", cwd=tmp_path).splitlines()
    assert "app/raggate.yaml" in staged
    assert not [name for name in staged if "raggate-run" in name]


def test_a_run_that_git_ignores_already_and_a_folder_outside_git_change_nothing(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    git("init", "--quiet", cwd=inside)
    (inside / ".gitignore").write_text("raggate-*/\n")
    with serving(asks_for("question")) as url:
        for folder in (inside, outside):
            done = raggate("init", "--url", url, cwd=folder)
            assert done.returncode == 0, done.stderr
            assert ".gitignore" not in done.stdout
    assert (inside / ".gitignore").read_text() == "raggate-*/\n"
    assert not (outside / ".gitignore").exists()


def test_questions_without_answers_beside_a_suite_name_the_command_that_makes_known_bad_answers(tmp_path: Path) -> None:
    desk(tmp_path)
    (tmp_path / "more.txt").write_text("Where is the pump?\n")
    done = raggate("init", "--from", "more.txt", cwd=tmp_path)
    assert (
        "raggate: the suite has no known-bad answer: `raggate-action init --documents FOLDER` makes some\n"
        in done.stdout
    )
    assert not (tmp_path / "gate/known_bad.yaml").exists()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/repairs.md").write_text(REPAIRS)
    assert "  wrote gate/known_bad.yaml\n" in raggate("init", "--documents", "docs", cwd=tmp_path).stdout
    # A suite that has some gets no others, and is told nothing of them.
    (tmp_path / "yet.txt").write_text("Where is the dam?\n")
    later = raggate("init", "--from", "yet.txt", cwd=tmp_path)
    assert later.returncode == 0, later.stderr
    assert "known-bad" not in later.stdout
