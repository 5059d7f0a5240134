"""What holds of every filter."""

from typing import Any

import pytest

from tools.filters import FILTERS, specs
from tools.filters.registry import CONTROLS

SELECTING: list[tuple[str, dict[str, Any]]] = [
    ("exact", {"phrase": "cooling"}),
    ("exact", {"phrase": "IT", "case_sensitive": True, "whole_word": True}),
    ("keywords", {"words": ["licenses", "non compete", "C++"]}),
    ("keywords", {"words": ["the", "a"], "match": "all", "stem": False}),
    ("keywords", {"words": ["cool", "fail", "policy"], "match": "at_least", "at_least": 2}),
    ("regex", {"pattern": r"\b\d+\b"}),
    ("fuzzy", {"term": "Kubernetes"}),
    ("fuzzy", {"term": "coolin failur", "distance": 1}),
    ("bm25", {"query": "cooling outage", "min_score": 0.5}),
    ("semantic", {"query": "cooling outage", "min_cosine": 0.2}),
    ("metadata", {"predicates": [{"field": "status", "comparison": "is", "values": ["final"]}]}),
    ("metadata", {"predicates": [{"field": "document name", "comparison": "exists"}]}),
]
RANKING: list[tuple[str, dict[str, Any]]] = [
    ("bm25", {"query": "the supplier terminates", "best": 2}),
    ("semantic", {"query": "the supplier terminates", "best": 3}),
]


def names(calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [f"{tool}-{number}" for number, (tool, _) in enumerate(calls)]


every = pytest.mark.parametrize(
    ("tool", "arguments"), SELECTING + RANKING, ids=names(SELECTING + RANKING)
)


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
