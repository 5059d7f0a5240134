"""What fits into a request: the passages that the reader's context and the budget have room for."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

from agent.evidence import Passage
from evals.baselines.state import BaselineState
from graphs.context import Context
from prompts.passage_text import numbered_passages
from tools.corpus.chunking.token_counts import count_tokens
from tools.passage_windows import passages

__all__ = ("NOTING", "SEARCHING", "Fitted", "affordable", "billed", "fitted")

_INSTRUCTIONS: Final = 1500
"""Tokens that are kept for the prompt's own words."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""
_OWN_WORDS: Final = 400
"""Tokens of a prompt without its passages, against the budget: most have fewer."""
_BESIDE: Final = "\n\n" + 2 * "0000 000"
"""What a passage takes besides: the line between two, a longer code and number at either end."""
_CHARACTERS_PER_TOKEN: Final = 4
"""As stand-ins for a model count."""
_ROOMS: Final = ("in the model's context", "in what is left of the budget")
SEARCHING: Final = 0.5
"""The share of the budget for steps that search, where the answer is read afterwards."""
NOTING: Final = 0.8
"""The share of the budget for taking notes, where the answer is read from them alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The passages that one request can hold."""

    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    """How many were left out."""
    stopped: str = ""
    """That the budget left them out."""


def affordable(state: BaselineState, share: float = 1.0) -> int | None:
    """Return the tokens that a step may spend of that share of the budget; None is no limit."""
    if state.tokens is None:
        return None
    return int(share * state.tokens) - state.cost.input_tokens - state.cost.output_tokens


def fitted(
    chunks: Sequence[int], context: Context, *, besides: str = "", budget: int | None = None
) -> Fitted:
    """Return the first passages that fit the reasoner's context, beside another text.

    Best first is what is shown best; what does not fit was never read, and the warning says so.

    Args:
        chunks: in the order in which they are shown.
        context: the run's.
        besides: what else the prompt shows.
        budget: the tokens that the request may cost, too, as `affordable` tells them.
    """
    reasoner = context.reasoner
    rooms = [
        reasoner.context_tokens - reasoner.reply_tokens - _INSTRUCTIONS - count_tokens(besides)
    ]
    if budget is not None:
        rooms.append(budget - _OWN_WORDS - billed(besides))
    shown, limiting = passages(context.corpus, chunks), 0
    while (held := _held(shown, rooms)) < len(shown):
        # What stands around a passage is shown with it unless it is a passage itself: with fewer
        # passages each can be longer.
        limiting = _limiting(shown[: held + 1], rooms)
        shown = passages(context.corpus, chunks[:held])
    if len(shown) == len(chunks):
        return Fitted(passages=shown)
    told = f"{len(chunks) - len(shown)} of {len(chunks)} passages did not fit {_ROOMS[limiting]}"
    return Fitted(passages=shown, warnings=(told,), stopped=told if limiting else "")


def _held(shown: Sequence[Passage], rooms: Sequence[int]) -> int:
    """Return how many of the passages, from the first, have room in all rooms."""
    sums = accumulate(map(_sizes, shown), lambda total, one: (total[0] + one[0], total[1] + one[1]))
    return sum(1 for _ in takewhile(lambda each: _have_room(each, rooms), sums))


def _have_room(sizes: Sequence[int], rooms: Sequence[int]) -> bool:
    return all(size <= room for size, room in zip(sizes, rooms, strict=False))


def _limiting(shown: Sequence[Passage], rooms: Sequence[int]) -> int:
    """Return the first room, by its number, in which the passages have none."""
    sizes = [sum(each) for each in zip(*map(_sizes, shown), strict=True)]
    return next(at for at, room in enumerate(rooms) if sizes[at] > room)


def _sizes(passage: Passage) -> tuple[int, int]:
    """Return the tokens that a passage takes of the context, and of the budget."""
    told = numbered_passages([passage], "nonce")
    return int(_ESTIMATE * count_tokens(told)) + 1, billed(told + _BESIDE)


def billed(text: str) -> int:
    """Return what a text costs at most, by the count of tokens or of characters."""
    return max(count_tokens(text), math.ceil(len(text) / _CHARACTERS_PER_TOKEN))
