"""Frozen values that are checked when made and only ever replaced; a number with its noun."""

from dataclasses import fields
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.english import plural


class Value(BaseModel):
    """A closed, frozen model."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def tuples_restored(state: Any) -> None:
    """Turn a frozen state's lists into tuples: a checkpoint brings tuples back as lists."""
    for field in fields(state):
        value = getattr(state, field.name)
        if isinstance(value, list):
            object.__setattr__(state, field.name, tuple(value))


def counted(number: int, noun: str) -> str:
    """Return how many there are of what a noun names, given in the singular.

    >>> counted(1, "document"), counted(0, "row"), counted(2, "query"), counted(3, "more index")
    ('1 document', '0 rows', '2 queries', '3 more indexes')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def in_digits(number: float) -> str:
    """Return a number in its digits, without an exponent; a whole one has them all.

    >>> in_digits(9780306406157), in_digits(4.5e15), in_digits(0.1 + 0.2), in_digits(1e-5)
    ('9780306406157', '4500000000000000', '0.3', '0.00001')
    """
    return str(number) if isinstance(number, int) else f"{Decimal(f'{number:.15g}'):f}"


def number(value: float | str) -> str:
    """Format a number without a needless fraction or exponent.

    >>> number(12.0), number(1234567.5), number(1 / 3)
    ('12', '1234567.5', '0.3333')
    """
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else f"{value:.4f}".rstrip("0")
