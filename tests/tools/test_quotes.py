"""A quote is found where the text says it, under any spacing; otherwise it is refused."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cut_corpus import CutCorpus
from tools.quotes import locate, missing_part, proven

TEXT = (
    "ARTICLE 4. Term.  This Agreement shall remain in\n    force for “five (5) years” – unless the "
    "Licensor’s notice ends it.\tThe **Licensee** shall not assign its rights without consent. "
    "Fee: 1,250 EUR. Each party's liability is limited to direct damages, and neither party is "
    "liable for loss of profit or for indirect, special or consequential damages of any kind."
)


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("Term.", "Term."),
        ("  shall remain in\n    force ", "shall remain in\n    force"),
        ("shall remain in force for", "shall remain in\n    force for"),
        ("THIS AGREEMENT SHALL REMAIN", "This Agreement shall remain"),
        ('force for "five (5) years" - unless', "force for “five (5) years” – unless"),
        ("five (5) years — unless the", "five (5) years” – unless the"),
        ('"the Licensor\'s notice ends it."', "the Licensor’s notice ends it."),
        ("The Licensee shall not assign", "The **Licensee** shall not assign"),
        ("This Agreement ... ends it", TEXT[TEXT.index("This") : TEXT.index(" it.") + 3]),
        ("… neither party is liable […] of any kind", TEXT[TEXT.index("neither") : -1]),
        ("neither party is liable for los of profits or for indirect",
         "neither party is liable for loss of profit or for indirect"),
    ],
    ids=["short exact", "outer space", "line break", "case", "marks and dash", "a mark left out",
         "wrapped in quotes", "emphasis", "ellipsis", "ellipses around", "slips"],
)  # fmt: skip
def test_a_quote_is_found_as_the_text_has_it(quote: str, shown: str) -> None:
    span = locate(quote, TEXT)
    assert span is not None
    assert TEXT[slice(*span)] == shown


@pytest.mark.parametrize(
    "quote",
    [
        "", "   ", "\"\"", "…", "Term:", "licensee’s", "x… y", "years…it",
        "The Licensee may sell its rights to anyone at any time",
        "The Licensee shall assign its rights without consent",
        "Fee: 1,350 EUR. Each party's liability is limited",
        "The Licensee … consequential damages of every kind",
        "ends it … This Agreement shall",
    ],
    ids=["nothing", "spaces", "marks", "ellipsis", "short", "short mark", "short parts",
         "short whole", "invented", "negation left out", "other number",
         "part invented", "parts in wrong order"],
)  # fmt: skip
def test_what_the_text_does_not_say_is_refused(quote: str) -> None:
    assert locate(quote, TEXT) is None


@pytest.mark.parametrize(
    ("quote", "missing"),
    [
        ("Either party may … never … terminate it", "never"),
        ("terminate it … Either party", "Either party"),
        ("Both parties may", "Both parties may"),
    ],
)
def test_the_part_that_does_not_stand_there_is_named(quote: str, missing: str) -> None:
    assert missing_part(quote, "Either party may then terminate it.") == missing


LONG = f"Either party may{' then' * 400} terminate it."
WRITTEN = "Payment &gt; 5 days &amp; notice &lt; 3 days: the &quot;Fee&quot; is due."
TURKISH = "İİİİ İstanbul'da imzalanan sözlesme hükümleri burada yazılıdır."


@pytest.mark.parametrize(
    ("quote", "text", "shown"),
    [
        ("Either party … terminate it", LONG, LONG[:-1]),
        ('5 days & notice < 3 days: the "Fee" is', WRITTEN,
         "5 days &amp; notice &lt; 3 days: the &quot;Fee&quot; is"),
        ("a quote of something else", "&amp;" * 2_000, None),
        ("able to … profits of all", "It is liable to pay the profits of allies.", None),
        (TEXT, TEXT[:120], None),
        ("imzalanan sözleşme hükümleri burada", TURKISH,
         "imzalanan sözlesme hükümleri burada"),
    ],
    ids=["any number of words left out", "entities", "decoded once", "whole words", "longer",
         "letters that grow in lower case"],
)  # fmt: skip
def test_a_quote_is_found_in_other_texts_or_refused(
    quote: str, text: str, shown: str | None
) -> None:
    span = locate(quote, text)
    assert (span and text[slice(*span)]) == shown


WORDS = st.text(alphabet="abcdeäßÉ0.,()*+?[", min_size=1, max_size=8)
SPACES = st.sampled_from([" ", "\n", "  ", "\t", "\n\n    ", "\u00a0"])


@given(st.lists(WORDS, min_size=1, max_size=40), st.data())
def test_spacing_never_hides_a_quote(words: list[str], data: st.DataObject) -> None:
    text = "".join(word + data.draw(SPACES) for word in words)
    first = data.draw(st.integers(0, len(words) - 1))
    chosen = words[first : data.draw(st.integers(first + 1, len(words)))]
    quote = "".join(word + data.draw(SPACES) for word in chosen)
    plain = " ".join(chosen)
    span = locate(quote, text)
    if len(plain.strip("… ")) >= 12 and "..." not in plain.replace(" ", ""):
        assert span is not None
        assert " ".join(text[slice(*span)].split()).casefold() == plain.casefold()


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_span_lies_within_the_text_and_starts_and_ends_on_ink(quote: str, text: str) -> None:
    span = locate(quote, text)
    if span is not None:
        start, end = span
        assert 0 <= start < end <= len(text)
        assert not re.match(r"\s", text[start])
        assert not text[end - 1].isspace()


OVERLAPPING: Any = CutCorpus({"one": "x" * 22}, [[(0, 10), (6, 16), (12, 22)]])


@pytest.mark.parametrize(
    ("start", "end", "chunks"),
    [(1, 3, (0,)), (6, 10, (0, 1)), (5, 9, (0,)), (8, 12, (1,)), (3, 14, ())],
    ids=["inside one", "in the overlap", "begins before", "ends after", "in none whole"],
)
def test_a_quote_is_held_by_the_chunks_it_lies_in_from_end_to_end(
    start: int, end: int, chunks: tuple[int, ...]
) -> None:
    assert proven(OVERLAPPING, [(0, start, end)]) == frozenset(chunks)
    assert proven(OVERLAPPING, [(0, start, end), (0, 18, 20)]) == {*chunks, 2}
