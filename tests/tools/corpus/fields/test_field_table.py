from pathlib import Path

import pytest

from tools.corpus.fields.field_table import FieldTable, join_fields
from tools.corpus.fields.field_values import field_value, save_rows, value_rows

DOCUMENTS = (
    {"Rent": field_value("900"), "Topic": field_value("Typing, Packaging")},
    {"rent": field_value("1,200"), "Rent": field_value("7")},
    {},
    {"Rent": field_value("none"), "Topic": field_value("typing, Typing, Außen")},
)


@pytest.fixture
def table(tmp_path: Path) -> FieldTable:
    catalogued, values = tmp_path / "fields.json", tmp_path / "values.arrow"
    save_rows(join_fields(value_rows(DOCUMENTS), catalogued, values), tmp_path / "written.arrow")
    return FieldTable.load(catalogued, values, tmp_path / "written.arrow")


@pytest.mark.parametrize(
    ("name", "items"),
    [("Topic", ["Typing", "Packaging", "typing", "Außen"]), ("RENT", ["900", "1,200"])],
)
def test_items_are_told_once_as_written(table: FieldTable, name: str, items: list[str]) -> None:
    assert list(table.items(name)) == items


def test_an_unknown_field_has_nothing(table: FieldTable, tmp_path: Path) -> None:
    assert (dict(table.values("Deposit")), list(table.items("Deposit"))) == ({}, [])

    rows = join_fields(value_rows([{}]), tmp_path / "fields.json", tmp_path / "values.arrow")
    save_rows(rows, tmp_path / "written.arrow")
    names = ("fields.json", "values.arrow", "written.arrow")
    empty = FieldTable.load(*(tmp_path / name for name in names))
    assert (empty.fields, dict(empty.values("Rent")), empty.of(0)) == ((), {}, {})
