"""What follows from an aggregate by rule: who is ahead, what moved, what it cannot tell. Counts and names alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from raggate_action.core.ab.pair_judge_exclusion import LEAST_PAIRS, quorum_of_pairs
from raggate_action.core.ab.score_table import LEAST_ALPHA
from raggate_action.core.decision.ab_gate import LARGEST_CHANCE, LEAST_QUESTIONS
from raggate_action.schema.ab_findings import FindingCode, FindingKind, PanelFinding, judge_name
from raggate_action.schema.ab_result import (
    Aggregate,
    DimensionResult,
    Headline,
    JudgeResult,
    NotCounted,
    QuestionResult,
    TypeResult,
)
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


def ahead_by_test(headline: Headline) -> Winner | None:
    """Who is ahead by the test; None where nothing may be claimed."""
    tested = sign_flip_result(headline)
    return None if tested is None else tested.winner


def _is_rare(chance: Rate) -> bool:
    return chance.hits <= LARGEST_CHANCE * chance.total


# From half of all scores on, a better answer has hardly a score left to gain.
_CEILING: Final = (1, 2)


def limits_of(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Every limit there is, none that is not; that one run is noisy always is."""
    headline = aggregate.headline
    if headline.test is not None:
        yield PanelFinding(code="one-run", measure="overall", counts={"questions": headline.questions})
        if headline.test.smallest > LARGEST_CHANCE:
            smallest = {"smallest": headline.test.smallest, "level": float(LARGEST_CHANCE)}
            counts = {"questions": headline.questions}
            yield PanelFinding(code="unreachable", measure="overall", counts=counts, amounts=smallest)
    yield from _of_judges(aggregate)
    yield from _of_orders(aggregate)
    hits, total = headline.ceiling.hits, headline.ceiling.total
    if total and hits * _CEILING[1] >= total * _CEILING[0]:
        yield PanelFinding(code="ceiling", measure="overall", counts={"hits": hits, "of": total})
    grid = aggregate.grid
    if grid.lost:
        of_rows = {"lost": sum(grid.lost.values()), "expected": grid.expected, "unpaired": grid.unpaired}
        of_rows |= {str(reason): rows for reason, rows in grid.lost.items()}
        named = tuple([judge_name(each.judge, each.harness) for each in aggregate.judges if each.lost])
        yield PanelFinding(code="lost", measure="rows", counts=of_rows, names=named)
    wrong = aggregate.miscounts
    if wrong.totals.hits or wrong.verdicts.hits:
        counts = {"totals": wrong.totals.hits, "of_totals": wrong.totals.total}
        counts |= {"verdicts": wrong.verdicts.hits, "of_verdicts": wrong.verdicts.total}
        yield PanelFinding(code="miscounts", measure="miscounts", counts=counts)


def is_shared(judge: JudgeResult) -> bool:
    """Whether a judge that counts shares a lab."""
    return bool(judge.shares) and judge.not_counted is None


def _of_judges(aggregate: Aggregate) -> Iterator[PanelFinding]:
    judges = aggregate.judges
    shared = [judge_name(each.judge, each.harness) for each in judges if is_shared(each)]
    if shared and not aggregate.too_few:
        counts = {"judges": len(shared), "of": len(judges)}
        yield PanelFinding(code="same-lab", measure="apart", counts=counts, names=tuple(shared))
    unknown = [judge_name(each.judge, each.harness) for each in judges if not each.lab]
    if unknown:
        counts = {"judges": len(unknown), "of": len(judges)}
        yield PanelFinding(code="labs-unknown", measure="overall", counts=counts, names=tuple(unknown))
    untried = [judge_name(each.judge, each.harness) for each in judges if each.plants.hits < each.plants.total]
    if untried:
        plants = [each.plants for each in judges]
        counts = {"lost": sum(each.total - each.hits for each in plants), "of": sum(each.total for each in plants)}
        counts |= {"untried": 1} if aggregate.untried else {}
        yield PanelFinding(code="plants-lost", measure="rows", counts=counts, names=tuple(untried))
    if len(judges) == 1:
        yield PanelFinding(
            code="one-judge", measure="agreement", names=(judge_name(judges[0].judge, judges[0].harness),)
        )


def _of_orders(aggregate: Aggregate) -> Iterator[PanelFinding]:
    alike = aggregate.headline.consistency
    if aggregate.grid.orders == 1:
        if aggregate.headline.questions:
            yield PanelFinding(code="one-order", measure="overall")
    elif alike.total:
        counts = {"alike": alike.hits, "of": alike.total}
        yield PanelFinding(code="position", measure="overall", counts=counts)


_CODES: Final[dict[Winner, tuple[FindingCode, FindingKind]]] = {
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
    return (*_who(aggregate), *_lead_findings(aggregate), *_control_findings(aggregate), *limits_of(aggregate))


def _who(aggregate: Aggregate) -> Iterator[PanelFinding]:
    grid, headline = aggregate.grid, aggregate.headline
    counts = {"questions": grid.questions, "judges": grid.judges, "orders": grid.orders}
    counts |= {"received": grid.received, "expected": grid.expected, "dimensions": len(aggregate.dimensions)}
    yield PanelFinding(code="compared", measure="rows", counts=counts)
    if aggregate.too_few:
        of = len(aggregate.judges)
        out = tuple([judge_name(each.judge, each.harness) for each in aggregate.judges if each.not_counted is not None])
        counts = {"left": of - len(out), "of": of, "needed": quorum_of_pairs(of)}
        yield PanelFinding(code="too-few-judges", measure="overall", counts=counts, names=out)
        yield from _uncounted_judge_findings(aggregate)
        return
    if not headline.questions:
        yield PanelFinding(code="nothing", measure="overall", counts={"rows": grid.expected})
        return
    yield _by_test(headline, "overall")
    yield from _uncounted_judge_findings(aggregate)
    if aggregate.apart is not None:
        names = tuple([judge_name(each.judge, each.harness) for each in aggregate.judges if is_shared(each)])
        tested = _by_test(aggregate.apart, "apart")
        yield tested.model_copy(update={"code": "apart", "names": names})
    agreed = aggregate.all_agreed
    if agreed.of:
        counts = {"treatment": agreed.treatment, "control": agreed.control, "tie": agreed.tie, "of": agreed.of}
        yield PanelFinding(code="all-agreed", measure="agreement", counts=counts)


def _uncounted_judge_findings(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """The judges whose scores count for nothing, each with what shows it."""
    for each in aggregate.judges:
        if each.not_counted is None:
            continue
        name = judge_name(each.judge, each.harness)
        judged = each.wins.judged
        counts = {
            "obeyed": {"obeyed": len(each.obeyed), "plants": each.plants.hits},
            "order": {"kept": each.consistency.hits, "of": each.consistency.total},
            "one-score": {"of": judged, **({"plants": each.plants.hits} if judged < LEAST_PAIRS else {})},
        }[each.not_counted]
        yield PanelFinding(
            code=_REASONS[each.not_counted], measure=f"judge:{name}", counts=counts, names=(name, *each.obeyed)
        )


def _by_test(headline: Headline, measure: str) -> PanelFinding:
    wins, tested = headline.wins, sign_flip_result(headline)
    counts = {"questions": headline.questions, "judges": headline.judges, "needed": LEAST_QUESTIONS}
    counts |= {"treatment": wins.treatment, "control": wins.control, "tie": wins.tie + wins.identical}
    amounts = {} if headline.mean_delta is None else {"mean_delta": headline.mean_delta}
    if headline.test is not None and tested is not None:
        counts |= {"exact": int(headline.test.exact), "one_sided": int(tested.one_sided)}
        amounts |= {"p": tested.chance.value}
    code, kind = ("few-questions", "note") if tested is None else _CODES[tested.winner]
    return PanelFinding.model_validate(
        {"code": code, "kind": kind, "measure": measure, "counts": counts, "amounts": amounts}
    )


def _lead_findings(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """The dimension and the type with the widest lead of the treatment, and all on which the control leads."""
    known = [each for each in aggregate.dimensions if not each.informational and each.totals.mean_delta is not None]
    if sign_flip_result(aggregate.headline) is not None:
        widest = max(known, key=lambda each: each.totals.mean_delta or 0, default=None)
        if widest is not None and (widest.totals.mean_delta or 0) > 0:
            yield _dimension("dimension-up", widest)
        for each in known:
            if (each.totals.mean_delta or 0) < 0:
                yield _dimension("dimension-down", each)
        types = [each for each in aggregate.types if each.mean_delta is not None and each.question_type]
        if len(types) > 1:
            yield from _types(types)
    apart = tuple([each.name for each in aggregate.dimensions if each.informational and each.totals.scored])
    if apart:
        counts = {"dimensions": len(apart), "of": len(aggregate.dimensions)}
        bar = {"bar": LEAST_ALPHA}
        yield PanelFinding(code="dimension-informational", measure="agreement", counts=counts, amounts=bar, names=apart)


def _dimension(code: FindingCode, dimension: DimensionResult) -> PanelFinding:
    totals = dimension.totals
    amounts = {"control": totals.mean_control, "treatment": totals.mean_treatment, "delta": totals.mean_delta}
    return PanelFinding(
        code=code,
        measure=f"dimension:{dimension.name}",
        counts={"rows": totals.scored},
        amounts={name: value for name, value in amounts.items() if value is not None},
        names=(dimension.name,),
    )


def _types(types: list[TypeResult]) -> Iterator[PanelFinding]:
    widest = max(types, key=lambda each: each.mean_delta or 0)
    for each in types:
        delta = each.mean_delta or 0
        code: FindingCode = "type-up" if each is widest and delta > 0 else "type-down"
        if code == "type-up" or delta < 0:
            wins = each.wins
            counts = {"questions": each.questions, "treatment": wins.treatment, "control": wins.control}
            name = each.question_type
            yield PanelFinding(
                code=code, measure=f"type:{name}", counts=counts, amounts={"delta": delta}, names=(name,)
            )


def _control_findings(aggregate: Aggregate) -> Iterator[PanelFinding]:
    """Where the control won or tied, and whether the answer or the rubric is to be looked at."""
    lists: tuple[tuple[FindingCode, tuple[str, ...]], ...] = (
        ("control-won", aggregate.control_won),
        ("tied", aggregate.tied),
        ("identical", aggregate.identical),
    )
    for code, ids in lists:
        if ids:
            yield _question_list_finding(code, "control_won" if code == "control-won" else code, ids)
    lost = tuple([each.question_id for each in aggregate.questions if _is_lost_by_all(each)])
    if lost:
        yield _question_list_finding("protected-lost", "control_won", lost)
    if aggregate.concerns:
        votes = [each.votes for each in aggregate.questions if each.question_id in set(aggregate.concerns)]
        counts = {"questions": len(votes), "control": votes[0].control, "judges": votes[0].judged}
        yield PanelFinding(code="concern", measure="concerns", counts=counts, names=aggregate.concerns)
    if aggregate.control_won and all(each.gates_passed is None for each in aggregate.questions):
        yield _question_list_finding("gates-unknown", "concerns", aggregate.control_won)


def _is_lost_by_all(question: QuestionResult) -> bool:
    """Wrong answers do harm, and every judge with a verdict prefers the control's."""
    votes = question.votes
    return question.protected and 0 < votes.control == votes.judged


def _question_list_finding(code: FindingCode, measure: str, ids: tuple[str, ...]) -> PanelFinding:
    return PanelFinding(code=code, measure=measure, counts={"questions": len(ids)}, names=ids)
