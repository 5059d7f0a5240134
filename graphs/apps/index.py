"""`headcount index`: build or update a corpus, local or of shards, under a progress bar."""

import codecs
import logging
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from agent.errors import SettingsError
from agent.languages import ENGLISH, language_name, main_first
from agent.predicates import FILE_FACTS
from agent.settings import Settings
from agent.value import counted
from graphs.apps.from_settings import file_limits
from graphs.apps.terminal import write_line
from tools.corpus.build import BuildReport, build
from tools.corpus.build_settings import BuildSettings
from tools.corpus.build_settings import Progress as Advance
from tools.corpus.corpus import open_corpus
from tools.corpus.fields.field_file import fields_text, read_corrections
from tools.corpus.generations import CorpusLayout
from tools.corpus.readers.ocr import UNSURE
from tools.postgres.address import server_of

_NOTES = 5
_FIELDS = 8
_NAMED = 20
_OF_FILES = FILE_FACTS | {"file folder"}
_CHATTY = ("pypdf", "trafilatura")
"""Libraries that log what we report ourselves, file by file."""


def run_index(
    paths: Sequence[Path],
    into: Path,
    settings: BuildSettings,
    given: Settings,
    *,
    checksum: bool = False,
    fields: Path | None = None,
) -> None:
    """Build the corpus, its fields corrected by a file; print what changed and the first notes."""
    _check_encoding(settings.encoding)
    if fields is not None:
        settings = replace(settings, fields=read_corrections(fields))
    with progress_bar() as advance:
        report = build(
            paths,
            into,
            settings=settings,
            progress=advance,
            server=server_of(given),
            checksum=checksum,
            limits=file_limits(given),
        )
    unsure = [each for each in report.notes if each[1].startswith(UNSURE)]
    others = [each for each in report.notes if each not in unsure]
    notes = [f"note: {path}: {note}" for path, note in others[:_NOTES]]
    if (more := len(others) - _NOTES) > 0:
        notes.append(f"{counted(more, 'more note')}: `headcount doctor {into}` lists all")
    told = [*report.metadata, *_recognised(into), *(f"fields: {each}" for each in report.fields)]
    told += [*_unread(report.unreadable), *_unsure(unsure), *notes]
    for line in (summary(into, report), *told):
        write_line(line)


def print_fields(corpus: Path) -> None:
    """Print all fields as a file that corrects them."""
    opened = open_corpus(corpus)
    said = opened.manifest.settings.fields or {}
    for line in fields_text(opened.fields, said, len(opened.documents)).splitlines():
        write_line(line)


def _recognised(corpus: Path) -> Iterator[str]:
    """Say which fields were recognised, in the documents and of them: the most widespread."""
    every = [each for each in open_corpus(corpus).fields if each.name not in _OF_FILES]
    told = f"; `headcount fields {shlex.quote(str(corpus))}` prints all, for --fields"
    for where, written in (("in the documents", True), ("of the documents", False)):
        if found := [each for each in every if each.written is written]:
            shown = ", ".join(f"{each.name} ({each.type})" for each in found[:_FIELDS])
            more = f" and {len(found) - _FIELDS} more" if found[_FIELDS:] else ""
            yield f"{counted(len(found), 'field')} {where}: {shown}{more}{told}"
            told = ""


def run_sharded_index(
    paths: Sequence[Path],
    into: str,
    settings: BuildSettings,
    cluster: str | None,
    given: Settings,
) -> None:
    """Build shards by Daft, in this process or on a Ray cluster; print what was done."""
    from tools.engines.sharded.daft_session import on_cluster
    from tools.engines.sharded.sharded_build import build_sharded

    _check_encoding(settings.encoding)
    server = server_of(given)
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
    is_sharded = CorpusLayout(Path(into)).has_shards()
    shards = engine is not None or cluster is not None or is_sharded
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
    told = [f"{language_name(code)} {documents.get(code, 0)}" for code in (main, *others)]
    if unsure := documents.get("", 0):
        told.append(f"of no certain language {unsure}, read as {language_name(main)}")
    return f"; languages: {', '.join(told)}"


def _check_encoding(name: str | None) -> None:
    try:
        codecs.lookup(name or "utf-8")
    except LookupError as error:
        raise SettingsError(f"there is no encoding {name!r}: use for instance cp1252") from error


def _unread(unreadable: Iterable[tuple[object, str]]) -> Iterator[str]:
    return (f"not read: {path}: {why}" for path, why in unreadable)


def _unsure(noted: Sequence[tuple[str, str]]) -> Iterator[str]:
    if noted:
        named = "; ".join(f"{path}{note.removeprefix(UNSURE)}" for path, note in noted[:_NAMED])
        yield f"{UNSURE}, by file{' (the first)' * (len(noted) > _NAMED)}: {named}"


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
