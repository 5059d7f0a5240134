"""The groups that a question tells entities apart by: the values of one field."""

from collections.abc import Iterable, Sequence

from graphs.answering.group_names import group_names
from tools.corpus.corpus import Corpus
from tools.decisions import field_values

__all__ = ("Groups",)


class Groups:
    """The groups of documents by a field."""

    def __init__(self, corpus: Corpus, field: str | None) -> None:
        """Take the field that is grouped by; without one nothing is in a group."""
        self._grouped = bool(field)
        self._values = field_values(corpus, field) if field else {}
        self._names = group_names(self._values.values())

    def of_document(self, number: int) -> Sequence[str]:
        """Return the groups of a document; `(none)` where its field is empty or missing."""
        if not self._grouped:
            return ()
        value = self._values.get(number)
        if value is None or not value.items:
            return ("(none)",)
        return tuple(dict.fromkeys(self._names[item] for item in value.items))

    def of_documents(self, numbers: Iterable[int]) -> Sequence[str]:
        """Return the groups of what several documents name, each once."""
        return tuple(dict.fromkeys(each for number in numbers for each in self.of_document(number)))
