"""What was counted of a run: cases, gates, slices, stages, versions of the pipeline, citations."""

from operator import not_
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from raggate_action.schema.base import Natural, Record, see_part
from raggate_action.schema.decision import RunGateStatus
from raggate_action.schema.outcome import StageName

KnownAs: TypeAlias = Literal["verified", "refuted", "to_look_at"]


class Counts(Record):
    """Cases of a run, counted once each. Known-bad cases stand apart and are in none of the others.

    Attributes:
        cases: Ordinary cases in scope: passed + failed + unmeasured + waived + flaky.
        passed, failed, unmeasured: How they stand; a case that a blocking gate on the run names is failed.
        waived: Failed cases whose every failure is waived; in neither count.
        known_bad, known_bad_blocked: Known-bad cases, and those blocked at the stage they name.
        known_bad_unmeasured: Those of which armed judges had to tell, and too few were heard.
        known_bad_no_adjudicator: Those of which a panel had to tell that nobody could ask.
        known_bad_to_renew: How many more there are whose evidence is not at hand; they count neither way.
        must_release, must_release_passed: Cases that must be released, and those that passed.
        hallucinating: Cases with a hallucination.
        flagged: Cases with a must_not_contain hit.
        to_look_at: Passed cases, neither verified nor refuted, with a claim that the keyless rules find fault with.
        answered_by_target: Cases for which the target gave a usable answer.
        flaky: Cases that failed once and passed when asked again; in neither count.
        asked_again: Cases that the app was asked again about, flaky or not.
        unconfirmed: Cases of which the first answer counts though they were to be asked again.
        verified: Passed cases of which every claim is supported by a label, a quotation or a judge, or that declined
            as asked.
        refuted: Passed cases with a hallucination, where the gate that finds it only warns or is off.
        answered: Cases with an answer, or with a decline where one is asked for.
        forbidding: Cases whose answer was searched for phrases that must not be in it.
        citing: Cases whose answer cites anything.
        unanswerable: Cases that are to be declined.
    """

    cases: Natural = 0
    passed: Natural = 0
    failed: Natural = 0
    unmeasured: Natural = 0
    waived: Natural = 0
    known_bad: Natural = 0
    known_bad_blocked: Natural = 0
    known_bad_unmeasured: Natural = Field(default=0, exclude_if=not_)
    known_bad_no_adjudicator: Natural = Field(default=0, exclude_if=not_)
    known_bad_to_renew: Natural = Field(default=0, exclude_if=not_)
    must_release: Natural = 0
    must_release_passed: Natural = 0
    hallucinating: Natural = 0
    flagged: Natural = 0
    to_look_at: Natural = 0
    answered_by_target: Natural = 0
    flaky: Natural = 0
    asked_again: Natural = 0
    unconfirmed: Natural = 0
    verified: Natural = 0
    refuted: Natural = 0
    answered: Natural = 0
    forbidding: Natural = 0
    citing: Natural = 0
    unanswerable: Natural = Field(default=0, exclude_if=not_)


class ShownSources(Record):
    """Where the chunks come from that the cases of a run showed, as far as their ids say so.

    Attributes:
        names: The sources, sorted.
        recur: At least half of them were shown on the run's own baseline too, so that ids are the same from run to run;
            None without a baseline that showed any.
    """

    names: tuple[str, ...] = ()
    recur: bool | None = None


class GateCounts(Record):
    """One case gate over the run.

    Attributes:
        passed, failed, waived: Cases scored; waived failures are in neither of the first two.
        flaky: Flaky cases that it scored; in none of the others.
        unmeasured: Cases asked but unmeasured for a reason the budget counts.
        no_adjudicator: Cases that rules alone cannot judge, which the budget does not count; and those with a label out
            of date, which it does.
        hits, total: Sum of the counts inside the cases, for gates that count.
        advised, advised_good: Facts or criteria of cases without an adjudicator on which judges only advise, and those
            that they call stated or met.
    """

    passed: Natural = 0
    failed: Natural = 0
    waived: Natural = 0
    flaky: Natural = 0
    unmeasured: Natural = 0
    no_adjudicator: Natural = 0
    hits: Natural = 0
    total: Natural = 0
    advised: Natural = Field(default=0, exclude_if=not_)
    advised_good: Natural = Field(default=0, exclude_if=not_)


class SliceResult(Record):
    """A slice: cases that share a field's value.

    Attributes:
        name: `field=value`.
        passed, scored: Cases.
        unmeasured: Cases of the slice that could not be scored.
        protected: Judged at any size, must pass whole.
        status: `insufficient` is shown as watch.
        carried: How many of those scored were not run: the baseline's outcome counts.
    """

    name: str
    passed: Natural
    scored: Natural
    unmeasured: Natural = 0
    protected: bool = False
    status: RunGateStatus
    carried: Natural = 0

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.passed, self.scored)
        return self


class StageCount(Record):
    """How many cases failed first at a stage, and the heaviest of them by name."""

    stage: StageName
    cases: Natural
    named: tuple[str, ...] = ()


class PipelineVersion(Record):
    """A pipeline version key with a value seen in the run, and in how many cases."""

    key: str
    value: str
    cases: Natural
