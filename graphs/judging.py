"""Judging batches of chunks: requests, replies, located quotes, second tries."""

from collections.abc import Sequence
from dataclasses import dataclass

from pyroaring import BitMap

import prompts
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderRejected,
    TruncatedReply,
)
from agent.evidence import Finding, Passage
from agent.question import Condition, Interpretation
from agent.reasoner import Failure, Prompt, Reasoner
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from graphs.verdicts import Verdicts
from tools.corpus.corpus import Corpus
from tools.passages import passages
from tools.quotes import locate

__all__ = ("Bench",)

_MARGIN = 600


@dataclass(frozen=True, slots=True)
class _Missing:
    """Chunks of one request that have no verdict yet."""

    chunks: list[int]
    cut: bool
    """Whether the reply was cut: less at once may still bring one."""


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
        """Judge all batches.

        What brings no usable reply is tried once more in halves; a reply that is cut at the token
        limit goes on being halved.

        Raises:
            ProviderRejected: the server will serve no request at all, for its key, permission or
                model; a request refused for what it holds is another, narrower error.
        """
        verdicts = Verdicts()
        missing = self._round(batches, verdicts)
        while missing and not verdicts.stopped:
            again = [half for each in missing for half in _halves(each.chunks)]
            verdicts.forget(BitMap(chunk for half in again for chunk in half))
            missing = [each for each in self._round(again, verdicts) if each.cut]
        verdicts.findings = list(dict.fromkeys(verdicts.findings))
        return verdicts

    def _round(self, batches: Sequence[Sequence[int]], verdicts: Verdicts) -> list[_Missing]:
        """Send the batches; return what has no verdict after it."""
        shown = [passages(self.corpus, batch) for batch in batches]
        replies = self.reasoner.ask_many([self._prompt(each) for each in shown], JudgeReply)
        _raise_if_all_rejected(replies)
        missing = []
        for batch, seen, reply in zip(batches, shown, replies, strict=True):
            open_ = self._take(seen, reply, verdicts)
            if open_:
                cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
                left = [chunk for chunk in batch if chunk in open_]
                missing.append(_Missing(left, cut=cut and len(left) > 1))
        return missing

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
        """Enter one reply; return the chunks that it leaves without a full verdict."""
        chunks = BitMap(passage.chunk for passage in seen)
        if isinstance(reply, Failure):
            return _enter_failure(reply, chunks, verdicts)
        open_ = BitMap()
        for number, passage in enumerate(seen, start=1):
            said = [each for each in reply.passages if each.passage == number]
            if not said:
                verdicts.unparsable.add(passage.chunk)
                verdicts.reasons[passage.chunk] = "a reply left passages out"
                open_.add(passage.chunk)
            elif self._enter(said, passage, verdicts):
                open_.add(passage.chunk)
        verdicts.read |= chunks - verdicts.unparsable
        return open_

    def _enter(self, said: Sequence[ChunkReply], passage: Passage, verdicts: Verdicts) -> bool:
        """Enter what was said of a passage; tell whether a condition is left unclear."""
        verified: set[str] = set()
        claimed: set[str] = set()
        for evidence in (each for reply in said for each in reply.evidence):
            finding = self._finding(evidence, passage)
            if finding is None:
                claimed.add(evidence.condition)
            else:
                verdicts.findings.append(finding)
                verified.add(finding.condition)
        unclear = self._unclear(claimed, verified)
        for condition in unclear:
            verdicts.unclear.setdefault(condition, BitMap()).add(passage.chunk)
            verdicts.reasons[passage.chunk] = "a quote is not in its passage"
        return bool(unclear)

    def _unclear(self, claimed: set[str], verified: set[str]) -> set[str]:
        """Return the conditions with unverified claims that no verified one settles.

        One quote settles a condition for a document; a named entity needs its own.
        """
        known = {condition.id for condition in self.conditions}
        unclear = claimed & known if claimed <= known else known
        return unclear - verified if self.reading.grain == "document" else unclear

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


def _raise_if_all_rejected(replies: Sequence[JudgeReply | Failure]) -> None:
    errors = [each.error for each in replies if isinstance(each, Failure)]
    rejected = [error for error in errors if type(error) is ProviderRejected]
    if rejected and len(rejected) == len(replies):
        raise rejected[0]


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
    verdicts.reasons.update(dict.fromkeys(chunks, str(reply.error)))
    return chunks


def _halves(chunks: list[int]) -> list[list[int]]:
    middle = (len(chunks) + 1) // 2
    return [half for half in (chunks[:middle], chunks[middle:]) if half]
