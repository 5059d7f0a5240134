"""One writer a corpus: readers need no lock, since a generation in use never changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import CorpusLocked

__all__ = ("writing",)


@contextmanager
def writing(lock: Path) -> Iterator[None]:
    """Hold the corpus's write lock; raises CorpusLocked at once where another writer holds it.

    The operating system frees the lock when its process ends, however it ends.
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock, blocking=False)
    try:
        held.acquire()
    except Timeout as error:
        raise CorpusLocked(
            f"{str(lock.parent)!r} is being indexed by another process: "
            "wait until it is done, then run the command again"
        ) from error
    try:
        yield
    finally:
        held.release()
