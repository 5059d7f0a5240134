"""Passages that are likely about a phrase, by its words and its vector; nobody has read them."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.english import FUNCTION_WORDS, fold, stem
from agent.errors import QuestionError
from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NEAR: Final = 0.15
"""The share of the best document's score from which on a document is a candidate."""
_MOST: Final = 200
"""Documents at most: more nobody looks through."""
_SHARE: Final = 0.7
"""The share of the documents that may count of which candidates are at most, from ten on."""
_FEW: Final = 8
"""So few documents that may count are all shown."""
_TOGETHER: Final = 0.5
"""The share of the words' weight that some passage must have: less says nothing of the phrase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyPassage:
    """The best sentence of a chunk, with what speaks for it."""

    chunk: int
    document: int
    start: int
    """Character offset in the document's text."""
    end: int
    quote: str
    """`text[start:end] == quote`."""
    words: tuple[str, ...]
    """The words of the phrase that stand in the passage, as it writes them."""


def likely_passages(
    corpus: Corpus, phrases: Sequence[str], documents: Iterable[int], allowed: BitMap
) -> list[LikelyPassage]:
    """Return the likely passages for phrases, those of the best document first.

    A chunk's score is the mean of two shares of the best chunk's: the weight of the phrases' words
    that it has in some inflection, each ln(1 + N / n) where n of N chunks have it; and its cosine
    with the phrases. A document has its best chunk's score; those near the best one are kept.

    Raises QuestionError: of too many documents to show no passage has most of the words.
    """
    weights = _weights(corpus, phrases)
    own = BitMap().union(*(BitMap(corpus.chunks_of(number)) for number in documents)) & allowed
    if not own:
        return []
    chunks = np.array(own, dtype=np.int64)
    owner = corpus.chunk_document[chunks]
    forms = {form for each in weights for form in (each, *corpus.lexicon.inflections(each))}
    shared = {
        chunk: stems
        for chunk in own & BitMap(corpus.lexical.holding(forms).tolist())
        if (stems := _stems(corpus.chunk_text(chunk)) & weights.keys())
    }
    words = np.array([sum(weights[each] for each in shared.get(at, ())) for at in chunks.tolist()])
    few = len(np.unique(owner)) <= _FEW
    if not few:
        _check_together(phrases, weights, shared.get(int(chunks[words.argmax()]), set()))
    vector = corpus.embedder.embed([" ".join(phrases)])[0]
    cosines = np.clip(corpus.vectors.similarity(vector)[chunks], 0, None)
    scores = (_relative(words) + _relative(cosines)) / 2
    best: dict[int, float] = {}
    for document, score in zip(owner.tolist(), scores.tolist(), strict=True):
        best[document] = max(best.get(document, 0.0), score)
    least = _NEAR * max(best.values())
    kept = sorted(
        (each for each in best if few or best[each] >= least > 0), key=lambda each: -best[each]
    )
    most = min(_MOST, max(10, int(_SHARE * len(best))))
    rank = {document: place for place, document in enumerate(kept[:most])}
    scored = zip(owner.tolist(), scores.tolist(), chunks.tolist(), strict=True)
    told = sorted(
        (rank[document], -score, chunk)
        for document, score, chunk in scored
        if document in rank and score >= min(least, best[document])
    )
    return [_passage(corpus, chunk, shared.get(chunk, set())) for _, _, chunk in told]


def _check_together(phrases: Sequence[str], weights: dict[str, float], best: set[str]) -> None:
    """Decline where the best passage has too few of the words, naming those that it lacks."""
    words = {stem(low): each for each, low in _content(phrases)}
    rarest = max(weights.values(), default=1.0)
    total = sum(weights.get(each, rarest) for each in words)
    if sum(weights[each] for each in best) < _TOGETHER * total or not words:
        lacking = ", ".join(f"“{word}”" for each, word in words.items() if each not in best)
        raise QuestionError(
            f"cannot place {lacking}: no passage has the words of the question together, and only "
            "a reader can tell what means the same: ask in other words, or name a model with "
            "--model NAME, which reads the texts"
        )


def _relative(scores: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return scores as shares of the best one."""
    best = float(scores.max(initial=0.0))
    return scores.astype(np.float64) / best if best > 0 else np.zeros(len(scores))


def _weights(corpus: Corpus, phrases: Sequence[str]) -> dict[str, float]:
    """Return by stem how much each content word of the phrases weighs."""
    weights: dict[str, float] = {}
    for _, low in _content(phrases):
        held = max(map(corpus.lexicon.frequency, {low, *corpus.lexicon.inflections(low)}))
        if held:
            weights[stem(low)] = math.log1p(len(corpus) / held)
    return weights


def _content(phrases: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the content words of phrases, as they are written and folded."""
    for word in chain.from_iterable(map(_WORD.findall, phrases)):
        if (low := fold(word)) not in FUNCTION_WORDS:
            yield word, low


def _stems(text: str) -> set[str]:
    return {stem(fold(each)) for each in _WORD.findall(text)}


def _passage(corpus: Corpus, chunk: int, shared: set[str]) -> LikelyPassage:
    """Return the sentence of a chunk with most of the words."""
    text, offset = corpus.chunk_text(chunk), int(corpus.chunk_start[chunk])
    worded = [each for each in sentences(text) if _WORD.search(text, *each)]
    spans = worded or [(0, len(text))]
    start, end = max(spans, key=lambda span: len(_stems(text[span[0] : span[1]]) & shared))
    words = [each for each in _WORD.findall(text) if stem(fold(each)) in shared]
    return LikelyPassage(
        chunk=chunk,
        document=int(corpus.chunk_document[chunk]),
        start=offset + start,
        end=offset + end,
        quote=text[start:end],
        words=tuple(dict.fromkeys(each.casefold() for each in words)),
    )
