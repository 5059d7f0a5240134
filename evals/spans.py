"""Where the true evidence stands in a corpus: spans of its texts, and the chunks they touch."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evals.names import DocumentNames
from evals.questions import GoldEvidence, Record
from tools.corpus.corpus import Corpus

_ANCHOR = 24


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of evidence in a document as indexed."""

    document: int
    start: int
    end: int
    evidence: GoldEvidence


def gold_spans(record: Record, corpus: Corpus) -> list[Span]:
    """Return the spans of the evidence whose document is in the corpus.

    Offsets count characters of the document's file. Where a reader changed the text before it,
    so that the evidence's first words do not stand there, they are looked up instead.
    """
    names = DocumentNames(corpus.documents)
    found = ((each, names.find(each.document)) for each in record.gold_evidence)
    return [
        Span(at, *_located(corpus.document_text(at), evidence), evidence)
        for evidence, at in found
        if at is not None
    ]


def _located(text: str, evidence: GoldEvidence) -> tuple[int, int]:
    """Return the evidence's span; the whole document where neither offsets nor words tell."""
    if evidence.start is not None and evidence.end is not None:
        start = _anchored(text, evidence, evidence.start)
        return start, start + evidence.end - evidence.start
    found = text.find(evidence.text) if evidence.text else -1
    return (found, found + len(evidence.text)) if found >= 0 else (0, len(text))


def _anchored(text: str, evidence: GoldEvidence, start: int) -> int:
    anchor = evidence.text[:_ANCHOR]
    if text.startswith(anchor, start):
        return start
    nearest = text.find(anchor, max(0, start - len(anchor)))
    found = nearest if nearest >= 0 else text.find(anchor)
    return found if found >= 0 else start


@dataclass(frozen=True, slots=True)
class GoldChunk:
    """A chunk that overlaps evidence."""

    chunk: int
    """Negative for evidence in a document that the corpus lacks: nothing can find it."""
    holders: tuple[frozenset[int], ...]
    """For each piece of evidence in the chunk, the chunks that hold all of that piece.

    That is the chunk itself, and a neighbour where the piece lies in their overlap: such text is
    shown to a reasoner once, so that finding either chunk finds the piece.
    """


def gold_chunks(record: Record, corpus: Corpus) -> tuple[GoldChunk, ...]:
    """Return the chunks that overlap the evidence, in order."""
    spans = gold_spans(record, corpus)
    holders: dict[int, list[frozenset[int]]] = defaultdict(list)
    for span in spans:
        for chunk in corpus.chunks_at(span.document, span.start, span.end):
            holders[chunk].append(_holders(corpus, span, chunk))
    missing = len(record.gold_evidence) - len(spans)
    lost = [GoldChunk(-1 - place, (frozenset(),)) for place in range(missing)]
    return (*lost, *(GoldChunk(chunk, tuple(found)) for chunk, found in sorted(holders.items())))


def recall(gold: Sequence[GoldChunk], found: Collection[int]) -> float | None:
    """Return the share of the gold chunks whose every piece of evidence some found chunk holds."""
    if not gold:
        return None
    among = frozenset(found)
    return sum(all(each & among for each in chunk.holders) for chunk in gold) / len(gold)


def _holders(corpus: Corpus, span: Span, chunk: int) -> frozenset[int]:
    start = max(span.start, int(corpus.chunk_start[chunk]))
    end = min(span.end, int(corpus.chunk_end[chunk]))
    return frozenset(
        other
        for other in corpus.chunks_at(span.document, start, end)
        if corpus.chunk_start[other] <= start and end <= corpus.chunk_end[other]
    )
