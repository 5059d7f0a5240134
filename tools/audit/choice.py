"""Whether to judge every chunk, to rank them, or to filter them first: by expected cost."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ("Choice", "Pricing", "Search", "Way", "Work", "choose", "scan_work", "search_work")

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
