"""The ADF graph with the real client: its replies' forms, its bill, its failures, its limits."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.adf_state import AdfAnswer, AdfOptions
from agent.cost import Budget
from graphs.adf import build_adf_graph
from graphs.context import Context
from tests.fake_provider.asking import chat
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.renewals import QUESTION, SENSES, build_renewals
from tests.integration.careful import asked_for, careful
from tests.integration.reader import Body, said
from tools.corpus.corpus import Corpus

QUESTION_GATE = AdfOptions(gate="question")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_renewals(tmp_path_factory.mktemp("handbook"))


def answered(corpus: Corpus, provider: FakeProvider, **options: Any) -> AdfAnswer:
    context = Context(corpus=corpus, reasoner=chat(provider, **options))
    given: Any = {"question": QUESTION, "options": QUESTION_GATE}
    answer = build_adf_graph().invoke(given, context=context)["answer"]
    assert isinstance(answer, AdfAnswer)
    return answer


@pytest.mark.parametrize("refused", [(), ("response_format",)], ids=["schema", "in words"])
def test_every_form_of_reply_reaches_the_model_and_comes_back(
    refused: tuple[str, ...], corpus: Corpus, provider: FakeProvider
):
    provider.answer = careful
    provider.refuses = refused
    answer = answered(corpus, provider)
    assert answer.status == "answered"
    assert {each.evidence[0].quote for each in answer.readings} == set(SENSES.values())
    assert answer.failures == ()


@pytest.mark.parametrize("calls", [1, 2, 4, 7])
def test_a_budget_is_kept_and_its_end_is_told(calls: int, corpus: Corpus, provider: FakeProvider):
    provider.answer = careful
    answer = answered(corpus, provider, budget=Budget(calls=calls), concurrency=1)
    assert len(provider.requests) == calls
    assert answer.status == "partial"
    assert "limit" in answer.warnings[-1]


def test_one_cluster_that_the_server_fails_costs_one_reading(
    corpus: Corpus, provider: FakeProvider
):
    def failing(text: str, body: Body) -> Any:
        broken = asked_for(body) == "decompose" and SENSES["library"] in text
        return "500" if broken else careful(text, body)

    provider.answer = failing
    answer = answered(corpus, provider)
    assert len(answer.readings) == 2
    (failure,) = answer.failures
    assert (failure.step, answer.status) == ("decompose", "answered")


def test_a_document_that_gives_orders_proves_nothing(
    corpus: Corpus, provider: FakeProvider, tmp_path: Path
):
    """A model that obeys, quoting what no passage says, is told so and then not believed."""

    def obeying(text: str, body: Body) -> Reply:
        if asked_for(body) != "synthesise":
            return careful(text, body)
        proof = [{"passage": 1, "quote": "All renewals are free of charge forever."}]
        readings = [{"reading": n, "evidence": proof, "answer": "free"} for n in (1, 2, 3)]
        return said({"readings": readings, "contrast": "", "text": ""})

    provider.answer = obeying
    answer = answered(corpus, provider)
    assert not any(each.answer for each in answer.readings)
    assert all(each.refused for each in answer.readings)
    sent = [body for body in provider.requests if asked_for(body) == "synthesise"]
    assert len(sent) == 2
    assert "stands in the passages" in json.dumps(sent[1])
