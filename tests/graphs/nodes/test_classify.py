"""The paid look for ambiguities: who is spared it, and who is told so."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.ambiguity import Coherence
from agent.policy import Policy
from agent.prompt_values import ClassifyValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from agent.state import State
from graphs.context import Context
from graphs.nodes.classify import classify as node
from tests.built import built
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus, open_corpus

PLAIN = "How many leases allow animals?"
ON_TOPIC = Coherence(dispersion=0.0, separability=0.0, state="clear")
SPREAD = Coherence(dispersion=0.5, separability=0.5, state="ambiguous")


def classified(
    corpus: Corpus,
    coherence: Coherence | None,
    monkeypatch: pytest.MonkeyPatch,
    *,
    paid: bool = True,
    **policy: Any,
) -> tuple[State, list[Prompt], list[dict[str, Any]]]:
    """Return the state behind the node, the prompts that were sent, and the trace."""
    asked: list[Prompt] = []
    traced: list[dict[str, Any]] = []

    def reply(prompt: Prompt) -> dict[str, Any]:
        asked.append(prompt)
        return {"ambiguities": []}

    module = import_module("graphs.nodes.classify")
    monkeypatch.setattr(module, "coherence_of", lambda *_: coherence)
    reasoner = ScriptedReasoner({"classify": reply}, paid=paid)
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy(**policy))
    runtime = Runtime(context=context, stream_writer=traced.append)
    allowed = Condition(id="c1", text="allows animals")
    reading = Interpretation(text=PLAIN, entity_type="lease", conditions=allowed)
    before = State(question=PLAIN, interpretation=reading)
    return replace(before, **node(before, runtime)), asked, traced


@pytest.mark.parametrize(
    ("coherence", "policy", "asked"),
    [
        (ON_TOPIC, {}, 1),
        (ON_TOPIC, {"gate": "coherence"}, 0),
        (ON_TOPIC, {"gate": "off"}, 1),
        (SPREAD, {}, 1),
        (SPREAD, {"gate": "coherence"}, 1),
        (None, {"gate": "coherence"}, 1),
        (ON_TOPIC, {"gate": "coherence", "paid": False}, 1),
    ],
)
def test_a_clear_question_skips_the_paid_look(
    coherence: Coherence | None,
    policy: dict[str, Any],
    asked: int,
    corpus: Corpus,
    monkeypatch: pytest.MonkeyPatch,
):
    _, sent, _ = classified(corpus, coherence, monkeypatch, **policy)
    assert len(sent) == asked


def test_a_question_that_skipped_it_says_so(corpus: Corpus, monkeypatch: pytest.MonkeyPatch):
    after, _, traced = classified(corpus, ON_TOPIC, monkeypatch, gate="coherence")
    assert [(each["kind"], each["gate"]) for each in traced] == [("gate", "coherence")]
    assert [each for each in after.warnings if "no model was asked" in each]
    assert after.coherence == ON_TOPIC
    assert after.ambiguities == ()


def test_the_documents_nearest_to_the_question_and_one_other_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    texts = {f"{number}.txt": f"Paper {number} is about lamps." for number in range(9)}
    texts |= {"1.txt": "A lease that allows animals.", "8.txt": "Leases and their animals."}
    _, (prompt,), _ = classified(built(texts, tmp_path), ON_TOPIC, monkeypatch)
    assert isinstance(prompt.values, ClassifyValues)
    assert [each.document for each in prompt.values.beginnings] == ["1", "4", "8"]
    _, (prompt,), _ = classified(open_corpus(tmp_path / "corpus"), None, monkeypatch, paid=False)
    assert isinstance(prompt.values, ClassifyValues)
    assert not prompt.values.beginnings
