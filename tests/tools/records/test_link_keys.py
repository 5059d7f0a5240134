"""What linked columns are joined over."""

from pathlib import Path

import pytest

from agent.records.query_plan import Column, Query, Related
from agent.records.record_schema import Attribute, Kind, Link, Schema
from tests.tools.records.league import record
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan
from tools.records.record_store import RecordStore
from tools.records.table_links import linked_keys


def test_writings_of_one_value_meet() -> None:
    keys = linked_keys([["PERU", " Peru ", "Perú", "cote D'IVOIRE"]], [["Peru", "Côte d'Ivoire"]])
    assert len({keys[each] for each in ("Peru", "PERU", " Peru ", "Perú")}) == 1
    assert keys["Côte d'Ivoire"] == keys["cote D'IVOIRE"]


def test_values_that_differ_in_content_stay_apart() -> None:
    values = ["PEP 484", "PEP 585", "Q1", "Q2", "007", "7", "A-1", "A1", "か", "が", "и", "й"]
    keys = linked_keys([values], [values])
    assert len(set(keys.values())) == len(values)


def test_accents_count_where_a_column_that_is_referred_to_has_both() -> None:
    keys = linked_keys([["PEÑA", "NUNEZ", "Nunez"]], [["Peña", "Pena", "Núñez"]])
    assert keys["Peña"] == keys["PEÑA"] != keys["Pena"]
    assert keys["Núñez"] == keys["NUNEZ"]


def test_a_text_beside_numbers_is_the_number_it_writes() -> None:
    keys = linked_keys([["007", "7.50", "Q7"]], [[7, 7.5]])
    assert (keys["007"], keys["7.50"], keys["Q7"]) == (7, 7.5, "q7")


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
