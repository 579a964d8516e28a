"""What a judgement is known by: equal keys mean that the same was asked of the same judge in the same words."""

from __future__ import annotations

import json
from typing import Any

from raggate_action.schema.base import digest_of_text
from raggate_action.schema.judges import Member


def fingerprint(member: Member) -> str:
    """Digest of what a judge is: endpoint, model, parameters, form of replies.

    Not its name, its lab, its price, its key, or how it is called: none of them changes what it says.
    """
    return _digest([member.base_url.rstrip("/"), member.model, member.parameters, member.structured])


def content_key(judge: str, prompt: str, task: tuple[Any, ...]) -> str:
    """Digest of judge, prompt and all that the prompt holds but its token.

    Args:
        judge: The judge's fingerprint.
        prompt: The digest of the constant part.
        task: The material.
    """
    return _digest([judge, prompt, task])


def _digest(value: object) -> str:
    # In ASCII: half a surrogate pair, which an app may answer with, has no UTF-8.
    return digest_of_text(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True))
