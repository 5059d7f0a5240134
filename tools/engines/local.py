"""The local engine: memory-mapped Arrow scanned by Polars, postings, exact vector products."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from pyroaring import BitMap

from tools.filters import bm25, exact, fuzzy, keywords, metadata, regex, semantic
from tools.filters.predicates import Complement, Intersection, Predicate, Union
from tools.filters.searchable import Searchable

__all__ = ("LocalEngine",)

_Keep = Callable[[Searchable, BitMap, Any], BitMap]

_KEEPS: Mapping[type, _Keep] = {
    exact.ExactArguments: exact.keep,
    keywords.KeywordsArguments: keywords.keep,
    regex.RegexArguments: regex.keep,
    fuzzy.FuzzyArguments: fuzzy.keep,
    bm25.Bm25Arguments: bm25.keep,
    semantic.SemanticArguments: semantic.keep,
    metadata.MetadataArguments: metadata.keep,
}


class LocalEngine:
    """Evaluates predicates in this process over one corpus; satisfies `Engine`."""

    def __init__(self, corpus: Searchable) -> None:
        self._corpus = corpus

    def keep(self, predicate: Predicate, snapshot: BitMap) -> BitMap:
        """Return the chunks of the snapshot that satisfy the predicate."""
        match predicate:
            case Union(parts=parts):
                return BitMap.union(*(self.keep(part, snapshot) for part in parts))
            case Intersection(parts=parts):
                return reduce(BitMap.intersection, (self.keep(part, snapshot) for part in parts))
            case Complement(part=part):
                return snapshot - self.keep(part, snapshot)
            case _:
                return _KEEPS[type(predicate)](self._corpus, snapshot, predicate)
