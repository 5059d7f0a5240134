"""How each kind of condition is looked for in a passage: mention, heading, status, meaning."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.question import Condition, Measure
from agent.reasoners.rules.judging.assertion import could_assert, read_sentence, strength
from agent.reasoners.rules.judging.concept import Concept, read_concept
from agent.reasoners.rules.judging.matching import spans_of_terms
from agent.reasoners.rules.judging.proof import Proof, sentence_spans
from agent.reasoners.rules.judging.sections import headed_proofs, read_headings
from agent.reasoners.rules.judging.status import Status, read_status, status_proofs
from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.compounds import with_partings, worded
from agent.reasoners.rules.language.dated import dated_proof, read_dated
from agent.reasoners.rules.language.roots import roots

__all__ = (
    "DatedFinder",
    "Finder",
    "HeadingFinder",
    "MeaningFinder",
    "MentionFinder",
    "StatusFinder",
    "finder_of",
)


class Finder(Protocol):
    """Whatever finds the places of a passage that prove one condition, the best first."""

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return the proofs; empty where the passage proves nothing."""
        ...


@dataclass(frozen=True, slots=True)
class MentionFinder:
    """Finds the sentences that mention a term."""

    condition: Condition

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return a proof for each sentence with a mention, in the order of the text."""
        found: dict[tuple[int, int], Proof] = {}
        spans = spans_of_terms(passage.text, self.condition.terms, self.condition.excludes)
        for anchor in sorted(spans):
            start, end = _sentences_around(passage, anchor)
            found.setdefault((start, end), Proof(start, end, anchor))
        return list(found.values())


@dataclass(frozen=True, slots=True)
class StatusFinder:
    """Finds the sentences in which a document declares its own state."""

    status: Status

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return the declarations in the order of the text."""
        return list(status_proofs(passage, self.status))


@dataclass(frozen=True, slots=True)
class HeadingFinder:
    """Finds the headings of which a condition gives the words, and what stands below them."""

    titles: frozenset[str]

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return the headings in the order of the text."""
        return list(headed_proofs(passage, self.titles))


@dataclass(frozen=True, slots=True)
class MeaningFinder:
    """Finds the sentences that assert a condition of meaning."""

    concept: Concept
    excludes: tuple[str, ...] = ()

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return the sentences that are strong enough, the strongest first."""
        heading = _heading(passage)
        words = {roots(word)[1] for word, *_ in worded(f"{heading} {passage.text}".lower())}
        if not could_assert(words, self.concept):
            return []
        return sorted(self._asserting(passage), key=lambda proof: (-proof.strength, proof.start))

    def _asserting(self, passage: Passage) -> Iterator[Proof]:
        heading = _heading(passage)
        for start, end in sentence_spans(passage):
            text = passage.text[start:end]
            found = strength(read_sentence(text, heading), self.concept)
            if found >= self.concept.enough and not any(
                True for _ in spans_of_terms(text, self.excludes)
            ):
                yield Proof(start, end, self._anchor(passage.text, start, end), found)

    def _anchor(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return the shortest stretch with all the words there are that the condition is about."""
        about = {slot.root for each in self.concept.alternatives for slot in each.slots}
        words = [
            (start + begin, start + stop, root)
            for word, begin, stop in worded(text[start:end])
            if (root := roots(word.lower())[1]) in about
        ]
        every = {root for *_, root in words}
        best, latest = (start, end), dict[str, int]()
        for begin, stop, root in words:
            latest[root] = begin
            first = min(latest.values())
            if len(latest) == len(every) and stop - first < best[1] - best[0]:
                best = (first, stop)
        return best


@dataclass(frozen=True, slots=True)
class DatedFinder:
    """Finds the sentences that assert a condition of meaning, with a date as asked."""

    inner: MeaningFinder
    bound: Bound

    def proofs(self, passage: Passage) -> list[Proof]:
        """Return the sentences whose words have a fitting date, the strongest first."""
        found = (dated_proof(each, passage, self.bound) for each in self.inner.proofs(passage))
        return [each for each in found if each is not None]


def _heading(passage: Passage) -> str:
    return passage.headings[-1] if passage.headings else ""


def finder_of(
    condition: Condition, entity_type: str, measure: Measure | None, corpus: CorpusView
) -> Finder:
    """Return the finder for a condition; one that says nothing itself is read from the measure."""
    if condition.terms:
        terms = with_partings(condition.terms, corpus.lexicon)
        return MentionFinder(condition.model_copy(update={"terms": terms}))
    titles = read_headings(condition)
    if titles:
        return HeadingFinder(titles)
    status = read_status(condition, entity_type)
    if status is not None:
        return StatusFinder(status)
    concept = read_concept(condition, entity_type, corpus)
    if concept.says_nothing and measure is not None and not measure.places:
        about = condition.model_copy(update={"text": measure.text})
        concept = read_concept(about, entity_type, corpus)
    finder = MeaningFinder(concept, condition.excludes)
    dated = read_dated(condition.text)
    return DatedFinder(finder, dated.bound) if dated else finder


def _sentences_around(passage: Passage, anchor: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the sentences that the anchor touches."""
    touched = [
        (start, end)
        for start, end in sentence_spans(passage)
        if start < anchor[1] and anchor[0] < end
    ]
    return (touched[0][0], max(touched[-1][1], anchor[1])) if touched else anchor
