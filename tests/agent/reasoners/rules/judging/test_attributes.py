import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.attributes import entity_of, row_satisfies
from agent.reasoners.rules.judging.rows import Row

ROW = Row(
    "Book record 2",
    {
        "title": "Fens",
        "number of pages": "510",
        "age": "41",
        "city": "Oslo",
        "shop id": "7",
        "playing time": "2 hours",
    },
    0,
    9,
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("have more than 500 pages", True),
        ("have fewer than 500 pages", False),
        ("have 510 pages", True),
        ("are older than 40", True),
        ("are younger than 40", False),
        ("live in Oslo", True),
        ("of the books", True),
        ("have a playing time over 90 minutes", True),
        ("have a playing time of at most 1 h 30 min", False),
        ("have a playing time of at least 1 kg", False),
    ],
)
def test_a_row_is_compared_as_the_condition_says(text: str, holds: bool) -> None:
    assert row_satisfies(ROW, Condition(id="c1", text=text)) is holds


@pytest.mark.parametrize(
    ("kind", "name"), [("book", "Fens"), ("city", "Oslo"), ("shop", None), ("rare city", None)]
)
def test_a_row_is_an_entity_by_its_label_or_an_attribute(kind: str, name: str | None) -> None:
    assert entity_of(ROW, kind) == name
