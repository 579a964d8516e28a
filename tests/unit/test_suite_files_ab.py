"""The `ab:` section as it is read: the treatment made whole, its judges, their labs, and what of it is secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import SuiteError
from raggate_action.schema.target import CommandTarget, HttpTarget
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.ab_section import members_of, run_arms, shared_labs, synthesizer_of

HEAD = """\
suite: s
cases: [c.yaml]
target: {kind: http, url: "http://localhost:1/answer", timeout_s: 9, headers: {Tenant: a}}
judges:
  panel:
  - {name: ada, lab: one, model: small, base_url: http://localhost:1/v1}
  - {name: bob, lab: two, model: large, base_url: http://localhost:1/v1}
ab:
"""
ARMS = """\
  control: {model: m, lab: maker, target: {kind: http, url: "http://localhost:2/answer", headers: {Tenant: b}}}
  treatment:
    target:
      headers: {Tool: "yes"}
"""


def write(folder: Path, section: str) -> Path:
    path = folder / "raggate.yaml"
    path.write_text(HEAD + section + ("" if "control:" in section or "treatment:" in section else ARMS))
    (folder / "c.yaml").write_text("- {case_id: a, question: q}")
    return path


def loaded(folder: Path, section: str, *, arms: bool = False, **environment: str) -> LoadedSuite:
    return load_suite(write(folder, section), environment=environment, arms=arms)


def mistakes(folder: Path, section: str, *, arms: bool = False, **environment: str) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        loaded(folder, section, arms=arms, **environment)
    return [line.rpartition("raggate.yaml:")[2] for line in str(caught.value).splitlines()]


def targets(found: LoadedSuite, **environment: str) -> list[HttpTarget]:
    arms = run_arms(found.suite, found.written_target, environment)
    assert arms is not None
    made = [arm.target for arm in arms]
    assert all(isinstance(each, HttpTarget) for each in made)
    return made  # type: ignore[return-value]


def test_a_treatment_is_the_control_with_what_differs_written_over_it(tmp_path: Path) -> None:
    found = loaded(tmp_path, ARMS + "  judges: [ada]\n", arms=True)
    control, treatment = targets(found)
    assert control.headers == {"Tenant": "b"}
    assert treatment.headers == {"Tenant": "b", "Tool": "yes"}
    assert treatment.url == control.url == "http://localhost:2/answer"
    assert found.suite.ab is not None
    assert found.suite.ab.treatment is not None
    assert (found.suite.ab.treatment.model, found.suite.ab.treatment.lab) == ("m", "maker")


def test_a_control_without_a_target_is_the_suites_app_and_so_is_what_the_treatment_is_written_over(
    tmp_path: Path,
) -> None:
    section = '  control: {model: m}\n  treatment: {target: {url: "http://localhost:3/answer"}}\n  judges: [ada]\n'
    control, treatment = targets(loaded(tmp_path, section))
    assert control.url == "http://localhost:1/answer"
    assert treatment.url == "http://localhost:3/answer"
    assert treatment.timeout_s == control.timeout_s == 9
    assert treatment.headers == {"Tenant": "a"}


def test_a_target_of_another_kind_replaces_the_whole_of_it(tmp_path: Path) -> None:
    section = ARMS.replace('      headers: {Tool: "yes"}', "      {kind: command, command: [python, app.py]}")
    found = loaded(tmp_path, section + "  judges: [ada]\n")
    arms = run_arms(found.suite, found.written_target, {})
    assert arms is not None
    assert arms[1].target == CommandTarget(kind="command", command=("python", "app.py"))


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (ARMS.replace("Tool:", "Tool: 3, x:").replace('"yes"', "[1]"), "12:29: `x` is a list; write text"),
        (
            ARMS.replace("headers: {Tool", "timout_s: 3\n      headers: {Tool"),
            "12:7: unknown key `timout_s`; did you mean `timeout_s`?",
        ),
        (
            ARMS.replace("headers: {Tool", "timeout_s: soon\n      headers: {Tool"),
            "12:18: `timeout_s` is 'soon'; write a number",
        ),
        # A fault of the control is told once, where it stands, though the treatment has it too.
        (ARMS.replace("headers: {Tenant: b}", "attempts: 99"), "9:100: `attempts` is 99; write a number of at most 10"),
        (ARMS.replace("  treatment:", "  treatmnt:"), "10:3: unknown key `treatmnt`; did you mean `treatment`?"),
    ],
)
def test_a_mistake_is_told_where_it_stands(tmp_path: Path, section: str, expected: str) -> None:
    found = mistakes(tmp_path, section + "  judges: [ada]\n")
    assert expected in found
    assert len([line for line in found if "unknown key" not in line]) <= 1 or "treatmnt" in section


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("  control: {model: m}\n", "`treatment` is missing in `ab`"),
        ("  control: {model: m}\n  treatment: {}\n", "`treatment:` says nothing that differs from `control:`"),
        (
            "  control: {model: m}\n  treatment: {target: {timeout_s: 9}}\n",
            "10:14: `treatment:` says nothing that differs from `control:`; write the one thing that does",
        ),
    ],
)
def test_two_arms_differ_in_something(tmp_path: Path, section: str, expected: str) -> None:
    [found] = mistakes(tmp_path, section + "  judges: [ada]\n")
    assert expected in found


def test_a_variable_of_an_arm_matters_to_who_asks_the_arms_and_is_a_secret_to_all(tmp_path: Path) -> None:
    section = ARMS.replace('Tool: "yes"', 'Authorization: "Bearer ${TOOL_KEY}"') + "  judges: [ada]\n"
    assert mistakes(tmp_path, section, arms=True) == [
        "12:32: `${TOOL_KEY}` is not set in the environment; set TOOL_KEY, or write `$${TOOL_KEY}` for plain text"
    ]
    assert loaded(tmp_path, section).secrets == (), "a run asks neither arm"
    found = loaded(tmp_path, section, arms=True, TOOL_KEY="hush-hush-hush")
    assert "hush-hush-hush" in found.secrets
    assert [arm.headers.get("Authorization") for arm in targets(found, TOOL_KEY="hush-hush-hush")] == [
        None,
        "Bearer hush-hush-hush",
    ]
    arms = run_arms(found.suite, found.written_target, {"TOOL_KEY": "hush-hush-hush"})
    others = run_arms(found.suite, found.written_target, {"TOOL_KEY": "another"})
    assert arms is not None
    assert others is not None
    assert arms[1].digest == others[1].digest != arms[0].digest


def test_a_variable_of_the_suites_target_is_nothing_to_arms_with_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, ARMS + "  judges: [ada]\n")
    path.write_text(path.read_text().replace("Tenant: a", 'Authorization: "${APP_KEY}"'))
    assert load_suite(path, environment={}, arms=True).suite.ab is not None
    with pytest.raises(SuiteError, match="APP_KEY"):
        load_suite(path, environment={})


def test_who_looks_at_all_of_a_suite_looks_at_the_arms(tmp_path: Path) -> None:
    path = write(tmp_path, ARMS.replace('Tool: "yes"', 'Tool: "${TOOL}"') + "  judges: [ada]\n")
    with pytest.raises(SuiteError, match=r"12:23: `\$\{TOOL\}` is not set"):
        load_suite(path, environment={}, on_this_machine=True)
    command = "      {kind: command, command: [./no-such-app]}"
    path = write(tmp_path, ARMS.replace('      headers: {Tool: "yes"}', command) + "  judges: [ada]\n")
    with pytest.raises(SuiteError, match=r"`command` starts `\./no-such-app`, which does not exist"):
        load_suite(path, environment={}, on_this_machine=True)


def test_judges_are_named_or_written_here(tmp_path: Path) -> None:
    own = "{name: cat, lab: three, model: cat, base_url: http://localhost:1/v1, api_key_env: CAT_KEY}"
    found = loaded(tmp_path, f"  judges: [bob, {own}]\n  synthesizer: cat\n", CAT_KEY="hush-hush-hush")
    assert [member.name for member in members_of(found.suite)] == ["bob", "cat"]
    assert (synthesizer_of(found.suite) or members_of(found.suite)[0]).name == "cat"
    assert "hush-hush-hush" in found.secrets


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("  judges: [adda]\n", ["9:12: there is no judge `adda`; did you mean `ada`?"]),
        ("  judges: [zoe]\n", ["9:12: there is no judge `zoe`; `judges: panel` has `ada`, `bob`"]),
        ("  judges: [ada, ada]\n", ["9:3: two judges are named ada"]),
        ("  judges: [ada]\n  synthesizer: zoe\n", ["10:16: there is no judge `zoe`; `judges: panel` has `ada`, `bob`"]),
        (
            "  judges: [{name: ada, lab: x, model: y}]\n",
            [
                (
                    "9:19: judge `ada` stands in `judges: panel` already; write its name alone, or give this one a name "
                    "of its own"
                )
            ],
        ),
        (
            "  judges: [ada, {name: cat, lab: x, model: small, base_url: http://localhost:1/v1}]\n",
            [
                (
                    "9:44: judge `cat` is `ada` once more: the same model, asked alike; take one of them out, or name "
                    "another model"
                )
            ],
        ),
        ("  judges: [{name: cat, lab: x, model: y, modl: z}]\n", ["9:42: unknown key `modl`; did you mean `model`?"]),
        ("  judges: []\n", ["9:11: `judges` is an empty list; write at least one entry"]),
    ],
)
def test_a_judge_that_is_none_is_told(tmp_path: Path, section: str, expected: list[str]) -> None:
    assert mistakes(tmp_path, section) == expected


def test_a_key_in_the_file_is_repeated_nowhere(tmp_path: Path) -> None:
    key = "sk_live_0123456789abcdefghij"
    [found] = mistakes(tmp_path, f"  judges: [{{name: cat, lab: x, model: y, api_key_env: {key}}}]\n")
    assert "looks like a key itself" in found
    assert key not in found


def test_labs_that_meet_are_disclosed(tmp_path: Path) -> None:
    own = "{name: cat, lab: ONE, model: cat, base_url: http://localhost:1/v1}"
    section = ARMS.replace("lab: maker", "lab: Two") + f"  judges: [ada, bob, {own}]\n"
    found = loaded(tmp_path, section)
    assert [(shared.judges, shared.arms) for shared in shared_labs(found.suite)] == [
        (("ada", "cat"), ()),
        (("bob",), ("control", "treatment")),
    ]
    told = [remark for remark in found.remarks if remark.startswith("ab: judge")]
    assert told == [
        "ab: judge ada, judge cat are of one lab (one): every headline is told without them as well",
        (
            "ab: judge bob, the control's model, the treatment's model are of one lab (two): every headline is told "
            "without them as well"
        ),
    ]


def test_labs_that_meet_are_refused_by_name_where_the_suite_says_so(tmp_path: Path) -> None:
    section = ARMS.replace("lab: maker", "lab: Two") + "  judges: [ada, bob]\n  same_lab: refuse\n"
    assert mistakes(tmp_path, section) == [
        (
            "14:13: judge bob, the control's model, the treatment's model are of one lab (two), which `same_lab: refuse` "
            "forbids; name another judge, or write `same_lab: disclose`"
        )
    ]
    apart = ARMS + "  judges: [ada, bob]\n  same_lab: refuse\n"
    assert shared_labs(loaded(tmp_path, apart).suite) == ()


def test_an_arm_of_which_nobody_says_the_lab_is_told(tmp_path: Path) -> None:
    told = (
        "ab: nobody says who trained the model of control and treatment; write `lab:`, or a judge of the same lab goes "
    )
    found = loaded(tmp_path, ARMS.replace(", lab: maker", "") + "  judges: [ada]\n")
    assert [remark for remark in found.remarks if remark.startswith(told)]
    assert not [remark for remark in loaded(tmp_path, ARMS + "  judges: [ada]\n").remarks if "nobody says" in remark]


def test_who_writes_a_budget_does_not_halve_the_calls_of_a_pair(tmp_path: Path) -> None:
    for budget, calls in (("{usd: 2.0}", 4), ("{calls_per_case: 2}", 2)):
        ab = loaded(tmp_path, f"  judges: [ada]\n  budget: {budget}\n").suite.ab
        assert ab is not None
        assert ab.budget.calls_per_case == calls


def test_a_rubric_is_ours_or_a_file_beside_the_suite(tmp_path: Path) -> None:
    usual = loaded(tmp_path, "  judges: [ada]\n").rubric
    assert usual is not None
    assert len(usual.names) == 5
    (tmp_path / "own.yaml").write_text(
        "dimensions: [{name: warmth, asks: Is it kind?, levels: [{score: 1, means: no}, {score: 5, means: yes it is}]}]"
    )
    own = loaded(tmp_path, "  judges: [ada]\n  rubric: own.yaml\n").rubric
    assert own is not None
    assert own.names == ("warmth",)
    path = write(tmp_path, "  judges: [ada]\n")
    path.write_text(path.read_text().partition("\nab:")[0])
    assert load_suite(path, environment={}).rubric is None


def test_a_rubric_that_is_none_is_told(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "  judges: [ada]\n  rubric: gone.yaml\n") == [
        "10:11: there is no file `gone.yaml`; write the rubric's path, relative to this file's folder"
    ]
    (tmp_path / "own.yaml").write_text("dimensions: [{name: warmth, ask: no}]")
    with pytest.raises(SuiteError, match=r"own\.yaml:1:29: unknown key `ask`; did you mean `asks`\?"):
        loaded(tmp_path, "  judges: [ada]\n  rubric: own.yaml\n")
