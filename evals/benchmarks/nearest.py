"""The nearest chunks by vector: our exact filter against Chroma over the same vectors."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from evals.benchmarks.rounds import medians
from evals.benchmarks.row import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters import semantic

__all__ = ("collection", "nearest")

_MOST = 300
_ALIKE = 1e-4
_BATCH = 5000
_AIM = Aim("at most", 100)


def nearest(corpus: Corpus, place: Path, rounds: int) -> list[Row]:
    """Ask both for the n chunks nearest to a text; ours are checked against a full product.

    Chroma has its default index, on disk in `place`; ours embeds the query too. To fill it
    takes a quarter of an hour for a large corpus: numpy is the peer there.
    """
    asked = " ".join(corpus.chunk_text(0).split()[:12])
    query, count = corpus.embedder.embed([asked])[0], min(_MOST, len(corpus) // 2)
    arguments = semantic.SemanticArguments(query=asked, best=count)
    ours = partial(semantic.keep, corpus, BitMap(range(len(corpus))), arguments)
    if len(corpus) > LARGE:
        return _against_numpy(corpus, ours, query, count, rounds)
    kept = collection(corpus.vectors.rows(), place)

    def peer() -> BitMap:
        found = kept.query(query_embeddings=query.reshape(1, -1), n_results=count, include=[])
        return BitMap([int(chunk) for chunk in found["ids"][0]])

    all_cosines = corpus.vectors.rows() @ query
    if _reached(ours(), all_cosines, count) < count:
        raise Unequal("the exact filter misses some of the nearest chunks")
    recall = _reached(peer(), all_cosines, count) / count
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return [
        Row(
            what=f"the {count} nearest of all chunks",
            unit="ms",
            ours=Figure("filter `semantic`", taken["ours"] * 1000),
            peer=Figure("Chroma query", taken["peer"] * 1000),
            aim=_AIM,
            note=f"{corpus.vectors.dimensions} dimensions, our embedding timed; recall ours 1.000, "
            f"Chroma's {recall:.3f}",
        )
    ]


def _against_numpy(
    corpus: Corpus,
    ours: Callable[[], BitMap],
    query: NDArray[np.float32],
    count: int,
    rounds: int,
) -> list[Row]:
    """Compare with a product and a full sort of all rows."""
    rows = corpus.vectors.rows()

    def peer() -> list[int]:
        order: list[int] = np.argsort(-(rows @ query), kind="stable")[:count].tolist()
        return order

    if ours() != BitMap(peer()):
        raise Unequal("the exact filter and numpy differ")
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return [
        Row(
            what=f"the {count} nearest of all chunks",
            unit="ms",
            ours=Figure("filter `semantic`", taken["ours"] * 1000),
            peer=Figure("numpy product and sort", taken["peer"] * 1000),
            aim=_AIM,
            note=f"{corpus.vectors.dimensions} dimensions, our embedding timed; the same chunks",
        )
    ]


def _reached(found: BitMap, cosines: NDArray[np.float32], count: int) -> int:
    """Return how many of the chunks found are as near as the n-th nearest; ties count."""
    least = np.partition(cosines, -count)[-count] - _ALIKE
    return int((cosines[found.to_array()] >= least).sum())


def collection(rows: NDArray[np.float32], place: Path) -> Any:
    """Put vectors, one a chunk, into a new Chroma collection with its default index."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False, _env_file=None)
    client = chromadb.PersistentClient(str(place), settings=settings)
    made = client.create_collection(
        "chunks", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        ids = [str(chunk) for chunk in range(start, start + len(batch))]
        made.add(ids=ids, embeddings=batch)
    return made
