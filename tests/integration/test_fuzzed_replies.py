"""Whatever a model or its server replies, a run adds up or ends with an error of our own."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.errors import HeadcountError
from tests.fake_provider.asking import COUNT, FIND, PROMPT, Firm, chat
from tests.fake_provider.replies import GOOD, Reply, completion, tool_completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.prepared import copied
from tests.integration.asking import FILTERED, adds_up, answered, quotes_hold
from tests.integration.reader import Body, prompt_of, read
from tests.mutations import mutated_bytes, mutated_json
from tools.corpus.corpus import Corpus

pytestmark = [pytest.mark.slow, pytest.mark.faults]
LENIENT = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.fixture(scope="module")
def served(_provider_process: FakeProvider) -> FakeProvider:
    """The provider of all examples."""
    return _provider_process


@pytest.mark.parametrize("choosing", [False, True], ids=["reply", "tool"])
@given(drawn=st.data())
@LENIENT
def test_a_mutated_response_is_a_reply_or_an_error_and_has_a_cost(
    choosing: bool, drawn: st.DataObject, served: FakeProvider
) -> None:
    good = tool_completion("count", GOOD) if choosing else completion(GOOD)
    body = json.dumps(drawn.draw(mutated_json(json.loads(good.body)))).encode()
    if not drawn.draw(st.integers(0, 4)):
        body = drawn.draw(mutated_bytes(body))
    served.reset()
    served.answer = lambda *_: Reply(body=body)
    reasoner = chat(served)
    try:
        if choosing:
            assert reasoner.choose(PROMPT, (FIND, COUNT)).tool in {"find", "count"}
        else:
            assert isinstance(reasoner.ask(PROMPT, Firm), Firm)
    except HeadcountError:
        pass
    cost = reasoner.spent()
    assert 0 < cost.model_calls <= 2 * served.calls
    for spent in (cost.input_tokens, cost.output_tokens, cost.usd or 0.0):
        assert math.isfinite(spent)
        assert spent >= 0


@pytest.fixture(scope="module")
def leases(_built: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return copied(_built, tmp_path_factory.mktemp("fuzzed"))


@pytest.fixture(scope="module")
def good(leases: Corpus, _provider_process: FakeProvider) -> dict[str, Any]:
    """The replies of a run to each prompt, as the JSON that they hold."""
    told: dict[str, Any] = {}

    def noting(text: str, body: Body) -> Reply:
        reply = read(text, body)
        told.setdefault(prompt_of(body), json.loads(_holder(json.loads(reply.body))[1]))
        return reply

    _provider_process.reset()
    _provider_process.answer = noting
    answered(leases, chat(_provider_process), FILTERED)
    return told


def _holder(completed: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return what holds a completion's own JSON, and that."""
    message = completed["choices"][0]["message"]
    if message["content"] and not message.get("tool_calls"):
        return message, message["content"]
    function = message["tool_calls"][0]["function"]
    return function, function["arguments"]


@given(drawn=st.data())
@LENIENT
def test_a_reply_of_the_right_form_with_wrong_content_leaves_a_true_answer(
    drawn: st.DataObject, good: dict[str, Any], leases: Corpus, served: FakeProvider
) -> None:
    spoilt = drawn.draw(st.sampled_from(list(good)))
    content = json.dumps(drawn.draw(mutated_json(good[spoilt])))

    def spoiling(text: str, body: Body) -> Reply:
        reply = read(text, body)
        if prompt_of(body) != spoilt:
            return reply
        completed = json.loads(reply.body)
        holder, _ = _holder(completed)
        holder["arguments" if "arguments" in holder else "content"] = content
        return Reply(body=json.dumps(completed).encode())

    served.reset()
    served.answer = spoiling
    try:
        answer = answered(leases, chat(served), FILTERED)
    except HeadcountError:
        return
    assert adds_up(answer)
    assert quotes_hold(answer, leases)
