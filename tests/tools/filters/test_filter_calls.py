import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import StructuredTool
from pyroaring import BitMap

from agent.history import Step
from agent.reasoner import ToolCall
from tests.tools.filters.conftest import DOCUMENTS
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.filter_calls import Snapshots, langchain_tools, preview, same_call, sample
from tools.filters.registry import FILTERS

CORPUS = SmallCorpus(DOCUMENTS)
CHUNKS = range(CORPUS.chunk_count)
sets = st.builds(BitMap, st.sets(st.sampled_from(CHUNKS)))


@given(sets, sets)
def test_a_preview_parts_the_candidates_and_counts_the_lost(candidates, positives):
    call = ToolCall(tool="keywords", arguments={"words": ["cooling", "license"]})
    seen = preview(CORPUS, candidates, call, positives)
    assert seen.kept | seen.discarded == candidates
    assert not seen.kept & seen.discarded
    assert seen.lost == candidates & positives - seen.kept


def test_the_nearest_lead_the_discarded():
    found = sample(CORPUS, BitMap(CHUNKS), "cooling system outage", 2, nearest=1)
    assert found[0] == 6


def step(tool: str, arguments: dict, before: str = "s0", **told) -> Step:
    call = ToolCall(tool=tool, arguments=arguments)
    return Step.model_validate({"round": 1, "call": call, "before": before, "after": "s1"} | told)


def predicates(*values: str, comparison: str = "is") -> dict:
    return {"predicates": [{"field": "Status", "comparison": comparison, "values": list(values)}]}


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
        predicates("2015", "2017", comparison="between"),
        predicates("2017", "2015", comparison="between"),
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


def test_every_filter_is_a_tool_that_a_model_can_bind(tools):
    from langchain_core.utils.function_calling import convert_to_openai_tool

    assert list(tools) == list(FILTERS)
    for name, tool in tools.items():
        schema = convert_to_openai_tool(tool)["function"]["parameters"]
        assert set(schema["properties"]) == {"snapshot", *FILTERS[name].arguments.model_fields}
        assert "snapshot" in schema["required"]
        assert all(each["description"] for each in schema["properties"].values())


def test_a_call_makes_a_snapshot_and_tells_its_effect(tools, snapshots):
    done = tools["keywords"].invoke({"snapshot": "all", "words": ["cooling", "licence"]})
    assert done["kept"] == 2
    assert done["discarded"] == 7
    assert done["hint"].startswith("'licence' is in no chunk")
    assert snapshots.get(done["snapshot"]) == BitMap([6, 7])
    predicates = [{"field": "Status", "comparison": "is", "values": ["Final"]}]
    done = tools["metadata"].invoke({"snapshot": "all", "predicates": predicates})
    assert snapshots.get(done["snapshot"]) == BitMap([0, 1, 2])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("exact", {"snapshot": "none", "phrase": "a"}, "there is no snapshot 'none'"),
        ("regex", {"snapshot": "all", "pattern": "(?=a)"}, "is not supported"),
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
