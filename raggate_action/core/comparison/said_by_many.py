"""Sentences that several answers of a run say, none of the baseline's did, and nothing shown says word for word.

Where half of the answers were shown one and the same chunk, it may say the sentence in other words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import PastCase, sentence_key
from raggate_action.core.counting.case_state import suspects_in
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.comparison import RepeatedSentence
from raggate_action.strings.visible_text import cut

# What three answers to other questions share, evidence apart, comes from what made them.
_FEWEST = 3
_LISTED_AT_MOST = 3
_LENGTH = 200
# Sentences kept to be found again; those behind are not looked for.
_KEPT_AT_MOST = 50_000


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

    def add(self, row: CaseRun, past: PastCase) -> None:
        """One more case that both runs have; nothing of one without words or evidence."""
        if row.abstained or not row.context or past.answer is None:
            return
        chunks = frozenset(row.context)
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
        ranked = sorted(found.values(), key=lambda said: (-len(said), min(said, key=_place).position))
        return tuple([_repeated(said) for said in ranked[:_LISTED_AT_MOST]])


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


def _repeated(said: list[_Said]) -> RepeatedSentence:
    first = min(said, key=_place)
    return RepeatedSentence(answers=len(said), case_id=first.case_id, text=first.words)
