"""`headcount index`: build or update a corpus, local or of shards, under a progress bar."""

import codecs
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from agent.errors import SettingsError
from agent.languages import ENGLISH, language_name, main_first
from agent.settings import load_settings
from agent.value import counted
from graphs.apps.from_settings import file_limits
from graphs.apps.terminal import write_line
from tools.corpus.build import BuildReport, build
from tools.corpus.build_settings import BuildSettings
from tools.corpus.build_settings import Progress as Advance
from tools.postgres.address import server_of

_NOTES = 5
_CHATTY = ("pypdf", "trafilatura")
"""Libraries that log what we report ourselves, file by file."""


def run_index(
    paths: Sequence[Path],
    into: Path,
    settings: BuildSettings,
    store: str | None = None,
    *,
    checksum: bool = False,
) -> None:
    """Build the corpus and print what changed, what could not be read and the first notes."""
    _check_encoding(settings.encoding)
    limits = load_settings(store=store)
    with progress_bar() as advance:
        report = build(
            paths,
            into,
            settings=settings,
            progress=advance,
            server=server_of(limits),
            checksum=checksum,
            limits=file_limits(limits),
        )
    notes = [f"note: {path}: {note}" for path, note in report.notes[:_NOTES]]
    if (more := len(report.notes) - _NOTES) > 0:
        notes.append(f"{counted(more, 'more note')}: `headcount doctor {into}` lists all")
    for line in (summary(into, report), *report.metadata, *_unread(report.unreadable), *notes):
        write_line(line)


def run_sharded_index(
    paths: Sequence[Path],
    into: str,
    settings: BuildSettings,
    cluster: str | None,
    store: str | None = None,
) -> None:
    """Build shards by Daft, in this process or on a Ray cluster; print what was done."""
    from tools.engines.sharded.daft_session import on_cluster
    from tools.engines.sharded.sharded_build import build_sharded

    _check_encoding(settings.encoding)
    server = server_of(load_settings(store=store))
    if cluster is not None:
        on_cluster(cluster)
    with progress_bar() as advance:
        report = build_sharded(paths, into, settings=settings, progress=advance, server=server)
    line = (
        f"{into}: {report.documents} documents, {report.chunks} chunks in {report.shards} shards, "
        f"{report.made} of them made ({report.seconds:.1f} s)"
    )
    for each in (
        f"{line}{_spoken(report.languages)}",
        *report.metadata,
        *_unread(report.unreadable),
    ):
        write_line(each)


def wants_shards(
    into: str, engine: Literal["daft"] | None, cluster: str | None, *, checksum: bool = False
) -> bool:
    """Tell whether a corpus gets shards, by flags or place; raises SettingsError if flags clash."""
    from tools.engines.sharded.sharded_corpus import is_sharded

    shards = engine is not None or cluster is not None or is_sharded(into)
    if shards and checksum:
        raise SettingsError("shards are updated by size and modification time, not by --checksum")
    return shards


def summary(into: Path, report: BuildReport) -> str:
    """Summarise a build in one line."""
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
        f"{done} ({report.seconds:.1f} s){_spoken(report.languages)}"
    )


def _spoken(documents: Mapping[str, int]) -> str:
    """Say in which languages documents are, where not in English alone."""
    main, *others = main_first(documents)
    if main == ENGLISH and not others:
        return ""
    sure = {code: documents[code] for code in (main, *others)}
    sure[main] += documents.get("", 0)
    told = (f"{language_name(code)} {count}" for code, count in sure.items())
    return f"; languages: {', '.join(told)}"


def _check_encoding(name: str | None) -> None:
    try:
        codecs.lookup(name or "utf-8")
    except LookupError as error:
        raise SettingsError(f"there is no encoding {name!r}: use for instance cp1252") from error


def _unread(unreadable: Iterable[tuple[object, str]]) -> Iterator[str]:
    return (f"not read: {path}: {why}" for path, why in unreadable)


@contextmanager
def progress_bar() -> Iterator[Advance]:
    """Yield the function that a build reports its progress to; only a terminal shows the bar."""
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    stderr = Console(stderr=True)
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        current = ""

        def advance(stage: str, done: int, total: int) -> None:
            nonlocal current
            if stage != current:
                current = stage
                bar.reset(task, description=stage)  # the time left is that of this stage
            bar.update(task, completed=done, total=total)

        yield advance
