"""What batching candidates holds in memory: twice as many against as many."""

import json
import subprocess
import sys

from evals.benchmarks.peak import peak_mb
from evals.benchmarks.row import Aim, Figure, Row
from tools.corpus.corpus import Corpus

__all__ = ("CANDIDATES", "batch", "batched", "tell")

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
    code = "import sys; from evals.benchmarks.batched import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, str(corpus.path), str(many)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return float(json.loads(done.stdout))
