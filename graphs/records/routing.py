"""The choice between records and texts: by schema, by how full the tables are, by the question."""

from collections.abc import Iterator
from dataclasses import replace

from langgraph.runtime import Runtime

from agent.corpus import CorpusView
from agent.counted import counted
from agent.errors import LimitReached, QuestionError
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables
from agent.records.records_route import Planned, Route
from agent.state import State, Update
from graphs.answering.field_units import unlike_units
from graphs.context import Context
from graphs.disambiguation.served import served
from graphs.records.at_hand import AtHand, all_failed, at_hand
from graphs.records.choice import Choice, by_texts, limited
from graphs.records.fields_decide import by_fields
from graphs.records.hybrid import hybrid
from graphs.records.queried import Queried, queries, query_prompt, trouble_of
from graphs.scope import open_conditions

__all__ = ("choose", "instead", "updated")

_COVERED = 0.9
"""The share of the documents whose records must have been read."""


def choose(state: State, runtime: Runtime[Context]) -> Choice:
    """Choose the way by which the reading at hand, or those searched together, are answered.

    Raises:
        QuestionError: the policy asks for records that there are not, that do not answer, or that
            the reader cannot query.
    """
    wanted = runtime.context.policy.route
    if wanted == "text" or state.stopped:
        return by_texts("asked for" if wanted == "text" else f"a limit: {state.stopped}")
    if "write" not in runtime.context.reasoner.abilities:
        why = f"{runtime.context.reasoner.name} cannot write queries"
        if wanted != "auto":
            raise QuestionError(
                f"{why}, which --route {wanted} needs: name a model with --model, or ask without it"
            )
        return by_texts(why)
    if wanted == "auto" and by_fields(state, runtime.context.corpus):
        return by_texts("the fields of the documents decide all of it")
    with at_hand(runtime.context) as found:
        if isinstance(found, str):
            return _forced(wanted, by_texts(found, left=all_failed(runtime.context)))
        short = "" if wanted != "auto" else _short(found)
        if short:
            return by_texts(short, left=short)
        return _forced(wanted, _by_question(state, found, runtime))


def updated(choice: Choice, state: State, runtime: Runtime[Context]) -> Update:
    """Return a choice as what a node changes, and tell the trace."""
    route = choice.route
    line = {"kind": "route", "path": route.path, "why": route.why, "left": route.left}
    runtime.stream_writer(line)
    update: Update = {"route": route}
    if choice.stopped:
        update["stopped"] = choice.stopped
    if warnings := (*_warnings(route), *_of_units(route, state, runtime.context.corpus)):
        update["warnings"] = (*state.warnings, *warnings)
    return update


def _warnings(route: Route) -> list[str]:
    told = [f"{route.left}: the texts were read instead"] if route.left else []
    if route.missing:
        told.append(
            f"{route.why}; the texts were read instead: `headcount records show` tells what the "
            "tables hold"
        )
    return told


def _of_units(route: Route, state: State, corpus: CorpusView) -> Iterator[str]:
    """Say where the texts' fields put numbers together that are in several units."""
    reading = state.interpretation
    if route.path == "records" or reading is None:
        return
    for field, units in unlike_units(reading, corpus).items():
        named = ", ".join(each or "none" for each in units)
        yield (
            f"{field!r} is written in several units ({named}), and its numbers were taken "
            "as they stand: what was computed or compared with them is not to be relied on"
        )


def _by_question(state: State, found: AtHand, runtime: Runtime[Context]) -> Choice:
    """Ask how the tables answer each reading; look at whether they do."""
    policy, tables = runtime.context.policy, found.tables
    if policy.route == "hybrid":
        why = "asked for, but no single condition is left that the tables could decide"
        choice = hybrid(why, state, tables, runtime)
        if choice.route.path != "hybrid":
            return choice
        route = choice.route.model_copy(update={"why": choice.route.why.replace(why, "asked for")})
        return replace(choice, route=route)
    if policy.route == "auto" and any(each.terms for each in open_conditions(state)):
        return instead("what is mentioned, only the texts tell", state, tables, runtime)
    readings = served(state)
    replies = queries([query_prompt(each, tables) for each in readings], runtime)
    limits = [str(each) for each in replies if isinstance(each, LimitReached)]
    if limits:
        return limited(limits[0])
    planned = []
    for reading, reply in zip(readings, replies, strict=True):
        trouble = trouble_of(reply, tables, strict=policy.route == "auto")
        if trouble or not isinstance(reply, QueryReply):
            why = f"the records do not answer it: {trouble}"
            return _abstained(instead(why, state, tables, runtime), reply)
        planned.append(Planned(of=str(reading.number), reply=reply))
    why = "; ".join(dict.fromkeys(each.reply.why for each in planned))
    return Choice(route=Route(path="records", why=why, planned=tuple(planned)))


def _abstained(choice: Choice, reply: Queried) -> Choice:
    """Keep what the records state nothing of: who reads the answer from texts is told."""
    if not isinstance(reply, QueryReply) or reply.answerable:
        return choice
    missing = reply.missing or reply.why or "what it asks"
    return replace(choice, route=choice.route.model_copy(update={"missing": missing}))


def instead(why: str, state: State, tables: Tables, runtime: Runtime[Context]) -> Choice:
    """Return the way that is left where records alone do not answer: both, or the texts.

    Raises:
        QuestionError: the policy asks for records alone.
    """
    if runtime.context.policy.route == "records":
        way = "with `headcount ask`" if runtime.context.records else "without --route records"
        raise QuestionError(f"{why}; ask {way}, and the texts are read")
    return hybrid(why, state, tables, runtime)


def _short(found: AtHand) -> str:
    """Say that too few documents have been read into records; empty where enough have."""
    if found.read >= _COVERED * found.documents:
        return ""
    return (
        f"only {found.read} of {counted(found.documents, 'document')} "
        f"{'has' if found.documents == 1 else 'have'} been read into records: "
        "`headcount records fill` reads the others"
    )


def _forced(wanted: str, choice: Choice) -> Choice:
    """Raise where the policy asks for records and the texts would answer."""
    if wanted == "records" and choice.route.path != "records" and not choice.stopped:
        raise QuestionError(f"the records cannot answer: {choice.route.why}")
    return choice
