"""Judging batches of chunks: requests, replies, located quotes, second tries."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pyroaring import BitMap

import prompts
from agent.errors import LimitReached, ModelError, ProviderError
from agent.evidence import Finding, Passage
from agent.question import Condition, Interpretation
from agent.reasoner import Failure, Prompt, Reasoner
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from tools.corpus.corpus import Corpus
from tools.passages import passages
from tools.quotes import locate

__all__ = ("Bench", "Verdicts")

_MARGIN = 600


@dataclass(slots=True)
class Verdicts:
    """What a wave of judging brought; every chunk sent is in exactly one of the four sets."""

    findings: list[Finding] = field(default_factory=list)
    read: BitMap = field(default_factory=BitMap)
    """Chunks with a usable verdict, yes or no."""
    unparsable: BitMap = field(default_factory=BitMap)
    failed: BitMap = field(default_factory=BitMap)
    unseen: BitMap = field(default_factory=BitMap)
    """Chunks whose request the budget did not allow."""
    stopped: str = ""
    """The limit that was reached, if one was."""

    def chunks_with(self, condition: str) -> BitMap:
        """Return the chunks with a finding for the condition."""
        return BitMap(each.chunk for each in self.findings if each.condition == condition)


@dataclass(slots=True)
class Bench:
    """A reasoner put before one question's conditions."""

    corpus: Corpus
    reasoner: Reasoner
    reading: Interpretation
    conditions: tuple[Condition, ...]
    digest: str = ""
    """Digest of the judging prompt's wording, once one was sent."""

    def judge(self, batches: Sequence[Sequence[int]]) -> Verdicts:
        """Judge all batches; what brings no usable reply is tried once more in halves."""
        verdicts = Verdicts()
        again = self._round(batches, verdicts)
        if again and not verdicts.stopped:
            verdicts.unparsable.clear()
            verdicts.failed.clear()
            self._round(again, verdicts)
        return verdicts

    def _round(self, batches: Sequence[Sequence[int]], verdicts: Verdicts) -> list[list[int]]:
        """Send the batches; return what should be tried again."""
        shown = [passages(self.corpus, batch) for batch in batches]
        sent = [self._prompt(each) for each in shown]
        replies = self.reasoner.ask_many(sent, JudgeReply)
        again: list[list[int]] = []
        for batch, seen, reply in zip(batches, shown, replies, strict=True):
            missing = self._take(seen, reply, verdicts)
            again.extend(_halves([chunk for chunk in batch if chunk in missing]))
        return again

    def _prompt(self, seen: Sequence[Passage]) -> Prompt:
        prompt = prompts.judge(
            conditions=self.conditions,
            entity_type=self.reading.entity_type,
            grain=self.reading.grain,
            measure=self.reading.measure,
            passages=seen,
            corpus=self.corpus,
        )
        self.digest = prompt.digest
        return prompt

    def _take(
        self, seen: Sequence[Passage], reply: JudgeReply | Failure, verdicts: Verdicts
    ) -> BitMap:
        """Enter one reply; return the chunks that it leaves without a usable verdict."""
        chunks = BitMap(passage.chunk for passage in seen)
        if isinstance(reply, Failure):
            return _enter_failure(reply, chunks, verdicts)
        unusable = BitMap(chunks)
        for number, passage in enumerate(seen, start=1):
            said = [each for each in reply.passages if each.passage == number]
            findings = self._verified(said, passage) if said else None
            if findings is not None:
                unusable.discard(passage.chunk)
                verdicts.findings.extend(findings)
        verdicts.read |= chunks - unusable
        verdicts.unparsable |= unusable
        return unusable

    def _verified(self, said: Sequence[ChunkReply], passage: Passage) -> list[Finding] | None:
        """Return the findings with a located quote; None where none of the evidence holds."""
        evidence = [each for reply in said for each in reply.evidence]
        findings = [found for each in evidence if (found := self._finding(each, passage))]
        return findings if findings or not evidence else None

    def _finding(self, evidence: EvidenceReply, passage: Passage) -> Finding | None:
        entity = passage.document if self.reading.grain == "document" else evidence.entity.strip()
        known = evidence.condition in {condition.id for condition in self.conditions}
        span = self._located(evidence.quote, passage)
        if not known or not entity or span is None:
            return None
        text = self.corpus.document_text(self.corpus.document_index(passage.document))
        return Finding(
            chunk=passage.chunk,
            document=passage.document,
            condition=evidence.condition,
            entity=entity,
            start=span[0],
            end=span[1],
            quote=text[span[0] : span[1]],
            value=evidence.value,
            unit=evidence.unit,
            by=self.reasoner.name,
        )

    def _located(self, quote: str, passage: Passage) -> tuple[int, int] | None:
        """Return the quote's span in the document: in the passage, else in its neighbourhood."""
        span = locate(quote, passage.text)
        if span is not None:
            return passage.start + span[0], passage.start + span[1]
        text = self.corpus.document_text(self.corpus.document_index(passage.document))
        first = max(0, passage.start - _MARGIN)
        span = locate(quote, text[first : passage.start + len(passage.text) + _MARGIN])
        return None if span is None else (first + span[0], first + span[1])


def _enter_failure(reply: Failure, chunks: BitMap, verdicts: Verdicts) -> BitMap:
    """Enter a request without a reply; return the chunks to try again.

    Raises:
        HeadcountError: an error that is neither the model's, the provider's nor a limit.
    """
    match reply.error:
        case LimitReached():
            verdicts.unseen |= chunks
            verdicts.stopped = str(reply.error)
            return BitMap()
        case ModelError():
            verdicts.unparsable |= chunks
        case ProviderError():
            verdicts.failed |= chunks
        case _:
            raise reply.error
    return chunks


def _halves(chunks: list[int]) -> list[list[int]]:
    middle = (len(chunks) + 1) // 2
    return [half for half in (chunks[:middle], chunks[middle:]) if half]
