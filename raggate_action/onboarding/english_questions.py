"""The question that an English sentence answers, in the words of somebody who does not know the answer.

Four forms are read: a definition, a condition, what to do for a purpose, and what is refused. All other sentences give
no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["steps", "condition", "heading", "definition", "yes-or-no"]


class Fact(NamedTuple):
    """A question and what it was made of.

    Attributes:
        question: As a person would put it.
        kind: What sort of thing answers it.
        subject: What a definition is of, as it stands in the question; empty for other kinds.
    """

    question: str
    kind: Kind
    subject: str = ""


def word_set(text: str) -> frozenset[str]:
    """The words of a list, as it is written here."""
    return frozenset(text.split())


# They lean on what stands elsewhere.
_LEANING = word_set(
    "this that these those it its they them their he she his her him such same another other others both either "
    "neither former latter above below following previous next here there now then one ones so instead"
)
# They stand in no name of a thing.
_NO_NAME = word_set(
    "each who which what where when why how whose whether if unless because although though while whereas since until "
    "before after as than however therefore otherwise also thus hence not no nor only but yet we our us i my me you "
    "your everything something anything nothing someone anyone nobody many some most few several more less first "
    "second third last is are was were be been being has have had do does did can could may might must shall should "
    "will would let lets way reason problem idea result note example case point thing things kind goal purpose "
    "question answer rest resulting corresponding requested specified respective additional chapter section listing "
    "figure appendix"
)
_ARTICLES = word_set("the a an")
_SINGULAR, _PLURAL = word_set("is was does"), word_set("are were do")
_PLAIN_WORD = re.compile(r"[^\W_](?:[\w.+#/'’-]*\w|[+#]*)|[^\W_]")
_BEHIND_HEAD = re.compile(r" (?:of|in|on|for|with|from|to|by|at|under|between|within) ")
_LETTERS = re.compile(r"[^\W\d_]+")


def _name(words: str, is_name: Callable[[str], bool]) -> str | None:
    """The name of a thing as it stands within a sentence; None where the words are none, or lean on others."""
    parts = words.split()
    small = [part.lower() for part in parts]
    if (
        not all(map(_PLAIN_WORD.fullmatch, parts))
        or not (_LEANING | _NO_NAME).isdisjoint(small)
        or small[-1] in _ARTICLES
        or any(part.endswith("ly") for part in small)
    ):
        return None
    first = parts[0] if is_name(parts[0]) else parts[0][0].lower() + parts[0][1:]
    return " ".join([first, *parts[1:]])


def _is_many(name: str) -> bool:
    """Whether a name takes a verb in the plural: "parcels", not "the status"."""
    head = _BEHIND_HEAD.split(name)[0].split()[-1].lower()
    ends = head.endswith("s") and not head.endswith(("ss", "us", "is", "news", "series", "'s"))
    return " and " in name or ends


def leans(words: str) -> bool:
    """Whether words name a thing that stands elsewhere."""
    return not _LEANING.isdisjoint(_LETTERS.findall(words.lower()))


_OWN_SIDE = {"we": "\0you", "our": "\0your", "us": "\0you"}
_WE = re.compile(r"\b(we|our|us)\b", re.IGNORECASE)
# As a subject it opens a clause.
_OPENS = r"(^|\b(?:and|or|that|which|if|when|whom|where|as|than|what|how|because|unless|until|while|before|after) )"
_READER = [
    (re.compile(rf"{before}(?<!\0)\b{theirs}\b", re.IGNORECASE), mine)
    for before, theirs, mine in (
        ("", "you are", "I am"),
        ("", "you were", "I were"),
        ("", "you['’]re", "I'm"),
        ("", "you['’]ve", "I've"),
        ("", "yourself", "myself"),
        ("", "your", "my"),
        (_OPENS, "you", r"\1I"),
        ("", "you", "me"),
    )
]


def _first_person(words: str) -> str:
    """What a document tells its reader, in the reader's own words: "your parcel" becomes "my parcel"."""
    words = _WE.sub(lambda found: _OWN_SIDE[found[1].lower()], words)
    for theirs, mine in _READER:
        words = theirs.sub(mine, words)
    return words.replace("\0", "")


def _as_question(words: str) -> str:
    """Words as a question: a capital first, one mark at the end."""
    words = " ".join(words.split()).rstrip(" ,;:.")
    return f"{words[0].upper()}{words[1:]}?"


_IS_A = re.compile(r"(?P<term>[^,;:()]{2,60}?) (?P<aux>is|are) (?:an?|the) [^;:]{15,240}")


def _definition(body: str, is_name: Callable[[str], bool]) -> Fact | None:
    found = _IS_A.fullmatch(body)
    term = _name(found["term"], is_name) if found is not None else None
    if found is None or term is None or _is_many(term) != (found["aux"] == "are") or _BEHIND_HEAD.search(term):
        return None
    words = term.split()
    if words[0] not in _ARTICLES and found["aux"] == "is" and (len(words) == 1 or not words[-1].islower()):
        # What is one, and has no article, has a name; of several words each has its capital.
        term = found["term"]
    return Fact(_as_question(f"what {found['aux']} {term}"), "definition", term)


_NOT = re.compile(
    r"(?P<subject>[^,;:()]{2,80}?) "
    r"(?:(?P<aux>can|may|must|is|are|does|do|will)(?: not|n['’]t| never) |cannot )(?P<does>[^,;:()]{4,90})"
)
# With such a word "no" would not be the answer.
_HALF_NOT = re.compile(
    r"\b(?:only|either|necessarily|yet|always|just|merely|simply|exactly|really|as|any|anything|nor|enough|even|"
    r"seem|also|called|known|referred|thought|considered|seen|and|very|currently|today|still|already)\b"
)


def _yes_or_no(body: str, is_name: Callable[[str], bool]) -> Fact | None:
    found = _NOT.fullmatch(body)
    if found is None or not _is_clear(found["does"]) or _HALF_NOT.search(found["does"]):
        return None
    aux = found["aux"] or "can"
    # A reader who is spoken to is "I".
    subject = "I" if found["subject"] == "You" else _name(found["subject"], is_name)
    if subject is None or (subject != "I" and aux in (_SINGULAR if _is_many(subject) else _PLURAL)):
        return None
    verb = "may" if aux == "must" else "am" if (subject, aux) == ("I", "are") else aux
    return Fact(_as_question(f"{verb} {subject} {_first_person(found['does'])}"), "yes-or-no")


_IF = re.compile(r"(?P<how>If|When) (?P<clause>[^,;:()]{8,110})(?<! to), (?:then )?(?P<main>[^;:]{12,240})")
_PURPOSE = re.compile(
    r"(?:In order to|To|If you (?:want|wish|would like|need|intend|plan|prefer) to) "
    r"(?P<does>[a-z][\w-]+ [^,;:()]{4,90}), (?P<main>[^;]{12,240})"
)
_TELLS = re.compile(
    r"(?:please |simply |just |first |then )?(?:you (?:must|should|can|may|need|have to|will|could)|"
    r"use|run|call|set|add|install|open|see|pass|contact|write|make|create|send|check|click|go|type|enter|press|select|"
    r"choose|report|file|ask|read|try|put|do|include|specify|define|provide|follow|give|start|execute|import|attach|"
    r"place|remove|change|keep|submit|e-?mail|copy|replace|enable|disable|configure|build|clone|download|"
    r"update|upgrade)\b",
    re.IGNORECASE,
)
# What sends the reader on, or advises, is no step, and nothing happens in it.
_NO_STEP = re.compile(
    r"\bdo (?:so|this|that|it)\b|^(?:you should |please )?(?:read|see) |^you will (?:notice|see|find) |"
    r"\b(?:good|better|best) (?:choice|idea|practice|place)\b|"
    r"^(?:it|an?|the \w+)(?:['’]s| is) (?:(?:often|usually|always|quite) )?"
    r"(?:an?|the|time|best|better|possible|likely|recommended|advisable|to)\b",
    re.IGNORECASE,
)
# Nobody does anything, or behind it stands where to look: nothing happens.
_SEEKS = re.compile(
    r"we\b|[a-z]+ing\b|(?:used|run|set)\b|"
    r"you(?:['’]re| are)? (?:look|search|using|interested|unsure|curious|want|wish|would like|need|prefer|like)"
)
# What the sentence before it names.
_BACK = re.compile(
    r"\b(?:this|these|those|such|above|below|following|former|latter|listing \d.*|figure \d.*)\b", re.IGNORECASE
)
# What begins a clause of its own; a further part of a list does not.
_MAIN = re.compile(
    r"(?:the|an?|we|your|our|all|any|each|every|no|there|only|it|they|its|their|(?-i:[A-Z])[\w.-]+|[a-z]+s)\b",
    re.IGNORECASE,
)


def _is_clear(words: str) -> bool:
    """Whether words say what they mean without those before them."""
    return not leans(words) and all(map(_PLAIN_WORD.fullmatch, words.split()))


def _steps(body: str, _is_name: Callable[[str], bool]) -> Fact | None:
    found = _PURPOSE.fullmatch(body)
    if found is None or not _is_clear(found["does"]) or not _TELLS.match(found["main"]):
        return None
    if _NO_STEP.search(found["main"]) or _BACK.search(found["main"]):
        return None
    return Fact(_as_question(f"how can I {_first_person(found['does'])}"), "steps")


def _condition(body: str, _is_name: Callable[[str], bool]) -> Fact | None:
    found = _IF.fullmatch(body)
    if found is None:
        return None
    when, clause, main = found["how"].lower(), found["clause"], found["main"]
    if not _is_clear(clause) or _BACK.search(main) or _NO_STEP.search(main):
        return None
    mine = _first_person(clause)
    if _TELLS.match(main):
        to_reader = clause.startswith(("you ", "your ")) or re.match(r"(?:please|you)\b", main, re.IGNORECASE)
        return Fact(_as_question(f"what should I do {when} {mine}"), "condition") if to_reader else None
    if _SEEKS.match(clause) or not _MAIN.match(main) or len(main.split(",")[0].split()) < 3:
        return None
    return Fact(_as_question(f"what happens {when} {mine}"), "condition")


MARKUP = re.compile(r"[\[\]<>{}|\\*^~=`]|\s_|https?:|://|::|\(\)|--|@|\.\.|…|_{2,}|#\S|→|«|»")


def facts_of_sentence(text: str, is_name: Callable[[str], bool]) -> Iterator[Fact]:
    """The questions that a sentence answers by its form, the most telling first; most sentences give none.

    Args:
        text: One sentence, without markup.
        is_name: Whether a word keeps its capital where no sentence begins.
    """
    is_whole = (
        (text[0].isupper() or text[0] in "\"“‘'")
        and text[-1] == "."
        and text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and not MARKUP.search(text)
    )
    for read in (_steps, _condition, _definition, _yes_or_no) if is_whole else ():
        if (fact := read(text.rstrip("."), is_name)) is not None:
            yield fact
