"""How often an unchanged app is called poorer than the base branch by chance, and a worse one found so.

Nothing is asked over a wire: an app is a way of writing an answer, drawn anew at every ask. Each value is left out in
5 to 20 % of a case's answers, in half of them in a fifth of the cases. What an answer is beside main's, whom to ask
again, counting and the gate are the product's own code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from random import Random
from typing import NamedTuple, TypeAlias

from bench.table import MISSED, Options, Table, count_of
from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.claims.model_context import ShownContext, context_of
from raggate_action.core.claims.suspect_claims import evidence_of
from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again
from raggate_action.core.comparison.poorer_count import PoorerCount
from raggate_action.core.counting.case_state import NamedCases
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.decision.poorer_gate import poorer_gate
from raggate_action.core.poorer.grounds import grounds_of
from raggate_action.core.poorer.poorer_case import AnswerToHold, MainAnswersNow, beside_main, beside_main_in_all
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.main_answers import BesideMain, MainAnswer
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import TracedChunk
from tests.builders import make_case
from tests.row_builders import make_row

RUNS = 100
SIZES = (10, 40, 200)
MAINS = (1, 3, 5)
CONFIRM = 2
_DAY = date(2026, 6, 2)
_THEN = "2026-06-01T08:00:00Z"
_READING = Reading(tuple(map(re.compile, DEFAULT_CITATION_MARKERS)), "en")
TOPICS = (
    "parcel locker", "airport shuttle", "bike rental", "guided tour", "laundry service", "swimming course", "city pass",
    "garden waste pickup", "library card", "parking permit", "boat trip", "ski locker", "meeting room", "yoga class",
    "museum ticket", "rowing lesson", "camping pitch", "sauna visit", "concert seat", "repair service",
)  # fmt: skip

STRAYS = ("winter tyres", "gift wrapping", "solar panels", "tax returns", "hearing aids")
# Whether an answer gives the price, and the number of days.
Given: TypeAlias = tuple[bool, bool]
# Gives an answer for a topic, what is given of its values, and a draw.
Writer: TypeAlias = Callable[[int, Given], str]


def chunk(topic: int) -> str:
    """The evidence of a topic."""
    name = TOPICS[topic]
    return (
        f"The {name} costs {11 + 3 * topic} EUR per person. It can be cancelled free of charge up to "
        f"{5 + topic} days before. Bookings for the {name} are made at the counter."
    )


def plain(topic: int, given: Given) -> str:
    """An answer as main writes it."""
    name = TOPICS[topic]
    cost = f"costs {11 + 3 * topic} EUR per person" if given[0] else "has a fee for each person"
    until = f"up to {5 + topic} days before" if given[1] else "some time before"
    return f"The {name} {cost}. It can be cancelled free of charge {until}."


def other_words(topic: int, given: Given) -> str:
    """The same in other words, spellings and order."""
    name = TOPICS[topic]
    until = f"You may still cancel it {5 + topic} days ahead" if given[1] else "You may still cancel it ahead"
    cost = f"everybody pays €{11 + 3 * topic}.00 for the {name}" if given[0] else f"everybody pays for the {name}"
    return f"{until} at no cost, and {cost}!"


def one_sentence(topic: int, given: Given) -> str:
    """The same in one sentence."""
    name = TOPICS[topic]
    cost = f"{11 + 3 * topic} euros a head" if given[0] else "a fee a head"
    until = f"{5 + topic} days" if given[1] else "some days"
    return f"For the {name} it is {cost}, with free cancellation until {until} before it."


def list_style(topic: int, given: Given) -> str:
    """The same as a list without full stops."""
    name = TOPICS[topic].capitalize()
    cost = f"EUR {11 + 3 * topic} per person" if given[0] else "a fee per person"
    until = f"until {5 + topic} days before" if given[1] else "until shortly before"
    return f"**{name}**\n- Price: {cost}\n- Free cancellation: {until}\n- Booking: at the counter [c1]"


def canned(_topic: int, _given: Given) -> str:
    """One answer to whatever is asked."""
    return "Our opening hours are on the website."


def spoken(topic: int, given: Given) -> str:
    """The same as somebody at a counter says it; written after the rules, and none was changed for it."""
    name = TOPICS[topic]
    until = f"as long as you tell us {5 + topic} days ahead" if given[1] else "as long as you tell us in time"
    cost = f"It's {11 + 3 * topic} euros each" if given[0] else "You pay a fee each"
    return f"Sure! {cost} for the {name}, and you can call it off for nothing {until}."


def question_and_answer(topic: int, given: Given) -> str:
    """The same under two headings; likewise."""
    name = TOPICS[topic]
    cost = f"{11 + 3 * topic},00 EUR per head" if given[0] else "a fee per head"
    until = f"yes, until {5 + topic} days in advance" if given[1] else "yes, in advance"
    return f"**What is the charge for the {name}?** {cost}.\n\n**Is cancelling free?** {until}."


class App(NamedTuple):
    """An app.

    Attributes:
        writes: How it writes.
        cut: Share of the cases of which every answer is cut in half.
        drops: Share of the cases of which no answer has the price.
        declines: Share of the cases of which every answer declines.
        strays: Share of the cases of which every answer is about something else.
        unsure: How often any answer declines.
    """

    writes: Writer = plain
    cut: float = 0.0
    drops: float = 0.0
    declines: float = 0.0
    strays: float = 0.0
    unsure: float = 0.0


UNCHANGED = App()


@cache
def _context(topic: int) -> ShownContext:
    return context_of((TracedChunk(chunk_id="c1", text=chunk(topic), version="1"),), None, language="en")


@cache
def _main(topic: int, given: Given, run: int) -> MainAnswer:
    text = plain(topic, given)
    grounds = grounds_of(text, _question(topic), _context(topic), "en")
    return MainAnswer(text=text, run=f"2026-05-{28 - run:02}T08:00:00Z", grounds=grounds)


def _question(topic: int) -> str:
    return f"What should I know about the {TOPICS[topic]}?"


@cache
def _held(topic: int, text: str, mains: tuple[Given, ...], *, recorded: bool) -> BesideMain:
    evidence = [index for _id, index in evidence_of(_context(topic), "en").chunks]
    kept = tuple([_main(topic, given, run) for run, given in enumerate(mains)])
    answer = AnswerToHold(text, _question(topic), lambda: evidence, declined=False, reading=_READING)
    return beside_main(answer, MainAnswersNow(kept, kept, _THEN, recorded))


class Outcome(NamedTuple):
    """What comes of one run: whether it is blocked, whether anything is told, the cases that count, and calls made."""

    blocked: bool
    told: bool
    poorer: int
    calls: int


@cache
def _row(position: int) -> tuple[PlacedCase, CaseRun]:
    case = make_case(case_id=f"q{position}")
    return PlacedCase(case, position, f"digest-{position}", "cases.yaml", position + 1), make_row(position)


class _Case(NamedTuple):
    """A case of one run: its topic, how often each value is left out, and what the change does to it."""

    topic: int
    leaves_out: tuple[float, float]
    mains: tuple[Given, ...]
    is_cut: bool
    drops: bool
    declines: bool
    strays: bool

    def answer(self, app: App, draw: Random) -> str:
        given = _drawn(self.leaves_out, draw)
        # Nothing is drawn for the apps that never decline, so that their figures stay.
        if self.declines or (app.unsure and draw.random() < app.unsure):
            return f"I could not find anything on the {TOPICS[self.topic]} in the documents, sorry."
        if self.strays:
            return f"Experts recommend inspecting {STRAYS[self.topic % len(STRAYS)]} twice every year."
        text = app.writes(self.topic, (given[0] and not self.drops, given[1]))
        return text[: len(text) // 2] if self.is_cut else text


def _drawn(leaves_out: tuple[float, float], draw: Random) -> Given:
    return draw.random() >= leaves_out[0], draw.random() >= leaves_out[1]


def _cases(app: App, size: int, mains: int, draw: Random) -> list[_Case]:
    unsteady = set(draw.sample(range(size), size // 5))
    cut = set(draw.sample(range(size), round(app.cut * size)))
    drops = set(draw.sample(range(size), round(app.drops * size)))
    declines = set(draw.sample(range(size), round(app.declines * size))) if app.declines else set()
    strays = set(draw.sample(range(size), round(app.strays * size))) if app.strays else set()
    found = []
    for position in range(size):
        rates = (0.5, 0.5) if position in unsteady else (draw.uniform(0.05, 0.2), draw.uniform(0.05, 0.2))
        answers = [_drawn(rates, draw) for _ in range(mains)]
        # Behind the latest the order tells nothing.
        kept = (answers[0], *sorted(answers[1:]))
        worse = position in cut, position in drops, position in declines, position in strays
        found.append(_Case(position % len(TOPICS), rates, kept, *worse))
    return found


def outcome(app: App, size: int, mains: int, draw: Random, *, live: bool) -> Outcome:
    """One run of an app beside so many answers of main's."""
    cases = _cases(app, size, mains, draw)
    policy = Policy()
    confirmation = Confirmation(policy, decided_on=_DAY, baseline=None)
    most, seed = most_asked_again(size), draw.randrange(10**6)
    doubtful = DoubtfulCases(confirmation, times=CONFIRM, most=most, tell=lambda _line: None, seed=seed)
    rows: dict[int, list[BesideMain]] = {}
    for position, case in enumerate(cases):
        placed, row = _row(position)
        beside = _held(case.topic, case.answer(app, draw), case.mains, recorded=not live)
        rows[position] = [beside]
        if live:
            doubtful.holds(placed, row.model_copy(update={"beside_main": beside}))
    waiting = set(doubtful.cases)
    asked = _ask_again(app, cases, rows, doubtful, draw)
    count = PoorerCount(NamedCases(rules_tell=True), Waivers(policy, decided_on=_DAY), _THEN)
    for position, answers in rows.items():
        update = {
            "beside_main": beside_main_in_all(answers),
            "asks": tuple([Ask(outcomes={}) for _ in answers[1:]]),
            "unconfirmed": position in waiting and position not in asked,
        }
        count.add(_row(position)[1].model_copy(update=update))
    found = count.result()
    gate = poorer_gate(Comparison.model_construct(poorer=found), Gates().poorer)
    blocked = gate is not None and gate.level == "block" and gate.status == "failed"
    calls = sum(len(answers) - 1 for answers in rows.values())
    return Outcome(blocked, bool(found and found.listed), found.all_cases if found else 0, calls)


def _ask_again(
    app: App, cases: Sequence[_Case], rows: dict[int, list[BesideMain]], doubtful: DoubtfulCases, draw: Random
) -> set[int]:
    """Ask the cases that the product would, until one answer gives what was missing; those that were asked."""
    asked = set()
    for position in doubtful.worst(frozenset()):
        lacking = doubtful.cases[position].lacking or frozenset()
        for _number in range(doubtful.limit(position)):
            case = cases[position]
            beside = _held(case.topic, case.answer(app, draw), case.mains, recorded=False)
            rows[position].append(beside)
            lacking &= doubtful.confirmation.poorer_in(_row(position)[1].model_copy(update={"beside_main": beside}))
            if not lacking:
                break
        asked.add(position)
    return asked


class Row(NamedTuple):
    """A line of the table.

    Attributes:
        what: What the app does.
        app: The app.
        wanted: `release`, `block`, or `told` of what has to stand in the comment at least.
        aim: The share of runs that have to come out so.
        sizes, mains, live: Which runs are made.
    """

    what: str
    app: App
    wanted: str
    aim: float
    sizes: tuple[int, ...] = SIZES
    mains: tuple[int, ...] = MAINS
    live: bool = True


ROWS = (
    Row("unchanged", UNCHANGED, "release", 0.98),
    Row("unchanged, recorded", UNCHANGED, "release", 0.98, mains=(2, 3, 5), live=False),
    Row("one answer for all", App(canned), "block", 0.95, (40, 200), (1, 3)),
    Row("one answer for all", App(canned), "block", 0.85, (10,), (1, 3)),
    Row("one answer for all, recorded", App(canned), "block", 0.95, (40, 200), (1, 3), live=False),
    Row("a third of the answers cut", App(cut=1 / 3), "block", 0.95, (40, 200), (1, 3)),
    Row("a third of the answers cut", App(cut=1 / 3), "block", 0.85, (10,), (1, 3)),
    Row("no price in 25 % of the cases", App(drops=0.25), "block", 0.95, (40, 200), MAINS),
    Row("no price in 15 % of the cases", App(drops=0.15), "told", 0.95, (40, 200), MAINS),
    Row("no price in 3 of 10 cases", App(drops=0.3), "told", 0.95, (10,), MAINS),
    Row("all in other words", App(other_words), "release", 0.95, SIZES, (1, 3)),
    Row("all in one sentence", App(one_sentence), "release", 0.95, SIZES, (1, 3)),
    Row("all as lists", App(list_style), "release", 0.95, SIZES, (1, 3)),
    Row("5 % of the answers decline", App(unsure=0.05), "release", 0.98, SIZES, (1, 3)),
    Row("a quarter of the cases declines", App(declines=0.25), "block", 0.95, (40, 200), (1, 3)),
    Row("a quarter is off the question", App(strays=0.25), "block", 0.95, (40, 200), (1, 3)),
    Row("all as somebody says it, kept aside", App(spoken), "release", 0.95, SIZES, (1, 3)),
    Row("all under headings, kept aside", App(question_and_answer), "release", 0.95, SIZES, (1, 3)),
    Row("all in other words, recorded", App(other_words), "release", 0.95, (40,), (3,), live=False),
)


def counted(row: Row, size: int, mains: int, runs: int) -> tuple[int, int, int]:
    """Of so many runs those that came out as wanted, and of all of them the poorer cases and the extra calls."""
    found = [
        outcome(row.app, size, mains, Random(f"1 {size} {mains} {number}"), live=row.live) for number in range(runs)
    ]
    wanted = {
        "release": sum(not each.blocked for each in found),
        "block": sum(each.blocked for each in found),
        "told": sum(each.told for each in found),
    }
    return wanted[row.wanted], sum(each.poorer for each in found), sum(each.calls for each in found)


def tables(options: Options) -> Iterator[Table]:
    """How often each app gets what it should get."""
    runs = options.sample or RUNS

    def rows() -> Iterator[list[str]]:
        for row, size, mains in [(each, size, mains) for each in ROWS for size in each.sizes for mains in each.mains]:
            as_wanted, poorer, calls = counted(row, size, mains, runs)
            shares = [f"{100 * poorer / (runs * size):.1f} %", f"{100 * calls / (runs * size):.0f} %"]
            aim = "met" if as_wanted >= row.aim * runs else MISSED
            yield [row.what, str(size), str(mains), row.wanted, count_of(as_wanted, runs), *shares, aim]

    columns = ("app", "cases", "answers of main's", "wanted", "as wanted", "poorer cases", "extra calls", "aim")
    yield Table(f"Apps beside the base branch's answers, {runs} runs each", columns, rows())
