"""Spanish."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

_SOURCE = (
    r"(?:documentos?|documentación|fuentes?|contexto|textos?|contratos?|reglamentos?|políticas?|folletos?|"
    r"manual(?:es)?|guías?|carta|menú|informes?|artículos?|extractos?|pasajes?|listas?|catálogos?|normas?|prospecto|"
    r"fragmentos?|fichas?|convenio|anuncio|páginas?|base de (?:conocimiento|datos)|información|datos|materiales?|web|"
    r"secci(?:ón|ones)|apartados?|descripción|notas?|acta|preguntas frecuentes|tarifario|archivos?)"
)
_SAY = (
    r"(?:mencionan?|especifican?|indican?|dicen?|hablan?|describen?|precisan?|abordan?|nombran?|aclaran?|detallan?|"
    r"responden?|enumeran?|señalan?|se refieren?|hacen? (?:referencia|mención)|recogen?|tratan?|citan?|explican?|"
    r"aparecen?|figuran?|constan?|facilitan?|permiten?)"
)
_TELL = (
    r"(?:responder|contestar|decir|confirmar|encontrar|verificar|ayudar|dar|determinar|saber|recomendar|asegurar|"
    r"ofrecer|facilitar|acceder|ver|precisar|indicar|comprobar|compartir|establecer)(?:le|les|lo|la|te|se|selo|telo)?\b"
)
_INFORMATION = (
    r"(?:información|datos|detalles?|menciones|mención|indicación|indicaciones|respuestas?|referencias?|acceso|"
    r"constancia|forma de saber(?:lo)?|manera de saber(?:lo)?|artículos?|contexto|idea|consejos?|asesoramiento)\b"
)
_TOLD = (
    r"(?:indicad|especificad|mencionad|documentad|precisad|recogid|detallad|señalad|descrit|regulad|encontrad)[oa]s?\b"
)
_SOME = r"(?:[^\s,;]+ ){0,4}?"

RULES = LanguageRules(
    hint=(
        r"\b(?:no|ni|ningun[ao]?|ningún|nada|nunca|fuera|desconocid[oa]|desconozco|sin|solo|sólo|tampoco|necesitaría|"
        r"imposible|insuficientes?|falta\w*|termina\w*|abiert[oa]|confidencial|depende|cubre|acaba\w*|contradicen)\b"
    ),
    declines=(
        # the speaker
        r"\bno (?:lo |la )?(?:sé|sabría decir\w*)\b|\b(?:lo )?desconozco\b|^ni idea\b",
        (
            r"\bno (?:me |le |les |te |lo |nos )?(?:puedo|podemos|podría|es posible|resulta posible|he podido|pude|"
            rf"logro) {_SOME}{_TELL}"
        ),
        rf"\bno (?:tengo|tenemos|dispongo de|disponemos de|cuento con|contamos con) {_SOME}{_INFORMATION}",
        (
            r"\bno (?:he|hemos|pude|logré) (?:podido )?(?:encontrado|encontrar|visto|hallado|hallar)\b|"
            r"\bno encuentro\b|\bno veo\b"
        ),
        r"\bno estoy (?:segur[oa]|en condiciones|al tanto|autorizad[oa])\b",
        (
            r"\b(?:solo|sólo|únicamente) puedo (?:responder|ayudar|contestar)\b|^necesitaría más (?:contexto|"
            r"información|datos)\b"
        ),
        # sources that are silent
        rf"\b{_SOURCE} (?:[^\s;]+ ){{0,5}}?no (?:lo |la |se )?{_SAY}\b",
        (
            r"^(?:no|tampoco) (?:lo |la |se )?(?:dicen?|mencionan?|señalan?|especifican?|aclaran?|se refieren?|"
            r"indican?|precisan?) ?(?:nada|\w+ción|su|sus|a los|a las|al|si|cuá\w+|$)"
        ),
        (
            rf"\b{_SOURCE} (?:[^\s;]+ ){{0,5}}?no (?:contienen?|incluyen?|ofrecen?|dan?|"
            rf"proporcionan?) (?:[^\s;]+ ){{0,3}}?{_INFORMATION}|"
            r"\b(?:documentos|fragmentos|extractos|pasajes|fuentes|páginas) (?:[^\s;]+ ){0,3}?no (?:contienen|"
            r"incluyen|recogen)\b"
        ),
        (
            rf"\bning(?:ún|uno|una) (?:(?:de )?(?:los|las|estos|estas) )?{_SOURCE} (?:se )?{_SAY}\b|"
            rf"\ben ningun[oa] (?:de \S+ \S+ )?(?:se )?{_SAY}\b"
        ),
        rf"\bnada en (?:\S+ ){{1,3}}?{_SAY}\b",
        rf"\bno (?:hay|existen?) {_SOME}(?:{_INFORMATION}|mención)(?! (?:de entrega|necesari\w+))",
        (
            r"\bno se (?:menciona|indica|especifica|precisa|detalla|describe|aclara)n?\b|"
            rf"\bno aparecen? {_SOME}(?:{_TOLD}|en {_SOME}{_SOURCE})"
        ),
        rf"\bno (?:está|están|fue|ha sido|viene|vienen) (?:\S+ )?{_TOLD}",
        r"\bfuera de (?:lo que (?:puedo|podemos)|mis? \w+|los documentos|mi alcance)\b",
        (
            rf"^(?:no (?:{_TOLD}|disponible|consta|figura)|desconocid[oa]|sin (?:información|datos|"
            r"especificar))(?: (?:en|sobre)\b.*)?\W*$"
        ),
    ),
    excuses=(r"\b(?:si|cuando|dice|indica|establece)(?: que)?[ ,:]*",),
    turns=(
        r",?\s*\b(?:pero|sin embargo|no obstante|por (?:lo )?tanto|así que|entonces|por eso|aunque|por lo que)\b,?\s*",
        r",\s*(?:y|lo que significa que)\b\s*|,\s*(?=(?:no)\b)",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    subordinates=(r"(?:como|ya que|dado que|puesto que|porque|aunque|si bien)\b",),
    harmless=(
        r"(?:he |hemos )?(?:revisado|consultado|buscado|comprobado|entiendo|me gustaría|quisiera)\b",
        (
            rf"(?:el|la|los|las|tu|su) (?:\S+ )?{_SOURCE} (?:\S+ ){{0,5}}?(?:mencion|habla|describ|incluy|trata|list|"
            r"alude|recoge|enumera|indica|contiene|cubre)\w*\b"
        ),
        r"es una (?:buena|excelente) pregunta",
    ),
    about=(
        (
            r"(?:(?:el|la|los|las|este|esta|estos|estas|sus?|mis) (?:\S+ ){0,1}?(?:documentos?|fragmentos?|"
            r"extractos?|páginas?|textos?|pasajes?|"
            r"fuentes?|apartados?|secciones|sección|archivos?|tablas?|listas?|fichas?|"
            r"notas?)(?: \S+){0,4}?) (?:solo )?(?:hablan?|tratan?|versan?|se refieren?|"
            r"terminan?|acaban?|llegan|callan?|guardan? silencio|se contradicen|se limitan?|(?:está|"
            r"están) (?:vacíos?|vacías?|incomplet[oa]s?))\b"
        ),
        r"(?:solo |únicamente )?(?:soy (?:un|una) .{0,20}?asistente|estoy aquí)\b",
    ),
    refers=(
        (
            r"(?:por favor,? |puede |puedes |(?:le|te) (?:recomiendo|sugiero|aconsejo) )?(?:preguntar|pregunte|"
            r"consultar|"
            r"consulte|contactar|contacte|llamar|llame|diríjase|póngase en contacto)\b"
        ),
        r"no dude en\b|(?:mejor )?(?:llama|pregunta|consulta|escribe|contacta)\b|habría que preguntar\b",
        (
            r"(?:el|la|los|las|un|una|nuestro|nuestra) (?:\S+ ){1,4}?(?:podrán?|pueden?|"
            r"sabrán?) (?:\S+ )?(?:orientar|ayudar|"
            r"informar|atender|decir|indicar|asesorar)\w*\b"
        ),
        (
            r"si (?:quieres?|necesitas?|tienes?|lo deseas?|me)\b[^,]{0,80}, (?:puedo|podemos|con gusto|dime|"
            r"escríbe\w*|te|le)\b"
        ),
    ),
    fact=(
        r"\b(?:es|son|está|están|debe|deben|contiene|cuesta|lleva|hay|tiene|porque|como (?:mínimo|máximo)|al menos|"
        r"antes|a más tardar|"
        r"por escrito|dentro de)\b"
    ),
    courtesy=(
        r"¡?(?:hola|buenos días|buenas (?:tardes|noches)|estimad[oa] \w+)(?: \w+)?",
        r"¡?(?:muchas )?gracias(?: por (?:(?:su|la|tu) \w+|escribirnos|contactarnos))?",
        (
            r"¡?(?:de nada|con gusto|claro|por supuesto|desde luego|lamentablemente|por desgracia|buena pregunta|uy|"
            r"vaya|que tenga (?:un )?buen día|buen día)"
        ),
        r"(?:lo siento(?: mucho)?|disculpe|perdona|mis disculpas|espero que (?:esto )?(?:le )?ayude)",
        r"(?:fuentes?|referencias?)\s*:?\s*[\W\d]*",
    ),
    numbers=(
        r"\b(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cuarenta|cincuenta|"
        r"sesenta|cien|cientos|mil|millón|millones|medi[oa]|docena)\b"
    ),
    guesses=(
        r"\b(?:probablemente|quizás?|tal vez|seguramente|posiblemente|normalmente|generalmente|por lo general|"
        r"en general|"
        r"suele[n]?|habitualmente|la mayoría de|supongo|creo que|imagino|diría)\b"
    ),
    lacks=r"(?:no|nada|ningún|ninguna|ni|tampoco) ",
    speaker=r"(?:\S+ ){0,2}?(?:mis?\b|me (?:consta|corresponde|temo)|necesitaría|puedo|tengo|desconozco)(?! confirmar)",
    sources=(
        r"\b(?:páginas?|secci(?:ón|ones)|capítulos?|artículos?|documentos?|fragmentos?|pasajes?|informes?|archivos?|"
        r"fuentes?|apartados?|actas?)\b"
    ),
    knowing=(
        rf"\b(?:{_SOURCE}|{_INFORMATION}|{_TOLD}|{_SAY}|{_TELL}|sé|sabe\w*|tema|temas|preguntas?|puedo|tengo|encuentro|"
        r"dispongo|consta|aparece\w*|habla|clar[oa]|escrit[oa]|cuestión|documento|entendido|aquí|(?:ese|este) dato|"
        r"fuentes|extracto|trata)\b"
    ),
    referring=(
        r"\b(?:ayud\w*|echamos|contact\w*|consult(?:ar|e|a)\w*|pregúnt\w*|pregunt\w*|dirij\w*|diríj\w*|acud\w*|póngase|"
        r"ponte en contacto|orient\w*|atender\w*|atenderá\w*|persona indicada|preguntas?|inform[ae]\w*|indíque\w*|"
        r"hable con|hablar con|(?:pued[ae]|podrá) decír\w+|se lo dirá|volveré|encuentr\w*|página web|reformul\w*)\b"
    ),
    courteous=(
        r"\b(?:por favor|gracias|siento|lamento|lamentablemente|perdona|perdón|disculp\w+|desgracia|gusto|encantad\w+|"
        r"llam\w*|escríb\w*|escrib\w*|visit\w*|recomiend\w*|recomendamos|sugier\w*|aconsej\w*|inform\w*|departamento|"
        r"equipo|"
        r"servicio|soporte|personal|recepción|compañer\w+|agentes?|especialista\w*|abogad\w+|médic\w+|farmacéutic\w+|"
        r"organización|tienda|incidencia|si (?:quiere|quieres|necesita|necesitas|tiene|tienes|lo desea)|otra|"
        r"adjunt\w*|web|"
        r"más información|saludos?)\b"
    ),
)
