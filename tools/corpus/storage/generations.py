"""How a new generation takes the place of the old one: whole, or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.corpus.storage.layout import CorpusLayout, Generation

__all__ = ("draft", "flush", "publish", "replace_file", "replace_with", "sweep")

_DRAFT = ".draft"


@contextmanager
def draft(layout: CorpusLayout) -> Iterator[Generation]:
    """Yield an empty generation that no reader sees; what is not published is removed."""
    root = layout.generations / _DRAFT
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    try:
        yield Generation(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def publish(layout: CorpusLayout, drafted: Generation, digest: str) -> Generation:
    """Make a draft the generation in use and remove the others.

    A process killed before `CURRENT` is replaced leaves the old generation in use, after it the
    new one; what is left over is swept by the next build.
    """
    flush(drafted.root)
    published = Generation(_free(layout.generations / digest[:16]))
    drafted.root.replace(published.root)
    _flush(layout.generations)
    replace_file(layout.current, f"{published.root.name}\n")
    sweep(layout)
    return published


def flush(directory: Path) -> None:
    """Force what is in a directory to the disk; what is there already takes no time."""
    for file in sorted(directory.rglob("*")):
        _flush(file)


def sweep(layout: CorpusLayout) -> None:
    """Remove every generation and draft but the one in use; what was read of the next is left."""
    current = layout.generation()
    if not layout.generations.is_dir():
        return
    kept = {layout.parts.name, "" if current is None else current.root.name}
    for directory in layout.generations.iterdir():
        if directory.name not in kept:
            shutil.rmtree(directory, ignore_errors=True)


def replace_file(path: Path, text: str) -> None:
    """Write a text file so that it holds either its old or its new content."""
    replace_with(path, lambda fresh: fresh.write_text(text, encoding="utf-8"))


def replace_with(path: Path, write: Callable[[Path], object]) -> None:
    """Have a file written beside another, and put it in its place."""
    fresh = path.with_name(f"{path.name}.new")
    write(fresh)
    _flush(fresh)
    fresh.replace(path)
    _flush(path.parent)


def _free(path: Path) -> Path:
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def _flush(path: Path) -> None:
    """Force a file or directory to the disk; systems that cannot open directories skip those."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
