"""The question that an English sentence or heading answers, in the words of somebody who does not know the answer.

Only forms of sentences are read in which it is plain what is asked for; all others give no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from raggate_action.onboarding.english_facts import FACTS
from raggate_action.onboarding.english_steps import STEPS
from raggate_action.onboarding.english_values import VALUES
from raggate_action.onboarding.english_words import PLAIN_WORD, DocumentSentence, Fact, as_question, first_person, leans

_MARKUP = re.compile(r"[\[\]<>{}|\\*^~=`]|\s_|https?:|://|::|\(\)|--|@|\.\.|…|_{2,}|#\S|→|«|»")
# They part a sentence where a question would not.
_IN_PASSING = re.compile(
    r"\b(?:by default|in general|at all|in particular|of course|for example|for instance)\b", re.IGNORECASE
)
_LONGEST = 320
_FEWEST_WORDS = 5
_MOST_WORDS = 45
_QUESTION_WORDS = re.compile(
    r"(?:How|What|Which|When|Where|Who|Why|Can|Could|Do|Does|Did|Is|Are|Will|Should|May|Must|Am|Has|Have)\b",
    re.IGNORECASE,
)
_FEWEST_IN_HEADING = 4
# "Do you know ...?" wants no answer.
_TO_READER = re.compile(r"(?:do|did|are|have|can|will|would) you\b|ready\b|want\b", re.IGNORECASE)
_MOST_BEHIND_GERUND = 6
_GERUNDS = {
    "adding": "add", "booking": "book", "building": "build", "canceling": "cancel", "cancelling": "cancel",
    "changing": "change", "configuring": "configure", "connecting": "connect", "contributing": "contribute",
    "creating": "create", "customizing": "customize", "debugging": "debug", "deleting": "delete",
    "deploying": "deploy", "disabling": "disable", "enabling": "enable", "exporting": "export",
    "generating": "generate", "importing": "import", "installing": "install", "managing": "manage",
    "removing": "remove", "renewing": "renew", "reporting": "report", "requesting": "request",
    "returning": "return", "running": "run", "setting up": "set up", "testing": "test",
    "uninstalling": "uninstall", "updating": "update", "upgrading": "upgrade", "using": "use",
    "verifying": "verify", "writing": "write",
}  # fmt: skip
_HOW_TO = re.compile(r"How to (?P<does>[a-z]\S* .+)", re.IGNORECASE)


def facts_of_sentence(text: str, is_name: Callable[[str], bool]) -> Iterator[Fact]:
    """The questions that a sentence answers by its form, the most telling first; most sentences give none.

    Args:
        text: One sentence, without markup.
        is_name: Whether a word keeps its capital where no sentence begins.
    """
    if not _is_sentence(text):
        return
    sentence = DocumentSentence(text.rstrip("."), is_name)
    for read in (*VALUES, *STEPS, *FACTS):
        if (fact := read(sentence)) is not None:
            yield fact


def _is_sentence(text: str) -> bool:
    """Whether a text is a whole sentence of plain words."""
    return (
        len(text) <= _LONGEST
        and _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS
        and (text[0].isupper() or text[0] in "\"“‘'")
        and text[-1] == "."
        and text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and not _MARKUP.search(text)
        and not _IN_PASSING.search(text)
    )


def heading_question(heading: str, is_name: Callable[[str], bool]) -> Fact | None:
    """The question that a heading is, or names the steps to; None for any other."""
    words = heading.split()
    if heading.endswith("?"):
        is_whole = (
            len(words) >= _FEWEST_IN_HEADING
            and not _TO_READER.match(heading)
            and _QUESTION_WORDS.match(heading)
            and not leans(heading[:-1])
        )
        is_plain = is_whole and not _MARKUP.search(heading)
        return Fact(heading[0].upper() + heading[1:], "heading") if is_plain else None
    if not all(map(PLAIN_WORD.fullmatch, words)) or leans(heading):
        return None
    how_to = _HOW_TO.fullmatch(heading)
    if how_to is not None and not how_to["does"].lower().startswith("get started"):
        return Fact(as_question(f"how do I {first_person(_in_a_sentence(how_to['does'], is_name))}"), "heading")
    for gerund, verb in _GERUNDS.items():
        rest = heading[len(gerund) :]
        if (
            heading.lower().startswith(f"{gerund} ")
            and len(rest.split()) <= _MOST_BEHIND_GERUND
            and " and " not in rest
        ):
            return Fact(as_question(f"how do I {verb} {first_person(_in_a_sentence(rest, is_name))}"), "heading")
    return None


def _in_a_sentence(words: str, is_name: Callable[[str], bool]) -> str:
    """Words of a heading without the capitals that are no name's."""
    return " ".join([word if is_name(word) else word[0].lower() + word[1:] for word in words.split()])
