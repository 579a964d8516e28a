"""JUnit XML, as readers of test reports take it: flat suites of one case each, the message in attribute and text.

Some readers show the attribute, some the text; some need a name everywhere; none may meet a character that XML 1.0
does not have. So every word passes through one function here, and a line of text never begins with a stranger's.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import all_reasons, outcome_words
from raggate_action.report.escape import log_line
from raggate_action.report.origin_view import place_of
from raggate_action.report.page_cases import ListedCase
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Unmeasured
from raggate_action.strings.visible_text import cut

Result: TypeAlias = Literal["passed", "failure", "error", "skipped"]

_LONGEST_MESSAGE: Final = 1_000
_LONGEST_NAME: Final = 200
_MOST_REASONS: Final = 20
# Noncharacters that XML 1.0 does not have; controls and lone surrogates are gone by then.
_NOT_XML = re.compile("[\ufffe\uffff]")
_DECISION: Final = "decision"


def junit_pieces(
    cases: Iterable[tuple[CaseRun, ListedCase]], reporting: Reporting, *, root: str = ""
) -> Iterator[bytes]:
    """The file. The cases of a suite wait in a nameless file, in memory only their places.

    Args:
        cases: Every row with how it stands, one at a time.
        reporting: The run.
        root: The working directory of the run, seen from the top of the repository.
    """
    places: dict[str, list[tuple[int, int]]] = {}
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryFile() as waiting:

        def keep(suite: str, case: Element) -> None:
            written = f"{tostring(case, 'unicode')}\n".encode()
            places.setdefault(suite, []).append((waiting.tell(), len(written)))
            waiting.write(written)
            found = counts.setdefault(suite, Counter())
            found.update(["tests", *[child.tag for child in case if child.tag != "properties"]])
            found["milliseconds"] += round(1000 * Decimal(case.attrib["time"]))

        keep(_DECISION, decision_case(reporting))
        for row, case in cases:
            keep(_suite(row, reporting), junit_case(row, case, reporting, root=root))
        yield b"<?xml version='1.0' encoding='UTF-8'?>\n"
        yield _opening("testsuites", f"raggate {reporting.run.suite}", sum(counts.values(), Counter()))
        for name, count in counts.items():
            yield _opening("testsuite", name, count, timestamp=str(reporting.run.started_at))
            for start, length in places[name]:
                waiting.seek(start)
                yield waiting.read(length)
            yield b"</testsuite>\n"
        yield b"</testsuites>\n"


def _opening(tag: str, name: str, count: Counter[str], **more: str) -> bytes:
    """The beginning of a suite, or of them all, with what it says of its cases."""
    said = {"tests": "tests", "failures": "failure", "errors": "error", "skipped": "skipped"}
    numbers = {attribute: str(count[kind]) for attribute, kind in said.items()}
    time = f"{count['milliseconds'] / 1000:.3f}"
    whole = Element(tag, {"name": xml_words(name, _LONGEST_NAME), **numbers, "time": time, **more})
    written = tostring(whole, "unicode", short_empty_elements=False)
    return f"{written.removesuffix(f'</{tag}>')}\n".encode()


def decision_case(reporting: Reporting) -> Element:
    """The decision as a test, so that no reader shows a blocked run as green: what a single case does not tell."""
    decision = reporting.run.decision
    why = log_line(cut(all_reasons(reporting.run), _LONGEST_MESSAGE))
    results: dict[str, Result] = {"release": "passed", "block": "failure", "inconclusive": "error"}
    result = results[decision.kind]
    if result != "passed":
        why = f"{decision.kind}: {why}"
        if not decision.enforced:
            result, why = "skipped", f"advice only: {why}"
    case = Element("testcase", {"classname": "raggate", "name": _DECISION, "time": "0.000"})
    _tell(case, result, decision.kind, [why])
    return case


def junit_case(row: CaseRun, case: ListedCase, reporting: Reporting, *, root: str = "") -> Element:
    """A case as a test. Its suite and its name stay what they are from run to run, whatever becomes of it.

    Args:
        row: The case.
        case: How it stands.
        reporting: The run.
        root: As in `junit_pieces`.
    """
    # Readers take a point for the border of a package.
    group = _suite(row, reporting).replace(".", "_")
    element = Element("testcase", {"classname": f"raggate.{group}", "name": _name(row.case_id)})
    file, line = place_of(row, root)
    # A path that cannot be written as it is would be another one.
    if file and xml_words(file) == file:
        element.attrib |= {"file": file, "line": str(line)}
    element.set("time", f"{Decimal(str(row.latency_ms or 0)) / 1000:.3f}")
    result, lines = _result(row, case)
    if result != "passed":
        properties = SubElement(element, "properties")
        for name, value in {"state": case.state, "stage": case.stage, "score": row.score}.items():
            if value is not None:
                SubElement(properties, "property", {"name": name, "value": xml_words(str(value))})
        repeat = repeat_command(row.case_id, reporting.run)
        if repeat and log_line(repeat) == repeat:
            lines.append(f"repeat: {repeat}")
        _tell(element, result, (case.stage or case.state).replace(" ", "-"), lines)
    return element


def _suite(row: CaseRun, reporting: Reporting) -> str:
    """The first slice of a case by the suite's own order: known-bad cases stand apart, a case without one by itself."""
    if row.kind == "known_bad":
        return "known bad"
    return xml_words(row.slices[0] if row.slices else reporting.run.suite, _LONGEST_NAME) or "cases"


def _result(row: CaseRun, case: ListedCase) -> tuple[Result, list[str]]:
    """What became of a case, and why, a line each."""
    if case.state in {"passed", "blocked", "look"}:
        return "passed", []
    outcome = row.outcomes[case.gate] if case.gate is not None else None
    why = f"{gate_name(case.gate)}: {case.why}" if case.gate is not None else case.why
    if case.state in {"failed", "not-blocked"}:
        more = outcome_words(outcome)[1:_MOST_REASONS] if outcome is not None else []
        # What stopped the app is none of its answer's faults.
        result: Result = "error" if case.stage == "target" and case.state == "failed" else "failure"
        return result, [why or f"failed at {case.stage}", *more]
    if isinstance(outcome, Unmeasured) and outcome.reason == "fault":
        return "error", [f"a fault in raggate: {why}"]
    return "skipped", [f"{'not measured' if case.state == 'unmeasured' else case.state}: {why}"]


def _tell(case: Element, result: Result, kind: str, lines: list[str]) -> None:
    """The element that says why; the message stands in its text too, for readers that show only that."""
    if result != "passed":
        message, *more = [xml_words(line, _LONGEST_MESSAGE) for line in lines]
        why = SubElement(case, result, {"message": message})
        if result == "skipped":
            why.text = message
        else:
            why.set("type", xml_words(kind))
            why.text = "\n- ".join([message, *more])


def _name(case_id: str) -> str:
    """The id; two that differ in what XML or a reader cannot see stay two."""
    name = xml_words(case_id, _LONGEST_NAME).strip()
    if name == case_id:
        return name
    return f"{name} ~{hashlib.sha256(case_id.encode(errors='surrogatepass')).hexdigest()[:8]}".strip()


@lru_cache(256)
def xml_words(text: str, longest: int | None = None) -> str:
    """Foreign text on one line for an attribute or a text of XML 1.0; cut first where it is too long."""
    return _NOT_XML.sub("\ufffd", log_line(text if longest is None else cut(text, longest)))
