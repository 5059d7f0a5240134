"""Units in compiled plans: what may be added, subtracted and compared."""

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QueryError
from agent.records.query_plan import Arithmetic, Column, Combination, Query
from agent.records.record_schema import Schema
from tests.tools.records import league
from tests.tools.records.league import query, rows_of, stored, table, when
from tools.records.guarded_select import Selector
from tools.records.plan_results import Results, combined

SCHEMA = Schema(kinds=(table("deal", euros="number EUR", dollars="number USD", bare="number"),))

EMPTY = Results(SCHEMA, lambda _: ())


def column(name: str) -> Column:
    return league.column("deal", name)


def test_times_are_compared_by_what_both_state(tmp_path: Path) -> None:
    schema = Schema(kinds=(table("visit", at="time"),))
    rows = [{"at": each} for each in ("2018-03-21 14:05", "2018-03-21 06:30:10", "2018-03-22")]
    with closing(stored(tmp_path / "records.sqlite", {"visit": rows}, schema)) as store:
        later = when(league.column("visit", "at"), ">", "2018-03-21T06:30")
        plan = query("visit", "count", where=later)
        assert rows_of(plan, Selector(store.path), schema) == [(2,)]


def total(name: str) -> Query:
    return query("deal", "sum", column(name))


@pytest.mark.parametrize(
    ("operator", "other", "told"),
    [
        ("+", "dollars", "different units"),
        ("-", "dollars", "different units"),
        ("growth", "dollars", "different units"),
        ("/", "dollars", ""),
        ("-", "euros", ""),
        ("-", "bare", ""),
    ],
)
def test_numbers_of_different_units_have_a_ratio_only(operator: Any, other: str, told: str) -> None:
    plan = Combination.model_validate(
        {"operator": operator, "left": total("euros"), "right": total(other)}
    )
    with pytest.raises(QueryError, match=told) if told else nullcontext():
        combined(plan, EMPTY.of(plan.left), EMPTY.of(plan.right))
    if operator != "growth":
        measure = Arithmetic(operator=operator, left=column("euros"), right=column(other))
        with pytest.raises(QueryError, match=told) if told else nullcontext():
            EMPTY.of(query("deal", "sum", measure))
