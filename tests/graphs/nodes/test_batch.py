"""batch: requests hold what the model, its reply and the policy leave room for, and all of it."""

from itertools import chain
from typing import Any

import pytest
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.errors import SettingsError
from agent.policy import Policy
from agent.question import Condition, Interpretation
from evals.ablation import Ablation
from graphs.nodes.judge import batch
from tests.graphs.searching import LOOP, Case, begun, context_of, letters_once, ran, reasoner_for
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

ABOUT = Condition(id="c1", text="is about it")
READING = Interpretation(text="?", entity_type="letter", conditions=ABOUT)
corpus = letters_once(8)


def batched(corpus: Corpus, policy: Policy | None = None, **model: Any) -> list[list[int]]:
    """Return the requests for all chunks."""
    chosen = BitMap(range(len(corpus)))
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
        return found


def test_a_short_reply_means_few_passages(corpus: Corpus) -> None:
    long, short = (batched(corpus, reply_tokens=tokens) for tokens in (4000, 330))
    assert max(len(each) for each in short) == 3 < max(len(each) for each in long)


@pytest.mark.parametrize("context", [600, 1000, 1500])
def test_a_context_without_room_is_refused_once_and_clearly(context: int, corpus: Corpus) -> None:
    case = Case(relevant={"c1": frozenset()})
    reasoner = reasoner_for(corpus, case, context_tokens=context, reply_tokens=500)
    with pytest.raises(SettingsError, match=r"no room for a passage.*larger context_tokens"):
        ran(corpus, case, LOOP, reasoner=reasoner)
    assert not any(prompt.name == "judge" for prompt in reasoner.prompts)


def test_the_published_algorithm_can_batch_instead(corpus: Corpus) -> None:
    whole = batched(corpus, Policy(batch_tokens=400))
    left = batched(corpus, Ablation(batch_tokens=400, batching="algorithm_1"))
    assert sorted(chain.from_iterable(left)) == list(range(len(corpus)))
    assert left != whole
