"""Amounts with their comparison: `at least three`, `in 2015 or later`, `since the 1990s`."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.question import Comparison
from agent.reasoners.rules.language.amounts import Amount, AmountKind, read_amount
from agent.reasoners.rules.language.comparisons import comparison_after, comparison_from
from agent.reasoners.rules.language.past import read_past
from agent.reasoners.rules.language.periods import read_period
from agent.reasoners.rules.language.words import Token, low_at

__all__ = ("Bound", "read_bound")


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with numbers or dates."""

    comparison: Comparison
    values: tuple[str, ...]
    kind: AmountKind
    """`year` where a bare number may be either; `month` for one of any year, as `--12`; `past` for
    a stretch that ends with the latest date, as `3 year`."""
    end: int
    """Index of the first token after it."""
    explicit: bool = False
    """Whether a word of comparison stood before or behind the amount."""
    unit: str = ""
    """The unit behind the amount, or before it for a currency; empty where none is written."""


def read_bound(tokens: Sequence[Token], at: int) -> Bound | None:
    """Read a comparison with an amount that begins at the token `at`, or None.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> bound = read_bound(tokenize("in 2015 or later"), 0)
    >>> bound.comparison, bound.values, bound.kind, bound.end
    ('at_least', ('2015',), 'year', 4)
    """
    if (span := _past(tokens, at) or _period(tokens, at) or _between(tokens, at)) is not None:
        return span
    comparison, start = comparison_from(tokens, at)
    amount = read_amount(tokens, start)
    if amount is None:
        return None
    after, end = comparison_after(tokens, amount.end, dated=amount.kind in {"date", "year"})
    if after is not None and read_amount(tokens, end) is not None:
        after, end = None, amount.end  # `below 3 or above 9`: another comparison begins there
    values = [amount.value]
    if after is None and comparison in {None, "is"}:
        values, end = _alternatives(tokens, values, amount)
    explicit = after is not None or comparison is not None
    said = after or comparison or "is"
    return Bound(said, tuple(values), amount.kind, end, explicit, amount.unit)


def _past(tokens: Sequence[Token], at: int) -> Bound | None:
    """Read a stretch of time that ends now: `in the last 3 years`, `over the past decade`."""
    found = read_past(tokens, at)
    if found is None:
        return None
    past, end = found
    return Bound("at_least", (f"{past.number} {past.unit}",), "past", end, explicit=True)


def _period(tokens: Sequence[Token], at: int) -> Bound | None:
    """Read a named stretch of time, with what lies before or after it: `since the 1990s`."""
    comparison, start = comparison_from(tokens, at)
    found = read_period(tokens, start)
    if found is None:
        return None
    first, last, end = found
    match comparison:
        case "at_least" | "less_than":
            return Bound(comparison, (first,), "date", end, explicit=True)
        case "at_most" | "more_than":
            return Bound(comparison, (last,), "date", end, explicit=True)
        case _:
            return Bound("between", (first, last), "date", end, explicit=True)


def _between(tokens: Sequence[Token], at: int) -> Bound | None:
    opening = low_at(tokens, at)
    start = at + 1 if opening in {"between", "from", "in", "within"} else at
    first = read_amount(tokens, start)
    if first is None:
        return None
    joints = {"and"} if opening == "between" else {"to", "through", "until", "till", "-", "–", "—"}
    if low_at(tokens, first.end) not in joints:
        return None
    second = read_amount(tokens, first.end + 1)
    if second is None:
        return None
    kind: AmountKind = "date" if "date" in {first.kind, second.kind} else second.kind
    values = (first.value, second.value)
    unit = second.unit or first.unit
    return Bound("between", values, kind, second.end, explicit=True, unit=unit)


def _alternatives(
    tokens: Sequence[Token], values: list[str], first: Amount
) -> tuple[list[str], int]:
    """Read `, 2002 or 2003` behind an amount."""
    end = first.end
    while low_at(tokens, end) in {"or", ","}:
        step = (
            end + 2 if low_at(tokens, end) == "," and low_at(tokens, end + 1) == "or" else end + 1
        )
        other = read_amount(tokens, step)
        if other is None or other.kind != first.kind:
            break
        values.append(other.value)
        end = other.end
    return values, end
