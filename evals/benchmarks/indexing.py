"""Indexing one text: a whole corpus and its words alone, against the usual packages.

Each side runs once, in a process of its own, so that its peak memory is its own.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from evals.benchmarks.row import Figure, Row

__all__ = ("Taken", "apart", "indexing")

_STACK = "rank-bm25 + scikit-learn LSA + Chroma"


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process of its own took."""

    seconds: float
    peak_mb: float


def indexing(folder: Path, corpus: Path, place: Path, size: int) -> list[Row]:
    """Index a folder of so many bytes into a new corpus directory; return speed and memory.

    The peers are given our chunks' texts, cut already; `place` is a folder for what they write.
    """
    whole = apart("whole", folder, corpus), apart("stack", corpus, place / "stack")
    words = apart("lexical", corpus, place / "lexical"), apart("okapi", corpus)
    return [
        *_rows("the text", ("build", _STACK), whole, size, "the peer neither reads nor chunks"),
        *_rows("its words alone", ("build_lexical", "rank_bm25.BM25Okapi"), words, size, ""),
    ]


def _rows(
    what: str, names: tuple[str, str], taken: tuple[Taken, Taken], size: int, note: str
) -> list[Row]:
    speed = [
        Figure(name, size / 1e6 / each.seconds) for name, each in zip(names, taken, strict=True)
    ]
    memory = [Figure(name, each.peak_mb) for name, each in zip(names, taken, strict=True)]
    told = f"{size / 1e6:.1f} MB, one round" + (f"; {note}" if note else "")
    of_all = "peak of the whole process, imports and text included"
    return [
        Row(what=f"index {what}", unit="MB/s", ours=speed[0], peer=speed[1], note=told),
        Row(what=f"memory to index {what}", unit="MB", ours=memory[0], peer=memory[1], note=of_all),
    ]


def apart(function: str, *places: Path) -> Taken:
    """Run a function of `indexers` in a new process; raise CalledProcessError where it fails."""
    code = "import sys; from evals.benchmarks.indexers import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, function, *map(str, places)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return Taken(**json.loads(done.stdout))
