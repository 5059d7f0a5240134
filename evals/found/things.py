"""Words that some documents mention and that can be counted in one way only."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from agent.english import stems
from evals.found.labels import FEWEST

__all__ = ("mentions_of", "things_of")

_WORD = re.compile(r"[^\W_]+")
_LONG: Final = 6
"""Letters of a word that is asked for, at least."""
_SOME: Final = (0.02, 0.2)
"""Share of the documents that mention it, from and to."""
_TRIED: Final = 400
_KEPT: Final = 40


def mentions_of(text: str) -> Counter[str]:
    """Return how often each word stands in a text, without case.

    >>> mentions_of("Hash me, hash_me.")["hash"]
    2
    """
    return Counter(_WORD.findall(text.lower()))


def things_of(
    texts: Sequence[str], counts: Sequence[Mapping[str, int]], rng: np.random.Generator
) -> tuple[str, ...]:
    """Return words to ask for, drawn.

    Left out is what documents might mention in another form or within a longer word: whether
    `hashes` mentions `hash` is not for these questions to decide.
    """
    least, most = (share * len(texts) for share in _SOME)
    documents: Counter[str] = Counter(word for each in counts for word in each)
    forms: defaultdict[str, int] = defaultdict(int)
    every = sorted(documents)
    for stem in stems(every):
        forms[stem] += 1
    possible = [
        word
        for word, stem in zip(every, stems(every), strict=True)
        if forms[stem] == 1
        and len(word) >= _LONG
        and word.isalpha()
        and max(FEWEST, least) <= documents[word] <= most
        and documents[word] < _total(word, counts)
    ]
    drawn = [possible[int(at)] for at in rng.permutation(len(possible))[:_TRIED]]
    joined = "\n".join(texts).lower()
    whole = (word for word in drawn if joined.count(word) == _total(word, counts))
    return tuple(word for word, _ in zip(whole, range(_KEPT), strict=False))


def _total(word: str, counts: Iterable[Mapping[str, int]]) -> int:
    return sum(each.get(word, 0) for each in counts)
