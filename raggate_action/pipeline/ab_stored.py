"""What a stored run says of its answers beside the baseline's, as far as it is to be believed."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.schema.ab_findings import Findings
from raggate_action.schema.ab_run import AbJudging
from raggate_action.schema.run import RunDescription
from raggate_action.schema.run_ab import RunAb

_STRANGERS = "What judges said in a fork's run does not count: its answers are not compared with the baseline's."
_ANOTHER = "The run's answers were compared with those of another baseline, and nobody is asked again."


def with_findings(head: RunDescription) -> RunDescription:
    """A stored run whose findings follow from its aggregate: those by rule anew, a model's where it bears them out."""
    ab = head.ab
    if ab is None or ab.aggregate is None:
        return head
    # Most runs compare nothing: only one that does pays for them.
    from raggate_action.core.panel_ab.findings import findings_of
    from raggate_action.core.panel_ab.written_check import rejection_of

    total, stored = ab.aggregate, ab.findings
    holds = bool(stored.written) and rejection_of(stored.written, total) is None
    findings = Findings(derived=findings_of(total), written=stored.written if holds else (), rejection=stored.rejection)
    return head.model_copy(update={"ab": ab.model_copy(update={"findings": findings})})


def unbelieved_ab(head: RunDescription) -> RunDescription:
    """A stranger's run: what its judges are said to have preferred counts for nothing."""
    return head if head.ab is None else _without(head, head.ab, _STRANGERS)


def beside(head: RunDescription, baseline: BaselineIndex) -> RunDescription:
    """A stored run beside a baseline: what was said of another one's answers says nothing of this one's."""
    ab = head.ab
    return head if ab is None or ab.baseline == baseline.decided_at else _without(head, ab, _ANOTHER)


def _without(head: RunDescription, ab: RunAb, why: str) -> RunDescription:
    nothing = {
        "unavailable": why,
        "aggregate": None,
        "findings": Findings(),
        "judging": AbJudging(),
        "synthesis": None,
    }
    return head.model_copy(update={"ab": ab.model_copy(update=nothing)})
