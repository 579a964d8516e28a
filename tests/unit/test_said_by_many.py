"""A sentence that many answers newly say and nothing shown says is told, as is a fall of the verified answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

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
    head = [row(n, INVENTED if n < 3 else "It is due.") for n in range(6)]
    assert told(head, BASE) == [(3, INVENTED)]
    assert told(list(reversed(head)), BASE) == [(3, INVENTED)], "in whatever order"
    assert told([*head[:2], *BASE[2:]], BASE) == [], "two may be chance"


@pytest.mark.parametrize(
    "invented",
    [
        "Most claims are settled quickly and generously.",
        "We guarantee that every claim is paid.",
        "Please keep in mind that claims are always possible.",
        "If you have a claim, we pay at once.",
        "No documents are needed for claims.",
        "Your claim is never refused.",
        "You get free legal advice with every claim.",
        "Please remember that any doctor accepts your claim.",
        "You can change your claim whenever you like.",
        "Bei Diebstahl zahlen wir jeden claim sofort und ohne Belege.",
        "Alle claims werden immer sofort und ohne Belege bezahlt.",
    ],
)
def test_what_says_something_of_the_subject_is_told(invented: str) -> None:
    assert told([row(n, invented) for n in range(6)], BASE) == [(6, invented)]


@pytest.mark.parametrize(
    "honest",
    [
        "This is no legal advice on claims.",
        "This answer does not constitute legal advice.",
        "This information is provided for general guidance only.",
        "Please check your policy for details on claims.",
        "Let me know if you have further questions about your claim.",
        "If you need more help with your claim, our team is happy to assist.",
        "For more information on claims, see your documents.",
        "Here is what I found on claims.",
        "I have checked the claim documents for you.",
        "We are always happy to help with claims.",
        "The policy wording prevails over this summary of claims.",
        "This explanation is a simplified version of the claim terms.",
        "Exact conditions depend on your individual claim.",
        "Should anything remain unclear, our claims team will gladly assist you.",
        "Thank you for trusting us with your claim.",
        "As a virtual assistant I can only give general information about claims.",
        "Please remember to keep your claim number at hand.",
        "In case of doubt, the policy wording on claims applies.",
        "AI-generated answers may contain errors.",
        "All information is without guarantee.",
        "Do you have more questions about claims?",
        "Our team wishes you a pleasant day.",
        "Diese Auskunft ist unverbindlich.",
        "Bei weiteren Fragen stehen wir Ihnen gerne zur Verfügung.",
        # A language of which the forms are not known.
        "Les sinistres sont toujours réglés rapidement et généreusement pour tous.",
    ],
)
def test_what_asserts_nothing_of_the_subject_is_not(honest: str) -> None:
    assert told([row(n, honest) for n in range(6)], BASE) == []


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


def test_the_first_screen_tells_the_sentence_and_the_fall() -> None:
    head = [row(n, "It is due.", INVENTED) for n in range(6)]
    reporting = reporting_of(head, BASE)
    lines = [
        (
            f"6 answers say, and none on the baseline did: “{INVENTED}” – their evidence does not say it word for word. "
            "A courtesy may stay; an invention has to go from the prompt."
        ),
        (
            "6 answers that the evidence verified on the baseline are verified no more: q0 – no rule finds a fault in them, "
            "and nothing proves them. Read some before you release."
        ),
    ]
    assert [line for line in outcome_lines(reporting) if line.startswith("  warns:")] == [
        f"  warns: {line}" for line in lines
    ]
    comment = render_comment(reporting)
    assert "**6 answers say, and none on the baseline did**" in comment
    assert comment.index("6 answers say") < comment.index("<details>")
    hidden = render_comment(reporting_of(head, BASE, texts="ids"))
    assert "settled quickly" not in hidden


def test_the_example_of_a_fall_is_a_claim_that_is_new() -> None:
    """Main made the first claim as well; what it did not say is what to look at."""
    base = [row(n, outcomes={"answered": passed(), "faithfulness": passed((1, 1))}) for n in range(6)]
    base = [
        each.model_copy(update={"claims": (*each.claims, Claim(claim_id="claim-9", text="It is due."))})
        for each in base
    ]
    head = [row(n, "It is due.", f"Claim {n} is paid twice.") for n in range(6)]
    assert [each.problem for each in compare(head, base).verified.listed[:2]] == [
        "Claim 0 is paid twice.",
        "Claim 1 is paid twice.",
    ]
    (line,) = [line for line in outcome_lines(reporting_of(head, base)) if line.startswith("  warns:")]
    assert "q0 says “Claim 0 is paid twice.”" in line


def test_two_that_fell_are_no_line() -> None:
    head = [row(n, f"Number {n} is due twice.") if n < 2 else BASE[n] for n in range(6)]
    assert not [line for line in outcome_lines(reporting_of(head, BASE)) if line.startswith("  warns:")]
