"""What a false claim says, as far as that tells it from another: the same in other words, not with another value."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.text import Text, normal_words
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import CaseRun, Claim, Finding, Hallucination

# Falsehoods of one answer that are looked for one by one: an answer may have two thousand claims.
MATCHED_AT_MOST = 100
# Longest sentence of the evidence that is kept, in characters.
_SENTENCE = 500
_HALF = 8
# Share of the words of both that two wordings of one claim have in common, and where nothing else ties them together.
_ALIKE = 0.5
_ALIKE_ELSEWHERE = 0.7
# For a claim that may still stand: less, since calling it gone is what has to be proved.
_RESEMBLES = 0.3
# Carry no fact of their own: verbs that any statement may be put with, and names for whoever is concerned.
_EMPTY = (
    "get give take have make come go let allow permit accept possible able available contain include offer provide"
    " receive cost apply need require want like say state note please just really actually generally perhaps maybe"
    " probably possibly likely seem appear usually typically currently simply fully entirely whatever whenever"
    " customer client user buyer shopper person people everyone anyone somebody someone consumer amount total"
    " maximum max limit"
)
_DENIED_OF = frozenset(("free", "devoid", "short"))
_LACKS = frozenset(("lack",))


_EMPTY_ROOTS = frozenset(map(root, _EMPTY.split()))


class ClaimMeaning(NamedTuple):
    """What a claim says.

    Attributes:
        values: Its numbers with their units, amounts, dates, times and identifiers.
        words: What else carries meaning, by the root.
        denies: It is put as a denial.
        chunk_id: The evidence nearest to it.
        sentence: The words of that evidence.
        evidence: The roots among them that carry meaning.
        places: Sentences of the evidence that say otherwise, as chunk, start and end.
        wrong: Of its values those that these sentences give otherwise.
    """

    values: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    denies: bool = False
    chunk_id: str | None = None
    sentence: str = ""
    evidence: frozenset[str] = frozenset()
    places: frozenset[tuple[str | None, int | None, int | None]] = frozenset()
    wrong: frozenset[str] = frozenset()

    @property
    def is_known(self) -> bool:
        """Whether there was anything to read; under `texts: ids` there is not."""
        return bool(self.values or self.words)


def statement_of(claim: Claim) -> ClaimMeaning:
    """What a claim says, with the findings against it."""
    against = [each for each in claim.findings if each.kind == "conflict" and not each.advisory]
    read = _read(claim.text)
    chunk_id = next((each.chunk_id for each in against), None) or next(iter(claim.citations), None)
    return ClaimMeaning(
        read.values,
        read.words,
        read.denies,
        chunk_id,
        # What a judge quotes is not the same on every run.
        *_sentence(None if claim.judged else claim.quote),
        frozenset([_place(each) for each in against if each.chunk_start is not None]),
        frozenset().union(*(read.values_of(each) for each in against)),
    )


def statement_in(hallucination: Hallucination, row: CaseRun) -> ClaimMeaning:
    """What a hallucination of a case says; nothing that could be compared where it is no claim."""
    if hallucination.kind != "claim" or not hallucination.text:
        return ClaimMeaning()
    meaning = next((statement_of(claim) for claim in row.claims if claim.text == hallucination.text), None)
    meaning = meaning or statement_of(Claim(claim_id="", text=hallucination.text))
    meaning = meaning._replace(chunk_id=hallucination.chunk_id or meaning.chunk_id)
    if not meaning.sentence and hallucination.quote:
        sentence, evidence = _sentence(hallucination.quote)
        meaning = meaning._replace(sentence=sentence, evidence=evidence)
    return meaning


def _sentence(quote: str | None) -> tuple[str, frozenset[str]]:
    words = normal_words(quote or "")[:_SENTENCE]
    return words, _read(words).words if words else frozenset()


def key_of(claim: Claim) -> str:
    """A key for a false claim, which most rewordings of it have as well.

    It is made of the values that stand against a sentence of the evidence and of that sentence, else of the claim's own
    values and words. Its first half is of the values alone, see `by_values`.
    """
    meaning = statement_of(claim)
    values = "|".join(sorted(meaning.wrong or meaning.values))
    words = " ".join([*sorted(meaning.words), *(["not"] if meaning.denies else [])])
    about = f"{meaning.chunk_id}:{meaning.sentence}" if meaning.wrong and meaning.sentence else words
    about = about or normal_words(claim.text)
    return f"claim:{digest_of_text(values)[:_HALF]}{digest_of_text(about)[:_HALF]}"


def by_values(key: str) -> str:
    """The part of a claim's key that any wording with these values has: where no words are kept, all to compare."""
    return key[: len("claim:") + _HALF]


def is_same(one: ClaimMeaning, other: ClaimMeaning) -> bool:
    """Whether a false claim is, in other words, one that was there before.

    Never with another value or one more, as a denial of the other, or with another thing in the place of the one it is
    about.

    Args:
        one: What was there before.
        other: The claim.
    """
    if not (one.is_known and other.is_known) or one.denies != other.denies:
        return False
    if one.wrong and one.wrong == other.wrong and _same_sentence(one, other):
        return True
    if not other.values <= one.values or _values_differ(one, other):
        return False
    alike = _alike(one, other)
    mine, theirs = one.words - other.words, other.words - one.words
    if mine and theirs:
        evidence = one.evidence | other.evidence
        if (mine & evidence and theirs & evidence) or alike < _ALIKE_ELSEWHERE:
            tied = _same_sentence(one, other) and bool(one.values) and bool(one.words & other.words)
            return tied and alike >= _ALIKE
    elsewhere = one.chunk_id is not None and other.chunk_id is not None and one.chunk_id != other.chunk_id
    return alike >= (_ALIKE_ELSEWHERE if elsewhere else _ALIKE)


def values_of(finding: Finding, claim: str) -> frozenset[str]:
    """The values of a claim that a finding is about."""
    return _read(claim).values_of(finding)


def may_stand_in(falsehood: ClaimMeaning, meaning: ClaimMeaning) -> bool:
    """Whether a claim that nobody has verified may be the falsehood still; one that cannot be read may be any.

    Args:
        falsehood: What was there before.
        meaning: The claim.
    """
    if not (falsehood.is_known and meaning.is_known):
        return True
    if is_same(falsehood, meaning):
        return True
    if meaning.denies != falsehood.denies or _values_differ(falsehood, meaning):
        return False
    return bool(falsehood.places & meaning.places) or _alike(falsehood, meaning) >= _RESEMBLES


def _same_sentence(one: ClaimMeaning, other: ClaimMeaning) -> bool:
    return bool(one.places & other.places) or (bool(one.sentence) and one.sentence == other.sentence)


def _values_differ(one: ClaimMeaning, other: ClaimMeaning) -> bool:
    """Whether the two give another value, or only one of them gives any; one may leave some of several out."""
    if bool(one.values) != bool(other.values):
        return True
    if one.wrong and other.wrong and one.wrong != other.wrong:
        return True
    return not (one.values <= other.values or other.values <= one.values)


def _alike(one: ClaimMeaning, other: ClaimMeaning) -> float:
    mine, theirs = one.words | one.values, other.words | other.values
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine or theirs else 0.0


class _Reading(NamedTuple):
    """A text read: where each of its values begins, its words, and whether it denies."""

    places: tuple[tuple[int, str], ...]
    words: frozenset[str]
    denies: bool

    @property
    def values(self) -> frozenset[str]:
        return frozenset([value for _start, value in self.places])

    def values_of(self, finding: Finding) -> frozenset[str]:
        """The values that a finding is about."""
        start, end = finding.start or 0, finding.end or 0
        return frozenset([value for at, value in self.places if start <= at < end])


def _read(text: str) -> _Reading:
    # Runs without a falsehood need no rules of the evidence checks.
    from raggate_action.core.text.languages.en_words import NEGATIONS, STOP_WORDS

    values: list[tuple[int, str]] = []
    words: set[str] = set()
    denies = False
    tokens = Text(text).stated.said
    for before, token, behind in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        key, following = token.key, behind.key if behind is not None else ""
        if token.kind == "number":
            units = [each.key for each in (behind, before) if each is not None and each.kind in {"unit", "money"}]
            values.append((token.start, " ".join([key, *units[:1]])))
        elif token.kind not in {"word", "unit", "money"}:
            values.append((token.start, key))
        elif key in NEGATIONS or key in _LACKS or (key in _DENIED_OF and following in {"of", "from"}):
            denies = True
        elif token.kind == "word" and not (key in STOP_WORDS or key in COMMON_WORDS or root(key) in _EMPTY_ROOTS):
            words.add(root(key))
    return _Reading(tuple(values), frozenset(words), denies)


def _place(finding: Finding) -> tuple[str | None, int | None, int | None]:
    return finding.chunk_id, finding.chunk_start, finding.chunk_end
