"""What a collection suggests for a label that it does not define; nothing is paid where clear."""

from dataclasses import replace
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.ambiguity import Ambiguity, Coherence, Reading
from agent.policy import Policy
from agent.reasoner import Prompt
from agent.reasoners.scripted import ScriptedReasoner
from agent.state import State
from graphs.context import Context
from graphs.nodes.ground import ground
from tools.corpus.corpus import Corpus

QUESTION = "Which leases deal with heating, windows and the stairs, or allow animals?"
LABEL = Ambiguity(
    code="C3",
    span="leases",
    why="nothing says what belongs to it",
    readings=(Reading(label="one", question="One?"), Reading(label="two", question="Two?")),
)
SPREAD = Coherence(dispersion=0.5, separability=0.5, state="ambiguous")
ON_TOPIC = Coherence(dispersion=0.0, separability=0.0, state="clear")


def grounded(
    corpus: Corpus, state: State, asked: list[Prompt], **policy: Any
) -> tuple[Ambiguity, ...]:
    def decompose(prompt: Prompt) -> dict[str, str]:
        asked.append(prompt)
        number = len(asked)
        return {"reason": "so", "label": f"cluster {number}", "question": f"Sense {number}?"}

    reasoner = ScriptedReasoner({"decompose": decompose})
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy(**policy))
    runtime = Runtime(context=context, stream_writer=lambda _: None)
    return replace(state, **ground(state, runtime)).ambiguities


def state(*ambiguities: Ambiguity, coherence: Coherence = SPREAD) -> State:
    return State(question=QUESTION, coherence=coherence, ambiguities=ambiguities)


def test_clusters_add_their_readings_behind_the_taxonomys(corpus: Corpus):
    asked: list[Prompt] = []
    (found,) = grounded(corpus, state(LABEL), asked)
    assert len(asked) > 1
    assert [each.label for each in found.readings][:3] == ["one", "two", "cluster 1"]
    assert len(found.readings) <= 4


@pytest.mark.parametrize(
    ("given", "policy"),
    [
        (state(LABEL, coherence=ON_TOPIC), {}),
        (state(LABEL.model_copy(update={"code": "A1"})), {}),
        (state(), {"gate": "off"}),
        (replace(state(LABEL), stopped="no more calls"), {}),
    ],
    ids=["coherent", "another kind", "nothing open", "limit"],
)
def test_nothing_is_asked_where_no_cluster_can_help(
    given: State, policy: dict[str, Any], corpus: Corpus
):
    asked: list[Prompt] = []
    assert grounded(corpus, given, asked, **policy) == given.ambiguities
    assert not asked


def test_without_the_gate_a_coherent_retrieval_is_looked_at_too(corpus: Corpus):
    asked: list[Prompt] = []
    grounded(corpus, state(LABEL, coherence=ON_TOPIC), asked, gate="off")
    assert asked
