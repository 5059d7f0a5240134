"""Filter calls: offered, previewed, known when repeated; what they lack is told in words."""

import re

import pytest
from langchain_core.tools import StructuredTool
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.history import Step
from agent.reasoner import ToolCall
from tools.filters.filter_calls import Snapshots, langchain_tools, preview, same_call, sample
from tools.filters.registry import CONTROLS, FILTERS, apply, specs


def test_every_tool_is_offered_with_documented_arguments():
    offered = {spec.name: spec for spec in specs()}
    assert list(offered) == [*FILTERS, *CONTROLS]
    for spec in offered.values():
        assert spec.description
        for name, field in spec.arguments.model_fields.items():
            assert field.description, f"{spec.name}.{name}"


@pytest.mark.parametrize("spec", specs(), ids=lambda spec: spec.name)
def test_the_examples_of_a_description_are_valid_calls(spec):
    import json

    decoder = json.JSONDecoder()
    found = 0
    for place, sign in enumerate(spec.description):
        if sign == "{" and (place == 0 or spec.description[place - 1] == " "):
            try:
                example, _ = decoder.raw_decode(spec.description, place)
            except json.JSONDecodeError:
                continue
            if spec.arguments.model_fields.keys() >= example.keys():
                spec.arguments.model_validate(example)
                found += 1
    assert found


def test_the_nearest_lead_the_discarded(corpus):
    found = sample(corpus, BitMap(range(corpus.chunk_count)), "cooling system outage", 2, nearest=1)
    assert found[0] == 6


def step(tool: str, arguments: dict, before: str = "s0", **told) -> Step:
    call = ToolCall(tool=tool, arguments=arguments)
    return Step.model_validate({"round": 1, "call": call, "before": before, "after": "s1"} | told)


def predicate(field: str, comparison: str, *values: str) -> dict:
    return {"predicates": [{"field": field, "comparison": comparison, "values": list(values)}]}


SAME = [
    ("keywords", {"words": ["Notice", "lease"]}, {"words": ["lease", "Notice", "lease"]}),
    ("keywords", {"words": ["a"], "match": "any", "stem": True}, {"words": ["a"]}),
    ("union", {"snapshots": ["a", "b"]}, {"snapshots": ["b", "a"]}),
    ("keywords", {"word": ["a"]}, {"word": ["a"]}),
]
DIFFERENT = [
    ("keywords", {"words": ["a"]}, {"words": ["a"], "stem": False}),
    ("regex", {"pattern": r"\s"}, {"pattern": r"\S"}),
    ("bm25", {"query": "fee", "best": 5}, {"query": "fee", "best": 6}),
    (
        "metadata",
        predicate("Status", "between", "2015", "2017"),
        predicate("Status", "between", "2017", "2015"),
    ),
]


@pytest.mark.parametrize(("tool", "made", "asked"), SAME)
def test_a_repetition_is_recognised(tool, made, asked):
    first, later = step(tool, made), step(tool, asked, round=2)
    assert same_call([first, later], ToolCall(tool=tool, arguments=asked), "s0") is first


@pytest.mark.parametrize(("tool", "made", "asked"), DIFFERENT)
def test_another_call_is_another(tool, made, asked):
    assert same_call([step(tool, made)], ToolCall(tool=tool, arguments=asked), "s0") is None


@pytest.fixture
def snapshots(corpus) -> Snapshots:
    return Snapshots(BitMap(range(corpus.chunk_count)))


@pytest.fixture
def tools(corpus, snapshots) -> dict[str, StructuredTool]:
    return {tool.name: tool for tool in langchain_tools(corpus, snapshots)}


def test_a_call_makes_a_snapshot_and_tells_its_effect(tools, snapshots):
    done = tools["keywords"].invoke({"snapshot": "all", "words": ["cooling", "licence"]})
    assert done["kept"] == 2
    assert done["discarded"] == 7
    assert done["hint"].startswith("'licence' is in no chunk")
    assert snapshots.get(done["snapshot"]) == BitMap([6, 7])
    done = tools["metadata"].invoke({"snapshot": "all", **predicate("Status", "is", "Final")})
    assert snapshots.get(done["snapshot"]) == BitMap([0, 1, 2])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("exact", {"snapshot": "none", "phrase": "a"}, "there is no snapshot 'none'"),
        ("bm25", {"snapshot": "all", "query": "a"}, "give exactly one of best and min_score"),
        (
            "exact",
            {"snapshot": "all", "phrase": "a", "fuzzy": 1},
            "fuzzy: Extra inputs are not permitted",
        ),
        ("exact", {"phrase": "a"}, "snapshot: Field required"),
    ],
)
def test_a_wrong_call_comes_back_as_words(tools, tool, arguments, message):
    assert message in tools[tool].invoke(arguments)


def told(corpus, tool: str, arguments: dict, candidates: BitMap | None = None) -> str:
    among = BitMap(range(corpus.chunk_count)) if candidates is None else candidates
    return preview(corpus, among, ToolCall(tool=tool, arguments=arguments))[1]


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
        ("fuzzy", {"term": "xylophone"}, "'xylophone' is in no chunk"),
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
        ("keywords", {"words": ["a", "A"], "match": "at_least", "at_least": 2}, "above the number"),
        ("keywords", {"words": ["a"], "at_least": 1}, "exactly when match is 'at_least'"),
        ("fuzzy", {"term": "§"}, "no letters or digits"),
        ("metadata", predicate("Colour", "is", "red"), "it has: Party, Signed, Status, document"),
        ("metadata", predicate("Status", "between", "1"), "'between' needs 2 values, not 1"),
        ("metadata", predicate("Status", "is"), "'is' needs at least one value"),
        ("metadata", predicate("Status", "like", "F"), "predicates.0.comparison"),
        ("finish", {}, "'finish' is no filter"),
        ("regex", {"pattern": "(?=a)b"}, "look-ahead and look-behind, is not supported"),
        ("regex", {"pattern": r"(a)\1"}, "backreferences are not supported"),
        ("regex", {"pattern": "(a"}, "unclosed group; use exact for plain text"),
        ("regex", {"pattern": r"(\w{1000}){1000}"}, "size limit"),
        ("regex", {"pattern": "a" * 1001}, "for many words use keywords"),
        ("regex", {"pattern": ""}, "allowed are 1 to 1000"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_a_wrong_call_is_refused_in_plain_words(corpus, tool, arguments, message):
    for candidates in (BitMap([0]), BitMap()):
        with pytest.raises(ToolArgumentError, match=re.escape(message)):
            apply(corpus, candidates, ToolCall(tool=tool, arguments=arguments))
