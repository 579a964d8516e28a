"""Questions that a judge writes from documents beside a suite: taken where the documents bear them out, else by rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from raggate_action.onboarding.document_files import read_documents
from raggate_action.onboarding.document_questions import said_once
from raggate_action.onboarding.judge_questions import QuestionCheck
from tests.command_line import raggate
from tests.fake_chat.actions import Action, Body, error, refuses, says
from tests.fake_chat.server import FakeChat, fake_chat

SHOP = Path(__file__).parents[2] / "dev/foreign/documents"
# What a judge asks, by the beginnings of the sentences that are said to answer it.
GOOD = {
    "What do I pay to send a parcel back to you?": ("The return label costs 4 EUR",),
    "Do you deliver to Sweden, and how long does that take?": ("Delivery within Norway",),
    "My headphones broke after a year, are they still under warranty?": ("Headphones have",),
    "What about the pads of my headphones, do you replace them?": ("The ear pads",),
    "Until when do I have to tell you that my parcel was damaged?": ("A damaged parcel",),
}
BAD = {
    "What does the section say about gift cards?": ("Gift cards are",),
    "What does it cost?": ("The return label",),
    "Are express orders of 250 EUR delivered before noon?": ("Express delivery",),
}


def written(body: Body) -> dict[str, Any]:
    """What the judge asks of the sentences it is shown, and something about a sentence that it is not."""
    shown = re.findall(r"^S(\d+)\|(.*)$", body["messages"][-1]["content"], re.MULTILINE)
    found = []
    for question, beginnings in {**GOOD, **BAD}.items():
        numbers = [int(number) for number, text in shown if text.startswith(beginnings)]
        if len(numbers) == len(beginnings):
            found.append({"sentences": numbers, "question": question})
    return {"questions": [*found, {"sentences": [9_999], "question": "What is shown nowhere, in which place?"}, "?"]}


def desk(folder: Path, chat: FakeChat, *, key: str = "") -> None:
    (folder / "gate").mkdir()
    (folder / "gate/cases.yaml").write_text("- {case_id: desk, question: When is the desk open?}\n")
    (folder / "gate/traces.jsonl").write_text('{"case_id": "desk", "answer": "At nine.", "context": []}\n')
    (folder / "raggate.yaml").write_text(
        "suite: desk\ncases: [gate/cases.yaml]\ntarget: {kind: recorded, traces: gate/traces.jsonl}\n"
        f"judges: {{panel: [{{name: writer, lab: one, model: m, base_url: '{chat.base_url}'{key}, "
        "price: {input: 2, output: 8}}]}\n"
    )


def test_a_judge_of_the_suite_writes_the_questions_and_rules_hold_them(tmp_path: Path) -> None:
    with fake_chat({"m": lambda body: says(written(body))}) as chat:
        desk(tmp_path, chat)
        done = raggate("init", "--documents", SHOP, "--count", "12", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert chat.refused == []
    assert "raggate: writer writes questions from 3 documents" in done.stderr
    assert f"raggate: writer wrote {len(GOOD)} questions ({len(chat.asked)} calls, $0.0" in done.stdout
    assert (
        "raggate: other questions of it were not taken: 1 with a number of its own; "
        "1 about the text, not the thing; 1 not to be understood alone\n" in done.stdout
    )
    assert "7 questions proposed\n" in done.stdout
    added = (tmp_path / "gate/cases-documents.yaml").read_text()
    assert all(f'question: "{question}"' in added for question in GOOD)
    assert not any(question in added for question in BAD)
    assert "The return label costs 4 EUR and is taken off the refund." in added
    # Rules add what the judge left.
    assert "Can opened software be returned?" in added
    assert "# writer asks this of returns.md “Returns”" in added
    assert raggate("check", cwd=tmp_path).returncode == 0
    # The heading stands above its sentences.
    assert any("\nreturns.md “Refunds”\nS5|Refunds are paid" in asked.prompts[-1] for asked in chat.asked)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (refuses(), "writer wrote 0 questions (3 calls, $0.00)"),
        (says("no json"), "3 calls without a reply that can be used: "),
        (error(401, "bad key"), "without a reply that can be used: "),
    ],
    ids=["refuses", "says no JSON", "takes no key"],
)
def test_a_judge_that_writes_nothing_leaves_it_to_the_rules(tmp_path: Path, script: Action, said: str) -> None:
    with fake_chat({"m": script}) as chat:
        desk(tmp_path, chat)
        done = raggate("init", "--documents", SHOP, "--count", "12", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert "2 questions proposed" in done.stdout
    assert "Can opened software be returned?" in (tmp_path / "gate/cases-documents.yaml").read_text()


def test_without_the_judges_key_nobody_is_asked(tmp_path: Path) -> None:
    with fake_chat({"m": lambda body: says(written(body))}) as chat:
        desk(tmp_path, chat, key=", api_key_env: NOBODYS_KEY")
        done = raggate("init", "--documents", SHOP, "--count", "12", cwd=tmp_path)
        assert (done.returncode, chat.asked) == (0, [])
    assert "writer" not in done.stdout + done.stderr


def test_the_budget_of_the_suite_holds(tmp_path: Path) -> None:
    with fake_chat({"m": lambda body: says(written(body))}) as chat:
        desk(tmp_path, chat)
        suite = tmp_path / "raggate.yaml"
        suite.write_text(suite.read_text().replace("}]}\n", "}], budget: {usd: 0.000001}}\n"))
        done = raggate("init", "--documents", SHOP, "--count", "12", cwd=tmp_path)
        assert (done.returncode, chat.asked) == (0, [])
    assert "it was asked no further: what the suite allows for judging is used up" in done.stdout


CHECK = said_once(read_documents(SHOP))


def refusal(question: str, *quotes: str) -> str | None:
    """Why a question is not taken whose answer begins so."""
    answers = [
        (number, place)
        for number, section in enumerate(CHECK)
        for place, sentence in enumerate(section.sentences)
        if sentence.startswith(quotes)
    ]
    assert len(answers) == len(quotes), json.dumps(quotes)
    return QuestionCheck(CHECK).refusal(question, answers)


@pytest.mark.parametrize(
    ("question", "quote", "why"),
    [
        ("What do I pay to send a parcel back to you?", "The return label", None),
        ("How much is the label for a return?", "The return label", None),
        ("Is the return label free of charge?", "The return label", None),
        ("Are my ear pads covered if they wear out?", "The ear pads", None),
        ("How long do I have to wait for a repair?", "A repair takes", None),
        ("Can I send back opened software?", "Opened software", None),
        ("What does this label cost me?", "The return label", "not to be understood alone"),
        ("How much does it cost?", "The return label", "not to be understood alone"),
        ("What is said in the document about labels?", "The return label", "about the text, not the thing"),
        ("What does S3 say of return labels?", "The return label", "about the text, not the thing"),
        ("Return label costs", "The return label", "no question of one sentence"),
        ("Is the return label 7 EUR?", "The return label", "with a number of its own"),
        ("Who repairs the lift in the office?", "The return label", "about something else than its answer"),
        ("Does a repair take ten working days?", "A repair takes", "that gives its answer away"),
        ("How is delivery paid?", "Express delivery", "that another place answers too"),
    ],
)
def test_a_question_is_held_against_the_documents(question: str, quote: str, why: str | None) -> None:
    assert refusal(question, quote) == why


def test_the_same_is_not_asked_twice() -> None:
    check = QuestionCheck(CHECK)
    assert check.refusal("What do I pay to send a parcel back to you?", [(3, 1)]) is None
    assert check.refusal("What is the price of sending a parcel back?", [(3, 1)]) == "asked already"
