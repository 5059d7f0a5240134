"""The parts of a search that an experiment may replace; the product has its own for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyroaring import BitMap

    from agent.coverage import ReadingRound
    from agent.prompt_values import ObserveValues
    from agent.state import State
    from graphs.context import Context
    from graphs.search.cost_model import Choice
    from graphs.search.rank_unread import NextRound
    from graphs.search.search_progress import SearchProgress
    from tools.packing import Candidates, Limits

    NextOf = Callable[[State, Sequence[ReadingRound], SearchProgress, Context], NextRound]


@dataclass(frozen=True, kw_only=True)
class Components:
    """What stands in the place of the product's own parts; None keeps these."""

    way: "Callable[[State, Context], Choice] | None" = None
    """Whether everything is read, the best by rank, or what filters keep."""
    unfiltered: "Callable[[State, Context], str] | None" = None
    """Why no filter is called; empty where filters may spare more than they cost."""
    foreseen: "Callable[[BitMap, str, State, Context], str] | None" = None
    """Why a filter call, given what it would keep, is refused; empty where it is carried out."""
    observed: "Callable[[ObserveValues], ObserveValues] | None" = None
    """What is shown of a filter call before it is judged."""
    next_round: "NextOf | None" = None
    """What is read next."""
    batches: "Callable[[Callable[..., Candidates], Limits], list[list[int]]] | None" = None
    """How passages are put into requests."""
