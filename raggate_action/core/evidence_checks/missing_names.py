"""Names that no shown evidence knows, and words in quotation marks that the cited chunk does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, spoken
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import STOP_WORDS
from raggate_action.core.text.units import CURRENCIES, MONTHS, UNITS, WEEKDAYS

# Names are told by a capital letter, so a claim that is mostly capitals tells nothing.
_MOST_CAPITALS = 0.6
_SHORTEST_NAME = 3
# Fewer words in quotation marks are a title, a term or irony.
_SHORTEST_QUOTATION = 4
_QUOTED = re.compile(r'“([^“”\n]{1,2000})”|(?<!\w)"([^"\n]{1,2000})"(?!\w)|«([^«»\n]{1,2000})»|„([^„“”\n]{1,2000})[“”]')
_LEFT_OUT = re.compile(r"\.{3,}|…|\[[^\]\n]{0,80}\]")
_BEGINS = frozenset((".", "!", "?", ":", "“", '"', "”", "\n", "(", "|", "–", "—", ";", "["))


def unknown_names(claim: ClaimText, evidence: Sequence[EvidenceIndex]) -> list[Token]:
    """Capitalised words of a claim, not at a sentence's start, that nothing shown and no question holds."""
    unknown: list[Token] = []
    for run in _names(claim):
        initials = "".join(token.key[0] for token in run)
        if len(run) > 1 and any(initials in chunk.words for chunk in evidence):
            continue  # "National Institutes of Health" where the evidence says NIH
        for token in run:
            key, written = token.key, claim.bare[token.start : token.end]
            is_short = written.isupper() and len(written) <= 6
            if not (
                len(key) < _SHORTEST_NAME
                or key in STOP_WORDS
                or key in claim.asked
                or any(written.lower() in table for table in (MONTHS, WEEKDAYS, CURRENCIES, UNITS))
                or any(key in chunk.words or (len(key) > 3 and key[:5] in chunk.beginnings) for chunk in evidence)
                or (is_short and any(written.lower() in chunk.initials for chunk in evidence))
            ):
                unknown.append(token)
    return unknown


def false_quotations(
    claim: ClaimText, cited: Sequence[EvidenceIndex], evidence: Sequence[EvidenceIndex]
) -> Iterator[tuple[int, int, bool]]:
    """Quotations that no cited chunk holds; without a citation, that no shown one holds.

    Yields:
        Start and end of the quoted words in the claim, and whether another shown chunk holds them.
    """
    for match in _QUOTED.finditer(claim.bare) if any(mark in claim.bare for mark in '“"«„') else ():
        group = match.lastindex or 0
        meaning = [word for word in re.findall(r"[^\W\d_]+", match[group]) if word.lower() not in STOP_WORDS]
        # Mostly in capitals it is the name of a book, a film or a court case.
        is_title = sum(word[0].isupper() for word in meaning) > _MOST_CAPITALS * len(meaning)
        if len(match[group].split()) < _SHORTEST_QUOTATION or is_title:
            continue
        parts = [part for piece in _LEFT_OUT.split(match[group]) if (part := spoken(piece))]
        start, end = match.span(group)
        # With what was blanked out of the claim, code say: the chunk may hold that as well.
        whole = [spoken(claim.raw[start:end])]
        held = _holds_all(parts, cited or evidence) or _holds_all(whole, cited or evidence)
        if held or spoken(match[group]) in spoken(claim.question):
            continue
        yield start, end, bool(cited) and _holds_all(parts, evidence)


def _holds_all(parts: Sequence[str], chunks: Sequence[EvidenceIndex]) -> bool:
    return any(all(part in chunk.spoken for part in parts) for chunk in chunks)


def _names(claim: ClaimText) -> Iterator[list[Token]]:
    """Runs of capitalised words; "of", "the" and "and" do not end a run, a sentence's first word begins none."""
    words = [token for token in claim.tokens if token.kind == "word"]
    capitals = sum(claim.bare[token.start].isupper() for token in words)
    if capitals > _MOST_CAPITALS * len(words) and len(words) > 4:
        return
    run: list[Token] = []
    begins = True
    for token in claim.tokens:
        if token.kind == "word" and not begins and claim.bare[token.start].isupper():
            run.append(token)
        elif run and token.key not in {"of", "the", "and", "for"}:
            yield run
            run = []
        begins = token.kind == "mark" and token.key in _BEGINS
    if run:
        yield run
