"""What an aggregate cannot tell, or can only half: said beside what it tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from raggate_action.core.decision.ab_gate import LARGEST_CHANCE
from raggate_action.schema.ab_findings import PanelFinding, judge_name
from raggate_action.schema.ab_result import Aggregate, JudgeResult

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
