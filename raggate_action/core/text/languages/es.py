"""Spanish."""

from __future__ import annotations

from raggate_action.core.text.languages.language_rules import LanguageRules, SourceLead
from raggate_action.core.text.number_words import number_pattern

_SOURCE = (
    r"(?:documentos?|documentación|fuentes?|contexto|textos?|contratos?|reglamentos?|políticas?|folletos?|"
    r"manual(?:es)?|guías?|carta|menú|informes?|artículos?|extractos?|pasajes?|listas?|catálogos?|normas?|prospecto|"
    r"fragmentos?|fichas?|convenio|anuncio|páginas?|base de (?:conocimiento|datos)|información|datos|"
    r"material(?:es)?|web|"
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
# The same in broad strokes.
_NOT = r"(?:no|tampoco|nunca|ningún|ninguna?|nadie|ni)"
_CLITICS = r"(?:se |lo |la |le |les |los |las |me |nos |te )*"
_TO_TELL = r"(?:saber|decir|establecer|determinar|responder|confirmar|concluir|conocer|precisar|asegurar|indicar)"
_SAID = (
    r"(?:mencion\w+|especific\w+|indic\w+|dicen?|dice|hablan?|describ\w+|precis\w+|abord\w+|nombr\w+|aclar\w+|"
    r"detall\w+|"
    r"respond\w+|enumer\w+|señal\w+|refier\w+|hacen? (?:\S+ ){0,2}?(?:referencia|mención)|recog\w+|trat\w+|cit\w+|"
    r"explic\w+|aparec\w+|figur\w+|const\w+|pronunci\w+|regul\w+|contempl\w+|concret\w+|defin\w+|clar[oa]|conoc\w+|"
    rf"encuentr\w+|entr\w+ en|identific\w+|(?:permit\w+|pued\w+) (?:\S+ ){{0,2}}?{_TO_TELL})"
)
_GIVEN = (
    r"(?:contien\w+|conten\w+|inclu\w+|ofrec\w+|da|dan|dado|proporcion\w+|facilit\w+|permit\w+|cubr\w+|muestr\w+|"
    r"aport\w+|"
    r"hay|disponible\w*|está\w*|viene\w*|forman? parte|revel\w+)"
)
_INFORMING = (
    r"(?:documentos?|documentación|fuentes?|contexto|textos?|folletos?|manual(?:es)?|guías?|informes?|artículos?|"
    r"extractos?|pasajes?|prospecto|fragmentos?|fichas?|anuncio|páginas?|base de (?:conocimientos?|datos)|información|"
    r"datos|material(?:es)?|web|secci(?:ón|ones)|apartados?|descripción|notas?|acta|preguntas frecuentes|archivos?|"
    r"tablas?|avisos?|comunicados?|programas?|resumen|resúmenes|anexos?|adjuntos?|cláusulas?|presentación|correos?)"
)
_MINE = (
    r"(?:puedo|podría|podré|sé|sabría|tengo|dispongo|cuento|encuentro|encontré|he|veo|conozco|estoy|soy|logro|"
    r"logré|consigo|"
    rf"(?:es|resulta) posible(?= (?:\S+ ){{0,2}}?{_TELL})|"
    r"conseguí|alcanzo|me (?:es|resulta|consta|corresponde|permit\w+)|quiero|quisiera|debo)"
)
_LACKING = r"(?:falta\w*|carec\w+|omit\w+|ausent\w+|insuficiente\w*)"
_TELLING = (
    rf"\b(?:{_SAID}|{_GIVEN}|{_MINE}|{_LACKING}|explícita\w*|exact\w*|concret\w*|actual\w*|lamentablemente|"
    rf"respecto|tema|"
    r"asunto|punto|cuestión|pregunta|ninguna?|ningún|nada|algun[oa]|fecha|nombre|importe|cifra|valor|dato|momento|"
    r"parte|"
    r"facilitad\w*|proporcionad\w*|disponible\w*|responder|saber|decir|ayudar|posible|queda\w*|sigue\w*|cual\w*|"
    r"esta|este|"
    r"eso|ello|mism\w*|tampoco|suficiente\w*|siendo)\b"
)
# A source of any name.
_PAPER = (
    rf"(?:{_INFORMING}|tablas?|horarios?|libros?|actas?|cartas?|tarjetas?|contratos?|listas?|planos?|registros?|"
    rf"tarifas?|"
    r"formularios?|copias?|normas?)"
)

RULES = LanguageRules(
    common=(
        "el la los las un una y es en de del que por para con no se su sus al lo más pero como está están son le "
        "esta este ese esa puede hay sin ni mi tu qué nada sobre sé"
    ),
    leaning=(
        r"(?:no |se |lo |la |le |los |las |les )*(?:él|ella|ellos|ellas|ello|eso|esto|es[eoa]s?|est[eoa]s?|aquell\w*|"
        "su|sus|aquí|allí|ambos|ambas|de lo contrario|sin embargo|también|además|entonces|es|son|está|están|era|eran|"
        "tiene|tienen|contiene|contienen|incluye|incluyen|cuesta|cuestan|dura|duran|puede|pueden|debe|deben|requiere|"
        r"requieren|aplica|aplican|vale|valen|cierra|abre)\b"
    ),
    source_lead=SourceLead(
        opening=(
            "(?:según|de acuerdo con|conforme a|con base en|basándome en|a partir de|como (?:se indica|consta|figura|"
            "se menciona) en) ?(?:(?:el|la|los|las|este|esta|estos|estas|sus?|nuestr[oa]s?) )?"
        ),
        before="presentes?",
        nouns=(
            "documentos?|documentación|fuentes?|contexto|textos?|extractos?|fragmentos?|pasajes?|políticas?|"
            "reglamento|manual|guía|contrato|información|folleto|base de conocimientos?|datos|condiciones|normas|"
            "menú|informe"
        ),
        behind="(?:proporcionad|facilitad|dad|adjunt|compartid)[oa]s?|anterior(?:es)?|disponibles?|de arriba",
        courtesy=(
            "con (?:mucho )?gusto|respuesta|en resumen|por supuesto|claro(?: que sí)?|desde luego|encantad[oa]|no hay "
            "problema|buen[ao]s? (?:pregunta|noticias?|días|tardes)|(?:muchas )?gracias(?: por (?:su|tu) \\w+)?|hola|"
            "aquí (?:está|tiene) (?:la|su) respuesta"
        ),
    ),
    hint=(
        r"\b(?:no|ni|ningun[ao]?|ningún|nada|nunca|fuera|desconocid[oa]|desconozco|sin|solo|sólo|únicamente|"
        r"exclusivamente|tampoco|necesitaría|"
        r"imposible|insuficientes?|falta\w*|termina\w*|abiert[oa]|confidencial|depende|cubre|acaba\w*|contradicen|"
        r"blanco|adivinar|"
        r"corta\w*|interrump\w+|hasta|por alto|salta\w*|omite\w*|se me escapa)\b"
    ),
    denies_nothing=(
        r"\bsin (?=(?:costes?|costos?|cargos?|gastos)\b)|\bno s[oó]lo (?=.*\bsino\b)|"
        rf"\bno (?=más (?:tarde|allá) de|más de (?:[0-9]|(?:una?|{number_pattern('es')})\b))"
    ),
    declines=(
        # the speaker
        r"\bno (?:lo |la )?(?:sé|sabría decir\w*)\b|\b(?:lo )?desconozco\b|^ni idea\b",
        (
            r"\bno (?:me |le |les |te |lo |nos )?(?:puedo|podemos|podría|es posible|resulta posible|he podido|pude|"
            rf"logro) {_SOME}{_TELL}"
        ),
        rf"\bno (?:tengo|tenemos|dispongo de|disponemos de|cuento con|contamos con) {_SOME}(?:{_INFORMATION}|dato\b)",
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
        rf"\bnada en (?:\S+ ){{1,3}}?{_SAY}\b|^no (?:dónde|cuándo|quién(?:es)?|cómo|cuál(?:es)?) ",
        rf"\bno (?:hay|existen?) {_SOME}(?<!\bde )(?:{_INFORMATION}|mención)(?! (?:de entrega|necesari\w+))",
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
    denials=(
        # What the speaker was given ends before what was asked.
        (
            r"^(?!.*\b(?:si|razón|problema|inconveniente|objeción|duda)\b)"
            r"(?=.*\b(?:que (?:tengo|manejo|veo|me)|de l[ao]s? que dispongo|dispongo|me (?:han?|fue(?:ron)?)|mis?)\b)"
            r"(?=.*\b(?:no|nada|ni|ningun[oa]?|ningún|solo|sólo|sin|se corta|se interrumpe|termina)\b)"
            rf"(?=.*\b(?:{_PAPER}|facilitado|dado|entregado|enviado|mostrado|proporcionado|dispongo)\b)"
        ),
        (
            rf"\b{_PAPER}\b.{{0,60}}?\b(?:se corta\w*|se interrump\w+|termina\w* (?:en|con|antes)|"
            r"llega\w* (?:solo |sólo )?hasta|pasa\w* por alto|salta\w*|omite\w*|"
            r"(?:está|fue|viene) (?:tachad[oa]|cortad[oa]|incomplet[oa])|no dice nada)\b"
        ),
        # Sayings of one who does not know.
        (
            r"\bme quedo en blanco\b|\btendría que adivinar\b|\bno es lo mío\b|\bno es mi (?:campo|terreno|tema|"
            r"área)\b|\bni idea\b|\bse me escapa\b|"
            r"\bno me corresponde\b|\bprefiero no (?:adivinar|inventar|especular)\b|"
            r"\bsolo conozco\b"
        ),
        r"^(?:ni (?:una|la menor)|ninguna?|nada) (?:palabra|mención|referencia|pista|indicación|rastro|(?:sobre|de)\b)",
        r"\b(?:aquí|ahí) no hay nada (?:sobre|de)\b",
        (
            rf"\b{_INFORMING}\b.{{0,60}}?\b(?:solo|sólo|únicamente) (?:\S+ )?(?:trat|habl|refier|versa)\w+|"
            rf"\b{_INFORMING}\b.{{0,60}}?\b(?:trat|habl|refier|versa)\w+ (?:solo|sólo|únicamente)\b"
        ),
        rf"\b(?:{_SOURCE}|{_INFORMING})\b.{{0,90}}?\b{_NOT} {_CLITICS}(?:\S+ )?{_SAID}",
        rf"\b{_INFORMING}\b.{{0,90}}?\b{_NOT} {_CLITICS}(?:\S+ )?{_GIVEN}",
        (
            rf"\b{_NOT} {_CLITICS}(?:\S+ ){{0,3}}?(?:{_SAID}|{_GIVEN}).{{0,60}}?\b(?:en|sobre|por|entre|con|según|de) "
            rf"(?:\S+ ){{0,2}}?{_INFORMING}"
        ),
        rf"\bningun[oa] de (?:\S+ ){{1,3}}?{_CLITICS}(?:{_SAID}|{_GIVEN})\b",
        rf"\bning(?:ún|una) (?:parte|lugar|sitio|momento|apartado)\b.{{0,60}}?\b{_SAID}",
        rf"\bsin (?:\S+ ){{0,3}}?(?:{_SAID}|hallar|encontrar)",
        rf"\b{_INFORMING}\b.{{0,60}}?\b{_LACKING}|\b{_LACKING}.{{0,60}}?\b{_INFORMING}\b",
        r"\b(?:no|tampoco) l[oa]s? (?:indican?|dicen?|mencionan?|especifican?|precisan?|aclaran?|detallan?)\b",
        r"\bguardan? silencio\b",
        # An open question stands in it.
        rf"\bno {_CLITICS}(?:\S+ ){{0,4}}?(?:{_TO_TELL}|{_SAID}|sabe) si\b",
        r"\b(?:sigue\w*|permanece\w*|es|son|queda\w*)(?: siendo)? (?:desconocid[oa]s?|inciert[oa]s?|sin respuesta)\b",
        # The speaker.
        rf"\b(?:no|tampoco|nunca) {_CLITICS}{_MINE}\b",
        r"\bno se me\b|\bno es (?:un dato|(?:una )?información|algo|una pregunta) (?:de la |del |de los )?que\b",
        r"\b(?:se )?descono(?:zco|cemos|cen?)\b|\bpre(?:fiero|ferimos) no\b|\b(?:lamento|siento) no\b|\bni idea\b",
        (
            r"^(?=.*\b(?:solo|sólo|únicamente|exclusivamente)\b)(?=.*\b(?:puedo|podemos|respondo|atiendo|estoy|"
            r"dispongo|"
            r"tengo)\b)(?=.*\b(?:ayudar\w*|responder|contestar|preguntas?|cuestiones|consultas|atender|datos|"
            r"información|"
            r"informar\w*)\b)"
        ),
        (
            r"\b(?:fuera del?|excede|sobrepasa|más allá de)\b.{0,30}?\b(?:mis?|nuestr\w+|lo que|alcance|ámbito|"
            r"funciones)\b"
        ),
    ),
    bare_denials=(
        rf"\b{_NOT} {_CLITICS}(?:\S+ ){{0,3}}?{_SAID}",
        (
            r"\b(?:no hay|sin|(?<!_ )ningun[oa]?|ningún|no existen?) (?:\S+ ){0,2}?(?:información|datos|detalles?|"
            r"menci\w+|"
            r"respuestas?|constancia|referencias?)\b"
        ),
        (
            r"\b(?:desconocid[oa]s?|se desconocen?|incierto|sin (?:datos|especificar|información|respuesta)|"
            r"queda\w* (?:claro|abierto))\b"
        ),
        r"\bno (?:podemos (?:\S+ ){0,2}?(?:decir|saber|confirmar|responder)|disponemos|sabemos|hemos encontrado)\b",
        rf"\bnada\b.{{0,40}}?\b(?:en|sobre) (?:\S+ ){{0,2}}?{_INFORMING}",
    ),
    obstacles=(
        r"\b(?:ningún|ninguna|sin|no hay|no veo) (?:\S+ )?(?:(?:razón|motivo) para|objeci\w+|obstáculos?|"
        r"inconvenientes?|"
        r"problemas?|impedimentos?)\b|"
        r"\bno se conocen\b|\bno (?:tien|ha?y|present)\w* (?:\S+ ){0,3}?conocid[oa]s?\b"
    ),
    excuses=(
        r"\b(?:una?|todo|toda|cada) (?:\w+ )?(?:\w+ que )?",
        r"\b(?:si|cuando|dice|indica|establece)(?: que)?[ ,:]*",
    ),
    turns=(
        r",?\s*\b(?:pero|sin embargo|no obstante|por (?:lo )?tanto|así que|entonces|por eso|aunque|por lo que)\b,?\s*",
        r",\s*(?:y|lo que significa que)\b\s*|,\s*(?=(?:no)\b)",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    concludes=r"\b(?:por (?:lo )?tanto|así que|por eso|por lo que|significa)\b",
    objects=r"\b(?:pero|sin embargo|no obstante|aunque)\b",
    subordinates=(r"\b(?:como|ya que|pues|dado que|puesto que|porque|aunque|si bien)\b",),
    subject=rf"(?:el|la|los|las|este|esta|su|tu) (?:\S+ )?{_INFORMING}\b",
    same_source=(
        r"(?=no (?:l[oa]s? )?(?:dice|indica|menciona|precisa|especifica|aclara|detalla|da|"
        r"nombra|aparece|figura)n?\b)"
    ),
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
    promises=(
        r"(?:nuestr[oa] \w+ |una? \w+ )?(?:(?:le|les|te|os) (?:llamar|contactar|avisar|informar|responder)(?:emos|á|"
        r"án)|nos pondremos en contacto|se pondrá en contacto)\b"
    ),
    embedded=r"\b(?:cuál\w*|dónde)\b[^,;]*",
    fact=(
        r"\b(?:es|son|está|están|debe|deben|contiene|cuesta|lleva|hay|tiene|porque|como (?:mínimo|máximo)|al menos|"
        r"antes|a más tardar|"
        r"por escrito|dentro de|después|veces|cada|todos los|lunes|martes|miércoles|jueves|viernes|sábados?|"
        r"domingos?)\b"
    ),
    courtesy=(
        r"¡?(?:hola|buenos días|buenas (?:tardes|noches)|estimad[oa] \w+)(?: \w+)?",
        r"¡?(?:muchas )?gracias(?: por (?:(?:su|la|tu) \w+|escribirnos|contactarnos))?",
        (
            r"¡?(?:de nada|con gusto|claro|por supuesto|desde luego|lamentablemente|por desgracia|buena pregunta|uy|"
            r"vaya|que tenga (?:un )?buen día|quedamos a su disposición(?: para cualquier \w+ \w+)?|(?:un "
            r")?(?:cordial )?saludos?|buen día)"
        ),
        r"(?:lo siento(?: mucho)?|disculpe|perdona|mis disculpas|espero que (?:esto )?(?:le )?ayude)",
        r"(?:fuentes?|referencias?)\s*:?\s*[\W\d]*",
        (
            r"(?:esto|eso|lo anterior|(?:esta|mi) (?:respuesta|información)) no (?:sustituye|reemplaza|"
            r"constituye|es|supone)"
            r"[^,;:0-9]{0,40}?\b(?:consejo|asesoramiento|opinión|consulta|dictamen)\b[^,;:0-9]{0,40}"
        ),
    ),
    guesses=(
        r"\b(?:probablemente|quizás?|tal vez|seguramente|posiblemente|normalmente|generalmente|por lo general|"
        r"en general|"
        r"suele[n]?|habitualmente|la mayoría de|supongo|calculo|creo que|imagino|diría)\b"
    ),
    yes_or_no=r"(?:sí|si|no)\b(?=\W*$|[,.!:;])",
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
    telling=_TELLING,
    referring=(
        r"\b(?:ayud\w*|echamos|contact\w*|consult(?:ar|e|a)\w*|pregúnt\w*|pregunt\w*|dirij\w*|diríj\w*|acud\w*|póngase|"
        r"ponte en contacto|poner\w* en contacto|pasar\w* con|transfer\w+|orient\w*|atender\w*|atenderá\w*|"
        r"persona indicada|preguntas?|inform[ae]\w*|indíque\w*|"
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
    asks_how_much=r"\bcuánt[oa]s?\b",
    asks_how_to=r"\b(?:cómo (?:puedo|se|hago|\w+o)|qué (?:hago|debo|hacer))\b",
    asks_openly=r"\b(?:qué|cómo|cuál(?:es)?|dónde|cuándo|quién(?:es)?)\b",
    goes_on="el la los las un una unos unas de del y o en con para por al que su sus nuestro nuestra cada si",
)
