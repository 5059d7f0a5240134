"""outline: which documents bear on the question, and what is copied out of each."""

from langgraph.runtime import Runtime

import prompts
from agent.errors import MalformedReply
from agent.question import Predicate
from agent.reasoner import Prompt
from agent.records.analysis import (
    AnalyseReply,
    Analysis,
    AnalystState,
    AnalystUpdate,
    restriction_from,
)
from agent.records.record_replies import InduceReply
from graphs.asking import ask
from graphs.context import Context
from graphs.records.document_rows import document_rows
from graphs.records.nodes.draw import samples
from graphs.runs.opening import open_run
from tools.corpus.corpus import Corpus
from tools.decisions import satisfying
from tools.records.sampling import reading_order
from tools.records.uniting import schema_from

__all__ = ("outline", "planning")

_SHOWN = 6
"""Documents shown with the question, spread over the collection."""


def outline(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
    """Open the run and plan the analysis.

    A restriction that no document passes is given up, and said so.

    Raises:
        MalformedReply: the plan copies nothing out, or restricts by what is no field.
    """
    context = runtime.context
    corpus = context.corpus
    run = open_run(state.question, state.run, context)
    prompt = planning(state.question, runtime)
    analysis = ask(runtime, prompt, AnalyseReply, lambda reply: _checked(reply, corpus))
    warnings = state.warnings
    if not analysis.documents:
        told = ", ".join(_in_words(each) for each in analysis.restrictions)
        warnings = (*warnings, f"no document passes {told}: all were read")
        every = {"restrictions": (), "documents": tuple(corpus.documents)}
        analysis = analysis.model_copy(update=every)
    return {"run": run, "analysis": analysis, "warnings": warnings}


def planning(question: str, runtime: Runtime[Context]) -> Prompt:
    """Return the prompt that asks for the plan, with documents from all over the collection."""
    context = runtime.context
    shown = reading_order(document_rows(context.corpus), _SHOWN)[:_SHOWN]
    return prompts.analyse(
        question=question,
        corpus=context.corpus,
        documents=samples(runtime, shown, (question,)),
    )


def _checked(reply: AnalyseReply, corpus: Corpus) -> Analysis:
    fields = [field.name for field in corpus.fields]
    restrictions = tuple(restriction_from(each, fields) for each in reply.restrictions)
    schema = schema_from(InduceReply(why=reply.why, kinds=[reply.kind]))
    if not schema.kinds:
        raise MalformedReply("the record has no attributes, so nothing would be copied out")
    passing = [satisfying(corpus, each) for each in restrictions]
    documents = (
        name
        for place, name in enumerate(corpus.documents)
        if all(place in each for each in passing)
    )
    return Analysis(
        why=reply.why, restrictions=restrictions, copied=schema, documents=tuple(documents)
    )


def _in_words(predicate: Predicate) -> str:
    return f"{predicate.field} {predicate.comparison} {' | '.join(predicate.values)}".strip()
