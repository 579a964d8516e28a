"""A case as the report page shows it: what its list holds of it, and everything on its own page, as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from raggate_action.report.comment_size import gate_name
from raggate_action.report.decision_words import problem_in_words, unmeasured_in_words
from raggate_action.report.facts_and_criteria_view import item_lines
from raggate_action.report.page import Text
from raggate_action.report.plain_sink import bare
from raggate_action.report.vote_view import dissent, judge_call_lines, not_shown, votes_in_short
from raggate_action.schema.base import Record
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.case_run import CaseRun, Claim, Finding, Verdict
from raggate_action.schema.judgement import ClaimVote
from raggate_action.schema.outcome import GATES, Failed, GateName, NotApplicable, Outcome, StageName, Unmeasured
from raggate_action.schema.run import Run
from raggate_action.schema.trace import STAGES, Trace

ShownState: TypeAlias = Literal["failed", "not-blocked", "unmeasured", "flaky", "waived", "passed", "blocked"]
# Worst first, as cases are listed; numbered so in the page's index.
STATES: Final[tuple[ShownState, ...]] = (
    "failed", "not-blocked", "unmeasured", "flaky", "waived", "passed", "blocked",
)  # fmt: skip
CaseChange: TypeAlias = Literal["regressed", "moved", "failing", "fixed", "new", "edited", "turned", "same", "none"]
# `moved`: it fails as before, at another stage. `failing`: at the same one. `edited`: the case itself is another.
# `turned`: any other change of its outcome, such as from unmeasured to failed.
CHANGES: Final[tuple[CaseChange, ...]] = (
    "regressed", "moved", "failing", "fixed", "new", "edited", "turned", "same", "none",
)  # fmt: skip
VERDICTS: Final[tuple[Verdict, ...]] = ("contradicted", "unsupported", "partial", "unverified", "supported")
SHOWN_STAGES: Final[tuple[StageName, ...]] = tuple(dict.fromkeys(place.stage for place in GATES.values()))

# Made once: `json.dumps` makes an encoder at each call.
_as_json = json.JSONEncoder(ensure_ascii=False).encode
_GOOD_STATES = frozenset({"passed", "blocked"})
# An answer is read here, not archived: the run directory has it whole.
_ANSWER = 20_000
_QUESTION = 120
_CHUNK = 20_000


class PastCaseShown(Record):
    """A case on the baseline, as far as the page shows it.

    Attributes:
        state, stage: How it stood; None where it is not comparable, or was not run.
        digest: Digest of the case then.
        answer: Its answer; None where none may be shown.
        candidates, context: Chunk ids of the stages; None where they were not reported.
        versions: Pipeline versions.
        latency_ms, cost_usd: As in the row.
    """

    state: str | None = None
    stage: StageName | None = None
    digest: str = ""
    answer: str | None = None
    candidates: tuple[str, ...] | None = None
    context: tuple[str, ...] | None = None
    versions: tuple[tuple[str, str], ...] = ()
    latency_ms: float | None = None
    cost_usd: float | None = None


class ShownCase(NamedTuple):
    """A case with everything that is shown of it.

    Attributes:
        row: Its row.
        state, stage: How it counts, after its waivers.
        change: How it stands beside the baseline; `none` without one.
        trace: What the app left; None where nothing was kept.
        withheld: The answer was kept out of every file.
        before: The case on the baseline; None where nothing is known.
    """

    row: CaseRun
    state: ShownState
    stage: StageName | None
    change: CaseChange = "none"
    trace: Trace | None = None
    withheld: bool = False
    before: PastCaseShown | None = None

    @property
    def may_be_trimmed(self) -> bool:
        """Whether its texts go first where a page is too large: nothing about it needs a look."""
        return self.state in _GOOD_STATES and self.change in {"same", "new", "none"}


def index_entry(case: ShownCase) -> dict[str, Any]:
    """What the list, the filter and the facets know of a case."""
    row = case.row
    verdicts = {claim.verdict for claim in row.claims}
    return {
        "id": row.case_id,
        "q": row.question[:_QUESTION],
        "name": row.name or "",
        "s": STATES.index(case.state),
        "st": SHOWN_STAGES.index(case.stage) if case.stage is not None else -1,
        "c": CHANGES.index(case.change),
        "v": sum(1 << place for place, verdict in enumerate(VERDICTS) if verdict in verdicts),
        "w": row.weight,
        "sl": list(row.slices),
        "tag": list(row.tags),
        "why": _first_reason(case),
    }


def _first_reason(case: ShownCase) -> str:
    """The first offender behind the stage that failed, in a line; empty where nothing failed."""
    if case.stage is None:
        return ""
    for gate, outcome in case.row.outcomes.items():
        if isinstance(outcome, Failed) and GATES[gate].stage == case.stage:
            return problem_in_words(str(outcome.problems[0]))[:_QUESTION]
    return (case.row.error or "")[:_QUESTION]


def case_detail(
    case: ShownCase, repeated: Callable[[str], str], pooled: Callable[[str], int], *, trim: int = 0
) -> dict[str, Any]:
    """Everything on the case's own page; what is empty is left out.

    Args:
        case: The case.
        repeated: Gives the command that repeats a case.
        pooled: Takes the text of a chunk in and gives its number, equal for equal texts.
        trim: 1 leaves out the texts of cases that need no look, 2 chunks of all cases too, 3 all texts.
    """
    row = case.row
    bare_case = trim >= 3 or (trim >= 1 and case.may_be_trimmed)
    found: dict[str, Any] = {
        "id": row.case_id,
        "name": row.name,
        "kind": row.kind,
        "blocked": row.blocked_at,
        "file": row.file,
        "line": row.line,
        "q": row.question,
        "expect": row.expect,
        "slices": row.slices,
        "tags": row.tags,
        "trimmed": bare_case,
        "gates": [_gate(gate, each) for gate, each in row.outcomes.items()],
        "ctx": list(_context(case, pooled, chunks=not bare_case and trim < 2)),
        "ret": _retrieval(case),
        "judges": [bare(line) for line in judge_call_lines(_asked(row))],
        "vers": _versions(case),
        "ms": row.latency_ms,
        "cost": row.cost_usd,
        "error": row.error,
        "flags": list(_flags(case)),
        "repeat": repeated(row.case_id),
        "yaml": case_yaml(row),
        **_time(case),
        **_before(case, texts=not bare_case),
    }
    if not bare_case:
        found |= {
            **_answer(case),
            "claims": [_claim(claim, case) for claim in row.claims],
            "hall": [{"k": h.kind, "t": h.text, "id": h.chunk_id, "q": h.quote} for h in row.hallucinations],
            "issues": row.issues,
            "lacks": [f"{value.text} ({value.code})" for value in row.lacks],
            "items": _items(row),
            "asks": [_ask(ask.answer, ask.error, ask.outcomes) for ask in row.asks],
            "poorer": _poorer(row),
        }
    return {name: value for name, value in found.items() if value}


def _asked(row: CaseRun) -> tuple[Any, ...]:
    return (*row.judges, *(row.answer_votes.judges if row.answer_votes is not None else ()))


def _answer(case: ShownCase) -> dict[str, Any]:
    """The answer, whole where the trace has it, and how much of it is not shown."""
    text = _answer_text(case)
    if text is None:
        return {"noanswer": "withheld: its asker may not read what it repeats" if case.withheld else ""}
    left = max(case.row.answer_length - len(text), 0)
    return {"a": text, "cut": left, "empty": not text}


def _answer_text(case: ShownCase) -> str | None:
    answer = case.row.answer
    if answer is None or case.trace is None or case.withheld:
        return answer
    whole = case.trace.reply.text
    return whole[:_ANSWER] if whole.startswith(answer) else answer


def _utf16(text: str, place: int) -> int:
    """A place in a text as a browser counts it."""
    return place if text.isascii() else len(text[:place].encode("utf-16-le", errors="surrogatepass")) // 2


def _claim(claim: Claim, case: ShownCase) -> dict[str, Any]:
    text = _answer_text(case) or ""
    places = None
    if claim.start is not None and claim.end is not None and claim.end <= len(text):
        places = [_utf16(text, claim.start), _utf16(text, claim.end)]
    found: dict[str, Any] = {
        "id": claim.claim_id,
        "t": claim.text,
        "at": places,
        "v": claim.verdict,
        "cit": claim.citations,
        "by": claim.supported_by,
        "q": claim.quote,
        "qid": _quoted_chunk(claim),
        "n": claim.note,
        "how": _how(claim),
        "f": [_finding(each) for each in claim.findings],
    }
    if claim.votes:
        found |= {
            "votes": [_vote(vote) for vote in claim.votes],
            "say": votes_in_short(claim),
            "dissent": dissent(claim),
        }
    return {name: value for name, value in found.items() if value}


def _vote(vote: ClaimVote) -> dict[str, Any]:
    fields = {
        "j": vote.judge,
        "armed": vote.armed,
        "v": vote.verdict,
        "id": vote.chunk_id,
        "q": vote.quote,
        "n": " · ".join([each for each in (vote.note, not_shown(vote)) if each]),
        "by": vote.support,
        "parts": [[part.span, part.verdict] for part in vote.parts],
    }
    return {name: value for name, value in fields.items() if value}


def _finding(found: Finding) -> dict[str, Any]:
    at = [found.chunk_start, found.chunk_end] if found.chunk_id and found.chunk_start is not None else None
    fields = {"r": found.reason, "id": found.chunk_id, "at": at, "advice": found.advisory, "k": found.kind}
    return {name: value for name, value in fields.items() if value}


def _how(claim: Claim) -> str:
    """What decided the verdict."""
    if claim.judged:
        return "judges"
    if claim.labelled:
        return "a label"
    if claim.verdict == "supported":
        return "a quotation"
    return "a rule" if claim.verdict in {"contradicted", "unsupported", "partial"} else ""


def _quoted_chunk(claim: Claim) -> str | None:
    """The chunk that the claim's quotation is from: one that supports it, else the one named against it."""
    if claim.supported_by:
        return claim.supported_by[0]
    voted = [vote.chunk_id for vote in claim.votes if vote.chunk_id and vote.quote == claim.quote]
    found = [each.chunk_id for each in claim.findings if each.chunk_id]
    return next(iter([*voted, *found]), None)


def gate_facts(run: Run) -> dict[str, Any]:
    """What is the same of a gate in every case: its name, its level, the stage it blames and what repairs that."""
    levels = run.policy.gates
    return {gate: [gate_name(gate), levels.of(gate).level, place.stage, place.repair] for gate, place in GATES.items()}


def _gate(gate: GateName, outcome: Outcome) -> Mapping[str, Any]:
    share = outcome.share
    counted = _counted(gate, outcome.kind) if share is None else _counted(gate, outcome.kind, share.hits, share.total)
    why: list[str] = []
    if isinstance(outcome, Failed):
        why = [problem_in_words(str(problem)) for problem in outcome.problems]
    elif isinstance(outcome, NotApplicable):
        why = [outcome.why]
    elif isinstance(outcome, Unmeasured):
        why = [f"{outcome.reason}: {unmeasured_in_words(outcome.detail)}"]
    return {**counted, "why": why} if why else counted


@lru_cache(maxsize=4096)
def _counted(gate: GateName, kind: str, *share: int) -> Mapping[str, Any]:
    """How a gate came out, with its share as hits and total; one mapping for equal ones, of which a run has many."""
    return {"g": gate, "k": kind, **({"n": "{}/{}".format(*share)} if share else {})}


def _context(case: ShownCase, pooled: Callable[[str], int], *, chunks: bool) -> Iterator[dict[str, Any]]:
    """The chunks the answer was made from: id, version, and the number of its text where that was kept."""
    row = case.row
    texts: dict[str, str] = {}
    if chunks and case.trace is not None and not case.withheld:
        shown = [each for each in case.trace.context or () if not isinstance(each, str)]
        texts = {each.chunk_id: each.text for each in shown if each.text is not None}
    versions = row.context_versions if len(row.context_versions) == len(row.context) else ("",) * len(row.context)
    for chunk_id, version in zip(row.context, versions, strict=True):
        entry: dict[str, Any] = {"id": chunk_id}
        if version:
            entry["ver"] = version
        if chunk_id in texts:
            entry["x"] = pooled(texts[chunk_id][:_CHUNK])
        yield entry


def _retrieval(case: ShownCase) -> dict[str, Any]:
    """Ranks of every chunk at every stage, from 1; and on the baseline, where its trace is at hand."""
    stages: dict[str, tuple[str, ...]] = {}
    if case.trace is not None:
        stages = {stage: found for stage in STAGES if (found := case.trace.ids(stage)) is not None}
    elif case.row.context:
        stages = {"context": case.row.context}
    if not stages:
        return {}
    before = case.before
    past = {} if before is None else {"candidates": before.candidates, "context": before.context}
    cited = {each for claim in case.row.claims for each in claim.citations}
    required = set(case.row.demands.required_source_ids or ()) if case.row.demands is not None else set()
    return {
        "stages": stages,
        "past": {name: ids for name, ids in past.items() if ids is not None},
        "cited": sorted(cited),
        "required": sorted(required),
    }


def _versions(case: ShownCase) -> list[list[str]]:
    """Pipeline versions: name, now, and then where it is another."""
    past = dict(case.before.versions) if case.before is not None else {}
    return [[key, now, past[key]] if past.get(key, now) != now else [key, now] for key, now in case.row.versions]


def _time(case: ShownCase) -> dict[str, Any]:
    trace = case.trace
    if trace is None:
        return {}
    usage = trace.usage
    return {
        "stage_ms": dict(trace.stage_latency_ms),
        "tokens": [usage.input_tokens, usage.output_tokens] if usage is not None else None,
        "tools": list(trace.tool_names or ()),
    }


def _before(case: ShownCase, *, texts: bool) -> dict[str, Any]:
    before = case.before
    if before is None:
        return {}
    found: dict[str, Any] = {
        "b_state": before.state,
        "b_stage": before.stage,
        "b_ms": before.latency_ms,
        "b_cost": before.cost_usd,
    }
    if texts and before.answer is not None:
        found["b"] = before.answer[:_ANSWER]
    return found


def _items(row: CaseRun) -> list[dict[str, Any]]:
    if row.answer_votes is None:
        return []
    lines: Iterable[tuple[Text, tuple[Text, ...]]] = item_lines(row.answer_votes)
    return [{"t": bare(head), "under": [bare(line) for line in under]} for head, under in lines]


def _ask(answer: str | None, error: str | None, outcomes: Mapping[GateName, Outcome]) -> dict[str, Any]:
    failed = [
        f"{gate_name(gate)}: {problem_in_words(str(each.problems[0]))}"
        for gate, each in outcomes.items()
        if isinstance(each, Failed)
    ]
    return {"a": error or answer or "", "failed": failed}


def _poorer(row: CaseRun) -> list[dict[str, str]]:
    reasons = row.beside_main.reasons if row.beside_main is not None else ()
    return [{"k": r.state, "t": r.value, "here": r.here, "main": r.main} for r in reasons]


def _flags(case: ShownCase) -> Iterator[str]:
    row = case.row
    if case.state == "waived":
        yield "Its failure is waived."
    if row.unconfirmed:
        yield "The retries did not complete, so the first answer counts."
    if row.abstained:
        yield "The answer declines."
    if row.flagged:
        yield "The answer has a phrase that must not be in it."


def case_yaml(row: CaseRun) -> str:
    """The case as a suite may write it, of what its row holds; every string in JSON's form, which is YAML's as well."""
    demands = row.demands
    fields: dict[str, Any] = {
        "case_id": row.case_id,
        "name": row.name,
        "question": row.question,
        "workflow": row.workflow,
        "category": row.category,
        "tags": list(row.tags),
        "weight": row.weight if row.weight != 1 else None,
        "expect": row.expect if row.expect != "answer" else None,
        "blocked_at": row.blocked_at,
        "released": False if row.kind == "known_bad" else True if row.kind == "must_release" else None,
    }
    if demands is not None:
        fields |= {
            "required_source_ids": list(demands.required_source_ids or ()),
            "required_quotes": list(demands.required_quotes or ()),
            "required_points": [_point(point) for point in demands.required_points or ()],
            "must_contain": _plain(demands.must_contain),
            "must_not_contain": _plain(demands.must_not_contain),
            "expected_tools": list(demands.expected_tools or ()),
            "forbidden_tools": list(demands.forbidden_tools or ()),
            "max_latency_ms": float(demands.max_latency_ms) if demands.max_latency_ms is not None else None,
            "custom_check": demands.custom_check,
        }
    lines = [f"{name}: {_as_json(value)}" for name, value in fields.items() if value not in (None, "", [])]
    return "- " + "\n  ".join(lines) + "\n"


def _point(point: str | RequiredPoint) -> Any:
    return point if isinstance(point, str) else point.model_dump(mode="json", exclude_defaults=True)


def _plain(phrases: tuple[Any, ...] | None) -> list[Any]:
    return [
        each.model_dump(mode="json", exclude_defaults=True) if isinstance(each, Record) else each
        for each in phrases or ()
    ]
