"""A mention needs its words: what holds none of the spellings is ruled out for certain."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.tools.filters.small_corpus import SmallCorpus
from tools.mentions import mention_pattern, mentioning


def _found(text: str, *terms: str) -> bool:
    return bool(pl.Series([text]).str.contains(mention_pattern(terms))[0])


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("We use ASYNCIO here.", "asyncio"),
        ("two type\ncheckers", "type checker"),
        ("a type-checker", "type checker"),
        ("a typechecker", "type checker"),
        ("the asyn-\n  cio module", "asyncio"),
        ("the asyn\u00adcio module", "asyncio"),
        ("the landlord’s dog", "landlord's"),
        ("my_type_checker()", "type checker"),
        ("C++ code", "C++"),
        ("réunion", "RÉUNION"),
    ],
)
def test_however_it_is_written_it_is_a_mention(text: str, term: str) -> None:
    assert _found(text, term)


@pytest.mark.parametrize(("text", "term"), [("async io", "asyncio"), ("a chequer", "checker")])
def test_other_words_are_none(text: str, term: str) -> None:
    assert not _found(text, term)


def test_any_spelling_will_do() -> None:
    assert _found("the GIL", "global interpreter lock", "GIL")


@pytest.mark.parametrize("terms", [(), ("",), (" - ",)])
def test_without_a_spelling_there_is_nothing_to_look_for(terms: tuple[str, ...]) -> None:
    assert mention_pattern(terms) == ""
    assert mentioning(SmallCorpus({"a": ["one", "two"]}), terms) is None


def test_the_chunks_with_a_spelling_are_kept() -> None:
    corpus = SmallCorpus({"a": ["A GIL.", "none"], "b": ["the Global\nInterpreter lock"]})
    assert mentioning(corpus, ["GIL", "global interpreter lock"]) == BitMap([0, 2])


@given(st.text(min_size=1), st.text(max_size=20), st.text(max_size=20))
def test_a_term_is_found_wherever_it_stands(term: str, before: str, after: str) -> None:
    words = "".join(each for each in term if each.isalnum())
    if words:
        assert _found(before + words + after, words)
