"""survey: which documents must be read, and which are not there any more."""

import hashlib
import json
from contextlib import closing

from langgraph.runtime import Runtime

from agent.errors import SchemaError
from agent.records.record import Filled, FillState, FillUpdate
from graphs.asking_records import fields_of
from graphs.context import Context
from graphs.records.document_kinds import document_kinds
from graphs.records.place import open_records
from tools.corpus.corpus import Corpus
from tools.records.database import RecordStore
from tools.records.failure import DocumentState

__all__ = ("digest_of", "survey", "survey_only")


def survey(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Bring the store to the schema and queue what is new, changed, stale or not wholly read.

    Raises:
        SchemaError: the schema has no kinds.
    """
    if not state.schema.kinds:
        raise SchemaError("the schema has no kinds, so there is nothing to be read")
    context = runtime.context
    with closing(open_records(context.corpus, context.records)) as store:
        store.write_schema(state.schema)
        gone = store.documents().keys() - set(context.corpus.documents)
        for name in gone:
            store.forget(name)
    update = survey_only(state, runtime)
    filled = update["filled"].model_copy(update={"forgotten": len(gone)})
    return {**update, "filled": filled}


def survey_only(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Queue what would have to be read, changing nothing."""
    corpus, place = runtime.context.corpus, runtime.context.records
    wanted = frozenset(place.documents if place else corpus.documents)
    kinds = document_kinds(corpus, state.schema)
    with closing(open_records(corpus, place)) as store:
        same = store.schema() == state.schema
        known = store.documents() if same else {}
        unread = _unread(store)
    queue = tuple(
        document
        for document, name in enumerate(corpus.documents)
        if name in wanted
        and (
            state.again
            or name in unread
            or not _is_current(known.get(name), digest_of(corpus, document), kinds[document])
        )
    )
    count = len(wanted)
    filled = Filled(documents=count, current=count - len(queue), left=len(queue))
    return {"kinds": kinds, "queue": queue, "filled": filled}


def _unread(store: RecordStore) -> set[str]:
    """Return the documents of which a part could not be read, for want of a usable reply."""
    return {each.document for each in store.failures() if not each.attribute}


def _is_current(known: DocumentState | None, digest: str, kinds: tuple[str, ...]) -> bool:
    if known is None or known.status == "stale" or known.digest != digest:
        return False
    return set(known.kinds) == set(kinds)


def digest_of(corpus: Corpus, document: int) -> str:
    """Return the digest of all that is read of a document."""
    told = [corpus.document_text(document), sorted(fields_of(corpus, document).items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
