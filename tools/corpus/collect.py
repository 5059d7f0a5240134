"""Gathering the documents of a build: read and chunk what is new, carry over what is not."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.errors import DocumentUnreadable
from tools.corpus.chunker import chunk_text
from tools.corpus.document import Document, read_contents, walk
from tools.corpus.entry import Entry
from tools.corpus.folder import document_name, path_text
from tools.corpus.manifest import SourceFile, Unreadable, row_path
from tools.corpus.previous import Previous
from tools.corpus.progress import Progress
from tools.corpus.settings import BuildSettings

__all__ = ("Collected", "collect")


@dataclass(slots=True)
class Collected:
    """Everything that was found under the sources."""

    entries: list[Entry] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)


def collect(
    sources: Sequence[Path],
    into: Path,
    settings: BuildSettings,
    previous: Previous,
    progress: Progress,
) -> Collected:
    """Read every file under the sources, in a fixed order; what cannot be read is listed.

    The corpus directory `into` is left out where it lies under a source.
    """
    found = Collected()
    own = into.resolve()
    files = [pair for pair in walk(sources) if not pair[0].absolute().is_relative_to(own)]
    for number, (file, root) in enumerate(files):
        progress("read", number, len(files))
        path = path_text(file.relative_to(root))
        try:
            source, entries, broken = _read(file, root, settings, previous)
        except DocumentUnreadable as error:
            found.unreadable.append(Unreadable(path=path, reason=str(error)))
            continue
        found.files.append(source)
        found.entries.extend(entries)
        found.unreadable.extend(broken)
    progress("read", len(files), len(files))
    return found


def _read(
    file: Path, root: Path, settings: BuildSettings, previous: Previous
) -> tuple[SourceFile, list[Entry], list[Unreadable]]:
    """Return a file with its documents and its broken rows, from the last build where it can."""
    path, name = path_text(file.relative_to(root)), document_name(file, root)
    digest = _digest(file)
    entries, broken = previous.find(path, digest, name), previous.broken_rows(path)
    if entries is None:
        contents = read_contents(file, root, encoding=settings.encoding)
        entries = [_chunked(document, settings) for document in contents.documents]
        broken = [Unreadable(path=row_path(path, row), reason=why) for row, why in contents.broken]
    source = SourceFile(path=path, name=name, digest=digest, documents=len(entries))
    return source, entries, broken


def _chunked(document: Document, settings: BuildSettings) -> Entry:
    chunks = chunk_text(document.text, size=settings.chunk_tokens, overlap=settings.overlap)
    return Entry(document, chunks, None)


def _digest(file: Path) -> str:
    """Return a file's SHA-256, taken before it is read: a change meanwhile is seen next time.

    What is no regular file has none; reading it says why.
    """
    if not file.is_file():
        return ""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise DocumentUnreadable(f"cannot be opened ({error.strerror or error})") from error
