"""Every place where a term stands is found, and no other, however its document is cut."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.cut_corpus import CutCorpus
from tests.tools.filters.small_corpus import SmallCorpus
from tools.mentions import Mentions, Place, TermPattern


def found(text: str, *terms: str) -> list[str]:
    return [text[start:end] for start, end in TermPattern(terms).spans(text)]


@pytest.mark.parametrize(
    ("term", "text", "is_mention"),
    [
        pytest.param("Kotlin", "in Kotlin, too", True, id="plain"),
        pytest.param("NumPy", "arrays of numpy", True, id="case of a name"),
        pytest.param("typeshed", "`Typeshed`_", True, id="markup"),
        pytest.param("RPM", "two RPMs", True, id="plural of an acronym"),
        pytest.param("Debian", "Debian's rules", True, id="possessive"),
        pytest.param("landlord", "the landlords\u2019 duty", True, id="plural possessive"),
        pytest.param("Unladen Swallow", "the Unladen\n  Swallow project", True, id="line break"),
        pytest.param("Unladen Swallow", "the **Unladen** Swallow", True, id="emphasis"),
        pytest.param("type checker", "typecheckers", True, id="joined"),
        pytest.param("type checker", "type_checker()", True, id="identifier"),
        pytest.param("e-mail", "an e mail", True, id="hyphen as a space"),
        pytest.param("C++", "C++ code", True, id="signs at its end"),
        pytest.param("cherries", "a cherry tree", True, id="singular"),
        pytest.param("service levels", "one service level", True, id="last word of a phrase"),
        pytest.param("creme brulee", "a Cr\u00e8me Br\u00fbl\u00e9e", True, id="text accents"),
        pytest.param("Z\u00fcrich", "in Zurich", True, id="accents of the term"),
        pytest.param("Strassen", "vier Stra\u00dfen", True, id="two letters for one"),
        pytest.param("\u0130stanbul", "in Istanbul", True, id="dotted capital"),
        pytest.param("key lock", "two k\u00ade-\n y*\n lo\u00adcks", True, id="hyphenated lines"),
        pytest.param("key lock", "KEY-\n\n Lock's", True, id="hyphen and an empty line"),
        pytest.param("key lock", "a key lock_s", False, id="underscore behind"),
        pytest.param("key lock", "key 5 locks", False, id="a number between"),
        pytest.param("key lock", "\u212aey lock", True, id="sign for a letter"),
        pytest.param("IT", "the IT staff", True, id="function word in capitals"),
        pytest.param("Rust", "trust", False, id="inside a word"),
        pytest.param("organ", "an organization", False, id="same stem"),
        pytest.param("Hatch", "my_hatch_tool", False, id="part of an identifier"),
        pytest.param("Windows", "a window", False, id="singular of a name"),
        pytest.param("IT", "it rains", False, id="function word"),
        pytest.param("in sight", "an insight", False, id="function words are not joined"),
        pytest.param("email", "e-mail", False, id="parts that the term does not have"),
        pytest.param("can", "they can't", False, id="contraction"),
        pytest.param("C", "C++ and C#", False, id="another name by its signs"),
        pytest.param("5", "5.2 and 1,500 and 1.5", False, id="part of a number"),
        pytest.param("\u043c\u043e\u0438", "\u043c\u043e\u0439", False, id="another letter"),
        pytest.param("\u043c\u043e\u0438", "\u043c\u043e\u0438\u0306", False, id="mark apart"),
        pytest.param("--", "a -- b", False, id="no letters"),
        pytest.param("type checker", "type. Checker", False, id="two sentences"),
    ],
)  # fmt: skip
def test_a_usual_spelling_is_a_mention_and_other_words_are_none(
    term: str, text: str, is_mention: bool
) -> None:
    assert bool(found(text, term)) is is_mention


def test_of_places_that_overlap_there_is_the_first_and_longest() -> None:
    text = "a type checker plugin"
    assert found(text, "type", "checker plugin", "type checkers") == ["type checker"]


def test_a_word_of_the_corpus_has_its_other_english_spelling_and_is_parted() -> None:
    texts = [["The license. ", "A chick pea, a heat-well; heatwell"]]
    mentions = Mentions(cut(texts, 0, SmallCorpus({"a": texts[0]}).lexicon))
    assert [each.start for each in mentions.places(["licences"])] == [4]
    assert [each.chunk for each in mentions.places(["chickpeas"])] == [1]
    assert len(mentions.places(["heatwell"])) == 2


def test_an_excluded_phrase_hides_the_term_in_it() -> None:
    mentions = Mentions(cut([["of"]], 0))
    text = "with Cargo, not a cargo cult"
    assert mentions.spans(text, ["Cargo"], excludes=["cargo cult"]) == [(5, 10)]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("the landlord\u2019s dog", "landlord's"),
        ("C++ code", "C++"),
        ("cafe\u0301 noir", "caf\u00e9"),
        ("caf&eacute; noir", "caf\u00e9"),
        ("[Foo](http://x.org/a_b) bar", "Foo bar"),
        ("Foo\u200b bar", "foo bar"),
        ("AT&amp;T", "AT&T"),
        ("\ufb01nal", "final"),
        ("| Foo | bar |", "foo bar"),
        ("foo\\_bar", "foo_bar"),
    ],
)
def test_whatever_may_mention_a_term_is_held(text: str, term: str) -> None:
    mentions = Mentions(cut([[text, "zebra"]], 0))
    assert mentions.holding([term]) == BitMap([0])


@pytest.mark.parametrize("terms", [(), ("",), (" - ",), ("\u2013", "zebra")])
def test_what_has_no_letters_rules_nothing_out_and_other_words_are_not_held(
    terms: tuple[str, ...],
) -> None:
    mentions = Mentions(cut([["a chequer, ", "the boards"]], 0))
    assert mentions.holding(terms) is None
    assert not mentions.across_edges(terms)
    assert mentions.holding(["checker"]) == mentions.across_edges(["checker"]) == BitMap()


def cut(documents: Sequence[Sequence[str]], overlap: int, lexicon: Any = None) -> Any:
    """Cut documents into chunks, each of which begins a little before the one before ends."""
    texts = {f"d{number}": "".join(each) for number, each in enumerate(documents)}
    ends = [[0, *accumulate(map(len, each))] for each in documents]
    corpus = CutCorpus(texts, [[(max(0, a - overlap), b) for a, b in pairwise(e)] for e in ends])
    corpus.lexicon = lexicon
    return corpus


_TERMS = st.sampled_from([("lock",), ("key lock",), ("stra\u00dfe",), ("k",)])
_PIECES = st.sampled_from([
    *("key", "lock", "Lock", "key", "lock", "key-", "KEY\n", "stra", "sse", "\u00dfe", "lo", "ck"),
    *("k", "S", "5", ".", "_", "*", "'", "-", " ", "key ", "s ", "'s", "-\n", "-\n "),
    *("\u00e9", "\u0301", "\u00ad", "\u212a"),
])  # fmt: skip
_DOCUMENTS = st.lists(
    st.tuples(st.lists(_PIECES, min_size=1, max_size=6).map("".join), st.integers(2, 9)).map(
        lambda text: [text[0][at : at + text[1]] for at in range(0, len(text[0]), text[1])]
    ),
    min_size=1,
    max_size=2,
)
"""A text or two, each cut into pieces of a few characters."""


@settings(max_examples=400)
@given(_DOCUMENTS, st.integers(0, 6), _TERMS)
def test_places_are_those_of_the_whole_texts_however_they_are_cut(
    documents: list[list[str]], overlap: int, terms: tuple[str]
) -> None:
    corpus = cut(documents, overlap)
    places = Mentions(corpus).places(terms)
    texts = enumerate(map("".join, documents))
    expected = [(at, *span) for at, text in texts for span in TermPattern(terms).spans(text)]
    assert [(each.document, each.start, each.end) for each in places] == expected
    assert all(_is_first_that_holds(corpus, each) for each in places)


def _is_first_that_holds(corpus: CutCorpus, place: Place) -> bool:
    chunks = corpus.chunks_of(place.document)
    begins = [i for i in chunks if corpus.chunk_start[i] <= place.start < corpus.chunk_end[i]]
    whole = [i for i in begins if place.end <= corpus.chunk_end[i]]
    return place.chunk == (whole or begins)[0]


@settings(max_examples=200)
@given(_DOCUMENTS, st.integers(0, 6), _TERMS, st.integers(1, 4))
def test_each_place_is_in_what_may_mention_the_term(
    documents: list[list[str]], overlap: int, terms: tuple[str], repeated: int
) -> None:
    corpus = cut(documents, overlap)
    mentions = Mentions(corpus)
    held = mentions.holding(terms * repeated)
    assert held is not None
    held |= mentions.across_edges(terms * repeated)
    for place in mentions.places(terms):
        assert place.chunk in held


def test_many_terms_at_once_are_found() -> None:
    names = [f"Brickwell{chr(97 + n)}ton Holdings" for n in range(26)]
    corpus = cut([[f"of {name} and ", "others"] for name in names], 0)
    mentions = Mentions(corpus)
    assert len(mentions.places(names)) == len(names)
    assert mentions.holding(names) == BitMap(range(0, 2 * len(names), 2))


@pytest.mark.parametrize(
    ("term", "text", "written"),
    [
        ("Hallam", "To: bookings@hallamfineart.example", "bookings@hallamfineart.example"),
        ("Hallam Art", "see <www.hallamartists.example/x>", "www.hallamartists.example/x"),
        ("Eurobalises", "each Eurobalise's telegram", "Eurobalise"),
        ("Hallam", "a wallhallam", ""),
        ("Windows", "a window", ""),
        ("hallam", "To: bookings@hallamfineart.example", ""),
        ("Kew", "To: a@kewgardens.example", ""),
    ],
)
def test_what_may_be_a_mention_is_one_place_of_a_document(
    term: str, text: str, written: str
) -> None:
    corpus = cut([[text], [f"{term} in other words"]], 0)
    mentions = Mentions(corpus)
    certain = {each.document for each in mentions.places([term])}
    found = mentions.perhaps([term], certain)
    assert certain == {1}
    assert [text[each.start : each.end] for each in found] == ([written] if written else [])
