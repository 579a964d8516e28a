"""Every rule of the panel, how to turn it off, and one example that shows it: rows for `tests.rule_switches`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.core.comparison.baseline_index import PastAnswers
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import ByRules, CaseRun, Claim, Finding
from raggate_action.schema.comparison import Comparison, OtherPanel
from raggate_action.schema.judgement import (
    AskedJudge,
    ClaimVote,
    JudgedVerdict,
    Judgement,
    Lost,
    PointVote,
    Support,
    Vote,
)
from raggate_action.schema.judges import Arming
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.outcome import NotApplicable, Passed, Unmeasured
from raggate_action.schema.panel import Panel, PanelMember, PanelRules
from raggate_action.schema.run import Policy
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_case, make_rules, make_trace
from tests.panel_builders import CHUNKS, all_say, claim, judged_row, judgement, lost, place, vote
from tests.row_builders import (
    TODAY,
    compare,
    count,
    failed,
    index,
    make_policy,
    make_row,
    make_run,
    unmeasured,
    waiver,
)

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]
Confusion: TypeAlias = tuple[tuple[JudgedVerdict, JudgedVerdict, int], ...]

OPEN = "It opens early. Refunds are slow."
SUPPORTED = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
ITALIAN = "Non lo so davvero."


def folded(
    *said: Judgement,
    claims: Iterable[Claim] = (claim(),),
    armed: str = "abc",
    quorum: int = 2,
    declined: Any = False,
    chunks: dict[str, str | None] | None = None,
) -> Example:
    """What a panel of three makes of some claims."""
    shown = chunks if chunks is not None else {**CHUNKS}

    def example(core: Core) -> Any:
        module = core["judging.claim_vote_aggregation"]
        terms = module.PanelTerms(("a", "b", "c"), frozenset(armed), quorum)
        found = module.fold(tuple(claims), said, terms, chunks=shown, declined=declined)
        dropped = [each.dropped for each in found.judges]
        return [each.model_dump(mode="json") for each in found.claims], found.declines, found.points, dropped

    return example


def votes(*verdicts: JudgedVerdict) -> list[Judgement]:
    return [judgement(name, vote("c1", each)) for name, each in zip("abc", verdicts, strict=False)]


def row(said: list[Judgement], answer: Any = OPEN, *, armed: str = "abc", language: str = "en", **case: Any) -> Example:
    """The row of an answer that a panel judged."""
    return lambda core: made(core, said, answer, armed=armed, language=language, **case).model_dump(mode="json")


def made(
    core: Core, said: list[Judgement], answer: Any, *, armed: str = "abc", language: str = "en", **case: Any
) -> CaseRun:
    diagnose, fold = core["gates.diagnosis"], core["judging.claim_vote_aggregation"]
    rules = make_rules(language=language)
    rules = rules._replace(restricted=core["disclosure.restricted_text"].RestrictedText(None))
    asked = make_case(**case)
    context = [{"chunk_id": name, "text": text} for name, text in CHUNKS.items()]
    drafted = diagnose.draft(asked, Answered(make_trace(answer=answer, context=context), labelled=True), rules)
    shown = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
    declined = core["judging.undecided_claims"].known_decline(drafted.drafts, drafted.claims)
    terms = fold.PanelTerms(("a", "b", "c"), frozenset(armed), 2)
    verdicts = Verdicts(**fold.fold(drafted.claims, said, terms, chunks=shown, declined=declined)._asdict())
    placed = PlacedCase(asked, 0, case_digest(asked), "f", 1)
    kept: CaseRun = core["gates.case_row"].evaluate_drafted(placed, drafted, verdicts, rules, finished_at="").row
    return kept


def compared(before: list[Judgement], after: list[Judgement], answer: Any = OPEN, **options: Any) -> Example:
    """What moved between two runs of one answer."""

    def example(core: Core) -> Any:
        base, head = (made(core, said, answer, **options) for said in (before, after))
        module, run = core["comparison.baseline_index"], make_run([base])
        past = module.past_cases(run.suite_cases, [base], run.policy, decided_on=TODAY)
        comparer = core["comparison.comparer"].Comparer(module.index_baseline(run, past), run.policy, decided_on=TODAY)
        comparer.add(head)
        tally = core["counting.tally"].Tally(run.policy, decided_on=TODAY)
        tally.add(head)
        found: Comparison = comparer.comparison([(head.case_id, head.digest, True)], tally.facts())
        return found.model_dump(mode="json", exclude={"gates", "statuses", "baseline"})

    return example


def counted(*rows: CaseRun) -> Example:
    def example(core: Core) -> Any:
        tally = core["counting.tally"].Tally(make_policy(), decided_on=TODAY)
        for each in rows:
            tally.add(each)
        return tally.facts().judging.model_dump(mode="json")

    return example


def cost(*judges: AskedJudge) -> Example:
    """The gates on a run whose judges may cost a dollar."""
    policy = make_policy(gates={"judge_cost_usd": {"max": 1}})

    def example(core: Core) -> Any:
        tally = core["counting.tally"].Tally(policy, decided_on=TODAY)
        tally.add(make_row(0, judges=judges))
        decided = core["decision.decide"].decide(tally.facts(), policy=policy, comparison=None)
        return [gate.model_dump() for gate in decided.gates], decided.decision.kind

    return example


def known_bads(*rows: CaseRun, advises: bool = False) -> Example:
    """The gate on known-bad cases, and what is decided."""

    def example(core: Core) -> Any:
        tally = core["counting.tally"].Tally(make_policy(), decided_on=TODAY, panel_advises=advises)
        for each in (make_row(0), *rows):
            tally.add(each)
        decided = core["decision.decide"].decide(tally.facts(), policy=make_policy(), comparison=None)
        return [gate.model_dump() for gate in decided.gates if gate.gate == "known_bad_blocked"], decided.decision.kind

    return example


AGAINST = (
    ClaimVote(judge="a", verdict="unsupported"),
    ClaimVote(judge="b", verdict="contradicted"),
)


def advised(said: Claim, **fields: Any) -> Example:
    """What is counted, and listed, of advice on a claim."""
    row = make_row(0, judges=(AskedJudge(judge="a"), AskedJudge(judge="b")), claims=(said,), **fields)

    def example(core: Core) -> Any:
        tally = core["counting.tally"].Tally(make_policy(), decided_on=TODAY)
        tally.add(row)
        facts = tally.facts()
        return facts.judging.advice.model_dump(), [each.row.case_id for each in facts.listed.advised]

    return example


def beside_advice(core: Core) -> Any:
    """The baseline's answers that are kept for display."""
    row = make_row(0, judges=(AskedJudge(judge="a"),), claims=(claim(votes=AGAINST),), answer="now")
    base = row.model_copy(update={"judges": (), "claims": (), "answer": "then"})
    module, run = core["comparison.baseline_index"], make_run((base,))
    past = module.past_cases(run.suite_cases, [base], run.policy, decided_on=TODAY)
    comparer = core["comparison.comparer"].Comparer(module.index_baseline(run, past), run.policy, decided_on=TODAY)
    comparer.add(row)
    return dict(comparer.comparison([(row.case_id, row.digest, True)], count([row])).answers)


def bad(at: str = "answer faithfulness", reason: str = "no-adjudicator", **fields: Any) -> CaseRun:
    """A known-bad case of whose stages only judges could tell."""
    left = ("faithfulness", "citation_support", "point_coverage")
    outcomes = {**fields.pop("outcomes", {}), **dict.fromkeys(left, unmeasured(reason))}
    claims = fields.pop("claims", (claim(),))
    return make_row(1, kind="known_bad", blocked_at=at, outcomes=outcomes, claims=claims, **fields)


LEFT = bad()
LOST = bad(reason="judge")
FAILS_BEFORE = bad(outcomes={"context_recall": failed()})
ELSEWHERE = bad("behaviour")
CLOSED = bad(claims=(claim(labelled=True),))
UNCITED = bad("citation support")
POINT_CLOSED = bad("answer completeness", claims=(claim(labelled=True, points=("p",)),))


def panels(before: str, after: str, *, advising: str = "", quorum: int | None = None, **arming: Any) -> Example:
    """What of a panel demands less, and who is gone."""

    def panel(names: str, rules: PanelRules) -> Panel:
        members = [PanelMember(name=name, lab="lab", model="m", fingerprint=f"is-{name}") for name in names]
        cards = [JudgeCard(judge=name, armed=name not in advising) for name in names]
        return Panel(members=tuple(members), prompt="p", quorum=1, cards=tuple(cards), rules=rules)

    base = panel(before, PanelRules(arming=Arming()))
    head = panel(after, PanelRules(arming=Arming(**arming), quorum=quorum))
    return lambda core: core["comparison.panel_changes"].panel_changes(base, head)


ARMED_AGAINST = (AGAINST[0].model_copy(update={"armed": True}),)


def doubted(said: Claim) -> Example:
    """Whose votes on a claim are asked for once more, where nothing is reviewed."""
    return lambda core: core["judging.order_recheck"].doubted_votes((said,), reviewed=False)


def asked_twice(second: JudgedVerdict, claims: str = "c1") -> Example:
    """What counts of a judge that calls a claim unsupported, and says so or otherwise when it is asked again."""
    votes = [judgement("a", vote("c1", verdict, *(["hours"] if verdict == "supported" else []))) for verdict in ("unsupported", second)]  # fmt: skip

    def example(core: Core) -> Any:
        found = core["judging.order_recheck"].with_second(*votes, frozenset([claims]))
        return found.judgement.model_dump(mode="json"), found.flips

    return example


def reviewed(
    said: Claim, before: Claim | None = None, *, labs: str = "xy", heard: str = "ab", **options: Any
) -> Example:
    """What is left to review of a claim that judges a and b spoke of, and of the same on the baseline."""
    now, then = (options.pop(side, default) for side, default in (("now", "review"), ("then", "labelled")))
    waivers = Waivers(make_policy(**options), decided_on=TODAY)

    def judges(names: str) -> tuple[AskedJudge, ...]:
        return tuple([AskedJudge(judge=name, bound_to=name) for name in names])

    def panel(counts: Any) -> Panel:
        members = [
            PanelMember(name=name, lab=lab, model="m", fingerprint=name) for name, lab in zip("ab", labs, strict=True)
        ]
        return Panel(members=tuple(members), prompt="p", rules=PanelRules(arming=Arming(), counts=counts))

    def example(core: Core) -> Any:
        base = make_row(0, judges=judges(heard), claims=(before or claim("c0", "Refunds are quick."),))
        past = index([base]).cases["q0"]._replace(advised=core["comparison.called_faulty"].called_faulty(base))
        found = core["comparison.review_by_advisers"].Review(panel(then), panel(now), waivers)
        found.add(make_row(0, judges=judges("ab"), claims=(said,)), past)
        return found.result

    return example


_NOBODY = unmeasured("no-adjudicator")


def judges_lost(head: CaseRun, **options: Any) -> Example:
    """What is decided where a judge measured a case on the baseline, by the head's row and its panel."""
    after: str | None = options.pop("after", "")
    before: str = options.pop("before", "a")
    demanded: bool = options.pop("demanded", True)
    upgraded, why_not = options.pop("upgraded", False), options.pop("why_not", "no-labels")
    policy = make_policy(**options)

    def panel(armed: str) -> Panel:
        members = [PanelMember(name=name, lab="lab", model="m", fingerprint=f"is-{name}") for name in "ab"]
        cards = [
            JudgeCard(judge=name, armed=name in armed, why_not=None if name in armed else why_not) for name in "ab"
        ]
        quorum = len(armed) // 2 + 1 if armed else 0
        whole = {"quorum": quorum, "cards": tuple(cards), "demanded": demanded, "upgraded": upgraded}
        return Panel(members=tuple(members), prompt="p").model_copy(update=whole)

    def example(core: Core) -> Any:
        base = make_row(0, outcomes={"faithfulness": Passed()}, claims=(claim(),))
        module, run = core["comparison.baseline_index"], make_run([base])
        past = module.past_cases(run.suite_cases, [base], run.policy, decided_on=TODAY)
        indexed = module.index_baseline(run.model_copy(update={"panel": panel(before)}), past)
        now = panel(after) if after is not None else None
        comparer = core["comparison.comparer"].Comparer(indexed, policy, decided_on=TODAY, panel=now)
        comparer.add(head)
        tally = core["counting.tally"].Tally(policy, decided_on=TODAY)
        tally.add(head)
        facts = tally.facts()
        found = comparer.comparison([(head.case_id, head.digest, True)], facts)
        decided = core["decision.decide"].decide(facts, policy=policy, comparison=found)
        return decided.decision.kind, [str(reason) for reason in decided.decision.reasons], found.judges_lost

    return example


def unheard_row(outcome: Any, code: Any = None, **fields: Any) -> CaseRun:
    """A row with one open claim, of whose judge's call it is known how it was lost."""
    asked = AskedJudge(judge="a", armed=True, lost=Lost(code=code, detail="why") if code is not None else None)
    return make_row(0, outcomes={"faithfulness": outcome}, claims=(claim(),), judges=(asked,), **fields)


OPEN_NOW = unheard_row(_NOBODY)
OF_ONE = unheard_row(Passed(), by_rules=ByRules(outcomes={"faithfulness": _NOBODY}))


def all_declared(core: Core) -> Any:
    """What two judges decide whose good word verifies nothing: both call the claim supported, the answer a decline."""
    module = core["judging.claim_vote_aggregation"]
    terms = module.PanelTerms(("a", "b"), frozenset("ab"), 2, frozenset("ab"))
    said = [judgement(name, vote("c1", "supported", "refunds")) for name in "ab"]
    declining = [each.model_copy(update={"declines": True}) for each in said]
    found = module.fold((claim(),), said, terms, chunks=CHUNKS, declined=False)
    return found.claims[0].verdict, module.fold((claim(),), declining, terms, chunks=CHUNKS, declined=None).declines


def under_terms(core: Core) -> Any:
    """Who of two armed judges counts where fifty labels are wanted."""
    module, today = (
        core["judging.scorecard_and_arming"],
        core["judging.claim_vote_aggregation"].PanelTerms(("a", "b"), frozenset("ab"), 2),
    )
    cards = [JudgeCard(judge=name, armed=True, why_not=None, labels=10) for name in "ab"]
    return module.terms_under(PanelRules(arming=Arming()), cards, {"claims": today})


def decided_again(core: Core) -> Any:
    """The row of an answer that judges of the baseline's terms refute, and today's do not."""
    rules = make_rules()
    rules = rules._replace(
        restricted=core["disclosure.restricted_text"].RestrictedText(None),
        baseline=core["gates.case_demands"].BaselineRules({}, rules.gates),
    )
    asked, context = make_case(), [{"chunk_id": name, "text": text} for name, text in CHUNKS.items()]
    found = core["gates.diagnosis"].draft(
        asked, Answered(make_trace(answer=OPEN, context=context), labelled=True), rules
    )
    now, then = (
        Verdicts(claims=tuple([each.model_copy(update={"verdict": verdict, "judged": True}) for each in found.claims]))
        for verdict in ("supported", "unsupported")
    )
    placed = PlacedCase(asked, 0, case_digest(asked), "f", 1)
    verdicts = now.model_copy(update={"by_baseline": then})
    row = core["gates.case_row"].evaluate_drafted(placed, found, verdicts, rules, finished_at="").row
    return row.model_dump(mode="json")


def told(core: Core) -> Any:
    """What is said again of a claim that a label closed, and of points of claims that are gone."""
    judged = claim(verdict="supported", judged=True, votes=(ClaimVote(judge="a", armed=True, verdict="supported"),))
    points = (PointVote(point="p", claim_id="c9"), PointVote(point="q"))
    judges = (AskedJudge(judge="a", armed=True), AskedJudge(judge="b", armed=True, lost=lost("b").lost))
    verdicts = Verdicts(claims=(judged,), judges=judges, points=points)
    closed = [claim(verdict="unsupported", labelled=True), claim("c2", "Another."), claim("c3")]
    return core["judging.rescored_answer"].rescored_verdicts(closed, verdicts, None).model_dump(mode="json")


def nothing_changed(core: Core) -> Any:
    """An answer that nobody judged beside one whose judges changed nothing, though something is open in both."""
    module = core["comparison.same_judges"]
    return module.are_alike(module.PanelOf(), module.PanelOf(frozenset("a")))


def beside_others(core: Core) -> Any:
    """The gates that stand beside the baseline's where other judges judged it."""
    rows = [make_row(0, outcomes={"faithfulness": Passed()})]
    comparison = compare(rows, rows).model_copy(update={"other_panel": OtherPanel(cases=1)})
    return [gate.name for gate in core["comparison.same_judges"].without_other_panels(comparison).gates]


def without_citation_gate(core: Core) -> Any:
    """A row that declines by its panel alone, in a run whose answers seldom cite."""
    alone = ByRules(outcomes={"citation_support": failed()})
    judged = make_row(0, outcomes={"citation_support": NotApplicable(why="")}, by_rules=alone)
    return core["counting.citation_habit"].without_citation_gate(judged, make_policy().gates).model_dump(mode="json")


def closed_by_a_label(core: Core) -> Any:
    """Why a claim is unverified whose label and words are at odds, of which no judge was asked."""
    nobody = Unmeasured(reason="no-adjudicator", detail="")
    silent = [AskedJudge(judge="a", armed=True)]
    return core["gates.answer_gates"].unjudged_claims_reason([claim(labelled=True)], silent, nobody)


def believed(core: Core) -> Any:
    confusion: Confusion = (("supported", "supported", 36), ("supported", "partial", 4), ("partial", "partial", 40))
    flawless: Confusion = (("supported", "supported", 40), ("partial", "partial", 40))
    cards = (
        JudgeCard(judge="a", armed=True, why_not=None, confusion=flawless),
        JudgeCard(judge="b", armed=True, why_not=None, confusion=flawless),
        JudgeCard(judge="the panel", armed=True, why_not=None, confusion=confusion),
    )
    members = tuple([PanelMember(name=name, lab=name, model=name, fingerprint=name) for name in "ab"])
    panel = Panel(members=members, prompt="p", quorum=2, cards=cards)
    verdicts: list[JudgedVerdict] = [*["supported"] * 70, *["unsupported"] * 30]  # type: ignore[list-item]
    claims = tuple(Claim(claim_id=f"c{n}", text=f"{n}", verdict=each, judged=True) for n, each in enumerate(verdicts))
    decided = core["counting.judged_claims"].JudgedClaims()
    decided.add(make_row(0, judges=(AskedJudge(judge="a"),), claims=claims))
    return core["judging.corrected_rate"].corrected_rate(panel, decided)


BAD = all_say(SUPPORTED[0], vote("claim-2", "contradicted", against=place("hours")))
GOOD = all_say(*SUPPORTED)
OTHERS = [each.model_copy(update={"prompt": "another"}) for each in GOOD]
INVENTED = Support(chunk_id="hours", quote="The shop opens at ten.", quote_start=0)
INVENTING = Vote(claim_id="c1", verdict="supported", support=(INVENTED,))
CERTAIN = Finding(kind="conflict", code="time", reason="", certain=True)
UNREAD: dict[str, str | None] = {**CHUNKS, "unread": None}
POINTS: dict[str, Any] = {"required_points": ["opening"]}
ITEMISED = {"claims": [{"text": "It opens early, and refunds are slow.", "citation_id": "refunds"}]}
TWO_SIDES = (ClaimVote(judge="a", verdict="supported"), ClaimVote(judge="b", verdict="partial"))
DEAR = AskedJudge(judge="a", calls=1, cost_usd=2.0)
UNPRICED = AskedJudge(judge="b", calls=1)


# Rule, module, the piece of its text that makes it, what becomes of that, and the example.
def charged(core: Core) -> Any:
    """What a run is charged for a call about a label and one about a case, of which the latter is counted by its row."""
    said = [judgement("a", vote("c1", "supported")).model_copy(update={"about": about, "calls": 1, "cost_usd": 0.5}) for about in ("label", "case", "baseline")]  # fmt: skip
    trial, again = [core["judging.judging_cost"].trial_cost(said, about) for about in ("label", "baseline")]
    members = (PanelMember(name="a", lab="l", model="m", fingerprint="f"),)
    panel = Panel(members=members, prompt="p", trial=trial, again=again)
    return core["judging.judging_cost"].with_trial(JudgingCounts(calls=1, cost_usd=0.5), panel).model_dump()


def under_another(core: Core) -> Any:
    """A row whose check failed, under judges who see a decline that others did not."""
    rules = make_rules(language="it")
    case: dict[str, Any] = {"rules": rules, "must_contain": ["week"]}
    declines = all_say(vote("claim-1", "unsupported"), declines=True)
    stored, again = [judged_row(each, "Non lo so davvero.", **case) for each in (OTHERS[:1], declines)]
    module = core["comparison.same_judges"]
    stays = module.row_by_panel(stored, again, rules.gates, keep={"behaviour"})
    other = module.row_by_panel(judged_row(OTHERS), judged_row(BAD), rules.gates)
    refuted = "Refunds take eleven days. It opens early."
    rested = module.row_by_panel(judged_row([], refuted), judged_row(BAD[:2], refuted), rules.gates)
    return [each.model_dump(mode="json") for each in (stays, other, rested)]


def of_another(core: Core) -> Any:
    """What was kept of an answer, beside a baseline with another answer to the same case."""
    module, stored = core["comparison.baseline_index"], judged_row([])
    kept = list(module.PastAnswers({stored.case_id: stored}).kept([stored]))
    return len(module.past_answers(kept, [stored.model_copy(update={"answer_digest": "another"})]).rows)


def beside_again(core: Core) -> Any:
    """The gates that stand beside the baseline's where all of it was judged again."""
    rows = [make_row(0, outcomes={"faithfulness": Passed()})]
    comparison = compare(rows, rows).model_copy(update={"other_panel": OtherPanel(judged_again=1)})
    return [gate.name for gate in core["comparison.same_judges"].without_other_panels(comparison).gates]


def missed(core: Core) -> Any:
    """Why an answer is open whose judges were lost, and one that nobody could judge."""
    why = core["comparison.same_judges"].why_missed
    return why(judged_row([lost(name) for name in "abc"])), why(judged_row([]))


def judged_again(core: Core) -> Any:
    """What is told of a case whose answer on the baseline was judged again."""
    again = judged_row(GOOD)
    baseline = index([again])._replace(again=PastAnswers({again.case_id: again}))
    comparer = core["comparison.comparer"].Comparer(baseline, Policy(), decided_on=TODAY)
    comparer.add(judged_row(GOOD))
    found = comparer.comparison([(again.case_id, again.digest, True)], count([again])).other_panel
    return found and found.judged_again


def doubtful(core: Core) -> Any:
    """Whether cases are asked again whose baseline other judges judged: one that fails as well, one that passes."""
    partial = all_say(SUPPORTED[0], vote("claim-2", "partial"))
    others = [each.model_copy(update={"prompt": "another"}) for each in partial]
    policy = make_policy(gates={"faithfulness": {"level": "block"}})
    found = []
    for before, after in ((others, partial), (OTHERS, GOOD)):
        baseline = index([judged_row(before)])
        confirmation = core["comparison.confirmation_asks"].Confirmation(policy, decided_on=TODAY, baseline=baseline)
        found.append(confirmation.is_doubtful(judged_row(after)))
    return found


PANEL_RULES: list[tuple[str, str, str, str, Example]] = [
    ("panel: a run pays for calls about labels", "judging.judging_cost", "fsum((counts.cost_usd, trial.cost_usd))", "counts.cost_usd", charged),
    ("panel: and for those about the baseline's answers", "judging.judging_cost", "(panel.trial, panel.again)", "(panel.trial,)", charged),
    ("panel: an old answer keeps what a check said", "comparison.same_judges", " and gate not in keep", "", under_another),
    ("panel: and how it comes out without judges", "comparison.same_judges", "hallucinations=alone.hallucinations,", "", under_another),
    ("panel: what was kept is of one answer", "comparison.baseline_index", " or not answer.is_of(row)", "", of_another),
    ("panel: counts of answers judged again stay", "comparison.same_judges", " or not comparison.other_panel.cases", "", beside_again),
    ("panel: why an answer was not judged again", "comparison.same_judges", "why for why in _MISSED_FOR if why in reasons", "why for why in _MISSED_FOR", missed),
    ("panel: who was asked again is told", "comparison.comparer", "elif row.case_id in self._baseline.again.rows:", "elif False:", judged_again),
    ("asked again: what fails beside others' judges", "comparison.confirmation_asks", 'if standing.state == "failed" and is_judged_otherwise(row, past.panel):', "if False:", doubtful),
    ("asked again: and nothing that passes", "comparison.confirmation_asks", 'standing.state == "failed" and is_judged_otherwise(row, past.panel)', "is_judged_otherwise(row, past.panel)", doubtful),
    ("panel: and for those about cases once", "judging.judging_cost", "each.about == about and ", "", charged),
    ("panel: a label is not overruled", "counting.judge_only_findings", " and not claim.labelled", "", folded(*votes("supported", "supported"), claims=(claim(labelled=True),))),
    ("panel: nor is a certain finding", "counting.judge_only_findings", " and not any(each.certain for each in claim.findings)", "", folded(*votes("supported", "supported"), claims=(claim(findings=(CERTAIN,)),))),
    ("panel: nor what is verified", "counting.judge_only_findings", 'claim.verdict == "unverified" and', "", folded(*votes("partial", "partial"), claims=(claim(verdict="supported"),))),
    ("panel: a passage about something else supports nothing", "judging.claim_vote_aggregation", "if each.is_near is False:", "if False:", folded(*votes("supported", "supported"), claims=(claim(text="The kettle is dishwasher safe."),))),
    ("panel: what cannot be compared counts", "judging.claim_vote_aggregation", "(None if None in near else False)", "False", folded(*votes("supported", "supported"), claims=(claim(text="Die Lieferung ist für Mitglieder kostenlos."),))),
    ("panel: what a judge misses decides nothing where it was not shown a chunk", "judging.claim_vote_aggregation", "in deciding - blind]", "in deciding]", folded(*[each.model_copy(update={"left_out": ("refunds",)}) for each in votes("unsupported", "unsupported")])),
    ("panel: a claim short of a subject speaks of what was asked", "judging.claim_vote_aggregation", "if found is False and is_short_of_a_subject(claim):", "if False:", folded(*votes("supported", "supported"), claims=(claim("c0", "The shop is large."), claim(text="It is always free.")))),
    ("panel: only armed votes count", "judging.claim_vote_aggregation", "counted = [each for each in votes if each.judge in deciding - blind]", "counted = votes", folded(judgement("a", vote("c1", "supported")), judgement("b", vote("c1", "partial")), armed="a", quorum=1)),
    ("panel: too few armed judges decide nothing", "judging.claim_vote_aggregation", "return armed if len(armed) >= self.least else frozenset()", "return armed", folded(*votes("supported", "supported"), armed="a")),
    ("panel: a verdict has its quorum", "judging.claim_vote_aggregation", "given.total() < least or", "", folded(*votes("supported"))),
    ("panel: more than half support what is supported", "judging.claim_vote_aggregation", 'if 2 * given["supported"] > given.total():', 'if 2 * given["supported"] >= given.total():', folded(*votes("supported", "partial"))),
    ("panel: a declared judge verifies nothing", "judging.claim_vote_aggregation", 'if verdict == "supported":', "if False:", all_declared),
    ("panel: nor does it let an answer off", "judging.claim_vote_aggregation", "if declines:", "if False:", all_declared),
    ("panel: of equals the worse", "judging.claim_vote_aggregation", '("contradicted", "unsupported", "partial", "supported")', '("partial", "unsupported", "contradicted", "supported")', folded(*votes("partial", "contradicted"))),
    ("panel: nothing is judged without a text", "judging.claim_vote_aggregation", " or not any(texts)", "", folded(*votes("contradicted", "contradicted"), chunks={"unread": None})),
    ("panel: what nobody read may back a claim", "judging.claim_vote_aggregation", 'found == "contradicted" or None not in texts', "True", folded(*votes("unsupported", "unsupported"), chunks=UNREAD)),
    ("panel: a quote stands where it is said to", "judging.claim_vote_aggregation", "text.startswith(place.quote, place.quote_start)", "True", folded(*[judgement(name, INVENTING) for name in "ab"])),
    ("panel: and is not empty", "judging.claim_vote_aggregation", "bool(place.quote.strip()) and ", "", folded(*[judgement(name, Vote(claim_id="c1", verdict="supported", support=(Support(chunk_id="hours", quote=" ", quote_start=3),))) for name in "ab"], claims=(claim(text="It is."),))),
    ("panel: support without a quote is none", "judging.claim_vote_aggregation", "elif support:", "else:", folded(judgement("a", INVENTING))),
    ("panel: parts are the claim's own words", "judging.claim_vote_aggregation", " and part.span in claim.text", "", folded(judgement("a", Vote.model_validate_json('{"claim_id": "c1", "verdict": "partial", "parts": [{"span": "elsewhere", "verdict": "partial"}]}')))),
    ("panel: chunks that most name", "judging.claim_vote_aggregation", "len(votes) // 2 + 1, max", "1, max", folded(judgement("a", vote("c1", "supported", "hours", "refunds")), judgement("b", vote("c1", "supported", "hours")))),
    ("panel: where no majority names one, the ones named most", "judging.claim_vote_aggregation", "min(len(votes) // 2 + 1, max(named.values(), default=0))", "len(votes) // 2 + 1", folded(judgement("a", vote("c1", "supported", "refunds")), judgement("b", vote("c1", "supported", "hours")))),
    ("panel: an answer that declines has no judged claim", "judging.claim_vote_aggregation", "if is_open(claim) and not declined_at_all else None", "if is_open(claim) else None", folded(*all_say(vote("c1", "supported"), declines=True), declined=None)),
    ("panel: one that may decline has no false one", "judging.claim_vote_aggregation", 'if declined_at_all is None and verdict != "supported":', "if False:", folded(*votes("partial", "partial"), declined=None)),
    ("panel: declining has its quorum", "judging.claim_vote_aggregation", "votes.total() < least or", "", folded(judgement("a", declines=True), declined=None)),
    ("panel: judges at odds on declining say nothing", "judging.claim_vote_aggregation", " or votes[True] == votes[False]", "", folded(judgement("a", declines=True), judgement("b", declines=False), declined=None)),
    ("panel: rules that know of declining are not asked again", "judging.claim_vote_aggregation", "_declines(armed, terms.least) if declined is None else None", "_declines(armed, terms.least)", folded(*all_say(declines=True))),
    ("panel: a point has its quorum", "judging.claim_vote_aggregation", "if len(named) < least:", "if False:", folded(judgement("a", points={"p": None}))),
    ("panel: a point is made where more say so", "judging.claim_vote_aggregation", "2 * found.total() > len(named)", "bool(found)", folded(judgement("a", points={"p": "c1"}), judgement("b", points={"p": None}))),
    ("panel: a claim that is not there makes no point", "judging.claim_vote_aggregation", "claim_id if claim_id in verdicts else None", "claim_id and 'c1'", folded(*all_say(points={"p": "c9"}))),
    ("gate: the panel's word on declining fills what is open", "judging.undecided_claims", "if declines is None or known_decline(drafts, claims) is not None:", "if True:", row(all_say(vote("claim-1", "unsupported"), declines=True), ITALIAN, language="it")),
    ("gate: a judged claim does not show that an answer asserts", "judging.undecided_claims", " and not claim.judged for claim in found", " for claim in found", row([judgement("a", vote("claim-1", "supported"), declines=True), judgement("b", vote("claim-1", "supported"), declines=False)], ITALIAN, language="it", expect="abstain")),
    ("gate: a point is made by the claim the panel names", "judging.undecided_claims", "if each.claim_id is not None and each.point in names:", "if False:", row(all_say(*SUPPORTED, points={"opening": "claim-1"}), **POINTS)),
    ("gate: only a point that is open", "gates.diagnosis", "[each.point for each in verdicts.points if each.point in left]", "[each.point for each in verdicts.points]", row(all_say(*SUPPORTED, points={"opening": "claim-1"}), required_points=[{"id": "opening", "answer_phrases": ["ten"]}])),
    ("gate: a point that the panel decided is not in doubt", "gates.answer_gates", " - judged.panel_points", "", row(all_say(*SUPPORTED, points={"opening": None}), **POINTS)),
    ("gate: judges lost are why something is open", "gates.answer_gates", "if not (lost or silent):", "if True:", row([lost(name) for name in "abc"])),
    ("gate: only armed ones", "gates.answer_gates", "[judge for judge in judges if judge.armed]", "list(judges)", row([lost(name) for name in "abc"], armed="")),
    ("gate: a claim that a reply left out has no verdict", "gates.answer_gates", "if judge.lost is None and is_silent(judge)]", "if False]", row(all_say(SUPPORTED[0]))),
    ("gate: a budget that is spent is a reason of its own", "gates.answer_gates", '{"budget": "budget", "cut": "cut"}', "{}", row([lost(name, "budget") for name in "abc"])),
    ("gate: a lost judge weighs more than a spent budget", "gates.answer_gates", '("judge", "cut", "budget")', '("budget", "cut", "judge")', row([lost("a", "budget"), lost("b"), lost("c")])),
    ("gate: what a label closed is open for no judge's want", "gates.answer_gates", "[claim for claim in unsure if is_open(claim)]", "list(unsure)", closed_by_a_label),
    ("gate: a judged hallucination shows what speaks against it", "gates.hallucination_key", "_against(claim) or ", "", row(BAD)),
    ("gate: its key hangs on no judge's quote", "claims.false_claim_identity", "None if claim.judged else claim.quote", "claim.quote", lambda core: core["claims.false_claim_identity"].statement_of(claim(verdict="contradicted", judged=True, quote="It is closed on Sundays."))),
    ("gate: how it comes out without the panel is kept", "gates.diagnosis", "    if not outcomes and", "    if True or", row(BAD)),
    ("gate: by other demands a closed claim stays as it is", "judging.rescored_answer", " if known.judged and is_open(claim) else", " if known.judged else", told),
    ("gate: a point of a claim that is gone is gone", "judging.rescored_answer", "elif each.claim_id in ids:", "else:", told),
    ("gate: nobody was asked about what is open by other demands alone", "judging.rescored_answer", "if judge.lost is not None]", "]", told),
    ("gate: without its panel citations count neither where few cite", "counting.citation_habit", "row = _without_panels(row)", "", without_citation_gate),
    ("compared: another panel's verdicts are not held against ours", "comparison.same_judges", "return not one.missed", "return True", compared([lost(name) for name in "abc"], BAD)),
    ("compared: newly judged is not newly wrong", "comparison.same_judges", "(not one.bound_to and one.settled) or (not other.bound_to and other.settled)", "True", compared([], BAD)),
    ("compared: an answer of which nothing is open stands beside any", "comparison.same_judges", "(not one.bound_to and one.settled) or", "", lambda core: core["comparison.same_judges"].are_alike(core["comparison.same_judges"].PanelOf(settled=True), core["comparison.same_judges"].PanelOf(frozenset("a"), matters=True))),
    ("compared: a panel that changed nothing is none", "comparison.same_judges", "if not (one.matters or other.matters):", "if False:", nothing_changed),
    ("compared: what other judges said is left out of both", "comparison.comparer", "without_panel(row, self._gates), past.alone or past", "row, past", compared(OTHERS, BAD)),
    ("compared: a judge's other chunk is no certain citation fault", "counting.case_state", " and not claim.judged", "", compared(all_say(vote("claim-1", "supported", "refunds")), all_say(vote("claim-1", "supported", "hours")), answer=ITEMISED)),
    ("compared: counts of other judges stand beside none", "comparison.same_judges", "if gate.name not in _BY_PANEL]", "]", beside_others),
    ("count: judges agree where all are on one side", "counting.summary_amounts", "len(sides) == 1", "True", counted(make_row(0, judges=(DEAR,), claims=(claim(votes=TWO_SIDES),)))),
    ("count: one vote agrees with nobody", "counting.summary_amounts", "if len(claim.votes) > 1:", "if claim.votes:", counted(make_row(0, judges=(DEAR,), claims=(claim(votes=TWO_SIDES[:1]),)))),
    ("count: a vote against a rule is one", "counting.summary_amounts", "(claim.verdict != _SUPPORTED) in sides", "False", counted(make_row(0, judges=(DEAR,), claims=(claim(verdict="unsupported", labelled=True, votes=TWO_SIDES),)))),
    ("count: a judge of no price that was called is named", "counting.summary_amounts", "if judge.cost_usd is None and judge.calls and not judge.unmetered:", "if False:", counted(make_row(0, judges=(UNPRICED,)))),
    ("run: a known-bad case that nobody could ask judges about is not measured", "counting.judge_only_findings", "if panel_advises and would_be_asked", "if False and would_be_asked", known_bads(LEFT, advises=True)),
    ("advice: what is decided is none", "counting.judge_only_findings", "claim.votes and is_open(claim) and", "claim.votes and", advised(claim(verdict="unsupported", labelled=True, votes=AGAINST))),
    ("advice: most of the judges heard", "counting.judge_only_findings", "2 * faulty > len(claim.votes)", "2 * faulty >= len(claim.votes)", advised(claim(votes=TWO_SIDES))),
    ("advice: votes that count are none", "counting.judge_only_findings", "and not any(vote.armed for vote in claim.votes)", "", advised(claim(votes=tuple([vote.model_copy(update={"armed": True}) for vote in AGAINST])))),
    ("advice: an answer that declines asserts nothing", "counting.judge_only_findings", "row.abstained or", "", advised(claim(votes=AGAINST), abstained=True)),
    ("advice: a known-bad answer has a gate of its own", "counting.judge_only_findings", ' or row.kind == "known_bad"', "", advised(claim(votes=AGAINST), kind="known_bad", blocked_at="answer faithfulness")),
    ("advice: what all judges say is told apart", "counting.judge_only_findings", 'return all(vote.verdict != "supported" and not vote.is_blind for vote in claim.votes)', "return True", advised(claim(votes=(*AGAINST, TWO_SIDES[0])))),
    ("advice: of equals the worse", "counting.judge_only_findings", '("contradicted", "unsupported", "partial")', '("partial", "unsupported", "contradicted")', advised(claim(votes=AGAINST))),
    ("advice: the base branch's answer is kept beside it", "comparison.comparer", "if row.judges and advised_claims(row):", "if False:", beside_advice),
    ("asked twice: a vote that is taken back does not count", "judging.order_recheck", "if vote.claim_id not in flipped]", "]", asked_twice("supported")),
    ("asked twice: one that stays on its side does", "judging.order_recheck", "if is_flip]", "]", asked_twice("contradicted")),
    ("asked twice: only of the claims that fail", "judging.order_recheck", " and (claims is None or vote.claim_id in claims)", "", asked_twice("supported", claims="")),
    ("asked twice: what fails an answer", "judging.order_recheck", 'claim.judged and claim.verdict != "supported"', "claim.judged", doubted(claim(judged=True, verdict="supported", votes=ARMED_AGAINST))),
    ("asked twice: those whose votes count", "judging.order_recheck", "(vote.armed or not fails)", "True", doubted(claim(judged=True, verdict="unsupported", votes=(*ARMED_AGAINST, AGAINST[1])))),
    ("asked twice: those who agree where that is reviewed", "judging.order_recheck", "reviewed and is_open(claim)", "is_open(claim)", doubted(claim(votes=AGAINST))),
    ("review: where the suite asks for it", "comparison.review_by_advisers", "any(map(_reviews, (before, now)))", "True", reviewed(claim(votes=AGAINST), now="labelled")),
    ("review: who leaves off is asked once more", "comparison.review_by_advisers", "(before, now)))", "(now,)))", reviewed(claim(votes=AGAINST), now="labelled", then="review")),
    ("review: judges of two labs", "comparison.review_by_advisers", " and len(labs) >= LABS_TO_REVIEW", "", reviewed(claim(votes=AGAINST), labs="xx")),
    ("review: in whatever case it is written", "comparison.review_by_advisers", ".strip().casefold()", "", reviewed(claim(votes=AGAINST), labs="xX")),
    ("review: every judge heard calls it false", "comparison.called_faulty", "all(vote.verdict in _FALSE", "any(vote.verdict in _FALSE", reviewed(claim(votes=(AGAINST[0], TWO_SIDES[1])))),
    ("review: what people call supported is not", "comparison.review_by_advisers", "not claim.cleared and ", "", reviewed(claim(votes=AGAINST, cleared=True))),
    ("review: what the baseline's judges said is not new", "comparison.review_by_advisers", "if not before.has(claim)]", "]", reviewed(claim(votes=AGAINST), claim(votes=AGAINST[:1]))),
    ("review: nor is it in other words", "comparison.called_faulty", "return any(is_same(each, said) for each in self.said)", "return False", reviewed(claim(text="The shop opens at nine and refunds are really quick.", votes=AGAINST), claim(votes=AGAINST))),
    ("review: other judges are not compared with", "comparison.review_by_advisers", "if not heard_on(row) <= before.heard and not past.panel.settled:", "if False:", reviewed(claim(votes=AGAINST), heard="a")),
    ("review: but for what rules had settled", "comparison.review_by_advisers", " and not past.panel.settled", "", reviewed(claim(votes=AGAINST), claim(verdict="supported"), heard="")),
    ("review: a waiver lets it go", "comparison.review_by_advisers", "if row.case_id in self._waived_cases:", "if False:", reviewed(claim(votes=AGAINST), waivers=[waiver("q0", "judges_review")])),
    ("run: and that alone leaves nothing open", "decision.run_gates", 'and not counts.known_bad_unmeasured and rule.level == "block"', "and False", known_bads(LEFT, advises=True)),
    ("run: one whose armed judges were lost does", "counting.judge_only_findings", "if outcome.reason in _NOT_HEARD:", "if False:", known_bads(LOST)),
    ("run: a known-bad case that judges could not block is not blocked", "counting.judge_only_findings", 'if outcome.kind == "failed":', "if False:", known_bads(FAILS_BEFORE, advises=True)),
    ("run: nor one whose stage rules have settled", "counting.judge_only_findings", '"unmeasured" and GATES[gate].stage == row.blocked_at', '"unmeasured"', known_bads(ELSEWHERE, advises=True)),
    ("run: nor one that a label closed", "counting.judge_only_findings", "return bool(open_claims) or", "return True or", known_bads(CLOSED, advises=True)),
    ("run: judges would be asked about a citation", "counting.judge_only_findings", "any(claim.citations for claim in open_claims)", "bool(open_claims)", known_bads(UNCITED, advises=True)),
    ("run: and about a point that a claim in doubt makes", "counting.judge_only_findings", "any(claim.points for claim in open_claims) or not any(claim.points for claim in unsure)", "True", known_bads(POINT_CLOSED, advises=True)),
    ("suite: judges that are gone are told", "comparison.panel_changes", "return counted if len(now) < stayed + len(counted) else ()", "return ()", panels("ab", "a")),
    ("suite: one in whose place another stands is not gone", "comparison.panel_changes", "return counted if len(now) < stayed + len(counted) else ()", "return counted", panels("ab", "ac")),
    ("suite: one that only advised is not missed", "comparison.panel_changes", "if each.name in counts]", "]", panels("ab", "a", advising="b")),
    ("suite: a term that fewer labels meet is weaker", "comparison.setting_changes", '"judges.arming.labels", lower', '"judges.arming.labels", higher', panels("ab", "ab", labels=9)),
    ("suite: a smaller quorum is weaker", "comparison.panel_changes", "is_weaker = QUORUM.weaker(*votes)", "is_weaker = False", panels("ab", "ab", quorum=1)),
    ("judges lost: an open case that judges measured is one", "comparison.panel_changes", "self._cases.offer(row.weight, row.position, row.case_id)", "pass", judges_lost(OPEN_NOW)),
    ("judges lost: where judges count nothing is for want of one", "comparison.panel_changes", "return gate not in self._verified and would_be_asked(gate, row)", "return would_be_asked(gate, row)", judges_lost(OPEN_NOW, after="a")),
    ("judges lost: nor where nobody would be asked", "comparison.panel_changes", " and would_be_asked(gate, row)", "", judges_lost(make_row(0, outcomes={"faithfulness": _NOBODY}, claims=(claim(labelled=True),)))),
    ("judges lost: only who counted is missed", "comparison.panel_changes", "[gate for gate in FED if before is not None and before.counts_for(gate)]", "FED", judges_lost(OPEN_NOW, before="")),
    ("judges lost: a key that is not set", "comparison.panel_changes", '(outcome.reason == "judge" and "judge-key" in lost)', "False", judges_lost(unheard_row(unmeasured("judge"), "judge-key"), after="a")),
    ("judges lost: a call that timed out is no judge lost", "comparison.panel_changes", '(outcome.reason == "judge" and "judge-key" in lost)', 'outcome.reason == "judge"', judges_lost(unheard_row(unmeasured("judge"), "judge-timeout"), after="a")),
    ("judges lost: money that is used up", "comparison.panel_changes", 'return outcome.reason == "budget" or', "return", judges_lost(unheard_row(unmeasured("budget"), "budget"), after="a")),
    ("judges lost: one decides where two had to agree", "comparison.panel_changes", "len(now.armed_for(gate)) < before.votes_for(gate)", "False", judges_lost(OF_ONE, before="ab", after="a")),
    ("judges lost: a gate that only warns is not missed", "comparison.panel_changes", 'if outcome is None or self._gates.of(gate).level != "block":', "if outcome is None:", judges_lost(OPEN_NOW, gates={"faithfulness": {"level": "warn"}})),
    ("judges lost: a waiver of a weaker suite excuses all", "comparison.panel_changes", 'if "" in self._waived:', "if False:", judges_lost(OPEN_NOW, waivers=[waiver("", "policy_weakened")])),
    ("judges lost: a waiver of the case excuses it", "comparison.panel_changes", " or row.case_id in self._waived:", ":", judges_lost(OPEN_NOW, waivers=[waiver("q0", "policy_weakened")])),
    ("judges lost: by an upgrade alone it is told", "comparison.panel_changes", "if self._now is not None and self._now.upgraded and", "if False and", judges_lost(OPEN_NOW, upgraded=True, why_not="not-judged")),
    ("judges lost: but not one that has judged its labels", "comparison.panel_changes", " and all(each.why in _UNTRIED for each in judges)", "", judges_lost(OPEN_NOW, upgraded=True, why_not="false-block")),
    ("judges lost: on a laptop it is told", "comparison.panel_changes", "self._now is None or self._now.demanded or", "True or", judges_lost(OPEN_NOW, demanded=False)),
    ("judges lost: and nothing is red there", "decision.policy_gates", 'lost is None or lost.excused in {"upgrade", "no-secrets", "laptop"}', "lost is None", judges_lost(OPEN_NOW, demanded=False)),
    ("suite: on the baseline's terms only those who meet them count", "judging.scorecard_and_arming", " if is_declared or _meets(card, rules.arming)", "", under_terms),
    ("suite: and decide the same answer again", "gates.second_policy", " or verdicts.by_baseline is not None:", ":", decided_again),
    ("run: judges cheap enough", "decision.limit_gates", '"passed" if amount <= rule.max', '"passed" if True', cost(DEAR)),
    ("run: an unknown price leaves their cost unknown", "decision.limit_gates", "not judging.unpriced or judging.cost_usd > rule.max", "True", cost(UNPRICED)),
    ("run: what is known may be too much already", "decision.limit_gates", " or judging.cost_usd > rule.max", "", cost(DEAR, UNPRICED)),
    ("run: the panel errs as its own card says", "judging.corrected_rate", "PANEL if len(armed) > 1 else ", "", believed),
]  # fmt: skip
