"""What a passage proves according to the labels of a question."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.evidence import Passage
from agent.question import Condition
from agent.replies import EvidenceReply
from evals.names import DocumentNames, normal_name
from evals.questions import GoldCondition, GoldEvidence, Record
from evals.spans import gold_spans
from tools.corpus.corpus import Corpus


def labels_of(evidence: GoldEvidence, labels: Sequence[GoldCondition]) -> frozenset[int]:
    """Return the places of the annotators' conditions that the evidence belongs to.

    The first that applies: the conditions it is labelled with; those whose pattern its text
    matches; all of them.
    """
    every = range(len(labels))
    labelled = [at for at in every if evidence.condition and labels[at].label == evidence.condition]
    patterns = {at: labels[at].pattern for at in every}
    matched = [at for at, each in patterns.items() if each and re.search(each, evidence.text)]
    return frozenset(labelled or matched or every)


def assign(
    atoms: Sequence[Condition], labels: Sequence[GoldCondition]
) -> Mapping[str, frozenset[int]]:
    """Return for each atom of an interpretation the places of the conditions it stands for.

    An atom has the words of the condition that it was made of, or a part of them; one that was
    made of none, as of what is measured, stands for all.
    """
    every = frozenset(range(len(labels)))
    meant: dict[str, frozenset[int]] = {}
    for atom in atoms:
        same = frozenset(at for at in every if labels[at].text == atom.text)
        meant[atom.id] = same or frozenset(at for at in every if atom.text in labels[at].text)
    return {each: found or every for each, found in meant.items()}


_WORDS = 60
NAME_CHARACTERS = 60
"""Of a quote that names what has no name of its own."""
_WORD = re.compile(r"\S+")


def quoted(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` without outer whitespace, at most its first 60 words.

    >>> quoted("a  few words ", 1, 100)
    'few words'
    """
    cut = text[max(0, start) : max(0, end)].strip()
    words = list(_WORD.finditer(cut))
    return cut[: words[min(_WORDS, len(words)) - 1].end()] if words else ""


_Place = tuple[int, int, frozenset[int]]
"""Evidence in a document: its span, and the conditions, by place, that it proves."""


class Proof:
    """The labels of one question, looked up by passage."""

    def __init__(self, record: Record, corpus: Corpus) -> None:
        self._record = record
        self._names = DocumentNames(corpus.documents)
        self._places: dict[int, list[_Place]] = defaultdict(list)
        for span in gold_spans(record, corpus):
            labels = labels_of(span.evidence, record.conditions)
            self._places[span.document].append((span.start, span.end, labels))
        for document in self._names.indices(record.gold_documents) & set(self._places):
            self._places[document] += self._unlisted(corpus.document_text(document))
        self._values = {self._names.find(name): each for name, each in record.measured.items()}
        self._whole = self._names.indices(() if record.gold_evidence else record.gold_documents)

    def of(
        self, passage: Passage, conditions: Sequence[Condition], *, by_entity: bool = False
    ) -> list[EvidenceReply]:
        """Return the passage's evidence for conditions.

        Of entities each quote names the answers that stand in it; one without any is named by its
        own beginning, so that distinct places stay distinct.
        """
        meant = assign(conditions, self._record.conditions)
        found: list[EvidenceReply] = []
        for each in conditions:
            quotes = list(dict.fromkeys(self._quotes(passage, meant[each.id])))
            if by_entity:
                named = [(name, quote) for quote in quotes for name in self._entities(quote)]
                found += [
                    EvidenceReply(condition=each.id, entity=name, quote=quote, certainty="certain")
                    for name, quote in named
                ]
            else:
                value = self._values.get(self._names.find(passage.document))
                found += [
                    EvidenceReply(condition=each.id, quote=quote, certainty="certain", value=value)
                    for quote in quotes[:1]
                ]
        return found

    def _quotes(self, passage: Passage, labels: frozenset[int]) -> Iterator[str]:
        document = self._names.find(passage.document)
        if document is None:
            return
        if document in self._whole and not self._negated(labels):
            yield from filter(None, (quoted(passage.text, 0, len(passage.text)),))
        for start, end, proven in self._places.get(document, ()):
            if not self._record.conditions or labels & proven:
                span = start - passage.start, end - passage.start
                yield from filter(None, (quoted(passage.text, *span),))

    def _unlisted(self, text: str) -> list[_Place]:
        """Return what the conditions' patterns find in a gold document.

        Question files list only so many places a document; a document that needs two conditions
        must not fail for want of a listed place for the second, and of two passages in the same
        words not one prove what the other does not.
        """
        return [
            (*found.span(), frozenset({label}))
            for label, condition in enumerate(self._record.conditions)
            if condition.pattern
            for found in re.finditer(condition.pattern, text)
        ]

    def _negated(self, labels: Iterable[int]) -> bool:
        return all(self._record.conditions[label].negated for label in labels) and bool(labels)

    def _entities(self, quote: str) -> list[str]:
        words = f" {normal_name(quote)} "
        answers = [name for name in self._record.answer or () if f" {normal_name(name)} " in words]
        return answers or [quote[:NAME_CHARACTERS]]
