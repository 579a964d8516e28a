"""Sentences that join several propositions, split where each side stands on its own.

"The fee is 20 EUR and the deposit is refunded" makes two claims, "cats and dogs are allowed" one. A split needs a
finite verb on both sides, and on the right a subject of its own or one that is clearly the left one's ("HNSW is fast
but needs memory"). What a condition or a report reaches over is left whole, as is everything that is not certain: a
claim too long is judged too strictly, a part cut out of its condition too kindly. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from raggate_action.core.text.languages import en_clauses as english

# A subject or an opening longer than this is more likely something else.
_LONGEST_SUBJECT = 10
_LONGEST_OPENING = 12
_SHORTEST_PAST = 5
# A longer sentence is a list or no prose; comparing its every joint with its beginning would take too long.
_LONGEST_SENTENCE = 1_000
_HINT = re.compile("and|but|;|,|while|whereas|yet")


class Part(NamedTuple):
    """One proposition of a sentence.

    Attributes:
        start, end: Its place in the sentence.
        carried: Words before it that it stands behind as well: what the sentence opens with ("For members,") and the
            subject it shares; empty when it has all of its own.
    """

    start: int
    end: int
    carried: str


class _Word(NamedTuple):
    """A word or mark: in small letters, its place, and as it is written."""

    text: str
    start: int
    end: int
    written: str


class _Clause(NamedTuple):
    """A clause found: its first word, its finite verb, and whether it has no subject but begins with the verb."""

    first: int
    verb: int
    shares: bool


def propositions(sentence: str, language: str) -> tuple[Part, ...]:
    """The propositions a sentence joins, in order; empty when it is one, or cannot be parted for certain.

    Args:
        sentence: As it stands in the answer, citation markers blanked out.
        language: ISO 639-1 code.
    """
    if language != "en" or len(sentence) > _LONGEST_SENTENCE or not _HINT.search(sentence):
        return ()
    # What is quoted, bracketed or code is one word to the splitter.
    masked = english.WHOLE.sub(lambda found: "Q" * len(found[0]), sentence)
    if english.OPEN.search(masked):
        return ()
    words = [_Word(w[0].lower().replace("’", "'"), w.start(), w.end(), w[0]) for w in english.WORD.finditer(masked)]
    return tuple(_parts(_Sentence(sentence, words)))


def _parts(sentence: _Sentence) -> list[Part]:
    joints = [n for n in range(1, len(sentence.words) - 1) if sentence.is_joint(n)]
    frame, first = sentence.opening() if joints else ("", 0)
    clause = sentence.clause(first) if joints else None
    if clause is None or clause.shares:
        return []
    parts: list[Part] = []
    begin, carried, subject, grouped = 0, "", sentence.subject(clause), False
    for joint in joints:
        ends = sentence.words[joint].text == ";"
        following = sentence.clause(joint + 1)
        if joint <= clause.verb + 1 or following is None or (following.shares and (ends or not subject)):
            continue
        if not (ends or sentence.is_free(begin, joint)):
            continue
        if grouped and ends and not sentence.is_unconditional(begin, joint):
            return []
        cuts = [begin, *(() if ends else sentence.listed(clause.verb, joint)), joint]
        parts += [sentence.part(a, b, carried if a == begin else frame) for a, b in pairwise(cuts)]
        begin, clause, frame, grouped = joint, following, "" if ends else frame, not ends
        if not following.shares:
            subject = sentence.subject(following)
        carried = f"{frame} {subject}".strip() if following.shares else frame
    if not parts or (grouped and not sentence.is_unconditional(begin, len(sentence.words))):
        return []
    return [*parts, sentence.part(begin, len(sentence.words), carried)]


class _Sentence:
    """The words of one sentence, and where its clauses are.

    Attributes:
        words: Words, commas and semicolons.
    """

    def __init__(self, text: str, words: Sequence[_Word]) -> None:
        self._text = text
        self.words = words

    def is_joint(self, at: int) -> bool:
        """Whether two clauses may meet at this word."""
        word = self.words[at].text
        behind_a_comma = word in english.JOINTS_BEHIND_A_COMMA and self.words[at - 1].text == ","
        return word in english.JOINTS or behind_a_comma or (word == "," and self._is_splice(at))

    def _is_splice(self, comma: int) -> bool:
        """Whether nothing but a comma joins what stands before it to a clause with a subject of its own.

        What says when something holds may reach over the comma ("the day after it arrives there, we pay").
        """
        following = self._at(comma + 1)
        if any(word.text in english.TIMES for word in self.words[:comma]):
            return False
        if following in english.JOINTS | english.JOINTS_BEHIND_A_COMMA | english.ADVERBS:
            return False
        clause = self.clause(comma + 1)
        return clause is not None and not clause.shares

    def opening(self) -> tuple[str, int]:
        """What the sentence opens with and is true of all of it, and its first word behind that."""
        first = 0
        while self._at(first) in english.OPENERS or self._at(first) == ",":
            first += 1
        if self._at(first) not in english.PREPOSITIONS and self._at(first) not in english.ADVERBS:
            return "", first
        for at in range(first + 1, min(first + _LONGEST_OPENING, len(self.words))):
            if self.words[at].text == ",":
                frame = self._text[self.words[first].start : self.words[at].start].rstrip()
                return "" if frame.lower() in english.EXAMPLES else f"{frame},", at + 1
        # Without a comma nobody knows where the opening ends.
        return "", len(self.words)

    def clause(self, first: int) -> _Clause | None:
        """The clause that begins at this word; None unless its finite verb is certain."""
        while self._at(first) in english.ADVERBS or (self._at(first) in english.JOINTS and self._at(first) != ";"):
            first += 1
        if self._at(first) in english.CONTRACTIONS:
            return _Clause(first, first, shares=False)
        if self._at(first) in english.PREPOSITIONS:
            return None
        for at in range(first, min(first + _LONGEST_SUBJECT, len(self.words))):
            word = self.words[at].text
            if self._is_finite(at, first):
                return self._with_verb(first, at)
            if word in english.SCOPES or word in ",;" or (at > first and word in english.PRONOUNS):
                return None
        return None

    def _with_verb(self, first: int, verb: int) -> _Clause | None:
        following = self._at(verb + 1)
        if not following or following in ",;" or following in english.JOINTS:
            return None
        before = [word.text for word in self.words[first:verb]]
        if before and (
            before[0] == "there" or before[:2] == ["not", "only"] or all(word in english.ADVERBS for word in before)
        ):
            return None
        if "and" in before and self.words[verb].text in english.SINGULAR | english.VERBS:
            return None
        return _Clause(first, verb, shares=not before)

    def _is_finite(self, at: int, first: int) -> bool:
        """Whether a word is a finite verb, for certain; without a subject before it, of few words only."""
        word, before, following = self.words[at].text, self._at(at - 1) if at > first else "", self._at(at + 1)
        if before in english.BEFORE_NOUNS or following == "of":
            return False
        if word in english.AUXILIARIES:
            # The month of May is no verb, nor are "have" and "do" behind "to".
            plain = word in {"have", "do"} and not self._is_plural(at - 1, first)
            return not plain and (word == self.words[at].written or word != "may")
        acts = following in english.DETERMINERS or following[:1].isdigit() or following == "only"
        if word in english.VERBS:
            return following not in english.AUXILIARIES
        if word in english.NOUN_OR_VERB:
            named = at > first and (before in english.PRONOUNS or self.words[at - 1].written.isupper())
            return acts or (named and following not in english.AUXILIARIES | english.PLAIN_FORMS)
        if at == first:
            return False
        past = (
            word.endswith("ed") and len(word) >= _SHORTEST_PAST and following in english.DETERMINERS | english.OBJECTS
        )
        return (
            past or word in english.PAST or (word in english.PLAIN_FORMS and self._is_plural(at - 1, first))
        ) and before not in english.AUXILIARIES

    def _is_plural(self, at: int, first: int) -> bool:
        if at < first:
            return False
        word = self.words[at].text
        return word in english.PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))

    def subject(self, clause: _Clause) -> str:
        """The words of a clause's subject; empty for a contraction and where there is none."""
        last = clause.verb - 1
        while last > clause.first and self.words[last].text in english.ADVERBS:
            last -= 1
        return self._text[self.words[clause.first].start : self.words[last].end] if last >= clause.first else ""

    def is_free(self, begin: int, end: int) -> bool:
        """Whether nothing in these words reaches beyond them: no condition, no relative clause, no report."""
        return not any(word.text in english.SCOPES or word.text in english.REPORTS for word in self.words[begin:end])

    def is_unconditional(self, begin: int, end: int) -> bool:
        """Whether nothing in these words may qualify the propositions before them."""
        return not any(word.text in english.CONDITIONS for word in self.words[begin:end])

    def listed(self, verb: int, end: int) -> Iterator[int]:
        """Commas between clauses that a joint ends the row of: "A is x, B is y, and C is z"."""
        for at in range(verb + 2, end - 2):
            if self.words[at].text == ",":
                clause = self.clause(at + 1)
                if clause is not None and not clause.shares and clause.verb < end - 1:
                    yield at

    def part(self, begin: int, end: int, carried: str) -> Part:
        """The part between two joints, which belong to neither side."""
        start = self.words[begin].end if begin else 0
        while begin and self._at(begin + 1) in english.JOINTS:
            begin += 1
            start = self.words[begin].end
        stop = self.words[end].start if end < len(self.words) else len(self._text)
        span = self._text[start:stop]
        left = len(span) - len(span.lstrip())
        return Part(start + left, start + len(span.rstrip(" \t\r\n,")), carried)

    def _at(self, at: int) -> str:
        return self.words[at].text if 0 <= at < len(self.words) else ""
