"""Look at samples of what a filter call kept and discarded, and say whether it stands."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal, cast

from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.history import Step
from agent.question import Condition, Interpretation
from agent.reasoners.rules.judging.finders import MeaningFinder, finder_of
from agent.reasoners.rules.language.words import FUNCTION_WORDS
from agent.replies import ObserveReply

__all__ = ("observe",)

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_RANKED: Final = frozenset({"semantic", "bm25"})
_TOLD: Final = 6


def observe(values: Mapping[str, object]) -> ObserveReply:
    """Return the verdict on a filter call: undone where a discarded passage states a condition.

    A ranked cut stands whatever it discards, for it is joined with the words' snapshot after.

    Args:
        values: of the prompt `observe`: interpretation, conditions, step, kept, discarded, corpus.
    """
    step = cast("Step", values["step"])
    kept = cast("Sequence[Passage]", values["kept"])
    discarded = cast("Sequence[Passage]", values["discarded"])
    verdict, why = _verdict(values, step, discarded)
    return ObserveReply(
        summary=f"Kept: {_told(kept, discarded)}. Discarded: {_told(discarded, kept)}.",
        why=why,
        verdict=verdict,
        rollback_to=None,
    )


def _verdict(
    values: Mapping[str, object], step: Step, discarded: Sequence[Passage]
) -> tuple[Literal["keep", "again", "enough"], str]:
    reading = cast("Interpretation", values["interpretation"])
    corpus = cast("CorpusView", values["corpus"])
    conditions = cast("Sequence[Condition]", values["conditions"])
    if step.kept == 0:
        return "again", "it keeps nothing"
    if step.discarded == 0:
        return "again", "it discards nothing"
    if step.call.tool in _RANKED:
        return "keep", "a ranked cut, to be joined with what the words keep"
    stated = [] if step.call.tool == "metadata" else _stated(conditions, reading, discarded, corpus)
    if stated:
        return "again", f"discarded passages state {', '.join(stated)}"
    if conditions and all(condition.terms for condition in conditions):
        return "enough", "every spelling is covered and no discarded passage mentions one"
    return "keep", "no discarded passage looked at states a condition"


def _stated(
    conditions: Sequence[Condition],
    reading: Interpretation,
    passages: Sequence[Passage],
    corpus: CorpusView,
) -> list[str]:
    """Return the ids of the conditions that a passage states by our own judgement."""
    stated: list[str] = []
    for condition in conditions:
        finder = finder_of(condition, reading.entity_type, reading.measure, corpus)
        if isinstance(finder, MeaningFinder) and not finder.concept.alternatives:
            continue
        if any(finder.proofs(passage) for passage in passages):
            stated.append(condition.id)
    return stated


def _told(side: Sequence[Passage], other: Sequence[Passage]) -> str:
    """Return the words that mark one side off from the other, most frequent first."""
    if not side:
        return "nothing was looked at"
    here, there = _counts(side), _counts(other)
    marked = sorted(here, key=lambda word: (there[word] - here[word], word))
    return ", ".join(marked[:_TOLD])


def _counts(passages: Sequence[Passage]) -> Counter[str]:
    """Count in how many passages each content word stands."""
    found: Counter[str] = Counter()
    for passage in passages:
        words = set(_WORD.findall(passage.text.lower()))
        found.update(word for word in words if word not in FUNCTION_WORDS)
    return found
