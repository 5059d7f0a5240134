"""One writer a corpus: readers need no lock, since a generation in use never changes."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from agent.errors import CorpusLocked
from tools.postgres.address import ServerAddress

__all__ = ("writing", "writing_shared")


@contextmanager
def writing(lock: Path) -> Iterator[None]:
    """Hold the corpus's write lock; raises CorpusLocked at once where another writer holds it.

    The operating system frees the lock when its process ends, however it ends. On a folder that
    machines share it holds among them where the file system carries `flock` over, as NFSv4 does.
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


def writing_shared(
    server: ServerAddress | None, name: str, shown: str
) -> AbstractContextManager[Callable[[], None]]:
    """Hold the write lock that a server keeps for all machines; without one hold nothing.

    Arguments, errors and what is yielded as of `tools.postgres.writer.writing_on`.
    """
    if server is None:
        return nullcontext(lambda: None)
    from tools.postgres.writer import writing_on

    return writing_on(server, name, shown)
