"""Words before a quotation that say where it is from, and no more ("According to the documents provided, ...").

So does a courtesy before a colon, which says nothing ("Happy to help: ..."). One that has a place for any word
("Dear members: ...") says for whom the quotation holds, and is none.

What they name has to be the evidence as a whole. "The 2019 policy", "the draft", "the policy for contractors", "your
manager" name something else, or say when and for whom it holds: that is more than the quotation says.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from raggate_action.core.text.languages.language_rules import KNOWN, rules_of


@cache
def _leads() -> re.Pattern[str]:
    forms = (
        rf"{words.opening}(?:(?:{words.before}) )?(?:(?:{words.nouns}) ){{0,2}}(?:{words.nouns})"
        rf"(?: (?:{words.behind}))?"
        for words in (rules_of(language).source_lead for language in KNOWN)
    )
    courtesies = "|".join(rules_of(language).source_lead.courtesy for language in KNOWN)
    return re.compile(rf"(?:(?:{'|'.join(forms)}) ?[,:]|(?:{courtesies}) ?:) ")


@lru_cache(maxsize=1024)
def without_source_lead(words: str) -> str | None:
    """The words behind a lead that names the evidence as a whole, or a courtesy; None where they begin with none.

    Args:
        words: A claim as `normal_words` spells it.
    """
    if ", " not in words and ": " not in words:
        return None
    lead = _leads().match(words)
    return None if lead is None else words[lead.end() :]
