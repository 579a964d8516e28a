"""`judges label` at a terminal: what a person sees and presses, from the first claim to the way back and Ctrl-C."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.integration.terminal import Terminal
from tests.integration.test_label_session import lines, made_run, stored, with_votes

PROMPT = "q quit\r\n> "


def test_a_person_labels_goes_back_writes_a_note_and_goes_on_later(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with_votes(run, "The label costs nothing.", "supported", "unsupported")
    with Terminal("judges", "label", "raggate-run", cwd=tmp_path) as terminal:
        head = terminal.until(PROMPT)
        assert "raggate: 4 claims of 4 to label, into calibration.jsonl\n" in head
        assert "1 where judges disagree, then 1 that a rule" in head
        assert "So far 0 labels: 0 right, 0 faulty; 50 more until a judge can be armed, 20 of\nthem faulty." in head
        assert "── claim 1 · returns ─" in head
        assert "chosen, for it teaches more than others\nasked     What of returns?\n" in head
        assert "  returns\n    Parcels can be returned within 30 days of delivery.\n" in head
        highlighted = re.findall(r"\x1b\[1;4m(.*?)\x1b\[0m", terminal.shown)
        assert " ".join(highlighted) == "The label costs nothing.", "in its answer, over a line's end"
        # Nothing that rules or judges said stands there before the person has decided.
        assert not any(word in head for word in ("judge-0", "unverified", "conflict"))
        assert "this is none of the keys above" in terminal.press("x", PROMPT)
        assert "this is none of the keys above" in terminal.press("\x1bOs", PROMPT), (
            "a key of the number pad is not the s it ends in"
        )
        assert "note, kept with the label: " in terminal.press("n", "label: ")
        terminal.press("not said\r", PROMPT)
        after = terminal.press("u", PROMPT)
        assert "  rules: unverified · judge-0: supported · judge-1: unsupported\n" in after
        assert "  1 label: 0 right, 1 faulty; 49 more until a judge can be armed, 19 of them faulty\n" in after
        assert "── claim 2 · refunds ─" in after
        (written,) = stored(run)
        assert written["claims"][0] | {"claim_id": ""} == {
            "claim_id": "", "text": "The label costs nothing.", "verdict": "unsupported", "drawn": "chosen",
            "note": "not said",
        }  # fmt: skip
        after = terminal.press("c", PROMPT)
        assert "  rules: contradicted, conflict (number)\n" in after
        assert "── claim 3 · " in after
        assert "drawn at random\n" in after
        assert "── claim 2 · refunds ─" in terminal.press("b", PROMPT)
        assert len(stored(run)) == 1
        assert "── claim 3 · " in terminal.press("?", PROMPT)
        terminal.press("q", "")
        code, end = terminal.ended()
        assert code == 0
        assert "raggate: calibration.jsonl holds 1 label: 0 right, 1 faulty;" in end
        assert "  go on where you stopped: raggate-action judges label raggate-run\n" in end
        assert "  next: name judges in the suite (`judges:`), then raggate-action judges check, which" in end
    with Terminal("judges", "label", "raggate-run", "--count", "1", cwd=tmp_path, NO_COLOR="1") as again:
        head = again.until(PROMPT)
        assert "raggate: 3 claims of 4 to label" in head
        assert "── claim 1 · refunds ─" in head
        assert "\x1b" not in again.shown
        assert ">>Refunds are paid within 9 working days.<<" in head
        again.press("c", "")
        assert again.ended()[0] == 0
        assert sum(len(line["claims"]) for line in stored(run)) == 2


def test_ctrl_c_loses_no_label_and_what_is_typed_too_early_is_none(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with Terminal("judges", "label", "raggate-run", "--calibration", "mine.jsonl", cwd=tmp_path) as terminal:
        # Typed before a claim is to be seen, it is said of none.
        terminal.press("s", PROMPT)
        assert not (tmp_path / "mine.jsonl").exists()
        terminal.press("p", PROMPT)
        terminal.press("\x03", "")
        code, end = terminal.ended()
        assert code == 130
        assert "raggate: mine.jsonl holds 1 label: 0 right, 1 faulty" in end
        assert "label raggate-run --calibration mine.jsonl" in end
        assert len((tmp_path / "mine.jsonl").read_text().splitlines()) == 1
        assert not (tmp_path / "calibration.jsonl").exists()
        assert run.is_dir()


def test_a_made_fault_is_said_to_be_one_and_what_it_was_comes_after(tmp_path: Path) -> None:
    made_run(tmp_path, answers={"returns": "Parcels can be returned within 30 days of delivery."})
    with Terminal("judges", "label", "raggate-run", cwd=tmp_path) as terminal:
        terminal.until(PROMPT)
        shown = terminal.press("s", PROMPT)
        assert "made: a right claim with something changed. Is it faulty now, or still right?" in " ".join(
            shown.split()
        )
        assert "30 days of delivery.\n" in shown.partition("its chunks:")[2]
        after = terminal.press("c", PROMPT)
        assert "  it was: Parcels can be returned within 30 days of delivery.\n" in after
        assert "  2 labels: 1 right, 1 faulty, 1 of them made; 48 more until a judge can be armed" in after
        terminal.press("\x04", "")
        assert terminal.ended()[0] == 0


def labelled_without_a_terminal(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "raggate_action", "judges", "label", "raggate-run"]
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    made_run(tmp_path)
    done = labelled_without_a_terminal(tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("raggate: `judges label` asks a person, and its input is no terminal\n")
    assert not (tmp_path / "calibration.jsonl").exists()


def test_where_nothing_is_left_or_no_text_is_at_hand_it_says_which(tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    (tmp_path / "none").mkdir()
    made_run(tmp_path / "all", answers={"late": "Late parcels are refunded by the carrier."})
    chunks = [
        {"chunk_id": name, "text": text}
        for name, text in (
            ("returns", "Parcels can be returned within 30 days of delivery."),
            ("refunds", "Refunds are paid within 5 working days."),
        )
    ]
    claim = {"claim_id": "claim-1", "text": "Late parcels are refunded by the carrier.", "verdict": "unsupported"}
    label = {"id": "by-hand", "question": "What of late?", "chunks": chunks, "answer": claim["text"], "claims": [claim]}
    lines(tmp_path / "all/calibration.jsonl", [label])
    with Terminal("judges", "label", "all/raggate-run", cwd=tmp_path) as terminal:
        code, shown = terminal.ended()
        assert code == 0
        assert shown.startswith(
            "raggate: every claim of the run is labelled (1)\nraggate: all/calibration.jsonl holds 1 label:"
        )
        assert "every claim of this run has had its turn" in shown
        assert "raggate-action judges check all/raggate.yaml, which" in shown
    made_run(tmp_path / "none", traced=True)
    with Terminal("judges", "label", "raggate-run", cwd=tmp_path / "none") as terminal:
        code, shown = terminal.ended()
        assert code == 0
        assert shown == (
            "raggate: 4 claims cannot be labelled, for the texts of their chunks are not at hand: give the suite an "
            "evidence store, or write `texts: full`, and make the run again.\n"
        )
        assert json.loads((tmp_path / "all/calibration.jsonl").read_text()) == label
