import pytest

from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_state import BaselineState
from evals.baselines.retrieval_graphs import after_assess, progress
from evals.systems import BASELINES, observed
from graphs.context import Context
from tools.corpus.corpus import Corpus

NOTHING = {"reason": "", "items": [], "value": 0, "unit": None}


def _state(quality: float, novelty: float, rounds: int = 1, query: str = "rust") -> BaselineState:
    return BaselineState(question="?", quality=quality, novelty=novelty, rounds=rounds, query=query)


@pytest.mark.parametrize(
    ("quality", "novelty", "expected"), [(1, 1, 1.0), (0, 1, 0.4), (0.5, 0, 0.3), (0, 0.5, 0.2)]
)
def test_progress_weighs_quality_and_novelty(
    quality: float, novelty: float, expected: float
) -> None:
    assert progress(_state(quality, novelty)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("state", "way"),
    [
        (_state(0, 1), "retrieve"),
        (_state(0.5, 0), "retrieve"),
        (_state(0, 0.7), "read"),
        (_state(1, 1, rounds=3), "read"),
        (_state(1, 1, query=""), "read"),
        (BaselineState(question="?", quality=1, query="rust", stopped="calls"), "read"),
    ],
    ids=["new", "at the threshold", "no progress", "third round", "no query", "limit"],
)
def test_it_goes_on_while_that_makes_progress(state: BaselineState, way: str) -> None:
    assert after_assess(state) == way


def test_three_searches_are_the_most(bridges: Corpus) -> None:
    queries = iter(["rust", "closed", "paint", "lamps"])
    reader = ScriptedReasoner(
        {
            "assess": lambda _: {"reason": "", "quality": 1, "query": next(queries)},
            "answer": lambda _: NOTHING,
        }
    )
    context = Context(corpus=bridges, reasoner=reader)
    answer = observed(BASELINES["iterative-rag-5"], "Which report has rust?", context).answer
    assert [each.name for each in reader.prompts] == ["assess", "assess", "assess", "answer"]
    assert answer is not None
    assert answer.snapshots[0].arguments["queries"] == ["Which report has rust?", "rust", "closed"]
