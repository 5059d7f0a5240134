"""Which documents a schema is drawn up from, and how much of each is shown.

S-RAG shows twelve documents a round. Here each round sees others, spread over the whole group.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agent.records.induction import Extract, SampleDocument
from tools.clustering import kmeans
from tools.corpus.chunking.tokens import count_tokens
from tools.records.parts import TextPart, split

__all__ = ("reading_order", "sample_document", "turn")

_EXTRACTS: Final = 5
"""Places from which a long document is shown."""
_LOOKED_AT: Final = 5_000


def reading_order(rows: NDArray[np.float64], size: int = 12, seed: int = 0) -> list[int]:
    """Return rows so ordered that every `size` of them in a row are spread over all.

    The rows are clustered into `size` clusters; each turn takes from every cluster the one that
    is next nearest to its centre, then what is left of the larger ones.

    Args:
        rows: a row for each document, (n, d).
        size: documents in one sample.
        seed: chooses which are considered where there are more than 5000.
    """
    chosen = np.arange(len(rows))
    if len(rows) > _LOOKED_AT:
        chosen = np.sort(np.random.default_rng(seed).permutation(len(rows))[:_LOOKED_AT])
    looked_at = rows[chosen]
    found = kmeans(looked_at, size)
    queues = [
        members[
            np.argsort(
                np.linalg.norm(looked_at[members] - found.centroids[each], axis=1), kind="stable"
            )
        ].tolist()
        for each, members in enumerate(found.members)
    ]
    ordered: list[int] = []
    while any(queues):
        queues.sort(key=len, reverse=True)
        ordered.extend(int(chosen[queue.pop(0)]) for queue in queues[:size] if queue)
    return ordered


def turn(order: Sequence[int], round_: int, size: int = 12) -> tuple[int, ...]:
    """Return the documents of a round: the next ones, or from the beginning after the last.

    >>> turn([4, 5, 6, 7, 8], 1, 2), turn([4, 5, 6, 7, 8], 2, 2), turn([4, 5], 3, 12)
    ((6, 7), (8, 4), (4, 5))
    """
    if len(order) <= size:
        return tuple(order)
    first = round_ * size % len(order)
    return tuple(order[(first + step) % len(order)] for step in range(size))


def sample_document(name: str, text: str, fields: Mapping[str, str], tokens: int) -> SampleDocument:
    """Return a document to be shown: whole, or parts from all over it, its beginning among them.

    Args:
        name: the document's name.
        text: its text.
        fields: what is known of it beside the text, as written.
        tokens: how many may be shown.
    """
    if count_tokens(text) <= tokens:
        return SampleDocument(name=name, fields=dict(fields), extracts=(Extract(text=text),))
    parts = split(text, max(1, tokens // _EXTRACTS))
    extracts = tuple(_extract(text, part) for part in _spread(parts, _EXTRACTS))
    return SampleDocument(name=name, fields=dict(fields), extracts=extracts, whole=False)


def _extract(text: str, part: TextPart) -> Extract:
    return Extract(text=text[part.start : part.end], start=part.start)


def _spread(parts: Sequence[TextPart], count: int) -> list[TextPart]:
    """Return the first part and others at even distances."""
    steps = np.unique(np.linspace(0, len(parts) - 1, min(count, len(parts))).astype(int))
    return [parts[int(step)] for step in steps]
