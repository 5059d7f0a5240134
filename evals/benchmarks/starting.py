"""Starting the product over a corpus that is there: until it shows how it read the question."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from evals.benchmarks.growth.steps import cpu_seconds
from evals.benchmarks.rows import Aim, Figure, Row, medians_told
from tools.corpus.corpus import Corpus

__all__ = ("starting",)

_AIM = Aim("at most", 3)
_UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
_QUESTION = "Which documents mention Kerberos?"
_OPENED = (
    "import sys; from graphs import build_graph, open_corpus; "
    "build_graph(); open_corpus(sys.argv[1])"
)
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

    ways = {"ours": ours, "opened": lambda: _ended(_OPENED, str(corpus.path))}
    taken = medians_told(ways | {"peer": lambda: _ended(_LOADED)}, rounds)
    peer = Figure(f"python -c '{_LOADED}'", taken["peer"])
    return [
        Row(
            what="importing the graph and opening the corpus",
            unit="s",
            ours=Figure("build_graph, open_corpus", taken["opened"]),
            peer=peer,
            aim=_AIM,
            note=f"a new process, {len(corpus):,} chunks",
        ),
        Row(
            what="starting `headcount ask`, until it shows how it read the question",
            unit="s",
            ours=Figure("until the first line of the trace", taken["ours"]),
            peer=peer,
            note=f"a new process, {median(computing):.1f} CPU s; "
            "documents' fields and names are loaded, which a question may mean",
        ),
    ]


def _first_line(corpus: Path) -> float:
    """Return the seconds until the question's reading is shown; raise RuntimeError without one."""
    program = "from graphs.apps.cli import main; main()"
    asked = ["ask", str(corpus), _QUESTION, "--on-ambiguity", "assume"]
    return _until([sys.executable, "-c", program, *asked], _shown)


def _ended(code: str, *arguments: str) -> float:
    """Return the seconds that a program takes."""
    command = [sys.executable, "-c", code, *arguments]
    return _until(command, lambda process: process.wait() == 0)


def _until(command: list[str], done: Callable[["subprocess.Popen[str]"], bool]) -> float:
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=_compiled()
    ) as process:
        try:
            reached = done(process)
            seconds = time.perf_counter() - began
        finally:
            process.kill()
    if not reached:
        raise RuntimeError(f"{command[2]!r} did not start as it should")
    return seconds


def _compiled() -> dict[str, str]:
    """Return the environment in which Python keeps what it compiled, as it does by default."""
    return {name: told for name, told in os.environ.items() if name != _UNCOMPILED}


def _shown(process: "subprocess.Popen[str]") -> bool:
    return process.stderr is not None and process.stderr.readline().startswith("interpret")
