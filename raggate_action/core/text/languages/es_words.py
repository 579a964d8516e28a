"""Spanish words by which statements are compared, by their English ones."""

from __future__ import annotations

from raggate_action.core.text.languages.word_tables import WordTable, words
from raggate_action.core.text.number_words import NUMBERS, in_english

WORDS = WordTable(
    words=in_english("es")
    | words(
        "the: el la los las un una unos unas lo le les se su sus este esta estos estas ese esa esos esas nuestro "
        "nuestra nos usted ustedes yo él ella ellos ellas que quien cual cuyo ahí allí aquí así también ya; is: es "
        "son era eran está están ser estar fue fueron será serán; has: ha han había haber hay tiene tienen; and: y "
        "e; or: o u; but: pero sino; in: en; on: sobre; at: a al; for: para; with: con; of: de del; as: como; per: "
        "por; not: no; no: ningún ninguna ninguno; never: nunca jamás; nobody: nadie; nothing: nada; without: sin; "
        "neither: ni; must: debe deben debía deberá deberán; may: puede pueden podrá podrán podía; should: debería "
        "deberían; under: bajo; more: más; less: menos; least: mínimo; most: máximo; from: desde; until: hasta; "
        "before: antes; after: después tras; within: dentro; only: solo sólo solamente únicamente exclusivamente; "
        "except: excepto salvo; including: incluido incluida incluidos incluidas inclusive; if: si; always: "
        "siempre; often: menudo; all: todo toda todos todas; every: cada; allowed: permitido permitida permitidos "
        "permitidas autorizado autorizada; forbidden: prohibido prohibida prohibidos prohibidas; open: abierto "
        "abierta abiertos abiertas; closed: cerrado cerrada cerrados cerradas; free: gratuito gratuita gratuitos "
        "gratuitas gratis; required: obligatorio obligatoria obligatorios requerido; optional: opcional opcionales "
        "voluntario voluntaria; about: aproximadamente unos; Monday: lunes; Tuesday: martes; Wednesday: miércoles; "
        "Thursday: jueves; Friday: viernes; Saturday: sábado sábados; Sunday: domingo domingos; January: enero; "
        "February: febrero; March: marzo; April: abril; May: mayo; June: junio; July: julio; August: agosto; "
        "September: septiembre setiembre; October: octubre; November: noviembre; December: diciembre; seconds: "
        "segundos; minutes: minuto minutos; hours: hora horas; days: día días; nights: noche noches; weeks: semana "
        "semanas; months: mes meses; quarters: trimestre trimestres; years: año años; decades: década décadas; "
        "millimetres: milímetro milímetros; centimetres: centímetro centímetros; metres: metro metros; kilometres: "
        "kilómetro kilómetros; grams: gramo gramos; kg: kilo kilos kilogramo kilogramos; tonnes: tonelada "
        "toneladas; litres: litro litros; millilitres: mililitro mililitros; percent: porciento; euros: euro euros; "
        "dollars: dólar dólares; cents: céntimo céntimos; hectares: hectárea hectáreas; half: medio media mitad; "
        "quarter: cuarto; third: tercio tercero tercera; first: primero primera primer; double: doble"
    ),
    phrases={
        **{
            f"{word} y {one}": str(ten + unit)
            for word, ten in NUMBERS["es"].items()
            for one, unit in NUMBERS["es"].items()
            if ten in range(30, 100) and unit < 10
        },
        **words(
            "unless: salvo_que a_menos_que excepto_si salvo_si; percent: por_ciento; most: como_máximo como_mucho "
            "a_lo_sumo; least: como_mínimo al_menos por_lo_menos; from: a_partir_de a_partir_del; over: más_de; "
            "under: menos_de; before: antes_de antes_del; after: después_de después_del; within: dentro_de "
            "en_un_plazo_de"
        ),
    },
    elided={},
)
