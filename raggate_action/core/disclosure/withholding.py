"""What may be written of a case: nothing its asker must not read, and under `texts: ids` no text at all.

Of a trace that repeats forbidden text, only the ids that the suite knows are kept. Every other text that a row
is about to hold comes through `without_forbidden`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from raggate_action.core.disclosure.restricted_text import Leak, RestrictedText
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun, Claim, Hallucination
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import AnswerVotes, AskedJudge, BesideMain, JudgedItem, Lost
from raggate_action.schema.outcome import Failed, GateName, Outcome, Unmeasured
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import STAGES, ChunkForm, TargetFailure, Trace, TracedChunk
from raggate_action.schema.verdicts import CheckIssues

WITHHELD = "withheld"
_MESSAGE = "withheld: the trace repeats what its asker may not read"
# Their problems quote the answer.
_QUOTING: tuple[GateName, ...] = (
    "faithfulness",
    "citation_support",
    "citation_coverage",
    "point_coverage",
    "behaviour",
)
# Theirs begin with the id of what they are about, and quote the suite.
_NAMING: tuple[GateName, ...] = ("agreement", "criteria")
# Elsewhere one code does: words of the evidence that the suite requires. So does a label that is out of date.
_QUOTING_CODES = frozenset({"quote-missing"})
# By record, every field of a row and of what it holds that can hold words of an app or of the evidence. All others are
# numbers, digests, names from a closed list, and what the suite says of its case (its points and tools among it).
WORDS: dict[str, tuple[str, ...]] = {
    "CaseRun": ("outcomes", "claims", "hallucinations", "issues", "lacks", "answer", "context", "context_versions",
              "documents", "passages", "versions", "error", "judges", "answer_votes", "by_rules",
              "beside_main"),
    "LabelPassage": ("label", "chunk_id", "document", "version", "words"),
    "BesideMain": ("reasons",),
    "PoorerReason": ("key", "value", "here", "main"),
    "ByRules": ("outcomes", "hallucinations"),
    "Claim": ("claim_id", "text", "citations", "supported_by", "quote", "note", "findings", "votes"),
    "ClaimVote": ("support", "chunk_id", "quote", "note", "parts"),
    "Part": ("span",),
    "AskedJudge": ("lost", "dropped", "points", "left_out"),
    "AnswerVotes": ("judges", "items"),
    "JudgedItem": ("item", "text", "votes"),
    "ItemOpinion": ("quote", "note"),
    "Lost": ("detail",),
    "DroppedVote": ("claim_id", "reason"),
    "PointVote": ("claim_id",),
    "Finding": ("chunk_id", "reason"),
    "Hallucination": ("text", "chunk_id", "quote"),
    "Failed": ("problems",),
    "Problem": ("detail",),
    "Unmeasured": ("detail",),
}  # fmt: skip


def kept_of(
    trace: Trace, case: Case, restricted: RestrictedText, *, pipeline: Pipeline, repeated: tuple[str, ...] = ()
) -> tuple[Trace, Leak]:
    """A trace as far as it may be written, and what it held that its asker may not read.

    Args:
        trace: What the app returned.
        case: Its case.
        restricted: The store's forbidden texts.
        pipeline: What the suite declares.
        repeated: Forbidden chunks that it is known to repeat, by id.
    """
    leak = restricted.leak_in(trace, case)
    if repeated:
        leak = leak._replace(repeated=tuple(dict.fromkeys((*leak.repeated, *repeated))))
    if leak.is_none or restricted.store is None:
        return trace, leak
    return without_words(trace, case, leak, store=restricted.store, pipeline=pipeline), leak


def permitted_message(message: str, case: Case | None, restricted: RestrictedText, *, what: str) -> str:
    """A message, or that it is withheld because it repeats what the asker may not read, by chunk id.

    Args:
        message: What somebody said of the case.
        case: The case; None for a message that is for everybody.
        restricted: The store's forbidden texts.
        what: What the message is, for people: `the check's issue`.
    """
    repeated = restricted.repeated_in(message, case)
    return _withheld(what, repeated) if repeated else message


def permitted_error(failure: TargetFailure, case: Case, restricted: RestrictedText) -> str:
    """An app's error, or that it is withheld: where the app repeats forbidden text, no piece of it is safe."""
    repeated = restricted.repeated_in((failure.excerpt, failure.error), case)
    return _withheld("the app's message", repeated) if repeated else failure.error


def permitted_issues(custom: CheckIssues | None, case: Case, restricted: RestrictedText) -> CheckIssues | None:
    """What a custom check said, without what the asker may not read; an issue that is withheld still counts."""
    if custom is None:
        return None
    issues = tuple(permitted_message(issue, case, restricted, what="the check's issue") for issue in custom.issues)
    error = custom.error and permitted_message(custom.error, case, restricted, what="the check's message")
    return CheckIssues(issues=issues, error=error)


def without_words(trace: Trace, case: Case, leak: Leak, *, store: EvidenceStore, pipeline: Pipeline) -> Trace:
    """The trace with `withheld` for every word of the app's.

    Ids the store knows stay, with the store's own versions, and so do the case's id and the version keys the suite
    declares: the gates on the evidence path judge it as before. Read again as a recorded trace it fails again: where
    no forbidden id in a stage says so, its `error` does.

    Args:
        trace: What the app returned.
        case: Its case.
        leak: What it holds that is forbidden.
        store: The evidence.
        pipeline: What the suite declares.
    """
    names = _Names()
    kept: dict[str, Any] = {
        stage: tuple(_chunk(chunk, store, names) for chunk in chunks)
        for stage in STAGES
        if (chunks := getattr(trace, stage)) is not None
    }
    keys = [key if key in pipeline.versions else names.of(key) for key, _value in trace.version_pairs]
    return Trace(
        case_id=trace.case_id if trace.case_id in {None, case.case_id} else WITHHELD,
        versions=tuple((key, WITHHELD) for key in keys) if trace.versions is not None else None,
        error=None if leak.traced else _MESSAGE,
        **kept,
    )


def repeated_by_claims(
    claims: Iterable[str], case: Case, restricted: RestrictedText, context: Sequence[str]
) -> tuple[str, ...]:
    """Forbidden chunks that an answer repeats as it is read into claims, by id.

    Args:
        claims: The claims' texts, in order.
        case: Whose answer it is.
        restricted: The store's forbidden texts.
        context: Ids of the chunks that the model was shown.
    """
    if restricted.is_empty:
        return ()
    texts = list(claims)
    return restricted.repeated_in((*texts, " ".join(texts)), case, context)


def without_forbidden(row: CaseRun, case: Case, restricted: RestrictedText) -> CaseRun:
    """The row, each text in it that repeats what the asker may not read replaced by a note with the chunk's id."""
    if restricted.is_empty:
        return row

    def passed(text: str) -> str:
        repeated = restricted.repeated_in((text,), case, row.context)
        return _withheld("this text", repeated) if repeated else text

    kept: CaseRun = _each_text(row, passed)
    return kept


def ids_only(row: CaseRun) -> CaseRun:
    """The row without a word of answer or evidence (`texts: ids`): ids, codes, counts and digests stay."""

    def bare(claim: Claim) -> Claim:
        findings = tuple([finding.model_copy(update={"reason": ""}) for finding in claim.findings])
        votes = tuple([vote.model_copy(update={"quote": None, "note": None, "parts": ()}) for vote in claim.votes])
        return claim.model_copy(
            update={"text": "", "quote": None, "quote_start": None, "note": None, "findings": findings, "votes": votes}
        )

    def unquoted(hallucination: Hallucination) -> Hallucination:
        return hallucination.model_copy(update={"text": "", "quote": None})

    def silent(judge: AskedJudge) -> AskedJudge:
        dropped = tuple([each.model_copy(update={"reason": ""}) for each in judge.dropped])
        lost = None if judge.lost is None else _without_detail(judge.lost)
        return judge.model_copy(update={"lost": lost, "dropped": dropped})

    def wordless(votes: AnswerVotes) -> AnswerVotes:
        return votes.model_copy(
            update={"judges": tuple(map(silent, votes.judges)), "items": tuple(map(_without_words, votes.items))}
        )

    alone = row.by_rules
    if alone is not None:
        fields = {"outcomes": _unquoted(alone.outcomes), "hallucinations": tuple(map(unquoted, alone.hallucinations))}
        alone = alone.model_copy(update=fields)
    return row.model_copy(
        update={
            "outcomes": _unquoted(row.outcomes),
            "by_rules": alone,
            "beside_main": None if row.beside_main is None else _unspoken(row.beside_main),
            "judges": tuple(map(silent, row.judges)),
            "answer_votes": None if row.answer_votes is None else wordless(row.answer_votes),
            "claims": tuple(bare(claim) for claim in row.claims),
            "hallucinations": tuple(unquoted(h) for h in row.hallucinations),
            "issues": (),
            "lacks": tuple([each.model_copy(update={"detail": ""}) for each in row.lacks]),
            "answer": None,
            "passages": tuple([each.model_copy(update={"words": ""}) for each in row.passages]),
        }
    )


def _unspoken(main: BesideMain) -> BesideMain:
    """Without words of either answer; a key that holds some is a digest of them."""
    reasons = [
        each.model_copy(update={"here": "", "main": "", "value": "", "key": each.key and digest_of_text(each.key)[:16]})
        for each in main.reasons
    ]
    return main.model_copy(update={"reasons": tuple(reasons)})


def _without_words(item: JudgedItem) -> JudgedItem:
    """Without words of answer, judge and reference answer; a criterion is the suite's own, as its points are."""
    votes = tuple([vote.model_copy(update={"quote": None, "note": None}) for vote in item.votes])
    return item.model_copy(update={"text": None if item.kind == "fact" else item.text, "votes": votes})


def _unquoted(outcomes: Mapping[GateName, Outcome]) -> dict[GateName, Outcome]:
    return {
        gate: _named_only(outcome)
        if gate in _NAMING
        else _without_quotes(outcome, of=None if gate in _QUOTING else _QUOTING_CODES)
        for gate, outcome in outcomes.items()
    }


def _named_only(outcome: Outcome) -> Outcome:
    """The outcome with the ids of what its problems are about, and no word of theirs."""
    if not isinstance(outcome, Failed):
        return _without_quotes(outcome, of=None)
    named = [each.model_copy(update={"detail": each.detail.partition(": ")[0]}) for each in outcome.problems]
    return outcome.model_copy(update={"problems": tuple(named)})


def _without_detail(lost: Lost) -> Lost:
    return lost.model_copy(update={"detail": ""})


def _without_quotes(outcome: Outcome, *, of: Collection[str] | None) -> Outcome:
    """The outcome without the words of its problems, or of those of some codes alone."""
    match outcome:
        case Failed() if of is None or any(problem.code in of for problem in outcome.problems):
            problems = tuple(
                problem.model_copy(update={"detail": ""}) if of is None or problem.code in of else problem
                for problem in outcome.problems
            )
            return outcome.model_copy(update={"problems": problems})
        case Unmeasured() if of is None or outcome.reason == "label":
            return outcome.model_copy(update={"detail": ""})
        case _:
            return outcome


def _each_text(value: Any, passed: Callable[[str], str]) -> Any:
    """A value of a row with each text that may be words put through `passed`; the same value when none changes."""
    match value:
        case str():
            return passed(value)
        case tuple():
            parts = tuple([_each_text(part, passed) for part in value])
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        case dict():
            return {key: _each_text(part, passed) for key, part in value.items()}
        case BaseModel():
            fields = {name: getattr(value, name) for name in WORDS.get(type(value).__name__, ())}
            changed = {name: new for name, old in fields.items() if (new := _each_text(old, passed)) is not old}
            return value.model_copy(update=changed) if changed else value
        case _:
            return value


def _withheld(what: str, repeated: tuple[str, ...]) -> str:
    return f"{what} is withheld: it repeats {', '.join(repeated)}"


class _Names:
    """Stands in for unknown names, one for each, so that the same name twice is still the same name."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, name: str) -> str:
        """What stands there for `name`."""
        return self._given.setdefault(name, f"{WITHHELD}-{len(self._given) + 1}")


def _chunk(chunk: ChunkForm, store: EvidenceStore, names: _Names) -> ChunkForm:
    if isinstance(chunk, str):
        return chunk if chunk in store else names.of(chunk)
    known = store.get(chunk.chunk_id)
    name = chunk.chunk_id if known is not None else names.of(chunk.chunk_id)
    version = chunk.version if known is not None and chunk.version == known.version else WITHHELD
    return TracedChunk(chunk_id=name, version=None if chunk.version is None else version, repeated=chunk.repeated)
