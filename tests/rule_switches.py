"""Every single rule of the gates, how to turn it off, and one example that shows it.

A rule is turned off by a changed piece of its module's text: `with loaded(switch) as core: ...` gives the core anew with
that one rule off, and leaves the imported package as it is. A setting stands beside the default that it changes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from raggate_action import core as package
from raggate_action.schema.base import rate_of
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import Ask, ByBaseline, CaseRun, Claim, Hallucination, Musts
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate
from raggate_action.schema.demands import SourceState
from raggate_action.schema.outcome import NotApplicable
from raggate_action.schema.partial_scope import Before, PartialScope
from raggate_action.schema.trace import Answered, Reply, TargetFailure
from raggate_action.schema.verdicts import CheckIssues
from tests.ab_findings_switches import AB_FINDINGS_RULES
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.item_switches import ITEM_RULES, per_case
from tests.one_variable_switches import ONE_VARIABLE_RULES
from tests.pair_switches import PAIR_RULES
from tests.panel_ab_switches import PANEL_AB_RULES, ab_level
from tests.panel_switches import DEAR, PANEL_RULES
from tests.policy_examples import ASKED, FAILS, OPENED, PASSES, RELIEVED, judged_twice, weakened
from tests.policy_examples import demanding as asking
from tests.poorer_switches import POORER_RULES, beside
from tests.row_builders import (
    TODAY,
    failed,
    false_claim,
    flaky,
    known_bad,
    make_policy,
    make_row,
    make_run,
    passed,
    phrase,
    suspicious,
    unmeasured,
    waiver,
)
from tests.run_ab_switches import RUN_AB_RULES
from tests.trial_switches import TRIAL_RULES

Core = dict[str, ModuleType]
Example = Callable[[Core], Any]

FOLDER = Path(package.__file__).parent
PACKAGE = "raggate_action.core"
TEXT = "Deploys require a linked rollback plan before rollout. It applies on weekends too. Refunds end after 30 days, except gifts."
JOINED = "The fee is 20 EUR and the deposit is refunded."
LIST = "Refunds are possible:\n- within thirty days\n- with a receipt"
STORE = make_store(
    make_chunk("c1", TEXT),
    make_chunk("c2", "Shipping takes three days in most countries."),
    make_chunk("list", LIST),
    make_chunk("rows", "| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |"),
    make_chunk("wide", "Refunds are never\npaid within thirty days of purchase."),
    make_chunk("ja", "返金は30日以内に行われます。"),
    make_chunk("secret", "Alpha bravo charlie delta echo foxtrot golf hotel india.", permitted=False),
    make_chunk("note", "The vault opens with ZX-4471-QQ after midnight.", permitted=False),
    make_chunk("short", "Launch code tango.", permitted=False),
    make_chunk("guarded", "Only guards may read this.", principals=("guards",)),
    make_chunk("old", "This has been replaced.", current=False),
    make_chunk("early", "Not yet.", valid_from="2027-01-01"),
    make_chunk("late", "No more.", valid_until="2026-01-01"),
    make_chunk("part", "A page of a manual.", origin=("manual", None)),
)
STAGES: dict[str, Any] = {key: ["c1", "c2"] for key in ("candidates", "rerank_input", "reranked", "context")}
FULL: dict[str, Any] = {
    "pipeline": {"stages": [*STAGES], "versions": ["index"]}, "versions": [["index", "1"]], **STAGES,
}  # fmt: skip
PLAN = {"id": "plan", "answer_phrases": ["rollback plan"], "support_phrases": ["linked rollback plan"]}


class Switch(NamedTuple):
    """A rule and the way to turn it off.

    Attributes:
        rule: `gate: code` for a problem code of a gate, else the rule in a few words.
        module: Its module below `core`, with dots.
        old, new: The piece of the module's text that makes the rule, found once, and what it becomes.
        example: Gives another result without the rule; for a problem code, one without that code at that gate.
    """

    rule: str
    module: str
    old: str
    new: str
    example: Example


# Loading the core anew


@cache
def modules() -> tuple[str, ...]:
    """Every module of the core, each behind those it imports."""
    names = {".".join(path.relative_to(FOLDER).with_suffix("").parts): path for path in FOLDER.rglob("*.py")}
    names.pop("__init__")
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            text = names[name].read_text()
            for other in sorted(names.keys() - {name}):
                module = other.removesuffix(".__init__")
                parent, _dot, leaf = f"{PACKAGE}.{module}".rpartition(".")
                if f"\nfrom {PACKAGE}.{module} import" in text or f"\nfrom {parent} import {leaf}" in text:
                    visit(other)
            order[name] = None

    for name in sorted(names):
        visit(name)
    return tuple(name for name in order if not name.endswith("__init__"))


@cache
def source(name: str) -> str:
    return path_of(name).read_text()


@cache
def code_of(name: str, old: str, new: str) -> CodeType:
    text = source(name)
    assert not old or text.count(old) == 1, f"{name} holds this {text.count(old)} times: {old}"
    return compile(text.replace(old, new) if old else text, str(path_of(name)), "exec")


def path_of(name: str) -> Path:
    return FOLDER.joinpath(*name.split(".")).with_suffix(".py")


@cache
def importers(name: str) -> frozenset[str]:
    """The modules of the core that import this one, or one that does."""
    parent, _dot, leaf = f"{PACKAGE}.{name}".rpartition(".")
    wanted = re.compile(
        rf"from {re.escape(f'{PACKAGE}.{name}')} import|from {re.escape(parent)} import \(?[^)\n]*\b{leaf}\b"
    )
    direct = {other for other in modules() if wanted.search(source(other))} - {name}
    return frozenset(direct).union(*(importers(other) for other in direct))


@cache
def imported() -> Core:
    return {name: import_module(f"{PACKAGE}.{name}") for name in modules()}


@contextmanager
def loaded(switch: Switch | None = None) -> Iterator[Core]:
    """The core's modules by name, with one rule off: its module and all that import it are made anew.

    Without a switch the core is the imported one.
    """
    if switch is None:
        yield dict(imported())
        return
    anew = {switch.module, *importers(switch.module)}
    kept = {name: module for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.")}
    shown: list[tuple[ModuleType, str, Any]] = []
    fresh: Core = {}
    try:
        for name in modules():
            if name not in anew:
                fresh[name] = imported()[name]
                continue
            off = switch if switch.module == name else None
            spec = spec_from_file_location(f"{PACKAGE}.{name}", path_of(name))
            assert spec is not None
            module = module_from_spec(spec)
            sys.modules[f"{PACKAGE}.{name}"] = module
            parent, _dot, leaf = name.rpartition(".")
            holder = import_module(f"{PACKAGE}.{parent}") if parent else package
            shown.append((holder, leaf, vars(holder).get(leaf)))
            setattr(holder, leaf, module)
            exec(code_of(name, off.old if off else "", off.new if off else ""), vars(module))  # noqa: S102  our own source
            fresh[name] = module
        yield fresh
    finally:
        for name in [name for name in sys.modules if name.startswith(f"{PACKAGE}.")]:
            del sys.modules[name]
        sys.modules.update(kept)
        for holder, leaf, before in shown:
            # None would stand in the way of a later import.
            if before is None:
                delattr(holder, leaf)
            else:
                setattr(holder, leaf, before)


# Examples


def in_german(chunk: str, answer: str) -> Example:
    """The row of an answer in a German suite."""
    return told(answer, language="de", context=[{"chunk_id": "x", "text": chunk}], bare=True)


def told(
    answer: Any, *, case: dict[str, Any] | None = None, pipeline: Any = None, gates: Any = None, **trace: Any
) -> Example:
    """The row of a case that was answered; `context` defaults to c1 and c2, the store to ours."""
    fields, language = case or {}, trace.pop("language", "en")
    store = None if trace.pop("bare", False) else STORE
    labelled, texts = trace.pop("labelled", False), trace.pop("texts", "quotes")
    by = tuple((trace.pop("slices", None) or {}).get("by", ()))
    reported = {"context": ["c1", "c2"], "answer": answer, **trace}
    asked = make_case(**fields)
    reply = Answered(make_trace(**{"case_id": asked.case_id, **reported}), labelled=labelled)
    rules = make_rules(store, pipeline=pipeline, gates=gates, language=language)._replace(texts=texts, slices_by=by)
    custom = CheckIssues(issues=("wrong",)) if asked.custom_check else None
    return lambda core: _row(core, PlacedCase(asked, 0, "d", "f", 1), reply, rules, custom)


def failing(error: str) -> Example:
    """The row of a case whose target failed."""
    return lambda core: _row(
        core, PlacedCase(make_case(), 0, "d", "f", 1), TargetFailure(error=error), make_rules(STORE), None
    )


def _row(core: Core, placed: PlacedCase, reply: Reply, rules: Any, custom: CheckIssues | None) -> Any:
    fresh = rules._replace(restricted=core["disclosure.restricted_text"].RestrictedText(rules.store))
    done = core["gates.case_row"].evaluate_reply(placed, reply, fresh, custom=custom, finished_at="")
    kept = done.trace.model_dump(mode="json") if done.trace else None
    return {**done.row.model_dump(mode="json"), "kept": kept, "withheld": done.withheld}


def labelled(wanted: str, cite: str | None = "c1", **fields: Any) -> Example:
    """The row of a claim its author has labelled."""
    claim = {"text": "It is so.", "citation_id": cite, "support_phrases": [wanted], "answer_point": "p"}
    return told({"claims": [claim]}, labelled=True, case={"required_points": ["p"]}, **fields)


def judged(verdict: str) -> Example:
    """Faithfulness of one claim with a verdict that no rule of today gives."""

    def outcomes(core: Core) -> Any:
        context = core["claims.model_context"].ShownContext(())
        drafts = core["claims.claim_verdicts"].Drafts((), declined=False, itemised=True)
        claims = (Claim(claim_id="1", text="x", verdict=verdict),)  # type: ignore[arg-type]
        given = core["gates.answer_gates"].JudgedAnswer.of(make_case(), "x", drafts, claims, context)
        return {
            "outcomes": {
                "faithfulness": core["gates.answer_gates"]
                .faithfulness(given, per_case=rate_of(1, 1).value)
                .model_dump()
            }
        }

    return outcomes


def decided(*rows: CaseRun, base: tuple[CaseRun, ...] | None = None, **policy: Any) -> Example:
    """What is decided on rows: the gates on the run, slices, verdict and reasons."""
    by = make_policy(**policy)

    def decision(core: Core) -> Any:
        tally = core["counting.tally"].Tally(by, decided_on=TODAY)
        for row in rows:
            tally.add(row)
        comparison = None
        if base is not None:
            module, run = core["comparison.baseline_index"], make_run(base, by)
            past = module.past_cases(run.suite_cases, base, by, decided_on=TODAY)
            against = module.index_baseline(run, past)
            comparer = core["comparison.comparer"].Comparer(against, by, decided_on=TODAY)
            for row in rows:
                comparer.add(row)
            comparison = comparer.comparison([(row.case_id, row.digest, True) for row in rows], tally.facts())
        done = core["decision.decide"].decide(tally.facts(), policy=by, comparison=comparison)
        return (
            [gate.model_dump() for gate in done.gates],
            [part.model_dump() for part in done.slices],
            done.decision.model_dump(),
        )

    return decision


def doubts(row: CaseRun, *, base: tuple[CaseRun, ...] | None = None, **policy: Any) -> Example:
    """Whether a first answer is asked for again, and whether a further one like it settles its case."""
    by = make_policy(**policy)

    def found(core: Core) -> Any:
        against = None
        if base is not None:
            module, run = core["comparison.baseline_index"], make_run(base, by)
            against = module.index_baseline(run, module.past_cases(run.suite_cases, base, by, decided_on=TODAY))
        confirmation = core["comparison.confirmation_asks"].Confirmation(by, decided_on=TODAY, baseline=against)
        return confirmation.is_doubtful(row), confirmation.settles(row)

    return found


def false_by_chance(main: int = 1, answers: int = 75, **more: Any) -> Example:
    """Whether an answer with a certain hallucination is in doubt, beside so many of main's answers."""
    row = make_row(0, hallucinations=(false_claim(),), outcomes={"faithfulness": failed()}).model_copy(update=more)
    before, policy = make_row(0), make_policy()

    def found(core: Core) -> Any:
        module, run, rate = core["comparison.baseline_index"], make_run((before,), policy), core["comparison.own_rate"]
        past = module.past_cases(run.suite_cases, (before,), policy, decided_on=TODAY)
        own = rate.OwnRateCount({row.case_id: rate.FalseAnswers(main, answers)})
        asks = core["comparison.confirmation_asks"]
        against = module.index_baseline(run, past)
        return asks.Confirmation(policy, decided_on=TODAY, baseline=against, own=own).is_doubtful(row)

    return found


def by_own_rate(here: int, *, known: bool = False) -> Example:
    """Both rates where main's 2 of 20 answers explain so many of 20 here; a case more may have it on both."""

    def found(core: Core) -> Any:
        rate = core["comparison.own_rate"]
        own = rate.OwnRateCount({"q0": rate.FalseAnswers(2, 20), "steady": rate.FalseAnswers(5, 5)})
        own.add("steady", false=False, known=known)
        for number in range(20):
            own.add(f"q{number}", false=number < here, known=False)
        return own.explained()

    return found


def regressed(row: CaseRun, before: CaseRun) -> Example:
    """How many cases have regressed: this one or none."""

    def found(core: Core) -> Any:
        module, run = core["comparison.baseline_index"], make_run((before,))
        past = module.past_cases(run.suite_cases, (before,), run.policy, decided_on=TODAY)
        against = module.index_baseline(run, past)
        comparer = core["comparison.comparer"].Comparer(against, run.policy, decided_on=TODAY)
        comparer.add(row)
        facts = core["counting.tally"].Tally(run.policy, decided_on=TODAY).facts()
        return comparer.comparison([(row.case_id, row.digest, True)], facts).regressed

    return found


def from_sources(*now: str, recur: bool = True) -> Example:
    """What is told of one case's chunks where the baseline's are of two files."""

    def found(core: Core) -> Any:
        changes = core["counting.chunk_sources"].SourceChanges(frozenset({"a.md", "b.md"}), told=recur)
        changes.add(make_row(0, context=now))
        return changes.result

    return found


def gone(*now: str, recur: bool = False) -> Example:
    """What is told where three cases showed `m.md` on the baseline and these chunks now."""

    def found(core: Core) -> Any:
        lost = core["counting.chunk_sources"].LostSourcesCount(recur=recur)
        for place in range(3):
            lost.add(make_row(place, context=now), frozenset({"m.md", "a.md"}))
        return lost.result

    return found


TEA = "Tea is hot."
LENIENT: dict[str, Any] = {"gates": {"behaviour": {"scoring": "lenient"}}}
ABSTAIN = {"expect": "abstain"}
QUOTED = "Shipping takes three days in most countries"
POINT_MADE = {"required_points": [PLAN]}


def fine(cases: int, **fields: Any) -> list[CaseRun]:
    return [make_row(n, **fields) for n in range(cases)]


def sliced(name: str, passing: int, failing_: int) -> list[CaseRun]:
    rows = [make_row(n, slices=(name,)) for n in range(passing)]
    return rows + [
        make_row(passing + n, slices=(name,), outcomes={"context_recall": failed()}) for n in range(failing_)
    ]


# One line per rule: a problem code as `gate: code`, anything else in words.
GATES_ON_CASES = [
    Switch("target: target-error", "gates.case_row", 'Failed(problems=(Problem(code="target-error", detail=error),))', '__import__("raggate_action.schema.outcome", fromlist=["x"]).Passed()', failing("500")),
    Switch("an answer of too many characters is off schema", "gates.diagnosis", "if problem := reply_problem(answered.trace):", "if problem := '':", told("Tea is hot. " * 20_000)),
    Switch("prose of too many claims is off schema", "gates.diagnosis", "if problem := claims_problem(len(drafts.claims)):", "if problem := '':", told("Tea is hot. " * 2_001)),
    Switch("an error message that repeats forbidden text is withheld", "disclosure.withholding", "if repeated else failure.error", "if False else failure.error", failing("500: alpha bravo charlie delta echo foxtrot golf hotel")),
    Switch("admissibility: wrong-case", "gates.admissibility", "trace.case_id != case.case_id", "False", told(TEA, case_id="q2")),
    Switch("admissibility: stage-missing", "gates.admissibility", "if stage not in traced.stages", "if False", told(TEA, **{**FULL, "reranked": None})),
    Switch("admissibility: declined-over-nothing", "gates.diagnosis", "!= [_EMPTY] or", "!= [_EMPTY] or True or", told("I do not know.", context=[])),
    Switch("candidate_recall: quote-changed", "gates.required_sources", "if now and not (", "if False and not (", told(TEA, candidates=[{"chunk_id": "n1", "text": "A single item is covered up to 500 euros."}], context=[{"chunk_id": "n1", "text": "A single item is covered up to 500 euros."}], bare=True, case={"required_quotes": ["A single item is covered up to 400 euros."]})),
    Switch("context_recall: quote-changed", "gates.required_sources", "if now and not (", "if False and not (", told(TEA, context=[{"chunk_id": "n1", "text": "A single item is covered up to 500 euros."}], bare=True, case={"required_quotes": ["A single item is covered up to 400 euros."]})),
    Switch("admissibility: context-empty", "gates.admissibility", 'if not traced.stages.get("context", ("",))', "if False", told(TEA, context=[])),
    Switch("an abstaining case may have no context", "gates.admissibility", ' and case.expect == "answer"', "", told("I don't know.", context=[], case={"expect": "abstain"})),
    Switch("admissibility: version-missing", "gates.admissibility", "if key not in keys", "if False", told(TEA, **{**FULL, "versions": []})),
    Switch("admissibility: version-duplicate", "gates.admissibility", "in _repeated(keys).items()", "in ()", told(TEA, **{**FULL, "versions": [["index", "1"], ["index", "2"]]})),
    Switch("admissibility: chunk-version-missing", "gates.admissibility", "if unversioned and (", "if False and (", told(TEA, context=[{"chunk_id": "c1", "version": "v1"}, "c2"])),
    Switch("chunk versions of a part are missing from the rest", "gates.admissibility", "len(unversioned) < len(chunks)", "False", told(TEA, context=[{"chunk_id": "c1", "version": "v1"}, "c2"])),
    Switch("declared chunk versions are required", "gates.admissibility", "pipeline.chunk_versions or", "False or", told(TEA, pipeline={"chunk_versions": True})),
    Switch("admissibility: duplicate-chunk", "gates.admissibility", "if len(unique) < len(ids)", "if False", told(TEA, candidates=["c1", "c2", "c2"])),
    *(
        Switch(f"admissibility: not-in-{before.replace('_', '-')}", "gates.admissibility", "not unique <= earlier", "False", told(TEA, **dict[str, Any]({before: ["c1"], after: ["c1", "c2"]})))
        for before, after in (("candidates", "rerank_input"), ("rerank_input", "reranked"), ("reranked", "context"))
    ),
    Switch("admissibility: lost-in-reranking", "gates.admissibility", "not earlier <= unique", "False", told(TEA, rerank_input=["c1", "c2"], reranked=["c1"], context=["c1"])),
    Switch("admissibility: unknown-chunk", "gates.admissibility", 'yield Problem(code="unknown-chunk", detail=place)', "pass", told(TEA, candidates=["c1", "c2", "nobody"])),
    Switch("an answer without its context is not held against evidence where the suite says so", "gates.diagnosis", 'if rules.pipeline.has_no_context and "context" not in traced.stages:', "if False:", told(TEA, context=None, candidates=None, pipeline={"context": "none"})),
    Switch("an answer with its context is held against it all the same", "gates.diagnosis", 'has_no_context and "context" not in traced.stages', "has_no_context", told(TEA, pipeline={"context": "none"})),
    Switch("an answer where none was possible needs no context to be seen", "gates.diagnosis", '{"faithfulness"} if case.expect == "abstain" else set()', "set()", told(TEA, context=None, pipeline={"context": "none"}, case={"expect": "abstain"})),
    Switch("a chunk that comes twice by its text needs its version once", "gates.admissibility", "for chunk in traced.chunks if not chunk.repeated]", "for chunk in traced.chunks]", told(TEA, context=[{"chunk_id": "c1", "version": "v1"}, {"chunk_id": "c1", "repeated": True}])),
    Switch("admissibility: restricted-chunk", "gates.admissibility", "if not chunk.permitted_for(principals)", "if False", told(TEA, candidates=["c1", "c2", "secret"])),
    Switch("a case's principals open their chunks", "gates.admissibility", "principals = frozenset(case.principals)", "principals = frozenset()", told(TEA, candidates=["c1", "c2", "guarded"], case={"principals": ["guards"]})),
    Switch("admissibility: superseded-chunk", "gates.admissibility", "if not chunk.current_at(as_of)", "if False", told(TEA, candidates=["c1", "c2", "late"])),
    Switch("admissibility: version-differs", "gates.admissibility", "traced.version != chunk.version", "False", told(TEA, context=[{"chunk_id": "c1", "version": "v0"}])),
    Switch("admissibility: text-differs", "gates.admissibility", "traced.text.split() != chunk.text.split()", "False", told(TEA, context=[{"chunk_id": "c1", "version": "v1", "text": "Something else."}])),
    Switch("admissibility: restricted-text", "gates.admissibility", 'yield Problem(code="restricted-text"', '() and Problem(code="restricted-text"', told("Alpha bravo charlie delta echo foxtrot golf hotel.")),
    Switch("five words in a row are a repetition", "disclosure.restricted_text", "\nRUN = 5", "\nRUN = 6", told("We heard alpha bravo charlie delta echo.")),
    Switch("eight in a row are one whatever was asked", "disclosure.restricted_text", "if in_a_row > LONG_RUN - RUN", "if False", told("Alpha bravo charlie delta echo foxtrot golf hotel.", case={"question": "What are alpha bravo, charlie delta, echo foxtrot and golf hotel?"})),
    Switch("five that were asked are a coincidence", "disclosure.restricted_text", "not found.certain and asker.knows(found.words)", "False", told("Alpha bravo charlie delta echo.", case={"question": "Echo delta charlie bravo alpha?"})),
    Switch("what the question says is free", "disclosure.restricted_text", "(*texts, *readable)", "readable", told("Alpha bravo charlie delta echo foxtrot golf hotel.", case={"question": "Alpha bravo charlie delta echo foxtrot golf hotel?"})),
    Switch("a distinctive piece is a repetition", "disclosure.restricted_text", "if glued in self._pieces", "if False", told("Say zx 4471 qq.")),
    Switch("a short chunk is recognised whole", "disclosure.restricted_text", "if run in self._whole", "if False", told("It is launch-code tango.")),
    Switch("escapes hide no forbidden word", "text.word_matching", "return without_invisible(unescaped(text))", "return text", told(TEA, tool_calls=[{"name": "say", "arguments": {"launch": r"Launch\ncode\ttango"}}])),
    Switch("links that cite hide no forbidden word", "text.word_matching", '_CITING_LINK = re.compile(r"!?', '_CITING_LINK = re.compile(r"never!?', told("We heard alpha [1](#ref-1) bravo [1](#ref-1) charlie [1](#ref-1) delta [1](#ref-1) echo.")),
    Switch("elements that cite hide no forbidden word", "text.word_matching", "_without(_CITING_LINK, _without(_CITING_ELEMENT, without_latex))", "_without(_CITING_LINK, without_latex)", told("We heard <b>alpha</b><sup>1</sup> <b>bravo</b><sup>1</sup> <b>charlie</b><sup>1</sup> <b>delta</b><sup>1</sup> <b>echo</b>.")),
    Switch("LaTeX hides no forbidden word", "text.word_matching", "_seen(_LATEX.sub(MARK, text))", "_seen(text)", told(r"We heard alpha \cite{a} bravo \cite{a} charlie \cite{a} delta \cite{a} echo.")),
    Switch("carets hide no forbidden word", "text.word_matching", "_SHORT_MARK.sub(MARK, text)", "text", told("We heard alpha ^1^ bravo ^1^ charlie ^1^ delta ^1^ echo.")),
    Switch("marks hide no forbidden word", "text.word_matching", "_CITATION.sub(MARK, _SHORT_MARK.sub(MARK, text))", "text", told(r"We heard alpha¹ bravo² charlie³ delta¹ echo².")),
    Switch("a mark in a word parts none", "disclosure.restricted_text", "if len(whole) < len(words)", "if False", told("We heard al-pha bra-vo char-lie del-ta e-cho.")),
    Switch("what an answer reads as is looked at", "gates.diagnosis", "if not repeated and (found :=", "if False and (found :=", told("| Alpha | Charlie | Echo |\n|---|---|---|\n| bravo | delta | foxtrot |")),
    Switch("every text of a row is looked at", "disclosure.withholding", "if restricted.is_empty:\n        return row", "if True:\n        return row", told(TEA, case={"required_points": [{"id": "p", "answer_phrases": ["tea"], "support_phrases": ["alpha bravo charlie delta echo"]}]})),
    Switch("names hide no forbidden word", "disclosure.restricted_text", "            yield from strings_in(key)\n", "", told(TEA, versions={"launch code tango": "1"})),
    Switch("an undeclared name is withheld", "disclosure.withholding", "if key in pipeline.versions else names.of(key)", "", told(TEA, versions={"launch code tango": "1"})),
    Switch("a trace that repeats forbidden text is kept without words", "disclosure.withholding", "if leak.is_none or restricted.store is None", "if True", told("We heard alpha bravo charlie delta echo.")),
    Switch("texts: ids keeps no word", "gates.case_row", 'ids_only(row) if rules.texts == "ids" else row', "row", told(TEA, texts="ids")),
    Switch("nothing is judged after an admissibility failure", "gates.diagnosis", "if isinstance(admitted, Failed):", "if False:", told(TEA, candidates=["c1", "c2", "secret"])),
    Switch("candidate_recall: source-missing", "gates.required_sources", "if not chunks_of(source, ids, store)]", "if False]", told(TEA, candidates=["c1", "c2"], case={"required_source_ids": ["old"]})),
    Switch("context_recall: source-missing", "gates.required_sources", "if not chunks_of(source, ids, store)]", "if False]", told(TEA, candidates=["c1", "c2", "list"], case={"required_source_ids": ["list"]})),
    Switch("candidate_recall: quote-missing", "gates.required_sources", "if not holders(quote, texts)]", "if False]", told(TEA, candidates=["c1", "c2"], case={"required_quotes": [LIST]})),
    Switch("context_recall: quote-missing", "gates.required_sources", "if not holders(quote, texts)]", "if False]", told(TEA, candidates=["c1", "c2", "list"], case={"required_quotes": [LIST]})),
    Switch("a chunk of a required document is what was required", "gates.required_sources", "if store is None or source not in store.origins:", "if True:", told(TEA, context=["part"], case={"required_source_ids": ["manual"]})),
    Switch("a chunk nobody has the text of may hold a quote", "gates.required_sources", "    if silent and passed_if(found + len(unquoted), total, per_case):", "    if False:", told(TEA, bare=True, context=["x1"], case={"required_quotes": [LIST]})),
    Switch("a chunk that holds a required quote is no noise", "gates.required_sources", "    if case.required_quotes:\n", "    if False:\n", told(TEA, context=["list"], case={"required_quotes": [LIST]})),
    Switch("a quote whose lines are broken otherwise is the same demand", "comparison.case_changes", "    if field == QUOTES and isinstance(item, str):", "    if False:", lambda core: core["comparison.case_changes"].demand_digest("Refunds are\npaid soon", "required_quotes") == core["comparison.case_changes"].demand_digest("Refunds are paid soon", "required_quotes")),
    Switch("with ids alone no quote that was missed is kept", "disclosure.withholding", "of=None if gate in _QUOTING else _QUOTING_CODES", "of=None if gate in _QUOTING else ()", told(TEA, texts="ids", case={"required_quotes": [LIST]})),
    Switch("candidates nobody reports are not applicable", "gates.diagnosis", 'if "candidates" in traced.stages:\n', "if True:\n", told(TEA, case={"required_source_ids": ["c1"]})),
    Switch("context_precision: noise-in-context", "gates.required_sources", "passed_if(len(useful), ", "passed_if(len(context), ", told(TEA, case={"required_source_ids": ["c1"]})),
    Switch("useful sources are no noise", "gates.required_sources", "(*case.required_source_ids, *case.useful_source_ids)", "case.required_source_ids", told(TEA, case={"required_source_ids": ["c1"], "useful_source_ids": ["c2"]})),
    Switch("answered: declined", "gates.answer_gates", "if judged.drafts.declined:\n        return Failed", "if False:\n        return Failed", told("I don't know.")),
    Switch("answered: no-claims", "gates.answer_gates", "    if not judged.claims:\n        detail", "    if False:\n        detail", told("")),
    Switch("answered: empty-answer", "gates.answer_gates", "or judged.text.strip():\n            return _PASSED", "or True:\n            return _PASSED", told("", case={"expect": "abstain"})),
    Switch("faithfulness: answered-though-unanswerable", "gates.answer_gates", 'return Failed(problems=(Problem(code="answered-though-unanswerable"', 'return _PASSED or Failed(problems=(Problem(code="x"', told(TEA, case={"expect": "abstain"})),
    Switch("an answer where none was possible is a hallucination", "gates.hallucination_key", 'case.expect == "abstain"', 'case.expect == "never"', told(TEA, case={"expect": "abstain"})),
    Switch("a decline where one was expected passes", "gates.answer_gates", 'case.expect == "abstain" and is_silent', "False", told("I don't know.", case={"expect": "abstain"})),
    Switch("an answer that says nothing fails at nothing but that", "gates.answer_gates", 'case.expect == "answer" and is_silent', "False", told("", case={"required_points": ["p"], "must_contain": ["tea"]})),
    Switch("what an answer that says nothing lacks is told once", "gates.phrase_tool_latency_gates", "if problem.code in _THERE", "if True", told("", case={"must_contain": ["tea"]})),
    Switch("what an answer that says nothing lacks is no demand missed anew", "gates.phrase_tool_latency_gates", "if number >= missable", "if True", told("", case={"must_contain": ["tea"], "forbidden_tools": ["pay"]}, tool_calls=["pay"])),
    Switch("an abstaining case that declined owes no sources", "gates.diagnosis", "    if judged.abstained_as_expected:", "    if False:", told("I don't know.", context=["c1"], case={"expect": "abstain", "required_source_ids": ["c2"]})),
    Switch("what cannot be told to decline is unmeasured where an answer is expected", "gates.answer_gates", "return judged.undecided or _PASSED", "return _PASSED", told("分かりません。", language="ja")),
    Switch("what cannot be told to decline is unmeasured where none is", "gates.diagnosis", 'undecided if outcome.kind == "failed" else outcome', "outcome", told("分かりません。", language="ja", case={"expect": "abstain", "required_source_ids": ["list"]})),
    Switch("and is no hallucination", "gates.hallucination_key", " and not judged.undecided", "", told("分かりません。", language="ja", case={"expect": "abstain"})),
    Switch("a claim that was verified does not decline", "judging.undecided_claims", 'or any(claim.verdict != "unverified" and not claim.judged for claim in found)', "", told("返金は30日以内に行われます。", context=["ja"], language="ja")),
    Switch("what an app reports of declining is taken at its word", "claims.claim_extraction", "recognised if answer.abstained is None else answer.abstained", "recognised", told({"text": TEA, "abstained": True})),
    *(
        Switch(f"faithfulness: claim-{verdict}", "gates.answer_gates", '{"supported", "unverified"}', f'{{"supported", "unverified", "{verdict}"}}', judged(verdict))
        for verdict in ("unsupported", "contradicted", "partial")
    ),
    Switch("only supported claims count for faithfulness", "gates.answer_gates", 'if claim.verdict == "supported"])', "])", labelled("no plan at all")),
    Switch("an unsupported claim is a hallucination", "gates.hallucination_key", '{"unsupported", "contradicted"}', '{"contradicted"}', labelled("no plan at all")),
    Switch("unverified claims leave a gate in doubt", "gates.answer_gates", "if unsure and meets(rate_of(rate.hits + unsure, rate.total), bar)", "if False", told("You need a plan to deploy.")),
    Switch("want of a text is want of a trace", "gates.answer_gates", "if unsure and judged.context.without_text:", "if False:", told(TEA, bare=True)),
    Switch("citation_support: citation-not-in-context", "gates.answer_gates", "    if not in_context:\n", "    if False:\n", labelled("rollback plan", cite="c9")),
    Switch("citation_support: citation-unsupported", "gates.answer_gates", "isdisjoint(claim.supported_by)", "isdisjoint(judged.context.by_id)", labelled("rollback plan", cite="c2")),
    Switch("citation_support: uncited-claim", "gates.answer_gates", "strict = judged.drafts.itemised or", "strict = False or", labelled("rollback plan", cite=None)),
    Switch("prose must cite where the suite declares it", "gates.answer_gates", "judged.drafts.itemised or citations_declared", "judged.drafts.itemised", told(TEA, pipeline={"citations": True})),
    Switch("prose that cites nothing is not applicable", "gates.answer_gates", "    if not claims:\n", "    if False:\n", told(TEA)),
    Switch("a citation that only a judge can tell", "gates.answer_gates", '    if claim.verdict == "unverified":\n        return None', "", told("It is quick [c2].")),
    Switch("a citation never shown is a finding", "claims.claim_verdicts", "if cited not in context.by_id\n", "if False\n", told(f"{QUOTED} [c2][c9].")),
    Switch("citation_coverage: uncited-claim", "gates.answer_gates", "if not claim.citations]", "if False]", told(TEA)),
    Switch("point_coverage: point-missing", "gates.answer_gates", "if doubted[name] or name in unknown]", "]", told(TEA, case=POINT_MADE)),
    Switch("a refuted claim makes no point", "gates.answer_gates", "if claim.points and _makes(claim) for name", "if claim.points for name", labelled("no plan at all")),
    Switch("a claim that is not refuted makes a point", "gates.answer_gates", 'return all(finding.advisory or finding.kind == "structure" for finding in claim.findings)', "return False", told("Link a rollback plan, says the crew.", case=POINT_MADE)),
    Switch("a point made by a claim with a finding is in doubt", "gates.answer_gates", "if doubted[name] or name in unknown]", "if name in unknown]", told("It may start without a rollback plan.", case=POINT_MADE)),
    Switch("a point nothing could recognise is in doubt", "gates.answer_gates", "if doubted[name] or name in unknown]", "if doubted[name]]", told(TEA, case={"required_points": ["p"]})),
    Switch("a point with answer phrases could be recognised", "judging.undecided_claims", " if not point.answer_phrases]", "]", told(TEA, case=POINT_MADE)),
    Switch("labelled claims could name their point", "judging.undecided_claims", " or any(draft.point for draft in drafts.claims)", "", told({"claims": [{"text": TEA, "answer_point": "other", "support_phrases": ["plan"]}]}, labelled=True, case={"required_points": ["p"]})),
    Switch("behaviour: phrase-missing", "gates.phrase_tool_latency_gates", "if not answer.says(phrase)]", "if False]", told(TEA, case={"must_contain": ["milk", "sugar"]})),
    Switch("behaviour: forbidden-phrase", "gates.phrase_tool_latency_gates", "[phrase for phrase in case.must_not_contain if answer.says(phrase)]", "[]", told(TEA, case={"must_not_contain": ["TEA"]})),
    Switch("behaviour: tool-missing", "gates.phrase_tool_latency_gates", "if tool not in observed.tools]", "if False]", told(TEA, tool_calls=[], case={"expected_tools": ["search", "read"]})),
    Switch("behaviour: tool-forbidden", "gates.phrase_tool_latency_gates", "if tool in (observed.tools or ()):", "if False:", told(TEA, tool_calls=["delete"], case={"forbidden_tools": ["delete"]})),
    Switch("behaviour: too-slow", "gates.phrase_tool_latency_gates", "latency_ms <= limit:", "True:", told(TEA, latency_ms=11, case={"max_latency_ms": 10, "must_contain": ["a1", "b2"]})),
    Switch("slow: too-slow", "gates.phrase_tool_latency_gates", "late is None else Failed(", "True else Failed(", told(TEA, latency_ms=11, case={"max_latency_ms": 10})),
    Switch("no limit, no gate on time", "gates.phrase_tool_latency_gates", "return _NO_LIMIT", "return Passed()", told(TEA, latency_ms=11)),
    Switch("time nobody reports is unmeasured", "gates.phrase_tool_latency_gates", "    if latency_ms is None:\n", "    if False:\n", told(TEA, case={"max_latency_ms": 10})),
    Switch("at the limit is not too slow", "gates.phrase_tool_latency_gates", "latency_ms <= limit:", "latency_ms < limit:", told(TEA, latency_ms=10, case={"max_latency_ms": 10})),
    Switch("behaviour: custom-check", "gates.phrase_tool_latency_gates", "for i in found]", "for i in ()]", told(TEA, case={"custom_check": "m:f"})),
    Switch("a custom issue fails at any score", "gates.phrase_tool_latency_gates", "Decimal(0), fails_alone=True)", "Decimal(0))", told(TEA, case={"custom_check": "m:f"})),
    Switch("a forbidden phrase fails at any score", "gates.phrase_tool_latency_gates", "penalties.must_not_contain, fails_alone=True", "penalties.must_not_contain", told(TEA, case={"must_not_contain": ["tea"]})),
    Switch("a forbidden phrase is a hallucination", "gates.hallucination_key", "return (*found, *hits)", "return tuple(found)", told(TEA, case={"must_not_contain": ["tea"]})),
    Switch("a forbidden phrase is flagged", "gates.phrase_tool_latency_gates", "any(problem.code == _FORBIDDEN for problem in problems)", "False", told(TEA, case={"must_not_contain": ["tea"]})),
    Switch("a missing phrase fails at any score", "gates.phrase_tool_latency_gates", ", fails_alone=strict", "", told(TEA, case={"must_contain": ["milk"]})),
    Switch("a missing tool fails at any score", "gates.phrase_tool_latency_gates", "penalties.expected_tool, strict)", "penalties.expected_tool)", told(TEA, tool_calls=[], case={"expected_tools": ["search"]})),
    Switch("lenient scoring lets the score alone decide", "gates.phrase_tool_latency_gates", 'gate.scoring == "strict"', "True", told(TEA, gates={"behaviour": {"scoring": "lenient"}}, case={"must_contain": ["milk"]})),
    Switch("a phrase is not found inside a longer number", "text.phrases", "while found is not None and self._cuts_number(found):", "while False:", told("It takes 15 days.", case={"must_contain": ["5 days"]})),
    Switch("decimals are of their number", "text.phrases", "if len(parts) == 1 or (len(parts) == 2 and marks[0] in _DECIMAL):", "if len(parts) == 1:", told("It is 30.5 long.", case={"must_contain": ["30"]})),
    Switch("thousands are of their number", "text.phrases", "return len(set(marks)) == 1 and", "return False and", told("It is 1,300,000 long.", case={"must_contain": ["300"]})),
    Switch("of a date each part is a number", "text.phrases", "all(len(part) == _GROUP for part in parts[1:])", "True", told("Until 30.06.2026.", case={"must_contain": ["2026"]})),
    Switch("a whole word is not found inside another", "text.phrases", "if whole else spelled", "if False else spelled", told("Tea comes later.", case={"must_contain": [{"word": "late"}]})),
    Switch("any of several phrases is enough", "text.phrases", "any(self.says(each) for each in phrase.any)", "all(self.says(each) for each in phrase.any)", told(TEA, case={"must_contain": [{"any": ["tea", "milk"]}]})),
    Switch("an expression is searched in any case", "text.phrases", "flags=re.IGNORECASE", "flags=0", told(TEA, case={"must_contain": [{"regex": "TEA"}]})),
    Switch("phrases are found in any width", "text.phrases", "if text.isascii():", "if True:", told("ＴＥＡ is hot.", case={"must_contain": ["tea"]})),
    Switch("and over a broken line", "text.phrases", '" ".join(f".{text}.".split())[1:-1]', "text", told("Tea is\nhot.", case={"must_contain": ["is hot"]})),
    Switch("a forbidden tool fails at any score", "gates.phrase_tool_latency_gates", "penalties.forbidden_tool, fails_alone=True", "penalties.forbidden_tool", told(TEA, tool_calls=["delete"], case={"forbidden_tools": ["delete"]})),
    Switch("a score under its bar fails", "gates.phrase_tool_latency_gates", "score < gate.per_case or", "False or", told(TEA, gates=LENIENT["gates"], case={"must_contain": ["milk", "sugar"]})),
    Switch("the score never falls below 0", "gates.phrase_tool_latency_gates", "max(Decimal(0), 1 - sum(", "max(Decimal(-1), 1 - sum(", told(TEA, case={"must_contain": ["a1", "b2", "c3", "d4", "e5", "f6"]})),
    Switch("tools nobody reports are unmeasured", "gates.phrase_tool_latency_gates", "observed.tools is None:\n        return Unmeasured", "False:\n        return Unmeasured", told(TEA, case={"expected_tools": ["search"]})),
    Switch("latency nobody reports is unmeasured", "gates.phrase_tool_latency_gates", "observed.latency_ms is None:\n        return Unmeasured", "False:\n        return Unmeasured", told(TEA, case={"max_latency_ms": 10})),
    Switch("phrases are compared in any case", "text.case_folding", "return text.lower()", "return text", told(TEA, case={"must_contain": ["TEA"]})),
    Switch("of any language", "text.case_folding", 'unicodedata.normalize("NFC", text).casefold()', "text.lower()", told("Straße", case={"must_contain": ["STRASSE"]})),
    Switch("and with accents composed", "text.case_folding", 'unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())', "text.casefold()", told("Caf\u00e9", case={"must_contain": ["cafe\u0301"]})),
    Switch("the first failed gate at level block owns the repair", "counting.case_state", 'if type(outcome) is Failed and gates.of(gate).level == "block":', "if type(outcome) is Failed:", told("", gates={"answered": {"level": "warn"}, "faithfulness": {"level": "off"}})),
    Switch("want of a judge leaves a case passed", "counting.case_state", 'outcome.reason != "no-adjudicator" and', "", told("You need a plan to deploy.")),
    Switch("an unmeasured gate leaves a case unmeasured", "counting.case_state", 'return "unmeasured" if _unmeasured_at_block_level(outcomes, gates) else "passed"', 'return "passed"', told(TEA, case={"expected_tools": ["search"]})),
]  # fmt: skip

READING = [
    Switch("labels of a live app count nothing", "gates.diagnosis", "answered.trace if answered.labelled else without_labels(answered.trace)", "answered.trace", told({"claims": [{"text": "x", "support_phrases": ["rollback plan"]}]})),
    Switch("labels decide", "claims.claim_verdicts", "if not draft.phrases:", "if True:", labelled("rollback plan")),
    Switch("a label no chunk holds is unsupported", "claims.claim_verdicts", "    if not by:\n", "    if False:\n", labelled("no plan at all")),
    Switch("every phrase of a label must be in one chunk", "claims.claim_verdicts", "for phrase in phrases:\n        wanted", "for phrase in phrases[:1]:\n        wanted", told({"claims": [{"text": "x", "support_phrases": ["rollback plan", "three days"]}]}, labelled=True)),
    Switch("quotation supports", "claims.claim_verdicts", "_by_label(draft, context) or _by_quotation(draft, context, before, opened)", "_by_label(draft, context)", told(f"{QUOTED}.")),
    Switch("behind a lead that names the evidence a quotation is one", "text.quotation", "heading=heading) if behind else None", "heading=heading) if False else None", told(f"Based on the documents provided, {QUOTED}.")),
    Switch("behind a lead that says more it is none", "text.attribution_phrases", """rf"(?:(?:{'|'.join(forms)}) ?[,:]|(?:{courtesies}) ?:) \"""", 'r"[^,:]{1,80}[,:] "', told(f"According to your manager, {QUOTED}.")),
    Switch("behind a lead that announces a quotation is one", "text.attribution_phrases", "_words_beside(before) == []", "False", told(f"Here is what our policy says in short: {QUOTED}.")),
    Switch("words of its own before a colon are no lead", "text.attribution_phrases", "behind if _is_statement(behind) and _words_beside(before) == [] else None", "behind", told(f"Exception: {QUOTED}.")),
    Switch("a lead that announces hides no conflict", "text.stated_words", "return end_of_lead(bare)", "return 0", told("Our visitor guide says: Shipping takes five days in most countries.")),
    Switch("a missing end mark is forgiven", "text.text", 'else words + "."', "else words", told(QUOTED)),
    Switch("a cut sentence is no quotation", "text.quotation", "sentence = chunk.by_words.get(words) if", "sentence = chunk.sentences[0] if", told("A linked rollback plan before rollout.")),
    Switch("four words make a statement", "text.quotation", "_SHORTEST_WORDS = 4", "_SHORTEST_WORDS = 7", told("Deploys require a linked rollback plan before rollout. It applies on weekends too.")),
    Switch("words of a script without spaces are counted by characters", "text.quotation", 'rf"[{IDEOGRAPH}]{{2}}|', 'rf"[{IDEOGRAPH}]{{9}}|', told("返金は30日以内に行われます。", context=["ja"], language="ja")),
    Switch("wide stops are stops", "text.text", '"’‘“”–—‐‑。！？', '"’‘“”–—‐‑;！？', told("返金は30日以内に行われます", context=["ja"], language="ja")),
    Switch("a sentence that leans back is none alone", "text.quotation", "if not follows and leans_back(words, chunk.language)", "if False", told("It applies on weekends too.")),
    Switch("behind its own it is one", "claims.claim_verdicts", "before = reached.quoted", "before = {}", told("Deploys require a linked rollback plan before rollout. It applies on weekends too.")),
    Switch("a list behind its introduction is quoted", "claims.claim_verdicts", "or (item and (quotation := find_item(item, chunk.quotable)))", "", told(LIST, context=["list"])),
    Switch("a list is quoted whole", "text.quotation", " or not _all_among(listing.words, claim.beside)", "", told("Refunds are possible:\n- within thirty days", context=["list"])),
    Switch("an introduced item is no sentence alone", "text.quotation", "            if block.lead:\n                continue\n            if in_place", "            if in_place", told("- Within thirty days of purchase.", context=[{"chunk_id": "x", "text": "Never:\n- Within thirty days of purchase."}], bare=True)),
    Switch("introduction and item may be one sentence", "claims.claim_verdicts", 'Text(f"{lead[:-1]} {item.item}") if item else text', "text", told("Shipping takes three days:\n- in most countries")),
    Switch("a line broken for its width goes on", "text.quotation", "then[0].islower() or", "False or", told("Paid within thirty days of purchase.", context=["wide"])),
    Switch("a row is quoted behind its heads", "text.quotation", "block.row if block.cells else ", "", told("| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", context=["rows"])),
    Switch("joined propositions are claims of their own", "text.prose", "found = () if block.cells else propositions(", "found = () if True else propositions(", told(JOINED)),
    Switch("a part stands behind the subject it shares", "text.prose", 'f"{found[number].carried} {plain_words(bare, start, end)}"', "plain_words(bare, start, end)", told("HNSW is fast but needs a lot of memory.")),
    Switch("a marker stands behind the parts before it", "text.prose", "later, stop = own or later, start", "later, stop = own, start", told(f"{JOINED} [c1]")),
    Switch("a part that declines is no claim beside one that answers", "text.prose", "return stating or [sentence]", "return parts or [sentence]", told("The menu does not list calories, but the kofta has 420.")),
    Switch("a whole sentence is quoted before its parts are", "claims.claim_verdicts", "if prose is not None and prose.joined is not None:", "if False:", told(JOINED, context=[{"chunk_id": "x", "text": JOINED}], bare=True)),
    Switch("a phrase over a joint is said by both sides", "claims.claim_verdicts", "        joined is not None\n        and _stands_in(", "        False and joined is not None\n        and _stands_in(", told(JOINED, case={"required_points": [{"id": "p", "answer_phrases": ["20 EUR and the deposit"]}]})),
    Switch("an item is quoted under its own heading", "text.quotation", "return own is None or own == _bare_words(heading)", "return True", told("## Gifts\n- Returns are not accepted.", context=[{"chunk_id": "x", "text": "## Sales\n- Returns are not accepted."}], bare=True)),
    Switch("what a condition opens is left whole", "text.propositions", "if not (ends or sentence.is_free(begin, joint)):", "if False:", told("The fee is due when the order ships and the stock is low.")),
    Switch("what a condition may close is left whole", "text.propositions", "if not parts or (grouped and not", "if not parts or (False and not", told("Refunds are possible and shipping is free if you order online.")),
    Switch("a quotation is one word", "text.propositions", 'lambda found: "Q" * len(found[0])', "lambda found: found[0]", told("The “red” lid is hot and ice is cold.")),
    Switch("what is opened and not closed is left whole", "text.propositions", "if english.OPEN.search(masked):", "if False:", told("The rule: tea is hot and ice is cold.")),
    Switch("what a sentence opens with is true of its parts", "text.propositions", '"" if ends else frame, not ends', '"", not ends', told("For members, entry is free and parking costs 5 EUR.")),
    Switch("a subject of two takes no singular verb", "text.propositions", 'if "and" in before and', "if False and", told("The lid is red and Bob and Carl is here.")),
    Switch("answer phrases recognise a point", "claims.claim_verdicts", "made = _recognised(draft, recognisable) if recognisable else ()", "made = ()", told("Link a rollback plan.", case=POINT_MADE)),
    Switch("a point's support phrases label its claim", "claims.claim_verdicts", "if point.support_phrases]", "if False]", told("It requires a linked rollback plan.", case=POINT_MADE)),
    Switch("a label verifies no more than its sources say", "claims.claim_verdicts", "if beyond := _excess_words(draft.read, made, labels, by, language=language):", 'if beyond := "":', told("Link a rollback plan, says the crew.", case=POINT_MADE)),
    Switch("a certain conflict stands against a label", "claims.claim_verdicts", "elif reached.labelled:", "elif False:", told({"claims": [{"text": "Refunds end after 90 days, except gifts.", "citation_id": "c1", "support_phrases": ["except gifts"], "answer_point": "p"}]}, labelled=True, case={"required_points": ["p"]})),
    Switch("a quotation of something else verifies nothing", "claims.claim_verdicts", "elsewhere = {claim.claim_id for claim in doubtful if settled.isdisjoint(claim.supported_by)}", "elsewhere = set()", told("Shipping takes three days in most countries.", case={"question": "Which wine goes with roasted lamb?"})),
    Switch("a claim that denies its source is a conflict", "claims.claim_verdicts", "if finding := polarity_conflict(draft.text, phrases, chunks):", "if finding := None:", told("It may start without a rollback plan.", case=POINT_MADE)),
    Switch("a price told by a negation denies nothing", "claims.polarity", 'text = negated.sub("", text)', "pass", told({"claims": [{"text": "Tea is at no cost.", "citation_id": "x", "support_phrases": ["free of charge"]}]}, context=[{"chunk_id": "x", "text": "Tea is free of charge."}], bare=True, labelled=True)),
    Switch("an id in brackets cites", "text.citations", "if token in known:\n        return True", "if False:\n        return True", told("Tea is hot [ids].", context=[{"chunk_id": "ids", "text": "x"}], bare=True)),
    Switch("a bracketed word is prose", "text.citations", "_LOOKS_LIKE_ID.fullmatch(token) is not None", "True", told("He said [sic] tea.")),
    Switch("a number cites by position", "text.citations", "return context_ids[position - 1] if", "return token if", told(f"{QUOTED} [2].")),
    Switch("a place inside the source is left out", "text.citations", 'ids.partition("†")[0]', "ids", told(f"{QUOTED}【2†L3】.")),
    Switch("several ids stand in one bracket", "text.citations", r"[,;]", "[#]", told(f"{QUOTED} [1, 2].")),
    Switch("a footnote's mark cites", "text.citations", 'token.startswith("^")', "False", told(f"{QUOTED}[^2].")),
    Switch("a footnote cites what its definition names", "text.footnotes", "return self.sources.get(token) or", "return", told(f"{QUOTED}[^1].\n\n[^1]: see c2")),
    Switch("a footnote's definition is no claim", "text.footnotes", "text = blanked(text, _DEFINITION)", "pass", told("Tea is hot[^1].\n\n[^1]: handbook, page 3.\n\nIce is cold.")),
    Switch("a list of sources is no claim", "text.footnotes", "if _TITLE.fullmatch(line):", "if False:", told("Tea is hot [1].\n\nSources:\n- Handbook, page 3")),
    Switch("a mark explained at the end is no claim", "text.footnotes", "if explained and line.strip():", "if False:", told("Tea is hot [1].\n\n[1]: handbook, page 3.")),
    Switch("only a mark that was cited is explained", "text.footnotes", ' and entry["label"] in cited', "", told("Tea is hot.\n\n[c1]: Ice is cold.")),
    Switch("link definitions are no claims", "text.blocks", 'return blanked(text, _LINK_DEFINITION) if "]:" in text else text', "return text", told("Tea is hot.\n\n[docs]: https://x.test/a")),
    Switch("headings are no claims", "text.blocks", "elif heading := _HEADING.match(line):", "elif heading := None:", told("# All about tea\nTea is hot.")),
    Switch("underlined headings are no claims", "text.blocks", "                self._open = None\n                self._heading", "                self._heading", told("All about tea\n===\nTea is hot.")),
    Switch("rules part paragraphs", "text.blocks", "elif _RULE.fullmatch(line):", "elif False:", told("Tea is hot.\n***\nIce is cold.")),
    Switch("fenced code is no claim", "text.blocks", "return bool(self._fence) and not self._shown", "return False", told("Tea is hot.\n```\nprint(1)\n```")),
    Switch("prose in a fence is read", "text.blocks", '_PROSE_LANGUAGES = frozenset({"markdown", "md"})', "_PROSE_LANGUAGES = frozenset()", told("Tea is hot.\n```md\nIce is cold.\n```")),
    Switch("an answer that is nothing but code is read", "text.prose", "if not found and has_code(notes.text):", "if False:", told("```\nTea is hot.\n```")),
    Switch("tags are no words", "text.blocks", 'if "<" in text:\n        text = _TAG', "if False:\n        text = _TAG", told("<b>Tea</b> is hot.")),
    Switch("tags do not hide a sentence's end", "text.blocks", 'return blanked(text, _TAG) if "<" in text else text', "return text", told("<p>Tea is hot.</p><p>Ice is cold.</p>")),
    Switch("quotation bars are no words", "text.blocks", "blanked(blanked(text, _COMMENT), _QUOTE)", "blanked(text, _COMMENT)", told("> Tea is hot.\n> It is brewed.")),
    Switch("comments are no words", "text.blocks", "blanked(blanked(text, _COMMENT), _QUOTE)", "blanked(text, _QUOTE)", told("Tea is hot.<!-- not so -->")),
    Switch("emphasis is no word", "text.blocks", 'text = _EMPHASIS.sub(r"\\2", text)', "text = (text)", told("__Tea__ is hot.")),
    Switch("half an emphasis is no word", "text.blocks", 'text = _HALF_EMPHASIS.sub("", text)', "text = (text)", told("**Tea is hot. Ice is cold.**")),
    Switch("list items stand behind their introduction", "text.prose", 'return f"{lead} {words}" if lead else words', "return words", told(LIST)),
    Switch("an item may introduce a list", "text.blocks", "lead = self._inner[-1][1] if self._inner else self._lead", "lead = self._lead", told("Rules:\n- Refunds:\n  - within 30 days")),
    Switch("a bare introduction is no claim", "text.blocks", 'introduces = words.endswith((":", "："))', "introduces = False", told("Tea is hot. Needed is:\n- milk")),
    Switch("rows stand behind their heads", "text.blocks", 'f"{head}: {plain(cell)}" if head else', "", told("| Dish | Price |\n|---|---|\n| Soup | 6 EUR |")),
    Switch("abbreviations end no sentence", "text.sentences", "joins = may_join", "joins = False and may_join", told("It takes approx. 5 days.")),
    Switch("a quoted sentence is a part of its sentence", "text.sentences", "if goes_on or (joins", "if (joins", told("「返金できます。」という表示は誤りです。", language="ja")),
    Switch("questions are no claims", "text.abstention", "return sentence.endswith(_ASKS)", "return False", told("Would you like tea?")),
    Switch("a clause that asserts makes an answer", "text.abstention", "whole = max(parts, default=Stance.EMPTY)", "whole = min(Stance.ABOUT, max(parts, default=Stance.EMPTY))", told("I'm not sure, but the fee is 20 EUR.")),
    Switch("a condition or a report declines nothing", "text.languages.language_rules", "for excuse in self.rules.excuses])", "for excuse in ('(?!)',)])", told("The rule says I cannot ship on Fridays.")),
    Switch("a fact behind a referral is a claim", "text.abstention", " or rules.fact.search(rest)", "", told("Ask the staff, the pie contains no nuts.")),
    Switch("a number makes a harmless clause an answer", "text.abstention", "if lacks or on_sources is Stance.ABOUT else clause, rules, question):", "if lacks or on_sources is Stance.ABOUT else clause, rules, question) and False:", told("I checked the price of 30 EUR, but could not find the deposit.")),
    Switch("an instruction with a time is a claim", "text.abstention", "return not (DIGITS.search(rest) or rules.numbers.search(rest)", "return not (False", told("I don't know. Ask your manager ten days ahead.", case=ABSTAIN)),
    Switch("a number of the question is no news", "text.question_words", "if number[0] not in question.numbers and not", "if not", told("No total for tier 21 was found here.", case={**ABSTAIN, "question": "What was the total of tier 21?"})),
    Switch("a number in the name of a source is no news", "text.question_words", " and not rules.sources.search(around)", "", told("Page 12 is not here.", case=ABSTAIN)),
    Switch("an address counts nothing", "text.question_words", 'counted = CONTACT.sub(" ", clause)', "counted = clause", told("I don't know. Please call the office on 0800 123 456.", case=ABSTAIN)),
    Switch("a year bounds a source", "text.abstention", '_YEAR.sub(" ", clause) if lacks or on_sources is Stance.ABOUT else clause', "clause", told("The pages that were given to us here are about 2019.", case=ABSTAIN)),
    Switch("a sentence in brackets is read", "text.clauses", '            yield Clause(bare(aside), "(")', "            pass", told("I don't know whether it contains nuts (it does not).", case=ABSTAIN)),
    Switch("a guess behind a comma is an answer", "text.clauses", "if rules.guesses.match(text, comma.end()):", "if False:", told("I don't know, probably in the cellar.", case=ABSTAIN)),
    Switch("a courtesy before a comma is no part of it", "text.clauses", "if not any(idle) or all(idle):", "if True:", told("I don't know. I'm sorry, dogs are not allowed.", case=ABSTAIN)),
    Switch("a sentence about the speaker may decline", "text.abstention", " or rules.speaker.match(clause)", "", told("I had to pass on that one.", case=ABSTAIN)),
    Switch("who will call back answers nothing", "text.abstention", "if question.words and rules.promises.match(clause) and", "if False and", told("Visits are possible from 16:00 to 18:00. We will call you back within one hour.", case={**ABSTAIN, "question": "When are visiting hours?"})),
    Switch("who will call back beside a decline asserts nothing", "text.abstention", "read[at] = Stance.PROMISES", "pass", told("I don't know. Our team will contact you within 2 days.", case={**ABSTAIN, "question": "What does it cost?"})),
    Switch("a request in words of its own is an answer", "text.abstention", " or new_words(rest, rules) > STATEMENT)", ")", told("Please have with you your insurance card, your identity card and your medicines.", case={**ABSTAIN, "question": "What should I bring?"})),
    Switch("a price told by a negation lacks nothing", "text.abstention", 'rules.denies_nothing.sub("", sentence)', "sentence", told("The wireless network is provided to guests at no cost.", case={**ABSTAIN, "question": "Is it free?"})),
    Switch("a fragment of negation may decline", "text.abstention", "(fragment or not", "(not", told("No luck today.", case=ABSTAIN)),
    Switch("what the sources lack may decline", "text.abstention", " or not _ON_SOURCES.isdisjoint(before)", "", told("The data sheet lists density; no boiling point at sea level.", case=ABSTAIN)),
    Switch("a guess that refers may be no answer", "text.abstention", "    if rules.referring.search(clause):\n        return Stance.DOUBTFUL\n    return", "    return", told("I don't know. Perhaps ask the driver.", case=ABSTAIN)),
    Switch("whatever may decline is undecided", "judging.undecided_claims", "drafts.declined is False and not drafts.may_decline", "drafts.declined is False", told("I had to pass on that one.", case=ABSTAIN)),
    Switch("a referral that cites is a claim", "text.prose", "sentence.markers or says", "says", told("Tea is hot [1]. Contact the travel desk [1].")),
    Switch("where an answer is expected it is one", "claims.claim_extraction", 'if case.expect == "abstain":\n        return Expected', "if True:\n        return Expected", told("No luck today.")),
    Switch("in an unknown language any may decline", "text.prose", "(doubtful or languages is None)", "doubtful", told("Nie, nie musi się pan wypisywać.", case=ABSTAIN)),
    Switch("a list of sources looked at is no claim", "text.prose", "return min(read, introduced) if", "return read if", told("I searched these documents:\n- Travel policy\n\nThey don't mention spouses.", case=ABSTAIN)),
    Switch("numbers of other languages are parted as theirs", "text.read_in_english", "for parted in (_THOUSANDS, _DECIMAL):", "for parted in ():", in_german("Die Karte kostet 12,80 Euro im Monat.", "Die Karte kostet 12,50 Euro im Monat.")),
    Switch("their closed words are English ones", "text.read_in_english", "table.words.get(word) or", "", in_german("Eine Tasche darf höchstens zwölf Kilo wiegen.", "Eine Tasche darf mindestens zwölf Kilo wiegen.")),
    Switch("several words may be one", "text.read_in_english", "{phrases or '(?!)'}", "(?!)", in_german("Der Vertrag endet, es sei denn, der Mieter zahlt.", "Der Vertrag endet, wenn der Mieter zahlt.")),
    Switch("a word that is spelled like an English one is none", "text.read_in_english", 'return f"{word}þ" if', 'return f"{word}" if', in_german("Der Fonds hilft Familien in Not mit Geld.", "Der Fonds hilft Familien mit Geld.")),
    Switch("where words stand tells no parties of other languages", "evidence_checks.conflict", 'orders = claim.language == "en"', "orders = True", in_german("Die Firma verklagt den Händler vor Gericht.", "Den Händler verklagt die Firma vor Gericht.")),
    Switch("evidence of another language is held against nothing", "evidence_checks.evidence_index", "return reads_as_another(self.text[:2000], self.language)", "return False", in_german("The fee is 12 EUR of the month, and it is not for you to have.", "Fee 20 EUR month.")),
    Switch("an answer is read with its question", "text.prose", "if _is_decline(read) and not", "if False and not", told("The maintenance log skips the roof entirely.", case={"question": "When was the roof inspected?"})),
    Switch("a sentence of the evidence is an answer", "text.prose", " and not any(expected.is_quotation(Text(sentence.words)) for sentence in sentences)", "", told("The letter does not say why the premium rises.", case={"question": "Why does the premium rise?"}, context=[{"chunk_id": "x", "text": "The letter does not say why the premium rises."}], bare=True)),
    Switch("what a question for yes or no asks is answered", "text.abstention", " or _is_asked(stated, rules, question)", "", told("The letter does not say why the premium rises.", case={**ABSTAIN, "question": "Does the letter say why the premium rises?"})),
    Switch("a word on oneself beside a decline tells nothing", "text.abstention", "return Stance.REFERS if aside and not", "return Stance.REFERS if False and not", told("I don't want to mislead you, and the induction isn't described in the listing.", case={**ABSTAIN, "question": "May I skip the induction?"})),
    Switch("a broad denial declines where a decline is expected", "text.abstention", " or _denies(stated, rules, question)", "", told("The runbook doesn't name a person.", case={**ABSTAIN, "question": "Who owns backups?"})),
    Switch("words of the question deny nothing", "text.question_words", "BLANK if repeats(word[0].lower(), question.words) else word[0]", "word[0]", told("The report does not show guests.", case={**ABSTAIN, "question": "Does the report show guests?"})),
    Switch("a bare denial brings no news", "text.abstention", " and not new_words(rest, rules)", "", told("Members do not discuss salaries.", case={**ABSTAIN, "question": "Are salaries public?"})),
    Switch("a number in a denial may be an answer", "text.abstention", "return bool(question.words) and has_new_number(", "return False and has_new_number(", told("Entre las 22:00 y las 6:00 no podemos responder a llamadas.", case={**ABSTAIN, "question": "¿Cuándo responde el soporte?"})),
    Switch("who sees no obstacle agrees", "text.abstention", "if rules.obstacles.search(clause) or", "if", told("I can't find a single reason not to use cash.", case={**ABSTAIN, "question": "How do I pay?"})),
    Switch("a number of the sources may stand beside a decline", "text.abstention", "return Stance.SOFT if lacks or on_sources else Stance.ASSERTS", "return Stance.ASSERTS", told("The leaflet lists 500 mg for adults. It does not mention infants.", case={**ABSTAIN, "question": "What is the dose for children?"})),
    Switch("a year in what is lacking bounds it", "text.abstention", "doubtful = denying or (lacks and _YEAR.search(clause) is not None)", "doubtful = denying", told("Für 1918 und 1919 liegen Zahlen vor, für später nicht.", case={**ABSTAIN, "question": "Wie viele Gäste kamen zum Gipfel?"})),
    Switch("who denies with news may decline", "text.abstention", "doubtful = denying or (", "doubtful = (", told("An undisclosed widow.", case={**ABSTAIN, "question": "Who founded it?"})),
    Switch("beside the point of a later decline nothing is answered", "text.abstention", "question) for other in others)", "question) and False for other in others)", told("Water boils at 100 °C. The table does not mention acetone.", case={**ABSTAIN, "question": "What is the boiling point of acetone?"})),
    Switch("what is denied before a decline is why", "text.abstention", "explains or Stance.DECLINES in later", "explains", told("Chile is not on any of our price tags; I cannot say.", case={**ABSTAIN, "question": "Does it ship to Chile?"})),
    Switch("what is lacking is a reason to answer", "text.question_words", "return clause[: reason.start()]", "return clause", told("You can safely have pilaf, as its entry does not mention nuts.", case={**ABSTAIN, "question": "What can I eat?"})),
    Switch("what is stated before what is lacking answers", "text.abstention", "declining and not _stated_before(stated, rules, question)", "declining", told("Pilaf goes with Syrah gladly, the notes do not mention otherwise.", case={**ABSTAIN, "question": "What can I drink?"})),
    Switch("yes and no are to the point", "text.abstention", " and not _is_yes_or_no(part.text)", "", told("No. The table does not mention acetone.", case={**ABSTAIN, "question": "Is acetone safe?"})),
    Switch("on the point it is answered, whatever is declined behind", "text.question_words", "return not takes_up(declining, question) <= takes_up(asserting, question)", "return True", told("Acetone boils at 56 °C. The table does not mention acetone.", case={**ABSTAIN, "question": "When does acetone boil?"})),
    Switch("a question word that is declined was the point", "text.question_words", " | (question.open_points & _open_points(text))", "", told("She lived in Leeds. The article does not say when exactly.", case={**ABSTAIN, "question": "When did she move?"})),
    Switch("what only refers is no answer beside a decline", "text.abstention", "(_REFERRAL if merely else 0)", "0", told("I don't know. Caretakers assist gladly.", case={**ABSTAIN, "question": "Is the lift fixed?"})),
    Switch("an instruction that refers as well is none", "text.abstention", "(_REFERRAL if merely else 0)", "(_REFERRAL * 9 if merely else 0)", told("I don't know. Apply thick cream overnight gently and consult a doctor.", case={**ABSTAIN, "question": "What helps against the rash?"})),
    Switch("words that name the sources are no clause", "text.abstention", "    return sentence if rest is None else sentence[len(sentence) - len(rest) :]", "    return sentence", told("Según el contexto proporcionado, no hay información sobre los días.", case={**ABSTAIN, "question": "¿Cuántos días tienen?"})),
    Switch("an enumeration goes on", "text.abstention", "parts[at - 1] in _TELLS_OF_SOURCES and _goes_on", "False and _goes_on", told("The text covers speech, search, and games, but transformers are not mentioned.", case={**ABSTAIN, "question": "What can transformers do?"})),
    Switch("a heading only names what was asked", "text.abstention", "    return _is_topic(sentence, _rules_of(sentence), question)", "    return False", told("**Refunds for unused classes**\n\nThe provided context does not cover this topic.", case={**ABSTAIN, "question": "Are there refunds for unused classes?"})),
    Switch("what sources lack behind a colon is why", "text.abstention", "    return rules.hint.search(rest) is not None and rules.knowing.search(rest) is not None", "    return False", told("I'm unable to answer this from the context: no early repayment terms are given there.", case={**ABSTAIN, "question": "What penalty applies for early repayment of the loan?"})),
    Switch("what is left out is left out of the source", "text.clauses", "if subject and open_question and _is_left_out(text, rules):", "if False:", told("The notice lists the models, but the reason isn't included.", case={**ABSTAIN, "question": "What was the reason for the recall?"})),
    Switch("what is no part of the thing is told of it", "text.clauses", "    return definite and rules.hint", "    return rules.hint", told("The brochure lists three tours, but lunch is not included.", case={**ABSTAIN, "question": "What do I get on a tour?"})),
    Switch("who begins as a referral does refers", "text.abstention", "rules.referring.search(clause) or rules.refers.match(clause)", "rules.referring.search(clause)", told("I don't have information about dogs. I'd recommend calling the operator before you travel.", case={**ABSTAIN, "question": "Are dogs allowed on deck?"})),
    Switch("a courtesy on the question answers it", "text.abstention", "if read is Stance.SOFT and not refers and (BLANK in rest or", "if read is Stance.SOFT and not refers and (False or", told("Unfortunately dogs are allowed.", case={**ABSTAIN, "question": "Are dogs allowed?"})),
    Switch("what leads to a decline is why", "text.abstention", "read[at] = Stance.BESIDE if declines else", "read[at] =", told("The signature block is blank, so I cannot tell you who signed it.", case={**ABSTAIN, "question": "Who signed the lease?"})),
    Switch("what is told before no more can be is doubtful", "text.abstention", "else min(does, Stance.SOFT)", "else does", told("The policy excludes flooding, so I have no better answer.", case={**ABSTAIN, "question": "Does it cover flooding?"})),
    Switch("beside a decline an answer has a mark", "text.abstention", "not _may_answer(part, question, rules, behind=behind)", "False", told("The label does not mention it. Rules of thumb differ among brands.", case={**ABSTAIN, "question": "Is it safe?"})),
    Switch("what could be is no answer", "text.abstention", "if _is_hypothetical(text):\n        return False", "if False:\n        return False", told("I do not know. It could be allowed elsewhere.", case={**ABSTAIN, "question": "Does it allow subletting?"})),
    Switch("a word that points back marks an answer", "text.abstention", " or leans_back(text.lower(), rules.language)", "", told("I could not find that. It needs consent.", case={**ABSTAIN, "question": "May I sublet?"})),
    Switch("where steps are asked for they are the answer", "text.abstention", "if question.kind is Kind.STEPS or", "if", told("The manual does not say. Hold the button down.", case={**ABSTAIN, "question": "How do I reset it?"})),
    Switch("in spite of a decline one answers", "text.abstention", "if behind and follows and", "if False and", told("The brochure does not mention heating, but guests praise warm water.", case={**ABSTAIN, "question": "Is the pool heated?"})),
    Switch("words of the question mark an answer", "text.abstention", "return points_back or bool(takes_up(text, question))", "return points_back", told("The contract does not say. Tenants bear liability.", case={**ABSTAIN, "question": "Who bears liability?"})),
    Switch("what a source tells on the point may be the answer", "text.abstention", "if does is Stance.BESIDE and", "if False and", told("I cannot say much about that. The policy covers flooding.", case={**ABSTAIN, "question": "Does the policy cover flooding?"})),
    Switch("what a source names may be who", "text.abstention", "return NAMED.search(rest) is not None", "return False", told("I am not certain. The brochure names Ada Marlow.", case={**ABSTAIN, "question": "Who is the dean?"})),
    Switch("a number answers how much", "text.abstention", "question.kind is Kind.QUANTITY or any(", "any(", told("I cannot say. The contract mentions a deposit of the tenant.", case={**ABSTAIN, "question": "How high is the deposit?"})),
    Switch("a report may be the answer", "text.abstention", "if rules is None and reads.report.match(rest):", "if False:", told("I cannot tell. The notes only mention that applications close in spring.", case={**ABSTAIN, "question": "When is the deadline?"})),
    Switch("what is denied behind a colon explains", "text.abstention", "explains or Stance.DECLINES in later", "Stance.DECLINES in later", told("This cannot be answered from the table: alloy 7 is not one of the alloys.", case={**ABSTAIN, "question": "What is the melting point of alloy 7?"})),
    Switch("where the sources end is why", "text.abstention", " or Stance.ABOUT in later", "", told("May is not included: the data goes up to April.", case={**ABSTAIN, "question": "Did sales rise in May?"})),
    Switch("a topic before a colon tells nothing", "text.abstention", "            parts[at] = Stance.EMPTY", "            pass", told("Gift cards: no information available.", case={**ABSTAIN, "question": "What is the refund policy for gift cards?"})),
    Switch("a clause goes on about the source before it", "text.clauses", 'named.append(clause._replace(text=f"{subject} {clause.text[goes_on.end() :]}"))', "named.append(clause)", told("The minutes record the vote but never mention reasons.", case={**ABSTAIN, "question": "Why was it rejected?"})),
    Switch("a source is pointed back to", "text.clauses", "if source else clause.text", "if False else clause.text", told("I read the list, but passes aren't on it.", case={**ABSTAIN, "question": "What do passes cost?"})),
    Switch("a sentence goes on about the source before it", "text.prose", 'befores = ["", *words][: len(words)]', 'befores = ["" for _ in words]', told("The passages discuss history. They do not provide population figures.", case={**ABSTAIN, "question": "What is the population of Velm?"})),
    Switch("what is to be asked of somebody is no fact", "text.abstention", 'rules.fact.search(rules.embedded.sub(" ", clause))', "rules.fact.search(clause)", told("I do not know. The practice can tell you whether she is taking patients.", case={**ABSTAIN, "question": "Is she taking patients?"})),
    Switch("amounts are no telephone numbers", "text.question_words", "(?![0-9]{1,3}(?:\\.[0-9]{3})+\\b)", "", told("Ob Diebstahl gedeckt ist, steht nicht im Auszug. Zu Hause sind bis zu 10.000 Euro versichert.", case={**ABSTAIN, "question": "Ist Diebstahl im Ausland gedeckt?"})),
    Switch("code cites nothing", "text.prose", "found, bare = _read(without_code(notes.text), notes", "found, bare = _read(notes.text, notes", told("Tea is `rows[1]` hot.")),
    Switch("an index cites nothing", "text.citations", " and not _is_index(text, match, known)", "", told("Tea is items[1].price hot.")),
    Switch("text that runs on makes an index", "text.citations", "if _RUNS_ON.match(text, match.end()):", "if False:", told("Tea is items[1].price hot.")),
    Switch("a word of code makes an index", "text.citations", 'if _CODE.search(before["word"]):', "if False:", told("Tea is user_ids[1] hot.")),
    Switch("an element that is set makes an index", "text.citations", " or _SET.match(text, match.end()) is not None", "", told("Tea is limits[1] = hot.")),
    Switch("positions are counted from one", "text.citations", " and not _ZERO.fullmatch(token)", "", told("Tea is items[0] hot.")),
    Switch("in a language without rules an answer is not told from a decline", "claims.claim_extraction", "or reading.language in KNOWN or not prose.claims", "or True", told("Tea is hot.", case=ABSTAIN, language="xx")),
]  # fmt: skip

PENALTIES = [
    Switch(f"penalty: {name}", "gates.phrase_tool_latency_gates", f"penalties.{name}{end}", f"Decimal(0){end}", example)
    for name, end, example in (
        ("must_contain", ",", told(TEA, case={"must_contain": ["milk"]})),
        ("must_not_contain", ",", told(TEA, case={"must_not_contain": ["tea"]})),
        ("expected_tool", ",", told(TEA, tool_calls=[], case={"expected_tools": ["search"]})),
        ("forbidden_tool", ",", told(TEA, tool_calls=["delete"], case={"forbidden_tools": ["delete"]})),
        ("latency", ")", told(TEA, latency_ms=11, case={"max_latency_ms": 10})),
    )
]

DOWN = make_row(0, outcomes={"target": failed("target-error")})
FAULTED = make_row(0, outcomes={"target": unmeasured("fault")})
INADMISSIBLE = make_row(0, outcomes={"admissibility": failed()})


def demanding(position: int, musts: Musts = Musts(met=(0, 1))) -> CaseRun:  # noqa: B008  a record is never changed
    return make_row(position, musts=musts)


def missing(position: int) -> CaseRun:
    outcomes = {"behaviour": failed("phrase-missing", 'Missing: "30 days"')}
    return make_row(position, musts=Musts(met=(1,), missed=(0,)), outcomes=outcomes)


def losing(position: int, *, base: bool = False, again: Musts | None = None, **fields: Any) -> CaseRun:
    """A case that lost its one required source from its context; of the baseline, one that had it."""
    if base:
        return make_row(position, recalled=Musts(met=(1,)))
    outcomes: dict[Any, Any] = {"context_recall": failed("source-missing", "c3 not in context")}
    asks = () if again is None else (Ask(outcomes={}, recalled=again),)
    return make_row(position, recalled=Musts(missed=(1,)), outcomes=outcomes, asks=asks, **fields)


KEPT, LOST = losing(0, base=True), Musts(missed=(1,))
OPEN_BARS: dict[str, Any] = {"gates": {"context_recall": {"min": "0%"}}}
SAID = make_row(0, hallucinations=(phrase(),), flagged=True)
EVASIVE = make_row(0, outcomes={"answered": failed("declined")})
ANSWERED = tuple(fine(40, score=1.0, outcomes={"answered": passed()}))


def against_an_answer(row: CaseRun) -> Callable[[dict[str, Any]], Example]:
    return lambda policy: decided(row, base=(ANSWERED[0],), **policy)


def miscited(cited: str) -> CaseRun:
    """A case of which one claim, that nobody could verify, cites this chunk; the context holds c1 alone."""
    claim = Claim(claim_id="claim-1", text="Tea is hot.", citations=(cited,))
    return make_row(0, claims=(claim,), context=("c1",), outcomes={"citation_support": failed("citation")})


def failing_twice(**fields: Any) -> CaseRun:
    """A case that fails retrieval on both runs; further outcomes and demands as given."""
    outcomes = {"context_recall": failed()}
    outcomes |= {gate: fields.pop(gate) for gate in ("answered", "slow") if gate in fields}
    return make_row(0, outcomes=outcomes, **fields)


UNSTEADY = tuple(flaky(position) for position in range(3))


def saying(kind: str, text: str) -> CaseRun:
    """A case with one suspect claim in these words; the finding is on what stands last in them."""
    row = suspicious(0, kind)
    finding = row.claims[0].findings[0].model_copy(update={"start": max(len(text) - 3, 0), "end": len(text)})
    return row.model_copy(update={"claims": (row.claims[0].model_copy(update={"text": text, "findings": (finding,)}),)})


def lie(text: str) -> CaseRun:
    """A case with one false claim, and the sentence of the evidence nearest to it."""
    quote = "Hold bags may weigh 20 kg." if "Hold" in text else "Cabin bags may weigh 8 kg."
    found = Hallucination(kind="claim", key=text, text=text, chunk_id="c1", quote=quote)
    return make_row(0, hallucinations=(found,))


CITED = Claim(claim_id="claim-1", text="Tea is hot.", start=0, end=11, citations=("c2",), supported_by=("c1",))
ASTRAY = make_row(0, claims=(CITED,), context=("c1", "c2"), outcomes={"citation_support": failed(share=(0, 1))})
ITEMISED = ASTRAY.model_copy(update={"claims": (CITED.model_copy(update={"start": None, "end": None}),)})
BARE = make_row(
    0, claims=(CITED.model_copy(update={"citations": ()}),), outcomes={"citation_support": NotApplicable(why="")}
)


def counted_where_few_cite(row: CaseRun) -> Example:
    """How a row counts in a run whose answers seldom cite, and whether a fault of its citations is still found."""

    def example(core: Core) -> Any:
        counted = core["counting.citation_habit"].without_citation_gate(row, make_policy().gates)
        return counted.model_dump(mode="json"), sorted(core["counting.case_state"].citation_faults(counted))

    return example


def half_cite(core: Core) -> Any:
    tally = core["counting.citation_habit"].CitationTally()
    for row in (ASTRAY, BARE, make_row(0)):
        tally.add(row)
    return tally.app_cites


def bar_over(passed_: int, scored: int, status: str, gate: str = "context_recall") -> RunGate:
    bar = {"operator": ">=", "amount": "0.95", "unit": "share"}
    given = {"gate": gate, "level": "block", "status": status, "passed": passed_, "scored": scored, "bar": bar}
    return RunGate.model_validate_json(json.dumps(given))


def part_of_a_suite(passed_: int, **fields: Any) -> Example:
    """A bar over twelve cases of a hundred, of which the baseline passed eight, and 96 with what is carried."""
    before = (Before(name="context_recall", passed=8), Before(name="a=b", passed=1))
    known = PartialScope(**{"carried": 88, "gates": (bar_over(96, 100, "passed"),), "before": before, **fields})
    ran = bar_over(passed_, 12, "failed")

    def example(core: Core) -> Any:
        found = core["decision.slice_gates"].gates_in_part([ran], known)
        return [gate.model_dump(mode="json") for gate in found]

    return example


def paired_in_part(core: Core) -> Any:
    """A gate on what is new against the baseline, over twelve cases of a hundred of which nothing is carried."""
    ran, known = bar_over(11, 12, "failed", "newly_unanswered"), PartialScope(because="evidence")
    return [gate.status for gate in core["decision.slice_gates"].gates_in_part([ran], known)]


def part_of_a_slice(**fields: Any) -> Example:
    red = SliceResult(name="a=b", passed=0, scored=1, status="failed")
    whole = SliceResult(name="a=b", passed=39, scored=40, status="passed")
    known = PartialScope(**{"slices": (whole,), "slices_before": (Before(name="a=b", passed=1),), **fields})
    return lambda core: [part.status for part in core["decision.slice_gates"].slices_in_part([red], known)]


def carries_from(version: str, policy: str, evidence: str) -> Example:
    def example(core: Core) -> Any:
        judged_by = core["comparison.same_judges"].JudgedBy
        return judged_by("1", "policy", "evidence").differs_in(judged_by(version, policy, evidence))

    return example


SLOW = RunGate.model_validate_json(
    json.dumps(
        {
            "gate": "p95_latency_ms",
            "level": "block",
            "status": "failed",
            "bar": {"operator": "<=", "amount": "8000", "unit": "ms"},
        }
    )
)
ON_THE_RUN = [
    Switch("run: a gate on cases has its bar", "decision.slice_gates", "if meets(rate_of(passed, scored), bar):", "if True:", decided(make_row(0, outcomes={"context_recall": failed()}))),
    Switch("run: flaky cases alone take no bar below its share", "decision.slice_gates", "if flaky and meets(rate_of(passed + flaky, scored + flaky), bar)", "if False", decided(make_row(0, outcomes={"context_recall": failed()}), *[make_row(n, outcomes={"context_recall": passed()}) for n in range(1, 18)], *[flaky(n, outcomes={"context_recall": passed()}) for n in range(18, 20)])),
    Switch("run: want of a judge only warns", "decision.run_gates", 'blocks nothing.\n        level="warn" if advisory else rule.level', "blocks nothing.\n        level=rule.level", decided(make_row(0, outcomes={"faithfulness": unmeasured("no-adjudicator")}))),
    Switch("run: a slice has its bar", "decision.slice_gates", "return against_bar(tally.passed, tally.scored, tally.flaky, rules.min)", 'return "passed"', decided(*sliced("a=b", 20, 2), slices={"by": ["a"]})),
    Switch("run: a small slice is watched", "decision.slice_gates", "if tally.scored < rules.min_cases:", "if False:", decided(*sliced("a=b", 2, 1), slices={"by": ["a"]})),
    Switch("run: a slice without a passing case is red", "decision.slice_gates", "if tally.passed == 0:", "if False:", decided(*sliced("a=b", 0, 2), slices={"by": ["a"]})),
    Switch("run: a protected slice passes whole", "decision.slice_gates", "    if protected:\n", "    if False:\n", decided(*sliced("a=b", 9, 1), slices={"by": ["a"], "protected": {"a": ["b"]}})),
    Switch("run: slices nobody asked for are watched", "decision.slice_gates", 'if rules.watched_only:\n        return "insufficient"', 'if False:\n        return "insufficient"', decided(*sliced("a=b", 0, 2), *sliced("a=c", 2, 0))),
    Switch("run: and have no gate", "decision.run_gates", "if not slices or policy.slices.watched_only:", "if not slices:", decided(*sliced("a=b", 2, 0))),
    Switch("run: one value parts nothing", "decision.slice_gates", "> 1]", "> 0]", decided(*sliced("a=b", 2, 0))),
    Switch("run: a red slice fails", "decision.run_gates", '    if red:\n        status = "failed"', '    if red:\n        status = "passed"', decided(*sliced("a=b", 0, 2), slices={"by": ["a"]})),
    Switch("run: known-bad cases are blocked", "decision.run_gates", '"failed" if failed else "unmeasured" if left', '"unmeasured" if left', decided(make_row(0), known_bad(1, blocked=False))),
    Switch("run: must-release cases pass", "decision.run_gates", '    if failed:\n        status = "failed"', '    if failed:\n        status = "passed"', decided(make_row(0, kind="must_release", outcomes={"context_recall": failed()}))),
    Switch("run: no forbidden phrase", "decision.limit_gates", "hits = facts.counts.flagged", "hits = 0", decided(SAID)),
    Switch("run: no forbidden phrase that is new", "comparison.certain_regressions", "if standing.flagged and (", "if False and (", decided(SAID, base=(make_row(0),))),
    Switch("run: one the baseline had is not new", "comparison.certain_regressions", "past is None or not past.flagged", "True", decided(SAID, base=(SAID,))),
    Switch("run: few hallucinations", "decision.run_gates", 'status = "passed" if hallucinating <= rule.max * ran', 'status = "passed" if True', decided(make_row(0, hallucinations=(false_claim(),)))),
    Switch("run: few cases unmeasured", "decision.limit_gates", " or unmeasured + removed > allowed", "", decided(*fine(2, outcomes={"behaviour": unmeasured()}))),
    Switch("run: one case may always be unmeasured", "decision.limit_gates", "allowed = max(1, int(rule.max * cases))", "allowed = int(rule.max * cases)", decided(make_row(0), make_row(1, outcomes={"behaviour": unmeasured()}))),
    Switch("run: removed cases are unmeasured", "decision.limit_gates", "return len(gone) + comparison.not_listed.removed", "return 0", decided(make_row(0), base=(*fine(3),))),
    Switch("run: a waiver excuses a removed case", "decision.limit_gates", "if case_id not in excused]", "if True]", decided(make_row(0), base=(*fine(2),), waivers=[waiver("q1", "removed")])),
    Switch("run: fast enough", "decision.limit_gates", '"passed" if amount <= rule.max', '"passed" if True', decided(make_row(0, latency_ms=11.0), gates={"p95_latency_ms": {"max": 10}})),
    Switch("run: cheap enough", "decision.limit_gates", '"passed" if amount <= rule.max', '"passed" if True', decided(make_row(0, cost_usd=2.0), gates={"cost_usd": {"max": 1}})),
    Switch("run: no newly inadmissible case", "comparison.certain_regressions", "            then.admissible\n", "            False\n", decided(INADMISSIBLE, base=(make_row(0),))),
    Switch("run: no newly unanswered case", "comparison.certain_regressions", "silent = then.answered and", "silent = False and", decided(DOWN, make_row(1), base=(*fine(2),))),
    Switch("run: an empty or declining answer is newly unanswered", "comparison.certain_regressions", "evasive = then.asserted and", "evasive = False and", decided(EVASIVE, *ANSWERED[1:], base=(*ANSWERED,))),
    Switch("run: a decline the baseline had is not new", "comparison.baseline_index", 'answer.kind == "passed",', "True,", decided(EVASIVE, base=(EVASIVE,))),
    Switch("scope: what is new against the baseline blocks in a part as well", "decision.slice_gates", "ran.gate in NOT_CARRIED | _PAIRED or", "ran.gate in NOT_CARRIED or", paired_in_part),
    Switch("run: a bar of a part falls by the cases run", "decision.slice_gates", "return ran.passed < before.passed", "return False", part_of_a_suite(7)),
    Switch("run: as many as did is no fall", "decision.slice_gates", 'fell = ran.status == "failed" and _is_worse(ran, before)', 'fell = ran.status == "failed"', part_of_a_suite(8)),
    Switch("run: the whole is below its bar", "decision.slice_gates", 'whole.status == "failed" or not fell', "False", part_of_a_suite(8, gates=(bar_over(90, 100, "failed"),))),
    Switch("run: a bar that nothing can be held against is on watch", "decision.slice_gates", 'return ran.model_copy(update={"status": "insufficient"}) if', "return ran if", part_of_a_suite(8, gates=(), because="policy")),
    Switch("run: a gate that only what is carried asks", "decision.slice_gates", "if gate.gate not in gated", "if False", part_of_a_suite(8, gates=(bar_over(90, 100, "failed", "point_coverage"),))),
    Switch("run: a slice of a part falls by the cases run", "decision.slice_gates", 'part.status == "failed" and part.passed < before.get(whole.name, 0)', "False", part_of_a_slice()),
    Switch("run: a slice that nothing can be held against is on watch", "decision.slice_gates", 'part.status != "failed" or part.passed < before', "True", part_of_a_slice(because="policy", slices_before=())),
    Switch("run: latency and cost of a part warn", "decision.slice_gates", "if gate.gate in _AMOUNTS", "if False", lambda core: [gate.level for gate in core["decision.slice_gates"].amounts_warn([SLOW])]),
    Switch("run: nothing is carried from another raggate", "comparison.same_judges", "if self.version != other.version:", "if False:", carries_from("2", "policy", "evidence")),
    Switch("run: nothing is carried from another policy", "comparison.same_judges", "if self.policy != other.policy", "if False", carries_from("1", "other", "evidence")),
    Switch("run: nothing is carried from other evidence", "comparison.same_judges", "if self.evidence != other.evidence", "if False", carries_from("1", "policy", "other")),
    Switch("run: half of the answers make an app that cites", "counting.citation_habit", "2 * self.citing >=", "2 * self.citing >", half_cite),
    Switch("run: a case without an answer is none that could cite", "counting.citation_habit", "bool(row.claims) and row.kind", "row.kind", half_cite),
    Switch("run: citations given of its own accord do not count where few cite", "counting.citation_habit", "NotApplicable(why=_WHY, share=share)", "outcome", counted_where_few_cite(ASTRAY)),
    Switch("run: they are looked at all the same", "counting.case_state", "gate.share is not None", "False", counted_where_few_cite(ASTRAY)),
    Switch("run: what an app itemises is held to its citations", "counting.citation_habit", " or is_itemised(row)", "", counted_where_few_cite(ITEMISED)),
    Switch("run: an answer has stopped citing", "counting.citation_habit", "is_answer(row) and not cites(row)", "False", lambda core: core["counting.citation_habit"].is_uncited_answer(BARE)),
    Switch("run: which fails it", "counting.citation_habit", "_with_outcome(row, Failed(problems=(problem,)), gates)", "row", lambda core: core["counting.citation_habit"].with_lost_citation(BARE, make_policy().gates).model_dump(mode="json")),
    Switch("run: no newly miscited case", "comparison.certain_regressions", "citation_faults(row) - past.citation_faults:", "False:", decided(miscited("c9"), base=(make_row(0),))),
    Switch("run: a citation fault the baseline had is not new", "comparison.certain_regressions", "citation_faults(row) - past.citation_faults:", "citation_faults(row):", decided(miscited("c9"), base=(miscited("c9"),))),
    Switch("run: what nobody could verify is no citation fault", "counting.case_state", "elif claim.supported_by and not claim.judged:", "else:", decided(miscited("c1"), base=(make_row(0),))),
    Switch("run: no new hallucination", "comparison.hallucination_changes", 'is_certain = is_certain or each.hallucination.kind != "phrase"', "is_certain = False", decided(make_row(0, hallucinations=(false_claim(),)), base=(make_row(0),))),
    Switch("run: a hallucination the baseline had is not new", "comparison.hallucination_changes", "if each.is_known:", "if False:", decided(make_row(0, hallucinations=(false_claim(),)), base=(make_row(0, hallucinations=(false_claim(),)),))),
    Switch("run: nor is it in other words", "claims.false_claim_identity", "return alike >= (_ALIKE_ELSEWHERE if elsewhere else _ALIKE)", "return False", decided(lie("Parcels may be returned for 60 days."), base=(lie("For 60 days a parcel can be returned."),))),
    Switch("run: another value is another hallucination", "claims.false_claim_identity", "if not other.values <= one.values or _values_differ(one, other):", "if False:", decided(lie("Bags may weigh 25 kg."), base=(lie("Bags may weigh 20 kg."),))),
    Switch("run: the contrary is another hallucination", "claims.false_claim_identity", "or one.denies != other.denies:\n        return False\n    if one.wrong", "or False:\n        return False\n    if one.wrong", decided(lie("Sale items cannot be returned."), base=(lie("Sale items can be returned."),))),
    Switch("run: another thing in its place is another hallucination", "claims.false_claim_identity", "(mine & evidence and theirs & evidence) or", "", decided(lie("Cabin bags may weigh up to 25 kg on flights."), base=(lie("Hold bags may weigh up to 25 kg on flights."),))),
    Switch("run: a forbidden phrase has its own rule", "comparison.hallucination_changes", 'each.hallucination.kind != "phrase"', "True", decided(SAID, base=(make_row(0),))),
    Switch("run: a waiver covers a failure", "counting.waivers", 'outcome.kind == "failed" and gate in holding', "False", decided(make_row(0, outcomes={"context_recall": failed()}), waivers=[waiver("q0", "context_recall")])),
    Switch("run: an expired waiver covers nothing", "counting.waivers", "if waiver.expires >= decided_on]", "]", decided(make_row(0, outcomes={"context_recall": failed()}), waivers=[waiver("q0", "context_recall", "2026-01-01")])),
    Switch("run: a failed gate blocks", "decision.decide", 'gate for gate in blocking if gate.status == "failed"', "gate for gate in blocking if False", decided(make_row(0, outcomes={"context_recall": failed()}))),
    Switch("run: only at level block", "decision.decide", 'if gate.level == "block"]', "]", decided(make_row(0, outcomes={"context_recall": failed()}), gates={"context_recall": {"level": "warn"}})),
    Switch("run: a gate that is off is not shown", "decision.run_gates", 'if rule.level != "off":', "if True:", decided(make_row(0, outcomes={"faithfulness": unmeasured("no-adjudicator")}), gates={"faithfulness": {"level": "off"}})),
    Switch("run: nothing new of a sharp kind", "decision.baseline_gates", "new.sharp or new.protected", "new.protected", decided(suspicious(0, "conflict", sharp=True), base=(make_row(0),))),
    Switch("run: a waiver lets a new suspect go", "comparison.hallucination_changes", 'if self._waived & {"", row.case_id}:', "if False:", decided(suspicious(0, "conflict", sharp=True), base=(make_row(0),), waivers=[waiver("q0", "new_suspects")])),
    Switch("run: nothing new of other kinds in more cases than one", "decision.baseline_gates", " or (cases > 1 and cases > compared * rule.max)", "", decided(suspicious(0, "absent"), suspicious(1, "absent"), base=(*fine(2),))),
    Switch("run: nothing new that is absent in a protected slice", "decision.baseline_gates", "new.sharp or new.protected", "new.sharp", decided(suspicious(0, "absent", slices=("category=allergen",)), base=(make_row(0),), slices={"protected": {"category": ["allergen"]}})),
    Switch("run: one case of what is absent only warns", "decision.baseline_gates", "return bool(new.sharp", "return bool(cases or new.sharp", decided(suspicious(0, "absent"), base=(make_row(0),))),
    Switch("run: no demand missed that the baseline met", "decision.limit_gates", "hits = len(comparison.newly_missed) + comparison.not_listed.newly_missed", "hits = 0", decided(missing(0), base=(demanding(0),))),
    Switch("run: a demand the baseline missed too is not newly missed", "comparison.certain_regressions", "if number in met]", "]", decided(missing(0), base=(demanding(0, Musts(met=(1,), missed=(0,))),))),
    Switch("run: a waived miss is not newly missed", "comparison.certain_regressions", 'and "behaviour" not in standing.waived', "", decided(missing(0), base=(demanding(0),), waivers=[waiver("q0", "behaviour")])),
    Switch("run: a required source that the baseline had is newly missed", "comparison.certain_regressions", "        elif lost:\n", "        elif False:\n", decided(losing(0), base=(KEPT,), **OPEN_BARS)),
    Switch("run: a source that the baseline lacked too is not newly missed", "comparison.certain_regressions", "if number in past.recalled and number", "if number", decided(make_row(0, recalled=Musts(met=(1,), missed=(0,)), outcomes={"candidate_recall": failed("source-missing")}), base=(KEPT,), gates={"candidate_recall": {"min": "0%"}})),
    Switch("run: a source that another answer found is not newly missed", "comparison.certain_regressions", " and number not in found]", "]", decided(losing(0, again=Musts(met=(1,))), base=(KEPT,), **OPEN_BARS)),
    Switch("run: nor is one that is waived", "comparison.certain_regressions", "gate not in standing.waived and", "", decided(losing(0), base=(KEPT,), waivers=[waiver("q0", "context_recall")], **OPEN_BARS)),
    Switch("run: nor one of a stage nobody looks at", "comparison.certain_regressions", 'gates.of(gate).level != "off"', "True", decided(losing(0), base=(KEPT,), gates={"context_recall": {"level": "off"}})),
    Switch("run: a source lost in an only answer does not count by itself", "comparison.certain_regressions", "elif lost and row.unconfirmed:", "elif False:", decided(losing(0, unconfirmed=True), losing(1, again=Musts(met=(1,)), state="flaky"), base=(KEPT, losing(1, base=True)), **OPEN_BARS)),
    Switch("run: the share of those asked again stands for the others", "decision.limit_gates", "(lost.counted if lost is not None else 0)", "0", decided(losing(0, unconfirmed=True), losing(1, again=LOST), base=(KEPT, losing(1, base=True)), gates={"context_recall": {"min": "0%"}, "newly_missed": {"max": 1}})),
    Switch("run: a source found again lowers that share", "comparison.comparer", "                self._missed.add(row, self._waivers.standing(row), past)\n", "                pass\n", decided(losing(0, unconfirmed=True), losing(1, again=LOST, state="flaky"), base=(KEPT, losing(1, base=True)), **OPEN_BARS)),
    Switch("run: a lost source that nobody could ask for again is open", "decision.limit_gates", "if lost is not None and not lost.asked and", "if False and", decided(losing(0, unconfirmed=True), base=(KEPT,), **OPEN_BARS)),
    Switch("run: the mean score does not fall", "decision.baseline_gates", "if worse > allowed", "if False", decided(make_row(0, score=0.9), base=(make_row(0, score=1.0),))),
    Switch("run: the hallucination rate does not rise", "comparison.comparer", "self._false_after += bool(standing.hallucinations)", "self._false_after += 0", decided(make_row(0, hallucinations=(false_claim(),)), base=(make_row(0),))),
    Switch("run: cases run on both alone have a rate", "comparison.comparer", "was_run(row) and then.ran", "True", decided(make_row(0), base=(make_row(0, outcomes={"target": unmeasured()}),))),
    Switch("run: a suspect the baseline had is not new", "comparison.hallucination_changes", "if finding.key not in past.suspects]", "]", decided(saying("conflict", ""), base=(saying("conflict", ""),))),
    Switch("run: nor is it in other words, under another key", "comparison.hallucination_changes", "if not _is_known(*pair, before)]", "if True]", decided(saying("absent", "It costs 20 euros."), base=(saying("conflict", "20 euros is what it costs."),))),
    Switch("run: what may be worked out is no suspect", "counting.case_state", "and not finding.advisory ", "", decided(suspicious(0, "conflict", advisory=True), base=(make_row(0),))),
    Switch("run: suspects without a baseline warn", "decision.baseline_gates", "    if not facts.counts.suspect:\n", "    if True:\n", decided(suspicious(0, "conflict"))),
    Switch("run: few flaky cases", "decision.baseline_gates", '"passed" if flaky <= allowed', '"passed" if True', decided(*UNSTEADY, *fine(7)[3:])),
    Switch("run: two cases may always be flaky", "decision.baseline_gates", "max(_FEWEST if", "max(0 if", decided(*UNSTEADY[:2], *fine(7)[3:])),
    Switch("run: from fifteen cases three may be flaky", "decision.baseline_gates", "if cases < _FIFTEEN", "if True", decided(*UNSTEADY, *fine(15)[3:])),
    Switch("run: nothing is known of how steady an app is that nobody asked again", "decision.baseline_gates", "if not facts.counts.asked_again:", "if False:", decided(make_row(0))),
    Switch("run: a flaky case is on neither side of a bar", "counting.tally", '        if standing.state == "flaky":', "        if False:", decided(flaky(0, outcomes={"answered": passed()}), make_row(1, outcomes={"answered": failed()}))),
    Switch("run: a flaky case is not run for the rate of hallucinations", "counting.tally", 'self._ran += standing.state != "flaky"', "self._ran += 1", decided(flaky(0), make_row(1))),
    Switch("run: a flaky case that must be released has neither passed nor failed", "decision.run_gates", "- tally.unmeasured - tally.flaky", "- tally.unmeasured", decided(flaky(0, kind="must_release"), make_row(1))),
    Switch("run: a flaky case is not compared", "comparison.comparer", 'if row.state == "flaky":', "if False:", decided(flaky(0), base=(make_row(0),))),
    Switch("a chunk of a source that the baseline never showed is told", "counting.chunk_sources", "new = sources - self._before", "new = sources - sources", from_sources("a.md#1", "globex/prices.md#2")),
    Switch("a new source is told only where ids are the same from run to run", "counting.chunk_sources", "if self._told else ()", "if True else ()", from_sources("x3/1.md", recur=False)),
    Switch("a source that nobody shows any more is told", "counting.chunk_sources", "absent = self._before - self._now", "absent = set()", gone("a.md#1")),
    Switch("a renamed source is not gone", "counting.chunk_sources", "and not renamed", "", gone("a.md#1", "m2.md#1")),
    Switch("no source is gone where none of the baseline comes again", "counting.chunk_sources", "if not again or not", "if False and not", gone()),
    Switch("numbers of chunks are no new source", "counting.chunk_sources", "return source[: found.start()] if found and found.start() else source", "return source", from_sources("a.md-7")),
    Switch("run: a case that was flaky and fails has regressed", "comparison.comparer", "then.state in _HAD_PASSED", 'then.state == "passed"', regressed(make_row(0, outcomes={"answered": failed()}), flaky(0))),
    Switch("asked again: what is new alone", "comparison.confirmation_asks", 'if past.then.state != "failed" and standing.state', "if standing.state", doubts(make_row(0, outcomes={"answered": failed()}), base=(make_row(0, outcomes={"answered": failed()}),))),
    Switch("asked again: whatever fails where nothing is known", "comparison.confirmation_asks", 'return standing.state == "failed"', "return False", doubts(EVASIVE)),
    Switch("asked again: no known-bad case", "comparison.confirmation_asks", 'if row.kind == "known_bad":', "if False:", doubts(make_row(0, kind="known_bad", blocked_at="answer completeness", outcomes={"answered": failed()}))),
    Switch("asked again: what is newly unanswered", "comparison.confirmation_asks", "newly_unanswered(row, standing, past.then)", "False", doubts(failing_twice(answered=failed("declined")), base=(failing_twice(answered=passed()),))),
    Switch("asked again: what is newly missed", "comparison.confirmation_asks", "or newly_missed(row, standing, past.met)", "", doubts(missing(0).model_copy(update={"state": "failed"}), base=(failing_twice(musts=Musts(met=(0, 1))),))),
    Switch("asked again: a source that is newly lost", "comparison.confirmation_asks", "or bool(lost_sources(row, standing, past, self._gates))", "", doubts(losing(0, state="failed"), base=(failing_twice(recalled=Musts(met=(1,))),))),
    Switch("asked again: what is newly miscited", "comparison.confirmation_asks", "citation_faults(row) - past.citation_faults", "False", doubts(miscited("c9"), base=(failing_twice(),))),
    Switch("asked again: what is newly slow", "comparison.confirmation_asks", "newly_slow(row, standing, past.then)", "False", doubts(failing_twice(slow=failed("too-slow")), base=(failing_twice(slow=passed()),))),
    Switch("what was slow on the baseline is not newly slow", "comparison.certain_regressions", "return then.kept_time and", "return", doubts(failing_twice(slow=failed("too-slow")), base=(failing_twice(slow=failed("too-slow")),))),
    Switch("asked again: a new suspect", "comparison.confirmation_asks", "or new_among(suspects_of(row, standing), past)", "", doubts(suspicious(0, "conflict"), base=(make_row(0),))),
    Switch("asked again: no inadmissible trace", "comparison.confirmation_asks", '_fails(answer, "admissibility")', "False", doubts(INADMISSIBLE)),
    Switch("asked again: no forbidden phrase", "comparison.confirmation_asks", "or answer.flagged", "", doubts(make_row(0, flagged=True, outcomes={"behaviour": failed()}))),
    Switch("asked again: no forbidden tool", "comparison.confirmation_asks", '_fails(answer, "behaviour", code="tool-forbidden")', "False", doubts(make_row(0, outcomes={"behaviour": failed("tool-forbidden")}))),
    Switch("asked again: no certain hallucination", "comparison.confirmation_asks", "or (bool(answer.hallucinations) and not but_false)", "", doubts(make_row(0, hallucinations=(false_claim(),), outcomes={"faithfulness": failed()}))),
    Switch("asked again: a hallucination that main has by chance too", "comparison.confirmation_asks", "return not at_once and self._false_in(row, past) == {False}", "return False", false_by_chance()),
    Switch("asked again: none beside another fault that counts at once", "comparison.confirmation_asks", "return not at_once and self._false_in", "return self._false_in", false_by_chance(flagged=True)),
    Switch("own rate: none where main's answers are not known", "comparison.own_rate", "return self._main.answers > 0", "return True", false_by_chance(main=0, answers=0)),
    Switch("own rate: more than chance gives is new", "comparison.own_rate", "here.answers, rate) < _LEVEL", "here.answers, rate) < 0", by_own_rate(here=9, known=True)),
    Switch("own rate: of few answers it may be more than they show", "comparison.own_rate", "_HALF = 0.5", "_HALF = 0.01", by_own_rate(here=4, known=True)),
    Switch("own rate: what both have leaves the rates", "comparison.own_rate", "if known and case_id not in self._steady:", "if False:", by_own_rate(here=1, known=True)),
    Switch("asked again: no protected slice", "comparison.confirmation_asks", "not protected.isdisjoint(slices)", "False", doubts(make_row(0, slices=("a=b",), outcomes={"answered": failed()}), slices={"by": ["a"], "protected": {"a": ["b"]}})),
    Switch("asked again: what could not be measured settles nothing", "comparison.confirmation_asks", 'row.state != "unmeasured" and', "", doubts(make_row(0, outcomes={"behaviour": unmeasured()}))),
    Switch("run: an open question is inconclusive", "decision.decide", "    if open_questions:\n", "    if False:\n", decided(make_row(0, outcomes={"faithfulness": unmeasured("judge")}))),
    Switch("run: nothing in scope is inconclusive", "decision.decide", "if not facts.counts.cases:", "if False:", decided()),
    Switch("run: an app that answers nothing is inconclusive", "decision.decide", "if facts.app_is_silent:", "if False:", decided(DOWN)),
]  # fmt: skip

UNKNOWN = make_row(0, outcomes={"answered": passed(), "faithfulness": unmeasured("no-adjudicator")})
VERIFIED = make_row(0, outcomes={"answered": passed(), "faithfulness": passed((2, 2))})
DECLINED = make_row(0, expect="abstain", outcomes={"answered": passed(), "faithfulness": NotApplicable(why="declined")})
PARTLY = make_row(0, outcomes={"answered": passed(), "faithfulness": passed((4, 5))})
REFUTED = make_row(0, outcomes={"answered": passed(), "faithfulness": passed((2, 2))}, hallucinations=(false_claim(),))


def fallen(fell: int, *, of: int, rose: int = 0) -> Example:
    """The first cases were verified and are not any more, the last ones are now and were not."""
    base = (make_row(n, outcomes=(VERIFIED if n < fell else UNKNOWN).outcomes) for n in range(of))
    rows = (make_row(n, outcomes=(VERIFIED if n >= of - rose else UNKNOWN).outcomes) for n in range(of))
    return decided(*rows, base=tuple(base))


ON_WHAT_IS_KNOWN = [
    Switch("known: enough of what was answered is verified", "decision.baseline_gates", 'status = "passed" if meets(Rate(hits=counts.verified, total=counts.answered), bar)', 'status = "passed" if True', decided(UNKNOWN, gates={"verified": {"min": "50%"}})),
    Switch("known: a fall of the share warns", "decision.baseline_gates", '"failed" if fell else', "", fallen(4, of=40)),
    Switch("known: a fall of a few points does not", "decision.baseline_gates", "fall * 100 >= found.cases * _FALL.amount", "True", fallen(4, of=100)),
    Switch("known: nor one that chance explains", "decision.baseline_gates", "and mcnemar_mid_p(found.lost, found.lost - fall) <= _CHANCE_OF_A_FALL", "", fallen(2, of=20)),
    Switch("known: half of what was found is chance", "statistics.mcnemar", " - exactly / 2", "", fallen(3, of=20)),
    Switch("known: what rises stands against what falls", "decision.baseline_gates", "found.lost - fall)", "0)", fallen(6, of=20, rose=3)),
    Switch("known: what fails has not fallen as well", "comparison.comparer", 'if {standing.state, then.state} != {"passed"} or', "if", decided(make_row(0, outcomes={**UNKNOWN.outcomes, "behaviour": failed()}), base=(VERIFIED,))),
    Switch("known: nor has what is refuted", "comparison.comparer", "or standing.hallucinations or then.hallucinating", "", decided(REFUTED, base=(VERIFIED,))),
    Switch("known: every claim has to be supported", "counting.case_state", "faithful.share.hits == faithful.share.total", "True", decided(PARTLY)),
    Switch("known: a decline that was asked for is verified", "counting.case_state", 'return faithful.kind == "not_applicable"', "return False", decided(DECLINED)),
    Switch("known: an answer without labels is not", "counting.case_state", 'return faithful.kind == "passed" and', "return", decided(UNKNOWN)),
    Switch("known: what was refuted is not verified", "counting.case_state", "not standing.hallucinations and is_verified(row)", "is_verified(row)", decided(REFUTED, gates={"verified": {"min": "50%"}})),
    Switch("known: a case that fails is not", "counting.case_state", 'return standing.state == "passed" and not', "return not", decided(make_row(0, outcomes={**VERIFIED.outcomes, "behaviour": failed()}), gates={"verified": {"min": "50%"}})),
    Switch("known: no rate where nothing is known", "decision.run_gates", 'if status == "passed" and unknown and not', "if False and not", decided(UNKNOWN)),
    Switch("known: phrases nobody forbids are not searched for", "decision.limit_gates", "searched = max(facts.counts.forbidding, hits)", "searched = facts.ran", decided(UNKNOWN)),
    Switch("known: answers that cite nothing are not cited rightly", "decision.limit_gates", 'looked_at=comparison.compared if "citation_support" in facts.gate_counts else 0,', "", decided(UNKNOWN, base=(UNKNOWN,))),
    Switch("known: a gate that measured nothing has not passed", "decision.decide", "if gate.unmeasured and gate.status in _UNJUDGED]", "if False]", decided(UNKNOWN)),
]  # fmt: skip

STRANGE = [
    make_row(n, outcomes={"admissibility": failed("unknown-chunk")}, context=("x",), unknown_ids=1) for n in range(2)
]
OF_ANOTHER_STORE = [
    Switch("ids: a store that knows none is another store", "decision.decide", "if (strange := facts.strange_ids) is not None:", "if (strange := None) is not None:", decided(*STRANGE)),
    Switch("ids: one that is known shows that it is the right one", "counting.summary_amounts", "if self._known or", "if False or", decided(*STRANGE, make_row(2, context=("c1",), known_ids=1))),
    Switch("ids: one trace alone may have made its id up", "counting.summary_amounts", "self._traces < _FEWEST_TRACES", "not self._traces", decided(STRANGE[0])),
    Switch("ids: a trace written into the suite says nothing of the target", "counting.summary_amounts", 'if target is None or target.kind != "passed":', "if target is None:", decided(*[make_row(n, outcomes={"target": NotApplicable(why="inline"), "admissibility": failed("unknown-chunk")}, unknown_ids=1) for n in range(2)])),
    Switch("ids: what the store has is known", "gates.case_row", "if chunk_id in store]", "if False]", told(TEA)),
]  # fmt: skip

# What asks less than on the baseline: a case that fails, in two halves of which one is the baseline's.
LOW: dict[str, Any] = {"gates": {"behaviour": {"min": "40%"}, "newly_missed": {"level": "off"}}}
MANY_PASS = tuple([make_row(n, **PASSES) for n in range(40)])
ONE_OF_TWO = (make_row(0, **PASSES), make_row(1, **FAILS))
ON_THE_SUITE = [
    Switch("suite: another target is not known to be as good", "decision.policy_gates", 'status == "passed" and policy.waiver is None:', "False:", weakened(make_row(0), base=(make_row(0),), before={"target": "http"}, target="recorded")),
    Switch("suite: a live app in place of recorded answers is no weakening", "comparison.setting_changes", 'return bool(before != "recorded")', "return True", weakened(make_row(0), base=(make_row(0),), before={"target": "recorded"}, target="http")),
    Switch("suite: labels that vouch for themselves are weaker", "comparison.setting_changes", '"target.labelled", switched_on', '"target.labelled", switched_off', weakened(make_row(0), base=(make_row(0),), before={"target": "recorded"}, target="recorded", labelled=True)),
    Switch("suite: citations that are no longer declared are weaker", "comparison.setting_changes", '"pipeline.citations", switched_off', '"pipeline.citations", switched_on', weakened(make_row(0), base=(make_row(0),), before={"citations": True})),
    Switch("suite: another language may find less", "comparison.setting_changes", '"language", other', '"language", lambda was, now: False', weakened(make_row(0), base=(make_row(0),), before={"language": "en"}, language="de")),
    Switch("suite: claims count as the baseline read them", "gates.second_policy", 'changed["claims"] = again.claims', "pass", weakened(make_row(0, by_baseline=ByBaseline(outcomes={}, claims=suspicious(0, "conflict", sharp=True).claims)), base=(make_row(0),), before={"language": "en"}, language="de")),
    Switch("suite: a removed case that fails today is red whatever the bars", "decision.policy_gates", '"failed" if lost or (', '"failed" if (', weakened(*MANY_PASS[1:], base=MANY_PASS, removed=(make_row(0, **FAILS),))),
    Switch("suite: a removed case counts as it comes out today", "comparison.demand_changes", "if (row := answers.get(case_id)) is not None:", "if False:", weakened(make_row(1), base=(make_row(0, kind="must_release"), make_row(1)), removed=(make_row(0, kind="must_release"),))),
    Switch("suite: a case made known bad counts as it comes out today", "comparison.demand_changes", "(*self._gone, *self._known_bad) if", "self._gone if", weakened(make_row(0), known_bad(1, blocked=True), base=(make_row(0), make_row(1)), removed=(make_row(1, **FAILS),))),
    Switch("suite: a removed case that failed is not asked", "comparison.demand_changes", 'then.state in {"passed", "flaky"}', "True", weakened(make_row(1), base=(make_row(0, **FAILS), make_row(1)), removed=(make_row(0),))),
    Switch("suite: a removed case that is answered for is not asked", "comparison.demand_changes", "if case_id not in excused]", "]", weakened(make_row(1), base=(make_row(0), make_row(1)), removed=(make_row(0, **FAILS),), waivers=[waiver("q0", "removed")])),
    Switch("suite: a changed file of a check is told", "comparison.demand_changes", "before.get(file, digest) != digest", "False", weakened(make_row(0), base=(make_row(0),), checks=({"checks.py": "a"}, {"checks.py": "b"}))),
    Switch("suite: a chunk out of date is another text", "comparison.case_changes", " or (_holds(was) and not _holds(is_))", "", weakened(asking(0, (), demands={"sources": (SourceState(chunk_id="c1", text="t", superseded=True),)}), base=(asking(0, ("x",), demands={"sources": (SourceState(chunk_id="c1", text="t"),)}),))),
    Switch("suite: weaker gates release nothing", "decision.policy_gates", '"failed" if lost or (worse and policy.waiver is None) else "passed"', '"passed"', weakened(*ONE_OF_TWO, base=ONE_OF_TWO, **LOW)),
    Switch("suite: a waiver answers for a weaker suite", "decision.policy_gates", "(worse and policy.waiver is None) else", "worse else", weakened(*ONE_OF_TWO, base=ONE_OF_TWO, **LOW, waivers=[{**waiver("", "policy_weakened")}])),
    Switch("suite: what fails by the head's demands too is no new reason", "decision.policy_gates", "[gate for gate in policy.blocking if gate.gate not in", "[gate for gate in policy.blocking if True or gate.gate not in", weakened(make_row(0, **FAILS), base=(make_row(0, **FAILS),), gates={"behaviour": {"min": "90%"}})),
    Switch("suite: a lower bar is weaker", "comparison.setting_changes", '"*.min", lower', '"*.min", higher', weakened(*ONE_OF_TWO, base=ONE_OF_TWO, **LOW)),
    Switch("suite: a higher ceiling is weaker", "comparison.setting_changes", '"*.max", higher', '"*.max", lower', weakened(make_row(0), base=(make_row(0),), gates={"hallucination_rate": {"max": "9%"}})),
    Switch("suite: a lower level is weaker", "comparison.setting_changes", 'later("block", "warn", "off")', 'later("off", "warn", "block")', weakened(*ONE_OF_TWO, base=ONE_OF_TWO, gates={"behaviour": {"level": "warn"}})),
    Switch("suite: a gate taken out is weaker", "comparison.setting_changes", "return after is None or (before", "return after is not None and (before", weakened(make_row(0), base=(make_row(0),), before={"gates": {"cost_usd": {"max": 1}}})),
    Switch("suite: a bar taken out is weaker", "comparison.setting_changes", "before is not None and (after is None or Decimal", "before is not None and (after is not None and Decimal", weakened(make_row(0), base=(make_row(0),), before={"gates": {"verified": {"min": "50%"}}})),
    Switch("suite: a protected slice dropped is weaker", "comparison.setting_changes", '"slices.protected", fewer', '"slices.protected", more', weakened(make_row(0), base=(make_row(0),), before={"slices": {"protected": {"a": ["b"]}}})),
    Switch("suite: slices no longer cut are weaker", "comparison.setting_changes", '"slices.by", fewer', '"slices.by", more', weakened(make_row(0), base=(make_row(0),), before={"slices": {"by": ["a"]}})),
    Switch("suite: to advise only is weaker", "comparison.setting_changes", '"enforce", switched_off', '"enforce", switched_on', weakened(make_row(0), base=(make_row(0),), enforce=False)),
    Switch("a fault of ours at a case that the baseline measured is in no budget", "comparison.comparer", "self._faulted.offer(row.weight, row.position, row.case_id)", "pass", decided(FAULTED, *fine(60)[1:], base=tuple(fine(60)))),
    Switch("a case that the baseline could not measure either is in the budget", "comparison.comparer", 'then.state != "unmeasured"', "True", decided(FAULTED, *fine(60)[1:], base=(make_row(0, outcomes={"target": unmeasured()}), *fine(60)[1:]))),
    Switch("a fault of ours in a protected slice is in no budget", "counting.tally", "if not self._protected.isdisjoint(row.slices):", "if False:", decided(FAULTED.model_copy(update={"slices": ("a=b",)}), *fine(60)[1:], slices={"protected": {"a": ["b"]}})),
    Switch("no level of the budget covers a fault of ours", "decision.limit_gates", '"block" if faults else rule.level', "rule.level", decided(FAULTED, base=(make_row(0),), gates={"unmeasured": {"max": 1, "level": "off"}})),
    Switch("a case that we failed at does not make the app silent", "counting.tally", 'if target.kind == "unmeasured" and target.reason == "fault":', "if False:", decided(FAULTED)),
    Switch("a known-bad case that we failed at did not get through", "counting.judge_only_findings", "if is_faulted(row):", "if False:", decided(known_bad(1, blocked=False).model_copy(update={"outcomes": FAULTED.outcomes}))),
    Switch("suite: the baseline's decisions stay enforced", "decision.decide", "return policy.enforce or (changes is not None", "return policy.enforce or (False", weakened(make_row(0), base=(make_row(0),), enforce=False)),
    Switch("suite: a failing case that is gone fails by the baseline", "comparison.case_changes", 'failed.outcomes if failed is not None else {"target": _GONE}', '{"target": _GONE}', weakened(make_row(0, **PASSES), base=ONE_OF_TWO)),
    Switch("suite: a case that is gone was not measured", "comparison.demand_changes", "for case_id in (*self._gone, *self._known_bad):", "for case_id in ():", weakened(make_row(0), base=(make_row(0), make_row(1, kind="must_release")))),
    Switch("suite: a waiver answers for a case that is gone", "comparison.demand_changes", "return {*holding.removed, ", "return {", weakened(make_row(0, **PASSES), base=ONE_OF_TWO, waivers=[waiver("q1", "removed")])),
    Switch("suite: a case made known bad is gone", "comparison.demand_changes", "                self._known_bad.append(row.case_id)\n", "                pass\n", weakened(make_row(0), known_bad(1, blocked=True), base=ONE_OF_TWO)),
    Switch("suite: what is called otherwise is not gone", "comparison.demand_changes", "self._renamed.setdefault(old, row.case_id)", "None", weakened(asking(1, ("x",)), base=(asking(0, ("x",)),))),
    Switch("suite: a demand given up is a relief", "comparison.case_changes", "gone = [word for key, word in old.items() if key not in new]", "gone = []", weakened(RELIEVED, base=(ASKED,))),
    Switch("suite: a relieved case counts as it comes out by the old demands", "gates.second_policy", "if again is not None and again.outcomes is not None:", "if False:", weakened(RELIEVED, base=(ASKED,))),
    Switch("suite: and is compared with how it came out there", "gates.second_policy", 'changed["digest"] = seen.past.digest', "pass", weakened(asking(0, (), by_baseline=ByBaseline(outcomes=FAILS["outcomes"], musts=Musts(missed=(0,)))), base=(asking(0, ("x",), musts=Musts(met=(0,)), **PASSES),))),
    Switch("suite: a second judgement against another baseline counts nothing", "comparison.demand_changes", "held_against.standard == baseline.suite.standard", "True", weakened(RELIEVED, base=(ASKED,), judged=False)),
    Switch("suite: somebody answers for a relieved case", "gates.second_policy", "if judged_by_both and not seen.excused else None", "if judged_by_both else None", weakened(RELIEVED, base=(ASKED,), waivers=[waiver("q0", "policy_weakened")])),
    Switch("suite: a case that asks otherwise is another", "comparison.case_changes", "before.asked != after.asked", "False", weakened(asking(0, (), asked="b"), base=(ASKED,))),
    Switch("suite: a case keeps the slices it had", "gates.second_policy", 'changed["slices"] = seen.past.demanded.slices', "pass", weakened(asking(0, (), slices=("a=c",), by_baseline=ByBaseline(), **FAILS), make_row(1, slices=("a=c",), **PASSES), base=(asking(0, ("x",), slices=("a=b",)), make_row(1, slices=("a=c",))), before={"slices": {"by": ["a"], "protected": {"a": ["b"]}}, **LOW}, slices={"by": ["a"]}, **LOW)),
    Switch("suite: levels are the baseline's", "gates.second_policy", "stage = first_failed_stage(outcomes, gates)", "stage = row.first_failed_stage", weakened(make_row(0, make_policy(gates={"behaviour": {"level": "warn"}}), **FAILS, kind="must_release"), base=(make_row(0, kind="must_release"),), gates={"behaviour": {"level": "warn"}})),
    Switch("suite: head waivers count in both decisions", "gates.second_policy", "return (*after, *left)", "return (*after[:0], *left)", weakened(*ONE_OF_TWO, base=ONE_OF_TWO, **LOW, waivers=[waiver("q1", "behaviour")])),
    Switch("suite: an answer is judged by the old demands", "gates.second_policy", "elif relieved or baseline.every_case or verdicts.by_baseline is not None:", "elif False:", judged_twice({"must_contain": ["milk"]}, {"must_contain": []})),
    Switch("suite: and by stricter settings of the old gates", "gates.second_policy", "elif relieved or baseline.every_case or verdicts.by_baseline is not None:", "elif relieved:", judged_twice({"must_contain": ["milk"]}, {}, gates={"behaviour": {"scoring": "lenient"}}, every_case=True)),
    Switch("suite: not where another question is asked", "gates.second_policy", "if change.is_another_case:", "if False:", judged_twice({"must_contain": ["milk"]}, {"must_contain": [], "question": "Why?"})),
    Switch("suite: a chunk opened to more was hidden before", "gates.second_policy", "if (relieved or baseline.loosened) and", "if False and", judged_twice({}, {}, trace={"context": ["c1", "c2"]}, store=OPENED)),
    Switch("suite: a check taken out was not asked", "gates.second_policy", 'CheckIssues(error="it was taken out, so nobody asked it")', "None", judged_twice({"custom_check": "m:f", "must_contain": ["tea"]}, {"custom_check": None})),
    Switch("suite: a new case is in the slices of the baseline", "gates.second_policy", "set(slices) != set(row.slices)", "False", judged_twice({}, {"case_id": "new", "workflow": "w"}, trace={"case_id": "new"})),
]  # fmt: skip

ON_THE_PANEL = [
    Switch(*rule)
    for rule in (
        *PANEL_RULES,
        *TRIAL_RULES,
        *PANEL_AB_RULES,
        *PAIR_RULES,
        *AB_FINDINGS_RULES,
        *ONE_VARIABLE_RULES,
        *ITEM_RULES,
        *RUN_AB_RULES,
        *POORER_RULES,
    )
]
SWITCHES = (
    *GATES_ON_CASES,
    *READING,
    *PENALTIES,
    *ON_THE_RUN,
    *ON_WHAT_IS_KNOWN,
    *OF_ANOTHER_STORE,
    *ON_THE_SUITE,
    *ON_THE_PANEL,
)


class Setting(NamedTuple):
    """A threshold or level that a suite may set, a value other than its default, and an example that it changes.

    Attributes:
        path: Its place in the suite file.
        value: What is set.
        example: Takes what the suite sets and gives the example under it.
        beside: What the suite sets in any case, where the default alone would hide the setting.
    """

    path: str
    value: Any
    example: Callable[[dict[str, Any]], Example]
    beside: dict[str, Any] = {}  # noqa: RUF012  read only

    @property
    def default(self) -> Example:
        """The example without the setting."""
        return self.example(self.beside)

    @property
    def changed(self) -> Example:
        """The example with it."""
        told_: Any = self.value
        for key in reversed(self.path.split(".")):
            told_ = {key: told_}
        return self.example(_merged(self.beside, told_))


def _merged(one: Any, other: Any) -> Any:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return {
        key: _merged(one[key], other[key]) if key in one and key in other else {**one, **other}[key]
        for key in {**one, **other}
    }


def on_rows(*rows: CaseRun) -> Callable[[dict[str, Any]], Example]:
    return lambda policy: decided(*rows, **policy)


def on_case(answer: Any, **fields: Any) -> Callable[[dict[str, Any]], Example]:
    return lambda policy: told(answer, gates=policy.get("gates"), **fields)


def claims(*named: tuple[str, str, str]) -> dict[str, Any]:
    """Labelled claims: support phrase, cited chunk, point."""
    return {
        "claims": [
            {"text": "x", "support_phrases": [said], "citation_id": cited, "answer_point": point}
            for said, cited, point in named
        ]
    }


def one_of_five(gate: str) -> Callable[[dict[str, Any]], Example]:
    """Five cases, one of which fails the gate."""
    return on_rows(*fine(4, outcomes={gate: passed()}), make_row(4, outcomes={gate: failed()}))


def unbarred(gate: str, bar: float) -> dict[str, Any]:
    return {"gates": {gate: {"max": bar}}}


CASE_GATES = ("candidate_recall", "context_recall", "context_precision", "answered", "faithfulness", "citation_support",
              "citation_coverage", "point_coverage", "behaviour", "slow", "agreement", "criteria")  # fmt: skip
OFF = {"context_precision", "citation_coverage"}
BLOCKING: dict[str, dict[str, Any]] = {gate: {"gates": {gate: {"level": "block"}}} for gate in CASE_GATES}
HALF = {"required_source_ids": ["c1", "list"]}
TWO = claims(("rollback plan", "c1", "p"), ("no plan", "c1", "q"))
# Two of ten answers are poorer than the baseline's.
POORER = tuple([beside(n, *(["cut"] if n < 2 else [])) for n in range(10)])
SETTINGS = (
    Setting("gates.target.min", "1%", one_of_five("target")),
    Setting("gates.admissibility.min", "1%", one_of_five("admissibility")),
    *(Setting(f"gates.{gate}.min", "1%", one_of_five(gate), BLOCKING[gate]) for gate in CASE_GATES),
    *(Setting(f"gates.{gate}.level", "block" if gate in OFF else "warn", one_of_five(gate)) for gate in CASE_GATES),
    Setting("gates.candidate_recall.per_case", "50%", on_case(TEA, candidates=["c1", "c2"], case=HALF)),
    Setting("gates.context_recall.per_case", "50%", on_case(TEA, candidates=["c1", "c2", "list"], case=HALF)),
    Setting("gates.context_precision.per_case", "50%", on_case(TEA, case={"required_source_ids": ["c1"]})),
    Setting("gates.faithfulness.per_case", "50%", on_case(TWO, labelled=True)),
    Setting("gates.citation_support.per_case", "50%", on_case(TWO, labelled=True)),
    Setting("gates.citation_coverage.per_case", "50%", on_case(f"{QUOTED} [c2]. Tea is hot.")),
    Setting("gates.point_coverage.per_case", "50%", on_case(TWO, labelled=True, case={"required_points": ["p", "q"]})),
    *(Setting(f"gates.{gate}.per_case", "50%", per_case(gate)) for gate in ("agreement", "criteria")),
    Setting("gates.behaviour.scoring", "lenient", on_case(TEA, case={"must_contain": ["milk"]})),
    Setting("gates.behaviour.per_case", "50%", on_case(TEA, case={"must_contain": ["milk", "sugar"]}), LENIENT),
    Setting("gates.behaviour.penalties.must_contain", "1%", on_case(TEA, case={"must_contain": ["milk"]})),
    Setting("gates.behaviour.penalties.must_not_contain", "1%", on_case(TEA, case={"must_not_contain": ["tea"]})),
    Setting(
        "gates.behaviour.penalties.expected_tool",
        "1%",
        on_case(TEA, tool_calls=[], case={"expected_tools": ["search"]}),
    ),
    Setting(
        "gates.behaviour.penalties.forbidden_tool",
        "1%",
        on_case(TEA, tool_calls=["rm"], case={"forbidden_tools": ["rm"]}),
    ),
    Setting("gates.behaviour.penalties.latency", "1%", on_case(TEA, latency_ms=11, case={"max_latency_ms": 10})),
    Setting("gates.known_bad_blocked.level", "warn", on_rows(make_row(0), known_bad(1, blocked=False))),
    Setting(
        "gates.must_release.level", "warn", on_rows(make_row(0, kind="must_release", outcomes={"answered": failed()}))
    ),
    Setting("gates.forbidden_phrases.level", "warn", on_rows(SAID)),
    # Its level is the baseline's.
    Setting(
        "gates.policy_weakened.level",
        "warn",
        lambda policy: weakened(*ONE_OF_TWO, base=ONE_OF_TWO, before=policy, **LOW),
    ),
    Setting("gates.newly_missed.level", "warn", lambda policy: decided(missing(0), base=(demanding(0),), **policy)),
    Setting("gates.newly_missed.max", 1, lambda policy: decided(missing(0), base=(demanding(0),), **policy)),
    *(
        Setting(f"gates.{gate}.{key}", value, against_an_answer(row))
        for gate, row in (
            ("newly_unanswered", EVASIVE),
            ("newly_miscited", miscited("c9")),
            ("new_hallucinations", make_row(0, hallucinations=(false_claim(),))),
        )
        for key, value in (("level", "warn"), ("max", 1))
    ),
    *(
        Setting(f"gates.{gate}.{key}", value, against_an_answer(row))
        for gate, row in (
            ("score_drop", make_row(0, score=0.8, outcomes={"answered": passed()})),
            ("hallucination_rise", make_row(0, hallucinations=(false_claim(),))),
        )
        for key, value in (("level", "block"), ("max", 100))
    ),
    Setting(
        "gates.new_suspects.level",
        "warn",
        lambda policy: decided(suspicious(0, "conflict", sharp=True), base=(make_row(0),), **policy),
    ),
    Setting(
        "gates.new_suspects.max",
        "100%",
        lambda policy: decided(suspicious(0, "absent"), suspicious(1, "absent"), base=(*fine(2),), **policy),
    ),
    Setting("gates.hallucination_rate.max", "100%", on_rows(make_row(0, hallucinations=(false_claim(),)))),
    Setting(
        "gates.hallucination_rate.level",
        "warn",
        on_rows(make_row(0, hallucinations=(false_claim(),))),
        unbarred("hallucination_rate", 0.02),
    ),
    Setting("gates.flaky.level", "warn", on_rows(*UNSTEADY, *fine(7)[3:])),
    Setting("gates.flaky.max", "100%", on_rows(*UNSTEADY, *fine(7)[3:])),
    Setting("gates.unmeasured.max", "100%", on_rows(*fine(2, outcomes={"behaviour": unmeasured()}))),
    Setting(
        "gates.unmeasured.level",
        "warn",
        on_rows(*fine(2, outcomes={"behaviour": unmeasured()})),
        unbarred("unmeasured", 0.02),
    ),
    Setting("gates.p95_latency_ms.max", 10, on_rows(make_row(0, latency_ms=11.0))),
    Setting(
        "gates.p95_latency_ms.level", "warn", on_rows(make_row(0, latency_ms=11.0)), unbarred("p95_latency_ms", 10)
    ),
    Setting("gates.cost_usd.max", 1, on_rows(make_row(0, cost_usd=2.0))),
    Setting("gates.cost_usd.level", "warn", on_rows(make_row(0, cost_usd=2.0)), unbarred("cost_usd", 1)),
    Setting("gates.judge_cost_usd.max", 1, on_rows(make_row(0, judges=(DEAR,)))),
    Setting("gates.judge_cost_usd.level", "warn", on_rows(make_row(0, judges=(DEAR,))), unbarred("judge_cost_usd", 1)),
    Setting("gates.verified.min", "50%", on_rows(UNKNOWN)),
    Setting("gates.verified.level", "block", on_rows(UNKNOWN), {"gates": {"verified": {"min": "50%"}}}),
    Setting("gates.poorer.level", "warn", lambda policy: decided(*POORER, base=(*fine(10),), **policy)),
    Setting("gates.poorer.max", "100%", lambda policy: decided(*POORER, base=(*fine(10),), **policy)),
    Setting("gates.ab.level", "block", ab_level),
    Setting("slices.by", ["category"], lambda policy: told(TEA, case={"category": "x"}, slices=policy.get("slices"))),
    Setting("slices.min", "50%", on_rows(*sliced("a=b", 20, 2)), beside={"slices": {"by": ["a"]}}),
    Setting("slices.min_cases", 1, on_rows(*sliced("a=b", 2, 1)), beside={"slices": {"by": ["a"]}}),
    Setting("slices.protected", {"a": ["b"]}, on_rows(*sliced("a=b", 2, 1))),
)
