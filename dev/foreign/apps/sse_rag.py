"""A chat endpoint that streams: server-sent events of a few words each, then one with the sources, then the end."""

from __future__ import annotations

import json
from pathlib import Path

from fastapi import FastAPI
from reader import nearest, read
from sse_starlette.sse import EventSourceResponse

TEXTS = [
    part.strip()
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]
app = FastAPI()


@app.post("/chat")
async def chat(body: dict):
    question = body["question"]
    found = [TEXTS[place] for place in nearest(question, TEXTS)]

    async def events():
        for word in read(question, found).split(" "):
            yield {"data": json.dumps({"token": word + " "})}
        yield {"data": json.dumps({"sources": [{"content": text} for text in found]})}
        yield {"data": "[DONE]"}

    return EventSourceResponse(events())
