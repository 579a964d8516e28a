"""Recorded traces for measuring: realistic in size and shape, wrong in known places, the same for the same seed.

A trace has 10 candidates that pass a reranker, 4 context chunks of 80 words with their text, 3 to 5 claims with a
citation and labelled support phrases, six versions, latency and usage: about 4.6 KB. Every chunk's text is the case's
own, as it would be with a real corpus: remembering the texts of other cases gains nothing.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

STAGES = ("candidates", "rerank_input", "reranked", "context")
VERSIONS = {
    "retriever": "2.4.1",
    "index": "i-118",
    "sparse": "bm25-3",
    "dense": "e5-2",
    "fusion": "rrf",
    "reranker": "x7",
}
# Every case has one of these at the rate below; each fails another gate, or another rule of it.
FAULTS = (
    "version-missing", "context-outside", "not-retrieved", "not-in-context", "no-answer", "unsupported",
    "cites-wrong-chunk", "cites-unseen-chunk", "point-missing", "phrases-missing", "forbidden-phrase",
    "phrase-missing", "slow-and-phrase-missing", "slow",
)  # fmt: skip
FAULT_SHARE = 0.18
# In prose without labels nobody can tell that a sentence is unsupported; the case stays unjudged there and passes.
HARMLESS = {
    "prose": frozenset({"unsupported"}),
    "paraphrased": frozenset({"unsupported", "cites-wrong-chunk"}),
    "shared": frozenset({"unsupported", "cites-wrong-chunk"}),
}
# Chunks that all cases of the kind `shared` draw from.
SHARED_CHUNKS = 400

CHUNKS, SHOWN, SENTENCES, WORDS = 10, 4, 8, 10
SLOWEST_MS = 2000
_FORBIDDEN = ("unlimited overdraft", "lifetime guarantee")
_POOL_SIZE = 5000
_VOCABULARY = Path(__file__).with_name("vocabulary.txt").read_text(encoding="utf-8")


class Draw(NamedTuple):
    """What one case is made of, before it is written down.

    Attributes:
        number: Place in the suite, from 0.
        rng: Its own source of chance, so that cases can be written in any order.
        flaw: One of FAULTS, or empty.
        chunk_ids: The ten candidates, best first; the first four are the context.
        texts: The sentences of each context chunk.
        made: Per claim the place of its chunk in the context and of its sentence in the chunk.
    """

    number: int
    rng: random.Random
    flaw: str
    chunk_ids: list[str]
    texts: list[list[str]]
    made: list[tuple[int, int]]

    def said(self, claim: int) -> str:
        """The sentence a claim is made of."""
        chunk, sentence = self.made[claim]
        return self.texts[chunk][sentence]


def sentence_pool(seed: int) -> list[str]:
    """Sentences of ten words, all different."""
    rng = random.Random(f"{seed}/pool")
    pool = {" ".join(rng.sample(_VOCABULARY.split(), WORDS)).capitalize() + "." for _ in range(_POOL_SIZE)}
    return sorted(pool)


def draw(
    index: int, seed: int, pool: list[str], shared: list[list[str]] | None = None, faults: float = FAULT_SHARE
) -> Draw:
    """Throw the dice for one case. Unless they are shared, its texts are its own: remembering others gains nothing."""
    rng = random.Random(f"{seed}/{index}")
    chance = rng.random()
    flaw = ""
    if chance < faults:
        flaw = rng.choice(FAULTS)
    ids = [f"doc-{index:06d}-{number}" for number in rng.sample(range(CHUNKS), CHUNKS)]
    sentences = rng.sample(pool, SHOWN * SENTENCES)
    texts = [sentences[at : at + SENTENCES] for at in range(0, len(sentences), SENTENCES)]
    texts = rng.sample(shared, SHOWN) if shared else texts
    # The first two claims rest on the two required sources; a source is what the answer cannot do without.
    places = [0, 1, *(rng.randrange(SHOWN) for _ in range(rng.randint(1, 3)))]
    made = [(chunk, number) for number, chunk in enumerate(places)]
    return Draw(index, rng, flaw, ids, texts, made)


def phrase_of(sentence: str) -> str:
    """The first words of a sentence, as an author would label it."""
    return " ".join(sentence.rstrip(".").split()[:4])


def case_of(drawn: Draw, *, kind: str) -> dict[str, Any]:
    """The case as a line of `cases.jsonl`."""
    prose = kind in HARMLESS
    points: list[Any] = ["first", "second"]
    if prose:
        points = [{"id": name, "answer_phrases": [phrase_of(drawn.said(n))]} for n, name in enumerate(points)]
    if drawn.flaw == "point-missing":
        points.append({"id": "third", "answer_phrases": ["a point nobody makes"]} if prose else "third")
    present = [" ".join(drawn.said(n).rstrip(".").split()[-2:]) for n in (0, 1)]
    absent = {"phrases-missing": ["the appendix", "the glossary"], "phrase-missing": ["the appendix"]}
    absent["slow-and-phrase-missing"] = absent["phrase-missing"]
    return {
        "case_id": f"case-{drawn.number:06d}",
        "question": f"What is to be known about {' and '.join(present)}, and where is it said?",
        "category": drawn.rng.choice(("accuracy", "safety", "latency")),
        "required_source_ids": drawn.chunk_ids[:2],
        "required_points": points,
        "must_contain": [*present, *absent.get(drawn.flaw, ())],
        "must_not_contain": list(_FORBIDDEN),
        "max_latency_ms": SLOWEST_MS,
    }


def trace_of(drawn: Draw, *, kind: str) -> dict[str, Any]:
    """The trace as a line of `traces.jsonl`."""
    stages = stages_of(drawn)
    shown = [
        {"chunk_id": chunk_id, "version": "v3", "text": " ".join(text)}
        for chunk_id, text in zip(stages["context"], drawn.texts, strict=True)
    ]
    versions = [[key, value] for key, value in VERSIONS.items()]
    slow = drawn.flaw.startswith("slow")
    return {
        "case_id": f"case-{drawn.number:06d}",
        "answer": prose_answer(drawn, kind) if kind in HARMLESS else structured_answer(drawn),
        **stages,
        "context": shown,
        "versions": versions[1:] if drawn.flaw == "version-missing" else versions,
        "latency_ms": drawn.rng.randrange(200, SLOWEST_MS) + (SLOWEST_MS if slow else 0),
        "usage": {"input_tokens": 700, "output_tokens": 90, "cost_usd": 0.0021},
    }


def stages_of(drawn: Draw) -> dict[str, list[str]]:
    """Chunk ids by stage; the reranker keeps all it is given and puts what the model is shown first."""
    candidates, shown = list(drawn.chunk_ids), drawn.chunk_ids[:SHOWN]
    stranger = f"doc-{drawn.number:06d}-x"
    if drawn.flaw in {"not-retrieved", "context-outside"}:
        # Something else stands in the place of a source: everywhere, or in the context alone.
        shown = [stranger, *shown[1:]]
    if drawn.flaw == "not-retrieved":
        candidates[0] = stranger
    if drawn.flaw == "not-in-context":
        shown = [candidates[SHOWN], *shown[1:]]
    retrieved = drawn.rng.sample(candidates, CHUNKS)
    return {"candidates": retrieved, "rerank_input": retrieved, "reranked": candidates, "context": shown}


def cited(drawn: Draw, claim: int) -> str:
    """The chunk a claim cites."""
    if claim == 0 and drawn.flaw == "cites-unseen-chunk":
        return drawn.chunk_ids[CHUNKS - 1]
    if claim == 0 and drawn.flaw == "cites-wrong-chunk":
        return drawn.chunk_ids[2]
    return drawn.chunk_ids[drawn.made[claim][0]]


def structured_answer(drawn: Draw) -> dict[str, Any]:
    """An answer itemised and labelled by its author."""
    if drawn.flaw == "no-answer":
        return {"text": "", "claims": []}
    claims: list[dict[str, Any]] = []
    for number in range(len(drawn.made)):
        sentence = drawn.said(number)
        wrong = number == 0 and drawn.flaw == "unsupported"
        claim = {
            "claim_id": f"c{number + 1}",
            "text": f"As the source has it, {sentence[0].lower()}{sentence[1:]}",
            "citation_ids": [cited(drawn, number)],
            "support_phrases": ["words no chunk says"] if wrong else [phrase_of(sentence)],
        }
        if number < 2:
            claim["answer_point"] = ("first", "second")[number]
        claims.append(claim)
    text = " ".join(claim["text"] for claim in claims)
    return {"text": _with_forbidden(drawn, text), "abstained": False, "claims": claims}


def paraphrased(sentence: str) -> str:
    """The sentence with a word put in and one exchanged: none of the chunk's, and most of its words."""
    words = sentence.rstrip(".").split()
    return " ".join([*words[:4], "mostly", *words[4:6], "thing", *words[7:]]) + "."


def prose_answer(drawn: Draw, kind: str) -> str:
    """The same answer as prose with citations by id or by position: whole sentences of the context, or paraphrases."""
    if drawn.flaw == "no-answer":
        return ""
    said = []
    for number in range(len(drawn.made)):
        sentence = drawn.said(number)
        if number == 0 and drawn.flaw == "unsupported":
            sentence = f"{sentence[:-1]} tomorrow."
        sentence = sentence if kind == "prose" else paraphrased(sentence)
        chunk_id = cited(drawn, number)
        by_position = number % 2 and chunk_id in drawn.chunk_ids[:SHOWN]
        marker = str(drawn.chunk_ids.index(chunk_id) + 1) if by_position else chunk_id
        said.append(f"{sentence[:-1]} [{marker}].")
    return _with_forbidden(drawn, " ".join(said))


def _with_forbidden(drawn: Draw, text: str) -> str:
    return f"{text} There is an {_FORBIDDEN[0]} for everybody." if drawn.flaw == "forbidden-phrase" else text


def generate(directory: Path, *, cases: int, kind: str, seed: int) -> Counter[str]:
    """Write `raggate.yaml`, `cases.jsonl` and `traces.jsonl`; returns the planted faults that have to fail their case.

    Args:
        directory: Where; made when missing.
        cases: How many.
        kind: `structured`; `prose` (quoted); `paraphrased`, each case over its own chunks; `shared` (the same over 400
            chunks of all cases); or `failing` (structured, each case with a fault).
        seed: The same seed gives the same bytes.
    """
    directory.mkdir(parents=True, exist_ok=True)
    pool, harmless = sentence_pool(seed), HARMLESS.get(kind, frozenset[str]())
    rng = random.Random(f"{seed}/shared")
    shared = [rng.sample(pool, SENTENCES) for _ in range(SHARED_CHUNKS)] if kind == "shared" else None
    planted: Counter[str] = Counter()
    with (directory / "cases.jsonl").open("w") as case_lines, (directory / "traces.jsonl").open("w") as trace_lines:
        for index in range(cases):
            drawn = draw(index, seed, pool, shared, 1.0 if kind == "failing" else FAULT_SHARE)
            case_lines.write(json.dumps(case_of(drawn, kind=kind)) + "\n")
            planted[drawn.flaw] += bool(drawn.flaw) and drawn.flaw not in harmless
            # Drawn anew, so that neither line depends on what the other drew.
            drawn = draw(index, seed, pool, shared, 1.0 if kind == "failing" else FAULT_SHARE)
            trace_lines.write(json.dumps(trace_of(drawn, kind=kind)) + "\n")
    suite = {
        "suite": f"bench-{kind}",
        "cases": ["cases.jsonl"],
        "target": {"kind": "recorded", "traces": "traces.jsonl", "labelled": True},
        "pipeline": {"stages": STAGES, "versions": list(VERSIONS), "chunk_versions": True, "citations": True},
        "slices": {"by": ["category"]},
    }
    # JSON is YAML.
    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in suite.items())
    (directory / "raggate.yaml").write_text(text, encoding="utf-8")
    return +planted
