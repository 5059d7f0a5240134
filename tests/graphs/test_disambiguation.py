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
from tests.graphs.renewals import QUESTION, SENSES, build_renewals, decomposed, reader, sense_of
from tests.scripted import Scripted
from tools.corpus.corpus import Corpus

corpus = built_once(build_renewals)


@pytest.fixture
def events() -> list[Any]:
    return []


@pytest.fixture
def working(corpus: Corpus, events: list[Any]) -> Callable[..., Runtime[Context]]:
    """Return a runtime with a reader; of `decompose` with another function."""

    def made(decompose: Callable[[Prompt], Scripted] = decomposed) -> Runtime[Context]:
        context = Context(corpus=corpus, reasoner=reader(decompose=decompose))
        return Runtime(context=context, stream_writer=events.append)

    return made


def first(corpus: Corpus) -> tuple[int, ...]:
    options = AdfOptions(thresholds="calibrated")
    return retrieve(QUESTION, Context(corpus=corpus), options)[0]


def test_the_first_2k_chunks_are_retrieved_and_measured(corpus: Corpus):
    chunks, coherence = retrieve(QUESTION, Context(corpus=corpus), AdfOptions(k=3))
    assert len(chunks) == len(set(chunks)) == 6
    assert coherence is not None


def test_each_cluster_near_the_question_gives_a_sub_question_of_its_passages(
    corpus: Corpus, working: Any
):
    found, _ = grounded(QUESTION, first(corpus), working())
    assert {each.label for each in found} == {f"{sense} renewal" for sense in SENSES}
    for each in found:
        names = {corpus.documents[corpus.chunk_document[chunk]] for chunk in each.chunks}
        assert {name.partition("-")[0] for name in names} == {each.label.partition(" ")[0]}
        assert each.why


@pytest.mark.parametrize(
    "text", [QUESTION, "what is the RENEWAL policy", "The renewal policy: what is it?"]
)
def test_fewer_than_two_different_ones_are_none(text: str, corpus: Corpus, working: Any):
    def repeating(prompt: Prompt) -> Scripted:
        return {"reason": "", "label": "x", "question": text}

    assert grounded(QUESTION, first(corpus), working(repeating))[0] == ()


def test_a_failed_request_and_an_abstention_are_counted_apart(corpus: Corpus, working: Any):
    def unsure(prompt: Prompt) -> Scripted:
        match sense_of(prompt.values_as(DecomposeValues).passages):
            case "library":
                return MalformedReply("no JSON")
            case "insurance":
                return {"reason": "soup", "label": "", "question": " "}
        return decomposed(prompt)

    found, received = grounded(QUESTION, first(corpus), working(unsure))
    assert found == ()
    (failure,) = received.failures
    assert failure.step == "decompose"
    assert failure.error == "MalformedReply: no JSON"
    assert "of 3" in failure.about
