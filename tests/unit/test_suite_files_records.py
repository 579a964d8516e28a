"""What is said of a document that does not fit its record: place, value, what to write."""

from __future__ import annotations

import pytest

from raggate_action.schema.case import Case
from raggate_action.schema.suite import Suite
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.problems import LISTED_AT_MOST, FileProblems, Mark, name_text, nearest_word, value_text
from raggate_action.suite_files.yaml_file import read_yaml


def told(model: type[Case | Suite], text: str) -> list[str]:
    problems = FileProblems("f")
    node = read_yaml(text, problems)
    assert node is not None
    assert read_record(model, node, problems) is None
    return [str(problem).removeprefix("f:") for problem in sorted(problems.kept)]


def case(extra: str) -> str:
    return f"case_id: a\nquestion: q\n{extra}"


def suite(extra: str) -> str:
    return f"suite: s\ncases: [a]\ntarget: {{kind: http, url: u}}\n{extra}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(case("qestion: x"), "3:1: unknown key `qestion`; did you mean `question`?", id="a misspelt key"),
        pytest.param(case("messages: [{role: user, content: x, zzz: 1}]"), "3:37: unknown key `zzz`; known here: `role`, `content`", id="a key like no other"),
        pytest.param(case("tags: smoke"), "3:7: `tags` is 'smoke'; write a list, as in [a, b]", id="text for a list"),
        pytest.param(case("tags: [smoke, [x]]"), "3:15: an entry of `tags` is a list; write text", id="a list for text"),
        pytest.param(case("tags: [smoke, ]\nname: {}"), "4:7: `name` is an empty mapping; write text", id="a mapping for text"),
        pytest.param(case("weight: heavy"), "3:9: `weight` is 'heavy'; write a number", id="text for a number"),
        pytest.param(case("weight: 0"), "3:9: `weight` is 0; write a number of more than 0", id="a number out of bounds"),
        pytest.param(case("weight: .inf"), "3:9: `weight` is '.inf'; write a number", id="an infinite number"),
        pytest.param(case("released: no"), "3:11: `released` is 'no'; write true or false", id="a word for a boolean"),
        pytest.param(case("expect: abstian"), "3:9: `expect` is 'abstian'; did you mean `abstain`?", id="a misspelt choice"),
        pytest.param(case("expect: 3"), "3:9: `expect` is 3; write one of `answer`, `abstain`", id="no choice"),
        pytest.param(case("category: ''"), "3:11: `category` is empty; write some text", id="empty text"),
        pytest.param(case("custom_check: refund"), "3:15: `custom_check` is 'refund'; write it as module:callable", id="a callable without its module"),
        pytest.param(case("as_of: tomorrow"), "3:8: `as_of` is 'tomorrow'; write a date or time as 2026-06-02 or 2026-06-02T09:00:00Z", id="a moment"),
        pytest.param(case("messages: hello"), "3:11: `messages` is 'hello'; write a list, as in [a, b]", id="text for messages"),
        pytest.param(case("messages: [hello]"), "3:12: an entry of `messages` is 'hello'; write a mapping, as in {key: value}", id="text for a message"),
        pytest.param("case_id: a", "1:1: a case asks something: write `question:` or `messages:`", id="a case that asks nothing"),
        pytest.param(case("released: false"), "1:1: a known-bad case (released: false) needs `trace:` and `blocked_at:`", id="fields that contradict"),
        pytest.param("question: q", "1:1: `case_id` is missing; add `case_id:` here", id="a missing key"),
        pytest.param("caseid: a\nquestion: q", "1:1: unknown key `caseid`; did you mean `case_id`?", id="a misspelt key is not missing as well"),
        pytest.param("hello", "1:1: the case is 'hello'; write a mapping, as in {key: value}", id="text for a case"),
        pytest.param("case_id:\nquestion: q", "1:9: `case_id` is nothing; write text", id="nothing for text"),
        pytest.param(case("required_points: [[x]]"), "3:19: an entry of `required_points` is a list; write text or a mapping", id="neither form of a point"),
        pytest.param(case("required_points: [{idd: x}]"), "3:20: unknown key `idd`; did you mean `id`?", id="a mistake in the long form of a point"),
        pytest.param(case("trace: {answer: {txt: x}}"), "3:18: unknown key `txt`; did you mean `text`?", id="a mistake in an inline trace"),
        pytest.param(case("trace: {versions: [[a]]}"), "3:20: a pair is incomplete; write both, as in [retriever, r2]", id="half a pair"),
        pytest.param(case("trace: {versions: 3}"), "3:19: `versions` is 3; write a list or a mapping", id="neither form of the versions"),
        pytest.param(case("trace: {context: [{version: v1}, {chunk_id: c2}]}"), "3:19: `chunk_id` is missing; add `chunk_id:` here", id="a chunk without its id"),
        pytest.param(suite("target_: 1"), "4:1: unknown key `target_`; did you mean `target`?", id="a misspelt section"),
        pytest.param(suite("gates: {candidate_recall: {min: 95}}"), "4:33: `min` is 95; a share lies between 0 and 1: write 95% or 0.95", id="an ambiguous share"),
        pytest.param(suite("gates: {candidate_recal: {}}"), "4:9: unknown key `candidate_recal`; did you mean `candidate_recall`?", id="a misspelt gate"),
        pytest.param(suite("scopes: {pr: {smaple: 3}}"), "4:15: unknown key `smaple`; did you mean `sample`?", id="a misspelt key of a named scope"),
        pytest.param(suite("seed: 1.5"), "4:7: `seed` is 1.5; write a whole number", id="a fraction for a whole number"),
        pytest.param(suite("citation_markers: []"), "4:19: `citation_markers` is an empty list; write at least one entry", id="an empty list"),
        pytest.param(suite("language: EN"), "4:11: `language` is 'EN'; write a language code of two or three small letters, as in en", id="a language code"),
        pytest.param(suite("evidence: a.jsonl"), "4:11: `evidence` is 'a.jsonl'; write a mapping or a list", id="neither form of the evidence"),
        pytest.param(suite("evidence: {files: [a], txt: [b]}"), "4:24: unknown key `txt`; did you mean `text`?", id="the long form of the evidence"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: htp, url: u}", "3:16: `kind` is 'htp'; did you mean `http`?", id="an unknown kind of target"),
        pytest.param("suite: s\ncases: [a]\ntarget: {url: u}", "3:9: `kind` is missing; add `kind:` here", id="a target without its kind"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: http, url: u, ready: {timeout: 3, url: u}}", "3:38: unknown key `timeout`; did you mean `timeout_s`?", id="a key deep in a target"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: function, function: rag.ask}", "3:36: `function` is 'rag.ask'; write rag:ask", id="a callable as Python names it"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: function, function: ./src/rag.py:ask}", "3:36: `function` is './src/rag.py:ask'; write src.rag:ask", id="a callable behind its file"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: function, function: 'rag:ask()'}", "3:36: `function` is 'rag:ask()'; write rag:ask", id="a call"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: function, function: rag}", "3:36: `function` is 'rag'; write it as module:callable", id="a module alone"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: function, function: 'rag:ask', pyton: x}", "3:47: unknown key `pyton`; did you mean `python`?", id="a key of a function target"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: http, url: u, response: [a]}", "3:40: `response` is a list; write text or a mapping", id="neither form of a response"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: http, url: u, response: auo}", "3:40: `response` is 'auo'; did you mean `auto`?", id="a misspelt form of a response"),
        pytest.param("suite: s\ncases: [a]\ntarget: {kind: http, url: u, response: {answer: [a]}}", "3:49: `answer` is a list; write text", id="a path that is none"),
        pytest.param(suite("pipeline: {context: no}"), "4:21: `context` is 'no'; write one of `none`", id="no context in another word"),
        pytest.param(suite("pipeline: {context: none, citations: true}"), "4:11: `context: none` says that the app reports no context, and `citations` wants one: leave one of them out", id="no context and citations"),
        pytest.param(suite("pipeline: {context: none, stages: [context]}"), "4:11: `context: none` says that the app reports no context, and `stages` with context wants one: leave one of them out", id="no context and a stage of it"),
        pytest.param("suite: a b\ncases: [a]\ntarget: {kind: http, url: u}", "1:8: `suite` is 'a b'; write up to 64 letters, digits, `.`, `_`, `-`; begin with a letter or digit", id="a name with a space"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_to_write(text: str, problem: str) -> None:
    assert told(Suite if text.startswith("suite") else Case, text) == [problem]


def test_a_date_that_is_none_is_told() -> None:
    waiver = "waivers: [{case: a, gate: target, reason: r, owner: o, expires: 2026-13-01}]"
    assert told(Suite, suite(waiver)) == ["4:65: `expires` is '2026-13-01'; write a date, as in 2026-12-31"]


def test_every_mistake_of_a_document_is_told_at_once() -> None:
    problems = told(Case, "case_id: [a]\nqestion: q\ntags: x\nweight: y\nexpect: z\ntrace: {answer: [], context: 1}")
    assert [problem.split(":")[0] for problem in problems] == ["1", "2", "3", "4", "5", "6", "6"]


def test_plain_scalars_stay_as_written_where_text_is_wanted() -> None:
    problems = FileProblems("f")
    text = """
        case_id: 007
        question: true
        tags: [1.10, 2026-06-02, no, 0x1F]
        required_points: [1.10, {id: 1e3, support_phrases: [12.50]}]
        input: {price: 12.50, flag: true}
        weight: 2
        trace: {answer: 42, versions: {retriever: 1.10}, context: [{chunk_id: 10, version: 2.0}], latency_ms: 12}
    """
    node = read_yaml(text, problems)
    assert node is not None
    case = read_record(Case, node, problems)
    assert [str(problem) for problem in problems.kept] == []
    assert case is not None
    assert (case.case_id, case.question, case.tags) == ("007", "true", ("1.10", "2026-06-02", "no", "0x1F"))
    assert [(point.id, point.support_phrases) for point in case.points] == [("1.10", ()), ("1e3", ("12.50",))]
    assert case.input == {"price": 12.5, "flag": True}
    assert case.trace is not None
    assert case.trace.version_pairs == (("retriever", "1.10"),)
    assert (case.trace.answer, case.trace.context_chunks[0].version, case.trace.latency_ms) == ("42", "2.0", 12)


def test_an_aliased_number_is_a_number_here_and_text_there() -> None:
    problems = FileProblems("f")
    node = read_yaml("case_id: &n 10\nquestion: q\nweight: *n", problems)
    assert node is not None
    case = read_record(Case, node, problems)
    assert case is not None
    assert (case.case_id, case.weight) == ("10", 10)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        ("a\nb\x1b[31m\u202e", "'a\\nb\\x1b[31m\\u202e'"),
        ("x" * 61, "'" + "x" * 57 + "...'"),
        ("x" * 60, "'" + "x" * 60 + "'"),
    ],
)
def test_found_values_are_short_and_harmless(value: object, text: str) -> None:
    assert value_text(value) == text


def test_found_names_cannot_leave_their_backticks() -> None:
    assert name_text("a`b\nc") == "a'b\\nc"


def test_only_a_word_that_is_alike_is_meant() -> None:
    assert nearest_word("reqired_points", ["question", "required_points"]) == "required_points"
    assert nearest_word("version", ["question", "weight"]) is None


def test_problems_past_those_shown_are_counted() -> None:
    problems = FileProblems("f")
    for line in range(LISTED_AT_MOST + 7):
        problems.add(Mark(line + 1, 1), "x")
    assert (len(problems.kept), problems.more, len(problems)) == (100, 7, 107)
