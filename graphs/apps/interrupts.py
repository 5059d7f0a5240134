"""Ctrl-C while a run goes on: the first stops it after the step in hand, the second at once."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from graphs.apps.exits import Exit

__all__ = ("stoppable",)


@contextmanager
def stoppable(last_words: str | None = None) -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C, and say that replies in flight are still waited for.

    Those replies are paid for; waiting brings them into the cache. A second Ctrl-C gives them up:
    it ends the process with `last_words`, or raises KeyboardInterrupt again where there are none.
    Nothing changes where Ctrl-C is ignored or where this is not the main thread.
    """

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        if last_words is None:
            raise KeyboardInterrupt
        sys.stderr.write(f"\n{last_words}\n")
        sys.stderr.flush()
        os._exit(Exit.INTERRUPTED)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, give_up)
        sys.stderr.write("\nstopping after the requests in flight; Ctrl-C again stops at once\n")
        sys.stderr.flush()
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
