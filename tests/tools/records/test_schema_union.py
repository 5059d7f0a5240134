from typing import Any

from agent.records.record_replies import InduceReply
from agent.records.record_schema import Schema
from tests.tools.records.league import kind
from tools.records.schema_union import alike, revised, schema_from, unite


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


def test_schemas_that_differ_in_labels_are_alike() -> None:
    before = Schema(kinds=(kind("a", "x", "y"),))
    (own,) = before.kinds
    first, *others = own.attributes
    labelled = own.model_copy(
        update={"attributes": (first.model_copy(update={"labels": ("l",)}), *others)}
    )
    assert alike(before, Schema(kinds=(labelled,)))
    assert not alike(before, Schema(kinds=(kind("a", "x"),)))


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


def test_kinds_of_one_group_or_without_a_common_attribute_or_grain_stay_apart() -> None:
    for other in (kind("item", "c", "d"), kind("item", "a", "b", grain="row")):
        drafts = [Schema(kinds=(each,)) for each in (kind("item", "a", "b"), other)]
        assert [each.name for each in unite(drafts).kinds] == ["item", "item_2"]
    draft = Schema(kinds=(kind("a", "id", "name"), kind("b", "id", "name")))
    assert unite([draft]) == draft
