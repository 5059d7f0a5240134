"""Where an audit found what the search had lost: by one filter call's fault, or all over.

Two things can follow from hits. Reading goes on by rank, among everything unread; or the filter
call that ruled the hits out is undone, and reading goes on first among what it had discarded, most
like the question. A call is to blame where its part is richer than all else that is unread:

- *Rate.* If what is missing lay evenly among the unread, the h hits of an audit would fall on any
  of the n chunks drawn alike, and those in a part of which d chunks were drawn would be
  hypergeometric. The call is to blame where so many, or more, have a chance of at most 5 % then
  (Fisher's exact test), shared among the parts that are tried. A part on which even all h hits
  would not be evidence enough is not tried and takes no share (Tarone, Biometrics 46, 1990): where
  hits are few that is most parts. Hence a part that holds nearly all that is unread is never to
  blame: to read there first is to read as before.
- *Size.* At least one more relevant chunk is expected in what was not drawn of the part.
- *Cost.* What is taken back is read by rank too, so that to undo a call adds no reading. If it was
  not to blame, one round of reading goes to a worse place than it might have: that is what the
  5 % put at stake, and why they need not be fewer.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from tools.audit.audit_sample import Look, Tally

CHANCE = 0.05
"""How likely a call may be blamed that is not to blame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A part of what one filter call ruled out, and what an audit found there and elsewhere."""

    call: Hashable
    strata: tuple[int, ...]
    """The part: strata of the look by their place."""
    hits: int
    drawn: int
    left: int
    """Chunks of the part that were not drawn."""
    hits_elsewhere: int
    drawn_elsewhere: int

    @property
    def expected(self) -> float:
        """How many more are expected in what was not drawn: its size times the share of hits.

        An unbiased estimate, and a rough one: it tells where to look next, not how much is missing.
        """
        return self.left * self.hits / self.drawn if self.drawn else 0.0

    @property
    def chance(self) -> float:
        """P(so many hits here, or more) if what is missing lies evenly among the unread."""
        return self._chance_of(self.hits)

    @property
    def least_chance(self) -> float:
        """The same if all hits of the audit had been here."""
        return self._chance_of(min(self.hits + self.hits_elsewhere, self.drawn))

    @property
    def in_words(self) -> str:
        """Say what the audit found here and elsewhere."""
        return (
            f"{self.hits} of {self.drawn} chunks drawn there were relevant, elsewhere "
            f"{self.hits_elsewhere} of {self.drawn_elsewhere}; about {self.expected:.0f} more are "
            f"expected among {self.left}"
        )

    def _chance_of(self, hits: int) -> float:
        from scipy.stats import hypergeom

        drawn, all_hits = self.drawn + self.drawn_elsewhere, self.hits + self.hits_elsewhere
        return float(hypergeom.sf(hits - 1, drawn, all_hits, self.drawn))


def leak(look: Look, calls: Sequence[Hashable | None]) -> Leak | None:
    """Return the part of what one call ruled out that an audit's hits concentrate in, if one does.

    The parts that are tried are a call's first stratum, its first two, and so on to all of them:
    the best of what it discarded, down to some score. Of several the least likely one is returned,
    of equals that with the most expected, then the first.

    The strata of a call stand in order, best scores first. `calls` has by stratum the call that
    ruled its chunks out; None where none or several did, and where it cannot be undone.

    >>> drawn = [("a", 9), ("a", 0), (None, 1)]
    >>> strata = [Tally(size=100, drawn=20, hits=hits) for _, hits in drawn]
    >>> leak(Look(found=5, strata=tuple(strata)), [call for call, _ in drawn]).strata
    (0,)
    """
    tried = [_part(look, call, places) for call, places in _parts(calls)]
    level = CHANCE / _testable([each.least_chance for each in tried])
    blamed = [each for each in tried if each.expected >= 1 and each.chance <= level]
    return min(blamed, key=lambda each: (each.chance, -each.expected), default=None)


def _testable(least: Sequence[float]) -> int:
    """Return among how many tests a level is shared: those that could fall below their share."""
    shares = range(1, len(least) + 1)
    return next(
        (share for share in shares if sum(each <= CHANCE / share for each in least) <= share),
        1,
    )


def _parts(calls: Sequence[Hashable | None]) -> Iterator[tuple[Hashable, tuple[int, ...]]]:
    for call in dict.fromkeys(each for each in calls if each is not None):
        places = [place for place, each in enumerate(calls) if each == call]
        for last in range(1, len(places) + 1):
            yield call, tuple(places[:last])


def _part(look: Look, call: Hashable, places: tuple[int, ...]) -> Leak:
    part: list[Tally] = [look.strata[place] for place in places]
    hits, drawn = sum(each.hits for each in part), sum(each.drawn for each in part)
    return Leak(
        call=call,
        strata=places,
        hits=hits,
        drawn=drawn,
        left=sum(each.size for each in part) - drawn,
        hits_elsewhere=look.hits - hits,
        drawn_elsewhere=look.drawn - drawn,
    )
