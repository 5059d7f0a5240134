"""Records and texts together: tables decide single conditions, the texts are read for the rest."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached
from agent.question import Condition, Interpretation
from agent.records.query_plan import Plan
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables
from agent.records.records_route import Planned, Route
from agent.state import State
from graphs.context import Context
from graphs.records.choice import Choice, by_texts
from graphs.records.queried import queries, trouble_of
from graphs.scope import open_conditions

__all__ = ("hybrid",)


def hybrid(why: str, state: State, tables: Tables, runtime: Runtime[Context]) -> Choice:
    """Ask the tables for each condition by itself; what they decide narrows the documents."""
    reading = state.interpretation
    texts = open_conditions(state)
    if reading is None or not _narrows(reading, texts):
        return by_texts(why)
    atoms = [each for each in texts if each.predicate is None and not each.terms]
    sent = [
        prompts.query(
            question=f"Which {reading.entity_type} {each.text}?",
            tables=tables,
            interpretation=_alone(reading, each),
        )
        for each in atoms
    ]
    replies = queries(sent, runtime)
    limits = [str(each) for each in replies if isinstance(each, LimitReached)]
    planned = tuple(
        Planned(of=atom.id, reply=reply)
        for atom, reply in zip(atoms, replies, strict=True)
        if isinstance(reply, QueryReply)
        and not trouble_of(reply, tables, strict=False)
        and _lists_rows(reply.plan)
    )
    if limits or not planned:
        return by_texts(why, stopped=limits[0] if limits else "")
    decided = ", ".join(f"“{_texts(atoms)[each.of]}”" for each in planned)
    return Choice(
        route=Route(
            path="hybrid", why=f"{why}; of its conditions they decide {decided}", planned=planned
        )
    )


def _narrows(reading: Interpretation, texts: Sequence[Condition]) -> bool:
    """Tell whether conditions may be decided document by document, and some is left to read."""
    documents = reading.grain == "document" and not reading.entity_field
    return documents and len(texts) > 1


def _texts(conditions: Sequence[Condition]) -> dict[str, str]:
    return {each.id: each.text for each in conditions}


def _alone(reading: Interpretation, atom: Condition) -> Interpretation:
    return reading.model_copy(
        update={
            "text": f"Which {reading.entity_type} {atom.text}?",
            "conditions": atom,
            "operation": "list",
            "measure": None,
            "group_by": None,
            "k": None,
        }
    )


def _lists_rows(plan: Plan | None) -> bool:
    """Tell whether a plan says of single rows whether they pass."""
    if plan is None or plan.is_a != "query":
        return False
    whole = plan.change is None and not plan.having and plan.limit is None
    return whole and not plan.group_by and plan.operation in {"list", "count"}
