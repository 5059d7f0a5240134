"""Indexing one text, for the first time and again, against the usual packages.

Each side runs once, in a process of its own, so that its peak memory is its own.
"""

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pyroaring import BitMap

from evals.benchmarks.figures import LARGE, Aim, Figure, Row, Unequal
from evals.benchmarks.timed_processes import apart
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.words.tokenizer import words
from tools.filters.exact import ExactArguments
from tools.filters.local_engine import LocalEngine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evals.benchmarks.real_text import Sized

_STACK = "rank-bm25 + scikit-learn LSA + Chroma"


def indexing(text: "Sized", place: Path) -> list[Row]:
    """Return the speed and memory with which a text's corpus was built, and the peer's.

    The peer is given our chunks' texts, cut already; `place` is a folder for what it writes.
    Of a large corpus it would take an hour and more memory than there is, and is left out.
    """
    corpus, whole = text.corpus, text.taken
    size, chunks = _bytes(text.folder), len(open_corpus(corpus))
    small = chunks <= LARGE
    peer = apart(build_stack, corpus, place / "stack") if small else None
    return [
        Row(
            what="index the text",
            unit="MB/s",
            ours=Figure("build", size / 1e6 / whole.result),
            peer=Figure(_STACK, size / 1e6 / peer.result) if peer else None,
            aim=Aim("at least", 5),
            note=f"{size / 1e6:,.1f} MB, one round; {whole.cpu:,.0f} CPU s for {chunks:,} chunks, "
            f"{_bytes(corpus) / 1e6:,.0f} MB on disk; the peer neither reads nor chunks",
        ),
        Row(
            what="memory to index the text",
            unit="MB",
            ours=Figure("build", whole.peak_mb),
            peer=Figure(_STACK, peer.peak_mb) if peer else None,
            aim=Aim("at most", 3 * 1024**3 / 1e6),
            note="peak of all its processes together, imports and text included",
        ),
    ]


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def build_whole(folder: Path, corpus: Path) -> float:
    """Build the corpus: read, chunk, count words, fit and apply LSA, cluster; return seconds."""
    began = time.perf_counter()
    build([folder], corpus)
    return time.perf_counter() - began


def build_stack(corpus: Path, place: Path) -> float:
    """Make of the chunks what a usual stack offers: BM25, LSA vectors, Chroma; return seconds."""
    from rank_bm25 import BM25Okapi

    from evals.benchmarks.filter_speed import collection

    texts: list[str] = open_corpus(corpus).texts.to_list()
    began = time.perf_counter()
    counted = BM25Okapi([words(text) for text in texts])
    collection(_lsa(texts), place)
    seconds = time.perf_counter() - began
    del counted
    return seconds


_DIMENSIONS = 256


def _lsa(texts: list[str]) -> "NDArray[np.float32]":
    """Return LSA vectors by scikit-learn, of our embedder's words and dimensions."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(
        tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True, min_df=2
    )
    weighted = weights.fit_transform(texts)
    most = min(_DIMENSIONS, *weighted.shape)
    rows = TruncatedSVD(most, random_state=0).fit_transform(weighted)
    return np.asarray(rows, dtype=np.float32)


_EVERY = 100
_ADDED = "One more line, which no document had."


def updating(text: "Sized", place: Path) -> Row:
    """Change every hundredth document of a copy of a text, and bring a copy of its corpus up.

    `place` holds the copies. The peer is what indexing all of it took.

    Raises Unequal: a document is missing afterwards, or a change.
    """
    folder, updated = place / "changed", place / "changed.corpus"
    shutil.copytree(text.folder, folder, copy_function=os.link)
    shutil.copytree(text.corpus, updated)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    changed = files[::_EVERY]
    for file in changed:
        _add_line(file)
    os.sync()  # or writing the copy would be timed too
    ours, whole = apart(build_whole, folder, updated), text.taken
    _check(open_corpus(text.corpus), open_corpus(updated), len(changed))
    return Row(
        what="index again after 1 % of the documents changed",
        unit="s",
        ours=Figure("build, incremental", ours.result),
        peer=Figure("build, from nothing", whole.result),
        aim=Aim("times", 20),
        note=f"{len(changed)} of {len(files):,} documents changed; {ours.cpu:,.1f} and "
        f"{whole.cpu:,.1f} CPU s; one round, a process each",
    )


def _add_line(file: Path) -> None:
    """Write a file anew with one more line: its other name keeps the text that it had."""
    text = file.read_bytes()
    file.unlink()
    file.write_bytes(text + f"\n\n{_ADDED}\n".encode())


def _check(before: Corpus, after: Corpus, changed: int) -> None:
    every = BitMap(range(len(after)))
    found = LocalEngine(after).keep(ExactArguments(phrase=_ADDED, case_sensitive=True), every)
    if len(before.documents) != len(after.documents) or not found:
        raise Unequal(
            f"{len(after.documents)} of {len(before.documents)} documents and {len(found)} of "
            f"{changed} changes are there after indexing again"
        )
