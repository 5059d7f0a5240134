"""One question under suspicion: what the detectors of ambiguity look at, and how they report."""

import re
from dataclasses import dataclass
from typing import Final

from agent.corpus_view import CorpusView
from agent.question import Condition, Interpretation, atoms
from agent.reasoners.rules.language.words import Token, akin, tokenize
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.frames import read_frame
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.openers import Opener, read_opener
from agent.reasoners.rules.reading.roles import best_date, plays
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import FoundAmbiguity, ReadingReply
from agent.taxonomy import AmbiguityCode

__all__ = ("Doubt", "found", "reading")

_ENDS: Final = frozenset({"?", ".", "!"})


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question with its first reading, as the detectors see it."""

    question: str
    interpretation: Interpretation
    corpus: CorpusView
    scene: Scene
    frame: Frame
    tokens: tuple[Token, ...]

    @classmethod
    def of(cls, question: str, interpretation: Interpretation, corpus: CorpusView) -> "Doubt":
        """Prepare a question for the detectors."""
        scene = Scene(question, corpus, Labels.of(corpus))
        frame = read_frame(question, scene)
        return cls(
            question, interpretation, corpus, scene, frame, tuple(scene.labels.tokens(question))
        )

    @property
    def opener(self) -> Opener | None:
        """The opening words; None where the text does not ask for items or numbers."""
        return read_opener(self.tokens)

    @property
    def asked(self) -> tuple[Token, ...]:
        """The tokens behind the opening words, to the end of the sentence."""
        opener = self.opener
        start = opener.end if opener is not None else 0
        ends = (at for at in range(start, len(self.tokens)) if self.tokens[at].text in _ENDS)
        return self.tokens[start : next(ends, len(self.tokens))]

    @property
    def listing(self) -> bool:
        """Whether items are asked for, not how many there are."""
        opener = self.opener
        return opener is not None and opener.operation == "list"

    @property
    def labels_written(self) -> frozenset[str]:
        """The values of label fields as written, without case."""
        return frozenset(
            item.casefold()
            for facts in self.scene.labels.fields
            if facts.label
            for item, _ in facts.field.values
        )

    @property
    def conditions(self) -> list[Condition]:
        """The atoms of the reading."""
        return list(atoms(self.interpretation.conditions))

    @property
    def date(self) -> Facts | None:
        """The field that dates the documents: of several the one that the question names."""
        dates = [each for each in self.scene.labels.fields if plays(each, "date")]
        named = [each for each in dates if self._names(each)]
        return named[0] if len(named) == 1 else best_date(dates)[0]

    def _names(self, facts: Facts) -> bool:
        return any(akin(token.low, word) for token in self.tokens for word in facts.words)

    def settled(self, word: str) -> bool:
        """Tell whether metadata or a searched name accounts for a word of the question."""
        low = word.casefold()
        if any(hit.whole and hit.facts.label for hit in self.scene.labels.hits(tokenize(low), 0)):
            return True
        for each in self.conditions:
            said = [*each.terms, *(each.predicate.values if each.predicate else ())]
            if any(low in re.findall(r"[^\W_]+", text.casefold()) for text in said):
                return True
        return any(low in facts.words for facts in self.scene.labels.fields)

    def quoted(self, position: int) -> bool:
        """Tell whether a character stands in quotation marks or parentheses."""
        return any(
            token.kind in {"quote", "paren"} and token.start <= position < token.end
            for token in self.tokens
        )

    def without(self, start: int, end: int) -> str:
        """Return the question without the characters from `start` to `end`."""
        text = f"{self.question[:start].rstrip()} {self.question[end:].lstrip(' -')}"
        return re.sub(r"\s+([?.,])", r"\1", text).strip()

    def between(self, start: int, end: int) -> str:
        """Return the question's words from one of the tokens behind the opener to another."""
        tokens = self.asked[start:end]
        return self.question[tokens[0].start : tokens[-1].end] if tokens else ""

    def put(self, span: str, words: str) -> str:
        """Return the question with a stretch of it replaced."""
        return re.sub(r"\s{2,}", " ", self.question.replace(span, words, 1)).strip()

    def with_clause(self, question: str, clause: str) -> str:
        """Put a clause right behind the entity's noun."""
        head = self.frame.noun.head
        at = question.find(head.text) if head is not None else -1
        if head is None or at < 0:
            return f"{question.rstrip('?. ')} {clause}?"
        end = at + len(head.text)
        return f"{question[:end]} {clause}{question[end:]}"


def reading(label: str, question: str) -> ReadingReply:
    """Return a reading, its label cut to six words."""
    return ReadingReply(label=" ".join(label.split()[:6]), question=question)


def found(code: AmbiguityCode, span: str, why: str, readings: list[ReadingReply]) -> FoundAmbiguity:
    """Return a finding of a detector."""
    return FoundAmbiguity(code=code, span=span, why=why, readings=readings)
