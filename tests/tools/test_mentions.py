"""A mention needs its words: what holds none of the spellings is ruled out for certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.tools.filters.small_corpus import SmallCorpus
from tools.mentions import letters_of, mentioning


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("We use ASYNCIO here.", "asyncio"),
        ("two type\ncheckers", "type checker"),
        ("a type-checker", "type checker"),
        ("a typechecker", "type checker"),
        ("the asyn-\n  cio module", "asyncio"),
        ("the asyn\u00adcio module", "asyncio"),
        ("the landlord\u2019s dog", "landlord's"),
        ("my_type_checker()", "type checker"),
        ("C++ code", "C++"),
        ("r\u00e9union", "R\u00c9UNION"),
        ("cafe\u0301 noir", "caf\u00e9"),
        ("**Foo** bar", "Foo bar"),
        ("[Foo](http://x.org/a_b) bar", "Foo bar"),
        ("Foo\u200b bar", "foo bar"),
        ("AT&amp;T", "AT&T"),
        ("STRASSE", "Stra\u00dfe"),
        ("\ufb01nal", "final"),
        ("\u0130stanbul", "istanbul"),
        ("| Foo | bar |", "foo bar"),
        ("foo\\_bar", "foo_bar"),
    ],
)
def test_however_it_is_written_it_is_a_mention(text: str, term: str) -> None:
    assert mentioning(SmallCorpus({"a": [text, "zebra"]}), [term]) == BitMap([0])


def test_other_words_are_none() -> None:
    assert mentioning(SmallCorpus({"a": ["a chequer", "the board"]}), ["checker"]) == BitMap()


@pytest.mark.parametrize("terms", [(), ("",), (" - ",), ("\u2013", "zebra")])
def test_what_has_no_letters_rules_nothing_out(terms: tuple[str, ...]) -> None:
    assert mentioning(SmallCorpus({"a": ["one", "two"]}), terms) is None


def test_the_chunks_with_a_spelling_are_kept() -> None:
    corpus = SmallCorpus({"a": ["A GIL.", "none"], "b": ["the Global\nInterpreter lock"]})
    assert mentioning(corpus, ["GIL", "global interpreter lock"]) == BitMap([0, 2])


@given(
    st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x24F), min_size=1)
)
def test_a_term_is_found_in_whatever_case(term: str) -> None:
    for written in (term, term.upper(), term.casefold()):
        assert letters_of(term) in letters_of(f"- {written}.") or not letters_of(term)
