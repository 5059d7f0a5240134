"""Units of measurement and of money: what they measure, and how one converts to another.

A unit is a product of bases with exponents and a factor: `km/h` is a metre by a second, times
1/3.6. Bases of their own are currencies, since no rate is known, a calendar's month, which has no
fixed number of days, and what is counted (`rooms`).
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from agent.english import SCALES, currency_of, singular

_PREFIXES: Final = {
    "P": ("peta", 15), "T": ("tera", 12), "G": ("giga", 9), "M": ("mega", 6), "k": ("kilo", 3),
    "h": ("hecto", 2), "d": ("deci", -1), "c": ("centi", -2), "m": ("milli", -3),
    "µ": ("micro", -6), "n": ("nano", -9),
}  # fmt: skip
_SEVERAL_SIZES: Final = frozenset(
    {"ton", "tons", "gallon", "gallons", "gal", "pint", "pints", "pt", "quart", "quarts", "qt",
     "cup", "cups", "cal", "calorie", "calories", "fl_oz", "fluid_ounce", "fluid_ounces",
     "barrel", "barrels", "bbl"}
)  # fmt: skip
"""Names that mean different sizes in different places: nothing is converted to or from them."""
_ZERO: Final = {  # what is added, in kelvin, after the factor
    "c": Decimal("273.15"), "f": Decimal("459.67") * 5 / 9, "k": Decimal(0),
}  # fmt: skip
_SPEEDS: Final = {"mph": "mi/h", "kph": "km/h", "kmh": "km/h", "knot": "nmi/h", "knots": "nmi/h",
                  "kn": "nmi/h", "mbps": "megabit/s", "gbps": "gigabit/s"}  # fmt: skip
_PER: Final = re.compile(r"\s*/\s*|(?:^|\s+)(?:per|an?|each)\s+", re.IGNORECASE)
_POWERS: Final = {"²": 2, "³": 3, "2": 2, "3": 3, "^2": 2, "^3": 3}
_SCALE_LETTERS: Final = {"k": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "mln": 10**6,
                         "mio": 10**6, "bn": 10**9, "b": 10**9, "tn": 10**12}  # fmt: skip


class Unit(NamedTuple):
    """What a unit measures and how much of its bases one of it is."""

    bases: tuple[tuple[str, int], ...]
    """Bases with their exponents, sorted. What is counted begins with `#`, and what stands behind
    `per` with `/`: hours a week are no mere number."""
    factor: Decimal
    zero: Decimal | None = None
    """What is added after the factor, for a temperature; None for all else."""

    @property
    def measures(self) -> tuple[tuple[str, int], ...]:
        """The bases without what is merely counted: of `USD per night`, only USD."""
        return tuple(base for base in self.bases if not base[0].lstrip("/").startswith("#"))

    @property
    def counted(self) -> bool:
        """Whether it only names what is counted: `rooms`."""
        return bool(self.bases) and not self.measures


_OUT_OF: Final = re.compile(r"(?:/|out of)\s*(\d+)")
_PERCENT: Final = Decimal("0.01")
_SHARE = "%"


@dataclass(frozen=True, slots=True)
class ColumnUnits:
    """The units of a column."""

    counts: tuple[tuple[str, int], ...] = ()
    """How many values have each unit, the most frequent first, empty for none."""
    unit: str | None = None
    """The one unit that all values have; None where nothing is measured."""
    mixed: bool = False


def _measure(name: str) -> tuple[str, Decimal] | None:
    """Return the base that a unit measures and its factor; None for an unknown name."""
    joined = "_".join(name.split()).removesuffix(".")
    return _exact().get(joined) or _lower().get(joined.casefold())


@lru_cache(maxsize=1)
def _exact() -> dict[str, tuple[str, Decimal]]:
    """Return the units by name, from lines of a base, how much of it, and names.

    Behind `+prefixes` stand a symbol and the names that take them.
    """
    found = {"megabit": ("B", Decimal(125_000)), "gigabit": ("B", Decimal(125_000_000))}
    for line in files("agent").joinpath("units.txt").read_text(encoding="utf-8").splitlines():
        base, factor, *names = line.split()
        if names[0].startswith("+"):
            prefixes, symbol, *names = names
            for short in prefixes[1:]:
                long, power = _PREFIXES[short]
                own = (f"{short}{symbol}", *(f"{long}{name}" for name in names))
                found |= dict.fromkeys(own, (base, Decimal(factor) * Decimal(10) ** power))
            names.append(symbol)
        found |= dict.fromkeys(names, (base, Decimal(factor)))
    return found


@lru_cache(maxsize=1)
def _lower() -> dict[str, tuple[str, Decimal]]:
    """Return the units by lower case, without symbols that differ by case alone (`mW`, `MW`)."""
    return {name.casefold(): unit for name, unit in _exact().items() if len(name) > 1}


def split_scale(unit: str) -> tuple[int, str]:
    """Return the scale that stands in a unit, and the rest: `million USD`, `USD m`, `in thousands`.

    >>> split_scale("million USD"), split_scale("EUR k"), split_scale("kg")
    ((1000000, 'USD'), (1000, 'EUR'), (1, 'kg'))
    """
    words = unit.split()
    scale, rest = 1, []
    for word in words:
        low = word.casefold().removesuffix(".")
        named = SCALES.get(low) or SCALES.get(low.removesuffix("s"))
        money = any(each is not word and currency_of(each) for each in words)
        letter = _SCALE_LETTERS.get(low) if money else None
        scale *= named or letter or 1
        rest += [] if named or letter else [word]
    kept = [word for word in rest if scale == 1 or word.casefold() not in {"in", "of"}]
    return scale, " ".join(kept)


@lru_cache(maxsize=4096)
def parse_unit(written: str, currency: str = "") -> Unit | None:
    """Return what a unit measures, or None for no unit or for one of several sizes (`tons`).

    It is written without a scale. `currency` is what `$` or `pounds` shall be where they may be it.

    >>> parse_unit("km/h").bases, parse_unit("sq ft").factor, parse_unit("guest rooms").bases
    ((('/s', 1), ('m', 1)), Decimal('0.09290304'), (('#room', 1),))
    """
    parts = _PER.split(_plain(written))
    bases: Counter[str] = Counter()
    factor, zero = Decimal(1), None
    for at, part in enumerate(parts):
        if not part and not at and len(parts) > 1:
            continue
        found = _simple(part, currency)
        if found is None:
            return None
        for base, exponent in found.bases:
            bases[f"/{base}" if at else base] += exponent
        factor = factor / found.factor if at else factor * found.factor
        zero = found.zero if len(parts) == 1 else None
    return Unit(tuple(sorted(bases.items())), factor, zero)


def _plain(written: str) -> str:
    """Return a unit without what follows `of`, without `old`, and its short names spelt out."""
    text = re.sub(r"\bper\s+cent\b", "percent", written.strip().rstrip(".,;:"), flags=re.IGNORECASE)
    text = re.sub(r"\s+(?:old|of\s.*)$", "", text)
    return _SPEEDS.get(text.casefold(), text)


def _simple(text: str, currency: str) -> Unit | None:
    """Return one unit without `per`, with its power."""
    power, name = _power(text)
    if "_".join(name.casefold().replace(".", "").split()) in _SEVERAL_SIZES:
        return None
    code = currency_of(name, currency)
    mass = _measure(name)
    if code and (mass is None or code == currency or name in "$€£¥"):
        return Unit(((code, 1),), Decimal(1))
    if mass is not None:
        base, factor = mass
        known, own = (base[:-1], int(base[-1])) if base in {"m2", "m3"} else (base, 1)
        bases = () if known == "one" else ((known, own * power),)
        scale = re.sub(r"degrees?[\s_]|deg|°", "", name.strip().casefold())[:1]
        return Unit(bases, factor**power, _ZERO[scale] if known == "kelvin" else None)
    return _counted(name) if power == 1 else None


def _power(text: str) -> tuple[int, str]:
    """Return the exponent and the unit: `sq ft`, `square metres`, `m²`, `m2`, `cubic feet`."""
    if match := re.fullmatch(r"(sq|square|cu|cubic)\b\.?[\s_]*(.+)", text, re.IGNORECASE):
        return (2 if match[1].lower().startswith("sq") else 3), match[2]
    if match := re.fullmatch(r"(sqm|sqft|sqkm|sqmi)", text, re.IGNORECASE):
        return 2, text[2:]
    if match := re.fullmatch(r"([^\W\d_]+)(\^?[23]|[²³])", text):
        return _POWERS[match[2]], match[1]
    return 1, text


def _counted(name: str) -> Unit | None:
    """Return what is counted, by its last word in the singular."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if not words or re.search(r"\d", name) or len(words) > 4:
        return None
    return Unit(((f"#{singular(words[-1])}", 1),), Decimal(1))


def converted(number: Decimal, written: str, wanted: str) -> Decimal | str:
    """Return a number in the wanted unit, else the reason why it cannot be.

    Shares become fractions of one: 41 % is 0.41. Without a wanted unit all else stays as it is. A
    wanted `per` that is not written is taken as said by the column: 20 USD is 20 in `USD per hour`.
    What is merely counted (`rooms`, `per night`) never stands in the way. No currency converts to
    another; no month to days; nothing to or from a unit of several sizes, such as a ton.
    """
    given_scale, given = split_scale(written)
    scale, into = split_scale(wanted)
    number = number * given_scale / scale
    if not given:
        return number
    if rating := _OUT_OF.fullmatch(given):
        return _rated(number, int(rating[1]), into)
    source = parse_unit(given, _currency(into))
    if not into:
        return number * source.factor if source is not None and not source.bases else number
    if given.casefold() == into.casefold() and not is_share(into):
        return number
    target = parse_unit(into)
    found = None if source is None or target is None else _between(number, source, target)
    return f"in {given!r}, which cannot be converted to {into!r}" if found is None else found


def _rated(number: Decimal, best: int, into: str) -> Decimal | str:
    """Return points out of the best: on the wanted scale, as a share, or as they are."""
    if rating := _OUT_OF.fullmatch(into):
        return number * int(rating[1]) / best
    if into and is_share(into):
        return number / best
    return number


def _currency(unit: str) -> str:
    """Return the code of the currency in a unit, empty without one."""
    parsed = parse_unit(unit) if unit else None
    bases = parsed.bases if parsed else ()
    return next((base for base, _ in bases if re.fullmatch("[A-Z]{3}", base)), "")


def _between(number: Decimal, source: Unit, target: Unit) -> Decimal | None:
    if source.counted or target.counted:
        return number if source.counted and target.counted else None
    if source.measures == target.measures:
        divisor = Decimal(1) if not target.bases and target.factor == _PERCENT else target.factor
        above = number * source.factor + (source.zero or 0)
        return (above - (target.zero or 0)) / divisor
    above_line = tuple(base for base in target.measures if not base[0].startswith("/"))
    return number if source.measures == above_line and source.factor == 1 else None


def is_money(unit: str) -> bool:
    """Tell whether a unit is a currency, perhaps scaled or per something."""
    return _currency(split_scale(unit)[1]) != ""


def is_share(unit: str) -> bool:
    """Tell whether a unit is percent.

    >>> is_share("%"), is_share("percentage points"), is_share("x")
    (True, True, False)
    """
    parsed = parse_unit(split_scale(unit)[1])
    return parsed is not None and not parsed.bases and parsed.factor == _PERCENT


def is_time(unit: str | None) -> bool:
    """Tell whether a unit is a length of time: `min`, `hours`."""
    parsed = parse_unit(split_scale(unit)[1]) if unit else None
    return parsed is not None and parsed.bases == (("s", 1),)


def value_unit(written: str | None) -> str:
    """Return the unit that a stored number is in, given the unit that was written beside it.

    Scales were multiplied out and shares made fractions when the number was read.
    """
    unit = split_scale(written or "")[1]
    parsed = parse_unit(unit) if unit else None
    if parsed is None or parsed.bases:
        return unit
    return _SHARE if parsed.factor < 1 else ""


def column_units(counts: Mapping[str, int], largest_bare: float = 0.0) -> ColumnUnits:
    """Return the units of a column, and the one that all its values have.

    What is merely counted (`rooms`) is no unit to compute in, and stands beside no measure. A
    number without a unit is in the column's one unit, beside shares only where it is below 1.
    `counts` is by unit as `value_unit` returns it, `largest_bare` the greatest value without one.
    """
    ordered = tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    named = [unit for unit, _ in ordered if unit]
    if not named:
        return ColumnUnits()
    bare_is_none = named[0] == _SHARE and "" in counts and largest_bare >= 1
    parsed = [parse_unit(each) for each in named]
    sizes = {each and (each.measures, each.factor, each.zero) for each in parsed}
    if bare_is_none or (len(named) > 1 and (len(sizes) > 1 or None in sizes)):
        return ColumnUnits(ordered, mixed=True)
    counted = parsed[0] is not None and parsed[0].counted
    return ColumnUnits(ordered, None if counted else named[0])
