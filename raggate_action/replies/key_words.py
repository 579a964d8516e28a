"""The words in the keys of replies, and what each speaks for by `key_words.yaml`: an answer, evidence, or neither."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from raggate_action.strings.data_tables import read_table

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


_TABLE: dict[str, str] = read_table(__package__, "key_words.yaml")


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


EVIDENCE = _words("evidence")
OFTEN_EVIDENCE = _words("often_evidence")
ANY_LIST = _words("any_list")
NO_EVIDENCE = _words("no_evidence")
SELDOM_EVIDENCE = _words("seldom_evidence")
NO_EVIDENCE_BELOW = _words("no_evidence_below")
RETOLD = _words("retold")
SELECTED = _words("selected")
RETRIEVED = _words("retrieved")
ANSWER = _words("answer")
OFTEN_ANSWER = _words("often_answer")
ANY_ANSWER = _words("any_answer")
AROUND = ANSWER | OFTEN_ANSWER | ANY_ANSWER | _words("around")
NO_ANSWER = _words("no_answer")
PARTS = _words("parts")
TALKS = _words("talks")
RANKS = _words("ranks")
IDS = _words("ids")
MARKS = _words("marks")
ON_THE_WAY = _words("on_the_way")
EARLIER = _words("earlier")
OF_TOOLS = _words("of_tools")
ARGUMENTS = _words("arguments")
OF_CALLS = ARGUMENTS | _words("of_calls")
ORIGINS = _words("origins")
RESULTS = _words("results")
NEVER_ABOVE = _words("never_above")
NEVER_ENDING_ABOVE = _words("never_ending_above")
OF_USERS = _words("of_users")
