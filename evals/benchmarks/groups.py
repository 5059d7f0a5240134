"""The groups of benchmarks: each runs in a process of its own, so that its memory is given back."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from pydantic import TypeAdapter

from agent.errors import HeadcountError
from evals.benchmarks.batched import batched
from evals.benchmarks.calls import calls
from evals.benchmarks.feeding import feeding
from evals.benchmarks.finding import contracts, drawn_questions, finding
from evals.benchmarks.indexing import indexing
from evals.benchmarks.judged_memory import judged_memory
from evals.benchmarks.judging import judging
from evals.benchmarks.misspelling import misspelling
from evals.benchmarks.nearest import nearest
from evals.benchmarks.ranking import ranking
from evals.benchmarks.row import LARGE, Row, Unequal
from evals.benchmarks.scanning import scanning
from evals.benchmarks.setting import Setting
from evals.benchmarks.snapshots import snapshots
from evals.benchmarks.starting import starting
from evals.benchmarks.stepping import stepping
from evals.benchmarks.updating import updating
from tools.corpus.corpus import open_corpus

__all__ = ("GROUPS", "SEARCHES", "run_group", "tell")

_FEW_ROUNDS = 3
"""Of what takes seconds a round."""
_SETTING = TypeAdapter(Setting)


def _finding(setting: Setting) -> Iterator[Row]:
    """Ask for all of a kind; over a large corpus an answer has too many documents to be marked."""
    known = contracts(setting.data, setting.place / "contracts.corpus")
    drawn = drawn_questions(setting.corpus) if len(setting.corpus) <= LARGE else None
    for each in filter(None, (known, drawn)):
        yield from finding(each, setting.folder(each.name))


def _stepping(setting: Setting) -> list[Row]:
    small, few = open_corpus(setting.small), min(setting.rounds, _FEW_ROUNDS)
    return stepping(small, setting.corpus, setting.folder("steps"), few)


SEARCHES: Mapping[str, Callable[[Setting], Iterable[Row]]] = {
    "starting": lambda s: starting(s.corpus, s.rounds),
    "scanning": lambda s: scanning(s.corpus, s.folder("scanning"), s.rounds),
    "snapshots": lambda s: snapshots(s.corpus, s.rounds),
    "nearest": lambda s: nearest(s.corpus, s.folder("nearest"), s.rounds),
    "feeding": lambda s: feeding(s.corpus, s.rounds),
    "batched": lambda s: batched(s.corpus),
    "misspelling": lambda s: misspelling(s.corpus, s.rounds),
    "ranking": lambda s: ranking(s.corpus, s.rounds),
}
"""What needs a corpus and nothing else."""
GROUPS: Mapping[str, Callable[[Setting], Iterable[Row]]] = {
    "indexing": lambda s: indexing(s.text, s.large, s.folder("indexing"), s.taken),
    "updating": lambda s: [updating(s.text, s.large, s.folder("updating"), s.taken)],
    **SEARCHES,
    "calls": lambda s: calls(s.rounds),
    "judging": lambda s: judging(s.corpus, s.folder("judging"), s.rounds),
    "finding": _finding,
    "judged_memory": lambda s: judged_memory(s.corpus, min(s.rounds, _FEW_ROUNDS)),
    "stepping": _stepping,
}
"""All, in the order in which they run."""


def run_group(name: str, setting: Setting) -> list[Row]:
    """Run a group in a new process and return its rows.

    Raises:
        Unequal: both sides found different things, or the corpus cannot be used.
        CalledProcessError: the process failed otherwise; its standard error says why.
    """
    code = "import sys; from evals.benchmarks.groups import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, name, _SETTING.dump_json(setting).decode()]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for each in told:
        if "error" in each:
            raise Unequal(each["error"])
    return [Row.from_json(each) for each in told]


def tell(name: str, setting: str) -> None:
    """Run a group and print its rows, or why there is none, a JSON object a line."""
    try:
        for row in GROUPS[name](_SETTING.validate_json(setting)):
            _print(row.to_json())
    except (HeadcountError, Unequal) as error:
        _print({"error": f"{name}: {error}"})


def _print(told: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
