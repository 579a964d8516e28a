"""A judge behind the same name may become another: a scheduled run holds it against the labels again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import baseline_of
from raggate_action.schema.origin import Origin
from raggate_action.suite_files import load_suite
from tests.fake_chat.server import fake_chat
from tests.judged_suites import fooled, judging, member, truth, write_labels, write_suite


def panel_of(folder: Path, name: str, *, event: str, baseline: str | None = None) -> dict[str, Any]:
    """The panel of a run of the suite, as an event starts it."""
    loaded = load_suite(folder / "raggate.json", environment={})
    origin = Origin(
        repository="o/r", server_url="https://example.com", event=event, workflow_run_id=1, head_sha="a" * 40
    )
    before = baseline_of(folder / baseline, loaded, out=folder / name)[0] if baseline else None
    execute(
        RunRequest(
            loaded=loaded,
            suite_file="raggate.json",
            scope="full",
            out=folder / name,
            baseline=before,
            origin=origin,
            quiet=True,
        )
    )
    found: dict[str, Any] = json.loads((folder / name / "run.json").read_text())["panel"]
    return found


def test_a_scheduled_run_asks_about_every_label_again_and_disarms_who_drifted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        first = panel_of(tmp_path, "push", event="push")
        assert first["cards"][0]["armed"]
        asked = len(chat.asked)

        chat.script["ada"] = judging(fooled)
        again = panel_of(tmp_path, "again", event="push", baseline="push")
        assert (again["cards"][0]["armed"], len(chat.asked)) == (True, asked)

        nightly = panel_of(tmp_path, "nightly", event="schedule", baseline="again")
        # Seven answers of labels; the case itself has not changed.
        assert len(chat.asked) == asked + 7 + len(CLAIMS.plants)
    card = nightly["cards"][0]
    assert (card["armed"], card["why_not"]) == (False, "false-pass")
    assert card["agreement"] == {"hits": 40, "total": 70}
    assert card["drift"] == {"hits": 70, "total": 70}


def test_a_scheduled_run_whose_labels_are_too_dear_asks_nobody_and_keeps_what_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        assert panel_of(tmp_path, "push", event="push")["cards"][0]["armed"]
        dear = member("ada", chat, price={"input": 1000, "output": 2000})
        write_suite(tmp_path, {"good": truth(1)}, [dear])
        asked = len(chat.asked)
        nightly = panel_of(tmp_path, "nightly", event="schedule", baseline="push")
        assert len(chat.asked) == asked
    assert nightly["labels_usd"] > 5
    assert nightly["cards"][0]["armed"]
