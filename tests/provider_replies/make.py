"""Writes `sdk.jsonl`: replies as the providers' own packages type them, made of objects of these packages.

Run by hand, never by the tests, in an environment of its own:

    python -m venv /tmp/sdks && /tmp/sdks/bin/pip install openai anthropic cohere google-genai mcp haystack-ai \
        langchain langgraph llama-index-core mistralai r2r google-cloud-discoveryengine botocore pydantic-ai-slim a2a-sdk
    /tmp/sdks/bin/python tests/provider_replies/make.py

`documented.jsonl` beside it holds replies for which there is no package: each from the documentation it names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFUNDS = "Refunds are paid within 30 days of purchase, to the card that was charged."
SHIPPING = "Orders ship on the next working day. Parcels to islands take two days longer."
ANSWER = "A refund reaches your card within 30 days."
QUESTION = "How long does a refund take?"
BOTH = [REFUNDS, SHIPPING]
USAGE = {"input_tokens": 90, "output_tokens": 12, "total_tokens": 102}


def line(
    name: str, package: str, types: str, reply: Any, context: list[str] | None, answer: str = ANSWER
) -> dict[str, Any]:
    source = f"{package} {version(package)}: {types}"
    return {"name": name, "source": source, "reply": reply, "answer": answer, "context": context}


def openai_replies() -> Iterator[dict[str, Any]]:
    from openai.types.beta.threads import Message
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response

    def response(results: list[dict[str, Any]] | None, annotations: list[dict[str, Any]]) -> dict[str, Any]:
        search = {
            "type": "file_search_call",
            "id": "fs_67ccd2bf",
            "status": "completed",
            "queries": [QUESTION],
            "results": results,
        }
        text = {"type": "output_text", "text": ANSWER, "annotations": annotations, "logprobs": []}
        message = {
            "type": "message",
            "id": "msg_67ccd2c1",
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
        reasoning = {
            "type": "reasoning",
            "id": "rs_67ccd2c0",
            "summary": [{"type": "summary_text", "text": "The user asks about refunds."}],
        }
        whole = {
            "id": "resp_67ccd2bed1ec8190b14f964abc054267",
            "object": "response",
            "created_at": 1741476542,
            "status": "completed",
            "model": "gpt-5",
            "output": [reasoning, search, message],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "instructions": "Answer from the files only.",
            "error": None,
            "metadata": {},
            "text": {"format": {"type": "text"}},
        }
        return Response.model_validate(whole).model_dump(mode="json", exclude_none=True)

    cited = [{"type": "file_citation", "index": 20, "file_id": "file-2dtbBZdj", "filename": "refunds.md"}]
    results = [
        {"file_id": "file-2dtbBZdj", "filename": "refunds.md", "score": 0.91, "text": REFUNDS, "attributes": {}},
        {"file_id": "file-9xqkLmNo", "filename": "shipping.md", "score": 0.42, "text": SHIPPING, "attributes": {}},
    ]
    types = "types.responses.Response"
    yield line("OpenAI Responses, file search with results", "openai", types, response(results, cited), BOTH)
    yield line("OpenAI Responses, file search without results", "openai", types, response(None, cited), None)

    def chat(message: dict[str, Any], **more: Any) -> dict[str, Any]:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER, **message}}
        whole = {
            "id": "chatcmpl-9aBcDeF",
            "object": "chat.completion",
            "created": 1741476542,
            "model": "gpt-5",
            "choices": [choice],
            **more,
        }
        return ChatCompletion.model_validate(whole).model_dump(mode="json", exclude_none=True)

    types = "types.chat.ChatCompletion"
    yield line("OpenAI chat", "openai", types, chat({}), None)
    web = {
        "type": "url_citation",
        "url_citation": {"start_index": 0, "end_index": 20, "title": "Refunds", "url": "https://shop.example/refunds"},
    }
    yield line("OpenAI chat, web search", "openai", types, chat({"annotations": [web]}), None)
    own = [{"page_content": text, "metadata": {"source": f"{n}.md"}} for n, text in enumerate(BOTH)]
    yield line(
        "OpenAI chat inside a reply of the app's own",
        "openai",
        types,
        {"completion": chat({}), "retrieved": own, "question": QUESTION},
        BOTH,
    )

    def thread_message(role: str, text: str, at: int, quote: str | None = None) -> dict[str, Any]:
        citation = {"file_id": "file-2dtbBZdj", **({"quote": quote} if quote else {})}
        annotations = [
            {
                "type": "file_citation",
                "text": "【4:0†refunds.md】",
                "start_index": 30,
                "end_index": 42,
                "file_citation": citation,
            }
        ]
        content = [{"type": "text", "text": {"value": text, "annotations": annotations if quote else []}}]
        whole = {
            "id": f"msg_{role}{at}aBcDeF",
            "object": "thread.message",
            "created_at": at,
            "thread_id": "thread_abc123XYZ",
            "role": role,
            "content": content,
            "assistant_id": "asst_abc123XYZ",
            "run_id": "run_abc123XYZ",
            "status": "completed",
            "metadata": {},
            "attachments": [],
        }
        message = Message.model_validate(whole).model_dump(mode="json", exclude_none=True)
        if quote:  # The API had it beside `file_id`; the type lets it through.
            message["content"][0]["text"]["annotations"][0]["file_citation"]["quote"] = quote
        return message

    messages = [thread_message("assistant", ANSWER, 1741476550, REFUNDS), thread_message("user", QUESTION, 1741476540)]
    types = "types.beta.threads.Message"
    page = {
        "object": "list",
        "data": messages,
        "first_id": messages[0]["id"],
        "last_id": messages[1]["id"],
        "has_more": False,
    }
    yield line("OpenAI Assistants, list of messages", "openai", types, page, [REFUNDS])
    yield line("OpenAI Assistants, one message", "openai", types, messages[0], [REFUNDS])


def anthropic_replies() -> Iterator[dict[str, Any]]:
    from anthropic.types import Message

    def message(content: list[dict[str, Any]]) -> dict[str, Any]:
        usage = {"input_tokens": 90, "output_tokens": 12}
        whole = {
            "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": content,
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": usage,
        }
        return dict(Message.model_validate(whole).model_dump(mode="json", exclude_none=True))

    def block(text: str, citations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        return {"type": "text", "text": text, "citations": citations}

    document = {
        "type": "char_location",
        "cited_text": REFUNDS,
        "document_index": 0,
        "document_title": "Refunds",
        "start_char_index": 0,
        "end_char_index": 74,
    }
    found = {
        "type": "search_result_location",
        "cited_text": REFUNDS,
        "source": "https://shop.example/refunds",
        "title": "Refunds",
        "search_result_index": 0,
        "start_block_index": 0,
        "end_block_index": 1,
    }
    halves = [block("A refund reaches "), block("your card within 30 days.", [document])]
    types = "types.Message"
    yield line("Anthropic, citations of a document", "anthropic", types, message(halves), [REFUNDS])
    yield line(
        "Anthropic, citations of search results", "anthropic", types, message([block(ANSWER, [found])]), [REFUNDS]
    )
    thinking = {
        "type": "thinking",
        "thinking": "The user asks how long a refund takes.",
        "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl",
    }
    yield line("Anthropic, thinking and no citations", "anthropic", types, message([thinking, block(ANSWER)]), None)
    use = {"type": "server_tool_use", "id": "srvtoolu_01A2B3", "name": "web_search", "input": {"query": "refund time"}}
    page = {
        "type": "web_search_result",
        "url": "https://shop.example/refunds",
        "title": "How refunds work in our shop",
        "encrypted_content": "EqgfCioIARgBIiQ3",
        "page_age": None,
    }
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01A2B3", "content": [page]}
    web = {
        "type": "web_search_result_location",
        "cited_text": REFUNDS,
        "url": "https://shop.example/refunds",
        "title": "Refunds",
        "encrypted_index": "Eo8BCioI",
    }
    yield line("Anthropic, web search", "anthropic", types, message([use, result, block(ANSWER, [web])]), [REFUNDS])


def google_replies() -> Iterator[dict[str, Any]]:
    from google.genai import types

    chunks = [
        {"retrieved_context": {"text": text, "title": title, "uri": f"gs://docs/{title}"}}
        for text, title in zip(BOTH, ("refunds.md", "shipping.md"), strict=True)
    ]
    support = {"segment": {"start_index": 0, "end_index": 42, "text": ANSWER}, "grounding_chunk_indices": [0]}

    def generated(chunks: list[dict[str, Any]]) -> types.GenerateContentResponse:
        parts = [{"text": "The file says thirty days.", "thought": True}, {"text": ANSWER}]
        metadata = {"grounding_chunks": chunks, "grounding_supports": [support], "retrieval_queries": [QUESTION]}
        candidate = {
            "content": {"role": "model", "parts": parts},
            "finish_reason": "STOP",
            "index": 0,
            "grounding_metadata": metadata,
        }
        return types.GenerateContentResponse.model_validate(
            {"candidates": [candidate], "model_version": "gemini-3-pro", "response_id": "mAtZaPHjKZ"}
        )

    for name, by_alias in (("as the SDK dumps it", False), ("as the REST API writes it", True)):
        dumped = generated(chunks).model_dump(mode="json", exclude_none=True, by_alias=by_alias)
        yield line(f"Gemini file search, {name}", "google-genai", "types.GenerateContentResponse", dumped, BOTH)
    web = [{"web": {"uri": "https://shop.example/refunds", "title": "How refunds work in our shop"}}]
    dumped = generated(web).model_dump(mode="json", exclude_none=True, by_alias=True)
    yield line("Gemini grounded by web search", "google-genai", "types.GenerateContentResponse", dumped, None)


def cohere_replies() -> Iterator[dict[str, Any]]:
    import cohere

    documents = [
        {"id": "doc-1", "snippet": REFUNDS, "title": "Refunds"},
        {"id": "doc-2", "snippet": SHIPPING, "title": "Shipping"},
    ]
    sources = [{"type": "document", "id": each["id"], "document": each} for each in documents]
    message = {
        "role": "assistant",
        "content": [{"type": "text", "text": ANSWER}],
        "citations": [{"start": 27, "end": 42, "text": "within 30 days.", "sources": sources, "type": "TEXT_CONTENT"}],
    }
    v2 = cohere.V2ChatResponse.model_validate(
        {"id": "c14c80c3-18eb-4519-9460-6c92edd8cfb4", "finish_reason": "COMPLETE", "message": message}
    )
    yield line("Cohere v2 chat with documents", "cohere", "V2ChatResponse", json.loads(v2.json()), BOTH)
    v1 = cohere.NonStreamedChatResponse.model_validate(
        {
            "text": ANSWER,
            "generation_id": "c14c80c3-18eb-4519-9460-6c92edd8cfb4",
            "response_id": "6b1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11",
            "finish_reason": "COMPLETE",
            "citations": [{"start": 27, "end": 42, "text": "within 30 days.", "document_ids": ["doc-1"]}],
            "documents": [{"id": each["id"], "text": each["snippet"], "title": each["title"]} for each in documents],
            "chat_history": [{"role": "USER", "message": QUESTION}, {"role": "CHATBOT", "message": ANSWER}],
        }
    )
    yield line("Cohere v1 chat with documents", "cohere", "NonStreamedChatResponse", json.loads(v1.json()), BOTH)


def mcp_replies() -> Iterator[dict[str, Any]]:
    from mcp import types

    resources = [
        {"type": "resource", "resource": {"uri": f"docs://{name}", "mimeType": "text/markdown", "text": text}}
        for name, text in zip(("refunds", "shipping"), BOTH, strict=True)
    ]
    structured = {
        "answer": ANSWER,
        "sources": [{"id": "refunds", "content": REFUNDS}, {"id": "shipping", "content": SHIPPING}],
    }

    def result(**fields: Any) -> dict[str, Any]:
        return types.CallToolResult.model_validate({"isError": False, **fields}).model_dump(
            mode="json", by_alias=True, exclude_none=True
        )

    text = {"type": "text", "text": ANSWER}
    yield line("MCP result with resources", "mcp", "types.CallToolResult", result(content=[text, *resources]), BOTH)
    with_structure = result(content=[{"type": "text", "text": json.dumps(structured)}], structuredContent=structured)
    yield line("MCP result with structuredContent", "mcp", "types.CallToolResult", with_structure, BOTH)
    rpc = {"jsonrpc": "2.0", "id": 3, "result": with_structure}
    yield line("MCP result over JSON-RPC", "mcp", "types.CallToolResult", rpc, BOTH)
    rpc = {"jsonrpc": "2.0", "id": 4, "result": result(content=[text, *resources])}
    yield line("MCP resources over JSON-RPC", "mcp", "types.CallToolResult", rpc, BOTH)


def langchain_replies() -> Iterator[dict[str, Any]]:
    from fastapi.encoders import jsonable_encoder
    from langchain_core.agents import AgentAction
    from langchain_core.documents import Document
    from langchain_core.load import dumpd
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langgraph.graph import MessagesState, StateGraph

    documents = [Document(page_content=text, metadata={"source": f"{n}.md"}) for n, text in enumerate(BOTH)]
    chain = {"input": QUESTION, "chat_history": [], "context": documents, "answer": ANSWER}
    served = {
        "output": jsonable_encoder(chain),
        "metadata": {"run_id": "8a3f6f0a-2f9a-4c4b-9a4f-7e5ff6d0a111", "feedback_tokens": []},
    }
    yield line("LangServe invoke of a retrieval chain", "langchain-core", "documents.Document", served, BOTH)

    call = {"name": "search", "args": {"query": "refund"}, "id": "call_abc123", "type": "tool_call"}
    text = "\n\n".join(f"Source: {n}.md\nContent: {each.page_content}" for n, each in enumerate(documents))
    with_artifact = ToolMessage(text, tool_call_id="call_abc123", name="search", artifact=documents)
    alone = ToolMessage(text, tool_call_id="call_abc123", name="search")

    def state(tool: ToolMessage) -> dict[str, Any]:
        graph = StateGraph(MessagesState)
        graph.add_node(
            "answer", lambda _state: {"messages": [AIMessage("", tool_calls=[call]), tool, AIMessage(ANSWER)]}
        )
        graph.set_entry_point("answer")
        return dict(graph.compile().invoke({"messages": [HumanMessage(QUESTION)]}))

    action = AgentAction(tool="search", tool_input={"query": "refund"}, log="Invoking `search` with the query refund")
    steps = {"input": QUESTION, "output": ANSWER, "intermediate_steps": [(action, REFUNDS), (action, SHIPPING)]}
    yield line(
        "LangChain agent with intermediate steps", "langchain-core", "agents.AgentAction", jsonable_encoder(steps), BOTH
    )

    types = "graph.MessagesState"
    yield line(
        "LangGraph state, a tool with artifacts", "langgraph", types, jsonable_encoder(state(with_artifact)), BOTH
    )
    yield line("LangGraph state, a tool's text", "langgraph", types, jsonable_encoder(state(alone)), [text])
    yield line("LangGraph state, dumpd", "langgraph", types, {"messages": dumpd(state(alone)["messages"])}, [text])
    yield line(
        "LangGraph state of the platform",
        "langgraph",
        types,
        {"values": jsonable_encoder(state(alone)), "next": [], "created_at": "2026-06-02T09:00:00Z"},
        [text],
    )


def llama_index_replies() -> Iterator[dict[str, Any]]:
    from fastapi.encoders import jsonable_encoder
    from llama_index.core.base.response.schema import Response
    from llama_index.core.chat_engine.types import AgentChatResponse
    from llama_index.core.schema import NodeWithScore, TextNode
    from llama_index.core.tools import ToolOutput

    nodes = [
        NodeWithScore(node=TextNode(text=text, id_=f"n-{n}", metadata={"file_name": f"{n}.md"}), score=0.8 - n / 10)
        for n, text in enumerate(BOTH)
    ]
    yield line(
        "LlamaIndex query engine",
        "llama-index-core",
        "Response",
        jsonable_encoder(Response(ANSWER, source_nodes=nodes)),
        BOTH,
    )
    output = ToolOutput(
        tool_name="query_engine", content="\n\n".join(BOTH), raw_input={"input": QUESTION}, raw_output=None
    )
    chat = AgentChatResponse(response=ANSWER, sources=[output], source_nodes=nodes)
    yield line("LlamaIndex chat engine", "llama-index-core", "AgentChatResponse", jsonable_encoder(chat), BOTH)


def haystack_replies() -> Iterator[dict[str, Any]]:
    from haystack.components.builders import AnswerBuilder
    from haystack.dataclasses import ChatMessage, Document

    documents = [Document(id=f"d-{n}", content=text, meta={"file_path": f"{n}.md"}) for n, text in enumerate(BOTH)]
    built = AnswerBuilder().run(query=QUESTION, replies=[ANSWER], documents=documents)
    answers = {
        "answer_builder": {
            "answers": [
                each.to_dict()["init_parameters"] if "init_parameters" in each.to_dict() else each.to_dict()
                for each in built["answers"]
            ]
        }
    }
    yield line("Haystack, answer builder", "haystack-ai", "dataclasses.GeneratedAnswer", answers, BOTH)
    dumped = [each.to_dict(flatten=False) for each in documents]
    plain = {"llm": {"replies": [ANSWER], "meta": [{"model": "gpt-5"}]}, "retriever": {"documents": dumped}}
    yield line("Haystack, generator and retriever", "haystack-ai", "dataclasses.Document", plain, BOTH)
    chat = {"llm": {"replies": [ChatMessage.from_assistant(ANSWER).to_dict()]}, "retriever": {"documents": dumped}}
    yield line("Haystack, chat generator and retriever", "haystack-ai", "dataclasses.ChatMessage", chat, BOTH)


def amazon_replies() -> Iterator[dict[str, Any]]:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.parsers import create_parser

    def parsed(service: str, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The body as boto3 hands it on: what the service's model does not have is dropped."""
        model = ServiceModel(Loader().load_service_model(service, "service-2"))
        shape = model.operation_model(operation).output_shape
        response = {"body": json.dumps(body).encode(), "headers": {}, "status_code": 200}
        found = create_parser(model.metadata["protocol"]).parse(response, shape)
        return {key: value for key, value in found.items() if key != "ResponseMetadata"}

    references = [
        {
            "content": {"type": "TEXT", "text": text},
            "location": {"type": "S3", "s3Location": {"uri": f"s3://docs/{n}.md"}},
            "metadata": {"x-amz-bedrock-kb-source-uri": f"s3://docs/{n}.md"},
        }
        for n, text in enumerate(BOTH)
    ]
    part = {"textResponsePart": {"span": {"start": 0, "end": 41}, "text": ANSWER}}
    body = {
        "sessionId": "3f1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11",
        "output": {"text": ANSWER},
        "citations": [{"generatedResponsePart": part, "retrievedReferences": references}],
        "guardrailAction": "NONE",
    }
    reply = parsed("bedrock-agent-runtime", "RetrieveAndGenerate", body)
    yield line("Bedrock RetrieveAndGenerate", "botocore", "bedrock-agent-runtime RetrieveAndGenerate", reply, BOTH)

    source = {
        "title": "Refunds",
        "sourceContent": [{"text": REFUNDS}],
        "location": {"documentChar": {"documentIndex": 0}},
    }
    cited = {"citationsContent": {"content": [{"text": ANSWER}], "citations": [source]}}
    body = {
        "output": {"message": {"role": "assistant", "content": [cited]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 90, "outputTokens": 12, "totalTokens": 102},
        "metrics": {"latencyMs": 812},
    }
    reply = parsed("bedrock-runtime", "Converse", body)
    yield line("Bedrock Converse with citations", "botocore", "bedrock-runtime Converse", reply, [REFUNDS])

    attributions = [
        {
            "title": "Refunds",
            "snippet": text,
            "url": f"https://shop.example/{n}",
            "citationNumber": n,
            "documentId": f"d-{n}",
        }
        for n, text in enumerate(BOTH, 1)
    ]
    body = {
        "conversationId": "5c1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11",
        "systemMessage": ANSWER,
        "systemMessageId": "6c1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11",
        "userMessageId": "7c1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11",
        "sourceAttributions": attributions,
    }
    yield line("Amazon Q Business", "botocore", "qbusiness ChatSync", parsed("qbusiness", "ChatSync", body), BOTH)


def search_replies() -> Iterator[dict[str, Any]]:
    import vectara
    from google.cloud import discoveryengine_v1
    from perplexity.types import StreamChunk

    answer = discoveryengine_v1.Answer
    chunk = answer.Reference.ChunkInfo
    references = [
        answer.Reference(
            chunk_info=chunk(
                content=text,
                relevance_score=0.9,
                document_metadata=chunk.DocumentMetadata(document=f"projects/p/documents/{n}", title=f"Rules {n}"),
            )
        )
        for n, text in enumerate(BOTH)
    ]
    action = answer.Step.Action(search_action=answer.Step.Action.SearchAction(query=QUESTION))
    response = discoveryengine_v1.AnswerQueryResponse(
        answer=answer(
            name="projects/p/locations/global/answers/1",
            state=answer.State.SUCCEEDED,
            answer_text=ANSWER,
            references=references,
            related_questions=["How do I return a parcel to the shop?", "When do orders ship?"],
            steps=[
                answer.Step(
                    description="Rephrase the query and search.", thought="Search for refunds.", actions=[action]
                )
            ],
        ),
        answer_query_token="NMwKDAjFkpK6BhDU24uuAhIkNjc1",  # noqa: S106 - as the page has it
    )
    reply = json.loads(discoveryengine_v1.AnswerQueryResponse.to_json(response))
    types = "discoveryengine_v1.AnswerQueryResponse"
    yield line("Google Vertex AI Search, answer", "google-cloud-discoveryengine", types, reply, BOTH)

    results = [
        {
            "text": text,
            "score": 0.9,
            "part_metadata": {"lang": "eng"},
            "document_metadata": {"title": "Rules"},
            "document_id": f"d-{n}",
        }
        for n, text in enumerate(BOTH)
    ]
    query = vectara.QueryFullResponse.model_validate(
        {"summary": ANSWER, "response_language": "eng", "search_results": results, "factual_consistency_score": 0.98}
    )
    yield line("Vectara query", "vectara", "QueryFullResponse", json.loads(query.json()), BOTH)

    found = [
        {
            "title": "Refunds",
            "url": f"https://shop.example/{n}",
            "snippet": text,
            "date": "2026-06-02",
            "last_updated": None,
            "source": "web",
        }
        for n, text in enumerate(BOTH)
    ]
    message = {"role": "assistant", "content": ANSWER}
    whole = {
        "id": "3c90c3cc-0d44-4b50-8888-8dd25736052a",
        "model": "sonar-pro",
        "created": 1741476542,
        "object": "chat.completion",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": message, "delta": {"role": "assistant", "content": ""}}
        ],
        "citations": [each["url"] for each in found],
        "search_results": found,
    }
    reply = StreamChunk.model_validate(whole).model_dump(mode="json", exclude_none=True)
    yield line("Perplexity Sonar", "perplexityai", "types.StreamChunk", reply, BOTH)


def other_replies() -> Iterator[dict[str, Any]]:
    from a2a import types as a2a
    from google.protobuf.json_format import MessageToDict
    from groq.types.chat import ChatCompletion
    from mistralai.client.models import ChatCompletionResponse
    from shared.abstractions import AggregateSearchResult, ChunkSearchResult
    from shared.api.models.retrieval.responses import RAGResponse

    results = [
        {"title": "Rules", "url": f"https://shop.example/{n}", "content": text, "score": 0.9}
        for n, text in enumerate(BOTH)
    ]
    tool = {
        "index": 0,
        "type": "search",
        "arguments": '{"query": "refund"}',
        "output": "",
        "search_results": {"results": results},
    }
    message = {
        "role": "assistant",
        "content": ANSWER,
        "reasoning": "The user asks about refunds.",
        "executed_tools": [tool],
    }
    whole = {
        "id": "chatcmpl-9aBcDeF",
        "object": "chat.completion",
        "created": 1741476542,
        "model": "groq/compound",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    reply = ChatCompletion.model_validate(whole).model_dump(mode="json", exclude_none=True)
    yield line("Groq compound, searched", "groq", "types.chat.ChatCompletion", reply, BOTH)

    blocks = [{"type": "text", "text": ANSWER}, {"type": "reference", "reference_ids": [1]}]
    whole = {
        "id": "cmpl-e5cc70bb28c444948073e77776eb30ef",
        "object": "chat.completion",
        "created": 1741476542,
        "model": "mistral-large-latest",
        "usage": {"prompt_tokens": 90, "completion_tokens": 12, "total_tokens": 102},
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": blocks}}],
    }
    reply = ChatCompletionResponse.model_validate(whole).model_dump(mode="json", exclude_none=True)
    yield line("Mistral chat with references", "mistralai", "client.models.ChatCompletionResponse", reply, None)

    chunks = [
        ChunkSearchResult(
            id=f"3f3d47f3-8baf-58eb-8bc2-0171fb1c6e0{n}",
            document_id=f"4f3d47f3-8baf-58eb-8bc2-0171fb1c6e0{n}",
            owner_id=None,
            collection_ids=[],
            score=0.9,
            text=text,
            metadata={"title": f"{n}.md"},
        )
        for n, text in enumerate(BOTH)
    ]
    searched = AggregateSearchResult(chunk_search_results=chunks, graph_search_results=[], web_search_results=[])
    rag = RAGResponse(generated_answer=ANSWER, completion=ANSWER, search_results=searched, citations=[], metadata={})
    yield line("R2R rag", "r2r", "shared.api.models.RAGResponse", {"results": json.loads(rag.model_dump_json())}, BOTH)

    data = a2a.Part()
    data.data.update({"documents": [{"id": str(n), "text": text} for n, text in enumerate(BOTH)]}) if hasattr(
        data.data, "update"
    ) else data.data.struct_value.update({"documents": [{"id": str(n), "text": text} for n, text in enumerate(BOTH)]})
    artifact = a2a.Artifact(artifact_id="a-1", name="answer", parts=[a2a.Part(text=ANSWER), data])
    task = a2a.Task(id="363422be-b0f9-4692-a24d-278670e7c7f1", context_id="c295ea44-7543-4f78-b524-7a38915ad6e4")
    task.artifacts.append(artifact)
    task.history.append(a2a.Message(message_id="m-1", role=a2a.Role.ROLE_USER, parts=[a2a.Part(text=QUESTION)]))
    rpc = {"jsonrpc": "2.0", "id": 1, "result": MessageToDict(task)}
    yield line("A2A task over JSON-RPC", "a2a-sdk", "types.Task", rpc, BOTH)


def main() -> None:
    groups = (
        openai_replies,
        anthropic_replies,
        google_replies,
        cohere_replies,
        mcp_replies,
        langchain_replies,
        llama_index_replies,
        haystack_replies,
        amazon_replies,
        search_replies,
        other_replies,
    )
    lines = [each for group in groups for each in group()]
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
    (HERE / "sdk.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
