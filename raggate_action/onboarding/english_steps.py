"""Questions for what happens in a case, and for how something is done, from the sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Callable

from raggate_action.onboarding.english_words import (
    NUMBER,
    PLAIN_WORD,
    SUBJECT,
    DocumentSentence,
    Fact,
    as_question,
    first_person,
    leans,
    word_set,
)

_IF = re.compile(r"(?P<how>If|When) (?P<clause>[^,;:()]{8,110}), (?:then )?(?P<main>[^;:]{12,240})")
_WANT = re.compile(
    r"you (?:want|wish|would like|need|are looking|intend|plan|prefer) to (?P<does>[a-z][^,]{4,90})|"
    r"you['’]d like to (?P<likes>[a-z][^,]{4,90})"
)
# "To report a fault, use the form"
_TO = re.compile(r"(?:In order to|To) (?P<does>[a-z][\w-]+ [^,;:()]{4,90}), (?P<main>[^;]{12,240})")
# "You can change the theme by passing a name"
_YOU_CAN = re.compile(
    r"(?:You can|You may|One can) (?P<does>[a-z][^,;:()]{6,80}?) "
    r"(?:by (?P<main>[a-z]+ing [^;]{6,200})|(?:using|via|through) (?P<tool>[^;]{4,200}))"
)
# "Use a fence to keep the sheep in"
_DO_TO = re.compile(
    r"(?:Use|Run|Call|Pass|Type|Press|Execute|Enter|Invoke) (?P<tool>[^,;:]{2,70}?) "
    r"to (?P<does>[a-z][\w-]+ [^;:()]{4,100})"
)
# "Themes can be changed by passing a name"
_CAN_BE = re.compile(
    rf"{SUBJECT} (?P<aux>can|may|should|must) be "
    r"(?P<does>[a-z]+ed|set|built|run|sent|made|written|found|read|paid|bought|chosen) "
    r"(?P<how>(?:by [a-z]+ing|using|via|through) [^;:]{4,200})"
)
_NO_VERBS = word_set("the a an this that these those be have do it its their some any all each every which what")
# Verbs of sentences that send the reader on, or say too little.
_NO_STEP = word_set("also be see only either not get learn help find know make sure want understand")
_VERBS = (
    "use|run|call|set|add|install|open|see|pass|contact|write|make|create|send|check|click|go|type|enter|press|select|"
    "choose|report|file|ask|read|try|put|do|include|specify|define|provide|follow|give|start|execute|import|attach|"
    "place|remove|change|consider|keep|submit|e-?mail|copy|replace|enable|disable|configure|build|clone|download|"
    "update|upgrade"
)
_TELLS = re.compile(
    rf"(?:please |simply |just |first |then )?(?:you (?:must|should|can|may|need|have to|will|could)|{_VERBS})\b",
    re.IGNORECASE,
)
# What sends the reader on is no step.
_DOES_SO = re.compile(
    r"\bdo (?:so|this|that|it)\b|^(?:you should |please )?(?:read|see) |^you will (?:notice|see|find) ", re.IGNORECASE
)
# What the sentence before it names.
_BACK = re.compile(r"\b(?:this|these|those|above|below|following|former|latter)\b", re.IGNORECASE)
# Behind it stands where to look, or what to use: nothing happens.
_SEEKS = re.compile(
    r"you(?:['’]re| are)? (?:look|search|using|interested|unsure|curious|want|wish|would like|need|prefer|like)"
)
# "To allow the program, configure, to be run": the comma stands within what is done.
_APPOSITION = re.compile(r"[^,]{1,40}, to\b")
# "Run make install to install the programs and manuals": a second object, or a second command.
_SECOND_COMMAND = re.compile(rf" and (?:then |also )?(?:{_VERBS})\b| and (?:then|also)\b")
# What follows is advice, not what happens.
_ADVICE = re.compile(
    r"(?:it|the \w+)(?:['’]s| is) (?:(?:often|usually|always) )?"
    r"(?:an?|the|time|best|better|possible|recommended|advisable)\b"
)
_ONCE = re.compile(r"\b(?:was|were|had|did|would)\b")
_PRESENT = re.compile(r"\b(?:is|are|isn['’]t|aren['’]t|has|have|do|does|can|you|[a-z]+s)\b")
_PAST = re.compile(
    r"\b(?:was|were|had|did|began|came|went|became|took|got|made|said|saw|left|met|won|lost|died|"
    r"(?<!is )(?<!are )(?<!has )(?<!have )(?<!been )(?<!be )(?<!get )(?<!not )[a-z]{2,}ed)\b"
)
# "If a device cannot be repaired": a subject and something said of it.
_IF_SUBJECT = re.compile(
    r"(?:you|we|(?:your|the|an?|no|any|two) [\w -]{2,50}?|[A-Z][\w.-]+|[a-z]+s) (?:\w+)",
)
# What begins a clause of its own; a further part of a list does not.
_MAIN = re.compile(
    rf"(?:the|an?|we|your|our|all|any|each|every|no|there|only|it|they|its|their|{NUMBER}|(?-i:[A-Z])[\w.-]+|[a-z]+s)\b",
    re.IGNORECASE,
)
# "The format you want": neither who acts nor whom it is done to can be told.
_OBJECT = re.compile(r"\bme (?!to\b|by\b|with\b|from\b|for\b|in\b|on\b|at\b|and\b|or\b|about\b|an?\b|the\b|my\b)")
_BROKEN_OFF = (" to", " and", " so", " of", " in")
_UNCLEAR = word_set(
    "please section chapter previous next following above below here there former latter same other another such "
    "so-called aforementioned either both do does too one ones possible necessary applicable appropriate needed "
    "desired now some else something anything everything afterwards details more use run follow call check"
)
_PREPOSITIONS = word_set("for in on to with at by of from as into over")
_A_STEP = 3
_A_CLAUSE = 4


def tells_what_to_do(sentence: str) -> bool:
    """Whether a sentence says what its reader does."""
    return _TELLS.match(sentence) is not None


def _is_clear(words: str) -> bool:
    """Whether words say what they mean without those before them, and no second command has run into them."""
    parts = words.split()
    return _UNCLEAR.isdisjoint(words.lower().split()) and all(map(PLAIN_WORD.fullmatch, parts))


def _condition(sentence: DocumentSentence) -> Fact | None:
    found = _IF.fullmatch(sentence.body)
    if found is None:
        return None
    clause, main = found["clause"], found["main"]
    want = _WANT.fullmatch(clause)
    if want is not None:
        return _how_to(want["does"] or want["likes"], main) if tells_what_to_do(main) else None
    if found["how"] == "When" and not (_PRESENT.search(clause) and not _PAST.search(clause)):
        return None
    if (
        leans(clause)
        or len(clause.split()) < _A_CLAUSE
        or not _is_clear(clause.replace(" more than ", " "))
        or not _IF_SUBJECT.match(clause)
    ):
        return None
    if (
        _BACK.search(main)
        or _ONCE.search(f"{clause} {main}")
        or clause.endswith(_BROKEN_OFF)
        or (clause.startswith("we ") and "you" not in clause)
    ):
        return None
    mine = first_person(clause)
    if _OBJECT.search(mine) or re.match(r"you (?:have|['’]ve) (?!to\b|an?\b|the\b|any\b|no\b)\w+", clause):
        return None
    when = found["how"].lower()
    if tells_what_to_do(main):
        if _DOES_SO.search(main):
            return None
        to_reader = clause.startswith(("you ", "your ")) or re.match(r"(?:please|you)\b", main, re.IGNORECASE)
        return Fact(as_question(f"what should I do {when} {mine}"), "condition", "", main) if to_reader else None
    if _SEEKS.match(clause):
        return None
    is_clause = _MAIN.match(main) and len(main.split(",")[0].split()) >= _A_STEP
    if not is_clause or _ADVICE.match(main):
        return None
    return Fact(as_question(f"what happens {when} {mine}"), "condition", "", main)


def _purpose(sentence: DocumentSentence) -> Fact | None:
    found = _TO.fullmatch(sentence.body)
    if found is None or _APPOSITION.match(found["main"]) or not tells_what_to_do(found["main"]):
        return None
    return _how_to(found["does"], found["main"])


def _you_can(sentence: DocumentSentence) -> Fact | None:
    found = _YOU_CAN.fullmatch(sentence.body)
    return _how_to(found["does"], found["main"] or found["tool"]) if found is not None else None


def _do_to(sentence: DocumentSentence) -> Fact | None:
    found = _DO_TO.fullmatch(sentence.body)
    if (
        found is None
        or re.search(r" (?:to|and|when|if|needs?) ", f"{found['tool']} ")
        or found["tool"].startswith(("here", "this"))
    ):
        return None
    does = re.split(r",| (?:instead(?! of)|before|after|when|if|so|or) ", found["does"])[0]
    return _how_to(_SECOND_COMMAND.split(does)[0], found["tool"])


def _how_to(does: str, answer: str) -> Fact | None:
    """How something is done; None where what is done is no verb with its object, or leans on what stands elsewhere."""
    words = does.split()
    if len(words) < _A_STEP or words[0] in _NO_VERBS | _NO_STEP or leans(does) or not _is_clear(" ".join(words[1:])):
        return None
    mine = first_person(does)
    if words[1] in _PREPOSITIONS or _OBJECT.search(mine) or _DOES_SO.search(answer):
        return None
    # "Pass this flag": the passage does not say which.
    if _BACK.search(answer.split(",", maxsplit=1)[0]):
        return None
    return Fact(as_question(f"how can I {mine}"), "steps", "", answer)


def _can_be(sentence: DocumentSentence) -> Fact | None:
    found = _CAN_BE.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    return Fact(as_question(f"how {found['aux']} {subject} be {found['does']}"), "steps", "", found["how"])


STEPS: tuple[Callable[[DocumentSentence], Fact | None], ...] = (_purpose, _condition, _you_can, _do_to, _can_be)
