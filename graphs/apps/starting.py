"""Where `headcount` begins: Ctrl-C has its one line before anything heavy is loaded."""

import signal
import sys
from types import FrameType
from typing import NoReturn

__all__ = ("main", "stop_by_a_line", "work_begins")


def main() -> None:
    """Run the command line `headcount`."""
    stop_by_a_line()
    from graphs.apps.cli import main as run

    run()


def stop_by_a_line() -> None:
    """Let Ctrl-C end this process by one line on stderr; a second one ends it at once.

    While modules load, the KeyboardInterrupt that Python would raise is a traceback or is swallowed
    by the parser of the command line. Nothing changes where Ctrl-C is ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def work_begins() -> None:
    """Give Ctrl-C back its KeyboardInterrupt, for work that ends in its own way."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stderr.write("\ninterrupted\n")
    raise SystemExit(130)
