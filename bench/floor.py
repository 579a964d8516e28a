"""The physical floor: read the same files, decide the same cases, and nothing else. Plain Python, no libraries.

    python bench/floor.py bench/out/structured-1000

One `json.loads` a line and ten bare checks, streamed and left at the first that fails: no schema, no reasons, no
verdicts kept, no run directory, no comment. It is written to be fast, so that the ratio to it is not flattered. Prints
how many cases pass, which has to be what raggate says.
"""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_VERSIONS = {"retriever", "index", "sparse", "dense", "fusion", "reranker"}
_SENTENCE = re.compile(r"([^.\[\]]+?) ?(?:\[([^\]]*)\])?\.")


def passes(case: dict[str, Any], trace: dict[str, Any]) -> bool:
    """Ten checks: versions, stages, recall of candidates and context, claims, support, citations, points, behaviour."""
    if not _VERSIONS.issubset([pair[0] for pair in trace["versions"]]):
        return False
    context = {chunk["chunk_id"]: chunk["text"] for chunk in trace["context"]}
    required = case["required_source_ids"]
    if not (stages_agree(trace, context) and set(trace["candidates"]).issuperset(required)):
        return False
    found = context.keys() & required
    # Precision is worked out and gated nowhere, as in the suite.
    _precision = len(found) / len(context)
    if len(found) < len(required):
        return False
    answer = trace["answer"]
    if isinstance(answer, str):
        return prose_holds(answer, case, context) and behaves(case, trace, answer)
    return claims_hold(answer["claims"], case, context) and behaves(case, trace, answer["text"])


def stages_agree(trace: dict[str, Any], context: dict[str, str]) -> bool:
    """No chunk twice in a stage, and no stage with a chunk that the one before did not have."""
    candidates, given, reranked = trace["candidates"], trace["rerank_input"], trace["reranked"]
    ids = set(given)
    if len(ids) < len(given) or len(ids) < len(reranked) or len(context) < len(trace["context"]):
        return False
    return ids == set(reranked) and ids.issubset(candidates) and ids.issuperset(context)


def claims_hold(claims: list[dict[str, Any]], case: dict[str, Any], context: dict[str, str]) -> bool:
    """There are claims; each cites a shown chunk that says its every phrase; together they make the points."""
    made = set()
    for claim in claims:
        for chunk_id in claim["citation_ids"]:
            text = context.get(chunk_id)
            if text is None:
                continue
            text = text.lower()
            for phrase in claim["support_phrases"]:
                if phrase.lower() not in text:
                    break
            else:
                break
        else:
            return False
        made.add(claim.get("answer_point"))
    return bool(claims) and made.issuperset(case["required_points"])


def prose_holds(answer: str, case: dict[str, Any], context: dict[str, str]) -> bool:
    """The same for prose: a chunk supports a sentence that it has word for word; of others nobody can tell."""
    ids = list(context)
    texts = {chunk_id: text.lower() for chunk_id, text in context.items()}
    sentences = _SENTENCE.findall(answer.lower())
    for sentence, marker in sentences:
        if not marker:
            continue
        words = sentence.strip() + "."
        text = texts.get(ids[int(marker) - 1] if marker.isdigit() else marker)
        if text is None or (words not in text and any(words in other for other in texts.values())):
            return False
    said = "\n".join([sentence for sentence, _marker in sentences])
    for point in case["required_points"]:
        if not any(phrase.lower() in said for phrase in point["answer_phrases"]):
            return False
    return bool(sentences)


def behaves(case: dict[str, Any], trace: dict[str, Any], answer: str) -> bool:
    """Every phrase that must be there is, and no forbidden one, and the answer came in time."""
    text = answer.lower()
    for phrase in case["must_contain"]:
        if phrase.lower() not in text:
            return False
    for phrase in case["must_not_contain"]:
        if phrase.lower() in text:
            return False
    in_time: bool = trace["latency_ms"] <= case["max_latency_ms"]
    return in_time


def joined(directory: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every case with its trace, as they stand beside each other."""
    with (directory / "cases.jsonl").open("rb") as cases, (directory / "traces.jsonl").open("rb") as traces:
        for case, trace in zip(cases, traces, strict=True):
            yield json.loads(case), json.loads(trace)


def main() -> None:
    """Count the cases that pass."""
    # There are no cycles here for the collector to find.
    gc.disable()
    passed = total = 0
    for case, trace in joined(Path(sys.argv[1])):
        total += 1
        passed += passes(case, trace)
    print(f"{passed} of {total} pass")


if __name__ == "__main__":
    main()
