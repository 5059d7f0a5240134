"""The node align: mentions become entities; what nobody can tell stays apart and is told."""

from typing import Any

from langgraph.runtime import Runtime

from agent.prompt_values import AlignValues
from agent.question import Interpretation
from graphs.nodes.align import align
from graphs.scope import scope
from tests.graphs.searching import begun, context_of, finding
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

READING = Interpretation(text="How many firms?", entity_type="firm", grain="entity")


def aligned(corpus: Corpus, same: bool | None, *names: str) -> tuple[dict[str, Any], Any, Any]:
    """Return the update, entities and doubts where a reader says so of all pairs, or nothing."""

    def reply(prompt: Any) -> dict[str, Any]:
        numbers = range(1, len(prompt.values_as(AlignValues).pairs) + 1)
        told = [{"pair": number, "reason": "", "same": same} for number in numbers]
        return {"pairs": told if same is not None else []}

    context = context_of(corpus, ScriptedReasoner({"align": reply}))
    state = begun(context, READING)
    found = [
        finding(corpus, at, "", "Title").model_copy(update={"entity": name})
        for at, name in enumerate(names)
    ]
    context.store.add_findings(scope(state), found)
    update = align(state, Runtime(context=context, stream_writer=lambda told: None))
    store = context.store
    return dict(update), store.entities(scope(state)), store.doubts(scope(state))


def test_pairs_left_out_are_kept_apart_stored_and_told(corpus: Corpus) -> None:
    update, entities, doubts = aligned(corpus, None, "J. Roe", "Jane Roe")
    assert set(entities) == {"J. Roe", "Jane Roe"}
    assert doubts == (("J. Roe", "Jane Roe"),)
    assert "1 pair of names" in update["warnings"][0]


def test_a_confirmed_pair_that_contradicts_another_stays_in_doubt(corpus: Corpus) -> None:
    _, entities, doubts = aligned(corpus, True, "J. Roe", "Jane Roe", "John Roe")
    assert sorted(map(len, entities.values())) == [0, 1]
    assert len(doubts) == 1
