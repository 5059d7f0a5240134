"""A compiled statement: one SELECT, its parameters, and what its columns mean."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from agent.errors import QueryError
from agent.records.record_schema import AttributeType, CellValue

__all__ = ("Binder", "Output", "Role", "Statement")

_PLACEHOLDER: Final = re.compile(r"\?(\d+)")
"""No literal of a compiled statement holds a question mark."""

Role = Literal["record", "group", "show", "measure", "value", "flag"]


@dataclass(frozen=True, slots=True)
class Output:
    """One column of a statement's result."""

    name: str
    role: Role
    """record: an id of a record; group: a value of `group_by`; show: what names a row; measure: a
    row's own number; value: the result of the operation; flag: yes or no about a row."""
    type: AttributeType = "number"
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT that code wrote."""

    sql: str
    """With numbered parameters, `?1`, which may occur several times."""
    parameters: tuple[CellValue, ...]
    outputs: tuple[Output, ...]

    def place(self, role: Role) -> tuple[int, ...]:
        """Return which columns of a row have the role."""
        return tuple(place for place, each in enumerate(self.outputs) if each.role == role)

    def typed(self, rows: Sequence[Sequence[CellValue]]) -> list[tuple[CellValue, ...]]:
        """Return rows with truth values as such: SQLite has them as 0 and 1."""
        boolean = [each.type == "boolean" for each in self.outputs]
        if not any(boolean):
            return [tuple(row) for row in rows]
        return [
            tuple(
                bool(value) if truth and value is not None else value
                for value, truth in zip(row, boolean, strict=True)
            )
            for row in rows
        ]


@dataclass(slots=True)
class Binder:
    """Collects the parameters of one statement and names its tables."""

    values: list[CellValue] = field(default_factory=list)
    aliases: int = 0

    def bind(self, value: CellValue) -> str:
        """Return the placeholder of a value; equal values of one type share one.

        Raises:
            QueryError: it is a text that holds half of a surrogate pair, as no record does.
        """
        _check(value)
        for place, known in enumerate(self.values):
            if known == value and type(known) is type(value):
                return f"?{place + 1}"
        self.values.append(value)
        return f"?{len(self.values)}"

    def statement(self, sql: str, outputs: Sequence[Output]) -> Statement:
        """Return a statement with the parameters that it uses, in the order of their use."""
        used: dict[int, int] = {}

        def renumbered(found: re.Match[str]) -> str:
            return f"?{used.setdefault(int(found[1]), len(used) + 1)}"

        numbered = _PLACEHOLDER.sub(renumbered, sql)
        return Statement(numbered, tuple(self.values[place - 1] for place in used), tuple(outputs))

    def alias(self) -> str:
        """Return a new name for a table."""
        self.aliases += 1
        return f"t{self.aliases - 1}"


def _check(value: CellValue) -> None:
    try:
        str(value).encode()
    except UnicodeEncodeError as error:
        raise QueryError(
            f"{value!r} holds half of a surrogate pair; write the whole character"
        ) from error
