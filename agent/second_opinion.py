"""What a second reasoner says of verdicts that the first one gave."""

from agent.value import Value

__all__ = ("Rejudged", "SecondOpinion")


class Rejudged(Value):
    """The verdicts of one kind, yes or no, on one condition, and a sample judged again."""

    condition: str
    """The condition's id."""
    first: bool
    """What the first reasoner said of all of them."""
    size: int
    """On how many chunks it said so."""
    yes: tuple[int, ...] = ()
    """Chunks of the sample on which the second reasoner says yes."""
    no: tuple[int, ...] = ()
    """Chunks of the sample on which it says no."""
    undecided: tuple[int, ...] = ()
    """Chunks of the sample on which it brought no usable verdict: they tell nothing."""

    @property
    def drawn(self) -> int:
        """How many chunks have a second verdict."""
        return len(self.yes) + len(self.no)

    @property
    def agreed(self) -> int:
        """On how many of these both say the same."""
        return len(self.yes if self.first else self.no)


class SecondOpinion(Value):
    """The sample of one search that was judged again, each stratum drawn at random on its own."""

    by: str
    """The second reasoner's name."""
    strata: tuple[Rejudged, ...]
    """For each condition what was judged yes and what was judged no."""
    stopped: str = ""
    """The limit that was reached before all of the sample was judged, if one was."""

    @property
    def drawn(self) -> int:
        """How many verdicts have a second one."""
        return sum(each.drawn for each in self.strata)

    @property
    def agreement(self) -> float | None:
        """The share of the sample on which both say the same; None where nothing was judged.

        It is of the sample, in which yes weighs more than among all verdicts: `tools.audit` weighs
        the strata by their sizes.

        >>> kept = Rejudged(condition="c1", first=True, size=9, yes=(4, 5, 6), no=(8,))
        >>> SecondOpinion(by="b", strata=(kept,)).agreement
        0.75
        """
        return sum(each.agreed for each in self.strata) / self.drawn if self.drawn else None

    def of(self, condition: str) -> tuple[Rejudged, ...]:
        """Return the strata of a condition."""
        return tuple(each for each in self.strata if each.condition == condition)
