"""verify asks a second reasoner only where one was given and something was read."""

from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.question import Condition, Interpretation
from agent.state import State
from graphs.context import Context
from graphs.nodes.judge import verify
from graphs.scope import ledger
from tests.graphs.conftest import judged
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

PETS = Condition(id="c1", text="allows the tenant to keep a pet")
STATE = State(
    question="?",
    run="r",
    interpretation=Interpretation(text="?", entity_type="lease", conditions=PETS),
)


def runtime(corpus: Corpus, told: list[Any], *, size: int, second: bool = True) -> Runtime[Any]:
    reasoner = ScriptedReasoner({"judge": judged}, name="second")
    store = Context(corpus=corpus).store
    store.create("r", "?", "digest", "graph", "model", "now")
    context = SimpleNamespace(
        corpus=corpus,
        store=store,
        reasoner=ScriptedReasoner({}),
        second=(lambda spent: reasoner) if second else None,
        policy=SimpleNamespace(second_sample=size, batch_tokens=500),
    )
    return Runtime(context=context, stream_writer=told.append)


@pytest.mark.parametrize(("size", "second"), [(0, True), (5, False)], ids=["no sample", "nobody"])
def test_nothing_is_asked_that_was_not_wanted(size: int, second: bool, corpus: Corpus) -> None:
    told: list[Any] = []
    assert verify(STATE, runtime(corpus, told, size=size, second=second)) == {}
    assert not told


def test_the_opinion_is_kept_and_the_prompt_is_traced(corpus: Corpus) -> None:
    told: list[Any] = []
    given = runtime(corpus, told, size=3)
    ledger(STATE, given.context).judge("c1", yes=BitMap(), no=BitMap(range(9)))
    update: dict[str, Any] = {**verify(STATE, given)}
    opinion = update["second_opinion"]
    assert (opinion.by, sum(each.drawn for each in opinion.strata)) == ("second", 3)
    assert [(each["kind"], each["prompt"]) for each in told] == [("prompt", "judge")]
