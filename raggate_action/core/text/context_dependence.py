"""Sentences that lean on the one before: quoted elsewhere they may be about something else."""

from __future__ import annotations

import re
from functools import cache

from raggate_action.core.text.languages.language_rules import KNOWN, rules_of

# How such a sentence begins in languages without rules of their own. Languages that leave the subject out show it by
# the verb or particle in front; in Japanese also by the want of a topic or subject particle.
_OTHERS = {
    "nl": r"(?:hij|zij|ze|het|hem|haar|hun|zijn|die|dat|deze|dit|daar\w*|hier\w*|er\w*|beide|zulke|dezelfde|hetzelfde|"
    r"anders|echter|ook|dan|bovendien|laatstgenoemde|eerstgenoemde)\b",
    "zh": r"它|他|她|其|这|那|此|该|上述|前者|后者|两者|二者|但|不过|然而|因此|所以|否则|另外|此外|同时|也|还|并|仅|只|"
    r"可|不|没|无|未|必须|需|应|须|包括|包含|含|有|是|為|为|這|該|則|则|後者|兩者",
    "ja": r"これ|それ|あれ|この|その|あの|ここ|そこ|彼|両方|ただし|但し|しかし|また|さらに|なお|そのため|同様|もし|"
    r"例外|(?!.*[はがも])",
    "th": r"มัน|เขา|เธอ|นี่|นี้|นั่น|นั้น|ซึ่ง|แต่|และ|หรือ|โดย|ไม่|ต้อง|สามารถ|รวม|มี|อีก|ทั้ง|ดังนั้น|เป็น|คือ|จะ|อาจ|ควร|ยกเว้น",
    "ar": r"(?:و|ف)?(?:هو|هي|هم|هن|هما|هذا|هذه|ذلك|تلك|هؤلاء|هناك|كلاهما|كما|لكن|ولكن|أيضا|أيضًا|ومع|لذلك|لذا|إلا|"
    r"يشمل|تشمل|يجب|يمكن|لا|ليس|ليست)\b",
    "he": r"(?:ו)?(?:הוא|היא|הם|הן|זה|זו|זאת|אלה|אלו|שם|כאן|שניהם|כך|אבל|אולם|אך|גם|לכן|אחרת|"
    r"כולל|כוללת|חייב|ניתן|אין|לא|יש)\b",
}


@cache
def _beginnings(language: str) -> re.Pattern[str] | None:
    beginnings = rules_of(language).leaning if language in KNOWN else _OTHERS.get(language)
    return re.compile(beginnings) if beginnings is not None else None


def leans_back(words: str, language: str) -> bool:
    """Whether a sentence may be about what stands before it, which an answer may have changed.

    Args:
        words: The sentence in lower case.
        language: ISO 639-1 code; in a language without rules every sentence may.
    """
    beginnings = _beginnings(language)
    return beginnings is None or beginnings.match(words) is not None
