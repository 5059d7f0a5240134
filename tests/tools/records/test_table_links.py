from typing import Any

import pytest

from agent.records.record_schema import Attribute, AttributeType, Kind, Link, Schema
from tools.records.table_links import column_values, infer_links

Tables = dict[str, dict[str, list[Any]]]


def found(
    tables: Tables, *declared: Link, apart: dict[str, str] | None = None
) -> set[tuple[str, str, str, str]]:
    """Return the inferred links of tables given as columns of values, all together or `apart`."""
    kinds, columns = [], []
    for kind, values in tables.items():
        attributes = []
        for name, cells in values.items():
            stated = [each for each in cells if each is not None]
            type_: AttributeType = "text" if isinstance(stated[0], str) else "integer"
            attributes.append(Attribute(name=name, type=type_))
            columns.append(column_values(kind, attributes[-1], stated, len(cells)))
        kinds.append(Kind(name=kind, grain="row", attributes=tuple(attributes)))
    documents = {kind: frozenset({(apart or {}).get(kind, "all")}) for kind in tables}
    links = infer_links(Schema(kinds=tuple(kinds), links=declared), columns, documents)
    return {(each.kind, each.attribute, each.to_kind, each.to_attribute) for each in links}


@pytest.mark.parametrize("name", ["captain_id", "captain", "has_captain", "captain_no"])
def test_a_name_that_ends_in_the_kind_refers_to_it(name: str) -> None:
    tables: Tables = {"captain": {"id": [1, 2, 3]}, "boat": {name: [1, 1, 3, None]}}
    assert found(tables) == {("boat", name, "captain", "id")}


def test_small_numbers_without_a_name_for_it_are_no_links() -> None:
    tables: Tables = {
        "captain": {"id": list(range(1, 30)), "age": list(range(30, 59))},
        "boat": {
            "id": [1, 2, 3, 4],
            "crew": [3, 5, 5, 8],
            "captain_age": [31, 33, 40, 40],
            "captain_trips": [3, 5, 5, 8],
        },
    }
    assert found(tables) == set()


VISITS: Tables = {
    "account": {"customer_id": [1, 2, 3, 4, 5]},
    "visitor": {"customer_id": [1, 2, 3, 4]},
    "visit": {"customer_id": [1, 1, 2, 4, 4]},
}
BANK = {"account": "bank", "visitor": "museum", "visit": "museum"}


def test_rows_refer_to_rows_of_their_own_documents() -> None:
    assert found(VISITS, apart=BANK) == {("visit", "customer_id", "visitor", "customer_id")}


def test_equal_names_of_identifiers_link_from_the_many_to_the_unique() -> None:
    tables: Tables = {
        "parcel": {"route_code": ["R1", "R1", "R2"]},
        "road": {"route_code": ["R1", "R2", "R3"]},
    }
    assert found(tables) == {("parcel", "route_code", "road", "route_code")}


def test_a_shared_key_refers_to_the_kind_it_is_named_for() -> None:
    tables: Tables = {
        "person": {"person_id": [1, 2, 3, 4]},
        "pilot": {"person_id": [2, 4]},
        "nurse": {"person_id": [1, 3]},
    }
    assert found(tables) == {
        ("pilot", "person_id", "person", "person_id"),
        ("nurse", "person_id", "person", "person_id"),
    }


def test_texts_link_by_one_name_and_not_without() -> None:
    towns = ["Bergen", "Oslo", "Tromsø", "Bodø", "Hamar", "Molde", "Narvik"]
    place: Tables = {"place": {"town": list(towns)}}
    assert found(place | {"trip": {"town": towns[:3] * 2}}) == {("trip", "town", "place", "town")}
    assert found(place | {"trip": {"start": towns[:6]}}) == set()


def test_values_that_are_missing_elsewhere_refute_a_link() -> None:
    tables: Tables = {"captain": {"id": [1, 2, 3]}, "boat": {"captain_id": [1, 2, 7, 8]}}
    assert found(tables) == set()


def test_what_is_not_unique_is_not_referred_to() -> None:
    tables: Tables = {"captain": {"id": [1, 2, 2]}, "boat": {"captain_id": [1, 2]}}
    assert found(tables) == set()


def test_a_declared_link_is_not_inferred_again() -> None:
    tables: Tables = {
        "captain": {"id": [1, 2, 3], "number": [1, 2, 3]},
        "boat": {"captain_id": [1, 1, 3]},
    }
    declared = Link(kind="boat", attribute="captain_id", to_kind="captain", to_attribute="number")
    assert found(tables, declared) == set()
