"""The scanning filters against naive references on generated corpora."""

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.english import stems
from agent.errors import ToolArgumentError
from agent.predicates import satisfies
from agent.question import Predicate
from agent.reasoner import ToolCall
from tests.tools.filters.small_corpus import SmallCorpus
from tools.corpus.fields.field_values import field_value
from tools.corpus.words.tokenizer import words
from tools.filters import apply

WORDS = ("art", "Arts", "party", "non", "compete", "competes", "IT", "it", "é", "x1", "x", "12")
MARKS = (" ", "  ", "\n", "-", "-\n", ", ", ". ", " § ", "'", "_")
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), max_size=8).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)
corpora = st.lists(texts, min_size=1, max_size=6)


def keep(chunks: list[str], tool: str, **arguments: Any) -> set[int]:
    corpus = built(tuple(chunks))
    everything = BitMap(range(len(chunks)))
    whole = apply(corpus, everything, ToolCall(tool=tool, arguments=arguments))
    single = BitMap([0])
    gathered = apply(corpus, single, ToolCall(tool=tool, arguments=arguments))
    assert gathered == whole & single
    return set(whole)


@cache
def built(chunks: tuple[str, ...]) -> SmallCorpus:
    return SmallCorpus({"d": chunks})


def matching(chunks: list[str], truth: Any) -> set[int]:
    return {place for place, text in enumerate(chunks) if truth(text)}


@settings(max_examples=40)
@given(corpora, texts.filter(len), st.booleans(), st.booleans())
def test_exact_keeps_what_contains_the_phrase(chunks, phrase, sensitive, whole):
    def truth(text: str) -> bool:
        flags = 0 if sensitive else re.IGNORECASE
        left = r"(?<!\w)" if whole and re.match(r"\w", phrase) else ""
        right = r"(?!\w)" if whole and re.search(r"\w\Z", phrase) else ""
        return re.search(left + re.escape(phrase) + right, text, flags) is not None

    kept = keep(chunks, "exact", phrase=phrase, case_sensitive=sensitive, whole_word=whole)
    assert kept == matching(chunks, truth)


ENTRIES = (*WORDS, "non compete", "non-compete", "art it", "12 x1 party")


@settings(max_examples=60)
@given(
    corpora, st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4), st.booleans(), st.data()
)
def test_keywords_keep_what_holds_enough_entries(chunks, entries, stem, data):
    def form(word: str) -> str:
        return stems([word])[0] if stem else word

    def holds(text: str, entry: str) -> bool:
        parts = re.findall(r"\w+|\W+", text.lower())
        asked = [form(word) for word in words(entry)]
        for start in range(len(parts)):
            window = parts[start : start + 2 * len(asked) - 1]
            side_by_side = all(re.fullmatch(r"[\s-]+", gap) for gap in window[1::2])
            if [form(part) for part in window[::2]] == asked and side_by_side:
                return True
        return False

    different = {entry.lower() for entry in entries}
    needed = data.draw(st.integers(1, len(different)))
    expected = matching(chunks, lambda text: sum(holds(text, e) for e in different) >= needed)
    asked = {"match": "at_least", "at_least": needed}
    assert keep(chunks, "keywords", words=entries, stem=stem, **asked) == expected
    if needed == 1:
        assert keep(chunks, "keywords", words=entries, stem=stem) == expected
    if needed == len(different):
        assert keep(chunks, "keywords", words=entries, stem=stem, match="all") == expected


PATTERNS = (r"\bit\b", r"non[\s-]+compet", r"^x", r"\d+$", r"[aé]", r"(?:art|12)\W", r"I T|IT", "")


@settings(max_examples=40)
@given(corpora, st.sampled_from(PATTERNS[:-1]), st.booleans())
def test_regex_keeps_what_the_pattern_matches(chunks, pattern, sensitive):
    flags = re.MULTILINE | (0 if sensitive else re.IGNORECASE)
    expected = matching(chunks, lambda text: re.search(pattern, text, flags))
    assert keep(chunks, "regex", pattern=pattern, case_sensitive=sensitive) == expected


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        ("(?=a)b", "filter in two calls"),
        ("(?<!a)b", "filter in two calls"),
        (r"(a)\1", "write the alternatives out"),
        ("(a", "escape special characters"),
        ("[z-a]", "escape special characters"),
        (r"(\w{1000}){1000}", "smaller"),
        ("a" * 1001, "for many words use keywords"),
        ("", "allowed are 1 to 1000"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_pattern_that_cannot_be_used_comes_back_with_advice(pattern, advice):
    corpus = built(("text",))
    for candidates in (BitMap([0]), BitMap()):
        with pytest.raises(ToolArgumentError, match=re.escape(advice)):
            apply(corpus, candidates, ToolCall(tool="regex", arguments={"pattern": pattern}))


VALUES = ("Final", "final", "Draft, Final", "2019-04-02", "2019", "7", "")
values = st.sampled_from(VALUES)
tests = st.tuples(
    st.sampled_from(["Status", "number"]),
    st.sampled_from(["is", "contains", "at_least", "less_than", "exists"]),
    values.filter(len),
    st.sampled_from(["value", "length"]),
)


@settings(max_examples=60)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["Status", "Number"]), values), min_size=1, max_size=5
    ),
    st.lists(tests, min_size=1, max_size=3),
    st.sampled_from(["all", "any"]),
)
def test_metadata_keeps_the_chunks_of_documents_that_satisfy(documents, asked, match):
    names = [f"d{place}" for place in range(len(documents))]
    fields = dict(zip(names, documents, strict=True))
    corpus = SmallCorpus(dict.fromkeys(names, ("one", "two")), fields)
    known = {name.lower(): name for each in documents for name in each}
    asked = [test for test in asked if test[0].lower() in known]
    if not asked:
        return
    predicates = [
        {"field": field, "comparison": comparison, "values": [value], "of": of}
        for field, comparison, value, of in asked
    ]

    def truth(document: dict[str, str]) -> bool:
        found = []
        for each in predicates:
            field = known[each["field"].lower()]
            value = field_value(document[field]) if field in document else None
            found.append(satisfies(value, Predicate.model_validate(each | {"field": field})))
        return all(found) if match == "all" else any(found)

    expected = {2 * n + each for n, has in enumerate(documents) if truth(has) for each in (0, 1)}
    call = ToolCall(tool="metadata", arguments={"predicates": predicates, "match": match})
    assert set(apply(corpus, BitMap(range(corpus.chunk_count)), call)) == expected
