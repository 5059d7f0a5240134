"""What judging holds in memory: ten times as many chunks against as many."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from evals.benchmarks.row import Figure, Row, Unequal
from evals.benchmarks.server import serving
from tools.corpus.corpus import Corpus

__all__ = ("judged_memory",)

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
    code = "import sys; from evals.benchmarks.judged_run import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, str(corpus.path), url, str(chunks)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    held = _Held(**json.loads(done.stdout))
    if held.chunks < chunks:
        raise Unequal(f"{held.chunks} of {chunks} chunks were judged")
    return held
