"""What may have been missed: the audits as counts, and what they prove."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.answer import Completeness
from agent.audit import Audit
from agent.question import AllOf, AnyOf, Node, Not, atoms
from agent.state import State
from graphs.context import Context
from graphs.scope import open_conditions
from graphs.truth import Truths
from graphs.unread import Reading
from tools.audit.bounds import Bound, bound
from tools.audit.look import Look, look_at_chunks, look_at_documents
from tools.audit.sample import Drawn
from tools.audit.strata import Stratum

__all__ = ("Proof", "completeness", "prove")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the audits of a reading prove."""

    chunks: Bound
    """Of the relevant chunks."""
    documents: Bound | None
    """Of the documents that match; None where documents are not what is counted, or where an
    unread chunk could also unmatch one."""
    chunk_looks: tuple[Look, ...]

    @property
    def in_words(self) -> str:
        """Say it for a person."""
        if not self.chunks.missed:
            return "every candidate chunk was judged"
        kinds = f"{_number(self.chunks.missed, 'relevant chunk')}"
        if self.documents is not None:
            kinds += f", in {_number(self.documents.missed, 'further document')}"
        audits = sum(look.drawn for look in self.chunk_looks)
        if not audits:
            return f"no audit: at most {kinds} unread, since so many were not read"
        population = self.chunk_looks[-1].population
        return (
            f"audit: {self.chunks.hits} of {audits} chunks drawn at random were relevant, the last "
            f"time from {population} unread; at most {kinds} unread"
        )


def prove(state: State, context: Context) -> Proof:
    """Return what the audits so far, and all that was read, prove."""
    reading, truths = Reading.of(state, context), Truths(state, context)
    book = _Audits(context, reading)
    chunk_looks = tuple(book.chunks(each) for each in state.audits)
    proven = bound(
        chunk_looks,
        found=len(reading.relevant),
        unread=len(reading.unread | reading.closed),
    )
    return Proof(
        chunks=proven,
        documents=_documents(state, truths, book) if _counts_documents(state) else None,
        chunk_looks=chunk_looks,
    )


def completeness(state: State, proof: Proof) -> Completeness:
    """Put the proof into an answer's form."""
    if not open_conditions(state):
        return Completeness(
            recall_lower_bound=1.0, confidence=1.0, method="metadata fields of every document"
        )
    chunks = proof.chunks
    bounded = bool(chunks.found) or not chunks.missed
    return Completeness(
        recall_lower_bound=chunks.recall if bounded else None,
        confidence=chunks.confidence if bounded else None,
        audited=chunks.audited,
        audit_hits=chunks.hits,
        method=proof.in_words,
    )


@dataclass(frozen=True, slots=True)
class _Audits:
    """The audits of a reading, counted with what is known now."""

    context: Context
    reading: Reading

    def chunks(self, audit: Audit) -> Look:
        drawn, before = self._drawn(audit), self.context.store.ids(audit.relevant)
        return look_at_chunks(
            drawn,
            hits=list(self.reading.relevant - before),
            failed=list(self._failed(drawn)),
            found=len(before),
            out_of_reach=len(self.context.store.ids(audit.closed)),
        )

    def documents(self, audit: Audit) -> Look:
        drawn, owner = self._drawn(audit), self.context.corpus.chunk_document
        matched = self.context.store.ids(audit.matched)
        closed = _owners(self.context.store.ids(audit.closed), owner)
        return look_at_documents(
            drawn,
            hits=list(self.reading.relevant),
            failed=list(self._failed(drawn)),
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

    def _failed(self, drawn: Iterable[Drawn]) -> BitMap:
        """Return the chunks of a sample that have no verdict."""
        sample = BitMap.union(*(BitMap(each.sample) for each in drawn))
        return sample - self.reading.judged - self.reading.relevant


def _documents(state: State, truths: Truths, audits: _Audits) -> Bound:
    owner = audits.context.corpus.chunk_document
    matched = BitMap(truths.matching())
    open_ = _owners(audits.reading.unread | audits.reading.closed, owner)
    return bound(
        [audits.documents(each) for each in state.audits],
        found=len(matched),
        unread=len(open_ - matched),
    )


def _counts_documents(state: State) -> bool:
    reading = state.interpretation
    if reading is None or reading.grain != "document" or reading.entity_field:
        return False
    return not _unmatches(reading.conditions)


def _unmatches(node: Node | None) -> bool:
    """Tell whether text that nobody read could make the conditions false."""
    match node:
        case Not():
            return any(atom.predicate is None for atom in atoms(node))
        case AllOf() | AnyOf():
            return any(_unmatches(part) for part in node.parts)
        case _:
            return False


def _owners(chunks: BitMap, owner: NDArray[np.int32]) -> BitMap:
    """Return the documents of the chunks."""
    return BitMap(np.unique(owner[_array(chunks)]))


def _array(ids: BitMap) -> NDArray[np.int64]:
    return np.array(ids, dtype=np.int64)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
