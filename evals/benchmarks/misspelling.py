"""A misspelt word over all chunks, against a rapidfuzz scan."""

from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters import fuzzy
from tools.filters.bitmaps import bitmap

__all__ = ("misspelling", "misspelt")

_SHARE = 0.01
_CUTOFF = 85.0


def misspelling(corpus: Corpus, texts: list[str], rounds: int) -> list[Row]:
    """Look for a word that was misspelt in the query; every chunk with the word must be found.

    The two sides are not the same test: the peer also takes what only looks alike within a text.
    """
    from rapidfuzz.fuzz import partial_ratio

    (word,) = drawn_words(corpus.lexical, 1, share=_SHARE)
    term, everything = misspelt(word), BitMap(range(len(corpus)))
    arguments, lowered = fuzzy.FuzzyArguments(term=term), [text.lower() for text in texts]

    def ours() -> BitMap:
        return fuzzy.keep(corpus, everything, arguments)

    def peer() -> BitMap:
        scores = (partial_ratio(term, text, score_cutoff=_CUTOFF) for text in lowered)
        return BitMap([at for at, score in enumerate(scores) if score])

    true, found, scanned = bitmap(corpus.lexical.postings(word)), ours(), peer()
    if not true <= found:
        raise Unequal(f"the filter `fuzzy` misses {len(true - found)} chunks with {word!r}")
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return [
        Row(
            what="fuzzy filter of all chunks",
            unit="ms",
            ours=Figure("filter `fuzzy`", taken["ours"] * 1000),
            peer=Figure("rapidfuzz partial_ratio", taken["peer"] * 1000),
            note=f"of {len(true)} chunks with the word ours found all, the peer "
            f"{len(true & scanned)}; kept {len(found)} and {len(scanned)}",
        )
    ]


def misspelt(word: str) -> str:
    """Return the word with two neighbouring letters of its middle swapped.

    >>> misspelt("contract")
    'cotnract'
    """
    places = range(len(word) // 3, len(word) - 1)
    at = next((at for at in places if word[at] != word[at + 1]), 0)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
