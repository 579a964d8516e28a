"""Answers of the app of the base branch ("main" for short), and how an answer stands beside them."""

from operator import not_
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Natural, Positive, Record
from raggate_action.schema.trace import Grounds

PoorerState: TypeAlias = Literal["cut", "same-for-all", "lost-value", "changed-value", "less-sure"]
# In the order they are told in.
POORER_STATES: tuple[PoorerState, ...] = ("changed-value", "lost-value", "cut", "same-for-all", "less-sure")


# Of one case.
MAIN_ANSWERS_AT_MOST: Final = 8


class MainAnswer(Record, defer_build=False):
    """An answer of main's app to a case.

    Attributes:
        text: The answer, whole.
        run: When the run was decided that it is of.
        grounds: What its values stand on; None where an earlier version did not keep it.
        false: It had a certain hallucination when its run was decided.
    """

    text: str
    run: str
    grounds: Grounds | None = None
    false: bool = Field(default=False, exclude_if=not_)


class OwnRate(Record):
    """How often answers have a certain hallucination, of main's app and of this run's; at least one of this run's has.

    Cases that always have it on both are in neither.

    Attributes:
        main_false, main_answers: Of all answers of main's that are stored.
        here_false, here_answers: Of all answers of this run to the same cases, asks again included.
    """

    main_false: Natural
    main_answers: Positive
    here_false: Positive
    here_answers: Positive


class MainAnswers(Record):
    """What main's app answered to one case, the newest first; never empty.

    Attributes:
        case_id: The case.
        answers: The answers.
    """

    case_id: str
    answers: Annotated[tuple[MainAnswer, ...], Field(min_length=1)]


class PoorerReason(Record):
    """One way in which an answer is poorer than main's.

    Attributes:
        state: Which.
        key: Equal for two answers to one case that are poorer in the same way.
        value: The value or name that is lost, or main's value and the one in its place.
        here: Words of this answer.
        main: Words of main's.
        shown: It is shown, and counts nowhere.
        by_all: Every one of main's answers gives the value.
        sharp: It counts by itself, in however few cases.
        doubtful: The answer can be read either way, so that it blocks nothing by itself.
    """

    state: PoorerState
    key: str = ""
    value: str = Field(default="", exclude_if=not_)
    here: str = ""
    main: str = ""
    shown: bool = Field(default=False, exclude_if=not_)
    by_all: bool = Field(default=False, exclude_if=not_)
    sharp: bool = Field(default=False, exclude_if=not_)
    doubtful: bool = Field(default=False, exclude_if=not_)


class BesideMain(Record):
    """How an answer, or all answers of a case that was asked again, stands beside main's.

    Attributes:
        baseline: When the run was decided whose answers are meant.
        reasons: Each way in which it is poorer, as far as one case tells.
        same: Digest of the answer, by which the same one is found in other cases; None where it fits its case.
        main: The same of main's answer.
        answers: How many answers of main's count whose evidence has not changed.
        has_values: They give a value that an answer can lose.
        was_poorer: Of a case that was asked again: its first answer was poorer.
        own: How many of them lost a value that all others give, and of how many; None where nobody looked.
    """

    baseline: str
    reasons: tuple[PoorerReason, ...] = Field(default=(), exclude_if=not_)
    same: str | None = None
    main: str
    answers: Natural = Field(default=0, exclude_if=not_)
    has_values: bool = Field(default=False, exclude_if=not_)
    was_poorer: bool = Field(default=False, exclude_if=not_)
    own: tuple[Natural, Natural] | None = Field(default=None, exclude_if=lambda own: own is None)

    @property
    def counting(self) -> tuple[PoorerReason, ...]:
        """The reasons that count."""
        return tuple([each for each in self.reasons if not each.shown])


class AnswerAlone(Record):
    """What is told of an answer where no answer of main's is known.

    Attributes:
        cut: It stops before its end.
        same: Digest of the answer, by which the same one is found in other cases; None where it fits its case.
    """

    cut: bool = Field(default=False, exclude_if=not_)
    same: str | None = Field(default=None, exclude_if=not_)


class PoorerCase(Record):
    """A case with a poorer answer, and why."""

    case_id: str
    reasons: tuple[PoorerReason, ...]


class PoorerAnswers(Record):
    """Poorer answers over the cases compared.

    Attributes:
        compared: Cases held against main's answers.
        with_values: Those of them of which main's answers give a value that can be lost.
        poorer: Cases that count, waived ones not among them.
        values: Those of them that lost or changed a value.
        sharp: Those of them that changed one in every ask, against evidence.
        doubtful: Those of them of which nothing is certain.
        same_for_all: Those of them that have the same answer as others.
        recorded: Cases of recorded answers that lost or changed a value which two answers of main's and more give, each
            of them; they are none of `poorer`.
        unsure: The same where main has one answer, or not all of its answers give the value.
        own_thousandths: How many cases main's own answers make by the rule of `recorded`, in thousandths.
        waived: Cases that somebody answers for.
        unasked: Poorer cases that were to be asked again and were not.
        asked, confirmed: Poorer first answers of cases that were asked again; and those that stayed poorer.
        states: How many cases each state has, each case by its first.
        listed: The cases that count or were not asked, heaviest first.
    """

    compared: Natural
    with_values: Natural = 0
    poorer: Natural = 0
    values: Natural = 0
    sharp: Natural = 0
    doubtful: Natural = 0
    same_for_all: Natural = 0
    recorded: Natural = 0
    unsure: Natural = 0
    own_thousandths: Natural = 0
    waived: Natural = 0
    unasked: Natural = 0
    asked: Natural = 0
    confirmed: Natural = 0
    states: dict[PoorerState, Natural] = {}
    listed: tuple[PoorerCase, ...] = ()

    @property
    def counted(self) -> int:
        """The cases that count, with those not asked at the share confirmed of the asked, rounded half up."""
        return self.poorer + self._estimated

    @property
    def counted_values(self) -> int:
        """The same of those that lost or changed a value."""
        return self.values + (self._estimated * self.values // self.poorer if self.poorer else 0)

    @property
    def _estimated(self) -> int:
        return (2 * self.unasked * self.confirmed + self.asked) // (2 * self.asked) if self.asked else 0

    @property
    def all_cases(self) -> int:
        """Every case that is told of with a count, whatever it decides."""
        return self.counted + self.recorded + self.unsure
