"""Spanish words by which statements are compared, by their English ones."""

from __future__ import annotations

from raggate_action.core.text.languages.word_tables import WordTable, words

_ONES = ("", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
_TENS = {"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90}

WORDS = WordTable(
    words=words(
        "two: dos; three: tres; four: cuatro; five: cinco; six: seis; seven: siete; eight: ocho; nine: nueve; ten: "
        "diez; eleven: once; twelve: doce; thirteen: trece; fourteen: catorce; fifteen: quince; sixteen: "
        "dieciséis; seventeen: diecisiete; eighteen: dieciocho; nineteen: diecinueve; twenty: veinte; twenty-one: "
        "veintiuno veintiún veintiuna; twenty-two: veintidós; twenty-three: veintitrés; twenty-four: veinticuatro; "
        "twenty-five: veinticinco; twenty-six: veintiséis; twenty-seven: veintisiete; twenty-eight: veintiocho; "
        "twenty-nine: veintinueve; thirty: treinta; forty: cuarenta; fifty: cincuenta; sixty: sesenta; seventy: "
        "setenta; eighty: ochenta; ninety: noventa; hundred: cien ciento; two_hundred: doscientos doscientas; "
        "three_hundred: trescientos trescientas; four_hundred: cuatrocientos cuatrocientas; five_hundred: "
        "quinientos quinientas; six_hundred: seiscientos seiscientas; seven_hundred: setecientos setecientas; "
        "eight_hundred: ochocientos ochocientas; nine_hundred: novecientos novecientas; thousand: mil; million: "
        "millón millones; dozen: docena; the: el la los las un una unos unas lo le les se su sus este esta estos "
        "estas ese esa esos esas nuestro nuestra nos usted ustedes yo él ella ellos ellas que quien cual cuyo ahí "
        "allí aquí así también ya; is: es son era eran está están ser estar fue fueron será serán; has: ha han "
        "había haber hay tiene tienen; and: y e; or: o u; but: pero sino; in: en; on: sobre; at: a al; for: para; "
        "with: con; of: de del; as: como; per: por; not: no; no: ningún ninguna ninguno; never: nunca jamás; "
        "nobody: nadie; nothing: nada; without: sin; neither: ni; must: debe deben debía deberá deberán; may: "
        "puede pueden podrá podrán podía; should: debería deberían; under: bajo; more: más; less: menos; least: "
        "mínimo; most: máximo; from: desde; until: hasta; before: antes; after: después tras; within: dentro; "
        "only: solo sólo solamente únicamente exclusivamente; except: excepto salvo; including: incluido incluida "
        "incluidos incluidas inclusive; if: si; always: siempre; often: menudo; all: todo toda todos todas; every: "
        "cada; allowed: permitido permitida permitidos permitidas autorizado autorizada; forbidden: prohibido "
        "prohibida prohibidos prohibidas; open: abierto abierta abiertos abiertas; closed: cerrado cerrada "
        "cerrados cerradas; free: gratuito gratuita gratuitos gratuitas gratis; required: obligatorio obligatoria "
        "obligatorios requerido; optional: opcional opcionales voluntario voluntaria; about: aproximadamente unos; "
        "Monday: lunes; Tuesday: martes; Wednesday: miércoles; Thursday: jueves; Friday: viernes; Saturday: sábado "
        "sábados; Sunday: domingo domingos; January: enero; February: febrero; March: marzo; April: abril; May: "
        "mayo; June: junio; July: julio; August: agosto; September: septiembre setiembre; October: octubre; "
        "November: noviembre; December: diciembre; seconds: segundos; minutes: minuto minutos; hours: hora horas; "
        "days: día días; nights: noche noches; weeks: semana semanas; months: mes meses; quarters: trimestre "
        "trimestres; years: año años; decades: década décadas; millimetres: milímetro milímetros; centimetres: "
        "centímetro centímetros; metres: metro metros; kilometres: kilómetro kilómetros; grams: gramo gramos; kg: "
        "kilo kilos kilogramo kilogramos; tonnes: tonelada toneladas; litres: litro litros; millilitres: mililitro "
        "mililitros; percent: porciento; euros: euro euros; dollars: dólar dólares; cents: céntimo céntimos; "
        "hectares: hectárea hectáreas; half: medio media mitad; quarter: cuarto; third: tercio tercero tercera; "
        "first: primero primera primer; double: doble"
    ),
    phrases={
        **{f"{word} y {_ONES[one]}": str(ten + one) for word, ten in _TENS.items() for one in range(1, 10)},
        **words(
            "unless: salvo_que a_menos_que excepto_si salvo_si; percent: por_ciento; most: como_máximo como_mucho "
            "a_lo_sumo; least: como_mínimo al_menos por_lo_menos; from: a_partir_de a_partir_del; over: más_de; "
            "under: menos_de; before: antes_de antes_del; after: después_de después_del; within: dentro_de "
            "en_un_plazo_de"
        ),
    },
    elided={},
)
