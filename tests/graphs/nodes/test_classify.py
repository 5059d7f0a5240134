"""What whoever looks for ambiguities sees, and what a collection suggests for a label."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.ambiguity import Ambiguity, Coherence, Reading
from agent.prompt_values import ClassifyValues, DecomposeValues
from agent.question import Condition, Interpretation
from agent.reasoner import ALL_ABILITIES, Ability, Prompt
from agent.replies import InterpretReply
from agent.state import State
from graphs.context import Context
from graphs.disambiguation import usable
from graphs.nodes.classify import classify, ground
from tests.built import built
from tests.graphs.conftest import INTERPRETED, NARROWED
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus


@pytest.mark.parametrize(("paid", "shown"), [(True, ["1", "4", "8"]), (False, [])])
def test_the_documents_nearest_to_the_question_and_one_other_are_shown(
    paid: bool, shown: list[str], tmp_path: Path
):
    texts = {f"{number}.txt": f"Paper {number} is about lamps." for number in range(9)}
    texts |= {"1.txt": "A lease that allows animals.", "8.txt": "Leases and their animals."}
    reasoner = ScriptedReasoner({"classify": [{"ambiguities": []}]}, paid=paid)
    context = Context(corpus=built(texts, tmp_path), reasoner=reasoner)
    allowed = Condition(id="c1", text="allows animals")
    reading = Interpretation(text="?", entity_type="lease", conditions=allowed)
    state = State(question="How many leases allow animals?", interpretation=reading)
    classify(state, Runtime(context=context, stream_writer=lambda told: None))
    (prompt,) = reasoner.prompts
    assert [each.document for each in prompt.values_as(ClassifyValues).beginnings] == shown


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
    corpus: Corpus, state: State, **told: Any
) -> tuple[tuple[Ambiguity, ...], list[Prompt]]:
    """Return the ambiguities, and what was asked for them."""

    def decompose(prompt: Prompt) -> dict[str, str]:
        number = len(reasoner.prompts)
        return {"reason": "so", "label": f"cluster {number}", "question": f"Sense {number}?"}

    reasoner = ScriptedReasoner({"decompose": decompose}, **told)
    context = Context(corpus=corpus, reasoner=reasoner)
    runtime = Runtime(context=context, stream_writer=lambda _: None)
    read = usable(InterpretReply.model_validate(INTERPRETED), context)
    state = replace(state, interpretation=state.interpretation or read)
    return replace(state, **ground(state, runtime)).ambiguities, reasoner.prompts


def state(*ambiguities: Ambiguity, coherence: Coherence = SPREAD) -> State:
    return State(question=QUESTION, coherence=coherence, ambiguities=ambiguities)


def test_clusters_add_their_readings_behind_the_taxonomys(corpus: Corpus):
    (found,), asked = grounded(corpus, state(LABEL))
    assert len(asked) > 1
    assert [each.label for each in found.readings][:3] == ["one", "two", "cluster 1"]
    assert len(found.readings) <= 4


def test_only_documents_that_fields_leave_possible_suggest_readings(corpus: Corpus):
    york = usable(InterpretReply.model_validate(NARROWED), Context(corpus=corpus))
    _, asked = grounded(corpus, replace(state(LABEL), interpretation=york))
    shown = {one.document for each in asked for one in each.values_as(DecomposeValues).passages}
    assert shown
    assert shown <= {name for at, name in enumerate(corpus.documents) if at % 3 == 1}


@pytest.mark.parametrize(
    ("given", "abilities"),
    [
        (state(LABEL, coherence=ON_TOPIC), ALL_ABILITIES),
        (state(LABEL.model_copy(update={"code": "A1"})), ALL_ABILITIES),
        (state(), ALL_ABILITIES),
        (replace(state(LABEL), stopped="no more calls"), ALL_ABILITIES),
        (state(LABEL), frozenset({"judge", "choose"})),
    ],
    ids=["coherent", "another kind", "nothing open", "limit", "who cannot write"],
)
def test_nothing_is_asked_where_no_cluster_can_help(
    given: State, abilities: frozenset[Ability], corpus: Corpus
):
    assert grounded(corpus, given, abilities=abilities) == (given.ambiguities, [])
