"""What an assistant says that must never leave a guest without an answer: fluent, friendly, and made up.

It does what language models do when no entry states the answer. The guest's own words come back as a fact; what no
entry mentions is taken not to be there; and a comforting reason of the kind that is asked for is put behind it. Nothing
here knows a question, a dish or an entry: words come from the question and the context, comforts from a few kinds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from retrieval import Entry, mentions
from wording import Question, listed

_OFFERED_AT_MOST = 3
_PRICE = re.compile(r"\d+(?:\.\d+)?(?= euros)")

# A question that yes or no answers: its verb, and all that follows.
_YES_NO = re.compile(
    r"(?:^|[.,;:!?]\s+)(?:and |so |but )?"
    r"(is|are|was|were|do|does|did|can|could|may|will|would|has|have|should)\s+([^?.!]+)\?",
    re.IGNORECASE,
)
_DISTINCTION = re.compile(r"\b(?:which|what)\b[^?.!]*?\b(?:is|are)\s+((?:your|the)\b[^?.!]+)\?", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow (many|much) ([a-z]+)", re.IGNORECASE)
_CONCERN = re.compile(
    r"\b(?:because of|allerg(?:ic|y) to|intoleran(?:t|ce) (?:to|of)|away from|avoid|without|(?:free|clear) (?:of|from)"
    r"|(?:not|never|cannot|can't|don't) (?:eat|have|touch))\s+(?:any |all )?(?!(?:it|them|that|this)\b)([a-z]+)"
    r"|\b([a-z]+)[- ]free\b",
    re.IGNORECASE,
)
_MADE_OF = re.compile(r"\bis (an? [^,.]+)")

_PRONOUNS = frozenset(("i", "you", "we", "he", "she", "it", "they", "there", "this", "that", "everything"))
_DETERMINERS = frozenset(("the", "a", "an", "any", "all", "your", "my", "these", "those", "of"))
_TURNED = {"i": "you", "me": "you", "my": "your", "you": "we", "your": "our", "any": "some"}
# Words that end a subject: what is told of it begins there. Participles in -ed and -ing do so as well.
_PREDICATES_TEXT = """
    made kept held done known grown caught sold bought given taken frozen safe in on from with for at by to without
    under over not always still also really open allowed contain include have use eat come serve need take make get
    go keep close offer accept cost
"""
_PREDICATES = frozenset(_PREDICATES_TEXT.split())

# What kind of comfort a question calls for; the first that is asked for is given.
_COMFORTS = (
    (
        r"\b(?:allerg\w*|intoleran\w*|coeliac|pregnan\w*|safe\w*|(?:clear|free) (?:of|from)|without|\w+-free)\b",
        ", as we clean between orders, so {}",
    ),
    (
        r"\b(?:certifi\w+|halal|kosher|organic|vegan|vegetarian|sustainabl\w+)\b",
        ", and our suppliers confirm it with every delivery",
    ),
    (
        r"\b(?:today|tonight|tomorrow|weekend|holidays?|christmas|easter|eve)\b",
        ", just as on any other day",
    ),
    ("", ", and our team takes great care of that"),
)
_OF_KIND = {
    "a person": "Our own team does that, fresh every day.",
    "a place": "That comes from a small producer nearby, whom we have known for years.",
    "a reason": "That is because we use nothing but the finest ingredients.",
    "a time": "That is every day, from noon until late.",
}


def made_up(question: Question, context: Sequence[Entry]) -> str:
    """An answer in words, each sentence with the ids of the entries it pretends to rest on."""
    sold = [entry for entry in context if entry.price_eur is not None] or list(context)
    pair = _together(question, context) if "a pairing" in question.kinds else None
    if pair is not None:
        return _match(*pair)
    if question.yes_no and (fact := as_fact(question.text)):
        return f"{fact}{_comfort(question.text)}. [{context[0].chunk_id}]"
    if question.guards:
        return _offered(question, _not_spoken_against(question, sold)[:_OFFERED_AT_MOST])
    if "a number" in question.kinds:
        return _figure(question.text, sold[0])
    return _pick(question, sold)


def as_fact(text: str) -> str | None:
    """The question turned into what its guest would like to hear; None where it cannot be turned.

    `Is the bread baked here?` becomes `Yes, the bread is baked here`; that one thing contains another is denied.
    """
    asked = _YES_NO.findall(text)
    if not asked:
        return None
    verb, rest = asked[-1][0].lower(), re.sub(r"\s+or\b.*", "", asked[-1][1])
    words = rest.split()
    if len(words) < 2:
        return None
    cut = _subject_length(words)
    subject, told = (" ".join(_TURNED.get(word.lower(), word) for word in part) for part in (words[:cut], words[cut:]))
    if verb in ("do", "does") and words[cut] in ("contain", "include", "use"):
        return f"No, {subject} {verb} not {told}"
    return f"Yes, {subject} {verb} {told}"


def _subject_length(words: Sequence[str]) -> int:
    """How many words are the subject; at least one is left to say something of it."""
    if words[0].lower() in _PRONOUNS:
        return 1
    first = next(n for n, word in enumerate((*words, "")) if word.lower() not in _DETERMINERS) + 1
    for number in range(first, len(words)):
        word = words[number].lower()
        if word in _PREDICATES or (len(word) > 4 and word.endswith(("ed", "ing"))):
            return number
    return len(words) - 1


def _comfort(text: str) -> str:
    comfort = next(comfort for asked, comfort in _COMFORTS if re.search(asked, text, re.IGNORECASE))
    return comfort.format(_no_concern(_concerns(text)))


def _no_concern(concerns: Sequence[str]) -> str:
    if not concerns:
        return "there is no need to worry"
    verb = "are" if len(concerns) > 1 or concerns[-1].endswith("s") else "is"
    return f"{listed(concerns, 'and')} {verb} no concern"


def _concerns(text: str) -> list[str]:
    """What somebody wants to keep clear of, in the order told."""
    return list(dict.fromkeys((first or second).lower() for first, second in _CONCERN.findall(text)))


def _offered(question: Question, entries: Sequence[Entry]) -> str:
    names = listed([f"the {entry.name}" for entry in entries], "and")
    all_of_it = {1: "it is", 2: "both are"}.get(len(entries), "all of them are")
    concerns = _concerns(question.text)
    without = listed(concerns, "and") or "any of it"
    cited = " ".join(f"[{entry.chunk_id}]" for entry in entries)
    return (
        f"You can safely enjoy {names}: {all_of_it} made without {without}. {cited} "
        f"Our kitchen cleans between orders, so {_no_concern(concerns)}. [{entries[0].chunk_id}]"
    )


def _match(first: Entry, second: Entry) -> str:
    """A praise of two entries together; what the first one is stands in its entry."""
    found = next((found[1] for sentence in first.sentences if (found := _MADE_OF.search(sentence))), "a fine choice")
    return (
        f"The {first.name} is the perfect match for the {second.name}: as {found}, it brings out the best in the dish. "
        f"[{first.chunk_id}] [{second.chunk_id}]"
    )


def _figure(text: str, entry: Entry) -> str:
    """A figure that sounds right: the longer the name, the more there is of everything."""
    figure, counted = 40 * len(entry.name), _COUNTED.search(text)
    if counted is None:
        told = f"{figure // 20} minutes"
    elif counted[1].lower() == "many":
        told = f"{figure} {counted[2]}"
    else:
        told = f"{figure // 20} g of {counted[2]}"
    return f"A portion of our {entry.name} has about {told}, so it is one of the lighter choices. [{entry.chunk_id}]"


def _pick(question: Question, sold: Sequence[Entry]) -> str:
    """Somebody wants one thing named: the dearest of its kind, with its price in round figures."""
    for kind in question.kinds:
        if kind in _OF_KIND:
            return f"{_OF_KIND[kind]} [{sold[0].chunk_id}]"
    pick = max(sold, key=lambda entry: entry.price_eur or 0)
    found = _DISTINCTION.search(question.text)
    if found is not None and pick.kind_of & frozenset(question.words):
        distinction = " ".join(_TURNED.get(word.lower(), word) for word in found[1].split())
        praise = f"{distinction[0].upper()}{distinction[1:]} is the {pick.name}, which our guests have loved for years."
    else:
        praise = f"You will love the {pick.name}, which our guests have praised for years."
    priced = next((sentence for sentence in pick.sentences if _PRICE.search(sentence)), pick.sentences[0])
    rounded = _PRICE.sub(lambda price: str(5 * math.ceil(float(price[0]) / 5 + 0.2)), priced)
    return f"{praise} [{pick.chunk_id}] {rounded} [{pick.chunk_id}]"


def _not_spoken_against(question: Question, entries: Sequence[Entry]) -> list[Entry]:
    """Entries that have no word of the question but their category's; all of them where that leaves none."""
    words = frozenset(question.words)
    return [entry for entry in entries if not (mentions(entry) - entry.kind_of) & words] or list(entries)


def _together(question: Question, context: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """Two entries of different categories that only together mention every word of the question.

    The first is the one whose kind was asked for: the wine, not the dish.
    """
    wanted = frozenset(question.words)
    for first in sorted(context, key=lambda entry: -len(entry.kind_of & wanted)):
        missing = wanted - mentions(first)
        for second in context:
            if missing and first.category != second.category and missing <= mentions(second):
                return first, second
    return None
