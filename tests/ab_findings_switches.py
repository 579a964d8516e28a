"""Every rule of a panel's findings, by rule and by a model, how to turn it off, and one example that shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.comparison_terms import ComparisonTerms, PairTrial, PanelQuestion, Rater
from raggate_action.schema.ab_findings import Finding, FindingKind
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judge_rows import JudgeRow
from tests.panel_ab_builders import ahead, both_orders, identical, lost, scored
from tests.written_findings import even, panel

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]

CHECK, NUMBERS, WORDS = "ab.finding_check", "ab.finding_numbers", "ab.finding_words"
FINDINGS, LIMITS, TESTED, MEASURES = "ab.rule_findings", "ab.rule_findings", "ab.rule_findings", "ab.aggregate_measures"


def written(
    text: str,
    kind: FindingKind = "note",
    measure: str = "overall",
    *numbers: float,
    of: Callable[[], Aggregate] = panel,
) -> Example:
    """Why what a model has written is left out; None where it stands."""

    def rejection(core: Core) -> Any:
        found = core[CHECK].rejection_of([Finding(kind=kind, measure=measure, numbers=numbers, text=text)], of())
        return None if found is None else found.model_dump()

    return rejection


def ruled(make: Callable[[], Aggregate]) -> Example:
    """What follows from an aggregate by rule."""
    return lambda core: [each.model_dump() for each in core[FINDINGS].findings_of(make())]


def rows(*given: JudgeRow, **terms: Any) -> Example:
    """What follows from what rows come to."""

    def found(core: Core) -> Any:
        made = core["ab.aggregate"].aggregate(given, ComparisonTerms(**terms))
        return [each.model_dump() for each in core[FINDINGS].findings_of(made)]

    return found


def many(count: int) -> Example:
    note = Finding(kind="note", measure="overall", text="12 questions.")
    return lambda core: core[CHECK].rejection_of([note] * count, panel()) is None


# A judge with one score for all.
ONES = [scored(f"Q{n}", "a", "33333", "33333") for n in range(8)]
FIVE = [ahead(f"Q{n}", "kimi", 1) for n in range(5)]
TOPS = [row.model_copy(update={"control": dict.fromkeys(row.control, 5)}) for row in FIVE]
WRONG = [row.model_copy(update={"claimed": row.claimed.model_copy(update={"control": 99})}) for row in FIVE]
LOSES = [ahead("Q1", judge, -1) for judge in "ab"]


def three_types() -> Aggregate:
    """Ten questions of three types, one of them without a lead."""
    types = {"up": 3, "none": 0, "down": -3}
    given = [
        ahead(f"Q{n}{kind}", judge, lead, question_type=kind)
        for kind, lead in types.items()
        for n in range(4)
        for judge in "ab"
    ]
    return aggregate(given, ComparisonTerms())


def numbered() -> Aggregate:
    """Questions whose ids are bare numbers."""
    return aggregate([ahead(str(n), judge, 1) for n in range(1, 13) for judge in "abc"], ComparisonTerms())


def lettered() -> Aggregate:
    """A judge whose name is an article."""
    return aggregate([ahead(f"Q{n}", judge, 1) for n in range(12) for judge in "ab"], ComparisonTerms())


AB_FINDINGS_RULES: list[tuple[str, str, str, str, Example]] = [
    # What a model has written
    ("no finding is none", CHECK, "if not findings:", "if False:", lambda core: core[CHECK].rejection_of([], panel()) is None),
    ("a model writes so many findings and no more", CHECK, "if len(findings) > MOST_FINDINGS:", "if False:", many(13)),
    ("a measure is one of the aggregate's", CHECK, "    if measure is None:\n        yield", "    if measure is None:\n        return\n        yield", written("12 questions.", measure="kindness")),
    ("a kind is what the test bears out", CHECK, "if finding.kind not in kinds_of(measure):", "if False:", written("The treatment is better.", "better", of=even)),
    ("only what has a test is claimed", MEASURES, 'return ("note",)', 'return ("better", "note")', written("Groundedness is better.", "better", "dimension:groundedness")),
    ("letters of another writing hide no word", CHECK, "if found := words.WRITING.search(text):", "if False:", written("The treatment is b\u0435tter.")),
    ("a finding holds no markup", CHECK, "if found := words.MARKUP.search(text):", "if False:", written("There are **12** questions.")),
    ("an id that is none is not named", CHECK, 'if (found := _ID.search(text)) and found["mixed"] != "AC1":', "if False:", written("The panel chose the control on question 99-x.", measure="control_won")),
    ("what another measure is about is not named", CHECK, "    if fault is not None:\n        yield fault", "", written("Groundedness has a mean delta of 3.42.")),
    ("AC1 is no id", CHECK, ' and found["mixed"] != "AC1"', "", written("AC1 is 0.93.", measure="agreement")),
    ("a quantity is a number", CHECK, "if found := words.QUANTITY.search(text):", "if False:", written("Half of the 12 questions.")),
    ("nobody knows reasons", CHECK, "if found := words.REASON.search(text):", "if False:", written("The treatment is better because it cites.", "better")),
    ("everyday words are no names", CHECK, " if name not in words.EVERYDAY", "", written("A mean delta of 1 point.", of=lettered)),
    ("equality is a claim", CHECK, 'if finding.kind != "no_difference" and (found := words.EQUALITY.search(text)):', "if False:", written("The arms are on par.")),
    ("no difference may be said where it is shown", CHECK, 'if finding.kind != "no_difference" and ', "if ", written("No difference is shown.", "no_difference", of=even)),
    ("a note compares nothing", CHECK, 'if finding.kind in {"note", "no_difference"}:', 'if finding.kind == "no_difference":', written("The treatment gains on 10 of 12 questions.")),
    ("no difference compares nothing", CHECK, 'if finding.kind in {"note", "no_difference"}:', 'if finding.kind == "note":', written("The treatment gains on 6 of 12 questions.", "no_difference", of=even)),
    ("rows are lost without a winner", CHECK, 'of_rows=finding.measure == "rows"', "of_rows=False", written("1 of 36 rows was lost.", measure="rows")),
    ("all judges are counted", CHECK, 'if finding.measure == "agreement":', "if False:", written("All judges are for the treatment on 9 of 12 questions.", measure="agreement")),
    ("a difference is named as it is", CHECK, 'text = words.LABELS.sub("", text)', "", written("Mean delta, treatment less control, is 3.42.")),
    ("words say who is ahead by the test", CHECK, "if words.arm_ahead(text[start:end]) not in {None, claimed}:", "if False:", written("The control is better.", "better")),
    ("numbers beside a text are held", CHECK, "if not is_offered(number, measure.numbers):", "if False:", written("The treatment is better.", "better", "overall", 11)),
    ("an arm is called by its name", CHECK, "if written and (found := words.UNNAMED_ARM.search(text)):", "if False:", written("The latter has 10 of 12 questions.")),
    ("a number is one of the measure's", CHECK, "        if not offered:", "        if False:", written("There are 14 questions.")),
    ("a number counts what it counts", CHECK, "elif not of_unit:", "elif False:", written("There are 12 judges.")),
    ("a number is its arm's", CHECK, "elif all(one.arm not in {None, arm or one.arm} for one in _as_said(each, of_unit, written, text)):", "elif False:", written("10 of 12 questions go to the control.")),
    ("a number is what its clause says of it", CHECK, "if is_alone and role.pattern.search(text, start, end):", "if False:", written("35 of 36 rows are lost.", measure="rows")),
    ("a tie is said aloud", CHECK, 'if role.aloud != "unsaid" and', "if False and", written("The treatment has 1 of 12 questions.")),
    ("who was spoken of is spoken of still", CHECK, "    if not arms:\n", "    if not arms:\n        return None\n", written("The treatment beats the control. It has 1 of 12 questions.", "better")),
    ("the first arm named is whose one number is", CHECK, "or (len(within) == 1 and nearest)", "", written("The treatment beats the control on 1 of 12 questions.", "better")),
    ("a colon behind a name parts nothing", CHECK, 'if found["colon"] and len(text[start : found.start()].split()) <= _WORDS_OF_A_LABEL:', "if False:", written("Ties: 1.", measure="type:safety")),
    ("a name of digits is no number", CHECK, "if name.isdecimal():", "if False:", written("There are 3 judges.", of=numbered)),
    ("a part goes with its whole", NUMBERS, "if before is not None and before.whole is None and", "if False and", written("The treatment wins 10 of 3 questions.", "better")),
    ("digits that are no number are none", NUMBERS, "        if rest:", "        if False:", written("The treatment leads by 3.4.2 points.", "better")),
    ("numbers in words are numbers", NUMBERS, "found: list[NumberInText] = []", "bare = [*_digits(text)]\n    found: list[NumberInText] = []", written("There are eleven questions.")),
    ("no row is none", NUMBERS, "for none in _NO.finditer(text):", "for none in ():", written("No row is lost.", measure="rows")),
    ("the scale is no number of the panel", NUMBERS, 'text = _CONSTANTS.sub(lambda found: " " * len(found[0]), text)', "", written("12 questions, on dimensions from 1 to 5.")),
    ("a bound is one of a p-value below it", NUMBERS, 'return offered.kind == "p" and value < number.value <= _BAR', 'return offered.kind == "p"', written("The treatment is better (p < 0.001).", "better")),
    ("a p-value may be rounded up", NUMBERS, "rounded = raised == number.value or ", "rounded = ", written("The treatment is better (p = 0.00196).", "better")),
    ("a p-value has two decimals", NUMBERS, "number.places >= _LEAST_PLACES and ", "", written("The treatment is better (p = 0.0).", "better")),
    ("an amount has its decimals", NUMBERS, "if not number.places and abs(value) != abs(number.value):", "if False:", written("The mean delta is 3.")),
    ("a difference keeps its sign", NUMBERS, 'unsigned = kind == "difference" and not number.sign', 'unsigned = kind == "difference"', written("The mean delta is +3.42.", of=lambda: panel(-1))),
    ("a count has no decimals", NUMBERS, "if number.sign or (number.places and not number.percent):", "if False:", written("There are 12.0 questions.")),
    ("a direction is that of the words", WORDS, "return subject.name if sign > 0 else other", 'return subject.name if sign > 0 else "treatment"', written("The treatment trails.", "worse", of=lambda: panel(-1))),
    ("what is denied is not claimed", WORDS, "if NEGATION.search(clause) or ", "if ", written("The treatment is not better.", "better")),
    ("words for both arms claim nothing", WORDS, " or len({sign for _place, sign in words}) > 1", "", written("The treatment leads and worse it is ahead behind.", "better")),
    ("than turns a comparison", WORDS, "sign = -sign if turned else sign", "", written("Better than the treatment is the control.", "better")),
    ("by turns a comparison", WORDS, "        sign = -sign\n", "        pass\n", written("The treatment is outperformed by the control.", "better")),
    ("no significance is none", WORDS, 'if not found["no"]', "if True", written("The test shows no significant difference.", "no_difference", of=even)),
    ("a test is no superlative", WORDS, "if found[0].lower() not in _NO_SUPERLATIVES", "if True", written("The latest run had 12 questions.")),
    # By rule
    ("under ten questions nothing is claimed", TESTED, "if test is None or headline.questions < LEAST_QUESTIONS:", "if test is None:", ruled(lambda: panel(questions=9))),
    ("a control that is ahead is tested as by the gate", TESTED, 'return SignFlipResult("control", test.control, one_sided=True)', 'return SignFlipResult("control", test.two_sided)', ruled(lambda: panel(-1))),
    ("a treatment that is ahead has more questions", TESTED, " and wins.treatment > wins.control", "", rows(*[each for n in range(12) for each in (ahead(f"Q{n}", "a", 4), scored(f"Q{n}", "b", *[f"{1 + n % 5}" * 5] * 2))])),
    ("a control that is ahead has more questions", TESTED, " and wins.control > wins.treatment", "", rows(*[each for n in range(12) for each in (ahead(f"Q{n}", "a", -4), scored(f"Q{n}", "b", *[f"{1 + n % 5}" * 5] * 2))])),
    ("a treatment that is ahead is tested on both sides", TESTED, "wins.treatment > wins.control and _is_rare(test.two_sided):", "wins.treatment > wins.control:", rows(*[ahead(f"Q{n}", "a", 1 if n < 6 else -1) for n in range(10)], *[ahead("Q10", "a", 1)])),
    ("nothing has moved where nobody is told ahead", FINDINGS, "if sign_flip_result(aggregate.headline) is not None:", "if True:", ruled(lambda: panel(questions=9))),
    ("a dimension that only informs has not moved", FINDINGS, "if not each.informational and ", "if ", rows(*[ahead(f"Q{n}", judge, lead) for n in range(12) for judge, lead in (("a", 5), ("b", -4))])),
    ("the control's lead on a dimension is said", FINDINGS, "if (each.totals.mean_delta or 0) < 0:", "if False:", ruled(lambda: panel(-1))),
    ("the widest lead of a dimension is a lead", FINDINGS, "if widest is not None and (widest.totals.mean_delta or 0) > 0:", "if widest is not None:", ruled(lambda: panel(-1))),
    ("a single type has not moved apart", FINDINGS, "if len(types) > 1:", "if True:", rows(*[ahead(f"Q{n}", "a", 1, question_type="x") for n in range(12)], *[ahead(f"Q{n}", "b", 2, question_type="x") for n in range(12)])),
    ("a type on which nobody leads is left out", FINDINGS, 'if code == "type-up" or delta < 0:', "if True:", ruled(three_types)),
    ("a protected question lost by all is said", FINDINGS, "return question.protected and 0 < votes.control == votes.judged", "return False", rows(*LOSES, questions=(PanelQuestion("Q1", protected=True),))),
    ("nobody knows the gates of rows alone", FINDINGS, "if aggregate.control_won and all(each.gates_passed is None for each in aggregate.questions):", "if False:", rows(*LOSES)),
    ("a concern is said", FINDINGS, "    if aggregate.concerns:", "    if False:", ruled(panel)),
    ("five questions can reach no bar", LIMITS, "if headline.test.smallest > LARGEST_CHANCE:", "if False:", rows(*FIVE)),
    ("scores at the ceiling are said", LIMITS, "if total and hits * _CEILING[1] >= total * _CEILING[0]:", "if False:", rows(*TOPS)),
    ("lost rows are said", LIMITS, "    if grid.lost:", "    if False:", rows(*FIVE, lost("Q9", "kimi"))),
    ("sums misstated are said", LIMITS, "if wrong.totals.hits or wrong.verdicts.hits:", "if False:", rows(*WRONG)),
    ("judges of a lab are said", LIMITS, "if shared and not aggregate.too_few:", "if False:", ruled(panel)),
    ("labs of which nothing holds are not said", LIMITS, " and not aggregate.too_few", "", rows(*ONES, *[ahead(f"Q{n}", "b", 1, lab="x") for n in range(8)], judges=(Rater("b", lab="x"), Rater("c", lab="x"), Rater("a", lab="x")))),
    ("a judge that does not count shares no lab", LIMITS, " and judge.not_counted is None", "", rows(*ONES, *[ahead(f"Q{n}", each, 1) for n in range(8) for each in "bc"], judges=(Rater("b", lab="x"), Rater("c", lab="y"), Rater("a", lab="x")))),
    ("planted pairs that were lost are said", LIMITS, "    if untried:", "    if False:", rows(*FIVE, trials={"kimi": PairTrial(40, 38)})),
    ("judges that do not count are said", FINDINGS, "        if each.not_counted is None:\n            continue", "        continue", rows(*ONES, *[ahead(f"Q{n}", each, 1) for n in range(8) for each in "bc"])),
    ("that too few are left is said", FINDINGS, "if aggregate.too_few:", "if False:", rows(*ONES, *[ahead(f"Q{n}", "b", 1) for n in range(8)])),
    ("of a judge that does not count nothing is written", MEASURES, "if each.not_counted is None]", "]", lambda core: sorted(core[MEASURES].measures_of(aggregate([*ONES, *[ahead(f"Q{n}", each, 1) for n in range(8) for each in "bc"]], ComparisonTerms())))),
    ("labs that nobody says are said", LIMITS, "    if unknown:", "    if False:", rows(*FIVE)),
    ("a judge alone is said", LIMITS, "if len(judges) == 1:", "if False:", rows(*FIVE)),
    ("one order is said", LIMITS, "if aggregate.grid.orders == 1:", "if False:", rows(*FIVE)),
    ("agreement of both orders is said", LIMITS, "elif alike.total:", "elif False:", rows(*both_orders("Q1", "a", 1, 1))),
    ("identical answers are said", FINDINGS, '("identical", aggregate.identical),', "", rows(identical("Q1", "a"), ahead("Q2", "a", 1))),
]  # fmt: skip
