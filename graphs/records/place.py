"""Where a corpus's records lie."""

from pathlib import Path

from agent.records.record import RecordsPlace
from tools.corpus.corpus import Corpus
from tools.records.database import RecordStore

__all__ = ("open_records", "schema_path")


def schema_path(corpus: Corpus) -> Path:
    """Return the place of the schema that a person reads and edits."""
    return corpus.path / "records" / "schema.yaml"


def open_records(corpus: Corpus, place: RecordsPlace | None = None) -> RecordStore:
    """Open the store of a corpus's records, or of a question's; whoever opens it closes it."""
    return RecordStore(place.path if place else corpus.path / "records" / "records.sqlite")
