"""What a suite file says of its cases, held against the cases as they are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from raggate_action.schema.case import Case
from raggate_action.schema.slice_names import slice_names
from raggate_action.suite_files.problems import COMPARED_AT_MOST


@dataclass(slots=True)
class LabelCounts:
    """Cases that say what is right; known-bad ones stand apart.

    Attributes:
        cases: Ordinary cases.
        sources: Those that name the chunks an answer rests on, or quote them.
        points: Those that name points an answer makes.
        abstain: Those that ask for a decline.
        phrases: Those that name phrases or tools that must, or must not, be there.
        known_bad: Known-bad cases.
    """

    cases: int = 0
    sources: int = 0
    points: int = 0
    abstain: int = 0
    phrases: int = 0
    known_bad: int = 0

    def see(self, case: Case) -> None:
        """Count a case."""
        if case.known_bad:
            self.known_bad += 1
            return
        self.cases += 1
        self.sources += bool(case.required_source_ids or case.required_quotes)
        self.points += bool(case.required_points)
        self.abstain += case.expect == "abstain"
        self.phrases += bool(case.must_contain or case.must_not_contain or case.expected_tools or case.forbidden_tools)


class FieldValue(NamedTuple):
    """A value of a field that distinguishes cases: `category` is `allergen`, or `smoke` is one of the `tags`."""

    field: str
    value: str


@dataclass(slots=True)
class CaseSurvey:
    """What the suite wants to know of its cases, gathered in passing.

    Attributes:
        waived: Ids of cases that waivers name.
        unseen_ids: Of these, those that no case has had so far.
        known_ids: Case ids seen while one was missing, as many as a misspelt one is compared with.
        unseen_inputs: Names that slices are cut by and no case's `input` has had so far.
        unseen_fields: Case fields that slices are cut by and no case has had so far.
        unseen_values: Values the suite names that no case has had so far.
        of_known_bad: Of these, those that known-bad cases have, which are in no slice.
        known_values: Values of other cases, by field: all there are where one is unseen at the end.
        waived_known_bad: Waived cases that are known bad.
        known_bad: There is a known-bad case.
        must_release: There is a case that must be released.
        unjudged_points: Cases with a required point whose answers no phrase recognises.
        first_unjudged: The first of them, and the point.
        labels: How many cases have labels.
    """

    waived: frozenset[str] = frozenset()
    unseen_ids: set[str] = field(default_factory=set)
    known_ids: set[str] = field(default_factory=set)
    unseen_inputs: set[str] = field(default_factory=set)
    unseen_fields: set[str] = field(default_factory=set)
    unseen_values: set[FieldValue] = field(default_factory=set)
    of_known_bad: set[FieldValue] = field(default_factory=set)
    known_values: dict[str, set[str]] = field(default_factory=dict)
    waived_known_bad: set[str] = field(default_factory=set)
    known_bad: bool = False
    must_release: bool = False
    unjudged_points: int = 0
    first_unjudged: tuple[str, str] = ("", "")
    labels: LabelCounts = field(default_factory=LabelCounts)

    @classmethod
    def of(cls, *, waived: Iterable[str], cut_by: Iterable[str], values: Iterable[FieldValue]) -> CaseSurvey:
        """A survey before the first case: waived case ids, what slices are cut by, and values that cases must have."""
        ids, names = frozenset(waived), frozenset(cut_by)
        fields = names & Case.model_fields.keys()
        return cls(
            waived=ids,
            unseen_ids=set(ids),
            unseen_inputs=set(names - fields),
            unseen_fields=set(fields),
            unseen_values=set(values),
        )

    def see(self, case: Case) -> None:
        """Take note of a case."""
        self.labels.see(case)
        if self.unseen_ids:
            self.unseen_ids.discard(case.case_id)
            if len(self.known_ids) <= COMPARED_AT_MOST:
                self.known_ids.add(case.case_id)
        if self.unseen_inputs and isinstance(case.input, dict):
            self.unseen_inputs.difference_update(case.input)
        if self.unseen_fields:
            self.unseen_fields.difference_update([name for name in self.unseen_fields if slice_names(case, (name,))])
        if self.unseen_values:
            self._see_values(case)
        if case.required_points and case.trace is None:
            self._see_points(case)
        if case.released is not None:
            self.known_bad |= not case.released
            self.must_release |= case.released
            if case.known_bad and case.case_id in self.waived:
                self.waived_known_bad.add(case.case_id)

    def see_sound_part(self, case: Case, left_out: Collection[str]) -> None:
        """Take note of a case of which some keys could not be read: it may have had any value there."""
        self.see(case)
        if "input" in left_out:
            self.unseen_inputs.clear()
        self.unseen_fields.difference_update(left_out)
        self.unseen_values = {
            each
            for each in self.unseen_values
            if (each.field if each.field in Case.model_fields else "input") not in left_out
        }

    def _see_points(self, case: Case) -> None:
        if bare := [point.id for point in case.points if not point.answer_phrases]:
            if not self.unjudged_points:
                self.first_unjudged = (case.case_id, bare[0])
            self.unjudged_points += 1

    def _see_values(self, case: Case) -> None:
        for name in {each.field for each in self.unseen_values}:
            for spelled in slice_names(case, (name,)):
                value = spelled[len(name) + 1 :]
                if case.known_bad:
                    self.of_known_bad.add(FieldValue(name, value))
                else:
                    self.known_values.setdefault(name, set()).add(value)
                    self.unseen_values.discard(FieldValue(name, value))
