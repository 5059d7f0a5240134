"""Tables joined over the keys of linked columns."""

import sqlite3
from pathlib import Path

import pytest

from agent.records.query_plan import Column, Query, Related
from agent.records.record_schema import Attribute, Kind, Link, Schema
from tests.tools.records.league import record
from tools.records.compile import compile_plan
from tools.records.database import RecordStore
from tools.records.select import Selector

COUNTRIES = ["Peru", "Chile", "Côte d'Ivoire"]
CITIES = {"Lima": "PERU", "Cusco": " Perú ", "Arica": "chile", "Abidjan": "Cote d'Ivoire"}


def kind(name: str, *attributes: str, many: bool = False) -> Kind:
    made = (Attribute(name=each, type="text", many=many) for each in attributes)
    return Kind(name=name, grain="row", attributes=tuple(made))


def schema(*, many: bool = False) -> Schema:
    country = kind("country", "name")
    city = kind("city", "name")
    state = Attribute(name="state", type="text", many=many)
    city = city.model_copy(update={"attributes": (*city.attributes, state)})
    link = Link(kind="city", attribute="state", to_kind="country", to_attribute="name")
    return Schema(kinds=(country, city), links=(link,))


def filled(path: Path, declared: Schema) -> RecordStore:
    store = RecordStore(path / "r.sqlite")
    store.write_schema(declared)
    rows = [record("country", {"name": each}, "d") for each in COUNTRIES]
    rows += [record("city", {"name": city, "state": of}, "d") for city, of in CITIES.items()]
    store.put("d", "x", rows)
    return store


PER_COUNTRY = Query(
    kind="city", operation="count", group_by=(Column(kind="country", attribute="name"),)
)
LACKING = Query(kind="country", operation="count", where=Related(kind="city", at_most=0))


@pytest.mark.parametrize("many", [False, True], ids=["one value", "a list"])
def test_values_written_otherwise_are_joined(tmp_path: Path, many: bool) -> None:
    store = filled(tmp_path, schema(many=many))
    found = store.tables().schema
    selector = Selector(store.path)
    assert list(selector.select(compile_plan(PER_COUNTRY, found)).rows) == [
        ("Chile", 1), ("Côte d'Ivoire", 1), ("Peru", 2),
    ]  # fmt: skip
    assert list(selector.select(compile_plan(LACKING, found)).rows) == [(0,)]


def test_keys_follow_new_documents_and_a_new_schema(tmp_path: Path) -> None:
    store = filled(tmp_path, schema())
    store.tables()
    store.put("e", "x", [record("country", {"name": "Norge"}, "e")])
    store.put("f", "x", [record("city", {"name": "Oslo", "state": "NORGE"}, "f")])
    statement = compile_plan(PER_COUNTRY, store.tables().schema)
    assert ("Norge", 1) in Selector(store.path).select(statement).rows
    wider = kind("city", "name", "state", "mayor")
    store.write_schema(schema().model_copy(update={"kinds": (kind("country", "name"), wider)}))
    statement = compile_plan(LACKING, store.tables().schema)
    assert list(Selector(store.path).select(statement).rows) == [(0,)]


def test_joins_use_the_index_over_the_keys(tmp_path: Path) -> None:
    store = filled(tmp_path, schema())
    statement = compile_plan(LACKING, store.tables().schema)

    connection = sqlite3.connect(store.path)
    plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.sql}", statement.parameters)
    told = " ".join(str(row[3]) for row in plan)
    connection.close()
    assert "_link_city__state (_key_state=?)" in told


def test_a_link_is_inferred_whatever_the_case(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "r.sqlite")
    store.write_schema(Schema(kinds=(kind("country", "name"), kind("city", "country"))))
    names = ["Peru", "Chile", "Norway", "Japan", "Kenya", "Spain", "Italy"]
    rows = [record("country", {"name": each}, "d") for each in names]
    rows += [record("city", {"country": each.upper()}, "d") for each in names]
    store.put("d", "x", rows)
    assert [(each.kind, each.to_kind) for each in store.tables().schema.links] == [
        ("city", "country")
    ]
