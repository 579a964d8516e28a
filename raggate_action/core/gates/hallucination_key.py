"""What counts as a hallucination, and the key that is equal for the same one on another run."""

from __future__ import annotations

from itertools import pairwise

from raggate_action.core.claims.false_claim_identity import key_of
from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.gates.answer_gates import JudgedAnswer
from raggate_action.core.text.phrases import Answer
from raggate_action.core.text.quotation import sentence_sharing_most
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case import Phrase, phrase_in_words
from raggate_action.schema.case_run import Claim, Hallucination


def hallucinations_of(judged: JudgedAnswer, phrases: tuple[Phrase, ...]) -> tuple[Hallucination, ...]:
    """Claims unsupported or contradicted, must_not_contain hits, and an answer where none was possible.

    Args:
        judged: The answer with its claims judged.
        phrases: The must_not_contain phrases found in it.
    """
    found: list[Hallucination] = []
    if judged.case.expect == "abstain" and not judged.abstained_as_expected and not judged.undecided:
        first = judged.claims[0]
        chunk_id, quote = _nearest(first, judged.context)
        text = _joined(judged.text, judged.claims[:3])
        found.append(Hallucination(kind="answered", key="answered", text=text, chunk_id=chunk_id, quote=quote))
    # One fault is listed once: an answer that had to decline is false as a whole, so its claims are not listed; a
    # claim with a forbidden phrase is listed as that phrase.
    for claim in judged.claims if not found else ():
        if claim.verdict in {"unsupported", "contradicted"} and not _says_any(claim, phrases):
            chunk_id, quote = _against(claim) or _nearest(claim, judged.context)
            found.append(
                Hallucination(kind="claim", key=key_of(claim), text=claim.text, chunk_id=chunk_id, quote=quote)
            )
    if not phrases:
        return tuple(found)
    hits = [
        Hallucination(kind="phrase", key=f"phrase:{digest_of_text(text.lower())[:16]}", text=text)
        for text in [phrase if isinstance(phrase, str) else phrase_in_words(phrase) for phrase in phrases]
    ]
    return (*found, *hits)


def _joined(answer: str, claims: tuple[Claim, ...]) -> str:
    """Claims one after the other; parts of one sentence keep the answer's words between them (`, and`)."""
    text = claims[0].text
    for before, claim in pairwise(claims):
        between = " "
        if before.end is not None and claim.start is not None and not before.text.endswith((".", "!", "?")):
            own = answer[before.end : claim.start]
            between = own if own and "\n" not in own else between
        text += between + claim.text
    return text


def _says_any(claim: Claim, phrases: tuple[Phrase, ...]) -> bool:
    answer = Answer(claim.text)
    return any(answer.says(phrase) for phrase in phrases)


def _against(claim: Claim) -> tuple[str, str] | None:
    """The chunk and the words that a deciding judge quotes against a claim; None without a quotation."""
    if not claim.judged or claim.verdict != "contradicted":
        return None
    votes = [vote for vote in claim.votes if vote.armed and vote.verdict == claim.verdict]
    return next(((vote.chunk_id, vote.quote) for vote in votes if vote.chunk_id and vote.quote), None)


def _nearest(claim: Claim, context: ShownContext) -> tuple[str | None, str | None]:
    """The context sentence most like the claim, verbatim, from the cited chunks first."""
    cited = [context.by_id[chunk_id] for chunk_id in claim.citations if chunk_id in context.by_id]
    best: tuple[int, str | None, str | None] = (0, None, None)
    for chunk in cited or context.chunks:
        shared, words = sentence_sharing_most(claim.text, chunk.quotable)
        if shared > best[0]:
            best = (shared, chunk.chunk_id, words)
    return (best[1], best[2]) if best[1] else (cited[0].chunk_id if cited else None, None)
