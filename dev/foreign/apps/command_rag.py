"""A RAG app as a program: python rag.py "How long?" prints the answer."""

from __future__ import annotations

import sys
from pathlib import Path

from reader import nearest, read

TEXTS = [part.strip() for path in sorted(Path("docs").glob("*.md")) for part in path.read_text().split("\n\n")]

if __name__ == "__main__":
    question = " ".join(sys.argv[1:])
    print(read(question, [TEXTS[place] for place in nearest(question, TEXTS)]))
