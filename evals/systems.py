"""Systems that answer a question over a corpus, ours and others, by name and measured alike."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from pyroaring import BitMap

import prompts
from agent.answer import Answer
from agent.errors import QueryError, RunError, SchemaError, SettingsError
from agent.prompt_values import QueryValues
from agent.records.analysis import AnalystQuestion
from agent.records.query_plan import Query
from agent.records.record import RecordsPlace
from agent.records.record_replies import QueryReply
from agent.records.record_schema import CellValue
from agent.state import Question
from evals.baselines.attempt import Attempt
from evals.baselines.baselines import (
    Method,
    diversify_verify_adapt,
    full_corpus,
    full_scan,
    iterative,
    note_taking,
    react,
    single_step,
    tool_agent,
)
from evals.baselines.light_rag import lightrag
from evals.names import DocumentNames
from evals.questions import Record
from evals.scores import Outcome, Step, numbers_in, process_accuracy
from graphs.analyst import build_analyst_graph
from graphs.asking import ask_all
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.records.available_records import at_hand, open_records, schema_path
from graphs.records.filling import fill, parts_of
from graphs.records.inducing import induce
from tools.corpus.corpus import Corpus
from tools.records.record_store import RecordStore
from tools.records.schema_file import load_schema, save_schema
from tools.runs.coverage_ledger import CoverageLedger


def fill_records(context: Context) -> None:
    """Draw up a schema, unless there is one, and read what has not been read."""
    place = schema_path(context.corpus)
    if place.exists():
        schema = load_schema(place)
    else:
        schema = induce(context).result
        if not schema.kinds:
            raise SchemaError("the documents have nothing in common that records could hold")
        save_schema(schema, place)
    fill(context, schema)


def give_schema(record: Record, corpus: Corpus) -> None:
    """Give a corpus the schema beside the questions; raises SchemaError where there is none."""
    save_schema(load_schema((record.folder or Path()) / "schema.json"), schema_path(corpus))


DEPTHS: Final = (5, 10, 20, 50)
"""k of the retrieving baselines (DFA, appendix A.7.1)."""
TIMES: Final = (1, 2, 2.5)
"""Chunks a document of the collection (MuDABench, table 1)."""
VECTOR_RAG: Final = 40
"""k of S-RAG's baseline (section 5.2)."""


System = Callable[[str, Context], Answer]
"""Answers a question over a context's corpus with its reasoner, or raises HeadcountError; what was
judged and kept stands in the context's run store, under the answer's run."""


def main(question: str, context: Context) -> Answer:
    """Answer by the main graph, as `headcount ask` runs it."""
    return _answer(build_graph().invoke(Question(question=question), context=context))


def analyst(question: str, context: Context) -> Answer:
    """Answer by the analyst graph, which draws up records for each question by itself."""
    return _answer(
        build_analyst_graph().invoke(AnalystQuestion(question=question), context=context)
    )


def records_alone(question: str, context: Context) -> Answer:
    """Answer by S-RAG alone: records of all documents, then one query; no text is read for it.

    The schema is the corpus's, or else drawn up from its documents. The cost of the records is on
    the bill of the question that had them filled.
    """
    before = context.reasoner.spent()
    fill_records(context)
    alone = replace(context, policy=context.policy.model_copy(update={"route": "records"}))
    with alone.store:
        answer = main(question, alone)
    return answer.model_copy(update={"cost": context.reasoner.spent() - before})


def hybrid_records(question: str, context: Context) -> Answer:
    """Answer by S-RAG's hybrid mode (section 3.3): from passages of documents that records name.

    Where the records do not tell which, it is plain retrieval from all.
    """
    before = context.reasoner.spent()
    fill_records(context)
    attempt = Attempt(question=question, context=context)
    attempt.search(question, VECTOR_RAG, "dense", among=_documents_by_records(attempt))
    attempt.answer_read()
    answer = attempt.conclude()
    return answer.model_copy(update={"cost": context.reasoner.spent() - before})


def _documents_by_records(attempt: Attempt) -> frozenset[int] | None:
    """Return the documents whose records pass a question's tests; None where that is unknown.

    Records that leave a test open may pass, and their documents are among them.
    """
    corpus = attempt.context.corpus
    with at_hand(attempt.context) as found:
        if isinstance(found, str):
            return None
        prompt = prompts.query(QueryValues(question=attempt.question, tables=found.tables))
        (reply,) = ask_all(attempt.runtime, [("query", prompt)], QueryReply).replies
        if reply is None or not isinstance(reply.plan, Query):
            return None
        rows = Query(kind=reply.plan.kind, where=reply.plan.where, operation="list")
        try:
            passing = {each for item in found.results.of(rows).items for each in item.records}
            passing |= found.results.in_doubt(rows).keys()
        except QueryError:
            return None
        named = [each.document for each in found.store.records(passing).values()]
    return frozenset(map(corpus.document_index, named))


def by_method(method: Method, question: str, context: Context) -> Answer:
    """Answer by a baseline's method."""
    attempt = Attempt(question=question, context=context)
    method(attempt)
    return attempt.conclude()


def _answer(out: Mapping[str, object]) -> Answer:
    answer = out.get("answer")
    if not isinstance(answer, Answer):
        raise RunError(f"run {out.get('run')!r} ended without an answer")
    return answer


METHODS: Mapping[str, Method] = {
    "llm-only": Attempt.answer_unread,
    **{f"naive-rag-{k}": partial(single_step, k=k) for k in DEPTHS},
    "naive-rag-full": partial(single_step, k=None),
    **{f"naive-rag-x{c:g}": partial(single_step, k=None, times=c) for c in TIMES},
    "vector-rag": partial(single_step, k=VECTOR_RAG),
    "full-corpus": full_corpus,
    **{f"iterative-rag-{k}": partial(iterative, k=k) for k in DEPTHS},
    **{f"note-taking-{k}": partial(note_taking, k=k) for k in DEPTHS},
    **{f"react-{k}": partial(react, k=k) for k in DEPTHS},
    "tool-agent": tool_agent,
    "diversify-verify": partial(diversify_verify_adapt, k=5),
    "full-scan": full_scan,
}
"""Those that answer from passages, by name; the number at the end of a name is k, the chunks of one
search, behind `x` a multiple of the documents; `full` is as many as the reader's context holds;
`full-corpus` does not search at all."""

SYSTEMS: Mapping[str, System] = {
    "main": main,
    "analyst": analyst,
    **{name: partial(by_method, method) for name, method in METHODS.items()},
    "records-alone": records_alone,
    "records-gold": records_alone,
    "hybrid-records": hybrid_records,
    "hybrid-gold": hybrid_records,
    "lightrag": partial(by_method, lightrag),
}
GOLD_SCHEMA: Final = frozenset({"records-gold", "hybrid-gold"})
"""Those that are given the schema beside the questions."""


def system_of(name: str) -> System:
    """Return the system of a name; raises SettingsError where there is none of that name."""
    if name not in SYSTEMS:
        raise SettingsError(f"there is no system {name!r}; choose one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


def observed(system: System, record: Record, context: Context) -> Outcome:
    """Ask any system a question; what it judged and kept stands in the run store, whatever it is.

    Also measure which of the record's intermediate facts were extracted.
    """
    context.corpus.runs.mkdir(parents=True, exist_ok=True)
    with context.store:
        began = time.perf_counter()
        answer = system(record.question, context)
        seconds = time.perf_counter() - began
        judged = _judged(answer.run, context)
        taken = [each for each in answer.snapshots if each.outcome == "kept"]
        kept = context.store.ids(taken[-1].id) if taken else BitMap()
    return Outcome(
        answer=answer,
        kept=frozenset(kept | judged),
        seconds=seconds,
        steps=fact_steps(record, context, answer, kept | judged),
    )


def _judged(run: str, context: Context) -> BitMap:
    """Return the chunks judged on some condition; none where a run keeps no ledger."""
    try:
        book = CoverageLedger.stored(context.store, run)
    except RunError:
        return BitMap()
    return BitMap().union(*(book.judged(each) for each in book.conditions))


_Numbers = Mapping[str, set[float]]
"""By document."""


def fact_steps(
    record: Record, context: Context, answer: Answer, kept: Iterable[int]
) -> Mapping[Step, float | None]:
    """Return the share of the intermediate facts left after each step (MuDABench, table 3).

    Outlined: a document that states it was to be read. Retrieved: so was the part that does.
    Extracted: it stands in that document's records, or in a quote where there are none. A run's own
    records, as the analyst makes them, come before those of the corpus. `kept` are the chunks read.
    Without facts it is {}.
    """
    corpus = context.corpus
    known = DocumentNames(corpus.documents).indices(record.gold_documents)
    if not record.intermediate_facts or not known:
        return {}
    texts = {corpus.documents[each]: corpus.document_text(each) for each in sorted(known)}
    own = corpus.runs / f"{answer.run}.records.sqlite"
    store = open_records(corpus, RecordsPlace(path=own, documents=()) if own.exists() else None)
    if store.path.exists():
        with closing(store):
            left = _by_records(store, texts, context)
    else:
        left = _by_passages(corpus, answer, kept)
    return {step: process_accuracy(record.intermediate_facts, texts, left[step]) for step in left}


def _by_records(
    store: RecordStore, texts: Mapping[str, str], context: Context
) -> Mapping[Step, _Numbers]:
    read, kinds = store.documents(), store.schema().kinds
    parts = context.components.parts or parts_of
    retrieved, extracted = {}, {}
    for name, text in texts.items():
        if name in read:
            spans = parts(context.corpus.document_index(name), kinds, context)
            retrieved[name] = _numbers(text[start:end] for start, end in spans)
            cells = [cell for row in store.records_of(name) for cell in row.cells]
            extracted[name] = _numbers(cell.value for cell in cells)
    outlined = {name: _numbers([texts[name]]) for name in retrieved}
    return {"outlined": outlined, "retrieved": retrieved, "extracted": extracted}


def _by_passages(corpus: Corpus, answer: Answer, kept: Iterable[int]) -> Mapping[Step, _Numbers]:
    """Tell what passages and quotes state: retrieval plans nothing."""
    retrieved, extracted = defaultdict[str, set[float]](set), defaultdict[str, set[float]](set)
    for chunk in kept:
        name = corpus.documents[corpus.chunk_document[chunk]]
        retrieved[name] |= _numbers([corpus.chunk_text(chunk)])
    for quote in (each for entity in answer.entities for each in entity.evidence):
        extracted[quote.document] |= _numbers([quote.quote])
    return {"retrieved": retrieved, "extracted": extracted}


def _numbers(values: Iterable[CellValue]) -> set[float]:
    """Return the numbers of cells or texts: those of a date count too, as does its year."""
    stated = [each for each in values if each is not None]
    written = {number for each in stated if isinstance(each, str) for number in numbers_in(each)}
    return written | {float(each) for each in stated if not isinstance(each, str)}
