"""A benchmark's figures as a table."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from evals.tables import markdown

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("figures_table",)


def figures_table(told: "Mapping[str, Mapping[str, JsonValue]]") -> str:
    """Return a row a figure and a column a corpus.

    >>> print(figures_table({"core": {"queries": 3, "by_logic": {"AND": 1}}}))
    | figure        | core |
    |:--------------|-----:|
    | queries       |    3 |
    | by_logic: AND |    1 |
    """
    columns = {name: dict(_flat(figures)) for name, figures in told.items()}
    keys = dict.fromkeys(key for column in columns.values() for key in column)
    rows = [[key, *(column.get(key, "-") for column in columns.values())] for key in keys]
    return markdown(["figure", *columns], rows)


def _flat(figures: "Mapping[str, JsonValue]") -> Iterator[tuple[str, str]]:
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}: {name}", _cell(each)) for name, each in value.items())
        else:
            yield key, _cell(value)


def _cell(value: "JsonValue") -> str:
    return f"{value:.4g}" if isinstance(value, float) else "-" if value is None else str(value)
