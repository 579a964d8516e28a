"""`report.html` of a run directory: what is in it, that it is made anew byte for byte, and that it never costs a run."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from raggate_action.cli.main import main
from raggate_action.run import report_page_file
from raggate_action.run.report_page_file import write_report_page
from tests.opened_report import blocks_of, cases_of, listed_in

CHUNKS = [
    {
        "chunk_id": "c1",
        "version": "v1",
        "permitted": True,
        "current": True,
        "text": "Refunds take 30 days. Ask the desk.",
    },
    {"chunk_id": "c2", "version": "v1", "permitted": True, "current": True, "text": "The desk opens at 9:00."},
    {
        "chunk_id": "staff",
        "version": "v1",
        "permitted": False,
        "current": True,
        "text": "The safe's code is 4711 hazel.",
    },
]
QUESTIONS = {"refund": "How long does a refund take?", "desk": "When does the desk open?", "odd": "What else?"}
GOOD = {"refund": "Refunds take 30 days. [c1]", "desk": "The desk opens at 9:00. [c2]", "odd": "Ask the desk. [c1]"}
WORSE = {**GOOD, "refund": "Refunds take 90 days. [c1]"}
RANKED = {"candidates": ["c1", "c2"], "context": ["c1", "c2"]}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes a suite with recorded answers, runs it there, and gives its run directory."""
    monkeypatch.chdir(tmp_path)

    def made(name: str, answers: dict[str, str], *more: str, texts: str | None = "quotes", **trace: Any) -> Path:
        (tmp_path / "chunks.jsonl").write_text("".join(f"{json.dumps(chunk)}\n" for chunk in CHUNKS))
        cases = [{"case_id": key, "question": asked, "tags": ["desk"]} for key, asked in QUESTIONS.items()]
        (tmp_path / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
        content: dict[str, Any] = {
            "suite": "desk",
            "cases": ["cases.jsonl"],
            "evidence": ["chunks.jsonl"],
            **({"texts": texts} if texts is not None else {}),
        }
        content |= {"pipeline": {"stages": ["candidates", "context"]}}
        content["target"] = {"kind": "recorded", "traces": "traces.jsonl"}
        (tmp_path / "raggate.yaml").write_text(yaml.safe_dump(content))
        lines = [{"case_id": key, "answer": said, **RANKED, **trace} for key, said in answers.items()]
        (tmp_path / "traces.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        assert main(["run", "raggate.yaml", "--out", name, *more]) in {0, 1}
        return tmp_path / name

    return made


def page_of(directory: Path) -> str:
    return (directory / "report.html").read_text()


def test_a_run_that_got_worse_shows_both_answers_the_sentence_and_the_ranks(suite: Callable[..., Path]) -> None:
    base = suite("base", GOOD, texts="full")
    head = suite(
        "head",
        WORSE,
        "--baseline",
        str(base),
        texts="full",
        candidates=["c2", "c1"],
        context=[{"chunk_id": "c1", "version": "v1"}],
    )
    page = page_of(head)
    listed = listed_in(page)
    # The desk's hours stand in no chunk that is shown now.
    assert [state for state, _words in listed.values()] == ["failed", "failed", "passed"]
    assert "new suspects: " in listed["desk"][1]
    _state, words = listed["refund"]
    assert "regressed" in words
    assert "answer faithfulness" in words
    (row, trace, beside), (_row, _trace, desk), _odd = cases_of(page)
    stored = [(head / name).read_text().splitlines()[0] for name in ("cases.jsonl", "traces.jsonl")]
    assert [row, trace] == [json.loads(line) for line in stored]
    assert beside["before"] == GOOD["refund"]
    assert beside["lead"][0].startswith("Fails at answer faithfulness: ")
    assert beside["lead"][1].startswith("Repair: ")
    assert "before" not in desk, "only of what got worse"
    # Who has no script reads the open case in the page itself: what was asked and answered, then and now, and why.
    opened = html.unescape(page.split('id="case=refund"')[1].split("</details>")[0])
    for said in (QUESTIONS["refund"], WORSE["refund"], GOOD["refund"], "Refunds take 30 days.", "--case refund"):
        assert said in opened
    assert 'id="case=odd"' not in page
    assert '<h1 id="decision">' in page
    assert '<a href="#case=refund"><code>refund</code></a>' in page


def test_without_a_word_of_the_suite_passages_are_kept_but_in_a_public_repository(
    suite: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    context = [{"chunk_id": "c1", "version": "v1", "text": CHUNKS[0]["text"]}]
    kept = suite("kept", WORSE, texts=None, context=context)
    assert str(CHUNKS[0]["text"]) in json.dumps(cases_of(page_of(kept)))
    assert main(["run", "--traces", str(kept / "traces.jsonl"), "--out", "again"]) == 1
    assert "public" not in capsys.readouterr().err
    (tmp_path / "event.json").write_text('{"repository": {"private": false}}')
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
    public = suite("public", WORSE, texts=None, context=context)
    assert str(CHUNKS[0]["text"]) not in (public / "traces.jsonl").read_text() + page_of(public)
    assert "anybody may download what a run stores" in capsys.readouterr().err


@pytest.mark.parametrize("texts", ["full", "quotes", "ids"])
def test_chunks_stand_in_it_as_the_suite_allows(suite: Callable[..., Path], texts: str) -> None:
    context = [{"chunk_id": "c1", "version": "v1", "text": CHUNKS[0]["text"]}]
    page = page_of(suite("out", GOOD, texts=texts, context=context))
    row, trace, _beside = cases_of(page)[0]
    everything = json.dumps(blocks_of(page))
    assert row["context"] == ["c1"]
    assert (str(CHUNKS[0]["text"]) in json.dumps(trace)) == (texts == "full")
    assert ("Refunds take 30 days." in everything) == (texts != "ids")
    assert "Ask the desk." in everything if texts != "ids" else "answer" not in row


def test_equal_long_texts_stand_in_it_once(suite: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    long = "Refunds take 30 days. " * 10
    monkeypatch.setitem(CHUNKS[0], "text", long)
    context = [{"chunk_id": "c1", "version": "v1", "text": long}]
    page = page_of(suite("out", GOOD, texts="full", context=context))
    assert blocks_of(page)["text-0"] == [long]
    assert [trace["context"][0]["text"] for _row, trace, _beside in cases_of(page)] == [0, 0, 0]


def test_an_answer_with_restricted_text_is_withheld(suite: Callable[..., Path]) -> None:
    page = page_of(suite("out", {**GOOD, "odd": "The safe's code is 4711 hazel."}, texts="full"))
    assert "hazel" not in page + json.dumps(blocks_of(page))
    assert "answer" not in cases_of(page)[2][0]


def test_what_was_restricted_since_is_not_shown_of_the_baselines_answer(
    suite: Callable[..., Path],
) -> None:
    with pytest.MonkeyPatch.context() as free:
        free.setitem(CHUNKS[2], "permitted", True)  # noqa: FBT003
        base = suite("base", {**GOOD, "odd": "The safe's code is 4711 hazel."})
    assert "hazel" in json.dumps(blocks_of(page_of(base)))
    page = page_of(suite("head", GOOD, "--baseline", "base"))
    assert "hazel" not in page + json.dumps(blocks_of(page))


def test_a_baseline_in_another_order_stands_beside_its_own_cases(suite: Callable[..., Path]) -> None:
    with pytest.MonkeyPatch.context() as other:
        other.setitem(globals(), "QUESTIONS", dict(reversed(QUESTIONS.items())))
        base = suite("base", GOOD)
    head = suite("head", WORSE, "--baseline", str(base))
    shown = cases_of(page_of(head))
    assert [(row["case_id"], beside.get("before")) for row, _trace, beside in shown] == [
        (case_id, GOOD[case_id] if case_id == "refund" else None) for case_id in GOOD
    ]


def test_it_is_made_anew_byte_for_byte(suite: Callable[..., Path], tmp_path: Path) -> None:
    base = suite("base", GOOD)
    head = suite("head", WORSE, "--baseline", "base")
    again = write_report_page(head, tmp_path / "again.html")
    assert again.read_bytes() == (head / "report.html").read_bytes()
    alone = write_report_page(base, tmp_path / "alone.html")
    assert alone.read_bytes() == (base / "report.html").read_bytes()


def test_too_large_a_page_leaves_out_what_passes_first_and_says_so(
    suite: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Letters of digests: nothing makes them smaller.
    letters = str.maketrans("0123456789", "ghijklmnop")
    long = " ".join(hashlib.sha256(bytes([n])).hexdigest()[:9].translate(letters) for n in range(90))
    monkeypatch.setitem(CHUNKS[1], "text", f"The desk opens at 9:00 for {long}.")
    head = suite("head", {**WORSE, "desk": f"The desk opens at 9:00 for {long}. [c2]"})
    whole = len((head / "report.html").read_bytes())
    page = write_report_page(head, tmp_path / "small.html", most_bytes=whole - 1).read_text()
    refund, desk, _odd = cases_of(page)
    assert "it holds no texts of passing cases" in page
    assert refund[0]["answer"] == WORSE["refund"]
    assert desk == (None, None, {})
    smallest = write_report_page(head, tmp_path / "smallest.html", most_bytes=1).read_text()
    assert "it holds no texts of any case" in smallest
    assert WORSE["refund"] not in smallest + json.dumps(cases_of(smallest))
    assert list(listed_in(smallest)) == ["refund", "desk", "odd"]


def test_no_page_is_one_warning_and_changes_nothing(
    suite: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = suite("whole", WORSE)
    capsys.readouterr()

    def no_files() -> None:
        raise OSError("words of a stranger")

    monkeypatch.setattr(report_page_file, "page_files", no_files)
    without = suite("without", WORSE)
    told = capsys.readouterr().err
    assert told.count("raggate: warning: report.html could not be written: OSError") == 1
    assert "stranger" not in told
    decided = [json.loads((each / "run.json").read_text())["decision"] for each in (whole, without)]
    assert decided[0] == decided[1]
    assert not (without / "report.html").exists()


def test_the_script_is_small_and_asks_nobody() -> None:
    files = report_page_file.page_files()
    assert len(files.script) + len(files.style) <= 120_000
    for word in ("fetch(", "XMLHttpRequest", "innerHTML", "localStorage", "import(", "eval(", "http:", "https:"):
        assert word not in files.script, word
    assert "url(" not in files.style
