"""Whether an answer stops before its end: its last characters, held against main's answers and the evidence.

Nothing is told of languages that write no space between words, for they mark no sentence's end or leave it out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from raggate_action.core.text.blocks import blocks
from raggate_action.core.text.languages.language_rules import KNOWN, rules_of
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.core.text.text import IDEOGRAPH, UNSPACED

_UNSPACED = re.compile(rf"[{IDEOGRAPH}{UNSPACED}]")
_FENCE = re.compile(r"^[ \t]{0,12}(?:`{3,}|~{3,})", re.MULTILINE)
_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
_CLOSERS = {")": "(", "]": "[", "}": "{", "”": "“", "“": "„"}
# Without those that open in one language and close in another.
_OPENERS = frozenset("([{“„")
_SAD_FACE = re.compile(r"[:;=]-?\(")
_INCHES = re.compile(r'[0-9]"')
_STOP = re.compile(r"[.!?…।؟۔][\"'”“»)\]}*_`]*$")
_BREAKS_OFF = re.compile(r"[,:;]$")
# What an answer may end with in place of a stop: a citation, an address, a picture, what closes something.
_END = re.compile(
    r"(?:\[[^\[\]\n]{1,80}\]|【[^】\n]{1,80}】|\([^()\n]{1,120}\)|[*_`\"'”»}>|]|(?:https?://|www\.)\S+|\S+@\S+\.\S+|\S*/\S+|"
    r"[+(]?[0-9][0-9 ()/-]{4,}[0-9]|[\u2190-\u2bff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])$"
)
_ITEM = re.compile(r"^[ \t]{0,12}(?:[-*+•‣]|[0-9]{1,3}[.)])[ \t]+")
_SIGN_OFF = re.compile(
    r"\b(?:regards|sincerely|thanks|thank you|cheers|yours|team|gr(?:ü|u)(?:ß|ss)e?n?|danke|cordialement|merci|"
    r"saludos|gracias|groet(?:en)?|bedankt)\b",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"^\W{0,6}(?:sources?|references?|see|quellen?|siehe|références?|voir|fuentes?|bronn?en?)\b", re.IGNORECASE
)
_SHORT = 4
_LAST_WORDS = 4


def cut_end(answer: str, mains: Sequence[str], evidence: Sequence[str], language: str) -> str | None:
    """The last words of an answer that stops before its end; None where it ends.

    Args:
        answer: The answer.
        mains: What main's app answered; one of them that ends in the same way shows that it is how the app writes.
        evidence: Texts of what the answer was given.
        language: ISO 639-1 code.
    """
    text = answer.strip()
    if not text or len(_UNSPACED.findall(text)) > len(text) // 20:
        return None
    stripped = [main.strip() for main in mains]
    words = _last_words(text)
    if _is_open(text) or _breaks_off(text, language):
        is_style = any(_is_open(main) or _breaks_off(main, language) for main in stripped)
        return None if is_style else words
    if _ends(text):
        return None
    if any(_is_begun_by(text, main) for main in stripped):
        return words
    if not all(map(_ends, stripped)):
        return None
    goes_on = any(_goes_on(text, other) for other in (*stripped, *evidence)) and len(_WORD.findall(text)) > _SHORT
    return words if goes_on or _stops_before(text, language) else None


def _is_open(text: str) -> bool:
    """Whether a fence, a bracket or a quotation of its last paragraph is not closed."""
    if len(_FENCE.findall(text)) % 2:
        return True
    last = _last_paragraph(text)
    if "```" in last or "~~~" in last:
        return False
    opened: list[str] = []
    for sign in _SAD_FACE.sub("", last):
        if opened and _CLOSERS.get(sign) == opened[-1]:
            opened.pop()
        elif sign in _OPENERS:
            opened.append(sign)
    return bool(opened) or (last.count('"') % 2 == 1 and len(_INCHES.findall(last)) % 2 == 0)


def _breaks_off(text: str, language: str) -> bool:
    """Whether it ends with a comma, a colon, or a word that ends nothing."""
    last = text.rsplit("\n", 1)[-1]
    if _SIGN_OFF.search(last) or "|" in last:
        return False
    if _BREAKS_OFF.search(text):
        return _ITEM.match(last) is None
    word = _WORD.findall(text)[-1:]
    known = rules_of(language).goes_on if language in KNOWN else ""
    return bool(word) and text.endswith(word[0]) and word[0].lower() in known.split()


def _ends(text: str) -> bool:
    """Whether it ends as answers do: with a stop, or with what needs none."""
    if _STOP.search(text) or _END.search(text):
        return True
    lines = text.splitlines()
    last = lines[-1]
    if _ITEM.match(last) or "|" in last or len(_WORD.findall(text)) <= _SHORT:
        return True
    if any(map(_SOURCES.match, _last_paragraph(text).splitlines())):
        return True
    if any(map(_SIGN_OFF.search, lines[-2:])) and len(_WORD.findall(last)) <= _SHORT + 2:
        return True
    return not any(True for _block in blocks(last))


def _is_begun_by(text: str, main: str) -> bool:
    """Whether main's answer begins word for word with it and goes on; its last word may be cut as well."""
    if len(_WORD.findall(text)) < 2 or not main.startswith(text):
        return False
    behind = main[len(text) :]
    return behind[:1].isalnum() or re.match(r"[ \t]+\w", behind) is not None


def _goes_on(text: str, other: str) -> bool:
    """Whether another text goes on behind its last four words, and nowhere ends with them."""
    words = [word.lower() for word in _WORD.findall(text)[-_LAST_WORDS:]]
    if len(words) < _LAST_WORDS or not text[-1].isalnum():
        return False
    found = [(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(other)]
    behind = []
    for place in range(len(found) - _LAST_WORDS + 1):
        run = [word for word, _start, _end in found[place : place + _LAST_WORDS]]
        if run[:-1] != words[:-1] or not run[-1].startswith(words[-1]):
            continue
        end = found[place + _LAST_WORDS - 1][2]
        is_part = run[-1] != words[-1]
        behind.append(is_part or re.match(r"[ \t]+\w", other[end:]) is not None)
    return bool(behind) and all(behind)


def _stops_before(text: str, language: str) -> bool:
    """Whether a sentence before the last one in its paragraph has a stop."""
    last = _last_paragraph(text).replace("\n", " ")
    spans = sentence_spans(last, language)
    if len(spans) < 2 or len(_WORD.findall(last[spans[-1][0] :])) < _SHORT:
        return False
    return _STOP.search(last[spans[-2][0] : spans[-2][1]]) is not None


def _last_paragraph(text: str) -> str:
    return re.split(r"\n[ \t]*\n", text)[-1]


def _last_words(text: str) -> str:
    return " ".join(text.split()[-8:])
