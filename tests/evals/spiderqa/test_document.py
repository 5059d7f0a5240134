from collections.abc import Callable
from pathlib import Path

import pytest

from evals.spiderqa.databases import Table, plain_template, read_database, render, wrong_with

SHIP = Table("Ship", ("ID", "Name"), ("ID",), (), {})


def test_a_row_is_a_sentence_and_a_relation_is_spelled_out(ships: Path) -> None:
    database = read_database(ships, "ships")
    rendered = render(database, {each.name: plain_template(each) for each in database.tables})
    start, end = rendered.places["ship", 12]
    assert rendered.text[start:end] == (
        "Ship 3: ship id is 12; name is Lettice; tonnage is not given; kind is Cog; "
        "lost in battle is 2 (battle Serres)."
    )
    assert rendered.text.startswith("Records of ships\n\n# battle\nBattle 1: id is 1; name is")
    assert "tonnage is 391;" in rendered.text


def test_every_row_has_its_place(ships: Path) -> None:
    database = read_database(ships, "ships")
    rendered = render(database, {each.name: plain_template(each) for each in database.tables})
    rows = [(each.name.lower(), row) for each in database.tables for row in each.rows]
    assert list(rendered.places) == rows
    lines = {rendered.text[start:end] for start, end in rendered.places.values()}
    assert lines <= set(rendered.text.splitlines())


def test_a_table_that_repeats_another_is_written_once(make: Callable[[str, str], Path]) -> None:
    script = "CREATE TABLE a (x TEXT); CREATE TABLE b (X TEXT); CREATE TABLE c (y TEXT);"
    same = "".join(f"INSERT INTO {name} VALUES ('one'), ('two');" for name in "abc")
    database = read_database(make("twice", script + same), "twice")
    rendered = render(database, {each.name: plain_template(each) for each in database.tables})
    assert [name for name, _ in rendered.places] == ["a", "a", "c", "c"]


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("Ship {#} has the id {ID} and is called {Name}.", None),
        ("Ship {#} is called {Name}.", "missing ['ID']"),
        ("{#} {ID} {Name} {Name}", "each column must stand once"),
        ("{#} {ID} {Name} {Captain}", "unknown ['Captain']"),
        ("{#} {ID}\n{Name}", "one line"),
    ],
)
def test_a_template_states_each_column_once(template: str, why: str | None) -> None:
    found = wrong_with(template, SHIP)
    assert found is None if why is None else why in str(found)


def test_text_that_is_no_utf8_is_read(make: Callable[[str, str], Path]) -> None:
    path = make("old", "CREATE TABLE t (x TEXT); INSERT INTO t VALUES (CAST(x'4DFC6C' AS TEXT));")
    assert read_database(path, "old").tables[0].rows == {1: ("Mül",)}
