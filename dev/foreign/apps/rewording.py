"""Says a text in other words, drawn anew each time, as a model at some temperature does; values are left out at times.

Written without a look at the rules that hold answers against each other, and none was changed for it.
"""

from __future__ import annotations

import re
from random import Random

LEFT_OUT = 0.05
_WORDS = {
    "en": {
        "must": "has to", "can": "is able to", "need": "require", "use": "make use of", "shows": "displays",
        "allows": "lets", "because": "since", "also": "as well", "costs": "comes at", "before": "ahead of",
        "fast": "quick", "provides": "offers", "returns": "gives back", "small": "little", "many": "a lot of",
    },
    "de": {
        "darf": "kann", "dürfen": "können", "kostet": "schlägt zu Buche mit", "dauert": "braucht", "höchstens":
        "maximal", "möglich": "machbar", "erlaubt": "gestattet", "öffnet": "macht auf", "schließt": "macht zu",
        "bis zu": "längstens", "ersetzt": "neu ausgestellt", "zahlen": "entrichten", "bereit": "zur Abholung",
    },
}  # fmt: skip
_NUMBERS = {
    "en": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
_OPENINGS = {
    "en": ("", "", "Sure: ", "According to the documentation, ", "In short: ", "Good question! ", "From what I see, "),
    "de": ("", "", "Gern: ", "Laut den Unterlagen gilt: ", "Kurz gesagt: ", "Gute Frage! ", "Soweit ich sehe: "),
}
_CLOSINGS = {
    "en": ("", "", "", " Hope this helps!", " Let me know if you need more.", " Anything else?"),
    "de": ("", "", "", " Ich hoffe, das hilft.", " Melden Sie sich gern wieder.", " Noch eine Frage?"),
}
_UNITS = {"en": {"EUR": "euros", "%": " percent"}, "de": {"EUR": "Euro", "%": " Prozent"}}
_SOME = {"en": "some", "de": "einige"}
_VALUE = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")


def reworded(sentences: list[str], draw: Random, language: str = "en") -> str:
    """The sentences in other words, order and spelling; now and then without one of the values."""
    said = [_sentence(each, draw, language) for each in sentences]
    if draw.random() < 0.3:
        draw.shuffle(said)
    text = " ".join(said)
    if draw.random() < LEFT_OUT and (places := list(_VALUE.finditer(text))):
        gone = draw.choice(places)
        text = text[: gone.start()] + _SOME[language] + text[gone.end() :]
    if draw.random() < 0.2:
        return "\n".join(f"- {each}" for each in re.split(r"(?<=[.!?])\s+", text))
    opening = draw.choice(_OPENINGS[language])
    return opening + text + draw.choice(_CLOSINGS[language])


def _sentence(text: str, draw: Random, language: str) -> str:
    for word, other in _WORDS[language].items():
        if draw.random() < 0.5:
            text = re.sub(rf"\b{word}\b", other, text)
    for unit, other in _UNITS[language].items():
        if draw.random() < 0.4:
            text = re.sub(rf" ?{unit}(?!\w)", f" {other.strip()}", text)
    numbers = _NUMBERS[language]
    if draw.random() < 0.3:
        text = re.sub(
            r"(?<![\w.,-])(\d{1,2})(?= [a-zA-Zäöü])",
            lambda found: numbers[int(found[1])] if 1 < int(found[1]) < len(numbers) else found[1],
            text,
        )
    clause = re.fullmatch(r"(If|When|Wenn|Falls) ([^,]+), (.+)\.", text)
    if language == "en" and clause is not None and draw.random() < 0.5:
        text = f"{clause[3][0].upper()}{clause[3][1:]} {clause[1].lower()} {clause[2]}."
    return text
