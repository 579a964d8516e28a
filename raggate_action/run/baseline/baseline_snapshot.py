"""What of a baseline a run is held against while it goes on, and what a run keeps for those that come after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.setting_changes import READ_BY, decides_single_cases, setting_changes
from raggate_action.core.gates.case_demands import BaselineRules
from raggate_action.isolation.suite_patterns import marker_patterns
from raggate_action.schema.chunk_permissions import RESTRICTED_AT_MOST, HeldAgainst, RestrictedChunks
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.main_answers import MainAnswers
from raggate_action.schema.run import Policy

if TYPE_CHECKING:
    from raggate_action.schema.policy_change import SettingChange


def restricted_chunks(store: EvidenceStore | None) -> tuple[RestrictedChunks, ...] | None:
    """The chunks of a store that not everybody may be shown, by who may; None without a store, and for too many."""
    if store is None:
        return None
    found: dict[tuple[str, ...], list[str]] = {}
    kept = 0
    for chunk in store:
        if not chunk.permitted or chunk.principals:
            kept += 1
            if kept > RESTRICTED_AT_MOST:
                return None
            readers = tuple(sorted(set(chunk.principals))) if chunk.permitted else ()
            found.setdefault(readers, []).append(chunk.chunk_id)
    return tuple([RestrictedChunks(principals=readers, chunks=tuple(ids)) for readers, ids in sorted(found.items())])


def held_against(baseline: BaselineIndex | None, store: EvidenceStore | None) -> HeldAgainst | None:
    """What the run's answers are judged by beside its own demands; None without a baseline."""
    if baseline is None:
        return None
    loosened = [(chunk_id, tuple(sorted(readers))) for chunk_id, readers in _loosened(baseline, store)]
    return HeldAgainst(
        standard=baseline.suite.standard, loosened=tuple(loosened[:LISTED_AT_MOST]), loosenings=len(loosened)
    )


def baseline_rules(
    baseline: BaselineIndex | None,
    policy: Policy,
    store: EvidenceStore | None,
    reading: Reading,
    main: Callable[[str], MainAnswers | None],
    *,
    is_recorded: bool,
) -> BaselineRules | None:
    """What single cases are judged by beside the suite's own demands; None without a baseline.

    Args:
        baseline: The baseline.
        policy: The head's.
        store: Its evidence.
        reading: How it reads answers.
        main: What main's app answered to a case.
        is_recorded: Nobody can be asked again.
    """
    if baseline is None:
        return None
    before = baseline.suite.policy
    weaker = setting_changes(before, policy).weaker
    return BaselineRules(
        cases=baseline.cases,
        gates=before.gates,
        slices_by=before.slices.cut_by,
        every_case=any(map(decides_single_cases, weaker)),
        readers={
            chunk_id: frozenset(group.principals)
            for group in baseline.suite.restricted or ()
            for chunk_id in group.chunks
        },
        loosened=next(_loosened(baseline, store), None) is not None,
        reading=_read_before(before, weaker, reading),
        main=main,
        decided_at=baseline.decided_at,
        is_recorded=is_recorded,
    )


def _read_before(before: Policy, weaker: Iterable[SettingChange], reading: Reading) -> Reading | None:
    """How the baseline read answers; None where it read them as the head does."""
    if not any(change.setting in READ_BY for change in weaker):
        return None
    language = before.language or reading.language
    try:
        return reading._replace(patterns=marker_patterns(before.citation_markers or ()), language=language)
    except re.error:
        # Its run was changed behind its suite, which admits no such expression.
        return reading._replace(language=language)


def _loosened(baseline: BaselineIndex, store: EvidenceStore | None) -> Iterator[tuple[str, frozenset[str]]]:
    """Chunks that somebody may be shown who might not on the baseline, with those who might.

    Without a store nobody checks any more, so every chunk that was restricted is loosened.
    """
    for group in baseline.suite.restricted or ():
        before = frozenset(group.principals)
        for chunk_id in group.chunks:
            if store is None or _is_wider(chunk_id, before, store):
                yield chunk_id, before


def _is_wider(chunk_id: str, before: frozenset[str], store: EvidenceStore) -> bool:
    chunk = store.get(chunk_id)
    if chunk is None or not chunk.permitted:
        return False
    return not chunk.principals or not before.issuperset(chunk.principals)
