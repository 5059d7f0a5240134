"""Past audits: counted with what is known now, and the filter call that one of them undoes.

An audit undoes a call whose discarded chunks hold what the search had lost.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.coverage import Audit, SampledStratum
from agent.history import Snapshot, Step
from agent.state import State, Update
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope
from graphs.search.search_progress import SearchProgress
from tools.audit.audit_sample import Drawn, Look, Stratum, look_at_chunks, look_at_documents
from tools.audit.filter_leaks import Leak, leak

_BY_RANK = "feedback"
"""What a ranking ruled out is ranked again anyway, so that nothing is gained by undoing it."""


def call_of(stratum: Stratum, state: State, context: Context) -> int | None:
    """Return the round of the filter call that alone ruled a stratum out; None if none did."""
    if len(stratum.reasons) > 1:
        return None
    book = ledger(state, context)
    texts = [condition.id for condition in open_conditions(state)]
    chunks = BitMap(stratum.chunks)
    for step in state.history:
        if step.certain or step.call.tool == _BY_RANK:
            continue
        if chunks <= BitMap().union(*(book.pruned_by(step.round, each) for each in texts)):
            return step.round
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """A filter call that an audit undoes."""

    leak: Leak
    step: Step
    """The call."""
    back: BitMap
    """The chunks that become candidates again: what the call alone kept from being read."""
    first: BitMap
    """Those of them to read first: the part that leaked."""

    @property
    def why(self) -> str:
        """Say which call is undone, and what for."""
        call = f"{self.step.call.tool} in round {self.step.round}"
        return f"its hits lie in what {call} ruled out, which is undone: {self.leak.in_words}"

    def carried_out(self, by: Step, state: State, context: Context) -> Update:
        """Take the chunks back, in the run store; a repetition changes nothing."""
        store, before = context.store, context.store.ids(state.snapshot)
        snapshot = Snapshot(
            id=by.after,
            parent=state.snapshot,
            tool=by.call.tool,
            arguments=by.call.arguments,
            kept=len(before | self.back),
            discarded=0,
            why=self.why,
        )
        store.add_snapshot(scope(state), by.round, snapshot)
        told = f"by the audit in round {by.round}: {self.leak.in_words}"
        store.set_outcome(scope(state), self.step.round, "rolled_back", told)
        book = ledger(state, context)
        texts = [condition.id for condition in open_conditions(state)]
        book.restore(self.back, conditions=texts, step=by.round)
        return {"snapshot": by.after, "coverage": book.coverage()}


def undoing(audit: Audit, state: State, context: Context) -> Undoing | None:
    """Return the filter call to blame for an audit's hits; None where they lie all over.

    It depends on the audit as it was drawn and on verdicts alone, not on which chunks are still
    ruled out: a node that runs again after a crash gives the same.
    """
    found = _blamed(audit, state, context)
    if found is None:
        return None
    store = context.store

    def united(strata: Sequence[SampledStratum]) -> BitMap:
        chunks = BitMap().union(*(store.ids(each.chunks) for each in strata))
        return chunks - BitMap().union(*(store.ids(each.sample) for each in strata))

    return Undoing(
        leak=found,
        step=next(step for step in state.history if step.round == found.call),
        back=united([each for each in audit.strata if each.call == found.call]),
        first=united([audit.strata[place] for place in found.strata]),
    )


def _blamed(audit: Audit, state: State, context: Context) -> Leak | None:
    look = PastAudits(state, context).chunks(audit)
    calls = [each.call for each in audit.strata]
    blamed = context.components.blamed
    return leak(look, calls) if blamed is None else blamed(look, calls, context)


@dataclass(frozen=True, slots=True)
class PastAudits:
    """The audits of a reading, counted with what is known now."""

    state: State
    context: Context

    def samples(self) -> BitMap:
        """Return all chunks that were drawn."""
        strata = [each for audit in self.state.audits for each in audit.strata]
        return BitMap().union(*(self.context.store.ids(each.sample) for each in strata))

    def chunks(self, audit: Audit) -> Look:
        """Return an audit as counts of relevant chunks."""
        drawn, before = self._drawn(audit), self.context.store.ids(audit.relevant)
        reading = SearchProgress.of(self.state, self.context, audit.pivot)
        return look_at_chunks(
            drawn,
            hits=list(reading.relevant - before),
            failed=list(_failed(drawn, reading)),
            found=len(before),
            out_of_reach=len(self.context.store.ids(audit.closed)),
        )

    def documents(self, audit: Audit) -> Look:
        """Return an audit as counts of matching documents."""
        drawn, owner = self._drawn(audit), self.context.corpus.chunk_document
        matched = self.context.store.ids(audit.matched)
        closed = documents_of(self.context.store.ids(audit.closed), owner)
        reading = SearchProgress.of(self.state, self.context, audit.pivot)
        return look_at_documents(
            drawn,
            hits=list(reading.relevant),
            failed=list(_failed(drawn, reading)),
            document=owner.tolist(),
            matched=list(matched),
            out_of_reach=len(closed - matched),
        )

    def _drawn(self, audit: Audit) -> tuple[Drawn, ...]:
        ids = self.context.store.ids
        return tuple(
            Drawn(
                stratum=Stratum(
                    reasons=each.reasons,
                    band=each.band,
                    bands=each.bands,
                    chunks=_array(ids(each.chunks)),
                ),
                sample=_array(ids(each.sample)),
            )
            for each in audit.strata
        )


def _failed(drawn: Iterable[Drawn], reading: SearchProgress) -> BitMap:
    """Return the chunks of a sample that have no verdict."""
    sample = BitMap.union(*(BitMap(each.sample) for each in drawn))
    return sample - reading.judged - reading.relevant


def documents_of(chunks: BitMap, owner: NDArray[np.int32]) -> BitMap:
    """Return the documents of the chunks."""
    return BitMap(np.unique(owner[_array(chunks)]))


def _array(ids: BitMap) -> NDArray[np.int64]:
    return np.array(ids, dtype=np.int64)
