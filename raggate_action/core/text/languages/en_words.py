"""Closed lists of English words by which statements are compared, in the spelling of keys; `en_words.yaml` has them."""

from __future__ import annotations

from raggate_action.core.text.canonical_form import stem
from raggate_action.strings.data_tables import read_table

_TABLE: dict[str, str] = read_table(__package__, "en_words.yaml")


def _keys(name: str) -> frozenset[str]:
    return frozenset(map(stem, _TABLE[name].split()))


NEGATIONS = _keys("negations")
BINDING = _keys("binding")
PERMITTING = _keys("permitting")
MODALS = BINDING | PERMITTING | _keys("modals")
FILLERS = _keys("fillers")
STOP_WORDS = FILLERS | NEGATIONS | _keys("stop_words")
UPWARD = _keys("upward")
DOWNWARD = _keys("downward")
BOUNDS = UPWARD | DOWNWARD | _keys("bounds")
CONDITIONS = _keys("conditions")
DENYING = _keys("denying")
RECKONING = _keys("reckoning")
COMPARING = _keys("comparing")
ADDING = _keys("adding")
MULTIPLYING = _keys("multiplying")
SHARING = _keys("sharing") | {"unit %"}
BEFORE_MONTHS = _keys("before_months")
BEFORE_MAY = _keys("before_may")
ROUNDING = _keys("rounding")
APPROXIMATORS = ROUNDING | _keys("approximators")
FLOORS = _keys("floors")
SYMMETRIC = _keys("symmetric")
LEADING = _keys("leading")
_NO_REVERSAL = _keys("no_reversal")
_REVERSING = ("un", "non", "dis", "ir", "il", "im", "in")
OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _TABLE["opposites"].split():
    _one, _other = map(stem, _pair.split("/"))
    OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
    OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}


def opposites(one: str, other: str) -> bool:
    """Whether two words reverse each other: listed pairs, and `un-`, `non-`, `dis-` and kin before the same word."""
    if other in OPPOSITES.get(one, ()):
        return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    for prefix in _REVERSING:
        if long == prefix + short and len(short) >= 4 and long not in _NO_REVERSAL:
            return True
    return long == short + "less" or (long.endswith("less") and short.endswith("ful") and long[:-4] == short[:-3])
