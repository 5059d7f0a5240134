"""Starting the product over a corpus that is there: until it shows how it read the question."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from evals.benchmarks.growth.taken import cpu_seconds
from evals.benchmarks.rounds import medians_told
from evals.benchmarks.row import Aim, Figure, Row
from tools.corpus.corpus import Corpus

__all__ = ("starting",)

_QUESTION = "Which documents mention Kerberos?"
_LOADED = "import polars, numpy, langgraph.graph, langchain_core.tools"


def starting(corpus: Corpus, rounds: int) -> list[Row]:
    """Start `headcount ask` and wait for the first line of its trace; an ended run stays there.

    The peer is Python importing the libraries that the product is built on, and nothing else.
    """
    computing: list[float] = []

    def ours() -> float:
        before = cpu_seconds()
        seconds = _first_line(corpus.path)
        computing.append(cpu_seconds() - before)
        return seconds

    taken = medians_told({"ours": ours, "peer": _imports}, rounds)
    return [
        Row(
            what="importing and starting `headcount ask`",
            unit="s",
            ours=Figure("until the first line of the trace", taken["ours"]),
            peer=Figure(f"python -c '{_LOADED}'", taken["peer"]),
            aim=Aim("at most", 3),
            note=f"a new process, {len(corpus):,} chunks, {median(computing):.1f} CPU s; the line "
            "says how the question was read",
        )
    ]


def _first_line(corpus: Path) -> float:
    """Return the seconds until the question's reading is shown; raise RuntimeError without one."""
    program = "from graphs.apps.cli import main; main()"
    asked = ["ask", str(corpus), _QUESTION, "--on-ambiguity", "assume"]
    return _until([sys.executable, "-c", program, *asked], _shown)


def _imports() -> float:
    return _until([sys.executable, "-c", _LOADED], lambda process: process.wait() == 0)


def _until(command: list[str], done: Callable[["subprocess.Popen[str]"], bool]) -> float:
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            reached = done(process)
            seconds = time.perf_counter() - began
        finally:
            process.kill()
    if not reached:
        raise RuntimeError(f"{command[2]!r} did not start as it should")
    return seconds


def _shown(process: "subprocess.Popen[str]") -> bool:
    return process.stderr is not None and process.stderr.readline().startswith("interpret")
