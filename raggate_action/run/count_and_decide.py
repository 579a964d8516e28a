"""From counted rows to a decided run and its texts: the same road for a fresh run and for `report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, index_baseline, past_cases
from raggate_action.core.comparison.run_history import carried
from raggate_action.core.comparison.same_judges import OtherVersion
from raggate_action.core.counting.case_state import case_state, first_failed_stage
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import COMPARING_GATES, Decided, decide
from raggate_action.core.decision.release_report import release_report
from raggate_action.errors import RowsError
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.baseline.baseline_policy_count import second_policy_of
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.case_run import CaseRun, is_certainly_false
from raggate_action.schema.counts import Counts, NamedCase, ShownSources
from raggate_action.schema.decision import DecisionKind, RunGateStatus, UnmeasuredCount
from raggate_action.schema.run import Policy, Run, RunDescription, StartedRun, SuiteCase
from raggate_action.strings.numbers import count

if TYPE_CHECKING:
    from raggate_action.run.baseline.baseline_upgrade import JudgedAgain
    from raggate_action.schema.comparison import Comparison
    from raggate_action.schema.partial_scope import PartialScope

_BY_WEIGHT: tuple[DecisionKind, ...] = ("release", "inconclusive", "block")


def head_of(stored: Run | StartedRun) -> RunDescription:
    """What a stored run was before anything was counted; of what follows from its rows nothing is taken."""
    described = {name: value for name, value in stored if name in RunDescription.model_fields}
    counted = {
        "suite_size": len(stored.suite_cases),
        "in_scope": sum(in_scope for _id, _digest, in_scope in stored.suite_cases),
        # Listed again at the end: a hundred thousand cases are not looked through another time.
        "suite_cases": (),
    }
    return RunDescription(**{"decided_at": stored.started_at, **described, **counted})


def conclude(head: RunDescription, facts: Facts, comparison: Comparison | None) -> Reporting:
    """Decide, and put the run together with everything its texts are made of."""
    if head.panel is not None:
        from raggate_action.core.judging.judging_cost import with_trial

        facts = facts._replace(judging=with_trial(facts.judging, head.panel))
    decided = decide(facts, policy=head.policy, comparison=comparison)
    if head.cancelled or not head.complete:
        decided = _stopped(decided)
    failed_for = _failed_for(facts, comparison, decided)
    run = Run(
        **dict(head),
        remarks=(
            *_note_on_faults(facts, decided),
            *decided.notes,
            *_note_on_citations(facts.counts, head.policy),
            *_note_on_sources(comparison),
        ),
        counts=_with_failed(facts.counts, failed_for),
        failed_for={each.case_id: each.gates for each in failed_for},
        gate_counts=facts.gate_counts,
        gates=decided.gates,
        slices=decided.slices,
        stages=facts.stages,
        pipeline_versions=facts.pipeline_versions,
        summary=facts.summary,
        release_report=release_report(facts, decided, head.release_names),
        decision=decided.decision,
        judging=facts.judging if head.panel is not None else None,
        sources=_sources(facts, comparison),
    )
    return Reporting(run=run, listed=facts.listed, comparison=comparison)


def _failed_for(facts: Facts, comparison: Comparison | None, decided: Decided) -> list[NamedCase]:
    """The cases that none of their own gates fails and that gates on the run name which block, each with these."""
    blocking = {
        gate.gate for gate in decided.gates if gate.status == "failed" and gate.gate in decided.decision.reasons
    }
    by_id: dict[str, NamedCase] = {}
    # What is forbidden has to be new beside a baseline.
    alone = blocking if comparison is None else blocking - {"forbidden_phrases"}
    for named, counting in ((facts.named, alone), (comparison.named if comparison is not None else (), blocking)):
        for case in named:
            known = by_id.get(case.case_id)
            names = [*(known.gates if known is not None else ()), *[each for each in case.gates if each in counting]]
            if names:
                by_id[case.case_id] = case.model_copy(update={"gates": tuple(dict.fromkeys(names))})
    return [by_id[case_id] for case_id in sorted(by_id)]


def _with_failed(counts: Counts, cases: list[NamedCase]) -> Counts:
    """The counts with these cases as failed ones."""
    left = {name: getattr(counts, name) - number for name, number in _counted_as(cases).items()}
    return counts.model_copy(update={**left, "failed": counts.failed + len(cases)})


def _counted_as(cases: Iterable[NamedCase]) -> Counter[str]:
    return Counter([name for case in cases for name in (case.state, case.known_as) if name is not None])


def _sources(facts: Facts, comparison: Comparison | None) -> ShownSources | None:
    """Where the chunks come from, and whether the baseline's come from there as well."""
    new = comparison.new_sources if comparison is not None else None
    if facts.sources is None or new is None:
        return facts.sources
    return facts.sources.model_copy(update={"recur": new.known >= new.sources})


def _note_on_sources(comparison: Comparison | None) -> tuple[str, ...]:
    """Another document than any of the baseline's: a leak from a tenant to another looks so, and a new file as well."""
    new = comparison.new_sources if comparison is not None else None
    if new is None or not new.told or not new.cases:
        return ()
    more = f" and {new.sources - len(new.named)} more" if new.sources > len(new.named) else ""
    show = "case shows" if new.cases == 1 else "cases show"
    words = f"{new.cases} {show} chunks of {count(new.sources, 'source')} that no case of the baseline ever showed"
    return (f"{words}: {', '.join(new.named)}{more}. `principals` makes the border of a tenant a gate.",)


class RunReport(NamedTuple):
    """A decided run and what was written about it, so that nobody writes it a second time.

    Attributes:
        reporting: The run.
        texts: See `texts_of`.
    """

    reporting: Reporting
    texts: Mapping[str, str]


def report_on(reporting: Reporting) -> RunReport:
    """Write the texts of a run."""
    return RunReport(reporting, texts_of(reporting))


def texts_of(reporting: Reporting) -> Mapping[str, str]:
    """The texts of a run directory by file name."""
    texts = {"comment.md": render_comment(reporting), "summary.md": render_summary(reporting)}
    if reporting.comparison is not None:
        texts["comparison.json"] = reporting.comparison.model_dump_json(indent=2) + "\n"
    return texts


def recount(
    head: RunDescription,
    rows: Iterable[CaseRun],
    *,
    suite_cases: tuple[SuiteCase, ...],
    baseline: BaselineIndex | None = None,
    comparison: Comparison | None = None,
) -> Reporting:
    """Count and decide a stored run again, as it was decided then: whatever follows from its rows is taken from them.

    Same rows, same baseline, same bytes.

    Args:
        head: See `head_of`.
        rows: Its rows, in any order.
        suite_cases: Every case of its suite.
        baseline: What to compare with.
        comparison: The comparison stored with the run, where the baseline itself is not given.

    Raises:
        RowsError: A row says of itself what its gates do not, or the comparison speaks of more cases than there are.
    """
    known = Known.of(head.provenance, head.panel, is_chosen=bool(head.case_filter))
    count = Count(
        head.policy,
        decided_on=head.decided_on,
        baseline=baseline,
        compared=comparison,
        known=known,
        twice=lambda: second_policy_of(head, baseline, lambda: suite_cases, known),
    )
    for row in as_judged(rows, head.policy):
        count.add(row)
    facts, compared = count.counted(suite_cases)
    if comparison is not None:
        _see_fits(comparison, facts)
    reporting = conclude(head, facts, compared)
    return reporting._replace(run=reporting.run.model_copy(update={"suite_cases": suite_cases}))


def index_stored(stored: Run, rows: Callable[[], Iterable[CaseRun]]) -> BaselineIndex:
    """A finished run as a baseline: its amounts counted from its rows, which are read once.

    Only after a fault of ours at one of them they are read, and counted, once more.

    Raises:
        RowsError: As `recount`.
    """
    head = head_of(stored)
    known = Known.of(head.provenance, head.panel)
    count = Count(head.policy, decided_on=head.decided_on, baseline=None, known=known, rows=rows)

    def counted() -> Iterator[CaseRun]:
        for row in as_judged(rows(), head.policy):
            count.count(row)
            yield row

    cases = past_cases(stored.suite_cases, counted(), head.policy, decided_on=head.decided_on)
    again = conclude(head, *count.counted(stored.suite_cases)).run
    recur = stored.sources is not None and bool(stored.sources.recur)
    index = _as_decided(index_baseline(again, cases), again, stored)
    lines = [line.model_copy(update={"decision": index.decision}) for line in carried((), again)]
    return index._replace(sources_recur=recur, history=tuple(lines))


def index_judged_again(stored: Run, again: JudgedAgain) -> BaselineIndex:
    """A finished run that another version of raggate judged, as a baseline: by our rules, as far as they can be used.

    Where some case cannot be judged again, counts of the whole would mix two kinds of rules: none stand beside ours.
    """
    head = head_of(stored)
    count = Count(head.policy, decided_on=head.decided_on, baseline=None, known=Known.of(head.provenance, head.panel))

    def counted() -> Iterator[CaseRun]:
        for row in again.rows():
            count.add(row)
            yield row

    cases = past_cases(
        stored.suite_cases, counted(), head.policy, decided_on=head.decided_on, not_comparable=again.left
    )
    index = index_baseline(conclude(head, *count.counted(stored.suite_cases)).run, cases)
    other = OtherVersion(stored.provenance.raggate_version, again.judged)
    # What our rules make of its rows stands in no history: there it is what it was when it was measured.
    index = index._replace(decision=stored.decision.kind, other=other, history=carried((), stored))
    return index._replace(gates=(), slices=(), statuses={}) if again.left else index


def _as_decided(index: BaselineIndex, again: Run, stored: Run) -> BaselineIndex:
    """The index with what the run's own baseline made of it, which its rows alone cannot tell.

    Only how a gate stood and what was decided are believed, no number; and no decision that is better than the rows'.
    """
    then = {gate.gate: gate.status for gate in stored.gates}
    if "newly_inadmissible" not in then:
        return index
    if again.in_scope < again.suite_size:
        # What it carried from its own baseline is in none of its rows.
        stood: dict[str, RunGateStatus] = dict(index.statuses)
        stood.update({gate.gate: gate.status for gate in stored.gates})
        return index._replace(statuses=stood, decision=stored.decision.kind)
    compared: dict[str, RunGateStatus] = {gate: status for gate, status in then.items() if gate in COMPARING_GATES}
    alone = [gate for gate in again.gates if gate.level == "block" and gate.gate not in COMPARING_GATES]
    found: DecisionKind = "release"
    if any(gate.status == "failed" for gate in alone):
        # Inconclusive all the same where the app answered nothing.
        found = again.decision.kind
    elif any(gate.status == "unmeasured" for gate in alone) or not again.counts.cases:
        found = "inconclusive"
    worse = max(found, stored.decision.kind, key=_BY_WEIGHT.index)
    return index._replace(statuses={**index.statuses, **compared}, decision=worse)


def as_judged(rows: Iterable[CaseRun], policy: Policy) -> Iterator[CaseRun]:
    """The rows of a stored run, each held against its own gates under the levels of the run.

    Raises:
        RowsError: A row says of itself what its gates do not.
    """
    for row in rows:
        if not _follows_from_its_gates(row, policy):
            raise RowsError(
                f"the row of case {row.case_id!r} says {row.state}, which does not follow from its gates",
                hint="The run directory was changed after raggate wrote it: make the run again.",
            )
        yield row


def _follows_from_its_gates(row: CaseRun, policy: Policy) -> bool:
    """Whether state and stage are what the gates of the answer that stands for the case, and its other answers, make.

    A flaky case has no answer with a fault that counts if one answer shows it.
    """
    stage = first_failed_stage(row.outcomes, policy.gates)
    state = case_state(row.outcomes, stage, policy.gates)
    if row.state == "flaky":
        from raggate_action.core.comparison.confirmation_asks import counts_at_once

        protected = policy.slices.protected_names
        by_chance = row.own_rate is not None and sum(map(is_certainly_false, row.asks)) == 1
        at_once = [counts_at_once(ask, row.slices, protected, but_false=by_chance) for ask in row.asks]
        return state == "passed" and bool(at_once) and not any(at_once)
    return row.first_failed_stage == stage and row.state == state


def _see_fits(comparison: Comparison, facts: Facts) -> None:
    counts, partial = facts.counts, comparison.partial
    fewer = partial is not None and not (facts.is_partial and _hides_nothing(partial, facts))
    fewer = fewer or any(number > getattr(counts, name) for name, number in _counted_as(comparison.named).items())
    if fewer or comparison.compared > counts.cases or comparison.regressed > counts.failed:
        raise RowsError(
            "comparison.json speaks of more cases than the run has rows of",
            hint="Give the baseline by --baseline to have it compared again, or make the run again.",
        )


def _hides_nothing(partial: PartialScope, facts: Facts) -> bool:
    """Whether the gates over the whole have at least the failures of the rows run."""
    whole = {gate.gate: (gate.scored or 0) - (gate.passed or 0) for gate in partial.gates}
    return all(counts.failed <= whole.get(gate, counts.failed) for gate, counts in facts.gate_counts.items())


def _stopped(decided: Decided) -> Decided:
    """What follows when a run did not end: the cases that are missing might have decided otherwise, so nothing does."""
    decision = decided.decision
    # That a part would have been released says nothing about the whole; what would have blocked it does.
    found = () if decision.kind == "release" else decision.reasons
    stopped = decision.model_copy(update={"kind": "inconclusive", "reasons": ("stopped", *found)})
    return decided._replace(decision=stopped)


def _note_on_faults(facts: Facts, decided: Decided) -> tuple[str, ...]:
    """Cases at which raggate itself failed, where the budget covers them: else the decision says it."""
    is_named = any(isinstance(each.measured, UnmeasuredCount) and each.measured.faults for each in decided.gates)
    if is_named or not facts.faults:
        return ()
    cases = count(facts.faults, "case")
    return (f"{cases} could not be judged: a fault in raggate (the log has the trace; please report it).",)


def _note_on_citations(counts: Counts, policy: Policy) -> tuple[str, ...]:
    if policy.citations or not counts.citing:
        return ()
    cite = f"{count(counts.citing, 'answer')} {'cites' if counts.citing == 1 else 'cite'}"
    return (f"{cite}, and the suite does not declare citations (pipeline: {{citations: true}}): none is judged.",)
