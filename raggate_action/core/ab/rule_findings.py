"""What follows from an aggregate by rule: who is ahead, what moved, what it cannot tell. Counts and names alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from raggate_action.core.ab.pair_judge_exclusion import LEAST_PAIRS, quorum_of_pairs
from raggate_action.core.ab.score_table import LEAST_ALPHA
from raggate_action.core.decision.ab_gate import LARGEST_CHANCE, LEAST_QUESTIONS
from raggate_action.schema.ab_result import Aggregate, Headline, JudgeResult, NotCounted
from raggate_action.schema.ab_run import FindingCode, FindingKind, PanelFinding
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import Winner


class SignFlipResult(NamedTuple):
    """What a test tells.

    Attributes:
        winner: Who is ahead; a tie where nobody is told apart.
        chance: How often chance alone does as much: of the control one-sided, as the gate has it, else two-sided.
        one_sided: Which of both.
    """

    winner: Winner
    chance: Rate
    one_sided: bool = False


def sign_flip_result(headline: Headline) -> SignFlipResult | None:
    """What the test tells; None where nothing may be claimed, for there are too few questions.

    Whoever is ahead by the scores has won more questions as well: one judge's scores can carry the mean of all while
    most judges see no difference anywhere.
    """
    test, delta, wins = headline.test, headline.mean_delta or 0, headline.wins
    if test is None or headline.questions < LEAST_QUESTIONS:
        return None
    if delta < 0 and wins.control > wins.treatment and _is_rare(test.control):
        return SignFlipResult("control", test.control, one_sided=True)
    if delta > 0 and wins.treatment > wins.control and _is_rare(test.two_sided):
        return SignFlipResult("treatment", test.two_sided)
    return SignFlipResult("tie", test.two_sided)


def _is_rare(chance: Rate) -> bool:
    return chance.hits <= LARGEST_CHANCE * chance.total


def is_shared(judge: JudgeResult) -> bool:
    """Whether a judge that counts shares a lab."""
    return bool(judge.shares) and judge.not_counted is None


# From half of all scores on, a better answer has hardly a score left to gain.
_CEILING: Final = (1, 2)
_CODES: Final[dict[Winner | None, tuple[FindingCode, FindingKind]]] = {
    None: ("few-questions", "note"),
    "treatment": ("ahead", "better"),
    "control": ("behind", "worse"),
    "tie": ("not-told-apart", "no_difference"),
}
_REASONS: Final[dict[NotCounted, FindingCode]] = {
    "obeyed": "judge-obeyed",
    "order": "judge-order",
    "one-score": "judge-one-score",
}


def findings_of(aggregate: Aggregate) -> tuple[PanelFinding, ...]:
    """The findings, in the order they are read: who is ahead, what moved, where the control held, then the limits.

    Under ten questions there is no claim among them, and nothing is said to have moved.
    """
    return (*_who(aggregate), *_leads(aggregate), *_control_findings(aggregate), *_limits(aggregate))


def _who(aggregate: Aggregate) -> Iterator[PanelFinding]:
    judges = aggregate.grid.judges
    yield PanelFinding(code="compared", measure="rows")
    if aggregate.too_few:
        out = tuple([each.name for each in aggregate.judges if each.not_counted is not None])
        yield PanelFinding(
            code="too-few-judges",
            measure="overall",
            names=out,
            numbers={"left": judges - len(out), "needed": quorum_of_pairs(judges)},
        )
    elif aggregate.headline.questions:
        yield _by_test(aggregate.headline, "overall")
    else:
        yield PanelFinding(code="nothing", measure="overall")
        return
    # The judges whose scores count for nothing.
    for each in aggregate.judges:
        if each.not_counted is not None:
            few = each.not_counted == "one-score" and each.wins.judged < LEAST_PAIRS
            yield PanelFinding(
                code=_REASONS[each.not_counted],
                measure=f"judge:{each.name}",
                names=(each.name, *each.obeyed),
                numbers={"plants": each.plants.hits} if few else {},
            )
    if aggregate.apart is not None and not aggregate.too_few:
        names = tuple([each.name for each in aggregate.judges if is_shared(each)])
        yield _by_test(aggregate.apart, "apart").model_copy(update={"code": "apart", "names": names})
    if aggregate.all_agreed.of:
        yield PanelFinding(code="all-agreed", measure="agreement")


def _by_test(headline: Headline, measure: str) -> PanelFinding:
    tested = sign_flip_result(headline)
    code, kind = _CODES[tested.winner if tested is not None else None]
    numbers: dict[str, int | float] = {"needed": LEAST_QUESTIONS}
    if tested is not None:
        numbers = {"p": tested.chance.value, "one_sided": int(tested.one_sided)}
    return PanelFinding(code=code, measure=measure, kind=kind, numbers=numbers)


def _leads(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """The dimension and the type with the widest lead of the treatment, and all on which the control leads."""
    if sign_flip_result(aggregate.headline) is not None:
        leads = [(each.name, each.totals.mean_delta or 0) for each in aggregate.dimensions if not each.informational]
        widest = max(leads, key=itemgetter(1), default=None)
        for name, delta in leads:
            if delta < 0 or (delta and (name, delta) == widest):
                code: FindingCode = "dimension-up" if delta > 0 else "dimension-down"
                yield PanelFinding(code=code, measure=f"dimension:{name}", names=(name,))
        types = [each for each in aggregate.types if each.mean_delta is not None and each.question_type]
        most = max(types, key=lambda each: each.mean_delta or 0, default=None)
        for kind in types if len(types) > 1 else []:
            name, delta = kind.question_type, kind.mean_delta or 0
            if delta < 0 or (delta and kind is most):
                code = "type-up" if delta > 0 else "type-down"
                yield PanelFinding(code=code, measure=f"type:{name}", names=(name,))
    apart = tuple([each.name for each in aggregate.dimensions if each.informational and each.totals.scored])
    if apart:
        numbers = {"bar": LEAST_ALPHA}
        yield PanelFinding(code="dimension-informational", measure="agreement", names=apart, numbers=numbers)


def _control_findings(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Where the control won or tied, and whether the answer or the rubric is to be looked at."""
    questions, won = aggregate.questions, aggregate.control_won
    # Wrong answers do harm, and every judge with a verdict prefers the control's.
    harmed = [each for each in questions if each.protected and 0 < each.votes.control == each.votes.judged]
    is_unknown = all(each.gates_passed is None for each in questions)
    lists: tuple[tuple[FindingCode, str, Sequence[str]], ...] = (
        ("control-won", "control_won", won),
        ("tied", "tied", aggregate.tied),
        ("identical", "identical", aggregate.identical),
        ("protected-lost", "control_won", [each.question_id for each in harmed]),
        ("concern", "concerns", aggregate.concerns),
        ("gates-unknown", "concerns", won if is_unknown else ()),
    )
    for code, measure, ids in lists:
        if ids:
            yield PanelFinding(code=code, measure=measure, names=tuple(ids))


def _limits(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Every limit there is, none that is not; that one run is noisy always is."""
    headline, grid, judges, wrong = aggregate.headline, aggregate.grid, aggregate.judges, aggregate.miscounts
    if headline.test is not None:
        yield PanelFinding(code="one-run", measure="overall")
        if headline.test.smallest > LARGEST_CHANCE:
            yield PanelFinding(code="unreachable", measure="overall", numbers={"level": float(LARGEST_CHANCE)})
    shared = tuple([each.name for each in judges if is_shared(each)])
    if shared and not aggregate.too_few:
        yield PanelFinding(code="same-lab", measure="apart", names=shared)
    unknown = tuple([each.name for each in judges if not each.lab])
    if unknown:
        yield PanelFinding(code="labs-unknown", measure="overall", names=unknown)
    untried = tuple([each.name for each in judges if each.plants.hits < each.plants.total])
    if untried:
        shown, scored = sum(each.plants.total for each in judges), sum(each.plants.hits for each in judges)
        yield PanelFinding(
            code="plants-lost", measure="rows", names=untried, numbers={"lost": shown - scored, "of": shown}
        )
    if len(judges) == 1:
        yield PanelFinding(code="one-judge", measure="agreement", names=(judges[0].name,))
    if grid.orders == 1 and headline.questions:
        yield PanelFinding(code="one-order", measure="overall")
    elif headline.consistency.total:
        yield PanelFinding(code="position", measure="overall")
    hits, total = headline.ceiling.hits, headline.ceiling.total
    if total and hits * _CEILING[1] >= total * _CEILING[0]:
        yield PanelFinding(code="ceiling", measure="overall")
    if grid.lost:
        yield PanelFinding(code="lost", measure="rows", names=tuple([each.name for each in judges if each.lost]))
    if wrong.totals.hits or wrong.verdicts.hits:
        yield PanelFinding(code="miscounts", measure="miscounts")
