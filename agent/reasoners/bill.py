"""A run's bill: what a step pays for stands there before anything else can go wrong."""

import os
import threading
from collections.abc import Generator
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import ValidationError

from agent.cost import Cost
from agent.errors import CorpusError
from agent.private_file import make_private
from agent.value import Value

__all__ = ("Bill", "BillFile", "BillLines", "charged_to", "pay", "take_over")

T = TypeVar("T")


class _Paid(Value):
    """One reply that was paid for, a line of the file."""

    since: Cost
    """What the run had spent when the step began that asked for it."""
    cost: Cost


class BillLines(Protocol):
    """Where the lines of one bill stand."""

    def read(self) -> list[bytes]:
        """Return the lines, oldest first; the last may have been cut by a power failure."""
        ...

    def add(self, line: bytes) -> None:
        """Add a line, which is durable when this returns.

        Raises:
            CorpusError: it cannot be written.
        """
        ...


class BillFile:
    """Lines in a file that its owner alone can read; satisfies `BillLines`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[bytes]:
        """Return the lines, oldest first; none where there is no file."""
        try:
            return self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CorpusError(f"{self._named} cannot be read: {error.strerror}") from error

    def add(self, line: bytes) -> None:
        """Add a line, which is on disk when this returns."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            make_private(self._path)
            with self._path.open("ab", buffering=0) as file:
                # A line begins with its break: what a power cut left of the one before is apart.
                file.write(b"\n" + line)
                os.fsync(file.fileno())
        except OSError as error:
            raise CorpusError(f"{self._named} cannot be written: {error.strerror}") from error

    @property
    def _named(self) -> str:
        return f"the bill {str(self._path)!r}"


class Bill:
    """What the steps of one run pay, a line a reply.

    A checkpoint says what the run had spent when a step ended. What a step pays that then fails,
    or whose process dies, stands here alone. Each line names what had been spent when its step
    began: the lines that name what the last checkpoint says are those that it does not hold yet.
    Safe in several threads; a line is durable when `pay` returns.
    """

    def __init__(self, lines: BillLines, since: Cost) -> None:
        self.since = since
        """What the run had spent when the step in hand began; set anew where the next begins."""
        self._lines = lines
        self._owed = self._read()
        self._lock = threading.Lock()

    @property
    def owed(self) -> Cost:
        """What earlier attempts at the step paid that nobody has taken over."""
        return self._owed

    def take_over(self) -> Cost:
        """Return what is owed; from then on nothing is, for it is counted elsewhere."""
        with self._lock:
            owed, self._owed = self._owed, Cost()
        return owed

    def pay(self, cost: Cost) -> None:
        """Write down what a reply cost.

        Raises:
            CorpusError: it cannot be written.
        """
        line = _Paid(since=self.since, cost=cost).model_dump_json(exclude_defaults=True)
        self._lines.add(line.encode())

    def _read(self) -> Cost:
        paid = [each for each in map(_parsed, self._lines.read()) if each]
        return sum((each.cost for each in paid if each.since == self.since), Cost())


_PRESENT: ContextVar[Bill | None] = ContextVar("bill", default=None)


def charged_to(bill: Bill, steps: Generator[T, None, None]) -> Generator[T, None, None]:
    """Advance the steps while all that they pay goes on a bill, from whatever thread they ask."""
    held = copy_context()
    held.run(_PRESENT.set, bill)
    try:
        while True:
            yield held.run(next, steps)
    except StopIteration:
        return
    finally:
        held.run(steps.close)


def pay(cost: Cost) -> None:
    """Put a cost on the present bill, where there is one."""
    bill = _PRESENT.get()
    if bill is not None:
        bill.pay(cost)


def take_over() -> Cost:
    """Return what earlier attempts at the present step paid, once."""
    bill = _PRESENT.get()
    return Cost() if bill is None else bill.take_over()


def _parsed(line: bytes) -> _Paid | None:
    """Return what a line says; None for one that a power cut left incomplete."""
    try:
        return _Paid.model_validate_json(line)
    except ValidationError:
        return None
