"""What batching candidates holds in memory: twice as many against as many."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from evals.benchmarks.chat_server import serving
from evals.benchmarks.process_memory import peak_mb
from evals.benchmarks.rows import Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus

__all__ = ("CANDIDATES", "batch", "batched", "judged_memory", "tell")

CANDIDATES = 20_000
_LIMIT = 12_000
"""Tokens a batch."""
_PASSAGES = 40
_PER_PASSAGE = 60


def batched(corpus: Corpus) -> list[Row]:
    """Batch twenty thousand random chunks, and half as many, each in a process of its own."""
    most = min(CANDIDATES, len(corpus))
    half, whole = (_grown(corpus, many) for many in (most // 2, most))
    matrix = most**2 * 4 / 1e6
    return [
        Row(
            what="memory to batch twice as many candidates",
            unit="MB",
            ours=Figure(f"semantic_batches, {most:,} candidates", whole),
            peer=Figure(f"semantic_batches, {most // 2:,} candidates", half),
            aim=Aim("times", 0.4),
            note="by how much the process's peak rose, pages of the vectors included; a square of "
            f"all {most:,} would hold {matrix:,.0f} MB, and four times as much as of the half",
        )
    ]


def batch(corpus: Corpus, many: int) -> object:
    """Put so many random chunks into batches, as a question does."""
    import numpy as np

    from tools.batching import Candidates, Limits, semantic_batches

    drawn = np.random.default_rng(0).choice(len(corpus), min(many, len(corpus)), replace=False)
    limits = Limits(_LIMIT, passages=_PASSAGES, per_passage=_PER_PASSAGE)
    return semantic_batches(Candidates.of(corpus, drawn.tolist()), limits)


def tell(corpus: str, many: str) -> None:
    """Batch so many chunks and print by how many MB the peak rose."""
    from tools.corpus.corpus import open_corpus

    opened = open_corpus(corpus)
    batch(opened, 1)
    before = peak_mb()
    batch(opened, int(many))
    sys.stdout.write(json.dumps(peak_mb() - before))


def _grown(corpus: Corpus, many: int) -> float:
    code = "import sys; from evals.benchmarks.memory_growth import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, str(corpus.path), str(many)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return float(json.loads(done.stdout))


_TIMES = 10
_MOST = 20_000
"""Chunks to judge at most: half of a large corpus would take hours."""


@dataclass(frozen=True, slots=True)
class _Held:
    chunks: int
    peak_mb: float
    grown: float
    """MB by which the peak rose while chunks were judged."""


def judged_memory(corpus: Corpus, rounds: int) -> list[Row]:
    """Judge a part of the corpus and ten times as much, in turns, each in a process of its own.

    Raises:
        Unequal: a run judged fewer chunks than it was to; ties in rank make it a few more.
    """
    many = min(_MOST, max(_TIMES, len(corpus) // 2))
    with serving() as url:
        turns = [
            (_held(corpus, url, many // _TIMES), _held(corpus, url, many)) for _ in range(rounds)
        ]
    few, more = (_middle(each) for each in zip(*turns, strict=True))
    return [
        Row(
            what=f"memory to judge {_TIMES} times as many chunks",
            unit="MB",
            ours=Figure(f"headcount, {more.chunks:,} chunks", more.peak_mb),
            peer=Figure(f"headcount, {few.chunks:,} chunks", few.peak_mb),
            note=f"peak of the whole process over {len(corpus):,} chunks; judging itself added "
            f"{more.grown:.0f} and {few.grown:.0f} MB, pages of the texts included",
        )
    ]


def _middle(held: Sequence[_Held]) -> _Held:
    return _Held(
        held[0].chunks, median(each.peak_mb for each in held), median(each.grown for each in held)
    )


def _held(corpus: Corpus, url: str, chunks: int) -> _Held:
    """Return what a new process holds that judges so many chunks."""
    code = "import sys; from evals.benchmarks.scripted_run import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, str(corpus.path), url, str(chunks)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    held = _Held(**json.loads(done.stdout))
    if held.chunks < chunks:
        raise Unequal(f"{held.chunks} of {chunks} chunks were judged")
    return held
