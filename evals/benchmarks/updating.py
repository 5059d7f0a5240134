"""Indexing again after one document in a hundred changed, against indexing all."""

import os
import shutil
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.indexing import Taken, apart
from evals.benchmarks.row import Aim, Figure, Row, Unequal
from tools.corpus.corpus import open_corpus
from tools.filters.exact import ExactArguments
from tools.filters.registry import LocalEngine

__all__ = ("updating",)

_EVERY = 100
_ADDED = "One more line, which no document had."


def updating(folder: Path, corpus: Path, place: Path, whole: Taken) -> Row:
    """Change every hundredth document of a copy of a folder, and bring a copy of its corpus up.

    `place` holds the copies. The peer is what indexing all of it took.

    Raises:
        Unequal: a document is missing afterwards, or a change.
    """
    text, brought = place / "changed", place / "changed.corpus"
    shutil.copytree(folder, text, copy_function=os.link)
    shutil.copytree(corpus, brought)
    files = sorted(file for file in text.rglob("*") if file.is_file())
    changed = files[::_EVERY]
    for file in changed:
        _add_line(file)
    if hasattr(os, "sync"):
        os.sync()  # or writing the copy would be timed too
    ours = apart("whole", text, brought)
    _check(corpus, brought, len(changed))
    return Row(
        what="index again after 1 % of the documents changed",
        unit="s",
        ours=Figure("build, incremental", ours.seconds),
        peer=Figure("build, from nothing", whole.seconds),
        aim=Aim("times", 20),
        note=f"{len(changed)} of {len(files):,} documents changed; {ours.cpu:,.1f} and "
        f"{whole.cpu:,.1f} CPU s; one round, a process each",
    )


def _add_line(file: Path) -> None:
    """Write a file anew with one more line: its other name keeps the text that it had."""
    text = file.read_bytes()
    file.unlink()
    file.write_bytes(text + f"\n\n{_ADDED}\n".encode())


def _check(corpus: Path, brought: Path, changed: int) -> None:
    before, after = open_corpus(corpus), open_corpus(brought)
    every = BitMap(range(len(after)))
    found = LocalEngine(after).keep(ExactArguments(phrase=_ADDED, case_sensitive=True), every)
    if len(before.documents) != len(after.documents) or not found:
        raise Unequal(
            f"{len(after.documents)} of {len(before.documents)} documents and {len(found)} of "
            f"{changed} changes are there after indexing again"
        )
