"""How much a batch may hold, so that neither the prompt nor the reply overflows."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agent.errors import SettingsError

__all__ = ("Limits", "batch_limits", "in_order")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one batch may hold."""

    tokens: int
    """L: tokens of passages, each with what it costs beside its own words; at least 1."""
    passages: int | None = None
    """Passages at most, at least 1; None where the reply sets no limit."""
    per_passage: int = 0
    """Tokens that every passage costs beside its own: markers, headings, neighbours' words."""

    def __post_init__(self) -> None:
        """Refuse limits that nothing fits."""
        if self.tokens < 1 or self.per_passage < 0:
            raise ValueError(f"limit {self.tokens} must be positive, {self.per_passage} not below")
        if self.passages is not None and self.passages < 1:
            raise ValueError(f"limit of {self.passages} passages must be positive")

    def costs(self, tokens: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return what each passage takes of `tokens`, (n,)."""
        return tokens.astype(np.int64) + self.per_passage

    def hold(self, cost: float, passages: int) -> bool:
        """Tell whether a batch of that cost and so many passages is within the limits."""
        return cost <= self.tokens and (self.passages is None or passages <= self.passages)


def batch_limits(
    *,
    context: int,
    reply: int,
    overhead: int,
    per_passage: int,
    reply_per_passage: int,
    reply_per_condition: int,
    conditions: int,
) -> Limits:
    """Return what a batch may hold in a model's context, prompt and reply included.

    The prompt, `overhead` and the passages with `per_passage` each, must leave room for the whole
    reply: Σ (tokens + per_passage) ≤ context − reply − overhead. The reply must not overflow:
    passages · (reply_per_passage + conditions · reply_per_condition) ≤ reply. All are in tokens.

    Args:
        context: of prompt and reply together.
        reply: of a reply at most.
        overhead: of the prompt without passages: instructions, conditions, schema.
        per_passage: of a passage beside its own words.
        reply_per_passage: expected for a passage that proves nothing.
        reply_per_condition: expected beside for each condition of a passage.
        conditions: how many are judged at once.

    Raises:
        SettingsError: the context has no room for any passage.

    >>> batch_limits(context=8000, reply=1000, overhead=900, per_passage=40,
    ...              reply_per_passage=20, reply_per_condition=30, conditions=1)
    Limits(tokens=6100, passages=20, per_passage=40)
    """
    room = context - reply - overhead
    if room <= per_passage:
        raise SettingsError(
            f"a context of {context} tokens has no room for a passage beside a reply of {reply} "
            f"and a prompt of {overhead}: set a larger context_tokens or a smaller reply_tokens"
        )
    each = max(1, reply_per_passage + conditions * reply_per_condition)
    return Limits(room, max(1, reply // each), per_passage)


def in_order(
    members: Iterable[int], costs: npt.NDArray[np.integer], limits: Limits
) -> list[list[int]]:
    """Cut chunks in the order given into pieces as full as they go; too large a one stands alone.

    Args:
        members: chunks, as places in `costs`.
        costs: what each chunk takes, `Limits.costs`, (N,).
        limits: what a piece may hold.
    """
    pieces: list[list[int]] = []
    used = 0
    for chunk in members:
        cost = int(costs[chunk])
        if not pieces or not limits.hold(used + cost, len(pieces[-1]) + 1):
            pieces.append([])
            used = 0
        pieces[-1].append(chunk)
        used += cost
    return pieces
