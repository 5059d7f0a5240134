"""Tokens of one call, counted by the provider or estimated, and what they cost."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ("Price", "Prices", "Usage", "estimate_tokens", "price_of")

Price = tuple[float, float]
"""US dollars for a million input tokens and for a million output tokens."""
Prices = Mapping[str, Price]
"""Prices by model name."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False
    """True when the provider did not say and the texts were measured instead."""

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


def price_of(model: str, prices: Prices) -> Price | None:
    """Return the price listed for a model, or None."""
    return prices.get(model)
