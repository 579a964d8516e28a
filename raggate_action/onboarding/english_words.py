"""Words of an English sentence as a question puts them: names of things, agreement, and the reader's own person."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.text.number_words import NUMBERS

Kind: TypeAlias = Literal["value", "condition", "steps", "definition", "fact", "yes-or-no", "heading"]


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


def word_set(text: str) -> frozenset[str]:
    """The words of a list, as it is written here."""
    return frozenset(text.split())


NUMBER = rf"(?:[0-9][0-9.,]*|{'|'.join(word for word, value in NUMBERS['en'].items() if 0 < value < 100)}|a hundred)"
MODAL = "can|must|may|should|will|shall|could"
BE = "is|are|was|were"
SUBJECT = r"(?P<subject>[^,;:()]{2,80}?)"

# What may not stand in the name of a thing: it leans on what stands elsewhere, or is no name.
_LEANING = word_set(
    "this that these those it its they them their he she his her him such same another other others both either "
    "neither each one ones former latter above below following previous next here there now then who which what "
    "where when why how whose whether if unless because although though while whereas since until before after as "
    "than so however therefore otherwise instead also thus hence not no nor only but yet we our us i my me you "
    "your everything something anything nothing someone anyone nobody many some most few several more less first "
    "second third last is are was were be been being has have had do does did can could may might must shall should "
    "will would let lets way reason problem idea result note example case point thing things kind goal purpose "
    "question answer rest resulting corresponding respective aforementioned additional"
)
_NO_NAME_STARTS = word_set(
    "or how in on at for from with without by of to into under over about between among during through via per "
    "according depending given see please note if when once after before and as using with like "
    "unlike despite usually often "
    "sometimes typically generally normally currently finally first secondly additionally furthermore moreover "
    "similarly likewise even just still all any every each today yesterday tomorrow later soon so yes no "
    "make ensure avoid keep remember use run let consider"
)
DETERMINERS = frozenset({"the", "a", "an"})
# They end as adverbs do, which stand in no name.
_LY_NOUNS = word_set("family assembly supply reply july italy anomaly early daily weekly monthly yearly")
_PLURALS = word_set("people children men women data criteria media feet")
PLAIN_WORD = re.compile(r"[^\W_](?:[\w.+#/'’-]*\w|[+#]*)|[^\W_]")
_BEHIND_HEAD = re.compile(r" (?:of|in|on|for|with|from|to|by|at|under|between|within) ")
_LONGEST_NAME = 9


class DocumentSentence(NamedTuple):
    """A sentence without its stop, and how its words are written elsewhere.

    Attributes:
        body: Its words.
        is_name: Whether a word keeps its capital where no sentence begins.
    """

    body: str
    is_name: Callable[[str], bool]

    def name(self, words: str, *, longest: int = _LONGEST_NAME) -> str | None:
        """The name of a thing as it stands within a sentence; None where the words are none, or lean on others."""
        parts = words.split()
        if not 1 <= len(parts) <= longest or not all(map(PLAIN_WORD.fullmatch, parts)):
            return None
        small = [part.lower() for part in parts]
        if not _LEANING.isdisjoint(small) or small[0] in _NO_NAME_STARTS or small[-1] in _NO_NAME_STARTS:
            return None
        if small[0] in DETERMINERS and len(parts) == 1:
            return None
        if any(part.endswith("ly") and part not in _LY_NOUNS for part in small):
            return None
        first = parts[0] if self.is_name(parts[0]) else parts[0][0].lower() + parts[0][1:]
        return " ".join([first, *parts[1:]])

    def subject(self, words: str) -> str | None:
        """A subject; where the document speaks to its reader it is "I", where it speaks of its own side "you"."""
        return {"You": "I", "We": "you"}.get(words) or self.name(words)


def is_many(name: str) -> bool:
    """Whether a name takes a verb in the plural: "parcels", not "the status"."""
    head = _BEHIND_HEAD.split(name)[0].split()[-1].lower()
    if " and " in name:
        return True
    return head in _PLURALS or (head.endswith("s") and not head.endswith(("ss", "us", "is", "news", "series", "'s")))


def agrees(aux: str, subject: str) -> bool:
    """Whether a form of "to be" fits its subject: else the subject was cut wrongly."""
    return subject in {"I", "you"} or aux not in BE.split("|") or is_many(subject) == (aux in {"are", "were"})


def be_of_reader(aux: str, subject: str) -> str:
    """The form of "to be" behind which the reader stands as "I"."""
    return {"are": "am", "were": "was"}.get(aux, aux) if subject == "I" else aux


def is_bare(subject: str) -> bool:
    """Whether a subject is "the" and one word: of which there is one, only its neighbours say."""
    return len(subject.split()) == 2 and subject.startswith("the ") and subject.islower()


def leans(words: str) -> bool:
    """Whether words name a thing that stands elsewhere."""
    return not _POINTING.isdisjoint(_LETTERS.findall(words.lower()))


_LETTERS = re.compile(r"[^\W\d_]+")
_POINTING = word_set("it this that they these those such its their them")

_OWN_SIDE = {"we": "\0you", "our": "\0your", "us": "\0you"}
# As a subject it opens a clause.
_OPENS = r"(^|\b(?:and|or|that|which|if|when|whom|where|as|than|what|how|because|unless|until|while|before|after) )"
_READER = (
    (re.compile(r"(?<!\0)\byou are\b", re.IGNORECASE), "I am"),
    (re.compile(r"(?<!\0)\byou were\b", re.IGNORECASE), "I were"),
    (re.compile(r"(?<!\0)\byou['’]re\b", re.IGNORECASE), "I'm"),
    (re.compile(r"(?<!\0)\byou['’]ve\b", re.IGNORECASE), "I've"),
    (re.compile(r"(?<!\0)\byourself\b", re.IGNORECASE), "myself"),
    (re.compile(r"(?<!\0)\byour\b", re.IGNORECASE), "my"),
    (re.compile(rf"{_OPENS}(?<!\0)you\b", re.IGNORECASE), r"\1I"),
    (re.compile(r"(?<!\0)\byou\b", re.IGNORECASE), "me"),
)
_WE = re.compile(r"\b(we|our|us)\b", re.IGNORECASE)


def first_person(words: str) -> str:
    """What a document tells its reader, in the reader's own words: "your parcel" becomes "my parcel"."""
    words = _WE.sub(lambda found: _OWN_SIDE[found[1].lower()], words)
    for theirs, mine in _READER:
        words = theirs.sub(mine, words)
    return words.replace("\0", "")


def first_person_but(subject: str, words: str) -> str:
    """The same of words in which the subject "you" stands for the document's own side."""
    if subject != "you":
        return first_person(words)
    before, _, after = words.partition(" you ")
    return f"{first_person(before)} you {first_person(after)}"


def as_question(words: str) -> str:
    """Words as a question: a capital first, one mark at the end."""
    words = " ".join(words.split()).rstrip(" ,;:.")
    return f"{words[0].upper()}{words[1:]}?"
