"""How a row came out, and its certain citation faults, asked alike of the baseline's rows and of the head's."""

from __future__ import annotations

from raggate_action.schema.case_run import CaseRun


def was_answered(row: CaseRun) -> bool:
    """Whether the target gave an answer, or did not have to."""
    target = row.outcomes.get("target")
    return target is None or target.kind in {"passed", "not_applicable"}


def was_run(row: CaseRun) -> bool:
    """Whether the case was run: with an answer, or an error of the app."""
    target = row.outcomes.get("target")
    return target is None or target.kind != "unmeasured"


def hundredths(score: float | None) -> int | None:
    """A score as a whole number, so that sums are exact; None for None."""
    return None if score is None else round(score * 100)


def says_nothing(row: CaseRun) -> bool:
    """Whether the answer is known to be empty, or to decline where an answer was expected."""
    answer = row.outcomes.get("answered")
    return answer is not None and answer.kind == "failed"


def citation_faults(row: CaseRun) -> frozenset[str]:
    """What is certainly wrong with the citations of an answer, by the chunks cited; nothing where the gate holds.

    A claim that cites only what is not in the context, or a chunk that does not say it while another does. Not the
    claim's words but what it cites tells two faults apart: the same answer in other words has no new fault. A claim
    without a citation is a matter of coverage, one that nobody could verify is in doubt, and a false one is a
    hallucination. That a panel named another chunk is no certain fault: it may have left out the one cited.
    """
    gate = row.outcomes.get("citation_support")
    # A run whose answers seldom cite is not held to it, and a citation that leads astray is a fault all the same.
    not_held = gate is not None and gate.kind == "not_applicable" and gate.share is not None
    if gate is None or not (gate.kind == "failed" or not_held):
        return frozenset()
    found = set()
    for claim in row.claims:
        if not claim.citations or not set(claim.citations).isdisjoint(claim.supported_by):
            continue
        cited = " ".join(sorted(set(claim.citations)))
        if set(claim.citations).isdisjoint(row.context):
            found.add(f"not-in-context:{cited}")
        elif claim.supported_by and not claim.judged:
            found.add(f"elsewhere:{cited}")
    return frozenset(found)
