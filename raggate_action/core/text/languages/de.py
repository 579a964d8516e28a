"""German."""

from __future__ import annotations

from raggate_action.core.text.languages.language_rules import LanguageRules, SourceLead
from raggate_action.core.text.number_words import number_pattern

_SOURCE = (
    r"(?:\w*(?:dokument(?:e|en|ation)?|unterlagen?|quellen?|richtlinien?|texte?|textstellen?|kontext|speisekarte|karte|"
    r"handbuch|vertrag|regelung|leitfaden|bericht|protokoll|liste|katalog|abschnitte?|artikel|angaben|informationen|"
    r"anleitung|packungsbeilage|prospekt|broschüre|auszug|auszüge?n?|ausschnitte?n?|passagen?|seiten?|datenblatt|"
    r"beschreibung|"
    r"vereinbarung|ordnung|material(?:ien)?|hinweise|wissensdatenbank|website|merkblatt|faq))"
)
_SOME = r"(?:[^\s,]+ ){0,6}?"
_NONE = r"(?:nichts?|nirgend(?:s|wo)|keine?[mnrs]?|weder)"
_INFORMATION = (
    r"(?:informationen|informationsmaterial|infos?|angaben?|hinweise?|auskunft|auskünfte|antwort(?:en)?|"
    r"kenntnis(?:se)?|"
    r"daten|einzelheiten|details|erwähnung|regelung|artikel|eintrag|einträge|rede|ahnung|zugriff|einblick|aussagen?|"
    r"rat|beratung|rechtsberatung|empfehlung)\b"
)
_TELL = (
    r"(?:sagen|beantworten|finden|bestätigen|mitteilen|feststellen|weiterhelfen|helfen|nennen|angeben|entnehmen|"
    r"beurteilen|antworten|machen|geben|ermitteln|ableiten|herauslesen|klären|erkennen|sehen|einsehen|prüfen|"
    r"entdecken|ersehen|beziffern|einschätzen)\b"
)
_TOLD = (
    r"(?:angegeben|erwähnt|genannt|beschrieben|dokumentiert|aufgeführt|vermerkt|ersichtlich|spezifiziert|hinterlegt|"
    r"geregelt|festgehalten|thematisiert|behandelt|angesprochen|beantwortet|definiert|zu (?:entnehmen|finden|lesen)|"
    r"bekannt)\b"
)
# The same in broad strokes, in any order.
_NOT = r"(?:nicht|nichts|nirgend\w*|keine?[mnrs]?|keinerlei|weder|niemand|ohne|nie|niemals)\b"
_SAID = (
    r"(?:erwähn\w*|nenn\w*|genannt|benannt|(?:ge)?sag\w*|steh(?:en|t)|ang(?:eben|egeben|ibt)|beschr[ei]\w+|behandel\w*|"
    r"besprochen|(?:dar)?auf .{0,40}ein|ein(?:zu|ge)?geh\w*|eingegangen|äußer\w*|hervor\w*|spezifizier\w*|präzisier\w*|"
    r"erläuter\w*|erklär\w*|thematisier\w*|(?:ge)?regelt?|beantworte\w*|auskunft|aufschluss|hinweise?|angaben?|"
    r"information\w*|klar|eindeutig|ersichtlich|bekannt|dokumentiert|aufgeführt|vermerkt|festgelegt|definiert|"
    r"beziffer\w*|"
    r"verzeichnet|ausgeführt|angesprochen|entnehmen|find(?:en|et)|gefunden|ergibt|rede|thema|verr[aä]t\w*|erkennen|"
    r"beurteilen|feststellen|klären|bestimmen)\b"
)
_HELD = r"(?:vor\w{0,7}|offen|enthalten|enthält|darunter|dabei|drin|aus|ein|hin|her)\b"
_KNOWING = (
    r"(?:wiss\w*|weiß|wüsste|sag\w*|beantwort\w*|find\w*|fand|gefunden|bestätig\w*|mitteil\w*|weiterhelf\w*|helf\w*|"
    r"nenn\w*|ang(?:eb\w*|aben?)|beurteil\w*|auskunft|auskünfte|information\w*|infos?|daten|hinweise?|antwort\w*|"
    r"zugriff|"
    r"einblick|kenntnis\w*|ahnung|bekannt|sicher|leisten|rat|beratung|zusag\w*|ermittel\w*|klär\w*|erkenn\w*|seh\w*|"
    r"einseh\w*|spekulier\w*|raten|vor|liegen|liegt|entnehm\w*|zahl(?:en)?|werte?|möglich|dienen|äußern|einschätz\w*|"
    r"unterlagen|entdeck\w*|einträge?|artikel|weiter\w*|qualifizier\w*|informier\w*|befugt|berechtigt|"
    r"autorisier\w*|lage)\b"
)
_LACKING = r"\b(?:fehl(?:t|en|te|ten)|mangelt|vermiss\w+|ausgelassen|ausgespart)\b"
_TELLING = (
    rf"\b(?:{_SAID}|{_HELD}|{_KNOWING}|explizit|ausdrücklich|genau\w*|konkret\w*|leider|derzeit|aktuell|dazu|hierzu|"
    r"darüber|hierüber|davon|zur zeit|zum thema|bezüglich|angabe|frage|punkt|wort|datum|name|namentlich|betrag|zahl|"
    r"weiter\w*|irgend\w*|etwas|bereitgestellt\w*|vorliegend\w*|hochgeladen\w*|verfügbar\w*|vorhanden\w*|"
    r"gegeben\w*|möchte|"
    r"könnt\w*|würd\w*|werden|worden|bleib\w*|jeweils|hingegen|jedoch|dort|darin|hier|noch|bislang|zwar|"
    r"un(?:geklärt|klar|bekannt)|scheint|jede\w*|lässt|"
    r"lassen|gehör\w*|"
    r"fehl\w+)\b"
)
_INFORMING = (
    r"(?:\w*(?:dokument(?:e|en|s|ation)?|unterlagen?|quellen?|richtlinien?|texte?[sn]?|textstellen?|kontext|karte|"
    r"handbuch|"
    r"vertrags?|leitfaden|berichts?|protokolls?|liste|katalog|abschnitte?[sn]?|artikeln?|anleitung|"
    r"packungsbeilage|prospekt|"
    r"broschüre|auszug|auszüge?n?|auszugs|ausschnitte?n?|passagen?|seiten?|datenblatt|beschreibung|vereinbarung|"
    r"ordnung|"
    r"material(?:ien)?|wissensdatenbank|website|merkblatt|faq|buch|schreiben|tabellen?|dateie?n?|akten?|runbook|wiki|"
    r"meldung(?:en)?|mitteilung(?:en)?|programm|information|abstract|zusammenfassung|anhang|anhänge?n?|folien?|mail|"
    r"klausel|absatz|kapitel))"
)
# A source of any name.
_PAPER = (
    rf"(?:{_INFORMING}|\w*(?:tafel|plan|pläne|heft|blatt|blätter|zettel|mappe|karten?|bücher|ordner|urkunde|fahrplan|"
    r"protokoll|aufstellung))"
)

RULES = LanguageRules(
    common=(
        "der die das und ist sind nicht ein eine einen einem einer mit von zu zum zur auf für den dem des im wird "
        "werden kann können nach bei aus oder auch wenn ich sie wir es keine keinen kein leider bitte dazu mir uns "
        "dass ob an in so nur"
    ),
    leaning=(
        r"(?:er|sie|es|ihre?[nmrs]?|seine?[nmrs]?|dies\w*|jene\w*|das|hier|dort|beide\w*|solche\w*|andernfalls|sonst|"
        "jedoch|stattdessen|auch|dann|außerdem|da(?:für|bei|von|zu|mit|durch|gegen|nach|vor|rauf|rin|raus)|deren|"
        r"dessen|letztere\w*|erstere\w*)\b"
    ),
    source_lead=SourceLead(
        opening=(
            "(?:laut|gemäß|nach|entsprechend|basierend auf|wie in|auf (?:der )?(?:grundlage|basis)) (?:(?:de[rnms]|"
            "diese[rnms]|ihre[rnms]?|unsere[rnms]?) )?"
        ),
        before="(?:bereitgestellt|vorliegend|gegeben|angegeben|verfügbar|obig|genannt|beigefügt|hochgeladen)e[nrsm]?",
        nouns=(
            "unterlagen|dokument(?:e|en|s|ation)?|quellen?|richtlinien?|kontext(?:s|es)?|texte?[ns]?|auszüge?n?|"
            "auszugs?|handbuchs?|vertrags?|information(?:en)?|angaben|passagen?|abschnitte?[ns]?|leitfadens?|"
            "berichts?|anleitung|faq|materials?|materialien|wissensdatenbank|speisekarte|merkblatts?"
        ),
        behind="oben|angegeben|beschrieben|festgehalten|vermerkt",
        courtesy=(
            "gerne?|natürlich|selbstverständlich|klar|sicher(?:lich)?|kein problem|mit vergnügen|gute (?:frage|"
            "nachrichten?)|(?:(?:vielen|herzlichen) )?danke?(?: schön)?(?: für (?:ihre|die|deine) \\w+)?|hallo|guten "
            "(?:tag|morgen|abend)|kurz(?: gesagt|um)|wichtig|beachten sie|hinweis|zur information"
        ),
        announcing=(
            "antwort kurzantwort zusammenfassung ergebnis auskunft gilt folgendes besagt besagen steht sagt sagen "
            "wissen"
        ),
        beside=(
            "die der das den dem unser unsere unserer unseren unserem ihr ihre ihrer ihren es hier ist was in aus laut "
            "gemäß nach zu zur auf wie folgt wir ich sie uns kurze frage sollten dazu"
        ),
    ),
    hint=(
        r"nicht|nirgend|außerhalb|übersteigt|unbekannt|überfragt|schweig|ohne|bricht|widersprech|ausschließlich|"
        r"lediglich|einzig|zu wenig|ende[tn]\b|hör(?:t|en)\b|lässt\b|passen\b|raten\b|entzieht|schimmer|geschwärzt|"
        r"offen\b|drin\b|\b(?:kein|fehl|(?:weder|passen|nur)\b)|\bk\. ?a\b"
    ),
    denies_nothing=(
        r"\bohne (?=(?:\w+ )?(?:kosten|gebühr(?:en)?|aufpreis|aufschlag)\b)|\bnicht nur (?=.*\bsondern\b)|"
        r"\bnicht (?=(?:später|früher) als\b|(?:mehr|länger|weniger) als (?:[0-9]|ein|"
        rf"{number_pattern('de')}))|"
        r"(?<=vergessen sie )(?:bitte )?nicht "
    ),
    declines=(
        # the speaker
        rf"\b(?:weiß ich|ich weiß) {_SOME}nicht\b|\bweiß ich nicht\b",
        rf"\b(?:ich|wir) (?:kann|konnte|könnte|können|konnten|darf|dürfen|möchte|will) {_SOME}{_NONE} {_SOME}{_TELL}",
        rf"\b(?:kann|konnte|könnte|darf|möchte|können|konnten) (?:ich|wir) {_SOME}{_NONE} {_SOME}{_TELL}",
        (
            r"\b(?:ich (?:habe|hab|finde|sehe|besitze)|(?:habe|hab|finde|sehe) ich|(?:mir|uns) (?:liegen|liegt|"
            r"fehlen)|"
            rf"(?:liegen|liegt) (?:mir|uns)) {_SOME}(?:{_NONE}|zu wenige?) {_SOME}{_INFORMATION}"
        ),
        r"\b(?:ich bin|bin ich) (?:\S+ ){0,2}?(?:nicht (?:sicher|in der lage|befugt|der richtige)|überfragt)\b",
        rf"\bich {_SOME}{_NONE} {_SOME}{_INFORMATION} (?:finde|habe|sehe|finden konnte)\b",
        rf"\b(?:mir|uns) fehl(?:t|en) {_SOME}{_INFORMATION}",
        # sources that are silent
        rf"\b{_SOURCE} (?:[^,]{{0,60}} )?(?:steht|stehen|findet sich|finden sich|findet man) {_SOME}{_NONE}\b",
        rf"\b(?:steht|findet sich|finden sich) {_SOME}{_NONE} {_SOME}(?:in|im|auf) {_SOME}{_SOURCE}",
        (
            rf"\b(?:enthält|enthalten|geben|gibt|machen|macht|liefern|liefert|bieten|bietet|liegen|liegt|finden sich|"
            rf"es gibt|gibt es|existier\w+) {_SOME}keine?[nrs]? {_SOME}{_INFORMATION}(?! (?:benötigt|erforderlich|"
            r"nötig))"
        ),
        (
            rf"\b{_SOURCE} (?:[^\s,]+ ){{0,3}}?(?:erwähn(?:t|en)|nenn(?:t|en)|sag(?:t|en)|präzisier(?:t|en)|"
            r"spezifizier(?:t|en)|beschreib(?:t|en)|beantworte(?:t|n)|behandel(?:t|n)|geh(?:t|en) (?:\S+ )?auf|"
            rf"äußer(?:t|n) sich|regel(?:t|n)|verrät|verraten) {_SOME}{_NONE}\b"
        ),
        rf"\b{_SOURCE} (?:\S+ ){{0,3}}?schweig(?:t|en)\b|\bschweig(?:t|en) {_SOME}{_SOURCE}",
        r"\bgeh(?:t|en) (?:[^;]{1,90} )?nicht (?:\S+ ){0,3}?hervor\b|\bnicht (?:\S+ ){0,2}?hervorgeh(?:t|en)\b",
        rf"\b{_NONE}\b[^;]{{0,60}}\b(?:{_TOLD}|die rede)|\b(?:ist|sind|wird|werden) {_SOME}nicht {_TOLD}",
        rf"\bin keine[mnrs]? (?:der |dieser |davon)?(?:{_SOURCE} )?{_SOME}(?:wird|werden|ist|steht)\b",
        r"\bkomm(?:t|en) (?:\S+ ){0,3}?nicht vor\b|^nicht,? (?:wo|wie|wer|wann|welche\w*|ob|warum) ",
        rf"\bl(?:ässt|assen) sich [^;]{{0,80}}\bnicht (?:\S+ ){{0,2}}?{_TELL}",
        r"\baußerhalb (?:dessen, was ich|meine[rs]|der (?:unterlagen|dokumente))\b",
        # words that stand alone
        (
            rf"^(?:unbekannt|k\. ?a|(?:leider )?(?:nicht {_TOLD}|keine?n? {_INFORMATION}))(?: (?:in|dazu|zu|vor|"
            r"vorhanden|verfügbar)\b.*)?\W*$"
        ),
    ),
    denials=(
        # What the speaker was given ends before what was asked.
        (
            r"^(?!.*\b(?:wenn|falls|sofern|grund|gründe|problem\w*|bedenken|zweifel)\b)"
            r"(?=.*\b(?:(?:in|aus|laut|nach|auf) mein\w+|mir (?:vorlieg\w+|zur verfügung)|die (?:ich|mir)|mir)\b)"
            rf"(?=.*(?:\b{_NOT}|\b(?:nur|lediglich|hör(?:t|en)\b.*\bauf|ende[nt]+|bricht|brechen|reich(?:t|en) nur)\b))"
            rf"(?=.*\b(?:{_PAPER}|vorlieg\w+|mitgegeben|gegeben|bekommen|erhalten|gezeigt|überlassen|geschickt))"
        ),
        (
            rf"\b{_PAPER}\b.{{0,60}}?\b(?:hör(?:t|en)\b.{{1,40}}\bauf|ende[nt]+ (?:bei|mit|vor)|bricht\b.{{0,40}}\bab|"
            r"brechen\b.{0,40}\bab|lass(?:en|e)\b.{1,40}\baus|lässt\b.{1,40}\baus|überspring\w+|übergeh(?:t|en)|"
            r"(?:ist|sind|wurde) (?:geschwärzt|abgeschnitten|unleserlich|unvollständig))"
        ),
        # Sayings of one who does not know.
        (
            r"\b(?:muss|müsste) (?:ich|wir) (?:leider |da |hier )*(?:passen|raten|spekulieren)\b|\bmüsste ich raten\b|"
            r"\bkenne ich mich (?:leider |da )?nicht aus\b|\bich kenne mich\b.{0,40}\bnicht aus\b|"
            r"\bnicht mein (?:gebiet|fach|bereich|thema)\b|\bkeinen? (?:blassen |schimmer|schimmer)|\büberfragt\b|"
            r"\bentzieht sich meiner kenntnis\b|\b(?:bin|wäre) ich (?:leider )?(?:raus|überfragt)\b"
        ),
        (
            r"^(?:leider )?(?:kein(?:e|en|erlei)?|nicht ein) (?:einzige[sr]? )?(?:wort|hinweis\w*|eintrag|angaben?|"
            r"spur|silbe)\b"
        ),
        r"\b(?:findet|finden) sich hier (?:dazu )?(?:nichts|keine?[nrs]?)\b",
        (
            r"\b(?:da|hier)zu (?:steht|stehen|findet sich|finden sich)\b.{0,60}?\b(?:nichts?|keine?)\b|"
            r"\bschweig(?:t|en) sich\b.{0,40}?\baus\b|"
            rf"\b{_INFORMING}\b.{{0,60}}?\b(?:behandel\w+|betreffen|betrifft|bezieh\w+|befass\w+|handel\w+|gehen|"
            rf"geht)\b"
            r".{0,20}?\b(?:nur|ausschließlich|lediglich)\b(?! auf)"
        ),
        # A clause on sources that denies telling.
        rf"^(?!eine? )(?=.*\b{_INFORMING}\b)(?=.*\b{_NOT})(?=.*\b(?:{_SAID}|{_HELD}))",
        rf"\b{_INFORMING}\b.{{0,60}}?{_LACKING}|{_LACKING}.{{0,60}}?\b{_INFORMING}\b",
        (
            r"\b(?:lässt|lassen|bleib(?:t|en))\b.{0,60}?\b(?:offen|un(?:klar|beantwortet|erwähnt|genannt|bekannt)|"
            r"außen vor)\b"
        ),
        # An open question stands in it.
        rf"^(?!.*\b(?:egal|rolle|unabhängig|gleich)\b)(?=.*\bob\b).*?\b{_NOT}",
        # The speaker.
        rf"^(?!.*\b(?:wenn|falls|sofern|steht|sagt)\b)(?=.*\b(?:ich|mir)\b)(?=.*\b{_NOT})(?=.*\b{_KNOWING})",
        (
            r"^(?=.*\b(?:ich|wir|assistent\w*|chat\w*)\b)(?=.*\b(?:nur|ausschließlich|lediglich|einzig)\b)"
            r"(?=.*\b(?:fragen?|helfen|weiterhelfen|beantworte\w*|auskunft|zuständig|unterstütz\w*)\b)"
        ),
        (
            r"\b(?:außerhalb|übersteigt|nicht teil|fällt nicht|gehör(?:t|en) nicht)\b.{0,30}?\b(?:mein\w*|"
            r"unser\w*|dess\w+|"
            r"aufgaben\w*|zuständig\w*|rahmen|informationen|angaben)\b"
        ),
    ),
    bare_denials=(
        rf"\b{_NOT}.{{0,60}}?\b(?!information|angabe|hinweis|auskunft){_SAID}",
        rf"\b{_SAID}.{{0,60}}?\b{_NOT}",
        r"\b(?:unbekannt|unklar|offen|ungeklärt|fehl(?:t|en))\b",
    ),
    obstacles=(
        r"\bkeine?[nr]? (?:\w+ )?(?:einwände?|probleme?|hindernis\w*|bedenken|schwierigkeit\w*)\b|"
        r"\b(?:dagegen|im wege?)\b|"
        r"\bkeine? (?!(?:\w+ )?(?:information|angabe|einzelheit)\w*)(?:bekannten?\b|(?:\w+ ){1,3}?bekannt\b)"
    ),
    excuses=(r"\b(?:wenn|falls|sofern|sagt|besagt|steht)[ ,:]*",),
    turns=(
        r",\s*(?:aber|jedoch|allerdings)\b,?\s*",
        r",\s*(?=(?:[^\s,]+ ){1,5}(?:aber|jedoch|allerdings|hingegen|dagegen)\b)",
        r",?\s*\b(?:also|daher|deshalb|deswegen|somit|folglich|trotzdem|dennoch|demnach)\b,?\s*",
        r",\s*(?:doch|und|so dass|sodass|sondern)\b\s*",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
        r",\s*(?=(?:bitte|nicht(?! \S+$)|da (?:müsste|sollte))\b)",
    ),
    concludes=r"\b(?:also|daher|deshalb|deswegen|somit|folglich|demnach)\b",
    objects=r"\b(?:aber|jedoch|allerdings|doch)\b",
    subordinates=(r"\b(?:da|weil|denn|obwohl|während|auch wenn|wenngleich)\b",),
    subject=(
        rf"(?:(?:der|die|das|diese[rs]?|ihre?|mein\w*|unser\w*|in de[rmn]|im|"
        rf"auf de[rmn]) )(?:\w+ ){{0,2}}?{_INFORMING}\b"
    ),
    same_source=(
        r"(?:(?:sie|er|es|darin|dort) )?(?=(?:nenn(?:t|en)|erwähn(?:t|en)|mach(?:t|en)|sag(?:t|en)|lässt|lassen|"
        r"verr[aä]t(?:en)?|beschreib(?:t|en)|schweig(?:t|en))\b)"
    ),
    harmless=(
        (
            r"(?:ich|wir) (?:habe|haben|verstehe|verstehen|würde|bedaure)\b (?:\S+ ){0,6}?(?:gesucht|geprüft|"
            r"durchgesehen|durchsucht|nachgesehen|gefunden|ihre|gerne?)\b"
        ),
        (
            rf"(?:der|die|das|diese|in der|in den|im|ihre|unsere|mein\w*) (?:\w+ ){{0,2}}{_SOURCE} (?:(?!nicht|"
            rf"kein)\S+ ){{0,8}}?(?:erwähn|nenn|"
            r"behandel|beschreib|enthält|enthalten|liste|betreffen|betrifft|beziehen|bezieht|befass|regel|geht es|"
            r"geben|führ|rede)\w*\b"
        ),
        (
            rf"(?:in (?:den|der|dem|ihren|meinen)|im|auf der) (?:\w+ ){{0,2}}?{_SOURCE} (?:sind|ist|werden|wird|"
            r"stehen|steht|finde\w* sich) (?:nur|lediglich|ausschließlich)\b"
        ),
        r"das ist eine (?:gute|berechtigte|spannende) frage",
        r"ich kenne mich nur\b",
    ),
    about=(
        (
            r"(?:(?:der|die|das|den|dem|diese[rsn]?|ihre?|im|in den|in dem|in der) (?:\w+ ){0,2}?(?:dokumente?n?|"
            r"auszug|auszüge?n?|seiten?|textes?|"
            r"texte?n?|passagen?|quellen?|abschnitte?n?|akten?|datei|dateien|tabellen?|listen?|unterlagen|anhang)|"
            r"sie) (?:\w+ ){0,2}?"
            r"(?:(?:geht es|handel[nt]+) (?:nur )?(?:um|von)|behandel[nt]+|betreffen|betrifft|beziehen sich|"
            r"bezieht sich|ende[nt]+|"
            r"brechen ab|bricht ab|reich(?:t|en)|widersprechen|(?:ist|sind) (?:\w+ ){0,3}?(?:leer|unvollständig|"
            r"lückenhaft)|ließ(?:en)? sich nicht)\b"
        ),
        (
            r"ich bin (?:nur |leider |nur ein\w* |lediglich )*(?:ein\w* .{0,30}assistent\w*|für|kein\w*)\b|"
            r"das hängt von .{1,40} ab$"
        ),
    ),
    refers=(
        (
            r"(?:bitte |am besten |dann )?(?:wenden sie sich|wende dich|fragen sie|frag\b|kontaktieren sie|"
            r"rufen sie uns|"
            r"sprechen sie mit|schreiben sie uns)\b"
        ),
        (
            r"(?:das |der |die |unser |unsere |ein |eine )?[\w-]+ (?:kann|können|hilft|helfen|gibt|geben|weiß|wissen|"
            r"berät|"
            r"beraten) (?:sie|ihnen|dir|dich|euch|da|hier|dazu|gerne?|sicher|bestimmt|weiter)\b"
        ),
        (
            # What it ends in is looked at first.
            r"(?=[^,;]*en$)(?:da |bitte |am besten )?(?:müsste|sollten?|könn\w+)? ?(?:man |sie |"
            r"du )?[^,;]{0,40}\b(?:nach)?(?:fragen|erkundigen)$"
        ),
        r"(?:falls|wenn) (?:du|sie) [^,]{1,80}, (?:schick|schreib|melde|kann ich|können wir|helfe ich|sag)\w*\b",
        r"(?:bitte )?(?:geben|sagen) sie (?:mir|uns) (?:gerne? )?bescheid\b",
    ),
    promises=(
        r"(?:wir|unser[\w ]{1,30}?|ein\w* \w+) (?:melde[nt] (?:uns|sich)|rufen? sie|ruft sie|kontaktier(?:en|t) sie|"
        r"benachrichtig(?:en|t) sie|informier(?:en|t) sie|(?:werden uns|wird sich) bei ihnen melden)\b"
    ),
    embedded=r"\b(?:ob|wie|welche\w*)\b[^,;]*",
    fact=(
        r"\b(?:ist|sind|war|hat|haben|muss|müssen|enthält|kostet|weil|spätestens|mindestens|höchstens|innerhalb|vorher|"
        r"schriftlich|bis zum|nach (?:dem|der|ein\w+)|einmal|zweimal|täglich|jede[nsr]?|"
        r"(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?)\b"
    ),
    courtesy=(
        r"(?:hallo|guten (?:tag|morgen|abend)|liebe[r]? \w+)(?: \w+)?",
        r"(?:vielen |herzlichen )?dank(?: für (?:ihre|die|deine) \w+)?|danke(?: schön| sehr)?",
        (
            r"gerne?|gern geschehen|selbstverständlich|natürlich|leider|gute frage|sehr gerne?|"
            r"(?:einen )?schönen tag(?: noch)?|hm+|ups"
        ),
        r"(?:es )?tut mir leid|entschuldigung|entschuldigen sie(?: bitte)?|ich hoffe, das hilft|ich bedaure|sorry",
        r"(?:mit )?(?:freundlichen|herzliche[n]?|viele|beste[n]?) grüßen?",
        r"(?:quellen?|antwort|ergebnis)\s*:?\s*[\W\d]*",
        (
            r"(?:bitte beachten sie, dass )?(?:das|dies|(?:diese|meine) (?:auskunft|antwort|angaben?|"
            r"information))(?: hier)? "
            r"(?:ist|ersetzt|stellt|kann|soll)(?: aber| jedoch)? (?:keine?n?|nicht) [^;:0-9]{0,40}?\w*(?:beratung|rat|"
            r"auskunft|arzt|anwalt)\w*(?: dar| ersetzen| sein)?"
        ),
    ),
    guesses=(
        r"\b(?:wahrscheinlich|vermutlich|vielleicht|eventuell|möglicherweise|wohl|normalerweise|üblicherweise|"
        r"gewöhnlich|meistens?|in der regel|im allgemeinen|generell|grundsätzlich|schätzungsweise|erfahrungsgemäß|"
        r"üblich|ich (?:schätze|vermute|denke|"
        r"glaube|nehme an)|dürfte|müsste (?:es|das))\b"
    ),
    yes_or_no=r"(?:ja|nein)\b(?=\W*$|[,.!:;])",
    lacks=r"(?:nichts?|keine?[mnrs]?|weder) ",
    speaker=r"(?:\w+ ){0,2}?(?:ich|mir|mein\w*)\b(?! (?:empfehle|kann bestätigen|würde))",
    sources=(
        r"\b(?:seiten?|abschnitt\w*|kapitel\w*|artikel\w*|dokument\w*|auszug|auszüge\w*|bericht\w*|absatz|absätze\w*|"
        r"quellen?|dateien?|protokoll\w*)\b"
    ),
    knowing=(
        rf"\b(?:{_SOURCE}|{_INFORMATION}|{_TELL}|{_TOLD}|fragen?|thema|themen|erwähn\w*|nennt|nennen|"
        r"sagt|angeht|hervor|offen|wissen|weiß|bekannt|steht|vorkommen|vorliegen|daraus|darin|drin|da|dazu|darüber|"
        r"hierzu|eindeutig)\b"
    ),
    telling=_TELLING,
    referring=(
        r"\b(?:hilf\w*|helfen|weiterhelfen|beraten|berät|wende\w*|frage|fragen|nachfragen|nachzufragen|erkundig\w*|"
        r"kontaktier\w*|auskunft|verbind\w*|vermittl\w*|rückfragen?|bescheid|ansprechpartner\w*|frage|rufen sie|"
        r"gehen sie|website|schauen sie|näheres|nähere|"
        r"laden sie|umformulier\w*)\b"
    ),
    courteous=(
        r"\b(?:bitte|leider|sorry|leid|bedaure\w*|entschuldig\w*|danke?|gern|gerne|anruf\w*|ruf\w*|schreib\w*|"
        r"schick\w*|"
        r"erreich\w*|team|personal|service\w*|\w+service|support|\w*abteilung|mitarbeiter\w*|kolleg\w*|"
        r"\w*berat(?:er|ung)\w*|arzt|ärztin|anwalt|anwältin|apothek\w*|rezeption|grüße\w*|versuch\w*|formulier\w*|"
        r"weitere\w*|falls (?:du|sie)|wenn (?:du|sie)|empfehl\w*|rate|website|hotline|ticket|direkt)\b"
    ),
    asks_how_much=r"\bwie ?(?:viele?|oft|lang|lange|hoch|groß|alt|schwer|weit|teuer|tief|schnell|laut|breit)\b",
    asks_how_to=r"\b(?:wie (?:kann|mache|soll|muss|\w+e) ich|was (?:tun|soll|kann|muss|mache))\b",
    asks_openly=r"\b(?:wie|was|welche\w*|wo\w+|wo|wann|we[rnm]|warum|wieso|weshalb)\b",
    goes_on=(
        "der die das dem den des ein eine einen einem einer eines und oder von zur zum im mit für bei "
        "aus wenn weil dass als unser unsere ihre jeder jede jedes"
    ),
)
