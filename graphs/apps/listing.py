"""`headcount runs`: what was asked of a corpus, and how far each run has come."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.answer import Answer
from graphs.apps.plain import printable, styled
from graphs.apps.shown import headline
from graphs.apps.standings import run_text
from tools.corpus.corpus import open_corpus
from tools.runs.run import RunInfo
from tools.runs.store import RunStore

__all__ = ("run_runs",)

_TITLES = ("run", "started", "status", "answer", "model", "question")


def run_runs(corpus: Path) -> None:
    """Print the runs, the newest first; a pipe gets one tab-separated line a run."""
    folder = open_corpus(corpus).runs
    path = folder / "runs.sqlite"
    console = Console(highlight=False)
    if not path.exists():
        console.print("no runs yet")
        return
    with RunStore(path) as store:
        rows = [_row(info, store.answer(info.run), folder) for info in store.runs()]
    if not console.is_terminal:
        for row in rows:
            console.file.write(printable("\t".join(row)) + "\n")
        return
    table = Table(show_edge=False, pad_edge=False)
    for title in _TITLES:
        table.add_column(title, overflow="fold", no_wrap=title == "run")
    for row in rows:
        table.add_row(*(styled(cell) for cell in row))
    console.print(table)


def _row(info: RunInfo, answer: Answer | None, folder: Path) -> tuple[str, ...]:
    told = "" if answer is None else headline(answer)
    started = info.created[:16].replace("T", " ")
    question = " ".join(info.question.split())
    return (info.run, started, run_text(info, folder), told, info.model, question)
