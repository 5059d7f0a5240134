"""Text functions of guarded statements: the results of SQLite's own, within time and size."""

import re
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import QueryError
from tools.records.sql_functions import BoundedText, folded, like

VALUES = st.one_of(
    st.none(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(alphabet="ab éß\u0301😀", max_size=6),
)
CALLS = {"instr": 2, "replace": 3, "trim": 2, "ltrim": 2, "rtrim": 2}


@pytest.fixture(scope="module")
def connections() -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    own, bounded = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    BoundedText(lambda: False).register(bounded)
    yield own, bounded
    own.close()
    bounded.close()


@pytest.mark.parametrize("function", CALLS)
@given(values=st.lists(VALUES, min_size=3, max_size=3))
def test_results_are_those_of_sqlite(
    connections: tuple[sqlite3.Connection, sqlite3.Connection],
    function: str,
    values: list[object],
) -> None:
    arguments = values[: CALLS[function]]
    sql = f"SELECT {function}({','.join('?' * len(arguments))})"
    own, bounded = (each.execute(sql, arguments).fetchone() for each in connections)
    assert bounded == own


@pytest.mark.parametrize("function", ["trim", "ltrim", "rtrim"])
def test_spaces_are_trimmed_where_no_characters_are_named(
    connections: tuple[sqlite3.Connection, sqlite3.Connection], function: str
) -> None:
    sql = f"SELECT {function}(?)"
    own, bounded = (each.execute(sql, (" \ta b ",)).fetchone() for each in connections)
    assert bounded == own


def test_a_result_that_would_be_too_long_is_never_built() -> None:
    bounded = BoundedText(lambda: False)
    with pytest.raises(QueryError, match="more than 1,000,000 characters"):
        bounded.replace("a" * 900_000, "a", "b" * 900_000)
    assert bounded.failure is not None
    assert bounded.replace("a" * 900_000, "a", "b") == "b" * 900_000


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


@given(text=st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


def test_a_pattern_has_no_more_than_a_thousand_characters() -> None:
    assert like("a" * 1_000, "a" * 1_000)
    with pytest.raises(QueryError, match=r"at most 1,000"):
        like("a" * 1_001, "a")


def test_a_piece_with_any_character_is_found_in_a_long_text_at_once() -> None:
    text = "a" * 300_000
    assert not like(f"%_{'a' * 900}b%", text)
    assert like(f"%_{'a' * 900}b%", f"{text}ba")
