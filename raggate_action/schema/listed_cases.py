"""The cases a reader is shown by name: a bounded choice of rows, picked while the rows stream by."""

from typing import Literal, NamedTuple, TypeAlias, get_args

from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.later import WaivedFailure, Waiver

LISTED_AT_MOST = 200


class AdvisedCase(NamedTuple):
    """A case with claims that judges call faulty who only advise, and that nothing else decides.

    Attributes:
        row: The case.
        claims: These claims; what every judge heard calls faulty first, then as in the answer.
    """

    row: CaseRun
    claims: tuple[Claim, ...]


class Listed(NamedTuple):
    """Rows shown by name, each list heaviest first, then in suite order, at most `LISTED_AT_MOST`.

    Attributes:
        failing: Failing ordinary and must-release cases.
        unmeasured: Unmeasured cases.
        unblocked: Known-bad cases not blocked at the stage they name.
        left_to_judges: Known-bad cases of which only judges could tell, and none that counts was heard.
        hallucinating: Cases with a hallucination, failing or not.
        with_issues: Passing cases in which behaviour checks or rules on claims found something.
        waived: Failures under a waiver that still holds.
        expired: Waivers whose date has passed and whose failure is back.
        flaky: Cases that failed once and passed when asked again.
        advised: Cases with a claim that judges call faulty who only advise.
    """

    failing: tuple[CaseRun, ...] = ()
    unmeasured: tuple[CaseRun, ...] = ()
    unblocked: tuple[CaseRun, ...] = ()
    left_to_judges: tuple[CaseRun, ...] = ()
    hallucinating: tuple[CaseRun, ...] = ()
    with_issues: tuple[CaseRun, ...] = ()
    waived: tuple[WaivedFailure, ...] = ()
    expired: tuple[Waiver, ...] = ()
    flaky: tuple[CaseRun, ...] = ()
    advised: tuple[AdvisedCase, ...] = ()


ListName: TypeAlias = Literal[
    "failing", "unmeasured", "unblocked", "left_to_judges", "hallucinating", "with_issues", "flaky", "advised"
]


def ids_of(listed: Listed) -> dict[ListName, tuple[str, ...]]:
    """The cases of each list that has any, as a run keeps them."""
    rows = listed._asdict() | {"advised": [each.row for each in listed.advised]}
    names: tuple[ListName, ...] = get_args(ListName)
    return {name: tuple([row.case_id for row in rows[name]]) for name in names if rows[name]}
