"""Text functions of guarded statements: the results of SQLite's own, within time and size."""

import re
import sqlite3
from collections.abc import Iterator
from fractions import Fraction

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


WHOLE, FLOATS = st.integers(-(2**63), 2**63 - 1), st.floats(-1e300, 1e300, allow_subnormal=True)
COLUMNS = st.one_of(st.lists(st.none() | each, min_size=1, max_size=9) for each in (WHOLE, FLOATS))


@given(values=COLUMNS)
def test_sums_and_averages_are_exact_before_they_are_rounded_once(
    connections: tuple[sqlite3.Connection, sqlite3.Connection], values: list[float | None]
) -> None:
    told = [Fraction(each) for each in values if each is not None]
    rows = f"(VALUES {', '.join(['(?)'] * len(values))})"
    query = f"SELECT sum(column1), avg(column1), total(column1) FROM {rows}"
    found = connections[1].execute(query, values).fetchone()
    exact = sum(told)
    assert found[1:] == (float(exact / len(told)) if told else None, float(exact))
    whole = all(isinstance(each, int) for each in values if each is not None)
    in_room = whole and abs(exact) < 2**63
    assert found[0] == ((int(exact) if in_room else float(exact)) if told else None)


def test_a_window_takes_back_what_it_leaves_behind(
    connections: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    over = "OVER (ORDER BY rowid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    query = f"SELECT sum(value) {over} FROM json_each('[9007199254740993, 1, 1e300, 0.1]')"
    found = [row for (row,) in connections[1].execute(query)]
    assert found == [9007199254740993, 9007199254740994, 1e300, 1e300]


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
