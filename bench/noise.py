"""How often an unsteady app is released, and a worse one blocked, by chance: counted over seeded runs.

Nothing is asked over a wire: an app is a chance of going wrong for each case, drawn anew at every ask. What its answers
are worth is judged once by the gates; whom to ask again, what that comes to, counting, comparing and deciding are the
product's own code. A case that goes wrong gets an error after all attempts, declines, or is reworded so that a phrase
is lost or something no chunk says is put in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from bench.table import MISSED, Options, Table, count_of
from raggate_action.core.comparison.baseline_index import BaselineIndex, past_cases
from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again, standing_without
from raggate_action.core.comparison.own_rate import FalseAnswers, OwnRateCount
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply, together
from raggate_action.run.count_and_decide import conclude
from raggate_action.run.row_counting import Count
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.main_answers import MAIN_ANSWERS_AT_MOST
from raggate_action.schema.run import Policy, Provenance, Run, RunDescription, SuiteCase
from raggate_action.schema.slices import Slices
from raggate_action.schema.trace import Answered, Reply, TargetFailure
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
    ) -> list[CaseRun]:
        """The rows of a run: every case asked, and those in doubt asked again.

        Args:
            app: The app.
            draw: Draws its answers.
            baseline: What the run is compared with.
            confirm: How often a case in doubt is asked again.
            earlier: Answers of main's before the baseline, by case; None where one false answer is enough.
        """
        own = OwnRateCount(_main(baseline, earlier)) if earlier is not None and baseline is not None else None
        confirmation = Confirmation(_POLICY, decided_on=_DAY, baseline=baseline, own=own)
        doubtful = DoubtfulCases(confirmation, times=confirm, most=most_asked_again(self.cases), tell=str)
        asked = [[answers[app(position, draw)]] for position, answers in enumerate(self.answers)]
        for placed, (first,) in zip(self.placed, asked, strict=True):
            doubtful.holds(placed, first.row)
        stands = [0] * self.cases
        false = {position: 0 for position, case in doubtful.cases.items() if case.false is not None}
        waiting = set(doubtful.cases) if confirm else set()
        for position in doubtful.worst(frozenset()) if confirm else ():
            waiting.discard(position)
            for ask in range(1, 2 * confirm + 1):
                if ask > doubtful.limit(position):
                    break
                answer = self.answers[position][app(position, draw)]
                asked[position].append(answer)
                confirmation.seen(answer.row)
                doubtful.settles(position, answer.row, ask)
                if confirmation.is_false_once(answer.row):
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
        count = Count(_POLICY, decided_on=_DAY, baseline=baseline, rows=lambda: rows)
        for row in rows:
            count.add(row)
        run = conclude(_described(self.cases), *count.counted(self.listed)).run
        return run, BaselineIndex(run, run, past_cases(self.listed, rows, _POLICY, decided_on=_DAY))

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


def apps() -> Iterator[Row]:
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


def counted(row: Row, runs: int) -> list[int]:
    """How many runs of a row got the decision wanted: as it is, and where every first answer counts."""
    suite, hits = Suite(row.cases), [0, 0]
    for n, (place, confirm) in product(range(runs), enumerate((CONFIRM, 0))):
        run = suite.decision(row, f"{row.what}/{row.cases}/{n}", confirm=confirm)
        hits[place] += run.decision.kind == row.wanted
    return hits


def tables(options: Options) -> Iterator[Table]:
    """How often an app gets the decision it should get."""
    runs = options.sample or RUNS

    def rows() -> Iterator[list[str]]:
        for row in apps():
            of = runs if row.has_aim else -(-runs // 4)
            ours, first = counted(row, of)
            aim = ("met" if ours >= AIM * of else MISSED) if row.has_aim else ""
            yield [row.what, str(row.cases), row.wanted, count_of(ours, of), count_of(first, of), aim]

    columns = ("app", "cases", "wanted", "asked again", "first answer counts", "aim")
    yield Table(f"Apps that go wrong by chance, {runs} runs each, a quarter where there is no aim", columns, rows())


def _main(baseline: BaselineIndex, earlier: Mapping[str, FalseAnswers]) -> dict[str, FalseAnswers]:
    return {name: past.false.plus(earlier.get(name, FalseAnswers())) for name, past in baseline.cases.items()}


def by_chance(kind: Kind, chance: float, always: int = 0) -> App:
    """Every answer goes wrong in this way with this chance, and that of the first cases always."""
    return lambda position, draw: kind if position < always or draw.random() < chance else "right"


# Main's rate, the branch's, and what should come of it.
OWN_ROWS: tuple[tuple[float, float, DecisionKind], ...] = (
    (1 / 80, 1 / 80, "release"), (1 / 40, 1 / 40, "release"), (1 / 80, 1 / 10, "block"), (0, 1 / 10, "block"),
    (0, 1 / 20, "block"),
)  # fmt: skip


def own_decision(suite: Suite, main: App, head: App, runs_of_main: int, seed: str) -> Run:
    """A run beside so many runs of main's, each compared with the one before."""
    baseline: BaselineIndex | None = None
    earlier: dict[str, FalseAnswers] = {}
    most = MAIN_ANSWERS_AT_MOST - 1  # as many answers as are carried beside the next run's own
    for number in range(runs_of_main):
        if baseline is not None:
            found = _main(baseline, earlier)
            earlier = {n: FalseAnswers(min(f.false, most), min(f.answers, most)) for n, f in found.items()}
        rows = suite.run(main, Random(f"{seed}/{number}"), baseline=baseline, confirm=CONFIRM, earlier=earlier)
        _run, baseline = suite.decided(rows, baseline)
    rows = suite.run(head, Random(f"{seed}/head"), baseline=baseline, confirm=CONFIRM, earlier=earlier)
    return suite.decided(rows, baseline)[0]


def own_rates(options: Options) -> Iterator[Table]:
    """How often an app that says something false by chance, on main as here, is blocked."""
    runs, suite = options.sample or RUNS // 4, Suite(60)

    def rows() -> Iterator[list[str]]:
        for main, head, wanted in OWN_ROWS:
            what = f"wrong in {_one_in(main)} on main, {_one_in(head)} here"
            both = by_chance("wrong number", main), by_chance("wrong number", head)
            for mains in (1, 5):
                decisions = [own_decision(suite, *both, mains, f"{what}/{n}").decision.kind for n in range(runs)]
                yield [what, str(mains), wanted, count_of(decisions.count("block"), runs)]

    yield Table(
        f"False by chance, on main as here: 60 cases, {runs} runs each",
        ("answers", "runs of main's", "wanted", "blocked"),
        rows(),
    )


# How often main and the branch miss a source, those of how many tenths of the cases the branch always misses, and what
# should come of it.
SOURCE_ROWS: tuple[tuple[float, int, DecisionKind], ...] = (
    (1 / 20, 0, "release"), (1 / 10, 0, "release"), (1 / 5, 0, "release"), (1 / 10, 1, "block"),
)  # fmt: skip


def lost_sources(options: Options) -> Iterator[Table]:
    """How often a retriever that misses a source by chance, on main as here, fails `newly_missed`; and extra calls."""
    runs = options.sample or RUNS // 4

    def rows() -> Iterator[list[str]]:
        for cases in (20, 60, 200):
            suite = Suite(cases, requires=True)
            for chance, tenths, wanted in SOURCE_ROWS:
                blocked = calls = 0
                for number in range(runs):
                    seed = f"{cases}/{chance}/{tenths}/{number}"
                    base = suite.run(
                        by_chance("source missed", chance), Random(f"{seed}/base"), baseline=None, confirm=CONFIRM
                    )
                    _run, baseline = suite.decided(base, None)
                    head = by_chance("source missed", chance, tenths * cases // 10)
                    found = suite.run(head, Random(f"{seed}/head"), baseline=baseline, confirm=CONFIRM)
                    gates = suite.decided(found, baseline)[0].gates
                    blocked += any(each.gate == "newly_missed" and each.status == "failed" for each in gates)
                    calls += sum(len(row.asks) for row in found)
                what = f"a source missed in {_one_in(chance)} asks" + (f", {tenths} of 10 always here" * bool(tenths))
                yield [what, str(cases), wanted, count_of(blocked, runs), f"{100 * calls / (runs * cases):.0f} %"]

    columns = ("retriever", "cases", "wanted", "blocked", "extra calls")
    yield Table(f"Sources lost by chance, on main as here, {runs} runs each", columns, rows())


def _one_in(chance: float) -> str:
    return f"1 of {1 / chance:.0f}" if chance else "none"
