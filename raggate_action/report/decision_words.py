"""Reasons, gates and problems in words: plain text of any characters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import assert_never

from raggate_action.report.catalogue import LOST, PROBLEMS, did
from raggate_action.schema.case_run import CaseRun, ListedRow
from raggate_action.schema.change import Change
from raggate_action.schema.counts import Counts
from raggate_action.schema.decision import Cause, Measured, Operator, Reason, RunGate
from raggate_action.schema.later import OwnRate
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Problem, Unmeasured
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import (
    apart,
    chance_in_words,
    count,
    exact_dollars,
    exact_milliseconds,
    one_in,
    percent,
    score,
    share,
    whole_number,
)

# The id of a chunk that the app reports by its text alone, see `text_id`: a digest that nobody has seen before.
_OF_A_TEXT = re.compile(r"[0-9a-f]{12} in ")
_BASE = "base branch"
_THEIR_ANSWER = "the {}'s answer"
_UNMEASURED = "unmeasured-"
_LOST = re.compile(rf"\(({'|'.join(map(re.escape, LOST))}): ")


def base_name(run: Run) -> str:
    """What texts call the run that it is compared with: the `base branch` in a workflow, on a laptop the `baseline`."""
    return _BASE if run.origin is not None else "baseline"


def unmeasured_in_words(detail: str) -> str:
    """Why something went unmeasured, codes of lost calls spelt out: `first owl (timed out: no reply within 60 s)`."""
    return _LOST.sub(lambda found: f"({LOST[found[1]]}: ", detail)


def problem_in_words(problem: Problem, base: str = _BASE) -> str:
    """A problem as a sentence; its detail where the code has no words of its own.

    Args:
        problem: The problem.
        base: What the run is compared with, see `base_name`.
    """
    code, detail = problem.code, problem.detail
    if code == "unknown-chunk" and _OF_A_TEXT.match(detail):
        code = "unknown-text"
    words = PROBLEMS.get(code, {}).get("one", "{}")
    if not detail:
        # Under `texts: ids` an answer's words are gone.
        return did(code) or words.format("", base=base).rstrip(": ") or code.replace("-", " ")
    return words.format(unmeasured_in_words(detail) if code.startswith(_UNMEASURED) else detail, base=base)


def outcome_words(outcome: Outcome, base: str = _BASE) -> list[str]:
    """Why a gate came out as it did; nothing of one that passed."""
    match outcome:
        case Failed():
            return [problem_in_words(problem, base) for problem in outcome.problems]
        case Unmeasured():
            return [problem_in_words(Problem(code=f"{_UNMEASURED}{outcome.reason}", detail=outcome.detail), base)]
        case NotApplicable():
            return [outcome.why]
        case _:
            return []


def not_blocked(row: ListedRow | CaseRun) -> str:
    """What a known-bad case did in place of being blocked: `had to be blocked at target, but passed`."""
    instead = "could not be measured" if row.state == "unmeasured" else "passed"
    if row.first_failed_stage is not None:
        instead = f"failed first at {row.first_failed_stage}"
    return f"had to be blocked at {row.blocked_at}, but {instead}"


_SIGNS: Mapping[Operator, str] = {">=": "≥ ", "<=": "≤ ", "==": "", ">": "> ", "<": "< "}
_ADVICE = {"facts": "facts stated", "criteria": "criteria met"}
# Decimal places of an amount beside its bar; more where the two would read the same.
_PLACES_OF_MS = 1
_PLACES_OF_USD = 4


def bar_in_words(gate: RunGate) -> str:
    """What a gate asks for: `≥ 95 %`, `each ≥ 95 %`, `≤ 2 %, here 1`, `≤ 8000 ms`, `none new`."""
    bar = gate.bar
    sign = ("each " if bar.each else "") + _SIGNS[bar.operator]
    match bar.unit:
        case "share":
            allowed = f", here {bar.allowed}" if bar.allowed is not None else ""
            return f"{sign}{share(bar.amount)}{allowed}"
        case "cases" | "new cases":
            new = " new" if bar.unit == "new cases" else ""
            return f"none{new}" if not bar.amount else f"{sign}{whole_number(bar.amount)}{new} cases"
        case "ms" | "usd" | "score" | "points":
            return f"{sign}{_apart(gate)[1]}"
        case "p" if gate.measured is not None and gate.measured.harmed:
            return "none"
        case "p":
            return f"oftener than {chance_in_words(bar.amount)}"
        case _:
            assert_never(bar.unit)


def measured_in_words(gate: RunGate, base: str = _BASE) -> str | None:
    """The figure compared with the bar where it is not the share that passed: `3.0 % (3 of 100 cases)`, `900 ms`."""
    found = gate.measured
    if found is None:
        return None
    match found.kind:
        case "cases" | "alone":
            cases = f"{found.hits} of {found.looked_at} cases"
            return f"{percent(found.hits, found.looked_at)} ({cases})" if gate.bar.unit == "share" else cases
        case "unmeasured":
            gone = f" and {found.removed} removed" if found.removed else ""
            faults = f", {found.faults} for a fault in raggate" if found.faults else ""
            return f"{found.unmeasured} of {found.cases} cases{gone}{faults}"
        case "slices":
            watched = [f"{found.watched} on watch"] if found.watched else []
            unmeasured = [f"{found.unmeasured} not measured"] if found.unmeasured else []
            return ", ".join([f"{found.red} of {found.slices} red", *watched, *unmeasured])
        case "amount" | "shift":
            return _apart(gate)[0]
        case "advice":
            return f"advises: {found.good:,} of {found.total:,} {_ADVICE[found.of or 'facts']}"
        case "arms":
            return _preferred(found, base)
        case "weakenings" if not found.gates and gate.status == "failed":
            gone = "1 case taken out fails" if gate.offending == 1 else f"{gate.offending:,} cases taken out fail"
            return f"{gone} by the {base}'s suite"
        case "weakenings" if not found.gates:
            return "not comparable"
        case "weakenings":
            more = "1 gate fails" if found.gates == 1 else f"{found.gates} gates fail"
            return f"{more} by the {base}'s suite"


def _preferred(arms: Measured, base: str) -> str:
    if arms.harmed:
        return f"every judge prefers {_THEIR_ANSWER.format(base)} on {count(arms.harmed, 'protected question')}"
    questions = arms.treatment + arms.control + arms.tie
    won = f"{base} {arms.control}, this run {arms.treatment} of {questions} questions"
    chance = f"; chance alone gives such a difference {chance_in_words(arms.p.value)}" if arms.p is not None else ""
    aside = f"; {arms.set_aside} set aside for a rubric concern" if arms.set_aside else ""
    return f"{won}{chance}{aside}"


def _apart(gate: RunGate) -> tuple[str, str]:
    """An amount and its bar; without one the bar alone, twice."""
    if gate.bar.unit in {"score", "points"}:
        return _shifted(gate)
    bar = gate.bar.amount
    amount = Decimal(str(found.amount)) if (found := gate.measures("amount")) is not None else bar
    if gate.bar.unit == "usd":
        return apart(exact_dollars, amount, bar, _PLACES_OF_USD)
    if gate.bar.unit == "ms":
        return apart(exact_milliseconds, amount, bar, _PLACES_OF_MS)
    return apart(whole_number, amount, bar, 0)


def _shifted(gate: RunGate) -> tuple[str, str]:
    """A mean on both runs with the way it went, and how far it may go: `1.00 to 0.94 (0.06 lower)`, `0.05 lower`."""
    of_score = gate.bar.unit == "score"
    way = " lower" if of_score else " points higher"
    shift = gate.measures("shift")
    if shift is None or not shift.cases:
        return "", f"{gate.bar.amount:f}{way}"
    worse = Decimal(shift.before - shift.after if of_score else shift.after - shift.before) / shift.cases
    worse = worse / 100 if of_score else worse * 100
    printed, bar = apart(whole_number, worse, gate.bar.amount, 2 if of_score else 1)
    before, after = (_mean(total, shift.cases, of_score=of_score) for total in (shift.before, shift.after))
    moved = f" ({printed}{way})" if worse > 0 else ""
    return f"{before} to {after}{moved}, {shift.cases} cases", f"{bar}{way}"


def _mean(total: int, cases: int, *, of_score: bool) -> str:
    return score(total / 100 / cases) if of_score else percent(total, cases)


def reason_in_words(reason: Reason, run: Run) -> str:
    """One sentence without its full stop; of a gate its name, its counts or amount, its bar, the first offender."""
    if isinstance(reason, Cause):
        return _CAUSES[reason.kind](reason)
    match reason:
        case "nothing-in-scope":
            return "no case is in scope: nothing was evaluated"
        case "stopped":
            what = "cancelled" if run.cancelled else "not finished"
            return f"{what}: {run.counts.cases + run.counts.known_bad} of {run.in_scope} cases had finished"
        case "released":
            return _released(run)
        case _:
            how = [gate_in_words(each, base_name(run)) for each in run.gates if each.gate == reason]
            return " ".join([reason, *how])


def all_reasons(run: Run) -> str:
    """Every reason of a decision on one line, uncut."""
    return ". ".join([reason_in_words(reason, run) for reason in run.decision.reasons])


def gate_in_words(gate: RunGate, base: str = _BASE) -> str:
    """How a gate that does not pass stands: what was measured, its bar, the first case that it names."""
    first = f"; first: {change_in_words(gate.offenders[0], base)}" if gate.offenders else ""
    if gate.status == "unmeasured":
        return f"could not be measured{first}"
    measured = measured_in_words(gate, base)
    if gate.measures("weakenings"):
        return _by_baseline(gate, base)
    if gate.measured is not None and gate.measured.faults:
        what = f"{count(gate.measured.faults, 'case')} could not be judged: a fault in raggate"
        case = f"; first: {gate.offenders[0].case_id}" if gate.offenders else ""
        return f"failed: {what} (log has the trace; please report){case}"
    if measured is None:
        passed, scored = gate.passed or 0, gate.scored or 0
        rate = f" ({percent(passed, scored)})" if scored else ""
        measured = f"{passed} of {scored} {'verified' if gate.gate == 'verified' else 'passed'}{rate}{_of_a_part(gate)}"
    return f"failed: {measured}, {_demand(gate)}{first}"


def _of_a_part(gate: RunGate) -> str:
    """What the baseline has to do with a figure of a part of the suite."""
    if gate.passed_before is not None:
        return f" of the cases run, {gate.passed_before} on the baseline"
    return f", {gate.carried} of them carried from the baseline" if gate.carried else ""


def _by_baseline(gate: RunGate, base: str) -> str:
    """`failed: by the base branch's suite behaviour fails; and 2 more gates`."""
    more = gate.offending - 1
    others = f"; and {more} more gate{'s' if more > 1 else ''}" if gate.offenders and more > 0 else ""
    first = change_in_words(gate.offenders[0], base) if gate.offenders else measured_in_words(gate, base)
    return f"failed: by the {base}'s suite {first}{others}"


def _demand(gate: RunGate) -> str:
    """The bar as part of a sentence."""
    bar = bar_in_words(gate)
    return {"none": "none are allowed", "none new": "no new ones are allowed"}.get(bar, f"the bar is {bar}")


def change_in_words(change: Change, base: str = _BASE) -> str:
    """Which case, and what is wrong with it: `q2: it misses the point p1`; of another gate that it does not pass."""
    problem = problem_in_words(change.problem, base) if change.problem is not None else ""
    if not change.case_id:
        return problem or f"{change.gate} does not pass"
    case = f"{change.case_id} (carried)" if change.move == "same" else change.case_id
    return f"{case}: {problem}" if problem else case


def _nothing_answered(reason: Cause) -> str:
    cases = "the only case" if reason.asked == 1 else f"any of {reason.asked} cases"
    sentence = f"the app did not answer {cases}"
    if not reason.cause:
        return sentence
    first = f"; first {reason.case_id}" if reason.case_id is not None else ""
    return f"{sentence}{first}: {reason.cause}"


def _store_knows_none(reason: Cause) -> str:
    first = f"; first: {reason.first}" if reason.first else ""
    found = f"0 of {reason.ids} ids known: the evidence store has no chunk id that {reason.traces} traces name{first}"
    way_out = "Let the app report the store's `chunk_id` or texts, or name under `evidence:` what it answers from"
    return f"{found}. {way_out}"


def _expired(reason: Cause) -> str:
    subject = (
        "a waiver has expired and covers" if reason.expired == 1 else f"{reason.expired} waivers have expired and cover"
    )
    named = [f"{each} ({each.expires.isoformat()}, {each.owner})" for each in reason.waivers]
    more = [f"and {reason.expired - len(named)} more"] if reason.expired > len(named) else []
    return f"{subject} nothing: {'; '.join([*named, *more])}"


_CAUSES = {"nothing-answered": _nothing_answered, "store-knows-none": _store_knows_none, "waivers-expired": _expired}


def _released(run: Run) -> str:
    """Why it was released; a gate that measured nothing is not called passed."""
    warned = [gate.gate for gate in run.gates if (gate.level, gate.status) == ("warn", "failed")]
    idle = [gate.gate for gate in run.gates if gate.unmeasured and gate.status in {"unmeasured", "insufficient"}]
    silent = f" except {' and '.join(idle[:2])}, which measured nothing" if idle else ""
    if len(idle) > 2:
        silent = f" except {idle[0]}, {idle[1]} and {len(idle) - 2} more, which measured nothing"
    which = "every blocking gate" if warned else "every gate"
    return f"{which} passed{silent}" + (f"; failed and only warns: {', '.join(warned)}" if warned else "")


def passed_in_words(counts: Counts, change: int = 0) -> str:
    """How many cases passed with nothing to look at, how many more than on the baseline, and what is known of them.

    What not refuted means is said where it is first read.
    """
    passed = counts.passed - counts.to_look_at
    known = [f"{counts.verified:,} verified"]
    unknown = passed - counts.verified - counts.refuted
    known += [f"{counts.refuted:,} refuted"] if counts.refuted else []
    known += [f"{unknown:,} not refuted: no fault found, but not proven"] if unknown > 0 else []
    moved = f" ({change:+,})" if change else ""
    return f"{passed:,} passed{moved}" + (f" ({', '.join(known)})" if passed else "")


def own_rate_in_words(rate: OwnRate, base: str = _BASE) -> str:
    """`main: 1 in 75 answers; here: 1 in 60`, or `main: none in 60 answers; ...`."""
    here = one_in(rate.here_false, rate.here_answers)
    main = one_in(rate.main_false, rate.main_answers) if rate.main_false else f"none in {rate.main_answers:,}"
    return f"{'main' if base == _BASE else base}: {main} answers; here: {here}"
