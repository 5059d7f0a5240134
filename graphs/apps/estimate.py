"""`--estimate`: what a question would cost, before anything is spent."""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from agent.policy import Policy
from agent.settings import Settings, load_settings
from agent.state import Question
from graphs.apps.asking import Request
from graphs.apps.exits import Exit
from graphs.apps.opening import open_context
from graphs.checkpoints import serializer
from graphs.context import Context
from graphs.economy import passage_tokens
from graphs.headcount import build_graph
from tools.corpus.corpus import open_corpus

__all__ = ("Estimate", "run_estimate")

_PROMPT_TOKENS = 600
_OVERHEAD_CALLS = (3, 20)
_REPLY_SHARE = 0.1

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a question would cost; each pair is the low and the high end."""

    question: str
    model: str
    calls: Range
    input_tokens: Range
    output_tokens: Range
    usd: tuple[float, float] | None
    """None where the model's price is not set."""


def run_estimate(request: Request) -> Exit:
    """Print a range of calls, tokens and money.

    The low end filters as the embedded rules would, which costs nothing; the high end reads the
    whole corpus.
    """
    settings = load_settings(**request.flags)
    free = settings.model_copy(update={"model": "rules"})
    context = open_context(request.corpus, free)
    low = _candidate_tokens(request.asked(), request.corpus, settings.policy())
    high = int(context.corpus.chunk_tokens.sum())
    price = settings.prices.get(settings.model)
    limit = passage_tokens(context) if settings.model == free.model else _model_limit(settings)
    told = _estimate(request.asked(), (low, high), settings.model, price, limit)
    text = json.dumps(asdict(told), ensure_ascii=False) if request.json else _in_words(told)
    sys.stdout.write(text + "\n")
    return Exit.ANSWERED


def _model_limit(settings: Settings) -> int:
    """Return how many passage tokens a request to the settings' model may hold."""
    room = settings.context_tokens - settings.reply_tokens
    return max(1, min(settings.batch_tokens, room // 2))


def _estimate(
    question: str,
    candidates: Range,
    model: str,
    price: tuple[float, float] | None,
    limit: int,
) -> Estimate:
    calls = [
        -(-tokens // limit) + overhead
        for tokens, overhead in zip(candidates, _OVERHEAD_CALLS, strict=True)
    ]
    sent = [
        tokens + number * _PROMPT_TOKENS for tokens, number in zip(candidates, calls, strict=True)
    ]
    received = [int(tokens * _REPLY_SHARE) for tokens in candidates]
    usd = None
    if price is not None:
        low, high = (
            (into * price[0] + out * price[1]) / 1e6
            for into, out in zip(sent, received, strict=True)
        )
        usd = (low, high)
    return Estimate(
        question=question,
        model=model,
        calls=(calls[0], calls[1]),
        input_tokens=(sent[0], sent[1]),
        output_tokens=(received[0], received[1]),
        usd=usd,
    )


def _in_words(told: Estimate) -> str:
    calls, into, out = told.calls, told.input_tokens, told.output_tokens
    money = "the model's price is not set"
    if told.usd is not None:
        money = f"${told.usd[0]:.2f} to ${told.usd[1]:.2f}"
    return (
        f"{told.model}: {calls[0]} to {calls[1]} calls, {into[0]} to {into[1]} tokens in, "
        f"{out[0]} to {out[1]} out, {money}"
    )


def _candidate_tokens(question: str, place: Path, policy: Policy) -> int:
    """Filter with the embedded rules, stop before judging, and weigh the candidates."""
    corpus = open_corpus(place)
    graph = build_graph(InMemorySaver(serde=serializer()))
    config: RunnableConfig = {"configurable": {"thread_id": "estimate"}}
    with TemporaryDirectory() as folder:
        corpus.runs = Path(folder)
        free = Context(corpus=corpus, policy=policy.model_copy(update={"on_ambiguity": "assume"}))
        with free.store:
            graph.invoke(
                Question(question=question), config, context=free, interrupt_before=["judge"]
            )
            state = graph.get_state(config).values
            if not state.get("batches"):
                return 0
            ids = free.store.ids(state["snapshot"])
    return int(corpus.chunk_tokens[list(ids)].sum())
