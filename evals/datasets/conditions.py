"""Conditions of questions: words, and whether a record satisfies them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evals.datasets.domain import Domain, Facet
from evals.datasets.drawing import Drawn, Fact, number, pick
from evals.datasets.writing import written

__all__ = ("Comparison", "Condition", "conditions_on")

Comparison = Literal["more", "less", "equal", "after", "before", "is", "contains", "yes", "no"]
_TESTS: dict[Comparison, Callable[[Fact, Fact], bool]] = {
    "more": lambda fact, bound: isinstance(fact, int | float) and fact > number(bound),
    "less": lambda fact, bound: isinstance(fact, int | float) and fact < number(bound),
    "equal": lambda fact, bound: fact == bound,
    "is": lambda fact, bound: fact == bound,
    "after": lambda fact, bound: str(fact)[:4] > str(bound),
    "before": lambda fact, bound: str(fact)[:4] < str(bound),
    "contains": lambda fact, bound: isinstance(fact, tuple) and bound in fact,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one attribute."""

    attribute: str
    comparison: Comparison
    bound: Fact
    """What it is compared with; None for yes and no."""
    text: str
    """As a question says it behind the plural: `with more than 100 rooms`."""

    def holds(self, record: Drawn) -> bool:
        """Tell whether a record states what satisfies it; what is not stated does not."""
        fact = record.facts[self.attribute]
        if fact is None:
            return False
        if self.comparison in {"yes", "no"}:
            return fact is (self.comparison == "yes")
        return _TESTS[self.comparison](fact, self.bound)


def conditions_on(
    domain: Domain,
    records: Sequence[Drawn],
    rng: np.random.Generator,
    words: np.random.Generator | None = None,
) -> list[Condition]:
    """Return one condition for each way to ask for each attribute, its bound from a record."""
    found = []
    for attribute, facet in domain.attributes.items():
        stated = [fact for each in records if (fact := each.facts[attribute]) is not None]
        for comparison, phrases in _asked(facet).items():
            if phrases and stated:
                bound = _bound(comparison, stated, rng)
                said = _said(bound, comparison, facet, words)
                text = pick(phrases, rng).format(value=said)
                found.append(Condition(attribute, comparison, bound, text))
    return found


def _asked(facet: Facet) -> dict[Comparison, tuple[str, ...]]:
    ask = facet.ask
    return {
        "more": ask.more, "less": ask.less, "equal": ask.equal, "after": ask.after,
        "before": ask.before, "is": ask.is_, "contains": ask.contains, "yes": ask.yes, "no": ask.no,
    }  # fmt: skip


def _bound(comparison: Comparison, stated: Sequence[Fact], rng: np.random.Generator) -> Fact:
    """Return a value that some record states; for an order, one from the middle half."""
    if comparison in {"yes", "no"}:
        return None
    if comparison == "contains":
        return pick([item for fact in stated if isinstance(fact, tuple) for item in fact], rng)
    if comparison in {"equal", "is"}:
        return pick(stated, rng)
    ordered = sorted(stated, key=lambda fact: (str(fact) if isinstance(fact, str) else "", fact))
    fact = ordered[int(rng.integers(len(ordered) // 4, 3 * len(ordered) // 4 + 1))]
    return str(fact)[:4] if comparison in {"after", "before"} else fact


def _said(
    bound: Fact, comparison: Comparison, facet: Facet, words: np.random.Generator | None
) -> str:
    if bound is None or comparison in {"after", "before", "contains", "is"}:
        return str(bound)
    if (facet.unit or "").startswith("/"):
        return f"{bound:g}" if isinstance(bound, float) else str(bound)
    chance = words or np.random.default_rng(0)
    return written(bound, facet, chance, varied=words is not None)
