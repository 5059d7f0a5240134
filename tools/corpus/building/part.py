"""A part of a build: some files read, chunked and their words counted, written to disk.

A part is named by what its files look like from outside (path, size, time of change), and appears
whole or not at all, even where the power fails: a build that was killed takes up the parts that it
had finished.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent.errors import DocumentUnreadable
from tools.corpus.building.origin import Origin
from tools.corpus.building.tables_build import save_tables
from tools.corpus.documents.document import Draft, read_drafts
from tools.corpus.documents.entry import entries_of
from tools.corpus.documents.folder import path_text
from tools.corpus.documents.listing import FileBelow
from tools.corpus.manifest import FORMAT, Unreadable, row_path
from tools.corpus.processes.collection import uncollected
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.generations import flush
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.source_files import SourceFile
from tools.corpus.words.counts import count_words

__all__ = ("Part", "PartFile", "digest_of", "load_part", "part_name", "write_part")

_RECORD = "part.json"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PartFile(_Record):
    """What became of one file."""

    source: SourceFile | None
    """None where nothing of it could be read."""
    unreadable: tuple[Unreadable, ...]


class _Contents(_Record):
    files: tuple[PartFile, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part."""

    files: Sequence[PartFile]
    """In the order in which they were given; their documents follow one another."""
    origin: Origin


def part_name(files: Sequence[FileBelow], settings: BuildSettings) -> str:
    """Return the name of the part of these files: other files or settings, another name."""
    seen = [(path_text(each.file), path_text(each.root), each.name, each.seen) for each in files]
    told = json.dumps([FORMAT, settings.reading, seen], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def load_part(place: Path) -> Part | None:
    """Open a part; None where it was never finished, or is damaged: it is read again then."""
    if not (place / _RECORD).is_file():
        return None
    origin = Origin(Generation(place))
    try:
        with uncollected():
            contents = _Contents.model_validate_json((place / _RECORD).read_bytes())
        origin.check()
    except (OSError, ValueError, EOFError):
        return None
    return Part(contents.files, origin)


def write_part(files: Sequence[FileBelow], settings: BuildSettings, place: Path) -> None:
    """Read the files, chunk them, count their words and write the part.

    Raises:
        SettingsError: Python has no such encoding as the settings name.
    """
    read = [_read(file, settings) for file in files]
    entries = entries_of([draft for _, drafts in read for draft in drafts], settings)
    drafted = Generation(place.with_name(f"{place.name}.new"))
    shutil.rmtree(drafted.root, ignore_errors=True)
    drafted.lexical.mkdir(parents=True)
    count_words(save_tables(entries, drafted)).save(drafted.lexical)
    contents = _Contents(files=tuple(file for file, _ in read))
    (drafted.root / _RECORD).write_text(contents.model_dump_json(), encoding="utf-8")
    flush(drafted.root)
    shutil.rmtree(place, ignore_errors=True)
    drafted.root.replace(place)


def digest_of(file: Path) -> str:
    """Return a file's SHA-256, taken before it is read: a change meanwhile is seen next time.

    What is no regular file has none; reading it says why.

    Raises:
        DocumentUnreadable: the file cannot be opened.
    """
    if not file.is_file():
        return ""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise DocumentUnreadable(f"cannot be opened ({error.strerror or error})") from error


def _read(file: FileBelow, settings: BuildSettings) -> tuple[PartFile, list[Draft]]:
    path = file.path
    try:
        drafts, rows = read_drafts(file, encoding=settings.encoding)
    except DocumentUnreadable as error:
        return PartFile(source=None, unreadable=(Unreadable(path=path, reason=str(error)),)), []
    broken = tuple(Unreadable(path=row_path(path, row), reason=why) for row, why in rows)
    source = SourceFile(
        path=path,
        name=file.name,
        digest=drafts[0].digest,
        documents=len(drafts),
        stamp=file.stamp,
    )
    return PartFile(source=source, unreadable=broken), drafts
