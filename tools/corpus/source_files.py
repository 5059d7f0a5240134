"""The files below the paths to index: where each lies, its document's name, how it looks outside.

A file's stamp tells whether its content is as it was read, by git's rule for the "racily clean": it
proves nothing of a file that was changed so shortly before that another change could bear it.
"""

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.errors import DocumentUnreadable, SettingsError
from tools.corpus.document_table import Stamp
from tools.corpus.generations import OWN_NAMES, CorpusLayout
from tools.corpus.manifest import is_ours
from tools.corpus.readers import IMAGES, SUFFIXES
from tools.corpus.readers.extracted import suffix_of

Metadata = Mapping[str, str | Sequence[str]]
"""What is said of a file elsewhere, by key: as written, or the items where those are known."""
Skipped = tuple[str, str]
"""The path of a folder, and which of its files are no documents, and why."""
_TICK = 2_000_000_000
"""Nanoseconds between two times that the coarsest file system (FAT) tells apart."""


def document_names(entries: Iterable[os.DirEntry[str]]) -> dict[str, str]:
    """Return the document name of each file and link of one folder: its own without suffix.

    Of files that differ only in suffix the first drops it, known formats before others and
    JSON and pictures, which may be of another; the rest keep it, so that all names differ. What
    is no file comes last.
    """
    files = [entry for entry in entries if not entry.is_dir(follow_symlinks=False)]
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in (entry.name for entry in sorted(files, key=_precedence)):
        own = name.removesuffix(suffix_of(name))
        own = own if own not in taken else name
        while own in taken:
            own += "~"
        taken.add(own)
        names[name] = own
    return names


def path_text(path: Path | str) -> str:
    """Return a path with `/` between its parts; bytes of it that are no UTF-8 become U+FFFD."""
    written = path if isinstance(path, str) else path.as_posix()
    return written if written.isascii() else os.fsencode(written).decode("utf-8", "replace")


def _precedence(entry: os.DirEntry[str]) -> tuple[bool, bool, bool, str]:
    suffix = suffix_of(entry.name).lower()
    by_suffix = suffix not in SUFFIXES, suffix in {".json", *IMAGES}, entry.name
    with suppress(OSError):
        return not entry.is_file(), *by_suffix
    return True, *by_suffix


@dataclass(frozen=True, slots=True)
class FileBelow:
    """One file at or below a path to index, as its folder was listed."""

    file: str
    """Where it lies, absolute."""
    root: str
    """The folder that it was found below, absolute."""
    path: str
    """Path below the root."""
    name: str
    """The name of its document, which depends on the files beside it."""
    seen: Stamp
    """What it looks like; zeros where it cannot be looked at."""
    settled: bool
    """Whether it is a regular file whose next change must bear a later time."""
    metadata: Metadata = field(default_factory=dict)
    """What a table of its folder and files beside it say of it."""

    @classmethod
    def load(cls, written: Mapping[str, Any]) -> "FileBelow":
        """Return a file from its fields, as they come from JSON."""
        return cls(**{**written, "seen": tuple(written["seen"])})

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.seen[0]

    @property
    def metadata_digest(self) -> str:
        """SHA-256 of what is said of it elsewhere; empty where nothing is."""
        said = json.dumps(list(self.metadata.items()))
        return hashlib.sha256(said.encode()).hexdigest() if self.metadata else ""

    @property
    def stamp(self) -> Stamp | None:
        """What it looks like, for the next build; None where that would prove nothing."""
        return self.seen if self.settled else None


def check_sources(paths: Sequence[Path]) -> None:
    """Raise SettingsError where a path does not exist."""
    for path in paths:
        if not path.exists():
            raise SettingsError(f"no file or folder {str(path)!r}")


def files_below(
    paths: Sequence[Path], without: Path | None = None, skipped: list[Skipped] | None = None
) -> Iterator[FileBelow]:
    """Yield every file at or below the paths, sorted, each once; none below `without`.

    Hidden files and folders are skipped, and so is what belongs to a corpus, which `skipped` is
    told: other files in its folder are documents. A linked folder is yielded, not entered, and so
    is one that cannot be listed: reading it says why. A single file's root is its folder.
    """
    own = None if without is None else _real(without)
    told = [] if skipped is None else skipped
    known: set[str] = set()
    check_sources(paths)
    for path in paths:
        for place, file in _below(path.absolute(), own, told) if path.is_dir() else _alone(path):
            if place not in known and (own is None or not place.startswith(own)):
                known.add(place)
                yield file


def _real(folder: Path) -> str:
    """Return what the real places of all files below a folder begin with."""
    return folder.resolve().as_posix().rstrip("/") + "/"


def _alone(path: Path) -> Iterator[tuple[str, FileBelow]]:
    file, now = path.resolve(), time.time_ns()
    names = document_names(_listed(str(file.parent)))
    if file.name not in names:
        raise DocumentUnreadable("gone since the folder was listed; index again")
    own = str(file), str(file.parent), path_text(file.name), path_text(names[file.name])
    yield file.as_posix(), FileBelow(*own, *_looked_at(file, now))


def _below(
    root: Path, without: str | None, skipped: list[Skipped]
) -> Iterator[tuple[str, FileBelow]]:
    """Yield (real place, file) for each file below a folder: strings, a tenth of paths' time."""
    real = _real(root)
    left = [(str(root), "")]
    while left:
        folder, inside = left.pop()
        now = time.time_ns()
        try:
            listed = _listed(folder)
        except OSError:
            path = path_text(inside.rstrip("/") or ".")
            yield real + inside, FileBelow(folder, str(root), path, path, (0, 0, 0), settled=False)
            continue
        layout = CorpusLayout(Path(folder))
        if layout.is_corpus() and is_ours(layout):
            its = ", ".join(each.name for each in listed if each.name in OWN_NAMES)
            if real + inside != without:
                skipped.append((path_text(inside.rstrip("/") or "."), f"a corpus, skipped: {its}"))
            listed = [each for each in listed if each.name not in OWN_NAMES]
        listed = [each for each in listed if not each.name.startswith(".")]
        names, shown = document_names(listed), path_text(inside)
        for entry in listed:
            if entry.name in names:
                path, name = path_text(entry.name), path_text(names[entry.name])
                own = entry.path, str(root), shown + path, shown + name
                yield real + inside + entry.name, FileBelow(*own, *_looked_at(entry, now))
        folders = [entry for entry in reversed(listed) if entry.name not in names]
        left.extend((each.path, f"{inside}{each.name}/") for each in folders)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _looked_at(file: Path | os.DirEntry[str], now: int) -> tuple[Stamp, bool]:
    """Return what a file looks like, and whether it was left alone long enough before now."""
    try:
        told = file.stat()
    except OSError:
        return (0, 0, 0), False  # reading it says why
    settled = stat.S_ISREG(told.st_mode) and told.st_mtime_ns < now - _TICK
    return (told.st_size, told.st_mtime_ns, told.st_ino), settled
