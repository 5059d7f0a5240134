"""How alignment judges pairs of known truth: sure, grey or apart, and what a reasoner adds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Literal

from agent.reasoners.rules.aligning.align import align
from evals.compare.alignment_pairs import NamePair
from tools.alignment import candidate_pairs, merge

__all__ = ("Outcome", "Scores", "judged", "pace")

State = Literal["sure", "grey", "apart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one pair."""

    pair: NamePair
    state: State
    said: bool | None = None
    """What the rules reasoner says of a grey pair; None where it leaves it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """How pairs were judged."""

    pairs: int
    same: int
    sure_precision: float | None
    """Share of the sure pairs that are one; None without any."""
    sure_recall: float | None
    """Share of the pairs that are one which are sure."""
    blocking_recall: float | None
    """Share of the pairs that are one which are sure or grey."""
    grey: float
    """Share of all pairs left to a reasoner."""
    reasoner_right: int
    """Grey pairs that the rules reasoner decides rightly, wrongly, and leaves out."""
    reasoner_wrong: int
    reasoner_left: int

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "Scores":
        """Count the outcomes of some pairs."""
        true = [each for each in outcomes if each.pair.same]
        sure = [each for each in outcomes if each.state == "sure"]
        grey = [each for each in outcomes if each.state == "grey"]
        decided = [each for each in grey if each.said is not None]
        right = sum(each.said == each.pair.same for each in decided)
        return cls(
            pairs=len(outcomes),
            same=len(true),
            sure_precision=_share(sum(each.pair.same for each in sure), len(sure)),
            sure_recall=_share(sum(each.state == "sure" for each in true), len(true)),
            blocking_recall=_share(sum(each.state != "apart" for each in true), len(true)),
            grey=len(grey) / max(1, len(outcomes)),
            reasoner_right=right,
            reasoner_wrong=len(decided) - right,
            reasoner_left=len(grey) - len(decided),
        )


def judged(pairs: Sequence[NamePair]) -> list[Outcome]:
    """Return what becomes of pairs when the names of all of them are aligned together."""
    names = Counter(name for pair in pairs for name in (pair.left, pair.right))
    blocks = candidate_pairs(names, quotes=[pair.quote for pair in pairs])
    merged = merge(names, blocks.sure)
    entity = {name: each.name for each in merged.clusters for name in (each.name, *each.aliases)}
    said = _said(blocks.grey, entity)
    return [
        _outcome(pair, frozenset((entity[pair.left], entity[pair.right])), said) for pair in pairs
    ]


def _said(
    grey: Sequence[tuple[str, str]], entity: Mapping[str, str]
) -> dict[frozenset[str], bool | None]:
    """Return what the rules reasoner says of each two entities with a grey pair."""
    verdicts = {each.pair: each.same for each in align({"pairs": grey}).pairs}
    return {
        frozenset((entity[left], entity[right])): verdicts.get(number)
        for number, (left, right) in enumerate(grey, start=1)
    }


def _outcome(
    pair: NamePair, entities: frozenset[str], said: Mapping[frozenset[str], bool | None]
) -> Outcome:
    if len(entities) == 1:
        return Outcome(pair=pair, state="sure")
    if entities in said:
        return Outcome(pair=pair, state="grey", said=said[entities])
    return Outcome(pair=pair, state="apart")


def pace(names: Sequence[str]) -> dict[str, float]:
    """Return the work for so many names: CPU seconds, pairs compared and their share of all."""
    started = process_time()
    blocks = candidate_pairs(names)
    seconds = process_time() - started
    everything = len(names) * (len(names) - 1) / 2
    return {
        "names": len(names),
        "seconds": seconds,
        "compared": blocks.compared,
        "share": blocks.compared / max(1, everything),
        "grey": len(blocks.grey),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
