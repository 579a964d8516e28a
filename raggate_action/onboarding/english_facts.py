"""Questions for what a thing is, who does it, where, why and whether it is so, from the sentence that says it."""

from __future__ import annotations

import re
from collections.abc import Callable

from raggate_action.onboarding.english_words import (
    BE,
    DETERMINERS,
    MODAL,
    PLAIN_WORD,
    SUBJECT,
    DocumentSentence,
    Fact,
    agrees,
    as_question,
    be_of_reader,
    first_person,
    first_person_but,
    is_bare,
    is_many,
    leans,
    word_set,
)

_IS_A = re.compile(r"(?P<term>[^,;:()]{2,60}?) (?P<aux>is|are) (?P<what>(?:an?|the) [^;:]{15,240})")
_MEANS = re.compile(
    r"(?:The term |An? |The )?[\"“'‘](?P<term>[^\"”'’]{2,50})[\"”'’] "
    r"(?:means?|shall mean|refers to|is defined as) (?P<what>.{12,280})"
)
# What follows "is a" and says of what kind nothing is.
_NO_KIND = re.compile(
    r"(?:an?|the) (?:(?:very|really|quite|pretty|rather|fairly) )?(?:interesting|special|breakout|absolute|bread|good|"
    r"great|nice|bad|common|lot|bit|few|little|much|best|more|long|new|old|big|only|first|second|last|next|same|most|"
    r"main|following|default|one|key|right|must|pleasure|pain|joy|shame|pity|member|author|owner|maximum|minimum|"
    r"(?:\w+ ){0,2}(?:result|problem|reason|way|case|focus|example|matter|ability|fact|number|mistake|bug|error|"
    r"responsibility|part|subject|trademark|beneficiary|copyright))\b"
)
# A definition says how its thing differs from others of its kind.
_OF_A_KIND = re.compile(
    r"\b(?:that|which|who|where|for|of|used|to|in|with|by|from|on|as|between|designed|containing)\b"
)
_PART_OF_BOOK = re.compile(r"(?:chapter|section|appendix|figure|table|step|version|part)\b", re.IGNORECASE)
_PERSON = re.compile(
    r"(?:an?|the) (?:[\w'’/.-]+,? ){0,4}?(?:writer|contributor|professor|alumnus|alumna|graduate|judge|lawyer|producer|"
    r"director|player|actor|actress|singer|engineer|founder|scientist|researcher|developer|editor|artist|journalist|"
    r"reporter|teacher|doctor|politician|musician|photographer|manager|president|consultant|designer|historian|"
    r"economist|expert|physicist|philosopher|poet|composer|filmmaker)\b"
)
_MADE_BY = re.compile(
    rf"{SUBJECT} (?:is|are|was|were) (?:originally |initially |currently |first )?"
    r"(?P<verb>written|created|developed|founded|designed|invented|maintained|published|produced|discovered|built) "
    r"by (?P<value>[A-Z][^,;:]{3,80})"
)
_MADE = {"written": "wrote", "maintained": "maintains"}
_DONE_BY = re.compile(
    rf"{SUBJECT} (?:is|are|will be) (?P<verb>checked|approved|reviewed|handled|paid|managed|issued|granted|appointed|"
    r"elected|signed|owned|collected|delivered|confirmed|processed|decided|chosen|reimbursed|coordinated|"
    r"organized|organised) by (?P<who>(?:the|our|a|an|your|[A-Z]\w+) ?[^,;:]{3,80})(?P<rest>,.*)?"
)
_DOES = {
    "paid": "pays", "chosen": "chooses", "approved": "approves", "handled": "handles", "managed": "manages",
    "issued": "issues", "processed": "processes", "decided": "decides on", "reimbursed": "reimburses",
    "coordinated": "coordinates", "organized": "organizes", "organised": "organises",
}  # fmt: skip
_WHERE = re.compile(
    rf"{SUBJECT} (?P<aux>is|are|can be|will be) (?P<does>(?:usually |normally |typically |always |only )?"
    r"(?:stored|located|kept|hosted|published|held|found|picked up|collected|installed|placed|saved|displayed|recorded|"
    r"written down)) (?P<where>(?:in|at|on|under|inside) [^,;:()]{4,90})(?P<rest>,.*)?"
)
_NO_PLACE = re.compile(r"under (?:the|an?) |(?:in|on|at) (?:an?|turn|order|case|time|general|the same)\b")
_WHY = re.compile(rf"{SUBJECT} (?P<aux>{BE}|{MODAL}) (?P<does>[^,;:()]{{3,90}}?),? because (?P<why>[^;]{{8,160}})")
# "Only because": the reason is one of several, or what is asked is another sentence.
_NO_WHY = re.compile(r"\b(?:only|just|simply|mainly|partly|largely|probably)$|\b(?:who|which|that)\b")
_USED_FOR = re.compile(
    rf"{SUBJECT} (?P<aux>is|are) (?:usually |mainly |primarily )?used (?P<how>to|for) (?P<what>[^;]{{8,160}})"
)
_HOLDS = re.compile(
    rf"{SUBJECT} (?P<verb>requires?(?= [A-Z][\w-]* v?[0-9])|consists? of|contains?|covers?) (?P<what>[^;:]{{10,200}})"
)
_NOT = re.compile(
    rf"{SUBJECT} (?:(?P<aux>can|may|must|is|are|does|do|will)(?: not|n['’]t| never) |cannot )(?P<does>[^,;:()]{{4,90}})"
)
# With such a word "no" would not be the answer.
_HALF_NOT = re.compile(
    r"\b(?:only|either|necessarily|yet|always|just|merely|simply|exactly|really|as|any|anything|nor|neither|enough|even|"
    r"seem|also|called|known|referred|thought|considered|seen|other|another|same|such|above|below|here|"
    r"there|and|very|now|currently|today|still|already)\b"
)
# Of what is refused one word says it; of "not special" or "not included" it does not.
_REFUSED = word_set(
    "covered insured refunded refundable reimbursed exchanged exchangeable transferable accepted allowed permitted "
    "supported repaired deductible replaced delivered shipped"
)
_EXCLUDED = re.compile(rf"{SUBJECT} (?P<aux>is|are) (?P<does>excluded|prohibited|forbidden|banned)(?:,.*)?")
# "Seats must be reserved before the train leaves"
_BEFORE = re.compile(
    rf"{SUBJECT} (?P<aux>must|should) be (?P<does>[a-z]+ed|bought|paid|sent|made|taken|given) before "
    r"(?P<what>[^,;:()]{4,80})(?:,.*)?"
)
_BY_WHOM = re.compile(
    rf"{SUBJECT} must be (?P<does>[a-z]+ed|paid|made|given|taken) by "
    rf"(?P<who>(?:the|our|an?|your|[A-Z]\w+) [^,;:()]{{3,80}})"
)
# "Calls are answered in English, Dutch and German"
_TONGUE = (
    r"(?:Arabic|Bengali|Chinese|Czech|Danish|Dutch|English|Finnish|French|German|Greek|Hindi|Hungarian|Italian|Japanese|"
    r"Korean|Norwegian|Polish|Portuguese|Romanian|Russian|Spanish|Swedish|Turkish|Ukrainian)"
)
_LANGUAGES = re.compile(
    rf"{SUBJECT} (?P<aux>is|are) (?P<does>[a-z]+ed|given|held|spoken|written|taken|sent) in "
    rf"(?P<what>{_TONGUE}(?:(?:, |,? and |,? or ){_TONGUE})+)"
)
_LONGEST_TERM = 5
# So many characters of a definition may not repeat what it defines.
_BEGINNING = 60


def _definition(sentence: DocumentSentence) -> Fact | None:
    found = _MEANS.match(sentence.body)
    if found is not None:
        return Fact(f"What does “{found['term'].rstrip(',.')}” mean?", "definition", found["term"], found["what"])
    found = _IS_A.fullmatch(sentence.body)
    term = sentence.name(found["term"], longest=_LONGEST_TERM) if found is not None else None
    if found is None or term is None or _NO_KIND.match(found["what"]):
        return None
    if re.search(rf"\b{re.escape(term.split()[-1])}\b", found["what"][:_BEGINNING], re.IGNORECASE):
        return None
    if (
        not _OF_A_KIND.search(found["what"].split(",")[0])
        or _PART_OF_BOOK.match(term)
        or (term.startswith("the ") and not term[4].isupper())
    ):
        return None
    if is_many(term) != (found["aux"] == "are") or re.search(r"\b(?:of|for|in|to)\b", term):
        return None
    if (
        term.split()[0] not in DETERMINERS
        and found["aux"] == "is"
        and (" " not in term or not term.split()[-1].islower())
    ):
        # What is one, and has no article, has a name; of several words each has its capital.
        term = found["term"]
    asks = "who" if _PERSON.match(found["what"]) and term[0].isupper() else "what"
    return Fact(as_question(f"{asks} {found['aux']} {term}"), "definition", term, found["what"])


def _who(sentence: DocumentSentence) -> Fact | None:
    found = _MADE_BY.fullmatch(sentence.body)
    if found is not None:
        verb, answer = _MADE.get(found["verb"], found["verb"]), found["value"]
    else:
        found = _DONE_BY.fullmatch(sentence.body)
        if found is None:
            return None
        verb, answer = _DOES.get(found["verb"], f"{found['verb'].removesuffix('ed')}s"), found["who"]
    subject = sentence.name(found["subject"])
    return Fact(as_question(f"who {verb} {subject}"), "fact", subject, answer) if subject is not None else None


def _where(sentence: DocumentSentence) -> Fact | None:
    found = _WHERE.fullmatch(sentence.body)
    subject = sentence.subject(found["subject"]) if found is not None else None
    if found is None or subject is None or leans(found["where"]) or _NO_PLACE.match(found["where"]):
        return None
    aux, _, be = found["aux"].partition(" ")
    if is_bare(subject) or not agrees(aux, subject):
        return None
    return Fact(as_question(f"where {aux} {subject} {be} {found['does']}"), "fact", subject, found["where"])


def _why(sentence: DocumentSentence) -> Fact | None:
    found = _WHY.fullmatch(sentence.body)
    subject = sentence.subject(found["subject"]) if found is not None else None
    if found is None or subject is None or leans(found["does"]) or "not only" in sentence.body:
        return None
    if _NO_WHY.search(found["does"]) or not agrees(found["aux"], subject):
        return None
    words = f"why {be_of_reader(found['aux'], subject)} {subject} {found['does']}"
    return Fact(as_question(first_person_but(subject, words)), "fact", subject, found["why"])


def _used_for(sentence: DocumentSentence) -> Fact | None:
    found = _USED_FOR.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or not agrees(found["aux"], subject):
        return None
    if is_bare(subject) or found["what"].startswith(("be ", "to ")):
        return None
    return Fact(as_question(f"what {found['aux']} {subject} used for"), "fact", subject, found["what"])


def _holds(sentence: DocumentSentence) -> Fact | None:
    found = _HOLDS.fullmatch(sentence.body)
    subject = sentence.name(found["subject"], longest=_LONGEST_TERM) if found is not None else None
    if found is None or subject is None or leans(found["what"]) or found["what"].startswith(("that ", "not ")):
        return None
    verb, _, behind = found["verb"].partition(" ")
    many = not verb.endswith("s")
    # "The file contains": which one, only its neighbours say; "file contains" is no sentence of a careful writer.
    if many != is_many(subject) or (subject.islower() and not many and subject.split()[0] not in {"a", "an"}):
        return None
    words = f"what {'do' if many else 'does'} {subject} {verb.removesuffix('s')} {behind}"
    return Fact(as_question(words), "fact", subject, found["what"])


def _yes_or_no(sentence: DocumentSentence) -> Fact | None:
    found = _NOT.fullmatch(sentence.body)
    if found is None or leans(found["does"]) or _HALF_NOT.search(found["does"]):
        return None
    subject, aux = sentence.subject(found["subject"]), found["aux"] or "can"
    words = found["does"].split()
    if subject is None or subject == "you" or not all(map(PLAIN_WORD.fullmatch, words)):
        return None
    if len(words) < 2 and words[0] not in _REFUSED:
        return None
    if not agrees(aux, subject) or is_bare(subject):
        return None
    if aux in {"does", "do"} and (aux == "do") != (is_many(subject) or subject == "I"):
        return None
    words_of_it = f"{'may' if aux == 'must' else be_of_reader(aux, subject)} {subject} {found['does']}"
    return Fact(as_question(first_person(words_of_it)), "yes-or-no", subject, found["does"])


def _excluded(sentence: DocumentSentence) -> Fact | None:
    found = _EXCLUDED.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject) or not agrees(found["aux"], subject):
        return None
    return Fact(as_question(f"{found['aux']} {subject} {found['does']}"), "yes-or-no", subject, found["does"])


def _by_when(sentence: DocumentSentence) -> Fact | None:
    found = _BEFORE.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject) or leans(found["what"]):
        return None
    return Fact(as_question(f"by when {found['aux']} {subject} be {found['does']}"), "fact", subject, found["what"])


def _by_whom(sentence: DocumentSentence) -> Fact | None:
    found = _BY_WHOM.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject) or leans(found["who"]):
        return None
    return Fact(as_question(f"by whom must {subject} be {found['does']}"), "fact", subject, found["who"])


def _languages(sentence: DocumentSentence) -> Fact | None:
    found = _LANGUAGES.fullmatch(sentence.body)
    subject = sentence.name(found["subject"]) if found is not None else None
    if found is None or subject is None or is_bare(subject) or not agrees(found["aux"], subject):
        return None
    words = f"in which languages {found['aux']} {subject} {found['does']}"
    return Fact(as_question(words), "fact", subject, found["what"])


FACTS: tuple[Callable[[DocumentSentence], Fact | None], ...] = (
    _definition,
    _who,
    _where,
    _why,
    _used_for,
    _by_when,
    _by_whom,
    _languages,
    _holds,
    _yes_or_no,
    _excluded,
)
