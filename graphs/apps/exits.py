"""How a command ends: its exit code, an error in one line, or Ctrl-C."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from agent.errors import HeadcountError
from graphs.apps.terminal import write_json, write_line

if TYPE_CHECKING:
    from agent.answer import Answer


_STOPS = (signal.SIGINT, signal.SIGTERM)
"""What asks a command to stop: Ctrl-C, and whoever shuts a machine or a container down."""
_STOPPED = threading.Event()
_SOON = 0.05


class Exit(IntEnum):
    """What a command's exit code means."""

    ANSWERED = 0
    ERROR = 1
    USAGE = 2
    WAITING = 3
    BUDGET = 4
    FAILED_CHUNKS = 5
    CANDIDATES = 6
    INTERRUPTED = 130


_BY_STATUS = {
    "needs_clarification": Exit.WAITING,
    "partial": Exit.BUDGET,
    "candidates": Exit.CANDIDATES,
}


def exit_for(answer: "Answer") -> Exit:
    """Return the exit code that says how complete an answer is."""
    if answer.status in _BY_STATUS:
        return _BY_STATUS[answer.status]
    if answer.coverage.failed or answer.coverage.unparsable:
        return Exit.FAILED_CHUNKS
    return Exit.ANSWERED


@contextmanager
def tidy_exit(*, json: bool = False, question: str | None = None) -> Iterator[None]:
    """Turn an expected error, Ctrl-C or SIGTERM into one line on stderr and an exit code.

    Expected are Headcount's own errors and those of files and of the run databases; with `json`
    they are an object on stdout, too, that is no answer. A closed pipe ends the command silently:
    whoever read it has what they wanted.
    """
    for each in _STOPS:
        if signal.getsignal(each) is _exit_interrupted:
            signal.signal(each, _interrupt)
            sys.unraisablehook = _interrupt_again
    try:
        try:
            with _interrupted_where(_STOPPED):
                yield
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except _expected() as error:
            told = _told(error)
            write_line(f"headcount: {' '.join(told.split())}", stderr=True)
            if json:
                write_json({"schema_version": 1, "question": question or None, "error": told})
                sys.stdout.flush()
            raise SystemExit(Exit.ERROR) from error
    except OSError as error:  # stdout takes no more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(Exit.ERROR) from error
    except KeyboardInterrupt as stop:
        sys.stderr.write("\ninterrupted\n")
        raise SystemExit(Exit.INTERRUPTED) from stop


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    _STOPPED.set()
    raise KeyboardInterrupt


@contextmanager
def _interrupted_where(stopped: threading.Event) -> Iterator[None]:
    """Raise KeyboardInterrupt where a library in Rust or C made another error of it."""
    try:
        yield
    except Exception as error:
        if stopped.is_set():
            raise KeyboardInterrupt from error
        raise


def _interrupt_again(told: "sys.UnraisableHookArgs") -> None:
    """Interrupt once more where Ctrl-C came within code of which Python drops the errors."""
    if told.exc_type is KeyboardInterrupt:  # SIGTERM, since Ctrl-C may be ignored
        soon = threading.Timer(_SOON, os.kill, (os.getpid(), signal.SIGTERM))
        soon.daemon = True
        soon.start()
    else:
        sys.__unraisablehook__(told)


def _expected() -> tuple[type[BaseException], ...]:
    """Return the expected errors, of which one may be a panic of a library in Rust."""
    import sqlite3

    error = sys.exception()
    panic = (type(error),) if error and type(error).__name__ == "PanicException" else ()
    return HeadcountError, OSError, sqlite3.Error, *panic


def _told(error: BaseException) -> str:
    import sqlite3

    if isinstance(error, OSError):
        return f"{error.strerror or error}: {error.filename or 'check the disk'}"
    if isinstance(error, sqlite3.Error):
        return f"a run database cannot be used ({error}); try again"
    if not isinstance(error, HeadcountError):
        return f"a library failed ({error}): `headcount doctor` says whether the corpus is sound"
    return str(error)


def exit_in_one_line() -> None:
    """Make Ctrl-C or SIGTERM end this process with one line on stderr, a second one at once.

    While modules load, the KeyboardInterrupt that Python would raise is a traceback or is swallowed
    by the parser of the command line. Nothing changes where they are ignored.
    """
    for each in _STOPS:
        if signal.getsignal(each) in {signal.default_int_handler, signal.SIG_DFL}:
            signal.signal(each, _exit_interrupted)


def _exit_interrupted(received: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(received, signal.SIG_DFL)
    sys.stderr.write("\ninterrupted\n")
    raise SystemExit(Exit.INTERRUPTED)


@contextmanager
def stoppable(last_words: str | None = None) -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C, and say that replies in flight are still waited for.

    Those replies are paid for; waiting brings them into the cache. A second Ctrl-C gives them up:
    it ends the process with `last_words`, or raises KeyboardInterrupt again where there are none.
    SIGTERM does the same. Nothing changes where they are ignored, where SIGTERM just ends the
    process, or where this is not the main thread.
    """
    from agent.reasoners.concurrency import STOPPING

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        if last_words is None:
            raise KeyboardInterrupt
        sys.stderr.write("\n")
        write_line(last_words, stderr=True)
        sys.stderr.flush()
        os._exit(Exit.INTERRUPTED)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        STOPPING.set()
        for each in before:
            signal.signal(each, give_up)
        sys.stderr.write("\nstopping after the requests in flight; Ctrl-C again stops at once\n")
        sys.stderr.flush()
        raise KeyboardInterrupt

    left = {signal.SIG_IGN, signal.SIG_DFL}
    before = {each: told for each in _STOPS if (told := signal.getsignal(each)) not in left}
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    STOPPING.clear()
    for each in before:
        signal.signal(each, stop)
    try:
        with _interrupted_where(STOPPING):
            yield
    finally:
        for each, told in before.items():
            signal.signal(each, told)
