"""A check of the suite's own: what the assistant may never write, however it is worded."""

from __future__ import annotations

from typing import Any


def no_shouting(_case: dict[str, Any], trace: dict[str, Any]) -> list[str]:
    """Customers are not shouted at: no word of five letters or more in capitals."""
    answer = trace["answer"]
    text = answer if isinstance(answer, str) else answer["text"]
    return [f"shouts: {word}" for word in text.split() if len(word.strip(".!?")) > 4 and word.isupper()]
