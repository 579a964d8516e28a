"""Dutch."""

from __future__ import annotations

from raggate_action.core.text.languages.language_rules import LanguageRules, SourceLead
from raggate_action.core.text.number_words import number_pattern

# What is put before the app to answer from; what a firm writes to its customers is not among it: letters, bills, mail.
_READ = (
    r"\w*(?:document(?:en|atie)?|bron(?:nen)?|stukken|tekst(?:en)?|context|handleiding(?:en)?|handboek|rapport(?:en)?|"
    r"verslag(?:en)?|notulen|lijst(?:en)?|artikel(?:en)?|bijlagen?|brochure|folder|bijsluiter|passages?|"
    r"fragment(?:en)?|pagina(?:'s)?|kennisbank|website|menukaart|faq|tabel(?:len)?|"
    r"bestand(?:en)?|gids|(?:(?<=\bde )|(?<=\bdeze )|(?<=bare )|(?<=verstrekte )|(?<=leverde ))informatie)"
)
# Of these, what nobody but one who answers from them speaks of: a list may have no prices in it.
_GIVEN = r"\w*(?:document(?:en|atie)?|bron(?:nen)?|stukken|tekst(?:en)?|context|fragment(?:en)?|passages?|notulen)"
# And what has rules of its own: "the contract does not cover theft" is a fact about the contract.
_SOURCE = rf"(?:{_READ}|\b(?:polis|contract|overeenkomst|voorwaarden|reglement|richtlijn(?:en)?|beleid))"
# Behind "dat" stands what is known after all: "ik weet dat het niet open is".
_SOME = r"(?:(?!dat\b)[^\s,;]+ ){0,5}?"
_NONE = r"(?:niets?|niks|geen(?: enkele?)?|nergens|evenmin)"
_INFORMATION = (
    r"(?:informatie|info|gegevens|antwoord(?:en)?|aanwijzing(?:en)?|vermelding|toelichting|details?|kennis|toegang|"
    r"inzicht|zicht|idee|uitsluitsel|advies)\b"
)
# What is asked for, as a word of it.
_DETAIL = (
    rf"(?:{_INFORMATION}|\w*(?:prij(?:s|zen)|termijn(?:en)?|datum|data|dag(?:en)?|tijd(?:en|stip)?|jaar|bedrag(?:en)?|"
    r"tarie(?:f|ven)|kosten|na(?:am|men)|nummers?|adres(?:sen)?|aantal(?:len)?|cijfers?|percentages?|redenen|reden)\b)"
)
_TELL = (
    r"(?:zeggen|beantwoorden|vinden|terugvinden|bevestigen|vertellen|vaststellen|helpen|noemen|opmaken|afleiden|"
    r"beoordelen|antwoorden|achterhalen|nagaan|inzien|inschatten|adviseren|bepalen)\b"
)
_TOLD = (
    r"(?:vermeld|genoemd|beschreven|aangegeven|gespecificeerd|omschreven|gedocumenteerd|toegelicht|gezegd|"
    r"(?:terug )?te vinden|bekend)\b(?! als\b)"
)
# What stands elsewhere than in sources: "the price is not stated on the bill" is a fact about the bill.
_ELSEWHERE = (
    r"\b(?:op|in|aan|bij|per|via) (?:(?:de|het|een|uw|je|jouw|onze?|mijn|deze|dit|die|elke?|ieder) )?"
    rf"(?!(?:\w+ ){{0,3}}?{_SOURCE})\w"
)
_IN_SOURCES = rf"^(?=.*\b(?:in|op|uit) (?:\w+ ){{0,3}}?{_SOURCE})"
_IN_GIVEN = rf"^(?=.*\b(?:in|op|uit) (?:\w+ ){{0,3}}?{_GIVEN})"
# A firm that speaks of itself names how, when or to whom it does not: that is its policy.
_POLICY = (
    r"\b(?:telefonisch|schriftelijk|mondeling|per|via|zonder|vooraf|tenzij|na|buiten|bij|aan (?:de|een|derden|"
    r"particulieren)|in het weekend|op \w+dag(?:en)?)\b"
)
_SPEAKER = r"(?:ik|we|wij)"
_OPEN = r"(?:of|hoe\w*|wat|welke?|wie|waar\w*|wanneer)\b"
# The same in broad strokes, in any order.
_NOT = r"(?:niets?|niks|nergens|geen|noch|niemand|zonder|nooit|evenmin)\b"
_SAID = (
    r"(?:vermeld\w*|noem\w*|genoemd|zeg(?:t|gen)|gezegd|staa[nt]|aangegeven|geeft|geven|beschr\w+|omschr\w+|"
    r"behandel\w*|"
    r"besproken|ingegaan|specifi\w+|toegelicht|uitgelegd|melding|beantwoord\w*|uitsluitsel|informatie|duidelijk|"
    r"bekend|gedocumenteerd|terug te vinden|te vinden|blijkt|op te maken|af te leiden)\b"
)
_HELD = r"(?:in|opgenomen|bevat(?:ten)?|beschikbaar|aanwezig|erbij|hierover|daarover|over)\b"
_KNOWING = (
    r"(?:weet|weten|zeg\w*|beantwoord\w*|vind\w*|vond|gevonden|bevestig\w*|vertel\w*|help\w*|noem\w*|beoorde\w+|"
    r"informatie|gegevens|antwoord\w*|toegang|inzicht|idee|bekend|zeker|advies|adviseren|achterhal\w+|nagaan|zie|zien|"
    r"inzien|speculeren|gokken|uitspraken?|bevoegd|kennis)\b"
)
_LACKING = r"\b(?:ontbre\w+|ontbrak|weggelaten|onvermeld)\b"
_INFORMING = (
    rf"(?:{_SOURCE}|\w*(?:bericht(?:en)?|mededeling(?:en)?|programma|boek|blad|overzicht|samenvatting|hoofdstuk|"
    r"paragraaf|verslag|wiki))"
)
# A source of any name.
_PAPER = (
    rf"(?:{_INFORMING}|\w*(?:lijst|kaart|boekje|contract|rooster|dienstregeling|plattegrond|map|formulier|kopie|"
    rf"rapport|"
    r"tabel))"
)

RULES = LanguageRules(
    common=(
        "de het een en is van in op te voor niet dat zijn met wordt er ik u we je aan bij ook maar geen kan kunt naar "
        "over daar niets nee weet deze dit"
    ),
    leaning=(
        r"(?:hij|zij|ze|het|hem|haar|hun|zijn|die|dat|deze|dit|daar\w*|hier\w*|er\w*|beide|zulke|dezelfde|hetzelfde|"
        r"anders|echter|ook|dan|bovendien|laatstgenoemde|eerstgenoemde)\b"
    ),
    source_lead=SourceLead(
        opening=(
            "(?:volgens|op basis van|op grond van|zoals (?:vermeld|beschreven|aangegeven) in|blijkens) (?:(?:de|het|"
            "deze|dit|uw|onze|ons|mijn) )?"
        ),
        before="(?:verstrekte|aangeleverde|beschikbare|bijgevoegde|gegeven|bovenstaande|gedeelde)",
        nouns=(
            "documenten?|documentatie|bron|bronnen|context|teksten?|fragmenten|passages?|beleid|handleiding|handboek|"
            "contract|voorwaarden|informatie|reglement|richtlijnen|kennisbank|website|rapport|gegevens"
        ),
        behind="hierboven|hieronder|die (?:u|je) (?:hebt|heeft) (?:gedeeld|verstrekt)",
        courtesy=(
            "(?:heel )?graag(?: gedaan)?|antwoord|kortom|natuurlijk|uiteraard|zeker|met plezier|geen probleem|goede "
            "vraag|goed nieuws|(?:hartelijk )?(?:dank|bedankt)(?: voor (?:uw|je) \\w+)?|hallo|hier is (?:het|uw|je) "
            "antwoord"
        ),
    ),
    hint=(
        r"niet|niks|geen\b|nergens|noch\b|evenmin|buiten|onbekend|zwijg|alleen|ontbr|onvoldoende|te weinig|leeg\b|"
        r"onduidelijk|eindig|schuldig|houd(?:t|en) op|sla(?:at|an)\b|gokken|breken af|breekt af|afgekapt|"
        r"onleesbaar|zwartgelakt|slechts"
    ),
    denies_nothing=(
        r"\bzonder (?=(?:\w+ )?(?:kosten|toeslag)\b)|\bniet alleen (?=.*\bmaar\b)|"
        r"\bniet (?=(?:later|eerder) dan\b|(?:meer|langer|minder) dan (?:[0-9]|(?:een|"
        rf"{number_pattern('nl')})\b))"
    ),
    declines=(
        # the speaker
        rf"\b(?:{_SPEAKER} (?:weet|weten)|(?:weet|weten) {_SPEAKER}) {_SOME}niet\b",
        (
            rf"\b(?:ik (?:kan|kon|mag|durf|wil)|(?:kan|kon|mag|durf|wil) ik) (?:(?:dat|dit) )?{_SOME}{_NONE} "
            rf"{_SOME}{_TELL}"
        ),
        (
            rf"^(?!.*{_POLICY}).*?\b(?:(?:wij|we) (?:kunnen|konden|mogen)|(?:kunnen|konden|mogen) (?:wij|we)) "
            rf"(?:(?:dat|dit) )?{_SOME}{_NONE} {_SOME}(?!helpen|inzien){_TELL}"
        ),
        (
            rf"\b(?:{_SPEAKER} (?:heb|hebben|vind|vinden|vond|zie)|(?:heb|hebben|vind|vinden|vond|zie) {_SPEAKER}) "
            rf"{_SOME}(?:geen|onvoldoende|te weinig) {_SOME}{_INFORMATION}(?! nodig)"
        ),
        (
            rf"\b(?:{_SPEAKER} (?:kan|kunnen|mag|mogen|durf)|(?:kan|kunnen|mag|mogen|durf) {_SPEAKER}) {_SOME}geen "
            rf"{_SOME}(?:antwoord|uitsluitsel|uitspra(?:ak|ken)|oordeel|zinnig)\b"
        ),
        rf"\b(?:ik heb|heb ik) {_SOME}{_NONE} {_SOME}(?:kunnen|weten te) {_TELL}",
        rf"\b{_SPEAKER} {_SOME}het antwoord {_SOME}schuldig\b",
        r"\bmij (?:\S+ ){0,2}?(?:niets? (?:\S+ )?(?:bekend|duidelijk)|onbekend|onduidelijk)\b",
        rf"\bmij ontbr\w+ {_SOME}{_INFORMATION}|\bontbr\w+ mij {_SOME}{_INFORMATION}",
        (
            rf"\b(?:{_SPEAKER} beschik(?:ken)?|beschik(?:ken)? {_SPEAKER}) {_SOME}(?:niet over|over (?:onvoldoende|"
            r"te weinig))\b"
        ),
        (
            rf"\b(?:{_SPEAKER} (?:vind|vinden|vond|zie)|(?:vind|vinden|vond|zie) {_SPEAKER}) "
            rf"{_SOME}(?:(?:niets|nergens) {_SOME}over\b|geen {_SOME}{_DETAIL} {_SOME}(?:in|op) {_SOME}{_SOURCE})"
        ),
        r"\b(?:ik ben|ben ik) (?:\S+ ){0,3}?niet (?:zeker|op de hoogte|bevoegd|in staat|de juiste)\b",
        r"\b(?:ik kan|kan ik) (?:\S+ )?alleen (?:\S+ ){0,3}?(?:vragen|helpen|informatie)\b",
        # sources that are silent
        rf"\b{_SOURCE} (?:staa[nt]|lees ik|komt|komen) {_SOME}{_NONE}\b",
        rf"\bstaa[nt] {_SOME}{_NONE} {_SOME}(?:in|op) {_SOME}{_SOURCE}",
        (
            rf"\b{_SOURCE} (?:[^\s,;]+ ){{0,3}}?(?:vermeld(?:t|en)|noem(?:t|en)|zeg(?:t|gen)|beschrij(?:ft|ven)|"
            rf"specificer(?:en)|specificeert|beantwoord(?:t|en)|gaa[nt]|geeft aan|geven aan) {_SOME}{_NONE}\b|"
            rf"\b{_SOURCE} {_SOME}(?:dat |dit )?(?:niets?|geen) {_SOME}(?:vermeld(?:t|en)|noem(?:t|en)|zeg(?:t|gen))\b"
        ),
        rf"\b{_SOURCE} (?:\S+ ){{0,3}}?zwijg(?:t|en)\b",
        (
            rf"\b{_SOURCE} (?:[^\s,;]+ ){{0,3}}?(?:bevat(?:ten)?|geeft|geven|biedt|bieden) {_SOME}geen "
            rf"{_SOME}{_INFORMATION}(?! (?:aan|tot)\b)|"
            rf"\b{_GIVEN} (?:bevat(?:ten)?|geeft|geven) {_SOME}geen {_SOME}{_DETAIL}"
        ),
        rf"\b(?:doe[nt] {_SOME}{_SOURCE}|{_SOURCE} doe[nt]) {_SOME}geen uitspra(?:ak|ken)\b",
        rf"\b{_SOURCE} blijkt {_SOME}(?:niet|nergens)\b|\bblijkt {_SOME}(?:niet|nergens) {_SOME}uit {_SOME}{_SOURCE}",
        rf"\b{_DETAIL} ontbr\w+ {_SOME}(?:in|uit) {_SOME}{_GIVEN}",
        # what is not there
        (
            rf"\ber (?:is|zijn) {_SOME}(?:geen|onvoldoende|te weinig) {_SOME}{_INFORMATION}(?= (?:over|beschikbaar|"
            r"bekend|gevonden|te vinden|van|in|hier)\b|\W*$)"
        ),
        (
            rf"{_IN_SOURCES}.*?\b(?:wordt|worden|staa[nt]|is|zijn) {_SOME}(?:niets?|nergens) {_SOME}{_TOLD}|"
            rf"{_IN_GIVEN}.*?\b(?:wordt|worden|staa[nt]|is|zijn) {_SOME}{_NONE} {_SOME}(?:{_TOLD}|opgenomen\b)"
        ),
        (
            rf"^(?!.*{_ELSEWHERE}).*?\b(?:wordt|worden|staa[nt]) (?:{_SOME}(?:niets|nergens)|"
            rf"(?:dat|dit|daar\w*|hier\w*) {_SOME}niet) {_SOME}{_TOLD}"
        ),
        rf"\bstaa[nt] (?:\S+ )?nergens (?:\S+ )?{_OPEN}",
        r"^niet (?:waar|hoe(?:veel)?|wanneer|welke?|waarom) (?:de|het|een|er|u|je|ik|deze|dit|die|dat)\b",
        rf"\bis (?:\S+ ){{0,3}}?(?:niet (?:\S+ )?duidelijk|onduidelijk) {_OPEN}",
        r"\b(?:valt|is|zijn) (?:\S+ ){0,6}?niet (?:\S+ ){0,3}?(?:op te maken|af te leiden|te achterhalen|te zeggen)\b",
        # what is not ours to answer
        rf"\bbuiten (?:mijn|onze?|wat ik|het bereik|(?:de|deze) (?:\S+ )?{_READ})\b",
        # words that stand alone
        (
            rf"^(?:onbekend|geen idee|(?:helaas )?(?:niet {_TOLD}|geen {_INFORMATION}))(?: (?:in|over|van|gevonden|"
            r"beschikbaar)\b.*)?\W*$"
        ),
    ),
    denials=(
        # What the speaker was given ends before what was asked.
        (
            r"^(?!.*\b(?:als|indien|reden\w*|probleem|bezwa\w+|twijfel)\b)"
            r"(?=.*\b(?:die ik|dat ik|wat ik|mijn|heb ik|ik heb|(?:aan )?mij)\b)"
            r"(?=.*\b(?:niet|niets|geen|nergens|alleen|slechts|houdt op|eindigt|breekt af|breken af)\b)"
            rf"(?=.*\b(?:{_PAPER}|gekregen|ontvangen|meegekregen|gezien|getoond|verstand)\b)"
        ),
        (
            rf"\b{_PAPER}\b.{{0,60}}?\b(?:houd(?:t|en) op|eindig(?:t|en) (?:bij|met|voor)|(?:breekt|breken) af|"
            r"sla(?:at|an) .{1,40} over|met geen woord|(?:is|zijn) (?:afgekapt|onleesbaar|zwartgelakt|onvolledig))\b|"
            rf"\bgeen woord\b.{{0,40}}\b{_PAPER}|\brep(?:t|pen) .{{0,40}}met geen woord\b"
        ),
        # Sayings of one who does not know.
        (
            r"\bantwoord schuldig\b|\b(?:ik )?zou (?:ik )?moeten gokken\b|\bgeen (?:flauw )?idee\b|"
            r"\bgeen verstand van\b|"
            r"\bniet mijn (?:vak|terrein|gebied|onderwerp)\b|\bweet ik zo niet\b|\bmag ik niet (?:delen|zeggen|"
            r"vertellen|geven)\b|\bheb ik geen verstand\b"
        ),
        r"^(?:geen|niet een) (?:enkel )?(?:woord|vermelding|spoor|aanwijzing)\b|^(?:maar )?niet (?:de|het) _\W*$",
        r"\b(?:zegt|zeggen|vermeldt|vermelden|meldt|melden) niet of\b",
        rf"\buit (?:de|het) (?:\w+ )?{_PAPER} blijkt niet\b",
        # A clause on sources that denies telling.
        rf"^(?!een )(?=.*\b{_INFORMING}\b)(?=.*\b{_NOT})(?=.*\b(?:{_SAID}|{_HELD}))",
        rf"\b{_INFORMING}\b.{{0,60}}?{_LACKING}|{_LACKING}.{{0,60}}?\b{_INFORMING}\b",
        (
            r"\b(?:laat|laten|blijft|blijven)\b.{0,60}?\b(?:open|on(?:duidelijk|beantwoord|vermeld|bekend)|"
            r"in het midden)\b"
        ),
        # An open question stands in it.
        r"\b(?:niet|on)\s?(?:duidelijk|bekend|zeker|na te gaan)\b.{0,30}?\bof\b",
        # The speaker.
        rf"^(?!.*\b(?:als|wanneer|staat|zegt)\b)(?=.*\b(?:ik|mij|me)\b)(?=.*\b{_NOT})(?=.*\b{_KNOWING})",
        (
            r"^(?=.*\b(?:ik|wij|we|assistent\w*|chat\w*)\b)(?=.*\b(?:alleen|uitsluitend|enkel|slechts)\b)"
            r"(?=.*\b(?:vragen?|help\w*|beantwoord\w*|informatie)\b)"
        ),
        r"\b(?:buiten|geen deel|hoort niet|valt niet)\b.{0,30}?\b(?:mijn|onze?|taken|bereik)\b",
    ),
    bare_denials=(
        rf"^(?!.*{_ELSEWHERE}).*?\b{_NOT}.{{0,60}}?\b(?!informatie){_SAID}",
        rf"^(?!.*{_ELSEWHERE}).*?\b{_SAID}.{{0,60}}?\b{_NOT}",
        r"\b(?:onbekend|onduidelijk|ontbre(?:ekt|ken))\b",
    ),
    obstacles=(
        r"\bgeen (?:\w+ )?(?:bezwa(?:ar|ren)|probleem|problemen|belemmering\w*|reden)\b|"
        r"\bgeen (?:bekende\b|(?!(?:\w+ )?(?:informatie|gegevens|details)\b)(?:\w+ ){1,3}?bekend\b)"
    ),
    excuses=(r"\b(?:als|indien|wanneer|zegt|meldt)[ ,:\"“„']*",),
    turns=(
        r",?\s*\b(?:maar|echter|dus|daarom|derhalve|niettemin)\b,?\s*",
        r",\s*(?:en|zodat|hoewel)\b\s*",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    concludes=r"\b(?:dus|daarom|derhalve|zodat)\b",
    objects=r"\b(?:maar|echter|niettemin|hoewel)\b",
    because=r",?\s(?:omdat|want|aangezien|doordat)\s",
    subordinates=(r"(?:omdat|aangezien|hoewel|terwijl)\b",),
    subject=rf"(?:de|het|deze|dit|uw|je|mijn|onze?|in de|in het|op de) (?:\w+ ){{0,2}}?{_INFORMING}\b",
    same_source=(
        r"(?:(?:ze|zij|het|hij|daarin) )?(?=(?:noem(?:t|en)|vermeld(?:t|en)|zeg(?:t|gen)|geeft|geven|laat|laten|"
        r"zwijg(?:t|en)|beschrij(?:ft|ven))\b)"
    ),
    harmless=(
        (
            rf"{_SPEAKER} (?:heb|hebben|begrijp|begrijpen|zou|zouden)\b (?:\S+ ){{0,6}}?(?:gezocht|gecontroleerd|"
            r"doorzocht|gekeken|nagekeken|gelezen|uw|graag)\b"
        ),
        (
            rf"(?:de|het|deze|dit|in de|in het|uw|onze?|mijn) (?:\w+ ){{0,2}}?{_SOURCE} (?:(?!niet|geen)\S+ ){{0,8}}?"
            r"(?:vermeld|noem|behandel|beschrij|bevat|gaat|gaan|somt|geeft|geven)\w*\b"
        ),
        (
            rf"(?:helaas )?(?:beschrijft|beschrijven|noemt|noemen|vermeldt|vermelden|bevat(?:ten)?|behandel(?:t|en)) "
            rf"(?:de|het) (?:\w+ )?{_SOURCE} (?!niet|geen)"
        ),
        r"dat is een (?:goede|terechte|interessante) vraag",
    ),
    about=(
        (
            r"(?:(?:de|het|deze|dit|uw|in de|in het) (?:\w+ ){0,2}?(?:documenten?|fragment(?:en)?|passages?|"
            r"pagina(?:'s)?|tekst(?:en)?|bronnen|bijlagen?|bestand(?:en)?|stukken|lijst(?:en)?|tabel(?:len)?|notulen)|"
            r"ze|zij) (?:\w+ ){0,2}?(?:gaa[nt] (?:alleen )?over|behandel(?:t|en)|eindig(?:t|en)|stop(?:t|pen)|"
            r"betref(?:t|fen)|(?:is|zijn) (?:\w+ ){0,2}?(?:leeg|onvolledig))\b"
        ),
        r"ik ben (?:slechts |alleen |maar |enkel )*(?:een .{0,30}(?:assistent|chatbot)|er voor)\b",
    ),
    refers=(
        (
            r"(?:(?:u|je) kunt |gelieve |dan )?(?:neemt? (?:gerust |dan |even |u )?contact|contact opnemen|"
            r"vraag (?:het |dit )?(?:aan|bij|na)|raadpleeg|bel (?:ons|met|de|het)|mail (?:ons|naar)|stuur ons)\b"
        ),
        (
            r"(?:onze|ons|de|het|een) (?:[\w-]+ ){1,3}?(?:kan|kunnen|helpt|helpen|weet|weten|zal|zullen) (?:u|je|hier|"
            r"hierbij|daar|daarbij|graag|vast|verder)\b"
        ),
        r"(?:u|je) kunt (?:hiervoor |daarvoor )?(?:uw|je|een|de|onze) \S+ (?:bellen|mailen|raadplegen|vragen)$",
        r"laat (?:het )?(?:me|mij|ons) (?:gerust )?weten\b",
        r"als (?:u|je) [^,]{1,80}, (?:kan ik|kunnen we|help ik|stuur|neem)\b",
    ),
    promises=(
        r"(?:wij|we|onze? [\w-]+|een [\w-]+) (?:(?:bel|informer)(?:len|t|en) (?:u|je)|informeert (?:u|je)|"
        r"(?:nemen|neemt) (?:\w+ ){0,3}?contact (?:\w+ )?(?:op )?met (?:u|je)|laten (?:u|je) \w+ weten|"
        r"laten het (?:u|je) weten)\b"
    ),
    embedded=r"\b(?:of|hoe|wat|welke?|wie|waar|wanneer)\b[^,;]*",
    report=r"\W*(?:(?:alleen|slechts) )?dat\b",
    fact=(
        r"\b(?:is|zijn|was|heeft|hebben|moet|moeten|bevat|kost|want|omdat|uiterlijk|minstens|minimaal|maximaal|binnen|"
        r"vooraf|schriftelijk|na (?:de|het|een)|tweemaal|dagelijks|elke?|(?:maan|dins|woens|donder|vrij|zater|"
        r"zon)dag)\b"
    ),
    courtesy=(
        r"(?:hallo|hoi|goede(?:morgen|middag|navond)|beste \w+|geachte \w+)(?: \w+)?",
        r"(?:hartelijk |heel erg )?(?:bedankt|dank|dank (?:u|je)(?: wel)?|dank(?:u|je)wel)(?: voor (?:uw|je|de) \w+)?",
        r"graag gedaan|natuurlijk|uiteraard|helaas|goede vraag|(?:nog )?een (?:fijne|prettige) dag(?: verder)?|oeps",
        r"(?:het )?spijt (?:me|mij)(?: zeer)?|sorry|(?:mijn |onze )?excuses|ik hoop dat (?:dit|dat) (?:u |je )?helpt",
        r"(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?",
        r"(?:bron(?:nen)?|antwoord)\s*:?\s*[\W\d]*",
        (
            r"(?:dit|dat|deze informatie|(?:dit|mijn) antwoord) (?:is|vervangt) geen [^;:0-9]{0,40}?\w*(?:advies|arts|"
            r"advocaat)"
        ),
    ),
    guesses=(
        r"\b(?:waarschijnlijk|vermoedelijk|misschien|wellicht|mogelijk|doorgaans|meestal|gewoonlijk|"
        r"normaal (?:gesproken|is|zijn|wordt|worden|kost|duurt)|over het algemeen|in de regel|"
        r"ik (?:denk|vermoed|schat|neem aan|gok))\b"
    ),
    hypothetical=r"\bzou(?:den)?\b",
    yes_or_no=r"(?:ja|nee)\b(?=\W*$|[,.!:;])",
    lacks=r"(?:niets?|geen|noch) ",
    speaker=r"(?:\w+ ){0,2}?(?:ik|mij|me|mijn)\b(?! (?:raad|adviseer|kan bevestigen|zou))",
    sources=(
        r"\b(?:pagina(?:'s)?|hoofdstuk\w*|artikel\w*|document\w*|fragment\w*|rapport\w*|alinea\w*|bron\w*|bestand\w*|"
        r"notulen|paragra\w*)\b"
    ),
    knowing=(
        rf"\b(?:{_READ}|{_INFORMATION}|{_TELL}|{_TOLD}|vraag|vragen|onderwerp\w*|zegt|noemt|weet|weten|staat|duidelijk|"
        r"hierin|daarin|hier|daar|daarover|hierover|erover)\b"
    ),
    telling=(
        rf"\b(?:{_SAID}|{_HELD}|{_KNOWING}|expliciet|precies\w*|exact\w*|helaas|momenteel|hiervan|daarvan|vraag|punt|"
        r"woord|datum|naam|bedrag|getal|enkel\w*|verder\w*|verstrekt\w*|beschikbare?|aangeleverd\w*|gegeven|worden|"
        r"blijft|blijven|laat|laten|open|onduidelijk|onbekend|ontbre\w+)\b"
    ),
    referring=(
        r"\b(?:help\w*|contact|vraag|vragen|navragen|informeren|raadpleeg\w*|doorverbind\w*|verwijz\w*|terecht|"
        r"klantenservice|website|kijk\w*|informatie|stuur\w*|uploaden)\b"
    ),
    courteous=(
        r"\b(?:alstublieft|helaas|sorry|spijt|excuses|bedankt|dank\w*|graag|gerust|bel(?:t|len)?|mail(?:t|en)?|"
        r"stuur\w*|\w*team|"
        r"personeel|collega\w*|medewerkers?|service\w*|\w+service|support|afdeling|\w*adviseurs?|huisarts|dokter|"
        r"apotheker|"
        r"advocaat|balie|receptie|groet\w*|probeer\w*|verder\w*|als (?:u|je)|website)\b"
    ),
    # "Wie" is how in German, so who stands in no list here.
    asks_who=r"\bvan wie\b",
    asks_how_much=r"\bhoe(?:veel| (?:vaak|lang|hoog|groot|oud|ver|duur|diep|snel|laat|breed|zwaar))\b",
    asks_how_to=r"\b(?:hoe (?:kan|moet|\w+) (?:ik|we)|wat (?:moet|kan) (?:ik|we))\b",
    asks_openly=r"\b(?:wat|welke?|waarmee|waarvoor)\b|^hoe\b",
    open_point=r"\b(?:waar|wanneer|waarom)\b",
    goes_on="de het een en of van met voor bij uit om te dat als onze uw hun elke elk",
)
