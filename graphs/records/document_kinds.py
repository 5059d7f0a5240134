"""Of which kinds each document may hold records."""

from agent.records.record_schema import Kind, Schema
from graphs.records.document_rows import document_rows
from tools.corpus.corpus import Corpus
from tools.records.kinds import kinds_of

__all__ = ("document_kinds", "kinds_by_document")


def kinds_by_document(corpus: Corpus, schema: Schema) -> tuple[tuple[Kind, ...], ...]:
    """Return the kinds of each document, in the documents' order."""
    if not any(kind.documents for kind in schema.kinds):
        return (schema.kinds,) * len(corpus.documents)
    places = {name: place for place, name in enumerate(corpus.documents)}
    return kinds_of(schema, document_rows(corpus), places)


def document_kinds(corpus: Corpus, schema: Schema) -> tuple[tuple[str, ...], ...]:
    """Return the names of the kinds of each document."""
    found = kinds_by_document(corpus, schema)
    return tuple(tuple(kind.name for kind in kinds) for kinds in found)
