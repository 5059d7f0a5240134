"""A corpus for one question alone: the shared index, without what other questions left there."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.corpus.generations import CorpusLayout

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("copied", "isolated")

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
    """Make a corpus directory that links what nothing changes of another's generations.

    Its records are copied; its runs are not.
    """
    shared, own = CorpusLayout(corpus), CorpusLayout(into)
    own.root.mkdir()
    shutil.copyfile(shared.current, own.current)
    for generation in shared.generations.resolve().iterdir():
        _link(generation, own.generations / generation.name)
    own.lock.touch()
    if (corpus / _RECORDS).is_dir():
        shutil.copytree(corpus / _RECORDS, into / _RECORDS)
    return into


def _link(generation: Path, into: Path) -> None:
    into.mkdir(parents=True)
    for each in generation.iterdir():
        if each.suffix != ".lock":
            (into / each.name).symlink_to(each, target_is_directory=each.is_dir())
