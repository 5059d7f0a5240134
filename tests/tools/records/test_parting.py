"""Kinds of rows that documents state differently."""

from typing import Any

from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, Kind, Schema
from tools.records.parting import found_of, part


def kind(name: str, *attributes: str, **more: Any) -> Kind:
    own = tuple(Attribute(name=each, type="text") for each in attributes)
    return Kind(name=name, attributes=own, **more)


def rows(document: str, name: str, *attributes: str, count: int = 3) -> list[Record]:
    cells = tuple(Cell(attribute=each, value="v", original="v") for each in attributes)
    return [Record(kind=name, document=document, cells=cells)] * count


def test_rows_of_one_name_that_state_other_things_elsewhere_are_parted() -> None:
    schema = Schema(
        kinds=(kind("student", "id", "age", "major", "login", "password", grain="row"),)
    )
    found = [
        *rows("a", "student", "id", "age", "major"),
        *rows("b", "student", "id", "login", "password"),
        *rows("c", "student", "id", "age"),
    ]
    first, second = part(schema, found).schema.kinds
    assert (first.name, first.documents) == ("student", ("a", "c"))
    assert [each.name for each in first.attributes] == ["id", "age", "major"]
    assert (second.name, second.documents) == ("student_2", ("b",))


def test_a_single_row_and_documents_of_one_kind_each_are_no_reason_to_part() -> None:
    schema = Schema(kinds=(kind("student", "id", "age", "login", "mail", grain="row"),))
    found = [*rows("a", "student", "id", "age"), *rows("b", "student", "login", "mail", count=1)]
    assert part(schema, found) == (schema, ())
    whole = Schema(kinds=(kind("student", "id", "age", "login", "mail"),))
    apart = [*rows("a", "student", "id", "age"), *rows("b", "student", "login", "mail")]
    assert part(whole, apart) == (whole, ())


def school(*names: str) -> Schema:
    student = kind("student", "id", "name", grain="row")
    return Schema(kinds=(student, *(kind(name, "x", "y", grain="row") for name in names)))


def database(document: str, *beside: str) -> list[Record]:
    found = rows(document, "student", "id", "name")
    return found + [row for name in beside for row in rows(document, name, "x", "y")]


def test_rows_of_two_databases_are_two_kinds_though_their_columns_agree() -> None:
    schema = school("club", "seat", "meal", "cook")
    found = [*database("clubs", "club", "seat"), *database("kitchen", "meal", "cook")]
    parted = part(schema, found)
    first, second = parted.schema.kinds[:2]
    assert (first.name, first.documents) == ("student", ("clubs",))
    assert (second.name, second.documents) == ("student_2", ("kitchen",))
    assert parted.why == (
        (
            "student is 2 kinds: student of clubs beside club, seat; "
            "student_2 of kitchen beside cook, meal"
        ),
    )


def test_documents_that_hold_the_same_tables_share_them_though_some_lack_one() -> None:
    schema = school("club", "seat", "meal")
    found = [*database("a", "club", "seat", "meal"), *database("b", "club", "seat")]
    assert part(schema, [*found, *database("c", "meal"), *database("d")]) == (schema, ())


def test_kinds_that_were_never_found_can_be_left_out() -> None:
    schema = Schema(kinds=(kind("a", "x"), kind("b", "y")))
    assert [each.name for each in found_of(schema, rows("d", "b", "y")).kinds] == ["b"]
