"""The ledger of one reasoner: what its calls have spent, and whether one more is allowed."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agent.cost import Budget, Cost
from agent.errors import LimitReached
from agent.reasoners.bill import pay, take_over
from agent.reasoners.usage import Price, Usage

__all__ = ("Ledger", "OpenCall")


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

    def __init__(
        self,
        budget: Budget,
        spent: Cost,
        *,
        price: Price | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._budget = budget
        self._spent = spent
        self._price = price
        self._clock = clock
        self._lock = threading.Lock()
        self._reserved = Cost()
        self._busy_since = 0.0
        self._estimated = 0

    @property
    def estimated_calls(self) -> int:
        """How many calls were booked with estimated tokens."""
        return self._estimated

    def spent(self) -> Cost:
        """Return what has been spent, the time of calls in flight included."""
        with self._lock:
            return self._total()

    def charge(self, cost: Cost) -> None:
        """Add what was spent elsewhere on the same budget."""
        with self._lock:
            self._spent += cost

    def affords(self, usage: Usage) -> bool:
        """Tell whether the limits of tokens and money allow so much more."""
        self.charge(take_over())
        with self._lock:
            return self._overrun(self._total() + self._reserved + self._cost(usage)) is None

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
            reached = self._budget.exceeded_by(taken) or self._overrun(taken + ahead)
            if reached is not None:
                raise LimitReached(f"The budget is spent: {reached}. Raise it to go on.")
            if self._reserved.model_calls == 0:
                self._busy_since = self._clock()
            self._reserved += ahead

    def _book(self, ahead: Cost, usage: Usage | None) -> None:
        try:
            if usage is not None:
                pay(self._cost(usage))
        finally:
            self._count(ahead, usage)

    def _count(self, ahead: Cost, usage: Usage | None) -> None:
        with self._lock:
            self._reserved -= ahead
            if self._reserved.model_calls == 0:
                self._spent += Cost(seconds=self._clock() - self._busy_since)
            if usage is not None:
                self._spent += self._cost(usage)
                self._estimated += usage.estimated

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
        return self._spent + Cost(seconds=self._clock() - self._busy_since)

    def _overrun(self, expected: Cost) -> str | None:
        """Name the limit of tokens or money that the next prompt alone would break."""
        tokens = expected.input_tokens + expected.output_tokens
        for name, limit, needed in (
            ("tokens", self._budget.tokens, float(tokens)),
            ("usd", self._budget.usd, expected.usd or 0.0),
        ):
            if limit is not None and needed > limit:
                return f"{name} (limit {limit:g}, the next prompt would make it {needed:g})"
        return None
