"""The sharded engine: predicates evaluated by Daft, in this process or on a Ray cluster."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from pyroaring import BitMap

from agent.corpus_view import FieldValue
from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Predicate as FieldPredicate
from tools.corpus.fields.field_values import fold
from tools.engines.sharded.daft_session import daft
from tools.engines.sharded.shard_tables import load_values
from tools.engines.sharded.sharded_corpus import (
    Selection,
    ShardedCorpus,
    gather,
    joined,
    read,
    yielding,
)
from tools.engines.sharded.sharded_ranking import keep_bm25, keep_semantic, postings
from tools.filters import fuzzy, keywords
from tools.filters.arguments import FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments, patterns
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments, field_tests
from tools.filters.regex import RegexArguments, pattern_of
from tools.filters.scan import Pattern, Search
from tools.filters.searchable import bitmap, ids
from tools.filters.semantic import SemanticArguments


def keep_metadata(corpus: ShardedCorpus, snapshot: BitMap, asked: MetadataArguments) -> BitMap:
    """Return the chunks of the snapshot whose document satisfies the predicates.

    Raises:
        ToolArgumentError: the corpus has no such field, or a comparison lacks its values.
    """
    tests = field_tests(corpus.field_names, asked)
    touched = Selection.of(corpus, snapshot).parts
    if not touched:
        return BitMap()
    is_field = any(name == NAME_FIELD for name in corpus.field_names)
    spans = _spans(tests, every=asked.match == "all", is_field=is_field)
    frame = read(corpus, "documents", list(touched))
    yields = {"spans": yielding(spans, "uint64", "name", "fields", "first", "chunks")}
    rows = {shard.name: shard.documents for shard in corpus.shards if shard.name in touched}
    found = gather(corpus, frame, yields, rows)["spans"]
    kept = BitMap()
    for name, own in found.items():
        for span in own.tolist():
            first = corpus.starts[name] + (span >> 32)
            kept.add_range(first, first + (span & 0xFFFFFFFF))
    return kept & snapshot


def _spans(tests: Sequence[FieldPredicate], *, every: bool, is_field: bool) -> Any:
    """Return the function that yields a document's first chunk and its chunks in 64 bits.

    Args:
        tests: of one field each.
        every: whether a document must satisfy all of them, not any.
        is_field: whether the documents' name is shadowed by a field called so.
    """

    def spans(name: Any, fields: Any, first: Any, chunks: Any) -> Any:
        import pyarrow as pa

        kept = [
            _holds(_values(written, called, is_field=is_field), tests, every=every)
            for called, written in zip(name.to_pylist(), fields.to_pylist(), strict=True)
        ]
        starts = first.to_arrow().to_numpy().astype(np.uint64)
        packed = (starts << np.uint64(32)) | chunks.to_arrow().to_numpy().astype(np.uint64)
        return pa.array(packed, mask=~np.array(kept, dtype=bool))

    return spans


def _values(written: str, name: str, *, is_field: bool) -> dict[str, FieldValue]:
    """Return a document's values by folded key; of two spellings the first counts."""
    values: dict[str, FieldValue] = {}
    for key, value in load_values(written).items():
        values.setdefault(fold(key), value)
    return values if is_field else values | {fold(NAME_FIELD): name_value(name)}


def _holds(
    values: Mapping[str, FieldValue], tests: Sequence[FieldPredicate], *, every: bool
) -> bool:
    held = (satisfies(values.get(fold(test.field)), test) for test in tests)
    return all(held) if every else any(held)


def scan(corpus: ShardedCorpus, wanted: Sequence[tuple[BitMap, Sequence[Pattern]]]) -> list[BitMap]:
    """Return for each pair the chunks of its set whose text all its patterns match, in one job."""
    chosen = Selection.of(corpus, BitMap.union(BitMap(), *(chunks for chunks, _ in wanted)))
    if not chosen.parts:
        return [BitMap() for _ in wanted]
    yields = {f"found{place}": _matching(patterns) for place, (_, patterns) in enumerate(wanted)}
    found = gather(corpus, chosen.frame("chunks"), yields, chosen.rows)
    return [
        joined(corpus, found[f"found{place}"]) & chunks for place, (chunks, _) in enumerate(wanted)
    ]


def _matching(patterns: Sequence[Pattern]) -> Any:
    """Return the expression of a chunk's number where all patterns match, else of nothing."""
    module = daft()
    text, functions = module.col("text"), module.functions
    matches = module.lit(value=True)
    for pattern in patterns:
        matcher = functions.contains if pattern.literal else functions.regexp
        matches &= matcher(text, pattern.text)
    return functions.when(matches, module.col("chunk")).otherwise(module.lit(None))


def keep_keywords(
    corpus: ShardedCorpus, snapshot: BitMap, asked: keywords.KeywordsArguments
) -> BitMap:
    """Return the chunks of the snapshot that hold at least as many entries as are needed."""
    held = _held(corpus, snapshot, keywords.searches(corpus, asked))
    if asked.needed == 1:
        return BitMap.union(BitMap(), *held)
    places = np.concatenate([ids(each) for each in held])
    chunks, entries = np.unique(places, return_counts=True)
    return bitmap(chunks[entries >= asked.needed])


def keep_fuzzy(corpus: ShardedCorpus, snapshot: BitMap, asked: fuzzy.FuzzyArguments) -> BitMap:
    """Return the chunks of the snapshot that hold the term in one of its spellings."""
    return BitMap.union(BitMap(), *_held(corpus, snapshot, list(fuzzy.searches(corpus, asked))))


def _held(corpus: ShardedCorpus, snapshot: BitMap, searches: Sequence[Search]) -> list[BitMap]:
    """Return what each search finds: one job for all words, and one for all phrases."""
    forms = {form for each in searches for group in each.groups for form in group}
    known = postings(corpus, forms) if snapshot else {}
    within = [_within(known, snapshot, each) for each in searches]
    phrases = [place for place, each in enumerate(searches) if each.pattern is not None]
    wanted = [(within[place], _patterns(searches[place])) for place in phrases]
    for place, found in zip(phrases, scan(corpus, wanted), strict=True):
        within[place] = found
    return within


def _patterns(asked: Search) -> list[Pattern]:
    return [] if asked.pattern is None else [asked.pattern]


def _within(known: Mapping[str, BitMap], snapshot: BitMap, asked: Search) -> BitMap:
    """Return the chunks of the snapshot that hold a form of every group."""
    held = (
        BitMap.union(BitMap(), *(known[form] for form in group if form in known))
        for group in asked.groups
    )
    return reduce(BitMap.intersection, held, snapshot.copy())


class ShardedEngine:
    """Evaluates predicates over a sharded corpus; satisfies `tools.engines.engine.Engine`."""

    def __init__(self, corpus: ShardedCorpus) -> None:
        self._corpus = corpus

    def keep(self, predicate: FilterArguments, snapshot: BitMap) -> BitMap:
        """Return the chunks of the snapshot that satisfy the predicate.

        Raises:
            ToolArgumentError: a field that the corpus lacks, or a pattern that is none.
            SettingsError: `semantic` on a corpus without vectors.
            CorpusUnreachable: a shard could not be read in full.
        """
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
