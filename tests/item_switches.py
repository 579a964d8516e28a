"""Every rule of what answers are held against, how to turn it off, and one example that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.schema.answer_votes import AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import Ask, ByBaseline, ByRules, CaseRun
from raggate_action.schema.judgement import AskedJudge, ItemSaid, ItemVote, Judgement
from raggate_action.schema.outcome import Outcome, Passed, Unmeasured
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_case, make_rules, make_trace
from tests.held_answers import holds
from tests.panel_builders import CHUNKS, judgement, lost
from tests.row_builders import TODAY, failed, make_policy, make_row

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]

ANSWER = "The shop opens at nine."
REFERENCE = "The shop opens at nine. It is closed on Sundays."
CRITERIA: list[Any] = ["names an hour", {"must_not": "promises a refund"}]
HIDDEN = "Alpha bravo charlie delta echo foxtrot golf hotel india."


def held(
    said: Mapping[str, ItemSaid] | list[Judgement],
    *,
    answer: str = ANSWER,
    armed: str = "abc",
    armed_for_criteria: str | None = None,
    quorum: int = 2,
    has_judges: bool = True,
    texts: Any = "quotes",
    gates: dict[str, Any] | None = None,
    **case: Any,
) -> Example:
    """The row of an answer of which three judges said this beside facts and criteria."""
    judged = said if isinstance(said, list) else [holds(name, said, answer) for name in "abc"]

    def example(core: Core) -> Any:
        rules = make_rules(has_judges=has_judges, texts=texts, gates=gates)
        rules = rules._replace(restricted=core["disclosure.restricted_text"].RestrictedText(None))
        asked = make_case(**case)
        context = [{"chunk_id": name, "text": text} for name, text in CHUNKS.items()]
        reply = Answered(make_trace(answer=answer, context=context))
        drafted = core["gates.diagnosis"].draft(asked, reply, rules)
        own = core["judging.claim_vote_aggregation"].PanelTerms(("a", "b", "c"), frozenset(armed), quorum)
        of_criteria = own._replace(armed=frozenset(armed if armed_for_criteria is None else armed_for_criteria))
        terms = {"agreement": own, "criteria": of_criteria}
        votes = core["judging.item_vote_aggregation"].fold_items(drafted.items, judged, terms, answer=answer)
        verdicts = core["gates.diagnosis"].rule_verdicts(drafted).model_copy(update={"answer_votes": votes})
        placed = PlacedCase(asked, 0, case_digest(asked), "f", 1)
        row = core["gates.case_row"].evaluate_drafted(placed, drafted, verdicts, rules, finished_at="").row
        return row.model_dump(mode="json")

    return example


def facts(*said: ItemSaid, **options: Any) -> Example:
    named = {f"fact-{number}": word for number, word in enumerate(said, 1)}
    return held(named, **{"reference_answer": REFERENCE, **options})


def criteria(*said: ItemSaid, **options: Any) -> Example:
    named = {f"criterion-{number}": word for number, word in enumerate(said, 1)}
    return held(named, **{"criteria": CRITERIA, **options})


def per_case(gate: str) -> Callable[[dict[str, Any]], Example]:
    """An answer of which one of two facts is stated, and one of two criteria met, by a policy."""
    named: dict[str, ItemSaid] = {"fact-1": "stated", "fact-2": "lacking", "criterion-1": "yes", "criterion-2": "yes"}

    def of(policy: dict[str, Any]) -> Example:
        row = held(named, reference_answer=REFERENCE, criteria=CRITERIA, gates=policy.get("gates"))
        return lambda core: row(core)["outcomes"][gate]

    return of


def one_says(**vote: Any) -> Example:
    """One armed judge on one fact."""
    said = ItemVote(**{"kind": "fact", "item": "fact-1", "said": "stated", "quote": ANSWER, **vote})
    return held([judgement("a", job="answer", items=(said,))], quorum=1, reference_answer="The shop opens at nine.")


def hidden_item(core: Core) -> Any:
    """What judges are asked of a reference answer that repeats what its asker may not read."""
    case = make_case(reference_answer=f"It opens at nine. {HIDDEN}")

    def repeated(texts: tuple[str, ...], _case: Any) -> tuple[str, ...]:
        return tuple([text for text in texts if HIDDEN in text])

    items = core["judging.facts_and_criteria"].judged_items(case, language="en", has_judges=True, repeated_in=repeated)
    own = core["judging.claim_vote_aggregation"].PanelTerms(("a",), frozenset("a"), 1)
    said = [holds("a", {"fact-1": "stated", "fact-2": "stated"}, ANSWER)]
    terms = {"agreement": own, "criteria": own}
    return items, core["judging.item_vote_aggregation"].fold_items(items, said, terms, answer=ANSWER).model_dump(
        mode="json"
    )


def items_for(**case: Any) -> Example:
    def example(core: Core) -> Any:
        has_judges = case.pop("has_judges", True) if "has_judges" in case else True
        asked = make_case(**case)
        return core["judging.facts_and_criteria"].judged_items(
            asked, language="en", has_judges=has_judges, repeated_in=lambda _t, _c: ()
        )

    return example


def facts_in(text: str) -> Example:
    return lambda core: core["text.reference_facts"].facts_of(text, "en")


def relevant(core: Core) -> Any:
    """What judges say of relevance."""
    votes = (ItemVote(kind="answer", said="yes"), ItemVote(kind="chunk", item="c", said="no"))
    module = core["judging.item_vote_aggregation"]
    own = core["judging.claim_vote_aggregation"].PanelTerms(("a",), frozenset("a"), 1)
    said = [judgement("a", job="answer", items=votes)]
    return module.fold_items((), said, {"agreement": own, "criteria": own}, answer="", chunks=["c", "c"]).model_dump(
        mode="json"
    )


OPEN = Unmeasured(reason="no-adjudicator", detail="")
LOST_ONES = Unmeasured(reason="judge", detail="")


def fact(*said: ItemSaid, armed: bool = False) -> JudgedItem:
    votes = tuple([ItemOpinion(judge=f"j{number}", armed=armed, said=word) for number, word in enumerate(said)])
    return JudgedItem(kind="fact", item="fact-1", text="x", votes=votes)


def advised(outcome: Outcome, *items: JudgedItem) -> Example:
    """The gates on the run of a case of which judges only say something."""

    def example(core: Core) -> Any:
        policy = make_policy()
        tally = core["counting.tally"].Tally(policy, decided_on=TODAY)
        votes = AnswerVotes(judges=(AskedJudge(judge="a", job="answer", calls=1, cost_usd=0.5),), items=items)
        tally.add(make_row(0, outcomes={"agreement": outcome}, answer_votes=votes))
        decided = core["decision.decide"].decide(tally.facts(), policy=policy, comparison=None)
        counts = tally.facts().gate_counts["agreement"].model_dump()
        return [gate.model_dump() for gate in decided.gates], tally.facts().judging.model_dump(mode="json"), counts

    return example


FORGED = AnswerVotes(judges=(AskedJudge(judge="a", job="answer", armed=True, armed_for=("agreement",)),))


def strangers(row: CaseRun) -> Example:
    """A row of a fork's run as it counts."""
    return lambda core: core["comparison.same_judges"].unjudged(row, make_policy().gates).model_dump(mode="json")


def alike(core: Core) -> Any:
    """The panel of a row whose facts alone were judged."""
    row = make_row(0, by_rules=ByRules(outcomes={"agreement": OPEN}), answer_votes=FORGED)
    return core["comparison.same_judges"].panel_of(row)


def judged_again(core: Core) -> Any:
    """A row of a run without judges, judged by some."""
    again = make_row(
        0, outcomes={"agreement": failed()}, by_rules=ByRules(outcomes={"agreement": OPEN}), answer_votes=FORGED
    )
    under = core["comparison.same_judges"].row_by_panel(
        make_row(0, outcomes={"answered": Passed()}), again, make_policy().gates
    )
    return under.model_dump(mode="json")


def by_other_demands(core: Core) -> Any:
    return (
        core["judging.rescored_answer"]
        .rescored_verdicts((), Verdicts(claims=(), answer_votes=FORGED), None)
        .model_dump(mode="json")
    )


GONE = [each.model_copy(update={"job": "answer"}) for each in (lost("a"), lost("b"), lost("c"))]
SILENT = [holds(name, {"fact-1": "stated"}, ANSWER) for name in "abc"]

# Rule, module, the piece of its text that makes it, what becomes of that, and the example.
ITEM_RULES: list[tuple[str, str, str, str, Example]] = [
    ("agreement: fact-contradicted", "gates.judged_gates", '("fact-contradicted", "contradicted", "fact", False),', "", facts("contradicted", "stated")),
    ("agreement: fact-lacking", "gates.judged_gates", '("fact-lacking", "lacking", "fact", False),', "", facts("lacking", "stated")),
    ("criteria: criterion-violated", "gates.judged_gates", '("criterion-violated", "yes", "criterion", True),', "", criteria("yes", "yes")),
    ("criteria: criterion-unmet", "gates.judged_gates", '("criterion-unmet", "no", "criterion", False),', "", criteria("no", "no")),
    ("held: an answer that says nothing is told by another gate", "gates.judged_gates", "nothing_to_judge(len(held)) if judged.says_nothing else ", "", facts("lacking", "lacking", answer="I do not know.")),
    ("held: what judges cannot tell is unmeasured", "gates.judged_gates", 'if each.said == "cannot-tell"]', "if False]", criteria("cannot-tell", "no")),
    ("held: a failure that is certain is one", "gates.judged_gates", "    if not (good or problems):\n        return doubt\n", "    return doubt\n", criteria("cannot-tell", "yes")),
    ("held: only judges armed for the gate are why it is open", "gates.judged_gates", "[judge for judge in judges if gate in judge.armed_for]", "list(judges)", held(GONE, armed="", armed_for_criteria="abc", reference_answer=REFERENCE)),
    ("held: a judge that says nothing of a fact is why it is open", "gates.judged_gates", "all(vote.judge != judge.judge for vote in each.votes)", "False", held(SILENT, reference_answer=REFERENCE)),
    ("held: judges lost are why it is open", "gates.judged_gates", 'return unjudged_reason(f"{what} {names} is open", armed, is_silent, nobody)', "return nobody", held(GONE, reference_answer=REFERENCE)),
    ("held: what rules alone leave of it is kept", "gates.diagnosis", "(*verdicts.judges, *(verdicts.answer_votes.judges if verdicts.answer_votes is not None else ()))", "verdicts.judges", facts("lacking", "stated")),
    ("held: only armed votes decide", "judging.item_vote_aggregation", "[vote.said for vote in voted.votes if vote.armed]", "[vote.said for vote in voted.votes]", facts("lacking", "stated", armed="")),
    ("held: a decision has its quorum", "judging.item_vote_aggregation", "if len(counted) < own.least:", "if not counted:", held([holds("a", {"fact-1": "lacking"}, ANSWER)], reference_answer="The shop opens at nine.")),
    ("held: a quote stands in the answer", "judging.item_vote_aggregation", " and vote.quote in answer", "", one_says(quote="The shop opens at ten.")),
    ("held: and is not empty", "judging.item_vote_aggregation", "bool(vote.quote.strip()) and ", "", one_says(quote=" ")),
    ("held: what is said of the answer is said with words of it", "judging.item_vote_aggregation", "return vote.quote is not None and", "return vote.quote is None or", one_says(quote=None)),
    ("held: only what can be said of a fact is said of it", "judging.item_vote_aggregation", " or vote.said not in item.order", "", one_says(said="yes")),
    ("held: nobody judges what the asker may not read", "judging.item_vote_aggregation", "if gate is None or item.withheld:", "if gate is None:", hidden_item),
    ("held: nor is it written", "judging.item_vote_aggregation", "text=None if item.withheld else item.text", "text=item.text", hidden_item),
    ("held: nor shown to a judge", "judging.facts_and_criteria", "item._replace(withheld=True) if repeated_in((item.text,), case) else item", "item", hidden_item),
    ("held: on relevance nobody decides", "judging.item_vote_aggregation", "_with_votes(each, present, lambda _name: False, answer)", "_with_votes(each, present, lambda _name: True, answer)", relevant),
    ("held: each chunk once", "judging.item_vote_aggregation", "for each in dict.fromkeys(chunks)]", "for each in chunks]", relevant),
    ("held: a case that expects a decline has no facts", "judging.facts_and_criteria", ' or case.expect != "answer"', "", items_for(expect="abstain", reference_answer=REFERENCE, criteria=["is polite"])),
    ("held: without judges a reference answer is for people", "judging.facts_and_criteria", "list(_facts(case, language)) if has_judges else []", "list(_facts(case, language))", held({}, has_judges=False, reference_answer=REFERENCE, criteria=["is polite"])),
    ("held: a courtesy is no fact", "text.reference_facts", "any(each.fullmatch(words) for each in courtesies)", "False", facts_in("It is free. Thank you for asking!")),
    ("held: nor is a question", "text.reference_facts", 'sentence.words.endswith(("?", "？")) or ', "", facts_in("It is free. Can I help you further?")),
    ("held: nothing but courtesies is what has to be said", "text.reference_facts", "or not is_idle(each)] or sentences", "or not is_idle(each)]", facts_in("Thank you!")),
    ("held: a sentence of two propositions is two facts", "text.reference_facts", "for words in worded or [sentence.words]:", "for words in [sentence.words]:", facts_in("The fee is 20 EUR and the deposit is refunded.")),
    ("held: an item stands behind what introduces it", "text.reference_facts", 'f"{block.lead} {words}" if block.lead else words', "words", facts_in("Refunds are possible:\n- within thirty days")),
    ("held: under ids a fact is named and not quoted", "disclosure.withholding", '_NAMING: tuple[GateName, ...] = ("agreement", "criteria")', "_NAMING: tuple[GateName, ...] = ()", facts("lacking", "stated", texts="ids")),
    ("held: nor quoted among the votes", "disclosure.withholding", 'None if item.kind == "fact" else item.text', "item.text", facts("lacking", "stated", texts="ids")),
    ("held: nor is a judge", "disclosure.withholding", 'vote.model_copy(update={"quote": None, "note": None}) for vote in item.votes', "vote for vote in item.votes", facts("lacking", "stated", texts="ids")),
    ("count: advice is counted where nobody decides", "counting.gate_tally", 'or outcome.reason != "no-adjudicator"', "", advised(LOST_ONES, fact("stated"))),
    ("count: advice is what most judges say", "counting.gate_tally", "advised == item.order[-1]", "True", advised(OPEN, fact("stated", "lacking"))),
    ("count: only what has a vote is counted", "counting.gate_tally", "            if advised is not None:\n", "            if True:\n", advised(OPEN, fact())),
    ("count: calls of every job are paid for", "counting.summary_amounts", "for judge in votes.judges:", "for judge in ():", advised(OPEN, fact("stated"))),
    ("count: things held against are counted by what most say", "counting.summary_amounts", "self._good[item.kind] += advised == item.order[-1]", "self._good[item.kind] += 1", advised(OPEN, fact("lacking"))),
    ("count: what cannot be told is counted apart", "counting.summary_amounts", 'self._unclear[item.kind] += advised == "cannot-tell"', "pass", advised(OPEN, JudgedItem(kind="criterion", votes=(ItemOpinion(judge="a", said="cannot-tell"),)))),
    ("run: advice stands in the row of a gate that nobody feeds", "decision.run_gates", "measured=_advice(name, counts) if advisory else None", "measured=None", advised(OPEN, fact("stated"))),
    ("count: whether a known-bad answer meets a criterion is open where no judge was heard", "counting.judge_only_findings", 'case "agreement" | "criteria":', 'case "agreement":', lambda core: core["counting.judge_only_findings"].unblocked_reason(make_row(0, kind="known_bad", blocked_at="behaviour", outcomes={"criteria": OPEN}), make_policy().gates, panel_advises=True)),
    ("compared: a stranger's judges decide no fact", "comparison.same_judges", "*(() if is_told else _GATES_OF_JUDGES), *JUDGED_GATES)", "*(() if is_told else _GATES_OF_JUDGES))", strangers(make_row(0, outcomes={"agreement": Passed()}, answer_votes=FORGED))),
    ("compared: nor what they are said to have said", "comparison.same_judges", '            "answer_votes": None,\n            "by_rules"', '            "by_rules"', strangers(make_row(0, answer_votes=FORGED))),
    ("compared: nor of another answer", "comparison.same_judges", "outcomes = _opened(ask.outcomes, *by_panel, *JUDGED_GATES)", "outcomes = ask.outcomes", strangers(make_row(0, asks=(Ask(outcomes={"agreement": Passed()}),)))),
    ("compared: nor by the baseline's demands", "comparison.same_judges", "_opened(found.outcomes, *JUDGED_GATES)", "found.outcomes", strangers(make_row(0, by_baseline=ByBaseline(outcomes={"criteria": failed()})))),
    ("compared: a baseline judged again has what only judges feed", "comparison.same_judges", "known = {*alone.outcomes, *JUDGED_GATES}", "known = set(alone.outcomes)", judged_again),
    ("compared: with their votes", "comparison.same_judges", '        "answer_votes": again.answer_votes,\n', "", judged_again),
    ("compared: by other demands votes on the same facts hold", "judging.rescored_answer", "        answer_votes=verdicts.answer_votes,\n", "", by_other_demands),
    ("compared: judges of every job make the panel", "comparison.same_judges", "return row.judges if row.answer_votes is None else (*row.judges, *row.answer_votes.judges)", "return row.judges", alike),
    ("compared: a criterion taken out is a demand less", "comparison.setting_changes", '    Demand("criteria", fewer, "criteria"),\n', "", lambda core: core["comparison.case_changes"].case_change(core["gates.case_demands"].demands_of(make_case(criteria=CRITERIA), None, make_rules().restricted), core["gates.case_demands"].demands_of(make_case(), None, make_rules().restricted))),
]  # fmt: skip
