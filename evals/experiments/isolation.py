"""A corpus for one question alone: the shared index, without what other questions left there."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.corpus.layout import CorpusLayout

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("copied", "isolated", "looked_at")

_RECORDS = "records"


@contextmanager
def isolated(corpus: Path, workspace: Path) -> Iterator["Corpus"]:
    """Open a copy of the corpus in a directory of the workspace that is gone afterwards.

    So no result depends on which questions came before: the runs, looks and records that a
    question leaves behind for the next are its own.
    """
    from tools.corpus.corpus import open_corpus

    with tempfile.TemporaryDirectory(dir=workspace) as place:
        yield open_corpus(copied(corpus, Path(place) / corpus.name))


def copied(corpus: Path, into: Path) -> Path:
    """Make a corpus directory that links the generations, which nothing changes, of another.

    Its records are copied, its runs are not.
    """
    shared, own = CorpusLayout(corpus), CorpusLayout(into)
    own.root.mkdir()
    shutil.copyfile(shared.current, own.current)
    own.generations.symlink_to(shared.generations.resolve(), target_is_directory=True)
    own.lock.touch()
    if (corpus / _RECORDS).is_dir():
        shutil.copytree(corpus / _RECORDS, into / _RECORDS)
    return into


def looked_at(corpus: "Corpus") -> Path:
    """Look at a corpus's structure, which depends on its documents alone; return its directory.

    Done once for all questions, as it is in use, for the first question asked of a corpus pays it.
    """
    from graphs.records_look import look_at

    look_at(corpus)
    return corpus.path
