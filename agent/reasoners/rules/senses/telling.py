"""Which words tell a group of passages from others, and which sentences speak for it."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.reasoners.rules.judging.proof import sentence_spans
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.words import FUNCTION_WORDS, word_set

__all__ = ("content", "distinctive", "rarity", "said", "weighed")

_FRAME: Final = word_set(
    "what which who whom whose where when why how many much tell say says said mean means meant "
    "happen happens happened work works worked know use used there kind kinds sort sorts thing"
)
"""What a question is put in, rather than what it is about."""
_WORD: Final = re.compile(r"[^\W\d_](?:[^\W_]|['’-](?=[^\W\d_]))+")
_RULE: Final = re.compile(r"([^\w\s])\1{3,}")
"""A line drawn under a heading, or across a table."""
_FEWEST: Final = 4
"""Words in a sentence: fewer are a heading or a scrap."""


def content(text: str) -> list[tuple[str, str]]:
    """Return a text's words that say something, each with its root; repeats kept.

    >>> content("What happens to the tenant's dogs?")
    [("tenant's", 'tenant'), ('dogs', 'dog')]
    """
    found = []
    for match in _WORD.finditer(text):
        low = re.sub(r"['’]s?\Z", "", match[0].lower())
        if low not in FUNCTION_WORDS and low not in _FRAME and len(low) > 2:
            found.append((match[0], roots(low)[1]))
    return found


def rarity(words: Iterable[str], corpus: CorpusView) -> float:
    """Return ln(1 + chunks / chunks with the word), of the most frequent of the forms."""
    held = max((corpus.lexicon.frequency(word.lower()) for word in words), default=0)
    return math.log(1 + corpus.chunk_count / max(1, held))


def weighed(text: str, corpus: CorpusView) -> dict[str, float]:
    """Return the roots of a text's words with their rarity.

    Words that no chunk has are left out, since nothing could match them; but never a name, which
    is a word with a capital that does not begin the text.
    """
    return {
        root: rarity([word], corpus)
        for place, (word, root) in enumerate(content(text))
        if corpus.lexicon.inflections(word.lower()) or (place and word[0].isupper())
    }


def distinctive(
    own: Sequence[Passage], others: Sequence[Passage], question: str, corpus: CorpusView
) -> list[str]:
    """Return words that a group has where it speaks of a question and others have not.

    Only sentences with a word of the question are looked at. The words of the question tell
    nothing; each root is given in its most frequent form, the most telling first.
    """
    asked = {root for _, root in content(question)}
    forms: dict[str, Counter[str]] = {}
    held = _held(own, asked, forms)
    beside = _held(others, asked, {})
    scores = {}
    for root, times in held.items():
        apart = times / len(own) - beside[root] / max(1, len(others))
        if root not in asked and apart > 0:
            scores[root] = apart * rarity(forms[root], corpus)
    best = sorted(scores, key=lambda root: (-scores[root], root))
    return [forms[root].most_common(1)[0][0] for root in best]


def _held(
    passages: Sequence[Passage], asked: frozenset[str] | set[str], forms: dict[str, Counter[str]]
) -> Counter[str]:
    """Count in how many passages each root stands beside a word of the question; note its forms."""
    held: Counter[str] = Counter()
    for passage in passages:
        said_of = (content(passage.text[start:end]) for start, end in sentence_spans(passage))
        beside = [words for words in said_of if asked & {root for _, root in words}]
        held.update({root for words in beside for _, root in words})
        for word, root in chain.from_iterable(beside):
            forms.setdefault(root, Counter())[word] += 1
    return held


def said(passage: Passage, weights: Mapping[str, float]) -> list[tuple[float, int, int]]:
    """Return a passage's sentences with the share of the weighted roots that they hold.

    Each is its strength in [0, 1], start and end in the passage's text, in order; scraps and
    sentences without any of the roots are left out.
    """
    total = sum(weights.values())
    found = []
    for start, end in sentence_spans(passage):
        words = content(passage.text[start:end])
        if len(words) < _FEWEST or not total or _RULE.search(passage.text, start, end):
            continue
        held = sum(weights[root] for root in {root for _, root in words} & weights.keys())
        if held:
            found.append((held / total, start, end))
    return found
