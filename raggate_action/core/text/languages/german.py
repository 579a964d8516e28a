"""German."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

_SOURCE = (
    r"(?:dokument(?:e|en|ation)?|unterlagen?|quellen?|richtlinien?|texte?|kontext|speisekarte|karte|handbuch|vertrag|"
    r"regelung|leitfaden|bericht|protokoll|liste|katalog|abschnitte?|artikel|angaben|informationen|anleitung|"
    r"packungsbeilage)"
)
_SOME = r"(?:\S+ ){0,5}?"
_NONE = r"(?:nichts?|keine?[mnrs]?)"
_INFORMATION = (
    r"(?:informationen|angaben?|hinweise?|auskunft|auskünfte|antwort|kenntnis|daten|einzelheiten|erwähnung)\b"
)
_TELL = (
    r"(?:sagen|beantworten|finden|bestätigen|mitteilen|feststellen|weiterhelfen|helfen|nennen|angeben|entnehmen|"
    r"beurteilen|antworten|machen)\b"
)

_TOLD = r"(?:angegeben|erwähnt|genannt|beschrieben|dokumentiert|aufgeführt|vermerkt|ersichtlich|spezifiziert)"

RULES = LanguageRules(
    hint=r"nicht|\bkeine?|außerhalb|übersteigt|unbekannt",
    declines=(
        rf"\b(?:weiß ich|ich weiß) {_SOME}nicht\b",
        rf"\b(?:ich (?:kann|konnte|könnte)|(?:kann|konnte) ich) {_SOME}{_NONE} {_SOME}{_TELL}",
        (
            r"\b(?:ich habe|habe ich|ich finde|finde ich|(?:mir|uns) liegen|liegen (?:mir|"
            rf"uns)) {_SOME}{_NONE} {_SOME}{_INFORMATION}"
        ),
        r"\b(?:ich bin|bin ich) (?:\S+ ){0,2}?nicht (?:sicher|in der lage|befugt)\b",
        rf"\b{_SOURCE} {_SOME}(?:steht|stehen|findet sich|finden sich) {_SOME}{_NONE}\b",
        (
            rf"\b{_SOURCE} {_SOME}(?:enthält|enthalten|geben|gibt|machen|macht|liefern|liefert|bieten|"
            rf"bietet) {_SOME}keine?[nrs]? {_INFORMATION}"
        ),
        (
            rf"\b{_SOURCE} (?:\S+ ){{0,2}}?(?:erwähn(?:t|en)|nenn(?:t|en)|sag(?:t|en)|präzisier(?:t|en)|"
            r"spezifizier(?:t|"
            rf"en)|beschreib(?:t|en)|beantworte(?:t|n)) {_SOME}{_NONE}\b"
        ),
        rf"\bgeht {_SOME}nicht {_SOME}hervor\b|\baus {_SOME}{_SOURCE} geht nicht hervor\b",
        (
            rf"\b(?:ist|sind|wird|werden|wurden?) {_SOME}nicht {_TOLD}\b|\bnicht {_TOLD} (?:ist|sind|wird|werden|"
            r"wurden?)\b"
        ),
        rf"\b(?:es gibt|gibt es|es liegen|liegen) {_SOME}keine {_INFORMATION}",
        rf"\bl(?:ässt|assen) sich {_SOME}nicht (?:beantworten|feststellen|entnehmen|bestätigen|klären)\b",
        r"\baußerhalb (?:dessen, was ich|meine[rs]|der (?:unterlagen|dokumente))\b",
        rf"^(?:unbekannt|nicht (?:angegeben|bekannt|erwähnt|spezifiziert)|keine {_INFORMATION})\W*$",
    ),
    excuses=(r"\b(?:wenn|falls|sofern|sagt|besagt|steht)[ ,:]*",),
    turns=(
        r",?\s*\b(?:aber|jedoch|allerdings|also|daher|deshalb|deswegen|somit|folglich|trotzdem|dennoch)\b,?\s*",
        r",\s*(?:doch|und|so dass|sodass)\b\s*",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
        r",\s*(?=bitte\b)",
    ),
    subordinates=(r"(?:da|weil|obwohl|während|auch wenn|wenngleich)\b",),
    harmless=(
        (
            r"(?:ich|wir) (?:habe|haben|verstehe|verstehen|würde|bedaure)\b (?:\S+ ){0,6}?(?:gesucht|geprüft|"
            r"durchgesehen|nachgesehen|ihre|gerne?)\b"
        ),
        rf"(?:der|die|das) {_SOURCE} (?:\S+ ){{0,4}}?(?:erwähn|nenn|behandel|beschreib|enthält|enthalten|liste)\w*\b",
        r"das ist eine (?:gute|berechtigte) frage",
    ),
    refers=(
        r"(?:bitte |am besten |dann )?(?:wenden sie sich|fragen sie|kontaktieren sie|rufen sie uns|sprechen sie mit)\b",
        r"(?:das |unser |die |unsere )?(?:personal|team|küche|kundendienst|mitarbeiter) (?:kann|können|hilft|helfen)\b",
        r"(?:bitte )?(?:geben|sagen) sie (?:mir|uns) (?:gerne? )?bescheid\b",
    ),
    fact=r"[0-9]|\b(?:ist|sind|war|hat|haben|muss|müssen|enthält|kostet|weil)\b",
    courtesy=(
        r"(?:hallo|guten (?:tag|morgen|abend)|liebe[r]? \w+)(?: \w+)?",
        r"(?:vielen |herzlichen )?dank(?: für (?:ihre|die|deine) \w+)?|danke(?: schön| sehr)?",
        r"gerne?|gern geschehen|selbstverständlich|natürlich|leider|gute frage|sehr gerne?",
        r"(?:es )?tut mir leid|entschuldigung|entschuldigen sie(?: bitte)?|ich hoffe, das hilft",
        r"quellen?\s*:?\s*[\W\d]*",
    ),
)
