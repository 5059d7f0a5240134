"""How well ambiguity is found: accuracy and F1 per code, and what is asked for nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.taxonomy import CODES
from evals.metrics import match

__all__ = ("CodeScore", "Marked", "code_scores", "covers", "macro_f1")


@dataclass(frozen=True, slots=True)
class Marked:
    """The codes of one question: as found, and as annotated."""

    found: frozenset[str]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeScore:
    """One code over all questions; None where a figure is undefined."""

    n: int
    """Questions annotated with it."""
    found: int
    """Questions in which it was found."""
    accuracy: float | None
    """The share of its questions whose codes were all found."""
    precision: float | None
    recall: float | None
    f1: float | None


def covers(marked: Marked) -> bool:
    """Say whether every annotated code was found: others do no harm (AGGBench, A.6.2)."""
    return marked.gold <= marked.found


def code_scores(marked: Sequence[Marked]) -> dict[str, CodeScore]:
    """Return the score of every code that was annotated or found, in the taxonomy's order.

    Accuracy is as published: over the questions with the code, right if the found set covers the
    gold one. Precision, recall and F1 are over all questions, controls included.

    >>> one = Marked(frozenset({"A1", "A2"}), frozenset({"A1"}))
    >>> code_scores([one])["A1"].f1, code_scores([one])["A2"].precision
    (1.0, 0.0)
    """
    met = {code for each in marked for code in each.found | each.gold}
    return {code: _score(code, marked) for code in CODES if code in met}


def macro_f1(scores: Collection[CodeScore]) -> float | None:
    """Return the mean F1 over the codes that occur in the annotations; None where none does."""
    told = [each.f1 or 0.0 for each in scores if each.n]
    return sum(told) / len(told) if told else None


def _score(code: str, marked: Sequence[Marked]) -> CodeScore:
    gold = [place for place, each in enumerate(marked) if code in each.gold]
    found = [place for place, each in enumerate(marked) if code in each.found]
    hit = match(list(map(str, found)), list(map(str, gold)))
    right = [covers(marked[place]) for place in gold]
    return CodeScore(
        n=len(gold),
        found=len(found),
        accuracy=sum(right) / len(right) if right else None,
        precision=hit.precision,
        recall=hit.recall,
        f1=hit.f1,
    )
