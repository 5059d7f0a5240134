"""Values of several units in one column: converted, or never computed with together."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.errors import QueryError
from agent.records.query_plan import Arithmetic, Column, Number, Query, Test
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind, Schema, Tables
from tests.tools.records.league import aggregate, having, query, result_of, rows_of, when
from tools.records.guarded_select import Selector
from tools.records.record_store import RecordStore
from tools.records.record_values import normalise

PRICE, NAME, FEES = (Column(kind="deal", attribute=name) for name in ("price", "name", "fees"))
Written = Sequence[str]


def schema(**more: object) -> Schema:
    attributes = (
        Attribute(name="name", type="text"),
        Attribute.model_validate({"name": "price", "type": "number", **more}),
        Attribute(name="fees", type="number", many=True),
    )
    return Schema(kinds=(Kind(name="deal", attributes=attributes),))


def cells(attribute: Attribute, written: Written) -> list[Cell]:
    found = ((each, normalise(each, attribute)) for each in written)
    return [
        Cell(attribute=attribute.name, value=value, original=text, unit=unit)
        for text, (value, unit) in found
    ]


def put(store: RecordStore, name: str, price: str, fees: Written = ()) -> None:
    _, price_of, fees_of = store.schema().kinds[0].attributes
    own = Cell(attribute="name", value=name)
    told = (own, *cells(price_of, [price]), *cells(fees_of, fees))
    store.put(name, "digest", [Record(kind="deal", document=name, cells=told)])


@pytest.fixture
def store(tmp_path: Path) -> RecordStore:
    made = RecordStore(tmp_path / "records.sqlite")
    made.write_schema(schema())
    return made


def fill(store: RecordStore, prices: Written) -> Tables:
    for number, price in enumerate(prices):
        put(store, f"d{number}", price)
    return store.tables()


def asked(store: RecordStore, query: Query) -> list[tuple[CellValue, ...]]:
    return rows_of(query, Selector(store.path), store.tables().schema)


def total(where: Test | None = None, **more: object) -> Query:
    given = {"kind": "deal", "operation": "sum", "measure": PRICE, "where": where, **more}
    return Query.model_validate(given)


def test_units_that_convert_come_to_one(store: RecordStore) -> None:
    tables = fill(store, ["2 kg", "500 g", "3 kg"])
    (attribute,) = (each for each in tables.schema.kinds[0].attributes if each.name == "price")
    assert (attribute.unit, tables.schema.mixed) == ("kg", ())
    held = tables.facts[0].column("price")
    assert (held.units, held.most, held.mean) == ((("kg", 2), ("g", 1)), 3.0, 5.5 / 3)
    assert asked(store, total()) == [(5.5,)]
    assert result_of(total(), Selector(store.path), tables.schema).unit == "kg"


def test_lists_are_converted_value_by_value(store: RecordStore) -> None:
    put(store, "a", "1 EUR", ["1 kg", "500 g"])
    put(store, "b", "1 EUR", ["2 kg"])
    plan = query("deal", "sum", FEES)
    assert asked(store, plan) == [(3.5,)]


MIXED = ["5 EUR", "7 EUR", "900 JPY", "3"]


def test_statistics_of_units_that_do_not_convert_show_them_and_compute_nothing(
    store: RecordStore,
) -> None:
    held = fill(store, MIXED).facts[0].column("price")
    assert held.units == (("EUR", 2), ("", 1), ("JPY", 1))
    assert (held.mean, held.least, held.most, held.filled) == (None, None, None, 4)


REFUSED: dict[str, Query] = {
    **{
        name: Query.model_validate({"kind": "deal", "operation": name, "measure": PRICE})
        for name in ("sum", "avg", "min", "max", "median", "variance", "stdev", "count_distinct")
    },
    "compare": total(when(PRICE, ">", 4)).model_copy(update={"operation": "count"}),
    "sort": query("deal", "list", PRICE, order="ascending"),
    "groups": total(group_by=(NAME,)),
    "compared groups": query(
        "deal", "count", group_by=(NAME,), having=(having("sum", PRICE, ">", 1),)
    ),
    "arithmetic": total(measure=Arithmetic(operator="*", left=PRICE, right=Number(number=2))),
    "aggregate": query(
        "deal", "count", where=when(PRICE, ">", aggregate=aggregate("avg", PRICE, "deal"))
    ),
    "a list": query("deal", "max", FEES),
}


ALLOWED: dict[str, tuple[Query, list[tuple[CellValue, ...]]]] = {
    "how many state it": (query("deal", "count", where=when(PRICE, "not_null", None)), [(4,)]),
    "how many values": (query("deal", "count", PRICE), [(4,)]),
    "shown": (query("deal", "list", show=(PRICE,)), [("5",), ("7",), ("900",), ("3",)]),
}


@pytest.mark.parametrize(("query", "rows"), ALLOWED.values(), ids=ALLOWED)
def test_values_of_several_units_are_counted_and_shown(
    store: RecordStore, query: Query, rows: list[tuple[CellValue, ...]]
) -> None:
    fill(store, MIXED)
    assert asked(store, query) == rows


FREE = {
    "a sum over all": "SELECT sum(price) FROM deal",
    "a comparison of theirs": "SELECT name FROM deal d WHERE d.Price > 4",
    "within a with": "WITH x AS (SELECT price AS p FROM deal) SELECT max(p) FROM x",
    "a list's sum": "SELECT sum(value) FROM deal__fees",
    "all columns of a list": "SELECT * FROM deal__fees",
}


@pytest.mark.parametrize("plan", [*REFUSED.values(), *FREE.values()], ids=[*REFUSED, *FREE])
def test_no_plan_or_statement_may_mix_units(store: RecordStore, plan: Query | str) -> None:
    fill(store, MIXED)
    put(store, "list", "1 EUR", ["1 EUR", "2 JPY"])
    store.tables()
    with pytest.raises(QueryError, match=r"several units that do not convert \((EUR|JPY), "):
        Selector(store.path).run(plan) if isinstance(plan, str) else asked(store, plan)
