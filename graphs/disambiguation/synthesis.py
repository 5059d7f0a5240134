"""From a synthesis as a reasoner writes it to answers whose quotes stand in the text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.adf_state import AdfOptions, Citation, Intent, ReadingAnswer
from agent.errors import MalformedReply
from agent.evidence import Passage
from agent.replies import QuotedReply, SynthesisedReading, SynthesiseReply
from tools.corpus.corpus import Corpus
from tools.quotes import locate, locate_around


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """The answers to all readings."""

    readings: tuple[ReadingAnswer, ...]
    contrast: str = ""
    text: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def answered(self) -> int:
        """How many readings have a proven answer."""
        return sum(each.answer is not None for each in self.readings)


@dataclass(slots=True, kw_only=True)
class Workshop:
    """Checks the replies of one synthesis: a faulty one is asked again, the better of two taken."""

    intents: Sequence[Intent]
    passages: Sequence[Passage]
    corpus: Corpus
    options: AdfOptions
    draft: Synthesis | None = None
    """What a first, faulty reply comes to."""

    def check(self, reply: SynthesiseReply) -> Synthesis:
        """Return the synthesis with its quotes located; of two, the one with more answers.

        Raises:
            MalformedReply: in the first reply a reading is missing, an answer has no quote that
                stands in the passages, or the paragraph is missing.
        """
        found, faults = self._located(reply)
        if faults and self.draft is None:
            self.draft = found
            raise MalformedReply("; ".join(faults))
        if self.draft is not None and self.draft.answered > found.answered:
            return self.draft
        return found

    def _located(self, reply: SynthesiseReply) -> tuple[Synthesis, list[str]]:
        """Return the synthesis, and what is wrong with the reply."""
        said = {each.reading: each for each in reply.readings}
        readings = tuple(
            self._reading(intent, said.get(number))
            for number, intent in enumerate(self.intents, start=1)
        )
        faults = [*self._missing(reply), *_unproven(reply, readings), *self._textless(reply)]
        answered = any(each.answer is not None for each in readings)
        text = reply.text.strip() if answered and self.options.form == "long" else ""
        found = Synthesis(
            readings=readings,
            contrast=reply.contrast.strip() if len(readings) > 1 and answered else "",
            text=text,
            warnings=(*faults, *self._length(text)),
        )
        return found, faults

    def _reading(self, intent: Intent, said: SynthesisedReading | None) -> ReadingAnswer:
        bare = unanswered(intent)
        if said is None:
            return bare
        found = [(each.quote, self._cited(each)) for each in said.evidence]
        evidence = tuple(dict.fromkeys(cited for _, cited in found if cited is not None))
        answer = (said.answer or "").strip()
        return bare.model_copy(
            update={
                "answer": answer if answer and evidence else None,
                "evidence": evidence,
                "refused": tuple(quote for quote, cited in found if cited is None),
            }
        )

    def _cited(self, said: QuotedReply) -> Citation | None:
        """Locate a quote in the passage named, in its neighbourhood, or in another one shown."""
        if not 1 <= said.passage <= len(self.passages):
            own: list[Passage] = []
        else:
            own = [self.passages[said.passage - 1]]
        places = ((each, _within(said.quote, each)) for each in (*own, *self.passages))
        near = ((each, locate_around(said.quote, each, self.corpus)) for each in own)
        for passage, span in (*places, *near):
            if span is not None:
                return self._citation(passage, *span)
        return None

    def _citation(self, passage: Passage, start: int, end: int) -> Citation:
        document = self.corpus.document_index(passage.document)
        chunks = self.corpus.chunks_at(document, start, end)
        return Citation(
            document=passage.document,
            chunk=passage.chunk if passage.chunk in chunks or not chunks else chunks[0],
            start=start,
            end=end,
            quote=self.corpus.document_text(document)[start:end],
        )

    def _missing(self, reply: SynthesiseReply) -> Iterator[str]:
        numbers = [each.reading for each in reply.readings]
        wanted = list(range(1, len(self.intents) + 1))
        if sorted(numbers) != wanted:
            yield f"the readings are {wanted}, each once, not {numbers}"

    def _textless(self, reply: SynthesiseReply) -> Iterator[str]:
        answered = any(each.answer for each in reply.readings)
        if self.options.form == "long" and answered and not reply.text.strip():
            yield "the paragraph is missing"

    def _length(self, text: str) -> Iterator[str]:
        words, options = len(text.split()), self.options
        if text and not options.fewest_words <= words <= options.most_words:
            asked = f"{options.fewest_words} to {options.most_words}"
            yield f"the paragraph has {words} words, where {asked} were asked for"


def unanswered(intent: Intent) -> ReadingAnswer:
    """Return a reading without an answer."""
    return ReadingAnswer(
        label=intent.label,
        question=intent.question,
        why=intent.why,
        hypothesis=intent.hypothesis,
        chunks=intent.retrieved,
    )


def _unproven(reply: SynthesiseReply, readings: Sequence[ReadingAnswer]) -> Iterator[str]:
    answered = {each.reading for each in reply.readings if (each.answer or "").strip()}
    for number, reading in enumerate(readings, start=1):
        if number in answered and not reading.evidence:
            refused = "; ".join(repr(quote) for quote in reading.refused) or "none was given"
            yield f"no quote for reading {number} stands in the passages: {refused}"


def _within(quote: str, passage: Passage) -> tuple[int, int] | None:
    """Return a quote's span in the document, if it stands in the passage."""
    span = locate(quote, passage.text)
    return None if span is None else (passage.start + span[0], passage.start + span[1])
