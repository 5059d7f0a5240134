"""Sub-questions from clusters: each grounded in its passages, different, and every loss counted."""

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.adf_state import AdfOptions
from agent.errors import MalformedReply
from agent.prompt_values import DecomposeValues
from agent.reasoner import Prompt
from graphs.context import Context
from graphs.disambiguation import grounded, retrieve
from tests.built import built_once
from tests.graphs.renewals import QUESTION, build_renewals, decomposed, reader, sense_of
from tests.scripted import Scripted
from tools.corpus.corpus import Corpus

corpus = built_once(build_renewals)


def grounding(corpus: Corpus, decompose: Callable[[Prompt], Scripted]) -> Any:
    context = Context(corpus=corpus, reasoner=reader(decompose=decompose))
    first, _ = retrieve(QUESTION, context, AdfOptions(thresholds="calibrated"))
    return grounded(QUESTION, first, Runtime(context=context, stream_writer=lambda told: None))


@pytest.mark.parametrize(
    "text", [QUESTION, "what is the RENEWAL policy", "The renewal policy: what is it?"]
)
def test_fewer_than_two_different_ones_are_none(text: str, corpus: Corpus):
    def repeating(prompt: Prompt) -> Scripted:
        return {"reason": "", "label": "x", "question": text}

    assert grounding(corpus, repeating)[0] == ()


def test_a_failed_request_and_an_abstention_are_counted_apart(corpus: Corpus):
    def unsure(prompt: Prompt) -> Scripted:
        match sense_of(prompt.values_as(DecomposeValues).passages):
            case "library":
                return MalformedReply("no JSON")
            case "insurance":
                return {"reason": "soup", "label": "", "question": " "}
        return decomposed(prompt)

    found, received = grounding(corpus, unsure)
    assert found == ()
    (failure,) = received.failures
    assert failure.step == "decompose"
    assert failure.error == "MalformedReply: no JSON"
    assert "of 3" in failure.about
