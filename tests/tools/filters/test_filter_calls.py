import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.history import Step
from agent.reasoner import ToolCall
from tests.tools.filters.conftest import DOCUMENTS
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.filter_calls import preview, same_call, sample

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
