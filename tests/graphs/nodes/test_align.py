"""The node align: mentions become entities; what nobody can tell stays apart and is told."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from langgraph.runtime import Runtime

from agent.evidence import Finding
from agent.prompt_values import AlignValues
from agent.question import Interpretation
from agent.reasoner import Prompt
from agent.state import State
from graphs.context import Context
from graphs.nodes.align import align
from graphs.scope import scope
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

READING = Interpretation(text="How many firms?", entity_type="firm", grain="entity")


@pytest.fixture
def run(corpus: Corpus) -> Callable[..., tuple[dict[str, Any], Context, State]]:
    def _run(
        names: list[str], reply: Callable[[Prompt], Scripted]
    ) -> tuple[dict[str, Any], Context, State]:
        context = Context(corpus=corpus, reasoner=ScriptedReasoner({"align": reply}))
        state = State(question="How many?", run="r", interpretation=READING)
        context.store.create("r", "How many?", corpus.digest, "g", "scripted", "2026")
        found = [
            Finding(
                chunk=0, document="d", condition="", entity=name, start=at, end=at + 1, quote="q"
            )
            for at, name in enumerate(names)
        ]
        context.store.add_findings(scope(state), found)
        runtime = SimpleNamespace(context=context, stream_writer=lambda event: None)
        return dict(align(state, cast("Runtime[Context]", runtime))), context, state

    return _run


def _all(prompt: Prompt) -> Scripted:
    pairs = cast("tuple[tuple[str, str], ...]", prompt.values_as(AlignValues).pairs)
    told = [{"pair": number, "reason": "", "same": True} for number in range(1, len(pairs) + 1)]
    return {"pairs": told}


def test_pairs_left_out_are_kept_apart_stored_and_told(run: Any) -> None:
    update, context, state = run(["J. Roe", "Jane Roe"], lambda _: {"pairs": []})
    assert set(context.store.entities(scope(state))) == {"J. Roe", "Jane Roe"}
    assert context.store.doubts(scope(state)) == (("J. Roe", "Jane Roe"),)
    assert "1 pair of names" in update["warnings"][0]


def test_a_confirmed_pair_that_contradicts_another_stays_in_doubt(run: Any) -> None:
    _, context, state = run(["J. Roe", "Jane Roe", "John Roe"], _all)
    entities = context.store.entities(scope(state))
    assert sorted(map(len, entities.values())) == [0, 1]
    assert len(context.store.doubts(scope(state))) == 1
