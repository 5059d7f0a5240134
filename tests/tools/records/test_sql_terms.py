"""Units in compiled plans: what may be added, subtracted and compared."""

from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from agent.errors import QueryError
from agent.records.query_plan import Arithmetic, Column, Combination, Compare, Query
from agent.records.record_schema import Attribute, Kind, Schema
from tests.tools.records.league import stored
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan

SCHEMA = Schema(
    kinds=(
        Kind(
            name="deal",
            grain="row",
            attributes=(
                Attribute(name="euros", type="number", unit="EUR"),
                Attribute(name="dollars", type="number", unit="USD"),
                Attribute(name="bare", type="number"),
            ),
        ),
    )
)


def column(name: str) -> Column:
    return Column(kind="deal", attribute=name)


def test_times_are_compared_by_what_both_state(tmp_path: Path) -> None:
    at = Attribute(name="at", type="time")
    schema = Schema(kinds=(Kind(name="visit", grain="row", attributes=(at,)),))
    rows = [{"at": each} for each in ("2018-03-21 14:05", "2018-03-21 06:30:10", "2018-03-22")]
    with closing(stored(tmp_path / "records.sqlite", {"visit": rows}, schema)) as store:
        later = Compare(
            left=Column(kind="visit", attribute="at"), comparator=">", value="2018-03-21T06:30"
        )
        plan = Query(kind="visit", operation="count", where=later)
        found = Selector(store.path).select(compile_plan(plan, schema))
    assert list(found.rows) == [(2,)]


def total(name: str) -> Query:
    return Query(kind="deal", operation="sum", measure=column(name))


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
def test_numbers_of_different_units_have_a_ratio_only(operator: str, other: str, told: str) -> None:
    plan = Combination.model_validate(
        {"operator": operator, "left": total("euros"), "right": total(other)}
    )
    with pytest.raises(QueryError, match=told) if told else nullcontext():
        compile_plan(plan, SCHEMA)


@pytest.mark.parametrize("operator", ["+", "-"])
def test_columns_of_different_units_are_not_added(operator: str) -> None:
    measure = Arithmetic.model_validate(
        {"operator": operator, "left": column("euros"), "right": column("dollars")}
    )
    with pytest.raises(QueryError, match="different units"):
        compile_plan(Query(kind="deal", operation="sum", measure=measure), SCHEMA)
