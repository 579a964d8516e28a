"""Each single rule of the gates, turned off once: something has to change, or the rule is not held by anything."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from raggate_action import core
from raggate_action.core.behaviour import CheckIssues
from raggate_action.core.diagnose import Rulebook
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.trace import Answered, TargetFailure
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace

FOLDER = Path(core.__file__).parent
# In the order in which they import each other.
MODULES = (
    "sentences", "citations", "abstention", "prose", "quotation", "shown", "polarity", "word_runs", "distinctive",
    "restricted_index", "app_words", "restricted", "behaviour", "withholding", "traced", "claims", "admissibility",
    "answer_gates", "hallucinations", "diagnose", "slice_names", "row",
)  # fmt: skip

TEXT = "Deploys require a linked rollback plan before rollout. It applies on weekends too. Refunds end after 30 days, except gifts."
STORE = make_store(
    make_chunk("c1", TEXT),
    make_chunk("c2", "Shipping takes three days in most countries."),
    make_chunk("secret", "Alpha bravo charlie delta echo foxtrot golf hotel india.", permitted=False),
    make_chunk("note", "The vault opens with ZX-4471-QQ after midnight.", permitted=False),
    make_chunk("short", "Launch code tango.", permitted=False),
    make_chunk("guarded", "Only guards may read this.", principals=("guards",)),
    make_chunk("old", "This has been replaced.", current=False),
    make_chunk("early", "Not yet.", valid_from="2027-01-01"),
    make_chunk("late", "No more.", valid_until="2026-01-01"),
)
FULL = make_rules(
    STORE, pipeline={"stages": ["candidates", "rerank_input", "reranked", "context"], "versions": ["index"]}
)
PLAIN = make_rules(STORE)
STRICT = make_rules(STORE, pipeline={"citations": True, "chunk_versions": True})
BARE = make_rules()
STAGES = {key: ["c1", "c2"] for key in ("candidates", "rerank_input", "reranked", "context")}
GOOD = {**STAGES, "versions": [["index", "1"]], "answer": "Shipping takes three days in most countries [c2]."}
PLAN = {"id": "plan", "answer_phrases": ["rollback plan"], "support_phrases": ["linked rollback plan"]}


def labelled(phrase: str, cite: str | None = "c1", point: str = "p") -> dict[str, Any]:
    return {"claims": [{"text": "It is so.", "citation_id": cite, "support_phrases": [phrase], "answer_point": point}]}


def told(answer: Any, *, rules: Rulebook = PLAIN, case: dict[str, Any] | None = None, **trace: Any) -> Any:
    return case or {}, {"context": ["c1", "c2"], "answer": answer, **trace}, rules


EXAMPLES: dict[str, tuple[dict[str, Any], dict[str, Any], Rulebook]] = {
    "good": ({}, GOOD, FULL),
    "wrong case": ({}, {**GOOD, "case_id": "q2"}, FULL),
    "stage missing": ({}, {**GOOD, "reranked": None}, FULL),
    "context empty": ({}, {**GOOD, "context": []}, FULL),
    "abstained on nothing": ({"expect": "abstain"}, {**GOOD, "context": [], "answer": "I don't know."}, FULL),
    "version missing": ({}, {**GOOD, "versions": []}, FULL),
    "version twice": ({}, {**GOOD, "versions": [["index", "1"], ["index", "2"]]}, FULL),
    "some chunk versions": told("Tea.", context=[{"chunk_id": "c1", "version": "v1"}, "c2"]),
    "chunk versions declared": told("Tea [c1].", rules=STRICT),
    "duplicate": ({}, {**GOOD, "candidates": ["c1", "c2", "c2"]}, FULL),
    "stranger": ({}, {**GOOD, "candidates": ["c1"], "rerank_input": ["c1", "c2"]}, FULL),
    "lost": ({}, {**GOOD, "reranked": ["c1"], "context": ["c1"], "answer": "Tea [c1]."}, FULL),
    "unknown": told("Tea.", candidates=["c1", "c2", "nobody"]),
    "restricted": told("Tea.", candidates=["c1", "c2", "secret"]),
    "principals": told("Tea.", candidates=["c1", "c2", "guarded"]),
    "guard": told("Tea.", candidates=["c1", "c2", "guarded"], case={"principals": ["guards"]}),
    "superseded": told("Tea.", candidates=["c1", "c2", "old"]),
    "too early": told("Tea.", candidates=["c1", "c2", "early"]),
    "too late": told("Tea.", candidates=["c1", "c2", "late"]),
    "other version": told("Tea.", context=[{"chunk_id": "c1", "version": "v0"}]),
    "other text": told("Tea.", context=[{"chunk_id": "c1", "version": "v1", "text": "Something else."}]),
    "leak": told("Alpha bravo charlie delta echo foxtrot golf hotel."),
    "leak of five": told("We heard alpha bravo charlie delta echo."),
    "leak of eight": told(
        "Alpha bravo charlie delta echo foxtrot golf hotel.",
        case={"question": "What are alpha bravo, charlie delta, echo foxtrot and golf hotel?"},
    ),
    "five that were asked": told("Alpha bravo charlie delta echo.", case={"question": "Echo delta charlie bravo alpha?"}),
    "a run that was asked": told("Alpha bravo charlie delta echo foxtrot golf hotel.", case={"question": "Alpha bravo charlie delta echo foxtrot golf hotel?"}),
    "leak of a piece": told("Say zx 4471 qq."),
    "leak of a short chunk": told("It is launch-code tango."),
    "leak in an argument": told("Tea.", tool_calls=[{"name": "say", "arguments": {"launch": r"Launch\ncode\ttango"}}]),
    "leak in a name": told("Tea.", versions={"launch code tango": "1"}),
    "source missing": told("Tea.", candidates=["c1", "c2"], case={"required_source_ids": ["old"]}),
    "noise": told("Tea.", case={"required_source_ids": ["c1"]}),
    "empty": told(""),
    "declined": told("I don't know."),
    "declined as expected": told("I don't know.", case={"expect": "abstain", "required_points": ["p"]}),
    "empty though abstaining": told("", case={"expect": "abstain"}),
    "answered though unanswerable": told("Tea is hot.", case={"expect": "abstain"}),
    "label holds": told(labelled("rollback plan"), case={"required_points": ["p"]}),
    "label fails": told(labelled("no plan at all"), case={"required_points": ["p"]}),
    "live labels": told(labelled("rollback plan")),
    "label uncited": told(labelled("rollback plan", cite=None)),
    "label cites elsewhere": told(labelled("rollback plan", cite="c2")),
    "label cites nobody": told(labelled("rollback plan", cite="c9")),
    "paraphrase": told("You need a plan to deploy [c1]."),
    "cut quotation": told("A linked rollback plan before rollout [c1]."),
    "whole quotation": told("Refunds end after 30 days, except gifts [c1]."),
    "leaning": told("It applies on weekends too [c1]."),
    "leaning behind its own": told("Deploys require a linked rollback plan before rollout [1]. It applies on weekends too [1]."),
    "lead-in": told("Needed:\n- Deploys require a linked rollback plan before rollout."),
    "point denied": told("It may start without a rollback plan.", case={"required_points": [PLAN]}),
    "point made": told("Link a rollback plan.", case={"required_points": [PLAN]}),
    "point not made": told("Tea is hot.", case={"required_points": [PLAN]}),
    "point unrecognisable": told("Tea is hot.", case={"required_points": ["p"]}),
    "uncited, declared": told("Tea is hot.", rules=make_rules(STORE, pipeline={"citations": True})),
    "no text": told("Tea is hot.", rules=BARE),
    "phrase missing": told("Tea.", case={"must_contain": ["milk", "sugar"]}),
    "phrases missing": told("Tea.", case={"must_contain": ["a1", "b2", "c3", "d4", "e5", "f6"]}),
    "forbidden": told("Tea.", case={"must_not_contain": ["TEA"]}),
    "tool missing": told("Tea.", tool_calls=[], case={"expected_tools": ["search"]}),
    "tool forbidden": told("Tea.", tool_calls=["delete"], case={"forbidden_tools": ["delete"]}),
    "tools unreported": told("Tea.", case={"expected_tools": ["search"]}),
    "slow": told("Tea.", latency_ms=11, case={"max_latency_ms": 10}),
    "at the limit": told("Tea.", latency_ms=10, case={"max_latency_ms": 10}),
    "latency unreported": told("Tea.", case={"max_latency_ms": 10}),
    "custom": told("Tea.", case={"custom_check": "m:f"}),
    "warned": told("", rules=make_rules(STORE, gates={"answered": {"level": "warn"}, "faithfulness": {"level": "off"}})),
}  # fmt: skip


def signature(modules: dict[str, ModuleType], name: str) -> Any:
    case_fields, trace, rules = EXAMPLES[name]
    case: Case = make_case(**case_fields)
    custom = CheckIssues(issues=("wrong",)) if case.custom_check else None
    reply = Answered(make_trace(**{"case_id": case.case_id, **trace}), labelled=name.startswith("label "))
    fresh = rules._replace(restricted=modules["restricted"].RestrictedText(rules.store))
    done = modules["row"].evaluate_reply(PlacedCase(case, 0, "d", "f", 1), reply, fresh, custom=custom, finished_at="")
    return done.row.model_dump(mode="json"), done.trace.model_dump(mode="json"), done.withheld


@contextmanager
def loaded(switched: str = "", old: str = "", new: str = "") -> Iterator[dict[str, ModuleType]]:
    """The core modules anew, one of them with a piece of its text replaced; the imported package is left as it is."""
    kept = {name: import_module(f"raggate_action.core.{name}") for name in MODULES}
    fresh: dict[str, ModuleType] = {}
    try:
        for name in MODULES:
            path = FOLDER / f"{name}.py"
            source = path.read_text()
            if name == switched:
                assert source.count(old) == 1, f"{name}.py holds this {source.count(old)} times: {old}"
                source = source.replace(old, new)
            spec = spec_from_file_location(f"raggate_action.core.{name}", path)
            assert spec is not None
            module = module_from_spec(spec)
            sys.modules[f"raggate_action.core.{name}"] = module
            setattr(core, name, module)
            exec(compile(source, str(path), "exec"), vars(module))  # noqa: S102  our own source, one rule off
            fresh[name] = module
        yield fresh
    finally:
        for name, module in kept.items():
            sys.modules[f"raggate_action.core.{name}"] = module
            setattr(core, name, module)


@pytest.fixture(scope="module")
def unswitched() -> dict[str, Any]:
    with loaded() as modules:
        return {name: signature(modules, name) for name in EXAMPLES}


RULES = [
    ("wrong case", "admissibility", "trace.case_id != case.case_id", "False"),
    ("stage missing", "admissibility", "if stage not in traced.stages", "if False"),
    ("context empty", "admissibility", 'if not traced.stages.get("context", ("",))', "if False"),
    ("abstained on nothing", "admissibility", ' and case.expect == "answer"', ""),
    ("version missing", "admissibility", "if key not in keys", "if False"),
    ("version twice", "admissibility", "in _repeated(keys).items()", "in ()"),
    ("some chunk versions", "admissibility", "len(unversioned) < len(chunks)", "False"),
    ("chunk versions declared", "admissibility", "pipeline.chunk_versions or", "False or"),
    ("duplicate", "admissibility", "if len(unique) < len(ids)", "if False"),
    ("stranger", "admissibility", "not unique <= earlier", "False"),
    ("lost", "admissibility", "not earlier <= unique", "False"),
    ("unknown", "admissibility", 'yield Problem(code="unknown-chunk", detail=place)', "pass"),
    ("restricted", "admissibility", "if not chunk.permitted_for(principals)", "if False"),
    ("guard", "admissibility", "principals = frozenset(case.principals)", "principals = frozenset()"),
    ("too late", "admissibility", "if not chunk.current_at(given.as_of)", "if False"),
    ("other version", "admissibility", "traced.version != chunk.version", "False"),
    ("other text", "admissibility", "traced.text.split() != chunk.text.split()", "False"),
    ("leak", "admissibility", 'yield Problem(code="restricted-text"', '() and Problem(code="restricted-text"'),
    ("leak of five", "restricted_index", "\nRUN = 5", "\nRUN = 6"),
    ("leak of eight", "restricted_index", "if in_a_row > LONG_RUN - RUN", "if False"),
    ("leak of a piece", "restricted_index", "if glued in self._pieces", "if False"),
    ("leak of a short chunk", "restricted_index", "if run in self._whole", "if False"),
    ("leak in an argument", "word_runs", "if _ESCAPED.search(text)", "if False"),
    ("leak in a name", "app_words", "            yield from strings_in(key)\n", ""),
    ("leak in a name", "withholding", "if key in pipeline.versions else names.of(key)", ""),
    ("five that were asked", "restricted", "not found.certain and asker.knows(found.words)", "False"),
    ("a run that was asked", "restricted", "*_asked(case), *readable", "*readable,"),
    ("leak of five", "withholding", "if leak.is_none or restricted.store is None", "if True"),
    ("source missing", "answer_gates", "if source not in reported]", "if False]"),
    ("noise", "answer_gates", "len(useful.intersection(context))", "len(context)"),
    ("declined", "answer_gates", "if judged.drafts.declined:\n        return Failed", "if False:\n        return Failed"),
    ("empty", "answer_gates", "    if judged.claims:\n        return _PASSED", "    if True:\n        return _PASSED"),
    ("empty though abstaining", "answer_gates", "or judged.text.strip():\n            return _PASSED", "or True:\n            return _PASSED"),
    ("answered though unanswerable", "answer_gates", 'return Failed(problems=(Problem(code="answered-though-unanswerable"', 'return _PASSED or Failed(problems=(Problem(code="x"'),
    ("answered though unanswerable", "hallucinations", 'case.expect == "abstain"', 'case.expect == "never"'),
    ("declined as expected", "answer_gates", "(self.drafts.declined or not self.claims)", "False"),
    ("label fails", "answer_gates", 'if claim.verdict == "supported"])', "])"),
    ("label fails", "claims", '_Reached("unsupported", labelled=True, note=note)\n', '_Reached("unverified", labelled=True, note=note)\n'),
    ("label fails", "hallucinations", '{"unsupported", "contradicted"}', '{"contradicted"}'),
    ("label holds", "claims", "if not draft.phrases:", "if True:"),
    ("label uncited", "answer_gates", "strict = judged.drafts.itemised or", "strict = False or"),
    ("label cites elsewhere", "answer_gates", "c in claim.supported_by and c in shown", "c in shown"),
    ("label cites nobody", "answer_gates", "    if not shown:\n", "    if False:\n"),
    ("paraphrase", "answer_gates", "if unsure and meets(rate_of(rate.hits + unsure, rate.total), bar)", "if False"),
    ("cut quotation", "quotation", "sentence = chunk.by_words.get(words)\n", "sentence = chunk.sentences[0]\n"),
    ("whole quotation", "claims", "_by_label(draft, context) or _by_quotation(draft, context, before)", "_by_label(draft, context)"),
    ("leaning", "quotation", "if _LEANS_BACK.match(words)", "if False"),
    ("leaning behind its own", "claims", "before = reached.quoted", "before = {}"),
    ("leaning behind its own", "citations", "return context_ids[position - 1]", "return token or context_ids[position - 1]"),
    ("lead-in", "prose", 'text = f"{block.lead} {sentence}" if block.lead else sentence', "text = sentence"),
    ("point denied", "claims", "if finding := polarity_conflict(draft.text, phrases, chunks):", "if finding := None:"),
    ("point made", "claims", "made = _recognised(draft, recognisable) if recognisable else ()", "made = ()"),
    ("point not made", "answer_gates", "(unsure if doubtful else missing)", "(unsure if True else missing)"),
    ("point unrecognisable", "answer_gates", '(point.id, "unverified") in made or unrecognisable', '(point.id, "unverified") in made'),
    ("uncited, declared", "answer_gates", "judged.drafts.itemised or citations_declared", "judged.drafts.itemised"),
    ("no text", "answer_gates", "if unsure and judged.context.without_text:", "if False:"),
    ("phrase missing", "behaviour", "if phrase.lower() not in text\n", "if False\n"),
    ("phrases missing", "behaviour", "max(Decimal(0), 1 - sum(", "max(Decimal(-1), 1 - sum("),
    ("phrase missing", "behaviour", "score < gate.per_case or", "False or"),
    ("forbidden", "behaviour", "[phrase for phrase in case.must_not_contain if phrase.lower() in text]", "[]"),
    ("forbidden", "behaviour", "penalties.must_not_contain, fails_alone=True", "penalties.must_not_contain"),
    ("tool missing", "behaviour", "if tool not in observed.tools]", "if False]"),
    ("tool forbidden", "behaviour", "if tool in (observed.tools or ()):", "if False:"),
    ("tools unreported", "behaviour", "observed.tools is None:\n        return Unmeasured", "False:\n        return Unmeasured"),
    ("slow", "behaviour", "measured > limit:", "False:"),
    ("at the limit", "behaviour", "measured > limit:", "measured >= limit:"),
    ("latency unreported", "behaviour", "observed.latency_ms is None:\n        return Unmeasured", "False:\n        return Unmeasured"),
    ("custom", "behaviour", "Decimal(0), fails_alone=True)", "Decimal(0))"),
    ("live labels", "diagnose", "answered.trace if answered.labelled else without_labels(answered.trace)", "answered.trace"),
    ("restricted", "diagnose", "if isinstance(admitted, Failed):", "if False:"),
    ("warned", "diagnose", 'if outcome.kind == "failed" and getattr(gates, gate).level == "block":', 'if outcome.kind == "failed":'),
    ("paraphrase", "diagnose", 'outcome.reason != "no-adjudicator" and', ""),
    ("tools unreported", "diagnose", 'return "unmeasured" if _unmeasured_at_block_level(outcomes, gates) else "passed"', 'return "passed"'),
    ("leak", "row", "None if diagnosis.withheld else text[:_SHOWN_ANSWER]", "text[:_SHOWN_ANSWER]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("example", "module", "old", "new"),
    RULES,
    ids=[f"{module}: {example} ({n})" for n, (example, module, *_) in enumerate(RULES)],
)
def test_without_the_rule_its_example_changes(
    unswitched: dict[str, Any], example: str, module: str, old: str, new: str
) -> None:
    with loaded(module, old, new) as modules:
        try:
            changed = signature(modules, example) != unswitched[example]
        except LookupError:  # a crash is noticed as well
            changed = True
    assert changed


def test_with_every_rule_on_nothing_changes(unswitched: dict[str, Any]) -> None:
    with loaded() as modules:
        assert {name: signature(modules, name) for name in EXAMPLES} == unswitched


def test_a_withheld_error_needs_its_rule() -> None:
    reply = TargetFailure(error="500: alpha bravo charlie delta echo foxtrot golf hotel")
    placed = PlacedCase(make_case(), 0, "d", "f", 1)
    with loaded("withholding", "if repeated else failure.error", "if False else failure.error") as modules:
        row = modules["row"].evaluate_reply(placed, reply, PLAIN, custom=None, finished_at="").row
    assert "bravo" in row.error
    with loaded() as modules:
        row = modules["row"].evaluate_reply(placed, reply, PLAIN, custom=None, finished_at="").row
    assert "bravo" not in row.error
