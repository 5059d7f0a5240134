"""Exit codes and the one place where errors become one line on stderr."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn

from agent.errors import HeadcountError
from graphs.apps.starting import work_begins

if TYPE_CHECKING:
    from agent.answer import Answer

__all__ = ("Exit", "complain", "exit_for", "leave", "mended", "tidy_exit")


class Exit(IntEnum):
    """What a command's exit code says."""

    ANSWERED = 0
    ERROR = 1
    USAGE = 2
    WAITING = 3
    BUDGET = 4
    FAILED_CHUNKS = 5
    INTERRUPTED = 130


def exit_for(answer: "Answer") -> Exit:
    """Return the exit code that tells how complete an answer is."""
    if answer.status == "needs_clarification":
        return Exit.WAITING
    if answer.status == "partial":
        return Exit.BUDGET
    if answer.coverage.failed or answer.coverage.unparsable:
        return Exit.FAILED_CHUNKS
    return Exit.ANSWERED


@contextmanager
def tidy_exit() -> Iterator[None]:
    """Turn an expected error or Ctrl-C into one line on stderr and an exit code.

    Expected are Headcount's own errors, those of files and those of the run's databases. A reader
    that closed the pipe has what it wanted: that ends the command without a word.
    """
    import sqlite3

    work_begins()
    try:
        yield
        sys.stdout.flush()
    except HeadcountError as error:
        complain(str(error))
        raise SystemExit(Exit.ERROR) from error
    except BrokenPipeError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(Exit.ERROR) from error
    except OSError as error:
        complain(f"{error.strerror or error}: {error.filename or 'check the disk'}")
        raise SystemExit(Exit.ERROR) from error
    except sqlite3.Error as error:
        complain(f"a database of the runs cannot be used ({error}); try again")
        raise SystemExit(Exit.ERROR) from error
    except KeyboardInterrupt as stop:
        sys.stderr.write("\ninterrupted\n")
        raise SystemExit(Exit.INTERRUPTED) from stop


def leave(work: Callable[[], int]) -> NoReturn:
    """Do a command's work and leave by the exit code that it returns."""
    with tidy_exit():
        code = work()
    raise SystemExit(code)


def mended(error: Exception, command: str) -> str:
    """Say what failed, and how to go on once it no longer does.

    >>> mended(ValueError("The server fails: Connection error."), "headcount runs X")
    'The server fails: Connection error. Once that is mended, go on with: headcount runs X'
    """
    return f"{str(error).rstrip('. ')}. Once that is mended, go on with: {command}"


def complain(message: str) -> None:
    """Write an error as one line on stderr."""
    from graphs.apps.plain import printable

    sys.stderr.write(f"headcount: {printable(' '.join(message.split()))}\n")
