"""The two measures of batching: calls of the model, and pairs compared between calls."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tools.corpus.embeddings.unit import unit_rows

__all__ = ("candidate_pairs", "llm_calls", "similar_pairs")

_BLOCK = 1024


def llm_calls(batches: Sequence[Sequence[int]]) -> int:
    """Return LC, the calls that judging takes: one for each batch that holds a chunk."""
    return sum(bool(batch) for batch in batches)


def candidate_pairs(batches: Sequence[Sequence[int]], pairs: Iterable[tuple[int, int]]) -> int:
    """Return CP, how many of the pairs of chunks stand in two batches.

    A pair is two chunks that name, or may name, the same entity. In one batch the model sees both
    at once and names the entity once; in two, its names have to be compared afterwards.

    Args:
        batches: the plan.
        pairs: the pairs, each once: those of `similar_pairs` or, where labels are known, the
            chunks that hold evidence of one entity.

    >>> candidate_pairs([[1, 2], [3]], [(1, 2), (1, 3), (2, 3)])
    2
    """
    place = {chunk: number for number, batch in enumerate(batches) for chunk in batch}
    return sum(place[a] != place[b] for a, b in pairs if a in place and b in place)


def similar_pairs(
    ids: Sequence[int], features: npt.NDArray[np.floating], *, cosine: float = 0.5
) -> list[tuple[int, int]]:
    """Return the pairs of chunks whose features have at least this cosine, smaller id first.

    Args:
        ids: the chunks, as rows of `features`.
        features: (N, d).
        cosine: the least that counts as similar.
    """
    chunks = np.asarray(sorted(ids), dtype=np.int64)
    rows = unit_rows(features[chunks])
    found: list[tuple[int, int]] = []
    for start in range(0, len(chunks), _BLOCK):
        near = rows[start : start + _BLOCK] @ rows.T >= cosine
        for left, right in np.argwhere(np.triu(near, k=start + 1)):
            found.append((int(chunks[start + left]), int(chunks[right])))
    return found
