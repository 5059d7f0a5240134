from pathlib import Path
from typing import Any

import pytest

from agent.errors import ProgramFault
from agent.records.record import Cell, Failure, Record
from agent.records.record_schema import Attribute, Kind, Link, Schema
from tools.records.guarded_select import Selector
from tools.records.record_store import RecordStore


def hotel(**changes: Any) -> Kind:
    attributes = {
        "name": Attribute(name="name", type="text"),
        "rooms": Attribute(name="rooms", type="integer"),
        "pool": Attribute(name="pool", type="boolean"),
        "amenities": Attribute(name="amenities", type="text", many=True),
    }
    attributes |= changes
    return Kind(name="hotel", attributes=tuple(each for each in attributes.values() if each))


def schema(*kinds: Kind, links: tuple[Link, ...] = ()) -> Schema:
    return Schema(kinds=kinds or (hotel(),), links=links)


def record(document: str, *cells: tuple[str, Any], kind: str = "hotel") -> Record:
    told = [{"attribute": name, "value": value, "original": f"{value}!", "quote": f"is {value}",
             "start": 1, "end": 5} for name, value in cells]  # fmt: skip
    made = tuple(map(Cell.model_validate, told))
    return Record(kind=kind, document=document, label=document.title(), cells=made)


@pytest.fixture
def store(tmp_path: Path) -> RecordStore:
    made = RecordStore(tmp_path / "records" / "records.sqlite")
    made.write_schema(schema())
    return made


def rows(store: RecordStore, sql: str) -> list[tuple[Any, ...]]:
    store.tables()
    return list(Selector(store.path).run(sql).rows)


def test_a_record_is_a_row_with_its_lists_beside_it(store: RecordStore) -> None:
    store.put(
        "ritz", "d1", [record("ritz", ("name", "Ritz"), ("rooms", 40), ("pool", True),
                              ("amenities", "spa"), ("amenities", "bar"))]
    )  # fmt: skip
    assert rows(store, "SELECT _record, _document, name, rooms, pool FROM hotel") == [
        (1, "ritz", "Ritz", 40, 1)
    ]
    assert rows(store, "SELECT _record, value FROM hotel__amenities") == [(1, "spa"), (1, "bar")]


def test_reading_a_document_again_replaces_all_of_it(store: RecordStore) -> None:
    failure = Failure(document="ritz", reason="cut", start=3, end=9)
    store.put("ritz", "d1", [record("ritz", ("name", "Old"), ("amenities", "bar"))], [failure])
    store.put("plaza", "d9", [record("plaza", ("name", "Plaza"))])
    store.put("ritz", "d2", [record("ritz", ("name", "New"))])
    assert rows(store, "SELECT name FROM hotel ORDER BY name") == [("New",), ("Plaza",)]
    assert rows(store, "SELECT * FROM hotel__amenities") == []
    assert store.failures() == ()
    digests = {name: each.digest for name, each in store.documents().items()}
    assert digests == {"plaza": "d9", "ritz": "d2"}


def test_failures_are_kept_by_document(store: RecordStore) -> None:
    first = Failure(document="ritz", reason="no number", attribute="rooms", original="many")
    second = Failure(document="plaza", reason="the model refused")
    store.put("ritz", "d1", [record("ritz", ("name", "Ritz"))], [first])
    store.put("plaza", "d2", [], [second])
    store.put("mare", "d3", [])
    states = store.documents()
    assert store.failures() == (second, first)
    assert store.failures("ritz") == (first,)
    told = {name: each.status for name, each in states.items()}
    assert told == {"mare": "read", "plaza": "failed", "ritz": "partial"}


def test_a_record_of_another_document_or_kind_is_a_fault(store: RecordStore) -> None:
    with pytest.raises(ProgramFault):
        store.put("ritz", "d1", [record("plaza")])
    with pytest.raises(ProgramFault):
        store.put("ritz", "d1", [record("ritz", kind="motel")])
    assert dict(store.documents()) == {}


CHANGED: dict[str, tuple[dict[str, Attribute | None], bool, list[str]]] = {
    "a new attribute": ({"stars": Attribute(name="stars", type="integer")}, True,
                        ["name", "rooms", "amenities"]),
    "another unit": ({"rooms": Attribute(name="rooms", type="number", unit="m2")}, True,
                     ["name", "amenities"]),
    "examples, labels, and one that is gone": (
        {"name": Attribute(name="name", type="text", examples=("Ritz",), labels=("hotel name",)),
         "rooms": None}, False, ["name", "amenities"]),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "stale", "kept"), CHANGED.values(), ids=CHANGED)
def test_what_an_attribute_is_read_as_decides_what_is_kept_and_read_again(
    store: RecordStore, changes: dict[str, Attribute | None], stale: bool, kept: list[str]
) -> None:
    told = record("ritz", ("name", "Ritz"), ("rooms", 40), ("amenities", "bar"))
    store.put("ritz", "d1", [told])
    assert store.write_schema(schema(hotel(**changes))) == (("ritz",) if stale else ())
    assert store.documents()["ritz"].status == ("stale" if stale else "read")
    assert [cell.attribute for cell in store.records([1])[1].cells] == kept
    (held,) = rows(store, "SELECT name, pool FROM hotel")
    assert held == ("Ritz", None)
    assert rows(store, "SELECT value FROM hotel__amenities") == [("bar",)]


def test_a_new_kind_of_rows_may_be_in_any_document(store: RecordStore) -> None:
    store.put("ritz", "d1", [record("ritz")])
    store.put("empty", "d2", [])
    guest = Kind(name="guest", attributes=(Attribute(name="name", type="text"),))
    assert store.write_schema(schema(hotel(), guest)) == ("empty",)
    row = guest.model_copy(update={"name": "visit", "grain": "row"})
    assert store.write_schema(schema(hotel(), guest, row)) == ("empty", "ritz")


def test_statistics_are_those_of_the_paper(store: RecordStore) -> None:
    for name, rooms, pool in (("Ritz", 40, True), ("Plaza", 80, False), ("Plaza", None, False)):
        cells = [("name", name), ("pool", pool), ("amenities", "bar")]
        cells += [("rooms", rooms)] if rooms else []
        store.put(f"{name}-{rooms}", "d", [record(f"{name}-{rooms}", *cells)])
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


def test_a_wave_of_documents_is_written_as_one(store: RecordStore) -> None:
    def write() -> None:
        with store.together():
            store.put("ritz", "d1", [record("ritz")])
            store.put("plaza", "d1", [record("mare")])

    with pytest.raises(ProgramFault):
        write()
    assert dict(store.documents()) == {}


def test_a_kind_that_is_gone_takes_its_records_along(store: RecordStore) -> None:
    visit = Kind(name="visit", grain="row", attributes=(Attribute(name="name", type="text"),))
    store.write_schema(schema(hotel(), visit))
    held = [record("ritz"), record("ritz", kind="visit"), record("ritz", kind="visit")]
    store.put("ritz", "d1", held)
    assert store.write_schema(schema()) == ()
    state = store.documents()["ritz"]
    assert (state.status, state.kinds) == ("read", ("hotel",))
    assert [each.kind for each in store.records_of("ritz")] == ["hotel"]
    assert store.write_schema(Schema()) == ("ritz",)
    assert store.records([1]) == {}
    assert store.tables().facts == ()
