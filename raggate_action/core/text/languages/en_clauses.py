"""Words by which the clauses of an English sentence are told apart, in small letters; `en_clauses.yaml` has them."""

from __future__ import annotations

import re

from raggate_action.strings.data_tables import read_words

_SETS = read_words(__package__, "en_clauses.yaml")
# What may join two propositions. "or" is not among them: of two alternatives neither is asserted.
JOINTS = frozenset(("and", "but", ";"))
# These join only behind a comma: "while" is otherwise of time, "yet" an adverb.
JOINTS_BEHIND_A_COMMA = frozenset(("while", "whereas", "yet"))
EXAMPLES = frozenset(("for example", "for instance", "as an example"))
AUXILIARIES = _SETS["auxiliaries"]
CONTRACTIONS = _SETS["contractions"]
SINGULAR = _SETS["singular"]
VERBS = _SETS["verbs"]
NOUN_OR_VERB = _SETS["noun_or_verb"]
PLAIN_FORMS = _SETS["plain_forms"]
PAST = _SETS["past"]
DETERMINERS = _SETS["determiners"]
BEFORE_NOUNS = DETERMINERS | _SETS["before_nouns"]
OBJECTS = _SETS["objects"]
PRONOUNS = _SETS["pronouns"]
PLURALS = _SETS["plurals"]
PREPOSITIONS = _SETS["prepositions"]
ADVERBS = _SETS["adverbs"]
OPENERS = _SETS["openers"]
SCOPES = _SETS["scopes"]
TIMES = _SETS["times"]
CONDITIONS = _SETS["conditions"]
REPORTS = _SETS["reports"]

WORD = re.compile(r"[^\W_]+(?:['’.,:/&-][^\W_]+)*|[,;]")
# What no split may part: quotations, parentheses, brackets, code, addresses.
WHOLE = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|`[^`]*`|(?<!\w)'[^']{1,200}'(?!\w)|"
    r"https?://\S+"
)
# One of these left over: something was opened and not closed, or an aside begins.
OPEN = re.compile(r"[\"“”„«»()\[\]{}`‘—]|\s[-–]\s|:(?=\s)")
