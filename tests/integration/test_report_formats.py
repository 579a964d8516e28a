"""`report --format junit | sarif | badge | json | html`: read back by the readers that people have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring, tostring

import pytest
from jsonschema import Draft4Validator, FormatChecker
from junitparser import Failure, JUnitXml, Skipped

from raggate_action.cli.main import main
from raggate_action.report import sarif
from raggate_action.report.decision_words import outcome_words
from raggate_action.report.junit_xml import decision_case, junit_case, xml_words
from raggate_action.report.page_cases import ListedCase, PageState
from raggate_action.report.report_input import Reporting
from raggate_action.report.sarif import SarifResults, sarif_log
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed, Passed, Problem, Unmeasured
from tests.golden.hostile import ATTACKS, hostile, hostile_row, repeated
from tests.integration.test_report_file import GOOD, QUESTIONS, WORSE
from tests.integration.test_report_file import suite as suite  # noqa: PLC0414 - a fixture

MORE = (
    *ATTACKS,
    "]]></failure><testcase name='x'/>",
    "".join(map(chr, range(0x20))),
    "\ufffe\uffff\ud800\udfff",
    "&amp; &#0; \"'",
    "x" * 1_000_000,
)
# Everything that XML 1.0 allows (section 2.2), tabs and line breaks among it.
LEGAL = re.compile("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


MESSAGE = "faithfulness: the evidence contradicts “Refunds take 90 days.”"


def printed(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str, code: int = 0) -> bytes:
    capsysbinary.readouterr()
    assert main(["report", *arguments]) == code
    return capsysbinary.readouterr().out


# The schema of OASIS, as the npm package @microsoft/jest-sarif 1.0.0-beta.0 brings it.
SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text())


def see_valid(found: Any) -> None:
    errors = [error.message for error in Draft4Validator(SCHEMA, format_checker=FormatChecker()).iter_errors(found)]
    assert errors == []


def junit(text: bytes) -> dict[str, Any]:
    return {case.name: case for part in JUnitXml.fromstring(text) for case in part}


def test_junit_has_every_case_with_file_and_line_and_the_reason_twice(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    head = suite("head", WORSE)
    text = printed(capsysbinary, str(head), "--format", "junit")
    found = junit(text)
    assert set(found) == {"decision", *QUESTIONS}
    (why,) = found["refund"].result
    assert isinstance(why, Failure)
    assert (why.type, why.message) == ("answer-faithfulness", MESSAGE)
    # Some readers show the attribute, some the text.
    assert (why.text or "").splitlines()[0] == why.message
    assert "--case refund" in (why.text or "")
    assert (found["desk"].result, found["odd"].result) == ([], [])
    root = fromstring(text)
    case = next(each for each in root.iter("testcase") if each.get("name") == "refund")
    assert (case.get("file"), case.get("line"), case.get("classname")) == ("cases.jsonl", "1", "raggate.desk")
    # One failing case and the decision, of three cases and the decision.
    assert [root.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["4", "2", "0", "0"]
    # Properties cost nodes: GitLab reads 250,000 of a file.
    assert [each.get("name") for each in root.iter("testcase") if each.find("properties") is not None] == ["refund"]


@pytest.mark.parametrize("texts", ["quotes", "ids"])
def test_a_run_leaves_junit_and_sarif_as_the_command_prints_them(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes], texts: str
) -> None:
    head = suite("head", WORSE, texts=texts)
    for name, file in (("junit", "junit.xml"), ("sarif", "findings.sarif")):
        assert (head / file).read_bytes() == printed(capsysbinary, str(head), "--format", name)
        # The staff's chunk is for nobody, and SARIF has no word of an answer at all.
        assert b"hazel" not in (head / file).read_bytes()
    assert (b"90 days" in (head / "junit.xml").read_bytes()) == (texts == "quotes")


def test_names_stay_the_same_when_a_case_passes_again(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    names = []
    for name, answers in (("worse", WORSE), ("good", GOOD)):
        root = fromstring(printed(capsysbinary, str(suite(name, answers)), "--format", "junit"))
        names.append([(each.get("classname"), each.get("name")) for each in root.iter("testcase")])
    assert names[0] == names[1]
    assert len(set(names[0])) == 4


def test_a_case_without_a_trace_is_skipped_with_the_reason(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with pytest.MonkeyPatch.context() as free:
        free.setattr("tests.integration.test_report_file.main", lambda arguments: main(arguments) and 0)
        head = suite("head", {"refund": GOOD["refund"], "desk": GOOD["desk"]})
    found = junit(printed(capsysbinary, str(head), "--format", "junit"))
    (why,) = found["odd"].result
    assert isinstance(why, Skipped)
    assert "not measured" in why.message
    assert "trace" in why.message


def standing(row: CaseRun, state: PageState = "failed", **fields: Any) -> tuple[CaseRun, ListedCase]:
    """A case whose answer says something false."""
    given = {
        "stage": "answer faithfulness",
        "gate": "faithfulness",
        "why": outcome_words(row.outcomes["faithfulness"])[0],
    }
    return row, ListedCase(row.case_id, row.question, state, **{**given, **fields})


def test_what_kept_a_case_from_being_judged_is_an_error_and_what_says_nothing_of_it_is_skipped() -> None:
    reporting = hostile(repeated(("x",)))
    fault = {"target": Passed(), "faithfulness": Unmeasured(reason="fault", detail="log has the trace")}
    told: list[tuple[PageState, str, dict[str, Any], str, str]] = [
        ("failed", "target", {}, "error", "target: connection refused"),
        ("unmeasured", "faithfulness", {"outcomes": fault}, "error", "a fault in raggate: faithfulness: "),
        ("flaky", "", {}, "skipped", "flaky: connection refused"),
        ("waived", "target", {}, "skipped", "waived: target: connection refused"),
    ]
    for state, gate, fields, tag, words in told:
        row = hostile_row(0, repeated(("x",)), case_id="q", **fields)
        stage = "target" if gate == "target" else None
        case = ListedCase("q", "", state, stage, gate=gate or None, why="connection refused")  # type: ignore[arg-type]
        why = junit_case(row, case, reporting).find(tag)
        assert why is not None, state
        assert words in why.get("message", "")
        assert (why.text or "").startswith(why.get("message", "-"))


def test_under_ids_no_word_of_an_answer_is_in_any_of_them(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    head = suite("head", WORSE, texts="ids")
    for name in ("junit", "sarif", "badge"):
        assert b"90 days" not in printed(capsysbinary, str(head), "--format", name), name
    assert (
        "contradicted the evidence"
        in junit(printed(capsysbinary, str(head), "--format", "junit"))["refund"].result[0].message
    )


def test_paths_begin_at_the_top_of_the_checkout(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    (tmp_path.parent / ".git").mkdir()
    try:
        head = suite("head", WORSE)
        for name, file in (("junit", "junit.xml"), ("sarif", "findings.sarif")):
            text = printed(capsysbinary, str(head), "--format", name).decode()
            assert f'"{tmp_path.name}/cases.jsonl"' in text, name
            assert (head / file).read_text() == text
    finally:
        (tmp_path.parent / ".git").rmdir()


def hostile_cases() -> list[tuple[CaseRun, ListedCase]]:
    rows = []
    for number in range(len(MORE)):
        say = repeated(MORE[number:] + MORE[:number])
        rows.append(hostile_row(number, say, case_id=MORE[number]))
    return [standing(row) for row in rows]


def test_hostile_words_stay_words_in_junit() -> None:
    reporting = hostile(repeated(MORE))
    cases = [junit_case(*each, reporting) for each in hostile_cases()]
    written = [tostring(each, "unicode") for each in (decision_case(reporting), *cases)]
    text = f"<testsuite>{''.join(written)}</testsuite>"
    assert LEGAL.fullmatch(text)
    text.encode()  # no lone surrogate is left
    root = fromstring(text)
    names = [str(each.get("name")) for each in root]
    assert len(set(names)) == len(names) == len(MORE) + 1
    assert {each.tag for each in root.iter()} == {"testsuite", "testcase", "failure", "properties", "property"}
    for case in root:
        why = case.find("failure")
        assert why is not None
        said, shown = why.get("message", ""), why.text or ""
        assert shown.startswith(said)
        # EnricoMi cuts a message at 64,000 characters and a title at 255; dorny trims names, and throws without one.
        assert 0 < len(said) <= 1_000
        assert len(shown) < 64_000
        assert 0 < len(case.get("name", "").strip()) <= 255
        # A fence of a report in Markdown ends only at the start of a line, and a runner reads commands there.
        assert all(line.startswith("- ") for line in shown.splitlines()[1:])
        assert "::" not in said


@pytest.mark.parametrize("word", MORE, ids=range(len(MORE)))
def test_every_word_is_legal_xml(word: str) -> None:
    assert LEGAL.fullmatch(xml_words(word))


def sarif_of(cases: list[tuple[CaseRun, ListedCase]], reporting: Reporting) -> dict[str, Any]:
    results = SarifResults(reporting)
    for row, case in cases:
        results.add(row, case)
    return sarif_log(results)


def test_sarif_names_gate_case_and_line_and_no_word_of_an_answer(
    suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    head = suite("head", WORSE)
    text = printed(capsysbinary, str(head), "--format", "sarif").decode()
    see_valid(json.loads(text))
    run = json.loads(text)["runs"][0]
    results = {each["ruleId"]: each for each in run["results"]}
    place = results["faithfulness"]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "cases.jsonl"}, "region": {"startLine": 1}}
    assert results["faithfulness"]["message"]["text"] == "Case refund fails faithfulness."
    assert run["automationDetails"]["id"] == "raggate/desk/"
    assert not [word for word in ("90 days", "30 days", "How long") if word in text]
    for each in run["results"]:
        assert run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]


def test_a_fingerprint_stays_when_the_case_moves_to_another_line() -> None:
    reporting = hostile(repeated())
    row = hostile_row(0, repeated(), case_id="a", file="a.yaml")

    def prints(line: int) -> list[str]:
        moved = row.model_copy(update={"line": line})
        cases = [standing(moved), standing(moved, gate="target", stage="target")]
        found = sarif_of(cases, reporting)["runs"][0]["results"]
        assert [each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in found] == [line] * 2
        return [each["partialFingerprints"]["primaryLocationLineHash"] for each in found]

    assert prints(1) == prints(7)
    assert len(set(prints(1))) == 2


def test_sarif_lists_500_results_of_the_heaviest_cases_and_says_so() -> None:
    failed = {"faithfulness": Failed(problems=(Problem(code="claim-unsupported", detail="secret words"),))}
    rows = [
        hostile_row(n, repeated(("x",)), case_id=f"q{n}", file="a.yaml", weight=n + 1, outcomes=failed)
        for n in range(600)
    ]
    found = sarif_of([standing(row) for row in rows], hostile(repeated()))
    see_valid(found)
    run = found["runs"][0]
    assert len(run["results"]) == sarif.MOST_RESULTS == 500
    assert run["results"][0]["message"]["text"] == "Case q599 fails faithfulness."
    said = [each["message"]["text"] for each in run["invocations"][0]["toolExecutionNotifications"]]
    assert said == ["500 of 600 results are listed, those of the heaviest cases first."]
    assert "secret words" not in json.dumps(found)


def test_sarif_with_hostile_names_is_valid_and_its_places_are_relative() -> None:
    cases = [standing(row.model_copy(update={"file": f"a/{row.file}"})) for row, _case in hostile_cases()]
    found = json.loads(json.dumps(sarif_of(cases, hostile(repeated(MORE)))))
    see_valid(found)
    assert len(found["runs"][0]["results"]) == len(MORE)
    for each in found["runs"][0]["results"]:
        uri = each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        assert not uri.startswith(("/", ".."))
        assert "://" not in uri
        assert len(each["message"]["text"]) < 200


def test_a_broken_sarif_file_is_seen_by_the_schema() -> None:
    with pytest.raises(AssertionError):
        see_valid({"version": "2.1.0", "runs": [{"results": []}]})


def test_badge_json_and_page(suite: Callable[..., Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    base = suite("base", GOOD)
    head = suite("head", WORSE, "--baseline", "base")
    badge = json.loads(printed(capsysbinary, str(head), "--format", "badge"))
    assert badge == {"schemaVersion": 1, "label": "raggate", "message": "block, 2 of 3 passed", "color": "red"}
    stored = json.loads((head / "run.json").read_text())
    shown = json.loads(printed(capsysbinary, str(head), "--format", "json"))
    assert (shown["decision"], shown["counts"]) == (stored["decision"], stored["counts"])
    assert printed(capsysbinary, str(head), "--format", "html") == (head / "report.html").read_bytes()
    compared = printed(capsysbinary, str(head), "--baseline", str(base), "--format", "junit", code=1)
    assert compared == printed(capsysbinary, str(head), "--format", "junit")
