"""A scripted run in a process of its own, told with the most memory that it held."""

import json
import sys
import tempfile
from pathlib import Path

from evals.benchmarks.peak import peak_mb

__all__ = ("tell",)


def tell(corpus: str, url: str, kept: str) -> None:
    """Judge so many chunks of a corpus; print as JSON how many were, and the memory in MB.

    `grown` is by how much the peak rose after the chunks were put into batches.
    """
    from evals.benchmarks.judging import JudgingRun
    from tools.corpus.corpus import open_corpus

    with tempfile.TemporaryDirectory(prefix="headcount-judged-") as place:
        run = JudgingRun(open_corpus(corpus), url, Path(place), int(kept), keep_prompts=False)
        run()
        peak = peak_mb()
    told = {"chunks": run.chunks, "peak_mb": peak, "grown": peak - run.peak_before}
    sys.stdout.write(json.dumps(told))
