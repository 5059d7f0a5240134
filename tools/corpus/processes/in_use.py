"""What a process uses: told to the others by a lock, which ends with the process."""

import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

__all__ = ("is_used", "sweep", "use")


def use(directory: Path) -> Callable[[], None]:
    """Mark a directory as used by this process; return what ends the use."""
    from filelock import FileLock

    mark = directory.with_name(f"{directory.name}.{uuid4().hex}.used")
    held = FileLock(mark, thread_local=False)
    held.acquire()

    def leave() -> None:
        held.release()
        mark.unlink(missing_ok=True)

    return leave


def is_used(directory: Path) -> bool:
    """Tell whether a living process uses a directory; the marks of dead ones are removed."""
    from filelock import FileLock, Timeout

    for mark in directory.parent.glob(f"{directory.name}.*.used"):
        try:
            with FileLock(mark, blocking=False):
                mark.unlink(missing_ok=True)
        except Timeout:
            return True
    return False


def sweep(parent: Path) -> None:
    """Remove the directories in `parent` that nobody uses."""
    for each in [each for each in parent.iterdir() if each.is_dir() and not is_used(each)]:
        shutil.rmtree(each, ignore_errors=True)
