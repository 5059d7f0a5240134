"""What a run needs only while it is under way: in its own folder, so that no kill leaves it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agent.errors import SettingsError

__all__ = ("UNDER_WAY", "workspace")

UNDER_WAY: Final = "under-way"
_LOCK: Final = "lock"


@contextmanager
def workspace(root: Path) -> Iterator[Path]:
    """Give a folder in the run's that no other process uses and that is gone afterwards.

    What a killed process left there goes first.

    Raises:
        SettingsError: it cannot be made, or another process is measuring into the run's folder.
    """
    from filelock import FileLock, Timeout

    own = root / UNDER_WAY
    try:
        own.mkdir(parents=True, exist_ok=True)
        lock = FileLock(own / _LOCK)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise SettingsError(f"{str(root)!r} is being measured by another process") from error
    except OSError as error:
        raise SettingsError(f"the run {str(root)!r} cannot be made: {error}") from error
    try:
        for left in (each for each in own.iterdir() if each.name != _LOCK):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        yield own
    finally:
        lock.release()
        shutil.rmtree(own, ignore_errors=True)
        with suppress(OSError):
            root.rmdir()
