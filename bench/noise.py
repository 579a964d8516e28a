"""How often an unsteady app is released, and a worse one blocked, by chance: counted over seeded runs.

    python -m bench.noise                   # 400 runs of each row
    python -m bench.noise --runs 40
    python -m bench.noise --verified --runs 150   # how often the gate `verified` warns of right answers reworded

Nothing is asked over a wire: an app is a chance of going wrong for each case, drawn anew at every ask. What its answers
are worth is judged once by the gates; whom to ask again, what that comes to, counting, comparing and deciding are the
product's own code. A case that goes wrong gets an error after all attempts, declines, or is reworded so that a phrase
is lost or something no chunk says is put in. Beside each row stands what the literal rules do, where every first answer
counts. It fails where a row misses its aim.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from raggate_action.core.comparison.baseline_index import BaselineIndex, index_baseline, past_cases
from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply, together
from raggate_action.run.count_and_decide import conclude
from raggate_action.run.row_counting import Count
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.run import Policy, Provenance, Run, RunDescription, SuiteCase
from raggate_action.schema.slices import Slices
from raggate_action.schema.trace import Answered, Reply, TargetFailure
from raggate_action.strings import numbers
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace

RUNS = 400
SIZES = (5, 10, 20, 60, 200)
AIM = 0.95
# How often a case that goes wrong is asked again: the default of a suite.
CONFIRM = 2
SLICES = 6
_DAY = date(2026, 6, 2)
_NOON = "2026-06-02T12:00:00Z"
_POLICY = Policy(slices=Slices(by=("workflow",)))

Kind: TypeAlias = Literal["right", "in other words", "error", "declined", "phrase lost", "put in"]
WRONG: tuple[Kind, ...] = ("error", "declined", "phrase lost", "put in")
# Gives, for a case and a draw, how it goes.
App: TypeAlias = Callable[[int, Random], Kind]
_WORDS: dict[Kind, str] = {
    "right": "Refunds are paid within 30 days of the purchase [c1].",
    "in other words": "You have your money back after 30 days at most [c1].",
    "declined": "I don't know.",
    "phrase lost": "Refunds are paid about a month after you bought something [c1].",
    "put in": "Refunds are paid within 30 days of the purchase, in 98 % of all cases [c1].",
}


class Row(NamedTuple):
    """A line of the table: an app, its baseline, and what should come of it.

    Attributes:
        what: What the app does.
        cases: Size of the suite.
        wanted: The decision it should get.
        head, base: The app under review, and the one the baseline was made of; None for a first run.
        has_aim: Whether missing the decision fails the bench; other rows are shown to be read.
    """

    what: str
    cases: int
    wanted: DecisionKind
    head: App
    base: App | None
    has_aim: bool = True


class Suite:
    """A suite of so many like cases in six workflows, and what each kind of answer to each of them is worth."""

    def __init__(self, cases: int) -> None:
        self.cases = cases
        self.answers: list[dict[Kind, Evaluated]] = [self._answers(position) for position in range(cases)]
        self.listed: list[SuiteCase] = [
            (answers["right"].row.case_id, answers["right"].row.digest, True) for answers in self.answers
        ]
        self.placed = [
            PlacedCase(answers["right"].case, n, f"digest-{n}", "f", 1) for n, answers in enumerate(self.answers)
        ]

    def _answers(self, position: int) -> dict[Kind, Evaluated]:
        chunk = make_chunk("c1", "Refunds are paid within 30 days of the purchase. The shop asks for the receipt.")
        rules = make_rules(make_store(chunk))._replace(slices_by=("workflow",))
        case = make_case(case_id=f"q{position}", must_contain=["30 days"], workflow=f"w{position % SLICES}")
        placed = PlacedCase(case, position, f"digest-{position}", "cases.yaml", position + 1)

        def judged(kind: Kind) -> Evaluated:
            reply: Reply = TargetFailure("503 Service Unavailable", 900.0)
            if kind != "error":
                trace = make_trace(case_id=case.case_id, answer=_WORDS[kind], context=["c1"])
                reply = Answered(trace, 900.0)
            return evaluate_reply(placed, reply, rules, custom=None, finished_at=_NOON)

        return {kind: judged(kind) for kind in ("right", "in other words", *WRONG)}

    def run(self, app: App, draw: Random, *, baseline: BaselineIndex | None, confirm: int) -> list[CaseRun]:
        """The rows of a run: every case asked, and those in doubt asked again."""
        confirmation = Confirmation(_POLICY, decided_on=_DAY, baseline=baseline)
        doubtful = DoubtfulCases(confirmation, times=confirm, most=most_asked_again(self.cases), tell=str)
        asked = [[answers[app(position, draw)]] for position, answers in enumerate(self.answers)]
        for placed, (first,) in zip(self.placed, asked, strict=True):
            doubtful.holds(placed, first.row)
        stands = [0] * self.cases
        for position in doubtful.worst(frozenset()) if confirm else ():
            for ask in range(1, confirm + 1):
                answer = self.answers[position][app(position, draw)]
                asked[position].append(answer)
                if confirmation.settles(answer.row):
                    stands[position] = ask
                    break
        return [
            together(answers, stands[position]).row if len(answers) > 1 else answers[0].row
            for position, answers in enumerate(asked)
        ]

    def decided(self, rows: Sequence[CaseRun], baseline: BaselineIndex | None) -> tuple[Run, BaselineIndex]:
        """A run with what is decided on it, and the run as a later one's baseline."""
        count = Count(_POLICY, decided_on=_DAY, baseline=baseline)
        for row in rows:
            count.add(row)
        run = conclude(_described(self.cases), *count.counted(self.listed)).run
        return run, index_baseline(run, past_cases(self.listed, rows, _POLICY, decided_on=_DAY))

    def decision(self, row: Row, seed: str, *, confirm: int) -> Run:
        """One run of a row, with its baseline made before."""
        baseline = None
        if row.base is not None:
            earlier = self.run(row.base, Random(f"{seed}/base"), baseline=None, confirm=confirm)
            _run, baseline = self.decided(earlier, None)
        rows = self.run(row.head, Random(f"{seed}/head"), baseline=baseline, confirm=confirm)
        return self.decided(rows, baseline)[0]


def _described(cases: int) -> RunDescription:
    digests: dict[str, Any] = dict.fromkeys(("suite_digest", "cases_digest", "target_digest"), "0")
    return RunDescription(
        suite="noise",
        suite_file="raggate.yaml",
        scope="full",
        started_at=_NOON,
        decided_at=_NOON,
        as_of=_NOON,
        provenance=Provenance(raggate_version="0", evidence_digest="0", **digests),
        policy=_POLICY,
        suite_size=cases,
        in_scope=cases,
    )


def noisy(chance: float) -> App:
    """Every answer goes wrong with this chance, in one of the ways there are."""
    return lambda _position, draw: draw.choice(WRONG) if draw.random() < chance else "right"


def broken(chance: float, wrong: Callable[[int], bool]) -> App:
    """Some cases always go wrong, each in its own way; the others with this chance."""
    others = noisy(chance)
    return lambda position, draw: WRONG[position % len(WRONG)] if wrong(position) else others(position, draw)


def table() -> Iterator[Row]:
    """Every row, those with an aim first."""
    for percent in (3, 5):
        app = noisy(percent / 100)
        yield from (Row(f"same app, {percent} % noise", cases, "release", app, app) for cases in SIZES)
    first = noisy(0.03)
    yield from (Row("first run, 3 % noise", cases, "release", first, None) for cases in SIZES)
    quiet = noisy(0.05)
    yield Row("9 cases always wrong", 60, "block", broken(0.05, lambda position: position < 9), quiet)
    yield Row("every case from 5 to 20 % wrong", 60, "block", noisy(0.20), quiet)
    yield Row("one slice of six wrong", 60, "block", broken(0.05, lambda position: position % SLICES == 0), quiet)
    yield from (Row("first run, 5 % noise", cases, "release", quiet, None, has_aim=False) for cases in SIZES)
    yield from (Row("same app, 5 % noise", cases, "release", quiet, quiet, has_aim=False) for cases in (30, 40, 50))
    for percent in (10, 15, 20):
        app = noisy(percent / 100)
        yield Row(f"every case {percent} % wrong, then and now", 60, "block", app, app, has_aim=False)
    for cases in SIZES:
        one = broken(0.05, lambda position: position == 0)
        yield Row("one case always wrong", cases, "block", one, quiet, has_aim=False)


def counted(rows: Sequence[Row], runs: int) -> Iterator[tuple[Row, int, int]]:
    """For each row how many runs got the decision wanted: as it is, and where every first answer counts."""
    suites = {cases: Suite(cases) for cases in {row.cases for row in rows}}
    for row in rows:
        suite = suites[row.cases]
        both = [
            sum(
                suite.decision(row, f"{row.what}/{row.cases}/{n}", confirm=confirm).decision.kind == row.wanted
                for n in range(runs)
            )
            for confirm in (CONFIRM, 0)
        ]
        yield row, both[0], both[1]


def reworded(quoted: float, moving: float) -> App:
    """Right answers: so large a part of the cases quotes, the others use other words; some take either by chance."""

    def app(position: int, draw: Random) -> Kind:
        place = position * 0.6180339887498949 % 1
        quotes = draw.random() < 0.5 if place < moving else (place - moving) < quoted * (1 - moving)
        return "right" if quotes else "in other words"

    return app


def rewordings() -> Iterator[tuple[str, int, App, App]]:
    """Ordinary runs, then falls, each with its size, the app and its baseline."""
    for quoted in (0.2, 0.5, 0.8):
        for moving in (0.05, 0.2):
            app = reworded(quoted, moving)
            words = f"{100 * quoted:.0f} % quoted, {100 * moving:.0f} % now so and now so"
            yield from ((words, cases, app, app) for cases in (20, 60, 200))
    for quoted in (0.4, 0.2):
        words = f"50 % quoted, then {100 * quoted:.0f} %, 5 % now so and now so"
        yield from ((words, cases, reworded(quoted, 0.05), reworded(0.5, 0.05)) for cases in (20, 60, 200))


def warnings(runs: int) -> Iterator[tuple[str, int, int, int]]:
    """For each of `rewordings` how many runs the gate `verified` warns of, and a bar of 50 % would."""
    suites = {cases: Suite(cases) for cases in (20, 60, 200)}
    for what, cases, head, base in rewordings():
        row = Row(what, cases, "release", head, base)
        made = [suites[cases].decision(row, f"{what}/{cases}/{n}", confirm=CONFIRM) for n in range(runs)]
        warned = sum(gate.gate == "verified" and gate.status == "failed" for run in made for gate in run.gates)
        yield what, cases, warned, sum(2 * run.counts.verified < run.counts.answered for run in made)


def main() -> int:
    """Print the table; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(description="Count decisions on unsteady apps.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--verified", action="store_true", help="how often the gate `verified` warns")
    given = parser.parse_args()
    runs: int = given.runs
    if given.verified:
        sys.stdout.write("| answers | cases | warns | a bar of 50 % |\n| --- | ---: | ---: | ---: |\n")
        for what, cases, warned, barred in warnings(runs):
            sys.stdout.write(f"| {what} | {cases} | {warned} of {runs} | {barred} of {runs} |\n")
        return 0
    missed = 0
    sys.stdout.write(
        "| app | cases | wanted | asked again | first answer counts | aim |\n| --- | ---: | --- | ---: | ---: | --- |\n"
    )
    for row, ours, literal in counted([*table()], runs):
        met = ours >= AIM * runs
        missed += row.has_aim and not met
        aim = ("met" if met else "MISSED") if row.has_aim else ""
        shown = (
            f"{ours} of {runs} ({numbers.percent(ours, runs)}) | {literal} of {runs} ({numbers.percent(literal, runs)})"
        )
        sys.stdout.write(f"| {row.what} | {row.cases} | {row.wanted} | {shown} | {aim} |\n")
        sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
