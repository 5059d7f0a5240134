"""Units of measurement and of money: what they measure, and how one converts to another.

A unit is a product of bases with exponents and a factor: `km/h` is a metre by a second, times
1/3.6. A currency is a base of its own, since no rate is known; so is a calendar's month, which has
no fixed number of days; and so is what is counted (`rooms`).
"""

import re
from collections import Counter
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from agent.currencies import currency_of
from tools.records.number_words import SCALES
from tools.records.unit_table import SEVERAL_SIZES, measure

__all__ = ("Unit", "parse_unit", "split_scale")

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
        letter = _SCALE_LETTERS.get(low) if len(words) > 1 and _beside_money(words, word) else None
        scale *= named or letter or 1
        rest += [] if named or letter else [word]
    kept = [word for word in rest if scale == 1 or word.casefold() not in {"in", "of"}]
    return scale, " ".join(kept)


def _beside_money(words: list[str], word: str) -> bool:
    return any(each is not word and currency_of(each) for each in words)


@lru_cache(maxsize=4096)
def parse_unit(written: str, currency: str = "") -> Unit | None:
    """Return what a unit measures, or None for no unit or for one of several sizes (`tons`).

    Args:
        written: without a scale.
        currency: what `$` or `pounds` shall be where they may be it.

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
    if "_".join(name.casefold().replace(".", "").split()) in SEVERAL_SIZES:
        return None
    code = currency_of(name, currency)
    mass = measure(name)
    if code and (mass is None or code == currency or name in "$€£¥"):
        return Unit(((code, 1),), Decimal(1))
    if mass is not None:
        base, factor = mass
        known, own = (base[:-1], int(base[-1])) if base in {"m2", "m3"} else (base, 1)
        bases = () if known == "one" else ((known, own * power),)
        return Unit(bases, factor**power, _zero(name) if known == "kelvin" else None)
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


def _zero(name: str) -> Decimal:
    return _ZERO[re.sub(r"degrees?[\s_]|deg|°", "", name.strip().casefold())[:1]]


def _counted(name: str) -> Unit | None:
    """Return what is counted, by its last word in the singular."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if not words or re.search(r"\d", name) or len(words) > 4:
        return None
    last = re.sub(r"ies$", "y", words[-1]) if len(words[-1]) > 4 else words[-1]
    last = last[:-1] if len(last) > 3 and last.endswith("s") and not last.endswith("ss") else last
    return Unit(((f"#{last}", 1),), Decimal(1))
