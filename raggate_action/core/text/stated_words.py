"""What of a text states something: marks, code and openings of a reply are blanked out, offsets staying true."""

from __future__ import annotations

import re

from raggate_action.core.text.attribution_phrases import end_of_lead

# List and footnote marks, citation marks, code, addresses, HTML entities: digits and capitals there state nothing.
_NOT_SAID = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)?(?:[-*+•‣][ \t]+)?(?:\(?[0-9]{1,3}[.)][ \t]+)?(?=\S)"
    r"|\[[\w.:/#@-]{0,60}?[0-9_:/#-][\w.:/#@-]{0,60}\]"
    r"|\[\^?[0-9]{1,3}(?:[ ]?[,;–-][ ]?[0-9]{1,3})*\]|【[^】\n]{0,80}】|\[(?:citation needed|sic)\]"
    r"|```.*?(?:```|\Z)|`[^`\n]{1,200}`|&#?[0-9a-zA-Z]{1,8};",
    re.MULTILINE | re.DOTALL,
)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


# Openings that may stand behind one another.
_MOST_OPENINGS = 3
# What opens a reply and is no part of the statement; "No, ..." answers the question, it does not deny what follows.
OPENING = re.compile(
    r"\s*(?:(?:yes|no|sure|certainly|of course|unfortunately|sorry|indeed|in short|overall|note that|please note that"
    r"|in general|generally|currently)[,:.!;–—]?|according to [^,\n]{1,80}?[,:]"
    r"|as (?:stated|noted|described) [^,\n]{1,80}?[,:])\s+",
    re.IGNORECASE,
)


def without_unstated(text: str) -> str:
    """The text with blanks for marks of lists and citations, code and HTML entities, and for what opens a reply.

    What opens it may stand behind one another ("Yes, according to our rules: ...").
    """
    bare = _NOT_SAID.sub(_blank, text)
    for _ in range(_MOST_OPENINGS):
        stop = _end_of_opening(bare)
        if not stop:
            break
        bare = " " * stop + bare[stop:]
    return bare


def _end_of_opening(bare: str) -> int:
    opening = OPENING.match(bare)
    if opening is not None and (opening[0].rstrip()[-1:] in ",:.!;–—" or opening[0].lower().endswith("that ")):
        return opening.end()
    return end_of_lead(bare)
