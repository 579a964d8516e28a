"""Questions that a team has already, in the files of other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.onboarding.question_files import QuestionFile
from raggate_action.strings.questions import id_of_question

RAGAS = "user_input,response,retrieved_contexts,reference\nHow long?,30 days.,\"['Within 30 days.', 'By post.']\",Thirty days\n"


def plain(folder: Path, name: str, text: str) -> list[tuple[str, str, object]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [(each.case_id, each.question, each.labels.get("reference_answer")) for each in QuestionFile(path).cases]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("a.jsonl", '{"question": "How long?", "ground_truth": "30 days"}\n\n{"question": "Why?"}\n', [("how-long", "How long?", "30 days"), ("why", "Why?", None)], id="lines"),
        pytest.param("a.json", '[{"input": "How long?", "expected_output": "30 days"}]', [("how-long", "How long?", "30 days")], id="a list, names of deepeval"),
        pytest.param("a.json", '{"examples": [{"inputs": {"question": "Q one"}, "outputs": {"answer": "A"}}]}', [("q-one", "Q one", "A")], id="inputs and outputs"),
        pytest.param("a.json", '{"question": ["A?", "B?"], "ground_truths": [["x", "y"], []]}', [("a", "A?", "x"), ("b", "B?", None)], id="a column each"),
        pytest.param("a.json", '["How long?", "Why?"]', [("how-long", "How long?", None), ("why", "Why?", None)], id="texts alone"),
        pytest.param("a.txt", "# Returns\n\n1. How long?\n- Why not?\r\n30 days or more?\n", [("how-long", "How long?", None), ("why-not", "Why not?", None), ("30-days-or-more", "30 days or more?", None)], id="a question a line"),
        pytest.param("a.csv", RAGAS, [("how-long", "How long?", "Thirty days")], id="a table of ragas"),
        pytest.param("a.csv", "\ufeffid;Question\n7;How long?\n8;\n", [("7", "How long?", None)], id="semicolons, a byte order mark, capitals, ids"),
        pytest.param("a.tsv", "id\tquestion\treference\n7\tHow long, and\tA\n8\tWhy?\n", [("7", "How long, and", "A"), ("8", "Why?", None)], id="tabs, a cell missing"),
        pytest.param("a.csv", 'question,reference\r\n"How\nlong?", "30 days, or more"\r\n,\r\n', [("how-long", "How\nlong?", "30 days, or more")], id="lines in a cell, a space before a quote, a blank row"),
        pytest.param("a.csv", '"question";answer\n"Wie lange?";30 Tage\n', [("wie-lange", "Wie lange?", "30 Tage")], id="semicolons and quotes"),
        pytest.param("a.csv", "question,contexts\nHow long?," + "x" * 200_000 + "\n", [("how-long", "How long?", None)], id="a cell longer than the library's bound"),
        pytest.param("a.jsonl", '{"user_input": [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "x"}, {"type": "human", "content": "How long?"}]}', [("how-long", "How long?", None)], id="a conversation's last turn"),
        pytest.param("a.jsonl", '{"question": "返品はいつまでですか"}\n{"question": "!?"}', [("返品はいつまでですか", "返品はいつまでですか", None), ("question", "!?", None)], id="no letters of ours"),
    ],
)  # fmt: skip
def test_the_usual_forms_are_read(tmp_path: Path, name: str, text: str, expected: object) -> None:
    assert plain(tmp_path, name, text) == expected


def test_two_questions_that_begin_alike_have_two_ids_and_one_asked_twice_is_one_case(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text(json.dumps(["How long is it?", "How long is it!", "How long is it?"]))
    found = QuestionFile(path)
    assert [each.case_id for each in found.cases] == ["how-long-is-it", "how-long-is-it-2"]
    assert found.lines[-1] == "  left out: 1 row with a question that came before"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        pytest.param(
            "a.csv", "title,body\na,b\n", "a.csv has no column of questions; it has `title`, `body`", id="no question"
        ),
        pytest.param(
            "a.jsonl",
            '{"question": "a"}\nnot json\n',
            "a.jsonl line 2 is not JSON: Expecting value",
            id="a broken line",
        ),
        pytest.param("a.json", "[1, 2]", "a.json holds something that is no row", id="numbers"),
        pytest.param(
            "a.txt", "Why?\n" + "word " * 300, "a.txt line 2 is no question: it has 1,499 characters", id="prose"
        ),
        pytest.param("a.docx", "x", "a.docx is no kind of file read here", id="another kind"),
        pytest.param(
            "a.csv",
            'question\nHow long?\n"Why?\nWhat?\n',
            'a.csv line 3: a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside',
            id="a quote left open",
        ),
        pytest.param("a.csv", "question\n\n", "a.csv has no column of questions; it has nothing", id="a head alone"),
    ],
)
def test_what_cannot_be_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        plain(tmp_path, name, text)
    assert str(caught.value) == message


def test_recorded_answers_are_traces_under_the_ids_of_their_questions(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(RAGAS)
    recorded = QuestionFile(path, answers=True)
    trace = recorded.cases[0].trace
    assert trace is not None
    assert (trace.case_id, trace.answer) == ("how-long", "30 days.")
    assert [chunk.text for chunk in trace.context_chunks] == ["Within 30 days.", "By post."]
    assert [each.labels.get("reference_answer") for each in recorded.cases] == ["Thirty days"]
    assert json.loads(recorded.trace_lines)["case_id"] == "how-long"


def test_goldens_whose_answer_is_the_right_one_are_no_recorded_answers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": "How long?", "answer": "30 days"}\n')
    found = QuestionFile(path)
    assert found.cases[0].labels["reference_answer"] == "30 days"
    assert not found.has_answers


def test_an_answer_that_is_its_own_reference_is_no_reference(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": "How long?", "answer": "30 days", "contexts": ["Within 30 days."]}\n')
    assert QuestionFile(path).has_answers
    assert [each.labels.get("reference_answer") for each in QuestionFile(path, answers=True).cases] == [None]


def test_a_long_question_has_a_short_id() -> None:
    name = id_of_question("How long do I have to return a parcel that was delivered to a neighbour while I was away?")
    assert name == "how-long-do-i-have-to-return-a-parcel-that-was"
