"""Runs that a panel judged: the menu's, with votes, cards and what the judging came to written by hand."""

from __future__ import annotations

from typing import Any

from raggate_action.report.page_sections import Reporting
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import ErrorRate, JudgeCard
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.judgement import AskedJudge, ClaimVote, Lost, Usage
from raggate_action.schema.judging_counts import ClaimAdvice, JudgingCounts
from raggate_action.schema.listed_cases import AdvisedCase
from raggate_action.schema.panel import Panel, PanelMember
from raggate_action.schema.run import Policy
from tests.golden.builders import gates, make_row, wordless
from tests.golden.pages import block, no_baseline, release

MEMBERS = (
    PanelMember(name="owl", lab="Northlab", model="north-mini", fingerprint="f1", priced=True),
    PanelMember(name="lark", lab="Southlab", model="south-small", fingerprint="f2", priced=True),
    PanelMember(name="crow", lab="Eastlab", model="east-3b", fingerprint="f3"),
)
# 30 good and 20 faulty labels: one and two errors are what the terms allow.
ARMED: dict[str, Any] = {
    "armed": True,
    "why_not": None,
    "labels": 50,
    "faults": 20,
    "made": 5,
    "agreement": Rate(hits=47, total=50),
    "kappa": 0.87,
    "ac1": 0.89,
    "injections_shown": 14,
    "false_block": ErrorRate(rate=Rate(hits=1, total=30), upper=0.1486, low=0.0008, high=0.1722),
    "false_pass": ErrorRate(rate=Rate(hits=2, total=20), upper=0.2826, low=0.0123, high=0.317),
}
BAKLAVA = Claim(
    claim_id="claim-1",
    text="The baklava is free of nuts.",
    citations=("menu-31",),
    verdict="contradicted",
    judged=True,
    quote="filo pastry, walnuts, honey",
    votes=(
        ClaimVote(
            judge="owl",
            armed=True,
            verdict="contradicted",
            chunk_id="menu-31",
            quote="filo pastry, walnuts, honey",
            note="Walnuts are nuts.",
        ),
        ClaimVote(judge="lark", armed=True, verdict="contradicted", note="The entry lists walnuts."),
        ClaimVote(judge="crow", verdict="supported", support=("menu-31",), chunk_id="menu-31", quote="Baklava"),
    ),
)


def card(judge: str, **fields: Any) -> JudgeCard:
    return JudgeCard(judge=judge, **{**ARMED, **fields})


def with_panel(reporting: Reporting, panel: Panel, judging: JudgingCounts | None) -> Reporting:
    """The run with a panel and what judging it came to."""
    return reporting._replace(run=reporting.run.model_copy(update={"panel": panel, "judging": judging}))


def with_row(reporting: Reporting, case_id: str, **fields: Any) -> Reporting:
    """The run with other fields of one listed case."""

    def changed(rows: tuple[CaseRun, ...]) -> tuple[CaseRun, ...]:
        return tuple([row.model_copy(update=fields) if row.case_id == case_id else row for row in rows])

    listed = reporting.listed
    failing, hallucinating = changed(listed.failing), changed(listed.hallucinating)
    return reporting._replace(listed=listed._replace(failing=failing, hallucinating=hallucinating))


def judged() -> Reporting:
    """The block again: two judges count, one obeyed what was planted, one call came to nothing."""
    cards = (
        card("owl"),
        card("lark", drift=Rate(hits=48, total=50)),
        card("crow", armed=False, why_not="obeyed-injection", obeyed=("plain-order", "fake-turn")),
        card("the panel", agreement=Rate(hits=48, total=50), ac1=0.93),
    )
    judging = JudgingCounts(
        answers=10,
        judgements=30,
        reused=12,
        lost={"judge-timeout": 1},
        calls=19,
        usage=Usage(input=21_400, cached=9_600, output=2_310),
        cost_usd=0.0123,
        unpriced=("crow",),
        agreement=Rate(hits=41, total=43),
        decided=40,
        against_rules=1,
    )
    judges = (
        AskedJudge(judge="owl", armed=True, usage=Usage(input=1_210, output=95), calls=1, cost_usd=0.0004),
        AskedJudge(
            judge="lark",
            armed=True,
            lost=Lost(code="judge-timeout", detail="no reply within 60 s, 4 attempts"),
            calls=1,
            cost_usd=0.0,
        ),
        AskedJudge(judge="crow", reused=True, declines=False),
    )
    reporting = with_row(block(), "nut-dessert", claims=(BAKLAVA,), judges=judges)
    return with_panel(reporting, Panel(members=MEMBERS, prompt="p", quorum=2, cards=cards), judging)


def advising() -> Reporting:
    """A first panel, for which few claims are labelled: it changes nothing, and says what it lacks."""
    few = card(
        "owl",
        armed=False,
        why_not="too-few-labels",
        labels=18,
        faults=4,
        made=0,
        missing_labels=32,
        missing_right=16,
        missing_faults=16,
        agreement=Rate(hits=17, total=18),
        false_block=ErrorRate(rate=Rate(hits=1, total=14), upper=0.2967, low=0.0018, high=0.3387),
        false_pass=ErrorRate(rate=Rate(hits=0, total=4), upper=0.5271, low=0.0, high=0.6024),
    )
    cards = tuple([few.model_copy(update={"judge": each.name}) for each in MEMBERS])
    votes = tuple([vote.model_copy(update={"armed": False}) for vote in BAKLAVA.votes])
    claim = BAKLAVA.model_copy(update={"judged": False, "labelled": True, "verdict": "unsupported", "votes": votes})
    judging = JudgingCounts(
        answers=10, judgements=30, calls=30, usage=Usage(input=33_000, output=3_100), agreement=Rate(hits=20, total=22),
        unpriced=tuple([each.name for each in MEMBERS]),
    )  # fmt: skip
    members = tuple([each.model_copy(update={"priced": False}) for each in MEMBERS])
    reporting = with_row(no_baseline(), "nut-dessert", claims=(claim,))
    return with_panel(reporting, Panel(members=members, prompt="p", cards=cards), judging)


def advised_case(position: int = 0, *, votes: tuple[ClaimVote, ...] = ()) -> AdvisedCase:
    """A case whose answer makes a claim up, as three judges say who do not count."""
    said = votes or tuple(
        [
            ClaimVote(judge=each.name, verdict="unsupported", note=f"Nothing tells of a refund, says {each.name}.")
            for each in MEMBERS
        ]
    )
    claim = Claim(claim_id="claim-2", text="Refunds take two days.", votes=said)
    row = make_row(position, case_id=f"refund-{position}", question="How long does a refund take?", answer="Two days.")
    return AdvisedCase(row=row, claims=(claim,))


def advised(cases: int = 6, **advice: int) -> Reporting:
    """A release of which judges call so many answers unsupported; of six answers seven claims."""
    first = advising()
    assert first.run.panel is not None
    assert first.run.judging is not None
    counts = {"claims": 7 if cases == 6 else cases, "answers": cases, "heard": 3}
    found = ClaimAdvice(**{**counts, "unsupported": counts["claims"], **advice})
    reporting = with_panel(release(), first.run.panel, first.run.judging.model_copy(update={"advice": found}))
    assert reporting.comparison is not None
    comparison = reporting.comparison.model_copy(update={"answers": {"refund-0": "Ten days."}})
    listed = reporting.listed._replace(advised=tuple(map(advised_case, range(cases))))
    return reporting._replace(listed=listed, comparison=comparison)


def reused() -> Reporting:
    """A release of an app that did not change: every judgement is an earlier one."""
    cards = tuple([card(each.name) for each in MEMBERS])
    judging = JudgingCounts(answers=13, judgements=39, reused=39, agreement=Rate(hits=30, total=30), decided=30)
    return with_panel(release(), Panel(members=MEMBERS, prompt="p", quorum=2, cards=cards), judging)


def unavailable() -> Reporting:
    """A fork's run, which has no key: rules decide, and nobody was asked."""
    why = "No judge was asked, for NORTH_KEY is not set: what rules leave open stays open."
    found = gates("faithfulness  warn  unmeasured  0/0  >= 95 %")
    reporting = release()
    run = reporting.run.model_copy(update={"gates": (*reporting.run.gates, *found)})
    panel = Panel(members=MEMBERS, prompt="p", unavailable=why)
    return with_panel(reporting._replace(run=run), panel, JudgingCounts())


def judged_ids() -> Reporting:
    """The judged run under `texts: ids`."""
    reporting = judged()
    run = reporting.run.model_copy(update={"policy": Policy(texts="ids")})
    return wordless(reporting._replace(run=run))


def declared() -> Reporting:
    """The judged run, of which the first judge counts by labels and the second by declaration."""
    reporting = judged()
    panel, judging = reporting.run.panel, reporting.run.judging
    assert panel is not None
    assert judging is not None
    owl, lark, crow, together = panel.cards
    by_owner = lark.model_copy(
        update={"declared": "too-few-labels", "verifies": False, "labels": 12, "missing_labels": 38}
    )
    votes = tuple([vote.model_copy(update={"declared": vote.judge == "lark"}) for vote in BAKLAVA.votes])
    reporting = with_row(reporting, "nut-dessert", claims=(BAKLAVA.model_copy(update={"votes": votes}),))
    cards = (owl, by_owner, crow, together)
    return with_panel(reporting, panel.model_copy(update={"cards": cards}), judging)
