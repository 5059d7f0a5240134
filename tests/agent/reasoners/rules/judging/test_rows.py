import pytest

from agent.question import Condition, Measure
from agent.reasoners.rules.judging.attributes import entity_of, number_of, row_satisfies
from agent.reasoners.rules.judging.rows import Row, rows_in

SENTENCES = (
    "# ship\n"
    "Ship record 1: id is 1, name is Tana, tonnage is 900 and flag is Norway.\n"
    "Ship record 2: id is 2, name is Bela, tonnage is 40 and flag is New Guinea."
)
SHIP = Row("Ship record 1", {"name": "Tana", "tonnage": "900", "flag": "Norway"}, 0, 1)


def test_sentences_of_pairs_are_rows() -> None:
    rows = list(rows_in(SENTENCES))
    assert [row.attributes["name"] for row in rows] == ["Tana", "Bela"]
    assert rows[1].attributes["flag"] == "New Guinea"
    assert SENTENCES[rows[0].start : rows[0].end].startswith("Ship record 1")


def test_table_lines_are_rows_under_their_header() -> None:
    text = "Name | Weight\n--- | ---\nOak | 12 kg\nElm | 9 kg\n"
    assert [row.attributes for row in rows_in(text)] == [
        {"name": "Oak", "weight": "12 kg"},
        {"name": "Elm", "weight": "9 kg"},
    ]


def test_key_lines_are_a_row() -> None:
    [row] = rows_in("Name: Oak\nHeight: 12 m\n\nA sentence.\n")
    assert row.attributes == {"name": "Oak", "height": "12 m"}


def test_prose_has_no_rows() -> None:
    assert list(rows_in("He said: this is one thing.\nNothing else is.")) == []


@pytest.mark.parametrize(
    ("entity_type", "expected"), [("ship", "Tana"), ("flag", "Norway"), ("port", None)]
)
def test_a_row_names_its_entity(entity_type: str, expected: str | None) -> None:
    assert entity_of(SHIP, entity_type) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("whose tonnage is more than 500", True),
        ("whose tonnage is at most 500", False),
        ("with a tonnage of 900", True),
        ("flag is Norway", True),
        ("flag is Sweden", False),
        ("registered in Norway", True),
        ("registered in Sweden", False),
    ],
)
def test_a_row_proves_conditions_on_its_values(condition: str, expected: bool) -> None:
    assert row_satisfies(SHIP, Condition(id="c1", text=condition)) is expected


def test_a_row_gives_the_measured_number() -> None:
    found = number_of(SHIP, Measure(text="total tonnage"))
    assert found is not None
    assert found.value == 900
    assert number_of(SHIP, Measure(text="crew")) is None
