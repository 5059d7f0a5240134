"""What a passage proves according to the labels of a question."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.evidence import Passage
from agent.replies import EvidenceReply
from evals.labels import labels_of
from evals.names import DocumentNames, normal_name
from evals.questions import Record
from evals.spans import Texts, gold_spans

__all__ = ("Proof", "quoted")

_WORDS = 60
_NAME_CHARACTERS = 60
_WORD = re.compile(r"\S+")


def quoted(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` without outer whitespace, at most its first 60 words.

    >>> quoted("a  few words ", 1, 100)
    'few words'
    """
    cut = text[max(0, start) : max(0, end)].strip()
    words = list(_WORD.finditer(cut))
    return cut[: words[min(_WORDS, len(words)) - 1].end()] if words else ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Evidence in a document: its span, and the conditions, by place, that it proves."""

    start: int
    end: int
    labels: frozenset[int]


class Proof:
    """The labels of one question, looked up by passage."""

    def __init__(self, record: Record, corpus: Texts) -> None:
        self._record = record
        self._names = DocumentNames(corpus.documents)
        self._places: dict[int, list[_Place]] = defaultdict(list)
        for span in gold_spans(record, corpus)[0]:
            labels = labels_of(span.evidence, record.conditions)
            self._places[span.document].append(_Place(span.start, span.end, labels))
        for document in self._names.indices(record.gold_documents) & set(self._places):
            self._places[document] += self._unlisted(document, corpus.document_text(document))
        self._whole = self._names.indices(() if record.gold_evidence else record.gold_documents)

    @property
    def decides(self) -> bool:
        """Whether the labels can judge a passage at all.

        They cannot where gold documents are named, without evidence, that are not the answer:
        then they are only what the question is asked over.
        """
        record = self._record
        return bool(record.gold_evidence) or record.target == "documents"

    def of(
        self,
        passage: Passage,
        condition: str,
        labels: frozenset[int],
        seen: Sequence[EvidenceReply],
        *,
        by_entity: bool,
    ) -> list[EvidenceReply]:
        """Return the passage's evidence for a condition that stands for those labels.

        `seen` is what another reasoner found in the passage: its names and numbers are taken over
        where its quote lies in the true evidence.
        """
        quotes = list(dict.fromkeys(self._quotes(passage, labels)))
        if not by_entity:
            return [self._document(passage, condition, quote, seen) for quote in quotes[:1]]
        return [entry for quote in quotes for entry in self._entities(condition, quote, seen)]

    def _quotes(self, passage: Passage, labels: frozenset[int]) -> Iterator[str]:
        document = self._names.find(passage.document)
        if document is None:
            return
        if document in self._whole and not self._negated(labels):
            yield from filter(None, (quoted(passage.text, 0, len(passage.text)),))
        for place in self._places.get(document, ()):
            if not self._record.conditions or labels & place.labels:
                start, end = place.start - passage.start, place.end - passage.start
                yield from filter(None, (quoted(passage.text, start, end),))

    def _unlisted(self, document: int, text: str) -> list[_Place]:
        """Return what a condition's pattern finds in a gold document that lists none of it.

        Question files list only so many places a document; a document that needs two conditions
        must not fail for want of a listed place for the second.
        """
        listed = {label for place in self._places[document] for label in place.labels}
        return [
            _Place(*found.span(), frozenset({label}))
            for label, condition in enumerate(self._record.conditions)
            if condition.pattern and label not in listed
            for found in re.finditer(condition.pattern, text)
        ]

    def _negated(self, labels: Iterable[int]) -> bool:
        return all(self._record.conditions[label].negated for label in labels) and bool(labels)

    def _document(
        self, passage: Passage, condition: str, quote: str, seen: Sequence[EvidenceReply]
    ) -> EvidenceReply:
        values = self._record.per_document_value or {}
        known = {
            self._names.find(name): value
            for name, value in values.items()
            if isinstance(value, float)
        }
        read = next((entry for entry in seen if _same_place(entry.quote, quote)), None)
        return EvidenceReply(
            condition=condition,
            entity="",
            quote=quote,
            certainty="certain",
            value=known.get(self._names.find(passage.document), read.value if read else None),
            unit=read.unit if read else None,
        )

    def _entities(
        self, condition: str, quote: str, seen: Sequence[EvidenceReply]
    ) -> list[EvidenceReply]:
        """Name the entities of a quote.

        The first that applies: the answers that stand in it; what the other reasoner found in it;
        its own beginning, so that distinct places stay distinct entities.
        """
        words = f" {normal_name(quote)} "
        answers = [name for name in self._record.answer or () if f" {normal_name(name)} " in words]
        read = [entry for entry in seen if entry.entity and _same_place(entry.quote, quote)]
        if read and not answers:
            return [entry.model_copy(update={"condition": condition}) for entry in read]
        first = read[0] if read else None
        return [
            EvidenceReply(
                condition=condition,
                entity=name,
                quote=quote,
                certainty="certain",
                value=first.value if first else None,
                unit=first.unit if first else None,
            )
            for name in answers or [quote[:_NAME_CHARACTERS]]
        ]


def _same_place(found: str, quote: str) -> bool:
    return bool(found) and (found in quote or quote in found)
