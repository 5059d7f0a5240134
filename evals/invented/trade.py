"""What an invented collection is about: its nouns, the values of its fields, its verb of dating."""

from dataclasses import dataclass
from typing import Final

__all__ = ("TRADES", "Trade")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """The words of one kind of document."""

    one: str
    """The document: `survey`."""
    many: str
    kinds: tuple[str, ...]
    states: tuple[str, ...]
    person: str
    """Whose names are listed: `surveyor`."""
    dated: str
    """The participle by which documents are dated, the date's field too: `filed`."""
    amount: str
    """The field with an amount of money."""
    extras: tuple[str, str]
    """Two fields that some documents have."""
    things: tuple[str, ...]
    """Words that texts mention."""


TRADES: Final = (
    Trade(
        one="survey",
        many="surveys",
        kinds=("flood", "noise", "soil", "traffic"),
        states=("approved", "rejected", "pending"),
        person="surveyor",
        dated="filed",
        amount="cost",
        extras=("sponsor", "reviewer"),
        things=("theodolite", "drone", "borehole", "seismograph"),
    ),
    Trade(
        one="exhibit",
        many="exhibits",
        kinds=("coin", "textile", "clock", "map"),
        states=("restored", "loaned", "stored"),
        person="curator",
        dated="acquired",
        amount="value",
        extras=("donor", "keeper"),
        things=("varnish", "workshop", "parchment", "brocade"),
    ),
    Trade(
        one="lecture",
        many="lectures",
        kinds=("geology", "botany", "optics", "acoustics"),
        states=("held", "cancelled", "postponed"),
        person="speaker",
        dated="announced",
        amount="fee",
        extras=("chair", "recording"),
        things=("telescope", "herbarium", "spectrum", "pendulum"),
    ),
)
