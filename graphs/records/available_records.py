"""The records of a corpus as a run finds them: the tables, which documents they cover, why none."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from agent.records.record import RecordsPlace
from agent.records.record_schema import Kind, Schema, Tables
from agent.small_files import read_small
from agent.value import counted
from graphs.context import Context
from tools.corpus.corpus import Corpus
from tools.records.document_groups import kinds_of
from tools.records.guarded_select import Selector
from tools.records.plan_results import Results
from tools.records.record_store import RecordStore
from tools.sqlite_file import seal_of

WHY_FAILED = "`headcount records fill` tries again, `headcount records show` says why"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """Records that can be queried."""

    store: RecordStore
    tables: Tables
    documents: int
    """How many the corpus has, or bear on the question that the records were made for."""
    covered: tuple[str, ...]
    """The documents that were wholly read, for all kinds they may hold as these are now."""
    failed: tuple[str, ...]
    partial: tuple[str, ...] = ()
    """Those of which a part or a whole record could not be read."""

    @property
    def read(self) -> int:
        """How many documents were read."""
        return len(self.covered)

    @property
    def lacking(self) -> int:
        """How many documents have no records that could be trusted."""
        return self.documents - self.read

    @property
    def results(self) -> Results:
        """What runs plans over the tables."""
        return Results(self.tables.schema, Selector(self.store.path).select)


def document_rows(corpus: Corpus) -> NDArray[np.float64]:
    """Return the direction of the mean of each document's chunks, unit rows, (documents, d)."""
    vectors = corpus.vectors.rows()
    sums = np.zeros((len(corpus.documents), vectors.shape[1]))
    np.add.at(sums, corpus.chunk_document, vectors)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return sums / np.where(lengths > 0, lengths, 1)


def document_kinds(corpus: Corpus, schema: Schema) -> Sequence[tuple[Kind, ...]]:
    """Return the kinds of which each document may hold records."""
    if not any(kind.documents for kind in schema.kinds):
        return (schema.kinds,) * len(corpus.documents)
    places = {name: place for place, name in enumerate(corpus.documents)}
    return kinds_of(schema, document_rows(corpus), places)


def fields_of(corpus: Corpus, document: int) -> dict[str, str]:
    """Return what is known of a document beside its text, as written."""
    return {name: value.raw for name, value in corpus.document_fields(document).items()}


def digest_of(corpus: Corpus, document: int) -> str:
    """Return the digest of all that is read of a document."""
    told = [corpus.document_text(document), sorted(fields_of(corpus, document).items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def schema_path(corpus: Corpus) -> Path:
    """Return the place of the schema that a person reads and edits."""
    return corpus.path / "records" / "schema.json"


def open_records(corpus: Corpus, place: RecordsPlace | None = None) -> RecordStore:
    """Open the store of a corpus's records, or of a question's; whoever opens it closes it."""
    return RecordStore(place.path if place else _file(corpus))


def _file(corpus: Corpus) -> Path:
    """Return the file of records; of a read-only corpus a copy, for SQLite writes beside it."""
    own = corpus.path / "records" / "records.sqlite"
    if corpus.runs.parent == corpus.path or not own.exists():
        return own
    copy = corpus.runs / f"records-{own.stat().st_mtime_ns}.sqlite"
    if not copy.exists():
        corpus.runs.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = copy.with_name(f"{copy.name}.{uuid4().hex}")
        with suppress(FileNotFoundError):
            shutil.copyfile(seal_of(own), seal_of(copy))
        shutil.copyfile(own, draft)
        draft.replace(copy)
    return copy


@contextmanager
def at_hand(context: Context) -> Iterator[AtHand | str]:
    """Open the records of a run as they are, or say why none could be queried."""
    corpus, place = context.corpus, context.records
    if not records_exist(corpus, place):
        yield "there are no records"
        return
    with closing(open_records(corpus, place)) as store:
        if place is None:
            _forget_outdated(store, corpus)
        tables = store.tables()
        if not any(each.rows for each in tables.facts):
            states = [each.status for each in store.documents().values()]
            none = f"none of {counted(len(states), 'document')} could be read into records"
            yield f"{none}: {WHY_FAILED}" if {*states} == {"failed"} else "the records are empty"
            return
        covered, failed, partial = _told_apart(store, corpus)
        yield AtHand(
            store=store,
            tables=tables,
            documents=len(place.documents if place else corpus.documents),
            covered=covered,
            failed=failed,
            partial=partial,
        )


def tables_of(context: Context) -> Tables | None:
    """Return the tables that a question may be answered from; None where there are none."""
    if context.policy.route == "text":
        return None
    with at_hand(context) as found:
        return None if isinstance(found, str) else found.tables


def _forget_outdated(store: RecordStore, corpus: Corpus) -> None:
    """Forget, once for each state of the corpus, texts that changed or are gone."""
    mark = store.path.with_name("checked")
    with suppress(OSError):
        if read_small(mark) == corpus.digest.encode():
            return
    places = {name: place for place, name in enumerate(corpus.documents)}
    for name, state in store.documents().items():
        if name not in places or digest_of(corpus, places[name]) != state.digest:
            store.forget(name)
    with suppress(OSError):
        mark.write_text(corpus.digest, encoding="utf-8")


def _told_apart(store: RecordStore, corpus: Corpus) -> tuple[tuple[str, ...], ...]:
    """Tell documents that are covered, failed and partial; those to be read again are none."""
    kinds = dict(zip(corpus.documents, document_kinds(corpus, store.schema()), strict=True))
    fresh = [
        each
        for each in store.documents().values()
        if each.status != "stale"
        and set(each.kinds) >= {kind.name for kind in kinds.get(each.document, ())}
    ]
    lost = {each.document for each in store.failures() if not each.attribute}
    failed = tuple(each.document for each in fresh if each.status == "failed")
    partial = tuple(each.document for each in fresh if each.document in lost - set(failed))
    left = set(failed) | set(partial)
    covered = tuple(each.document for each in fresh if each.document not in left)
    return covered, failed, partial


def records_exist(corpus: Corpus, place: RecordsPlace | None = None) -> bool:
    """Tell whether records were ever filled."""
    store = open_records(corpus, place)
    if not store.path.exists():
        return False
    with closing(store):
        return bool(store.documents())
