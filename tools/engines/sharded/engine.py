"""The sharded engine: predicates evaluated by Daft, in this process or on a Ray cluster."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from pyroaring import BitMap

from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.metadata import keep_metadata
from tools.engines.sharded.ranking import keep_bm25, keep_semantic
from tools.engines.sharded.scan import scan
from tools.engines.sharded.words import keep_fuzzy, keep_keywords
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments, patterns
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments
from tools.filters.predicates import Complement, Intersection, Predicate, Union
from tools.filters.regex import RegexArguments, pattern_of
from tools.filters.semantic import SemanticArguments

__all__ = ("ShardedEngine",)


class ShardedEngine:
    """Evaluates predicates over a sharded corpus; satisfies `tools.engines.engine.Engine`."""

    def __init__(self, corpus: ShardedCorpus) -> None:
        self._corpus = corpus

    def keep(self, predicate: Predicate, snapshot: BitMap) -> BitMap:
        """Return the chunks of the snapshot that satisfy the predicate.

        Raises:
            ToolArgumentError: a field that the corpus lacks, or a pattern that is none.
            SettingsError: `semantic` on a corpus without vectors.
            CorpusUnreachable: a shard could not be read in full.
        """
        match predicate:
            case Union(parts=parts):
                return BitMap.union(*(self.keep(part, snapshot) for part in parts))
            case Intersection(parts=parts):
                return reduce(BitMap.intersection, (self.keep(part, snapshot) for part in parts))
            case Complement(part=part):
                return snapshot - self.keep(part, snapshot)
            case _:
                return _KEEPS[type(predicate)](self._corpus, snapshot, predicate)


def _keep_exact(corpus: ShardedCorpus, snapshot: BitMap, asked: ExactArguments) -> BitMap:
    (kept,) = scan(corpus, [(snapshot, patterns(asked))])
    return kept


def _keep_regex(corpus: ShardedCorpus, snapshot: BitMap, asked: RegexArguments) -> BitMap:
    (kept,) = scan(corpus, [(snapshot, [pattern_of(asked)])])
    return kept


_KEEPS: Mapping[type, Callable[[ShardedCorpus, BitMap, Any], BitMap]] = {
    ExactArguments: _keep_exact,
    RegexArguments: _keep_regex,
    KeywordsArguments: keep_keywords,
    FuzzyArguments: keep_fuzzy,
    Bm25Arguments: keep_bm25,
    SemanticArguments: keep_semantic,
    MetadataArguments: keep_metadata,
}
