"""What a reasoner spends: tokens and prices, the ledger that keeps a budget, the bill of a run."""

import os
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import ValidationError

from agent.cost import Budget, Cost
from agent.errors import CorpusError, LimitReached
from agent.private_database import make_private
from agent.small_files import read_small
from agent.value import Value

T = TypeVar("T")
Price = tuple[float, float]
"""US dollars for a million input tokens and for a million output tokens."""
Prices = Mapping[str, Price]


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call."""

    input_tokens: int
    output_tokens: int

    def usd(self, price: Price | None) -> float | None:
        """Return the money at a price, or None where the price is not known.

        >>> Usage(1_000_000, 500_000).usd((2.0, 8.0))
        6.0
        """
        if price is None:
            return None
        return (self.input_tokens * price[0] + self.output_tokens * price[1]) / 1e6


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text as a third of its UTF-8 bytes, rounded up.

    English takes three to four bytes a token, so the estimate errs on the high side.

    >>> estimate_tokens("twelve bytes")
    4
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)


@dataclass(slots=True)
class OpenCall:
    """A call in flight; without usage at its end, nothing was answered and nothing is booked."""

    usage: Usage | None = None


class Ledger:
    """Books calls, tokens, money and seconds; safe in several threads.

    Calls in flight are reserved: their number counts against the limit of calls, and the tokens
    of their prompts against the limits of tokens and money. So the limit of calls is never
    exceeded, and those of tokens and money by the replies in flight at most. Seconds are the time
    during which at least one call was in flight, so that parallel calls are not counted twice.

    What is booked goes on the run's bill too, where one is kept; what an interrupted attempt at
    the step in hand had paid is taken over from it before the first request is booked.
    """

    def __init__(self, budget: Budget, spent: Cost, *, price: Price | None = None) -> None:
        self._budget = budget
        self._spent = spent
        self._price = price
        self._lock = threading.Lock()
        self._reserved = Cost()
        self._busy_since = 0.0

    def spent(self) -> Cost:
        """Return what has been spent, the time of calls in flight included."""
        with self._lock:
            return self._total()

    def charge(self, cost: Cost) -> None:
        """Add what was spent elsewhere on the same budget."""
        with self._lock:
            self._spent += cost

    def cached(self) -> None:
        """Book a request that was answered from the response cache."""
        owed = take_over()
        with self._lock:
            self._spent += owed + Cost(cached_calls=1)

    @contextmanager
    def call(self, prompt_tokens: int) -> Iterator[OpenCall]:
        """Reserve a call while the block runs, then book the usage that was set on it.

        Raises:
            LimitReached: the budget does not allow the call.
            CorpusError: the run's bill cannot be written.
        """
        self.charge(take_over())
        ahead = self._cost(Usage(prompt_tokens, 0))
        self._reserve(ahead)
        opened = OpenCall()
        try:
            yield opened
        finally:
            self._book(ahead, opened.usage)

    def _reserve(self, ahead: Cost) -> None:
        with self._lock:
            taken = self._total() + self._reserved
            reached = self._budget.exceeded_by(taken) or self._budget.overrun_by(taken + ahead)
            if reached is not None:
                raise LimitReached(f"The budget is spent: {reached}. Raise it to go on.")
            if self._reserved.model_calls == 0:
                self._busy_since = time.monotonic()
            self._reserved += ahead

    def _book(self, ahead: Cost, usage: Usage | None) -> None:
        cost = Cost() if usage is None else self._cost(usage)
        try:
            if usage is not None:
                pay(cost)
        finally:
            with self._lock:
                self._reserved -= ahead
                if self._reserved.model_calls == 0:
                    self._spent += Cost(seconds=time.monotonic() - self._busy_since)
                self._spent += cost

    def _cost(self, usage: Usage) -> Cost:
        return Cost(
            model_calls=1,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            usd=usage.usd(self._price),
        )

    def _total(self) -> Cost:
        if self._reserved.model_calls == 0:
            return self._spent
        return self._spent + Cost(seconds=time.monotonic() - self._busy_since)


class Unlimited:
    """Sums up costs within no budget, as reasoners that pay for nothing do; thread-safe."""

    def __init__(self, *, context_tokens: int, reply_tokens: int) -> None:
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self._spent = Cost()
        self._lock = threading.Lock()

    def spent(self) -> Cost:
        """Return what was counted so far."""
        with self._lock:
            return self._spent

    def charge(self, cost: Cost) -> None:
        """Count what was spent."""
        with self._lock:
            self._spent += cost


class BillLines(Protocol):
    """Where the lines of one bill stand."""

    def read(self) -> list[bytes]:
        """Return the lines, oldest first; the last may have been cut by a power failure."""

    def add(self, line: bytes) -> None:
        """Add a line, which is then durable; raises CorpusError where it cannot be written."""


class _Paid(Value):
    """One reply that was paid for, a line of the file."""

    since: Cost
    """What the run had spent when the step began that asked for it."""
    cost: Cost


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
        self.owed = self._read()
        """What earlier attempts at the step paid that nobody has taken over."""
        self._lock = threading.Lock()

    def take_over(self) -> Cost:
        """Return what is owed; from then on nothing is, for it is counted elsewhere."""
        with self._lock:
            owed, self.owed = self.owed, Cost()
        return owed

    def pay(self, cost: Cost) -> None:
        """Write down what a reply cost; raises CorpusError where it cannot be written."""
        line = _Paid(since=self.since, cost=cost).model_dump_json(exclude_defaults=True)
        self._lines.add(line.encode())

    def _read(self) -> Cost:
        owed = Cost()
        for line in self._lines.read():
            with suppress(ValidationError):  # a power cut left it incomplete
                paid = _Paid.model_validate_json(line)
                owed += paid.cost if paid.since == self.since else Cost()
        return owed


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


class BillFile:
    """Lines in a file that its owner alone can read; satisfies `BillLines`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[bytes]:
        """Return the lines, oldest first; none where there is no file."""
        try:
            return read_small(self._path).split(b"\n")
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
