"""Scanning the chunks' texts in their shards by Daft's own expressions, many patterns at once."""

from collections.abc import Sequence
from typing import Any

from pyroaring import BitMap

from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.reading import gather
from tools.engines.sharded.selection import Selection, joined
from tools.engines.sharded.session import daft
from tools.filters.scan import Pattern

__all__ = ("scan",)


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
