"""Queries of records: asked for, looked at whether they can be trusted, run, repaired once."""

import json
from collections.abc import Sequence

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, ModelError, ProviderError, ProviderRejected, QueryError
from agent.prompt_values import QueryValues
from agent.reasoner import Failure, Prompt
from agent.records.query_plan import Column, Plan, columns_of, deciding, measured, queries_of
from agent.records.record_replies import QueryReply
from agent.records.record_schema import ColumnFacts, Tables
from agent.value import counted
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.disambiguation.grouping import Served
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import Outcome, absent, carried_out

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


_UNTOLD = 0.25
"""The share of the records that may leave open what is tested: a rare thing passes few records, and
some always lack a value. Above it, the few that pass tell little."""
_Repaired = tuple[QueryReply, Outcome]


def repaired(
    asked: Served, reply: QueryReply, found: AtHand, runtime: Runtime[Context]
) -> _Repaired | str:
    """Return an interpretation's query and its result, or why there is none.

    A query that fails, or has an odd result, is told so to the reasoner, once; one that it
    repeats unchanged is not run again.

    Raises:
        LimitReached: a limit ended it before the repair.
    """
    outcome, trouble = _tried(reply, found, runtime)
    if outcome is not None and not trouble:
        return reply, outcome
    prompt = prompts.query(
        QueryValues(
            question=asked.question,
            tables=found.tables,
            interpretation=asked.interpretation,
            tried=_written(reply),
            error=trouble,
        )
    )
    trace_prompt(runtime, prompt)
    try:
        again = runtime.context.reasoner.ask(prompt, QueryReply)
    except (LimitReached, ProviderRejected):
        raise
    except (ModelError, ProviderError) as error:
        return f"{trouble}; it could not be repaired: {error}"
    if not again.answerable or _written(again) == _written(reply):
        return trouble
    outcome, still = _tried(again, found, runtime)
    return still if outcome is None or still else (again, outcome)


def _tried(
    reply: QueryReply, found: AtHand, runtime: Runtime[Context]
) -> tuple[Outcome | None, str]:
    """Return a query's result, and what is wrong with it."""
    try:
        outcome = carried_out(reply, found)
    except QueryError as error:
        return None, str(error)
    minded = runtime.context.policy.route == "auto"
    return outcome, _odd(reply, outcome, found) if minded else ""


def _written(reply: QueryReply) -> str:
    """Write a query as it was replied; half of a surrogate pair by its number, as JSON has it."""
    if reply.plan is not None:
        return _lone_escaped(
            json.dumps(reply.plan.model_dump(exclude_none=True), ensure_ascii=False)
        )
    return _lone_escaped(reply.sql or "")


def _lone_escaped(text: str) -> str:
    r"""Return a text that UTF-8 can hold.

    >>> _lone_escaped("Y\ud800stad"), _lone_escaped("Ängö")
    ('Y\\ud800stad', 'Ängö')
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _odd(reply: QueryReply, outcome: Outcome, found: AtHand) -> str:
    """Say what is odd about a result; empty where nothing is.

    That nothing passes is believed where every word that the query requires is held by its column.
    Of what many records do not state, the few that state it tell little.
    """
    behind = sum(len(each.records) for each in outcome.items)
    if outcome.empty:
        missing = absent(reply.plan, found) if reply.plan is not None else []
        if missing:
            return f"nothing was found: no row holds {', '.join(missing)}"
        if outcome.value is None:
            return "nothing was found to compute with"
    if outcome.untold > max(behind, _UNTOLD * _rows(outcome, found), 1):
        do = "does" if outcome.untold == 1 else "do"
        told = f"{counted(outcome.untold, 'row')} {do} not state what is tested"
        return f"{told}, where {counted(behind, 'row')} that state it pass"
    return ""


def _rows(outcome: Outcome, found: AtHand) -> int:
    """Return how many records the largest table has that the query needs."""
    kinds = {each.kind for each in outcome.columns}
    return max((each.rows for each in found.tables.facts if each.kind in kinds), default=0)
