"""What questions are drawn over: documents, their nouns, and their fields by what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.drawn.entry import Entry
from evals.drawn.field import Amount, Category, Dates, Listing

__all__ = ("Collection",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents of one kind, invented or found; a field that there is none of has no questions."""

    many: str
    """What the documents are called."""
    entries: Sequence[Entry]
    pairs: Sequence[tuple[Category, Category]]
    """Two categories each, the second to stand nearer to the noun; ANY where there are fewer."""
    crossed: Sequence[tuple[Category, Category]]
    """Those with an adjective of the first and two of the second."""
    listings: Sequence[Listing]
    amounts: Sequence[Amount]
    dates: Dates | None
    extras: Sequence[tuple[str, str]]
    """Two fields each that only some documents have."""
    things: tuple[str, ...]
    """Words that some texts mention."""
    thing: str = "the word {}"
    """How one of them is named."""
