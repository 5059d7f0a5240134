from pathlib import Path

import pytest

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Link, Schema
from tools.records.schema_file import load_schema, parse_schema, save_schema, schema_text

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
    place = tmp_path / "records" / "schema.yaml"
    save_schema(SCHEMA, place)
    assert load_schema(place) == SCHEMA
    assert list(place.parent.iterdir()) == [place]


def test_a_person_reads_names_and_what_belongs_to_them() -> None:
    text = schema_text(SCHEMA)
    assert "  player:\n    grain: row\n    attributes:\n      team_id:\n" in text
    assert "- player.team_id -> team.id\n" in text
    assert text.startswith("# What is recorded")


WELL = """\
kinds:
  team:
    attributes:
      id: {type: integer}
      name:
        type: text
"""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("kinds: [", r"x, line \d+: no valid YAML"),
        ("- team", r"x: the file needs names"),
        ("version: 1\n", r"x: kinds needs names"),
        (WELL.replace("integer", "whole"), r"x: team.id.type: .*'whole'"),
        (WELL.replace("name:", "Name:"), r"x: team.Name.name: .*'Name'"),
        (WELL.replace("name:", "id:"), r"x, line 5: .*'id' stands twice"),
        (WELL.replace("type: text", "typ: text"), r"x: team.name.ty"),
        (WELL + "    grain: page\n", r"x: team.grain"),
        (WELL + "links: [team.id]\n", r"x: a link reads"),
        (WELL + "links:\n- team.id -> club.id\n", r"x: a link leads to club.id"),
        (WELL + "kind: 1\n", r"x: 'kind' is none of"),
        (WELL + "version: 2\n", r"x: version"),
        ("kinds:\n  team:\n", r"x: team needs names"),
        ("kinds:\n  team:\n    attributes: [id]\n", r"x: team.attributes needs names"),
        ("a: &a 1\nkinds: *a\n", r"x: aliases"),
        ("kinds:\n " + "[" * 3_000 + "]" * 3_000, r"x: .*too deep"),
        ("[" * 100_000, r"x: .*too deep"),
        (WELL + '    description: "\\ud800"\n', r"x: .*surrogates"),
    ],
)
def test_a_complaint_names_the_part(text: str, complaint: str) -> None:
    with pytest.raises(SchemaError, match=complaint):
        parse_schema(text, "x")


def test_a_missing_schema_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="records induce"):
        load_schema(tmp_path / "schema.yaml")
