import hashlib

import pytest
from langchain_core.tools import StructuredTool
from pyroaring import BitMap

from tools.filters import FILTERS, langchain_tools
from tools.filters.searchable import ids


class Kept(dict):
    def put(self, chunks: BitMap) -> str:
        name = hashlib.sha256(ids(chunks).tobytes()).hexdigest()[:12]
        self[name] = chunks
        return name

    def get(self, snapshot: str) -> BitMap:
        return self[snapshot]


@pytest.fixture
def snapshots(corpus) -> Kept:
    kept = Kept()
    kept["all"] = BitMap(range(corpus.chunk_count))
    return kept


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
    assert snapshots[done["snapshot"]] == BitMap([6, 7])
    predicates = [{"field": "Status", "comparison": "is", "values": ["Final"]}]
    done = tools["metadata"].invoke({"snapshot": "all", "predicates": predicates})
    assert snapshots[done["snapshot"]] == BitMap([0, 1, 2])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("exact", {"snapshot": "none", "phrase": "a"}, "there is no snapshot 'none'"),
        ("regex", {"snapshot": "all", "pattern": "(?=a)"}, "filter in two calls"),
        ("bm25", {"snapshot": "all", "query": "a"}, "give exactly one of best and min_score"),
        ("exact", {"snapshot": "all", "phrase": "a", "fuzzy": 1}, "no argument 'fuzzy'"),
        ("exact", {"phrase": "a"}, "'snapshot' is missing"),
    ],
)
def test_a_wrong_call_comes_back_as_words(tools, tool, arguments, message):
    assert message in tools[tool].invoke(arguments)
