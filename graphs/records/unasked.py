"""Records that nobody asked for: drawn up by the embedded rules where a structure shows."""

import contextvars
from contextlib import closing

from langgraph.runtime import Runtime

from agent.reasoners.rules import RulesReasoner
from agent.records.place import RecordsPlace
from graphs.context import Context
from graphs.look import Look, look_at, remember
from graphs.records.place import open_records, schema_path
from graphs.srag import fill, induce
from tools.corpus.corpus import Corpus
from tools.records.schema_file import load_schema, save_schema

__all__ = ("records_exist", "unasked")

_MOST = 10_000_000
"""Characters of a corpus that are read unasked at most: a minute, once."""


def unasked(runtime: Runtime[Context]) -> str:
    """Draw records up by code, or bring them up to date; say why none can be queried.

    Where reading is free that is done for every structure that shows. Where it is paid only rows,
    sheets and forms are read by code, since a model reads more than their structure says; else who
    asks is told that records can be built.
    """
    context = runtime.context
    corpus = context.corpus
    there = records_exist(corpus)
    look = look_at(corpus)
    if there and not look.unasked:
        return ""
    if not (look.tabular if context.reasoner.paid else look.structured):
        return _advice(look)
    if there and look.filled == corpus.digest:
        return ""
    if corpus.chars > _MOST:
        return (
            "there are no records, and the collection is too large to read it unasked: "
            "`headcount records induce` and `headcount records fill` do"
        )
    runtime.stream_writer({"kind": "records", "why": "the documents show a structure"})
    # In a context of its own: a graph invoked within a node takes over the run's checkpoints.
    contextvars.Context().run(_build, corpus)
    remember(look.model_copy(update={"unasked": True, "filled": corpus.digest}), corpus)
    return ""


def records_exist(corpus: Corpus, place: RecordsPlace | None = None) -> bool:
    """Tell whether records were ever filled."""
    store = open_records(corpus, place)
    if not store.path.exists():
        return False
    with closing(store):
        return bool(store.documents())


def _build(corpus: Corpus) -> None:
    """Draw up a schema, unless there is one, and read every document by it."""
    context = Context(corpus=corpus, reasoner=RulesReasoner())
    place = schema_path(corpus)
    if place.exists():
        schema = load_schema(place)
    else:
        drawn = induce(context).result
        if drawn is None or not drawn.kinds:
            return
        schema = drawn
        save_schema(schema, place)
    fill(context, schema)


def _advice(look: Look) -> str:
    if not look.structured:
        return "there are no records, and the documents show hardly any structure"
    return (
        "there are no records; the documents show a structure: after `headcount records induce` "
        "and `headcount records fill`, code counts in tables"
    )
