"""Values as pages write them: one fact in many exact forms.

Nothing here is shared with what reads values (`tools.records`): a mistake of the one would hide
the same mistake of the other.
"""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from evals.datasets.domain import Facet
from evals.datasets.drawing import Fact, pick, some

__all__ = ("written",)

_MONEY: Final = {
    "USD": ("${}", "US${}", "USD {}", "{} US dollars", "{} dollars", "{} USD"),
    "EUR": ("€{}", "EUR {}", "{} euros", "{} EUR", "{} €"),
}
_NAMED_MONEY: Final = {"USD": ("{} US dollars", "{} dollars"), "EUR": ("{} euros",)}
_SAME: Final = {  # a unit: other ways to write it, with what one of them is of the unit
    "weeks": (("weeks", 1), ("days", 7)),
    "mg": (("mg", 1), ("milligrams", 1), ("g", Decimal("0.001"))),
}  # fmt: skip
_SHARES: Final = ("{}%", "{} %", "{} per cent", "{} percent")
_MILLION: Final = (10**6, "million", "M")
_THOUSAND: Final = (10**3, "thousand", "k")
_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = (
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip


def written(
    fact: Fact, facet: Facet, rng: np.random.Generator, *, varied: bool, line: bool = False
) -> str:
    """Return a fact as a page writes it.

    Args:
        fact: what is stated.
        facet: the attribute.
        rng: where chance comes from.
        varied: whether the form varies, from `1.2M` to `1,200,000`; else one form for all.
        line: whether it stands behind a label, not in a sentence.
    """
    match fact:
        case bool():
            return pick(("Yes", "yes") if fact else ("No", "no"), rng)
        case tuple():
            return _listed(some(fact, len(fact), rng) if varied else fact, rng, line=line)
        case str() if facet.type == "date":
            return _dated(fact, rng, varied=varied)
        case int() | float():
            return _measured(Decimal(str(fact)), facet, rng, varied=varied)
        case _:
            return str(fact)


def _listed(items: Sequence[str], rng: np.random.Generator, *, line: bool) -> str:
    if line:
        return pick((", ", "; "), rng).join(items)
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def _dated(iso: str, rng: np.random.Generator, *, varied: bool) -> str:
    if not varied:
        return iso
    date = dt.date.fromisoformat(iso)
    month = date.strftime("%B")
    ending = {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10 if date.day // 10 != 1 else 0, "th")
    forms = (
        f"{date.day} {month} {date.year}",
        f"{month} {date.day}, {date.year}",
        f"the {date.day}{ending} of {month} {date.year}",
        f"{date.day} {month[:3]} {date.year}",
        date.strftime("%d.%m.%Y"),
        iso,
    )
    return pick(forms, rng)


def _measured(number: Decimal, facet: Facet, rng: np.random.Generator, *, varied: bool) -> str:
    unit = facet.unit or ""
    if unit in _MONEY:
        figure = _number(number, rng, varied=varied)
        forms = _MONEY[unit] if figure[0].isdigit() else _NAMED_MONEY[unit]
        return (pick(forms, rng) if varied else "{} " + unit).format(figure)
    if unit == "%":
        forms = _SHARES if varied else ("{}%",)
        return pick(forms, rng).format(_plain(number * 100))
    if unit.startswith("/"):
        best = unit.removeprefix("/")
        forms = ("{} out of " + best, "{}/" + best, "{}") if varied else ("{}/" + best,)
        return pick(forms, rng).format(_plain(number))
    if unit:
        name, factor = pick(_SAME[unit], rng) if varied else (unit, 1)
        return f"{_plain(number * factor)} {name}"
    return _plain(number) if facet.plain else _number(number, rng, varied=varied)


def _number(number: Decimal, rng: np.random.Generator, *, varied: bool) -> str:
    """Write a number, in digits or with a scale where that is exact."""
    if not varied:
        return _plain(number)
    forms = [_grouped(number)] * 2
    if number == int(number) and number < 100:
        forms.append(_words(int(number)))
    size, word, letter = _MILLION if number >= _MILLION[0] else _THOUSAND
    if number >= 10_000 and _short(number / size):
        forms += [f"{_plain(number / size)} {word}", f"{_plain(number / size)}{letter}"]
    return pick(forms, rng)


def _grouped(number: Decimal) -> str:
    return f"{number.normalize():,f}"


def _short(number: Decimal) -> bool:
    """Tell whether two decimals are enough."""
    return number == number.quantize(Decimal("0.01"))


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _words(number: int) -> str:
    if number < 20:
        return _UNITS[number]
    tens, rest = divmod(number, 10)
    return f"{_TENS[tens]}-{_UNITS[rest]}" if rest else _TENS[tens]
