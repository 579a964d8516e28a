"""Sentences that several answers of a run say, none of the baseline's did, and nothing shown says.

A sentence that asserts nothing of what the documents are about (a disclaimer, an offer, a lead) is none of them; as its
forms are known of English and German alone, nothing is told of other languages. Nor is one that shares no word with any
question or quotation, or where half of the answers were shown one and the same chunk, which may say it in other words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import PastCase, sentence_key
from raggate_action.core.counting.case_state import open_claim, suspects_in
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.core.text.word_matching import FUNCTION_WORDS
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.comparison import RepeatedSentence
from raggate_action.strings.visible_text import cut

# What three answers to other questions share, evidence apart, comes from what made them.
_FEWEST = 3
_LISTED_AT_MOST = 3
_LENGTH = 200
# Sentences kept to be found again; those behind are not looked for.
_KEPT_AT_MOST = 50_000
_READ = frozenset(("de", "en"))
_WORD = re.compile(r"\w{4,}")


# Compiled for the first sentence that nothing supports: most runs have none.
@cache
def _lead() -> re.Pattern[str]:
    return re.compile(
        r"(?:please )?(?:(?:note|remember|keep in mind|be aware|be advised)(?: that|:)|note) |"
        r"(?:bitte )?beachten sie,? (?:dass|bitte) ",
        re.IGNORECASE,
    )


@cache
def _standard() -> re.Pattern[str]:
    return re.compile(
        # A question, and words that lead in what follows.
        r"[?:]\W*$|^(?:here(?:'s|’s| is| are)|to answer|in short|based on|below)\b"
        # The answer, who gives it, or its sources.
        r"|^(?:(?:this|that|the|these|all|our|your|my) )?(?:(?:above|following|ai(?:-generated)?|policy|full) )?(?:"
        r"answers?|responses?|repl(?:y|ies)|information|summary|overview|above|content|assistant|chat(?:bot)?|sources?|"
        r"conversation|references?|documents?|documentation|(?:full )?wording|details|explanation|message|"
        r"terms|conditions)(?: of (?:the|your|our) \w+)?(?: details)? (?:takes?|shown|depends?|var(?:y|ies)"
        r"|is|are|was|were|does|do|may|can|cannot|has|"
        r"have|contains?|prevails?|applies|apply)\b|^(?:this|that) is (?:an? )?(?:general|automat\w+|ai)\b"
        r"|^as an? (?:ai|\w+ assistant)\b"
        r"|^this is a summary\b|^that(?:'s|’s| is) (?:\w+ )?(?:what )?your \w+ (?:says|states)\b"
        r"|^(?:the |further )?terms(?: and conditions)? apply\b|\bsubject to (?:the|your|our|change)\b"
        r"|\bauthoritative\b|^in case of doubt\b|^more (?:details|information)\b"
        r"|\b(?:this|the above|my) (?:answer|response|reply|summary|explanation|message|information|overview|chat)\b"
        r"|\b(?:may|might) (?:vary|differ|change)\b|\bdepends? on (?:your|the) (?:individual|specific|own|exact)\b"
        r"|\bindividual (?:circumstances|cases?|situations?)\b|^you(?:'re|’re| are) (?:speaking|chatting|talking)\b"
        # One who serves.
        r"|^(?:i|i'm|i’m|(?:we )?hope|happy|glad|great|good|wishing|thanks?|"
        r"(?:best|kind|warm) (?:regards|wishes)|yours|sincerely)\b"
        r"|^we(?:'re|’re| are)(?: \w+)? (?:here|happy|glad)\b"
        r"|^we recommend\b|\bhere to help\b"
        r"|\b(?:gladly|happily|happy to|glad to|pleased to) (?:\w+ )?(?:assist|help|answer|support)\b"
        r"|\b(?:your|any|further|more|other|additional) questions?\b|\b(?:remains?|is|are) unclear\b"
        # An offer, and where to read or ask.
        r"|^(?:please |kindly |as always,? |always )?(?:verify|(?:double-)?check|see|refer|consult|contact|visit|read|"
        r"review|ask|call|let|feel|enjoy|travel safely|safe travels|have|stay|rate|reach|click|log|treat|reply|keep|"
        r"remember|make sure|be sure|"
        r"do not|don't|don’t)\b"
        r"|^(?:if|should) you(?:'d| would| have| need| want| like)* [^,]*\b(?:questions?|help|assistance|information|"
        r"details|anything)\b|^for (?:more|further|additional|details|questions)\b"
        r"|^you(?: can| will| may|'ll|’ll) (?:also )?(?:find|want to)\b"
        r"|^it is (?:recommended|advisable)\b"
        # What it is worth.
        r"|\b(?:no|not|n't|n’t|cannot)\b[^,;]*\b(?:advice|liability|guarantee|warranty)\b"
        r"|\bwithout (?:guarantee|warranty)\b|\blegally binding\b"
        r"|^(?:diese|dieser|alle|meine|unsere|die) (?:\w+ )?(?:antwort|auskunft|angaben?|information\w*|"
        r"zusammenfassung|quellen?)\b|^(?:bitte|ich|hier (?:ist|sind|finden)|unten|danke|vielen|bei (?:\w+ )?fragen|"
        r"weitere (?:\w+ )?informationen|"
        r"mit (?:freundlichen|besten)|gerne?|melden|wenden|fragen|schreiben|"
        r"kontaktieren)\b|\b(?:unverbindlich|ohne gewähr|\w*beratung dar)\b|\bkeine \w*beratung\b",
        re.IGNORECASE,
    )


class _Said(NamedTuple):
    """An answer with the sentence, and the chunks it was given."""

    position: int
    case_id: str
    words: str
    chunks: frozenset[str]


class SaidByMany:
    """Holds the sentences of rows that are new against the baseline's answer to the same question."""

    def __init__(self) -> None:
        self._said: dict[int, list[_Said]] = {}
        self._known: set[str] = set()

    def add(self, row: CaseRun, past: PastCase) -> None:
        """One more case that both runs have; nothing of one without words or evidence."""
        if row.abstained or not row.context or past.answer is None:
            return
        chunks = frozenset(row.context)
        for text in (row.question, *(claim.quote or "" for claim in row.claims)):
            self._known.update(_WORD.findall(text.lower()))
        new = {sentence_key(claim.text): claim for claim in _new_claims(row, past) if not any(suspects_in((claim,)))}
        for key, claim in new.items():
            if key in self._said or len(self._said) < _KEPT_AT_MOST:
                said = _Said(row.position, row.case_id, cut(claim.text, _LENGTH), chunks)
                self._said.setdefault(key, []).append(said)

    def result(self, past: Iterable[PastCase]) -> tuple[RepeatedSentence, ...]:
        """Those that most answers say; none that an answer of the baseline says, to whatever question."""
        found = {key: said for key, said in self._said.items() if len(said) >= _FEWEST and not _may_share(said)}
        if found:
            for case in past:
                for key in found.keys() & set(case.says):
                    del found[key]
        known = {root(word) for word in self._known} if found else set()
        ranked = sorted(found.values(), key=lambda said: (-len(said), min(said, key=_place).position))
        told = [_repeated(said) for said in ranked]
        return tuple([each for each in told if _asserts(each.text) and _is_about(each.text, known)][:_LISTED_AT_MOST])


def new_open_claim(row: CaseRun, past: PastCase) -> str:
    """The first claim that nothing supports, for display; one that the baseline's answer did not make before others."""
    claim = next((each for each in _new_claims(row, past) if _asserts(each.text)), None)
    return cut(claim.text, _LENGTH) if claim is not None else open_claim(row)


def _new_claims(row: CaseRun, past: PastCase) -> Iterator[Claim]:
    """The claims that nothing supports and the baseline's answer does not make."""
    for claim in row.claims:
        is_open = claim.verdict in {"unverified", "unsupported"} and claim.note is None
        if is_open and claim.text and sentence_key(claim.text) not in past.says:
            yield claim


def _may_share(said: list[_Said]) -> bool:
    """Whether more than half of the answers were given one and the same chunk."""
    shown = Counter(chunk for each in said for chunk in each.chunks)
    return 2 * max(shown.values()) > len(said)


def _place(said: _Said) -> int:
    return said.position


def _is_about(sentence: str, known: set[str]) -> bool:
    """Whether it has a word of the questions and quotations, by its stem."""
    return any(root(word) in known for word in _WORD.findall(sentence.lower()) if word not in FUNCTION_WORDS)


def _asserts(sentence: str) -> bool:
    """Whether it says something of what the documents are about, as far as it can be read."""
    lead = _lead().match(sentence)
    words = sentence[lead.end() :] if lead else sentence
    languages = languages_of(words, KNOWN)
    return languages is not None and not _READ.isdisjoint(languages) and _standard().search(words) is None


def _repeated(said: list[_Said]) -> RepeatedSentence:
    first = min(said, key=_place)
    return RepeatedSentence(answers=len(said), case_id=first.case_id, text=first.words)
