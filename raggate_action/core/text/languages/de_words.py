"""German words by which statements are compared, by their English ones."""

from __future__ import annotations

from raggate_action.core.text.languages.word_tables import WordTable, words
from raggate_action.core.text.number_words import NUMBERS, in_english

_NAMED = {value: word for word, value in NUMBERS["de"].items()}


def below_hundred(number: int) -> str:
    """The word for a number from 1 to 99 as it stands in front of a noun; empty for 0."""
    if number in _NAMED or not number:
        return _NAMED.get(number, "")
    return f"{_NAMED[number % 10]}und{_NAMED[number - number % 10]}"


def _numbers() -> dict[str, str]:
    """Every number word from two to 999, and round thousands, in digits, and larger ones."""
    named = {below_hundred(number): str(number) for number in range(2, 100)}
    for hundreds in range(1, 10):
        for rest in range(100):
            number = str(hundreds * 100 + rest)
            named[f"{_NAMED[hundreds]}hundert{below_hundred(rest)}"] = number
            if hundreds == 1:
                named[f"hundert{below_hundred(rest)}"] = number
    for thousands in range(2, 100):
        named[f"{below_hundred(thousands)}tausend"] = str(thousands * 1000)
    named |= {f"{below_hundred(whole)}einhalb": f"{whole}.5" for whole in range(1, 10)} | {"anderthalb": "1.5"}
    return in_english("de") | named


WORDS = WordTable(
    words={
        **_numbers(),
        **words(
            "the: der die das den dem des ein eine einen einem einer eines er sie es wir ihr ihnen ihm ihn ihre "
            "ihren ihrem ihrer sein seine seinen seiner sich uns unser unsere mein meine dieser diese dieses "
            "diesen diesem man dort hier da dann so auch dabei dazu davon bitte leider uhr zum zur vom jeweils "
            "bereits etwa ja doch zu dass was wer welche welcher je statt; is: ist sind war waren bin wird werden "
            "wurde wurden worden sei; has: hat haben hatte hatten habe; and: und sowie; or: oder; but: aber jedoch "
            "sondern; in: in im; on: auf am; at: an bei beim; for: für; with: mit; of: von; as: als wie; per: pro "
            "je; to: gegenüber; through: durch; not: nicht; no: kein keine keinen keinem keiner keines; never: nie "
            "niemals; nobody: niemand niemandem; nothing: nichts; without: ohne; neither: weder; nor: noch; must: "
            "muss müssen musste müsste; may: darf dürfen kann können könnte könnten; should: soll sollen sollte "
            "sollten; over: über; under: unter; more: mehr; less: weniger; least: mindestens wenigstens mindest; "
            "most: höchstens maximal maximum; minimum: minimal; from: ab seit; until: bis; before: vor; after: "
            "nach; since: seitdem; within: innerhalb binnen; only: nur lediglich ausschließlich; except: außer "
            "ausgenommen; including: einschließlich inklusive; if: wenn falls sofern; unless: ausgenommen; always: "
            "immer stets; often: oft; all: alle allen aller alles; every: jeder jede jedes jeden jedem; allowed: "
            "erlaubt gestattet zulässig; forbidden: verboten untersagt unzulässig; open: offen geöffnet; closed: "
            "geschlossen; free: kostenlos gratis kostenfrei; paid: kostenpflichtig; required: erforderlich "
            "notwendig nötig; optional: freiwillig optional; higher: höher höhere; lower: niedriger niedrigere; "
            "about: ungefähr circa etwa rund; Monday: montag montags; Tuesday: dienstag dienstags; Wednesday: "
            "mittwoch mittwochs; Thursday: donnerstag donnerstags; Friday: freitag freitags; Saturday: samstag "
            "samstags sonnabend; Sunday: sonntag sonntags; January: januar jänner; February: februar; March: märz; "
            "April: april; May: mai; June: juni; July: juli; August: august; September: september; October: "
            "oktober; November: november; December: dezember; seconds: sekunde sekunden; minutes: minute minuten; "
            "hours: stunde stunden; days: tag tage tagen tages; nights: nacht nächte nächten; weeks: woche wochen; "
            "months: monat monate monaten monats; quarters: quartal quartale; years: jahr jahre jahren jahres; "
            "decades: jahrzehnt jahrzehnte; millimetres: millimeter; centimetres: zentimeter; metres: meter "
            "metern; kilometres: kilometer kilometern; grams: gramm; kg: kilo kilogramm; tonnes: tonne tonnen; "
            "litres: liter litern; millilitres: milliliter; percent: prozent; euros: euro euros; dollars: dollar "
            "dollars; francs: franken; cents: cent; hectares: hektar; watt: watt; half: halb halbe halben hälfte; "
            "quarter: viertel; double: doppelt doppelte; first: erste ersten erster erstes; third: dritte dritten "
            "dritter drittes"
        ),
    },
    phrases={"es sei denn": "unless", "je nach": "as", "mit ausnahme": "except", "nicht mehr": "not"},
    elided={},
)
