"""Keywords and misspellings over shards: postings first, then one scan for all phrases."""

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
from pyroaring import BitMap

from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.postings import postings
from tools.engines.sharded.scan import scan
from tools.filters import fuzzy, keywords
from tools.filters.bitmaps import bitmap, ids
from tools.filters.phrases import Search
from tools.filters.scan import Pattern

__all__ = ("keep_fuzzy", "keep_keywords")


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
