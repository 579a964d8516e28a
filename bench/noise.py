"""How often an unsteady app is released, and a worse one blocked, by chance: counted over seeded runs.

    python -m bench.noise                   # 400 runs of each row
    python -m bench.noise --runs 40
    python -m bench.noise --history # how often an app that has not changed shows the line of a level that moved
    python -m bench.noise --sources # how often a retriever that misses a source by chance, on main as here, is blocked
    python -m bench.noise --own     # how often an app that says something false by chance, on main as here, is blocked

Nothing is asked over a wire: an app is a chance of going wrong for each case, drawn anew at every ask. What its answers
are worth is judged once by the gates; whom to ask again, what that comes to, counting, comparing and deciding are the
product's own code. A case that goes wrong gets an error after all attempts, declines, or is reworded so that a phrase
is lost or something no chunk says is put in. Beside each row stands what the literal rules do, where every first answer
counts. It fails where a row misses its aim.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from raggate_action.core.comparison.baseline_index import BaselineIndex, index_baseline, past_cases
from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again, standing_without
from raggate_action.core.comparison.own_rate import FalseAnswers, OwnRateCount
from raggate_action.core.comparison.run_history import history_line, moved_levels
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.core.gates.flaky_case import together
from raggate_action.run.count_and_decide import conclude
from raggate_action.run.row_counting import Count
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.history import HistoryLine
from raggate_action.schema.main_answers import MAIN_ANSWERS_AT_MOST
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

Kind: TypeAlias = Literal["right", "error", "declined", "phrase lost", "put in", "wrong number", "source missed"]
WRONG: tuple[Kind, ...] = ("error", "declined", "phrase lost", "put in")
# Gives, for a case and a draw, how it goes.
App: TypeAlias = Callable[[int, Random], Kind]
_WORDS: dict[Kind, str] = {
    "right": "Refunds are paid within 30 days of the purchase [c1].",
    "declined": "I don't know.",
    "phrase lost": "Refunds are paid about a month after you bought something [c1].",
    "put in": "Refunds are paid within 30 days of the purchase, in 98 % of all cases [c1].",
    "wrong number": "Refunds are paid within 60 days of the purchase [c1].",
    "source missed": "Refunds are paid within 30 days of the purchase.",
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

    def __init__(self, cases: int, *, requires: bool = False) -> None:
        """Judge each kind of answer once.

        Args:
            cases: How many.
            requires: Each case requires its source.
        """
        self.cases = cases
        self._requires = requires
        self.answers: list[dict[Kind, Evaluated]] = [self._answers(position) for position in range(cases)]
        self.listed: list[SuiteCase] = [
            (answers["right"].row.case_id, answers["right"].row.digest, True) for answers in self.answers
        ]
        self.placed = [
            PlacedCase(answers["right"].case, n, f"digest-{n}", "f", 1) for n, answers in enumerate(self.answers)
        ]

    def _answers(self, position: int) -> dict[Kind, Evaluated]:
        chunk = make_chunk("c1", "Refunds are paid within 30 days of the purchase. The shop asks for the receipt.")
        other = make_chunk("note", "Refunds are paid within 30 days of the purchase, the old page says.")
        rules = make_rules(make_store(chunk, other))._replace(slices_by=("workflow",))
        more = {"required_source_ids": ["c1"]} if self._requires else {}
        case = make_case(case_id=f"q{position}", must_contain=["30 days"], workflow=f"w{position % SLICES}", **more)
        placed = PlacedCase(case, position, f"digest-{position}", "cases.yaml", position + 1)

        def judged(kind: Kind) -> Evaluated:
            reply: Reply = TargetFailure("503 Service Unavailable", 900.0)
            if kind != "error":
                trace = make_trace(
                    case_id=case.case_id, answer=_WORDS[kind], context=["note" if kind == "source missed" else "c1"]
                )
                reply = Answered(trace, 900.0)
            return evaluate_reply(placed, reply, rules, custom=None, finished_at=_NOON)

        return {kind: judged(kind) for kind in _WORDS | {"error": ""}}

    def run(
        self,
        app: App,
        draw: Random,
        *,
        baseline: BaselineIndex | None,
        confirm: int,
        earlier: Mapping[str, FalseAnswers] | None = None,
        twice: bool = True,
    ) -> list[CaseRun]:
        """The rows of a run: every case asked, and those in doubt asked again.

        Args:
            app: The app.
            draw: Draws its answers.
            baseline: What the run is compared with.
            confirm: How often a case in doubt is asked again.
            earlier: Answers of main's before the baseline, by case; None where one false answer is enough.
            twice: What one answer has to show is asked for twice as often.
        """
        own = OwnRateCount(_main(baseline, earlier)) if earlier is not None and baseline is not None else None
        confirmation = Confirmation(_POLICY, decided_on=_DAY, baseline=baseline, own=own)
        doubtful = DoubtfulCases(confirmation, times=confirm, most=most_asked_again(self.cases), tell=str)
        asked = [[answers[app(position, draw)]] for position, answers in enumerate(self.answers)]
        for placed, (first,) in zip(self.placed, asked, strict=True):
            doubtful.holds(placed, first.row)
        stands = [0] * self.cases
        false = dict.fromkeys(doubtful.false, 0)
        waiting = set(doubtful.positions()) if confirm else set()
        for position in doubtful.worst(frozenset()) if confirm else ():
            waiting.discard(position)
            for ask in range(1, 2 * confirm + 1):
                if ask > (doubtful.limit(position) if twice else confirm):
                    break
                answer = self.answers[position][app(position, draw)]
                asked[position].append(answer)
                confirmation.seen(answer.row)
                doubtful.weighed(position, answer.row)
                if confirmation.is_false_once(answer.row):
                    doubtful.false.add(position)
                    settles = false.setdefault(position, ask) != ask
                else:
                    settles = confirmation.settles(answer.row) and position not in false
                if settles:
                    stands[position] = ask
                    false.pop(position, None)
                    break
        return list(self._rows(asked, stands, false, confirmation, waiting))

    def _rows(
        self,
        asked: Sequence[list[Evaluated]],
        stands: Sequence[int],
        false: Mapping[int, int],
        confirmation: Confirmation,
        waiting: Collection[int],
    ) -> Iterator[CaseRun]:
        """The row of each case, once all answers have come; those that wait still were not asked again."""
        rate = confirmation.explained()
        for position, answers in enumerate(asked):
            stand, lone = stands[position], false.get(position)
            other = standing_without([each.row for each in answers], lone) if lone is not None and rate else None
            if other is not None:
                yield together(answers, other, own_rate=rate).row
            else:
                stand = stand if lone is None else lone
                is_alone = len(answers) == 1 and position not in waiting
                yield answers[0].row if is_alone else together(answers, stand, unconfirmed=position in waiting).row

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


def _main(baseline: BaselineIndex, earlier: Mapping[str, FalseAnswers]) -> dict[str, FalseAnswers]:
    return {name: past.false.plus(earlier.get(name, FalseAnswers())) for name, past in baseline.cases.items()}


def wrong_by_chance(chance: float) -> App:
    """Every answer states a wrong number with this chance."""
    return lambda _position, draw: "wrong number" if draw.random() < chance else "right"


# Main's rate, the branch's, and what should come of it.
OWN_ROWS: tuple[tuple[float, float, DecisionKind], ...] = (
    (1 / 80, 1 / 80, "release"), (1 / 40, 1 / 40, "release"), (1 / 80, 1 / 10, "block"), (0, 1 / 10, "block"),
    (0, 1 / 20, "block"),
)  # fmt: skip


def own_decision(suite: Suite, main: App, head: App, runs_of_main: int, seed: str, *, is_considered: bool) -> Run:
    """A run beside so many runs of main's, each compared with the one before.

    Args:
        suite: The suite.
        main: Main's app.
        head: The app under review.
        runs_of_main: How many runs of main's are stored.
        seed: Draws the answers.
        is_considered: Main's own rate is; else one answer with a hallucination is enough.
    """
    baseline: BaselineIndex | None = None
    earlier: dict[str, FalseAnswers] = {}
    for number in range(runs_of_main):
        if baseline is not None:
            earlier = {name: _at_most(each) for name, each in _main(baseline, earlier).items()}
        rows = suite.run(main, Random(f"{seed}/{number}"), baseline=baseline, confirm=CONFIRM, earlier=earlier)
        _run, baseline = suite.decided(rows, baseline)
    considered = earlier if is_considered else None
    rows = suite.run(head, Random(f"{seed}/head"), baseline=baseline, confirm=CONFIRM, earlier=considered)
    return suite.decided(rows, baseline)[0]


def _at_most(found: FalseAnswers) -> FalseAnswers:
    """As many answers as are carried beside the next run's own."""
    return FalseAnswers(min(found.false, MAIN_ANSWERS_AT_MOST - 1), min(found.answers, MAIN_ANSWERS_AT_MOST - 1))


def own_table(runs: int, *, cases: int = 60) -> Iterator[tuple[str, int, DecisionKind, int, int]]:
    """For each of `OWN_ROWS`, beside one run of main's and five, how many are blocked: as it is, and by one answer."""
    suite = Suite(cases)
    for main, head, wanted in OWN_ROWS:
        what = f"wrong in {_one_in(main)} on main, {_one_in(head)} here"
        for runs_of_main in (1, 5):
            apps = wrong_by_chance(main), wrong_by_chance(head)
            blocked = [0, 0]
            for number in range(runs):
                for place, how in enumerate((True, False)):
                    run = own_decision(suite, *apps, runs_of_main, f"{what}/{number}", is_considered=how)
                    blocked[place] += run.decision.kind == "block"
            yield what, runs_of_main, wanted, blocked[0], blocked[1]


def levels_shown(runs: int) -> Iterator[tuple[str, int, int]]:
    """For each app, unchanged or not, how many of the runs of a branch show the line of a level that moved.

    A branch has twelve runs, each with the one before as its baseline; its first three have no half to hold against.
    """
    for cases in (20, 60, 200):
        suite = Suite(cases)
        for what, app in (
            ("3 % noise", noisy(0.03)),
            ("10 % noise", noisy(0.10)),
            ("9 cases always wrong, 5 % noise", broken(0.05, lambda position: position < 9)),
        ):
            yield what, cases, sum(_shown(suite, [app] * 12, f"{what}/{n}") for n in range(runs // 10))
        worse = [*[noisy(0.03)] * 6, *[noisy(0.20)] * 6]
        yield (
            "from 3 to 20 % wrong at the seventh run",
            cases,
            sum(_shown(suite, worse, f"worse/{n}") for n in range(runs // 10)),
        )


def _shown(suite: Suite, apps: Sequence[App], seed: str) -> int:
    """How many of the last ten runs of a branch show the line."""
    lines: list[HistoryLine] = []
    baseline: BaselineIndex | None = None
    shown = 0
    for number, app in enumerate(apps):
        rows = suite.run(app, Random(f"{seed}/{number}"), baseline=baseline, confirm=CONFIRM)
        run, baseline = suite.decided(rows, baseline)
        lines.append(history_line(run))
        shown += number > 1 and bool(list(moved_levels(lines)))
    return shown


def missing_sources(chance: float, always: int = 0) -> App:
    """A retriever that misses any source with this chance, and those of the first cases always."""
    return lambda position, draw: "source missed" if position < always or draw.random() < chance else "right"


# How often main and the branch miss a source, those of how many tenths of the cases the branch always misses, and what
# should come of it.
SOURCE_ROWS: tuple[tuple[float, int, DecisionKind], ...] = (
    (1 / 20, 0, "release"), (1 / 10, 0, "release"), (1 / 5, 0, "release"), (1 / 10, 1, "block"),
)  # fmt: skip


def sources_table(runs: int) -> Iterator[tuple[str, int, DecisionKind, list[int], list[int]]]:
    """For each of `SOURCE_ROWS`, runs that fail `newly_missed` and extra calls: as it is, and asked twice at most."""
    for cases in (20, 60, 200):
        suite = Suite(cases, requires=True)
        for chance, tenths, wanted in SOURCE_ROWS:
            blocked, calls = [0, 0], [0, 0]
            for number in range(runs):
                seed = f"{cases}/{chance}/{tenths}/{number}"
                base = suite.run(missing_sources(chance), Random(f"{seed}/base"), baseline=None, confirm=CONFIRM)
                _run, baseline = suite.decided(base, None)
                head = missing_sources(chance, tenths * cases // 10)
                for place, twice in enumerate((True, False)):
                    draw = Random(f"{seed}/head")
                    rows = suite.run(head, draw, baseline=baseline, confirm=CONFIRM, twice=twice)
                    gates = suite.decided(rows, baseline)[0].gates
                    blocked[place] += any(each.gate == "newly_missed" and each.status == "failed" for each in gates)
                    calls[place] += sum(len(row.asks) for row in rows)
            what = f"a source missed in {_one_in(chance)} asks" + (f", {tenths} of 10 always here" if tenths else "")
            yield what, cases, wanted, blocked, calls


def _one_in(chance: float) -> str:
    return f"1 of {1 / chance:.0f}" if chance else "none"


def main() -> int:
    """Print the table; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(description="Count decisions on unsteady apps.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--own", action="store_true", help="how often chance on main as here is blocked")
    parser.add_argument("--history", action="store_true", help="how often a level is said to have moved")
    parser.add_argument("--sources", action="store_true", help="how often sources missed by chance are blocked")
    given = parser.parse_args()
    runs: int = given.runs
    if given.sources:
        sys.stdout.write("| retriever | cases | wanted | blocked | asked twice at most | extra calls |\n")
        sys.stdout.write("| --- | ---: | --- | ---: | ---: | ---: |\n")
        for what, cases, wanted, hits, calls in sources_table(runs):
            both = " | ".join([f"{each} of {runs} ({numbers.percent(each, runs)})" for each in hits])
            extra = " / ".join([f"{100 * each / (runs * cases):.0f} %" for each in calls])
            sys.stdout.write(f"| {what} | {cases} | {wanted} | {both} | {extra} |\n")
            sys.stdout.flush()
        return 0
    if given.own:
        sys.stdout.write("| answers | runs of main's | wanted | blocked | blocked if one answer is enough |\n")
        sys.stdout.write("| --- | ---: | --- | ---: | ---: |\n")
        for what, mains, wanted, ours, before in own_table(runs):
            both = " | ".join([f"{hits} of {runs} ({numbers.percent(hits, runs)})" for hits in (ours, before)])
            sys.stdout.write(f"| {what} | {mains} | {wanted} | {both} |\n")
            sys.stdout.flush()
        return 0
    if given.history:
        sys.stdout.write("| app | cases | runs that show the line |\n| --- | ---: | ---: |\n")
        for what, cases, told in levels_shown(runs):
            of = runs // 10 * 10
            sys.stdout.write(f"| {what} | {cases} | {told} of {of} ({numbers.percent(told, of)}) |\n")
            sys.stdout.flush()
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
