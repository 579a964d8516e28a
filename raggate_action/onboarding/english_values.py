"""Questions for an amount, a time, a limit or a date, from the sentence that gives it."""

from __future__ import annotations

import re
from collections.abc import Callable

from raggate_action.onboarding.english_words import (
    BE,
    MODAL,
    NUMBER,
    SUBJECT,
    Fact,
    Sentence,
    agreeing,
    agrees,
    asked,
    first_person,
    first_person_but,
    is_bare,
    leans,
)

_TIME = r"(?:(?:working|business|calendar|full|consecutive) )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_SPAN = rf"(?P<number>{NUMBER}(?:(?: to | and | or |-|–){NUMBER})?)(?:[ -]| \(\d+\) )(?P<unit>{_TIME})"
_MONEY = (
    rf"(?:[$€£¥] ?[0-9][0-9.,]*|{NUMBER} (?:EUR|USD|GBP|CHF|NOK|SEK|DKK|JPY|euros?|dollars?|pounds?|cents?)|"
    r"(?:EUR|USD|GBP|CHF|NOK|SEK|DKK) [0-9][0-9.,]*)"
)
_DATE = (
    r"(?:(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?,?)?(?: \d{4})?|(?:19|20)\d{2}(?:-\d{2}-\d{2})?)"
)
# "Parcels can be returned within 30 days of delivery"
_WITHIN = re.compile(
    rf"{SUBJECT} (?P<aux>{MODAL}|{BE}|has to|have to) (?P<does>[^,;:()]{{2,90}}?) "
    rf"(?P<by>within|for|after|in) (?:the next )?{_SPAN}(?P<rest>\b.*)?"
)
# "A request may contain up to 100 items"
_AT_MOST = re.compile(
    rf"{SUBJECT} (?P<aux>{MODAL}) (?P<does>[^,;:()]{{2,60}}? )"
    rf"(?P<bound>up to|at most|at least|no more than|no fewer than|a maximum of|a minimum of) "
    rf"(?P<number>{NUMBER}) (?P<unit>[a-z]+(?: [a-z]+)?s)(?P<rest>\b.*)?"
)
# "A repair takes ten working days"
_TAKES = re.compile(
    rf"{SUBJECT} (?P<verb>takes?|lasts?) (?:about |around |up to |at least |at most |between )?{_SPAN}(?P<rest>\b.*)?"
)
# "The return label costs 4 EUR"
_COSTS = re.compile(rf"{SUBJECT} (?P<verb>costs?) (?P<value>{_MONEY})(?P<rest>(?![\w]).*)?")
# "The default timeout is 5 seconds"
_SETTING = re.compile(
    r"The (?P<what>(?:default|maximum|minimum|recommended|standard|current|initial|normal|annual|monthly) "
    r"[a-z][\w -]{2,50}?) is (?P<value>(?:[0-9$€£\"'“‘]|none\b|zero\b|[A-Z]).*)"
)
_DEFAULTS = re.compile(rf"{SUBJECT} (?P<verb>defaults?) to (?P<value>.+)")
# "Headphones have a warranty of 24 months"
_HAS = re.compile(rf"{SUBJECT} (?P<verb>has|have) an? (?P<what>[a-z][a-z -]{{2,40}}?) of (?P<value>{NUMBER}\b.*)")
# "Delivery is free above 60 EUR"
_FROM_AMOUNT = re.compile(
    rf"{SUBJECT} (?P<aux>is|are) (?P<does>[^,;:()]{{3,40}}?) (?P<by>above|below|from|over|under|up to) "
    rf"(?P<value>{_MONEY})(?P<rest>(?!\w).*)?"
)
# "There are three plans for teams"
_THERE_ARE = re.compile(
    rf"There are (?P<number>{NUMBER}) (?P<what>[a-z][\w -]{{2,40}}?s)(?P<where> (?:in|on|for|of|at) [^,;:()]{{3,60}})"
)
# "The plan has three seats"
_HAS_MANY = re.compile(
    rf"{SUBJECT} (?P<verb>has|have|includes?|contains?) (?:exactly |up to )?(?P<number>{NUMBER}) "
    r"(?P<what>[a-z][\w -]{2,30}?s)(?P<rest>(?: (?:of|for|per|in|on|at|and|with)\b.*|,.*)?)"
)
# "The shop opens at nine"
_OPENS = re.compile(
    rf"{SUBJECT} (?P<verb>opens?|closes?|starts?|begins?|ends?|expires?|leaves?|arrives?) "
    rf"(?P<value>(?:at|on|in|before|after) (?:{NUMBER}|noon|midnight|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    rf"{_DATE})\b.*)"
)
# "The shop was opened in 1998"
_WHEN = re.compile(
    rf"{SUBJECT} (?P<aux>was|were) (?P<does>(?:first |originally |officially |initially )?"
    r"(?:released|introduced|founded|established|published|created|built|launched|adopted|signed|opened|deprecated|"
    r"removed|added|completed|discovered|born|invented|written|formed|acquired|updated|started))"
    rf" (?:in|on) (?P<value>{_DATE})(?P<rest>\b.*)?"
)
# What may follow a value and stay out of the question, since it narrows nothing.
_BESIDE = re.compile(r"(?:,? (?:and|but|which|with|so|as well)\b.*|,.*|)", re.DOTALL)
# What follows a value and belongs to what is asked.
_NARROWS = re.compile(
    r" (?:of|from|after|before|for|if|unless|when|to|in|at|within|on|following|prior to|since) [^,;:()]{2,70}"
)
_GOES_ON = re.compile(r" (?:and|but) (?=[a-z]+s\b|is\b|are\b|can\b|may\b|must\b|will\b)")
_A_RANGE = re.compile(rf"(?: or | to |-|–)[$€£¥]?{NUMBER}")
_UNFINISHED = re.compile(r"\b(?:for|within|in|after|at|by|with|to|of)$")
_A_DURATION = re.compile(rf"{NUMBER} {_TIME}")


def _rest(rest: str | None) -> str | None:
    """What of the words behind a value the question keeps; None where that cannot be told."""
    rest = rest or ""
    if _A_RANGE.match(rest):
        return None
    narrows = _NARROWS.match(rest)
    if narrows and _BESIDE.fullmatch(rest[narrows.end() :]):
        kept = _GOES_ON.split(narrows[0])[0]
        return "" if leans(kept) else kept
    return "" if _BESIDE.fullmatch(rest) else None


def _do(verb: str) -> str:
    return "does" if verb.endswith("s") else "do"


def _within(sentence: Sentence) -> Fact | None:
    found = _WITHIN.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or " not" in f" {found['does']}" or found["does"].endswith(" at"):
        return None
    subject, rest = sentence.subject(found["subject"]), _rest(found["rest"])
    if subject is None or rest is None or not agrees(found["aux"], subject):
        return None
    if found["by"] == "in" and found["aux"] in {"was", "were"}:
        return None
    unit = found["unit"] if found["unit"].endswith("s") else f"{found['unit']}s"
    aux, does = agreeing(found["aux"], subject), found["does"]
    if aux.endswith(" to"):
        aux, does = "does" if aux == "has to" else "do", f"have to {does}"
    of, behind = (rest, "") if rest.startswith(" of") else ("", rest)
    words = first_person_but(subject, f"{found['by']} how many {unit}{of} {aux} {subject} {does}")
    return Fact(asked(words + first_person(behind)), "value", subject, f"{found['number']} {found['unit']}")


def _at_most(sentence: Sentence) -> Fact | None:
    found = _AT_MOST.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or _UNFINISHED.search(found["does"].strip()):
        return None
    subject, rest = sentence.subject(found["subject"]), _rest(found["rest"])
    if subject is None or rest is None:
        return None
    bound = "at least" if found["bound"] in {"at least", "no fewer than", "a minimum of"} else "at most"
    words = f"how many {found['unit']} {found['aux']} {subject} {found['does'].strip()}{rest} {bound}"
    return Fact(asked(first_person_but(subject, words)), "value", subject, found["number"])


def _takes_or_costs(sentence: Sentence) -> Fact | None:
    takes, costs = _TAKES.fullmatch(sentence.body), _COSTS.fullmatch(sentence.body)
    found = takes or costs
    if found is None:
        return None
    subject, rest = sentence.name(found["subject"]), _rest(found["rest"])
    if subject is None or rest is None:
        return None
    much = "long" if takes else "much"
    words = f"how {much} {_do(found['verb'])} {subject} {found['verb'].removesuffix('s')}{first_person(rest)}"
    return Fact(asked(words), "value", subject, f"{found['number']} {found['unit']}" if takes else found["value"])


def _setting(sentence: Sentence) -> Fact | None:
    found = _SETTING.fullmatch(sentence.body)
    if found is not None and sentence.name(f"the {found['what']}"):
        return Fact(asked(f"what is the {found['what']}"), "value", f"the {found['what']}", found["value"])
    found = _DEFAULTS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject):
        return None
    return Fact(asked(f"what {_do(found['verb'])} {subject} default to"), "value", subject, found["value"])


def _has(sentence: Sentence) -> Fact | None:
    found = _HAS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    what = f"how long a {found['what']}" if _A_DURATION.match(found["value"]) else f"what {found['what']}"
    return Fact(asked(f"{what} {_do(found['verb'])} {subject} have"), "value", subject, found["value"])


def _when(sentence: Sentence) -> Fact | None:
    found = _WHEN.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    return Fact(asked(f"when {found['aux']} {subject} {found['does']}"), "value", subject, found["value"])


def _from_amount(sentence: Sentence) -> Fact | None:
    found = _FROM_AMOUNT.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or not agrees(found["aux"], subject) or _rest(found["rest"]) is None:
        return None
    words = f"{found['by']} which amount {found['aux']} {subject} {found['does']}"
    return Fact(asked(words), "value", subject, found["value"])


def _there_are(sentence: Sentence) -> Fact | None:
    found = _THERE_ARE.match(sentence.body)
    if found is None or leans(found["where"]) or " and " in found["what"]:
        return None
    if re.search(r"\b(?:which|whom)\b", found["where"]):
        return None
    of, behind = (found["where"], "") if found["where"].startswith(" of ") else ("", found["where"])
    words = f"how many {found['what']}{of} are there{behind}"
    return Fact(asked(first_person(words)), "value", found["what"], found["number"])


def _has_many(sentence: Sentence) -> Fact | None:
    found = _HAS_MANY.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    many = found["verb"] in {"have", "include", "contain"}
    verb = "have" if found["verb"] == "has" else found["verb"].removesuffix("s")
    words = f"how many {found['what']} {'do' if many else 'does'} {subject} {verb}"
    return Fact(asked(words), "value", subject, found["number"])


def _opens(sentence: Sentence) -> Fact | None:
    found = _OPENS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    words = f"when {_do(found['verb'])} {subject} {found['verb'].removesuffix('s')}"
    return Fact(asked(words), "value", subject, found["value"])


VALUES: tuple[Callable[[Sentence], Fact | None], ...] = (
    _takes_or_costs, _setting, _has, _when, _within, _at_most, _from_amount, _there_are, _has_many, _opens,
)  # fmt: skip
