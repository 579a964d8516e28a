"""A short answer that would pass its audit: what is supported stays, the rest gives way to the evidence's own words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from raggate_action.core.claims.claim_extraction import Draft
from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.evidence_index import ShownEvidence
from raggate_action.core.evidence_checks.nearest_evidence import Nearest, nearest_sentence
from raggate_action.core.text.blocks import plain
from raggate_action.core.text.prose import Joined
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Claim

# One short paragraph, in characters.
LONGEST = 600
# Claims for which the nearest sentence is looked up.
_CLAIMS_READ = 50
_STOP = re.compile(r"[\s.!?。！？]*$")
# Ids that a citation marker can hold.
_CITABLE = re.compile(r"[^\s\[\]()<>|`,;†^【】][^\s\[\]()<>|`,;†【】]{0,199}")


def suggested_fix(
    judged: Sequence[tuple[Draft, Claim]],
    context: ShownContext,
    evidence: ShownEvidence,
    *,
    passes: Callable[[str], bool],
) -> str | None:
    """One paragraph that passes the audit and keeps every supported claim.

    Supported claims cite a chunk that supports them. The others give way to the nearest sentence of the evidence, as
    far as there is room beside the supported ones, or to nothing where none is near.

    Args:
        judged: The claims of the answer with their verdicts.
        context: The chunks.
        evidence: The same, indexed; chunks without a text left out.
        passes: Whether a text is faithful to the chunks.

    Returns:
        None where nothing that could be written passes, and where the supported claims are too long for a paragraph.
    """
    cites = any(claim.citations for _draft, claim in judged)
    found: dict[str, bool] = {}
    for sentence, is_supported in _sentences(judged, context, evidence, cites=cites):
        found[sentence] = found.get(sentence, False) or is_supported
    kept = [sentence for sentence, is_supported in found.items() if is_supported]
    # A space goes with every sentence but one.
    room = LONGEST + 1 - sum(len(sentence) + 1 for sentence in kept)
    if room < 0:
        return None
    written: list[str] = []
    for sentence, is_supported in found.items():
        if not is_supported and len(sentence) >= room:
            continue
        room -= 0 if is_supported else len(sentence) + 1
        written.append(sentence)
    # Some sentence says less alone, or is read as layout.
    alone = [sentence for sentence in written if found[sentence] or passes(sentence)]
    texts = [" ".join(sentences) for sentences in (written, alone, kept or alone[:1])]
    return next((text for text in texts if text and passes(text)), None)


def nearest_to(claim: Claim, evidence: ShownEvidence) -> Nearest | None:
    """The sentence of the evidence nearest to a claim, of the chunks it cites where one of these has any near."""
    cited = tuple([pair for pair in evidence.chunks if pair[0] in claim.citations])
    words = Text(claim.text)
    return (nearest_sentence(words, ShownEvidence(cited)) if cited else None) or nearest_sentence(words, evidence)


def _sentences(
    judged: Sequence[tuple[Draft, Claim]], context: ShownContext, evidence: ShownEvidence, *, cites: bool
) -> Iterator[tuple[str, bool]]:
    """Each sentence with whether it is a supported claim."""
    apart = {id(_joined(draft)) for draft, claim in judged if claim.verdict != "supported"}
    for number, (draft, claim) in enumerate(judged):
        if claim.verdict == "supported":
            joined = _joined(draft)
            words = joined.whole.raw if joined is not None and id(joined) not in apart else claim.text
            cited = next((c for c in claim.citations if c in claim.supported_by), claim.supported_by[0])
            yield _sentence(words, cited if cites else None), True
        elif number < _CLAIMS_READ and (nearest := nearest_to(claim, evidence)) is not None:
            words = _whole_sentence(nearest.chunk_id, nearest.start, context)
            if 0 < len(words) <= LONGEST:
                yield _sentence(words, nearest.chunk_id if cites else None), False


def _joined(draft: Draft) -> Joined | None:
    return draft.prose.joined if draft.prose is not None else None


def _whole_sentence(chunk_id: str, start: int, context: ShownContext) -> str:
    """The sentence of a chunk that holds this place, in one line."""
    quotable = context.by_id[chunk_id].quotable
    sentences = quotable.sentences
    at = bisect_right(sentences, start, key=lambda sentence: sentence.start) - 1
    return plain(quotable.verbatim(sentences[at])) if at >= 0 else ""


def _sentence(words: str, cited: str | None) -> str:
    """A sentence with its marker before the stop."""
    stop = _STOP.search(words)
    body, end = (words[: stop.start()], words[stop.start() :].strip()) if stop else (words, "")
    marker = f" [{cited}]" if cited is not None and _CITABLE.fullmatch(cited) else ""
    return f"{body[:1].upper()}{body[1:]}{marker}{end or '.'}"
