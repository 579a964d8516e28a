"""Spanish."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

_SOURCE = (
    r"(?:documentos?|documentación|fuentes?|contexto|textos?|contratos?|reglamentos?|políticas?|folletos?|"
    r"manual(?:es)?|guías?|carta|menú|informes?|artículos?|extractos?|pasajes?|listas?|catálogos?|normas?|prospecto)"
)
_SAY = (
    r"(?:menciona[n]?|especifica[n]?|indica[n]?|dicen?|habla[n]?|describe[n]?|precisa[n]?|aborda[n]?|nombra[n]?|"
    r"aclara[n]?|detalla[n]?|responde[n]?)"
)
_TELL = (
    r"(?:responder|contestar|decir|confirmar|encontrar|verificar|ayudar|dar|determinar|saber|recomendar|asegurar)"
    r"(?:le|les|lo|la|te|se|selo)?\b"
)
_INFORMATION = (
    r"(?:información|datos sobre|detalles?|menciones|mención|indicación|indicaciones|respuestas?|referencias?)\b"
)

RULES = LanguageRules(
    hint=r"\b(?:no|ningun[ao]?|ningún|nada|fuera|desconocido)\b",
    declines=(
        r"\bno (?:lo |la )?sé\b|\b(?:lo )?desconozco\b",
        rf"\bno (?:le |les |te |lo )?(?:puedo|podemos|podría) {_TELL}",
        rf"\bno (?:tengo|tenemos|dispongo de|disponemos de) (?:\S+ ){{0,3}}?{_INFORMATION}",
        (
            r"\bno (?:he|hemos|pude|logré) (?:podido )?(?:encontrado|encontrar|visto|hallado|hallar)\b|"
            r"\bno encuentro\b|\bno veo\b"
        ),
        r"\bno estoy (?:segur[oa]|en condiciones|al tanto|autorizad[oa])\b",
        rf"\b{_SOURCE} (?:\S+ ){{0,3}}?no (?:lo |la |se )?{_SAY}\b",
        rf"\b{_SOURCE} (?:\S+ ){{0,3}}?no (?:contienen?|incluyen?|ofrecen?|dan?|proporcionan?) (?:\S+ )?{_INFORMATION}",
        rf"\bning(?:ún|uno|una) (?:(?:de )?(?:los|las|estos|estas) )?{_SOURCE} {_SAY}\b",
        rf"\bnada en (?:\S+ ){{1,3}}?{_SAY}\b",
        rf"\bno (?:hay|existe) (?:\S+ ){{0,2}}?{_INFORMATION}",
        r"\bno se (?:menciona|indica|especifica|precisa|detalla|describe)n?\b",
        (
            r"\bno (?:está|están|fue|ha sido|viene|vienen) (?:\S+ )?(?:indicad|especificad|mencionad|documentad|"
            r"precisad)[oa]s?\b"
        ),
        r"\bfuera de (?:lo que (?:puedo|podemos)|mis? \w+|los documentos)\b",
        r"^(?:no (?:especificad|indicad|mencionad)[oa]|desconocid[oa]|sin información)\W*$",
    ),
    excuses=(r"\b(?:si|cuando|dice|indica|establece)(?: que)?[ ,:]*",),
    turns=(
        r",?\s*\b(?:pero|sin embargo|no obstante|por (?:lo )?tanto|así que|entonces|por eso|aunque)\b,?\s*",
        r",\s*(?:y|lo que significa que)\b\s*",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    subordinates=(r"(?:como|ya que|dado que|puesto que|porque|aunque|si bien)\b",),
    harmless=(
        r"(?:he |hemos )?(?:revisado|consultado|buscado|comprobado|entiendo|me gustaría|quisiera)\b",
        rf"(?:el|la|los|las) {_SOURCE} (?:mencion|habl|describ|incluy|trat|list)\w*\b",
        r"es una (?:buena|excelente) pregunta",
    ),
    refers=(
        (
            r"(?:por favor,? |puede |puedes |le (?:recomiendo|sugiero|aconsejo) )?(?:preguntar|pregunte|consultar|"
            r"consulte|contactar|contacte|llamar|llame|diríjase|póngase en contacto)\b"
        ),
        r"no dude en\b",
    ),
    fact=r"[0-9]|\b(?:es|son|está|están|debe|deben|contiene|cuesta|porque)\b",
    courtesy=(
        r"¡?(?:hola|buenos días|buenas (?:tardes|noches)|estimad[oa] \w+)(?: \w+)?",
        r"¡?(?:muchas )?gracias(?: por (?:su|la|tu) \w+)?",
        r"¡?(?:de nada|con gusto|claro|por supuesto|desde luego|lamentablemente|buena pregunta)",
        r"(?:lo siento(?: mucho)?|disculpe|mis disculpas|espero que (?:esto )?(?:le )?ayude)",
        r"(?:fuentes?|referencias?)\s*:?\s*[\W\d]*",
    ),
)
