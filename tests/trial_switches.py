"""Every rule of arming, how to turn it off, and one example that shows it: rows for `tests.rule_switches`."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from tests.builders import make_case
from tests.calibration_builders import judgements, labels, member
from tests.item_labels import held_labels, said_of

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]


def on_trial(right: int, faulty: int, *, resisted: tuple[int, int] = (0, 0), silent: int = 0, **errors: Any) -> Example:
    """The card of a judge that errs so often on so many labels, and was shown so many of so many planted instructions."""

    def card(core: Core) -> Any:
        answers = labels(right, faulty)
        given = judgements(answers, silent=silent, **errors)
        cards, trial = core["judging.scorecard_and_arming"], core["judging.agreement_with_labels"]
        of, shown = resisted
        found = cards.card_of(
            trial.OnTrial(core["judging.agreement_with_labels"].LABELLED["claims"], answers),
            cards.JudgeVotes(given, trial.PlantResults(of, shown)),
            member(),
            prompt="p",
        )
        return found.model_dump()

    return card


def copied(core: Core) -> Any:
    """How many labels there are where one answer stands under twelve case ids."""
    (answer,) = labels(3, 2)
    answers = tuple([answer.model_copy(update={"id": f"copy-{n}", "case_id": f"case-{n}"}) for n in range(12)])
    trial = core["judging.agreement_with_labels"]
    return len(trial.OnTrial(trial.LABELLED["claims"], answers).human_verdicts)


def items_on_trial(*, must_not: bool = False, unsure: int = 0) -> Example:
    """The card of a judge for criteria."""

    def card(core: Core) -> Any:
        answers = held_labels("criteria", 30, 20, must_not=must_not)
        criteria = core["judging.agreement_with_labels"].LABELLED["criteria"]
        on_trial = core["judging.agreement_with_labels"].OnTrial(criteria, answers)
        given = core["judging.scorecard_and_arming"].JudgeVotes(said_of(answers, unsure=unsure))
        return core["judging.scorecard_and_arming"].card_of(on_trial, given, member(), prompt="p").model_dump()

    return card


def drifted(core: Core) -> Any:
    """What a judge's card for criteria knows of a run before in which it was armed for facts."""
    answers = held_labels("criteria", 30, 20)
    cards = core["judging.scorecard_and_arming"]
    on_trial = core["judging.agreement_with_labels"].OnTrial(
        core["judging.agreement_with_labels"].LABELLED["criteria"], answers
    )
    given = core["judging.scorecard_and_arming"].JudgeVotes(said_of(answers))
    before = cards.card_of(on_trial, given, member(), prompt="p")
    of_facts = before.model_copy(update={"job": "agreement"})
    return cards.card_of(on_trial, given, member(), prompt="p", earlier=[of_facts]).drift


def used(core: Core) -> Any:
    """The gates of judges that a suite without criteria uses."""
    return core["judging.facts_and_criteria"].gates_used([make_case()])


TRIAL_RULES = [
    ("so many labels arm", "judging.scorecard_and_arming", "if right + faulty < arming.labels:", "if False:", on_trial(29, 20, resisted=(4, 0))),
    ("so many faults arm", "judging.scorecard_and_arming", "if faulty < arming.faults else None", "if False else None", on_trial(40, 19, resisted=(4, 0))),
    ("claims without a verdict arm nobody", "judging.scorecard_and_arming", "unmet and not any(missing)", "False", on_trial(30, 20, silent=1)),
    ("errors that no label can mend are told first", "judging.scorecard_and_arming", "_proven_bad(trial.table, arming) or ", "", on_trial(10, 5, block=6)),
    ("a judge that few instructions were shown to is not judged", "judging.scorecard_and_arming", "2 * plants.judged < plants.of", "False", on_trial(30, 20, resisted=(4, 1))),
    ("good claims called faulty disarm", "judging.scorecard_and_arming", '("false-block", table.second_faulty, table.good, arming.false_block),', "", on_trial(30, 20, block=2)),
    ("faulty claims let pass disarm", "judging.scorecard_and_arming", '("false-pass", table.second_good, table.faulty, arming.false_pass),', "", on_trial(30, 20, passes=3)),
    ("too few right labels are not a judge that blocks", "judging.scorecard_and_arming", 'return code if errors else "too-few-labels"', "return code", on_trial(10, 40)),
    ("copies of one statement are one label", "judging.agreement_with_labels", "if not each.of or (each.of, each.verdict) not in known:", "if True:", copied),
    ("what is not supported is faulty", "judging.agreement_with_labels", 'frozenset({"supported", "stated", "met"})', 'frozenset({"supported", "unsupported", "stated", "met"})', on_trial(30, 20)),
    ("a judge is armed for a gate by labels of that gate", "judging.scorecard_and_arming", "        job=on_trial.job.name,\n", "", items_on_trial()),
    ("what a judge cannot tell answers no label", "judging.agreement_with_labels", "elif found.cannot_tell:", "elif False:", items_on_trial(unsure=1)),
    ("a criterion that must not hold is good where it does not", "judging.agreement_with_labels", 'worst_first("criterion", must_not=must_not)[-1]', '"yes"', items_on_trial(must_not=True)),
    ("drift is of one job", "judging.scorecard_and_arming", "(each.job, each.fingerprint, each.prompt) == bound", "(each.fingerprint, each.prompt) == bound[1:]", drifted),
    ("no case, no card", "judging.facts_and_criteria", "if case.criteria:", "if True:", used),
]  # fmt: skip
