"""Problems as people say them: their codes are for machines and for whoever looks them up."""

from __future__ import annotations

import re

from raggate_action.report.judge_messages import LOST

# Of the others the detail is a sentence already: "menu-44 not in candidates", "the answer is empty".
_IN_WORDS = {
    "answered-though-unanswerable": "answered what the evidence cannot answer: {}",
    "chunk-version-missing": "no version is reported of {}",
    "citation-not-in-context": "cited and not in the context: {}",
    "claim-contradicted": "the evidence says otherwise than {}",
    "claim-partial": "the evidence supports only a part of {}",
    "claim-unsupported": "no chunk supports {}",
    "criterion-unmet": "it does not do what it must: {}",
    "criterion-violated": "it does what it must not: {}",
    "custom-check": "the suite's own check found: {}",
    "declined": "it declined, though {}",
    "fact-contradicted": "it says otherwise than {}",
    "fact-lacking": "it does not state {}",
    "duplicate-chunk": "the same chunk twice: {}",
    "not-in-candidates": "never among the candidates: {}",
    "not-in-rerank-input": "never given to the reranker: {}",
    "not-in-reranked": "not among what the reranker returned: {}",
    "point-missing": "it misses the point {}",
    "restricted-chunk": "its asker may not read {}",
    "superseded-chunk": "out of date: {}",
    "target-error": "the app failed: {}",
    "uncited-claim": "nothing is cited for {}",
    "unknown-chunk": "not in the evidence: {}",
}
_THEIR_OWN_WORDS = frozenset((
    "citation-unsupported", "context-empty", "empty-answer", "forbidden-phrase",
    "lost-in-reranking", "no-claims", "noise-in-context", "phrase-missing", "quote-missing", "restricted-text",
    "source-missing", "stage-missing", "text-differs", "too-slow", "tool-forbidden", "tool-missing", "version-differs",
    "version-duplicate", "version-missing", "wrong-case",
))  # fmt: skip
# The id of a chunk that the app reports by its text alone, see `text_id`: a digest that nobody has seen before.
_OF_A_TEXT = re.compile(r"[0-9a-f]{12} in ")
# Why something went unmeasured.
UNMEASURED: dict[str, str] = {
    "trace": "the trace does not show it",
    "judge": "judges gave no usable verdict",
    "budget": "the judge budget was used up",
    "cut": "cut by the deadline",
    "fault": "a fault in raggate",
    "no-adjudicator": "no label and no armed judge tells",
}


_LOST_IN_WORDS: dict[str, str] = {str(code): words for code, words in LOST.items()}
_LOST = re.compile(rf"\(({'|'.join(map(re.escape, LOST))}): ")


def unmeasured_in_words(detail: str) -> str:
    """Why something went unmeasured, codes of lost calls in words: `first owl (timed out: no reply within 60 s)`."""
    return _LOST.sub(lambda found: f"({_LOST_IN_WORDS[found[1]]}: ", detail)


def problem_in_words(problem: str) -> str:
    """A problem that is stored as `code: detail`, in words; as it is where the code is none that is known."""
    code, colon, detail = problem.partition(": ")
    if code == "unknown-chunk" and _OF_A_TEXT.match(detail):
        return f"a text that no chunk of the evidence has, named by its digest: {detail}"
    if code in _IN_WORDS:
        return _IN_WORDS[code].format(detail) if detail else _IN_WORDS[code].partition(":")[0].removesuffix(" {}")
    if code in _THEIR_OWN_WORDS:
        return detail or code.replace("-", " ")
    if code in UNMEASURED and colon:
        return f"{UNMEASURED[code]}: {unmeasured_in_words(detail)}"
    return problem
