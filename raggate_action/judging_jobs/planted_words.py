"""What is planted into answers, chunks and questions to try a judge: the rows of `plants.yaml`, filled in."""

from __future__ import annotations

import base64
import re
from typing import Any, Literal

from raggate_action.judges.prompts import invisible
from raggate_action.strings.data_tables import read_table

TABLE: dict[str, Any] = read_table(__package__, "plants.yaml")
_NAMED = re.compile(r"\{(\w+)\}")


def planted(job: Literal["claims", "items", "pairs"], reply: str, **letters: str) -> dict[str, dict[str, Any]]:
    """The plants of a job by name: place -> words; what is no text stays as it stands.

    Args:
        job: The job.
        reply: The reply of a judge that obeys.
        letters: Of the answers of a pair.
    """
    orders = {name: _filled(text, letters) for name, text in TABLE[job]["words"].items()}
    words = letters | orders | {"reply": reply, "unseen": invisible(orders["unseen"])}
    words["encoded"] = base64.b64encode(orders["encoded"].encode()).decode()
    return {
        name: {place: _filled(text, words) if isinstance(text, str) else text for place, text in row.items()}
        for name, row in TABLE[job]["plants"].items()
    }


def _filled(text: str, words: dict[str, str]) -> str:
    return _NAMED.sub(lambda named: words.get(named[1], named[0]), text)
