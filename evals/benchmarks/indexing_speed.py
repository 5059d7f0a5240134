"""Indexing one text, for the first time and again, once, in a process of its own."""

import os
import shutil
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.figures import Aim, Figure, Row, Unequal
from evals.benchmarks.real_text import Sized, build_whole
from evals.benchmarks.timed_processes import apart
from tools.corpus.corpus import Corpus, open_corpus
from tools.filters.exact import ExactArguments
from tools.filters.local_engine import LocalEngine


def indexing(text: Sized) -> list[Row]:
    """Return the speed and memory with which a text's corpus was built."""
    whole, size, chunks = text.taken, _bytes(text.folder), len(open_corpus(text.corpus))
    return [
        Row(
            what="index the text",
            unit="MB/s",
            ours=Figure("build", size / 1e6 / whole.result),
            aim=Aim("at least", 5),
            note=f"{size / 1e6:,.1f} MB, one round; {whole.cpu:,.0f} CPU s for {chunks:,} chunks, "
            f"{_bytes(text.corpus) / 1e6:,.0f} MB on disk",
        ),
        Row(
            what="memory to index the text",
            unit="MB",
            ours=Figure("build", whole.peak_mb),
            aim=Aim("at most", 3 * 1024**3 / 1e6),
            note="peak of all its processes together, imports and text included",
        ),
    ]


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


_EVERY = 100
_ADDED = "One more line, which no document had."


def updating(text: Sized, place: Path) -> Row:
    """Change every hundredth document of a copy of a text, and bring a copy of its corpus up.

    `place` holds the copies. The peer is what indexing all of it took.

    Raises Unequal: a document is missing afterwards, or a change.
    """
    folder, updated = place / "changed", place / "changed.corpus"
    shutil.copytree(text.folder, folder, copy_function=os.link)
    shutil.copytree(text.corpus, updated)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    changed = files[::_EVERY]
    for file in changed:
        _add_line(file)
    os.sync()  # or writing the copy would be timed too
    ours, whole = apart(build_whole, folder, updated), text.taken
    _check(open_corpus(text.corpus), open_corpus(updated), len(changed))
    return Row(
        what="index again after 1 % of the documents changed",
        unit="s",
        ours=Figure("build, incremental", ours.result),
        peer=Figure("build, from nothing", whole.result),
        aim=Aim("times", 20),
        note=f"{len(changed)} of {len(files):,} documents changed; {ours.cpu:,.1f} and "
        f"{whole.cpu:,.1f} CPU s; one round, a process each",
    )


def _add_line(file: Path) -> None:
    """Write a file anew with one more line: its other name keeps the text that it had."""
    text = file.read_bytes()
    file.unlink()
    file.write_bytes(text + f"\n\n{_ADDED}\n".encode())


def _check(before: Corpus, after: Corpus, changed: int) -> None:
    every = BitMap(range(len(after)))
    found = LocalEngine(after).keep(ExactArguments(phrase=_ADDED, case_sensitive=True), every)
    if len(before.documents) != len(after.documents) or not found:
        raise Unequal(
            f"{len(after.documents)} of {len(before.documents)} documents and {len(found)} of "
            f"{changed} changes are there after indexing again"
        )
