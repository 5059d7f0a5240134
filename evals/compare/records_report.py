"""The figures of `compare records`: tables and JSON."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evals.compare.records_run import Compared, Result
from evals.datasets.asking import OPERATIONS
from evals.tables import markdown

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("report", "tables")


def tables(found: Sequence[Compared]) -> str:
    """Return three tables: reading and answers, questions on lists, exactness by operation."""
    return "\n\n".join([_main(found), _lists(found), _operations(found)])


def report(found: Sequence[Compared]) -> "list[JsonValue]":
    """Return each setting with its figures and every question."""
    return [_told(each) for each in found]


def _told(row: Compared) -> "dict[str, JsonValue]":
    setting = row.setting
    results: list[JsonValue] = [dataclasses.asdict(each) for each in row.results]
    return {
        "section": setting.section,
        "data": setting.data,
        "schema": setting.schema,
        "reader": setting.reader,
        "planner": setting.planner,
        "route": setting.route,
        "attributes_covered": row.reading.covered,
        "attributes": row.reading.attributes,
        "cell_precision": row.reading.precision,
        "cell_recall": row.reading.recall,
        "reading_calls": row.calls,
        "exact": _mean(row.results, lambda each: each.right),
        "answered": _mean(row.results, lambda each: each.answered),
        "exact_of_answered": _mean(
            [each for each in row.results if each.answered], lambda each: each.right
        ),
        "nace_mean": _mean(
            [each for each in row.results if each.error is not None], lambda each: each.error or 0
        ),
        "results": results,
    }


def _main(found: Sequence[Compared]) -> str:
    head = ("row", "section", "data", "schema", "reader", "plan", "route", "attributes",
            "cell precision", "cell recall", "questions", "exact", "no answer", "wrong", "NACE",
            "calls a question")  # fmt: skip
    rows = [(str(number), *_row(each)) for number, each in enumerate(found, start=1)]
    return markdown(head, rows)


def _row(row: Compared) -> Sequence[str]:
    setting, read, results = row.setting, row.reading, row.results
    counted = [each for each in results if each.error is not None]
    return (
        setting.section,
        setting.data,
        setting.schema,
        setting.reader,
        setting.planner,
        setting.route,
        f"{read.covered}/{read.attributes}",
        _shown(read.precision),
        _shown(read.recall),
        str(len(results)),
        _shown(_mean(results, lambda each: each.right)),
        _shown(_mean(results, lambda each: not each.answered)),
        _shown(_mean(results, lambda each: each.answered and not each.right)),
        _shown(_mean(counted, lambda each: each.error or 0)),
        _shown(_mean(results, lambda each: each.calls)),
    )


def _lists(found: Sequence[Compared]) -> str:
    head = ("row", "data", "exact where lists are needed", "of", "exact elsewhere", "of")
    rows = []
    for number, each in enumerate(found, start=1):
        with_list = [result for result in each.results if result.lists]
        without = [result for result in each.results if not result.lists]
        cells = [
            (_shown(_mean(some, lambda result: result.right)), str(len(some)))
            for some in (with_list, without)
        ]
        rows.append((str(number), each.setting.data, *cells[0], *cells[1]))
    return markdown(head, rows)


def _operations(found: Sequence[Compared]) -> str:
    """Return right answers of questions by operation, a column a setting, numbered as above."""
    head = ("right of asked", *(f"row {number}" for number in range(1, len(found) + 1)))
    rows = [
        (operation, *(_of(each.results, operation) for each in found)) for operation in OPERATIONS
    ]
    return markdown(head, rows)


def _of(results: Sequence[Result], operation: str) -> str:
    asked = [each.right for each in results if each.operation == operation]
    return f"{sum(asked)}/{len(asked)}"


def _mean(results: Sequence[Result], value: Callable[[Result], float]) -> float | None:
    return sum(map(value, results)) / len(results) if results else None


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
