"""Which documents are alike, the group of another one, and which are shown to draw a schema up.

S-RAG takes a corpus for documents of one kind and shows twelve of them a round. Here a mixed corpus
is parted first, where a parting is clear: a group may have several kinds, and kinds that two groups
have in common are joined again (`tools.records.schema_union`).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agent.records.record import Extract, SampleDocument, Span
from agent.records.record_schema import Kind, Schema
from tools.clustering import kmeans, silhouettes
from tools.corpus.chunking.chunker import segments
from tools.corpus.chunking.paragraphs import Rank
from tools.corpus.chunking.token_counts import count_tokens
from tools.records.text_parts import split
from tools.retrieval import evenly

Rows = NDArray[np.float64]
_CLEAR: Final = 0.12
"""Mean silhouette of a clear parting: of LSA rows of one kind of document it is mostly under .1, of
two unlike kinds .17 to .37."""
_UNLIKE: Final = 0.45
"""Cosine that the centres of any two groups may have: those of two unlike kinds have .06 to .42,
clusters of one kind .5 to 1, however well near-copies are parted."""
_MOST: Final = 8
_FEWEST: Final = 4
"""Documents a group has on average at least."""
_LOOKED_AT: Final = 1_500
"""Documents of which the number of groups is chosen; their distances are a square matrix."""
_EXTRACTS: Final = 5
"""Places from which a long document without so many headings is shown."""
_LEAST: Final = 12
_SAMPLED_FROM: Final = 5_000


def group_documents(rows: Rows) -> tuple[NDArray[np.int64], ...]:
    """Return the groups of alike unit rows, each ascending, the largest first."""
    count = len(rows)
    if count == 0:
        return ()
    order = np.random.default_rng(0).permutation(count)[:_LOOKED_AT]
    looked_at = rows[np.sort(order)]
    best, clearest = None, _CLEAR
    for k in range(2, min(_MOST, len(looked_at) // _FEWEST) + 1):
        found = kmeans(looked_at, k)
        clear = float(silhouettes(looked_at, found.labels).mean())
        if clear > clearest and _nearest_centres(found.centroids) <= _UNLIKE:
            best, clearest = found, clear
    if best is None:
        return (np.arange(count),)
    # The nearest centroid by Euclid's distance, as k-means assigns.
    offsets = (best.centroids**2).sum(axis=1) / 2
    labels = np.argmax(rows @ best.centroids.T - offsets, axis=1)
    groups = [np.flatnonzero(labels == each) for each in range(len(best.centroids))]
    return tuple(sorted((each for each in groups if len(each)), key=lambda each: -len(each)))


def _nearest_centres(centroids: Rows) -> float:
    lengths = np.linalg.norm(centroids, axis=1)
    cosines = centroids @ centroids.T / np.maximum(np.outer(lengths, lengths), 1e-12)
    return float(cosines[~np.eye(len(centroids), dtype=bool)].max())


def examples_of(rows: Rows, group: NDArray[np.int64], count: int) -> tuple[int, ...]:
    """Return the documents that stand for a group: from its centre outwards, evenly."""
    centre = rows[group].mean(axis=0)
    outwards = group[np.argsort(-(rows[group] @ centre), kind="stable")]
    return tuple(int(outwards[place]) for place in evenly(len(outwards), count))


def kinds_of(schema: Schema, rows: Rows, places: Mapping[str, int]) -> tuple[tuple[Kind, ...], ...]:
    """Return the kinds that each document may hold records of, in the order of the documents.

    Kinds without examples are every document's. An example is of the kinds that name it; another
    document of those of the example nearest to it. `places` has the rows by the documents' names.
    """
    named = [{places[name] for name in each.documents if name in places} for each in schema.kinds]
    known = set[int]().union(*named)
    examples = sorted(known)
    like = list(range(len(rows)))
    if examples:
        nearest = np.argmax(rows @ rows[examples].T, axis=1)
        like = [own if own in known else examples[nearest[own]] for own in like]
    return tuple(
        tuple(
            kind
            for kind, own in zip(schema.kinds, named, strict=True)
            if not kind.documents or example in own
        )
        for example in like
    )


def reading_order(rows: Rows, size: int) -> list[int]:
    """Return rows so ordered that every `size` of them in a row are spread over all.

    Each turn takes from every cluster the one that is next nearest to its centre. Of more than 5000
    rows chance chooses which are considered.
    """
    chosen = np.arange(len(rows))
    if len(rows) > _SAMPLED_FROM:
        chosen = np.sort(np.random.default_rng(0).permutation(len(rows))[:_SAMPLED_FROM])
    looked_at = rows[chosen]
    found = kmeans(looked_at, size)
    queues = []
    for members, centre in zip(found.members, found.centroids, strict=True):
        distances = np.linalg.norm(looked_at[members] - centre, axis=1)
        queues.append(members[np.argsort(distances, kind="stable")].tolist())
    ordered: list[int] = []
    while any(queues):
        queues.sort(key=len, reverse=True)
        ordered.extend(int(chosen[queue.pop(0)]) for queue in queues[:size] if queue)
    return ordered


def turn(order: Sequence[int], round_: int, size: int) -> tuple[int, ...]:
    """Return the documents of a round: the next ones, or from the beginning after the last."""
    if len(order) <= size:
        return tuple(order)
    first = round_ * size % len(order)
    return tuple(order[(first + step) % len(order)] for step in range(size))


def sample_document(name: str, text: str, fields: Mapping[str, str], tokens: int) -> SampleDocument:
    """Return a document to be shown in so many tokens: whole, or parts from all over it."""
    spans: Sequence[Span] = ((0, len(text)),)
    if count_tokens(text) > tokens:
        spans = _beginnings(text, tokens)
        if len(spans) < _EXTRACTS:
            spans = _spread(split(text, max(1, tokens // _EXTRACTS)), _EXTRACTS)
    extracts = tuple(Extract(text=text[start:end], start=start) for start, end in spans)
    return SampleDocument(name=name, fields=dict(fields), extracts=extracts)


def _beginnings(text: str, tokens: int) -> list[Span]:
    """Return how the text and the part under each different heading begin, equally much of each."""
    found = [each for each in segments(text) if each.rank is Rank.HEADING]
    edges = [0, *(each.start for each in found), len(text)]
    titles = ["", *(text[each.start : each.end].strip() for each in found)]
    first = dict(reversed(list(zip(titles, pairwise(edges), strict=True))))
    spans = _spread(sorted(span for span in first.values() if span[1] > span[0]), tokens // _LEAST)
    return [
        (start, start + split(text[start:end], tokens // len(spans))[0][1]) for start, end in spans
    ]


def _spread(parts: Sequence[Span], count: int) -> list[Span]:
    return [parts[place] for place in evenly(len(parts), count)]
