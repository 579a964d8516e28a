"""The commonest words of some languages, by which one tells which of them a text is in; all in small letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMON = {
    "en": "the of and is are to for with not you your this that these from it its can cannot what was were will have "
    "has be been by on at or but if when which who how their they we our i my me an a in as do does don't doesn't no "
    "there any only so you've i've i'm it's that's per get see all also",
    "de": "der die das und ist sind nicht ein eine einen einem einer mit von zu zum zur auf für den dem des im wird "
    "werden kann können nach bei aus oder auch wenn ich sie wir es keine keinen kein leider bitte dazu mir uns dass "
    "ob an in so nur",
    "fr": "le la les un une des du de est et dans pour que qui sur avec pas ne vous nous sont être au aux ce cette "
    "par il elle je n'est d'une votre vos mais ou en y son sa ses non désolé aucune aucun rien",
    "es": "el la los las un una y es en de del que por para con no se su sus al lo más pero como está están son le "
    "esta este ese esa puede hay sin ni mi tu qué nada sobre sé",
    "it": "il lo la gli le un una e è di che del della dei delle nel nella per con non sono si al alla ma ho mi o "
    "questo questa so anche più da in nei",
    "nl": "de het een en is van in op te voor niet dat zijn met wordt er ik u we je aan bij ook maar geen kan kunt "
    "naar over daar niets nee weet deze dit",
    "pt": "o a os as um uma e é de do da dos das em no na que por para com não se ao mas são está mais eu sei tenho "
    "há nos nas pelo pela esta isso",
    "pl": "nie w na z do się i jest to że o po nie wiem tego są dla od jak w",
    "sv": "och att det är en ett i på av som för med inte den till har jag kan om vet ikke ikkje jeg ved og er af til",
    "cs": "a je v na se že nevím není to s z do o pro jako není jsou",
}
# Those whose commonest words stand here.
TOLD_APART = tuple(_COMMON)
# The languages a word is common in.
_LANGUAGES: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        _LANGUAGES.setdefault(_word, []).append(_language)
COMMON_WORDS = frozenset(_LANGUAGES)
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_LATIN = re.compile(r"[a-zA-ZÀ-ɏ]")
# Words of an answer by which its language is told.
_SAMPLE = 60


def languages_of(text: str, known: Sequence[str]) -> tuple[str, ...] | None:
    """Which of the known languages a text may be in, in the order given.

    Args:
        text: An answer; untrusted.
        known: ISO 639-1 codes.

    Returns:
        Those of which it has the most common words, or more than half as many; all of them for a text without any.
        None for a text in another script, or with two common words or more of another language and fewer of each of
        these.
    """
    words = [word.lower().replace("’", "'") for word, _ in zip(_WORD.findall(text), range(_SAMPLE), strict=False)]
    if words and not any(_LATIN.search(word) for word in words):
        return None
    counts = dict.fromkeys(_COMMON, 0)
    for word in words:
        for language in _LANGUAGES.get(word, ()):
            counts[language] += 1
    best = max((counts[language] for language in known), default=0)
    if max(counts.values()) > max(best, 1):
        return None
    return tuple(language for language in known if counts[language] * 2 > best) or tuple(known)
