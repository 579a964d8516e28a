"""Words before a quotation that say where it is from, and no more ("According to the documents provided, ...").

What they name has to be the evidence as a whole. "The 2019 policy", "the draft", "the policy for contractors", "your
manager" name something else, or say when and for whom it holds: that is more than the quotation says.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple


class _Words(NamedTuple):
    """How a language leads in: the opening, what may stand before the noun, the nouns, what may stand behind."""

    opening: str
    before: str
    nouns: str
    behind: str


_ENGLISH = _Words(
    opening=(
        r"(?:based (?:up)?on|according to|as (?:stated|noted|described|written|set out|mentioned|outlined|"
        r"specified) in|(?:as )?per|from) (?:(?:the|our|your|these|this|those|my) )?"
    ),
    before=r"provided|given|supplied|available|above|attached|retrieved|shared|following|uploaded|cited|relevant",
    nouns=(
        r"documents?|documentation|docs|context|sources?|evidence|polic(?:y|ies)|texts?|passages?|chunks?|"
        r"excerpts?|extracts?|snippets?|sections?|knowledge base|information|materials?|manual|guide|"
        r"guidelines?|handbook|faqs?|contract|agreement|terms|regulations?|rules|leaflet|instructions|"
        r"brochure|website|files?|data|reports?|articles?|pages?|notes|menu|lease|records?"
    ),
    behind=(
        r"provided|given|supplied|available|above|below|attached|retrieved|shared|uploaded|at hand|i (?:have|"
        r"was given)|you (?:provided|shared|gave me|uploaded)"
    ),
)
_GERMAN = _Words(
    opening=(
        r"(?:laut|gemäß|nach|entsprechend|basierend auf|wie in|auf (?:der )?(?:grundlage|basis)) "
        r"(?:(?:de[rnms]|diese[rnms]|ihre[rnms]?|unsere[rnms]?) )?"
    ),
    before=r"(?:bereitgestellt|vorliegend|gegeben|angegeben|verfügbar|obig|genannt|beigefügt|hochgeladen)e[nrsm]?",
    nouns=(
        r"unterlagen|dokument(?:e|en|s|ation)?|quellen?|richtlinien?|kontext(?:s|es)?|texte?[ns]?|auszüge?n?|"
        r"auszugs?|handbuchs?|vertrags?|information(?:en)?|angaben|passagen?|abschnitte?[ns]?|leitfadens?|"
        r"berichts?|anleitung|faq|materials?|materialien|wissensdatenbank|speisekarte|merkblatts?"
    ),
    behind=r"oben|angegeben|beschrieben|festgehalten|vermerkt",
)
_FRENCH = _Words(
    opening=(
        r"(?:selon|d'après|conformément (?:à|aux?)|comme (?:indiqué|mentionné|précisé|stipulé) dans|sur la "
        r"base d(?:e|u|es)|à partir d(?:e|u|es)) ?(?:(?:les|le|la|ces|ce|cette|vos|votre|nos|notre|mes) |l')?"
    ),
    before=r"présente?s?",
    nouns=(
        r"documents?|documentation|sources?|contexte|textes?|extraits?|passages?|politiques?|règlement|manuel|"
        r"guide|contrat|informations?|notice|faq|base de connaissances|données|conditions|menu|rapport"
    ),
    behind=r"(?:fourni|transmi|donné|disponible|joint|partagé)e?s?|ci-dessus|ci-dessous",
)
_SPANISH = _Words(
    opening=(
        r"(?:según|de acuerdo con|conforme a|con base en|basándome en|a partir de|como (?:se indica|consta|"
        r"figura|se menciona) en) ?(?:(?:el|la|los|las|este|esta|estos|estas|sus?|nuestr[oa]s?) )?"
    ),
    before=r"presentes?",
    nouns=(
        r"documentos?|documentación|fuentes?|contexto|textos?|extractos?|fragmentos?|pasajes?|políticas?|"
        r"reglamento|manual|guía|contrato|información|folleto|base de conocimientos?|datos|condiciones|normas|"
        r"menú|informe"
    ),
    behind=r"(?:proporcionad|facilitad|dad|adjunt|compartid)[oa]s?|anterior(?:es)?|disponibles?|de arriba",
)


@cache
def _leads() -> re.Pattern[str]:
    forms = (
        rf"{words.opening}(?:(?:{words.before}) )?(?:(?:{words.nouns}) ){{0,2}}(?:{words.nouns})"
        rf"(?: (?:{words.behind}))?"
        for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH)
    )
    return re.compile(rf"(?:{'|'.join(forms)}) ?[,:] ")


@lru_cache(maxsize=1024)
def without_source_lead(words: str) -> str | None:
    """The words behind a lead that names the evidence as a whole; None where they begin with none.

    Args:
        words: A claim as `normal_words` spells it.
    """
    lead = _leads().match(words)
    return None if lead is None else words[lead.end() :]
