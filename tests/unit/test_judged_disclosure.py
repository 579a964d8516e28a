"""Judge words are foreign words: none that a case's asker may not read, and none at all where a row keeps only ids."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from raggate_action.core.comparison.baseline_index import past_cases
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.baseline_suite import BaselineRules, BaselineSuite
from raggate_action.core.gates.case_row import Evaluated, evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted, draft, gate
from raggate_action.core.judging.rescored_answer import rescored_verdicts
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.judgement import DroppedVote, Judgement, Part
from raggate_action.schema.slices import Slices
from raggate_action.schema.stored_suite import StoredSuite
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.panel_builders import CHUNKS, all_say, drafted, judged_row, judgement, lost, place, said_of, vote
from tests.row_builders import TODAY, make_policy

SECRET = "The merger with Northwind closes on Friday for nine million."  # noqa: S105  no password
STORE = make_store(
    make_chunk("hidden", SECRET, permitted=False), *[make_chunk(name, text) for name, text in CHUNKS.items()]
)
PART = Part(span="opens early", verdict="unsupported")


def said(note: str, detail: str) -> list[Judgement]:
    against = place("hours", "It is closed on Sundays.")
    votes = (
        vote("claim-1", "contradicted", note=note, against=against, parts=(PART,)),
        vote("claim-2", "supported", "refunds", note=note),
    )
    return [judgement("a", *votes, points={"p": "claim-1"}), judgement("b", *votes), lost("c", detail=detail)]


def row_of(said: list[Judgement], **rules: Any) -> CaseRun:
    by = make_rules(STORE)._replace(**{"restricted": RestrictedText(STORE), **rules})
    return judged_row(said, rules=by, required_points=["p"])


def test_a_note_that_repeats_what_the_asker_may_not_read_is_withheld() -> None:
    row = row_of(said(f"I know that {SECRET}", f"the endpoint says: {SECRET}"))
    written = row.model_dump_json()
    assert "Northwind" not in written
    assert row.claims[0].note == row.claims[0].votes[0].note == "this text is withheld: it repeats hidden"
    assert row.judges[2].lost is not None
    assert row.judges[2].lost.detail == "this text is withheld: it repeats hidden"
    assert row.claims[0].votes[0].quote == "It is closed on Sundays."
    assert row.by_rules is not None
    assert (row.claims[0].verdict, row.claims[0].judged) == ("contradicted", True)


def test_where_only_ids_are_kept_no_word_of_a_judge_is() -> None:
    row = row_of(said("because of Sundays", "the endpoint is at rest"), texts="ids")
    written = row.model_dump_json()
    assert not [word for word in ("Sundays", "early", "Refunds", "ten days", "at rest") if word in written]
    first = row.claims[0].votes[0]
    assert (first.judge, first.verdict, first.chunk_id) == ("a", "contradicted", "hours")
    assert (first.quote, first.note, first.parts) == (None, None, ())
    assert row.claims[1].votes[0].support == ("refunds",)
    assert row.judges[2].lost is not None
    assert (row.judges[2].lost.code, row.judges[2].lost.detail) == ("judge-timeout", "")
    assert row.by_rules is not None
    assert "claims need a judge" not in row.by_rules.model_dump_json()
    words = row_of(said("because of Sundays", "the endpoint is at rest"))
    assert words.state == row.state
    assert {gate: each.kind for gate, each in words.outcomes.items()} == {g: e.kind for g, e in row.outcomes.items()}


def test_why_a_vote_was_dropped_says_nothing_that_may_not_be_written() -> None:
    def told(reason: str, **rules: Any) -> CaseRun:
        dropped = (DroppedVote(claim_id="claim-2", reason=reason),)
        return row_of([judgement("a", vote("claim-1", "unsupported"), dropped=dropped)], **rules)

    assert told("no chunk holds “Sundays”").judges[0].dropped[0].reason == "no chunk holds “Sundays”"
    forbidden = told(f"no chunk holds “{SECRET}”")
    assert "Northwind" not in forbidden.model_dump_json()
    assert forbidden.judges[0].dropped[0].reason == "this text is withheld: it repeats hidden"
    bare = told("no chunk holds “Sundays”", texts="ids")
    assert bare.judges[0].dropped == (DroppedVote(claim_id="claim-2", reason=""),)


def test_what_a_panel_said_survives_being_written_down() -> None:
    found = drafted()
    verdicts = said_of(found, said("a note", "a detail"))
    stored = TypeAdapter(Verdicts)
    again = stored.validate_json(json_line(verdicts, whole=True))
    assert again == verdicts
    assert again.judges
    assert again.points == ()
    assert gate(found, again, make_rules()) == gate(found, verdicts, make_rules())
    with_points = said_of(found, all_say(vote("claim-1", "supported"), points={"p": None}, declines=False))
    assert stored.validate_json(json_line(with_points, whole=True)) == with_points
    assert with_points.points


# The same answer by the baseline's demands


def beside(before: dict[str, Any], now: dict[str, Any], judgements: list[Judgement], answer: str) -> Evaluated:
    """An answer that a panel judged, evaluated by the suite of a baseline that demanded something else as well."""
    rules = make_rules(STORE)
    case, was = make_case(**now), make_case(**before)
    first = drafted_in(was, answer)
    old = PlacedCase(was, 0, case_digest(was), "f", 1)
    base = evaluate_drafted(old, first, said_of(first, []), rules, finished_at="").row
    cases = past_cases([(base.case_id, base.digest, True)], [base], make_policy(), decided_on=TODAY)
    found = drafted_in(case, answer)
    placed = PlacedCase(case, 0, case_digest(case), "f", 1)
    suite = StoredSuite(
        suite="s",
        gates=rules.gates,
        slices=Slices(),
        pipeline=rules.pipeline,
        language=rules.reading.language,
        citation_markers=(),
        kind="recorded",
        labelled=True,
    )
    baseline = BaselineSuite(
        suite,
        {was.case_id: was},
        {was.case_id: old.digest},
        rules.reading,
        STORE,
        rules.restricted,
        frozenset(),
        same_reading=False,
        same_rules=True,
    )
    judged_by = rules._replace(baseline=BaselineRules(cases=cases, suite=baseline))
    return evaluate_drafted(placed, found, said_of(found, judgements), judged_by, finished_at="")


def drafted_in(case: Any, answer: str) -> Drafted:
    trace = make_trace(case_id=None, answer=answer, context=["hours", "refunds"])
    found = draft(case, Answered(trace, labelled=True), make_rules(STORE))
    assert isinstance(found, Drafted)
    return found


def test_the_demands_of_the_baseline_are_judged_by_the_same_verdicts() -> None:
    good = all_say(vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
    done = beside({"must_contain": ["umbrella"]}, {}, good, "It opens early. Refunds are slow.")
    assert done.row.state == "passed"
    assert done.by_baseline is not None
    kinds = {gate: each.kind for gate, each in done.by_baseline.outcomes.items()}
    assert (kinds["faithfulness"], kinds["behaviour"]) == ("passed", "failed")
    assert done.by_baseline.by_rules is not None
    assert done.by_baseline.by_rules.outcomes["faithfulness"].kind == "unmeasured"


def test_what_no_judge_was_asked_about_is_left_open_and_no_judge_is_the_reason() -> None:
    point = {"id": "early", "answer_phrases": ["opens early"], "support_phrases": ["opens at nine"]}
    before, now = {"must_contain": ["umbrella"]}, {"required_points": [point]}
    good = all_say(vote("claim-2", "supported", "refunds"))
    done = beside(before, now, good, "It opens early. Refunds are slow.")
    assert [(each.verdict, each.judged) for each in done.row.claims] == [("supported", False), ("supported", True)]
    assert done.by_baseline is not None
    faithful = done.by_baseline.outcomes["faithfulness"]
    assert faithful.kind == "unmeasured"
    assert faithful.reason == "no-adjudicator"
    # Lost judges would have left it open as well.
    done = beside(before, now, [lost(name) for name in "abc"], "It opens early. Refunds are slow.")
    assert done.by_baseline is not None
    faithful = done.by_baseline.outcomes["faithfulness"]
    assert faithful.kind == "unmeasured"
    assert faithful.reason == "judge"


def test_points_follow_their_claims_to_other_ids() -> None:
    found = drafted()
    verdicts = said_of(found, all_say(vote("claim-1", "supported"), points={"p": "claim-1", "q": None}))
    renamed = [each.model_copy(update={"claim_id": f"new-{each.claim_id}"}) for each in found.claims]
    again = rescored_verdicts(renamed, verdicts, None)
    assert [(each.point, each.claim_id) for each in again.points] == [("p", "new-claim-1"), ("q", None)]
    assert [each.verdict for each in again.claims] == ["supported", "unverified"]
    assert rescored_verdicts(renamed[1:], verdicts, None).points == verdicts.points[1:]
