from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.records.record_schema import Attribute
from tests.tools.records.league import table
from tools.corpus.chunking.token_counts import count_tokens
from tools.records.text_parts import best_parts, headings_above, split, unlikely_kinds

texts = st.text(alphabet="ab .\n", max_size=400)


@settings(max_examples=60)
@given(texts, st.integers(1, 40))
def test_parts_cover_the_text_in_order_and_none_is_much_larger_than_asked(
    text: str, tokens: int
) -> None:
    parts = split(text, tokens)
    assert "".join(text[slice(*each)] for each in parts) == text
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    larger = max((count_tokens(text[slice(*each)]) for each in parts), default=0)
    assert tokens == 1 or larger <= tokens + 1


def test_a_text_is_parted_at_blank_lines_before_it_is_parted_at_lines() -> None:
    text = "one two\nthree four\n\nfive six\nseven eight\n\nnine ten\n"
    parts = [text[slice(*each)] for each in split(text, 7)]
    assert parts == ["one two\nthree four\n\n", "five six\nseven eight\n\n", "nine ten\n"]


def test_a_part_in_a_table_knows_the_tables_head() -> None:
    text = "# Ports\n\n# Ships\n## Sunk\n| name | tons |\n|---|---|\n| Tana | 9 |\n| Ada | 7 |\n"
    told = headings_above(text, text.index("| Ada"))
    assert told == {"heading above": "Ships › Sunk", "table head above": "| name | tons |"}
    assert headings_above(text, 0) == {}
    assert headings_above("# Ships\nTana\n\n# Crews\nAda\n", 13) == {}


def test_a_kind_is_unlikely_where_its_words_are_missing_and_another_has_them() -> None:
    ship = table("ship", ship_name="text", tons="text")
    crew = table("crew", crew_name="text", rank="text")
    told = "Ship record 1: ship name is Tana and tons is 9."
    assert unlikely_kinds(told, (ship, crew)) == {"crew"}
    assert unlikely_kinds("The Tana weighs nine.", (ship, crew)) == frozenset()


def test_the_parts_that_speak_of_the_attributes_come_first() -> None:
    texts = [
        "The weather was fine all day long.",
        "Guests rate it 4.5 of 5.",
        "It has 120 rooms and two lifts.",
        "Nothing here.",
    ]
    attributes = [
        Attribute(name="rooms", type="integer"),
        Attribute(name="score", type="number", labels=("guests rate",)),
    ]
    assert best_parts(texts, attributes)[:2] == [2, 1]
    assert sorted(best_parts(texts, attributes)) == [0, 1, 2, 3]
    assert best_parts(texts, []) == [0, 1, 2, 3]


UNIT_NOTES = {
    "in brackets": ("(in thousands, except per share data)", True),
    "a currency's code": ("Amounts in EUR million", True),
    "a heading": ("## In billions of yen", True),
    "within a sentence": ("The company agreed to invest in millions of trees.", False),
    "a long line": ("In thousands of cases, " + "and so on, " * 12, False),
}


@pytest.mark.parametrize(("line", "is_note"), UNIT_NOTES.values(), ids=UNIT_NOTES)
def test_a_part_knows_in_what_amounts_are(line: str, is_note: bool) -> None:
    text = f"Results\n{line}\n\nSales 4.2\n\nCosts 3.1\n"
    told = headings_above(text, text.index("Costs")).get("unit note above")
    assert told == (line.strip("# ") if is_note else None)
