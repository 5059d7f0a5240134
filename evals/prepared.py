"""The records of a corpus before anything is asked: drawn up and filled by the run's reasoner."""

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING

from agent.reasoner import Reasoner
from agent.records.record_schema import CellValue
from evals.facts import numbers_in, process_accuracy
from evals.names import DocumentNames
from evals.questions import Record

if TYPE_CHECKING:
    from agent.records.record import RecordsPlace
    from tools.corpus.corpus import Corpus

__all__ = ("fill_records", "numbers_by_document", "process")


def fill_records(corpus: "Corpus", reasoner: Reasoner) -> None:
    """Draw up a schema, unless there is one, and read what has not been read.

    Raises:
        SchemaError: the documents have nothing in common.
        HeadcountError: whatever else keeps the reasoner from reading.
    """
    from agent.errors import SchemaError
    from graphs.context import Context
    from graphs.records.available_records import schema_path
    from graphs.srag import fill, induce
    from tools.records.schema_file import load_schema, save_schema

    context = Context(corpus=corpus, reasoner=reasoner)
    place = schema_path(corpus)
    if place.exists():
        schema = load_schema(place)
    else:
        drawn = induce(context).result
        if drawn is None or not drawn.kinds:
            raise SchemaError("the documents have nothing in common that records could hold")
        schema = drawn
        save_schema(schema, place)
    fill(context, schema)


def process(record: Record, corpus: "Corpus", place: "RecordsPlace | None" = None) -> float | None:
    """Return the question's process accuracy; None where it has no intermediate facts."""
    names = DocumentNames(corpus.documents)
    known = names.indices(record.gold_documents)
    if not record.intermediate_facts or not known:
        return None
    texts = {corpus.documents[each]: corpus.document_text(each) for each in sorted(known)}
    return process_accuracy(
        record.intermediate_facts, texts, numbers_by_document(corpus, texts, place)
    )


def _numbers(value: CellValue) -> tuple[float, ...]:
    """Return the numbers of a cell: those of a date or a text count too, as does its year."""
    return numbers_in(value) if isinstance(value, str) else () if value is None else (float(value),)


def numbers_by_document(
    corpus: "Corpus", documents: Mapping[str, object], place: "RecordsPlace | None" = None
) -> Mapping[str, tuple[float, ...]]:
    """Return the numbers in the records of some documents; none where nothing was recorded."""
    from graphs.records.available_records import open_records

    store = open_records(corpus, place)
    if not store.path.exists():
        return {}
    with closing(store):
        return {
            name: tuple(
                number
                for row in store.records_of(name)
                for cell in row.cells
                for number in _numbers(cell.value)
            )
            for name in documents
        }
