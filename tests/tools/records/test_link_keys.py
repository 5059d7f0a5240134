"""What linked columns are joined over."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from agent.records.query_plan import Related
from agent.records.record_schema import CellValue, Link, Schema
from tests.tools.records.league import column, query, record, table
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan
from tools.records.record_store import RecordStore

COUNTRIES = ["Peru", "Chile", "Côte d'Ivoire"]
CITIES = {"Lima": "PERU", "Cusco": " Perú ", "Arica": "chile", "Abidjan": "Cote d'Ivoire"}


def schema(*, many: bool = False, countries: str = "text") -> Schema:
    country = table("country", name=countries)
    city = table("city", name="text", state="text *" if many else "text")
    link = Link(kind="city", attribute="state", to_kind="country", to_attribute="name")
    return Schema(kinds=(country, city), links=(link,))


def filled(
    path: Path,
    declared: Schema,
    countries: Sequence[CellValue] = COUNTRIES,
    cities: Mapping[str, str] = CITIES,
) -> RecordStore:
    store = RecordStore(path / "r.sqlite")
    store.write_schema(declared)
    rows = [record("country", {"name": each}, "d") for each in countries]
    rows += [record("city", {"name": city, "state": of}, "d") for city, of in cities.items()]
    store.put("d", "x", rows)
    return store


PER_COUNTRY = query("city", "count", group_by=(column("country", "name"),))
PER_CITY = query("country", "count", group_by=(column("city", "name"),))
LACKING = query("country", "count", where=Related(kind="city", at_most=0))


@pytest.mark.parametrize("many", [False, True], ids=["one value", "a list"])
def test_values_written_otherwise_are_joined(tmp_path: Path, many: bool) -> None:
    store = filled(tmp_path, schema(many=many))
    found = store.tables().schema
    selector = Selector(store.path)
    assert list(selector.select(compile_plan(PER_COUNTRY, found))) == [
        ("Chile", 1), ("Côte d'Ivoire", 1), ("Peru", 2),
    ]  # fmt: skip
    assert list(selector.select(compile_plan(LACKING, found))) == [(0,)]


@pytest.mark.parametrize(
    ("countries", "cities", "met"),
    [
        (["Q1", "Q2", "A-1", "か"], {"a": "q1", "b": "A1", "c": "が"}, {"a"}),
        (["Peña", "Pena"], {"a": "PEÑA", "b": "PENA"}, {"a", "b"}),
        ([7, 8], {"a": "007", "b": "Q7"}, {"a"}),
    ],
    ids=["values that differ in content", "names that differ by accents", "text beside numbers"],
)
def test_each_value_meets_itself_only(
    tmp_path: Path, countries: Sequence[CellValue], cities: Mapping[str, str], met: set[str]
) -> None:
    declared = schema(countries="integer" if isinstance(countries[0], int) else "text")
    store = filled(tmp_path, declared, countries, cities)
    statement = compile_plan(PER_CITY, store.tables().schema)
    assert set(Selector(store.path).select(statement)) == {(each, 1) for each in met}


def test_keys_follow_new_documents_and_a_new_schema(tmp_path: Path) -> None:
    store = filled(tmp_path, schema())
    store.tables()
    store.put("e", "x", [record("country", {"name": "Norge"}, "e")])
    store.put("f", "x", [record("city", {"name": "Oslo", "state": "NORGE"}, "f")])
    statement = compile_plan(PER_COUNTRY, store.tables().schema)
    assert ("Norge", 1) in Selector(store.path).select(statement)
    wider = table("city", name="text", state="text", mayor="text")
    kinds = (table("country", name="text"), wider)
    store.write_schema(schema().model_copy(update={"kinds": kinds}))
    statement = compile_plan(LACKING, store.tables().schema)
    assert list(Selector(store.path).select(statement)) == [(0,)]
