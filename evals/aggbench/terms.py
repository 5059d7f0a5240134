"""Terms of a corpus by its own statistics, so that they travel to any domain.

Only English function words are left out by a list. A word is telling where it is bursty: it stands
in fewer chunks than its count would have by chance (residual inverse document frequency, Church and
Gale 1995). Two words are a phrase where they stand side by side far more often than by chance
(normalised pointwise mutual information, Bouma 2009).
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from evals.aggbench.mining import Candidate, Limits
from evals.aggbench.rule import MentionRule
from evals.aggbench.source import Source

__all__ = ("term_candidates",)

_WORD = re.compile(r"(?<![\w@/.\-])[^\W\d_][^\W_]*(?:-[^\W\d_]+)*(?![\w@/\-])")
_SHORTEST = 3
_ASSOCIATION = 0.4
_ONE_CASE = 0.9


@dataclass
class _Counts:
    """What is counted of a candidate."""

    times: int = 0
    chunks: int = 0
    documents: int = 0
    written: Counter[str] = field(default_factory=Counter)
    """How often it is written in which case."""


def term_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield telling words and phrases, the most telling first."""
    counts, tokens = _count(sources)
    chunks = sum(len(each.chunks) for each in sources)
    fitting = {
        term: each for term, each in counts.items() if limits.fit(each.documents, len(sources))
    }
    scored = [
        (_residual(each, chunks), term)
        for term, each in fitting.items()
        if _is_content(term) and _one_case(each.written) and _is_phrase(term, counts, tokens)
    ]
    for _, term in sorted(scored, key=lambda pair: (-pair[0], pair[1])):
        rule = MentionRule(term=counts[term].written.most_common(1)[0][0])
        yield Candidate(rule, "mention", counts[term].documents)


def _count(sources: Sequence[Source]) -> tuple[dict[str, _Counts], int]:
    counts: dict[str, _Counts] = {}
    tokens = 0
    for source in sources:
        in_document: set[str] = set()
        for chunk in source.chunks:
            found = list(_candidates(source.text[chunk.start : chunk.end]))
            tokens += len(found)
            for written in found:
                each = counts.setdefault(written.lower(), _Counts())
                each.times += 1
                each.written[written] += 1
            in_chunk = {written.lower() for written in found}
            for term in in_chunk:
                counts[term].chunks += 1
            in_document |= in_chunk
        for term in in_document:
            counts[term].documents += 1
    return counts, tokens


def _candidates(text: str) -> Iterator[str]:
    """Yield the words of a text and its pairs of words with one blank between them."""
    found = list(_WORD.finditer(text))
    for each in found:
        if len(each[0]) >= _SHORTEST:
            yield each[0]
    for first, second in pairwise(found):
        if text[first.end() : second.start()] == " " and len(second[0]) >= _SHORTEST:
            yield f"{first[0]} {second[0]}"


def _residual(each: _Counts, chunks: int) -> float:
    """Return by how much the term's idf over chunks exceeds that of as many chance places."""
    return math.log2(1 - math.exp(-each.times / chunks)) - math.log2(each.chunks / chunks)


def _is_phrase(term: str, counts: dict[str, _Counts], tokens: int) -> bool:
    """Tell whether the words belong together; a single word does."""
    first, _, second = term.partition(" ")
    if not second:
        return True
    if first not in counts or second not in counts:
        return False
    joint = counts[term].times / tokens
    apart = counts[first].times / tokens * counts[second].times / tokens
    return math.log(joint / apart) / -math.log(joint) >= _ASSOCIATION


def _is_content(term: str) -> bool:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return not ENGLISH_STOP_WORDS.intersection(term.split())


def _one_case(written: Counter[str]) -> bool:
    """Tell whether it is nearly always written alike, a first capital left aside.

    A term that is also an ordinary word in other letters (IT, it) would be two things.
    """
    tails = Counter[str]()
    for each, times in written.items():
        tails[each[1:]] += times
    return max(tails.values()) >= _ONE_CASE * sum(tails.values())
