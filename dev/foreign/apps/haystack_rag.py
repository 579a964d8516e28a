"""A RAG app with Haystack: a pipeline of retriever and answer builder; it returns what the pipeline returns."""

from __future__ import annotations

from pathlib import Path

from haystack import Document, Pipeline, component
from haystack.components.builders import AnswerBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from reader import read


@component
class Reader:
    @component.output_types(replies=list[str])
    def run(self, query: str, documents: list[Document]):
        return {"replies": [read(query, [each.content for each in documents])]}


def _pipeline():
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(content=part.strip(), meta={"file": path.name})
            for path in sorted(Path("docs").glob("*.md"))
            for part in path.read_text().split("\n\n")
            if part.strip()
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=4))
    pipeline.add_component("reader", Reader())
    pipeline.add_component("answers", AnswerBuilder())
    pipeline.connect("retriever.documents", "reader.documents")
    pipeline.connect("reader.replies", "answers.replies")
    pipeline.connect("retriever.documents", "answers.documents")
    return pipeline


PIPELINE = _pipeline()


def answer(question: str):
    return PIPELINE.run(
        {"retriever": {"query": question}, "reader": {"query": question}, "answers": {"query": question}}
    )
