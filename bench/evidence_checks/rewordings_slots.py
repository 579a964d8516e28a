"""Facts of the rewordings: their columns, the slots they fill in a pattern, and what can be computed from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random

from bench.evidence_checks import rewordings_text as text
from bench.evidence_checks.rewordings_text import Val

HERE = Path(__file__).resolve().parent
COLUMNS = {
    "limit": "s dim youris over up ok no v near", "minimum": "s dim youris over up ok no v near",
    "price": "x per v near", "amount": "x verb per v near", "within": "s ok no event v", "until": "s ok no v",
    "since": "s ok no v", "hours": "x days off v near", "must": "who act ger passive", "ban": "who act ger passive",
    "may": "who act ger passive", "except": "group x okp nop oks nos", "cond": "ok no c nc",
    "contact": "purpose v near", "cmd": "purpose what v bad", "role": "obj be verb pp who bad",
    "party": "a b verb pp rest", "rate": "attr base v near", "value": "attr v near", "list": "x verb items bad noun",
}  # fmt: skip
NAME = {"limit": "s", "minimum": "s", "price": "x", "amount": "x", "hours": "x", "rate": "attr", "value": "attr"}
NEAR = {"s": "ns", "x": "nx", "attr": "na", "purpose": "np"}
ADDRESSED = ("phone", "email", "url", "cmd")
COUNTED = ("all ", "the energy mix")
OPEN_DAYS = {"Monday to Friday": 5, "on weekdays": 5, "Monday to Saturday": 6, "Tuesday to Sunday": 6}


@dataclass(frozen=True)
class Fact:
    """One row of the fact table."""

    ident: str
    domain: str
    frame: str
    cols: dict[str, str]
    part: str

    @property
    def held(self) -> bool:
        """Whether all patterns are used for it, those held out too."""
        return self.part != "dev"

    @property
    def name(self) -> str:
        """The column that names what the fact is about."""
        return "purpose" if self.frame in ADDRESSED else NAME.get(self.frame, "")


@dataclass(frozen=True)
class Pick:
    """The figures chosen for one record: the value, the end of a time span, a neighbour and its figures."""

    v: Val | None = None
    v2: Val | None = None
    near: str = ""
    nv: Val | None = None
    nv2: Val | None = None
    style: str = "plain"


def load_facts() -> list[Fact]:
    """Read the facts; every second one is held out, in every frame and every domain, and the fresh ones are apart."""
    return [*_facts("rewordings_facts.yaml"), *_facts("rewordings_fresh.yaml", "fresh")]


def _facts(name: str, part: str = "") -> list[Fact]:
    facts: list[Fact] = []
    for turn, (domain, lists) in enumerate(text.parse_tables(HERE / name).items()):
        seen: Counter[str] = Counter()
        for place, row in enumerate(lists[""]):
            frame, *cells = row.split(" | ")
            names = [*COLUMNS[frame].split(), "q", "alt"]
            cols = {k: c.strip() for k, c in zip(names, cells, strict=True) if c.strip() != "-"}
            held = (turn + seen[frame] + list(COLUMNS).index(frame)) % 2 == 1
            seen[frame] += 1
            if frame == "contact":
                frame = "phone" if cols["v"][0] == "+" else "url" if cols["v"].startswith("http") else "email"
            facts.append(Fact(f"{domain}-{place:02}", domain, frame, cols, part or ("held" if held else "dev")))
    return facts


def neighbours(fact: Fact) -> list[tuple[str, str]]:
    """The neighbouring rows of a fact."""
    return [(n, v) for n, v in (part.split("=", 1) for part in fact.cols.get("near", "").split("; ") if part)]


def choose(fact: Fact, rng: Random) -> Pick:
    """Choose one of the fact's values and one of its neighbours."""
    near = rng.choice(neighbours(fact) or [("", "")])
    if "v" not in fact.cols:
        return Pick()
    if fact.frame in ADDRESSED:
        return Pick(near=near[0])
    if fact.frame == "hours":
        ends = [[text.parse_clock(t) for t in span.split("-")] for span in fact.cols["v"].split("/")]
        span, other = rng.choice(ends), [text.parse_clock(t) for t in near[1].split("-") if t]
        return Pick(span[0], span[1], near[0], other[0], other[1]) if other else Pick(span[0], span[1])
    value = rng.choice(text.parse_values(fact.cols["v"]))
    return Pick(value, None, near[0], text.parse_values(near[1])[0] if near[1] else None)


def slots(fact: Fact, pick: Pick) -> dict[str, str]:
    """The slots a fact fills, with the chosen figures in the chosen spelling."""
    out = {k: c for k, c in fact.cols.items() if k not in {"near", "v", "q", "alt"}}
    out["per"] = f" {out['per']}" if "per" in out else ""
    if "over" in out:
        over, _, alone = out["over"].partition(" ~ ")
        out |= {"over": over, "overp": alone or over} | ({} if alone else {"overthey": over})
    if "items" in out:
        out |= {f"i{n}": item for n, item in enumerate(out.pop("items").split("; "))}
    if fact.frame in ADDRESSED:
        out["v"] = fact.cols["v"]
    for key, value in (("v", pick.v), ("v2", pick.v2), ("nv", pick.nv), ("nv2", pick.nv2)):
        if value:
            ways = text.spellings(value)
            out[key] = ways.get(pick.style, ways["plain"])
    if pick.near:
        out[NEAR[fact.name]] = pick.near
    if fact.frame in ADDRESSED and pick.near:
        out["nv"] = dict(neighbours(fact))[pick.near]
    return out


def neighbour_slots(fact: Fact, name: str, cell: str) -> dict[str, str]:
    """The slots of a neighbouring row, as if it were a fact of its own."""
    row = replace(fact, cols={k: c for k, c in fact.cols.items() if k != "near"} | {fact.name: name, "v": cell})
    return slots(row, choose(row, Random(0)))


def span_text(minutes: float) -> Val:
    """A length of time in hours or minutes."""
    return Val(minutes / 60, "hours") if minutes % 30 == 0 and minutes >= 60 else Val(minutes, "minutes")


def compute(op: str, fact: Fact, pick: Pick, rng: Random) -> tuple[dict[str, str], Val] | None:
    """What an operation adds to the slots, and its result; None where it does not apply."""
    v = pick.v
    if op == "count":
        return {}, Val(3, "")
    if v is None:
        return None
    for group in (with_period, with_neighbour, with_date, with_clock, with_factor, with_rest):
        found = group(op, fact, replace(pick, v=v), rng)
        if found:
            return found
    return None


def with_period(op: str, fact: Fact, pick: Pick, _: Random) -> tuple[dict[str, str], Val] | None:
    """Per month to per year and the like."""
    per = {"year": "per month", "half": "per month", "quarter": "per month", "month": "per year", "week": "per year"}
    factor = {"year": 12, "half": 6, "quarter": 3, "month": 1 / 12, "week": 1 / 52, "days": 7}
    if not pick.v or op not in factor or fact.cols.get("per") != per.get(op, "per day"):
        return None
    result = pick.v.n * factor[op]
    if op == "week":
        return ({}, Val(round(result), pick.v.unit)) if result > 20 else None
    return ({}, Val(round(result, 2), pick.v.unit)) if abs(result * 100 - round(result * 100)) < 1e-6 else None


def with_neighbour(op: str, fact: Fact, pick: Pick, _: Random) -> tuple[dict[str, str], Val] | None:
    """Sum and difference with the neighbouring row."""
    v, nv = pick.v, pick.nv
    if op not in {"sum", "diff", "points"} or not v or not nv or v.unit != nv.unit or v.n == nv.n:
        return None
    if op == "sum":
        return {}, Val(round(v.n + nv.n, 2), v.unit)
    less = v.n < nv.n
    fewer = "fewer" if fact.frame == "amount" else "less"
    extra = {"more": fewer if less else "more", "above": "below" if less else "above"}
    extra["higher"] = "lower" if less else "higher"
    gap = round(abs(v.n - nv.n), 2)
    return (extra, Val(gap, "" if op == "points" else v.unit)) if gap > 1 else None


def with_date(op: str, _: Fact, pick: Pick, rng: Random) -> tuple[dict[str, str], Val] | None:
    """Date arithmetic."""
    v = pick.v
    if not v:
        return None
    if op in {"date", "late", "early"} and v.unit in {"days", "weeks"}:
        start = date(2025, rng.randint(1, 10), rng.randint(1, 28)).toordinal()
        end = Val(start + v.n * (7 if v.unit == "weeks" else 1), "date")
        other = end.n + rng.randint(1, 20) if op == "late" else start + max(1, (end.n - start) // 2)
        style = rng.choice(["plain", "us", "iso", "nth"])
        spelt = {"d0": text.spellings(Val(start, "date"))[style], "d2": text.spellings(Val(other, "date"))[style]}
        return spelt, end
    if op in {"after", "before"} and v.unit == "date":
        gap = rng.randint(2, 25)
        other = v.n + (gap if op == "after" else -gap)
        return {"d2": text.spellings(Val(other, "date"))["plain"]}, Val(gap, "days")
    return None


def with_clock(op: str, fact: Fact, pick: Pick, rng: Random) -> tuple[dict[str, str], Val] | None:
    """How long something is open, and whether it is at a certain time."""
    v, v2 = pick.v, pick.v2
    if not v or not v2:
        return None
    if op == "length":
        return {}, span_text(v2.n - v.n)
    if op == "weekly":
        return {}, Val((v2.n - v.n) / 60 * OPEN_DAYS.get(fact.cols["days"], 4), "hours")
    step = rng.choice([15, 20, 30, 45])
    if op not in {"closed", "open"} or v2.n + step >= 1440:
        return None
    moment = Val(v2.n + step if op == "closed" else v.n + 2 * step, "time")
    ways = text.spellings(moment)
    return {"t": ways.get(pick.style, ways["plain"])}, Val(step, "minutes")


def with_factor(op: str, fact: Fact, pick: Pick, rng: Random) -> tuple[dict[str, str], Val] | None:
    """Multiples and percentages."""
    v = pick.v
    if not v or v.unit in {"date", "time"}:
        return None
    if op == "twice" and v.unit != "°C":
        return {}, Val(v.n * 2, v.unit)
    if op == "times":
        k = rng.randint(2, 6)
        return {"k": str(k)}, Val(round(v.n * k, 2), v.unit)
    if op == "pct" and not fact.cols["base"].startswith(COUNTED):
        base = rng.choice([80, 120, 200, 250, 400, 640, 1200])
        return {"k": text.spellings(Val(base, "EUR"))["plain"]}, Val(round(base * v.n / 100, 2), "EUR")
    return None


def with_rest(op: str, _: Fact, pick: Pick, rng: Random) -> tuple[dict[str, str], Val] | None:
    """What is left, and how far a figure is from a bound."""
    v = pick.v
    if not v or v.unit in {"date", "time"}:
        return None
    if op == "left" and v.n >= 4:
        used = rng.randint(1, round(v.n) - 2)
        return {"k": text.number(used)}, Val(v.n - used, v.unit)
    if op == "rest":
        return {}, Val(100 - v.n, "%")
    if op in {"over", "under"} and v.n >= 4:
        gap = rng.randint(2, max(2, min(round(v.n * 0.5), 9 if v.n < 100 else 60)))
        return {"k": text.spellings(Val(v.n + (gap if op == "over" else -gap), v.unit))["plain"]}, Val(gap, v.unit)
    return None
