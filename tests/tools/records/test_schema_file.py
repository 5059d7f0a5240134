from pathlib import Path

import pytest

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Link, Schema
from tools.records.schema_file import load_schema, save_schema

TEAM = Kind(
    name="team",
    description="A team: one a page.",
    attributes=(Attribute(name="id", type="integer"), Attribute(name="name", type="text")),
    documents=("teams/a", "2020-01-01"),
)
PLAYER = Kind(
    name="player",
    grain="row",
    attributes=(
        Attribute(
            name="team_id", type="integer", unit="%", examples=("7", "yes", "null", "2020-01-01")
        ),
        Attribute(name="skills", type="text", many=True, labels=("can do: all", "# skills")),
    ),
)
LINK = Link(kind="player", attribute="team_id", to_kind="team", to_attribute="id")
SCHEMA = Schema(kinds=(TEAM, PLAYER), links=(LINK,))


def test_a_schema_comes_back_as_it_was_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    place = tmp_path / "records" / "schema.json"
    save_schema(SCHEMA, place)
    assert load_schema(place) == SCHEMA
    assert list(place.parent.iterdir()) == [place]


WELL = """{"kinds": [{"name": "team", "attributes": [
{"name": "id", "type": "integer"},
{"name": "name", "type": "text"}]}],
"links": []}"""
LEADS = '[{"kind": "team", "attribute": "id", "to_kind": "club", "to_attribute": "id"}]'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", r"x: the file: Invalid JSON: .* line \d+"),
        ("[]", r"x: the file: .*an object"),
        (WELL.replace("integer", "whole"), r"x: kinds.0.attributes.0.type: .*'whole'"),
        (
            WELL.replace('"name": "name"', '"name": "Name"'),
            r"x: kinds.0.attributes.1.name: .*'Name'",
        ),
        (WELL.replace('"name": "name"', '"name": "id"'), r"x: 'team.id' stands twice"),
        (WELL.replace('"type": "text"', '"typ": "text"'), r"x: kinds.0.attributes.1.ty"),
        (WELL.replace("[]", LEADS), r"x: a link leads to club.id"),
        ("[" * 100_000, r"x: .*recursion limit"),
        (WELL.replace("team", "\\ud800"), r"x: the file: Invalid JSON"),
    ],
)
def test_a_complaint_names_the_part(tmp_path: Path, text: str, complaint: str) -> None:
    place = tmp_path / "x"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(SchemaError, match=complaint):
        load_schema(place)


def test_a_missing_schema_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="records induce"):
        load_schema(tmp_path / "schema.json")
