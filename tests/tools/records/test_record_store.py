"""The store of records: what it keeps of documents, its tables, their links and their units."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ProgramFault, QueryError
from agent.records.query_plan import Arithmetic, Column, Number, Query, Related, Test
from agent.records.record import Cell, Failure, Record
from agent.records.record_schema import Attribute, CellValue, Kind, Link, Schema, Tables
from tests.tools.records.league import (
    aggregate,
    column,
    having,
    query,
    result_of,
    rows_of,
    table,
    when,
)
from tests.tools.records.league import record as league_record
from tools.records.guarded_select import Selector
from tools.records.record_store import RecordStore
from tools.records.record_values import normalise

HOTEL = table(
    "hotel", grain="document", name="text", rooms="integer", pool="boolean", amenities="text *"
)


def schema(*kinds: Kind) -> Schema:
    return Schema(kinds=kinds or (HOTEL,))


def record(document: str, *, kind: str = "hotel", **cells: Any) -> Record:
    return league_record(kind, cells, document)


@pytest.fixture
def store(tmp_path: Path) -> RecordStore:
    made = RecordStore(tmp_path / "records" / "records.sqlite")
    made.write_schema(schema())
    return made


def rows(store: RecordStore, sql: str) -> list[tuple[Any, ...]]:
    store.tables()
    return list(Selector(store.path).run(sql).rows)


def test_a_record_is_a_row_with_its_lists_beside_it(store: RecordStore) -> None:
    told = record("ritz", name="Ritz", rooms=40, pool=True, amenities=["spa", "bar"])
    store.put("ritz", "d1", [told])
    assert rows(store, "SELECT _record, _document, name, rooms, pool FROM hotel") == [
        (1, "ritz", "Ritz", 40, 1)
    ]
    assert rows(store, "SELECT _record, value FROM hotel__amenities") == [(1, "spa"), (1, "bar")]


def test_reading_a_document_again_replaces_all_of_it(store: RecordStore) -> None:
    failure = Failure(document="ritz", reason="cut", start=3, end=9)
    store.put("ritz", "d1", [record("ritz", name="Old", amenities="bar")], [failure])
    store.put("plaza", "d9", [record("plaza", name="Plaza")])
    store.put("ritz", "d2", [record("ritz", name="New")])
    assert rows(store, "SELECT name FROM hotel ORDER BY name") == [("New",), ("Plaza",)]
    assert rows(store, "SELECT * FROM hotel__amenities") == []
    assert store.failures() == ()
    digests = {name: each.digest for name, each in store.documents().items()}
    assert digests == {"plaza": "d9", "ritz": "d2"}


def test_failures_are_kept_by_document(store: RecordStore) -> None:
    first = Failure(document="ritz", reason="no number", attribute="rooms", original="many")
    second = Failure(document="plaza", reason="the model refused")
    store.put("ritz", "d1", [record("ritz", name="Ritz")], [first])
    store.put("plaza", "d2", [], [second])
    store.put("mare", "d3", [])
    states = store.documents()
    assert store.failures() == (second, first)
    told = {name: each.status for name, each in states.items()}
    assert told == {"mare": "read", "plaza": "failed", "ritz": "partial"}


CHANGED: dict[str, tuple[dict[str, Attribute | None], bool]] = {
    "a new attribute": ({"stars": Attribute(name="stars", type="integer")}, True),
    "another unit": ({"rooms": Attribute(name="rooms", type="number", unit="m2")}, True),
    "examples, labels, and one that is gone": (
        {"name": Attribute(name="name", type="text", examples=("Ritz",), labels=("hotel name",)),
         "rooms": None}, False),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "stale"), CHANGED.values(), ids=CHANGED)
def test_what_an_attribute_is_read_as_decides_whether_all_is_read_again(
    store: RecordStore, changes: dict[str, Attribute | None], stale: bool
) -> None:
    told = record("ritz", name="Ritz", rooms=40, amenities="bar")
    store.put("ritz", "d1", [told])
    own = {each.name: each for each in HOTEL.attributes} | changes
    changed = HOTEL.model_copy(update={"attributes": tuple(filter(None, own.values()))})
    assert store.write_schema(schema(changed)) == (("ritz",) if stale else ())
    assert store.documents()["ritz"].status == ("stale" if stale else "read")
    assert rows(store, "SELECT name, pool FROM hotel") == ([] if stale else [("Ritz", None)])
    assert rows(store, "SELECT value FROM hotel__amenities") == ([] if stale else [("bar",)])


def test_a_new_kind_of_rows_may_be_in_any_document(store: RecordStore) -> None:
    store.put("ritz", "d1", [record("ritz")])
    store.put("empty", "d2", [])
    guest = Kind(name="guest", attributes=(Attribute(name="name", type="text"),))
    assert store.write_schema(schema(HOTEL, guest)) == ("empty",)
    row = guest.model_copy(update={"name": "visit", "grain": "row"})
    assert store.write_schema(schema(HOTEL, guest, row)) == ("empty", "ritz")


def test_statistics_are_those_of_the_paper(store: RecordStore) -> None:
    for name, rooms, pool in (("Ritz", 40, True), ("Plaza", 80, False), ("Plaza", None, False)):
        document = f"{name}-{rooms}"
        told = record(document, name=name, rooms=rooms, pool=pool, amenities="bar")
        store.put(document, "d", [told])
    [facts] = store.tables().facts
    by_name = {each.attribute: each for each in facts.columns}
    assert (facts.rows, facts.documents) == (3, 3)
    rooms = by_name["rooms"]
    assert (rooms.filled, rooms.distinct, rooms.mean, rooms.least, rooms.most) == (2, 2, 60, 40, 80)
    assert by_name["name"].values == (("Plaza", 2), ("Ritz", 1))
    assert by_name["pool"].values == ((False, 2), (True, 1))
    assert by_name["amenities"].values == (("bar", 3),)
    told = {name: (each.filled, each.nonzero) for name, each in by_name.items()}
    assert told == {"name": (3, 3), "rooms": (2, 2), "pool": (3, 1), "amenities": (3, 3)}


@pytest.mark.parametrize("wrong", [record("mare"), record("plaza", kind="motel")])
def test_a_record_of_another_document_or_kind_undoes_its_wave(
    store: RecordStore, wrong: Record
) -> None:
    def write() -> None:
        with store.transaction():
            store.put("ritz", "d1", [record("ritz")])
            store.put("plaza", "d1", [wrong])

    with pytest.raises(ProgramFault):
        write()
    assert dict(store.documents()) == {}


def test_a_kind_that_is_gone_takes_its_records_along(store: RecordStore) -> None:
    visit = Kind(name="visit", grain="row", attributes=(Attribute(name="name", type="text"),))
    store.write_schema(schema(HOTEL, visit))
    held = [record("ritz"), record("ritz", kind="visit"), record("ritz", kind="visit")]
    store.put("ritz", "d1", held)
    assert store.write_schema(schema()) == ()
    state = store.documents()["ritz"]
    assert (state.status, state.kinds) == ("read", ("hotel",))
    assert [each.kind for each in store.records_of("ritz")] == ["hotel"]
    assert store.write_schema(Schema()) == ("ritz",)
    assert store.records([1]) == {}
    assert store.tables().facts == ()


Columns = dict[str, dict[str, list[Any]]]
Links = set[tuple[str, str, str, str]]


def found(
    folder: Path, tables: Columns, *declared: Link, apart: dict[str, str] | None = None
) -> Links:
    """Return the inferred links of tables given as columns of values, all together or `apart`."""
    kinds, records = [], []
    for kind, values in tables.items():
        types = {
            name: "text" if isinstance(cells[0], str) else "integer"
            for name, cells in values.items()
        }
        kinds.append(table(kind, **types))
        document = (apart or {}).get(kind, "all")
        for place in range(max(map(len, values.values()))):
            row = {name: cells[place] for name, cells in values.items() if place < len(cells)}
            records.append(league_record(kind, row, document))
    store = RecordStore(folder / "records.sqlite")
    store.write_schema(Schema(kinds=tuple(kinds), links=declared))
    for document in {each.document for each in records}:
        store.put(document, "digest", [each for each in records if each.document == document])
    links = store.tables().schema.links[len(declared) :]
    return {(each.kind, each.attribute, each.to_kind, each.to_attribute) for each in links}


@pytest.mark.parametrize("name", ["captain_id", "captain", "has_captain", "captain_no"])
def test_a_name_that_ends_in_the_kind_refers_to_it(tmp_path: Path, name: str) -> None:
    tables: Columns = {"captain": {"id": [1, 2, 3]}, "boat": {name: [1, 1, 3, None]}}
    assert found(tmp_path, tables) == {("boat", name, "captain", "id")}


VISITS: Columns = {
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
LINKED: dict[str, tuple[Columns, Links]] = {
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
def test_columns_link_by_name_and_values(tmp_path: Path, tables: Columns, links: Links) -> None:
    assert found(tmp_path, tables) == links


def test_a_declared_link_is_not_inferred_again(tmp_path: Path) -> None:
    tables: Columns = {
        "captain": {"id": [1, 2, 3], "number": [1, 2, 3]},
        "boat": {"captain_id": [1, 1, 3]},
    }
    declared = Link(kind="boat", attribute="captain_id", to_kind="captain", to_attribute="number")
    assert found(tmp_path, tables, declared) == set()


COUNTRIES = ["Peru", "Chile", "Côte d'Ivoire"]
CITIES = {"Lima": "PERU", "Cusco": " Perú ", "Arica": "chile", "Abidjan": "Cote d'Ivoire"}


def countries_schema(countries: str = "text") -> Schema:
    country = table("country", name=countries)
    city = table("city", name="text", state="text")
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
    rows = [league_record("country", {"name": each}, "d") for each in countries]
    rows += [league_record("city", {"name": city, "state": of}, "d") for city, of in cities.items()]
    store.put("d", "x", rows)
    return store


PER_COUNTRY = query("city", "count", group_by=(column("country", "name"),))
PER_CITY = query("country", "count", group_by=(column("city", "name"),))
LACKING = query("country", "count", where=Related(kind="city", at_most=0))


def test_values_written_otherwise_are_joined(tmp_path: Path) -> None:
    store = filled(tmp_path, countries_schema())
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
    declared = countries_schema("integer" if isinstance(countries[0], int) else "text")
    store = filled(tmp_path, declared, countries, cities)
    cities_of = rows_of(PER_CITY, Selector(store.path), store.tables().schema)
    assert set(cities_of) == {(each, 1) for each in met}


PRICE, NAME, FEES = (Column(kind="deal", attribute=name) for name in ("price", "name", "fees"))
Written = Sequence[str]


def cells(attribute: Attribute, written: Written) -> list[Cell]:
    found = ((each, normalise(each, attribute)) for each in written)
    return [
        Cell(attribute=attribute.name, value=value, original=text, unit=unit)
        for text, (value, unit) in found
    ]


def put(deals: RecordStore, name: str, price: str, fees: Written = ()) -> None:
    _, price_of, fees_of = deals.schema().kinds[0].attributes
    own = Cell(attribute="name", value=name)
    told = (own, *cells(price_of, [price]), *cells(fees_of, fees))
    deals.put(name, "digest", [Record(kind="deal", document=name, cells=told)])


@pytest.fixture
def deals(tmp_path: Path) -> RecordStore:
    made = RecordStore(tmp_path / "records.sqlite")
    deal = table("deal", grain="document", name="text", price="number", fees="number *")
    made.write_schema(Schema(kinds=(deal,)))
    return made


def fill(deals: RecordStore, prices: Written) -> Tables:
    for number, price in enumerate(prices):
        put(deals, f"d{number}", price)
    return deals.tables()


def asked(deals: RecordStore, query: Query) -> list[tuple[CellValue, ...]]:
    return rows_of(query, Selector(deals.path), deals.tables().schema)


def total(where: Test | None = None, **more: object) -> Query:
    given = {"kind": "deal", "operation": "sum", "measure": PRICE, "where": where, **more}
    return Query.model_validate(given)


def test_a_column_has_the_unit_that_its_values_are_written_in(deals: RecordStore) -> None:
    tables = fill(deals, ["2 kg", "5 kg", "3"])
    (attribute,) = (each for each in tables.schema.kinds[0].attributes if each.name == "price")
    assert (attribute.unit, tables.schema.mixed) == ("kg", ())
    held = tables.facts[0].column("price")
    assert (held.units, held.most) == ((("kg", 2), ("", 1)), 5.0)
    assert result_of(total(), Selector(deals.path), tables.schema).unit == "kg"


MIXED = ["5 EUR", "7 EUR", "900 JPY", "3"]


def test_statistics_of_units_that_do_not_convert_show_them_and_compute_nothing(
    deals: RecordStore,
) -> None:
    held = fill(deals, MIXED).facts[0].column("price")
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
    deals: RecordStore, query: Query, rows: list[tuple[CellValue, ...]]
) -> None:
    fill(deals, MIXED)
    assert asked(deals, query) == rows


FREE = {
    "a sum over all": "SELECT sum(price) FROM deal",
    "a comparison of theirs": "SELECT name FROM deal d WHERE d.Price > 4",
    "within a with": "WITH x AS (SELECT price AS p FROM deal) SELECT max(p) FROM x",
    "a list's sum": "SELECT sum(value) FROM deal__fees",
    "all columns of a list": "SELECT * FROM deal__fees",
}


@pytest.mark.parametrize("plan", [*REFUSED.values(), *FREE.values()], ids=[*REFUSED, *FREE])
def test_no_plan_or_statement_may_mix_units(deals: RecordStore, plan: Query | str) -> None:
    fill(deals, MIXED)
    put(deals, "list", "1 EUR", ["1 EUR", "2 JPY"])
    deals.tables()
    with pytest.raises(QueryError, match=r"several units \((EUR|JPY), "):
        Selector(deals.path).run(plan) if isinstance(plan, str) else asked(deals, plan)
