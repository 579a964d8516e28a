"""A RAG app with LangChain: Markdown files, cut by its splitter, in a FAISS index on disk.

python langchain_rag.py docs     builds the index
"""

from __future__ import annotations

import sys
from pathlib import Path

from langchain_community.vectorstores import FAISS
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import RecursiveCharacterTextSplitter
from reader import embedded, read

INDEX = "index"


class WordHashes(Embeddings):
    def embed_documents(self, texts):
        return [embedded(text) for text in texts]

    def embed_query(self, text):
        return embedded(text)


def build(folder):
    pages = [Document(path.read_text(), metadata={"source": path.name}) for path in sorted(Path(folder).glob("*.md"))]
    chunks = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60).split_documents(pages)
    FAISS.from_documents(chunks, WordHashes()).save_local(INDEX)
    print(f"{len(chunks)} chunks in {INDEX}/")


def answer(question: str):
    store = FAISS.load_local(INDEX, WordHashes(), allow_dangerous_deserialization=True)
    documents = store.similarity_search(question, k=4)
    return {"result": read(question, [each.page_content for each in documents]), "source_documents": documents}


if __name__ == "__main__":
    build(sys.argv[1])
