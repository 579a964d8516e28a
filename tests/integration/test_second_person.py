"""Two people at the labels: a fifth drawn blind, what they agree on as the bound of any judge, and what they settle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from raggate_action.run.labelling.second_person import fifth, to_label_again
from raggate_action.suite_files.calibration_file import read_labels
from tests.calibration_builders import labels, on_trial
from tests.integration.terminal import Terminal
from tests.integration.test_label_command import PROMPT
from tests.integration.test_label_session import lines, made_run, stored
from tests.item_labels import held_labels


def named(name: str) -> dict[str, Any]:
    """The environment of somebody whose name git knows."""
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": name}


def written(folder: Path, *, right: int = 12, faulty: int = 8, labeller: str | None = "Ann") -> Path:
    """A suite with labels of one person, and no run."""
    (folder / "cases.yaml").write_text("- {case_id: a, question: Why?}\n")
    (folder / "traces.jsonl").write_text('{"case_id": "a", "answer": "So.", "context": []}\n')
    target = "target: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(f"suite: shop\ncases: [cases.yaml]\n{target}")
    said = {} if labeller is None else {"labeller": labeller}
    answers = [each.model_dump(mode="json", exclude_none=True) for each in labels(right, faulty)]
    for answer in answers:
        answer["claims"] = [claim | said | {"note": f"first on {claim['text']}"} for claim in answer["claims"]]
    lines(folder / "calibration.jsonl", answers)
    return folder / "calibration.jsonl"


def claims_of(path: Path) -> list[dict[str, Any]]:
    return [claim for line in path.read_text().splitlines() for claim in json.loads(line)["claims"]]


def test_a_fifth_is_drawn_whatever_was_said_and_stays_drawn_as_labels_come(tmp_path: Path) -> None:
    path = written(tmp_path)
    file = read_labels(path)
    drawn = [each.key for each in fifth(file, seed=1)]
    assert len(drawn) == 4, "of 20"
    turned = path.read_text().replace('"supported"', '"partial"')
    path.write_text(turned)
    assert [each.key for each in fifth(read_labels(path), seed=1)] == drawn
    lines(path, [json.loads(line) for line in turned.splitlines()[:3]])
    fewer = [each.key for each in fifth(read_labels(path), seed=1)]
    assert len(fewer) == 3, "a fifth of 15"
    every = {each.key for each in fifth(file, seed=1)} | {*fewer}
    assert set(drawn) & set(fewer) or len(every) == 7
    assert [each.key for each in fifth(file, seed=2)] != drawn


def test_facts_and_criteria_are_drawn_as_well(tmp_path: Path) -> None:
    path = tmp_path / "calibration.jsonl"
    lines(path, [each.model_dump(mode="json", exclude_none=True) for each in held_labels("criteria", 7, 3)])
    assert len(to_label_again(read_labels(path), seed=0)) == 2


def test_a_second_person_labels_blind_and_what_both_differ_on_is_settled(tmp_path: Path) -> None:
    path = written(tmp_path)
    with Terminal("judges", "label", "--second", cwd=tmp_path, **named("Ben")) as terminal:
        head = terminal.until(PROMPT)
        assert "raggate: 4 labels for a second person, Ben" in head
        terminal.press("c", PROMPT)
        terminal.press("b", PROMPT)
        terminal.press("n", "label: ")
        terminal.press("in my words\r", PROMPT)
        for _ in range(3):
            terminal.press("s", PROMPT)
        # Nothing of what the first person said stands there, neither verdict nor note nor a count that moves with it.
        so_far = terminal.shown
        assert not any(word in so_far for word in ("first on", "Ann", "faulty", "rules:"))
        terminal.press("s", "")
        code, end = terminal.ended()
        assert code == 0
    twice = [claim for claim in claims_of(path) if "second" in claim]
    assert [claim["second"]["labeller"] for claim in twice] == ["Ben"] * 4
    assert [claim["second"].get("note") for claim in twice].count("in my words") == 1
    differ = [claim for claim in twice if claim["verdict"] != "supported"]
    assert f"{len(differ)} label" in end
    assert differ, "the draw holds a faulty one"
    assert "unsupported and supported" in end
    assert "raggate-action judges label --settle" in end
    of_both = on_trial(tuple(read_labels(path).answers))
    people = of_both.people
    assert people is not None
    assert (people.agreement.hits, people.agreement.total, people.unsettled) == (4 - len(differ), 4, len(differ))
    assert len(of_both.human_verdicts) == 20 - len(differ), "what two people differ on counts for nothing"
    with Terminal("judges", "label", "--settle", cwd=tmp_path, **named("Ann")) as terminal:
        head = terminal.until(PROMPT)
        assert "Ann says unsupported: first on " in head
        assert "Ben says supported" in head
        for _ in differ[1:]:
            terminal.press("p", PROMPT)
        terminal.press("p", "")
        assert terminal.ended()[0] == 0
    again = on_trial(tuple(read_labels(path).answers))
    assert len(again.human_verdicts) == 20
    assert sum(each.verdict == "partial" for each in again.human_verdicts) == len(differ)
    assert again.people is not None
    assert (again.people.agreement, again.people.unsettled) == (people.agreement, 0), "settling is no agreement"


def test_nobody_is_their_own_second_person(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    with Terminal("judges", "label", "--second", cwd=tmp_path, **named("Ann")) as terminal:
        shown = terminal.until("with your labels: ")
        assert "git says that you are Ann, who gave the first labels" in shown
        terminal.press("Ann\r", "")
        code, end = terminal.ended()
        assert code == 2
        assert "a second person is needed" in end
    assert path.read_bytes() == before
    with Terminal("judges", "label", "--second", cwd=tmp_path) as terminal:
        terminal.until("with your labels: ")
        assert "for a second person, Cleo" in terminal.press("Cleo\r", PROMPT)
        terminal.press("q", "")
        assert terminal.ended()[0] == 0


def test_who_labels_is_kept_and_the_end_offers_a_fifth_to_somebody_else(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with Terminal("judges", "label", "raggate-run", cwd=tmp_path, **named("Ann")) as terminal:
        terminal.until(PROMPT)
        terminal.press("s", PROMPT)
        terminal.press("q", "")
        _code, end = terminal.ended()
    assert stored(run)[0]["claims"][0]["labeller"] == "Ann"
    (offer,) = [line for line in end.splitlines() if "--second" in line]
    command = offer.rpartition("): ")[2]
    assert command == "raggate-action judges label --second"
    with Terminal(*command.split()[1:], cwd=tmp_path, **named("Ben")) as terminal:
        assert "raggate: 1 label for a second person, Ben" in terminal.until(PROMPT)
        terminal.press("s", "")
        assert terminal.ended()[0] == 0
