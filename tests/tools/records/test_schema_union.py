from typing import Any

from agent.records.record import Cell, Record
from agent.records.record_replies import InduceReply
from agent.records.record_schema import Attribute, Kind, Schema
from tools.records.schema_union import difference, found_of, part, schema_from, unite


def kind(name: str, *attributes: str, **more: Any) -> Kind:
    own = tuple(Attribute(name=each, type="text") for each in attributes)
    return Kind(name=name, attributes=own, **more)


def told(name: str, *attributes: str) -> dict[str, Any]:
    form = {"type": "text", "description": " D. ", "unit": " ", "labels": ["A", "A"]}
    return {
        "name": name,
        "description": "",
        "grain": "row",
        "attributes": [
            {"name": each, "examples": [], "many": False, **form} for each in attributes
        ],
    }


def test_a_reply_is_brought_into_form() -> None:
    reply = InduceReply.model_validate(
        {
            "kinds": [
                told("Ship Type", "Größe (m)", "grosse m", "2"),
                told("x"),
                told("ship_type", "b"),
            ]
        }
    )
    (found,) = schema_from(reply).kinds
    assert found.name == "ship_type"
    assert [each.name for each in found.attributes] == ["grosse_m", "b"]
    assert found.attributes[0].unit is None
    assert found.attributes[0].labels == ("A",)


def test_a_difference_names_what_was_added_removed_and_changed() -> None:
    before = Schema(kinds=(kind("a", "x", "y"),))
    changed = Attribute(name="x", type="integer", labels=("l",))
    after = Schema(kinds=(Kind(name="a", attributes=(changed,)), kind("b", "z")))
    assert difference(before, after) == (("b.z",), ("a.y",), ("a.x",))
    assert difference(before, before) == ((), (), ())


def test_kinds_that_two_groups_have_in_common_are_joined() -> None:
    drafts = [
        Schema(kinds=(kind("report", "year", "city", documents=("a",)),)),
        Schema(kinds=(kind("report", "year", "tons", documents=("b",)), kind("cup", "team"))),
    ]
    united = unite(drafts)
    report, cup = united.schema.kinds
    assert [each.name for each in report.attributes] == ["year", "city", "tons"]
    assert report.documents == ("a", "b")
    assert cup.name == "cup"
    assert united.why == ("report joins report: they share 1 of 2 attributes (year)",)


def test_kinds_of_one_name_that_have_nothing_in_common_stay_apart() -> None:
    drafts = [Schema(kinds=(kind("item", "a", "b"),)), Schema(kinds=(kind("item", "c", "d"),))]
    united = unite(drafts)
    assert [each.name for each in united.schema.kinds] == ["item", "item_2"]
    assert united.why == ("item_2 is no item: they share 0 of 2 attributes",)


def test_attributes_that_all_kinds_have_are_no_reason_to_join() -> None:
    others = [kind(name, "id", "name", f"{name}_size") for name in ("cup", "hall", "team")]
    first = Schema(kinds=(kind("customer", "id", "name", "city", "credit"), *others))
    second = Schema(kinds=(kind("customer", "id", "name", "phone", "segment"),))
    assert [each.name for each in unite([first, second]).schema.kinds][-1] == "customer_2"


def test_a_document_each_and_rows_of_one_name_stay_apart() -> None:
    drafts = [
        Schema(kinds=(kind("item", "a"),)),
        Schema(kinds=(kind("item", "a", grain="row"),)),
    ]
    (reason,) = unite(drafts).why
    assert reason.startswith("item_2 is no item: one is a document each")


def test_kinds_of_one_group_are_never_joined() -> None:
    draft = Schema(kinds=(kind("a", "id", "name"), kind("b", "id", "name")))
    assert unite([draft]) == (draft, ())


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
