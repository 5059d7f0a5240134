"""`headcount runs`: what was asked of a corpus, and how far each run has come."""

from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.answer import Answer
from agent.settings import load_settings
from graphs.apps.plain import printable, styled
from graphs.apps.shown import headline
from graphs.apps.standings import run_text
from graphs.context import Context
from graphs.runs.place import RunsPlace, has_runs, runs_of
from tools.corpus.corpus import open_corpus
from tools.postgres.address import server_of
from tools.runs.store import RunInfo

__all__ = ("run_runs",)

_TITLES = ("run", "started", "status", "answer", "model", "question")


def run_runs(corpus: Path, store: str | None = None) -> None:
    """Print the runs, the newest first; a pipe gets one tab-separated line a run.

    Args:
        corpus: the corpus's directory.
        store: the server that keeps them, where the settings do not name it.
    """
    context = Context(corpus=open_corpus(corpus), server=server_of(load_settings(store=store)))
    console = Console(highlight=False)
    with context.store as opened, closing(runs_of(context)) as place:
        found = opened.runs() if has_runs(context) else []
        rows = [_row(info, opened.answer(info.run), place) for info in found]
    if not rows:
        console.print("no runs yet")
        return
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


def _row(info: RunInfo, answer: Answer | None, place: RunsPlace) -> tuple[str, ...]:
    told = "" if answer is None else headline(answer)
    started = info.created[:16].replace("T", " ")
    question = " ".join(info.question.split())
    return (info.run, started, run_text(info, place), told, info.model, question)
