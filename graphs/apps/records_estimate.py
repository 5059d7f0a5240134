"""What drawing up a schema or filling the tables would cost, before anything is spent."""

from collections.abc import Sequence
from pathlib import Path

from langgraph.runtime import Runtime

import prompts
from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.reasoners.pilot import PilotReasoner
from agent.reasoners.rules import RulesReasoner
from agent.records.induction import InductionOptions, InductionState
from agent.records.record import FillState, Span
from agent.records.record_schema import Kind, Schema
from agent.settings import Settings
from graphs.context import Context
from graphs.records.extraction import Task, fields_of, prompt_of
from graphs.records.filling_nodes import parts_of, survey_only
from graphs.records.induction_nodes import group, samples
from tools.corpus.chunking.tokens import count_tokens
from tools.corpus.corpus import open_corpus
from tools.records.document_groups import turn

__all__ = ("Bills", "estimate_fill", "estimate_induction", "in_words", "pilot_context")

_CELL = 45
"""Tokens of a value in a reply, with its quote."""
_ATTRIBUTE = 90
"""Tokens of an attribute in a schema."""
_ATTRIBUTES = 15
"""Attributes of a schema that is not drawn up yet, about."""
_ROUNDS = 4
_FIRST = 3
_ROW = 40
"""Tokens of a row in a text, about."""

Bills = tuple[Cost, Cost]


def pilot_context(place: Path, settings: Settings) -> Context:
    """Return a context of whose reasoner only the limits count: nothing is asked."""
    reader: Reasoner = RulesReasoner()
    if settings.model != "rules" and not settings.model.startswith("recorded:"):
        reader = PilotReasoner(
            RulesReasoner(),
            "inner",
            context_tokens=settings.context_tokens,
            reply_tokens=settings.reply_tokens,
        )
    return Context(corpus=open_corpus(place), reasoner=reader)


def estimate_induction(
    context: Context, questions: Sequence[str], options: InductionOptions
) -> Bills:
    """Return the low and the high end: two rounds a group, or all rounds, trial and mending."""
    if not context.reasoner.paid:
        return Cost(), Cost()
    runtime = Runtime(context=context)
    state = InductionState(questions=tuple(questions), options=options)
    groups = group(state, runtime)["groups"]
    low, high = Cost(), Cost()
    rounds = options.rounds or _ROUNDS
    for each in groups:
        shown = samples(runtime, turn(each.order, 0, options.documents), questions)
        asked = count_tokens(prompts.induce(documents=shown, questions=questions).text)
        drawn = Cost(model_calls=1, input_tokens=asked, output_tokens=_ATTRIBUTES * _ATTRIBUTE)
        tried = Cost(
            model_calls=options.held_back,
            input_tokens=options.held_back * asked // max(1, len(shown)),
            output_tokens=options.held_back * _ATTRIBUTES * _CELL,
        )
        low += _times(drawn, min(2, rounds)) + tried
        high += _times(drawn, rounds + 1) + _times(tried, 2)
    return low, high


def estimate_fill(context: Context, schema: Schema, *, again: bool) -> Bills:
    """Return the low and the high end: the likeliest parts of each document, or all, corrected."""
    if not context.reasoner.paid:
        return Cost(), Cost()
    runtime = Runtime(context=context)
    surveyed = survey_only(FillState(schema=schema, again=again), runtime)
    state = FillState(schema=schema, kinds=surveyed["kinds"])
    low, high = Cost(), Cost()
    for document in surveyed["queue"]:
        kinds = state.kinds_of(document)
        spans = parts_of(document, kinds, runtime) if kinds else ()
        rows = any(kind.grain == "row" for kind in kinds)
        bills = [_reading(context, document, kinds, span) for span in spans]
        low += sum(bills if rows else bills[:_FIRST], Cost())
        high += _times(sum(bills, Cost()), 2)
    return low, high


def _reading(context: Context, document: int, kinds: tuple[Kind, ...], span: Span) -> Cost:
    """Return what it costs to read one part once."""
    corpus = context.corpus
    task = Task(
        document=document,
        name=corpus.documents[document],
        text=corpus.document_text(document),
        part=span,
        kinds=kinds,
        fields=fields_of(corpus, document),
    )
    attributes = max(len(kind.attributes) for kind in kinds)
    text = task.text[span[0] : span[1]]
    rows = any(kind.grain == "row" for kind in kinds)
    records = max(1, count_tokens(text) // _ROW) if rows else 1
    reply = min(records * attributes * _CELL, context.reasoner.reply_tokens)
    return Cost(model_calls=1, input_tokens=count_tokens(prompt_of(task).text), output_tokens=reply)


def _times(cost: Cost, times: int) -> Cost:
    return sum((cost for _ in range(times)), Cost())


def in_words(model: str, low: Cost, high: Cost) -> str:
    """Say an estimate.

    >>> in_words("rules", Cost(), Cost())
    'rules: 0 calls, 0 tokens in, 0 out'
    """
    calls = _span(low.model_calls, high.model_calls)
    into, out = (
        _span(getattr(low, name), getattr(high, name)) for name in ("input_tokens", "output_tokens")
    )
    priced = low.usd is not None and high.usd is not None
    money = f", ${low.usd:.2f} to ${high.usd:.2f}" if priced else ""
    return f"{model}: {calls} calls, {into} tokens in, {out} out{money}"


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
