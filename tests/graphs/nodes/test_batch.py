"""batch: requests hold what the model, its reply and the policy leave room for, and all of it."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.errors import SettingsError
from agent.policy import Policy
from agent.question import Condition, Interpretation
from evals.ablation import Ablation
from graphs.nodes.judge import batch
from graphs.search.cost_model import round_limits
from tests.graphs.searching import LOOP, Case, begun, context_of, letters_once, ran, reasoner_for
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

ABOUT = Condition(id="c1", text="is about it")
READING = Interpretation(text="?", entity_type="letter", conditions=ABOUT)
corpus = letters_once(8)


def batched(corpus: Corpus, chosen: BitMap, policy: Policy | None = None, **model: Any) -> Any:
    """Return the requests for the chosen chunks, and the limits they keep."""
    reasoner = ScriptedReasoner({}, **model)
    context = context_of(corpus, reasoner, policy)
    with context.store as store:
        round_ = ReadingRound(
            purpose="search", selection=store.put_ids(chosen), size=len(chosen), why="chosen"
        )
        state = begun(context, READING, rounds=(round_,))
        update = batch(state, Runtime(context=context, stream_writer=lambda told: None))
        found = store.batches(state.run)
        assert update == {"batches": len(found), "judged_batches": 0}
        return SimpleNamespace(batches=found, limits=round_limits(state, context, ()))


@given(
    chosen=st.sets(st.integers(0, 63), min_size=1),
    tokens=st.integers(1, 3000),
    reply=st.integers(50, 4000),
)
def test_every_chosen_chunk_is_in_one_request_that_fits(
    corpus: Corpus, chosen: set[int], tokens: int, reply: int
) -> None:
    policy = Policy(batch_tokens=tokens)
    made = batched(corpus, BitMap(chosen), policy, reply_tokens=reply)
    assert sorted(chunk for each in made.batches for chunk in each) == sorted(chosen)
    costs = made.limits.costs(corpus.chunk_tokens)
    for each in made.batches:
        assert len(each) <= made.limits.passages
        assert len(each) == 1 or sum(int(costs[chunk]) for chunk in each) <= made.limits.tokens


def test_a_short_reply_means_few_passages(corpus: Corpus) -> None:
    chosen = BitMap(range(len(corpus)))
    long = batched(corpus, chosen, reply_tokens=4000).batches
    short = batched(corpus, chosen, reply_tokens=330).batches
    assert max(len(each) for each in short) == 3 < max(len(each) for each in long)


@pytest.mark.parametrize("context", [600, 1000, 1500])
def test_a_context_without_room_is_refused_once_and_clearly(context: int, corpus: Corpus) -> None:
    case = Case(relevant={"c1": frozenset()})
    reasoner = reasoner_for(corpus, case, context_tokens=context, reply_tokens=500)
    with pytest.raises(SettingsError, match=r"no room for a passage.*larger context_tokens"):
        ran(corpus, case, LOOP, reasoner=reasoner)
    assert not any(prompt.name == "judge" for prompt in reasoner.prompts)


def test_a_part_of_batching_can_be_left_out(corpus: Corpus) -> None:
    chosen = BitMap(range(len(corpus)))
    whole = batched(corpus, chosen, Policy(batch_tokens=400)).batches
    policy = Ablation(batch_tokens=400, batching_without="greedy-batching")
    left = batched(corpus, chosen, policy).batches
    assert len(left) >= len(whole)
    assert left != whole
    clusters = corpus.clusters
    assert all(len({int(clusters[chunk]) for chunk in batch}) == 1 for batch in left)
