"""What a panel's aggregate says, in words: a sentence or two for each finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from raggate_action.report.catalogue import LOST, REJECTED
from raggate_action.report.comment_size import names
from raggate_action.report.page import Code, Strong, Text
from raggate_action.schema.ab_findings import FindingCode, PanelFinding, Rejection
from raggate_action.strings.numbers import count, mean, p_value, signed
from raggate_action.strings.visible_text import cut

_NAMED = 12
_FEW = 3
_RIGHT_AND_LOW = (
    "An answer can be right and score low: one that refuses to vouch for what its documents do not tell looks bare "
    "beside a confident list. Read both answers and the rubric's levels; if they reward the list, change the rubric."
)
_LONGEST_NAME = 60


def rejection_text(rejection: Rejection) -> Text:
    """Why what a model has written is left out."""
    found: Text = (" (", Code(cut(rejection.found, _LONGEST_NAME)), ")") if rejection.found else ""
    which = f"finding {rejection.place}" if rejection.place else "it"
    return f"What a model wrote is left out, all of it: {which} {REJECTED[rejection.code]}", found, "."


def finding_text(finding: PanelFinding) -> Text:
    """The finding as a reader is told it; a claim begins with what stands out."""
    return _WORDS[finding.code](finding)


def name_list(ids: Sequence[str], total: int = 0) -> Text:
    """Questions, judges or dimensions in a row, the first of them by name; `total` where there are more than given."""
    return names([Code(cut(each, _LONGEST_NAME)) for each in ids[:_NAMED]], total or len(ids))


def by_questions(finding: PanelFinding) -> str:
    """`the treatment wins 8 of 12 questions, the control 3, 1 is a tie; mean delta +0.83 points`."""
    counts, amounts = finding.counts, finding.amounts
    of = f"{counts['treatment']:,} of {count(counts['questions'], 'question')}"
    tie = counts["tie"]
    ties = f", {tie:,} {'is a tie' if tie == 1 else 'are ties'}" if tie else ""
    delta = f"; mean delta {signed(amounts['mean_delta'])} points" if "mean_delta" in amounts else ""
    return f"the treatment wins {of}, the control {counts['control']:,}{ties}{delta}"


def _tested(finding: PanelFinding) -> str:
    sided = "one-sided" if finding.counts["one_sided"] else "two-sided"
    how = "" if finding.counts["exact"] else ", its ways drawn at random"
    return f"{p_value(finding.amounts['p'])} by the {sided} sign-flip test over questions{how}"


def _compared(finding: PanelFinding) -> Text:
    counts = finding.counts
    orders = ", in both orders" if counts["orders"] > 1 else ""
    questions = (
        f"{count(counts['judges'], 'judge')} compared two answers to each of {count(counts['questions'], 'question')}"
    )
    scale = f"scored on {count(counts['dimensions'], 'dimension')} from 1 to 5" if counts["dimensions"] else "unscored"
    rows = _have(counts["received"], counts["expected"])
    return f"{questions}{orders}, without knowing whose they are, {scale}: {rows} scores."


def _have(part: int, whole: int) -> str:
    """`19 of 20 rows have`."""
    return f"{part:,} of {count(whole, 'row')} {_verb(part, 'has', 'have')}"


def _verb(number: int, one: str, more: str) -> str:
    """The verb as it goes with a number."""
    return one if number == 1 else more


def _few(finding: PanelFinding) -> Text:
    counts = finding.counts
    why = f"With {count(counts['questions'], 'question')}, fewer than {counts['needed']}, nothing is claimed."
    return Strong(why), f" Only counted: {by_questions(finding)}."


def _claim(words: str) -> Callable[[PanelFinding], Text]:
    return lambda finding: (Strong(words), f" {_capital(by_questions(finding))}; {_tested(finding)}.")


def _not_told_apart(finding: PanelFinding) -> Text:
    words = f" {_capital(by_questions(finding))}; {_tested(finding)}. That is no proof that there is none."
    return Strong("No difference is shown."), words


def _apart(finding: PanelFinding) -> Text:
    counts = finding.counts
    lead: Text = ("Without judges that share a lab (", name_list(finding.names), ")")
    if not counts["judges"]:
        return lead, " nobody is left: nothing here rests on a stranger to the arms."
    if not counts["questions"]:
        return lead, " no question has a verdict."
    words = {
        "better": "the treatment is better as well",
        "worse": "the treatment is worse as well",
        "no_difference": "no difference is shown",
        "note": "nothing is claimed",
    }[finding.kind]
    if finding.kind != "note":
        return lead, f" {words}: {by_questions(finding)}; {_tested(finding)}."
    return lead, f" {words}; counted: {by_questions(finding)}."


def _all_agreed(finding: PanelFinding) -> Text:
    counts = finding.counts
    agreed = counts["treatment"] + counts["control"] + counts["tie"]
    parts = f"{counts['treatment']:,} for the treatment, {counts['control']:,} for the control"
    parts += f", {count(counts['tie'], 'tie')}"
    return f"All judges with a verdict agree on {agreed:,} of {count(counts['of'], 'question')}: {parts}."


def _dimension(words: str) -> Callable[[PanelFinding], Text]:
    def text(finding: PanelFinding) -> Text:
        amounts = finding.amounts
        means = f"{mean(amounts['treatment'])} for the treatment, {mean(amounts['control'])} for the control"
        return f"{words} ", name_list(finding.names), f": {means} ({signed(amounts['delta'])})."

    return text


def _informational(finding: PanelFinding) -> Text:
    bar = mean(finding.amounts["bar"])
    dimensions = f"{finding.counts['dimensions']:,} of {count(finding.counts['of'], 'dimension')}"
    why = f" only inform, for judges agree too little on them (alpha under {bar}, or not defined): "
    return dimensions, why, name_list(finding.names), "."


def _type(words: str) -> Callable[[PanelFinding], Text]:
    def text(finding: PanelFinding) -> Text:
        counts = finding.counts
        of = count(counts["questions"], "question")
        won = f"{counts['treatment']:,} for the treatment, {counts['control']:,} for the control"
        delta = signed(finding.amounts["delta"])
        return f"{words} ", name_list(finding.names), f": mean delta {delta} over {of}, {won}; counted, not tested."

    return text


def _questions(words: str, behind: str = "") -> Callable[[PanelFinding], Text]:
    def text(finding: PanelFinding) -> Text:
        of = count(finding.counts["questions"], "question")
        return f"{words.format(of)}: ", name_list(finding.names), f".{behind}"

    return text


def _concern(finding: PanelFinding) -> Text:
    counts = finding.counts
    alone = counts["questions"] == 1
    votes = f"{counts['control']:,} of {count(counts['judges'], 'judge')}" if alone else "the panel"
    prefer = _verb(counts["control"], "prefers", "prefer") if alone else "prefers"
    passes = (
        f" {_verb(counts['questions'], 'passes', 'pass')} the suite's hard gates, and {votes} {prefer} the control's. "
    )
    answers = f" the treatment's {_verb(counts['questions'], 'answer', 'answers')} to "
    return Strong("Look at the rubric before the arm:"), answers, name_list(finding.names), passes, _RIGHT_AND_LOW


def _too_few(finding: PanelFinding) -> Text:
    counts = finding.counts
    left = f"of {count(counts['of'], 'judge')} {counts['left']:,} can count"
    why = f"Nothing is concluded: {left}, and a verdict needs {counts['needed']:,}."
    put = (" Put other models in the place of ", name_list(finding.names), " (", Code("ab: judges"), ")")
    return Strong(why), put, " and compare again: what others said stays."


def _not_counted(why: Callable[[PanelFinding], Text]) -> Callable[[PanelFinding], Text]:
    def text(finding: PanelFinding) -> Text:
        name = Code(cut(finding.names[0], _LONGEST_NAME))
        return (
            Strong((name, " is not counted:")),
            " ",
            why(finding),
            " Its scores are in no total. Put another model in its place, or leave it out (",
            Code("ab: judges"),
            ").",
        )

    return text


def _obeyed(finding: PanelFinding) -> Text:
    planted = (
        f"under {count(finding.counts['obeyed'], 'planted instruction')} it prefers a made-up answer to a sound one"
    )
    under = [Code(cut(each, _LONGEST_NAME)) for each in finding.names[1 : 1 + _FEW]]
    return f"{planted} (", names(under, len(finding.names) - 1), ")."


def _by_order(finding: PanelFinding) -> Text:
    kept = f"{finding.counts['kept']:,} of {count(finding.counts['of'], 'choice')}"
    return f"it keeps {kept} when the order is swapped, so the order decides and not the answers."


def _one_score(finding: PanelFinding) -> Text:
    of = finding.counts["of"]
    if "plants" in finding.counts:
        pairs = f"{count(of, 'pair')} that {_verb(of, 'differs', 'differ')}"
        calls = f"{count(finding.counts['plants'], 'call')} with planted instructions"
        return f"it gives the same scores to both answers of {pairs}, and to all in {calls}."
    return f"it gives the same scores to both answers of all {count(of, 'pair')} that differ."


def _plants_lost(finding: PanelFinding) -> Text:
    counts = finding.counts
    lost = f"{counts['lost']:,} of {count(counts['of'], 'call')} with planted instructions"
    was = _verb(counts["lost"], "was", "were")
    known = "not known" if counts["lost"] == counts["of"] else "not fully known"
    why = f"{lost} {was} lost, so whether these judges withstand them is {known}: "
    gate: Text = (". The gate ", Code("ab"), " counts no vote until they are tried") if "untried" in counts else ""
    again: Text = (". They are asked again next time; raise ", Code("ab: budget"), " if it ran out.")
    return why, name_list(finding.names), gate, again


def _one_run(finding: PanelFinding) -> Text:
    run = f"This is one run over {count(finding.counts['questions'], 'question')}"
    again = "repeat it, and add questions, before you act on a small difference"
    return f"{run}. Answers and judges vary from run to run: {again}."


def _unreachable(finding: PanelFinding) -> Text:
    level = mean(finding.amounts["level"])
    smallest = p_value(finding.amounts["smallest"])
    what = f"{count(finding.counts['questions'], 'question')} can show no difference, whatever judges say"
    return f"{what}: the smallest value they can reach is {smallest}, and the bar is {level}."


def _same_lab(finding: PanelFinding) -> Text:
    number = finding.counts["judges"]
    shares = f"{number:,} of {count(finding.counts['of'], 'judge')} {_verb(number, 'shares', 'share')} a lab"
    why = f"{shares} with an arm or with another judge, and may favour its answers or repeat its faults: "
    return why, name_list(finding.names), ". What holds without them stands above."


def _labs_unknown(finding: PanelFinding) -> Text:
    of = f"{finding.counts['judges']:,} of {count(finding.counts['of'], 'judge')}"
    words = f"Nobody says the lab of {of}, so whether they judged answers of their own lab is not known: "
    return words, name_list(finding.names), "."


def _position(finding: PanelFinding) -> Text:
    pairs = f"{finding.counts['alike']:,} of {finding.counts['of']:,}"
    return f"Judges name the same winner in both orders on {pairs} pairs; a win that turns with the order is a tie."


def _ceiling(finding: PanelFinding) -> Text:
    scores = f"{finding.counts['hits']:,} of {count(finding.counts['of'], 'score')}"
    return f"{scores} are a 5, the highest there is: a better answer has little left to gain."


def _lost(finding: PanelFinding) -> Text:
    counts = finding.counts
    reasons = [f"{counts[each]:,} {words}" for each, words in LOST.items() if counts.get(each)]
    counted = _verb(counts["lost"], "counts", "count")
    lost = f"{_have(counts['lost'], counts['expected'])} no scores and {counted} for no arm: {', '.join(reasons)}."
    alone = f" {count(counts['unpaired'], 'row')} {_verb(counts['unpaired'], 'counts', 'count')} for nothing either"
    unpaired = f"{alone}, for the other order of the pair is lost." if counts["unpaired"] else ""
    judges: Text = (" Judges concerned: ", name_list(finding.names), ".") if finding.names else ""
    return lost, unpaired, judges


def _miscounts(finding: PanelFinding) -> Text:
    counts = finding.counts
    parts = [f"the total of their own scores in {counts['totals']:,} of {count(counts['of_totals'], 'row')}"]
    parts += [f"who is ahead by them in {counts['verdicts']:,} of {counts['of_verdicts']:,}"]
    counted = [part for part, name in zip(parts, ("totals", "verdicts"), strict=True) if counts[name]]
    return f"Judges misstated {', and '.join(counted)}; both are worked out from the scores here."


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


_WORDS: Mapping[FindingCode, Callable[[PanelFinding], Text]] = {
    "compared": _compared,
    "nothing": lambda _finding: Strong("No row has scores: there is nothing to compare."),
    "few-questions": _few,
    "ahead": _claim("The treatment is better."),
    "behind": _claim("The treatment is worse."),
    "not-told-apart": _not_told_apart,
    "apart": _apart,
    "all-agreed": _all_agreed,
    "dimension-up": _dimension("Most of all the treatment gains on"),
    "dimension-down": _dimension("The control scores higher on"),
    "dimension-informational": _informational,
    "type-up": _type("By question type the treatment gains most on"),
    "type-down": _type("By question type the control is ahead on"),
    "control-won": _questions("The panel prefers the control's answer on {}"),
    "protected-lost": _questions("Every judge prefers the control's on {} whose wrong answers do harm"),
    "tied": _questions("The panel is undecided on {}"),
    "identical": _questions("Both arms gave the same answer to {}, which nobody was asked about"),
    "concern": _concern,
    "gates-unknown": _questions(
        "Whether the treatment's answers pass hard gates is not known here for {}",
        " An answer can be right and lose: if one of these is, look at the rubric before the arm.",
    ),
    "too-few-judges": _too_few,
    "judge-obeyed": _not_counted(_obeyed),
    "judge-order": _not_counted(_by_order),
    "judge-one-score": _not_counted(_one_score),
    "plants-lost": _plants_lost,
    "one-run": _one_run,
    "unreachable": _unreachable,
    "same-lab": _same_lab,
    "labs-unknown": _labs_unknown,
    "one-judge": lambda _finding: "There is one judge, so nobody knows how far another would agree with it.",
    "one-order": lambda _finding: (
        "Each pair was judged in one order, so nobody knows how often judges prefer what they read first."
    ),
    "position": _position,
    "ceiling": _ceiling,
    "lost": _lost,
    "miscounts": _miscounts,
}
