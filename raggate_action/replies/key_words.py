"""The words in the keys of replies, and what each speaks for by `key_words.yaml`: an answer, evidence, or neither."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from raggate_action.strings.data_tables import read_words

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
# Han and kana, written without spaces between the words. Compiled with the first such key: of all expressions here it
# is the dearest.
_RUN = r"[\u3040-\u30ff\u3400-\u9fff]{2,}"


@lru_cache(maxsize=4096)
def words_of(key: str) -> tuple[str, ...]:
    """The words of a key in lower case, plurals as singulars: `retrievedDocuments` -> retrieved, document.

    Accents are left out. Of Chinese and Japanese every two signs that follow each other are a word, as most are:
    参考文档 has 参考 and 文档.
    """
    plain = _HUMP.sub("_", key).lower()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
        plain = re.sub(_RUN, lambda run: "_".join(map("".join, zip(run[0], run[0][1:], strict=False))), plain)
    return tuple([_singular(word) for word in re.split(r"[\W_]+", plain) if word])


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2 else word


_SETS = read_words(__package__, "key_words.yaml")
EVIDENCE = _SETS["evidence"]
OFTEN_EVIDENCE = _SETS["often_evidence"]
ANY_LIST = _SETS["any_list"]
NO_EVIDENCE = _SETS["no_evidence"]
SELDOM_EVIDENCE = _SETS["seldom_evidence"]
NO_EVIDENCE_BELOW = _SETS["no_evidence_below"]
RETOLD = _SETS["retold"]
SELECTED = _SETS["selected"]
RETRIEVED = _SETS["retrieved"]
ANSWER = _SETS["answer"]
OFTEN_ANSWER = _SETS["often_answer"]
ANY_ANSWER = _SETS["any_answer"]
AROUND = ANSWER | OFTEN_ANSWER | ANY_ANSWER | _SETS["around"]
NO_ANSWER = _SETS["no_answer"]
PARTS = _SETS["parts"]
TALKS = _SETS["talks"]
RANKS = _SETS["ranks"]
IDS = _SETS["ids"]
MARKS = _SETS["marks"]
ON_THE_WAY = _SETS["on_the_way"]
EARLIER = _SETS["earlier"]
OF_TOOLS = _SETS["of_tools"]
ARGUMENTS = _SETS["arguments"]
OF_CALLS = ARGUMENTS | _SETS["of_calls"]
ORIGINS = _SETS["origins"]
RESULTS = _SETS["results"]
NEVER_ABOVE = _SETS["never_above"]
NEVER_ENDING_ABOVE = _SETS["never_ending_above"]
OF_USERS = _SETS["of_users"]
