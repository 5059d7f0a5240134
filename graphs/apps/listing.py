"""`headcount runs`: what was asked of a corpus, and how far each run has come."""

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tools.corpus.corpus import open_corpus
from tools.runs.store import RunStore

__all__ = ("run_runs",)


def run_runs(corpus: Path) -> None:
    """Print a table of the runs, the newest first."""
    opened = open_corpus(corpus)
    path = opened.runs / "runs.sqlite"
    console = Console()
    if not path.exists():
        console.print("no runs yet")
        return
    table = Table(show_edge=False, pad_edge=False)
    for title in ("run", "started", "status", "value", "model", "question"):
        table.add_column(title, overflow="fold")
    with RunStore(path) as store:
        for info in store.runs():
            answer = store.answer(info.run)
            value = "" if answer is None or answer.value is None else str(answer.value)
            cells = (info.run, info.created, info.status, value, info.model, info.question)
            table.add_row(*(escape(cell) for cell in cells))
    console.print(table)
