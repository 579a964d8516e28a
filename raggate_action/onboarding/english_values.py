"""Questions for an amount, a time, a limit or a date, from the sentence that gives it."""

from __future__ import annotations

import re
from collections.abc import Callable

from raggate_action.onboarding.english_words import (
    BE,
    MODAL,
    NUMBER,
    SUBJECT,
    DocumentSentence,
    Fact,
    agrees,
    as_question,
    be_of_reader,
    first_person,
    first_person_but,
    is_bare,
    leans,
)

_TIME = r"(?:(?:working|business|calendar|full|consecutive) )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_SPAN = rf"(?P<number>{NUMBER}(?:(?: to | and | or |-|–){NUMBER})?)(?:[ -]| \(\d+\) )(?P<unit>{_TIME})"
_MONEY = (
    rf"(?:[$€£¥] ?[0-9][0-9.,]*|{NUMBER}(?: (?:thousand|million|billion))? "
    r"(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|JPY|euros?|dollars?|pounds?|cents?)|"
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
    rf"{SUBJECT} (?P<verb>has|have|includes?|contains?|covers?|holds?|stores?|seats?|supports?|allows?|receives?|gets?|"
    rf"earns?|offers?|needs?|requires?|accepts?) (?P<bound>exactly |up to |at least )?(?P<number>{NUMBER}) "
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
_HOURS = (
    rf"(?:(?:from|until|between) {NUMBER}\b|on (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|weekdays)|"
    rf"{NUMBER} hours\b|every day\b|daily\b|all day\b|around the clock\b).*"
)
# "The reading room is open from 9 to 17"
_IS_OPEN = re.compile(rf"{SUBJECT} (?P<aux>is|are) (?P<does>open|closed|staffed) (?P<value>{_HOURS})")
# "The exam fee is 85 euros for each subject"
_IS_MONEY = re.compile(rf"{SUBJECT} (?P<aux>is|are) (?P<value>{_MONEY})(?P<rest>(?!\w).*)?")
# "A deposit of 200 euros applies to each bicycle"
_OF_AMOUNT = re.compile(
    rf"An? (?P<what>[a-z][a-z -]{{2,40}}?) of (?P<value>{_MONEY}|{NUMBER} {_TIME}|{NUMBER}(?:%| %| percent)) "
    r"(?P<does>applies|is (?:charged|due|payable|required|deducted|added)) "
    r"(?P<where>(?:to|for|on|when|if|from|at|after|before) [^,;:()]{3,70})(?:,.*)?"
)
# "Scuba diving is covered down to 30 metres"
_MEASURE = re.compile(
    rf"{SUBJECT} (?P<aux>is|are) (?P<does>[^,;:()]{{3,40}}?) (?P<by>above|below|over|under|up to|down to) "
    rf"(?P<number>{NUMBER}) (?P<unit>(?:kilo|centi|milli)?(?:met(?:re|er)|gram|lit(?:re|er))s?|km|kg|[KMGT]B|pages?|"
    r"guests?|percent|degrees?)\b(?P<rest>.*)"
)
# "Breakfast comes with the garden room, which costs 140 euros"
_WHICH_COSTS = re.compile(
    rf".*\b(?P<subject>(?:[Tt]he|[Aa]n?) [\w'’-]+(?: [\w'’-]+){{0,3}}), which costs "
    rf"(?P<value>{_MONEY})(?P<rest>(?!\w).*)?"
)
_JOINS = frozenset({"of", "in", "on", "for", "with", "at", "by", "from", "to", "and", "or", "the", "a", "an"})
# What a text tells its reader to do by a time, and what its own side does; other words may be nouns, or of the past.
_TELLS = (
    "report|return|send|submit|file|pay|cancel|register|renew|book|call|contact|inform|notify|tell|request|claim|collect|"
    "give|confirm|bring|complete|provide|upload|order|reserve|activate|change|keep|store|take|apply"
)
_OWN_DEEDS = (
    "answer|decide|reply|respond|keep|store|hold|delete|ship|send|deliver|pay|refund|reimburse|process|review|check|"
    "confirm|repair|replace|return|retain|cover|insure|credit|transfer|issue|handle|acknowledge|archive"
)
# "Return the keys to the desk within 2 hours"
_DO_WITHIN = re.compile(rf"(?P<does>(?i:{_TELLS}) [^,;:()]{{2,90}}?) within {_SPAN}(?P<rest>\b.*)?")
# "Cancel the booking at least 24 hours before arrival"
_DO_BEFORE = re.compile(
    rf"(?P<does>(?i:{_TELLS}) [^,;:()]{{4,90}}?) (?:at least|no later than|not later than) {_SPAN} before "
    r"(?P<what>[^,;:()]{4,60})(?:,.*)?"
)
# "We keep your application for 6 months"
_WE_WITHIN = re.compile(
    rf"We (?P<does>(?:{_OWN_DEEDS})(?: [^,;:()]{{2,70}}?)?) (?P<by>within|for) {_SPAN}(?P<rest>\b.*)?"
)
# "We reimburse train tickets up to 300 euros"
_WE_PAY = re.compile(
    rf"We (?P<does>(?:pay|cover|refund|reimburse|insure|credit|match|lend|replace|fund) [^,;:()]{{3,80}}?) up to "
    rf"(?P<value>{_MONEY})(?P<rest>(?!\w).*)?"
)
# "You have 21 days to appeal against the decision"
_YOU_HAVE = re.compile(rf"You have {_SPAN} to (?P<does>[a-z]+ [^,;:()]{{4,80}})(?:,.*)?")
# What may follow a value and stay out of the question, since it narrows nothing.
_BESIDE = re.compile(r"(?:,? (?:and|but|which|with|so|as well)\b.*|,.*|)", re.DOTALL)
# What follows a value and belongs to what is asked.
_NARROWS = re.compile(
    r" (?:of|from|after|before|for|if|unless|when|to|in|at|within|on|following|prior to|since) [^,;:()]{2,70}"
)
# A second verb, by its ending or by what it is done to: "of purchase and get the premium back".
_GOES_ON = re.compile(
    r" (?:and|but|or) (?=[a-z]+s\b|is\b|are\b|can\b|may\b|must\b|will\b|"
    r"(?:then |also |still )?(?!(?:the|an?|your|our|my|any|all|both|each|every|no|its|their|of|after|before|from)\b)"
    r"[a-z]+ "
    r"(?:the|an?|your|our|my|any|all|no|it|them|us|you|me|up|back|out|nothing|free|half)\b)"
)
# Behind such a verb "that" opens a clause and names nothing.
_KNOWING_THAT = re.compile(r"(?<=ing )that (?=(?:the|an?|your|our|you|we) )")
# What an amount is given for each of; the answer says it.
_RATE = re.compile(r" (?:per|an?|each|every) (?:calendar |working |insured )?[a-z]+")
# A verb alone: to tell whom of what, or to pay what, only its neighbours say.
_BARE_VERB = re.compile(r"[a-z]+(?: (?:us|you|me|back|so|again|in writing|by phone))*", re.IGNORECASE)
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
        return "" if leans(_KNOWING_THAT.sub("", kept)) else kept
    return "" if _BESIDE.fullmatch(rest) else None


def _rest_of_money(rest: str | None) -> str | None:
    rate = _RATE.match(rest or "")
    return _rest((rest or "")[rate.end() :] if rate is not None else rest)


def _split_span(rest: str) -> tuple[str, str]:
    """What follows a span of time as it stands before the verb, "of delivery", and as it stands behind it."""
    return (rest, "") if rest.startswith(" of") else ("", rest)


def _many(unit: str) -> str:
    return unit if unit.endswith("s") else f"{unit}s"


def _do(verb: str) -> str:
    return "does" if verb.endswith("s") else "do"


def _within(sentence: DocumentSentence) -> Fact | None:
    found = _WITHIN.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or " not" in f" {found['does']}" or found["does"].endswith(" at"):
        return None
    subject, rest = sentence.subject(found["subject"]), _rest(found["rest"])
    if subject is None or rest is None or not agrees(found["aux"], subject):
        return None
    if found["by"] == "in" and found["aux"] in {"was", "were"}:
        return None
    if subject in {"I", "you"} and not rest and _BARE_VERB.fullmatch(found["does"]):
        return None
    aux, does = be_of_reader(found["aux"], subject), found["does"]
    if aux.endswith(" to"):
        aux, does = "does" if aux == "has to" else "do", f"have to {does}"
    of, behind = _split_span(rest)
    words = first_person_but(subject, f"{found['by']} how many {_many(found['unit'])}{of} {aux} {subject} {does}")
    return Fact(as_question(words + first_person(behind)), "value", subject, f"{found['number']} {found['unit']}")


def _at_most(sentence: DocumentSentence) -> Fact | None:
    found = _AT_MOST.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or _UNFINISHED.search(found["does"].strip()):
        return None
    subject, rest = sentence.subject(found["subject"]), _rest(found["rest"])
    if subject is None or rest is None:
        return None
    bound = "at least" if found["bound"] in {"at least", "no fewer than", "a minimum of"} else "at most"
    words = f"how many {found['unit']} {found['aux']} {subject} {found['does'].strip()}{rest} {bound}"
    return Fact(as_question(first_person_but(subject, words)), "value", subject, found["number"])


def _takes_or_costs(sentence: DocumentSentence) -> Fact | None:
    takes, costs = _TAKES.fullmatch(sentence.body), _COSTS.fullmatch(sentence.body)
    found = takes or costs
    if found is None:
        return None
    subject = sentence.name(found["subject"])
    rest = _rest(found["rest"]) if takes else _rest_of_money(found["rest"])
    if subject is None or rest is None:
        return None
    much = "long" if takes else "much"
    words = f"how {much} {_do(found['verb'])} {subject} {found['verb'].removesuffix('s')}{first_person(rest)}"
    return Fact(as_question(words), "value", subject, f"{found['number']} {found['unit']}" if takes else found["value"])


def _setting(sentence: DocumentSentence) -> Fact | None:
    found = _SETTING.fullmatch(sentence.body)
    if found is not None and sentence.name(f"the {found['what']}"):
        return Fact(as_question(f"what is the {found['what']}"), "value", f"the {found['what']}", found["value"])
    found = _DEFAULTS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject):
        return None
    return Fact(as_question(f"what {_do(found['verb'])} {subject} default to"), "value", subject, found["value"])


def _has(sentence: DocumentSentence) -> Fact | None:
    found = _HAS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    what = f"how long a {found['what']}" if _A_DURATION.match(found["value"]) else f"what {found['what']}"
    return Fact(as_question(f"{what} {_do(found['verb'])} {subject} have"), "value", subject, found["value"])


def _when(sentence: DocumentSentence) -> Fact | None:
    found = _WHEN.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    return Fact(as_question(f"when {found['aux']} {subject} {found['does']}"), "value", subject, found["value"])


def _from_amount(sentence: DocumentSentence) -> Fact | None:
    found = _FROM_AMOUNT.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or not agrees(found["aux"], subject) or _rest_of_money(found["rest"]) is None:
        return None
    words = f"{found['by']} which amount {found['aux']} {subject} {found['does']}"
    return Fact(as_question(words), "value", subject, found["value"])


def _there_are(sentence: DocumentSentence) -> Fact | None:
    found = _THERE_ARE.match(sentence.body)
    if found is None or leans(found["where"]) or " and " in found["what"]:
        return None
    if re.search(r"\b(?:which|whom)\b", found["where"]):
        return None
    of, behind = (found["where"], "") if found["where"].startswith(" of ") else ("", found["where"])
    words = f"how many {found['what']}{of} are there{behind}"
    return Fact(as_question(first_person(words)), "value", found["what"], found["number"])


def _has_many(sentence: DocumentSentence) -> Fact | None:
    found = _HAS_MANY.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    of = _rest(found["rest"]) if found["rest"].startswith(" of ") else ""
    if of is None:
        return None
    verb = "have" if found["verb"] == "has" else found["verb"].removesuffix("s")
    bound = {"up to ": " at most", "at least ": " at least"}.get(found["bound"] or "", "")
    words = f"how many {found['what']}{of} {_do(found['verb'])} {subject} {verb}{bound}"
    return Fact(as_question(words), "value", subject, found["number"])


def _opens(sentence: DocumentSentence) -> Fact | None:
    found = _OPENS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None:
        return None
    words = f"when {_do(found['verb'])} {subject} {found['verb'].removesuffix('s')}"
    return Fact(as_question(words), "value", subject, found["value"])


def _is_open(sentence: DocumentSentence) -> Fact | None:
    found = _IS_OPEN.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or not agrees(found["aux"], subject):
        return None
    return Fact(as_question(f"when {found['aux']} {subject} {found['does']}"), "value", subject, found["value"])


def _is_money(sentence: DocumentSentence) -> Fact | None:
    found = _IS_MONEY.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    rest = _rest_of_money(found["rest"]) if found is not None else None
    if found is None or subject is None or rest is None or not agrees(found["aux"], subject):
        return None
    return Fact(as_question(f"how much {found['aux']} {subject}{first_person(rest)}"), "value", subject, found["value"])


def _of_amount(sentence: DocumentSentence) -> Fact | None:
    found = _OF_AMOUNT.fullmatch(sentence.body)
    if found is None or leans(found["where"]) or sentence.name(f"the {found['what']}") is None:
        return None
    words = f"what {found['what']} {found['does']} {found['where']}"
    return Fact(as_question(first_person(words)), "value", f"a {found['what']}", found["value"])


def _measure(sentence: DocumentSentence) -> Fact | None:
    found = _MEASURE.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    rest = _rest(found["rest"]) if found is not None else None
    if found is None or subject is None or rest is None or leans(found["does"]) or not agrees(found["aux"], subject):
        return None
    unit = found["unit"] if found["unit"][-2:] in {"km", "kg", "KB", "MB", "GB", "TB", "nt"} else _many(found["unit"])
    words = f"{found['by']} how many {unit} {found['aux']} {subject} {found['does']}{first_person(rest)}"
    return Fact(as_question(words), "value", subject, f"{found['number']} {found['unit']}")


def _which_costs(sentence: DocumentSentence) -> Fact | None:
    found = _WHICH_COSTS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    rest = _rest_of_money(found["rest"]) if found is not None else None
    if found is None or subject is None or rest is None or not _JOINS.isdisjoint(subject.split()[1:]):
        return None
    return Fact(as_question(f"how much does {subject} cost{first_person(rest)}"), "value", subject, found["value"])


def _do_within(sentence: DocumentSentence) -> Fact | None:
    found = _DO_WITHIN.fullmatch(sentence.body)
    rest = _rest(found["rest"]) if found is not None else None
    if found is None or rest is None or leans(found["does"]) or (not rest and _BARE_VERB.fullmatch(found["does"])):
        return None
    of, behind = _split_span(rest)
    does = f"{found['does'][0].lower()}{found['does'][1:]}"
    span = first_person(f"within how many {_many(found['unit'])}{of}")
    words = f"{span} should I {first_person(does + behind)}"
    return Fact(as_question(words), "value", "I", f"{found['number']} {found['unit']}")


def _do_before(sentence: DocumentSentence) -> Fact | None:
    found = _DO_BEFORE.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or leans(found["what"]):
        return None
    does = f"{found['does'][0].lower()}{found['does'][1:]}"
    words = first_person(f"{does} at least")
    before = first_person(f"how many {_many(found['unit'])} before {found['what']}")
    return Fact(as_question(f"{before} should I {words}"), "value", "I", f"{found['number']} {found['unit']}")


def _we_within(sentence: DocumentSentence) -> Fact | None:
    found = _WE_WITHIN.fullmatch(sentence.body)
    rest = _rest(found["rest"]) if found is not None else None
    if found is None or rest is None or leans(found["does"]) or (not rest and _BARE_VERB.fullmatch(found["does"])):
        return None
    of, behind = _split_span(rest)
    words = f"{found['by']} how many {_many(found['unit'])}{of} do you {found['does']}{behind}"
    return Fact(as_question(first_person_but("you", words)), "value", "you", f"{found['number']} {found['unit']}")


def _we_pay(sentence: DocumentSentence) -> Fact | None:
    found = _WE_PAY.fullmatch(sentence.body)
    # "Damage you cause": a clause without its "that" cannot be put in the first person.
    if found is None or leans(found["does"]) or re.search(r"\byou\b", found["does"]):
        return None
    if _rest_of_money(found["rest"]) is None:
        return None
    words = first_person_but("you", f"up to which amount do you {found['does']}")
    return Fact(as_question(words), "value", "you", found["value"])


def _you_have(sentence: DocumentSentence) -> Fact | None:
    found = _YOU_HAVE.fullmatch(sentence.body)
    if found is None or leans(found["does"]):
        return None
    words = f"how many {_many(found['unit'])} do I have to {first_person(found['does'])}"
    return Fact(as_question(words), "value", "I", f"{found['number']} {found['unit']}")


VALUES: tuple[Callable[[DocumentSentence], Fact | None], ...] = (
    _takes_or_costs, _setting, _has, _when, _within, _at_most, _from_amount, _there_are, _has_many, _opens,
    _is_open, _is_money, _of_amount, _measure, _which_costs, _do_within, _do_before, _we_within, _we_pay, _you_have,
)  # fmt: skip
