"""How likely labels arm a judge, by its true errors: what 50, 100 and 200 labels are worth under the default terms.

python -m bench.arming
"""

from __future__ import annotations

from raggate_action.core.judging.scorecard_and_arming import chances_of_arming
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.schema.judges import LIGHTER, Arming

# Share of good claims called faulty, share of faulty ones let pass.
ERRORS = ((0.0, 0.0), (0.02, 0.05), (0.05, 0.05), (0.05, 0.10), (0.10, 0.15), (0.15, 0.30))
TERMS = {
    "default": Arming(),
    "lighter": LIGHTER,
}
# The rates are taken from a table this large, three good claims to two faulty ones.
_GOOD, _FAULTY = 6_000, 4_000


def table() -> list[str]:
    """The lines of the table in Markdown."""
    lines = ["| good called faulty | faulty let pass | terms | 50 labels | 100 | 200 |"]
    lines.append("| ---: | ---: | --- | ---: | ---: | ---: |")
    for block, passed in ERRORS:
        for name, terms in TERMS.items():
            cells = [f"{100 * chance:.0f} %" for _labels, chance in chances(block, passed, terms)]
            lines.append(f"| {100 * block:.0f} % | {100 * passed:.0f} % | {name} | {' | '.join(cells)} |")
    return lines


def chances(block: float, passed: float, terms: Arming) -> list[tuple[int, float]]:
    """The chances of a judge with these shares of errors, nothing labelled yet."""
    blocked, let = round(block * _GOOD), round(passed * _FAULTY)
    return [*chances_of_arming(ConfusionTable(_GOOD - blocked, blocked, let, _FAULTY - let), terms, labelled=0)]


if __name__ == "__main__":
    print("\n".join(table()))
