"""Units of measure and money: one canonical spelling each, and what converts into what."""

from __future__ import annotations

import math
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit of measure.

    Attributes:
        name: Canonical spelling, equal for every way of writing it.
        dimension: What it measures.
        size: How many base units it is.
    """

    name: str
    dimension: str
    size: float


_ROWS = (
    ("time", "ms millisecond milliseconds msec", 0.001),
    ("time", "second seconds sec secs s", 1),
    ("time", "minute minutes min mins", 60),
    ("time", "hour hours hr hrs h", 3600),
    ("time", "day days", 86_400),
    ("time", "night nights", 86_400),
    ("time", "week weeks wk wks", 604_800),
    ("time", "fortnight fortnights", 1_209_600),
    ("time", "month months mo mos", 2_629_800),
    ("time", "quarter quarters", 7_889_400),
    ("time", "year years yr yrs", 31_557_600),
    ("time", "decade decades", 315_576_000),
    ("length", "nm nanometre nanometer nanometres nanometers", 1e-9),
    ("length", "µm μm micron microns micrometre micrometer micrometres micrometers", 1e-6),
    ("length", "mm millimetre millimeter millimetres millimeters", 0.001),
    ("length", "cm centimetre centimeter centimetres centimeters", 0.01),
    ("length", "m metre meter metres meters", 1),
    ("length", "km kilometre kilometer kilometres kilometers", 1000),
    ("length", "inch inches", 0.0254),
    ("length", "ft foot feet", 0.3048),
    ("length", "yd yard yards", 0.9144),
    ("length", "mile miles mi", 1609.344),
    ("mass", "µg mcg microgram micrograms", 1e-9),
    ("mass", "mg milligram milligrams", 1e-6),
    ("mass", "g gram grams gramme grammes", 0.001),
    ("mass", "kg kilo kilos kilogram kilograms", 1),
    ("mass", "tonne tonnes ton tons", 1000),
    ("mass", "oz ounce ounces", 0.028349523125),
    ("mass", "lb lbs pound pounds", 0.45359237),
    ("volume", "ml millilitre milliliter millilitres milliliters", 0.001),
    ("volume", "cl centilitre centiliter centilitres centiliters", 0.01),
    ("volume", "l litre liter litres liters", 1),
    ("volume", "gallon gallons gal", 3.785411784),
    ("volume", "pint pints", 0.473176473),
    ("volume", "cup cups", 0.2365882365),
    ("volume", "tbsp tablespoon tablespoons", 0.01478676),
    ("volume", "tsp teaspoon teaspoons", 0.00492892),
    ("data", "byte bytes", 1),
    ("data", "kb kilobyte kilobytes kib", 1e3),
    ("data", "mb megabyte megabytes mib", 1e6),
    ("data", "gb gigabyte gigabytes gib", 1e9),
    ("data", "tb terabyte terabytes tib", 1e12),
    ("data", "pb petabyte petabytes", 1e15),
    ("rate", "kbps", 1e3),
    ("rate", "mbps", 1e6),
    ("rate", "gbps", 1e9),
    ("power", "mw milliwatt milliwatts", 0.001),
    ("power", "w watt watts", 1),
    ("power", "kw kilowatt kilowatts", 1000),
    ("power", "megawatt megawatts", 1e6),
    ("power", "gw gigawatt gigawatts", 1e9),
    ("energy", "wh watt-hour watt-hours", 1),
    ("energy", "kwh kilowatt-hour kilowatt-hours", 1000),
    ("energy", "mwh megawatt-hour megawatt-hours", 1e6),
    ("energy", "cal calorie calories", 0.001163),
    ("energy", "kcal kilocalorie kilocalories", 1.163),
    ("charge", "mah", 0.001),
    ("charge", "ah", 1),
    ("voltage", "mv millivolt millivolts", 0.001),
    ("voltage", "v volt volts", 1),
    ("voltage", "kv kilovolt kilovolts", 1000),
    ("frequency", "hz hertz", 1),
    ("frequency", "khz kilohertz", 1e3),
    ("frequency", "mhz megahertz", 1e6),
    ("frequency", "ghz gigahertz", 1e9),
    ("speed", "mph", 0.44704),
    ("speed", "kmh kph", 1 / 3.6),
    ("speed", "knot knots", 0.514444),
    ("pressure", "bar", 1e5),
    ("pressure", "psi", 6894.757),
    ("pressure", "kpa", 1e3),
    ("temperature", "celsius centigrade °c", 1),
    ("temperature", "fahrenheit °f", 1),
    ("temperature", "kelvin", 1),
    ("area", "sqft", 0.09290304),
    ("area", "sqm", 1),
    ("area", "acre acres", 4046.8564224),
    ("area", "hectare hectares ha", 10_000),
    ("share", "% percent pct percentage", 1),
    ("share", "bp bps", 0.01),
)
UNITS = {word: Unit(words.split()[0], dimension, size) for dimension, words, size in _ROWS for word in words.split()}
CURRENCIES = {
    "$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "us$": "usd", "€": "eur", "eur": "eur",
    "euro": "eur", "euros": "eur", "£": "gbp", "gbp": "gbp", "sterling": "gbp", "¥": "jpy", "jpy": "jpy", "yen": "jpy",
    "₹": "inr", "inr": "inr", "rupee": "inr", "rupees": "inr", "chf": "chf", "francs": "chf", "franc": "chf",
    "cent": "cent", "cents": "cent", "pence": "penny", "cad": "cad", "aud": "aud", "yuan": "cny", "cny": "cny",
    "rmb": "cny", "won": "krw", "krw": "krw",
}  # fmt: skip
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sep sept", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
# Their German, French and Spanish names, where they are others.
MONTHS_ABROAD = {
    name: number
    for number, names in enumerate(
        (
            "januar jänner janvier enero", "februar février febrero", "märz mars marzo", "avril abril", "mai mayo",
            "juni juin junio", "juli juillet julio", "août agosto", "septembre septiembre", "oktober octobre octubre",
            "novembre noviembre", "dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("monday mondays mon", "tuesday tuesdays tue tues", "wednesday wednesdays wed", "thursday thursdays thu thurs",
         "friday fridays fri", "saturday saturdays sat", "sunday sundays sun"),
        1,
    )
    for name in names.split()
}  # fmt: skip


def same_amount(value: float, unit: Unit, other: float, other_unit: Unit) -> bool:
    """Whether two quantities are one, by conversion, up to two percent for rounding."""
    if unit.dimension != other_unit.dimension:
        return False
    if unit.dimension == "temperature":
        return _close(_celsius(value, unit), _celsius(other, other_unit))
    if unit.dimension == "data" and _close(value * _binary(unit), other * _binary(other_unit)):
        return True
    return _close(value * unit.size, other * other_unit.size)


def _binary(unit: Unit) -> float:
    """Bytes where 1024 of a unit are the next: 2 GiB are 2048 MiB, whichever way both are spelled."""
    return 1024.0 ** round(math.log(unit.size, 1000))


def _celsius(value: float, unit: Unit) -> float:
    if unit.name == "fahrenheit":
        return (value - 32) / 1.8
    return value - 273.15 if unit.name == "kelvin" else value


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= 0.02 * max(abs(one), abs(other))
