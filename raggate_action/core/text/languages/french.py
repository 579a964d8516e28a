"""French."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

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
    r"détaillée?s?|traitée?s?|trouvée?s?|décrite?s?|définie?s?|communiquée?s?|fournie?s?|question)\b"
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

RULES = LanguageRules(
    hint=(
        r"\b(?:ne|ni|aucune?|rien|non|pas|sans|impossible|insuffisant\w*|inconnue?|uniquement|seulement|muets?|"
        r"muettes?|confidenti\w+|manqu\w+|s'arrêten?t?|contredisent|ouverte?|dépend\w*)\b|\bn'|dépasse|hors de"
    ),
    declines=(
        # the speaker
        rf"\bje ne (?:le |la |les )?(?:sais|saurais) {_NONE}\b",
        rf"\b(?:je|nous) ne (?:[^\s,;]+ ){{0,2}}?(?:peux|puis|pouvons|pourrais|saurais|suis|sommes) {_SOME}{_TELL}",
        (
            rf"\b(?:je n'(?:en )?ai|nous n'avons|je ne (?:dispose|trouve|vois|possède)|nous ne (?:disposons|trouvons)) "
            rf"{_SOME}{_NONE} {_SOME}{_INFORMATION}"
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
        r"\b(?:est|sont) insuffisante?s? pour\b",
        # what is not there
        (
            rf"(?:^|\b(?:il n'y a|il n'existe) )(?:pas|aucune?)(?: \S+){{0,2}}? (?:d'|de |"
            rf"l')?{_INFORMATION}(?!.*\b(?:nécessaire|requise?)\b)"
        ),
        rf"\baucune? (?:\S+ ){{0,2}}?{_INFORMATION} (?:n'|disponible)",
        r"\bimpossible (?:pour moi )?de (?:vous )?(?:répondre|dire|savoir|déterminer|confirmer|préciser|établir)\b",
        r"\bil n'est pas possible de (?:vous )?(?:répondre|dire|savoir|déterminer|confirmer|préciser|établir)\b",
        r"\b(?:dépasse|hors de) (?:ce que je|mes|le cadre)\b",
        rf"^(?:{_INFORMATION} )?(?:non (?:{_TOLD}|disponibles?|communiquée?s?)|inconnue?s?)(?: (?:dans|à)\b.*)?\W*$",
    ),
    excuses=(r"\b(?:si|quand|lorsque|dit|stipule|indique)(?: que)?[ ,:]*",),
    turns=(
        r",?\s*\b(?:mais|cependant|toutefois|donc|alors|pourtant|néanmoins|par conséquent|ainsi)\b,?\s*",
        r",\s*(?:et|ce qui signifie que|on peut en conclure que)\b\s*|,\s*(?=(?:car|pas)\b)",
        r"\s*[;—]\s*|\s*:\s+|\s+[-–]\s+",
    ),
    subordinates=(r"(?:puisque|comme|étant donné que|parce que|bien que|même si)\b",),
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
    fact=(
        r"\b(?:est|sont|était|doit|doivent|contient|coûte|car|au plus tard|au moins|avant|dans les|par écrit|n'en)\b"
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
    ),
    numbers=(
        r"\b(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|"
        r"soixante|"
        r"cents?|mille|millions?|demi\w*|douzaine)\b"
    ),
    guesses=(
        r"\b(?:probablement|sans doute|peut-être|vraisemblablement|sûrement|normalement|généralement|en général|"
        r"habituellement|d'habitude|d'usage|en principe|environ|la plupart des|je (?:pense|crois|suppose|dirais|"
        r"présume)|on peut en conclure)\b"
    ),
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
    referring=(
        r"\b(?:aider\w*|aidera|aide|contact\w*|consult(?:er|ez)|adress(?:er|ez)\w*|demand(?:er|ez)|rapproch\w*|"
        r"rendez-vous|"
        r"renseigner\w*|orienter\w*|conseiller\w*|poser la question|coup de fil|précisez|merci de|question|"
        r"trouver(?:ez|a)|pourrai?t? vous|reformul\w*)\b"
    ),
    courteous=(
        r"\b(?:veuillez|merci|désolée?|malheureusement|hélas|regrett\w+|excus\w+|remerci\w+|plaisir|cordialement|"
        r"appel\w*|"
        r"écri\w+|invit\w*|sugg\w+|recommand\w*|service|équipe|support|accueil|spécialiste|avocat|médecin|pharmacien|"
        r"organisateurs?|collègues?|conseillers?|si vous|n'hésitez|autre|transmet\w*|site|plus d'informations)\b"
    ),
)
