"""Whether a judge's key that is not set is a fault: one answer, for the judges of claims as for those of pairs."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from raggate_action.run.run_plan import RunRequest
from raggate_action.schema.judges import Member
from raggate_action.schema.origin import Origin
from raggate_action.suite_files import load_suite

WORKFLOW = {"GITHUB_ACTIONS": "true"}
BOTH = {"ADA_KEY": "k", "BOB_KEY": "k"}


def member(name: str, key: str | None) -> Member:
    return Member(name=name, lab=name, model="m", base_url="https://judges.test/v1", api_key_env=key)


def origin(*, fork: bool) -> Origin:
    return Origin(
        repository="o/r", server_url="https://github.com", event="pull_request", workflow_run_id=7, head_sha="a" * 40, fork=fork
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "made_in", "lacking"),
    [
        pytest.param({}, None, "ADA_KEY, BOB_KEY are not set", id="a laptop need not have keys"),
        pytest.param({"ADA_KEY": "k"}, None, "BOB_KEY is not set", id="a laptop that lacks one"),
        pytest.param({"ADA_KEY": "k", "BOB_KEY": " "}, None, "BOB_KEY is not set", id="an empty key is none"),
        pytest.param(BOTH, None, None, id="a laptop that has them"),
        pytest.param(WORKFLOW, None, None, id="the command in a workflow: the calls are lost"),
        pytest.param(WORKFLOW, origin(fork=False), None, id="a workflow that is given secrets: the calls are lost"),
        pytest.param(
            WORKFLOW, origin(fork=True), "ADA_KEY, BOB_KEY are not set", id="a stranger's change gets no secrets"
        ),
        pytest.param({**WORKFLOW, **BOTH}, origin(fork=True), None, id="a stranger's change that was given them"),
        pytest.param({}, origin(fork=False), None, id="where a run was made says more than the environment"),
    ],
)
def test_a_key_that_is_not_set_matters_where_secrets_are_given(
    environment: dict[str, str], made_in: Origin | None, lacking: str | None, tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text("- {case_id: a, question: q}")
    (tmp_path / "raggate.yaml").write_text("suite: s\ncases: [c.yaml]\ntarget: {kind: recorded, traces: t.jsonl}\n")
    loaded = load_suite(tmp_path / "raggate.yaml", environment={})
    request = RunRequest(loaded=loaded, suite_file="raggate.yaml", scope="full", out=tmp_path / "out", origin=made_in)
    judges = (member("ada", "ADA_KEY"), member("bob", "BOB_KEY"), member("cy", None))
    with mock.patch.dict("os.environ", environment, clear=True):
        assert request.lacking_keys(judges) == lacking
        assert request.lacking_keys(judges[2:]) is None
