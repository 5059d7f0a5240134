"""`--estimate`: what a question would cost, before anything is spent."""

import json
import sys
from typing import TYPE_CHECKING

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from agent.state import Question
from graphs.apps.exits import Exit
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.nodes.batch import passage_tokens

if TYPE_CHECKING:
    from agent.settings import Settings

__all__ = ("run_estimate",)

_PROMPT_TOKENS = 600
_OVERHEAD_CALLS = (3, 20)
_REPLY_SHARE = 0.1


def run_estimate(question: str, context: Context, settings: "Settings") -> Exit:
    """Print a range of calls, tokens and money as JSON.

    The low end filters as the embedded rules would, which costs nothing; the high end reads the
    whole corpus.
    """
    low = _candidate_tokens(question, context)
    high = int(context.corpus.chunk_tokens.sum())
    limit = passage_tokens(context)
    calls = [
        -(-tokens // limit) + overhead
        for tokens, overhead in zip((low, high), _OVERHEAD_CALLS, strict=True)
    ]
    tokens_in = [
        tokens + number * _PROMPT_TOKENS for tokens, number in zip((low, high), calls, strict=True)
    ]
    tokens_out = [int(tokens * _REPLY_SHARE) for tokens in (low, high)]
    price = settings.prices.get(settings.model)
    usd = None
    if price is not None:
        usd = [
            (into * price[0] + out * price[1]) / 1e6
            for into, out in zip(tokens_in, tokens_out, strict=True)
        ]
    told = {"calls": calls, "input_tokens": tokens_in, "output_tokens": tokens_out, "usd": usd}
    sys.stdout.write(json.dumps({"question": question, "model": settings.model, **told}) + "\n")
    return Exit.ANSWERED


def _candidate_tokens(question: str, context: Context) -> int:
    """Filter with the embedded rules, stop before judging, and weigh the candidates."""
    graph = build_graph(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": context.new_run()}}
    free = Context(corpus=context.corpus, policy=context.policy)
    graph.invoke(
        Question(question=question),
        config,
        context=free,
        interrupt_before=["judge"],
    )
    state = graph.get_state(config).values
    if not state.get("batches"):
        return 0
    ids = context.store.ids(state["snapshot"])
    return int(context.corpus.chunk_tokens[list(ids)].sum())
