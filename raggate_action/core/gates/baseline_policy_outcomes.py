"""A case judged a second time while its trace is at hand: by rules alone, and by what the baseline demanded of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from raggate_action.core.comparison.case_changes import case_change
from raggate_action.core.disclosure.withholding import ids_only, without_forbidden
from raggate_action.core.gates.case_demands import BaselineRules, as_demanded, demands_before
from raggate_action.core.gates.diagnosis import Diagnosis, Drafted, Rulebook, by_rules, draft, gate
from raggate_action.core.judging.rescored_answer import said_again
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import ByBaseline, ByRules, CaseRun
from raggate_action.schema.outcome import GATES_OF_ALL, Failed, GateName, NotApplicable, Outcome, Problem
from raggate_action.schema.slices import slice_names
from raggate_action.schema.trace import STAGES, Trace
from raggate_action.schema.verdicts import CheckIssues, Verdicts


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


_NOT_JUDGED = NotApplicable(why="the baseline did not permit its evidence")
_TOLD = ("hallucinations", "musts", "by_rules", "recalled", "claims")
_JUDGED = ("outcomes", "hallucinations", "flagged", "score", "musts", "by_rules", "recalled")


def with_by_baseline(
    row: CaseRun, placed: PlacedCase, drafted: Drafted, verdicts: Verdicts, rules: Rulebook
) -> CaseRun:
    """The row, with how it comes out by the baseline's demands where they were more than the head's.

    Nothing is judged twice where case, permissions, how answers are read, the gates on single cases and the terms of
    judges are as they were.

    Args:
        row: The case as judged by the head's demands.
        placed: The case.
        drafted: Its answer, which may be judged.
        verdicts: On its claims, and what its custom check says.
        rules: What the run judges by.
    """
    baseline = rules.baseline
    if baseline is None or placed.case.known_bad:
        return row
    asked, relieved = _as_before(placed, row, baseline)
    again = _judged_again(row, asked, drafted, verdicts, rules, relieved=relieved)
    slices = slice_names(placed.case, baseline.slices_by)
    lacks = placed.case.case_id not in baseline.cases and set(slices) != set(row.slices)
    if again is None and not lacks:
        return row
    found = {} if again is None else _differing(row, again, placed.case, rules)
    judged = ByBaseline(**found, slices=slices if lacks else None)
    return row if again is not None and not relieved and judged == ByBaseline() else _with(row, judged)


def _with(row: CaseRun, judged: ByBaseline) -> CaseRun:
    return row.model_copy(update={"by_baseline": judged})


class _Asked(NamedTuple):
    """The case by whose demands an answer is judged again, and who asked it then."""

    case: Case
    principals: tuple[str, ...]


def _as_before(placed: PlacedCase, row: CaseRun, baseline: BaselineRules) -> tuple[_Asked, bool]:
    """The case as the baseline had it, and whether it demanded more than it does now; else as it is."""
    case = placed.case
    as_it_is = _Asked(case, case.principals)
    before = demands_before(placed, baseline)
    if before is None or row.demands is None or before.released is False:
        return as_it_is, False
    change = case_change(before, row.demands)
    if change.is_another_case:
        return as_it_is, False
    principals = before.principals or ()
    if not change.reliefs or change.unknown:
        return _Asked(case, principals), False
    return _Asked(as_demanded(case, before), principals), True


def _judged_again(
    row: CaseRun, asked: _Asked, drafted: Drafted, verdicts: Verdicts, rules: Rulebook, *, relieved: bool
) -> dict[str, Any] | None:
    """The fields of the row as the baseline would have them; None where nothing can have changed them."""
    baseline = rules.baseline
    assert baseline is not None  # noqa: S101 (asked before)
    if (relieved or baseline.loosened) and (problems := _hidden_before(drafted.traced.trace, asked, baseline)):
        return _inadmissible(row, problems)
    if not (relieved or baseline.every_case or verdicts.by_baseline is not None):
        return None
    if verdicts.by_baseline is not None:
        verdicts = verdicts.by_baseline.model_copy(update={"check": verdicts.check})
    then = rules._replace(gates=baseline.gates, reading=baseline.reading or rules.reading)
    if relieved or baseline.reading is not None:
        redrafted = draft(asked.case, drafted.answered, then)
        if not isinstance(redrafted, Drafted):
            return _fields(redrafted, None)
        check = _check_of(asked.case, drafted.case, verdicts.check)
        drafted, verdicts = redrafted, said_again(redrafted.claims, verdicts, check)
    found = gate(drafted, verdicts, then)
    claims = {} if baseline.reading is None else {"claims": found.claims}
    return _fields(found, alone_by_rules(found, drafted, verdicts, then)) | claims


def _check_of(before: Case, now: Case, check: CheckIssues | None) -> CheckIssues | None:
    """What is known of the check that the case named on the baseline: one that was taken out was not asked."""
    if before.custom_check == now.custom_check:
        return check
    return None if before.custom_check is None else CheckIssues(error="it was taken out, so nobody asked it")


def _fields(found: Diagnosis, alone: ByRules | None) -> dict[str, Any]:
    behaved = found.behaviour
    return {
        "outcomes": found.outcomes,
        "hallucinations": found.hallucinations,
        "flagged": behaved.flagged if behaved else False,
        "score": behaved.score if behaved else None,
        "musts": behaved.musts if behaved else None,
        "by_rules": alone,
        "recalled": found.recalled,
    }


def _inadmissible(row: CaseRun, problems: tuple[Problem, ...]) -> dict[str, Any]:
    outcomes: dict[GateName, Outcome] = {"target": row.outcomes["target"], "admissibility": Failed(problems=problems)}
    outcomes |= dict.fromkeys((gate for gate in GATES_OF_ALL if gate not in outcomes), _NOT_JUDGED)
    nothing = {"hallucinations": (), "flagged": False, "score": None, "musts": None, "by_rules": None, "recalled": None}
    return {"outcomes": outcomes, **nothing}


def _hidden_before(trace: Trace, asked: _Asked, baseline: BaselineRules) -> tuple[Problem, ...]:
    """The traced chunks that the case's asker might not be shown on the baseline."""
    where: dict[str, list[str]] = {}
    for stage in STAGES:
        for chunk_id in dict.fromkeys(trace.ids(stage) or ()):
            readers = baseline.readers.get(chunk_id)
            if readers is not None and readers.isdisjoint(asked.principals):
                where.setdefault(chunk_id, []).append(stage)
    places = [f"{chunk_id} in {', '.join(seen)}" for chunk_id, seen in where.items()]
    return tuple([Problem(code="restricted-chunk", detail=place) for place in places])


def _differing(row: CaseRun, again: dict[str, Any], case: Case, rules: Rulebook) -> dict[str, Any]:
    """What comes out otherwise, as far as it may be written."""
    second = without_forbidden(row.model_copy(update=again), case, rules.restricted)
    second = ids_only(second) if rules.texts == "ids" else second
    outcomes = second.outcomes if second.outcomes != row.outcomes else None
    if outcomes is None and all(getattr(second, name) == getattr(row, name) for name in _TOLD):
        return {}
    claims = {"claims": second.claims} if second.claims != row.claims else {}
    return {name: getattr(second, name) for name in _JUDGED} | {"outcomes": outcomes or row.outcomes} | claims
