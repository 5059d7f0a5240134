"""Files that a generation shares with the one before and writes behind: what is there stays there.

A reader of the generation before looks at its own part of the file alone. What no document has any
more stays too, until it is more than a quarter: then the file is written anew.
"""

import os
import shutil
from pathlib import Path

__all__ = ("share", "worth_sharing")

_USED = 0.75


def share(before: Path, now: Path) -> None:
    """Give a file a second name; where the file system has no hard links, copy it.

    A file with two names already is a copy's too, such as a backup's made by hard links, which
    could be written behind at the same time: it is copied.
    """
    if before.stat().st_nlink > 1:
        shutil.copyfile(before, now)
        return
    try:
        os.link(before, now)
    except OSError:
        shutil.copyfile(before, now)


def worth_sharing(used: int, held: int) -> bool:
    """Return whether so much of what a file holds is still used that it is kept.

    >>> worth_sharing(75, 100), worth_sharing(74, 100), worth_sharing(0, 0)
    (True, False, False)
    """
    return used > 0 and used >= _USED * held
