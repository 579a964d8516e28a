"""A RAG app behind the two interfaces of OpenAI, its replies made of the SDK's own types.

POST /v1/chat/completions, with what was found as `context.citations` of the message, as "on your data" has it
POST /v1/responses, with the results of a file search
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion import Choice
from openai.types.responses import (
    Response,
    ResponseFileSearchToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from openai.types.responses.response_file_search_tool_call import Result
from reader import nearest, read

TEXTS = [
    (path.name, part.strip())
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]
app = FastAPI()


def found_for(question):
    return [TEXTS[place] for place in nearest(question, [text for _, text in TEXTS])]


@app.post("/v1/chat/completions")
def chat(body: dict):
    question = body["messages"][-1]["content"]
    found = found_for(question)
    message = ChatCompletionMessage(role="assistant", content=read(question, [text for _, text in found]))
    choice = Choice(index=0, finish_reason="stop", message=message)
    reply = ChatCompletion(
        id="chatcmpl-1", choices=[choice], created=1767225600, model="reader", object="chat.completion"
    ).model_dump(mode="json")
    citations = [
        {"content": text, "title": name, "filepath": name, "chunk_id": str(place)}
        for place, (name, text) in enumerate(found)
    ]
    reply["choices"][0]["message"]["context"] = {"citations": citations, "intent": question}
    return reply


@app.post("/v1/responses")
def responses(body: dict):
    question = body["input"]
    found = found_for(question)
    text = ResponseOutputText(type="output_text", text=read(question, [text for _, text in found]), annotations=[])
    results = [Result(file_id=f"file-{name}", filename=name, score=0.9, text=text) for name, text in found]
    search = ResponseFileSearchToolCall(
        id="fs_1", type="file_search_call", status="completed", queries=[question], results=results
    )
    message = ResponseOutputMessage(id="msg_1", type="message", role="assistant", status="completed", content=[text])
    return Response(
        id="resp_1",
        created_at=1767225600,
        model="reader",
        object="response",
        output=[search, message],
        parallel_tool_calls=True,
        tool_choice="auto",
        tools=[],
        status="completed",
    ).model_dump(mode="json")
