"""What is kept of a trace that may repeat what its asker must not read: ids that the suite knows, and nothing else."""

from __future__ import annotations

from typing import Any

from raggate_action.core.forbidden.restricted import Leak, RestrictedText
from raggate_action.core.support.custom_check import CheckIssues
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import STAGES, ChunkForm, TargetFailure, Trace, TracedChunk

WITHHELD = "withheld"
_MESSAGE = "withheld: the trace repeats what its asker may not read"


def kept_of(trace: Trace, case: Case, restricted: RestrictedText, *, pipeline: Pipeline) -> tuple[Trace, Leak]:
    """A trace as far as it may be written, and what it held that its asker may not read."""
    leak = restricted.leak_in(trace, case)
    if leak.is_none or restricted.store is None:
        return trace, leak
    return without_words(trace, case, leak, store=restricted.store, pipeline=pipeline), leak


def told_of(message: str, case: Case | None, restricted: RestrictedText, *, what: str) -> str:
    """A message, or that it is withheld because it repeats what the asker may not read, by chunk id.

    Args:
        message: What somebody said of the case.
        case: The case; None for a message that is for everybody.
        restricted: The store's forbidden texts.
        what: What the message is, for people: `the check's issue`.
    """
    repeated = restricted.repeated_in(message, case)
    return _withheld(what, repeated) if repeated else message


def told_by_failure(failure: TargetFailure, case: Case, restricted: RestrictedText) -> str:
    """An app's error, or that it is withheld: whatever a cut message shows of what was said, nothing of it is safe."""
    repeated = restricted.repeated_in(failure.said or failure.error, case)
    return _withheld("the app's message", repeated) if repeated else failure.error


def told_by_check(custom: CheckIssues | None, case: Case, restricted: RestrictedText) -> CheckIssues | None:
    """What a custom check said, without what the asker may not read; an issue that is withheld still counts."""
    if custom is None:
        return None
    issues = tuple(told_of(issue, case, restricted, what="the check's issue") for issue in custom.issues)
    error = custom.error and told_of(custom.error, case, restricted, what="the check's message")
    return CheckIssues(issues, error)


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
    return TracedChunk(chunk_id=name, version=None if chunk.version is None else version)
