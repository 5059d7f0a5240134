"""A corpus for one question alone: the shared index, without what other questions left there."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("isolated",)


@contextmanager
def isolated(corpus: Path) -> Iterator["Corpus"]:
    """Open the corpus in a directory of its own that is gone afterwards.

    The generations, which nothing changes, are linked; records, looks and runs, which a question
    leaves behind for the next, are not there. So no result depends on which questions came before.
    """
    from tools.corpus.corpus import open_corpus
    from tools.corpus.layout import CorpusLayout

    shared = CorpusLayout(corpus)
    with tempfile.TemporaryDirectory(prefix="headcount-eval-") as place:
        own = CorpusLayout(Path(place) / corpus.name)
        own.root.mkdir()
        shutil.copyfile(shared.current, own.current)
        own.generations.symlink_to(shared.generations.resolve(), target_is_directory=True)
        own.lock.touch()
        yield open_corpus(own.root)
