"""What an analysis would cost, before anything is spent: the plan, the reading, the computation."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from langgraph.runtime import Runtime

import prompts
from agent.cost import Cost
from agent.errors import MalformedReply
from agent.reasoner import Prompt
from agent.reasoners.rules import RulesReasoner
from agent.records.analysis import AnalyseReply
from agent.records.record import RecordsPlace
from agent.records.record_schema import Attribute, Kind, RecordGrain, Schema
from graphs.analyst_nodes import planning
from graphs.apps.records_estimate import Bills, estimate_fill
from graphs.context import Context
from graphs.records.available_records import open_records
from tools.corpus.chunking.tokens import count_tokens

__all__ = ("estimate_analysis",)

_FEWEST, _MOST = 2, 8
"""Attributes that are copied out of each document, about."""
_ATTRIBUTE = 90
"""Tokens of an attribute in the plan."""
_REPLY = 300
"""Tokens of a reading of the question, and of a query, about."""
_DESCRIPTION = "What the document states of it, written as a number with its unit or as a name."


def estimate_analysis(context: Context, question: str) -> Bills:
    """Return the low and the high end; every document is taken to bear on the question.

    The low end has one request for the plan, the reading of the question and the query each, and
    reads the likeliest parts of each document for few attributes; the high end has one repair of
    each, and reads and corrects all parts for many attributes.

    Args:
        context: of whose reasoner only the limits count.
        question: as asked.
    """
    if not context.reasoner.paid:
        return Cost(), Cost()
    plan = planning(question, Runtime(context=context))
    grain = _grain(plan)
    with _set_apart(context) as apart:
        low, _ = estimate_fill(apart, _copied(_FEWEST, grain), again=False)
        _, high = estimate_fill(apart, _copied(_MOST, grain), again=False)
        computing = _computing(apart, question, _copied(_MOST, grain))
    low += _asked(plan, _FEWEST * _ATTRIBUTE) + computing
    high += _twice(_asked(plan, _MOST * _ATTRIBUTE) + computing)
    return low, high


@contextmanager
def _set_apart(context: Context) -> Iterator[Context]:
    """Give records of its own, thrown away, to a context: an analysis begins without any."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        yield replace(
            context, records=RecordsPlace(path=path, documents=tuple(context.corpus.documents))
        )


def _grain(plan: Prompt) -> RecordGrain:
    """Return whether documents hold rows, as far as their structure shows it."""
    try:
        return RulesReasoner().ask(plan, AnalyseReply).kind.grain
    except MalformedReply:
        return "document"


def _copied(count: int, grain: RecordGrain) -> Schema:
    attributes = (
        Attribute(name=f"attribute_{number}", type="text", description=_DESCRIPTION)
        for number in range(count)
    )
    return Schema(kinds=(Kind(name="record", grain=grain, attributes=tuple(attributes)),))


def _computing(context: Context, question: str, schema: Schema) -> Cost:
    """Return what it costs to read the question and to plan the query."""
    with closing(open_records(context.corpus, context.records)) as store:
        store.write_schema(schema)
        query = prompts.query(question=question, tables=store.tables())
    reading = prompts.interpret(question=question, conversation=(), corpus=context.corpus)
    return _asked(reading, _REPLY) + _asked(query, _REPLY)


def _asked(prompt: Prompt, reply: int) -> Cost:
    return Cost(model_calls=1, input_tokens=count_tokens(prompt.text), output_tokens=reply)


def _twice(cost: Cost) -> Cost:
    return cost + cost
