"""Nodes that answer: from all that was retrieved, from nothing, and what their replies prove."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from agent.evidence import Evidence, Passage
from agent.replies import QuotedReply
from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.fitting import affordable, fitted
from evals.baselines.replies import AnswerReply, ItemReply
from evals.baselines.state import BaselineState, BaselineUpdate, Item
from graphs.context import Context
from tools.quotes import locate

__all__ = ("answered", "proven", "read", "recall_unread")


def read(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from all that was retrieved, in one request."""
    shown = fitted(state.chunks, runtime.context, besides=state.question, budget=affordable(state))
    if not shown.passages:
        told = "no passage was found to answer from"
        return {
            "stopped": state.stopped or shown.stopped,
            "warnings": (*state.warnings, *shown.warnings, told),
        }
    prompt = prompts.answer(question=state.question, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], AnswerReply)
    (reply,) = received.replies
    return received.update | answered(reply, shown.passages)


def recall_unread(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from what the model knows."""
    prompt = prompts.answer_unread(question=state.question)
    received = ask_each(state, runtime, [(prompt, None)], AnswerReply)
    (reply,) = received.replies
    return received.update | answered(reply, ())


def answered(reply: AnswerReply | None, shown: Sequence[Passage]) -> BaselineUpdate:
    """Return what a reply about passages answers; nothing where none came.

    The number is the reply's; where it gives none, it is how many items it names.
    """
    if reply is None:
        return {}
    value = len(reply.items) if reply.value is None else reply.value
    return {"items": proven(reply.items, shown), "value": value, "unit": reply.unit}


def proven(items: Sequence[ItemReply], shown: Sequence[Passage]) -> tuple[Item, ...]:
    """Return the items with the quotes that stand in the passages that they name.

    A baseline does not refuse an item for a quote that cannot be located: it has no such check.
    The item then stands in the document of the passage that it names, without the quote.
    """
    return tuple(_proven(each, shown) for each in items)


def _proven(item: ItemReply, shown: Sequence[Passage]) -> Item:
    named = [
        (each, shown[each.passage - 1]) for each in item.evidence if 1 <= each.passage <= len(shown)
    ]
    quotes = [_located(quoted, passage) for quoted, passage in named]
    return Item(
        name=item.name.strip(),
        evidence=tuple(dict.fromkeys(each for each in quotes if each is not None)),
        documents=tuple(dict.fromkeys(passage.document for _, passage in named)),
    )


def _located(quoted: QuotedReply, passage: Passage) -> Evidence | None:
    span = locate(quoted.quote, passage.text)
    if span is None:
        return None
    start, end = span
    return Evidence(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        condition="",
    )
