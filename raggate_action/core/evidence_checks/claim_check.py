"""What keyless rules find on one claim. They find faults and never certify: no finding is no support.

Rules that know words know English, and of German, French and Spanish the words that count, date, bound and deny; names
and parties are told in English alone. For other languages numbers above a hundred are held against the evidence, where
the language writes them in digits as English does, and for the rest the rules stay silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conflict import condition_among, conflict_among, diffs_of
from raggate_action.core.evidence_checks.derived_values import AtHand, at_hand, is_counterpart, works_out
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence, Statement
from raggate_action.core.evidence_checks.finding_reasons import finding
from raggate_action.core.evidence_checks.missing_names import false_quotations, unknown_names
from raggate_action.core.evidence_checks.nearest_evidence import nearest_statements
from raggate_action.core.evidence_checks.neighbour_value import is_borne_out, neighbour_of
from raggate_action.core.evidence_checks.sentence_diff import Diff, Edit
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.evidence_values import Figures, is_conversion, is_held
from raggate_action.core.text.identifiers import absent_addresses
from raggate_action.core.text.languages.en_words import ROUNDING
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.core.text.number_words import PARTS
from raggate_action.core.text.text import Text, read_question
from raggate_action.core.text.values import Value
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Finding

# Their digits are read as in English; their number words and grammar are not known.
DIGITS_KNOWN = frozenset(("de", "es", "fr", "it", "nl", "pt"))
# Other languages' rules leave smaller numbers alone, which are often written as words.
_LARGE = 100
_FEWEST_NAMES = 2
# A citation is wrong where the cited chunks hold less than this share of a claim's meaning words, and another chunk
# has a sentence with that many in order.
_CITED_KNOWS = 0.6
_FOLLOWED_SOURCE = 0.75
Place: TypeAlias = tuple[str, EvidenceIndex, Statement]
# Slots whose value may be worked out.
_RECKONED = frozenset(("number", "money", "percent", "unit", "date", "time"))
# Statements nearest to the claim that a value may be worked out from.
_NEAR_STATEMENTS = 4


def findings_on(
    text: Text, evidence: ShownEvidence, *, citations: Sequence[str] = (), question: str = "", case: Case | None = None
) -> tuple[Finding, ...]:
    """Every fault the rules find on a claim, conflicts first, then by place.

    Without evidence there is nothing to hold the claim against, and no finding. Time is linear in the claim's length
    and does not grow with the evidence once it is indexed.

    Args:
        text: The claim as it stands in the answer; citation markers may be blanked out in place.
        evidence: The chunks the model was shown, those with a text.
        citations: Ids of the chunks it cites; ids that were not shown are other gates' business.
        question: What was asked: its numbers and names are no inventions of the answer. Empty when unknown.
        case: What was asked, with what else was shown: its numbers are no inventions either.
    """
    if not evidence.chunks or not text.raw.strip():
        return ()
    claim, language = ClaimText(text, question, case), text.language
    cited = [(chunk_id, index) for chunk_id, index in evidence.chunks if chunk_id in citations]
    if any(index.says(claim.spellings) for _, index in cited or evidence.chunks):
        return tuple(_quotations(claim, cited, evidence))
    knows_words = language in KNOWN and evidence.language == language
    knows_words = knows_words and not claim.is_foreign and not evidence.is_foreign
    names: list[Token] = []
    if language == "en" and knows_words and claim.is_english:
        names = unknown_names(claim, [index for _, index in evidence.chunks])
    elsewhere = [
        *_figures(claim, evidence, knows_words=knows_words),
        *([finding("absent", "name", claim, names)] if len({token.key for token in names}) >= _FEWEST_NAMES else ()),
        *_quotations(claim, cited, evidence),
        *(_addresses(claim, evidence) if claim.may_name_addresses else ()),
    ]
    against = _against(claim, cited, evidence) if knows_words else None
    ordered = sorted(elsewhere, key=lambda each: (each.start, each.end, each.code))
    return (*([against] if against is not None else ()), *ordered)


def _against(claim: ClaimText, cited: Sequence[tuple[str, EvidenceIndex]], evidence: ShownEvidence) -> Finding | None:
    """What a sentence of the evidence has against a claim, the worst first."""
    diffs = diffs_of(claim, evidence)
    diff = conflict_among(diffs)
    if diff is not None and (edit := diff.conflict) and not _is_said_otherwise(diff, edit, claim, evidence):
        return _of_conflict(diff, edit, claim, evidence)
    neighbour = neighbour_of(claim, evidence)
    if neighbour is not None and not _is_reckoned(neighbour[1], claim, evidence):
        row, figure = neighbour
        return finding("conflict", "neighbour", claim, [figure.token], diff=row, theirs=row.statement.tokens)
    # It cites only chunks that know little of it, and follows another.
    fewest = _FOLLOWED_SOURCE * len(claim.content)
    followed = [diff for diff in diffs if diff.agrees and diff.shared >= fewest]
    if cited and followed and {diff.chunk_id for diff in diffs}.isdisjoint(chunk_id for chunk_id, _ in cited):
        known = max(sum(key in index.words for key in claim.content) for _, index in cited)
        if known <= _CITED_KNOWS * len(claim.content):
            return finding("structure", "citation", claim, (), diff=max(followed, key=lambda each: each.shared))
    if (diff := condition_among(diffs)) is not None:
        (edit,) = diff.of("condition")
        return finding("conflict", "condition", claim, edit.claim, diff=diff, theirs=edit.sentence)
    return None


def _of_conflict(diff: Diff, edit: Edit, claim: ClaimText, evidence: ShownEvidence) -> Finding:
    """A conflict whose value stands elsewhere in the evidence is another item's perhaps, and not certain.

    Nor is it where the value may be worked out from what stands around the sentence, or stands in the turns before, the
    input or a label; that the question has it proves nothing.
    """
    value = next((token for token in edit.claim if token.kind not in {"unit", "mark"}), None)
    if value is None:
        return finding(
            "conflict", edit.code, claim, edit.claim, diff=diff, theirs=edit.sentence, certain=diff.is_certain
        )
    holders = [chunk_id for chunk_id, index in evidence.chunks if _holds(value, edit, index)]
    code = "neighbour" if diff.chunk_id in holders else edit.code
    read = claim.value_at(value.start) if code in _RECKONED else None
    is_reckoned = read is not None and works_out(read, _widely_at_hand(claim, [diff[:3]]))
    beside = read_question(claim.beside, claim.language).figures if claim.beside and value.kind == "number" else None
    return finding(
        "conflict",
        code,
        claim,
        edit.claim,
        diff=diff,
        theirs=edit.sentence,
        note=", from which it may be worked out" if is_reckoned else "",
        certain=diff.is_certain and not holders and not is_reckoned,
        weak=is_reckoned or (beside is not None and any(beside.holds(each, each) for each in value.values)),
    )


def _is_said_otherwise(diff: Diff, edit: Edit, claim: ClaimText, evidence: ShownEvidence) -> bool:
    """Whether the claim's value is right after all.

    It may be the sentence's, rounded ("over $181 million" for $181,674,817), it may be worked out from what is at
    hand, or another statement that has as many of the claim's words holds it.
    """
    value = next((token for token in edit.claim if token.kind in {"number", "date", "time"}), None)
    if value is None or any(token.kind == "word" for token in edit.claim):
        return False
    read = claim.value_at(value.start)
    figures = Figures(diff.chunk.compared, edit.sentence)
    parts = PARTS.get(claim.bare[value.start : value.end].lower(), ())  # "a fifth" for "20 %"
    if value.kind == "number" and any(figures.holds(part, part) for part in parts):
        return True
    if read is not None and (
        (value.kind == "number" and is_held(read, [figures])) or _is_reckoned(read, claim, evidence)
    ):
        return True
    return is_borne_out(value, (diff.chunk_id, diff.statement), claim, evidence)


def _is_reckoned(figure: Value, claim: ClaimText, evidence: ShownEvidence) -> bool:
    near = _at_hand(claim, evidence)
    return works_out(figure, near) if near.reckons else is_counterpart(figure, near)


def _widely_at_hand(claim: ClaimText, places: Iterable[Place]) -> AtHand:
    """Of what a figure may be worked out around these statements, where a word reckons there."""
    near = [each.tokens for _, index, statement in places for each in index.around(statement)]
    return at_hand(claim, near, frozenset(token.key for tokens in near for token in tokens), widely=True)


def _holds(value: Token, edit: Edit, index: EvidenceIndex) -> bool:
    if edit.code in {"polarity", "role", "unit"} and value.kind == "word":
        return False
    if value.kind == "number":
        return any(index.figures.holds(reading, reading) for reading in value.values)
    return value.key in index.words


def _figures(claim: ClaimText, evidence: ShownEvidence, *, knows_words: bool) -> Iterator[Finding]:
    if not knows_words and (claim.language not in DIGITS_KNOWN | {"en"} or claim.is_other_script):
        return
    figures = claim.figures
    if not figures:
        return
    of_chunks = [index.figures for _, index in evidence.chunks]
    known = [*of_chunks]
    known += [read_question(text, claim.language).figures for text in (claim.question, claim.beside) if text]
    amounts = [*known, Figures(claim.compared, claim.tokens)]
    near: AtHand | None = None
    wide: AtHand | None = None
    for figure in figures:
        is_small = figure.token.kind != "date" and figure.token.values[0] in {0, 1}
        if is_small or is_held(figure, known):
            continue
        if not knows_words and not _is_far(figure, of_chunks):
            continue
        near = _at_hand(claim, evidence) if near is None else near
        # Where nothing asks for it, two numbers that add up to a value do so by chance.
        hand = near if near.may_reckon or near.brought else near._replace(ways=near.ways - {"sum"}, totals=())
        if is_conversion(figure, amounts) or figure.may_count or works_out(figure, hand):
            continue
        weak = near.may_reckon or not ROUNDING.isdisjoint(figure.before)
        if not weak:
            wide = _widely_at_hand(claim, _nearest(claim, evidence, most=1)) if wide is None else wide
            weak = works_out(figure, wide)
        yield finding("absent", figure.kind, claim, [figure.token], weak=weak)


def _is_far(figure: Value, evidence: Sequence[Figures]) -> bool:
    """Whether a number is large, and not even its digits are in the evidence at another power of ten."""
    value = max(figure.token.values)
    if figure.token.kind != "number" or value <= _LARGE:
        return False
    shifted = [value * 10.0**power for power in range(-12, 13)]
    return not any(figures.holds(v * (1 - 1e-9), v * (1 + 1e-9)) for v in shifted for figures in evidence)


def _at_hand(claim: ClaimText, evidence: ShownEvidence) -> AtHand:
    """What stands near the claim in the evidence, and near the question, which may ask for the reckoning."""
    near = _nearest(claim, evidence, most=_NEAR_STATEMENTS)
    around = {chunk_id: index.words for chunk_id, index, _ in near}
    return at_hand(claim, [statement.tokens for *_, statement in near], frozenset().union(*around.values()))


def _nearest(claim: ClaimText, evidence: ShownEvidence, *, most: int) -> list[Place]:
    """So many statements nearest to the claim, and as many nearest to its question."""
    of_question = [ClaimText(read_question(claim.question, claim.language), "")] if claim.question else []
    near = [each[:3] for text in (claim, *of_question) for each in nearest_statements(text, evidence, most=most)]
    return list(dict.fromkeys(near))


def _addresses(claim: ClaimText, evidence: ShownEvidence) -> Iterator[Finding]:
    known = [claim.question, *evidence.beside]
    for chunk_id, index in evidence.chunks:
        known += [chunk_id, index.text]
    for address in absent_addresses(claim.raw, known):
        yield finding("absent", address.kind, claim, [address])


def _quotations(
    claim: ClaimText, cited: Sequence[tuple[str, EvidenceIndex]], evidence: ShownEvidence
) -> Iterator[Finding]:
    chunks = [index for _, index in evidence.chunks]
    for start, end, elsewhere in false_quotations(claim, [index for _, index in cited], chunks):
        words, note = Token("", "mark", start, end), ", though in another shown chunk" if elsewhere else ""
        yield finding("absent", "quotation", claim, [words], chunk_id=cited[0][0] if cited else None, note=note)
