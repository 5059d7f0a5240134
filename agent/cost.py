"""The bill: what a run has spent, and what it may spend."""

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
        return Cost(
            model_calls=self.model_calls + other.model_calls,
            cached_calls=self.cached_calls + other.cached_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            usd=sum(known) if known else None,
            seconds=self.seconds + other.seconds,
        )

    def __sub__(self, other: "Cost") -> "Cost":
        """Return what was spent since `other`, an earlier reading of the same ledger."""
        return Cost(
            model_calls=self.model_calls - other.model_calls,
            cached_calls=self.cached_calls - other.cached_calls,
            input_tokens=self.input_tokens - other.input_tokens,
            output_tokens=self.output_tokens - other.output_tokens,
            usd=None if self.usd is None else self.usd - (other.usd or 0.0),
            seconds=self.seconds - other.seconds,
        )


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
