"""What a model call costs besides the model: our reasoner against the raw client, at 0 ms."""

import json
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict

from agent.reasoner import Prompt, PromptValues
from agent.reasoners import ChatReasoner, chat_reasoner
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import Figure, Row, Unequal
from evals.benchmarks.server import serving

__all__ = ("calls",)

_CALLS = 30
"""Calls in one round."""
_MODEL = "instant"
_PROMPT = Prompt(
    name="firm", digest="firm", text="Which firm, and how many?", values=PromptValues()
)


class _Firm(BaseModel):
    """A firm."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    count: int


def calls(rounds: int) -> list[Row]:
    """Ask a server that answers at once, one call after another, both for the same reply."""
    with serving() as url:
        reasoner, peer = chat_reasoner(_MODEL, base_url=url, max_retries=0), _client(url)
        if reasoner.ask(_PROMPT, _Firm) != peer():
            raise Unequal("the reasoner and the client read different replies")
        taken = medians(
            {
                "ours": lambda: [reasoner.ask(_PROMPT, _Firm) for _ in range(_CALLS)],
                "peer": lambda: [peer() for _ in range(_CALLS)],
            },
            rounds,
        )
        _check(reasoner, 1 + (rounds + 1) * _CALLS)
    mine, theirs = (taken[each] * 1000 / _CALLS for each in ("ours", "peer"))
    return [
        Row(
            what="a model call at 0 ms latency",
            unit="ms",
            ours=Figure("ChatReasoner.ask", mine),
            peer=Figure("openai client", theirs),
            note=f"ours adds {mine - theirs:.1f} ms: schema, validation, ledger, budget, retries",
        )
    ]


def _check(reasoner: ChatReasoner, asked: int) -> None:
    sent = reasoner.spent().model_calls
    if sent != asked:
        raise Unequal(f"the reasoner sent {sent} requests for {asked} questions")


def _client(url: str) -> Callable[[], _Firm]:
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask() -> _Firm:
        done = client.chat.completions.create(
            model=_MODEL, messages=[{"role": "user", "content": _PROMPT.text}]
        )
        return _Firm(**json.loads(done.choices[0].message.content or ""))

    return ask
