"""The choice between records and texts, and the queries it is made by: asked for, run, repaired."""

import json
from collections.abc import Iterator, Sequence

from langgraph.runtime import Runtime

import prompts
from agent.errors import (
    ModelError,
    NeedsRecords,
    ProviderError,
    ProviderRejected,
    QueryError,
    QuestionError,
)
from agent.prompt_values import QueryValues
from agent.question import Condition, Interpretation
from agent.reasoner import Failure, Prompt
from agent.records.query_plan import Plan, columns_of, deciding, measured, queries_of
from agent.records.record_replies import Planned, QueryReply, Route
from agent.records.record_schema import Tables
from agent.state import State, Update
from agent.value import counted
from graphs.answering.quantities import mixed_units
from graphs.asking import ask_each
from graphs.context import Context
from graphs.disambiguation import Served, served
from graphs.records.available_records import AtHand, at_hand, records_exist
from graphs.records.recorded_answer import Outcome, absent, carried_out
from graphs.scope import open_conditions
from tools.corpus.corpus import Corpus

_FILLED = 0.5
"""The share of a kind's rows that must state a column for its tests to decide."""
Replied = QueryReply | ModelError | ProviderError
"""A reply, or what came in its place."""


def _unfit(plan: Plan, tables: Tables, *, strict: bool) -> str:
    """Say why the tables do not fit a plan, strictly by few rows too; empty where they do."""
    for column in columns_of(plan):
        table = tables.table(column.kind)
        if table is None or table.column(column.attribute) is None:
            return f"they have no column {column.kind}.{column.attribute}"
    tests = [each for query in queries_of(plan) for each in deciding(query, alone=True)]
    for column in tests if strict else ():
        held, rows = tables.held(column.kind, column.attribute)
        if held < _FILLED * rows:
            return f"only {held} of {rows} rows state {column.kind}.{column.attribute}"
    for query in queries_of(plan):
        for column in measured(query, alone=True):
            if not tables.held(column.kind, column.attribute)[0]:
                return f"no row states {column.kind}.{column.attribute}"
    return ""


def _query_prompt(
    question: str, reading: Interpretation, tables: Tables, tried: str = "", error: str = ""
) -> Prompt:
    values = QueryValues(
        question=question, interpretation=reading, tables=tables, tried=tried, error=error
    )
    return prompts.query(values)


def queries(sent: Sequence[Prompt], runtime: Runtime[Context]) -> list[Replied]:
    """Ask all at once, errors in their places; raises LimitReached: before the last reply."""
    return [_usable(each) for each in ask_each(runtime, sent, QueryReply)]


def _usable(reply: QueryReply | Failure) -> Replied:
    """Return a reply or the error in its place; raise what would fail for any question."""
    if not isinstance(reply, Failure):
        return reply
    if isinstance(reply.error, ModelError | ProviderError) and not isinstance(
        reply.error, ProviderRejected
    ):
        return reply.error
    raise reply.error


def trouble_of(reply: Replied, tables: Tables, *, strict: bool) -> str:
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


def repaired(
    asked: Served, reply: QueryReply, found: AtHand, runtime: Runtime[Context]
) -> tuple[QueryReply, Outcome] | str:
    """Return an interpretation's query and its result, or why there is none.

    A query that fails, or has an odd result, is told so to the reasoner, once; one that it repeats
    then stands, unless it failed.

    Raises LimitReached: a limit ended it before the repair.
    """
    outcome, trouble = _tried(reply, found, runtime)
    if outcome is not None and not trouble:
        return reply, outcome
    tried = _written(reply)
    prompt = _query_prompt(asked.question, asked.interpretation, found.tables, tried, trouble)
    (again,) = queries([prompt], runtime)
    if not isinstance(again, QueryReply):
        return f"{trouble}; it could not be repaired: {again}"
    if again.answerable and _written(again) == tried:
        return (reply, outcome) if outcome is not None and not outcome.empty else trouble
    if not again.answerable:
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
    if reply.plan is None:
        return reply.sql or ""
    return json.dumps(reply.plan.model_dump(exclude_none=True), ensure_ascii=False)


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
    held = (found.tables.held(each.kind, each.attribute) for each in outcome.columns)
    largest = max((rows for _, rows in held), default=0)
    if outcome.untold > max(behind, _UNTOLD * largest, 1):
        do = "does" if outcome.untold == 1 else "do"
        told = f"{counted(outcome.untold, 'row')} {do} not state what is tested"
        return f"{told}, where {counted(behind, 'row')} that state it pass"
    return ""


_COVERED = 0.9
"""The share of the documents whose records must have been read."""


def _by_fields(state: State, corpus: Corpus) -> bool:
    """Tell whether fields decide the question, so that nothing has to be read or queried."""
    interpretation = state.interpreted
    measure = interpretation.measure
    texts = {each.name for each in corpus.fields if each.type == "text"}
    if open_conditions(state) or (measure is not None and measure.field in texts):
        return False
    if mixed_units(interpretation, corpus):
        return False
    # Things that only some documents name in a field, others may name in their rows.
    having = {each.name: each.documents for each in corpus.fields}
    entity = interpretation.entity_field
    if entity and having.get(entity, 0) < len(corpus.documents):
        return False
    named = entity or interpretation.group_by or measure
    return interpretation.conditions is not None or bool(named)


def _hybrid(why: str, state: State, tables: Tables, runtime: Runtime[Context]) -> Route:
    """Ask the tables for each condition by itself; what they decide narrows the documents."""
    interpretation = state.interpreted
    texts = open_conditions(state)
    documents = interpretation.grain == "document" and not interpretation.entity_field
    if not documents or len(texts) < 2:  # else some may be decided, and some is left to read
        return Route(path="text", why=why)
    atoms = [each for each in texts if each.predicate is None and not each.terms]
    alone = [_alone(interpretation, each) for each in atoms]
    replies = queries([_query_prompt(each.text, each, tables) for each in alone], runtime)
    planned = tuple(
        Planned(of=atom.id, reply=reply)
        for atom, reply in zip(atoms, replies, strict=True)
        if isinstance(reply, QueryReply)
        and not trouble_of(reply, tables, strict=False)
        and _lists_rows(reply.plan)
    )
    if not planned:
        return Route(path="text", why=why)
    words = {each.id: each.text for each in atoms}
    decided = ", ".join(f"“{words[each.of]}”" for each in planned)
    why = f"{why}; of its conditions they decide {decided}"
    return Route(path="hybrid", why=why, planned=planned)


def _alone(interpretation: Interpretation, atom: Condition) -> Interpretation:
    text = f"Which {interpretation.entity_type} {atom.text}?"
    plain = dict.fromkeys(("measure", "group_by", "k"))
    update = {"text": text, "conditions": atom, "operation": "list", **plain}
    return interpretation.model_copy(update=update)


def _lists_rows(plan: Plan | None) -> bool:
    """Tell whether a plan says of single rows whether they pass."""
    if plan is None or plan.is_a != "query":
        return False
    whole = not plan.having and plan.limit is None
    return whole and not plan.group_by and plan.operation in {"list", "count"}


def choose(state: State, runtime: Runtime[Context]) -> Route:
    """Choose the way by which the interpretation at hand, or those searched together, are answered.

    Raises QuestionError: the policy asks for records that there are not, that do not answer, or
    that the reader cannot query; LimitReached: before it was chosen.
    """
    wanted = runtime.context.policy.route
    corpus, place = runtime.context.corpus, runtime.context.records
    none = wanted == "auto" and not records_exist(corpus, place)
    if wanted == "text" or state.stopped or none:
        limit = f"a limit: {state.stopped}" if state.stopped else ""
        return Route(path="text", why="asked for" if wanted == "text" else limit)
    if "write" not in runtime.context.reasoner.abilities:
        why = f"{runtime.context.reasoner.name} cannot write queries"
        if wanted != "auto":
            raise QuestionError(
                f"{why}, which the route {wanted!r} needs: name a model with --model, or leave the "
                "setting `route` out"
            )
        return Route(path="text", why=why)
    if wanted == "auto" and not state.interpreted.computed and _by_fields(state, corpus):
        return Route(path="text", why="the fields of the documents decide all of it")
    with at_hand(runtime.context) as found:
        if isinstance(found, str) and wanted != "auto":
            raise QuestionError(f"the records cannot answer: {found}")
        short = found if isinstance(found, str) else _short(found) if wanted == "auto" else ""
        if isinstance(found, str) or short:
            return Route(path="text", why=short, left=short)
        return _by_question(state, found, runtime)


def _short(found: AtHand) -> str:
    """Say that too few documents have been read into records; empty where enough have."""
    if found.read >= _COVERED * found.documents:
        return ""
    return (
        f"only {found.read} of {counted(found.documents, 'document')} are read into records: "
        "`headcount records fill` reads the others"
    )


def _by_question(state: State, found: AtHand, runtime: Runtime[Context]) -> Route:
    """Ask how the tables answer each interpretation; look at whether they do."""
    policy, tables = runtime.context.policy, found.tables
    if policy.route == "auto" and any(each.terms for each in open_conditions(state)):
        return instead("what is mentioned, only the texts tell", state, tables, runtime)
    asked = served(state)
    sent = [_query_prompt(each.question, each.interpretation, tables) for each in asked]
    replies = queries(sent, runtime)
    planned = []
    for each, reply in zip(asked, replies, strict=True):
        trouble = trouble_of(reply, tables, strict=policy.route == "auto")
        if trouble or not isinstance(reply, QueryReply):
            why = f"the records do not answer it: {trouble}"
            return instead(why, state, tables, runtime).model_copy(update={"left": why})
        planned.append(Planned(of=str(each.number), reply=reply))
    why = "; ".join(dict.fromkeys(each.reply.why for each in planned))
    return Route(path="records", why=why, planned=tuple(planned))


def updated(route: Route, state: State, runtime: Runtime[Context], *, stopped: str = "") -> Update:
    """Return and trace a way; raises NeedsRecords where no passage of the texts can answer.

    `stopped` names the limit for which nothing more is asked of the records.
    """
    computed = [each.interpretation.computed.rstrip(".") for each in served(state)]
    if any(computed) and route.path != "records" and not stopped:
        why = f"no passage can tell it: {'; '.join(filter(None, computed))}"
        raise NeedsRecords(f"{why} ({route.why})" if route.why else why)
    line = {"kind": "route", "path": route.path, "why": route.why, "left": route.left}
    runtime.stream_writer(line)
    update: Update = {"route": route}
    if stopped:
        update["stopped"] = stopped
    if warnings := tuple(_warnings(route, state, runtime.context.corpus)):
        update["warnings"] = (*state.warnings, *warnings)
    return update


def _warnings(route: Route, state: State, corpus: Corpus) -> Iterator[str]:
    """Say what was given up, and where fields put numbers together that are in several units."""
    if route.left:
        yield f"{route.left}: the texts were read instead"
    mixed = mixed_units(state.interpreted, corpus) if route.path != "records" else {}
    for field, units in mixed.items():
        named = ", ".join(each or "none" for each in units)
        yield (
            f"{field!r} is written in several units ({named}), and its numbers were taken "
            "as they stand: what was computed or compared with them is not to be relied on"
        )


def instead(why: str, state: State, tables: Tables, runtime: Runtime[Context]) -> Route:
    """Return what is left: both, or the texts; raises QuestionError if only records may answer."""
    if runtime.context.policy.route == "records":
        if state.interpreted.computed:
            raise QuestionError(f"{why}; and no passage can tell it, so the question is declined")
        way = "with `headcount ask`" if runtime.context.records else "without the setting `route`"
        raise QuestionError(f"{why}; ask {way}, and the texts are read")
    return _hybrid(why, state, tables, runtime)
