"""What a report page holds in its compressed blocks."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_BLOCK = re.compile(r'<script type="application/octet-stream" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')

_ROW = re.compile(
    r'class="row" (?:data-)?href="#case=([^"]*)" data-n="\d+" data-s="([a-z-]+)"[^>]*>(.*?)</(?:a|summary)>', re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
_OURS = re.compile("<script[ >].*?</script>|<style>.*?</style>", re.DOTALL)


def blocks_of(page: str) -> dict[str, Any]:
    """Each block by name, read as the page's script reads it."""
    found = {name: base64.b64decode(packed) for name, packed in _BLOCK.findall(page)}
    return {name: json.loads(raw if name == "about" else gzip.decompress(raw)) for name, raw in found.items()}


def cases_of(page: str) -> list[tuple[Any, Any, Any]]:
    """Every case, in the order of the suite: its row and its trace as stored, and what the page says beside them."""
    return [tuple(each) for name, block in blocks_of(page).items() if name.startswith("case-") for each in block]


def listed_in(page: str) -> dict[str, tuple[str, str]]:
    """What the list says of each case, the worst first: its state, and the rest of its words."""
    found = {}
    for case_id, state, words in _ROW.findall(page):
        found[unquote(case_id)] = (state, html.unescape(_TAG.sub(" ", words)))
    return found


def words_in(path: Path) -> str:
    """Everything a report page says, the compressed blocks among it; its script and style sheet are ours."""
    page = path.read_text()
    return _OURS.sub("", page) + json.dumps(blocks_of(page), ensure_ascii=False)
