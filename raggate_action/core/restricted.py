"""Forbidden text, recognised where it must not stand: in an answer or in an error message.

A trace that hides the chunk it read can still give it away by repeating it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import ToolCall, Trace

_WORD = re.compile(r"\w+")
# Eight words in a row are no coincidence; shorter chunks are recognised whole, from four words on.
_RUN = 8
_SHORTEST = 4


class RestrictedText:
    """The store's chunks that not everybody may read, as runs of words. Costs nothing when there are none."""

    def __init__(self, store: EvidenceStore | None) -> None:
        self._store = store
        self._runs: dict[tuple[str, ...], list[str]] = {}
        self._lengths: set[int] = set()
        for chunk in store or ():
            if chunk.permitted and not chunk.principals:
                continue
            words = _WORD.findall(chunk.text.lower())
            for run in _runs(words, min(_RUN, len(words))):
                self._runs.setdefault(run, []).append(chunk.chunk_id)
                self._lengths.add(len(run))

    def repeated_in(self, told: Trace | str, principals: frozenset[str], context: Sequence[str]) -> tuple[str, ...]:
        """Forbidden chunks whose words a trace or a message repeats, by id.

        Looked at is everything an app can put words into: answer, claims, tool arguments, traced texts. What a
        permitted context chunk says too is free.
        """
        if not self._runs or self._store is None:
            return ()
        texts = [told] if isinstance(told, str) else _words_of(told)
        found = dict.fromkeys(
            (chunk_id, run)
            for text in texts
            for run in self._runs_of(text)
            for chunk_id in self._runs.get(run, ())
            if self._forbidden(chunk_id, principals)
        )
        free = self._said_by(context, principals) if found else ()
        return tuple(dict.fromkeys(chunk_id for chunk_id, run in found if not any(_holds(t, run) for t in free)))

    def _runs_of(self, text: str) -> Iterator[tuple[str, ...]]:
        words = _WORD.findall(text.lower())
        for length in self._lengths:
            yield from _runs(words, length)

    def _forbidden(self, chunk_id: str, principals: frozenset[str]) -> bool:
        chunk = self._store.get(chunk_id) if self._store is not None else None
        return chunk is not None and not chunk.permitted_for(principals)

    def _said_by(self, context: Sequence[str], principals: frozenset[str]) -> tuple[str, ...]:
        chunks = [self._store.get(chunk_id) for chunk_id in context] if self._store is not None else []
        allowed = [c for c in chunks if c is not None and c.permitted_for(principals)]
        return tuple(f" {' '.join(_WORD.findall(c.text.lower()))} " for c in allowed)


def _words_of(trace: Trace) -> list[str]:
    reply = trace.reply
    arguments = [json.dumps(c.arguments, ensure_ascii=False) for c in trace.tool_calls or () if isinstance(c, ToolCall)]
    traced = [chunk.text for chunk in trace.context_chunks if chunk.text is not None]
    names = [*(trace.tool_names or ()), *(value for _key, value in trace.version_pairs), trace.case_id or ""]
    claims = [word for c in reply.claims or () for word in (c.text, c.claim_id or "", *c.citations)]
    return [reply.text, *claims, *arguments, *traced, *names]


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    if length >= _SHORTEST:
        yield from (tuple(words[i : i + length]) for i in range(len(words) - length + 1))


def _holds(text: str, run: tuple[str, ...]) -> bool:
    return f" {' '.join(run)} " in text
