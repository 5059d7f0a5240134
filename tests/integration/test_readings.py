"""The ADF graph with the real client: its replies' forms, its bill, its failures, its limits."""

from typing import Any

import pytest

from agent.adf_state import AdfAnswer, AdfOptions
from graphs.adf import build_adf_graph
from graphs.context import Context
from tests.built import built_once
from tests.fake_provider.asking import chat
from tests.fake_provider.server import FakeProvider
from tests.graphs.renewals import QUESTION, SENSES, build_renewals
from tests.integration.careful import asked_for, careful
from tests.integration.reader import Body
from tools.corpus.corpus import Corpus

QUESTION_GATE = AdfOptions(gate="question")
corpus = built_once(build_renewals)


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


def test_one_cluster_that_the_server_fails_costs_one_reading(
    corpus: Corpus, provider: FakeProvider
):
    def failing(text: str, body: Body) -> Any:
        own = text.rpartition("The passages of this group")[2]
        broken = asked_for(body) == "decompose" and SENSES["library"] in own
        return "500" if broken else careful(text, body)

    provider.answer = failing
    answer = answered(corpus, provider)
    assert len(answer.readings) == 2
    (failure,) = answer.failures
    assert (failure.step, answer.status) == ("decompose", "answered")
