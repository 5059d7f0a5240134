"""The prompt about tables of records: turn a question into a query, or say what they lack."""

from collections.abc import Iterator
from typing import Final

from agent.prompt_values import QueryValues
from agent.question import Interpretation, atoms
from agent.reasoner import Prompt
from agent.records.record_schema import (
    Attribute,
    ColumnFacts,
    Kind,
    MixedUnits,
    Schema,
    TableFacts,
    Tables,
)
from agent.value import counted
from prompts.descriptions import condition_list, interpretation_line
from prompts.templates import one_line, plain, render

_VALUES_SHOWN: Final = 12
_LONGEST_VALUE: Final = 60
_LONGEST_ERROR: Final = 600
_COLUMNS_SHOWN: Final = 120
_GRAIN: Final = {"document": "each document is one", "row": "a document holds many"}


def query(values: QueryValues) -> Prompt:
    """Ask how the tables answer a question; replied with `QueryReply`."""
    shown = {
        "question": plain(values.question),
        "interpretation": _read_as(values.question, values.interpretation),
        "tables": _tables(values.tables),
        "repair": _repair(values.tried, values.error),
    }
    return render("query", shown, values)


def _read_as(question: str, interpretation: Interpretation | None) -> str:
    """State the interpretation where it adds to the question, and what was taken for granted."""
    if interpretation is None:
        return ""
    lines = []
    if interpretation.text != question:
        lines.append(f"It was read as: {interpretation_line(interpretation)}")
    if any(each.counts or each.excludes for each in atoms(interpretation.conditions)):
        lines.append(condition_list(tuple(atoms(interpretation.conditions))))
    if interpretation.granted:
        lines.append("Taken for granted: " + "; ".join(map(one_line, interpretation.granted)))
    return "".join(f"{line}\n" for line in lines)


def _repair(tried: str, error: str) -> str:
    if not tried:
        return ""
    return (
        f"\nYour last query was:\n{one_line(tried)}\nIt could not be used: "
        f"{one_line(error, _LONGEST_ERROR)}\nCorrect it, or say that the tables do not answer.\n"
    )


def _tables(tables: Tables) -> str:
    """List kinds with their columns and what these hold, and the links between kinds."""
    facts = {each.kind: each for each in tables.facts}
    lines = [
        "\n".join(_table(kind, facts.get(kind.name), tables.schema)) for kind in tables.schema.kinds
    ]
    links = [
        f"- {each.kind}.{each.attribute} refers to {each.to_kind}.{each.to_attribute}"
        for each in tables.schema.links
    ]
    if links:
        lines.append("\n".join(["Links:", *links]))
    return "\n\n".join(lines) or "(none)"


def _table(kind: Kind, facts: TableFacts | None, schema: Schema) -> Iterator[str]:
    rows = (
        f", {counted(facts.rows, 'row')} from {counted(facts.documents, 'document')}"
        if facts
        else ""
    )
    told = f": {one_line(kind.description)}" if kind.description else ""
    yield f"{kind.name} ({_GRAIN[kind.grain]}{rows}){told}"
    columns = {each.attribute: each for each in facts.columns} if facts else {}
    for attribute in kind.attributes[:_COLUMNS_SHOWN]:
        held = columns.get(attribute.name)
        mixed = schema.units_of(kind.name, attribute.name)
        yield _column(attribute, held, facts.rows if facts else 0, mixed)
    if len(kind.attributes) > _COLUMNS_SHOWN:
        yield f"- … {counted(len(kind.attributes) - _COLUMNS_SHOWN, 'more column')}"


def _column(
    attribute: Attribute, held: ColumnFacts | None, rows: int, mixed: MixedUnits | None
) -> str:
    of = f" in {one_line(attribute.unit, _LONGEST_VALUE)}" if attribute.unit else ""
    if mixed is not None:
        of = " in several units" + (f", stated by {mixed.stated_by}" if mixed.stated_by else "")
    many = ", a list" if attribute.many else ""
    parts = [one_line(attribute.description)] if attribute.description else []
    called = [each for each in attribute.labels if each != attribute.name.replace("_", " ")]
    if called:
        parts.append(f"called {_listed(called)}")
    if held is not None:
        parts.append(_held(attribute, held, rows))
    return f"- {attribute.name} ({attribute.type}{of}{many}): {'; '.join(parts)}".rstrip(" :")


def _held(attribute: Attribute, held: ColumnFacts, rows: int) -> str:
    """Say how full a column is and what it holds."""
    filled = (
        counted(held.filled, "value")
        if attribute.many
        else f"{held.filled} of {counted(rows, 'row')}"
    )
    told = f"{filled}, {held.distinct} different"
    if len(held.units) > 1:
        told += f", written {_in_units(held)}"
    if held.nonzero is not None and held.nonzero < held.filled and attribute.type != "boolean":
        told += f", {held.filled - held.nonzero} zero or empty"
    if held.least is not None and held.most is not None:
        mean = f", {_value(held.mean)} on average" if held.mean is not None else ""
        return f"{told}, from {_value(held.least)} to {_value(held.most)}{mean}"
    shown = [f"{_value(value)} ({count})" for value, count in held.values[:_VALUES_SHOWN] if count]
    return f"{told}: {'; '.join(shown)}" if shown else told


def _in_units(held: ColumnFacts) -> str:
    """Say in which units a column's values are written."""
    told = (
        f"in {one_line(unit, _LONGEST_VALUE)}" if unit else "without a unit"
        for unit, _ in held.units
    )
    numbers = (values for _, values in held.units)
    return "; ".join(f"{each} ({number})" for each, number in zip(told, numbers, strict=True))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return one_line(f"{value:g}" if isinstance(value, float) else str(value), _LONGEST_VALUE)


def _listed(values: list[str]) -> str:
    return "; ".join(one_line(each, _LONGEST_VALUE) for each in values)
