"""From evidence as a reasoner reports it to findings whose quotes stand in the text."""

from collections.abc import Collection
from dataclasses import dataclass

from agent.evidence import Finding, Passage
from agent.question import Condition, Interpretation
from agent.replies import EvidenceReply
from tools.corpus.corpus import Corpus
from tools.quotes import locate

__all__ = ("QuoteCheck",)

_MARGIN = 600
"""Characters around a passage in which a quote may stand: a neighbour's words are shown too."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Takes evidence for one question's conditions, or says why it cannot be used."""

    corpus: Corpus
    reading: Interpretation
    conditions: tuple[Condition, ...]
    by: str
    """Who reports the evidence."""

    def finding(self, evidence: EvidenceReply, passage: Passage) -> Finding | None:
        """Return the finding, or None where condition, entity or quote cannot be verified."""
        entity = passage.document if self.reading.grain == "document" else evidence.entity.strip()
        span = self._located(evidence.quote, passage)
        if evidence.condition not in self._known or not entity or span is None:
            return None
        text = self.corpus.document_text(self.corpus.document_index(passage.document))
        return Finding(
            chunk=self._bearer(passage, span),
            document=passage.document,
            condition=evidence.condition,
            entity=entity,
            start=span[0],
            end=span[1],
            quote=text[span[0] : span[1]],
            value=evidence.value,
            unit=evidence.unit,
            certainty=evidence.certainty,
            by=self.by,
        )

    def refusal(self, evidence: EvidenceReply) -> str:
        """Say to the reasoner why its evidence cannot be used."""
        if evidence.condition not in self._known:
            return f"there is no condition {evidence.condition!r}, only {', '.join(self._known)}"
        if self.reading.grain == "entity" and not evidence.entity.strip():
            return f"evidence for {evidence.condition} names no entity"
        return f"these words do not stand in it as quoted: {evidence.quote!r}"

    def unclear(self, refused: Collection[str], verified: Collection[str]) -> set[str]:
        """Return the conditions with refused evidence that no verified one settles.

        One quote settles a condition for a document; a named entity needs its own. Evidence for a
        condition that does not exist could be meant for any.
        """
        known = set(self._known)
        unclear = set(refused) & known if known.issuperset(refused) else known
        return unclear - set(verified) if self.reading.grain == "document" else unclear

    @property
    def _known(self) -> list[str]:
        return [condition.id for condition in self.conditions]

    def _located(self, quote: str, passage: Passage) -> tuple[int, int] | None:
        """Return the quote's span in the document: in the passage, else in its neighbourhood."""
        span = locate(quote, passage.text)
        if span is not None:
            return passage.start + span[0], passage.start + span[1]
        text = self.corpus.document_text(self.corpus.document_index(passage.document))
        first = max(0, passage.start - _MARGIN)
        span = locate(quote, text[first : passage.start + len(passage.text) + _MARGIN])
        return None if span is None else (first + span[0], first + span[1])

    def _bearer(self, passage: Passage, span: tuple[int, int]) -> int:
        """Return the chunk that holds a quote: the passage's own, else a neighbour it stands in."""
        starts, ends = self.corpus.chunk_start, self.corpus.chunk_end
        within = self.corpus.chunks_of(self.corpus.document_index(passage.document))
        near = (passage.chunk, passage.chunk - 1, passage.chunk + 1)
        return next(
            (
                chunk
                for chunk in near
                if chunk in within and starts[chunk] < span[1] and span[0] < ends[chunk]
            ),
            passage.chunk,
        )
