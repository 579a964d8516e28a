"""What a report page holds in its compressed blocks."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

_BLOCK = re.compile(
    r'<script type="application/octet-stream" id="([a-z0-9-]+)" data-bytes="(\d+)">([A-Za-z0-9+/=]*)</script>'
)

_OURS = re.compile("<script[ >].*?</script>|<style>.*?</style>", re.DOTALL)


def blocks_of(page: str) -> dict[str, Any]:
    """Each block by name, read as the page's script reads it; the size it declares is the size it has."""
    found = {}
    for name, size, packed in _BLOCK.findall(page):
        raw = gzip.decompress(base64.b64decode(packed))
        assert len(raw) == int(size)
        found[name] = json.loads(raw)
    return found


def details_of(page: str) -> list[dict[str, Any]]:
    """Every case's own page, in the order of the suite."""
    blocks = blocks_of(page)
    return [each for number in range(blocks["meta"]["blocks"]["detail"]) for each in blocks[f"detail-{number}"]]


def words_in(path: Path) -> str:
    """Everything a report page says, the compressed blocks among it; its script and style sheet are ours."""
    page = path.read_text()
    return _OURS.sub("", page) + json.dumps(blocks_of(page), ensure_ascii=False)
