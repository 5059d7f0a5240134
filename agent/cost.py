"""The bill: what a run has spent, and what it may spend."""

from collections.abc import Callable
from operator import add, sub
from typing import Any

from agent.value import Value


class Cost(Value):
    """What was spent; two costs add up field by field."""

    model_calls: int = 0
    """Requests that a reasoner answered, cached ones not counted."""
    cached_calls: int = 0
    """Requests answered from the response cache."""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    """Money, where the model's prices are known."""
    seconds: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """Return the sum; money is unknown only where both sides do not know it."""
        known = [usd for usd in (self.usd, other.usd) if usd is not None]
        return self._joined(other, add, sum(known) if known else None)

    def __sub__(self, other: "Cost") -> "Cost":
        """Return what was spent since `other`, an earlier reading of the same ledger."""
        usd = None if self.usd is None else self.usd - (other.usd or 0.0)
        return self._joined(other, sub, usd)

    def _joined(
        self, other: "Cost", how: Callable[[float, float], Any], usd: float | None
    ) -> "Cost":
        names = Cost.model_fields.keys() - {"usd"}
        told = {name: how(getattr(self, name), getattr(other, name)) for name in names}
        return Cost(usd=usd, **told)


class Budget(Value):
    """What a run may spend; None is no limit. Checked before each call."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None

    def exceeded_by(self, spent: Cost) -> str | None:
        """Name the limit that `spent` has reached, or None."""
        checks = (
            ("calls", self.calls, spent.model_calls),
            ("tokens", self.tokens, spent.input_tokens + spent.output_tokens),
            ("usd", self.usd, spent.usd or 0.0),
            ("seconds", self.seconds, spent.seconds),
        )
        for name, limit, used in checks:
            if limit is not None and used >= limit:
                return f"{name} (limit {round(limit, 4):,}, spent {round(used, 4):,})"
        return None

    def overrun_by(self, expected: Cost) -> str | None:
        """Name the limit of tokens or money that the next prompt alone would break, or None."""
        tokens = expected.input_tokens + expected.output_tokens
        for name, limit, needed in (
            ("tokens", self.tokens, float(tokens)),
            ("usd", self.usd, expected.usd or 0.0),
        ):
            if limit is not None and needed > limit:
                return f"{name} (limit {limit:g}, the next prompt would make it {needed:g})"
        return None
