from typing import Any

from agent.records.record_replies import InduceReply
from agent.records.record_schema import Kind, Schema
from tests.tools.records.league import kind
from tools.records.schema_union import differ, revised, schema_from, unite


def test_of_a_revised_schema_what_is_not_named_stays() -> None:
    before = Schema(kinds=(kind("ship", "a"), kind("port", "b"), kind("crew", "c")))
    reply = InduceReply.model_validate(
        {"kinds": [told("ship", "a", "d"), told("port"), told("x", "e")]}
    )
    after = revised(before, reply)
    assert [each.name for each in after.kinds] == ["ship", "crew", "x"]
    assert [each.name for each in after.kinds[0].attributes] == ["a", "d"]
    assert revised(before, InduceReply(kinds=[])) == before


def told(name: str, *attributes: str) -> dict[str, Any]:
    form = {"type": "text", "description": " D. ", "unit": " ", "labels": ["A", "A"]}
    own = [{"name": each, "examples": [], "many": False, **form} for each in attributes]
    return {"name": name, "description": "", "grain": "row", "attributes": own}


def test_a_reply_is_brought_into_form() -> None:
    ships = told("Ship Type", "Größe (m)", "grosse m", "2")
    reply = InduceReply.model_validate({"kinds": [ships, told("x"), told("ship_type", "b")]})
    (found,) = schema_from(reply).kinds
    assert found.name == "ship_type"
    assert [each.name for each in found.attributes] == ["grosse_m", "b"]
    assert found.attributes[0].unit is None
    assert found.attributes[0].labels == ("A",)


def test_schemas_differ_by_what_their_attributes_are_and_not_by_labels() -> None:
    before, called = Schema(kinds=(kind("a", "x"),)), kind("a", "x").attributes[0]
    for update, changed in (({"type": "integer"}, True), ({"labels": ("l",)}, False)):
        now = Kind(name="a", attributes=(called.model_copy(update=update),))
        assert differ(before, Schema(kinds=(now,))) is changed
    assert differ(before, Schema(kinds=(kind("a", "x", "y"),)))


def test_kinds_that_two_groups_have_in_common_are_joined() -> None:
    drafts = [
        Schema(kinds=(kind("report", "year", "city", documents=("a",)),)),
        Schema(kinds=(kind("report", "year", "tons", documents=("b",)), kind("cup", "team"))),
    ]
    united = unite(drafts)
    report, cup = united.kinds
    assert [each.name for each in report.attributes] == ["year", "city", "tons"]
    assert report.documents == ("a", "b")
    assert cup.name == "cup"


def test_kinds_of_one_name_without_a_common_attribute_or_grain_stay_apart() -> None:
    for other in (kind("item", "c", "d"), kind("item", "a", "b", grain="row")):
        drafts = [Schema(kinds=(each,)) for each in (kind("item", "a", "b"), other)]
        assert [each.name for each in unite(drafts).kinds] == ["item", "item_2"]


def test_kinds_of_one_group_are_never_joined() -> None:
    draft = Schema(kinds=(kind("a", "id", "name"), kind("b", "id", "name")))
    assert unite([draft]) == draft
