"""A panel's tables, and the section about it in a comment or a summary."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.ab_words import finding_text
from raggate_action.report.comment_size import Extent
from raggate_action.report.page import Code, Column, FirstEntries, Fold, Foreign, Item, Section, Strong, Table, Text
from raggate_action.schema.ab_counts import Totals, Wins
from raggate_action.schema.ab_findings import FindingCode, Findings, judge_name
from raggate_action.schema.ab_result import Aggregate, DimensionResult, JudgeResult, QuestionResult, TypeResult
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.strings.numbers import NOTHING, count, mean, p_value, percent_of_share, rate, signed, whole_number
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 60
# Judges by a line of their own, on a terminal.
_TOLD_AT_MOST = 12
_ABOVE: frozenset[FindingCode] = frozenset(
    {"concern", "protected-lost", "judge-obeyed", "judge-order", "judge-one-score", "plants-lost"}
)
_AHEAD = {"control": "control", "treatment": "treatment", "tie": "tie", None: NOTHING}
_SHARES = {"control": "the control's", "treatment": "the treatment's", "judge": "another judge's"}
_JUDGES = (
    Column("Judge"), Column("Lab"), Column("Treatment", numeric=True), Column("Control", numeric=True),
    Column("Ties", numeric=True), Column("Lost", numeric=True), Column("Mean delta", numeric=True),
    Column("Same in both orders", numeric=True), Column("Scores of 5", numeric=True),
)  # fmt: skip
# Findings that stand open.
_FINDINGS = 5
_TOTALS = (
    Column("Judge"), Column("Points of the treatment", numeric=True), Column("Of the control", numeric=True),
    Column("Rows for the treatment", numeric=True), Column("For the control", numeric=True),
    Column("Ties", numeric=True), Column("Same answer", numeric=True),
)  # fmt: skip
_DIMENSIONS = (
    Column("Dimension"), Column("Treatment", numeric=True), Column("Control", numeric=True),
    Column("Mean delta", numeric=True), Column("Alpha", numeric=True), Column("Scores of 5", numeric=True),
    Column("Counts"),
)  # fmt: skip
_TYPES = (
    Column("Question type"), Column("Questions", numeric=True), Column("Treatment", numeric=True),
    Column("Control", numeric=True), Column("Ties", numeric=True), Column("Mean delta", numeric=True),
)  # fmt: skip
_QUESTIONS = (
    Column("Question"), Column("Type"), Column("Judges for the treatment", numeric=True),
    Column("For the control", numeric=True), Column("Ties", numeric=True), Column("Lost", numeric=True),
    Column("Mean delta", numeric=True), Column("Panel"),
)  # fmt: skip


def panel_tables(aggregate: Aggregate, findings: Findings, extent: Extent) -> Section:
    """Who is ahead, and folded below it how each judge and each dimension came out; nothing without a row."""
    if not aggregate.grid.expected:
        return Section()
    lead = next((each for each in findings.derived if each.measure == "overall"), None)
    finding: Text = finding_text(lead) if lead is not None else ""
    if not extent.rows:
        return Section(lead=(Strong("A/B:"), " ", finding))
    written = tuple([Foreign(each.text) for each in findings.written[:_FINDINGS]])
    concerns = [Item(text) for text in open_findings(findings)]
    words = f"{count(aggregate.grid.judges, 'judge')}, {count(aggregate.grid.questions, 'question')}"
    return Section(
        lead=(Strong("A/B:"), " ", finding),
        items=(*concerns[:_FINDINGS], *([Item("Written by a model:", under=written)] if written else [])),
        more=agreement_text(aggregate),
        folds=(
            Fold(f"A/B by judge ({words})", table=judge_table(aggregate)),
            *([Fold("A/B by dimension", table=dimension_table(aggregate))] if aggregate.dimensions else []),
        ),
    )


def open_findings(findings: Findings) -> Iterator[Text]:
    """What nobody may miss: judges that do not count, planted pairs that were lost, the rubric, protected questions."""
    return (finding_text(each) for each in findings.derived if each.code in _ABOVE)


def agreement_text(aggregate: Aggregate) -> Text:
    """How alike judges decide, and how many rows are lost."""
    agreement, grid = aggregate.agreement, aggregate.grid
    parts = []
    if agreement.pairs.total:
        ac1 = "" if agreement.ac1 is None else f" (AC1 {whole_number(agreement.ac1, 2)})"
        pairs = rate(agreement.pairs.hits, agreement.pairs.total)
        parts.append(f"Two judges of a question give one verdict in {pairs} pairs{ac1}")
    if agreement.control is not None:
        parts.append(f"a verdict for the control is shared by {percent_of_share(agreement.control, 0)} of the others")
    lost = sum(grid.lost.values())
    parts.append(f"{lost:,} of {count(grid.expected, 'row')} lost" if lost else "no row is lost")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def judge_table(aggregate: Aggregate) -> Table:
    """A row per judge: questions won, lost and tied, and how it scores."""
    return Table(_JUDGES, tuple(map(_judge, aggregate.judges)))


def totals_text(aggregate: Aggregate) -> Text:
    """All scores added up, rows by who is ahead in them, and p; empty where no row is counted."""
    headline = aggregate.headline
    if not headline.totals.rows:
        return ""
    parts = [*_added_up(headline.totals, headline.rows, len(aggregate.dimensions))]
    out = sum(judge.not_counted is not None for judge in aggregate.judges)
    # Every judge has the same number of rows to give.
    set_aside = aggregate.grid.expected // max(len(aggregate.judges), 1) * out
    lost = aggregate.grid.expected - headline.totals.rows - set_aside
    if lost:
        parts.append(f"{count(lost, 'row')} {'is' if lost == 1 else 'are'} lost")
    if set_aside:
        whose = "a judge that does" if out == 1 else "judges that do"
        parts.append(f"{count(set_aside, 'row')} {'is' if set_aside == 1 else 'are'} of {whose} not count")
    if headline.p is not None:
        over = count(headline.questions, "question")
        parts.append(f"{p_value(headline.p)} by the two-sided sign-flip test over {over}")
    return f"{'; '.join(parts)}."


def judge_totals(aggregate: Aggregate) -> Iterator[Text]:
    """Scores and rows of each judge, a line each, of the first judges."""
    for judge in aggregate.judges[:_TOLD_AT_MOST]:
        if judge.totals.rows:
            totals = "; ".join(_added_up(judge.totals, judge.rows, len(aggregate.dimensions)))
            yield _judge_name(judge), f": {totals[:1].lower()}{totals[1:]}."
    more = len(aggregate.judges) - _TOLD_AT_MOST
    if more > 0:
        yield f"and {count(more, 'more judge')}."


def _added_up(totals: Totals, rows: Wins, dimensions: int) -> Iterator[str]:
    if totals.scored:
        points = f"{totals.treatment:,} of {5 * totals.scored * dimensions:,} points, the control {totals.control:,}"
        yield f"The treatment has {points}, in {count(totals.scored, 'row')} with scores"
        ahead = f"the treatment is ahead in {count(rows.treatment, 'row')}, the control in {rows.control:,}"
        yield f"{ahead}, neither in {rows.tie:,}"
    if rows.identical:
        yield f"{'B' if not totals.scored else 'b'}oth arms gave the same answer in {count(rows.identical, 'row')}"


def totals_table(aggregate: Aggregate) -> Table:
    """A row per judge and one of all: points of both arms, rows by who is ahead in them."""
    judges = [(_judge_name(each), each.totals, each.rows) for each in aggregate.judges]
    entries = [*judges, (Strong("All judges"), aggregate.headline.totals, aggregate.headline.rows)]
    table: list[tuple[Text, ...]] = []
    for name, totals, rows in entries:
        numbers = (totals.treatment, totals.control, rows.treatment, rows.control, rows.tie, rows.identical)
        table.append((name, *[f"{number:,}" for number in numbers]))
    return Table(_TOTALS, tuple(table))


def dimension_table(aggregate: Aggregate) -> Table:
    """A row per dimension: both means, and whether judges agree enough on it."""
    return Table(_DIMENSIONS, tuple(map(_dimension, aggregate.dimensions)))


def type_table(aggregate: Aggregate) -> Table:
    """A row per question type."""
    return Table(_TYPES, tuple(map(_type, aggregate.types)))


def question_table(aggregate: Aggregate) -> Table:
    """A row per question, the first of them."""
    return Table(_QUESTIONS, FirstEntries(aggregate.questions, _question, LISTED_AT_MOST))


def family_lines(aggregate: Aggregate) -> Iterator[Text]:
    """How often judges of one name, working in several ways, decide alike."""
    for family in aggregate.families:
        pairs = rate(family.agreed.hits, family.agreed.total)
        yield Code(cut(family.judge, _LONGEST_NAME)), f" in its {len(family.harnesses)} ways decides alike in {pairs}."


def _judge_name(judge: JudgeResult) -> Text:
    name = Code(cut(judge_name(judge.judge, judge.harness), _LONGEST_NAME))
    return name if judge.not_counted is None else (name, " (not counted)")


def _judge(judge: JudgeResult) -> tuple[Text, ...]:
    shares = " and ".join([_SHARES[each] for each in judge.shares])
    lab: Text = Foreign(cut(judge.lab, _LONGEST_NAME), if_blank=NOTHING)
    return (
        _judge_name(judge),
        (lab, f" ({shares})") if shares else lab,
        f"{judge.wins.treatment:,}",
        f"{judge.wins.control:,}",
        f"{judge.wins.tie + judge.wins.identical:,}",
        f"{judge.lost:,}",
        signed(judge.totals.mean_delta),
        rate(judge.consistency.hits, judge.consistency.total),
        rate(judge.ceiling.hits, judge.ceiling.total),
    )


def _dimension(dimension: DimensionResult) -> tuple[Text, ...]:
    totals, alpha = dimension.totals, dimension.alpha
    between = "" if alpha.low is None or alpha.high is None else f" ({_two(alpha.low)} to {_two(alpha.high)})"
    return (
        Code(dimension.name),
        mean(totals.mean_treatment),
        mean(totals.mean_control),
        signed(totals.mean_delta),
        NOTHING if alpha.value is None else f"{_two(alpha.value)}{between}",
        rate(dimension.ceiling.hits, dimension.ceiling.total),
        "informs only" if dimension.informational else "yes",
    )


def _two(value: float) -> str:
    return f"{value:.2f}"


def _type(kind: TypeResult) -> tuple[Text, ...]:
    return (
        Foreign(cut(kind.question_type, _LONGEST_NAME), if_blank="without a type"),
        f"{kind.questions:,}",
        f"{kind.wins.treatment:,}",
        f"{kind.wins.control:,}",
        f"{kind.wins.tie + kind.wins.identical:,}",
        signed(kind.mean_delta),
    )


def _question(question: QuestionResult) -> tuple[Text, ...]:
    votes = question.votes
    panel = "same answer" if question.identical else _AHEAD[question.consensus]
    return (
        Code(cut(question.question_id, _LONGEST_NAME)),
        Foreign(cut(question.question_type, _LONGEST_NAME), if_blank=NOTHING),
        f"{votes.treatment:,}",
        f"{votes.control:,}",
        f"{votes.tie + votes.identical:,}",
        f"{question.lost:,}",
        signed(question.totals.mean_delta),
        f"{panel}, unanimous" if question.unanimous else panel,
    )
