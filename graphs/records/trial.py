"""Trying readings by the records: free, and of all of them, where every reading fits the tables."""

from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

import prompts
from agent.errors import ModelError
from agent.question import Interpretation
from agent.records.replies import QueryReply
from agent.state import State
from graphs.context import Context
from graphs.records.at_hand import AtHand, at_hand
from graphs.records.fields_decide import by_fields
from graphs.records.mending import odd
from graphs.records.queried import fits
from graphs.records.querying import Outcome, carried_out
from graphs.scope import open_conditions

__all__ = ("tried_by_records",)


def tried_by_records(
    readings: Sequence[Interpretation], state: State, runtime: Runtime[Context]
) -> list[Outcome] | None:
    """Return what every reading comes to by the records; None where one has to be tried by texts.

    A paid reasoner is not asked: a sample of passages tells of all readings at once, and the
    replies about it are used again. What is not answered by records is not tried by them either.
    """
    context = runtime.context
    if context.reasoner.paid or context.policy.route == "text" or state.stopped:
        return None
    if context.policy.route == "auto" and any(
        _left_to_texts(each, state, context) for each in readings
    ):
        return None
    with at_hand(runtime) as found:
        if isinstance(found, str):
            return None
        outcomes = []
        for reading in readings:
            outcome = _outcome(reading, found, runtime)
            if outcome is None:
                return None
            outcomes.append(outcome)
        return outcomes


def _left_to_texts(reading: Interpretation, state: State, context: Context) -> bool:
    """Tell whether a reading is answered without records: by fields, or as a mention."""
    alone = replace(state, interpretation=reading)
    mentions = any(each.terms for each in open_conditions(alone))
    return mentions or by_fields(alone, context.corpus)


def _outcome(reading: Interpretation, found: AtHand, runtime: Runtime[Context]) -> Outcome | None:
    prompt = prompts.query(question=reading.text, tables=found.tables, interpretation=reading)
    try:
        reply = runtime.context.reasoner.ask(prompt, QueryReply)
        if not fits(reply, found.tables):
            return None
        outcome = carried_out(reply, found)
    except ModelError:
        return None
    return None if odd(reply, outcome, found) else outcome
