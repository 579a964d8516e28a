"""A claim as the checks read it: what only looks like a statement is blanked out, offsets staying true."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from raggate_action.core.evidence_checks.evidence_index import Wanted, content_of
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.evidence_values import Figures, joined
from raggate_action.core.text.identifiers import without_addresses
from raggate_action.core.text.languages.en_words import RECKONING, is_other_script, reads_as_english, reads_as_foreign
from raggate_action.core.text.text import normal_words
from raggate_action.core.text.tokens import tokens_of

# List and footnote marks, citation marks, code, addresses, HTML entities: digits and capitals there state nothing.
_NOT_SAID = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)?(?:[-*+•‣][ \t]+)?(?:\(?[0-9]{1,3}[.)][ \t]+)?(?=\S)"
    r"|\[[\w.:/#@-]{0,60}?[0-9_:/#-][\w.:/#@-]{0,60}\]"
    r"|\[\^?[0-9]{1,3}(?:[ ]?[,;–-][ ]?[0-9]{1,3})*\]|【[^】\n]{0,80}】|\[(?:citation needed|sic)\]"
    r"|```.*?(?:```|\Z)|`[^`\n]{1,200}`|&#?[0-9a-zA-Z]{1,8};",
    re.MULTILINE | re.DOTALL,
)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


# What opens a reply and is no part of the statement; "No, ..." answers the question, it does not deny what follows.
OPENING = re.compile(
    r"\s*(?:(?:yes|no|sure|certainly|of course|unfortunately|sorry|indeed|in short|overall|note that|please note that"
    r"|in general|generally|currently)[,:.!;–—]?|according to [^,\n]{1,80},"
    r"|as (?:stated|noted|described) [^,\n]{1,80},)\s+",
    re.IGNORECASE,
)


_PARTS = frozenset((":", ";", "—"))
# Share of a claim's meaning words that a sentence must hold to be laid beside it.
_HELD = 0.5


class Question(NamedTuple):
    """A question, read: its tokens, their keys, and its figures."""

    tokens: tuple[Token, ...]
    keys: frozenset[str]
    figures: Figures


@lru_cache(maxsize=16)
def read_question(question: str) -> Question:
    """Read a question once for all claims of its answer."""
    tokens = tuple(tokens_of(question))
    return Question(tokens, frozenset(token.key for token in tokens), Figures(question, tokens))


class ClaimText:
    """A claim's text, read once for all rules.

    Attributes:
        raw: As it stands in the answer.
        may_name_addresses: It may hold an address or a name in code.
        bare: The same length, with marks, code and addresses blanked out.
        question: What was asked; empty when unknown.
    """

    def __init__(self, text: str, question: str) -> None:
        self.raw = text
        plain = without_addresses(text)
        self.may_name_addresses = plain is not text or "`" in text
        bare = _NOT_SAID.sub(_blank, plain)
        opening = OPENING.match(bare)
        is_opened = opening is not None and (
            opening[0].rstrip()[-1:] in ",:.!;–—" or opening[0].lower().endswith("that ")
        )
        self.bare = OPENING.sub(_blank, bare, count=1) if is_opened else bare
        self.question = question

    @cached_property
    def tokens(self) -> list[Token]:
        """Its tokens."""
        return tokens_of(self.bare)

    @cached_property
    def said(self) -> list[Token]:
        """Its tokens without punctuation."""
        return [token for token in self.tokens if token.kind != "mark"]

    @cached_property
    def joined_numbers(self) -> dict[int, tuple[float, ...]]:
        """What a number may read with the one beside it, "102. 5" as 102.5, by where either begins."""
        found: dict[int, tuple[float, ...]] = {}
        for place, token in enumerate(self.tokens):
            if token.kind == "number" and (values := tuple(joined(self.bare, self.tokens, place))):
                piece = next(t for t in self.tokens[place + 1 : place + 4] if t.kind == "number")
                found[token.start] = found[piece.start] = values
        return found

    @cached_property
    def content(self) -> frozenset[str]:
        """Keys that carry meaning."""
        return content_of(self.tokens)

    @cached_property
    def wanted(self) -> Wanted:
        """What a sentence that the claim may follow has to hold."""
        return Wanted(self.content, max(_HELD * len(self.content), 2))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, lower-cased."""
        return frozenset(self.bare[t.start : t.end].lower() for t in self.tokens if t.kind == "word")

    @cached_property
    def spellings(self) -> frozenset[str]:
        """In the spelling sentences are looked up by, as it stands and without what is not said."""
        return frozenset((normal_words(self.raw), normal_words(self.bare)))

    @cached_property
    def asked(self) -> frozenset[str]:
        """Keys of the question's words."""
        return read_question(self.question).keys

    @cached_property
    def is_compound(self) -> bool:
        """It says two things, parted by a colon or semicolon: a denial in one is none of the other."""
        marks = [token for token in self.tokens[:-1] if token.kind == "mark"]
        return any(token.key in _PARTS for token in marks)

    @cached_property
    def reckons(self) -> bool:
        """It or its question reads as if something were worked out: "together", "left", "twice"."""
        return any(token.key in RECKONING for token in self.tokens) or not RECKONING.isdisjoint(self.asked)

    @cached_property
    def is_other_script(self) -> bool:
        """Most of its letters are not Latin ones."""
        return is_other_script(self.bare)

    @cached_property
    def is_english(self) -> bool:
        """It reads as English."""
        return reads_as_english(self.words, self.bare)

    @cached_property
    def is_foreign(self) -> bool:
        """It reads as another language than English."""
        return reads_as_foreign(self.words, self.bare)
