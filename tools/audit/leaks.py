"""Where an audit found what the search had lost: the strata that leaked, worst first."""

from dataclasses import dataclass

from tools.audit.look import Look, Tally

__all__ = ("Leak", "leaks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A stratum in which an audit had hits."""

    stratum: str
    hits: int
    drawn: int
    left: int
    """Chunks of the stratum that were not drawn."""

    @property
    def expected(self) -> float:
        """How many more are expected in what was not drawn: its size times the share of hits.

        An unbiased estimate, and a rough one: it tells where to look next, not how much is missing.
        """
        return self.left * self.hits / self.drawn


def leaks(look: Look) -> tuple[Leak, ...]:
    """Return the strata with hits and something left, most expected first; ties by their order."""
    found = [_leak(each) for each in look.open if each.hits]
    return tuple(sorted(found, key=lambda each: -each.expected))


def _leak(tally: Tally) -> Leak:
    return Leak(
        stratum=tally.stratum,
        hits=tally.hits,
        drawn=tally.drawn,
        left=tally.size - tally.drawn,
    )
