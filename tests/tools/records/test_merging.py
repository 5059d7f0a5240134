from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind
from tools.records.merging import missing, put_together

HOTEL = Kind(
    name="hotel",
    attributes=(
        Attribute(name="rooms", type="integer"),
        Attribute(name="city", type="text"),
        Attribute(name="amenities", type="text", many=True),
    ),
)
CUP = Kind(name="cup", attributes=(Attribute(name="year", type="integer"),))
ROOM = Kind(
    name="room",
    grain="row",
    attributes=(Attribute(name="beds", type="integer"), Attribute(name="floor", type="integer")),
)


def record(kind: str, label: str = "", **values: CellValue) -> Record:
    cells = (
        Cell(attribute=name, value=value, original=str(value)) for name, value in values.items()
    )
    return Record(kind=kind, document="d", label=label, cells=tuple(cells))


def values(one: Record) -> list[tuple[str, CellValue]]:
    return [(cell.attribute, cell.value) for cell in one.cells]


def test_the_parts_of_a_document_make_one_record() -> None:
    parts = [[record("hotel", rooms=20)], [record("hotel", "The Inn", city="Hull")], []]
    (whole,), notes = put_together((HOTEL,), parts)
    assert values(whole) == [("rooms", 20), ("city", "Hull")]
    assert whole.label == "The Inn"
    assert notes == ()


def test_what_is_stated_most_often_is_kept_and_the_rest_named() -> None:
    parts = [[record("hotel", rooms=n)] for n in (20, 25, 25)]
    (whole,), notes = put_together((HOTEL,), parts)
    assert values(whole) == [("rooms", 25)]
    assert notes == ("hotel.rooms: '25' is kept, also stated: '20'",)


def test_of_two_stated_once_the_first_is_kept() -> None:
    parts = [[record("hotel", city="Hull")], [record("hotel", city="Goole")]]
    (whole,), notes = put_together((HOTEL,), parts)
    assert values(whole) == [("city", "Hull")]
    assert len(notes) == 1


def test_the_values_of_a_list_are_united() -> None:
    parts = [[record("hotel", amenities=name)] for name in ("pool", "bar", "Pool")]
    (whole,), notes = put_together((HOTEL,), parts)
    assert values(whole) == [("amenities", "pool"), ("amenities", "bar")]
    assert notes == ()


def test_a_null_stands_only_where_there_is_no_value() -> None:
    (whole,), _ = put_together(
        (HOTEL,), [[record("hotel", rooms=None)], [record("hotel", rooms=3)]]
    )
    assert values(whole) == [("rooms", 3)]
    (whole,), _ = put_together((HOTEL,), [[record("hotel", rooms=None)], [record("hotel")]])
    assert values(whole) == [("rooms", None)]


def test_a_document_is_one_record_of_the_kind_of_which_it_states_most() -> None:
    parts = [[record("cup", year=1990)], [record("hotel", rooms=2, city="Hull")]]
    (whole,), notes = put_together((HOTEL, CUP), parts)
    assert whole.kind == "hotel"
    assert "what it states as a cup" in notes[0]


def test_a_row_cut_by_a_border_is_joined_and_others_are_not() -> None:
    parts = [
        [record("room", "Room 1", beds=1), record("room", "Room 2", beds=2)],
        [record("room", "Room 2", floor=3), record("room", "Room 3", beds=3)],
        [record("room", "Room 3", beds=9)],
    ]
    rows, _ = put_together((ROOM,), parts)
    assert [each.label for each in rows] == ["Room 1", "Room 2", "Room 3", "Room 3"]
    assert values(rows[1]) == [("beds", 2), ("floor", 3)]


def test_what_has_no_value_yet_is_missing() -> None:
    found = missing(HOTEL, [record("hotel", rooms=None, city="Hull"), record("cup", rooms=1)])
    assert [each.name for each in found] == ["rooms", "amenities"]


def test_nothing_makes_no_record() -> None:
    assert put_together((HOTEL,), []) == ((), ())
