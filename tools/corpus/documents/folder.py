"""A folder's files and the names that their documents get, which depend on one another."""

import functools
import os
import re
from collections.abc import Iterable
from pathlib import Path

from agent.errors import DocumentUnreadable
from tools.corpus.readers import SUFFIXES

__all__ = ("document_name", "document_names", "leads_to_folder", "path_text", "suffix_of")

_SUFFIX = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}$")


def suffix_of(file: Path) -> str:
    """Return the suffix with its dot, or nothing: digits after a dot are part of the name.

    >>> suffix_of(Path("pep-0484.txt")), suffix_of(Path("Form 10.17"))
    ('.txt', '')
    """
    return _suffix(file.name)


def document_name(file: Path, root: Path) -> str:
    """Return the name of a file's document: its path below the root as `document_names` has it.

    Raises:
        DocumentUnreadable: If the file is gone since its folder was listed.
    """
    names = _names(file.parent, file.parent.stat().st_mtime_ns)
    if file.name not in names:
        _names.cache_clear()  # made within the clock tick in which the folder was last listed
        names = _names(file.parent, file.parent.stat().st_mtime_ns)
    if file.name not in names:
        raise DocumentUnreadable("gone since the folder was listed; index again")
    return path_text(file.relative_to(root).parent / names[file.name])


def document_names(entries: Iterable[os.DirEntry[str]]) -> dict[str, str]:
    """Return the document name of each file and link of one folder: its own without suffix.

    Of files that differ only in suffix the first drops it, known formats before others; the rest
    keep it, so that all names differ. What is no file comes last.
    """
    files = [entry for entry in entries if not entry.is_dir(follow_symlinks=False)]
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in (entry.name for entry in sorted(files, key=_precedence)):
        own = name.removesuffix(_suffix(name))
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


def leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder or a link to one; a link in a circle leads nowhere."""
    try:
        return entry.is_dir()
    except OSError:
        return False


@functools.lru_cache(maxsize=64)
def _names(folder: Path, _changed: int) -> dict[str, str]:
    with os.scandir(folder) as entries:
        return document_names(entries)


def _precedence(entry: os.DirEntry[str]) -> tuple[bool, bool, str]:
    unknown = _suffix(entry.name).lower() not in SUFFIXES
    return not _is_file(entry), unknown, entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _suffix(name: str) -> str:
    match = _SUFFIX.search(name)
    return match[0] if match else ""
