"""Asking how tables answer: the queries that come back, and whether they can be trusted."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, ModelError, ProviderError, ProviderRejected
from agent.prompt_values import QueryValues
from agent.reasoner import Failure, Prompt
from agent.records.query_plan import Column, Plan, columns_of, deciding, measured, queries_of
from agent.records.record_replies import QueryReply
from agent.records.record_schema import ColumnFacts, Tables
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.disambiguation.grouping import Served

_FILLED = 0.5
"""The share of a kind's rows that must state a column for its tests to decide."""
Queried = QueryReply | ModelError | ProviderError | LimitReached
"""A reply, or what came in its place."""


def _unfit(plan: Plan, tables: Tables, *, strict: bool) -> str:
    """Say why the tables do not fit a plan; empty where they do.

    Args:
        plan: what is to be computed.
        tables: the tables it is computed from.
        strict: whether a column that few rows state may not decide which rows pass.
    """
    for column in columns_of(plan):
        if _facts(column, tables) is None:
            return f"they have no column {column.kind}.{column.attribute}"
    tests = dict.fromkeys(each for query in queries_of(plan) for each in deciding(query))
    for column in tests if strict else ():
        held, rows = _held(column, tables)
        if held < _FILLED * rows:
            return f"only {held} of {rows} rows state {column.kind}.{column.attribute}"
    for query in queries_of(plan):
        for column in measured(query):
            if not _held(column, tables)[0]:
                return f"no row states {column.kind}.{column.attribute}"
    return ""


def _facts(column: Column, tables: Tables) -> ColumnFacts | None:
    table = next((each for each in tables.facts if each.kind == column.kind), None)
    return None if table is None else table.column(column.attribute)


def _held(column: Column, tables: Tables) -> tuple[int, int]:
    """Return how many rows state a column, and how many there are; of lists that is not known."""
    facts = _facts(column, tables)
    rows = next((each.rows for each in tables.facts if each.kind == column.kind), 0)
    kind = tables.schema.kind(column.kind)
    attribute = kind.attribute(column.attribute) if kind else None
    filled = facts.filled if facts else 0
    return (rows if filled and attribute and attribute.many else filled), rows


def query_prompt(asked: Served, tables: Tables) -> Prompt:
    """Ask how the tables answer a asked."""
    return prompts.query(
        QueryValues(question=asked.question, tables=tables, interpretation=asked.interpretation)
    )


def queries(sent: Sequence[Prompt], runtime: Runtime[Context]) -> list[Queried]:
    """Ask all at once; what cannot be used stands in its place."""
    if not sent:
        return []
    trace_prompt(runtime, sent[0])
    replies = runtime.context.reasoner.ask_many(sent, QueryReply)
    return [_usable(each) for each in replies]


def _usable(reply: QueryReply | Failure) -> Queried:
    """Return a reply or the error in its place; raise what would fail for any question."""
    if not isinstance(reply, Failure):
        return reply
    if isinstance(reply.error, ProviderRejected):
        raise reply.error
    if isinstance(reply.error, ModelError | ProviderError | LimitReached):
        return reply.error
    raise reply.error


def trouble_of(reply: Queried, tables: Tables, *, strict: bool) -> str:
    """Say why a reply gives no query that can be trusted; empty where it does."""
    if not isinstance(reply, QueryReply):
        return str(reply)
    if not reply.answerable or (reply.plan is None and not reply.sql):
        return _abstention(reply)
    return _unfit(reply.plan, tables, strict=strict) if reply.plan is not None else ""


def _abstention(reply: QueryReply) -> str:
    """Say why the tables do not answer, and of which words of the question they know nothing."""
    why = " ".join(reply.why.split()).rstrip(".") or "no column or value of the tables states it"
    missing = " ".join(reply.missing.split())
    return f"{why} (“{missing}”)" if missing and missing not in why else why
