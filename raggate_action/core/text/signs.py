"""Signs of numbers: "-20 °C" and "minus 20 °C" are one, and not "20 °C"; "20 degrees below zero" may be either.

Elsewhere than at degrees a minus takes nothing away: a "-15 %" of a list is "15 % off". There both readings are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.core.text.canonical_form import Token, number_key
from raggate_action.core.text.languages.en_words import STOP_WORDS

MINUS = frozenset("-−–")
_MINUS_WORDS = frozenset(("minus", "negative"))
# What a sign may stand right behind, beside a blank.
_OPENING = frozenset("([|<>≤≥~≈=:/$€£-–")
DEGREES = frozenset(("degree", "grad", "degre", "grado", "unit celsius", "unit fahrenheit"))
_JOINING = frozenset(("to", "and", "or", "until", "–", "—", "/"))
# Near a number of degrees they say the sign of it, or may.
_BELOW_ZERO = _MINUS_WORDS | {"below", "under", "less", "frost", "freezing", "menos", "sub"}
_NEAR = 4
_QUANTITIES = frozenset(("number", "unit", "money", "date", "time", "code"))


def with_signs(tokens: Sequence[Token], text: str, first: int) -> list[Token]:
    """The tokens of a stretch of a text that begins there, its numbers with their signs."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.kind == "number" and token.values:
            is_degrees = _counts_degrees(tokens, place, text)
            begins = _sign_at(found, token, text, first, is_degrees=is_degrees)
            if begins is not None and is_degrees and found and found[-1].end > begins:
                found.pop()
            near = tokens[max(0, place - _NEAR) : place + _NEAR + 1] if is_degrees else ()
            found.append(_signed(token, begins, near))
        else:
            found.append(token)
    return found


def _signed(token: Token, begins: int | None, near: Sequence[Token]) -> Token:
    """A number with the sign that begins there; `near` is what stands around one of degrees."""
    value = token.values[0]
    if begins is not None and near:
        return Token(number_key(-value), "number", begins, token.end, (-value,))
    if begins is not None or not _BELOW_ZERO.isdisjoint([each.key for each in near]):
        return token._replace(values=(*token.values, -value))
    return token


def _sign_at(found: Sequence[Token], token: Token, text: str, first: int, *, is_degrees: bool) -> int | None:
    """Where the minus of a number begins; None where it has none, as the second number of a range."""
    at = token.start - 1
    if at >= first and text[at] in MINUS:
        before = next((each for each in reversed(found[-2:]) if each.end <= at), None)
        opens = at == first or text[at - 1].isspace() or text[at - 1] in _OPENING
        is_range = before is not None and (before.kind in _QUANTITIES or before.key in DEGREES)
        joined = before is not None and not text[before.end : at].strip(" °\u00a0")
        return at if opens and not (is_range and joined) and text[max(first, at - 2) : at] != "+/" else None
    if not found or text[found[-1].end : token.start].strip():
        return None
    word, lead = found[-1], found[-2] if len(found) > 1 else None
    opens = lead is None or lead.kind == "mark" or lead.key in STOP_WORDS
    is_minus = opens and word.key in _MINUS_WORDS
    return word.start if is_minus or (is_degrees and word.key in {"less", "menos", *_MINUS_WORDS}) else None


def _counts_degrees(tokens: Sequence[Token], place: int, text: str) -> bool:
    """Whether a number counts degrees, or is the first of a range of them."""
    end = tokens[place].end
    if text[end : end + 2].strip("\u00a0 ").startswith("°"):
        return True
    behind = [token for token in tokens[place + 1 : place + 5] if token.key not in _JOINING]
    if behind and behind[0].key in DEGREES:
        return True
    joined = len(behind) > 1 and tokens[place + 1].key in _JOINING and behind[0].kind == "number"
    return joined and (behind[1].key in DEGREES or text[behind[0].end : behind[0].end + 2].strip().startswith("°"))
