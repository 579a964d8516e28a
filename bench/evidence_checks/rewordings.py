"""Right rewordings of facts, and wrong answers about the same facts, for measuring the checks of evidence.

The rows come from hand-written facts (rewordings_facts.yaml) and hand-written paraphrase patterns
(rewordings_patterns.yaml), put together with a fixed seed. Facts are split into "dev" and "held"; two patterns in five
of every kind are used for held facts alone.

    python rewordings.py --count
    python rewordings.py --show KIND N
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypedDict

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.evidence_checks import rewordings_text as text
from bench.evidence_checks.rewordings_drafts import Draft, Pattern, Writer
from bench.evidence_checks.rewordings_slots import Fact, Pick, choose, neighbour_slots, neighbours, slots

SEED = "rewordings-1"
TABLES = {"price": ("Item", "Price"), "value": ("Item", "Value"), "rate": ("Item", "Share")}
# Words that may lose their capital inside a sentence.
COMMON = [
    "The", "A", "An", "For", "From", "Until", "Up", "You", "How", "What", "When", "Which", "Who", "Whom", "Where",
    "May", "Can", "Do", "Does", "Is", "Are", "In", "On", "At", "As", "After", "Since", "Will",
]  # fmt: skip


class Record(TypedDict):
    """One row of the measuring data."""

    id: str
    domain: str
    kind: str
    question: str
    chunks: list[str]
    answer: str
    right: bool
    set: str


class Evidence:
    """Writes what the chunks say about a fact, among other facts of its document."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def source(self, fact: Fact, pick: Pick, rng: Random, draft: Draft | None = None) -> tuple[str, Pattern]:
        """The sentence that states the fact, and the pattern it was written with."""
        found = self.writer.usable(fact, "source")
        if draft and draft.kind in {"bound_flip", "polarity"}:
            found = [p for p in found if not p.tag] or found
        elif draft and draft.kind == "complement" and draft.tag in {"p", "n"}:
            found = [p for p in found if p.tag != draft.tag]
        ways = [k for k in text.spellings(pick.v) if not k.startswith(("conv", "about", "share"))] if pick.v else []
        style = rng.choice(["plain"] * len(ways) + ways or ["plain"])
        filled = slots(fact, replace(pick, style=style))
        told = [(text.fill(pattern.answer, filled), pattern) for pattern in found]
        able = [(sentence, pattern) for sentence, pattern in told if sentence is not None]
        return rng.choice([pair for pair in able if not draft or pair[0] not in draft.answer] or able)

    def near(self, fact: Fact, pattern: Pattern) -> list[str]:
        """The same sentence about the neighbouring rows."""
        rows = [text.fill(pattern.answer, neighbour_slots(fact, name, cell)) for name, cell in neighbours(fact)]
        return [row for row in rows if row]

    def table(self, fact: Fact, pick: Pick) -> str | None:
        """The fact and its neighbours as a table."""
        if fact.frame not in TABLES or not pick.v:
            return None
        item, value = TABLES[fact.frame]
        filled = slots(fact, replace(pick, style="plain"))
        head = f"{value} of {filled['base']}" if fact.frame == "rate" else f"{value}{filled['per']}"
        rows = [(filled[fact.name], filled["v"])]
        rows += [(name, neighbour_slots(fact, name, cell)["v"]) for name, cell in neighbours(fact)]
        return "\n".join([f"| {item} | {head} |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])

    def others(self, facts: list[Fact], rng: Random) -> list[str]:
        """Sentences about other facts of the document."""
        pool = [f for f in self.writer.facts if f.domain == facts[0].domain and f.held == facts[0].held]
        pool = [f for f in pool if f not in facts]
        return [self.source(f, choose(f, rng), rng)[0] for f in rng.sample(pool, rng.randint(2, 4))]

    def chunks(
        self, fact: Fact, draft: Draft, rng: Random, said: str | None = None, second: tuple[Fact, Draft] | None = None
    ) -> list[str]:
        """The chunks that hold the fact, and a second fact where the answer has two."""
        sentence, pattern = self.source(fact, draft.pick, rng, draft)
        rows = self.near(fact, pattern)
        others = self.others([fact, second[0]] if second else [fact], rng)
        if second:
            more, like = self.source(second[0], second[1].pick, rng, second[1])
            rows += [more, *self.near(second[0], like)]
        if said is None and not second and draft.kind not in {"complement", "negation"} and rng.random() < 0.2:
            table = self.table(fact, draft.pick)
            if table:
                return self.lay_out([], others, fact, rng, table)
        return self.lay_out([said or sentence, *rows], others, fact, rng)

    def lay_out(
        self, sentences: list[str], others: list[str], fact: Fact, rng: Random, table: str | None = None
    ) -> list[str]:
        """Spread sentences over chunks: in one paragraph, or each on its own, some of them under a heading."""
        doc = self.writer.doc(fact)
        heads = [f"{text.upper(doc)}, section {rng.randint(1, 19)}. ", f"# {text.upper(doc)}\n", ""]
        if rng.random() < 0.4:
            pieces = [*sentences, *others]
            rng.shuffle(pieces)
        else:
            rest = others[rng.randint(0, len(others)) :]
            same = [*sentences, *others[: len(others) - len(rest)]]
            rng.shuffle(same)
            pieces = [" ".join(same), " ".join(rest)]
            rng.shuffle(pieces)
        pieces = [rng.choice(heads) + piece for piece in pieces if piece]
        return [*pieces, rng.choice(heads[1:]) + table] if table else pieces


class Rows:
    """Makes the records of all facts."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.evidence = Evidence(self.writer)

    def records(self) -> Iterator[Record]:
        """All records, without repetitions within a fact."""
        for fact in self.writer.facts:
            seen: set[tuple[str, str]] = set()
            for draft, chunks, right in self.of_fact(fact, Random(f"{SEED}:{fact.ident}")):
                if (draft.question, draft.answer) in seen:
                    continue
                seen.add((draft.question, draft.answer))
                ident = f"{fact.ident}-{draft.kind}-{len(seen):02}"
                yield Record(
                    id=ident, domain=fact.domain, kind=draft.kind, question=draft.question, chunks=chunks,
                    answer=draft.answer, right=right, set=fact.part,
                )  # fmt: skip

    def of_fact(self, fact: Fact, rng: Random) -> Iterator[tuple[Draft, list[str], bool]]:
        """The drafts of a fact with their chunks."""
        rights = list(self.writer.right(fact, rng))
        for right, drafts in ((True, rights), (False, list(self.writer.wrong(fact, rng)))):
            for draft in drafts:
                yield self.led(fact, draft, rng), self.evidence.chunks(fact, draft, rng), right
        yield from self.quotes(fact, rng)
        plain = [d for d in rights if not d.own_question and "\n" not in d.answer and d.kind != "instruction"]
        if plain:
            yield from self.with_addresses(fact, plain, rng)
            yield from self.with_additions(fact, plain, rng)
            yield from self.joined(fact, plain, rng)

    def led(self, fact: Fact, draft: Draft, rng: Random) -> Draft:
        """Now and then put polite words around an answer."""
        if rng.random() > 0.15:
            return draft
        lead = self.writer.generic(fact, "lead", rng).answer
        answer = text.fill(lead, {"a": draft.answer, "doc": self.writer.doc(fact)})
        return replace(draft, answer=answer or draft.answer)

    def quotes(self, fact: Fact, rng: Random) -> Iterator[tuple[Draft, list[str], bool]]:
        """Exact quotations, and quotations with a changed figure."""
        for right in (True, True, rng.random() < 0.4):
            pick = choose(fact, rng)
            said, pattern = self.evidence.source(fact, pick, rng)
            kind, quote = "quote", said
            if not right:
                changed = self.writer.changed("figure", pick, self.writer.way(fact, pattern.tag), rng)
                told = text.fill(pattern.answer, slots(fact, changed[1])) if changed else None
                if not changed or not told:
                    continue
                kind, quote = changed[0], told
            doc = self.writer.doc(fact)
            lead = self.writer.generic(fact, "quote", rng).answer
            answer = text.fill(lead, {"quote": quote, "doc": doc}) or ""
            draft = Draft(kind, fact.cols["q"], answer, pick)
            yield draft, self.evidence.chunks(fact, draft, rng, said), right

    def with_addresses(self, fact: Fact, plain: list[Draft], rng: Random) -> Iterator[tuple[Draft, list[str], bool]]:
        """Right answers that repeat an address of the question, often in another spelling."""
        if rng.random() < 0.7:
            draft, pattern = rng.choice(plain), self.writer.generic(fact, "own_address", rng)
            filled = text.made_up(rng) | {"a": draft.answer, "q": draft.question, "q_low": lowered(draft.question)}
            question, answer = text.fill(pattern.question, filled) or "", text.fill(pattern.answer, filled) or ""
            new = replace(draft, kind="address", question=question, answer=answer)
            yield new, self.evidence.chunks(fact, draft, rng), True

    def with_additions(self, fact: Fact, plain: list[Draft], rng: Random) -> Iterator[tuple[Draft, list[str], bool]]:
        """Right answers spoilt by a condition, an address or an amount that stands nowhere."""
        for kind, share in (("added_condition", 0.9), ("invented_address", 0.5), ("invented_amount", 0.6)):
            draft, pattern = rng.choice(plain), self.writer.generic(fact, kind, rng)
            ending = rng.random() < share and draft.answer.endswith(".")
            filled = text.made_up(rng) | {"a": draft.answer, "a0": draft.answer[:-1]}
            filled |= {"cond": self.writer.words("conditions", fact, rng)}
            filled |= {"amount": self.writer.words("amounts", fact, rng)}
            answer = text.fill(pattern.answer, filled)
            if ending and answer:
                yield replace(draft, kind=kind, answer=answer), self.evidence.chunks(fact, draft, rng), False

    def joined(self, fact: Fact, plain: list[Draft], rng: Random) -> Iterator[tuple[Draft, list[str], bool]]:
        """Two facts in one answer, both right or one of them wrong."""
        pool = [f for f in self.writer.facts if f.domain == fact.domain and f.held == fact.held and f is not fact]
        other = rng.choice(pool)
        wrongs = [d for d in self.writer.wrong(other, rng) if not d.own_question]
        rights = [d for d in self.writer.right(other, rng) if not d.own_question and d.kind == "rewording"]
        for right, seconds in ((True, rights), (False, wrongs if rng.random() < 0.4 else [])):
            if seconds:
                first, second = rng.choice(plain), rng.choice(seconds)
                pattern = self.writer.generic(fact, "join", rng).answer
                answer = text.fill(pattern, {"a": first.answer, "b": second.answer}) or ""
                chunks = self.evidence.chunks(fact, first, rng, None, (other, second))
                kind = "rewording" if right else second.kind
                question = f"{first.question} And {lowered(second.question)}"
                yield replace(first, kind=kind, question=question, answer=answer), chunks, right


def lowered(question: str) -> str:
    """A question as it goes on within a sentence."""
    first = question.split(maxsplit=1)[0]
    return question[:1].lower() + question[1:] if first in COMMON else question


def records() -> Iterator[Record]:
    """All rows, the same in every run."""
    return Rows().records()


def count() -> None:
    """Print how many rows there are of each kind, domain and set."""
    rows = list(records())
    print(f"{len(rows)} rows: {sum(r['right'] for r in rows)} right, {sum(not r['right'] for r in rows)} wrong")
    for title, keys in (
        ("kind", [f"{'right' if r['right'] else 'wrong'} {r['kind']}" for r in rows]),
        ("domain", [f"{r['domain']} {'right' if r['right'] else 'wrong'}" for r in rows]),
        ("set", ["right" if r["right"] else "wrong" for r in rows]),
    ):
        sets = Counter((key, row["set"]) for key, row in zip(keys, rows, strict=True))
        print(f"\nby {title} (dev, held)")
        for key, total in sorted(Counter(keys).items()):
            print(f"  {key:28}{total:6}  ({sets[key, 'dev']}, {sets[key, 'held']})")


def show(kind: str, most: int) -> None:
    """Print random rows of a kind or domain, or of all."""
    rows = [r for r in records() if kind in {r["kind"], r["domain"], "all", "right" if r["right"] else "wrong"}]
    for row in Random().sample(rows, min(most, len(rows))):
        print(f"--- {row['id']} {'RIGHT' if row['right'] else 'WRONG'} {row['set']}\nQ {row['question']}")
        print("\n".join(f"C {chunk}" for chunk in row["chunks"]))
        print(re.sub("^", "A ", row["answer"], flags=re.MULTILINE))


def main() -> None:
    """Count or show the rows."""
    parser = argparse.ArgumentParser(description="Right rewordings and wrong answers.")
    parser.add_argument("--count", action="store_true", help="print counts by kind, domain and set")
    parser.add_argument("--show", nargs=2, metavar=("KIND", "N"), help="print N random rows of a kind (or all)")
    args = parser.parse_args()
    if args.show:
        show(args.show[0], int(args.show[1]))
    else:
        count()


if __name__ == "__main__":
    main()
