"""The panel of a run: who was asked, on what terms, and what it came to."""

from collections.abc import Iterable, Mapping
from operator import not_
from typing import Self

from pydantic import Field

from raggate_action.schema.base import Amount, Natural, Positive, Record
from raggate_action.schema.calibration import JudgeCard, TrialJob
from raggate_action.schema.judges import Arming, Counts
from raggate_action.schema.judging_counts import CallCost
from raggate_action.schema.outcome import JUDGED_GATES, GateName


class PanelMember(Record):
    """A judge as a run knows it.

    Attributes:
        name, lab, model: As in the suite.
        fingerprint: As in `Judgement`.
        priced: Its price is known.
    """

    name: str
    lab: str
    model: str
    fingerprint: str
    priced: bool = False


class PanelRules(Record):
    """What the suite says of who decides.

    Attributes:
        arming: From when on a judge counts.
        quorum: Votes of armed judges that a verdict needs; None is more than half of the armed ones.
        counts: Whose verdicts count; see `Judges`.
    """

    arming: Arming
    quorum: Positive | None = None
    counts: Counts = Field(default="labelled", exclude_if="labelled".__eq__)


class Panel(Record):
    """The panel of a run, on the terms that its cases were judged by.

    Attributes:
        members: The judges, in the suite's order.
        prompt: Digest of the prompt of the claims job.
        quorum: Votes of armed judges that a verdict needs; 0 while none is armed.
        cards: One per member, in order, and one of the panel where two or more are armed: for claims, then the same for
            each gate that only judges feed and that the suite uses; a judge is armed for each by itself.
        trial: What putting them on trial took in this run.
        again: What judging answers of the baseline again took.
        unavailable: Why nobody was asked, in one sentence; None where they were.
        rules: What the suite says of who decides; None in a run of an earlier version.
        trial_file: Digest of the file beside the labels, as the run found it; None where there was none.
        labels_usd: What judging the labels would have cost, where that was too much and nobody was asked.
    """

    members: tuple[PanelMember, ...]
    prompt: str
    quorum: Natural = 0
    cards: tuple[JudgeCard, ...] = ()
    trial: CallCost = CallCost()
    again: CallCost = Field(default=CallCost(), exclude_if=CallCost().__eq__)
    unavailable: str | None = None
    rules: PanelRules | None = Field(default=None, exclude_if=not_)
    trial_file: str | None = Field(default=None, exclude_if=not_)
    labels_usd: Amount | None = Field(default=None, exclude_if=not_)

    def after_trial(self, cards: Iterable[JudgeCard], quorums: Mapping[TrialJob, int]) -> Self:
        """The panel with the cards of all jobs, and the votes that a verdict at each of them needs."""
        found = tuple(sorted(cards, key=lambda card: card.job != "claims"))
        return self.model_copy(update={"cards": found, "quorum": quorums["claims"]})

    def cards_for(self, job: TrialJob) -> tuple[JudgeCard, ...]:
        """The cards of one job."""
        return tuple([card for card in self.cards if card.job == job])

    def counts_at(self, job: TrialJob) -> bool:
        """Whether its verdicts decide at a job that people label for."""
        if job == "claims":
            return self.counts_for("faithfulness")
        return any(self.counts_for(gate) for gate in JUDGED_GATES if gate == job)

    def counts_for(self, gate: GateName) -> bool:
        """Whether its verdicts decide a gate that judges may feed."""
        return self.unavailable is None and 0 < self.votes_for(gate) <= len(self.armed_for(gate))

    def votes_for(self, gate: GateName) -> int:
        """Votes of armed judges that a verdict needs; 0 while none is armed."""
        if gate not in JUDGED_GATES:
            return self.quorum
        armed, rules = len(self.armed_for(gate)), self.rules
        return 0 if not armed else (rules.quorum if rules is not None else None) or armed // 2 + 1

    def armed_for(self, gate: GateName) -> tuple[str, ...]:
        """Names of the members whose votes count for a gate: by people's labels, or by the suite's declaration."""
        armed = {card.judge for card in self.cards_for(gate if gate in JUDGED_GATES else "claims") if card.armed}
        return tuple([each.name for each in self.members if each.name in armed])

    @property
    def only_advises(self) -> bool:
        """Whether nothing is decided by it at one of its jobs: nobody was asked, or too few of its judges count."""
        own = {card.job for card in self.cards}
        return not self.counts_for("faithfulness") or any(not self.counts_for(each) for each in JUDGED_GATES & own)

    @property
    def armed(self) -> tuple[str, ...]:
        """Names of the members whose verdicts count."""
        return self.armed_for("faithfulness")
