"""A synthesis without a model: for each reading the sentences that say most of it, verbatim."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from agent.adf_state import Form, SubQuestion
from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.reasoners.rules.judging.proof import Proof, quote
from agent.reasoners.rules.senses.telling import content, said, weighed
from agent.replies import QuotedReply, SynthesisedReading, SynthesiseReply

__all__ = ("synthesise",)

_SENTENCES: Final[Mapping[Form, int]] = {"short": 1, "long": 3}
_ENOUGH: Final = 0.5
"""The share of the question, by the weight of its words, that an answering sentence has."""
_TURNS: Final = ("By contrast,", "However,", "Whereas otherwise,")


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a passage that answers a reading."""

    strength: float
    passage: int
    words: str


def synthesise(values: Mapping[str, object]) -> SynthesiseReply:
    """Quote the best sentences for each reading; no sentence serves two of them, or twice.

    A reading is left without an answer where no sentence has half of what the question asks and,
    if there are several readings, none of what narrows it is near.

    Args:
        values: of the prompt `synthesise`: question, readings, passages, found, form, words,
            corpus.
    """
    asked = _Asked.of(values)
    taken: set[str] = set()
    readings, told = [], []
    for number, reading in enumerate(asked.readings, start=1):
        best = _different(asked.best(number - 1, reading), taken)[: _SENTENCES[asked.form]]
        taken |= {_plain(each.words) for each in best}
        evidence = [QuotedReply(passage=each.passage, quote=each.words) for each in best]
        answer = " ".join(" ".join(each.words.split()) for each in best) or None
        readings.append(SynthesisedReading(reading=number, evidence=evidence, answer=answer))
        if answer:
            told.append((reading.label, answer))
    several = len(asked.readings) > 1
    return SynthesiseReply(
        readings=readings,
        contrast=_contrast([label for label, _ in told]) if several else "",
        text=_text(told, asked.words[1]) if asked.form == "long" else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the prompt asks for."""

    question: str
    readings: tuple[SubQuestion, ...]
    passages: tuple[Passage, ...]
    found: tuple[tuple[int, ...], ...]
    form: Form
    words: tuple[int, int]
    corpus: CorpusView

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "_Asked":
        return cls(
            question=cast("str", values["question"]),
            readings=cast("tuple[SubQuestion, ...]", values["readings"]),
            passages=cast("tuple[Passage, ...]", values["passages"]),
            found=cast("tuple[tuple[int, ...], ...]", values["found"]),
            form=cast("Form", values["form"]),
            words=cast("tuple[int, int]", values["words"]),
            corpus=cast("CorpusView", values["corpus"]),
        )

    def best(self, place: int, reading: SubQuestion) -> list[_Said]:
        """Return the sentences that answer a reading, the best first."""
        question = weighed(self.question, self.corpus)
        told = weighed(f"{reading.question} {reading.label}", self.corpus)
        narrowing = {root: weight for root, weight in told.items() if root not in question}
        own = frozenset(self.found[place])
        found = [
            each
            for number, passage in enumerate(self.passages, start=1)
            if passage.chunk in own
            for each in _answering(number, passage, question, narrowing)
        ]
        return sorted(found, key=lambda each: (-each.strength, each.passage))


def _answering(
    number: int, passage: Passage, question: Mapping[str, float], narrowing: Mapping[str, float]
) -> Iterator[_Said]:
    """Yield the sentences of a passage that have enough of the question."""
    around = _roots(" ".join((passage.title, *passage.headings)))
    if narrowing and not narrowing.keys() & (around | _roots(passage.text)):
        return
    for strength, start, end in said(passage, question):
        if strength >= _ENOUGH:
            more = _share(narrowing, around | _roots(passage.text[start:end]))
            words = quote(passage.text, Proof(start, end, (start, start)))
            yield _Said(strength + more, number, words)


def _different(found: Sequence[_Said], taken: set[str]) -> list[_Said]:
    """Return the first of the sentences that say the same, without those that are taken."""
    kept: dict[str, _Said] = {}
    for each in found:
        if _plain(each.words) not in taken:
            kept.setdefault(_plain(each.words), each)
    return list(kept.values())


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())


def _roots(text: str) -> set[str]:
    return {root for _, root in content(text)}


def _share(weights: Mapping[str, float], roots: set[str]) -> float:
    total = sum(weights.values())
    return sum(weights[root] for root in weights.keys() & roots) / total if total else 0.0


def _contrast(labels: Sequence[str]) -> str:
    """Set the labels of the answered readings against each other."""
    if len(labels) < 2:
        return ""
    first, *others = (f"“{label}”" for label in labels)
    return f"The passages answer for {first}; by contrast, also for {', and for '.join(others)}."


def _text(told: Sequence[tuple[str, str]], most: int) -> str:
    """Link the answers to a paragraph of at most so many words; a sentence too many is left out."""
    text = ""
    for number, (label, answer) in enumerate(told):
        turn = f"{_TURNS[(number - 1) % len(_TURNS)]} as to" if number else "As to"
        more = f"{text} {turn} “{label}”: {answer}".strip() if len(told) > 1 else answer
        if len(more.split()) <= most:
            text = more
    return text
