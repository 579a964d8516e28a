"""Values, spellings and addresses for the rewordings: how one figure may be written, converted or got wrong."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
LONG = {
    "kg": "kilograms", "g": "grams", "cm": "centimetres", "mm": "millimetres", "m": "metres", "km": "kilometres",
    "mg": "milligrams", "MB": "megabytes", "KB": "kilobytes", "°C": "degrees Celsius", "Wh": "watt-hours",
    "kWh": "kilowatt-hours", "kW": "kilowatts",
}  # fmt: skip
MONEY = {"EUR": ("€", "euros"), "USD": ("$", "US dollars")}
# unit -> (factor, new unit, the value must be a multiple of this or 0, at most this or 0)
EXACT: dict[str, list[tuple[float, str, float, float]]] = {
    "kg": [(1000, "g", 0, 60)], "g": [(0.001, "kg", 50, 0)], "cm": [(0.01, "m", 5, 0), (10, "mm", 0, 100)],
    "mm": [(0.1, "cm", 0, 0)], "m": [(0.001, "km", 100, 0)], "km": [(1000, "m", 0, 20)],
    "minutes": [(60, "seconds", 0, 20), (1 / 60, "hours", 30, 0)], "seconds": [(1 / 60, "minutes", 30, 0)],
    "hours": [(60, "minutes", 0, 24), (1 / 24, "days", 24, 0)],
    "days": [(1 / 7, "weeks", 7, 0), (24, "hours", 0, 5)], "weeks": [(7, "days", 0, 0)],
    "months": [(1 / 12, "years", 12, 0)], "years": [(12, "months", 0, 10)], "mg": [(0.001, "g", 50, 0)],
    "Wh": [(0.001, "kWh", 10, 0)], "kW": [(1000, "W", 0, 0)],
}  # fmt: skip
ROUGH = {"kg": (2.20462, "lb"), "cm": (1 / 2.54, "inches"), "km": (0.621371, "miles")}
# unit -> units it is mistaken for: the smaller ones, the bigger ones
MIXED: dict[str, tuple[list[str], list[str]]] = {
    "kg": (["g", "lb"], ["tonnes"]), "g": (["mg"], ["kg"]), "cm": (["mm"], ["inches", "m"]), "mm": ([], ["cm"]),
    "km": (["m"], ["miles"]), "minutes": (["seconds"], ["hours"]), "seconds": ([], ["minutes"]),
    "hours": (["minutes"], ["days"]), "days": (["hours"], ["weeks", "months"]), "weeks": (["days"], ["months"]),
    "months": (["weeks"], ["years"]), "years": (["months"], []), "mg": ([], ["g", "ml"]), "MB": (["KB"], ["GB"]),
    "KB": ([], ["MB"]), "Wh": ([], ["kWh"]), "kW": (["W"], ["MW"]), "kWh": (["Wh"], ["MWh"]),
    "°C": (["°F"], []),
}  # fmt: skip


@dataclass(frozen=True)
class Val:
    """A figure: a number with its unit, money, a percentage, a date (ordinal) or a time of day (minutes)."""

    n: float
    unit: str


def parse_tables(path: Path) -> dict[str, dict[str, list[str]]]:
    """Read the small part of YAML the tables are written in: one or two levels of keys over lists of strings."""
    tables: dict[str, dict[str, list[str]]] = {}
    top = key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("- "):
            item = text[2:]
            tables[top].setdefault(key, []).append(str(json.loads(item)) if item.startswith('"') else item)
        elif line.startswith(" "):
            key = text[:-1]
        else:
            top, key = text[:-1], ""
            tables[top] = {}
    return tables


def upper(text: str) -> str:
    """Give the text a capital."""
    return text[:1].upper() + text[1:]


def fill(pattern: str, slots: dict[str, str]) -> str | None:
    """Fill the slots of a pattern; None where one is missing."""
    names = re.findall(r"\{(\w+)\}", pattern)
    if any(name.lower() not in slots for name in names):
        return None
    return re.sub(r"\{(\w+)\}", lambda m: slots[m[1]] if m[1][0].islower() else upper(slots[m[1].lower()]), pattern)


def parse_values(cell: str) -> list[Val]:
    """Read "30/32 kg", "EUR 40/50", "15 %" or dates."""
    if re.match(r"\d{4}-\d\d-\d\d", cell):
        return [Val(date.fromisoformat(part).toordinal(), "date") for part in cell.split("/")]
    if cell[:3] in MONEY:
        return [Val(float(part), cell[:3]) for part in cell[4:].split("/")]
    numbers, unit = cell.split(" ", 1)
    return [Val(float(part), unit) for part in numbers.split("/")]


def parse_clock(text: str) -> Val:
    """Read "9:30"."""
    hour, minute = text.split(":")
    return Val(int(hour) * 60 + int(minute), "time")


def number(n: float, *, comma: bool = True) -> str:
    """Write a number in digits."""
    if abs(n - round(n)) < 1e-9:
        return f"{round(n):,}" if comma else str(round(n))
    return f"{n:,.4f}".rstrip("0")


def words(n: int) -> str:
    """Write a number in words."""
    if n < 20:
        return SMALL[n]
    if n < 100:
        return TENS[n // 10] + (f"-{SMALL[n % 10]}" if n % 10 else "")
    if n < 1000:
        rest = f" and {words(n % 100)}" if n % 100 else ""
        return f"{SMALL[n // 100]} hundred{rest}"
    rest = f" {words(n % 1000)}" if n % 1000 else ""
    return f"{words(n // 1000)} thousand{rest}"


def with_unit(n: float, unit: str) -> str:
    """Write a number with its unit, in the singular where it is one."""
    one = {"hours": "hour", "days": "day", "weeks": "week", "months": "month", "years": "year", "minutes": "minute"}
    return f"{number(n)} {one.get(unit, unit) if n == 1 else unit}"


def spellings(v: Val) -> dict[str, str]:
    """All ways to write the value; "conv" spells it in another unit, "about" rounds it."""
    if v.unit == "date":
        return date_spellings(date.fromordinal(round(v.n)))
    if v.unit == "time":
        return time_spellings(round(v.n))
    if v.unit in MONEY:
        return money_spellings(v)
    whole = abs(v.n - round(v.n)) < 1e-9
    if v.unit == "%":
        n = number(v.n)
        share = {50: "half", 25: "a quarter", 20: "a fifth", 10: "a tenth", 75: "three quarters", 40: "two fifths"}
        out = {"plain": f"{n}%", "spaced": f"{n} %", "percent": f"{n} percent", "per cent": f"{n} per cent"}
        if whole:
            out["words"] = f"{words(round(v.n))} percent"
        return out | ({"share": share[round(v.n)]} if whole and round(v.n) in share else {})
    out = {"plain": with_unit(v.n, v.unit), "digits": f"{number(v.n, comma=False)} {v.unit}"}
    long = LONG.get(v.unit, v.unit)
    if whole and v.n > 1:
        out["words"] = f"{words(round(v.n))} {long}"
    if v.unit in LONG:
        out["long"] = f"{number(v.n)} {long}"
        out["tight"] = f"{number(v.n)}{v.unit}"
    return out | conversions(v)


def conversions(v: Val) -> dict[str, str]:
    """Write the value in other units."""
    out = {}
    for place, (factor, unit, step, top) in enumerate(EXACT.get(v.unit, [])):
        if (not step or v.n % step == 0) and (not top or v.n <= top):
            out[f"conv{place}"] = with_unit(round(v.n * factor, 6), unit)
    if v.unit in ROUGH:
        factor, unit = ROUGH[v.unit]
        out["convabout"] = f"about {number(round(v.n * factor, 1))} {unit}"
    if v.unit == "°C":
        out["convF"] = f"{number(round(v.n * 1.8 + 32, 1))} °F"
    return out


def money_spellings(v: Val) -> dict[str, str]:
    """Write an amount of money."""
    sign, name = MONEY[v.unit]
    whole = v.n == round(v.n)
    n = number(v.n) if whole else f"{v.n:,.2f}"
    cents = f"{v.n:,.2f}".translate(str.maketrans(",.", ".,"))
    out = {"plain": f"{v.unit} {n}", "sign": f"{sign}{n}", "name": f"{n} {name}", "after": f"{n} {v.unit}"}
    out["cents"] = f"{v.unit} {v.n:,.2f}"
    if v.unit == "EUR":
        out["comma"] = f"EUR {cents}"
        out["commasign"] = f"{cents} €"
    if whole:
        hundreds = 1100 <= v.n <= 9900 and v.n % 100 == 0 and v.n % 1000
        out["words"] = f"{words(round(v.n) // 100)} hundred {name}" if hundreds else f"{words(round(v.n))} {name}"
    elif v.n > 10:
        out["about"] = f"about {v.unit} {number(int(v.n + 0.5))}"
    return out


def date_spellings(d: date) -> dict[str, str]:
    """Write a date."""
    month = MONTHS[d.month - 1]
    end = "th" if 11 <= d.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(d.day % 10, "th")
    return {
        "plain": f"{d.day} {month} {d.year}", "us": f"{month} {d.day}, {d.year}", "iso": d.isoformat(),
        "dots": f"{d.day:02}.{d.month:02}.{d.year}", "short": f"{d.day} {month[:3]} {d.year}",
        "the": f"the {d.day}{end} of {month} {d.year}", "nth": f"{d.day}{end} {month} {d.year}",
    }  # fmt: skip


def time_spellings(minutes: int) -> dict[str, str]:
    """Write a time of day."""
    hour, minute = divmod(minutes, 60)
    half = hour % 12 or 12
    noon = "am" if hour < 12 else "pm"
    tail = f":{minute:02}" if minute else ""
    return {
        "plain": f"{hour}:{minute:02}", "padded": f"{hour:02}:{minute:02}", "ampm": f"{half}{tail} {noon}",
        "dotted": f"{half}{tail.replace(':', '.')} {noon[0]}.m.", "dot": f"{hour:02}.{minute:02} h",
        "tight": f"{half}{tail}{noon}",
    }  # fmt: skip


def wrong_value(v: Val, rng: Random, way: int, avoid: set[float]) -> Val | None:
    """Another value of the same kind; way is 1 for bigger, -1 for smaller, 0 for either."""
    if v.unit == "date":
        steps: list[float] = [1, -1, 7, -7, 14, -10, 31, -31, 365, -365]
    elif v.unit == "time":
        steps = [30, -30, 60, -60, 90, -90]
    elif v.unit in MONEY:
        steps = [0.5, -0.5, 3, -3, round(v.n * 0.1, 1), -round(v.n * 0.2, 1), v.n, round(v.n * 9), 10, -10]
    else:
        steps = [1, -1, 2, -2, 5, -5, 10, -10, 20, v.n, -(v.n // 2), v.n * 9]
    ends = (330, 1425) if v.unit == "time" else (2, 90 if v.unit == "%" else 10**9)
    found = [v.n + s for s in steps if s and s * way >= 0 and ends[0] <= v.n + s <= ends[1]]
    found = [n for n in found if n not in avoid]
    return Val(round(rng.choice(found), 2), v.unit) if found else None


def wrong_unit(v: Val, rng: Random, way: int) -> Val | None:
    """The same number with another unit."""
    if v.unit in MONEY:
        return Val(v.n, "USD" if v.unit == "EUR" else "EUR") if way == 0 else None
    smaller, bigger = MIXED.get(v.unit, ([], []))
    found = smaller * (way <= 0) + bigger * (way >= 0)
    return Val(v.n, rng.choice(found)) if found else None


def address_spellings(address: str) -> list[str]:
    """Ways to write the same phone number, e-mail address or URL."""
    if address.startswith("+"):
        code, *rest = address[1:].split(" ")
        out = [address, f"+{code}-{'-'.join(rest)}", f"00{code} {''.join(rest)}", f"+{code}{''.join(rest)}"]
        out += [f"+{code} ({rest[0]}) {' '.join(rest[1:])}", f"+{code}.{'.'.join(rest)}"]
        return [*out, f"({rest[0]}) {'-'.join(rest[1:])}"] if code == "1" else [*out, f"0{' '.join(rest)}"]
    if address.startswith("http"):
        bare = address.removeprefix("https://")
        return [address, bare, f"<{address}>", f"[{bare}]({address})", f"{address}/", f"`{address}`"]
    if "@" in address:
        return [address, f"<{address}>", f"[{address}](mailto:{address})", f"`{address}`", upper(address)]
    return [address, address]


def wrong_address(address: str, rng: Random) -> str:
    """An address that looks like the given one and is another."""
    if address.startswith("+"):
        digits = list(address)
        for place in rng.sample([i for i, c in enumerate(digits) if c.isdigit()][-4:], 2):
            digits[place] = str((int(digits[place]) + rng.randint(1, 9)) % 10)
        return "".join(digits)
    if address.startswith("http"):
        return address + rng.choice(["-new", "/2025", "/help", "-archive"])
    name, host = address.split("@")
    return rng.choice([f"info@{host}", f"{name}.team@{host}", f"{name}@{host.replace('.example', '-mail.example')}"])


def made_up(rng: Random) -> dict[str, str]:
    """Addresses that stand in no evidence."""
    name = rng.choice(["jane.roe", "sam.okafor", "m.lindqvist", "t.arslan", "petra.novak", "c.dubois"])
    phone = f"+{rng.choice(['49 40', '44 161', '1 312', '33 4'])} 555 {rng.randint(1000, 9999)}"
    page = rng.choice(["helpdesk-central", "infohub", "askdesk", "guidepoint"])
    return {
        "mine": f"{name}@{rng.choice(['postbox', 'inbox', 'mailhaus'])}.example", "phone": phone,
        "phone2": rng.choice(address_spellings(phone)[1:4]), "page": f"https://www.{page}.example/{rng.randint(2, 99)}",
        "file": rng.choice(["/usr/share/doc/faq.txt", "C:\\Manuals\\rules.pdf", "docs/annex_b.md", "~/terms.txt"]),
    }  # fmt: skip
