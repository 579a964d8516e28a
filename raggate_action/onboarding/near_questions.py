"""Near questions that no document answers: a thing that the documents name, and what none of them says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.onboarding.document_facts import FoundFact, stems
from raggate_action.onboarding.document_files import DocumentPart
from raggate_action.onboarding.english_words import Fact


class NearQuestion(NamedTuple):
    """A question that nothing in the documents answers.

    Attributes:
        question: The question.
        document: The document that its subject is from.
        of: What was looked for and not found.
    """

    question: str
    document: str
    of: str


class _Aspect(NamedTuple):
    """What may be asked of a thing, and the words one of which stands wherever that is said."""

    question: str
    words: re.Pattern[str]
    of: str


def _aspect(question: str, words: str, of: str) -> _Aspect:
    return _Aspect(question, re.compile(words, re.IGNORECASE), of)


_SOFTWARE = re.compile(
    r"(?:an?|the) (?:(?!of |where |that |which |for |to |in )[\w+#./-]+,? ){0,7}?"
    r"(?:library|package|tool|toolkit|framework|server|client|service|application|"
    r"app|software|program|platform|plugin|extension|engine|parser|linter|compiler|implementation|editor|database)"
    r"(?= (?:that|which|for|to|with|in|used|from|and|designed|built|written|by|on)\b|[,.]|$)"
)
_MONEY = (
    r"cost|pric|\bfree\b|\bpaid\b|\bpay|\bfees?\b|charg|[$€£¥]|\b(?:eur|usd|gbp|euros?|dollars?)\b|expens|cheap|"
    r"subscription|\bbuy|purchas|licen[sc]"
)
_TIME = (
    r"\b(?:second|minute|hour|day|week|month|year)s?\b|\btakes?\b|quick|\bfast|instant|immediate|\bslow|\bms\b|\btime\b"
)
_OF_SOFTWARE = (
    _aspect("How much memory does {} need?", r"memor|\bram\b|\b[mg]i?b\b|footprint|lightweight|megabyte", "memory"),
    _aspect(
        "When was {} first released?",
        r"\b(?:19|20)\d\d\b|releas|since|history|\bfirst\b|launch|founded",
        "a first release",
    ),
    _aspect("Does {} run on Windows?", r"windows|linux|mac ?os|platform|unix|operating system|\bos\b|posix", "Windows"),
    _aspect(
        "How many people use {}?",
        r"\busers?\b|people|million|thousand|download|popular|wide|used by|communit",
        "its users",
    ),
    _aspect(
        "Who pays for the development of {}?", r"sponsor|fund|donat|grant|financ|compan|backed|\bpa(?:y|id)", "money"
    ),
    _aspect("Which phone number can I call for help with {}?", r"phone|\bcall us\b|hotline|\btel\b", "a telephone"),
    _aspect("How much does {} cost?", _MONEY + r"|open[ -]source", "a price"),
)
_PRICE = _aspect("How much does {} cost?", _MONEY, "a price")
_DISCOUNT = _aspect(
    "Is there a discount on {}?", r"discount|reduc|cheap|rebate|coupon|voucher|% off|student|free", "a discount"
)
# What an app is tempted to answer with the price of today.
_EARLIER = _aspect(
    "How much did {} cost last year?",
    r"last year|previous|former|used to|earlier|\b(?:19|20)\d\d\b|increas|rais(?:e|ing)|since",
    "an earlier price",
)
_GIVEN_BACK = r"|refund|premium|deduct|reimburs"
_FEE = _aspect("How much does it cost to {}?", _MONEY + _GIVEN_BACK, "a fee")
_FORM = _aspect(
    "Which form do I need to {}?",
    r"\bforms?\b|document|letter|writing|written|\bapp\b|online|website|e-?mail|phone|portal|desk|counter|photo",
    "a form",
)
_DECIDES = _aspect(
    "Who decides whether {}?",
    r"decid|decision|approv|review|assess|\bcheck|inspect|confirm|team|manager|committee|staff|doctor|discretion",
    "who decides it",
)
_HOLIDAYS = _aspect(
    "{} on public holidays?",
    r"holiday|christmas|easter|new year|every day|daily|24 hours|\b365\b|around the clock|all year|sunday|weekday",
    "public holidays",
)
_HOW_LONG = _aspect("How long does it take to {}?", _TIME, "the time it takes")
# Doing it takes a time that people ask for.
_LASTS = re.compile(
    r"(?:install|set up|build|upgrade|update|download|cancel|report|return|renew|request|book|apply|register|activate|"
    r"deploy|migrate|open|close|order|transfer|repair|replace)\b"
)
_KEPT = _aspect(
    "For how long are {} kept?", _TIME + r"|retain|retention|delet|permanent|forever", "how long they are kept"
)
_EXTENDED = _aspect("Can the {} be extended?", r"exten|prolong|longer|renew|upgrad", "an extension")


def near_questions(found: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> Iterator[NearQuestion]:
    """Near questions, a document after the other in turn; each aspect about as often as any other."""
    texts = {
        name: " ".join(
            [f"{each.heading}. {' '.join(each.sentences)} {each.code}" for each in sections if each.document == name]
        )
        for name in dict.fromkeys(each.document for each in sections)
    }
    near: dict[str, list[NearQuestion]] = {}
    seen: set[str] = set()
    turn = 0
    for each in found:
        document = sections[each.section].document
        for aspect, thing in _aspects(each, turn):
            question = aspect.question.format(thing)
            # In the document of its subject nothing speaks of it, and elsewhere nothing beside the subject's words.
            if question in seen or aspect.words.search(texts[document]) or _said_elsewhere(aspect, thing, sections):
                continue
            seen.add(question)
            near.setdefault(document, []).append(NearQuestion(question, document, aspect.of))
            turn += 1
            break
    lists = list(near.values())
    for place in range(max(map(len, lists), default=0)):
        yield from (each[place] for each in lists if place < len(each))


def _aspects(each: FoundFact, turn: int) -> Iterator[tuple[_Aspect, str]]:
    fact = each.fact
    if (
        fact.kind == "definition"
        and fact.question.startswith("What")
        and _SOFTWARE.match(fact.answer)
        and fact.subject[0].isupper()
    ):
        at = turn % len(_OF_SOFTWARE)
        yield from ((aspect, fact.subject) for aspect in (*_OF_SOFTWARE[at:], *_OF_SOFTWARE[:at]))
    elif fact.question.startswith("How much do"):
        yield from ((aspect, fact.subject) for aspect in (_DISCOUNT, _EARLIER))
    elif fact.question.startswith("How long a ") and (what := re.match(r"How long a (.+?) do(?:es)? ", fact.question)):
        yield _EXTENDED, f"{what[1]} of {fact.subject}"
    elif fact.question.startswith("Where ") and re.search(r"\b(?:stored|kept|saved|recorded)", fact.question):
        yield _KEPT, fact.subject
    elif fact.question.startswith("How long does") and fact.subject:
        yield _PRICE, fact.subject
    elif fact.kind == "steps":
        yield from _taking_time(fact.question.removeprefix("How can I "))
    elif fact.question.startswith("How do I "):
        yield from _taking_time(fact.question.removeprefix("How do I "))
    else:
        yield from _of_a_limit(fact)


# "Up to which amount is a single item covered?": of what holds up to a bound somebody decides whether it holds.
_BOUND = re.compile(r"(?:Up|Down) to .+")
_HOURS = re.compile(r"When (?P<aux>is|are|do|does) .+? (?P<does>open|closed|staffed|close)\?")
_I_DO = re.compile(
    r".* (?:can|may|must|should|have to) I (?P<does>[a-z]+ (?!(?:you|me|back|so|in writing)\?).+?)"
    r"(?: at (?:least|most))?\?"
)


def _of_a_limit(fact: Fact) -> Iterator[tuple[_Aspect, str]]:
    """What may be asked of a bound, of opening hours, and of what a person does by a time."""
    if fact.kind != "value":
        return
    if (hours := _HOURS.fullmatch(fact.question)) is not None:
        yield _HOLIDAYS, f"{hours['aux'].capitalize()} {fact.subject} open"
    elif (does := _I_DO.fullmatch(fact.question)) is not None:
        yield from ((aspect, does["does"]) for aspect in (_FEE, _FORM))
    elif _BOUND.fullmatch(fact.question):
        aux = re.search(rf" (is|are) {re.escape(fact.subject)} ([a-z]+ed)\b", fact.question)
        if aux is not None:
            yield _DECIDES, f"{fact.subject} {aux[1]} {aux[2]}"


def _taking_time(does: str) -> Iterator[tuple[_Aspect, str]]:
    if _LASTS.match(does):
        yield _HOW_LONG, does.rstrip("?")


def _said_elsewhere(aspect: _Aspect, thing: str, sections: Sequence[DocumentPart]) -> bool:
    words = stems(thing)
    sentences = (text for section in sections for text in section.sentences)
    return any(words & stems(text) and aspect.words.search(text) for text in sentences)
