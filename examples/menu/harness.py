"""The tool that comes with the example: what to watch for when a question is asked of texts that may not answer it.

It sees the question and nothing else: no entry, no answer. What it returns holds for any app that answers from texts;
a question about harm, or one that wants a distinction, gets a directive more. The app is told about it with `--tool`:

    python app.py --mode helpful --tool harness:directives
"""

from __future__ import annotations

import re
from typing import Any

_ALWAYS = (
    {"amplify": "Absence of evidence is not evidence of absence: say which part of the question the texts leave open."},
    {"suppress": "Presuming from absence: what no text mentions is neither granted nor ruled out."},
)
_HARM = (
    r"\b(?:allerg\w*|intoleran\w*|poison\w*|pregnan\w*|overdos\w*|dos(?:e|es|age)|danger\w*|risk\w*|safe\w*"
    r"|avoid|away from|free of|clear of|must not|cannot have)\b"
)
_MORE = (
    (
        _HARM,
        {"amplify": "Where somebody may come to harm, name who can check what the texts do not settle."},
    ),
    (
        r"\b(?:best|most|favou?rite|signature|speciali?ty|famous|recommend\w*|top)\b",
        {"suppress": "Conferring a distinction that no text confers."},
    ),
)


def directives(question: str) -> dict[str, Any]:
    """The directives for a question, as data that whoever answers may obey."""
    more = [directive for asked, directive in _MORE if re.search(asked, question, re.IGNORECASE)]
    return {"directives": [*_ALWAYS, *more]}
