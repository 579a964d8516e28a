"""Words of a written finding that claim something, and marks that no finding needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from raggate_action.schema.arm_names import ArmName

_ARMS: Final[dict[ArmName, str]] = {
    "control": r"controls?|baseline",
    "treatment": r"treatments?|augmented",
}
ARM = re.compile(rf"\b(?:(?P<control>{_ARMS['control']})|(?P<treatment>{_ARMS['treatment']}))\b", re.IGNORECASE)
# Whom the number or the comparison is about cannot be told.
UNNAMED_ARM = re.compile(
    r"\b(?:former|latter|the other|other arm|opponent|rival|counterpart|winner|loser|respectively|vice versa)\b",
    re.IGNORECASE,
)

_UP: Final = (
    r"better|best|more|higher|highest|greater|greatest|larger|largest|bigger|stronger|superior|improv\w*|gain\w*"
    r"|increas\w*|ris(?:e|es|ing|en)|rose|climb\w*|grew|win(?:s|ning|ner)?|won|beat(?:s|en|ing)?|outperform\w*"
    r"|outscor\w*|outrank\w*|outdo\w*|surpass\w*|exceed\w*|lead(?:s|ing)?|led|ahead|prefer\w*|favou?r\w*|advantage\w*"
    r"|victor\w*|triumph\w*|crush\w*|trounc\w*|thrash\w*|outclass\w*|outshin\w*|overpower\w*|overwhelm\w*"
    r"|dominat\w*|above|boost\w*|defeat\w*|excel\w*|edges?|edged|tops?|topped|prevail\w*|overtak\w*|besser|mehr|mejor"
    r"|mieux|meilleure?s?|migliore|gewinnt|gana|gagne"
)
_DOWN: Final = (
    r"worse|worst|less|fewer|fewest|least|lower|lowest|smaller|smallest|weaker|inferior|decreas\w*|declin\w*|drop\w*"
    r"|fall(?:s|en|ing)?|fell|worsen\w*|los(?:e|es|ing|s|ses)|trail\w*|behind|below|regress\w*|degrad\w*|lag(?:s|ged|ging)?"
    r"|shrink\w*|shrank|reduc\w*|underperform\w*|underwhelm\w*|disappoint\w*|defeated by|"
    r"schlechter|weniger|verliert|peor|pire|peggiore|pierde|perd"
)
_LOST: Final = r"lost"
# A comparison whose direction no word tells.
_NEUTRAL: Final = (
    r"than|most|rank\w*|(?:over|under) the (?:control|baseline|treatment)|up|down|versus|vs|\w{4,}(?:er|est) than"
)
_UP_WORD, _DOWN_WORD = re.compile(rf"\b(?:{_UP})\b", re.IGNORECASE), re.compile(rf"\b(?:{_DOWN})\b", re.IGNORECASE)
_NEUTRAL_WORD = re.compile(rf"\b(?:{_NEUTRAL})\b", re.IGNORECASE)
_LOST_WORD = re.compile(rf"\b{_LOST}\b", re.IGNORECASE)
_COMPARES = re.compile(rf"\b(?:{_UP}|{_DOWN}|{_NEUTRAL})\b", re.IGNORECASE)
# Praise and blame, and how sure of it somebody is.
_EVALUATES = re.compile(
    r"\b(?:good|bad|great|excellent|poor(?:ly)?|strong(?:ly)?|weak(?:ly)?|impressive\w*|success\w*|fail\w*|safe\w*"
    r"|unsafe|reliabl\w*|robust\w*|effective\w*|ineffective\w*|solid\w*|well|badly|clear(?:ly)?|substantial\w*"
    r"|considerabl\w*|notabl\w*|dramatic\w*|marked(?:ly)?|decisive\w*|remarkabl\w*|convincing\w*|harmful|help(?:s|ed|ful)"
    r"|only|merely|just|even|as many as|no fewer|mostly|largely|mainly|recommend\w*|should|ship|adopt\w*|deploy\w*)\b",
    re.IGNORECASE,
)
# An equality is a claim as well.
EQUALITY = re.compile(
    r"\bno\s+(?:\w+\s+){0,2}differences?\b|\bequal\w*|\bequivalent\w*|\bon (?:a )?par\b|\bcomparable\b"
    r"|\bindistinguish\w*|\bmatch(?:es|ed)?\b|\bthe same\b(?! (?:answers?|questions?))"
    r"|\b(?:not|no one|nobody|cannot be) (?:\w+ )?apart\b",
    re.IGNORECASE,
)
# Why it came out so, and what follows from it: whoever has seen no answer cannot know.
REASON = re.compile(
    r"\b(?:because|due to|thanks to|owing to|as a result|caused? (?:by|of)|driven by|stem(?:s|ming)? from|explain\w*"
    r"|suggest\w*|indicat\w*|impl(?:y|ies|ied|ying)|likely|probabl[ey]|presumably|therefore|thus|hence|prove[sdn]?"
    r"|demonstrat\w*|users?|customers?|production|real[- ]world|in practice)\b",
    re.IGNORECASE,
)
# Whatever an arm does to the other.
_TO_THE_OTHER = re.compile(
    rf"\b(?:{_ARMS['control']}|{_ARMS['treatment']})\s+(?:\w+ly\s+)?(?!and\b|or\b|to\b|of\b)\w+\s+(?:the\s+)?"
    rf"(?:{_ARMS['control']}|{_ARMS['treatment']})\b",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:comes?|came|plac\w+|finish\w*|rank\w*|in) (?:first|second|last)\b", re.IGNORECASE)
_SIGNIFICANT = re.compile(r"(?P<no>\b(?:no|not|without)\b(?:\W+\w+){0,2}?\W+)?\b(?P<word>significan\w+)", re.IGNORECASE)
_SUPERLATIVE = re.compile(r"\b\w{3,}est\b", re.IGNORECASE)
_NO_SUPERLATIVES = frozenset(
    (
        "request", "interest", "honest", "dishonest", "latest", "contest", "manifest", "protest", "invest",
        "digest", "nearest", "earliest",
    )
)  # fmt: skip
# A label of a measure, which says of a difference which way it goes.
LABELS = re.compile(r"\btreatment (?:less|minus) (?:the )?control\b", re.IGNORECASE)
ALL_JUDGES = re.compile(r"\ball\s+(?:of\s+)?(?:the\s+)?(?:judges\b)", re.IGNORECASE)
# An amount that nothing can be held against.
QUANTITY = re.compile(
    r"\b(?:majority|minority|half|halves|halved|all|every|everyone|everything|none|(?:nobody|no one)(?! apart)|neither"
    r"|several|many|few|some|always|never|unanim\w*|nearly|almost|twice|double\w*|triple\w*|thirds?|quarters?|fifths?"
    r"|tenths?|dozens?|hundreds|thousands|\w+fold|couple|pair of|times|entire\w*|whole|consistently"
    r"|both(?! (?:arms|orders|answers)\b))\b",
    re.IGNORECASE,
)
NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|hardly|barely|n't|cannot|fail\w*)\b|n['’]t\b", re.IGNORECASE)
# What a model has no reason to write, and what GitHub or a terminal would act on.
MARKUP = re.compile(
    r"[`*_#|\[\]{}>@^~$\\&]|<(?! ?0?\.)|(?<!\d)/|/(?!\d)|\bwww\.|\bhttps?\b|\bmailto\b|[a-z0-9]\.[a-z]{2,}",
    re.IGNORECASE,
)
# Letters and marks of plain English; everything else could look like one of them, or be seen by nobody.
WRITING = re.compile("[^\x20-\x7e–—‘’“”…×±≈−·°\xa0]")


# Words that stand in nearly every finding: a name like one of these is not looked for.
EVERYDAY: Final = frozenset(
    (
        "a", "an", "i", "the", "of", "on", "in", "for", "to", "by", "is", "are", "it", "and", "or", "no", "not", "with",
        "at", "as", "was", "were", "has", "have", "one", "two", "three", "four", "arm", "arms", "control", "treatment",
        "judge", "judges", "question", "questions", "row", "rows", "tie", "ties", "lost", "mean", "delta", "p", "alpha",
        "answer", "answers", "scores", "points", "panel", "test", "this", "that", "their", "its",
    )
)  # fmt: skip


class Role(NamedTuple):
    """What a number may be beside an arm's.

    Attributes:
        pattern: How a text says that a number is this.
        label: The numbers of a measure that are.
        aloud: A number is this only where it is said: in its `clause`, in its `sentence`, or also unsaid.
    """

    pattern: re.Pattern[str]
    label: re.Pattern[str]
    aloud: Literal["clause", "sentence", "unsaid"]


_ROLES: Final[tuple[tuple[str, str, Literal["clause", "sentence", "unsaid"]], ...]] = (
    (r"\bties?\b|\btied\b|\bundecided\b", r"\btie", "clause"),
    (r"\blost\b|\bmissing\b|\b(?:no|without|without a) (?:verdict|scores)\b", r"lost|without", "clause"),
    (r"\bidentical\b|\bsame answers?\b", r"identical", "clause"),
    (r"\breceived\b|\bhave scores\b|\bcame back\b", r"received|with scores", "unsaid"),
    (r"\bp\b|\bp-values?\b|\bchance\b", r"^p,", "sentence"),
    (r"\balpha\b", r"alpha", "sentence"),
    (r"\bAC1\b", r"AC1", "sentence"),
    (r"\bmean\b|\baverages?\b|\bdelta\b", r"mean", "unsaid"),
    (r"\bboth orders\b|\bconsisten\w+\b", r"both orders", "clause"),
    (r"\bscores (?:of|are) (?:an? )?(?:5|five)\b|\bceiling\b", r"scores of 5", "clause"),
    (r"\bwrong\b|\bmisstat\w+|\bmiscount\w*", r"wrong|another verdict", "sentence"),
)
ROLES: Final = tuple([Role(re.compile(said, re.IGNORECASE), re.compile(label), aloud) for said, label, aloud in _ROLES])


class ArmMention(NamedTuple):
    """An arm as it is named in a text, and where."""

    name: ArmName
    start: int


def arms_in(text: str) -> list[ArmMention]:
    """Every mention of an arm, in order."""
    return [ArmMention("control" if found["control"] else "treatment", found.start()) for found in ARM.finditer(text)]


def comparisons_in(text: str, *, of_rows: bool) -> Iterator[str]:
    """Words of a text that compare or value, as they stand in it.

    Args:
        text: A finding.
        of_rows: It is about rows, which are lost without anybody winning.
    """
    for pattern in (_COMPARES, _EVALUATES, _TO_THE_OTHER, _PLACED):
        yield from (found[0] for found in pattern.finditer(text))
    if not of_rows:
        yield from (found[0] for found in _LOST_WORD.finditer(text))
    yield from (found["word"] for found in _SIGNIFICANT.finditer(text) if not found["no"])
    yield from (found[0] for found in _SUPERLATIVE.finditer(text) if found[0].lower() not in _NO_SUPERLATIVES)


def arm_ahead(clause: str) -> ArmName | bool | None:
    """Who is ahead by the words of a clause: an arm, None where nothing compares, False where it cannot be told."""
    words = sorted(
        [(found.start(), 1) for found in _UP_WORD.finditer(clause)]
        + [(found.start(), -1) for pattern in (_DOWN_WORD, _LOST_WORD) for found in pattern.finditer(clause)]
    )
    if not words:
        return False if _NEUTRAL_WORD.search(clause) else None
    if NEGATION.search(clause) or len({sign for _place, sign in words}) > 1:
        return False
    place, sign = words[0]
    arms = arms_in(clause)
    if not arms:
        return None
    subject = arms[0]
    if subject.start > place:
        # "Ahead is the control"; "better than the control"; "preferred over the control".
        between = clause[place : subject.start].lower()
        turned = re.search(r"\b(?:than|over|to|from|against|above|below|behind|ahead of)\b", between) is not None
        sign = -sign if turned else sign
    elif len(arms) > 1 and re.search(r"\bby\s+the\s+$", clause[: arms[1].start].lower()) and arms[1].start > place:
        sign = -sign
    other: ArmName = "control" if subject.name == "treatment" else "treatment"
    return subject.name if sign > 0 else other
