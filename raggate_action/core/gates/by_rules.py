"""A case as labels, quotation and rules alone judge it, beside what a panel made of it."""

from __future__ import annotations

from raggate_action.core.disclosure.withholding import ids_only, without_forbidden
from raggate_action.core.gates.diagnose import Diagnosis, Drafted, Rulebook, by_rules, gate
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import ByRules, CaseRun
from raggate_action.schema.verdicts import Verdicts


def alone_by_rules(found: Diagnosis, drafted: Drafted, verdicts: Verdicts, rules: Rulebook) -> ByRules | None:
    """How an answer comes out without its panel; None where that is the same, or no judge counted.

    Args:
        found: As it comes out with the panel.
        drafted: The answer.
        verdicts: On its claims, and what its custom check says.
        rules: What it is judged by.
    """
    asked = (*verdicts.judges, *(verdicts.answer_votes.judges if verdicts.answer_votes is not None else ()))
    if not (any(judge.armed for judge in asked) or any(claim.judged for claim in verdicts.claims)):
        return None
    alone = gate(drafted, by_rules(drafted, verdicts.check), rules)
    outcomes = {name: outcome for name, outcome in alone.outcomes.items() if outcome != found.outcomes[name]}
    musts = alone.behaviour.musts if alone.behaviour is not None else None
    behaved = found.behaviour.musts if found.behaviour is not None else None
    if not outcomes and (alone.hallucinations, musts) == (found.hallucinations, behaved):
        return None
    return ByRules(outcomes=outcomes, hallucinations=alone.hallucinations, musts=musts)


def with_by_rules(row: CaseRun, alone: ByRules | None, case: Case, rules: Rulebook) -> CaseRun:
    """The row, with how it comes out without its panel, as far as that may be written."""
    if alone is None:
        return row
    row = without_forbidden(row.model_copy(update={"by_rules": alone}), case, rules.restricted)
    return ids_only(row) if rules.texts == "ids" else row
