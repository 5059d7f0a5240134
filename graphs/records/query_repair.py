"""Running a planned query, repairing it once where it fails or its result is odd."""

import json

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, ModelError, ProviderError, ProviderRejected, QueryError
from agent.prompt_values import QueryValues
from agent.records.record_replies import QueryReply
from agent.value import counted
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.disambiguation.grouping import Served
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import Outcome, absent, carried_out

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
