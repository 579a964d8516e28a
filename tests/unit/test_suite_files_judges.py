"""The `judges:` section as it is read: addresses, keys, twins, and what is said of a panel without asking it."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import SuiteError
from raggate_action.schema.judges import Member
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.secret_values import keys_of_members

PLACE = "raggate.yaml:5:"


def panel_of(suite: LoadedSuite) -> tuple[Member, ...]:
    assert suite.suite.judges is not None
    return suite.suite.judges.panel


def write(folder: Path, *members: str, rest: str = "") -> Path:
    path = folder / "raggate.yaml"
    panel = ",".join(f"\n{member}" for member in members)
    path.write_text(
        f"suite: s\ncases: [c.yaml]\ntarget: {{kind: recorded, traces: t.jsonl}}\njudges: {{panel: [{panel}]{rest}}}\n"
    )
    (folder / "c.yaml").write_text("- {case_id: a, question: q}")
    return path


def member(**fields: str) -> str:
    known = {"name": "ada", "lab": "one", "model": "small", "base_url": "http://localhost:1/v1"} | fields
    return "{" + ", ".join(f"{key}: {value}" for key, value in known.items()) + "}"


def mistakes(folder: Path, *members: str, rest: str = "") -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load_suite(write(folder, *members, rest=rest), environment={})
    return [line.removeprefix(f"{folder.as_posix()}/") for line in str(caught.value).splitlines()]


def loaded(folder: Path, *members: str, rest: str = "", **environment: str) -> LoadedSuite:
    return load_suite(write(folder, *members, rest=rest), environment=environment)


def test_a_panel_is_read_with_what_is_usual(tmp_path: Path) -> None:
    judges = loaded(tmp_path, member()).suite.judges
    assert judges is not None
    assert [each.name for each in judges.panel] == ["ada"]
    assert judges.budget.usd == 1.0
    assert judges.calibration == "labels.yaml"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"base_url": "localhost:8000/v1"}, "does not begin with http:// or https://"),
        ({"base_url": "ftp://models.test"}, "does not begin with http:// or https://"),
        ({"base_url": "https://"}, "it names no host"),
        ({"base_url": "https://models.test/v1/chat/completions"}, "leave out `/chat/completions`"),
        ({"parameters": "{stream: true}"}, "`stream`"),
        (
            {"base_url": '"https://me:hush-hush@models.test/v1"'},
            "keys come from the environment",
        ),
        ({"api_key_env": "gsk_9aB3cD5eF7gH9iJ1kL3mN5"}, "looks like a key itself; write the name of a variable"),
        ({"api_key_env": "sk-proj-9aB3cD5eF7gH9iJ1k"}, "names no variable; write letters, digits and _"),
        ({"api_key_env": "ACTIONS_RUNTIME_TOKEN"}, "belongs to the workflow's runner"),
        *(
            (
                {"api_key_env": name},
                f"`{name}`, which belongs to the workflow's runner or to the machine; give the judge a",
            )
            for name in ("GITHUB_TOKEN", "github_token", "GH_TOKEN", "PATH", "HOME", "INPUT_TOKEN")
        ),
        *(
            ({"base_url": f'"{url}"'}, "it is a link-local address or a cloud's metadata, which no judge answers at")
            for url in (
                "http://169.254.169.254/v1",
                "http://169.254.0.7:8080/v1",
                "http://2852039166/v1",
                "http://0xa9fea9fe/v1",
                "http://169.254.43518/v1",
                "http://[fe80::1]/v1",
                "http://[::ffff:169.254.169.254]/v1",
                "http://[fd00:ec2::254]/v1",
                "http://metadata.google.internal./computeMetadata",
                "http://METADATA.google.internal/v1",
                "http://instance-data/latest",
                "http://100.100.100.200/v1",
                "http://168.63.129.16/v1",
            )
        ),
        ({"api_key": "x"}, "unknown key `api_key`; did you mean `api_key_env`?"),
        ({"prise": "{input: 1, output: 2}"}, "unknown key `prise`; did you mean `price`?"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_to_write(
    tmp_path: Path, fields: dict[str, str], expected: str
) -> None:
    [found] = mistakes(tmp_path, member(**fields))
    assert found.startswith(PLACE)
    assert expected in found


@pytest.mark.parametrize("key", ["gsk_9aB3cD5eF7gH9iJ1kL3mN5", "sk-proj-9aB3cD5eF7gH9iJ1k"])
def test_a_key_in_the_file_is_repeated_in_no_message(tmp_path: Path, key: str) -> None:
    [found] = mistakes(tmp_path, member(api_key_env=key))
    assert key[6:] not in found


def test_a_password_in_an_address_is_repeated_in_no_message(tmp_path: Path) -> None:
    [found] = mistakes(tmp_path, member(base_url='"https://me:hush-hush@models.test/v1"'))
    assert "hush" not in found


def test_a_judge_may_not_vote_twice_under_two_names(tmp_path: Path) -> None:
    [found] = mistakes(tmp_path, member(), member(name="bob", lab="two"))
    assert found.startswith("raggate.yaml:6:")
    assert "judge `bob` is `ada` once more: the same model, asked alike" in found


@pytest.mark.parametrize(
    "differs", [{"model": "large"}, {"parameters": "{temperature: 1}"}, {"base_url": "http://h/v1"}]
)
def test_two_judges_of_one_endpoint_or_one_model_are_two(tmp_path: Path, differs: dict[str, str]) -> None:
    suite = loaded(tmp_path, member(), member(name="bob", **differs)).suite
    assert suite.judges is not None
    assert len(suite.judges.panel) == 2


def test_two_judges_of_one_name_and_a_quorum_nobody_reaches_are_mistakes(tmp_path: Path) -> None:
    [found] = mistakes(tmp_path, member(), member(model="large"))
    assert "two judges are named ada: give each a name of its own" in found
    [found] = mistakes(tmp_path, member(), rest=", quorum: 2")
    assert "a quorum of 2 needs as many judges" in found


def test_an_unset_key_is_no_mistake_and_a_set_one_is_struck_from_everything(tmp_path: Path) -> None:
    keyed = member(api_key_env="JUDGE_KEY")
    assert loaded(tmp_path, keyed).secrets == ()
    assert keys_of_members(panel_of(loaded(tmp_path, keyed)), {"JUDGE_KEY": " "}) == {}
    found = loaded(tmp_path, keyed, JUDGE_KEY="plainword\n", OTHER="elsewhere")
    assert "plainword" in found.secrets, "though it is one word of letters"
    assert "elsewhere" not in found.secrets
    assert keys_of_members(panel_of(found), {"JUDGE_KEY": "plainword\n"}) == {"JUDGE_KEY": "plainword"}


def test_what_is_known_of_a_panel_without_asking_it_is_remarked(tmp_path: Path) -> None:
    price = "{input: 1, output: 2}"
    remarks = loaded(
        tmp_path, member(price=price), member(name="bob", model="large", lab="One"), rest="}\ntexts: full #"
    ).remarks
    of_judges = [remark for remark in remarks if remark.startswith("judges:")]
    assert len(of_judges) == 2
    assert "the price of bob is unknown" in of_judges[0]
    assert "ada, bob are of one lab" in of_judges[1]


def test_a_panel_with_nothing_to_say_of_is_not_remarked_on(tmp_path: Path) -> None:
    price = "{input: 1, output: 2}"
    found = loaded(
        tmp_path,
        member(price=price),
        member(name="bob", lab="two", model="large", price=price),
        rest="}\ntexts: full #",
    )
    assert not [remark for remark in found.remarks if remark.startswith("judges:")]


def test_a_suite_without_judges_is_what_it_was(tmp_path: Path) -> None:
    path = write(tmp_path, member())
    path.write_text(path.read_text().split("judges:")[0])
    found = load_suite(path, environment={"OPENAI_API_KEY": "sk-hush-hush"})
    assert found.suite.judges is None
    assert found.secrets == ()
    assert not [remark for remark in found.remarks if "judge" in remark]


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key_env": "GITHUB_MODELS_KEY", "base_url": "https://models.test/inference"},
        {"api_key_env": "HOME_LAB_KEY", "base_url": "http://192.168.1.20:11434/v1"},
        {"api_key_env": "PATHFINDER_TOKEN", "base_url": "http://10.0.0.5/v1"},
        {"base_url": "http://metadata.judge.test/v1"},
        {"base_url": "http://127.0.0.1:11434/v1"},
        {"base_url": '"http://[::1]:8000/v1"'},
        {"base_url": "http://ollama:11434/v1"},
    ],
)
def test_a_key_and_an_address_that_look_like_these_are_taken(tmp_path: Path, fields: dict[str, str]) -> None:
    assert loaded(tmp_path, member(**fields)).suite.judges is not None
