"""Foreign text as a judge is shown it: nothing in it can be taken for the end of its piece or for a turn of its own."""

from __future__ import annotations

import re

from raggate_action.strings.visible_text import without_invisible

# The lines around a piece begin with three of these; what is drawn like one counts as one, or as the two or three it is
# drawn like.
OPENING = "<<<"
_LESS = "<\uff1c\ufe64\u2039\u00ab\u226a\u22d8\u300a\u3008\u27e8\u27ea\u2329\u276e\u276c\u2770\u02c2\u1438\u29fc"
_DRAWN = {"\u226a": 2, "\u22d8": 3}
_RUN = re.compile(rf"[{_LESS}](?:[^\S\r\n]*[{_LESS}])*")
# By these a chat template tells turns apart, and a server may read them inside a message too: `<|im_start|>`, `</s>`,
# `<start_of_turn>`, `[INST]`, `<<SYS>>`, with bars of any width.
_TURN = re.compile(
    r"<(?=[|\uff5c\u2502\u00a6])|<(?=/?(?:s|bos|eos|start_of_turn|end_of_turn|SYS|think)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/#@+-]{0,63}")


def shown_text(text: str) -> str:
    """The text for a prompt: characters that nobody sees left out, runs of `<` cut to one, marks of turns opened up.

    What a reader sees of other text stays as it is, line breaks and spaces too. A text it has made stays the same when
    it is made again.
    """
    if not text.isascii():
        text = _HALF.sub("\ufffd", without_invisible(text))
    text = _CONTROL.sub(" ", text)
    text = _RUN.sub(_one, text)
    return _TURN.sub(lambda found: f"{found[0]} ", text)


def _one(found: re.Match[str]) -> str:
    """Two of them stay, as in `1 << 3`; of more one is left."""
    drawn = sum(_DRAWN.get(mark, 1) for mark in found[0] if not mark.isspace())
    return found[0] if drawn < len(OPENING) else "<"


def is_plain(text: str) -> bool:
    """Whether an id can stand in a prompt as it is: short, of letters, digits and a few marks, all of them ASCII."""
    return _PLAIN.fullmatch(text) is not None
