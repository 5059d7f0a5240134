import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import QueryError
from tools.records.folding import folded
from tools.records.like import like

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
