"""Whether to judge every chunk, or to prune first and audit what was pruned: by expected cost."""

import math
from dataclasses import dataclass

__all__ = ("Choice", "Pricing", "Search", "Work", "choose", "scan_work", "search_work")


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
    """Planning, previews and observations."""
    candidates: float
    """The share of the corpus, in tokens, that is expected to be judged before the audit."""
    audit: int
    """Chunks that the audits are expected to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The way to answer, with both bills and the reason."""

    scan: bool
    """Judge everything."""
    scanning: Work
    searching: Work
    why: str


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


def choose(chunks: int, tokens: int, search: Search, pricing: Pricing) -> Choice:
    """Choose the cheaper way, in tokens; of equals the scan, which misses nothing.

    Args:
        chunks: how many the corpus has.
        tokens: of all its chunks.
        search: what searching is expected to take.
        pricing: what judging takes.
    """
    scanning = scan_work(tokens, pricing)
    searching = search_work(chunks, tokens, search, pricing)
    scan = scanning.tokens <= searching.tokens
    ways = (
        f"judging all {chunks:,} chunks takes {_told(scanning)}",
        f"pruning and auditing about {_told(searching)}",
    )
    verdict = "so all are judged, and none can be missed" if scan else "so it prunes first"
    return Choice(
        scan=scan, scanning=scanning, searching=searching, why=f"{', '.join(ways)}: {verdict}"
    )


def _told(work: Work) -> str:
    return f"{work.calls:,} calls and {work.tokens:,} tokens"
