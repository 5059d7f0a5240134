"""The best chunks for a text, by its words (BM25), its vector, or both, and how coherent they are.

A retrieval is of one topic or several (ADF, section 4.2, and 4.3 for its parts). All vectors are
unit rows, (n, d). Thresholds are the published ones, or a corpus's own: calibrated once on
questions made from its titles, headings and sentences, and kept beside the runs.
"""

import re
import uuid
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from agent.adf_state import Calibration, Retrieval
from agent.ambiguity import Coherence, CoherenceState
from agent.small_files import read_small
from agent.value import Value
from tools.clustering import kmeans, silhouettes
from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.vectors import highest
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.lexicon import words

E = TypeVar("E")
T = TypeVar("T", bound=Hashable)

ETA = 60.0
"""η of Cormack, Clarke and Büttcher (SIGIR 2009), whom ADF cites without a value of its own."""


def reciprocal_rank_fusion(rankings: Sequence[Iterable[T]]) -> list[tuple[T, float]]:
    """Merge rankings by score(d) = Σ_r 1 / (η + rank_r(d)), ranks from 1 (ADF, eq. 6).

    A ranking that lacks an item adds nothing; an item named twice in one counts where it stands
    first. Equal scores keep the order in which the rankings, read one after another, name them.

    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (ETA + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def alternating(rankings: Iterable[Iterable[E]]) -> Iterator[E]:
    """Yield the first of each ranking, then the second of each, until all are through.

    >>> list(alternating(["abc", "x"]))
    ['a', 'x', 'b', 'c']
    """
    missing: Any = object()
    for row in zip_longest(*rankings, fillvalue=missing):
        yield from (each for each in row if each is not missing)


_DEPTH = 100
"""How deep the rankings are that are fused: deeper than what is kept, so that they can agree."""


def retrieve(
    corpus: Corpus,
    text: str,
    n: int,
    *,
    mode: Retrieval = "hybrid",
    vector: NDArray[np.float32] | None = None,
) -> list[int]:
    """Return at most n chunks, best first (ADF, section 5.3.3); unknown words find none."""
    depth, rankings = max(n, _DEPTH) if mode == "hybrid" else n, []
    if mode != "dense":
        rankings.append(by_words(corpus.lexical, text, depth))
    if mode != "bm25" and vector is None:
        ranked = corpus.ranked(text, depth)
        if any(cosine for _, cosine in ranked):  # else the text has no direction
            rankings.append([chunk for chunk, _ in ranked])
    elif mode != "bm25" and vector is not None and vector.any():
        rankings.append(highest(corpus.vectors.similarity(vector), depth).tolist())
    return [chunk for chunk, _ in reciprocal_rank_fusion(rankings)[:n]]


def ranked_among(
    corpus: Corpus, text: str, chunks: NDArray[np.int64], depth: int
) -> list[tuple[int, float]]:
    """Rank some chunks by a text: the best by its words and by its vector, the two ranks fused."""
    vector = corpus.embedder.embed([text])[0]
    scores = corpus.lexical.bm25(text)[chunks], corpus.vectors.similarity(vector, chunks)
    return reciprocal_rank_fusion([chunks[highest(each, depth)].tolist() for each in scores])


def by_words(index: LexicalIndex, text: str, n: int) -> list[int]:
    """Return the n best chunks by BM25 among those with a word of the text; ties by index."""
    asked = words(text)
    held = index.holding(asked)
    best: list[int] = held[highest(index.bm25(asked)[held], n)].tolist()
    return best


Vectors = NDArray[np.floating[Any]]

_FEWEST: Final = 4
"""Below so many chunks k-means says nothing (ADF, section 7.2)."""
_LEAST: Final = 1e-6
CALIBRATED: Final = "coherence.json"
RELEVANT: Final = 0.2
"""τrel: the cosine to the query that a cluster's centroid must reach (ADF, eq. 5)."""


class Thresholds(Value):
    """From where on a retrieval is dispersed or separable."""

    dispersion: float
    """τvar."""
    separability: float
    """τsep."""


AMBIGNQ: Final = Thresholds(dispersion=0.25, separability=0.10)
"""Published for AmbigNQ (ADF, section 7.1); they do not travel to other corpora and embedders."""


def dispersion(vectors: Vectors) -> float:
    """Return σ²var = 1/n · Σ ‖v_i - μ‖² with mean μ (ADF, eq. 1), in [0, 1]; 0 of no vectors."""
    if not len(vectors):
        return 0.0
    rows = np.asarray(vectors, dtype=np.float64)
    return float(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).mean())


def separability(vectors: Vectors) -> float:
    """Return σsep, the mean silhouette of 2-means (ADF, eq. 2), in [-1, 1]; 0 below four."""
    if len(vectors) < _FEWEST:
        return 0.0
    return float(silhouettes(vectors, kmeans(vectors, 2).labels).mean())


def state(var: float, sep: float, thresholds: Thresholds = AMBIGNQ) -> CoherenceState:
    """Return ambiguous if σsep ≥ τsep, else uncertain if σ²var ≥ τvar, else clear (ADF, eq. 3)."""
    if sep >= thresholds.separability:
        return "ambiguous"
    return "uncertain" if var >= thresholds.dispersion else "clear"


def measure(vectors: Vectors, thresholds: Thresholds = AMBIGNQ) -> Coherence:
    """Return dispersion, separability and the state that follows from them."""
    var, sep = dispersion(vectors), separability(vectors)
    return Coherence(dispersion=var, separability=sep, state=state(var, sep, thresholds))


def relevant_clusters(query: Vectors, vectors: Vectors) -> tuple[NDArray[np.int64], ...]:
    """Return each cluster's rows where cos(query, centroid) ≥ τrel (ADF, eq. 5), nearest first."""
    clusters = kmeans(vectors, min(max(2, len(vectors) // 2), 4))  # ADF, eq. 4
    lengths = np.linalg.norm(clusters.centroids, axis=1) * np.linalg.norm(query)
    products = clusters.centroids @ np.asarray(query, dtype=np.float64)
    cosines = products / np.where(lengths > 0, lengths, 1)
    order = np.argsort(-cosines, kind="stable")
    return tuple(clusters.members[each] for each in order if cosines[each] >= RELEVANT)


def calibrate(retrievals: Iterable[Vectors]) -> Thresholds:
    """Return thresholds at the 0.9 quantile of what questions of the corpus itself measure.

    These are about one thing each. Where none retrieves four chunks, the published thresholds are
    returned. All are positive, so that chunks all alike never stand out.
    """
    rows = [each for each in retrievals if len(each) >= _FEWEST]
    if not rows:
        return AMBIGNQ
    measured = np.array([(dispersion(each), separability(each)) for each in rows])
    var, sep = np.maximum(np.quantile(measured, 0.9, axis=0), _LEAST)
    return Thresholds(dispersion=float(var), separability=float(sep))


_RULE = re.compile(r"([^\w\s])\1{2,}")
"""A rule drawn under a heading."""
_OF_A_KIND = 20
"""Pseudo-questions of a kind at most."""
_FEWEST_WORDS = 2
_MOST_WORDS = 30


def _pseudo_questions(corpus: Corpus) -> tuple[str, ...]:
    """Return at most 60 different texts of 2 to 30 words, at even distances over the corpus."""
    titles = (corpus.titles[each] for each in evenly(len(corpus.titles), _OF_A_KIND))
    chunks = evenly(len(corpus), _OF_A_KIND)
    headings = (" ".join(corpus.headings(chunk)[-1:]) for chunk in chunks)
    said = (_sentence(corpus.chunk_text(chunk)) for chunk in chunks)
    ruled = (_RULE.sub(" ", text) for text in (*titles, *headings, *said))
    found = dict.fromkeys(" ".join(text.split()) for text in ruled)
    return tuple(text for text in found if _FEWEST_WORDS <= len(words(text)) <= _MOST_WORDS)


def evenly(n: int, most: int) -> list[int]:
    """Return 0 and other numbers below n at even distances, at most so many."""
    spread: list[int] = np.linspace(0, n - 1, min(n, most)).astype(int).tolist()
    return spread


def _sentence(text: str) -> str:
    """Return the first sentence of a fitting length; empty where there is none."""
    said = (text[start:end] for start, end in sentences(text))
    return next((each for each in said if _FEWEST_WORDS < len(words(each)) <= _MOST_WORDS), "")


def thresholds(
    choice: Calibration, corpus: Corpus, retrieved: int, mode: Retrieval = "hybrid"
) -> Thresholds:
    """Return the published thresholds, or the corpus's own for retrievals of so many chunks.

    These are calibrated when first asked for, or where the file is cut or of another state.
    """
    if choice == "ambignq":
        return AMBIGNQ
    key = f"{corpus.digest}/{retrieved}/{mode}"
    found = _kept(corpus).get(key)
    if found is None:
        found = _calibrated(corpus, retrieved, mode)
        _keep(corpus, _kept(corpus) | {key: found})
    return found


_KEPT: Final = TypeAdapter(dict[str, Thresholds])


def _kept(corpus: Corpus) -> dict[str, Thresholds]:
    """Return what was calibrated for the corpus as it is, by its digest, the chunks and mode."""
    try:
        kept = _KEPT.validate_json(read_small(corpus.runs / CALIBRATED))
    except (FileNotFoundError, ValueError):
        return {}
    return {key: found for key, found in kept.items() if key.startswith(corpus.digest)}


def _keep(corpus: Corpus, kept: dict[str, Thresholds]) -> None:
    path = corpus.runs / CALIBRATED
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{uuid.uuid4().hex}.part")
    part.write_bytes(_KEPT.dump_json(kept))
    part.replace(path)


def _calibrated(corpus: Corpus, retrieved: int, mode: Retrieval) -> Thresholds:
    questions = _pseudo_questions(corpus)
    vectors = corpus.embedder.embed(list(questions))
    found = (
        retrieve(corpus, question, retrieved, mode=mode, vector=vector)
        for question, vector in zip(questions, vectors, strict=True)
    )
    return calibrate(corpus.vectors.rows(np.array(each, dtype=np.int64)) for each in found)
