"""Put the menu into Qdrant, for the app's `--index qdrant:PLACE`.

    pip install -r requirements-qdrant.txt
    python load_qdrant.py ./menu-index              a folder, no server
    python load_qdrant.py http://localhost:6333     a server; QDRANT_API_KEY if it wants one

The vectors are hashed terms, without a model or a key (`embedding.py`). With OPENAI_BASE_URL, OPENAI_API_KEY and
MENU_EMBEDDING_MODEL set, an OpenAI-compatible endpoint makes them.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from embedding import EmbeddingError, embedding_from
from retrieval import RetrievalError


def main() -> int:
    """Load it; 2 where that cannot be done."""
    parser = argparse.ArgumentParser(description="Puts a menu into Qdrant.")
    parser.add_argument("place", help="a folder, or the address of a server")
    parser.add_argument("--chunks", type=Path, default=Path(__file__).with_name("menu.jsonl"), help="the menu")
    parser.add_argument("--replace", action="store_true", help="write a collection anew that is there already")
    arguments = parser.parse_args()
    try:
        from qdrant_index import COLLECTION, load, opened
    except ImportError:
        print("load_qdrant: pip install -r requirements-qdrant.txt", file=sys.stderr)
        return 2
    try:
        embedding = embedding_from(os.environ)
        client = opened(arguments.place, os.environ)
        menu = load(client, arguments.chunks, embedding, replace=arguments.replace)
        client.close()
    except (OSError, KeyError, ValueError, EmbeddingError, RetrievalError) as error:
        print(f"load_qdrant: {error}", file=sys.stderr)
        return 2
    print(f"{len(menu.entries)} entries of {menu.version} in {COLLECTION} at {arguments.place}, by {embedding.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
