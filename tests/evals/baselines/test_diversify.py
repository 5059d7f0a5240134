from typing import Any

import pytest

from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_prompts import BaselineValues
from evals.systems import BASELINES, observed
from graphs.context import Context
from tools.corpus.corpus import Corpus

READINGS = ["Which reports tell of rust?", "Which tell of a closure?", "Of paint?", "Of lamps?"]


def _run(corpus: Corpus, verified: dict[str, Any]) -> tuple[ScriptedReasoner, Any]:
    reader = ScriptedReasoner(
        {
            "diversify": lambda _: {"readings": READINGS},
            "verify": lambda _: {"reason": ""} | verified,
            "answer": lambda _: {"reason": "", "items": [], "value": 1, "unit": None},
        }
    )
    context = Context(corpus=corpus, reasoner=reader)
    return reader, observed(BASELINES["diversify-verify"], "How many?", context).answer


def test_it_answers_from_the_passages_that_serve(bridges: Corpus) -> None:
    reader, answer = _run(bridges, {"useful": [2, 1, 99], "verdict": "partly"})
    _, verify, last = reader.prompts
    assert (
        last.values_as(BaselineValues).passages[0].chunk
        == verify.values_as(BaselineValues).passages[0].chunk
    )
    assert len(last.values_as(BaselineValues).passages) == 2
    assert answer.snapshots[0].arguments["queries"] == ["How many?", *READINGS[:3]]


@pytest.mark.parametrize(
    "verified",
    [{"useful": [1], "verdict": "useless"}, {"useful": [], "verdict": "useful"}],
    ids=["useless", "none named"],
)
def test_it_answers_from_what_it_knows_where_no_passage_serves(
    verified: dict[str, Any], bridges: Corpus
) -> None:
    reader, _ = _run(bridges, verified)
    assert reader.prompts[-1].values_as(BaselineValues).passages is None
