"""Entities as an answer shows them: their documents, the words that prove them, their fields."""

from collections.abc import Iterable, Sequence

from agent.evidence import Entity, Evidence, Finding
from agent.question import Interpretation, atoms
from graphs.answering.same_entity import Identities
from graphs.search.condition_evaluator import ConditionEvaluator
from graphs.search.counted_places import Occurrences
from tools.corpus.corpus import Corpus
from tools.decisions import field_quote, field_values


class Entities:
    """What was found in one search, shown as entities."""

    def __init__(
        self,
        corpus: Corpus,
        reading: Interpretation,
        evaluator: ConditionEvaluator,
        known: Identities,
        places: Occurrences | None,
    ) -> None:
        """Take what was found; `places` are where it is stated what is counted, None for others."""
        self._corpus = corpus
        self._reading = reading
        self._evaluator = evaluator
        self._known = known
        self._places = places

    def of_document(self, number: int) -> Entity:
        """Return a document, with what its texts and its measured field state."""
        name = self._corpus.documents[number]
        told = self._evaluator.by_document.get(name, [])
        if self._places is not None:
            told = self._places.evidence(number, told)
        entity = self._entity(name, told, ())
        shown = self._measure_evidence([number])
        return entity.model_copy(
            update={
                "documents": (name,),
                "evidence": (*entity.evidence, *shown),
                "shown": self._shown([number]),
            }
        )

    def of_item(self, name: str, spelt: str, numbers: Sequence[int]) -> Entity:
        """Return an item of the field `name`, with the lines of the documents that have it."""
        return Entity(
            name=spelt,
            aliases=self._known.aliases(spelt),
            documents=tuple(self._corpus.documents[number] for number in numbers),
            evidence=(
                *self._field_evidence(name, numbers),
                *self._measure_evidence(numbers if self._reading.operation == "top_k" else ()),
            ),
            shown=self._shown(numbers),
        )

    def of_name(self, name: str, told: Iterable[Finding]) -> Entity:
        """Return a name found in the texts, with its aliases and what was told of it."""
        return self._entity(name, told, self._known.aliases(name))

    def _entity(self, name: str, told: Iterable[Finding], aliases: Sequence[str]) -> Entity:
        """Build an entity; words from the text go before the fields' lines, each place once."""
        ordered = sorted(told, key=lambda each: each.by == "metadata")
        places = {(each.document, each.start, each.end, each.condition): each for each in ordered}
        texts = {atom.id: atom.text for atom in atoms(self._reading.conditions)}
        documents = sorted({each.document for each in ordered})
        numbers = sorted(self._corpus.document_index(each) for each in documents)
        return Entity(
            name=name,
            aliases=tuple(aliases),
            documents=tuple(documents),
            shown=self._shown(numbers),
            evidence=tuple(
                Evidence(
                    document=each.document,
                    start=each.start,
                    end=each.end,
                    quote=each.quote,
                    condition=texts.get(each.condition, each.condition),
                )
                for each in places.values()
            ),
        )

    def _measure_evidence(self, numbers: Iterable[int]) -> Iterable[Evidence]:
        measure = self._reading.measure
        return self._field_evidence(measure.field, numbers) if measure and measure.field else ()

    def _field_evidence(self, name: str, numbers: Iterable[int]) -> Iterable[Evidence]:
        values = field_values(self._corpus, name)
        for number in numbers:
            text = self._corpus.document_text(number)
            span = field_quote(text, values[number]) if number in values else None
            if span is not None:
                yield Evidence(
                    document=self._corpus.documents[number],
                    start=span[0],
                    end=span[1],
                    quote=text[span[0] : span[1]],
                    condition=name,
                )

    def _shown(self, numbers: Iterable[int]) -> dict[str, tuple[str, ...]]:
        """Return the values of the fields that the question wants shown, over the documents."""
        told: dict[str, tuple[str, ...]] = {}
        for name in self._reading.show:
            values = field_values(self._corpus, name)
            items = (
                item for number in numbers if number in values for item in values[number].items
            )
            told[name] = tuple(dict.fromkeys(items))
        return told
