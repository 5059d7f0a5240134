"""How many chunks the next audit should read, and what it could show."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tools.audit.audit_sample import Look, Tally, allocate
from tools.audit.recall_bounds import CONFIDENCE, SPENDING, Bound, bound

__all__ = (
    "AuditPlan",
    "Choice",
    "Pricing",
    "Search",
    "Standing",
    "Way",
    "Work",
    "choose",
    "if_clean",
    "plan_audit",
    "scan_work",
    "search_work",
    "worthwhile",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a question stands before its next audit; units are as in `Look`."""

    looks: tuple[Look, ...] = ()
    """The audits so far."""
    sizes: tuple[int, ...]
    """The strata that can be drawn from, in chunks."""
    found: int
    """Units found so far."""
    unread: int
    """Units that may exist in what was not judged, as for `bound`."""
    out_of_reach: int = 0
    """As in `Look`."""
    confidence: float = CONFIDENCE
    spending: float = SPENDING

    @property
    def population(self) -> int:
        """Chunks that can be drawn."""
        return sum(self.sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPlan:
    """The size of the next audit."""

    chunks: int
    """How many to draw: as many as are needed, or as many as are allowed."""
    needed: int | None
    """How many prove the target if none is a hit; None where not even all of them would."""
    promised: Bound
    """What `chunks` prove if none is a hit."""
    why: str


def if_clean(standing: Standing, chunks: int) -> Bound:
    """Return what will be proven if an audit of so many chunks has no hit.

    An audit with fewer chunks than strata is no audit: it proves nothing new.
    """
    looks = standing.looks
    if chunks >= len(standing.sizes) > 0:
        drawn = allocate(standing.sizes, chunks)
        tallies = tuple(
            Tally(stratum=str(place), size=size, drawn=part, hits=0)
            for place, (size, part) in enumerate(zip(standing.sizes, drawn, strict=True))
        )
        reach = standing.out_of_reach
        looks += (Look(found=standing.found, strata=tallies, out_of_reach=reach),)
    return bound(
        looks,
        found=standing.found,
        unread=standing.unread,
        confidence=standing.confidence,
        spending=standing.spending,
    )


def plan_audit(standing: Standing, *, target: float, most: int) -> AuditPlan:
    """Return the smallest audit that proves a recall if it has no hit, or the largest allowed one.

    Args:
        standing: what is known so far.
        target: the recall to prove, in (0, 1].
        most: the most chunks that may be drawn.
    """

    def proves(chunks: int) -> bool:
        return if_clean(standing, chunks).recall >= target

    population = standing.population
    needed = _first(proves, population) if proves(population) else None
    chunks = min(population if needed is None else needed, max(most, 0))
    promised = if_clean(standing, chunks)
    return AuditPlan(
        chunks=chunks,
        needed=needed,
        promised=promised,
        why=_why(standing, needed, chunks, promised, target),
    )


def worthwhile(
    population: int, *, confidence: float = CONFIDENCE, spending: float = SPENDING
) -> int:
    """Return how many draws pay where the target is out of their reach.

    Without a hit, n draws from N chunks leave about N · ln(1/level) / n that may be missed. Up to
    n = √(N · ln(1/level)) a draw rules out more than one of them; after it less, and a possible
    miss is ruled out more cheaply by reading it.

    >>> worthwhile(600), worthwhile(60_000)
    (44, 440)
    """
    level = (1 - confidence) * (1 - spending)
    return math.ceil(math.sqrt(population * math.log(1 / level)))


def _first(proves: Callable[[int], bool], high: int) -> int:
    """Return the smallest number from which on it proves; it proves at `high`."""
    low = 0
    while low < high:
        middle = (low + high) // 2
        if proves(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _why(
    standing: Standing, needed: int | None, chunks: int, promised: Bound, target: float
) -> str:
    if needed == 0:
        return f"a recall of {target:.0%} is proven without another audit"
    clean = (
        f"{chunks:,} of {standing.population:,} chunks without a hit prove {promised.recall:.0%}"
    )
    if needed == chunks:
        return f"{clean}: the target of {target:.0%}"
    if needed is None:
        return f"{clean}; {target:.0%} is out of reach: {standing.out_of_reach:,} cannot be judged"
    return f"{clean}; the target of {target:.0%} needs {needed:,}"


Way = Literal["scan", "rank", "filter"]
"""Judge everything; judge the best by rank and audit the rest; the same after filter calls."""

_VERDICTS: Mapping[Way, str] = {
    "scan": "so all are judged, and none can be missed",
    "rank": "so no filter is called",
    "filter": "so it filters first",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a way of answering takes of the model."""

    calls: int
    tokens: int
    """Input and output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """What judging takes."""

    call_passages: int
    """Tokens of passages that fit in one call."""
    call_overhead: int
    """Tokens of a call besides its passages: instructions and reply."""

    def judging(self, tokens: float) -> Work:
        """Return what it takes to judge passages of so many tokens."""
        calls = math.ceil(tokens / self.call_passages)
        return Work(calls=calls, tokens=math.ceil(tokens) + calls * self.call_overhead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search with an audit is expected to take."""

    filtering: Work
    """Planning, previews and observations; nothing where chunks are only ranked."""
    candidates: float
    """The share of the corpus, in tokens, that is expected to be judged before the audit."""
    audit: int
    """Chunks that the audits are expected to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The way to answer, with all bills and the reason."""

    way: Way
    scanning: Work
    ranking: Work
    filtering: Work
    why: str

    @property
    def scan(self) -> bool:
        """Whether everything is judged."""
        return self.way == "scan"


def scan_work(tokens: int, pricing: Pricing) -> Work:
    """Return what it takes to judge a corpus of so many tokens."""
    return pricing.judging(tokens)


def search_work(chunks: int, tokens: int, search: Search, pricing: Pricing) -> Work:
    """Return what it takes to prune, judge the candidates, and audit the rest.

    The audit reads chunks of average length, and no more than there are besides the candidates.
    """
    judged = search.candidates * tokens
    rest = (1 - search.candidates) * chunks
    audited = min(search.audit, rest) * tokens / chunks if chunks else 0.0
    parts = (search.filtering, pricing.judging(judged), pricing.judging(audited))
    return Work(calls=sum(w.calls for w in parts), tokens=sum(w.tokens for w in parts))


def choose(
    chunks: int, tokens: int, *, ranked: Search, filtered: Search, pricing: Pricing
) -> Choice:
    """Choose the cheapest way, in tokens; of equals the scan, which misses nothing.

    What filters spare grows with the corpus and their price does not, so that they pay from some
    size on: below it ranking alone reads a little more, for less.

    Args:
        chunks: how many the corpus has.
        tokens: of all its chunks.
        ranked: what searching by rank alone is expected to take.
        filtered: what searching is expected to take where filters are called first.
        pricing: what judging takes.
    """
    works: dict[Way, Work] = {
        "scan": scan_work(tokens, pricing),
        "rank": search_work(chunks, tokens, ranked, pricing),
        "filter": search_work(chunks, tokens, filtered, pricing),
    }
    way = min(works, key=lambda each: works[each].tokens)
    told = (
        f"judging all {chunks:,} chunks takes {_told(works['scan'])}",
        f"ranking and auditing them about {_told(works['rank'])}",
        f"filtering them first about {_told(works['filter'])}",
    )
    return Choice(
        way=way,
        scanning=works["scan"],
        ranking=works["rank"],
        filtering=works["filter"],
        why=f"{', '.join(told)}: {_VERDICTS[way]}",
    )


def _told(work: Work) -> str:
    return f"{work.calls:,} calls and {work.tokens:,} tokens"
