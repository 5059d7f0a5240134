"""The scanning filters against naive references on generated corpora."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.reasoner import ToolCall
from tests.tools.engines.naive import Naive
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.arguments import FilterArguments
from tools.filters.exact import ExactArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.local_engine import LocalEngine
from tools.filters.regex import RegexArguments
from tools.filters.registry import apply

WORDS = ("art", "Arts", "party", "non", "compete", "competes", "IT", "it", "é", "x1", "x", "12")
MARKS = (" ", "  ", "\n", "-", "-\n", ", ", ". ", " § ", "'", "_")
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), max_size=8).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)
ENTRIES = (*WORDS, "non compete", "non-compete", "art it", "12 x1 party")
PATTERNS = (r"\bit\b", r"non[\s-]+compet", r"^x", r"\d+$", r"[aé]", r"(?:art|12)\W", r"I T|IT")
flags = st.booleans()
predicates = st.one_of(
    st.builds(ExactArguments, phrase=texts.filter(len), case_sensitive=flags, whole_word=flags),
    st.builds(RegexArguments, pattern=st.sampled_from(PATTERNS), case_sensitive=flags),
    st.builds(
        KeywordsArguments,
        words=st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4).map(tuple),
        match=st.sampled_from(["any", "all"]),
        stem=flags,
    ),
    st.builds(
        KeywordsArguments,
        words=st.permutations(("art", "non compete", "x1", "12")).map(tuple),
        match=st.just("at_least"),
        at_least=st.integers(1, 4),
        stem=flags,
    ),
)


@settings(max_examples=160, deadline=None)
@given(st.lists(texts, min_size=1, max_size=6), predicates)
def test_a_scan_keeps_what_the_reference_keeps(chunks: list[str], predicate: FilterArguments):
    corpus, everything = built(tuple(chunks)), BitMap(range(len(chunks)))
    kept = LocalEngine(corpus).keep(predicate, everything)
    assert set(kept) == Naive(corpus).keep(predicate, everything)
    assert LocalEngine(corpus).keep(predicate, BitMap([0])) == kept & BitMap([0])


@cache
def built(chunks: tuple[str, ...]) -> SmallCorpus:
    return SmallCorpus({"d": chunks})


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?=a)b", "look-ahead and look-behind, is not supported"),
        (r"(a)\1", "backreferences are not supported"),
        ("(a", "unclosed group; use exact for plain text"),
        (r"(\w{1000}){1000}", "size limit"),
        ("a" * 1001, "for many words use keywords"),
        ("", "allowed are 1 to 1000"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_pattern_that_cannot_be_used_comes_back_with_the_reason(pattern, reason):
    corpus = built(("text",))
    for candidates in (BitMap([0]), BitMap()):
        with pytest.raises(ToolArgumentError, match=re.escape(reason)):
            apply(corpus, candidates, ToolCall(tool="regex", arguments={"pattern": pattern}))
