"""French."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

_SOURCE = (
    r"(?:documents?|documentation|sources?|contexte|textes?|contrats?|règlements?|politiques?|notices?|manuels?|"
    r"guides?|"
    r"cartes?|menus?|rapports?|articles?|extraits?|passages?|listes?|catalogues?|informations?|conditions|fiches?)"
)
_SAY = (
    r"(?:mentionn(?:e|ent)|précis(?:e|ent)|indiqu(?:e|ent)|di(?:t|sent)|parl(?:e|ent)|spécifi(?:e|ent)|"
    r"décri(?:t|vent)|évoqu(?:e|ent)|nomm(?:e|ent)|abord(?:e|ent)|répond(?:ent)?)"
)
_TELL = (
    r"(?:pas |le |la |les |vous |y |en |lui ){0,3}(?:répondre|dire|confirmer|trouver|vérifier|aider|donner|"
    r"préciser|déterminer|savoir|recommander)\b"
)
_INFORMATION = r"(?:informations?|mentions?|indications?|précisions?|détails?|renseignements?|données sur|réponses?)\b"

RULES = LanguageRules(
    hint=r"\b(?:ne|aucune?|rien|non)\b|\bn'|dépasse|hors de",
    declines=(
        r"\bje ne (?:le |la |les )?sais pas\b",
        rf"\b(?:je|nous) ne (?:peux|puis|pouvons|pourrais|saurais) (?:malheureusement )?{_TELL}",
        rf"\b(?:je n'ai|nous n'avons)(?: malheureusement)? (?:pas|aucune?) (?:\S+ ){{0,3}}?{_INFORMATION}",
        r"\b(?:je n'ai|nous n'avons) (?:pas (?:pu )?|rien )(?:trouvé|trouver|vu)\b",
        rf"\b(?:je n'ai|nous n'avons) trouvé (?:aucune?|rien)\b(?: {_INFORMATION})?",
        r"\bje ne (?:trouve|vois|dispose|connais) (?:\S+ ){0,2}?(?:pas|rien|aucune?)\b",
        r"\bje ne suis pas (?:sûre?|certaine?|en mesure|habilitée?|au courant)\b",
        rf"\b{_SOURCE} (?:\S+ ){{0,3}}?n(?:e |'){_SAY}(?: \S+)? ?(?:pas|rien|aucune?|nulle part)\b",
        (
            rf"\b{_SOURCE} (?:\S+ ){{0,3}}?(?:ne (?:contien(?:t|nent)|donn(?:e|ent)|fourni(?:t|ssent)|comport(?:e|"
            rf"ent))) (?:pas|aucune?) (?:d'|de |l')?{_INFORMATION}"
        ),
        rf"\baucun(?:e)?(?: des| de ces)? {_SOURCE} ne {_SAY}\b",
        rf"\brien (?:dans|sur) (?:\S+ ){{1,3}}?ne {_SAY}\b",
        rf"\b(?:il n'y a|il n'existe) (?:pas|aucune?) (?:d'|de )?{_INFORMATION}|\baucune? {_INFORMATION} n'(?:est|a)\b",
        (
            r"\bn(?:'est|e sont|'a pas été|'ont pas été)(?: pas)? (?:\S+ )?(?:précisée?s?|indiquée?s?|mentionnée?s?|"
            r"spécifiée?s?|documentée?s?)\b"
        ),
        r"\b(?:dépasse|hors de) (?:ce que je|mes|le cadre)\b",
        r"^(?:non (?:précisé|indiqué|spécifié|mentionné)e?|inconnue?)\W*$",
    ),
    excuses=(r"\b(?:si|quand|lorsque|dit|stipule|indique)(?: que)?[ ,:]*",),
    turns=(
        r",?\s*\b(?:mais|cependant|toutefois|donc|alors|pourtant|néanmoins|par conséquent|ainsi)\b,?\s*",
        r",\s*(?:et|ce qui signifie que)\b\s*",
        r"\s*[;—]\s*|\s*:\s+|\s+[-–]\s+",
    ),
    subordinates=(r"(?:puisque|comme|étant donné que|parce que|bien que|même si)\b",),
    harmless=(
        (
            r"(?:je|j'ai|nous)\s?(?:comprends|cherché|vérifié|consulté|aimerais|serais|parcouru|avons (?:cherché|"
            r"vérifié))\b"
        ),
        rf"(?:le |la |les |l'){_SOURCE} (?:mentionn|abord|list|cit|décri|parl)\w*\b",
        r"c'est une (?:bonne|excellente) question",
    ),
    refers=(
        (
            r"(?:veuillez |vous pouvez |merci de |je vous (?:conseille|invite|suggère)(?: de| à)? )?(?:contacter|"
            r"demander|consulter|adresser|vous adresser|joindre)\b|contactez|demandez|adressez-vous|consultez"
        ),
        r"n'hésitez pas à\b",
    ),
    fact=r"[0-9]|\b(?:est|sont|était|doit|doivent|contient|coûte|car)\b",
    courtesy=(
        r"(?:bonjour|bonsoir|salut|cher \w+|chère \w+)(?: \w+)?",
        r"merci(?: beaucoup| bien)?(?: pour (?:votre|la|ta) \w+)?",
        r"avec plaisir|de rien|bien sûr|certainement|malheureusement|(?:bonne|excellente) question|je vous en prie",
        r"(?:je suis )?(?:vraiment )?désolée?|toutes mes excuses|j'espère que cela (?:vous )?aide",
        r"(?:sources?|références?)\s*:?\s*[\W\d]*",
    ),
)
