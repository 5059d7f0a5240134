"""Filter calls that a model might make for a question: some lose evidence, some do not."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from pyroaring import BitMap

from agent.reasoner import ToolCall
from evals.compare.search_case import Case
from evals.spans import recall
from tools.corpus.words.tokenizer import words
from tools.filters.registry import apply

__all__ = ("Injected", "injected", "plausible")

LEAKING = 0.3
"""From this share of the gold chunks ruled out on, a call is called leaking."""
SOUND = 0.05
"""Up to this share it is called sound: a recall of 95 % is still possible."""
_NARROWEST, _WIDEST = 0.02, 0.6
"""The share of the corpus that a call worth making keeps."""
_SHARES = (0.05, 0.1, 0.2, 0.4)
"""The shares that a ranking's best are cut at."""
_WORDS = 8
_TELLING = 0.25
"""In a larger share of the chunks a word tells nothing, and nobody would filter by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """A call on the whole corpus, with what it keeps and loses."""

    call: ToolCall
    kept: BitMap
    lost: float
    """The share of the gold chunks that it rules out."""

    @property
    def leaking(self) -> bool:
        """Whether it rules out much of what is sought."""
        return self.lost >= LEAKING

    @property
    def sound(self) -> bool:
        """Whether it rules out next to none of it."""
        return self.lost <= SOUND


def injected(case: Case, seed: int, *, leaking: bool) -> Injected | None:
    """Return the first plausible call, in an order drawn from the seed, that leaks or does not.

    None where no plausible call does, or none that keeps a share of the corpus worth having.
    """
    calls = list(plausible(case))
    random.Random(f"{case.record.id} {seed}").shuffle(calls)  # noqa: S311 - no secret
    whole = BitMap(range(len(case.corpus)))
    for call in calls:
        kept = apply(case.corpus, whole, call)
        if _NARROWEST <= len(kept) / len(whole) <= _WIDEST:
            found = recall(case.gold, set(kept)) or 0.0
            made = Injected(call=call, kept=kept, lost=1 - found)
            if made.leaking if leaking else made.sound:
                return made
    return None


def plausible(case: Case) -> Iterator[ToolCall]:
    """Yield calls by words of a condition, and by the best for all its words."""
    size = len(case.corpus)
    for sought in case.sought:
        terms = _terms(sought.text, case)
        for chosen in [*combinations(terms, 1), *combinations(terms, 2)]:
            yield _call("keywords", words=list(chosen), match="any")
            yield _call("regex", pattern=rf"\b(?:{'|'.join(chosen)})\b")
            if len(chosen) > 1:
                yield _call("keywords", words=list(chosen), match="all")
        for share in _SHARES:
            best = max(1, round(share * size))
            yield _call("bm25", query=sought.text, best=best)
            yield _call("semantic", query=sought.text, best=best)


def _terms(text: str, case: Case) -> Sequence[str]:
    """Return the first different words of a condition that tell some passages from others."""
    whole = BitMap(range(len(case.corpus)))
    telling = (
        word
        for word in dict.fromkeys(words(text))
        if word.isalpha()
        and 0
        < len(apply(case.corpus, whole, _call("keywords", words=[word])))
        <= _TELLING * len(whole)
    )
    return list(islice(telling, _WORDS))


def _call(tool: str, **arguments: object) -> ToolCall:
    told = {"tool": tool, "arguments": arguments, "why": "put in for this comparison"}
    return ToolCall.model_validate(told)
