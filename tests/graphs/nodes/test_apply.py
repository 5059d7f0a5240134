"""A call that would keep nothing or change nothing is refused, unless nobody looks ahead."""

from typing import Any

import pytest
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.question import Condition, Interpretation
from agent.reasoner import ToolCall
from agent.state import Update
from evals.ablation import Ablation
from graphs.nodes.apply import apply
from tests.graphs.searching import begun, context_of
from tools.corpus.corpus import Corpus

READING = Interpretation(
    text="How many leases allow a pet?",
    entity_type="lease",
    conditions=Condition(id="c1", text="allows a pet"),
)
NOTHING, EVERYTHING = "zebra", "lease"


def applied(corpus: Corpus, word: str, **policy: Any) -> tuple[Update, int]:
    """Filter the whole corpus by a word; return the update and how many chunks are left."""
    context = context_of(corpus, policy=Ablation(**policy))
    arguments = {"words": [word], "match": "any", "at_least": None, "stem": True}
    with context.store as store:
        whole = store.put_ids(BitMap(range(len(corpus))))
        call = ToolCall(tool="keywords", arguments=arguments)
        state = begun(context, READING, snapshot=whole, call=call)
        update = apply(state, Runtime(context=context, stream_writer=lambda told: None))
        return update, len(store.ids(update.get("snapshot", whole)))


@pytest.mark.parametrize(
    ("word", "why"), [(NOTHING, "would keep nothing"), (EVERYTHING, "would change nothing")]
)
def test_a_call_without_a_use_is_refused_beforehand(corpus: Corpus, word: str, why: str) -> None:
    update, left = applied(corpus, word)
    assert why in update["history"][-1].refused
    assert left == len(corpus)


@pytest.mark.parametrize(("word", "kept"), [(NOTHING, 0), (EVERYTHING, None)])
def test_without_a_preview_it_is_carried_out(corpus: Corpus, word: str, kept: int | None) -> None:
    update, left = applied(corpus, word, preview=False)
    step = update["history"][-1]
    assert not step.refused
    assert step.verdict is None
    assert left == step.kept == (len(corpus) if kept is None else kept)
