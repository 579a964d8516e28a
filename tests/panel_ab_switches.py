"""Every rule of the blind panel's aggregate and gate, how to turn it off, and one example that shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judge_rows import Claimed, JudgeRow
from raggate_action.schema.policy import AbGate, Gates
from tests.panel_ab_builders import ahead, both_orders, identical, lost, scored, unanswered

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]


def aggregated(*rows: JudgeRow, **terms: Any) -> Example:
    """What rows come to."""
    return lambda core: _aggregated(core, rows, **terms).model_dump()


def _aggregated(
    core: Core,
    rows: Sequence[JudgeRow],
    *,
    questions: Sequence[tuple[Any, ...]] = (),
    judges: Sequence[tuple[str, ...]] = (),
    labs: dict[ArmName, str] | None = None,
    **terms: Any,
) -> Any:
    module = core["ab.comparison_terms"]
    asked = module.ComparisonTerms(
        questions=tuple([module.PanelQuestion(*each) for each in questions]),
        judges=tuple([module.Rater(*each) for each in judges]),
        labs=labs or {},
        **terms,
    )
    return core["ab.aggregate"].aggregate(rows, asked)


def led(*leads: int, judge: str = "a") -> list[JudgeRow]:
    """One judge, and by how much the treatment leads on each question."""
    return [ahead(f"q{n}", judge, lead) for n, lead in enumerate(leads)]


def example_of(*rows: JudgeRow, protected: str = "") -> Example:
    """The question that is shown with both answers."""

    def example(core: Core) -> Any:
        told = [row.model_copy(update={"control_response": "before", "treatment_response": "now"}) for row in rows]
        questions = [(each, "", each == protected) for each in dict.fromkeys(row.question_id for row in rows)]
        found = core["ab.example_question"].example_question(_aggregated(core, rows, questions=questions), told)
        return found and found.model_dump()

    return example


def gated(
    *rows: JudgeRow,
    protected: str = "",
    passes: bool | None = None,
    rule: AbGate | None = None,
    trials: dict[str, tuple[int, int]] | None = None,
) -> Example:
    """The gate on what rows come to; `trials` are the planted pairs of each judge, shown and scored."""

    def example(core: Core) -> Any:
        questions = [(protected, "", True, passes)] if protected else []
        pair_trials = {judge: core["ab.comparison_terms"].PairTrial(*each) for judge, each in (trials or {}).items()}
        panel = _aggregated(core, rows, questions=questions, trials=pair_trials)
        found = core["decision.ab_gate"].ab_gate(panel, rule or AbGate())
        return [each.model_dump() for each in found]

    return example


def ab_level(policy: dict[str, Any]) -> Example:
    """The gate under what a suite sets."""
    return gated(*led(*[-1] * 10), rule=Gates.model_validate(policy.get("gates", {})).ab)


def flipped(*differences: int) -> Example:
    def example(core: Core) -> Any:
        return (
            core["statistics.paired_tests"].sign_flip([Fraction(each) for each in differences], seed="7").model_dump()
        )

    return example


def alpha(*questions: list[list[int]]) -> Example:
    return lambda core: core["statistics.agreement"].ordinal_alpha(questions, seed="7").model_dump()


def sorted_by_many(*things: tuple[int, int, int]) -> Example:
    def example(core: Core) -> Any:
        module = core["statistics.agreement"]
        return module.gwet_ac1_of_many(things), module.agreement_on(things, 1), module.agreeing_pairs(things)

    return example


def swapped(*leads: tuple[int, int], places: bool = True) -> list[JudgeRow]:
    """One judge; the lead of the answer that stands first, in both orders."""
    rows = []
    for number, both in enumerate(leads):
        arms: list[ArmName] = ["treatment", "control"] if number % 2 else ["control", "treatment"]
        for order, (lead, first) in enumerate(zip(both, arms, strict=True), 1):
            delta = lead if first == "treatment" else -lead
            rows.append(ahead(f"q{number}", "a", delta, order=order, shown_first=first if places else None))
    return rows


def tried(**trial: Any) -> Example:
    """One judge, as it took planted pairs."""
    return lambda core: _aggregated(
        core, led(1), trials={"a": core["ab.comparison_terms"].PairTrial(42, 42, **trial)}
    ).model_dump()


def ones(judge: str, pairs: int = 8, scores: str = "33333") -> list[JudgeRow]:
    """A judge with one score for all."""
    return [scored(f"q{n}", judge, scores, scores) for n in range(pairs)]


def two_ways(first: int, second: int) -> list[JudgeRow]:
    return [ahead("q1", "kimi", first, harness="plain"), ahead("q1", "kimi", second, harness="tools")]


LIAR = ahead("q1", "a", -3, claimed=Claimed(control=5, treatment=25, verdict="treatment"))
HALF = [*both_orders("q1", "a", 1, 1), ahead("q1", "b", 9, order=1), lost("q1", "b", order=2)]
APART = [[[1, 2], [5, 4]], [[2, 2], [4, 5]], [[1, 1], [3, 3]], [[5, 5], [2, 1]]]
ONE_APART = [[[1, 5], [5, 1]], *[[[5, 5], [5, 5]]] * 5]
PROTECTED = [*led(-1, 3), *led(-2, 3, judge="b")]
TWO_LABS = {"judges": [("a", "", "Lab"), ("b", "", " lab")]}

# Rule, module, the piece of its text that makes it, what becomes of that, and the example.
PANEL_AB_RULES: list[tuple[str, str, str, str, Example]] = [
    ("example: what the control wins before what the treatment wins", "ab.example_question", 'question.consensus != "control", ', "False, ", example_of(*led(9, -1))),
    ("example: a protected question before others", "ab.example_question", "not question.protected, ", "False, ", example_of(*led(-9, -1), protected="q1")),
    ("example: the widest lead", "ab.example_question", ", -lead", ", lead", example_of(*led(-1, -9))),
    ("example: a tie is none", "ab.example_question", " if each.consensus in _ARMS]", "]", example_of(ahead("q0", "a", 20), ahead("q0", "b", -1), *[ahead("q1", each, 1) for each in "ab"])),
    ("blind: a win counts where both orders give it", "ab.score_table", 'return self.winners[0] if len(set(self.winners)) == 1 else "tie"', "return self.winners[0]", aggregated(*both_orders("q1", "a", 2, -2))),
    ("blind: one order lost takes the other with it", "ab.score_table", "rows=() if lost else rows", "rows=rows", aggregated(*HALF)),
    ("blind: which is said", "ab.score_table", "unpaired=sum(cell.received for cell in cells if cell.lost)", "unpaired=0", aggregated(*HALF)),
    ("blind: what has no row is missing", "ab.score_table", "names = [*known, *sorted(labs.keys() - known.keys())]", "names = sorted(labs)", aggregated(ahead("q1", "a", 1), judges=[("z",)])),
    ("blind: and so is a question without one", "ab.score_table", "ids = [*known, *sorted(types.keys() - known.keys())]", "ids = sorted(types)", aggregated(ahead("q1", "a", 1), questions=[("q0",)])),
    ("blind: and a second order", "ab.score_table", "*([2] if terms.swap else [])", "*[]", aggregated(ahead("q1", "a", 1), swap=True)),
    ("blind: rows tell a type that nobody else does", "ab.score_table", 'each.question_type or types.get(each[0], "")', "each.question_type", aggregated(ahead("q1", "a", 1, question_type="menu"))),
    ("blind: rows tell a lab that nobody else does", "ab.score_table", 'each.lab or labs.get(each[:2], "")', "each.lab", aggregated(ahead("q1", "a", 1, lab="Lab"), labs={"control": "Lab"})),
    ("blind: the rubric's dimensions are those that most rows have", "ab.score_table", "(len(names), named[names], names)", "(-len(names), named[names], names)", aggregated(scored("q1", "a", "12", "22"), scored("q1", "b", "1", "2"))),
    ("blind: scores for other dimensions are not comparable", "ab.score_table", "if set(scored[0].control) != set(dimensions):", "if False:", aggregated(scored("q1", "a", "12", "22"), scored("q1", "b", "1", "2"), dimensions=())),
    ("blind: rows that contradict each other do not count", "ab.score_table", "(row.control, row.treatment) != (scored[0].control, scored[0].treatment)", "False", aggregated(ahead("q1", "a", 1), ahead("q1", "a", -1))),
    ("blind: a row with scores stands before one that was lost", "ab.score_table", "if not scored:", "if len(scored) < len(same):", aggregated(lost("q1", "a"), ahead("q1", "a", 1))),
    ("blind: rows that stand twice are said", "ab.score_table", "max(0, len(same) - 1)", "0", aggregated(ahead("q1", "a", 1), ahead("q1", "a", 1))),
    ("blind: identical answers are identical in both orders", "ab.score_table", "received=len(by_order)", "received=1", aggregated(identical("q1", "a"), swap=True)),
    ("blind: identical answers are not lost", "ab.score_table", "if any(row.identical for row in every):", "if False:", aggregated(identical("q1", "a"))),
    ("blind: where there is no answer both orders have none", "ab.score_table", "if unasked:", "if False:", aggregated(unanswered("q1", "a"), swap=True)),
    ("blind: identical answers count with a difference of 0", "ab.score_table", "rows += len(cell.rows) or orders * cell.identical", "rows += len(cell.rows)", aggregated(*led(2), identical("q9", "a"))),
    ("blind: identical answers are rows of every order", "ab.score_table", '["identical"] * orders * cell.identical', '["identical"] * cell.identical', aggregated(identical("q1", "a"), swap=True)),
    ("blind: a row has its own winner, whatever the pair's", "ab.score_table", "for winner in cell.winners or", "for winner in [cell.winner] * len(cell.rows) or", aggregated(*both_orders("q1", "a", 2, -2))),
    ("blind: and apart from other ties", "ab.score_table", '"identical" if cell.identical else cell.winner', "cell.winner", aggregated(identical("q1", "a"))),
    ("blind: consensus is more than half", "ab.score_table", "if 2 * votes.treatment > votes.total:", "if 2 * votes.treatment >= votes.total:", aggregated(ahead("q1", "a", 1), ahead("q1", "b", 0))),
    ("blind: for the control as well", "ab.score_table", "if 2 * votes.control > votes.total:", "if 2 * votes.control >= votes.total:", aggregated(ahead("q1", "a", -1), ahead("q1", "b", 0))),
    ("blind: else it is a tie", "ab.score_table", 'return "tie" if votes.total else None', "return None", aggregated(ahead("q1", "a", 1), ahead("q1", "b", -1))),
    ("blind: orders that disagree are counted", "ab.score_table", "len(set(cell.winners)) == 1 for cell", "True for cell", aggregated(*both_orders("q1", "a", 2, -2))),
    ("blind: of pairs seen twice", "ab.score_table", "if len(cell.rows) > 1]", "]", aggregated(ahead("q1", "a", 1))),
    ("blind: scores at the ceiling are counted", "ab.score_table", "_TOP = 5", "_TOP = 6", aggregated(scored("q1", "a", "5", "4"))),
    ("blind: totals that a judge misstates", "ab.score_table", "total != sum(scores.values())", "False", aggregated(LIAR)),
    ("blind: verdicts that a judge misstates", "ab.score_table", "row.claimed.verdict != row.winner", "False", aggregated(LIAR)),
    ("blind: a judge of an arm's lab is no stranger", "ab.aggregate", 'if lab and _plain(terms.labs.get(arm, "")) == lab', "if False", aggregated(ahead("q1", "a", 1), judges=[("a", "", "Lab")], labs={"control": "Lab"})),
    ("blind: nobody is of an unknown lab", "ab.aggregate", "if lab and _plain", "if _plain", aggregated(ahead("q1", "a", 1))),
    ("blind: a lab has one judge apart", "ab.aggregate", 'names = {("lab", lab)} if lab else set()', "names = set()", aggregated(ahead("q1", "a", 1), ahead("q1", "b", -1), **TWO_LABS)),
    ("blind: and a judge one way of working", "ab.aggregate", 'names |= {("judge", rater.judge)}', "pass", aggregated(*two_ways(1, 2))),
    ("blind: a lab is spelled as it comes", "ab.aggregate", "return lab.strip().casefold()", "return lab", aggregated(ahead("q1", "a", 1), ahead("q1", "b", -1), **TWO_LABS)),
    ("blind: a judge in two ways is a family", "ab.score_table", "if len(members) > 1]", "if len(members) > 2]", aggregated(*two_ways(1, -1))),
    ("blind: whose verdicts are compared", "ab.score_table", "one.winner == other.winner", "True", aggregated(*two_ways(1, -1))),
    ("blind: a dimension that judges do not agree on informs", "ab.score_table", "alpha.value < LEAST_ALPHA", "False", aggregated(scored("q1", "a", "1", "5"), scored("q1", "b", "5", "1"))),
    ("blind: and so does one of which nobody knows", "ab.score_table", "informational=alpha.value is None or", "informational=alpha.value is not None and", aggregated(scored("q1", "a", "1", "5"))),
    ("blind: all agree where two do", "ab.score_table", "each.votes.judged > 1 for each", "each.votes.judged > 0 for each", aggregated(ahead("q1", "a", 1))),
    ("blind: the question is the unit", "ab.score_table", "return Fraction(totals.difference, totals.rows) if", "return Fraction(totals.difference, 1) if", aggregated(ahead("q1", "a", 2), ahead("q1", "b", 1), ahead("q2", "a", -1))),
    ("blind: a mean is one over questions", "ab.score_table", "/ len(deltas)) if deltas", ") if deltas", aggregated(*led(2, 3))),
    ("blind: the headline stands without same-lab judges too", "ab.aggregate", "if len(strangers) < len(cells.judges) else None", "if False else None", aggregated(*two_ways(1, -2))),
    ("blind: and without them alone", "ab.aggregate", "if not shares[rater]]", "]", aggregated(*two_ways(1, -2))),
    ("blind: three heroes", "ab.aggregate", "_HEROES = 3", "_HEROES = 4", aggregated(*led(1, 2, 3, 4))),
    ("blind: a hero leads", "ab.aggregate", " and delta > 0]", "]", aggregated(*led(0))),
    ("blind: the one who leads most first", "ab.aggregate", "key=lambda found: -found[0]", "key=lambda found: found[0]", aggregated(*led(1, 2))),
    ("blind: identical answers are no tie of the panel", "ab.aggregate", 'each.consensus == "tie" and not each.identical', 'each.consensus == "tie"', aggregated(identical("q1", "a"))),
    ("blind: a rubric that rejects what passes is a concern", "ab.aggregate", 'each.consensus == "control" and each.gates_passed', "False", aggregated(*led(-1), questions=[("q0", "", False, True)])),
    ("blind: what fails is none", "ab.aggregate", " and each.gates_passed)", ")", aggregated(*led(-1), questions=[("q0", "", False, False)])),
    ("blind gate: the control wins by the test", "decision.ab_gate", "and _control_wins(headline)", "and False", gated(*led(*[-1] * 10))),
    ("blind gate: of ten questions", "decision.ab_gate", "wins = headline.questions >= LEAST_QUESTIONS and", "wins =", gated(*led(*[-1] * 9))),
    ("blind gate: by one in twenty", "decision.ab_gate", 'LARGEST_CHANCE = Decimal("0.05")', 'LARGEST_CHANCE = Decimal("0.06")', gated(*led(*[-1] * 8, 1, 1))),
    ("blind gate: on a protected question all judges are enough", "decision.ab_gate", "if _is_harmed(each)]", "if False]", gated(*PROTECTED, protected="q0")),
    ("blind gate: on no other", "decision.ab_gate", "question.protected and ", "", gated(*PROTECTED)),
    ("blind gate: and not most", "decision.ab_gate", "question.unanimous and ", "", gated(*PROTECTED, ahead("q0", "c", 0), protected="q0")),
    ("blind gate: for the control", "decision.ab_gate", "question.unanimous and _is_lost(question)", "question.unanimous", gated(ahead("q0", "a", 1), ahead("q0", "b", 1), protected="q0")),
    ("blind gate: the control has more questions", "decision.ab_gate", "wins.control > wins.treatment and ", "", gated(*led(*[-4] * 12), *[scored(f"q{n}", "b", *[f"{1 + n % 5}" * 5] * 2) for n in range(12)])),
    ("blind gate: nothing judged is nothing measured", "decision.ab_gate", "if aggregate.unjudged or aggregate.untried:", "if aggregate.untried:", gated(lost("q0", "a"))),
    ("blind gate: judges of which none was tried count for nothing", "decision.ab_gate", "Headline() if aggregate.untried else ", "", gated(*led(*[-1] * 10), trials={"a": (40, 0)})),
    ("blind gate: nor is a protected question lost by them", "decision.ab_gate", "questions = () if aggregate.untried else ", "questions = ", gated(*PROTECTED, protected="q0", trials={"a": (40, 0), "b": (40, 0)})),
    ("blind gate: and so nothing is measured", "decision.ab_gate", "if aggregate.unjudged or aggregate.untried:", "if aggregate.unjudged:", gated(*led(1), trials={"a": (40, 0)})),
    ("blind gate: a protected question is the reason where it fails alone", "decision.ab_gate", "harmed=0 if wins else len(harmed)", "harmed=0", gated(*PROTECTED, protected="q0")),
    ("blind gate: few questions do not pass", "decision.ab_gate", 'else "insufficient"', 'else "passed"', gated(*led(1))),
    ("blind gate: nor do so few that differ", "decision.ab_gate", " and _could_fail(headline)", "", gated(*led(-1), *[identical(f"s{n}", "a") for n in range(20)])),
    ("blind gate: where nothing differs it passes", "decision.ab_gate", "not headline.wins.judged or", "", gated(*[identical(f"s{n}", "a") for n in range(20)])),
    ("blind: identical answers make no smaller p-value", "ab.score_table", "still=wins.identical", "still=0", aggregated(*led(-1), identical("q9", "a"))),
    ("blind gate: the protected stand first", "decision.ab_gate", "(each not in harmed, each.totals.mean_delta or 0.0)", "each.totals.mean_delta or 0.0", gated(*led(*[-2] * 9, -1), *led(*[-2] * 9, -1, judge="b"), protected="q9")),
    ("blind gate: what was lost to the control is named where the test fails", "decision.ab_gate", "(wins and _is_lost(each))", "False", gated(*led(*[-1] * 10))),
    ("blind gate: what passes hard gates is not lost", "decision.ab_gate", " and not question.gates_passed", "", gated(*PROTECTED, protected="q0", passes=True)),
    ("blind gate: nor in the test", "decision.ab_gate", "aggregate.unconcerned or aggregate.headline", "aggregate.headline", gated(*led(*[-1] * 10), protected="q0", passes=True)),
    ("blind: the test without rubric concerns", "ab.aggregate", "if each.question_id not in concerns]", "]", aggregated(*led(-1), questions=[("q0", "", False, True)])),
    ("judges: one that goes by the place", "ab.pair_judge_exclusion", " and _goes_by_order(judged):", " and False:", aggregated(*swapped(*[(1, 1)] * 8))),
    ("judges: of eight pairs", "ab.pair_judge_exclusion", "LEAST_PAIRS: Final = 8", "LEAST_PAIRS: Final = 7", aggregated(*swapped(*[(1, 1)] * 7))),
    ("judges: that keeps half of its choices is none", "ab.pair_judge_exclusion", "2 * kept.hits >= kept.total or ", "", aggregated(*swapped(*[(1, -1)] * 30, *[(1, 1)] * 30))),
    ("judges: nor one as an honest judge may be", "ab.pair_judge_exclusion", " or upper_limit(kept, confidence=_SURE) >= _HONEST", "", aggregated(*swapped(*[(1, -1)] * 3, *[(1, 1)] * 7))),
    ("judges: nor one that flips to either place", "ab.pair_judge_exclusion", "return _as_one_sided(first, second) <= _ONE_SIDED", "return True", aggregated(*swapped(*[(1, 1), (-1, -1)] * 5))),
    ("judges: as one-sided as one in fifty", "ab.pair_judge_exclusion", "_ONE_SIDED: Final = 0.02", "_ONE_SIDED: Final = 0.002", aggregated(*swapped(*[(1, 1)] * 8))),
    ("judges: one score for all", "ab.pair_judge_exclusion", "not trial.varied and _gives_one_score(judged)", "False", aggregated(*ones("a"))),
    ("judges: planted pairs are pairs as well", "ab.pair_judge_exclusion", "planted = trial.scored // 2 if", "planted = 0 if", lambda core: _aggregated(core, ones("a", 1), trials={"a": core["ab.comparison_terms"].PairTrial(40, 40)}).model_dump()),
    ("judges: but under a rubric of one's own", "ab.pair_judge_exclusion", " if trial.unplanted is None else 0", "", lambda core: _aggregated(core, ones("a", 1), trials={"a": core["ab.comparison_terms"].PairTrial(42, 42, unplanted=0)}).model_dump()),
    ("judges: of both arms", "ab.pair_judge_exclusion", "for arm in (row.control, row.treatment)}", "for arm in (row.control,)}", aggregated(*[scored(f"q{n}", "a", "2", "5") for n in range(8)])),
    ("judges: that planted pairs do not tell apart either", "ab.pair_judge_exclusion", "not trial.varied and ", "", lambda core: _aggregated(core, ones("a"), trials={"a": core["ab.comparison_terms"].PairTrial(varied=True)}).model_dump()),
    ("judges: one that obeys in both orders", "ab.pair_judge_exclusion", "if orders == 2]", "if False]", tried(preferred={"praise": 2})),
    ("judges: and not in one", "ab.pair_judge_exclusion", "if orders == 2]", "]", tried(preferred={"praise": 1})),
    ("judges: unless it is wrong too often", "ab.pair_judge_exclusion", "if sum(trial.preferred.values()) > _MOST_WRONG:", "if False:", tried(preferred={f"{n}": 1 for n in range(6)})),
    ("judges: or the rubric wants it", "ab.pair_judge_exclusion", "if trial.unplanted == 2:", "if False:", tried(preferred={"praise": 2}, unplanted=2)),
    ("judges: who does not count is in no total", "ab.aggregate", "every.of_judges([] if too_few else left)", "every", aggregated(*ones("c"), *led(*[1] * 8), *led(*[1] * 8, judge="b"))),
    ("judges: half of them is a quorum", "ab.pair_judge_exclusion", "max(min(judges, 2), (judges + 1) // 2)", "min(judges, 2)", aggregated(*led(*[1] * 8), *led(*[1] * 8, judge="b"), *ones("c"), *ones("d"), *ones("e"))),
    ("judges: and one of two is none", "ab.pair_judge_exclusion", "max(min(judges, 2), (judges + 1) // 2)", "(judges + 1) // 2", aggregated(*led(*[1] * 8), *ones("c"))),
    ("judges: one that says nothing is not left", "ab.aggregate", "if any(cell.rows for cell in every.of_judge(rater))]", "]", aggregated(*led(*[1] * 8), *[lost(f"q{n}", "b") for n in range(8)], *ones("c"))),
    ("judges: the stranger of a lab is one that counts", "ab.aggregate", "shares_of((*left, *refused), terms)", "shares_of(every.judges, terms)", aggregated(*ones("a"), *led(*[1] * 8, judge="b"), *led(*[1] * 8, judge="c"), judges=[("a", "", "Lab"), ("b", "", "Lab"), ("c", "", "Other")])),
    ("sign-flip: as far either way", "statistics.paired_tests", "far += sum(len(one) - bisect_left(one, abs(total) - other) for other in others)", "pass", flipped(3, 1, 1)),
    ("sign-flip: all ways up to twenty", "statistics.paired_tests", "EXACT_UP_TO = 20", "EXACT_UP_TO = 2", flipped(3, 1, 1)),
    ("sign-flip: what was found is one of what is drawn", "statistics.paired_tests", "low = far = 1", "low = far = 0", flipped(*[-1] * 21)),
    ("alpha: values are ordered by what lies between them", "statistics.agreement", "apart = (middles[one] - middles[other]) ** 2", "apart = 1", alpha(*APART)),
    ("alpha: what two judges rated is enough", "statistics.agreement", "if len(unit) > 1]", "if len(unit) > 2]", alpha([[1, 2], [5, 5]], [[3]])),
    ("alpha: an interval by questions", "statistics.agreement", "if len(counted) < 2:", "if True:", alpha(*APART)),
    ("alpha: none where draws leave it undefined", "statistics.agreement", "_LEAST_DEFINED = 0.95", "_LEAST_DEFINED = 0.5", alpha(*ONE_APART)),
    ("ac1: what two judges sorted is enough", "statistics.agreement", "twice = [each for each in rated if sum(each) > 1]", "twice = [each for each in rated if sum(each) > 2]", sorted_by_many((2, 1, 0), (0, 3, 0), (1, 1, 0), (1, 0, 0))),
    ("ac1: what one judge sorted tells how common a kind is", "statistics.agreement", "for each in rated) / len(rated)", "for each in twice) / len(twice)", sorted_by_many((2, 1, 0), (0, 3, 0), (1, 1, 0), (1, 0, 0))),
]  # fmt: skip
