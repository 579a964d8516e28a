"""A sentence that many answers newly say, and nothing shown says word for word, is told as a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.fault_list import fault_lines
from raggate_action.report.plain_sink import plain
from raggate_action.report.render import render_comment
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from tests.row_builders import compare, make_row, passed, unmeasured
from tests.unit.test_verified import reporting_of

INVENTED = "Please note that most claims are settled quickly and generously."


def row(
    position: int, *said: str, chunks: Sequence[str] = (), words: str = "How do I file claims?", **more: object
) -> CaseRun:
    """A passing answer of a quotation and of sentences that nothing supports."""
    fact = f"Claim number {position} is due."
    quoted = Claim(claim_id="claim-1", text=fact, verdict="supported", quote=fact, supported_by=(f"c{position}",))
    free = [Claim(claim_id=f"claim-{n + 2}", text=text) for n, text in enumerate(said)]
    faithful = unmeasured("no-adjudicator") if said else passed((1, 1))
    fields: dict[str, Any] = {
        "question": words,
        "answer": " ".join((fact, *said)),
        "context": tuple(chunks) or (f"c{position}",),
        "claims": (quoted, *free),
        "outcomes": {"answered": passed(), "faithfulness": faithful},
    }
    return make_row(position, **{**fields, **more})


def told(head: Sequence[CaseRun], base: Sequence[CaseRun]) -> list[tuple[int, str]]:
    return [(each.answers, each.text) for each in compare(head, base).said_by_many]


BASE = [row(n) for n in range(6)]


def test_a_sentence_that_three_answers_say_and_none_of_main_s_did_is_told() -> None:
    head = [row(n, INVENTED if n < 3 else f"It is due on day {n}.") for n in range(6)]
    assert told(head, BASE) == [(3, INVENTED)]
    assert told(list(reversed(head)), BASE) == [(3, INVENTED)], "in whatever order"
    assert told([*head[:2], *BASE[2:]], BASE) == [], "two may be chance"


def test_what_an_answer_of_main_s_says_anywhere_is_not_new() -> None:
    head = [row(n, INVENTED) for n in range(5)] + [row(5)]
    assert told(head, [*BASE[:5], row(5, INVENTED.upper())]) == []


def test_what_one_chunk_may_say_in_other_words_is_not_told() -> None:
    """Three questions about one thing have one paraphrase: two of four were given the same chunk, then three."""
    head = [row(n, INVENTED, chunks=("c9", f"c{n}") if n < 2 else ()) for n in range(4)]
    assert told(head, BASE[:4]) == [(4, INVENTED)]
    assert told([*head[:2], row(2, INVENTED, chunks=("c9",)), head[3]], BASE[:4]) == []


def test_nothing_is_told_without_words_or_evidence_of_a_decline_or_of_what_a_finding_tells() -> None:
    finding = Finding(kind="absent", code="number", reason="9 is in no chunk", key="k")
    suspect = (Claim(claim_id="claim-1", text=INVENTED, findings=(finding,)),)
    for more in ({"abstained": True}, {"context": ()}, {"claims": suspect}):
        assert told([row(n, INVENTED, **more) for n in range(6)], BASE) == []
    assert told([row(n, INVENTED) for n in range(6)], [row(n, answer=None) for n in range(6)]) == []


def test_it_is_told_as_a_fact_and_warns_of_nothing() -> None:
    thanks = "Thank you for trusting us with your claim documents today."
    head = [row(n, *((thanks, INVENTED) if n else (INVENTED,))) for n in range(6)]
    reporting = reporting_of(head, BASE)
    line = f"New in several answers: “{INVENTED}” (6 answers); “{thanks}” (5 answers)."
    assert f"  note: {line}" in outcome_lines(reporting)
    assert [each.level for each in fault_lines(reporting, COMMENT_EXTENTS[0]) if plain(each.words) == line] == ["note"]
    # Under `texts: ids` rows hold no words of a claim, so that none is repeated.
    wordless = [each.model_copy(update={"claims": ()}) for each in head]
    assert "New in several answers" not in render_comment(reporting_of(wordless, BASE, texts="ids"))
