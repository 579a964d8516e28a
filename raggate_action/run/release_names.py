"""What a release report calls the things that are released: the service, the agent, the policies an answer needed."""

from __future__ import annotations

import os

from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.release_report import required_versions
from raggate_action.schema.summary import ReleaseNames
from raggate_action.suite_files import LoadedSuite


def release_names(loaded: LoadedSuite, facts: Facts) -> ReleaseNames:
    """The names of a run; versions of required sources are known where there is an evidence store."""
    required = None
    if loaded.evidence is not None:
        sources = loaded.cases.at([source.position for source in facts.source_traces])
        required = required_versions([placed.case for placed in sources], loaded.evidence)
    return ReleaseNames(
        service_version=loaded.suite.service_version,
        agent_version=os.environ.get("AGENT_VERSION") or None,
        required_policy_versions=required,
    )
