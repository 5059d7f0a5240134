"""Whoever is paid to look for ambiguities sees how the documents nearest to the question begin."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.prompt_values import ClassifyValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from agent.state import State
from graphs.context import Context
from graphs.nodes.classify import classify
from tests.built import built
from tests.scripted import ScriptedReasoner


@pytest.mark.parametrize(("paid", "shown"), [(True, ["1", "4", "8"]), (False, [])])
def test_the_documents_nearest_to_the_question_and_one_other_are_shown(
    paid: bool, shown: list[str], tmp_path: Path
):
    texts = {f"{number}.txt": f"Paper {number} is about lamps." for number in range(9)}
    texts |= {"1.txt": "A lease that allows animals.", "8.txt": "Leases and their animals."}
    asked: list[Prompt] = []

    def reply(prompt: Prompt) -> dict[str, Any]:
        asked.append(prompt)
        return {"ambiguities": []}

    reasoner = ScriptedReasoner({"classify": reply}, paid=paid)
    context = Context(corpus=built(texts, tmp_path), reasoner=reasoner)
    allowed = Condition(id="c1", text="allows animals")
    reading = Interpretation(text="?", entity_type="lease", conditions=allowed)
    state = State(question="How many leases allow animals?", interpretation=reading)
    classify(state, Runtime(context=context, stream_writer=lambda told: None))
    (prompt,) = asked
    assert isinstance(prompt.values, ClassifyValues)
    assert [each.document for each in prompt.values.beginnings] == shown
