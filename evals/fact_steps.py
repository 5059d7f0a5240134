"""Which step lost an intermediate fact (MuDABench, table 3): planning, retrieval or extraction."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing

from agent.answer import Answer
from agent.records.record import RecordsPlace
from agent.records.record_schema import CellValue
from evals.names import DocumentNames
from evals.questions import Record
from evals.scores import Step, numbers_in, process_accuracy
from graphs.context import Context
from graphs.records.available_records import open_records
from graphs.records.filling import parts_of
from tools.corpus.corpus import Corpus
from tools.records.record_store import RecordStore

_Numbers = Mapping[str, set[float]]
"""By document."""


def fact_steps(
    record: Record, context: Context, answer: Answer, kept: Iterable[int]
) -> Mapping[Step, float | None]:
    """Return the share of the intermediate facts that is left after each step; {} without facts.

    Outlined: a document that states it was to be read. Retrieved: so was the part that does.
    Extracted: it stands in that document's records, or in a quote where there are none. A run's own
    records, as the analyst makes them, come before those of the corpus. `kept` are the chunks read.
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
