"""Words before a statement that say where it is from, or announce it, and no more ("According to the documents, ...").

So does a lead of nothing but words that announce ("Here is what our rules say: ..."). A courtesy before a colon is cut
off an answer before anything is held against the evidence, see `without_courtesy`.

Behind such words an exact quotation stays one. What they name has to be the evidence as a whole. "The 2019 policy",
"the draft", "the policy for contractors", "your manager" name something else, or say when and for whom it holds: that
is more than the quotation says. To find faults, a statement is held against the evidence behind more of them:
"our visitor information says: ...", "regarding smoking: smoking is ...".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from raggate_action.core.text.languages.language_rules import KNOWN, rules_of

# A longer stretch before a colon says something of its own, and fewer words behind it state nothing.
_MOST_WORDS = 10
_FEWEST_BEHIND = 3
# Words of the statement itself that a lead may name: "regarding the parking fee: ..."
_MOST_OF_TOPIC = 2
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@cache
def _leads() -> re.Pattern[str]:
    forms = (
        rf"{words.opening}(?:(?:{words.before}) )?(?:(?:{words.nouns}) ){{0,2}}(?:{words.nouns})"
        rf"(?: (?:{words.behind}))?"
        for words in (rules_of(language).source_lead for language in KNOWN)
    )
    return re.compile(rf"(?:{'|'.join(forms)}) ?[,:] ")


@cache
def _announcing() -> tuple[tuple[frozenset[str], frozenset[str], re.Pattern[str]], ...]:
    """Of each language the words that announce, those that may stand beside them, and the nouns for the evidence."""
    leads = [rules_of(language).source_lead for language in KNOWN]
    return tuple(
        [
            (frozenset(each.announcing.split()), frozenset(each.beside.split()), re.compile(each.nouns))
            for each in leads
            if each.announcing
        ]
    )


@cache
def _named_sources() -> re.Pattern[str]:
    """The app's own source by any name, but for one that holds no more or not yet: "our visitor guide"."""
    nouns = rules_of("en").source_lead.nouns
    another = "old|previous|former|earlier|draft|proposed|new|next|not?"
    return re.compile(rf"\b(?:our|your) (?:(?!(?:{another})\b)[a-z-]+ ){{1,3}}?(?:{nouns})\b")


@lru_cache(maxsize=1024)
def without_source_lead(words: str) -> str | None:
    """The words behind a lead that names the evidence as a whole or announces; None where there is none.

    Args:
        words: A claim as `normal_words` spells it.
    """
    if ", " not in words and ": " not in words:
        return None
    lead = _leads().match(words)
    if lead is not None:
        return words[lead.end() :]
    before, _colon, behind = words.partition(": ")
    return behind if _is_statement(behind) and _words_beside(before) == [] else None


def end_of_lead(text: str) -> int:
    """Where the statement begins behind words that hold nothing to check; 0 where it begins with none.

    These are the leads of `without_source_lead`, and before a colon those that name a source of the app's own, or the
    topic in words of the statement ("Regarding smoking: smoking is forbidden").

    Args:
        text: A claim as it stands in the answer.
    """
    if ", " not in text and ": " not in text:
        return 0
    words = text.lower().replace("’", "'").lstrip()
    behind = without_source_lead(words)
    if behind is None:
        before, _colon, behind = words.partition(": ")
        if not _is_statement(behind) or not _says_nothing_more(before, behind):
            return 0
    # A few letters are longer in lower case: then no place is told.
    return len(text) - len(behind) if len(text.lower()) == len(text) else 0


def _is_statement(words: str) -> bool:
    return words.count(" ") + 1 >= _FEWEST_BEHIND


def _says_nothing_more(before: str, behind: str) -> bool:
    topic = _words_beside(before)
    if topic is not None and len(topic) <= _MOST_OF_TOPIC and set(_WORD.findall(behind)).issuperset(topic):
        return True
    named = _named_sources().sub("the documents", before)
    return named != before and _words_beside(named) == []


def _words_beside(lead: str) -> list[str] | None:
    """The words of a lead before a colon that are no part of announcing; None where it does not announce."""
    words = lead.split()
    if len(words) > _MOST_WORDS or not all(map(_WORD.fullmatch, words)):
        return None
    found: list[list[str]] = []
    for announcing, beside, nouns in _announcing():
        others = [word for word in words if word not in announcing and not nouns.fullmatch(word)]
        if len(others) < len(words):
            found.append([word for word in others if word not in beside])
    return min(found, key=len, default=None)
