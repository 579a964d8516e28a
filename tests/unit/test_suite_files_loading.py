"""The suite as a whole: variables, digests, the command line's target, checks across files, remarks."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from raggate_action.errors import SuiteError, UsageError
from raggate_action.replies.mapping import request_body
from raggate_action.schema.case import Case
from raggate_action.schema.outcome import GATES
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.targets.http_target import check_settings

TARGET = 'target: {kind: http, url: "${APP}/answer", headers: {A: "Bearer ${TOKEN}", Price: $$5}}'
ENVIRONMENT = {
    "APP": "http://app.test",
    "TOKEN": "hush-hush",
    "EMPTY": "",
    "ACTIONS_RUNTIME_TOKEN": "runtime",
    "INPUT_GITHUB-TOKEN": "ghs",
}


def write(folder: Path, extra: str = "", *, target: str = TARGET, cases: str = "- {case_id: a, question: q}") -> Path:
    path = folder / "raggate.yaml"
    path.write_text(f"suite: s\ncases: [c.yaml]\n{target}\n{extra}")
    (folder / "c.yaml").write_text(cases)
    return path


def mistakes(path: Path, *, today: date | None = None) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load_suite(path, environment=ENVIRONMENT, today=today)
    return [line.removeprefix(f"{path.parent.as_posix()}/") for line in str(caught.value).splitlines()]


def http(loaded: LoadedSuite) -> HttpTarget:
    assert isinstance(loaded.suite.target, HttpTarget)
    return loaded.suite.target


def test_variables_of_an_http_target_get_their_values(tmp_path: Path) -> None:
    target = TARGET[:-1] + ', ready: {url: "${APP}/ready"}, request: {body: {key: "${TOKEN}", n: 1}}}'
    asked = http(load_suite(write(tmp_path, target=target), environment=ENVIRONMENT))
    assert asked.url == "http://app.test/answer"
    assert asked.headers == {"A": "Bearer hush-hush", "Price": "$5"}
    assert asked.ready is not None
    assert asked.ready.url == "http://app.test/ready"
    assert asked.request.body == {"key": "hush-hush", "n": 1}


def test_variables_of_a_program_get_their_values(tmp_path: Path) -> None:
    command = 'target: {kind: command, command: [run, "--at=${APP}", $HOME], env: {T: "${TOKEN}"}}'
    target = load_suite(write(tmp_path, target=command), environment=ENVIRONMENT).suite.target
    assert isinstance(target, CommandTarget)
    assert (target.command, target.env) == (("run", "--at=http://app.test", "$HOME"), {"T": "hush-hush"})
    function = 'target: {kind: function, function: "m:f", env: {T: "${TOKEN}"}}'
    called = load_suite(write(tmp_path, target=function), environment=ENVIRONMENT).suite.target
    assert isinstance(called, FunctionTarget)
    assert called.env == {"T": "hush-hush"}


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        (
            "${MISSING}",
            "`${MISSING}` is not set in the environment; set MISSING, or write `$${MISSING}` for plain text",
        ),
        (
            "${ACTIONS_RUNTIME_TOKEN}",
            "`${ACTIONS_RUNTIME_TOKEN}` belongs to the workflow's runner; give the app a variable of its own by `env:`",
        ),
        (
            "${INPUT_GITHUB-TOKEN}",
            "`${INPUT_GITHUB-TOKEN}` belongs to the workflow's runner; give the app a variable of its own by `env:`",
        ),
        ("${EMPTY}", "`${EMPTY}` is not set in the environment; set EMPTY, or write `$${EMPTY}` for plain text"),
        ("${a-b}", "`${a-b}` names no variable; write letters, digits and _, as in `${RAG_APP_TOKEN}`"),
    ],
)
def test_a_variable_that_is_not_set_is_told(tmp_path: Path, reference: str, problem: str) -> None:
    target = f'target: {{kind: http, url: http://u, headers: {{A: "x {reference}", B: "$$ $${{MISSING}}"}}}}'
    assert mistakes(write(tmp_path, target=target)) == [f"raggate.yaml:3:50: {problem}"]


def test_no_value_of_the_environment_is_in_a_digest_or_a_message(tmp_path: Path) -> None:
    one = load_suite(write(tmp_path), environment=ENVIRONMENT)
    other = load_suite(write(tmp_path), environment={"APP": "http://other.test", "TOKEN": "other"})
    assert (one.suite_digest, one.target_digest) == (other.suite_digest, other.target_digest)
    assert "hush-hush" not in "\n".join(mistakes(write(tmp_path, "x: 1", target=TARGET[:-1] + ", z: 1}")))


def test_digests_follow_what_is_written(tmp_path: Path) -> None:
    first = load_suite(write(tmp_path), environment=ENVIRONMENT)
    gates = load_suite(write(tmp_path, "gates: {faithfulness: {min: 90%}}"), environment=ENVIRONMENT)
    assert gates.suite_digest != first.suite_digest
    assert gates.target_digest == first.target_digest
    same = load_suite(write(tmp_path, "# a comment\nseed: 0"), environment=ENVIRONMENT)
    assert same.suite_digest == first.suite_digest
    slower = load_suite(write(tmp_path, target=TARGET[:-1] + ", timeout_s: 5}"), environment=ENVIRONMENT)
    assert slower.target_digest != first.target_digest


def test_a_target_of_the_command_line_replaces_the_files(tmp_path: Path) -> None:
    recorded = RecordedTarget(kind="recorded", traces="/x/${NOT_A_VARIABLE}.jsonl")
    loaded = load_suite(write(tmp_path), environment={}, target=recorded)
    assert loaded.suite.target == recorded
    live = load_suite(write(tmp_path), environment=ENVIRONMENT)
    assert loaded.suite_digest == live.suite_digest
    assert loaded.target_digest != live.target_digest


def test_an_address_of_the_command_line_replaces_the_url_alone(tmp_path: Path) -> None:
    path = write(tmp_path)
    loaded = load_suite(path, environment={"TOKEN": "t"}, target_url="http://here/$$${X}")
    assert http(loaded).url == "http://here/$$${X}"
    assert http(loaded).headers["A"] == "Bearer t"
    with pytest.raises(SuiteError, match="TOKEN"):
        load_suite(path, environment={}, target_url="http://here")
    program = write(tmp_path, target="target: {kind: command, command: [run]}")
    with pytest.raises(UsageError, match="of kind command, which has no address"):
        load_suite(program, environment={}, target_url="http://here")


@pytest.mark.parametrize("value", ["plain", "{{question}}", "{{nothing known}}", "{{{", "${APP}", "a}}{{case_id}}"])
def test_a_variable_reaches_a_request_body_as_it_is(tmp_path: Path, value: str) -> None:
    body = '{key: "${V}", all: ["{${V}", "$${V} {{question}}"], "${V}": 1}'
    path = write(tmp_path, target=f"target: {{kind: http, url: http://u, request: {{body: {body}}}}}")
    asked = http(load_suite(path, environment={"V": value}))
    # Neither does a case read the environment, nor does the environment read a case.
    question = "what is ${APP}, {{case_id}} or $$?"
    sent = request_body(asked.request.body, Case(case_id="a", question=question))
    assert sent == {"key": value, "all": ["{" + value, "${V} " + question], "${V}": 1}
    check_settings(asked)


def test_a_variable_of_a_request_body_has_to_be_set_and_is_struck(tmp_path: Path) -> None:
    body = "body: {q: '{{question}}', api: [{key: '${GONE}'}]}"
    assert mistakes(write(tmp_path, target=f"target: {{kind: http, url: http://u, request: {{{body}}}}}")) == [
        "raggate.yaml:3:85: `${GONE}` is not set in the environment; set GONE, or write `$${GONE}` for plain text"
    ]
    # A plain word is a secret where the name of its place says so, as for a header.
    target = "target: {{kind: http, url: http://u, request: {{body: {{q: '{{{{question}}}}', {}}}}}}}"
    given = {"ONE": "wisteria", "TWO": "hush-5-hush"}
    for body, secrets in [
        ("auth: {api_key: '${ONE}'}, more: ['${TWO}']", ("wisteria", "hush-5-hush")),
        ("colour: '${ONE}'", ()),
    ]:
        loaded = load_suite(write(tmp_path, target=target.format(body)), environment=given)
        assert loaded.secrets == secrets


WAIVERS = "waivers: [{{case: {case}, gate: {gate}, reason: r, owner: o, expires: 2026-03-31}}]"


CASES = """\
- {case_id: a, question: q, input: {lang: de, rank: 1}, workflow: allergen, tags: [smoke], released: true}
- {case_id: refund-window, question: q, input: {urgent: true}, workflow: lunch}
- {case_id: bad, question: q, workflow: trap, tags: [blocked], released: false, blocked_at: target, trace: {}}
"""


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        pytest.param("citation_markers: ['(x']", "4:20: '(x' is not a regular expression: missing ), unterminated subpattern at position 0; correct it, or put a backslash before characters meant as they are", id="a marker that does not compile"),
        pytest.param("citation_markers: ['[[a](?P<ids>x)', '(x)']", "4:38: '(x)' has no group `ids`; write (?P<ids>...) around what is cited", id="a marker without its group"),
        pytest.param(WAIVERS.format(case="a", gate="faithfulnes"), "4:27: waiver for gate `faithfulnes`, which there is not; did you mean `faithfulness`?", id="a waiver for no gate"),
        pytest.param(WAIVERS.format(case="a", gate="behaviour, hallucination: 'claim:3f'"), "4:27: hallucination 'claim:3f' is no matter of gate `behaviour`; write `gate: faithfulness`", id="a waiver for a hallucination of another gate"),
        pytest.param(WAIVERS.format(case="a", gate="faithfulness, hallucination: it is vegan"), "4:56: 'it is vegan' is no hallucination's id; copy it from the comment, as in claim:3f9a2b7c1d4e5f60", id="a waiver for no id"),
        pytest.param(WAIVERS.format(case="b", gate="target"), "4:18: waiver for case `b`, which the suite does not have; write the id of a case, or `gate: removed` if it was taken out", id="a waiver for no case"),
        pytest.param(WAIVERS.format(case="refund-windw", gate="target"), "4:18: waiver for case `refund-windw`, which the suite does not have; did you mean `refund-window`? If it was taken out, write `gate: removed`", id="a waiver for a misspelt case"),
        pytest.param(WAIVERS.format(case="bad", gate="target"), "4:18: waiver for case `bad`, which is known bad and has to fail: nothing can be waived; take the waiver out", id="a waiver for a known-bad case"),
        pytest.param(WAIVERS.format(case="a", gate="known_bad_blocked"), f"4:27: waiver for gate `known_bad_blocked`, which judges the whole run: no case can be waived there; known are {', '.join(f'`{gate}`' for gate in (*GATES, 'removed', 'policy_weakened', 'judges_lost', 'poorer', 'new_suspects'))}", id="a waiver for a gate on the run"),
        pytest.param("slices: {protected: {workflow: [allergn]}}", "4:33: `protected` names `allergn`, a `workflow` that no case has; did you mean `allergen`?", id="a protected value that is misspelt"),
        pytest.param("slices: {protected: {workflow: [allergen, refund]}}", "4:43: `protected` names `refund`, a `workflow` that no case has; there are `allergen`, `lunch`", id="a protected value like no other"),
        pytest.param("slices: {protected: {category: [x]}}", "4:33: `protected` names `x`, a `category` that no case has; no case has any", id="a protected field that no case has"),
        pytest.param("slices: {protected: {lang: [en, de]}}", "4:29: `protected` names `en`, a `lang` that no case has; there are `de`", id="a protected value of an input"),
        pytest.param("slices: {protected: {tags: [smoke, smke]}}", "4:36: `protected` names `smke`, a tag that no case has; did you mean `smoke`?", id="a protected tag"),
        pytest.param("scopes: {pr: {tags: [smoke]}, few: {tags: [smke]}}", "4:44: scope `few` names `smke`, a tag that no case has; did you mean `smoke`?", id="a tag of a scope"),
        pytest.param("scopes: {full: {tags: [smoke]}}", "4:10: scope `full` is always every case, so that what stands here would not be looked at; give this choice of cases another name", id="a scope that is never looked at"),
        pytest.param("evidence: {files: [e.yaml], text: [nmae, description]}", "4:36: `text` names `nmae`, a field that no chunk has; did you mean `name`?", id="a field for texts that is misspelt"),
        pytest.param("slices: {by: [lang, workflo, tags]}", "4:21: slices are cut by `workflo`, which is no case field and in no case's `input`; did you mean `workflow`?", id="a slice no case can be in"),
        pytest.param("slices: {by: [lang], protected: {zone: [x]}}", "4:34: slices are cut by `zone`, which is no case field and in no case's `input`; write workflow, category, expect or tags", id="a protected slice no case can be in"),
    ],
)  # fmt: skip
def test_a_mistake_that_only_means_something_elsewhere_is_told(tmp_path: Path, extra: str, problem: str) -> None:
    (tmp_path / "e.yaml").write_text("- {chunk_id: c, name: Kofta, description: x}")
    assert mistakes(write(tmp_path, extra, cases=CASES)) == [f"raggate.yaml:{problem}"]


@pytest.mark.parametrize(
    ("extra", "remark"),
    [
        pytest.param("slices: {by: [workflow, tags, lang, expect], protected: {workflow: [lunch], tags: [smoke], urgent: [true], rank: [1]}}", "", id="what some cases have"),
        pytest.param("scopes: {pr: {tags: [smoke, blocked], sample: 3}, all: {}, base: {failing_on_base: true}}", "", id="a tag of known-bad cases alone, which always run"),
        pytest.param("slices: {by: [workflow, category]}", "slices are cut by `category`, which no case has", id="a field that no case has yet"),
        pytest.param("slices: {protected: {workflow: [trap]}}", "protected slice `workflow=trap` holds known-bad cases alone, which are in no slice: it judges nothing", id="a protected slice of known-bad cases"),
        pytest.param("evidence: {files: [e.yaml], text: [name, blurb]}", "", id="a field that chunks may lack"),
        pytest.param(WAIVERS.format(case="gone", gate="removed"), "", id="a case that was taken out"),
        pytest.param(WAIVERS.format(case="a", gate="citation_coverage"), "", id="a gate that is off"),
    ],
)  # fmt: skip
def test_what_may_be_meant_is_no_mistake(tmp_path: Path, extra: str, remark: str) -> None:
    (tmp_path / "e.yaml").write_text("- {chunk_id: c, name: Kofta, description: x}")
    loaded = load_suite(write(tmp_path, extra, cases=CASES), environment=ENVIRONMENT)
    assert loaded.remarks == ((remark,) if remark else ())


_JUDGES = "judges: {panel: [{name: owl, lab: a, model: m, price: {input: 1, output: 1}}]}"


@pytest.mark.parametrize(
    ("extra", "remarked"),
    [
        pytest.param("", None, id="no judges"),
        pytest.param(f"{_JUDGES}\ntexts: quotes", "give the suite an evidence store", id="nothing stored whole"),
        pytest.param(_JUDGES, None, id="everything stored"),
        pytest.param(f"{_JUDGES}\nevidence: [e.yaml]", None, id="a store has the texts"),
        pytest.param(f"{_JUDGES}\ntexts: ids", "`texts: quotes` and an evidence store", id="ids alone"),
        pytest.param(f"{_JUDGES}\ntexts: ids\nevidence: [e.yaml]", "`texts: quotes`", id="ids alone beside a store"),
    ],
)
def test_that_claims_cannot_be_labelled_is_said_before_anybody_tries(
    tmp_path: Path, extra: str, remarked: str | None
) -> None:
    (tmp_path / "e.yaml").write_text("- {chunk_id: c, text: x}")
    remarks = load_suite(write(tmp_path, extra), environment=ENVIRONMENT).remarks
    found = [each.partition("every chunk), or ")[2] for each in remarks if "no claim of it can be labelled" in each]
    assert found == ([] if remarked is None else [remarked])


@pytest.mark.parametrize(
    ("event", "said", "texts"),
    [
        pytest.param(None, "", "full", id="a laptop"),
        pytest.param({"repository": {"private": True}}, "", "full", id="a private repository"),
        pytest.param({"repository": {"private": False}}, "", "quotes", id="a public one"),
        pytest.param({}, "", "quotes", id="an event that does not tell"),
        pytest.param({"repository": {"private": False}}, "texts: full", "full", id="public, and the suite says full"),
        pytest.param({"repository": {"private": True}}, "texts: quotes", "quotes", id="private, and it says quotes"),
    ],
)
def test_passages_are_kept_where_not_everybody_may_download_them(
    tmp_path: Path, event: object, said: str, texts: str
) -> None:
    (tmp_path / "event.json").write_text(json.dumps(event))
    runner = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")} if event is not None else {}
    path = write(tmp_path, said)
    loaded = load_suite(path, environment={**ENVIRONMENT, **runner})
    assert loaded.suite.texts == texts
    assert loaded.suite_digest == load_suite(path, environment=ENVIRONMENT).suite_digest


def test_an_app_that_is_asked_the_same_for_every_case_is_remarked_on(tmp_path: Path) -> None:
    target = "target: {{kind: http, url: http://u, request: {{body: {}}}}}"
    remark = "`request: body` holds no placeholder such as {{question}}: the app is asked the same for every case"
    for body, expected in [("{q: 'why'}", remark), ("{q: ['{{case_id}}']}", None), ("null", None)]:
        loaded = load_suite(write(tmp_path, target=target.format(body), cases=CASES), environment=ENVIRONMENT)
        assert loaded.remarks == ((expected,) if expected else ())


def test_a_placeholder_in_single_braces_is_told_or_remarked_on(tmp_path: Path) -> None:
    target = "target: {{kind: http, url: http://u, request: {{body: {}}}}}"
    for body in ("{q: '{question}'}", "{q: '{{case_id}}', m: [' { question } ']}"):
        [problem] = mistakes(write(tmp_path, target=target.format(body), cases=CASES))
        assert problem.endswith("`body` says `{question}`, which is sent as it stands; write `{{question}}`")
    beside = "`request: body` says `{question}`, which is sent as it stands; `{{question}}` would be filled in"
    for body, expected in [
        ("{q: '{{question}}', prompt: 'Answer {question} now'}", (beside,)),
        ("{q: '{{question}}', prompt: '{questions} {{{question}}}'}", ()),
    ]:
        loaded = load_suite(write(tmp_path, target=target.format(body), cases=CASES), environment=ENVIRONMENT)
        assert loaded.remarks == expected


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("response: {answer: 'out.['}", "3:56: 'out.[' is not a JMESPath expression: column 6: the expression ends too early; write a path such as output.text or docs[].id"),
        ("response: {anwser: out}", "3:48: `response` maps `anwser`, which no trace has; did you mean `answer`?"),
        ("request: {body: {q: '{{questoin}}'}}", "3:53: `body` has an unknown placeholder '{{questoin}}'; known are question, messages, case_id, input"),
    ],
)  # fmt: skip
def test_a_mapping_that_cannot_work_is_told_before_any_call(tmp_path: Path, target: str, problem: str) -> None:
    path = write(tmp_path, target=f"target: {{kind: http, url: http://u, {target}}}")
    assert mistakes(path) == [f"raggate.yaml:{problem}"]


def test_a_waiver_past_its_date_is_a_mistake_only_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path, WAIVERS.format(case="a", gate="target"))
    assert mistakes(path, today=date(2026, 4, 1)) == [
        (
            "raggate.yaml:4:65: the waiver for case `a` expired on 2026-03-31; "
            "repair the case and take the waiver out, or renew it"
        )
    ]
    load_suite(path, environment=ENVIRONMENT, today=date(2026, 3, 31))
    load_suite(path, environment=ENVIRONMENT)


def test_a_waiver_for_a_case_taken_out_needs_no_case(tmp_path: Path) -> None:
    assert load_suite(write(tmp_path, WAIVERS.format(case="gone", gate="removed")), environment=ENVIRONMENT).cases


def test_a_case_that_could_not_be_read_is_not_unknown_as_well(tmp_path: Path) -> None:
    path = write(tmp_path, WAIVERS.format(case="b", gate="target"), cases="- {case_id: b}")
    assert mistakes(path) == ["c.yaml:1:3: a case asks something: write `question:` or `messages:`"]


def test_unknown_sources_are_told_with_the_id_that_was_meant(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(json.dumps({"chunk_id": "menu-07", "text": "x"}))
    cases = "- case_id: a\n  question: q\n  required_source_ids: [menu-07, menu-7]\n  useful_source_ids: [wine]\n"
    assert mistakes(write(tmp_path, "evidence: [e.jsonl]", cases=cases)) == [
        "c.yaml:3:34: `required_source_ids` names `menu-7`, which is not in the evidence; did you mean `menu-07`?",
        (
            "c.yaml:4:23: `useful_source_ids` names `wine`, which is not in the evidence; "
            "write the id of a chunk, or add the chunk to the evidence"
        ),
    ]


def test_of_evidence_that_cannot_be_read_no_source_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text("{")
    told = mistakes(
        write(tmp_path, "evidence: [e.jsonl]", cases="- {case_id: a, question: q, required_source_ids: [menu-7]}\n")
    )
    assert told == ["e.jsonl:1:2: this is not JSON: expecting property name enclosed in double quotes"]


NO_KNOWN_BAD = "no known-bad case: nothing shows that this suite can block; write one with `released: false`"
NO_MUST_RELEASE = (
    "no case that must be released: nothing shows that this suite lets good answers pass; add `released: true` to one"
)


@pytest.mark.parametrize(
    ("case", "remarks"),
    [
        ("- {case_id: a, question: q}", (NO_KNOWN_BAD, NO_MUST_RELEASE)),
        ("- {case_id: a, question: q, released: true}", (NO_KNOWN_BAD,)),
        ("- {case_id: a, question: q, released: false, blocked_at: admissibility, trace: {}}", (NO_MUST_RELEASE,)),
    ],
)
def test_a_suite_that_proves_nothing_is_told_so(tmp_path: Path, case: str, remarks: tuple[str, ...]) -> None:
    assert load_suite(write(tmp_path, cases=case), environment=ENVIRONMENT).remarks == remarks


def test_a_suite_may_be_json(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "raggate.json"
    path.write_text('{"suite": "s", "cases": ["c.yaml"],\n"target": {"kind": "recorded", "traces": "t", "x": 1}}')
    assert mistakes(path) == [
        "raggate.json:2:47: unknown key `x`; known here: `kind`, `traces`, `response`, `labelled`"
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "raggate.yaml:1:1: the suite file is empty; write `suite:`, `cases:` and `target:`"),
        ("hello", "raggate.yaml:1:1: the suite is 'hello'; write a mapping, as in {key: value}"),
        ("a: b: c", ("raggate.yaml:1:5: this is not YAML: mapping values are not allowed in this context; "
         "check indentation and quotes here")),
    ],
)  # fmt: skip
def test_a_file_that_is_no_suite_says_so(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "raggate.yaml").write_text(text)
    assert mistakes(tmp_path / "raggate.yaml") == [problem]


def test_a_suite_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"nothing\.yaml does not exist"):
        load_suite(tmp_path / "nothing.yaml", environment={})
    with pytest.raises(SuiteError, match="is a folder"):
        load_suite(tmp_path, environment={})


def test_paths_are_shown_relative_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, cases="- {case_id: a}")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SuiteError) as caught:
        load_suite(path, environment=ENVIRONMENT)
    assert str(caught.value).startswith("c.yaml:1:3: ")
    assert "raggate-action check" in caught.value.hint
    write(tmp_path)
    assert next(iter(load_suite(path, environment=ENVIRONMENT).cases)).file == "c.yaml"
