"""The question that an English sentence or heading answers, in the words of somebody who does not know the answer.

Six forms are read: a definition, a condition, what to do for a purpose, a reason, what is refused, and a heading that
asks or names steps. All other sentences give no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["steps", "condition", "heading", "definition", "why", "yes-or-no"]


class Fact(NamedTuple):
    """A question and what it was made of.

    Attributes:
        question: As a person would put it.
        kind: What sort of thing answers it.
        subject: What it is about, as it stands in the question; empty where that is no one thing.
        answer: The words of the sentence that answer it; empty for a heading.
    """

    question: str
    kind: Kind
    subject: str = ""
    answer: str = ""


class DocumentSentence(NamedTuple):
    """A sentence without its stop, and how its words are written elsewhere.

    Attributes:
        body: Its words.
        is_name: Whether a word keeps its capital where no sentence begins.
    """

    body: str
    is_name: Callable[[str], bool]

    def name(self, words: str) -> str | None:
        """The name of a thing as it stands within a sentence; None where the words are none, or lean on others."""
        parts = words.split()
        small = [part.lower() for part in parts]
        if (
            not all(map(_PLAIN_WORD.fullmatch, parts))
            or not (_LEANING | _NO_NAME).isdisjoint(small)
            or not _BEFORE_A_NAME.isdisjoint((small[0], small[-1]))
            or small[-1] in _ARTICLES
            or any(part.endswith("ly") for part in small)
        ):
            return None
        first = parts[0] if self.is_name(parts[0]) else parts[0][0].lower() + parts[0][1:]
        return " ".join([first, *parts[1:]])

    def subject(self, words: str, aux: str) -> str | None:
        """A subject that fits its verb; a reader who is spoken to is "I", and "we" of the document is "you"."""
        if words in {"You", "We"}:
            return "I" if words == "You" else "you"
        name = self.name(words)
        wrong = name is None or is_bare(name) or (aux in _SINGULAR if _is_many(name) else aux in _PLURAL)
        return None if wrong else name


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
_BEFORE_A_NAME = word_set(
    "or in on at for from with without by of to into under over about between among during through via per according "
    "depending given see please once and using with like unlike despite even just still all any every make ensure "
    "avoid keep remember use run consider"
)
_ARTICLES = word_set("the a an")
_SINGULAR, _PLURAL = word_set("is was does"), word_set("are were do")
_PLAIN_WORD = re.compile(r"[^\W_](?:[\w.+#/'’-]*\w|[+#]*)|[^\W_]")
_BEHIND_HEAD = re.compile(r" (?:of|in|on|for|with|from|to|by|at|under|between|within) ")
_LETTERS = re.compile(r"[^\W\d_]+")
_SUBJECT = r"(?P<subject>[^,;:()]{2,80}?)"


def _is_many(name: str) -> bool:
    """Whether a name takes a verb in the plural: "parcels", not "the status"."""
    head = _BEHIND_HEAD.split(name)[0].split()[-1].lower()
    ends = head.endswith("s") and not head.endswith(("ss", "us", "is", "news", "series", "'s"))
    return " and " in name or ends


def is_bare(subject: str) -> bool:
    """Whether a subject is "the" and one word: of which there is one, only its neighbours say."""
    return len(subject.split()) == 2 and subject.startswith("the ") and subject.islower()


def _leans(words: str) -> bool:
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


# Definitions

_IS_A = re.compile(r"(?P<term>[^,;:()]{2,60}?) (?P<aux>is|are) (?P<what>(?:an?|the) [^;:]{15,240})")
_MEANS = re.compile(
    r"(?:The term |An? |The )?[\"“'‘](?P<term>[^\"”'’]{2,50})[\"”'’] "
    r"(?:means?|shall mean|refers to|is defined as) (?P<what>.{12,280})"
)
# What follows "is a" and says of what kind nothing is.
_NO_KIND = re.compile(
    r"(?:an?|the) (?:(?:very|really|quite|pretty|rather|fairly) )?(?:interesting|special|breakout|absolute|good|great|"
    r"nice|bad|common|lot|bit|few|little|much|best|most|only|first|last|next|same|following|default|must|pleasure|"
    r"pain|joy|shame|pity|member|author|(?:\w+ ){0,2}(?:result|problem|reason|example|matter|fact|mistake|"
    r"maintainer)|(?:\w+ )?feature(?=,? and))\b"
)


def _definition(sentence: DocumentSentence) -> Fact | None:
    found = _MEANS.match(sentence.body)
    if found is not None:
        return Fact(f"What does “{found['term'].rstrip(',.')}” mean?", "definition", found["term"], found["what"])
    found = _IS_A.fullmatch(sentence.body)
    term = sentence.name(found["term"]) if found is not None else None
    if found is None or term is None or is_bare(term) or _NO_KIND.match(found["what"]):
        return None
    if _is_many(term) != (found["aux"] == "are") or _BEHIND_HEAD.search(term):
        return None
    words = term.split()
    if words[0] not in _ARTICLES and found["aux"] == "is" and (len(words) == 1 or not words[-1].islower()):
        # What is one, and has no article, has a name; of several words each has its capital.
        term = found["term"]
    return Fact(_as_question(f"what {found['aux']} {term}"), "definition", term, found["what"])


# Reasons, and what is refused

_WHY = re.compile(
    rf"{_SUBJECT} (?P<aux>is|are|was|were|can|must|may|should|will) (?P<does>[^,;:()]{{3,90}}?),? "
    r"because (?P<why>[^;]{8,160})"
)
_NOT = re.compile(
    rf"{_SUBJECT} (?:(?P<aux>can|may|must|is|are|does|do|will)(?: not|n['’]t| never) |cannot )"
    r"(?P<does>[^,;:()]{4,90})"
)
# With such a word "no" would not be the answer.
_HALF_NOT = re.compile(
    r"\b(?:only|either|necessarily|yet|always|just|merely|simply|exactly|really|as|any|anything|nor|enough|even|"
    r"seem|also|called|known|referred|thought|considered|seen|and|very|currently|today|still|already)\b"
)


def _am(aux: str, subject: str) -> str:
    """The form of a verb behind which the reader stands as "I"."""
    return {"are": "am", "were": "was"}.get(aux, aux) if subject == "I" else aux


def _why(sentence: DocumentSentence) -> Fact | None:
    found = _WHY.fullmatch(sentence.body)
    subject = sentence.subject(found["subject"], found["aux"]) if found is not None else None
    if found is None or subject is None or _leans(found["does"]):
        return None
    words = f"why {_am(found['aux'], subject)} {subject} {_first_person(found['does'])}"
    return Fact(_as_question(words), "why", subject, found["why"])


def _yes_or_no(sentence: DocumentSentence) -> Fact | None:
    found = _NOT.fullmatch(sentence.body)
    if found is None or _leans(found["does"]) or _HALF_NOT.search(found["does"]):
        return None
    aux, words = found["aux"] or "can", found["does"].split()
    subject = sentence.subject(found["subject"], aux)
    if subject is None or subject == "you" or not all(map(_PLAIN_WORD.fullmatch, words)):
        return None
    words_of_it = f"{'may' if aux == 'must' else _am(aux, subject)} {subject} {_first_person(found['does'])}"
    return Fact(_as_question(words_of_it), "yes-or-no", subject, found["does"])


# Conditions, and what to do for a purpose

_IF = re.compile(r"(?P<how>If|When) (?P<clause>[^,;:()]{8,110})(?<! to), (?:then )?(?P<main>[^;:]{12,240})")
_PURPOSE = re.compile(
    r"(?:(?:In order to|To|If you (?:want|wish|would like|need|intend|plan|prefer) to) "
    r"(?P<does>[a-z][\w-]+ [^,;:()]{4,90}), (?P<main>[^;]{12,240})|"
    r"You (?:can|may) (?P<can>[a-z][^,;:()]{6,80}?) (?P<by>by [a-z]+ing [^;]{6,200}|(?:using|via|through) [^;]{4,200}))"
)
_VERBS = (
    "use|run|call|set|add|install|open|see|pass|contact|write|make|create|send|check|click|go|type|enter|press|select|"
    "choose|report|file|ask|read|try|put|do|include|specify|define|provide|follow|give|start|execute|import|attach|"
    "place|remove|change|keep|submit|e-?mail|copy|replace|enable|disable|configure|build|clone|download|"
    "update|upgrade"
)
_TELLS = re.compile(
    rf"(?:please |simply |just |first |then )?(?:you (?:must|should|can|may|need|have to|will|could)|{_VERBS})\b",
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
_PAST = re.compile(r"\b(?:was|were|had|did|would)(?:n|\b)")
# What the sentence before it names.
_BACK = re.compile(
    r"\b(?:this|these|those|such|above|below|following|former|latter|listing \d.*|figure \d.*)\b", re.IGNORECASE
)
# What begins a clause of its own; a further part of a list does not.
_MAIN = re.compile(
    r"(?:the|an?|we|your|our|all|any|each|every|no|there|only|it|they|its|their|(?-i:[A-Z])[\w.-]+|[a-z]+s)\b",
    re.IGNORECASE,
)


def tells_what_to_do(sentence: str) -> bool:
    """Whether a sentence says what its reader does."""
    return _TELLS.match(sentence) is not None


def _is_clear(words: str) -> bool:
    """Whether words say what they mean without those before them."""
    return not _leans(words) and all(map(_PLAIN_WORD.fullmatch, words.split()))


def _steps(sentence: DocumentSentence) -> Fact | None:
    found = _PURPOSE.fullmatch(sentence.body)
    if found is None:
        return None
    does, how = (found["does"], found["main"]) if found["does"] else (found["can"], found["by"])
    if not _is_clear(does):
        return None
    if (found["does"] and not tells_what_to_do(how)) or _NO_STEP.search(how) or _BACK.search(how):
        return None
    return Fact(_as_question(f"how can I {_first_person(does)}"), "steps", "", how)


def _condition(sentence: DocumentSentence) -> Fact | None:
    found = _IF.fullmatch(sentence.body)
    if found is None:
        return None
    when, clause, main = found["how"].lower(), found["clause"], found["main"]
    if not _is_clear(clause) or _PAST.search(f"{clause} {main}") or _BACK.search(main) or _NO_STEP.search(main):
        return None
    mine = _first_person(clause)
    if tells_what_to_do(main):
        to_reader = clause.startswith(("you ", "your ")) or re.match(r"(?:please|you)\b", main, re.IGNORECASE)
        return Fact(_as_question(f"what should I do {when} {mine}"), "condition", "", main) if to_reader else None
    if _SEEKS.match(clause) or not _MAIN.match(main) or len(main.split(",")[0].split()) < 3:
        return None
    return Fact(_as_question(f"what happens {when} {mine}"), "condition", "", main)


_MARKUP = re.compile(r"[\[\]<>{}|\\*^~=`]|\s_|https?:|://|::|\(\)|--|@|\.\.|…|_{2,}|#\S|→|«|»")


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
        and not _MARKUP.search(text)
    )
    sentence = DocumentSentence(text.rstrip("."), is_name)
    for read in (_steps, _condition, _definition, _why, _yes_or_no) if is_whole else ():
        if (fact := read(sentence)) is not None:
            yield fact


_FEWEST_IN_HEADING = 4
_GERUNDS = {
    f"{verb.removesuffix('e')}ing": verb
    for verb in word_set(
        "add book build cancel change configure connect contribute create customize debug delete deploy disable enable "
        "export generate import install manage remove renew report request return test uninstall update upgrade use "
        "verify write"
    )
} | {"cancelling": "cancel", "debugging": "debug", "running": "run"}
_NAMES_STEPS = re.compile(r"(?:How to (?P<does>[a-z]\S*)|(?P<gerund>[a-z]+ing)) (?P<rest>.+)", re.IGNORECASE)


def heading_question(heading: str, is_name: Callable[[str], bool]) -> Fact | None:
    """The question that a heading is, or names the steps to; None for any other."""
    words = heading.rstrip("?").split()
    if _leans(heading):
        return None
    if heading.endswith("?"):
        is_plain = len(words) >= _FEWEST_IN_HEADING and not _MARKUP.search(heading)
        return Fact(heading[0].upper() + heading[1:], "heading") if is_plain else None
    found = _NAMES_STEPS.fullmatch(heading) if all(map(_PLAIN_WORD.fullmatch, words)) else None
    verb = found and (found["does"] or _GERUNDS.get(found["gerund"].lower()))
    if not found or not verb or "and" in found["rest"].split():
        return None
    # A heading has capitals that are no name's.
    rest = " ".join([word if is_name(word) else word[0].lower() + word[1:] for word in found["rest"].split()])
    return Fact(_as_question(f"how do I {verb.lower()} {_first_person(rest)}"), "heading")
