"""A RAG app with LlamaIndex: a query engine over a vector index; it returns the engine's own response."""

from __future__ import annotations

from pathlib import Path

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.node_parser import SentenceSplitter
from reader import embedded, read


class WordHashes(BaseEmbedding):
    def _get_query_embedding(self, query):
        return embedded(query)

    def _get_text_embedding(self, text):
        return embedded(text)

    async def _aget_query_embedding(self, query):
        return embedded(query)


class Reader(CustomLLM):
    @property
    def metadata(self):
        return LLMMetadata(context_window=100_000, num_output=512)

    @llm_completion_callback()
    def complete(self, prompt, formatted=False, **kwargs):
        context, _, rest = prompt.partition("Given the context information")
        question = rest.partition("Query: ")[2].partition("\nAnswer:")[0]
        return CompletionResponse(text=read(question, [context.partition("---------------------")[2].strip(" -\n")]))

    @llm_completion_callback()
    def stream_complete(self, prompt, formatted=False, **kwargs):
        yield self.complete(prompt)


def _engine():
    pages = [
        Document(text=path.read_text(), metadata={"source": path.name}) for path in sorted(Path("docs").glob("*.md"))
    ]
    splitter = SentenceSplitter(chunk_size=200, chunk_overlap=20)
    index = VectorStoreIndex.from_documents(pages, embed_model=WordHashes(), transformations=[splitter])
    return index.as_query_engine(llm=Reader(), similarity_top_k=4)


ENGINE = _engine()


def answer(question: str):
    return ENGINE.query(question)
