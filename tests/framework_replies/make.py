"""Writes `replies.json`: what apps built with other projects' packages reply, made of real objects of these packages.

Run by hand, never by the tests, in an environment of its own:

    python -m venv /tmp/frameworks && /tmp/frameworks/bin/pip install langchain-core llama-index-core fastapi
    /tmp/frameworks/bin/python tests/framework_replies/make.py

What a function of the app's own process returns goes through `targets/function_worker.py`, as in a run.
"""

from __future__ import annotations

import json
import runpy
from importlib.metadata import version
from pathlib import Path

from fastapi.encoders import jsonable_encoder
from langchain_core.documents import Document
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.response.schema import Response
from llama_index.core.schema import Document as LlamaDocument
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

HERE = Path(__file__).parent
WORKER = HERE.parents[1] / "raggate_action" / "targets" / "function_worker.py"
reply_line = runpy.run_path(str(WORKER))["reply_line"]

REFUNDS, SHIPPING = "Refunds are paid within 30 days of purchase.", "Orders ship on the next working day."
ANSWER = "Refunds are paid within 30 days of purchase."

plain = [
    Document(page_content=REFUNDS, metadata={"source": "refunds.md", "page": 1}),
    Document(page_content=SHIPPING, metadata={"source": "shipping.md"}),
]
with_ids = [
    Document(id="c-1", page_content=REFUNDS, metadata={"source": "refunds.md"}),
    Document(id="c-2", page_content=SHIPPING, metadata={"source": "shipping.md"}),
]
message = AIMessage(ANSWER, usage_metadata={"input_tokens": 90, "output_tokens": 12, "total_tokens": 102})


def node(node_id: str, text: str, document: str) -> TextNode:
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)}
    return TextNode(text=text, id_=node_id, relationships=source, metadata={"file_name": f"{document}.md"})


nodes = [
    NodeWithScore(node=node("n-1", REFUNDS, "refunds"), score=0.81),
    NodeWithScore(node=node("n-2", SHIPPING, "shipping"), score=0.42),
]
response = Response(ANSWER, source_nodes=nodes, metadata={"n-1": {}})
whole = [LlamaDocument(text=REFUNDS, id_="d-1"), LlamaDocument(text=SHIPPING, id_="d-2")]

REPLIES = {
    "langchain documents, jsonable_encoder": jsonable_encoder({"answer": ANSWER, "context": plain}),
    "langchain documents with ids, model_dump": {"answer": ANSWER, "docs": [each.model_dump() for each in with_ids]},
    "langchain documents, dumpd": {"result": ANSWER, "source_documents": [dumpd(each) for each in with_ids]},
    "langchain documents with scores": jsonable_encoder({"answer": ANSWER, "documents": [(d, 0.5) for d in plain]}),
    "langchain state of a graph": jsonable_encoder(
        {"messages": [HumanMessage("When?").model_dump(), message.model_dump()], "context": plain}
    ),
    "langchain message and documents, dumpd": {"answer": dumpd(message), "context": [dumpd(each) for each in plain]},
    "llama-index response, jsonable_encoder": jsonable_encoder(response),
    "llama-index nodes, to_dict": {"response": ANSWER, "source_nodes": [each.to_dict() for each in nodes]},
    "llama-index nodes without scores": {"answer": ANSWER, "sources": [each.node.model_dump() for each in nodes]},
    "llama-index documents": {"answer": ANSWER, "documents": [each.model_dump() for each in whole]},
    "a function returns langchain objects": json.loads(reply_line({"answer": message, "context": plain})),
    "a function returns documents with scores": json.loads(
        reply_line({"answer": ANSWER, "context": [(each, 0.25) for each in with_ids]})
    ),
    "a function returns a llama-index response": json.loads(reply_line(response)),
    "a function returns a langchain message": json.loads(reply_line(message)),
}

written = {
    "made_with": {name: version(name) for name in ("langchain-core", "llama-index-core", "fastapi")},
    "replies": REPLIES,
}
(HERE / "replies.json").write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n")
