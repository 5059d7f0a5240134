"""Misspelt words over all chunks, against a rapidfuzz scan."""

from collections.abc import Sequence

from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters import fuzzy
from tools.filters.searchable import bitmap

__all__ = ("misspelling", "misspelt", "typos")

_SHARE = 0.01
_CUTOFF = 85.0
_RARE = "q"
"""A letter that few words have."""


def misspelling(corpus: Corpus, rounds: int) -> list[Row]:
    """Look for words misspelt in the query, each in another way; ours must miss no chunk with them.

    The two sides are not the same test: the peer also takes what only looks alike within a text.
    """
    lowered = [text.lower() for text in corpus.texts]
    everything = BitMap(range(len(corpus)))
    asked = typos(drawn_words(corpus.lexical, 4, share=_SHARE))

    def ours() -> list[BitMap]:
        asking = (fuzzy.FuzzyArguments(term=term) for term in asked)
        return [fuzzy.keep(corpus, everything, each) for each in asking]

    def peer() -> list[BitMap]:
        return [_alike(term, lowered) for term in asked]

    true = [bitmap(corpus.lexical.postings(word)) for word in asked.values()]
    found, scanned = ours(), peer()
    for word, those, kept in zip(asked.values(), true, found, strict=True):
        if not those <= kept:
            raise Unequal(f"the filter `fuzzy` misses {len(those - kept)} chunks with {word!r}")
    taken = medians({"ours": ours, "peer": peer}, rounds if len(corpus) <= LARGE else 1)
    return [
        Row(
            what="fuzzy filter of all chunks, a word",
            unit="ms",
            ours=Figure("filter `fuzzy`", taken["ours"] * 1000 / len(asked)),
            peer=Figure("rapidfuzz partial_ratio", taken["peer"] * 1000 / len(asked)),
            aim=Aim("times", 10),
            note=f"{len(asked)} words, letters swapped, lost, added and changed; of "
            f"{_total(true):,} chunks with them ours found all, the peer "
            f"{_total([a & b for a, b in zip(true, scanned, strict=True)]):,}; kept "
            f"{_total(found):,} and {_total(scanned):,}",
        )
    ]


def typos(words: Sequence[str]) -> dict[str, str]:
    """Return four words by how they are misspelt: letters swapped, lost, added and changed.

    >>> list(typos(["contract", "contract", "contract", "contract"]))
    ['cotnract', 'contact', 'contrqact', 'contqact']
    """
    swapped, lost, added, changed = words
    middle = [len(word) // 2 + 1 for word in words]
    return {
        misspelt(swapped): swapped,
        lost[: middle[1] - 1] + lost[middle[1] :]: lost,
        added[: middle[2]] + _RARE + added[middle[2] :]: added,
        changed[: middle[3] - 1] + _RARE + changed[middle[3] :]: changed,
    }


def misspelt(word: str) -> str:
    """Return the word with two neighbouring letters of its middle swapped.

    >>> misspelt("contract")
    'cotnract'
    """
    places = range(len(word) // 3, len(word) - 1)
    at = next((at for at in places if word[at] != word[at + 1]), 0)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _alike(term: str, lowered: Sequence[str]) -> BitMap:
    from rapidfuzz.fuzz import partial_ratio

    scores = (partial_ratio(term, text, score_cutoff=_CUTOFF) for text in lowered)
    return BitMap([at for at, score in enumerate(scores) if score])


def _total(found: Sequence[BitMap]) -> int:
    return sum(map(len, found))
