"""The release report of a run: what was checked, on which versions."""

from __future__ import annotations

from collections.abc import Iterable

from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import Decided
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.summary import ReleaseNames, ReleaseReport

# Where a trace says which release of the app wrote it.
_SERVICE_VERSION_KEYS = ("service_version", "service", "agent_version")
_UNKNOWN = "unknown"


def release_report(
    facts: Facts,
    decided: Decided,
    names: ReleaseNames,
) -> ReleaseReport:
    """Write the release report.

    Args:
        facts: The run, counted.
        decided: What was decided on it.
        names: What no row holds.
    """
    versions = names.required_policy_versions
    if versions is None:
        used = [version for row in facts.source_rows for version in row.context_versions if version]
        versions = tuple(sorted(set(used)))
    traced = [
        ", ".join([version.value for version in facts.pipeline_versions if version.key == key])
        for key in _SERVICE_VERSION_KEYS
    ]
    service = (names.service_version, *traced, names.agent_version, _UNKNOWN)
    counts, states = facts.counts, facts.must_release
    must_pass = counts.must_release - states["waived"] - states["flaky"]
    # What nobody could be asked about was not there to check.
    known_bad = counts.known_bad - counts.known_bad_no_adjudicator
    stands = {gate.gate: gate.status for gate in decided.gates}
    admissible = stands.get("admissibility", "insufficient")
    return ReleaseReport(
        service_version=next(each for each in service if each),
        source_traces=tuple([row.case_id for row in facts.source_rows]),
        required_policy_versions=versions,
        # Each is None where the run gives nothing to check, and false where it could not be measured.
        checks={
            "admissible_evidence_path": admissible == "passed" if admissible != "insufficient" else None,
            "supported_answer_released": counts.must_release_passed == must_pass if must_pass else None,
            "known_bad_answers_blocked": counts.known_bad_blocked == known_bad if known_bad else None,
            "slice_regression_clear": stands["slices"] != "failed" if "slices" in stands else None,
        },
    )


def required_versions(cases: Iterable[Case], store: EvidenceStore) -> tuple[str, ...]:
    """Versions of the sources that cases require, as the store has them, each once and sorted.

    The report names the version of the chunk that was required, not of the one that was found; of a document or parent
    the versions of its chunks. A quote names no chunk.
    """
    required = {source for case in cases for source in case.required_source_ids}
    chunks = [chunk for source in required if (chunk := store.get(source)) is not None]
    if not store.origins.isdisjoint(required):
        chunks += [chunk for chunk in store if not required.isdisjoint(chunk.origin)]
    return tuple(sorted({chunk.version for chunk in chunks if chunk.version is not None}))
