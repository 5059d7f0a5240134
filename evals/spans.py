"""Where the true evidence stands in a corpus: spans of its texts, and the chunks they touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evals.names import DocumentNames
from evals.questions import GoldEvidence, Record

__all__ = ("ChunkedTexts", "Span", "Texts", "gold_chunks", "gold_spans")

_ANCHOR = 24


class Texts(Protocol):
    """Documents with their texts."""

    @property
    def documents(self) -> Sequence[str]:
        """The documents' names."""
        ...

    def document_text(self, document: int) -> str:
        """Return a document's text as indexed."""
        ...


class ChunkedTexts(Texts, Protocol):
    """Documents that are cut into chunks."""

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        """Return the chunks that overlap a span of a document."""
        ...


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of evidence in a document as indexed."""

    document: int
    start: int
    end: int
    evidence: GoldEvidence


def gold_spans(record: Record, corpus: Texts) -> tuple[list[Span], list[GoldEvidence]]:
    """Return the spans of the evidence, and the evidence whose document is not in the corpus.

    Offsets count characters of the document's file. Where a reader changed the text before it,
    so that the evidence's first words do not stand there, they are looked up instead.
    """
    names = DocumentNames(corpus.documents)
    spans: list[Span] = []
    missing: list[GoldEvidence] = []
    for evidence in record.gold_evidence:
        document = names.find(evidence.document)
        if document is None:
            missing.append(evidence)
        else:
            start = _anchored(corpus.document_text(document), evidence)
            spans.append(Span(document, start, start + evidence.end - evidence.start, evidence))
    return spans, missing


def _anchored(text: str, evidence: GoldEvidence) -> int:
    anchor = evidence.text[:_ANCHOR]
    if text.startswith(anchor, evidence.start):
        return evidence.start
    nearest = text.find(anchor, max(0, evidence.start - len(anchor)))
    found = nearest if nearest >= 0 else text.find(anchor)
    return found if found >= 0 else evidence.start


def gold_chunks(record: Record, corpus: ChunkedTexts) -> frozenset[int]:
    """Return the chunks that overlap the evidence.

    Evidence in a document that the corpus lacks counts as a chunk with a negative id, which
    nothing can find: a lost document lowers recall.
    """
    spans, missing = gold_spans(record, corpus)
    chunks = {
        chunk for span in spans for chunk in corpus.chunks_at(span.document, span.start, span.end)
    }
    return frozenset(chunks | {-1 - place for place in range(len(missing))})
