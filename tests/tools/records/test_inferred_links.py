import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, AttributeType, CellValue, Kind, Link, Schema
from tools.records.inferred_links import ColumnValues, infer_links, is_identifier, mentions
from tools.records.record_store import RecordStore

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[3] / "../shared/data"))
DATABASES = DATA / "spiderqa" / "dev" / "docs"

Tables = dict[str, dict[str, list[Any]]]


def found(
    tables: Tables, *declared: Link, apart: dict[str, str] | None = None
) -> set[tuple[str, str, str, str]]:
    """Return the inferred links of tables given as columns of values, all together or `apart`."""
    kinds, columns = [], {}
    for kind, values in tables.items():
        attributes = []
        for name, cells in values.items():
            stated = [each for each in cells if each is not None]
            type_: AttributeType = "text" if isinstance(stated[0], str) else "integer"
            attributes.append(Attribute(name=name, type=type_))
            columns[kind, name] = ColumnValues(
                kind, name, type_, len(cells), len(stated), frozenset(stated)
            )
        kinds.append(Kind(name=kind, grain="row", attributes=tuple(attributes)))
    documents = {kind: frozenset({(apart or {}).get(kind, "all")}) for kind in tables}
    links = infer_links(Schema(kinds=tuple(kinds), links=declared), columns, documents)
    return {
        (each.link.kind, each.link.attribute, each.link.to_kind, each.link.to_attribute)
        for each in links
    }


def numbers(*values: int | None) -> list[int | None]:
    return list(values)


@pytest.mark.parametrize(
    "name", ["captain_id", "captain", "captainid", "has_captain", "captain_no", "cap_id"]
)
def test_a_name_that_ends_in_the_kind_refers_to_it(name: str) -> None:
    tables: Tables = {
        "captain": {"id": numbers(1, 2, 3)},
        "boat": {name: numbers(1, 1, 3, None)},
    }
    assert found(tables) == {("boat", name, "captain", "id")}


def test_small_numbers_without_a_name_for_it_are_no_links() -> None:
    tables: Tables = {
        "captain": {"id": numbers(*range(1, 30)), "age": numbers(*range(30, 59))},
        "boat": {
            "id": numbers(1, 2, 3, 4),
            "crew": numbers(3, 5, 5, 8),
            "captain_age": numbers(31, 33, 40, 40),
            "captain_trips": numbers(3, 5, 5, 8),
        },
    }
    assert found(tables) == set()


VISITS: Tables = {
    "account": {"customer_id": numbers(1, 2, 3, 4, 5)},
    "visitor": {"customer_id": numbers(1, 2, 3, 4)},
    "visit": {"customer_id": numbers(1, 1, 2, 4, 4)},
}
BANK = {"account": "bank", "visitor": "museum", "visit": "museum"}


def test_rows_refer_to_rows_of_their_own_documents() -> None:
    assert found(VISITS, apart=BANK) == {("visit", "customer_id", "visitor", "customer_id")}


def test_a_kind_alone_in_its_documents_is_no_end_of_a_link_of_kinds_that_stand_together() -> None:
    tables = {kind: VISITS[kind] for kind in ("account", "visit")} | {"museum": {"name": ["A"]}}
    together = {"account": "bank", "visit": "museum", "museum": "museum"}
    assert found(tables, apart=together) == set()


def test_kinds_that_are_each_alone_in_their_documents_are_linked() -> None:
    each_its_own = {kind: kind for kind in VISITS}
    links = found({kind: VISITS[kind] for kind in ("visit", "visitor")}, apart=each_its_own)
    assert links == {("visit", "customer_id", "visitor", "customer_id")}


def test_keys_called_id_alone_do_not_refer_to_each_other() -> None:
    tables: Tables = {"a": {"id": numbers(1, 2, 3)}, "b": {"id": numbers(1, 2, 3)}}
    assert found(tables) == set()


def test_equal_names_of_identifiers_link_from_the_many_to_the_unique() -> None:
    tables: Tables = {
        "parcel": {"route_code": ["R1", "R1", "R2"]},
        "road": {"route_code": ["R1", "R2", "R3"]},
    }
    assert found(tables) == {("parcel", "route_code", "road", "route_code")}


def test_a_shared_key_refers_to_the_kind_it_is_named_for() -> None:
    tables: Tables = {
        "person": {"person_id": numbers(1, 2, 3, 4)},
        "pilot": {"person_id": numbers(2, 4)},
        "nurse": {"person_id": numbers(1, 3)},
    }
    assert found(tables) == {
        ("pilot", "person_id", "person", "person_id"),
        ("nurse", "person_id", "person", "person_id"),
    }


def test_scattered_numbers_link_without_a_name() -> None:
    codes = [104_377, 288_101, 391_745, 402_918, 777_003, 912_445]
    tables: Tables = {
        "part": {"catalogue": numbers(*codes)},
        "repair": {"used": numbers(codes[0], codes[3], codes[3])},
    }
    assert found(tables) == {("repair", "used", "part", "catalogue")}


def test_many_texts_link_without_a_name_and_few_or_short_ones_do_not() -> None:
    towns = ["Bergen", "Oslo", "Tromsø", "Bodø", "Hamar", "Molde", "Narvik"]
    place: Tables = {"place": {"title": list(towns)}}
    assert found(place | {"trip": {"start": towns[:6]}}) == {("trip", "start", "place", "title")}
    assert found(place | {"trip": {"start": towns[:3] * 2}}) == set()
    letters: Tables = {"grade": {"mark": list("ABCDEFG")}, "exam": {"room": list("ABCDE")}}
    assert found(letters) == set()


def test_values_that_are_missing_elsewhere_refute_a_link() -> None:
    tables: Tables = {
        "captain": {"id": numbers(1, 2, 3)},
        "boat": {"captain_id": numbers(1, 2, 7, 8)},
    }
    assert found(tables) == set()


def test_what_is_not_unique_is_not_referred_to() -> None:
    tables: Tables = {
        "captain": {"id": numbers(1, 2, 2)},
        "boat": {"captain_id": numbers(1, 2)},
    }
    assert found(tables) == set()


def test_a_declared_link_is_not_inferred_again() -> None:
    tables: Tables = {
        "captain": {"id": numbers(1, 2, 3), "number": numbers(1, 2, 3)},
        "boat": {"captain_id": numbers(1, 1, 3)},
    }
    declared = Link(kind="boat", attribute="captain_id", to_kind="captain", to_attribute="number")
    assert found(tables, declared) == set()


def test_an_attribute_refers_to_one_kind_only() -> None:
    tables: Tables = {
        "company": {"id": numbers(1, 2, 3)},
        "air_company": {"id": numbers(1, 2, 3)},
        "flight": {"air_company_id": numbers(1, 2, 2)},
    }
    assert found(tables) == {("flight", "air_company_id", "air_company", "id")}


@pytest.mark.parametrize("name", ["paid", "said", "valid", "height", "number_of_rooms_total"])
def test_words_that_end_in_id_need_three_letters_before(name: str) -> None:
    assert mentions(name, "room") == 0
    assert is_identifier("clubid")


RECORD = re.compile(r"^(?P<label>[^:\n]{1,80}) record \d+: (?P<body>[^\n]+)$", re.MULTILINE)
PAIR = re.compile(
    r"(?:^|, | and )(?P<key>[a-z][\w /\-]{0,60}?) is (?P<value>.*?)"
    r"(?=(?:, | and )[a-z][\w /\-]{0,60}? is |\.?$)"
)


def read(path: Path, store: RecordStore) -> None:
    """Fill a store from a rendered database."""
    rows: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for each in RECORD.finditer(path.read_text()):
        pairs = {pair["key"]: pair["value"] for pair in PAIR.finditer(each["body"])}
        rows[each["label"].lower().replace(" ", "_")].append(
            {re.sub(r"\W", "_", key): value for key, value in pairs.items()}
        )
    kinds, records = [], []
    for kind, found_rows in rows.items():
        types: dict[str, AttributeType] = {}
        for name in dict.fromkeys(name for row in found_rows for name in row):
            values = [row[name] for row in found_rows if name in row]
            whole = all(re.fullmatch(r"-?\d{1,15}", each) for each in values)
            types[name] = "integer" if whole else "text"
        attributes = tuple(Attribute(name=name, type=type_) for name, type_ in types.items())
        kinds.append(Kind(name=kind, grain="row", attributes=attributes))
        for row in found_rows:
            cells = []
            for name, written in row.items():
                value: CellValue = int(written) if types[name] == "integer" else written
                cells.append(Cell(attribute=name, value=value))
            records.append(Record(kind=kind, document=path.stem, cells=tuple(cells)))
    store.write_schema(Schema(kinds=tuple(kinds)))
    store.put(path.stem, "digest", records)


EXPECTED = {
    "battle_death": {
        ("ship", "lost_in_battle", "battle", "id"),
        ("death", "caused_by_ship_id", "ship", "id"),
    },
    "club_1": {
        ("member_of_club", "club_id", "club", "club_id"),
        ("member_of_club", "student_id", "student", "student_id"),
    },
    "museum_visit": {
        ("visit", "customer_id", "customer", "customer_id"),
        ("visit", "museum_id", "museum", "museum_id"),
    },
    "perpetrator": {("perpetrator", "people_id", "people", "people_id")},
    "school_finance": {
        ("budget", "school_id", "school", "school_id"),
        ("endowment", "school_id", "school", "school_id"),
    },
    "flight_company": {
        ("flight", "company_id", "operate_company", "id"),
        ("flight", "airport_id", "airport", "id"),
    },
    "network_1": {
        ("friend", "friend_id", "high_schooler", "id"),
        ("friend", "student_id", "high_schooler", "id"),
        ("likes", "liked_id", "high_schooler", "id"),
        ("likes", "student_id", "high_schooler", "id"),
    },
}


@pytest.mark.skipif(not DATABASES.is_dir(), reason="no development data at HEADCOUNT_DATA")
@pytest.mark.parametrize("name", EXPECTED)
def test_rendered_databases_are_linked_as_their_keys_say(name: str, tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    read(DATABASES / f"{name}.txt", store)
    links = store.tables().schema.links
    assert {
        (each.kind, each.attribute, each.to_kind, each.to_attribute) for each in links
    } == EXPECTED[name]
