"""What a case is judged by beside the head's own suite: the baseline's suite as data, and main's earlier answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.comparison.baseline_index import PastCase
from raggate_action.core.counting.case_state import case_state, first_failed_stage
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.schema.base import canonical_json
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import MainAnswers, StoredSuite
from raggate_action.schema.outcome import is_out_of_date
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.verdicts import CheckIssues

if TYPE_CHECKING:
    from raggate_action.core.gates.diagnosis import Rulebook

_WORD = re.compile(r"\w+")


def _nothing_kept(_case_id: str) -> None:
    return None


class BaselineSuite(NamedTuple):
    """The baseline's suite, which differs from the head's: every answer is evaluated by it as well.

    Attributes:
        suite: As the baseline's run kept it.
        cases: Its cases by id.
        digests: Their digests.
        reading: How it read answers.
        store, restricted: The evidence of the head, each chunk for those who might be shown it on the baseline.
        excused: Cases that somebody answers for.
        same_reading: Both read the answer to a case that is the same into the same claims.
        same_rules: Such a case has the same outcomes by both; levels and bars may be others.
    """

    suite: StoredSuite
    cases: Mapping[str, Case]
    digests: Mapping[str, str]
    reading: Reading
    store: EvidenceStore | None
    restricted: RestrictedText
    excused: frozenset[str]
    same_reading: bool
    same_rules: bool

    def placed(self, placed: PlacedCase) -> PlacedCase:
        """The case as the baseline's suite has it; as it is where that asks something else, or somebody answers."""
        case = placed.case
        before = self.cases.get(case.case_id)
        if before is None or case.case_id in self.excused or not asks_the_same(before, case):
            return placed
        return placed._replace(case=before, digest=self.digests[case.case_id])

    def rules(self, rules: Rulebook) -> Rulebook:
        """What the baseline's suite judges by, over the head's evidence."""
        suite, baseline = self.suite, rules.baseline
        return rules._replace(
            gates=suite.gates,
            pipeline=suite.pipeline or Pipeline(),
            reading=self.reading,
            slices_by=suite.slices.cut_by,
            store=self.store,
            restricted=self.restricted,
            has_judges=suite.judges is not None,
            of_stored=True,
            baseline=baseline._replace(suite=None, main=_nothing_kept) if baseline is not None else None,
        )

    def row(self, row: CaseRun, again: CaseRun) -> CaseRun:
        """The row by the baseline's suite, with what no demand decides; a label that is out of date demands nothing."""
        over = {gate: row.outcomes[gate] for gate, each in again.outcomes.items() if is_out_of_date(each)}
        outcomes, gates = again.outcomes | over, self.suite.gates
        stage = first_failed_stage(outcomes, gates)
        return again.model_copy(
            update={
                "outcomes": outcomes,
                "first_failed_stage": stage,
                "state": case_state(outcomes, stage, gates),
                "beside_main": row.beside_main,
                "alone": row.alone,
            }
        )


class BaselineRules(NamedTuple):
    """What of a baseline the answers of a run are held against one by one.

    Attributes:
        cases: Every case of its suite.
        suite: Its suite; None where the head's is the same.
        main: What its app, and that of earlier runs of its branch, answered to a case; None where nothing is at hand.
        decided_at: When it was decided.
        is_recorded: The head run's answers are recorded, so that nobody can be asked again.
    """

    cases: Mapping[str, PastCase]
    suite: BaselineSuite | None = None
    main: Callable[[str], MainAnswers | None] = _nothing_kept
    decided_at: str = ""
    is_recorded: bool = False


def check_by_baseline(before: Case, now: Case, check: CheckIssues | None) -> CheckIssues | None:
    """What a case's own check says by the baseline's suite: what that alone names is not asked."""
    if before.custom_check == now.custom_check:
        return check
    return None if before.custom_check is None else CheckIssues(error="only the baseline's suite names it: not asked")


def asks_the_same(before: Case, now: Case) -> bool:
    """Whether two cases ask the same words."""
    return _question(before) == _question(now)


def _question(case: Case) -> bytes:
    turns = [(turn.role, _folded(turn.content)) for turn in case.messages]
    return canonical_json([_folded(case.question or ""), turns, case.input])


def _folded(text: str) -> str:
    """The words alone: a comma more or less asks nothing else."""
    return " ".join(_WORD.findall(text.casefold()))
