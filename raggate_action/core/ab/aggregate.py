"""A panel's rows become what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from raggate_action.core.ab.pair_judge_exclusion import obeyed_instructions, quorum_of_pairs, uncounted_judges
from raggate_action.core.ab.score_table import (
    Cells,
    ComparisonTerms,
    PairTrial,
    Rater,
    ceiling_of,
    cells_of,
    consensus_of,
    consistency_of,
    deltas_of,
    dimension_of,
    families_of,
    headline_of,
    mean_of,
    miscounts_of,
    question_of,
    rows_of,
    totals_of,
    wins_of,
)
from raggate_action.core.statistics.agreement import agreeing_pairs, agreement_on, gwet_ac1_of_many
from raggate_action.schema.ab_result import (
    Aggregate,
    Agreement,
    AllAgreed,
    JudgeResult,
    NotCounted,
    QuestionResult,
    TypeResult,
)
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import JudgeRow

SharedWith: TypeAlias = ArmName | Literal["judge"]


def shares_of(judges: Sequence[Rater], terms: ComparisonTerms) -> dict[Rater, tuple[SharedWith, ...]]:
    """With whom each judge shares a lab: the arms, or a judge before it.

    The first judge of a lab stays a stranger to the panel, so that one of each lab is left. Two ways of working of one
    judge are of one lab, even where nobody says which.
    """
    found: dict[Rater, tuple[SharedWith, ...]] = {}
    seen: set[tuple[str, str]] = set()
    for rater in judges:
        lab = _plain(rater.lab)
        arms: list[SharedWith] = [
            arm for arm in ("control", "treatment") if lab and _plain(terms.labs.get(arm, "")) == lab
        ]
        names = {("lab", lab)} if lab else set()
        names |= {("judge", rater.judge)}
        found[rater] = (*arms, "judge") if names & seen else tuple(arms)
        seen |= names
    return found


def _plain(lab: str) -> str:
    return lab.strip().casefold()


# Questions whose answers are shown as what the treatment does best.
_HEROES = 3
# The control's place among the kinds of verdicts.
_CONTROL = 1


def aggregate(rows: Iterable[JudgeRow], terms: ComparisonTerms) -> Aggregate:
    """What the rows of a panel come to: the same of the same rows in any order.

    Who is ahead in a row follows from its scores alone. Where every pair is shown in both orders, a judge's win counts
    only if both orders give it, else it is a tie; where one order is lost, so is the judge's verdict on the question,
    and its scores with it. Identical answers are a tie with a difference of 0 for every judge. A question's delta is
    the mean over its judges; the question is the unit of everything that is tested.

    Judges that do not count are in the grid and in a result of their own, and in nothing else. Where too few are left
    beside them, no score counts: what is left is not the panel that the suite names.

    Args:
        rows: At most one of each question, judge, harness and order counts, see `cells_of`.
        terms: What was to be judged. What is missing of it is lost, as `missing`.
    """
    every = cells_of(rows, terms)
    refused = uncounted_judges(every, terms.trials)
    left = [rater for rater in every.judges if rater not in refused]
    heard = [rater for rater in left if any(cell.rows for cell in every.of(judge=rater))]
    too_few = bool(refused) and len(heard) < quorum_of_pairs(len(every.judges))
    cells = every._replace(judges=() if too_few else tuple(left))
    # Of the judges of a lab the first that counts is the stranger.
    shares = shares_of((*left, *refused), terms)
    strangers = tuple([rater for rater in cells.judges if not shares[rater]])
    questions = tuple([question_of(cells, each) for each in cells.questions])
    concerns = _ids(each for each in questions if each.consensus == "control" and each.gates_passed)
    others = tuple([each for each in cells.questions if each.question_id not in concerns])
    ahead = [each for each in questions if each.totals.difference > 0]
    ahead.sort(key=lambda each: -deltas_of([each])[0])
    votes = [(each.votes.treatment, each.votes.control, each.votes.tie) for each in questions]
    agreed = [each.consensus for each in questions if each.unanimous]
    return Aggregate(
        grid=every.grid(),
        judges=tuple([_judge(every, rater, shares[rater], refused.get(rater), terms) for rater in every.judges]),
        too_few=too_few,
        questions=questions,
        types=tuple(_types(questions)),
        dimensions=tuple([dimension_of(cells, name, seed=terms.seed) for name in cells.dimensions]),
        all_agreed=AllAgreed(
            treatment=agreed.count("treatment"),
            control=agreed.count("control"),
            tie=agreed.count("tie"),
            of=sum(each.votes.judged > 1 for each in questions),
        ),
        families=tuple(families_of(cells)),
        agreement=Agreement(
            pairs=agreeing_pairs(votes), ac1=gwet_ac1_of_many(votes), control=agreement_on(votes, _CONTROL)
        ),
        headline=headline_of(cells, seed=terms.seed),
        apart=headline_of(cells._replace(judges=strangers), seed=terms.seed) if strangers != cells.judges else None,
        miscounts=miscounts_of(cells.of()),
        heroes=_ids(ahead[:_HEROES]),
        control_won=_ids(each for each in questions if each.consensus == "control"),
        tied=_ids(each for each in questions if each.consensus == "tie" and not each.identical),
        identical=_ids(each for each in questions if each.identical),
        concerns=concerns,
        unconcerned=headline_of(cells._replace(questions=others), seed=terms.seed) if concerns else None,
    )


def _judge(
    cells: Cells, rater: Rater, shares: tuple[SharedWith, ...], reason: NotCounted | None, terms: ComparisonTerms
) -> JudgeResult:
    own, trial = cells.of(judge=rater), terms.trials.get(rater.judge, PairTrial())
    return JudgeResult(
        judge=rater.judge,
        harness=rater.harness,
        lab=rater.lab,
        shares=shares,
        wins=wins_of(cell.winner for cell in own),
        lost=sum(bool(cell.lost) for cell in own),
        totals=totals_of(own, cells.dimensions),
        rows=rows_of(own),
        consistency=consistency_of(own),
        miscounts=miscounts_of(own),
        ceiling=ceiling_of(own, cells.dimensions),
        not_counted=reason,
        plants=Rate(hits=trial.scored, total=trial.calls),
        obeyed=obeyed_instructions(trial) if reason == "obeyed" else (),
    )


def _types(questions: Sequence[QuestionResult]) -> Iterable[TypeResult]:
    for name in sorted({each.question_type for each in questions}):
        members = [each for each in questions if each.question_type == name]
        yield TypeResult(
            question_type=name,
            questions=len(members),
            wins=consensus_of(members),
            mean_delta=mean_of(deltas_of(members)),
        )


def _ids(questions: Iterable[QuestionResult]) -> tuple[str, ...]:
    return tuple([each.question_id for each in questions])
