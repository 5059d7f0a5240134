"""Indexing one text: a whole corpus and its words alone, against the usual packages.

Each side runs once, in a process of its own, so that its peak memory is its own.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyroaring import BitMap

from evals.benchmarks.growth.steps import cpu_seconds
from evals.benchmarks.process_memory import output_and_peak_mb, peak_mb
from evals.benchmarks.rows import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import open_corpus
from tools.filters.exact import ExactArguments
from tools.filters.registry import LocalEngine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = (
    "INDEXERS",
    "Taken",
    "apart",
    "indexing",
    "lexical",
    "okapi",
    "stack",
    "tell",
    "updating",
    "whole",
)

_STACK = "rank-bm25 + scikit-learn LSA + Chroma"
_SPEED = Aim("at least", 5)
_MEMORY = Aim("at most", 3 * 1024**3 / 1e6)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process of its own took."""

    seconds: float
    cpu: float
    """Seconds of processor time, those of its children included."""
    peak_mb: float
    """Of it and its children together, imports and text included."""


def indexing(folder: Path, corpus: Path, place: Path, whole: Taken) -> list[Row]:
    """Tell what a corpus of a folder took, and the peers; return speed and memory.

    The peers are given our chunks' texts, cut already; `place` is a folder for what they write.
    Of a large corpus they would take an hour and more memory than there is, and are left out.
    """
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    chunks = len(open_corpus(corpus))
    note = f"{whole.cpu:,.0f} CPU s for {chunks:,} chunks"
    if chunks > LARGE:
        return _rows("the text", ("build", ""), (whole, None), size, f"{note}; no peer so large")
    stack = apart("stack", corpus, place / "stack")
    words = apart("lexical", corpus, place / "lexical"), apart("okapi", corpus)
    note += "; the peer neither reads nor chunks"
    return [
        *_rows("the text", ("build", _STACK), (whole, stack), size, note),
        *_rows("its words alone", ("build_lexical", "rank_bm25.BM25Okapi"), words, size, ""),
    ]


def _rows(
    what: str, names: tuple[str, str], taken: tuple[Taken, Taken | None], size: int, note: str
) -> list[Row]:
    (ours, peer), megabytes = taken, size / 1e6
    told = f"{megabytes:,.1f} MB, one round" + (f"; {note}" if note else "")
    whole = what == "the text"
    return [
        Row(
            what=f"index {what}",
            unit="MB/s",
            ours=Figure(names[0], megabytes / ours.seconds),
            peer=Figure(names[1], megabytes / peer.seconds) if peer else None,
            aim=_SPEED if whole else None,
            note=told,
        ),
        Row(
            what=f"memory to index {what}",
            unit="MB",
            ours=Figure(names[0], ours.peak_mb),
            peer=Figure(names[1], peer.peak_mb) if peer else None,
            aim=_MEMORY if whole else None,
            note="peak of all its processes together, imports and text included",
        ),
    ]


def apart(function: str, *places: Path) -> Taken:
    """Run a function of `indexers` in a new process; raise CalledProcessError where it fails."""
    code = "import sys; from evals.benchmarks.indexing_speed import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, function, *map(str, places)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        output, together = output_and_peak_mb(process)
    told = json.loads(output)
    return Taken(told["seconds"], told["cpu"], max(told["peak_mb"], together))


_DIMENSIONS = 256


def whole(folder: str, corpus: str) -> float:
    """Build the corpus: read, chunk, count words, fit and apply LSA, cluster; return seconds."""
    from tools.corpus.build import build

    began = time.perf_counter()
    build([folder], corpus)
    return time.perf_counter() - began


def lexical(corpus: str, place: str) -> float:
    """Count the words of the corpus's chunks, as `whole` does; return seconds."""
    from tools.corpus.words.lexical_build import build_lexical

    texts = _texts(corpus)
    began = time.perf_counter()
    build_lexical(texts, Path(place))
    return time.perf_counter() - began


def okapi(corpus: str) -> float:
    """Count the same words with rank-bm25; return seconds."""
    texts = _texts(corpus)
    began = time.perf_counter()
    _okapi(texts)
    return time.perf_counter() - began


def stack(corpus: str, place: str) -> float:
    """Make of the chunks what a usual stack offers: BM25, LSA vectors, Chroma; return seconds."""
    from evals.benchmarks.filter_speed import collection

    texts = _texts(corpus)
    began = time.perf_counter()
    counted = _okapi(texts)
    collection(_lsa(texts), Path(place))
    seconds = time.perf_counter() - began
    del counted
    return seconds


INDEXERS: Mapping[str, Callable[..., float]] = {
    function.__name__: function for function in (whole, lexical, okapi, stack)
}


def tell(name: str, *places: str) -> None:
    """Run one way; print as JSON its seconds, and this process's processor time and peak memory."""
    seconds = INDEXERS[name](*places)
    told = {"seconds": seconds, "cpu": cpu_seconds(), "peak_mb": peak_mb()}
    sys.stdout.write(json.dumps(told))


def _texts(corpus: str) -> list[str]:
    from tools.corpus.corpus import open_corpus

    texts: list[str] = open_corpus(corpus).texts.to_list()
    return texts


def _okapi(texts: list[str]) -> object:
    from rank_bm25 import BM25Okapi

    from tools.corpus.words.tokenizer import words

    return BM25Okapi([words(text) for text in texts])


def _lsa(texts: list[str]) -> "NDArray[np.float32]":
    """Return LSA vectors by scikit-learn, of our embedder's words and dimensions."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from tools.corpus.words.tokenizer import words

    weights = TfidfVectorizer(
        tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True, min_df=2
    )
    weighted = weights.fit_transform(texts)
    most = min(_DIMENSIONS, *weighted.shape)
    rows = TruncatedSVD(most, random_state=0).fit_transform(weighted)
    return np.asarray(rows, dtype=np.float32)


_EVERY = 100
_ADDED = "One more line, which no document had."


def updating(folder: Path, corpus: Path, place: Path, whole: Taken) -> Row:
    """Change every hundredth document of a copy of a folder, and bring a copy of its corpus up.

    `place` holds the copies. The peer is what indexing all of it took.

    Raises:
        Unequal: a document is missing afterwards, or a change.
    """
    text, brought = place / "changed", place / "changed.corpus"
    shutil.copytree(folder, text, copy_function=os.link)
    shutil.copytree(corpus, brought)
    files = sorted(file for file in text.rglob("*") if file.is_file())
    changed = files[::_EVERY]
    for file in changed:
        _add_line(file)
    if hasattr(os, "sync"):
        os.sync()  # or writing the copy would be timed too
    ours = apart("whole", text, brought)
    _check(corpus, brought, len(changed))
    return Row(
        what="index again after 1 % of the documents changed",
        unit="s",
        ours=Figure("build, incremental", ours.seconds),
        peer=Figure("build, from nothing", whole.seconds),
        aim=Aim("times", 20),
        note=f"{len(changed)} of {len(files):,} documents changed; {ours.cpu:,.1f} and "
        f"{whole.cpu:,.1f} CPU s; one round, a process each",
    )


def _add_line(file: Path) -> None:
    """Write a file anew with one more line: its other name keeps the text that it had."""
    text = file.read_bytes()
    file.unlink()
    file.write_bytes(text + f"\n\n{_ADDED}\n".encode())


def _check(corpus: Path, brought: Path, changed: int) -> None:
    before, after = open_corpus(corpus), open_corpus(brought)
    every = BitMap(range(len(after)))
    found = LocalEngine(after).keep(ExactArguments(phrase=_ADDED, case_sensitive=True), every)
    if len(before.documents) != len(after.documents) or not found:
        raise Unequal(
            f"{len(after.documents)} of {len(before.documents)} documents and {len(found)} of "
            f"{changed} changes are there after indexing again"
        )
