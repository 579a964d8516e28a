"""Words by which the clauses of an English sentence are told apart, in small letters; `en_clauses.yaml` has them."""

from __future__ import annotations

import re

from raggate_action.strings.data_tables import read_table

_TABLE: dict[str, str] = read_table(__package__, "en_clauses.yaml")


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


# What may join two propositions. "or" is not among them: of two alternatives neither is asserted.
JOINTS = frozenset(("and", "but", ";"))
# These join only behind a comma: "while" is otherwise of time, "yet" an adverb.
JOINTS_BEHIND_A_COMMA = frozenset(("while", "whereas", "yet"))
EXAMPLES = frozenset(("for example", "for instance", "as an example"))
AUXILIARIES = _words("auxiliaries")
CONTRACTIONS = _words("contractions")
SINGULAR = _words("singular")
VERBS = _words("verbs")
NOUN_OR_VERB = _words("noun_or_verb")
PLAIN_FORMS = _words("plain_forms")
PAST = _words("past")
DETERMINERS = _words("determiners")
BEFORE_NOUNS = DETERMINERS | _words("before_nouns")
OBJECTS = _words("objects")
PRONOUNS = _words("pronouns")
PLURALS = _words("plurals")
PREPOSITIONS = _words("prepositions")
ADVERBS = _words("adverbs")
OPENERS = _words("openers")
SCOPES = _words("scopes")
TIMES = _words("times")
CONDITIONS = _words("conditions")
REPORTS = _words("reports")

WORD = re.compile(r"[^\W_]+(?:['’.,:/&-][^\W_]+)*|[,;]")
# What no split may part: quotations, parentheses, brackets, code, addresses.
WHOLE = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|`[^`]*`|(?<!\w)'[^']{1,200}'(?!\w)|"
    r"https?://\S+"
)
# One of these left over: something was opened and not closed, or an aside begins.
OPEN = re.compile(r"[\"“”„«»()\[\]{}`‘—]|\s[-–]\s|:(?=\s)")
