"""Indexing the same text: all of ours, vectors and clusters included, against rank-bm25 alone.

Each side runs once in a process of its own, so that its peak memory is its own.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from evals.benchmarks.peak import peak_mb
from evals.benchmarks.row import Figure, Row

__all__ = ("index", "index_peer", "indexing")


@dataclass(frozen=True, slots=True)
class _Taken:
    seconds: float
    peak_mb: float


def indexing(folder: Path, corpus: Path, size: int) -> list[Row]:
    """Index a folder of so many bytes into a new corpus directory; return speed and memory."""
    ours, peer = _apart("index", folder, corpus), _apart("index_peer", corpus)
    names = ("build, whole corpus", "words + BM25Okapi")
    note = (
        "one round; ours reads, chunks, counts, fits LSA and clusters, the peer only counts words"
    )
    speed = [size / 1e6 / each.seconds for each in (ours, peer)]
    memory = [each.peak_mb for each in (ours, peer)]
    return [
        Row(
            what=f"index {size / 1e6:.1f} MB of text",
            unit="MB/s",
            ours=Figure(names[0], speed[0]),
            peer=Figure(names[1], speed[1]),
            note=note,
        ),
        Row(
            what="peak memory while indexing",
            unit="MB",
            ours=Figure(names[0], memory[0]),
            peer=Figure(names[1], memory[1]),
            note="whole process, imports and text included",
        ),
    ]


def index(folder: str, corpus: str) -> None:
    """Build the corpus and print what it took; runs in a process of its own."""
    from tools.corpus.build import build

    began = time.perf_counter()
    build([folder], corpus)
    _tell(time.perf_counter() - began)


def index_peer(corpus: str) -> None:
    """Count the words of the corpus's chunks with rank-bm25 and print what it took."""
    from rank_bm25 import BM25Okapi

    from tools.corpus.corpus import open_corpus
    from tools.corpus.words import words

    texts = open_corpus(corpus).texts.to_list()
    began = time.perf_counter()
    BM25Okapi([words(text) for text in texts])
    _tell(time.perf_counter() - began)


def _tell(seconds: float) -> None:
    sys.stdout.write(json.dumps({"seconds": seconds, "peak_mb": peak_mb()}))


def _apart(function: str, *places: Path) -> _Taken:
    """Run a function of this module in a new process; raise CalledProcessError where it fails."""
    code = f"import sys; from {__name__} import {function}; {function}(*sys.argv[1:])"
    command = [sys.executable, "-c", code, *map(str, places)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return _Taken(**json.loads(done.stdout))
