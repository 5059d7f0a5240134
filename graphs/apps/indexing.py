"""`headcount index`: build or update a corpus, with a progress bar on stderr."""

import codecs
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from agent.errors import SettingsError
from agent.settings import load_settings
from agent.value import counted
from graphs.apps.plain import styled
from tools.postgres.address import server_of

if TYPE_CHECKING:
    from tools.corpus.build import BuildReport, BuildSettings
    from tools.corpus.progress import Progress as Advance
    from tools.postgres.address import ServerAddress

__all__ = ("advancing", "built", "check_encoding", "run_index", "summary")

_NOTES = 5
_CHATTY = ("pypdf", "trafilatura")
"""Libraries that log what we report ourselves, file by file."""


def run_index(
    paths: Sequence[Path],
    into: Path,
    settings: "BuildSettings",
    store: str | None = None,
    *,
    checksum: bool = False,
) -> None:
    """Build the corpus and print what changed, what could not be read and the first notes."""
    check_encoding(settings.encoding)
    server = server_of(load_settings(store=store))
    report = built(paths, into, settings, server, checksum=checksum)
    console = Console(highlight=False)
    for line in (
        summary(into, report),
        *(f"not read: {path}: {why}" for path, why in report.unreadable),
        *(f"note: {path}: {note}" for path, note in report.notes[:_NOTES]),
    ):
        console.print(styled(line), soft_wrap=True)
    if (more := len(report.notes) - _NOTES) > 0:
        console.print(styled(f"{counted(more, 'more note')}: `headcount doctor {into}` lists all"))


def check_encoding(name: str | None) -> None:
    """Raise SettingsError where there is no encoding of that name."""
    try:
        codecs.lookup(name or "utf-8")
    except LookupError as error:
        raise SettingsError(f"there is no encoding {name!r}: use for instance cp1252") from error


def built(
    paths: Sequence[Path],
    into: Path,
    settings: "BuildSettings",
    server: "ServerAddress | None" = None,
    *,
    checksum: bool = False,
) -> "BuildReport":
    """Build the corpus under a progress bar, which only a terminal shows."""
    from tools.corpus.build import build

    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with advancing() as advance:
        return build(
            paths, into, settings=settings, progress=advance, server=server, checksum=checksum
        )


def summary(into: Path, report: "BuildReport") -> str:
    """Say what a build did in one line."""
    parts = (
        ("added", report.added),
        ("updated", report.updated),
        ("removed", report.removed),
        ("unchanged", report.unchanged),
        ("not readable", len(report.unreadable)),
    )
    done = ", ".join(f"{count} {what}" for what, count in parts if count)
    return (
        f"{into}: {counted(report.documents, 'document')}, {counted(report.chunks, 'chunk')}; "
        f"{done} ({report.seconds:.1f} s)"
    )


@contextmanager
def advancing() -> "Iterator[Advance]":
    """Yield what a build tells its progress to: a bar, which only a terminal shows."""
    stderr = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        current = ""

        def advance(stage: str, done: int, total: int) -> None:
            nonlocal current
            if stage != current:
                current = stage
                bar.reset(task, description=stage)  # what is left is told from this stage's pace
            bar.update(task, completed=done, total=total)

        yield advance
