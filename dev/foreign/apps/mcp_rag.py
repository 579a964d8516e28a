"""An MCP server with one tool, `ask`, over streamable HTTP without sessions."""

from __future__ import annotations

import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel
from reader import nearest, read

TEXTS = [
    (path.name, part.strip())
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]


class Source(BaseModel):
    title: str
    text: str


class Answer(BaseModel):
    answer: str
    sources: list[Source]


server = FastMCP("shop", port=int(sys.argv[1]), stateless_http=True, json_response=True)


@server.tool()
def ask(question: str) -> Answer:
    """Answer a question from the shop's documents."""
    found = [TEXTS[place] for place in nearest(question, [text for _, text in TEXTS])]
    said = read(question, [text for _, text in found])
    return Answer(answer=said, sources=[Source(title=name, text=text) for name, text in found])


if __name__ == "__main__":
    server.run(transport="streamable-http")
