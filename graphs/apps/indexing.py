"""`headcount index`: build or update a corpus, with a progress bar on stderr."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ("run_index",)


def run_index(
    paths: Sequence[Path],
    into: Path,
    *,
    embedder: str,
    chunk_tokens: int,
    encoding: str | None,
) -> None:
    """Build the corpus and print what changed and what could not be read."""
    from tools.corpus.build import BuildSettings, build

    settings = BuildSettings(embedder=embedder, chunk_tokens=chunk_tokens, encoding=encoding)
    stderr = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("starting", total=None)

        def advance(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        report = build(paths, into, settings=settings, progress=advance)
    console = Console(soft_wrap=True, highlight=False)
    console.print(
        f"{into}: {report.documents} documents, {report.chunks} chunks; added {report.added}, "
        f"updated {report.updated}, removed {report.removed}, unchanged {report.unchanged} "
        f"({report.seconds:.1f} s)",
        markup=False,
    )
    for path, reason in report.unreadable:
        console.print(f"not read: {path}: {reason}", markup=False)
