"""Amounts are read with the comparison that the words around them make."""

import pytest

from agent.reasoners.rules.language.bounds import read_bound
from agent.reasoners.rules.language.words import tokenize


@pytest.mark.parametrize(
    ("words", "comparison", "values", "kind"),
    [
        ("in 2015 or later", "at_least", ("2015",), "year"),
        ("before March 2019", "less_than", ("2019-03",), "date"),
        ("since May 2010", "at_least", ("2010-05",), "date"),
        ("on 3 January 2001", "is", ("2001-01-03",), "date"),
        ("on January 3rd, 2001", "is", ("2001-01-03",), "date"),
        ("between 2001 and 2003", "between", ("2001", "2003"), "year"),
        ("from 3000 to 3999", "between", ("3000", "3999"), "number"),
        ("in 2001 or 2002", "is", ("2001", "2002"), "year"),
        ("at least three", "at_least", ("3",), "number"),
        ("no more than 20,000", "at_most", ("20000",), "number"),
        ("fewer than 1.5 million", "less_than", ("1500000",), "number"),
        ("longer than 15 mm", "more_than", ("15",), "number"),
        ("$500 or less", "at_most", ("500",), "number"),
        ("3.10", "is", ("3.10",), "number"),
        ("65 or older", "at_least", ("65",), "number"),
        ("18 or younger", "at_most", ("18",), "number"),
        ("1999 or older", "at_most", ("1999",), "year"),
        ("1999 or younger", "at_least", ("1999",), "year"),
    ],
)
def test_an_amount_is_read(words: str, comparison: str, values: tuple[str, ...], kind: str) -> None:
    bound = read_bound(tokenize(words), 0)
    assert bound is not None
    assert (bound.comparison, bound.values, bound.kind) == (comparison, values, kind)


@pytest.mark.parametrize("words", ["in Paris", "at least Python", "from Ann", "of the law"])
def test_words_without_an_amount_are_none(words: str) -> None:
    assert read_bound(tokenize(words), 0) is None
