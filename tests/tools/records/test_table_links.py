from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.records.query_plan import Related
from agent.records.record_schema import Attribute, AttributeType, CellValue, Kind, Link, Schema
from tests.tools.records.league import column, query, record, rows_of, table
from tools.records.guarded_select import Selector
from tools.records.record_store import RecordStore

Tables = dict[str, dict[str, list[Any]]]
Links = set[tuple[str, str, str, str]]


def found(
    folder: Path, tables: Tables, *declared: Link, apart: dict[str, str] | None = None
) -> Links:
    """Return the inferred links of tables given as columns of values, all together or `apart`."""
    kinds, records = [], []
    for kind, values in tables.items():
        types: dict[str, AttributeType] = {
            name: "text" if isinstance(cells[0], str) else "integer"
            for name, cells in values.items()
        }
        attributes = tuple(Attribute(name=name, type=type_) for name, type_ in types.items())
        kinds.append(Kind(name=kind, grain="row", attributes=attributes))
        document = (apart or {}).get(kind, "all")
        for place in range(max(map(len, values.values()))):
            row = {name: cells[place] for name, cells in values.items() if place < len(cells)}
            records.append(record(kind, row, document))
    store = RecordStore(folder / "records.sqlite")
    store.write_schema(Schema(kinds=tuple(kinds), links=declared))
    for document in {each.document for each in records}:
        store.put(document, "digest", [each for each in records if each.document == document])
    links = store.tables().schema.links[len(declared) :]
    return {(each.kind, each.attribute, each.to_kind, each.to_attribute) for each in links}


@pytest.mark.parametrize("name", ["captain_id", "captain", "has_captain", "captain_no"])
def test_a_name_that_ends_in_the_kind_refers_to_it(tmp_path: Path, name: str) -> None:
    tables: Tables = {"captain": {"id": [1, 2, 3]}, "boat": {name: [1, 1, 3, None]}}
    assert found(tmp_path, tables) == {("boat", name, "captain", "id")}


VISITS: Tables = {
    "account": {"customer_id": [1, 2, 3, 4, 5]},
    "visitor": {"customer_id": [1, 2, 3, 4]},
    "visit": {"customer_id": [1, 1, 2, 4, 4]},
}
BANK = {"account": "bank", "visitor": "museum", "visit": "museum"}


def test_rows_refer_to_rows_of_their_own_documents(tmp_path: Path) -> None:
    assert found(tmp_path, VISITS, apart=BANK) == {
        ("visit", "customer_id", "visitor", "customer_id")
    }


TOWNS = ["Bergen", "Oslo", "Tromsø", "Bodø", "Hamar", "Molde", "Narvik"]
LINKED: dict[str, tuple[Tables, Links]] = {
    "small numbers without a name for it are no links": (
        {
            "captain": {"id": list(range(1, 30)), "age": list(range(30, 59))},
            "boat": {
                "id": [1, 2, 3, 4],
                "crew": [3, 5, 5, 8],
                "captain_age": [31, 33, 40, 40],
                "captain_trips": [3, 5, 5, 8],
            },
        },
        set(),
    ),
    "equal names of identifiers, from the many to the unique": (
        {"parcel": {"route_code": ["R1", "R1", "R2"]}, "road": {"route_code": ["R1", "R2", "R3"]}},
        {("parcel", "route_code", "road", "route_code")},
    ),
    "a shared key refers to the kind it is named for": (
        {
            "person": {"person_id": [1, 2, 3, 4]},
            "pilot": {"person_id": [2, 4]},
            "nurse": {"person_id": [1, 3]},
        },
        {
            ("pilot", "person_id", "person", "person_id"),
            ("nurse", "person_id", "person", "person_id"),
        },
    ),
    "texts of one name": (
        {"place": {"town": TOWNS}, "trip": {"town": TOWNS[:3] * 2}},
        {("trip", "town", "place", "town")},
    ),
    "texts of two names": ({"place": {"town": TOWNS}, "trip": {"start": TOWNS[:6]}}, set()),
    "values that are missing elsewhere": (
        {"captain": {"id": [1, 2, 3]}, "boat": {"captain_id": [1, 2, 7, 8]}},
        set(),
    ),
    "what is not unique": ({"captain": {"id": [1, 2, 2]}, "boat": {"captain_id": [1, 2]}}, set()),
}


@pytest.mark.parametrize(("tables", "links"), LINKED.values(), ids=LINKED)
def test_columns_link_by_name_and_values(tmp_path: Path, tables: Tables, links: Links) -> None:
    assert found(tmp_path, tables) == links


def test_a_declared_link_is_not_inferred_again(tmp_path: Path) -> None:
    tables: Tables = {
        "captain": {"id": [1, 2, 3], "number": [1, 2, 3]},
        "boat": {"captain_id": [1, 1, 3]},
    }
    declared = Link(kind="boat", attribute="captain_id", to_kind="captain", to_attribute="number")
    assert found(tmp_path, tables, declared) == set()


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
    assert rows_of(PER_COUNTRY, selector, found) == [
        ("Chile", 1), ("Côte d'Ivoire", 1), ("Peru", 2),
    ]  # fmt: skip
    assert rows_of(LACKING, selector, found) == [(0,)]


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
    cities_of = rows_of(PER_CITY, Selector(store.path), store.tables().schema)
    assert set(cities_of) == {(each, 1) for each in met}
