"""French words by which statements are compared, by their English ones."""

from __future__ import annotations

from raggate_action.core.text.languages.word_tables import WordTable, words
from raggate_action.core.text.number_words import NUMBERS, in_english

_NAMED = {value: word for word, value in NUMBERS["fr"].items()} | {17: "dix sept", 18: "dix huit", 19: "dix neuf"}


def _numbers() -> dict[str, str]:
    """Number words of several words from 17 to 99, in digits, with the blank that stands for a hyphen as well."""
    named: dict[str, str] = {}
    for ten in range(20, 70, 10):
        word = _NAMED[ten]
        named |= {f"{word} {_NAMED[one]}": str(ten + one) for one in range(1, 10)}
        named[f"{word} et un"] = named[f"{word} et une"] = str(ten + 1)
    named |= {f"soixante {_NAMED[one]}": str(60 + one) for one in range(10, 20)} | {"soixante et onze": "71"}
    named |= {f"quatre vingt {_NAMED[one]}": str(80 + one) for one in range(1, 20)}
    named |= {"quatre vingt": "80", "quatre vingts": "80"}
    return named | {_NAMED[one]: str(one) for one in (17, 18, 19)}


WORDS = WordTable(
    words=in_english("fr")
    | words(
        "the: le la les un une des ce cet cette ces il elle ils elles on se son sa ses leur leurs notre nos votre "
        "vos nous vous je tu y en ne qui que dont où ainsi aussi donc alors chez c'est voilà; is: est sont était "
        "étaient être été sera seront; has: a ont avait avaient avoir; and: et; or: ou; but: mais; in: dans en; on: "
        "sur; at: à au aux; for: pour; with: avec; of: de du; as: comme; per: par; not: pas; no: aucun aucune; "
        "never: jamais; nobody: personne; nothing: rien; without: sans; neither: ni; must: doit doivent devait "
        "devra devront faut; may: peut peuvent pourra pourront pouvait; should: devrait devraient; over: dessus; "
        "under: sous dessous; more: plus davantage; less: moins; least: minimum; most: maximum; since: depuis; "
        "from: dès; until: jusque; before: avant; after: après; within: endéans; only: seul seule seuls seules "
        "seulement uniquement exclusivement; except: sauf excepté hormis; including: inclus compris; if: si; "
        "unless: sinon; always: toujours; often: souvent; all: tous toutes tout toute; every: chaque; allowed: "
        "autorisé autorisée autorisés autorisées permis permise permises; forbidden: interdit interdite interdits "
        "interdites; open: ouvert ouverte ouverts ouvertes; closed: fermé fermée fermés fermées; free: gratuit "
        "gratuite gratuits gratuites; paid: payant payante payants payantes; required: obligatoire obligatoires "
        "requis requise; optional: facultatif facultative facultatifs facultatives; about: environ; near: près; "
        "Monday: lundi lundis; Tuesday: mardi mardis; Wednesday: mercredi mercredis; Thursday: jeudi jeudis; "
        "Friday: vendredi vendredis; Saturday: samedi samedis; Sunday: dimanche dimanches; January: janvier; "
        "February: février; March: mars; April: avril; May: mai; June: juin; July: juillet; August: août; "
        "September: septembre; October: octobre; November: novembre; December: décembre; seconds: seconde secondes; "
        "minutes: minute minutes; hours: heure heures; days: jour jours journée journées; nights: nuit nuits; "
        "weeks: semaine semaines; months: mois; quarters: trimestre trimestres; years: an ans année années; "
        "decades: décennie décennies; millimetres: millimètre millimètres; centimetres: centimètre centimètres; "
        "metres: mètre mètres; kilometres: kilomètre kilomètres; grams: gramme grammes; kg: kilo kilos kilogramme "
        "kilogrammes; tonnes: tonne tonnes; litres: litre litres; millilitres: millilitre millilitres; percent: "
        "pourcent; euros: euro euros; dollars: dollar dollars; francs: franc francs; cents: centime centimes; "
        "hectares: hectare hectares; half: demi demie moitié; quarter: quart; third: tiers troisième; first: "
        "premier première; double: double"
    ),
    phrases={
        **_numbers(),
        **words(
            "unless: sauf_si à_moins_que; percent: pour_cent; most: au_plus au_maximum tout_au_plus; least: "
            "au_moins au_minimum; from: à_partir_de à_partir_du à_compter_de à_compter_du; over: plus_de; under: "
            "moins_de; until: jusqu'à jusqu'au jusqu'aux; including: y_compris; within: dans_les dans_un_délai; "
            "only: ne_que"
        ),
    },
    elided={"n": "the", "d": "of", "jusqu": "until", "lorsqu": "when", "puisqu": "since"}
    | dict.fromkeys(("l", "s", "c", "j", "m", "t", "qu"), "the"),
)
