"""An answer of an app that reports no context: what can be judged of it, and what cannot."""

from __future__ import annotations

from raggate_action.schema.case import Case
from raggate_action.schema.outcome import GateName, NotApplicable, Outcome

# They hold an answer against evidence, or evidence against what the suite asks of it.
ON_EVIDENCE: tuple[GateName, ...] = (
    "candidate_recall",
    "context_recall",
    "context_precision",
    "faithfulness",
    "citation_support",
    "citation_coverage",
    "point_coverage",
)
_WHY = NotApplicable(why="the app reports no context")


def without_context(outcomes: dict[GateName, Outcome], case: Case) -> dict[GateName, Outcome]:
    """The outcomes of an answer that came without its context, where the suite says that it may.

    That an answer was given where none was possible needs no evidence to be seen, so it fails faithfulness as always.

    Args:
        outcomes: As the gates gave them.
        case: The case.
    """
    left = {"faithfulness"} if case.expect == "abstain" else set()
    return {gate: outcomes[gate] if gate in left or gate not in ON_EVIDENCE else _WHY for gate in outcomes}
