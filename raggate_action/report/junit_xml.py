"""JUnit XML, as readers of test reports take it: flat suites of one case each, the message in attribute and text.

Some readers show the attribute, some the text; some need a name everywhere; none may meet a character that XML 1.0
does not have. So every word passes through one function here, and a line of text never begins with a stranger's.
"""

from __future__ import annotations

import hashlib
import html
import re
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypeAlias

from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import all_reasons
from raggate_action.report.escape import log_line
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.report_input import Reporting
from raggate_action.report.reported_case import ReportedCase, place_of
from raggate_action.strings.visible_text import cut

Result: TypeAlias = Literal["passed", "failure", "error", "skipped"]

_LONGEST_MESSAGE: Final = 1_000
_LONGEST_NAME: Final = 200
_MOST_REASONS: Final = 20
# Noncharacters that XML 1.0 does not have; controls and lone surrogates are gone by then.
_NOT_XML = re.compile("[\ufffe\uffff]")
DECISION: Final = "decision"


class JunitCase(NamedTuple):
    """A test case.

    Attributes:
        suite: Name of its suite.
        result: What became of it.
        seconds: How long the app took.
        xml: The element.
    """

    suite: str
    result: Result
    seconds: Decimal
    xml: str


class SuiteCount:
    """What the head of a suite says of its cases."""

    def __init__(self) -> None:
        self.results: dict[Result, int] = {"passed": 0, "failure": 0, "error": 0, "skipped": 0}
        self.seconds = Decimal(0)

    def add(self, case: JunitCase) -> None:
        """Count a case."""
        self.results[case.result] += 1
        self.seconds += case.seconds

    @property
    def attributes(self) -> str:
        """The counts and the time as attributes."""
        found = self.results
        return (
            f'tests="{sum(found.values())}" failures="{found["failure"]}" errors="{found["error"]}" '
            f'skipped="{found["skipped"]}" time="{_time(self.seconds)}"'
        )


def opening(reporting: Reporting, whole: SuiteCount) -> str:
    """The beginning of the file."""
    name = xml_words(f"raggate {reporting.run.suite}", _LONGEST_NAME)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="{name}" {whole.attributes}>\n'


def suite_opening(name: str, count: SuiteCount, reporting: Reporting) -> str:
    """The beginning of a suite."""
    when = xml_words(str(reporting.run.started_at))
    return f'<testsuite name="{xml_words(name)}" {count.attributes} timestamp="{when}">\n'


SUITE_END: Final = "</testsuite>\n"
END: Final = "</testsuites>\n"


def decision_case(reporting: Reporting) -> JunitCase:
    """The decision as a test, so that no reader shows a blocked run as green: what a single case does not tell."""
    run = reporting.run
    why = log_line(cut(all_reasons(run.decision, reporting.base_name), _LONGEST_MESSAGE))
    result: Result = {"release": "passed", "block": "failure", "inconclusive": "error"}[run.decision.kind]  # type: ignore[assignment]
    if result != "passed" and not run.decision.enforced:
        result, why = "skipped", f"advice only: {run.decision.kind}: {why}"
    body = _told(result, run.decision.kind, f"{run.decision.kind}: {why}" if result != "skipped" else why, [])
    xml = f'<testcase classname="raggate" name="{DECISION}" time="0.000">{body}</testcase>\n'
    return JunitCase(DECISION, result, Decimal(0), xml)


def junit_case(case: ReportedCase, reporting: Reporting, *, root: str = "") -> JunitCase:
    """A case as a test. Its suite and its name stay what they are from run to run, whatever becomes of it.

    Args:
        case: The case.
        reporting: Its run.
        root: The working directory of the run, seen from the top of the repository.
    """
    row = case.row
    result, kind, message, details = _result(case, reporting)
    suite = _suite(case, reporting)
    file, line = place_of(row, root)
    if log_line(file) != file or _NOT_XML.search(file):
        # A path that cannot be written as it is would be another one.
        file, line = "", None
    seconds = Decimal(str(row.latency_ms or 0)) / 1000
    where = f' file="{xml_words(file)}" line="{line}"' if file else ""
    # Readers take a point for the border of a package.
    group = suite.replace(".", "_")
    head = (
        f'<testcase classname="raggate.{xml_words(group)}" name="{_name(row.case_id)}"{where} time="{_time(seconds)}"'
    )
    if result == "passed":
        return JunitCase(suite, result, seconds, f"{head}/>\n")
    repeat = repeat_command(row.case_id, reporting.run)
    lines = [*details, *([f"repeat: {repeat}"] if repeat and log_line(repeat) == repeat else [])]
    properties = _properties(case)
    return JunitCase(suite, result, seconds, f"{head}>{properties}{_told(result, kind, message, lines)}</testcase>\n")


def _suite(case: ReportedCase, reporting: Reporting) -> str:
    """The first slice of a case by the suite's own order: known-bad cases stand apart, a case without one by itself."""
    if case.row.kind == "known_bad":
        return "known bad"
    found = case.row.slices[0] if case.row.slices else reporting.run.suite
    return cut(log_line(found), _LONGEST_NAME) or "cases"


def _failure_type(stage: str | None) -> str:
    return (stage or "failed").replace(" ", "-")


def _result(case: ReportedCase, reporting: Reporting) -> tuple[Result, str, str, list[str]]:
    """What became of a case, a short name of why, a sentence, and more lines."""
    row = case.row
    if row.kind == "known_bad" and not case.left_open:
        if row.blocked_as_named:
            return "passed", "", "", []
        instead = f"failed first at {row.first_failed_stage}" if row.first_failed_stage else "got through"
        return "failure", "known-bad-not-blocked", f"it had to be blocked at {row.blocked_at}, but {instead}", []
    state = "unmeasured" if case.left_open else case.state
    if state == "failed":
        reasons = case.reasons(reporting) or [f"failed at {case.stage}"]
        more = [f"and {len(reasons) - _MOST_REASONS} more"] if len(reasons) > _MOST_REASONS else []
        # What stopped the app is none of its answer's faults.
        result: Result = "error" if case.stage == "target" else "failure"
        return result, _failure_type(case.stage), reasons[0], [*reasons[1:_MOST_REASONS], *more]
    if state == "unmeasured":
        why = case.why_unmeasured(reporting)
        return ("error", "fault", f"a fault in raggate: {why}", []) if case.is_fault else (
            "skipped", "", f"unmeasured: {why}", [],
        )  # fmt: skip
    if state == "flaky":
        return "skipped", "", "flaky: it failed, and passed when it was asked again", []
    if state == "waived":
        gates = ", ".join(
            f"{gate_name(gate)} ({waiver.owner}, until {waiver.expires})" for gate, waiver in case.waived.items()
        )
        return "skipped", "", f"waived: {gates}", []
    return "passed", "", "", []


def _told(result: Result, kind: str, message: str, lines: list[str]) -> str:
    """The element that says why; the message stands in its text too, for readers that show only that."""
    words = xml_words(message, _LONGEST_MESSAGE)
    if result == "passed":
        return ""
    if result == "skipped":
        return f'<skipped message="{words}">{words}</skipped>'
    text = "\n".join([words, *[f"- {xml_words(line, _LONGEST_MESSAGE)}" for line in lines]])
    return f'<{result} type="{xml_words(kind)}" message="{words}">{text}</{result}>'


def _properties(case: ReportedCase) -> str:
    row = case.row
    found = {"state": case.state, "stage": case.stage, "score": row.score}
    each = [
        f'<property name="{name}" value="{xml_words(str(value))}"/>'
        for name, value in found.items()
        if value is not None
    ]
    return f"<properties>{''.join(each)}</properties>"


def _name(case_id: str) -> str:
    """The id; two that differ in what XML or a reader cannot see stay two."""
    name = xml_words(case_id, _LONGEST_NAME).strip()
    if html.unescape(name) == case_id:
        return name
    return f"{name} ~{hashlib.sha256(case_id.encode(errors='surrogatepass')).hexdigest()[:8]}".strip()


def _time(seconds: Decimal) -> str:
    return f"{seconds:.3f}"


def xml_words(text: str, longest: int | None = None) -> str:
    """Foreign text on one line for an attribute or a text of XML 1.0; cut first where it is too long."""
    words = _NOT_XML.sub("\ufffd", log_line(text if longest is None else cut(text, longest)))
    return html.escape(words)
