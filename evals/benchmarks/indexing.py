"""Indexing one text: a whole corpus and its words alone, against the usual packages.

Each side runs once, in a process of its own, so that its peak memory is its own.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from evals.benchmarks.row import LARGE, Aim, Figure, Row
from evals.benchmarks.tree import output_and_peak_mb
from tools.corpus.corpus import open_corpus

__all__ = ("Taken", "apart", "indexing")

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
    code = "import sys; from evals.benchmarks.indexers import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, function, *map(str, places)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        output, together = output_and_peak_mb(process)
    told = json.loads(output)
    return Taken(told["seconds"], told["cpu"], max(told["peak_mb"], together))
