"""Exit codes and the one place where errors become one line on stderr."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from agent.answer import Answer
from agent.errors import HeadcountError

__all__ = ("Exit", "exit_for", "tidy_exit")


class Exit(IntEnum):
    """What a command's exit code says."""

    ANSWERED = 0
    ERROR = 1
    USAGE = 2
    WAITING = 3
    BUDGET = 4
    FAILED_CHUNKS = 5
    INTERRUPTED = 130


def exit_for(answer: Answer) -> Exit:
    """Return the exit code that tells how complete an answer is."""
    if answer.status == "needs_clarification":
        return Exit.WAITING
    if answer.status == "partial":
        return Exit.BUDGET
    if answer.coverage.failed or answer.coverage.unparsable:
        return Exit.FAILED_CHUNKS
    return Exit.ANSWERED


@contextmanager
def tidy_exit(resume: str = "") -> Iterator[None]:
    """Turn an error of Headcount or Ctrl-C into one line on stderr and an exit code."""
    try:
        yield
    except HeadcountError as error:
        sys.stderr.write(f"headcount: {error}\n")
        raise SystemExit(Exit.ERROR) from error
    except KeyboardInterrupt as stop:
        sys.stderr.write(f"\ninterrupted{'; go on with: ' + resume if resume else ''}\n")
        raise SystemExit(Exit.INTERRUPTED) from stop
