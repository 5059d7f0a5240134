"""One process a run: two that continued it at once would pay twice and mix their steps."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import RunError

__all__ = ("working_on",)


@contextmanager
def working_on(run: str, runs: Path) -> Iterator[None]:
    """Hold a run's lock in a corpus's folder of runs.

    The operating system frees the lock when its process ends, however it ends.

    Raises:
        RunError: another process, or another session of this one, works on the run.
    """
    from filelock import FileLock, Timeout

    folder = runs / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    held = FileLock(folder / f"{run}.lock", blocking=False)
    try:
        held.acquire()
    except Timeout as error:
        raise RunError(
            f"run {run!r} is being worked on by another process: wait until it is done"
        ) from error
    try:
        yield
    finally:
        held.release()
