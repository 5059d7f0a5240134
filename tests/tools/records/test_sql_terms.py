"""Text functions of guarded statements: the results of SQLite's own, within time and size."""

import re
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.records.sql_terms import like, register_functions

VALUES = st.one_of(
    st.none(),
    st.integers(-(2**40), 2**40),
    st.text(alphabet="ab éß\u0301😀", max_size=6),
)


@pytest.fixture(scope="module")
def connections() -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    own, bounded = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    register_functions(bounded, lambda: False)
    yield own, bounded
    own.close()
    bounded.close()


@given(values=st.lists(VALUES, min_size=2, max_size=2))
def test_instr_is_as_in_sqlite(
    connections: tuple[sqlite3.Connection, sqlite3.Connection], values: list[object]
) -> None:
    own, bounded = (each.execute("SELECT instr(?, ?)", values).fetchone() for each in connections)
    assert bounded == own


LETTERS = st.text(alphabet="aA_%é", max_size=8)


@given(pattern=LETTERS, text=LETTERS)
def test_a_pattern_matches_what_the_same_regular_expression_does(pattern: str, text: str) -> None:
    parts = (".*" if each == "%" else "." if each == "_" else re.escape(each) for each in pattern)
    expression = re.compile("".join(parts), re.IGNORECASE | re.DOTALL)
    assert like(pattern, text) == (expression.fullmatch(text) is not None)


@given(text=LETTERS)
def test_an_escaped_wildcard_is_a_letter(text: str) -> None:
    escaped = re.sub("([%_])", r"!\1", text)
    assert like(escaped, text, "!")
    assert like(f"%{escaped}%", f"a{text}b", "!")


def test_a_piece_with_any_character_is_found_in_a_long_text_at_once() -> None:
    text = "a" * 300_000
    assert not like(f"%_{'a' * 246}b%", text)
    assert like(f"%_{'a' * 240}b%", f"{text}ba")
