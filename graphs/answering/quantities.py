"""The quantities of documents that a question computes with or ranks by."""

from collections.abc import Iterable, Sequence

from agent.predicates import field_number
from agent.question import Interpretation
from graphs.answering.stated_quantities import stated
from graphs.search.occurrences import Occurrences
from graphs.search.truth import Truths
from tools.computation import Quantity
from tools.corpus.corpus import Corpus
from tools.decisions import field_values

__all__ = ("Quantities",)


class Quantities:
    """The measured quantities of a search's documents."""

    def __init__(
        self, corpus: Corpus, reading: Interpretation, truths: Truths, places: Occurrences | None
    ) -> None:
        """Take what was found; `places` are where it is stated what is counted, None for others."""
        self._corpus = corpus
        self._reading = reading
        self._truths = truths
        self._places = places

    def of_document(self, number: int) -> list[Quantity]:
        """Return the measured quantities of a document: of its field, else of its findings."""
        measure = self._reading.measure
        if measure is None:
            return []
        if self._places is not None:
            return [Quantity(float(len(self._places.of(number).found)), measure.unit)]
        if measure.field is None:
            return stated(self._truths.by_document.get(self._corpus.documents[number], []))
        value = field_values(self._corpus, measure.field).get(number)
        if value is None:
            return []
        size = (
            float(len(value.items))
            if measure.of == "length"
            else field_number(value, measure.field)
        )
        return [] if size is None else [Quantity(size, measure.unit)]

    def outermost(self, numbers: Iterable[int]) -> Sequence[Quantity]:
        """Return what ranks an item of a field: the largest number of its documents, or smallest.

        Numbers in several units are none to compare.
        """
        told = [each for number in numbers for each in self.of_document(number)]
        if self._reading.operation != "top_k" or len({each.unit for each in told}) > 1:
            return told
        ranked = sorted(told, key=lambda each: each.value)
        return ranked[:1] if self._reading.ascending else ranked[-1:]
