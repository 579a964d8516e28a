"""What keyless rules find on one claim. They find faults and never certify: no finding is no support.

Rules that know words know English, and of German, French and Spanish the words that count, date, bound and deny; names
and parties are told in English alone. For other languages numbers above a hundred are held against the evidence, where
the language writes them in digits as English does, and for the rest the rules stay silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks import finding_reasons
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conditions import condition_note
from raggate_action.core.evidence_checks.conflict import Conflict, Fit, conflict_among, fits_of
from raggate_action.core.evidence_checks.derived_values import AtHand, at_hand, is_counterpart, works_out
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence, Statement
from raggate_action.core.evidence_checks.missing_names import false_quotations, unknown_names
from raggate_action.core.evidence_checks.nearest_evidence import nearest_statements
from raggate_action.core.evidence_checks.neighbour_value import is_borne_out, neighbour_of
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
# Kinds of which at most one right rewording in five hundred has one (see `docs/evidence-checks.md`).
_SHARP = frozenset(
    [("absent", code) for code in ("phone", "url", "email")]
    + [("conflict", code) for code in ("money", "unit", "date", "time", "role", "name")]
)
# ... of conflicts in a sentence that the claim repeats but for this one slot ...
_SHARP_IF_ALIGNED = frozenset(("number", "percent", "polarity"))
# ... and of absent figures where nothing reads as if they were worked out.
_SHARP_FIGURES = frozenset(("money", "unit", "percent", "time"))
# Slots whose value may be worked out.
_RECKONED = frozenset(("number", "money", "percent", "unit", "date", "time"))
# Statements nearest to the claim that a value may be worked out from.
_NEAR_STATEMENTS = 4


class ClaimInAnswer(NamedTuple):
    """A claim to be checked.

    Attributes:
        text: Its words as they stand in the answer; citation markers may be blanked out in place.
        offset: Where they begin in the answer.
        citations: Ids of the chunks it cites; ids that were not shown are other gates' business.
        question: What was asked: its numbers and names are no inventions of the answer. Empty when unknown.
        case: What was asked, with what else was shown: its numbers are no inventions either.
    """

    text: Text
    offset: int = 0
    citations: tuple[str, ...] = ()
    question: str = ""
    case: Case | None = None


def findings_on(given: ClaimInAnswer, evidence: ShownEvidence, *, language: str) -> tuple[Finding, ...]:
    """Every fault the rules find on a claim, conflicts first, then by place.

    Without evidence there is nothing to hold the claim against, and no finding. Time is linear in the claim's length
    and does not grow with the evidence once it is indexed.

    Args:
        given: The claim.
        evidence: The chunks the model was shown, those with a text.
        language: ISO 639-1 code of the answers.
    """
    if not evidence.chunks or not given.text.raw.strip():
        return ()
    text = given.text if given.text.language == language else Text(given.text.raw, language)
    claim = ClaimText(text, given.question, given.case)
    cited = [index for chunk_id, index in evidence.chunks if chunk_id in given.citations]
    if any(index.says(claim.spellings) for index in cited or [index for _, index in evidence.chunks]):
        return tuple(_quotations(claim, given, evidence))
    knows_words = language in KNOWN and evidence.language == language
    knows_words = knows_words and not claim.is_foreign and not evidence.is_foreign
    fits = fits_of(claim, evidence) if knows_words else []
    found: list[Finding] = []
    conflict = conflict_among(fits)
    if conflict is not None and not _is_said_otherwise(conflict, claim, evidence):
        found.append(_of_conflict(conflict, claim, given, evidence))
    elif (
        knows_words
        and (neighbour := neighbour_of(claim, evidence))
        and not _is_reckoned(neighbour.figure, claim, evidence)
    ):
        found.append(finding_reasons.neighbour_finding(neighbour, given.offset, evidence))
    elif (source := _uncited_source(claim, fits, given, evidence)) is not None:
        found.append(finding_reasons.citation_finding(source, claim, given.offset, given.citations))
    elif (note := condition_note(claim.tokens, fits)) is not None:
        found.append(finding_reasons.condition_finding(note, claim, given.offset, evidence))
    elsewhere = [
        *_figures(claim, given, evidence, language=language, knows_words=knows_words),
        *(_names(claim, given, evidence) if language == "en" and knows_words and claim.is_english else ()),
        *_quotations(claim, given, evidence),
        *(_addresses(given, evidence) if claim.may_name_addresses else ()),
    ]
    found += sorted(map(_marked, elsewhere), key=lambda finding: (finding.start, finding.end, finding.code))
    return tuple(found)


def _marked(finding: Finding) -> Finding:
    """The finding, marked where right answers in other words hardly ever have one of its kind."""
    is_sharp = finding.certain or (finding.kind, finding.code) in _SHARP
    return finding.model_copy(update={"sharp": True}) if is_sharp and not finding.advisory else finding


def _uncited_source(claim: ClaimText, fits: Sequence[Fit], given: ClaimInAnswer, evidence: ShownEvidence) -> Fit | None:
    """The statement that a claim follows though it cites only chunks that know little of it."""
    cited = [index for chunk_id, index in evidence.chunks if chunk_id in given.citations]
    if not cited or any(fit.chunk_id in given.citations for fit in fits):
        return None
    followed = [fit for fit in fits if fit.agrees and fit.shared >= _FOLLOWED_SOURCE * len(claim.content)]
    if not followed:
        return None
    known = max(sum(key in index.words for key in claim.content) for index in cited)
    return None if known > _CITED_KNOWS * len(claim.content) else max(followed, key=lambda fit: fit.shared)


def _of_conflict(conflict: Conflict, claim: ClaimText, given: ClaimInAnswer, evidence: ShownEvidence) -> Finding:
    """A conflict whose value stands elsewhere in the evidence is another item's perhaps, and not certain.

    Nor is it where the value may be worked out from what stands around the sentence; then it does not block alone.
    """
    value = next((token for token in conflict.claim if token.kind not in {"unit", "mark"}), None)
    holders = [chunk_id for chunk_id, index in evidence.chunks if value is not None and _holds(value, conflict, index)]
    code = "neighbour" if conflict.chunk_id in holders else conflict.code
    place = (conflict.chunk_id, conflict.statement)
    reckoned = (
        value is not None
        and code in _RECKONED
        and (read := claim.value_at(value.start)) is not None
        and _may_be_worked_out(read, claim, evidence, [place])
    )
    finding = finding_reasons.conflict_finding(
        conflict, code, claim, given.offset, evidence, alone=not holders, reckoned=reckoned
    )
    if reckoned or (value is not None and _stands_beside(value, claim)):
        return finding
    is_sharp = conflict.aligned and code in _SHARP_IF_ALIGNED
    return finding.model_copy(update={"sharp": True}) if is_sharp else _marked(finding)


def _stands_beside(value: Token, claim: ClaimText) -> bool:
    """Whether a number stands in the turns before, the input or a label; that the question has it proves nothing."""
    figures = read_question(claim.beside, claim.language).figures if claim.beside else None
    return figures is not None and value.kind == "number" and any(figures.holds(each, each) for each in value.values)


def _is_said_otherwise(conflict: Conflict, claim: ClaimText, evidence: ShownEvidence) -> bool:
    """Whether the claim's value is right after all.

    It may be the sentence's, rounded ("over $181 million" for $181,674,817), it may be worked out from what is at
    hand, or another statement that has as many of the claim's words holds it.
    """
    value = next((token for token in conflict.claim if token.kind in {"number", "date", "time"}), None)
    exchanged = any(token.kind == "word" for token in conflict.claim)
    index = evidence.of(conflict.chunk_id)
    if index is None or value is None or exchanged:
        return False
    read = claim.value_at(value.start)
    figures = Figures(index.compared, conflict.sentence)
    parts = PARTS.get(claim.bare[value.start : value.end].lower(), ())  # "a fifth" for "20 %"
    if value.kind == "number" and any(figures.holds(part, part) for part in parts):
        return True
    if value.kind == "number" and read is not None and is_held(read, [figures]):
        return True
    against = (conflict.chunk_id, conflict.statement)
    is_reckoned = read is not None and _is_reckoned(read, claim, evidence)
    return is_reckoned or is_borne_out(value, against, claim, evidence)


def _is_reckoned(figure: Value, claim: ClaimText, evidence: ShownEvidence) -> bool:
    near = _at_hand(claim, evidence)
    return works_out(figure, near) if near.reckons else is_counterpart(figure, near)


def _may_be_worked_out(
    figure: Value, claim: ClaimText, evidence: ShownEvidence, places: Sequence[tuple[str, Statement]]
) -> bool:
    """Whether a figure follows from two values of the sentences around these statements, where a word reckons there."""
    near = [
        each.tokens for chunk_id, place in places if (index := evidence.of(chunk_id)) for each in index.around(place)
    ]
    hand = at_hand(claim, near, frozenset(token.key for tokens in near for token in tokens), widely=True)
    return works_out(figure, hand)


def _holds(value: Token, conflict: Conflict, index: EvidenceIndex) -> bool:
    if conflict.code in {"polarity", "role", "unit"} and value.kind == "word":
        return False
    if value.kind == "number":
        return any(index.figures.holds(reading, reading) for reading in value.values)
    return value.key in index.words


def _figures(
    claim: ClaimText, given: ClaimInAnswer, evidence: ShownEvidence, *, language: str, knows_words: bool
) -> Iterator[Finding]:
    if not knows_words and (language not in DIGITS_KNOWN | {"en"} or claim.is_other_script):
        return
    figures = claim.figures
    if not figures:
        return
    of_chunks = [index.figures for _, index in evidence.chunks]
    of_question = [read_question(text, language).figures for text in (given.question, claim.beside) if text]
    amounts = [*of_chunks, *of_question, Figures(claim.compared, claim.tokens)]
    near: AtHand | None = None
    for figure in figures:
        is_small = figure.token.kind != "date" and figure.token.values[0] in {0, 1}
        if is_small or is_held(figure, [*of_chunks, *of_question]):
            continue
        if not knows_words and not _is_far(figure, of_chunks):
            continue
        near = _at_hand(claim, evidence) if near is None else near
        # Where nothing asks for it, two numbers that add up to a value do so by chance.
        hand = near if near.may_reckon or near.brought else near._replace(ways=near.ways - {"sum"}, totals=())
        if is_conversion(figure, amounts) or figure.may_count or works_out(figure, hand):
            continue
        sharp = figure.kind in _SHARP_FIGURES and not (near.may_reckon or not ROUNDING.isdisjoint(figure.before))
        sharp = sharp and not _may_be_worked_out(figure, claim, evidence, _nearest(claim, evidence, most=1))
        yield finding_reasons.figure_finding(figure, claim, given.offset, sharp=sharp)


def _addresses(given: ClaimInAnswer, evidence: ShownEvidence) -> Iterator[Finding]:
    known = [given.question, *evidence.beside]
    for chunk_id, index in evidence.chunks:
        known += [chunk_id, index.text]
    for address in absent_addresses(given.text.raw, known):
        yield finding_reasons.address_finding(address, given.text.raw, given.offset)


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
    around = [index.words for chunk_id in {each[0] for each in near} if (index := evidence.of(chunk_id)) is not None]
    return at_hand(claim, [statement.tokens for _, statement in near], frozenset().union(*around))


def _nearest(claim: ClaimText, evidence: ShownEvidence, *, most: int) -> list[tuple[str, Statement]]:
    """So many statements nearest to the claim, and as many nearest to its question."""
    of_question = [ClaimText(read_question(claim.question, claim.language), "")] if claim.question else []
    near = [each[:2] for text in (claim, *of_question) for each in nearest_statements(text, evidence, most=most)]
    return list(dict.fromkeys(near))


def _names(claim: ClaimText, given: ClaimInAnswer, evidence: ShownEvidence) -> Iterator[Finding]:
    names = unknown_names(claim, [index for _, index in evidence.chunks])
    if len({token.key for token in names}) >= _FEWEST_NAMES:
        yield finding_reasons.names_finding(names, claim, given.offset)


def _quotations(claim: ClaimText, given: ClaimInAnswer, evidence: ShownEvidence) -> Iterator[Finding]:
    cited = [(chunk_id, index) for chunk_id, index in evidence.chunks if chunk_id in given.citations]
    chunks = [index for _, index in evidence.chunks]
    for start, end, elsewhere in false_quotations(claim, [index for _, index in cited], chunks):
        yield finding_reasons.quotation_finding(
            (start, end), claim, given.offset, cited[0][0] if cited else None, elsewhere=elsewhere
        )
