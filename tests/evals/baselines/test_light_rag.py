"""LightRAG between our texts and a model: what it is given, and what comes back."""

import json
import re
from importlib import metadata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cost import Budget
from agent.errors import ProviderRejected, SettingsError
from evals.baselines import light_rag
from evals.experiment import Arm
from evals.scores import Outcome
from evals.systems import SYSTEMS, observed
from graphs.context import Context
from tests.evals.bridges import CLOSED, RUSTY, record
from tests.fake_provider.asking import chat
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import quotes_hold
from tools.corpus.corpus import Corpus

_ENTITY = "entity<|#|>Span {0}<|#|>location<|#|>It is inspected.\n<|COMPLETE|>"
_WORDS = json.dumps({"high_level_keywords": ["rust"], "low_level_keywords": ["girders"]})


def _reply(text: str, _: dict[str, Any]) -> dict[str, Any]:
    """Answer as a model: name the reports that are shown with rust and a closure."""
    if "---Context---" not in text:
        span = re.findall(r"Report (\d)", text)
        return {"text": _WORDS if "high_level_keywords" in text else _ENTITY.format(*span[-1:])}
    shown = re.findall(r'"reference_id": "(\d+)", "content": "Report (\d)', text)
    quote = "Inspectors found rust on the girders of span {}."
    items = [
        {"name": each, "evidence": [{"passage": int(number), "quote": quote.format(each)}]}
        for number, each in shown
        if int(each) in RUSTY & CLOSED
    ]
    return {"reason": "Read.", "items": items, "value": None, "unit": None}


def _asked(corpus: Corpus, provider: FakeProvider, model: str = "fake", **options: Any) -> Outcome:
    pytest.importorskip("lightrag", reason="no LightRAG: pip install 'headcount[lightrag]'")
    provider.answer = _reply
    context = Context(corpus=corpus, reasoner=chat(provider, model, **options))
    return observed(SYSTEMS["lightrag"], record(), context)


def test_it_answers_with_the_documents_that_it_refers_to(
    bridges: Corpus, provider: FakeProvider
) -> None:
    outcome = _asked(bridges, provider)
    answer = outcome.answer
    assert (answer.status, answer.value, answer.warnings) == ("answered", 2, ())
    assert {each.documents for each in answer.entities} == {("report-2",), ("report-6",)}
    assert quotes_hold(answer, bridges)
    assert answer.cost.model_calls == provider.calls > len(bridges.documents)
    assert len(outcome.kept) == answer.coverage.judged > 0


def test_a_spent_budget_is_a_partial_answer(bridges: Corpus, provider: FakeProvider) -> None:
    answer = _asked(bridges, provider, budget=Budget(calls=2)).answer
    assert (answer.status, answer.value, provider.calls) == ("partial", None, 2)
    assert any("left out 10 of 10 documents" in each for each in answer.warnings)


def test_a_wrong_key_is_an_error(bridges: Corpus, provider: FakeProvider) -> None:
    with pytest.raises(ProviderRejected, match="Incorrect API key"):
        _asked(bridges, provider, "401")


@pytest.mark.parametrize("reader", ["gold", "skill:0.1", "lexical"])
def test_it_needs_a_model(reader: str) -> None:
    with pytest.raises(SettingsError, match="name a model with --reasoner"):
        Arm(name="lightrag", system="lightrag", reasoner=reader).check()


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(light_rag, "version", missing)
    with pytest.raises(SettingsError, match=r"headcount\[lightrag\]"):
        Arm(name="lightrag", system="lightrag", reasoner="gpt-4o-mini").check()


@given(st.text())
def test_tokens_give_the_text_back(text: str) -> None:
    tokens = light_rag.EstimatedTokens()
    assert tokens.decode(tokens.encode(text)) == text
