"""The card of a judge: how it stands beside people's labels, whether it counts, and if not what would make it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile
from math import comb
from typing import Any, Final, NamedTuple

from raggate_action.core.judging.agreement_with_labels import OnTrial, PlantResults, Trial, trial_of
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.statistics.agreement import ConfusionTable, cohen_kappa, failing_agreement, gwet_ac1
from raggate_action.core.statistics.intervals import clopper_pearson, lower_limit, upper_limit
from raggate_action.schema.base import Rate, rate_of
from raggate_action.schema.calibration import ErrorRate, JudgeCard, TrialJob
from raggate_action.schema.judgement import Judgement, Unarmed
from raggate_action.schema.judges import Arming
from raggate_action.schema.panel import PanelMember, PanelRules

# Nobody labels more: a bar that is not met by then is out of reach.
_MOST = 100_000


class MissingLabels(NamedTuple):
    """Labels that the terms need beyond those there are; `right` and `faulty` are among `labels`."""

    labels: int
    right: int
    faulty: int


def missing_labels(
    table: ConfusionTable, arming: Arming, *, unjudged_right: int = 0, unjudged_faulty: int = 0
) -> MissingLabels:
    """The fewest further labels that meet the terms, if the judge does not err on one of them.

    Args:
        table: People first, the judge second.
        arming: The terms.
        unjudged_right: Labels of right claims that the judge has no verdict on yet; it is taken not to err on them.
        unjudged_faulty: The same of faulty claims.
    """
    has_right, has_faulty = table.good + unjudged_right, table.faulty + unjudged_faulty
    right = _fewest(has_right, lambda n: meets_limit(table.second_faulty, n, arming.false_block))
    faulty = _fewest(max(has_faulty, arming.faults), lambda n: meets_limit(table.second_good, n, arming.false_pass))

    def agrees(more: int) -> bool:
        whole = ConfusionTable(
            right + more - table.second_faulty, table.second_faulty, table.second_good, faulty - table.second_good
        )
        return meets_ac1(whole, arming)

    labels = max(arming.labels, right + faulty + _fewest(0, agrees))
    return MissingLabels(labels - has_right - has_faulty, right - has_right, faulty - has_faulty)


def meets_limit(errors: int, of: int, bar: Decimal) -> bool:
    """Whether a share of errors is shown to stay at or below a bar, one-sided at 95 %."""
    return upper_limit(rate_of(errors, of)) <= bar


def meets_ac1(table: ConfusionTable, arming: Arming) -> bool:
    """Whether the judge agrees with people as much as the terms want."""
    ac1 = gwet_ac1(table)
    return ac1 is not None and ac1 >= arming.ac1


# Sizes of label files that people are told of.
_SIZES: Final = (50, 100, 200)


def chances_of_arming(
    table: ConfusionTable, arming: Arming, *, labelled: int | None = None
) -> tuple[tuple[int, float], ...]:
    """How likely a judge is armed with so many labels if it goes on to err as it did, and their mix stays.

    Exact by the binomial distribution of either kind of error. Sizes that there are already, or that the terms exclude,
    are left out; empty where one kind has no label, for then nobody knows how often the judge errs there.

    Args:
        table: People first, the judge second.
        arming: The terms.
        labelled: How many labels there are; those of the table where nothing is said.
    """
    if not table.good or not table.faulty:
        return ()
    found = []
    for size in _SIZES:
        if (table.total if labelled is None else labelled) < size >= arming.labels:
            faulty = max(arming.faults, round(size * table.faulty / table.total))
            found.append((size, _chance(size - faulty, faulty, table, arming)))
    return tuple(found)


def _chance(good: int, faulty: int, table: ConfusionTable, arming: Arming) -> float:
    """How likely samples of these sizes meet the terms; 0 where they hold no good one."""
    if good <= 0:
        return 0.0
    blocks = _likely(good, table.second_faulty / table.good, arming.false_block)
    passes = _likely(faulty, table.second_good / table.faulty, arming.false_pass)
    return sum(
        blocked * passed
        for block, blocked in blocks
        for let, passed in passes
        if meets_ac1(ConfusionTable(good - block, block, let, faulty - let), arming)
    )


def _likely(of: int, share: float, bar: Decimal) -> list[tuple[int, float]]:
    """Each number of errors that meets a bar, with how likely it is."""
    numbers = takewhile(lambda errors: meets_limit(errors, of, bar), range(of + 1))
    return [(errors, comb(of, errors) * share**errors * (1 - share) ** (of - errors)) for errors in numbers]


def _fewest(least: int, is_enough: Callable[[int], bool]) -> int:
    """The smallest number from `least` on that is enough, where a larger one is enough as well."""
    low, high = least, max(least, 1)
    if is_enough(low):
        return low
    while not is_enough(high):
        if high >= _MOST:
            return _MOST
        low, high = high, min(_MOST, 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


# With a space in it, so that no judge is called the same.
PANEL: Final = "the panel"


class JudgeVotes(NamedTuple):
    """What one judge said of labels, by their id, and how it took planted instructions."""

    labels: Mapping[str, Judgement]
    planted: PlantResults = PlantResults()


def card_of(
    on_trial: OnTrial[Any], votes: JudgeVotes, member: PanelMember, *, prompt: str, earlier: Iterable[JudgeCard] = ()
) -> JudgeCard:
    """The card of one judge at one job.

    Args:
        on_trial: What it is held against.
        votes: Its judgements, all of today's judge and prompt.
        member: Which judge.
        prompt: Digest of its prompt.
        earlier: Cards of the run before; the one of this judge at this job with this prompt shows how far it drifted.
    """
    terms = PanelTerms(members=(member.name,), armed=frozenset({member.name}))
    card = _card(on_trial, trial_of(on_trial, [votes.labels], terms), votes.planted)
    bound = (card.job, member.fingerprint, prompt)
    held = [each for each in earlier if each.agreement.total]
    drift = next((each.agreement for each in held if (each.job, each.fingerprint, each.prompt) == bound), None)
    return card.model_copy(
        update={
            "judge": member.name,
            "lab": member.lab,
            "model": member.model,
            "fingerprint": member.fingerprint,
            "prompt": prompt,
            "drift": drift,
        }
    )


def declared_card(card: JudgeCard, *, of_plants: int, earlier: Iterable[JudgeCard]) -> JudgeCard:
    """The card of a judge whose suite declares that judges count.

    One that labels arm needs no declaration. One that obeys a planted instruction, or was shown fewer than half of
    them, does not count. What it calls supported verifies only if the same judge counted on the baseline.

    Args:
        card: Its card by labels.
        of_plants: How many planted instructions there are.
        earlier: Cards of the baseline's run.
    """
    if card.armed or card.why_not == "obeyed-injection":
        return card
    if not card.injections_shown or 2 * card.injections_shown < of_plants:
        return card.model_copy(update={"why_not": "not-judged"})
    same = [each for each in earlier if (each.job, each.fingerprint) == (card.job, card.fingerprint)]
    declared = {"armed": True, "why_not": None, "declared": card.why_not}
    return card.model_copy(update={**declared, "verifies": any(each.armed for each in same)})


def terms_of(
    members: tuple[str, ...],
    armed: frozenset[str],
    faults_only: frozenset[str],
    quorum: int | None,
    *,
    declared: frozenset[str] = frozenset(),
) -> PanelTerms:
    """The terms of a panel.

    Args:
        members: All judges.
        armed: Those whose votes count.
        faults_only: Those of them whose good word verifies nothing.
        quorum: As the suite says; None is more than half of those who count.
        declared: Those of them who count by declaration alone.
    """
    found = PanelTerms(members, armed, quorum_of(len(armed), quorum), declared=declared)
    if not faults_only:
        return found
    return found._replace(faults_only=faults_only, quorum_without=quorum_of(len(armed - faults_only), quorum))


def panel_card(on_trial: OnTrial[Any], votes: Mapping[str, JudgeVotes], terms: PanelTerms) -> JudgeCard | None:
    """The card of all judges that are armed for a job, together; None where fewer than two are, or no label is there.

    Args:
        on_trial: What they are held against.
        votes: What each judge said, by its name.
        terms: Who is armed, and how many of them decide.
    """
    armed = [name for name in terms.members if name in terms.deciding_judges]
    if len(armed) < 2 or not on_trial.human_verdicts:
        return None
    together = trial_of(on_trial, [votes[name].labels for name in armed], terms)
    return _card(on_trial, together, PlantResults()).model_copy(update={"judge": PANEL})


def quorum_of(armed: int, quorum: int | None) -> int:
    """Votes that a verdict needs: as the suite says, else more than half of the armed judges; 0 where none is armed."""
    return 0 if not armed else quorum if quorum is not None else armed // 2 + 1


def terms_under(
    rules: PanelRules, cards: Iterable[JudgeCard], terms: Mapping[TrialJob, PanelTerms]
) -> Mapping[TrialJob, PanelTerms] | None:
    """A panel on the terms of another suite, job by job, of those judges alone that count for it today.

    None where it decides as it does.

    Args:
        rules: The other suite's.
        cards: How the judges stand today, at every job.
        terms: Who decides today.
    """
    found: dict[TrialJob, PanelTerms] = {}
    all_cards = tuple(cards)
    for job, today in terms.items():
        own = [card for card in all_cards if card.job == job and card.judge in today.armed]
        is_declared = rules.counts == "declared"
        armed = frozenset([card.judge for card in own if is_declared or _meets(card, rules.arming)])
        other = terms_of(today.members, armed, today.faults_only & armed, rules.quorum, declared=today.declared & armed)
        found[job] = today if armed == today.armed and other.quorum <= today.quorum else other
    return None if found == terms else found


def _meets(card: JudgeCard, arming: Arming) -> bool:
    """Whether a judge that is armed would be by other terms."""
    errors = ((card.false_block, arming.false_block), (card.false_pass, arming.false_pass))
    return (
        card.labels >= arming.labels
        and card.faults >= arming.faults
        and (card.ac1 is not None and card.ac1 >= arming.ac1)
        and all(each is not None and meets_limit(each.rate.hits, each.rate.total, bar) for each, bar in errors)
    )


def _card(on_trial: OnTrial[Any], trial: Trial, plants: PlantResults) -> JudgeCard:
    """The card that a trial comes to, of nobody yet."""
    table, arming = trial.table, on_trial.arming
    missing = missing_labels(
        table,
        arming,
        unjudged_right=trial.unjudged_right,
        unjudged_faulty=trial.unjudged_faulty,
    )
    why_not = _why_not(arming, trial, plants, missing)
    return JudgeCard(
        judge="",
        job=on_trial.job.name,
        labels_digest=on_trial.digest,
        armed=why_not is None,
        why_not=why_not,
        labels=table.total,
        faults=table.faulty,
        made=trial.made,
        unjudged=trial.unjudged_right + trial.unjudged_faulty,
        untold=trial.cannot_tell,
        untested=trial.untested,
        missing_labels=missing.labels,
        missing_right=missing.right,
        missing_faults=missing.faulty,
        chances=chances_of_arming(table, arming) if why_not not in {None, "obeyed-injection"} else (),
        confusion=trial.confusion,
        false_block=_errors(rate_of(table.second_faulty, table.good)),
        false_pass=_errors(rate_of(table.second_good, table.faulty)),
        kappa=cohen_kappa(table),
        ac1=gwet_ac1(table),
        faulty_agreement=failing_agreement(table),
        agreement=rate_of(table.agreements, table.total),
        injections_shown=plants.judged,
        obeyed=plants.obeyed,
    )


def _errors(rate: Rate) -> ErrorRate:
    low, high = clopper_pearson(rate)
    return ErrorRate(rate=rate, upper=upper_limit(rate), low=low, high=high)


def _why_not(arming: Arming, trial: Trial, plants: PlantResults, missing: MissingLabels) -> Unarmed | None:
    """Why a judge does not count: of several reasons the one that says best what to do; None where it does.

    What no label can mend stands first: nobody should label for a judge that has to be replaced.
    """
    if plants.obeyed:
        return "obeyed-injection"
    beyond = _proven_bad(trial.table, arming) or _too_few_labelled(trial, arming)
    if beyond is not None:
        return beyond
    unmet = _unmet(trial.table, arming)
    # Under most of the instructions nobody has seen what it does.
    if 2 * plants.judged < plants.of or (unmet and not any(missing)):
        return "not-judged"
    return unmet


def _too_few_labelled(trial: Trial, arming: Arming) -> Unarmed | None:
    """Labels so few that the terms cannot be met, however they are judged."""
    right, faulty = trial.table.good + trial.unjudged_right, trial.table.faulty + trial.unjudged_faulty
    if not right + faulty + trial.cannot_tell:
        return "no-labels"
    if right + faulty < arming.labels:
        return "too-few-labels"
    return "too-few-faults" if faulty < arming.faults else None


def _proven_bad(table: ConfusionTable, arming: Arming) -> Unarmed | None:
    """Errors so many that their share is above the bar, one-sided at 95 %."""
    if lower_limit(rate_of(table.second_faulty, table.good)) > arming.false_block:
        return "false-block"
    if lower_limit(rate_of(table.second_good, table.faulty)) > arming.false_pass:
        return "false-pass"
    return None


def _unmet(table: ConfusionTable, arming: Arming) -> Unarmed | None:
    """The first term that the judged claims do not meet."""
    if table.total < arming.labels:
        return "too-few-labels"
    if table.faulty < arming.faults:
        return "too-few-faults"
    if not meets_ac1(table, arming):
        return "ac1"
    limits: Sequence[tuple[Unarmed, int, int, Decimal]] = (
        ("false-block", table.second_faulty, table.good, arming.false_block),
        ("false-pass", table.second_good, table.faulty, arming.false_pass),
    )
    for code, errors, of, bar in limits:
        if not meets_limit(errors, of, bar):
            # Without an error it is the labels that are too few to show it.
            return code if errors else "too-few-labels"
    return None
