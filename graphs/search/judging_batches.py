"""Judging batches of chunks: requests, replies, located quotes, second tries."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pyroaring import BitMap

import prompts
from agent.coverage import SKIPPED, Purpose
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderForbade,
    ProviderRejected,
    ProviderUnreachable,
    TruncatedReply,
)
from agent.evidence import Finding, Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Failure, Prompt, Reasoner
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages
from tools.quotes import locate, locate_around, missing_part
from tools.runs.reviews import Reviews

_LONGEST_SEEK = 600
"""Characters of a line to search by."""


@dataclass(slots=True)
class Verdicts:
    """What a wave of judging brought; every chunk sent is in exactly one of the four sets."""

    findings: list[Finding] = field(default_factory=list)
    read: BitMap = field(default_factory=BitMap)
    """Chunks with a usable reply; see `unclear`."""
    unparsable: BitMap = field(default_factory=BitMap)
    failed: BitMap = field(default_factory=BitMap)
    unseen: BitMap = field(default_factory=BitMap)
    """Chunks whose request the budget did not allow."""
    unclear: defaultdict[str, BitMap] = field(default_factory=lambda: defaultdict(BitMap))
    """By condition, chunks that were read but whose evidence for it could not be verified."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Why a chunk is unparsable, failed or unclear, the same words for the same fault."""
    reviewed: BitMap = field(default_factory=BitMap)
    """Chunks with a person's verdict, which stands over the reasoner's."""
    remarks: dict[int, str] = field(default_factory=dict)
    """What the reasoner should know before it reads a chunk again."""
    seek: tuple[str, ...] = ()
    """What to search by next, each once."""
    stopped: str = ""
    """The limit that was reached, if one was."""

    def chunks_with(self, condition: str) -> BitMap:
        """Return the chunks with a finding for the condition and nothing unclear about it."""
        found = BitMap(each.chunk for each in self.findings if each.condition == condition)
        return (found & self.read) - self.unclear[condition]

    def forget(self, chunks: BitMap) -> None:
        """Take chunks out that are about to be tried again; verified findings stay."""
        self.read -= chunks
        self.unparsable -= chunks
        self.failed -= chunks
        for condition in self.unclear:
            self.unclear[condition] -= chunks


@dataclass(slots=True)
class Bench:
    """A reasoner put before one question's conditions."""

    corpus: Corpus
    reasoner: Reasoner
    reading: Interpretation
    conditions: tuple[Condition, ...]
    question: str = ""
    """In the person's own words."""
    purpose: Purpose = "search"
    """Why the chunks are read."""
    asked: Mapping[str, BitMap] = field(default_factory=dict)
    """By condition, the chunks of which it is asked; one without any is asked of all."""
    reviews: Reviews | None = None
    """What people said of passages before."""
    seek: bool = False
    """Whether to ask what to search by next."""

    def judge(self, batches: Sequence[Sequence[int]]) -> Verdicts:
        """Judge all batches; the passages of a document stand together, in its order.

        What brings no usable reply is tried once more in halves, with what was wrong; a reply that
        is cut at the token limit goes on being halved.

        Raises:
            ProviderRejected: the server will serve no request at all, for its key, permission or
                model; a request refused for what it holds is another, narrower error.
            ProviderUnreachable: no request reached the server.
        """
        verdicts = Verdicts()
        missing = self._round([sorted(batch) for batch in batches], verdicts)
        while missing and not verdicts.stopped:
            again = [half for chunks, _ in missing for half in _halves(chunks)]
            verdicts.forget(BitMap(chunk for half in again for chunk in half))
            missing = [each for each in self._round(again, verdicts, again=True) if each[1]]
        left = BitMap(chunk for chunks, _ in missing for chunk in chunks)
        verdicts.forget(left)  # a limit kept them from being tried once more
        verdicts.unseen |= left
        verdicts.findings = list(dict.fromkeys(verdicts.findings))
        return verdicts

    def prompt(self, batch: Sequence[int]) -> Prompt:
        """Return what is sent for a batch that is judged for the first time."""
        return self._prompt(passages(self.corpus, sorted(batch)), {})

    def _round(
        self, batches: Sequence[Sequence[int]], verdicts: Verdicts, *, again: bool = False
    ) -> list[tuple[list[int], bool]]:
        """Send the batches; return the chunks of a request that have no verdict after it.

        With them, whether the reply was cut: less at once may still bring one.
        """
        shown = [passages(self.corpus, batch) for batch in batches]
        sent = [self._prompt(each, verdicts.remarks) for each in shown]
        replies = self.reasoner.ask_many(sent, JudgeReply)
        _raise_if_unserved(replies, again=again)
        missing = []
        for batch, seen, reply in zip(batches, shown, replies, strict=True):
            open_ = self._take(seen, reply, verdicts)
            if open_:
                cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
                left = [chunk for chunk in batch if chunk in open_]
                missing.append((left, cut and len(left) > 1))
        return missing

    def _prompt(self, seen: Sequence[Passage], remarks: Mapping[int, str]) -> Prompt:
        numbered, chunks = enumerate(seen, start=1), BitMap(each.chunk for each in seen)
        every = self.conditions
        asked = [each for each in every if self.asked.get(each.id, chunks).intersect(chunks)]
        return prompts.judge(
            JudgeValues(
                question=self.question,
                interpretation=self.reading,
                conditions=tuple(asked) or every,  # all where the prompt is of no chunk
                purpose=self.purpose,
                passages=seen,
                remarks={n: remarks[each.chunk] for n, each in numbered if each.chunk in remarks},
                seek=self.seek,
            )
        )

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
            listed, fault = number in reply.none, ""
            if not said and not listed:
                fault = "left out"
            elif listed and any(each.evidence for each in said):
                fault = "in both lists"
            if fault:
                verdicts.unparsable.add(passage.chunk)
                by_person = "write" not in self.reasoner.abilities
                told = SKIPPED if by_person else f"passages {fault} of a reply"
                verdicts.reasons[passage.chunk] = told
                verdicts.remarks[passage.chunk] = fault
                open_.add(passage.chunk)
            elif self.enter(said, passage, verdicts):
                open_.add(passage.chunk)
        verdicts.read |= chunks - verdicts.unparsable
        line = " ".join(reply.seek.split())[:_LONGEST_SEEK]
        if self.seek and line:
            verdicts.seek = tuple(dict.fromkeys((*verdicts.seek, line)))
        return open_

    def enter(self, said: Sequence[ChunkReply], passage: Passage, verdicts: Verdicts) -> bool:
        """Enter what was said of a passage; tell whether a condition is left unclear.

        Where a person judged a condition in it, that verdict stands, and no other is entered; nor
        is one on a condition that it is not asked of.
        """
        people = self.by_people(passage)
        known = {one for one, chunks in self.asked.items() if passage.chunk not in chunks}
        told = [(each, self.reasoner.name) for reply in said for each in reply.evidence]
        told = [each for each in told if each[0].condition not in known.union(people)]
        told += [each for each in people.values() if each is not None]
        verdicts.reviewed |= BitMap([passage.chunk] if people else [])
        verified: set[str] = set()
        refused: dict[str, str] = {}
        for evidence, by in told:
            finding = self.finding(evidence, passage, by)
            if finding is None:
                refused[evidence.condition] = self._refusal(evidence, passage)
            else:
                verdicts.findings.append(finding)
                verified.add(finding.condition)
        unclear = self._unclear(refused, verified)
        for condition in unclear:
            verdicts.unclear[condition].add(passage.chunk)
            verdicts.reasons[passage.chunk] = "a quote is not in its passage"
        if unclear:
            verdicts.remarks[passage.chunk] = "; ".join(refused.values())
        return bool(unclear)

    def by_people(self, passage: Passage) -> dict[str, tuple[EvidenceReply, str] | None]:
        """Return by condition what a person quoted of a passage, and who; None where it is a no."""
        found: dict[str, tuple[EvidenceReply, str] | None] = {}
        if self.reviews is None or self.reading.grain != "document":
            return found
        for condition in self.conditions:
            verdict = self.reviews.verdict(self.corpus, passage.chunk, condition)
            if verdict is None:
                continue
            evidence = EvidenceReply(
                condition=condition.id,
                quote=verdict.quote,
                certainty="borderline" if verdict.judgement == "borderline" else "certain",
            )
            found[condition.id] = None if verdict.judgement == "no" else (evidence, verdict.who)
        return found

    def finding(self, evidence: EvidenceReply, passage: Passage, by: str) -> Finding | None:
        """Return what somebody reports; None where condition, entity or quote is not verified."""
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
            by=by,
        )

    def _refusal(self, evidence: EvidenceReply, passage: Passage) -> str:
        """Say to the reasoner why its evidence cannot be used."""
        if evidence.condition not in self._known:
            return f"there is no condition {evidence.condition!r}, only {', '.join(self._known)}"
        if self.reading.grain == "entity" and not evidence.entity.strip():
            return f"evidence for {evidence.condition} names no entity"
        part = missing_part(evidence.quote, passage.text)
        return f"these words do not stand in it as quoted, or not in this order: {part!r}"

    def _unclear(self, refused: Collection[str], verified: Collection[str]) -> set[str]:
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
        return locate_around(quote, passage, self.corpus)

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


def _raise_if_unserved(replies: Sequence[JudgeReply | Failure], *, again: bool) -> None:
    """Raise where the server serves nothing, or nothing any more.

    A refused key or an unknown model is so for every request. What is forbidden may be for what
    the request holds: that tells of the server where all of several are, and tried first.
    """
    errors = [each.error for each in replies if isinstance(each, Failure)]
    for error in errors:
        if type(error) is ProviderRejected:
            raise error
    forbidden = [error for error in errors if type(error) is ProviderForbade]
    if not again and len(forbidden) == len(replies) > 1:
        raise forbidden[0]
    unreached = [error for error in errors if type(error) is ProviderUnreachable]
    if not again and unreached and len(unreached) == len(replies):
        raise unreached[0]


def _enter_failure(reply: Failure, chunks: BitMap, verdicts: Verdicts) -> BitMap:
    """Enter a request without a reply; return the chunks to try again."""
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
