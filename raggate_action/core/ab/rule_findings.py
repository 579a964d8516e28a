"""What follows from an aggregate by rule: who is ahead, what moved, what it cannot tell. Counts and names alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
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


def _finding(
    code: FindingCode,
    measure: str,
    names: Iterable[str] = (),
    counts: Mapping[str, int] = MappingProxyType({}),
    amounts: Mapping[str, float | None] = MappingProxyType({}),
) -> PanelFinding:
    known = {name: value for name, value in amounts.items() if value is not None}
    return PanelFinding(code=code, measure=measure, counts=dict(counts), amounts=known, names=tuple(names))


def _who(aggregate: Aggregate) -> Iterator[PanelFinding]:
    grid, headline = aggregate.grid, aggregate.headline
    counts = {"questions": grid.questions, "judges": grid.judges, "orders": grid.orders}
    counts |= {"received": grid.received, "expected": grid.expected, "dimensions": len(aggregate.dimensions)}
    yield _finding("compared", "rows", counts=counts)
    if aggregate.too_few:
        of, out = grid.judges, [each.name for each in aggregate.judges if each.not_counted is not None]
        counts = {"left": of - len(out), "of": of, "needed": quorum_of_pairs(of)}
        yield _finding("too-few-judges", "overall", out, counts)
    elif headline.questions:
        yield _by_test(headline, "overall")
    else:
        yield _finding("nothing", "overall", counts={"rows": grid.expected})
        return
    # The judges whose scores count for nothing, each with what shows it.
    for each in aggregate.judges:
        if each.not_counted is not None:
            judged = each.wins.judged
            shown = {
                "obeyed": {"obeyed": len(each.obeyed), "plants": each.plants.hits},
                "order": {"kept": each.consistency.hits, "of": each.consistency.total},
                "one-score": {"of": judged, **({"plants": each.plants.hits} if judged < LEAST_PAIRS else {})},
            }[each.not_counted]
            yield _finding(_REASONS[each.not_counted], f"judge:{each.name}", (each.name, *each.obeyed), counts=shown)
    if aggregate.apart is not None and not aggregate.too_few:
        names = tuple([each.name for each in aggregate.judges if is_shared(each)])
        yield _by_test(aggregate.apart, "apart").model_copy(update={"code": "apart", "names": names})
    agreed = aggregate.all_agreed
    if agreed.of:
        yield _finding("all-agreed", "agreement", counts=agreed.model_dump())


def _by_test(headline: Headline, measure: str) -> PanelFinding:
    wins, tested = headline.wins, sign_flip_result(headline)
    counts = {"questions": headline.questions, "judges": headline.judges, "needed": LEAST_QUESTIONS}
    counts |= {"treatment": wins.treatment, "control": wins.control, "tie": wins.tie + wins.identical}
    if headline.test is not None and tested is not None:
        counts |= {"exact": int(headline.test.exact), "one_sided": int(tested.one_sided)}
    code, kind = _CODES[tested.winner if tested is not None else None]
    amounts = {"mean_delta": headline.mean_delta, "p": tested.chance.value if tested is not None else None}
    return _finding(code, measure, counts=counts, amounts=amounts).model_copy(update={"kind": kind})


def _leads(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """The dimension and the type with the widest lead of the treatment, and all on which the control leads."""
    if sign_flip_result(aggregate.headline) is not None:
        known = [each for each in aggregate.dimensions if not each.informational]
        widest = max(known, key=lambda each: each.totals.mean_delta or 0, default=None)
        for each in known:
            totals, delta = each.totals, each.totals.mean_delta or 0
            if delta < 0 or (delta and each is widest):
                code: FindingCode = "dimension-up" if delta > 0 else "dimension-down"
                counts = {"rows": totals.scored}
                means = {"control": totals.mean_control, "treatment": totals.mean_treatment, "delta": delta}
                yield _finding(code, f"dimension:{each.name}", [each.name], counts, means)
        types = [each for each in aggregate.types if each.mean_delta is not None and each.question_type]
        most = max(types, key=lambda each: each.mean_delta or 0, default=None)
        for kind in types if len(types) > 1 else []:
            name, wins, delta = kind.question_type, kind.wins, kind.mean_delta or 0
            if delta < 0 or (delta and kind is most):
                code = "type-up" if delta > 0 else "type-down"
                counts = {"questions": kind.questions, "treatment": wins.treatment, "control": wins.control}
                yield _finding(code, f"type:{name}", [name], counts, {"delta": delta})
    apart = [each.name for each in aggregate.dimensions if each.informational and each.totals.scored]
    if apart:
        counts = {"dimensions": len(apart), "of": len(aggregate.dimensions)}
        yield _finding("dimension-informational", "agreement", apart, counts, {"bar": LEAST_ALPHA})


def _control_findings(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Where the control won or tied, and whether the answer or the rubric is to be looked at."""
    questions = aggregate.questions
    # Wrong answers do harm, and every judge with a verdict prefers the control's.
    harmed = [each for each in questions if each.protected and 0 < each.votes.control == each.votes.judged]
    lists: tuple[tuple[FindingCode, str, Sequence[str]], ...] = (
        ("control-won", "control_won", aggregate.control_won),
        ("tied", "tied", aggregate.tied),
        ("identical", "identical", aggregate.identical),
        ("protected-lost", "control_won", [each.question_id for each in harmed]),
    )
    for code, measure, ids in lists:
        if ids:
            yield _finding(code, measure, ids, counts={"questions": len(ids)})
    if aggregate.concerns:
        votes = next(each.votes for each in questions if each.question_id in aggregate.concerns)
        counts = {"questions": len(aggregate.concerns), "control": votes.control, "judges": votes.judged}
        yield _finding("concern", "concerns", aggregate.concerns, counts=counts)
    if aggregate.control_won and all(each.gates_passed is None for each in questions):
        won = aggregate.control_won
        yield _finding("gates-unknown", "concerns", won, counts={"questions": len(won)})


def _limits(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Every limit there is, none that is not; that one run is noisy always is."""
    headline, grid, judges, wrong = aggregate.headline, aggregate.grid, aggregate.judges, aggregate.miscounts
    if headline.test is not None:
        yield _finding("one-run", "overall", counts={"questions": headline.questions})
        if headline.test.smallest > LARGEST_CHANCE:
            smallest = {"smallest": headline.test.smallest, "level": float(LARGEST_CHANCE)}
            yield _finding("unreachable", "overall", amounts=smallest, counts={"questions": headline.questions})
    shared = [each.name for each in judges if is_shared(each)]
    if shared and not aggregate.too_few:
        yield _finding("same-lab", "apart", shared, counts={"judges": len(shared), "of": len(judges)})
    unknown = [each.name for each in judges if not each.lab]
    if unknown:
        yield _finding("labs-unknown", "overall", unknown, counts={"judges": len(unknown), "of": len(judges)})
    untried = [each for each in judges if each.plants.hits < each.plants.total]
    if untried:
        lost = sum(each.plants.total - each.plants.hits for each in untried)
        counts = {"lost": lost, "of": sum(each.plants.total for each in judges)}
        counts |= {"untried": 1} if aggregate.untried else {}
        yield _finding("plants-lost", "rows", [each.name for each in untried], counts=counts)
    if len(judges) == 1:
        yield _finding("one-judge", "agreement", [judges[0].name])
    if grid.orders == 1 and headline.questions:
        yield _finding("one-order", "overall")
    elif headline.consistency.total:
        alike = headline.consistency
        yield _finding("position", "overall", counts={"alike": alike.hits, "of": alike.total})
    hits, total = headline.ceiling.hits, headline.ceiling.total
    if total and hits * _CEILING[1] >= total * _CEILING[0]:
        yield _finding("ceiling", "overall", counts={"hits": hits, "of": total})
    if grid.lost:
        counts = {"lost": grid.lost_rows, "expected": grid.expected, "unpaired": grid.unpaired}
        counts |= {str(reason): rows for reason, rows in grid.lost.items()}
        yield _finding("lost", "rows", [each.name for each in judges if each.lost], counts=counts)
    if wrong.totals.hits or wrong.verdicts.hits:
        counts = {"totals": wrong.totals.hits, "of_totals": wrong.totals.total}
        counts |= {"verdicts": wrong.verdicts.hits, "of_verdicts": wrong.verdicts.total}
        yield _finding("miscounts", "miscounts", counts=counts)
