import pytest

from agent.history import Step
from agent.reasoner import ToolCall
from tools.filters import same_call


def step(tool: str, arguments: dict, before: str = "s0", **told) -> Step:
    call = ToolCall(tool=tool, arguments=arguments)
    return Step.model_validate({"round": 1, "call": call, "before": before, "after": "s1"} | told)


def predicates(*values: str, comparison: str = "is") -> dict:
    return {"predicates": [{"field": "Status", "comparison": comparison, "values": list(values)}]}


SAME = [
    ("keywords", {"words": ["Notice", "lease"]}, {"words": ["lease", "notice", "LEASE"]}),
    ("keywords", {"words": ["a"], "match": "any", "stem": True}, {"words": ["a"]}),
    ("exact", {"phrase": "Net  30"}, {"phrase": "net 30"}),
    ("bm25", {"query": "fee increase", "best": 5}, {"query": "Increase, fee", "best": 5}),
    ("semantic", {"query": "Fee increase", "best": 5}, {"query": "fee increase", "best": 5}),
    ("fuzzy", {"term": "Kubernetes"}, {"term": "kubernetes", "distance": None}),
    ("metadata", predicates("Final", "Draft"), predicates("draft", "final")),
    ("union", {"snapshots": ["a", "b"]}, {"snapshots": ["b", "a"]}),
    ("keywords", {"word": ["a"]}, {"word": ["a"]}),
]
DIFFERENT = [
    ("keywords", {"words": ["a"]}, {"words": ["a"], "stem": False}),
    ("exact", {"phrase": "IT", "case_sensitive": True}, {"phrase": "it", "case_sensitive": True}),
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


def test_another_snapshot_or_tool_makes_another_call():
    call = ToolCall(tool="keywords", arguments={"words": ["a"]})
    assert same_call([step("keywords", {"words": ["a"]}, before="s9")], call, "s0") is None
    assert same_call([step("exact", {"phrase": "a"})], call, "s0") is None
    assert same_call([], call, "s0") is None
