"""French."""

from __future__ import annotations

from raggate_action.core.text.languages.language_rules import LanguageRules, SourceLead
from raggate_action.core.text.number_words import number_pattern

_SOURCE = (
    r"(?:documents?|documentation|sources?|contexte|textes?|contrats?|règlements?|politiques?|notices?|manuels?|"
    r"guides?|cartes?|menus?|rapports?|articles?|extraits?|passages?|listes?|catalogues?|informations?|conditions|"
    r"fiches?|notes?|éléments|pages?|brochures?|description|données|faq|base de connaissances|comptes? rendus?|"
    r"sections?|"
    r"site|dépliant|convention)"
)
_SAY = (
    r"(?:mentionn(?:e|ent)|précis(?:e|ent)|indiqu(?:e|ent)|di(?:t|sent)|parl(?:e|ent)|spécifi(?:e|ent)|"
    r"décri(?:t|vent)|évoqu(?:e|ent)|nomm(?:e|ent)|abord(?:e|ent)|répond(?:ent)?|list(?:e|ent)|cit(?:e|ent)|"
    r"détaill(?:e|ent)|trait(?:e|ent)|renseign(?:e|ent)|permet(?:tent)?|figur(?:e|ent)|énumèr(?:e|ent))"
)
_TOLD = (
    r"(?:précisée?s?|indiquée?s?|mentionnée?s?|spécifiée?s?|documentée?s?|abordée?s?|citée?s?|évoquée?s?|renseignée?s?|"
    r"détaillée?s?|traitée?s?|trouvée?s?|décrite?s?|définie?s?|communiquée?s?(?! (?:à|aux|au)\b)|fournie?s?|question)\b"
)
_TELL = (
    r"(?:[^\s,;]+ ){0,3}?(?:répondre|dire|confirmer|trouver|vérifier|aider|donner|préciser|déterminer|savoir|"
    r"recommander|fournir|renseigner|prononcer|affirmer|indiquer|identifier|établir|conseiller|accéder|consulter|"
    r"partager)\b"
)
_INFORMATION = (
    r"(?:informations?|infos?|mentions?|indications?|précisions?|détails?|renseignements?|données|réponses?|éléments?|"
    r"contexte|accès|idée|trace|moyen|articles? sur|avis)\b"
)
_SOME = r"(?:[^\s,;]+ ){0,4}?"
_NONE = r"(?:pas|aucune?|rien|nulle part|jamais|guère)"
# The same in broad strokes.
_NOT_ONLY = r"(?!\S* qu(?:e |'))"
_TO_TELL = r"(?:savoir|dire|établir|déterminer|répondre|confirmer|conclure|connaître|trancher|préciser)"
_SAID = (
    r"(?:mentionn\w+|précis\w+|indiqu\w+|di(?:t|sent|re|sant)|parl\w+|spécifi\w+|décri\w+|évoqu\w+|nomm\w+|abord\w+|"
    r"répond\w*|list\w+|cit\w+|détaill\w+|trait\w+|renseign\w+|figur\w+|énum[éè]r\w+|f(?:ait|ont|aire) (?:\S+ )?"
    r"(?:référence|mention|état)|appara\w+|claire?|connue?s?|trouv\w+|comment\w+|stipul\w+|expliqu\w+|défini\w*|"
    r"tranch\w+|"
    rf"pronon\w+|signal\w+|question|identifi\w+|(?:permet\w*|suffi\w+) (?:\S+ ){{0,3}}?{_TO_TELL})"
)
_GIVEN = (
    r"(?:donn\w+|fourni\w*|conti\w+|comport\w+|permet\w*|couvr\w+|couvert\w*|prévo\w+|inclu\w+|offr\w+|disponible\w*|"
    r"y est|y sont|suffi\w+|communiqu\w+|f(?:ait|ont) (?:\S+ )?partie)"
)
_INFORMING = (
    r"(?:documents?|documentation|sources?|contexte|textes?|notices?|manuels?|guides?|rapports?|articles?|extraits?|"
    r"passages?|fiches?|notes?|éléments|pages?|brochures?|données|faq|base de connaissances|comptes? rendus?|sections?|"
    r"site|dépliant|avis|communiqués?|programmes?|tableaux?|fichiers?|courrier|lettre|livret|annonce|résumés?|annexes?|"
    r"présentation|informations?|"
    r"pièces? jointes?|clauses?|chapitres?)"
)
_KNOWN = (
    r"(?:sa(?:is|ura\w*|voir)|répond\w*|dire|confirm\w+|trouv\w+|vérifi\w+|aid\w+|donn\w+|précis\w+|détermin\w+|"
    r"recommand\w+|fourni\w*|renseign\w+|pronon\w+|affirm\w+|indiqu\w+|identifi\w+|établi\w*|conseil\w*|accé?è?d\w+|"
    r"accès|consult\w+|partag\w+|information\w*|infos?|mention|indication\w*|détails?|renseignement\w*|données|"
    r"réponses?|éléments?|idée|trace|moyen|avis|conna\w+|dispos\w+|vois|vu|sûre?|certaine?|mesure|habilité\w*|"
    r"autorisé\w*|"
    r"communiqu\w+|spécul\w+|avanc\w+|garanti\w*|assur\w+|trait\w+|rien|suis)"
)
_LACKING = r"(?:manqu\w+|fait défaut|font défaut|absente?s?|omet\w*|omis\w*|dépourvue?s?)"
_TELLING = (
    rf"\b(?:{_SAID}|{_GIVEN}|{_KNOWN}|{_LACKING}|explicite\w*|exact\w*|précisément|actuelle\w*|malheureusement|"
    rf"sujet|propos|"
    r"point|question|nulle part|moindre|aucune?|date|nom|montant|chiffre|valeur|chose|quelconque|concernant|fourni\w*|"
    r"donnée?s?|reste\w*|demeure\w*|pouvoir|peux|puis|permis|possible|demande|cela|ceci|celle|celui|ici|dont|"
    r"cette|votre|"
    r"notre|transmis\w*|partie|assez|suffisa\w+)\b"
)
# A source of any name.
_PAPER = (
    rf"(?:{_SOURCE}|{_INFORMING}|grilles?|carnets?|procès-verba(?:l|ux)|bail|baux|horaires?|plans?|registres?|état|"
    rf"tarifs?|"
    r"formulaires?|mémento|copies?)"
)

RULES = LanguageRules(
    common=(
        "le la les un une des du de est et dans pour que qui sur avec pas ne vous nous sont être au aux ce cette par "
        "il elle je n'est d'une votre vos mais ou en y son sa ses non désolé aucune aucun rien"
    ),
    leaning=(
        "(?:il|elle|ils|elles|cela|ça|ceci|ce|cette|ces|c'|celui|celle|ceux|celles|son|sa|ses|leurs?|ici|là|les deux|"
        r"sinon|cependant|toutefois|aussi|alors|puis|en outre|le même|la même)(?:\b|(?<='))"
    ),
    source_lead=SourceLead(
        opening=(
            "(?:selon|d'après|conformément (?:à|aux?)|comme (?:indiqué|mentionné|précisé|stipulé) dans|sur la base "
            "d(?:e|u|es)|à partir d(?:e|u|es)) ?(?:(?:les|le|la|ces|ce|cette|vos|votre|nos|notre|mes) |l')?"
        ),
        before="présente?s?",
        nouns=(
            "documents?|documentation|sources?|contexte|textes?|extraits?|passages?|politiques?|règlement|manuel|"
            "guide|contrat|informations?|notice|faq|base de connaissances|données|conditions|menu|rapport"
        ),
        behind="(?:fourni|transmi|donné|disponible|joint|partagé)e?s?|ci-dessus|ci-dessous",
        courtesy=(
            "(?:bien )?volontiers|avec (?:\\w+ )?plaisir|réponse|en bref|bien sûr|certainement|absolument|pas de "
            "(?:problème|souci)|(?:bonne|excellente) (?:question|nouvelle)|merci(?: beaucoup)?(?: (?:pour|de) votre "
            "\\w+)?|bonjour|voici (?:la|votre) réponse"
        ),
    ),
    hint=(
        r"\b(?:ne|ni|aucune?|rien|non|pas|sans|impossible|insuffisant\w*|inconnue?|uniquement|seulement|muets?|"
        r"muettes?|confidenti\w+|exclusivement|manqu\w+|s'arrêten?t?|contredisent|ouverte?|dépend\w*)\b|\bn'|"
        r"dépasse|hors de|sous silence|saut|sèche|interromp|échappe|langue au|refuse"
    ),
    denies_nothing=(
        r"\bsans (?=(?:frais|supplément|coût)\b)|\bnon seulement (?=.*\bmais\b)|"
        rf"\bpas (?=plus (?:tard|longtemps) que\b|plus de (?:[0-9]|(?:une?|{number_pattern('fr')})\b))"
    ),
    declines=(
        # the speaker
        rf"\bje ne (?:le |la |les )?(?:sais|saurais) {_NONE}\b",
        rf"\b(?:je|nous) ne (?:[^\s,;]+ ){{0,2}}?(?:peux|puis|pouvons|pourrais|saurais|suis|sommes) {_SOME}{_TELL}",
        (
            rf"\b(?:je n'(?:en )?ai|nous n'avons|je ne (?:dispose|trouve|vois|possède)|nous ne (?:disposons|trouvons)) "
            rf"{_SOME}{_NONE} {_SOME}(?:d'|de |l')?{_INFORMATION}"
        ),
        r"\b(?:je n'ai|nous n'avons) (?:malheureusement )?(?:rien|pas pu|pas) (?:\S+ )?(?:trouvé|trouver|vu)\b",
        r"\bje (?:n'ai trouvé|ne trouve|ne vois) (?:\S+ ){0,2}?(?:pas|rien|aucune?)\b",
        r"\bje ne suis pas (?:sûre?|certaine?|en mesure|habilitée?|au courant|autorisée?)\b",
        r"\b(?:je n'ai pas [^,;]{1,40}sous la main|aucune idée|je préfère ne pas)\b",
        r"\bje (?:ne )?(?:réponds|peux répondre|traite) (?:uniquement|seulement|qu)\b",
        # sources that are silent
        rf"\b{_SOURCE} (?:[^\s;]+ ){{0,4}}?n(?:e |'|'y |'en ){_SAY}(?: \S+)? ?{_NONE}\b",
        rf"\b{_SOURCE} (?:[^\s;]+ ){{0,4}}?(?:ne|n'y) (?:\S+ )?{_NONE} (?:de |d'|l')?{_INFORMATION}",
        rf"\b(?:aucune?(?: des| de ces)?|rien (?:dans|sur)(?: \S+){{0,2}}) {_SOURCE} (?:\S+ ){{0,3}}?n(?:e |'){_SAY}\b",
        rf"\bn(?:'est|e sont|'a|'ont|'y est|'y sont)(?: pas| nulle part| jamais)? (?:\S+ ){{0,2}}?{_TOLD}",
        rf"\bn'(?:est|apparaît|figure) (?:{_TOLD} )?nulle part\b|\bne figure(?:nt)? {_NONE}\b",
        rf"\b(?:ne|n') ?contien(?:t|nent) {_NONE} (?:\S+ )?(?:d'|de |l')?(?:{_INFORMATION})",
        r"\b(?:est|sont) insuffisante?s? pour\b|^(?:pas|ni) (?:où|quand|qui|comment|quel\w*) ",
        # what is not there
        (
            rf"(?:^|\b(?:il n'y a|il n'existe) )(?:pas|aucune?)(?! d(?:e |')\S+ d)(?: \S+){{0,2}}? (?:d'|de |"
            rf"l')?{_INFORMATION}(?! n(?:e |'))(?!.*\b(?:nécessaire|requise?)\b)"
        ),
        (
            rf"\baucune? (?:\S+ ){{0,2}}?{_INFORMATION} (?:n'(?:est|a été|y) (?:\S+ )?(?:{_TOLD}|disponible|"
            rf"donnée)|n'appara|ne (?:figure|ressort)|disponible)"
        ),
        r"\bimpossible (?:pour moi )?de (?:vous )?(?:répondre|dire|savoir|déterminer|confirmer|préciser|établir)\b",
        r"\bil n'est pas possible de (?:vous )?(?:répondre|dire|savoir|déterminer|confirmer|préciser|établir)\b",
        r"\b(?:dépasse|hors de) (?:ce que je|mes|le cadre)\b",
        rf"^(?:{_INFORMATION} )?(?:non (?:{_TOLD}|disponibles?|communiquée?s?)|inconnue?s?)(?: (?:dans|à)\b.*)?\W*$",
    ),
    denials=(
        # What the speaker was given ends before what was asked.
        (
            r"^(?!.*\b(?:si|raison|problème|inconvénient|objection|doute)\b)"
            r"(?=.*(?:\b(?:que j'|dont je|qu'on m'|mes|mon|ma)\b|\bm'(?:a|ont|est|ayant)\b|(?<=que )j'ai\b))"
            r"(?=.*(?:\bn(?:e |')|\b(?:pas|aucune?|rien|nulle part|seulement|sauf|sans)\b|s'arrêt|s'interromp|"
            r"se termin))"
            rf"(?=.*\b(?:{_PAPER}|fourni\w*|donné\w*|transmis\w*|remis\w*|montré\w*|communiqué\w*|dispose|ressort)\b)"
        ),
        (
            rf"\b{_PAPER}\b.{{0,60}}?(?:\bs'arrêt\w+|\bs'interromp\w+|\bse termin\w+|\bpass\w+ .{{1,40}} sous silence|"
            r"\bsaut\w+|\bne v(?:a|ont) pas plus loin|\b(?:est|sont|a été) (?:tronquée?s?|illisibles?|caviardée?s?))"
        ),
        # Sayings of one who does not know.
        (
            r"\bje sèche\b|\bje ne ferais que deviner\b|\bje préfère ne pas (?:deviner|inventer)\b|\baucune idée\b|"
            r"\bpas de (?:mon|notre) (?:ressort|domaine|compétence)\b|\bpas (?:mon|notre) (?:domaine|rayon|sujet)\b|"
            r"\bje (?:donne|perds) ma langue\b|\bm'échappe\b|\bje m'y refuse\b"
        ),
        r"^(?:pas (?:un|le moindre)|aucune?) (?:mot|mention|trace|indication|référence|précision)\b|^rien (?:ici|là)\b",
        r"^pas (?:les?|la) _\W*$",
        r"\b(?:cherché|recherché|regardé|fouillé)\b.{0,60}?\b(?:sans (?:résultat|succès)|rien|en vain)\b",
        rf"\b{_PAPER} ne permet(?:tent)? pas de (?:savoir|dire|déterminer|répondre)\b",
        (
            rf"\b{_INFORMING}\b.{{0,60}}?(?:\bne (?:trait|parl|concern|port)\w+ (?:\S+ )?qu|\b(?:trait|parl|"
            rf"concern|port)"
            r"\w+ (?:\S+ )?(?:uniquement|seulement|exclusivement))"
        ),
        rf"\b(?:{_SOURCE}|{_INFORMING})\b.{{0,90}}?\bn(?:e |'){_NOT_ONLY}(?:\S+ ){{0,2}}?{_SAID}",
        rf"\b{_INFORMING}\b.{{0,90}}?\bn(?:e |'){_NOT_ONLY}(?:\S+ ){{0,2}}?{_GIVEN}",
        (
            rf"\bn(?:e |'){_NOT_ONLY}(?:\S+ ){{0,2}}?(?:{_SAID}|{_GIVEN}).{{0,60}}?\b(?:dans|sur|par|parmi|de|des|"
            rf"à partir de|d'après) (?:\S+ ){{0,2}}?{_INFORMING}"
        ),
        rf"\b(?:il n'y a|il n'existe)\b.{{0,60}}?\b(?:dans|sur|parmi) (?:\S+ ){{0,2}}?{_INFORMING}",
        rf"\bsans (?:\S+ ){{0,3}}?{_SAID}",
        (
            r"\bne l(?:e |a |es |')(?:précis|indiqu|mentionn|di(?:t|s)|spécifi|détaill|évoqu)\w* (?:pas|"
            r"nulle part|jamais)\b"
        ),
        r"\b(?:est|sont|reste(?:nt)?|demeure(?:nt)?) muet(?:te)?s?\b",
        rf"\b{_INFORMING}\b.{{0,60}}?\b{_LACKING}|\b{_LACKING}.{{0,60}}?\b{_INFORMING}\b",
        # An open question stands in it.
        rf"\bn(?:e |')(?:\S+ ){{0,5}}?(?:{_TO_TELL}|{_SAID}|sait|sais)(?: pas| rien)? si\b",
        r"\b(?:reste\w*|demeure\w*|est|sont) (?:\S+ )?(?:inconnue?s?|incertaine?s?|en suspens|sans réponse)\b",
        # The speaker.
        rf"\b(?:je|j') ?n(?:e |')(?:\S+ ){{0,6}}?{_KNOWN}",
        r"\bj(?:e |e l'|')(?:l')?ignore\b|\b(?:je|nous) préf(?:ère|érons) (?:ne pas|m'abstenir)\b",
        r"\bm'est (?:\S+ ){0,2}?impossible\b",
        (
            r"^(?=.*\b(?:je|j'|nous|cet assistant|ce service)\b)(?=.*(?:\bn(?:e |')\S+ (?:\S+ ){0,3}?qu|"
            r"\b(?:uniquement|"
            r"seulement|exclusivement)\b))(?=.*\b(?:répond\w*|renseign\w+|aider|questions?|traite\w*|là pour|"
            r"conseiller)\b)"
        ),
        (
            r"\b(?:dépasse|hors d\w+|sort d\w+|en dehors|au-delà)\b.{0,30}?\b(?:mon|mes|ma|notre|nos|ce que|cadre|"
            r"compétences?|domaine|champ|portée)\b"
        ),
        r"\bce n'est pas (?:une |quelque chose )?.{0,30}?\b(?:que je|dont je)\b",
    ),
    bare_denials=(
        rf"\bn(?:e |')(?:\S+ ){{0,3}}?{_SAID}",
        (
            r"\b(?:inconnue?s?|non (?:précisée?|indiquée?|mentionnée?|renseignée?|communiquée?)s?|incertaine?s?|"
            r"ouverte?)\b"
        ),
        (
            r"\b(?:nous|on) n(?:e |')(?:\S+ ){0,4}?(?:sa(?:it|vons|voir)|répond\w*|dire|confirm\w+|trouv\w+|"
            r"information\w*)"
        ),
    ),
    obstacles=(
        r"\b(?:aucune?|pas de|pas d'|sans) ?(?:\S+ )?(?:raisons? de|objections?|obstacles?|inconvénients?|problèmes?|"
        r"difficultés?)\b|\bs'y oppos\w+|"
        r"\baucune? (?:\S+ ){1,3}?n'est connue?\b|\b(?:pas|aucune?) (?:\S+ ){1,3}?connue?s?\b"
    ),
    excuses=(
        r"\b(?:une?|tout|chaque) (?:\w+ )?(?:\w+ qui )?",
        r"\b(?:si|quand|lorsque|dit|stipule|indique)(?: que)?[ ,:]*",
    ),
    turns=(
        (
            r",?\s*\b(?:mais|(?:cependant|toutefois|donc|alors|pourtant|néanmoins|par conséquent|ainsi)(?! (?:pas|rien|"
            r"aucune?|plus|jamais)\b))\b,?\s*"
        ),
        r",\s*(?:et|ce qui signifie que|on peut en conclure que)\b\s*|,\s*(?=(?:car|pas)\b)",
        r"\s*[;—]\s*|\s*:\s+|\s+[-–]\s+",
    ),
    concludes=r"\b(?:donc|par conséquent|ainsi|signifie)\b",
    objects=r"\b(?:mais|cependant|toutefois|pourtant)\b",
    subordinates=(r"\b(?:puisque|comme|car|étant donné que|parce que|bien que|même si)\b",),
    subject=rf"(?:le |la |les |l'|ce |cet |cette |ces |votre |vos )(?:\S+ )?{_INFORMING}\b",
    same_source=(
        r"(?:(?:il|elle|ils|elles) )?(?=(?:ne |n')(?:(?:le|la|les|en|y) |l')?(?:dit|disent|mentionn|précis|"
        r"indiqu|cit|donn|"
        r"évoqu|détaill|spécifi|expliqu|nomm))"
    ),
    harmless=(
        (
            r"(?:je|j'ai|nous)\s?(?:comprends|cherché|vérifié|consulté|aimerais|serais|parcouru|avons (?:cherché|"
            r"vérifié))\b|après (?:vérification|recherche|lecture)"
        ),
        (
            rf"(?:le |la |les |l'|ce |cette |ces |votre |vos )(?:\S+ )?{_SOURCE} (?:\S+ ){{0,5}}?(?:mentionn|abord|"
            r"list|cit|décri|parl|concern|traite|port|évoqu|donn|indiqu|couvr)\w*\b"
        ),
        r"c'est une (?:bonne|excellente) question|c'est noté",
    ),
    about=(
        (
            r"(?:(?:le|la|les|l'|ce|cet|cette|ces|vos|votre|mes) ?(?:\S+ ){0,1}?(?:documents?|extraits?|pages?|"
            r"textes?|passages?|sources?|sections?|"
            r"fichiers?|tableaux?|listes?|fiches?|notes?)(?: \S+){0,4}?|ils|elles) (?:ne )?(?:parlent?|portent?|"
            r"traitent?|concernent?|s'arrêten?t?|se contredisent|"
            r"(?:est|sont) (?:vides?|incomplète?s?|illisibles?|muets?|muettes?|confidenti\w+|muettes?))\b"
        ),
        r"je suis (?:un |une |seulement |juste |uniquement )+(?:assistante?|là|robot|programme)\b",
    ),
    refers=(
        (
            r"(?:veuillez |vous pouvez |merci de |je vous (?:conseille|invite|suggère)(?: de| à)? )?(?:contacter|"
            r"demander|consulter|adresser|vous adresser|joindre|vous rapprocher)\b|contactez|demandez|adressez-vous|"
            r"consultez"
        ),
        r"n'hésitez pas à\b|rendez-vous sur\b|pour l'obtenir\b",
        (
            r"(?:notre|nos|le|la|les|l'|un|une) ?(?:\S+ ){1,4}?(?:pourra|pourront|peut|peuvent|saura) (?:vous |"
            r"certainement |"
            r"sûrement )*(?:aider|renseigner|conseiller|orienter|répondre|informer)\b"
        ),
        r"si vous [^,]{1,80}, (?:je|nous|n'hésitez|envoyez)\b",
    ),
    promises=(
        r"(?:nous|notre \w+|une? \w+) (?:vous (?:rappel|contact|recontact|inform|préviend|répond)\w+|"
        r"(?:reviend|prend)\w+ (?:vers|contact avec) vous)\b"
    ),
    embedded=r"\bquel\w*\b[^,;]*",
    fact=(
        r"\b(?:est|sont|était|doit|doivent|contient|coûte|car|au plus tard|au moins|avant|après|dans les|par "
        r"écrit|n'en|"
        r"fois|chaque|tous les|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?)\b"
    ),
    courtesy=(
        r"(?:bonjour|bonsoir|salut|cher \w+|chère \w+)(?: \w+)?",
        r"merci(?: beaucoup| bien)?(?: pour (?:votre|la|ta) \w+)?|nous vous remercions de votre \w+",
        r"avec plaisir|de rien|bien sûr|certainement|malheureusement|(?:bonne|excellente) question|je vous en prie",
        (
            r"(?:je suis )?(?:vraiment )?désolée?|toutes mes excuses|j'espère que cela (?:vous )?aide|cordialement|"
            r"bonne (?:journée|soirée)|oups|hm+"
        ),
        r"(?:sources?|références?|réponse)\s*:?\s*[\W\d]*",
        (
            r"(?:ceci|cela|ce|(?:cette|ma) réponse|ces informations) (?:ne |n')(?:remplace|constitue|saurait|"
            r"est|sont|vaut)"
            r"\w* (?:pas|en rien|aucunement|remplacer)[^,;:0-9]{0,40}?\b(?:avis|conseils?|"
            r"consultation)\b[^,;:0-9]{0,40}"
        ),
    ),
    guesses=(
        r"\b(?:probablement|sans doute|peut-être|vraisemblablement|sûrement|normalement|généralement|en général|"
        r"habituellement|d'habitude|d'usage|en principe|environ|la plupart des|je (?:pense|crois|suppose|dirais|"
        r"présume)|on peut en conclure)\b"
    ),
    yes_or_no=r"(?:oui|non)\b(?=\W*$|[,.!:;])",
    lacks=r"(?:pas|rien|aucune?|non|ni) ",
    speaker=r"(?:\S+ ){0,2}?(?:je\b|j'|il m'|mes?\b|on ne)(?! (?:recommande|conseille|peux confirmer))",
    sources=(
        r"\b(?:pages?|sections?|chapitres?|articles?|documents?|extraits?|passages?|rapports?|fichiers?|sources?|"
        r"paragraphes?|comptes? rendus?)\b"
    ),
    knowing=(
        rf"\b(?:{_SOURCE}|{_INFORMATION}|{_TOLD}|{_SAY}|répondre|dire|savoir|sais|déterminer|confirmer|"
        r"trouver|sujet|thème|questions?|éléments|connaître|connais|préciser|figure|y est|ici|point|règlement|"
        r"compétences|mes|cette donnée|renseignement|traite|texte|trancher|prononcer)\b"
    ),
    telling=_TELLING,
    referring=(
        r"\b(?:aider\w*|aidera|aide|contact\w*|consult(?:er|ez)|adress(?:er|ez)\w*|demand(?:er|ez)|rapproch\w*|"
        r"rendez-vous|"
        r"renseigner\w*|orienter\w*|conseiller\w*|poser la question|coup de fil|relation|transf\w+|plaisir de "
        r"vous|précisez|merci de|question|"
        r"trouver(?:ez|a)|pourrai?t? vous|reformul\w*)\b"
    ),
    courteous=(
        r"\b(?:veuillez|merci|désolée?|malheureusement|hélas|regrett\w+|excus\w+|remerci\w+|plaisir|cordialement|"
        r"appel\w*|"
        r"écri\w+|invit\w*|sugg\w+|recommand\w*|service|équipe|support|accueil|spécialiste|avocat|médecin|pharmacien|"
        r"organisateurs?|collègues?|conseillers?|si vous|n'hésitez|autre|transmet\w*|site|plus d'informations)\b"
    ),
    asks_how_much=r"\b(?:combien|à quelle (?:fréquence|distance|hauteur))\b",
    asks_how_to=r"\b(?:comment (?:puis|faire|dois|je|\w+er)|que (?:faire|dois))\b",
    asks_openly=r"\b(?:comment|quoi|quel(?:le)?s?|qu'est-ce que|où|quand|qui|pourquoi)\b",
    goes_on=("le la les un une des du de et ou à au aux dans pour par avec sur que qui notre votre leur si chaque"),
)
