"""Files below the paths to index, and the names their documents get."""

import functools
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.errors import DocumentUnreadable, SettingsError
from tools.corpus.layout import CorpusLayout
from tools.corpus.readers import SUFFIXES

__all__ = ("document_name", "path_text", "suffix_of", "walk")

_SUFFIX = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}$")


def walk(paths: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield (file, root) for every file at or below the paths, sorted, each file once.

    Hidden files and folders are skipped, and so are corpora. A linked folder is yielded, not
    entered: `read_contents` refuses it with the reason. A single file's root is its folder.

    Raises:
        SettingsError: If a path does not exist.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise SettingsError(f"no file or folder {str(path)!r}")
        files = _below(path) if path.is_dir() else [(path.resolve(), path.resolve().parent)]
        for file, root in files:
            place = file.parent.resolve() / file.name
            if place not in seen:
                seen.add(place)
                yield file, root


def _below(root: Path) -> Iterator[tuple[Path, Path]]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if _is_entered(Path(folder) / name))
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted([*files, *linked]):
            if not name.startswith("."):
                yield Path(folder) / name, root


def _is_entered(folder: Path) -> bool:
    return not folder.name.startswith(".") and not CorpusLayout(folder).is_corpus()


def suffix_of(file: Path) -> str:
    """Return the suffix with its dot, or nothing: digits after a dot are part of the name.

    >>> suffix_of(Path("pep-0484.txt")), suffix_of(Path("Form 10.17"))
    ('.txt', '')
    """
    match = _SUFFIX.search(file.name)
    return match[0] if match else ""


def document_name(file: Path, root: Path) -> str:
    """Return the path below the root without suffix, `/` between parts.

    Of files in a folder that differ only in suffix the first drops it, known formats before others;
    the rest keep it, so that all names differ.

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


def path_text(path: Path) -> str:
    """Return a path with `/` between its parts; bytes of it that are no UTF-8 become U+FFFD."""
    return os.fsencode(path.as_posix()).decode("utf-8", "replace")


@functools.lru_cache(maxsize=64)
def _names(folder: Path, _changed: int) -> dict[str, str]:
    """Return the document name of each file and link in a folder; what is no file comes last."""
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if not entry.is_dir(follow_symlinks=False)]
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in (entry.name for entry in sorted(files, key=_precedence)):
        own = name.removesuffix(suffix_of(Path(name)))
        own = own if own not in taken else name
        while own in taken:
            own += "~"
        taken.add(own)
        names[name] = own
    return names


def _precedence(entry: os.DirEntry[str]) -> tuple[bool, bool, str]:
    unknown = suffix_of(Path(entry.name)).lower() not in SUFFIXES
    return not entry.is_file(), unknown, entry.name
