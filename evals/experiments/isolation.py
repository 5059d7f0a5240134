"""A corpus for one question alone: the shared index, without what other questions left there."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("isolated", "prepared")

_LOOK = Path("records") / "look.json"


@contextmanager
def isolated(corpus: Path) -> Iterator["Corpus"]:
    """Open the corpus in a directory of its own that is gone afterwards.

    The generations, which nothing changes, are linked, and what `prepared` saw is copied; records
    and runs, which a question leaves behind for the next, are not there. So no result depends on
    which questions came before.
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
        seen = corpus / _LOOK
        if seen.is_file():
            (own.root / _LOOK).parent.mkdir()
            shutil.copyfile(seen, own.root / _LOOK)
        yield open_corpus(own.root)


def prepared(corpus: "Corpus") -> Path:
    """Look at a corpus's structure, which depends on its documents alone; return its directory.

    Done once for all questions, as it is in use, for the first question asked of a corpus pays it.
    """
    from graphs.records_look import look_at

    look_at(corpus)
    return corpus.path
