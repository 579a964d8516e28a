"""The answers of the rewordings: facts put through the paraphrase patterns, rightly and wrongly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from bench.evidence_checks import rewordings_text as text
from bench.evidence_checks.rewordings_slots import ADDRESSED, HERE, Fact, Pick, choose, compute, load_facts, slots

RIGHT = {"rewording": 4, "complement": 3, "derived": 3, "negation": 2, "instruction": 2, "address": 4}
WRONG = ("bound_flip", "polarity", "dropped_condition", "swapped_parties", "invented_item")
FIGURE = {"date": "date", "time": "time", "%": "percent", "EUR": "money", "USD": "money"}
SUMS = {
    "year": "wrong_per_period", "half": "wrong_per_period", "quarter": "wrong_per_period", "month": "wrong_per_period",
    "week": "wrong_per_period", "days": "wrong_per_period", "date": "wrong_date", "late": "wrong_date",
    "early": "wrong_date", "after": "wrong_date", "before": "wrong_date",
}  # fmt: skip
LOWER = ("minimum", "since")  # here all is right from the bound on, not up to it


@dataclass(frozen=True)
class Draft:
    """An answer with the question it answers and what its evidence has to say."""

    kind: str
    question: str
    answer: str
    pick: Pick
    tag: str = ""
    own_question: bool = False


@dataclass(frozen=True)
class Pattern:
    """A paraphrase pattern: its question, answer, tag for changed numbers and computation."""

    answer: str
    question: str = ""
    tag: str = ""
    op: str = ""
    held_only: bool = False


def load_patterns() -> dict[str, dict[str, list[Pattern]]]:
    """Read the patterns, two in five of every kind marked as held out."""
    tables: dict[str, dict[str, list[Pattern]]] = {}
    seen: Counter[str] = Counter()
    for frame, kinds in text.parse_tables(HERE / "rewordings_patterns.yaml").items():
        for kind, lines in kinds.items():
            for line in lines:
                found = re.fullmatch(r"(?s)(?:@(\w+) )?(?:(.*?) => )?(?:([pn~]): )?(.*)", line)
                op, question, tag, answer = found.groups("") if found else ("", "", "", line)
                seen[kind] += 1
                pattern = Pattern(answer, question, tag, op, seen[kind] % 5 in {2, 4})
                tables.setdefault(frame, {}).setdefault(kind, []).append(pattern)
    return tables


class Writer:
    """Writes the records of one fact after another."""

    def __init__(self) -> None:
        self.facts = load_facts()
        self.patterns = load_patterns()

    def usable(self, fact: Fact, kind: str) -> list[Pattern]:
        """The patterns of a kind that may be used for the fact."""
        frames = [fact.frame, "bound"] if fact.frame in {"limit", "minimum"} else [fact.frame]
        kinds = [kind, f"{kind}_fresh"] if fact.part == "fresh" else [kind]
        found = [p for frame in frames for each in kinds for p in self.patterns[frame].get(each, [])]
        return [p for p in found if kind == "source" or fact.held or not p.held_only]

    def generic(self, fact: Fact, kind: str, rng: Random) -> Pattern:
        """One of the patterns for all frames."""
        return rng.choice([p for p in self.patterns["generic"][kind] if fact.held or not p.held_only])

    def doc(self, fact: Fact) -> str:
        """The name of the document a fact stands in."""
        return Random(fact.ident).choice(self.patterns["docs"][fact.domain]).answer

    def words(self, table: str, fact: Fact, rng: Random) -> str:
        """A word from the tables by domain."""
        return rng.choice(self.patterns[table][fact.domain]).answer

    def answer(self, fact: Fact, kind: str, pattern: Pattern, pick: Pick, extra: dict[str, str]) -> Draft | None:
        """Fill one pattern."""
        filled = slots(fact, pick) | extra
        question = text.fill(pattern.question, filled) if pattern.question else fact.cols["q"]
        answer = text.fill(pattern.answer, filled)
        if question is None or answer is None:
            return None
        return Draft(kind, text.upper(question), answer, pick, pattern.tag, bool(pattern.question))

    def styled(self, pick: Pick, rng: Random) -> Pick:
        """Choose a spelling."""
        ways = list(text.spellings(pick.v)) if pick.v else ["plain"]
        return replace(pick, style=rng.choice(ways))

    def right(self, fact: Fact, rng: Random) -> Iterator[Draft]:
        """The right answers of a fact."""
        for kind, most in RIGHT.items():
            found = self.usable(fact, kind)
            if kind == "rewording" and "alt" in fact.cols:
                tag = "p" if fact.frame in {"limit", "minimum", "within"} else ""
                found = [Pattern(fact.cols["alt"], tag=tag), *rng.sample(found, len(found))]
            else:
                rng.shuffle(found)
            made = 0
            for pattern in found:
                draft = self.one_right(fact, kind, pattern, rng)
                if draft and made < most:
                    made += 1
                    yield draft

    def one_right(self, fact: Fact, kind: str, pattern: Pattern, rng: Random) -> Draft | None:
        """One right answer, with its value in some spelling and what it computes."""
        pick = self.styled(choose(fact, rng), rng)
        extra: dict[str, str] = {}
        if pattern.op:
            pick = replace(pick, style=pick.style if not pick.style.startswith(("conv", "about")) else "plain")
            found = compute(pattern.op, fact, pick, rng)
            if not found:
                return None
            extra = found[0] | {"r": self.result(found[1], rng)}
        elif fact.frame in ADDRESSED:
            extra = {"v": rng.choice(text.address_spellings(fact.cols["v"]))}
        draft = self.answer(fact, kind, pattern, pick, extra)
        if draft and pick.style.startswith("conv") and "v}" in pattern.answer.lower():
            draft = replace(draft, kind="derived")
        return replace(draft, answer=capital(draft.answer)) if draft else None

    def result(self, value: text.Val, rng: Random) -> str:
        """Spell a computed value."""
        if value.unit == "":
            return rng.choice([text.number(value.n), text.words(round(value.n))]) if value.n % 1 == 0 else str(value.n)
        ways = {k: w for k, w in text.spellings(value).items() if not k.startswith(("conv", "about"))}
        return rng.choice([ways["plain"], *ways.values()])

    def wrong(self, fact: Fact, rng: Random) -> Iterator[Draft]:
        """The wrong answers of a fact."""
        for kind in WRONG:
            found = self.usable(fact, kind)
            most = 5 if kind in {"swapped_parties", "invented_item"} else 2
            for pattern in rng.sample(found, min(most, len(found))):
                draft = self.answer(fact, kind, pattern, self.styled(choose(fact, rng), rng), {})
                if draft:
                    yield replace(draft, answer=capital(draft.answer))
        stated = [(k, p) for k in RIGHT if k != "derived" for p in self.usable(fact, k)]
        rng.shuffle(stated)
        yield from self.wrong_figures(fact, [s for s in stated if s[1].tag != "~"], rng)
        yield from self.wrong_names(fact, stated, rng)
        found = [p for p in self.usable(fact, "derived") if "{r}" in p.answer]
        found = sorted(rng.sample(found, len(found)), key=lambda p: SUMS.get(p.op) != "wrong_per_period")
        drafts = [self.wrong_result(fact, pattern, rng) for pattern in found]
        yield from [draft for draft in drafts if draft][:3]

    def wrong_figures(self, fact: Fact, stated: list[tuple[str, Pattern]], rng: Random) -> Iterator[Draft]:
        """Answers with a changed value, a changed unit or the neighbour's value."""
        stated = [(k, p) for k, p in stated if re.search(r"\{v2?\}", p.answer.lower()) and not p.question]
        for how in ("figure", "figure", "unit", "neighbour", "conversion"):
            for kind, pattern in rng.sample(stated, min(5, len(stated))):
                pick = choose(fact, rng)
                changed = self.changed(how, pick, self.way(fact, pattern.tag), rng)
                draft = self.answer(fact, kind, pattern, changed[1], {}) if changed else None
                if changed and draft:
                    yield replace(draft, kind=changed[0], answer=capital(draft.answer), pick=pick)
                    break

    def way(self, fact: Fact, tag: str) -> int:
        """Which changed figures contradict the evidence: 1 for bigger ones, -1 for smaller ones, 0 for all."""
        return {"p": 1, "n": -1}.get(tag, 0) * (-1 if fact.frame in LOWER else 1)

    def changed(self, how: str, pick: Pick, way: int, rng: Random) -> tuple[str, Pick] | None:
        """Change the figures of a pick for the worse: the kind of error and the new figures."""
        v, nv = pick.v, pick.nv
        if v and pick.v2:
            return self.changed_span(how, pick, v, pick.v2, rng)
        if v and nv and how == "neighbour" and nv.unit == v.unit and (nv.n - v.n) * (way or nv.n - v.n) > 0:
            return how, self.plain(replace(pick, v=nv, nv=v), rng)
        if not v or how == "neighbour":
            return None
        avoid = {v.n} | ({nv.n} if nv else set())
        if how == "conversion":
            news = [text.wrong_value(v, rng, way, avoid) for _ in range(12)]
            ways = [(n, k) for n in news if n for k in text.spellings(n) if k.startswith("conv")]
            new, style = rng.choice(ways) if ways else (None, "")
            return ("wrong_conversion", replace(pick, v=new, style=style)) if new else None
        new = text.wrong_unit(v, rng, way) if how == "unit" else text.wrong_value(v, rng, way, avoid)
        kind = "unit" if how == "unit" else FIGURE.get(v.unit, "number")
        return (kind, self.plain(replace(pick, v=new), rng)) if new else None

    def changed_span(self, how: str, pick: Pick, v: text.Val, v2: text.Val, rng: Random) -> tuple[str, Pick]:
        """Opening hours that begin too early or end too late, or those of the neighbour."""
        if how == "neighbour" and pick.nv and pick.nv2:
            return how, self.plain(replace(pick, v=pick.nv, v2=pick.nv2, nv=v, nv2=v2), rng)
        if how == "figure":
            return "time", self.plain(replace(pick, v2=text.wrong_value(v2, rng, 1, {v2.n})), rng)
        return "time", self.plain(replace(pick, v=text.wrong_value(v, rng, -1, {v.n})), rng)

    def plain(self, pick: Pick, rng: Random) -> Pick:
        """Choose a spelling that neither rounds nor converts."""
        ways = [k for k in text.spellings(pick.v) if not k.startswith(("conv", "about"))] if pick.v else ["plain"]
        return replace(pick, style=rng.choice(ways))

    def wrong_names(self, fact: Fact, stated: list[tuple[str, Pattern]], rng: Random) -> Iterator[Draft]:
        """Answers that name somebody else, or an address that is not in the evidence or belongs to the neighbour."""
        pick = choose(fact, rng)
        for kind, pattern in stated[:4]:
            if fact.frame == "role":
                other = {"who": rng.choice(fact.cols["bad"].split("; "))}
                draft, kind_of = self.answer(fact, kind, pattern, pick, other), "wrong_name"
            elif fact.frame in ADDRESSED and "=>" not in pattern.question and "{v}" in pattern.answer:
                bad = fact.cols.get("bad") or text.wrong_address(fact.cols["v"], rng)
                near = slots(fact, pick).get("nv") if rng.random() < 0.25 and "{nv}" not in pattern.answer else None
                draft = self.answer(fact, kind, pattern, pick, {"v": near or bad})
                kind_of = "neighbour" if near else "invented_address"
            else:
                return
            if draft:
                yield replace(draft, kind=kind_of, answer=capital(draft.answer))

    def wrong_result(self, fact: Fact, pattern: Pattern, rng: Random) -> Draft | None:
        """An answer with a wrong sum, a wrong date or a wrong amount per year."""
        pick = self.plain(choose(fact, rng), rng)
        found = compute(pattern.op, fact, pick, rng)
        bad = (
            text.wrong_value(found[1], rng, 0, {found[1].n, *(v.n for v in (pick.v, pick.nv) if v)}) if found else None
        )
        if not found or not bad:
            return None
        draft = self.answer(
            fact, SUMS.get(pattern.op, "wrong_sum"), pattern, pick, found[0] | {"r": self.result(bad, rng)}
        )
        return replace(draft, answer=capital(draft.answer)) if draft else None


def capital(answer: str) -> str:
    """Start with a capital, unless an address comes first."""
    first = answer.split(maxsplit=1)[0]
    return answer if re.search(r"[@/]|^-|^\+|^`", first) else text.upper(answer)
