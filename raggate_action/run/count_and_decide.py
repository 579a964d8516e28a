"""From counted rows to a decided run and its texts: one road for a fresh run, a fork's, and one compared anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.comparison.baseline_index import (
    BaselineIndex,
    past_cases,
)
from raggate_action.core.comparison.run_history import carried
from raggate_action.core.comparison.same_judges import JudgedBy, unbelieved, unjudged
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import Decided, decide
from raggate_action.core.decision.release_report import release_report
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.row_counting import Count
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import Counts, ShownSources
from raggate_action.schema.later import BaselineNote, Comparison, NamedCase, Origin
from raggate_action.schema.listed_cases import ids_of
from raggate_action.schema.run import Policy, Run, RunDescription, StartedRun
from raggate_action.strings.numbers import count

if TYPE_CHECKING:
    from raggate_action.run.baseline.by_baseline_suite import ByBaselineSuite
    from raggate_action.schema.comparison import NotJudgedAgain


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
        listed=ids_of(facts.listed),
        waived=facts.listed.waived,
        expired=facts.listed.expired,
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
    stored: RunDescription | StartedRun,
    rows: Callable[[], Iterable[CaseRun]],
    *,
    baseline: BaselineIndex | None = None,
    found: tuple[Origin, BaselineNote | None] | None = None,
    by_suite: ByBaselineSuite | None = None,
) -> Reporting:
    """Count and decide from its rows a stored run that did not end, is compared anew, or is a fork's.

    What `run.json` holds of its rows is not looked at.

    Args:
        stored: The run.
        rows: Gives its rows, in any order.
        baseline: What to compare with.
        found: Where a stranger's run comes from and how its baseline was found: neither is asked of itself, and no
            judge counts.
        by_suite: The baseline's suite; None where it is the run's own.
    """
    head, cases = _description_of(stored), stored.suite_cases
    if found is not None:
        head = unbelieved(head.model_copy(update={"origin": found[0], "baseline": found[1]}))
        given, rows = rows, lambda: without_judges(given(), head.policy)
    count = Count(
        head.policy,
        decided_on=head.decided_on,
        baseline=baseline,
        panel=head.panel,
        is_chosen=bool(head.case_filter),
        renamed=by_suite.difference.renamed if by_suite is not None else None,
        rows=rows,
    )
    for row in rows():
        count.add(row)
    facts, compared = count.counted(cases)
    if compared is not None and by_suite is not None:
        from raggate_action.run.baseline.by_baseline_suite import with_baseline_suite

        if found is not None and (by_baseline := by_suite.rows) is not None:
            by_suite = by_suite._replace(rows=lambda: without_judges(by_baseline(), head.policy))
        judged_by = JudgedBy.of(head.provenance, head.panel)
        compared = with_baseline_suite(compared, by_suite, head.policy, judged_by, facts, count, cases)
    reporting = conclude(head, facts, compared)
    return reporting._replace(run=reporting.run.model_copy(update={"suite_cases": cases}))


def _description_of(stored: RunDescription | StartedRun) -> RunDescription:
    """What a run was before anything was counted."""
    described = {name: value for name, value in stored if name in RunDescription.model_fields}
    in_scope = sum(in_scope for _id, _digest, in_scope in stored.suite_cases)
    # Listed again at the end: a hundred thousand cases are not looked through another time.
    counted = {"files": {}, "suite_size": len(stored.suite_cases), "in_scope": in_scope, "suite_cases": ()}
    return RunDescription(**{"decided_at": stored.started_at, **described, **counted})


def without_judges(rows: Iterable[CaseRun], policy: Policy) -> Iterator[CaseRun]:
    """A stranger's rows without their judges: whoever wrote them may have written what those said as well."""
    return (unjudged(row, policy.gates) for row in rows)


def index_stored(stored: Run, rows: Iterable[CaseRun]) -> BaselineIndex:
    """A finished run as a baseline.

    Args:
        stored: The run.
        rows: Its rows; they are read once.
    """
    cases = past_cases(stored.suite_cases, rows, stored.policy, decided_on=stored.decided_on)
    return BaselineIndex(stored, stored, cases, history=carried((), stored))


def counted_by(
    baseline: BaselineIndex, rows: Callable[[], Iterable[CaseRun]], policy: Policy, left: Mapping[str, NotJudgedAgain]
) -> BaselineIndex:
    """A baseline by another policy than its own.

    Args:
        baseline: It by its own.
        rows: Gives its rows as they are judged now.
        policy: The policy.
        left: Its cases that are judged by something else: nothing is counted of them.
    """
    stored = baseline.run
    head = _description_of(stored).model_copy(update={"policy": policy})

    def comparable() -> Iterator[CaseRun]:
        return (row for row in rows() if row.case_id not in left)

    count = Count(policy, decided_on=head.decided_on, baseline=None, rows=comparable)

    def counting() -> Iterator[CaseRun]:
        for row in rows():
            if row.case_id not in left:
                count.add(row)
            yield row

    day, known = head.decided_on, baseline.cases
    cases = past_cases(stored.suite_cases, counting(), policy, decided_on=day, not_comparable=left, known=known)
    counted = conclude(head, *count.counted(stored.suite_cases)).run
    return baseline._replace(counted=counted, cases=cases, rows=rows, own=baseline, left=left)


def _stopped(decided: Decided) -> Decided:
    """What follows when a run did not end: the cases that are missing might have decided otherwise, so nothing does."""
    decision = decided.decision
    # That a part would have been released says nothing about the whole; what would have blocked it does.
    found = () if decision.kind == "release" else decision.reasons
    stopped = decision.model_copy(update={"kind": "inconclusive", "reasons": ("stopped", *found)})
    return decided._replace(decision=stopped)


def _note_on_faults(facts: Facts, decided: Decided) -> tuple[str, ...]:
    """Cases at which raggate itself failed, where the budget covers them: else the decision says it."""
    is_named = any(each.measured is not None and each.measured.faults for each in decided.gates)
    if is_named or not facts.faults:
        return ()
    cases = count(facts.faults, "case")
    return (f"{cases} could not be judged: a fault in raggate (the log has the trace; please report it).",)


def _note_on_citations(counts: Counts, policy: Policy) -> tuple[str, ...]:
    if policy.citations or not counts.citing:
        return ()
    cite = f"{count(counts.citing, 'answer')} {'cites' if counts.citing == 1 else 'cite'}"
    return (f"{cite}, and the suite does not declare citations (pipeline: {{citations: true}}): none is judged.",)
