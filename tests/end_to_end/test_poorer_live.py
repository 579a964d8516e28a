"""Live apps that are asked again before an answer counts as poorer than the base branch's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.faq_suites import QUESTIONS, answer, chunk, write_faq
from tests.integration.small_apps import sent, serving


class FaqApp:
    """Answers the questions of `tests.faq_suites`; what it says may depend on how often it was asked.

    Attributes:
        asked: How often each question was asked.
        said: The answer to a question by its number and how often it has been asked before.
    """

    def __init__(self) -> None:
        self.asked: dict[int, int] = {}
        self.said: Callable[[int, int], str] = lambda number, _times: answer(number)
        self.shows_evidence = True
        self.shows: Callable[[int], str] = chunk

    def reply(self, _method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        name, city = next((n, c) for n, c in QUESTIONS if n in body["question"] and c in body["question"])
        number = QUESTIONS.index((name, city))
        times = self.asked.get(number, 0)
        self.asked[number] = times + 1
        context = [{"chunk_id": f"c{number}", "text": self.shows(number)}] if self.shows_evidence else []
        reply: dict[str, Any] = {"answer": self.said(number, times)}
        return sent({**reply, "context": context} if self.shows_evidence else reply)


@contextmanager
def served(folder: Path, *, cases: int = 40, evidence: bool = True) -> Iterator[FaqApp]:
    app = FaqApp()
    app.shows_evidence = evidence
    with serving(app.reply) as url:
        write_faq(folder, cases=cases)
        pipeline = "" if evidence else "pipeline: {context: none}\n"
        store = "" if not evidence else "evidence: [evidence.jsonl]\n"
        (folder / "raggate.yaml").write_text(
            f"suite: faq\n{store}cases: [cases.jsonl]\n{pipeline}target: {{kind: http, url: '{url}'}}\n"
        )
        yield app


def run(folder: Path, out: str, *more: str) -> int:
    return raggate("run", "--out", out, *more, cwd=folder).returncode


def poorer(folder: Path, out: str = "head") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / out / "comparison.json").read_text())["poorer"]
    return found


def vague(number: int) -> str:
    return answer(number).replace(f"{11 + number} EUR per person", "a fee for every person")


def test_a_price_that_no_ask_gives_is_lost_and_blocks(tmp_path: Path) -> None:
    with served(tmp_path) as app:
        assert run(tmp_path, "main") == 0
        app.said = lambda number, _times: vague(number) if number < 8 else answer(number)
        app.asked.clear()
        assert run(tmp_path, "head", "--baseline", "main") == 1
        assert [app.asked[number] for number in range(10)] == [5] * 8 + [1] * 2
    found = poorer(tmp_path)
    assert (found["poorer"], found["asked"], found["confirmed"], found["unasked"]) == (8, 8, 8, 0)
    comment = (tmp_path / "head/comment.md").read_text()
    assert "**8 poorer than on the baseline** (4 allowed): 8 answers lost a value: `q0` and 7 more." in comment


def test_a_price_that_one_ask_gives_is_not_lost_and_the_case_is_not_flaky(tmp_path: Path) -> None:
    with served(tmp_path, cases=10) as app:
        assert run(tmp_path, "main") == 0
        app.said = lambda number, times: vague(number) if times < 2 else answer(number)
        app.asked.clear()
        assert run(tmp_path, "head", "--baseline", "main") == 0
        assert set(app.asked.values()) == {3}
    found = poorer(tmp_path)
    assert (found["poorer"], found["asked"], found["confirmed"]) == (0, 10, 0)
    counts = json.loads((tmp_path / "head/run.json").read_text())["counts"]
    assert (counts["passed"], counts["flaky"]) == (10, 0)


def test_where_too_many_are_poorer_those_drawn_stand_for_the_rest(tmp_path: Path) -> None:
    with served(tmp_path) as app:
        assert run(tmp_path, "main") == 0
        app.said = lambda number, times: vague(number) if not times else answer(number)
        app.asked.clear()
        assert run(tmp_path, "head", "--baseline", "main") == 0
        assert sorted(app.asked.values()) == [1] * 20 + [2] * 20
    found = poorer(tmp_path)
    assert (found["poorer"], found["unasked"], found["asked"], found["confirmed"]) == (0, 20, 20, 0)
    with served(tmp_path) as app:
        app.said = lambda number, _times: vague(number)
        assert run(tmp_path, "head", "--baseline", "main") == 1
    found = poorer(tmp_path)
    assert (found["poorer"], found["unasked"], found["asked"], found["confirmed"]) == (20, 20, 20, 20)


def test_a_bare_function_that_says_fifteen_for_twelve(tmp_path: Path) -> None:
    def dearer(number: int) -> str:
        return answer(number).replace("12 EUR", "15 EUR")

    with served(tmp_path, cases=10, evidence=False) as app:
        assert run(tmp_path, "main") == 0
        app.said = lambda number, _times: dearer(number)
        assert run(tmp_path, "head", "--baseline", "main") == 0
        comment = (tmp_path / "head/comment.md").read_text()
        assert "12 EUR → 15 EUR" in comment
        assert "The airport shuttle in Bremen costs 15 EUR per person." in comment
        assert "**Accept the new value:** if `q1` is right, copy `waivers: [{case: q1, gate: poorer," in comment
        app.said = lambda number, _times: answer(number)
        assert run(tmp_path, "next", "--baseline", "main") == 0
        app.said = lambda number, _times: dearer(number) if number == 1 else answer(number).replace("17 EUR", "71 EUR")
        assert run(tmp_path, "head", "--baseline", "next") == 1, "two runs of main agree, and two of ten differ"
    assert poorer(tmp_path)["states"] == {"changed-value": 2}


def german(number: int, *, price: bool = True) -> str:
    name, city = QUESTIONS[number]
    cost = f"kostet {11 + number} Euro pro Person" if price else "kostet etwas pro Person"
    return f"Das Angebot „{name}“ in {city} {cost}. Es kann bis zum Vorabend kostenlos storniert werden."


@pytest.mark.parametrize(("kind", "times"), [("with evidence", 20), ("a bare function", 5), ("in German", 5)])
def test_an_unchanged_app_is_released_every_time(tmp_path: Path, kind: str, times: int) -> None:
    """Every tenth answer leaves the price out, whichever comes."""
    with served(tmp_path, cases=20, evidence=kind == "with evidence") as app:
        if kind == "in German":
            suite = tmp_path / "raggate.yaml"
            suite.write_text(suite.read_text().replace("pipeline: {context: none}", "language: de"))
            app.shows, app.shows_evidence = german, True

        def said(number: int, _times: int) -> str:
            is_vague = (7 * number + 3 * sum(app.asked.values())) % 10 == 0
            if kind == "in German":
                return german(number, price=not is_vague)
            return vague(number) if is_vague else answer(number)

        app.said = said
        assert run(tmp_path, "main") == 0
        statuses = [run(tmp_path, "head", "--baseline", "main") for _ in range(times)]
    assert statuses == [0] * times


def test_a_wrong_price_that_main_states_as_often_by_chance_is_flaky_and_told_with_both_rates(tmp_path: Path) -> None:
    def dearer(number: int) -> str:
        return answer(number).replace(f"{11 + number} EUR per person", f"{90 + number} EUR per person")

    with served(tmp_path, cases=20) as app:
        app.said = lambda number, times: dearer(number) if (number, times) == (3, 0) else answer(number)
        run(tmp_path, "main")
        app.asked.clear()
        app.said = lambda number, times: dearer(number) if (number, times) == (5, 0) else answer(number)
        assert run(tmp_path, "head", "--baseline", "main") == 0
        assert (app.asked[5], app.asked[6]) == (5, 1)
        # 20 answers of main's and 24 of this run: 4 more of the case that was asked again.
        comment = (tmp_path / "head/comment.md").read_text()
        assert "**Hallucination in a single answer:** `q5`." in comment
        assert "baseline: 1 in 20 answers; here: 1 in 24" in comment
        rows = [json.loads(line) for line in (tmp_path / "head/cases.jsonl").read_text().splitlines()]
        assert [row["case_id"] for row in rows if row["state"] == "flaky"] == ["q5"]
        raggate("report", "head", "--baseline", "main", cwd=tmp_path)
        assert (tmp_path / "head/comment.md").read_text() == comment
        app.asked.clear()
        app.said = lambda number, times: dearer(number) if number == 5 and times < 2 else answer(number)
        assert run(tmp_path, "head", "--baseline", "main") == 1, "two answers show it"
        app.asked.clear()
        app.said = lambda number, times: dearer(number) if number in {5, 6, 7, 8, 9} and not times else answer(number)
        assert run(tmp_path, "head", "--baseline", "main") == 1, "five of 40 are more than 1 in 20 explains"
        app.said = lambda number, _times: answer(number)
        run(tmp_path, "clean", "--baseline", "main")
        app.asked.clear()
        app.said = lambda number, times: dearer(number) if (number, times) == (5, 0) else answer(number)
        assert run(tmp_path, "head", "--baseline", "clean") == 0, "an earlier run of main's is stored as well"
        assert "baseline: 1 in 40 answers" in (tmp_path / "head/comment.md").read_text()


STUMPED = "That question had me stumped."


@pytest.mark.parametrize("stubborn", [True, False])
def test_an_answer_that_may_decline_is_asked_for_again_and_then_poorer(tmp_path: Path, *, stubborn: bool) -> None:
    def fact(number: int) -> str:
        name, city = QUESTIONS[number]
        return f"In {city} the {name} is run by volunteers of the parish."

    with served(tmp_path) as app:
        # Main's answers are verified by quotation and have no value that could be lost.
        app.shows = fact
        (tmp_path / "raggate.yaml").write_text(
            (tmp_path / "raggate.yaml").read_text().replace("evidence: [evidence.jsonl]\n", "")
        )
        app.said = lambda number, _times: fact(number)
        assert run(tmp_path, "main") == 0
        app.said = lambda number, times: STUMPED if number == 3 and (stubborn or not times) else fact(number)
        app.asked.clear()
        assert run(tmp_path, "head", "--baseline", "main") == 0
        # Until an ask gives what was missing, at most four times.
        assert [app.asked[number] for number in range(5)] == [1, 1, 1, 5 if stubborn else 2, 1]
    found = poorer(tmp_path)
    assert (found["poorer"], found["confirmed"]) == ((1, 1) if stubborn else (0, 0))
    assert [reason["doubtful"] for case in found["listed"] for reason in case["reasons"]] == [True] * stubborn
    told = "1 answer declined: `q3`. It declined: “That question had me stumped.”"
    assert (told in (tmp_path / "head/comment.md").read_text()) is stubborn
