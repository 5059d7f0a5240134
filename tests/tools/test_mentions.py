"""A mention needs its words: what holds none of the spellings is ruled out for certain."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.tools.filters.small_corpus import SmallCorpus
from tools.mentions import UNLIKE, Mentions, letters_of


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
    assert Mentions(SmallCorpus({"a": [text, "zebra"]})).holding([term]) == BitMap([0])


def test_other_words_are_none() -> None:
    assert Mentions(SmallCorpus({"a": ["a chequer", "the board"]})).holding(["checker"]) == BitMap()


@pytest.mark.parametrize("terms", [(), ("",), (" - ",), ("\u2013", "zebra")])
def test_what_has_no_letters_rules_nothing_out(terms: tuple[str, ...]) -> None:
    assert Mentions(SmallCorpus({"a": ["one", "two"]})).holding(terms) is None


def test_the_chunks_with_a_spelling_are_kept() -> None:
    corpus = SmallCorpus({"a": ["A GIL.", "none"], "b": ["the Global\nInterpreter lock"]})
    assert Mentions(corpus).holding(["GIL", "global interpreter lock"]) == BitMap([0, 2])


@given(
    st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x24F), min_size=1)
)
def test_a_term_is_found_in_whatever_case(term: str) -> None:
    for written in (term, term.upper(), term.casefold()):
        assert letters_of(term) in letters_of(f"- {written}.") or not letters_of(term)


_PIECES = st.sampled_from([*"LOck_)]& ", "lo", "ck", "-\n", "](", "amp;", "&#107;", "x " * 9]) | (
    st.sampled_from("\u00f6\u212a\ufb01\u2019\u0345\u0301\u0130\u4e00")
)
_TEXTS = st.lists(st.lists(_PIECES, max_size=9).map("".join), min_size=1, max_size=5)
_TERMS = st.lists(
    st.sampled_from(["lock", "Lo", "k", "a&m", "\u00f6l", "fi", "\u4e00", "c o"]), max_size=3
)


class _Cut:
    """Documents of which each is cut into the given texts, the cuts of the second overlapping."""

    def __init__(self, documents: list[list[str]]) -> None:
        self._documents = ["".join(each) for each in documents]
        ends = [np.cumsum([len(text) for text in each]) for each in documents]
        sizes = [len(each) for each in documents]
        self.chunk_document = np.repeat(np.arange(len(documents)), sizes)
        self.chunk_end = np.concatenate(ends)
        starts = [np.concatenate(([0], each[:-1])) for each in ends]
        self.chunk_start = np.concatenate([np.maximum(0, each - 2) for each in starts])
        spans = zip(self.chunk_document, self.chunk_start, self.chunk_end, strict=True)
        self.texts = pl.Series(
            [self._documents[each][a:b] for each, a, b in spans], dtype=pl.String
        )

    def __len__(self) -> int:
        return len(self.texts)

    def document_text(self, document: int) -> str:
        return self._documents[document]


@settings(max_examples=150)
@given(st.lists(_TEXTS, min_size=1, max_size=2), _TERMS)
def test_a_scan_finds_what_comparing_all_letters_finds(
    documents: list[list[str]], terms: list[str]
) -> None:
    corpus, wanted = _Cut(documents), [letters_of(term) for term in terms]
    reach = 3 * max((len(term) for term in terms), default=0)

    def holds(text: str) -> bool:
        return any(term in letters_of(text) for term in wanted)

    holding = BitMap(each for each, text in enumerate(corpus.texts) if holds(text))
    across = BitMap()
    for chunk, edge in enumerate(corpus.chunk_end[:-1].tolist()):
        same = corpus.chunk_document[chunk] == corpus.chunk_document[chunk + 1]
        text = corpus.document_text(corpus.chunk_document[chunk])
        near = text[max(0, edge - reach) : edge + reach]
        if same and corpus.chunk_start[chunk + 1] + reach > edge and holds(near):
            across.update((chunk, chunk + 1))

    assert Mentions(corpus).holding(terms) == (holding if terms else None)
    assert Mentions(corpus).across_edges(terms) == across


def test_signs_that_need_no_comparing_hold_no_letters() -> None:
    signs = [chr(code) for code in range(0x80, 0x10000) if not 0xD800 <= code < 0xE000]
    plain = pl.Series(signs).str.contains(UNLIKE.text)

    assert plain.any()
    assert not any(
        letters_of(sign) for sign, unlike in zip(signs, plain, strict=True) if not unlike
    )


def test_too_many_letters_are_compared_rather_than_scanned() -> None:
    corpus = SmallCorpus({"a": ["x" * 1001, "x" * 1000]})

    assert Mentions(corpus).holding(["x" * 1001]) == BitMap([0])
