import re

import pytest
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.reasoner import ToolCall
from tools.filters.filter_calls import preview
from tools.filters.registry import apply


def predicate(field: str, comparison: str, *values: str) -> dict:
    return {"predicates": [{"field": field, "comparison": comparison, "values": list(values)}]}


def told(corpus, tool: str, arguments: dict, candidates: BitMap | None = None) -> str:
    among = BitMap(range(corpus.chunk_count)) if candidates is None else candidates
    return preview(corpus, among, ToolCall(tool=tool, arguments=arguments), BitMap()).hint


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        (
            "keywords",
            {"words": ["licence"]},
            "'licence' is in no chunk, the corpus has: license (1)",
        ),
        ("keywords", {"words": ["zebra", "cooling"]}, "'zebra' is in no chunk"),
        ("keywords", {"words": ["licenses"]}, ""),
        (
            "keywords",
            {"words": ["licenses"], "stem": False},
            "'licenses' is in no chunk, the corpus has: license (1), licensing (1)",
        ),
        ("exact", {"phrase": "licens"}, ""),
        (
            "exact",
            {"phrase": "licens", "whole_word": True},
            "'licens' is in no chunk, the corpus has: license (1)",
        ),
        ("fuzzy", {"term": "Kubernets"}, ""),
        ("fuzzy", {"term": "xylophone"}, "'xylophone' is in no chunk"),
        ("bm25", {"query": "coolings", "best": 3}, "'coolings' is in no chunk"),
        ("regex", {"pattern": "zebra"}, "no candidate matches, though other chunks"),
        (
            "metadata",
            predicate("status", "is", "final", "Open"),
            "'Status' is 'Open' matches no document, its values are: Draft (1), Final (1)",
        ),
        (
            "metadata",
            predicate("Signed", "at_least", "2020"),
            (
                "'Signed' at_least '2020' matches no document, "
                "its values go from 2015-03-01 to 2019-11-20"
            ),
        ),
        (
            "metadata",
            predicate("document name", "contains", "zebra"),
            "matches no document, the documents are named like: contracts/lease-12",
        ),
        ("metadata", predicate("status", "is", "final"), ""),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_a_hint_names_what_the_corpus_has_instead(corpus, tool, arguments, hint):
    found = told(corpus, tool, arguments)
    assert hint in found
    assert bool(hint) == bool(found)


def test_whatever_keeps_nothing_is_explained(corpus):
    assert told(corpus, "keywords", {"words": ["cooling"]}, BitMap([0]))


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {}, "there is no tool 'search'; there are: metadata, keywords"),
        (
            "keywords",
            {"word": ["a"]},
            "word: Extra inputs are not permitted. The arguments are: words",
        ),
        ("keywords", {"words": "a"}, "words: Input should be a valid tuple"),
        ("keywords", {"words": []}, "at least 1 item"),
        ("keywords", {"words": ["a", "A"], "match": "at_least", "at_least": 2}, "above the number"),
        ("keywords", {"words": ["a"], "at_least": 1}, "exactly when match is 'at_least'"),
        ("exact", {"phrase": ""}, "at least 1 character"),
        ("fuzzy", {"term": "§"}, "no letters or digits"),
        ("metadata", predicate("Colour", "is", "red"), "it has: Party, Signed, Status, document"),
        ("metadata", predicate("Status", "between", "1"), "'between' needs 2 values, not 1"),
        ("metadata", predicate("Status", "is"), "'is' needs at least one value"),
        ("metadata", predicate("Status", "like", "F"), "predicates.0.comparison"),
        ("finish", {}, "'finish' is no filter"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_a_wrong_call_is_refused_in_plain_words(corpus, tool, arguments, message):
    with pytest.raises(ToolArgumentError, match=re.escape(message)):
        apply(corpus, BitMap([0]), ToolCall(tool=tool, arguments=arguments))
