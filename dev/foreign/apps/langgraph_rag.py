"""A RAG app with LangGraph: a graph of two nodes; it returns the graph's last state."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from langchain_core.documents import Document
from langgraph.graph import END, START, StateGraph
from reader import nearest, read


class State(TypedDict, total=False):
    question: str
    documents: list[Document]
    generation: str


PAGES = [
    Document(page_content=part.strip(), metadata={"source": path.name})
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]


def retrieve(state: State) -> State:
    near = nearest(state["question"], [page.page_content for page in PAGES])
    return {"documents": [PAGES[place] for place in near]}


def generate(state: State) -> State:
    return {"generation": read(state["question"], [page.page_content for page in state["documents"]])}


def _graph():
    graph = StateGraph(State)
    graph.add_node("retrieve", retrieve)
    graph.add_node("generate", generate)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", END)
    return graph.compile()


GRAPH = _graph()


def answer(question: str):
    return GRAPH.invoke({"question": question})
