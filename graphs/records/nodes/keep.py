"""keep: documents that were read are stored, each as a whole."""

from collections.abc import Sequence
from contextlib import closing

from langgraph.runtime import Runtime

from agent.records.record import REMARK, DocumentInHand, FillState, FillUpdate, Record
from agent.records.record_schema import Kind
from graphs.context import Context
from graphs.records.nodes.survey import digest_of
from graphs.records.place import open_records
from tools.records.failure import DocumentState, Failure
from tools.records.merging import put_together

__all__ = ("keep",)


def keep(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Store the documents of which nothing is pending, and count what came of them.

    Where nothing came of reading a document once more, what was read before stands.
    """
    corpus = runtime.context.corpus
    done = [each for each in state.hand if not each.pending]
    filled = state.filled
    place = runtime.context.records
    with closing(open_records(corpus, place)) as store, store.together():
        before = store.documents() if any(each.unread for each in done) else {}
        for each in done:
            name = corpus.documents[each.document]
            own = state.kinds_of(each.document)
            records, failures = _brought(each, own, name)
            digest = digest_of(corpus, each.document)
            kinds = [kind.name for kind in own]
            lost = any(not failure.attribute for failure in failures)
            if records or not lost or not _still_read(before.get(name), digest, kinds):
                store.put(name, digest, records, failures, kinds)
            filled = filled.model_copy(
                update={
                    "read": filled.read + 1,
                    "left": filled.left - 1,
                    "records": filled.records + len(records),
                    "refused": filled.refused + sum(bool(unread.kind) for unread in each.unread),
                    "failed": (*filled.failed, name) if lost else filled.failed,
                }
            )
    rest = tuple(each for each in state.hand if each.pending)
    return {"hand": rest, "filled": filled.model_copy(update={"stopped": state.stopped})}


def _still_read(before: DocumentState | None, digest: str, kinds: Sequence[str]) -> bool:
    """Tell whether a document was read before as it is now, for all that it may hold."""
    if before is None or before.status != "read" or before.digest != digest:
        return False
    return set(before.kinds) >= set(kinds)


def _brought(
    hand: DocumentInHand, kinds: tuple[Kind, ...], name: str
) -> tuple[tuple[Record, ...], list[Failure]]:
    """Return a document's records in the text's order, and what could not be read or agreed on."""
    parts = [records for _, records in sorted(hand.read, key=lambda each: each[0])]
    records, contradictions = put_together(kinds, parts)
    failures = [
        Failure(
            document=name,
            reason=each.reason,
            kind=each.kind,
            attribute=each.attribute,
            original=each.original,
            start=each.span[0] if each.span else None,
            end=each.span[1] if each.span else None,
        )
        for each in hand.unread
    ]
    failures += [Failure(document=name, reason=each, attribute=REMARK) for each in contradictions]
    return records, failures
