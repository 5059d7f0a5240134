"""When two names are the same: of documents, and of other things."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ("DocumentNames", "normal_name")

_NOT_WORD = re.compile(r"[\W_]+")


def normal_name(name: str) -> str:
    """Return a name without case, accents, punctuation, an address in <> and a leading `the`.

    >>> normal_name("Łukasz  Langa <lukasz@python.org>"), normal_name("The State of N.Y.")
    ('łukasz langa', 'state of n y')
    """
    bare = re.sub(r"<[^>]*>", " ", name)
    decomposed = unicodedata.normalize("NFKD", bare.casefold())
    letters = "".join(char for char in decomposed if not unicodedata.combining(char))
    plain = _NOT_WORD.sub(" ", letters).strip()
    return plain.removeprefix("the ")


class DocumentNames:
    """The documents of a corpus, found by full name or by the last part where that is unique.

    A corpus names a document by its path below the indexed folder, without suffix; a question
    file often gives the last part only.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._full = {name: index for index, name in enumerate(names)}
        last = Counter(_last(name) for name in names)
        self._last = {
            _last(name): index for index, name in enumerate(names) if last[_last(name)] == 1
        }

    def find(self, name: str) -> int | None:
        """Return the document's index, or None where no document has that name."""
        index = self._full.get(name)
        return index if index is not None else self._last.get(_last(name))

    def indices(self, names: Iterable[str]) -> set[int]:
        """Return the indices of the names that are known."""
        return {index for index in map(self.find, names) if index is not None}

    def keys(self, names: Iterable[str]) -> set[str]:
        """Return comparable keys: `#index` where known, else the name, so that none is lost."""
        found = ((name, self.find(name)) for name in names)
        return {name if index is None else f"#{index}" for name, index in found}


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1]
