"""Apps whose answers vary from ask to ask, as `app.json` says: retriever, language, how it words, what broke.

python rag.py docs     builds the index of the one that keeps its texts in LangChain's
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from random import Random

from reader import nearest, words
from rewording import reworded

HOW = json.loads(Path("app.json").read_text())
PAGES = [(path.name, path.read_text()) for path in sorted(Path("docs").glob("*.md"))]
TEXTS = [part.strip() for _name, text in PAGES for part in re.split(r"\n\s*\n", text) if len(part.split()) > 4]


def answer(question: str):
    with Path("asked.txt").open("a+") as asks:
        asks.write(json.dumps(question) + "\n")
        asks.seek(0)
        ask = asks.read().splitlines().count(json.dumps(question))
    draw = Random(f"{HOW['run']}/{ask}/{question}")
    if HOW["retriever"] == "langchain":
        import langchain_rag

        texts = [each.page_content for each in langchain_rag.answer(question)["source_documents"]]
    else:
        texts = [TEXTS[place] for place in nearest(question, TEXTS)]
    text = _broken(_written(question, texts, draw), question)
    return text if HOW["retriever"] == "none" else {"answer": text, "contexts": texts}


def _written(question: str, texts: list[str], draw: Random) -> str:
    """The sentence that fits best and the one after it; as they stand, or in other words."""
    asked = set(words(question))
    pairs = []
    for text in texts:
        lines = [line for line in text.splitlines() if not line.startswith(("#", "```", "=", "|", "<"))]
        sentences = [each for each in re.split(r"(?<=[.!?])\s+", " ".join(lines).strip()) if len(each.split()) > 3]
        pairs += [(each, sentences[place + 1 : place + 2]) for place, each in enumerate(sentences)]
    best, after = max(pairs, key=lambda pair: len(asked & set(words(pair[0]))), default=("", []))
    if 3 * len(asked & set(words(best))) < len(asked):
        return "Das weiß ich nicht." if HOW["language"] == "de" else "I do not know."
    if HOW["words"] == "quotes":
        return " ".join([best, *(after if draw.random() < 0.5 else [])])
    return reworded([best, *after], draw, HOW["language"])


def _broken(text: str, question: str) -> str:
    """What a bad change makes of an answer."""
    if HOW["broken"] == "collapse":
        return "Alles Weitere steht auf unserer Seite." if HOW["language"] == "de" else "Everything is on our website."
    if HOW["broken"] == "cut" and Random(question).random() < 1 / 3:
        return text[: len(text) // 2]
    if HOW["broken"] == "value" and Random(question).random() < 1 / 4:
        return re.sub(r"\d+", lambda number: str(int(number[0]) + 7), text)
    return text


if __name__ == "__main__":
    import langchain_rag

    langchain_rag.build(sys.argv[1])
