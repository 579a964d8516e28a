"""The words in the keys of replies, and what each speaks for: an answer, evidence, or neither."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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


# The words of keys. Of what speaks for evidence, names of the thing itself; names it often has; names of any list.
EVIDENCE = frozenset({
    "context", "evidence", "chunk", "passage", "retrieved", "retrieval", "retriever", "grounding", "snippet",
    "excerpt", "reranked", "reference", "source", "citation", "document", "doc", "node", "knowledge", "quote",
    "observation",
    "fuente", "fragmento", "extracto", "referencia", "contexto", "pasaje", "cita", "evidencia",
    "quelle", "quellen", "beleg", "belege", "dokument", "dokumente", "kontext", "fundstelle", "fundstellen", "treffer",
    "textstelle", "textstellen", "auszug", "auszuge", "nachweis", "nachweise", "abschnitt", "abschnitte",
    "extrait", "contexte", "preuve", "documento", "documenti", "trecho", "fonte", "fonti", "brano", "brani", "estratto",
    "estratti", "passaggio", "passaggi", "contesto", "riferimento", "riferimenti", "bron", "bronnen",
    "fragmenten", "zrodlo", "zrodla", "источник", "источники", "контекст", "документы", "출처", "근거", "문서",
    "出典", "参照", "根拠", "引用", "文書", "参考", "来源", "文档", "片段", "依据", "资料",
})  # fmt: skip
OFTEN_EVIDENCE = frozenset({
    "hit", "match", "article", "page", "record", "resource", "search", "result", "support", "attribution", "material",
    "artifact", "paragraph", "neighbor", "neighbour", "fact", "footnote", "provenance", "background",
    "memory", "faq", "kb", "rag", "vector", "ref", "src", "ctx", "cite",
})  # fmt: skip
ANY_LIST = frozenset({"item", "data", "value", "list", "entry", "row", "output", "file", "info", "text"})
# These say that it is something else; the second group only where the last word is no name of evidence.
NO_EVIDENCE = frozenset({
    "history", "chat", "conversation", "dialog", "dialogue", "turn", "suggestion", "suggested", "suggest", "question",
    "followup", "follow", "related", "recommended", "recommendation", "prompt", "example", "shot", "step", "log",
    "event", "warning", "error", "tag", "keyword", "query", "intent", "option", "action", "feedback", "link", "url",
    "safety", "rating", "alternative", "choice", "draft", "thought", "thinking", "reasoning", "plan", "rejected",
    "filtered", "dropped", "unused", "discarded", "excluded", "removed", "ignored", "candidate", "instruction",
    "guideline", "disclaimer", "notice", "param", "setting", "config", "debug", "usage", "eval", "evaluation",
    "metric", "guardrail", "profile", "persona", "todo", "subquery", "rewritten", "hypothetical", "highlight",
    "title", "heading", "author", "label", "category", "topic", "card", "button", "widget", "component", "ui", "ad",
    "banner", "promotion", "glossary", "sub", "subquestion", "skill", "permission", "greeting", "translation",
    "moderation", "product", "legal", "verlauf", "vorschlag", "vorschlage", "frage", "fragen", "pregunta", "sugerencia",
    "historial", "pergunta", "sugestao", "historique", "domanda", "domande", "vraag", "vragen", "vervolgvragen",
    "問題", "質問", "问题", "问答", "历史", "履歴", "建议", "推荐",
})  # fmt: skip
SELDOM_EVIDENCE = frozenset({
    "message", "generation", "reply", "response", "answer", "system", "tool", "function", "policy", "rule", "trace",
    "agent", "task", "summary", "generated", "claim", "sentence", "entity",
})  # fmt: skip
# What lies inside these is none, whatever it is called; inside a key that ends otherwise, as `queryResult`, it may be.
NO_EVIDENCE_BELOW = frozenset({
    "history", "suggestion", "related", "example", "shot", "question", "followup", "draft", "rejected", "filtered",
    "dropped", "unused", "discarded", "excluded", "prompt", "config", "setting", "evaluation", "log", "query",
    "subquery", "subquestion", "ad", "widget", "ui", "card",
})  # fmt: skip
# A text of these goes over the evidence in other words, and is none for itself.
RETOLD = frozenset({
    "answer", "reasoning", "reason", "thought", "thinking", "explanation", "rationale", "summary", "html", "ssml",
    "speech", "translation", "draft", "claim", "begrundung", "begruendung", "erklarung", "razonamiento", "raisonnement",
})  # fmt: skip
SELECTED = frozenset({"selected", "reranked", "final", "context", "shown", "kept"})
RETRIEVED = frozenset({"retrieved", "all", "raw", "candidate", "initial", "search", "found", "fetched"})

ANSWER = frozenset({
    "answer", "reply", "response", "completion", "generation", "generated",
    "antwort", "antworttext", "respuesta", "reponse", "resposta", "risposta", "antwoord", "odpowiedz", "svar", "cevap",
    "ответ", "답변", "回答", "答案", "答复",
})  # fmt: skip
OFTEN_ANSWER = frozenset(
    {"output", "result", "text", "content", "summary", "final", "said", "bot", "raw", "prediction"}
)
ANY_ANSWER = frozenset({"item", "data", "value", "list", "entry", "row", "message", "body", "spoken", "speech", "word"})
# What stands around a reply, whatever it is about.
AROUND = ANSWER | OFTEN_ANSWER | ANY_ANSWER | {"payload", "choice", "candidate", "return", "outcome", "block"}
NO_ANSWER = frozenset({
    "expected", "gold", "golden", "truth", "ideal", "sample", "default", "placeholder", "template", "target",
    "question", "query", "prompt", "input", "instruction", "system", "id", "uuid", "model", "status", "state", "type",
    "kind", "role", "title", "name", "url", "uri", "link", "time", "timestamp", "date", "created", "updated",
    "version", "language", "lang", "locale", "session", "user", "thinking", "thought", "reasoning", "reason",
    "rationale", "explanation", "intent", "topic", "category", "tag", "label", "keyword", "source", "citation",
    "reference", "context", "evidence", "document", "doc", "chunk", "passage", "history", "suggestion", "follow",
    "followup", "related", "disclaimer", "notice", "warning", "error", "debug", "log", "trace", "usage", "metadata",
    "meta", "config", "setting", "description", "tool", "function", "argument", "step", "plan", "signature", "hash",
    "token", "format", "mime", "encoding", "fingerprint", "provider", "engine", "author", "email", "snippet", "quote",
    "excerpt", "rewritten", "standalone", "condensed", "search", "sql", "html", "ssml", "audio",
    "translation", "greeting", "welcome", "feedback", "rating", "hypothetical", "draft", "caption", "heading",
    "footer", "header", "path", "file", "detail", "msg", "guardrail", "policy", "judge", "evaluation", "verdict",
    "score", "confidence", "finish", "stop", "begrundung", "begruendung", "erklarung", "razonamiento", "raisonnement",
})  # fmt: skip
# Parts of one text.
PARTS = frozenset({
    "part", "fragment", "segment", "sentence", "block", "span", "piece", "content", "paragraph", "line", "delta",
    "message", "text", "output",
})  # fmt: skip
TALKS = frozenset({"message", "turn", "chat", "conversation", "activity", "dialog", "dialogue", "talk", "thread"})
RANKS = frozenset({"score", "confidence", "relevance", "probability"})
IDS = frozenset({"id", "uuid", "key", "number", "index", "ref", "hash"})
# Numbers under these are marks in the answer, and no ids of chunks.
MARKS = frozenset({"citation", "reference", "footnote", "ref", "cite"})
# Below these stands what the app did on its way.
ON_THE_WAY = frozenset({"step", "action", "trace", "activity", "log", "debug", "event", "span"})
# Below a list of these, or in a list inside of one, stand earlier answers with their sources.
EARLIER = frozenset({"turn", "conversation"})
OF_TOOLS = frozenset({"tool", "function", "retriever", "retrieval"})
ARGUMENTS = frozenset({"argument", "arg", "input", "param", "parameter"})
# In what a tool gave back, what it was called with.
OF_CALLS = ARGUMENTS | {"call", "name", "id", "type", "kind", "status", "error", "query"}
# Beside a text, where it is from.
ORIGINS = frozenset({
    "score", "source", "url", "uri", "href", "file", "filename", "page", "doc", "document", "distance", "similarity",
    "relevance", "chunk", "citation", "rank", "metadata", "meta", "excerpt", "snippet", "passage", "quote",
})  # fmt: skip
RESULTS = frozenset({"result", "response", "output", "return", "observation"})

# What lies inside these is no answer of the app, whatever it is called; of the second only where the key ends so.
NEVER_ABOVE = frozenset({
    "source", "citation", "document", "doc", "chunk", "passage", "history", "suggestion", "related", "example",
    "tool", "step", "log", "trace", "user", "thought", "reprompt", "qa", "faq", "evaluation", "draft", "error",
    "subquery", "subquestion",
})  # fmt: skip
NEVER_ENDING_ABOVE = frozenset({"question", "query", "prompt"})
OF_USERS = frozenset(
    {"user", "human", "system", "developer", "tool", "function", "USER", "HumanMessage", "TOOL", "SYSTEM"}
)
