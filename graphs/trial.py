"""Trying readings on a sample before anyone is asked: would the answers differ?"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.ambiguity import Estimate
from agent.coverage import ReadingRound
from agent.evidence import Entity
from agent.interpretation import numbered, union
from agent.question import Interpretation
from agent.state import State
from graphs.answering.matches import Matches, matches, number
from graphs.context import Context
from graphs.disambiguation.grouping import grouped
from graphs.scope import open_conditions, within
from graphs.search.counted_places import totals_places
from graphs.search.rank_unread import likeness

_JUDGED = 24
"""Chunks that may be judged to try interpretations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a reading came to."""

    estimate: Estimate | None
    """None where a reader would have to decide and the policy lets nothing be judged."""
    names: frozenset[str]
    """What matched among what was looked at."""


def tried(
    readings: Sequence[Interpretation], state: State, runtime: Runtime[Context]
) -> list[Tried] | None:
    """Try readings, those together that one search serves; None where a limit ended it.

    What code decides is decided for the whole corpus. Of the chunks that a reader has to decide,
    the likeliest half of the sample is taken by rank and the other half at random from the rest;
    counts are scaled up by how many the latter stand for.
    Nothing of it is kept but the replies in the response cache, so that a chunk judged here is not
    paid for again in the same request.
    """
    if "judge" not in runtime.context.reasoner.abilities and any(
        open_conditions(replace(state, interpretation=each)) for each in readings
    ):
        return [Tried(estimate=None, names=frozenset()) for _ in readings]
    outcomes: dict[int, Tried] = {}
    with TemporaryDirectory(prefix="headcount-") as place:
        for run, members in enumerate(grouped(readings)):
            shared = numbered([readings[each] for each in members])
            trial = _Trial.of(shared, f"trial-{run}", Path(place), state, runtime)
            try:
                found = trial.outcomes()
            finally:
                trial.context.store.close()
            if found is None:
                return None
            outcomes.update(zip(members, found, strict=True))
    return [outcomes[each] for each in range(len(readings))]


def differ(outcomes: Sequence[Tried]) -> bool | None:
    """Tell whether readings came to different results; None where that cannot be told.

    Where nothing matches under any reading, the question was more likely misread than idle.
    """
    estimates = [each.estimate for each in outcomes if each.estimate is not None]
    if len(estimates) < len(outcomes):
        return None
    if len({each.names for each in outcomes}) > 1:
        return True
    if any(each.value != estimates[0].value for each in estimates):
        return True
    return False if any(each.names for each in outcomes) else None


@dataclass
class _Trial:
    """One search on a sample, for readings that it serves together."""

    readings: Sequence[Interpretation]
    state: State
    runtime: Runtime[Context]
    first: BitMap
    """Chunks taken by rank; all that matter, where they are few enough."""
    drawn: BitMap
    """Chunks drawn at random from the rest."""
    rest: int
    """How many the drawn ones stand for."""

    @classmethod
    def of(
        cls,
        readings: Sequence[Interpretation],
        run: str,
        place: Path,
        state: State,
        runtime: Runtime[Context],
    ) -> "_Trial":
        from graphs.nodes.decide import decide  # the package of nodes has one that tries readings

        context = replace(runtime.context, runs=place)
        runtime = runtime.override(context=context)
        context.store.create(
            run,
            question=state.question,
            corpus_digest=context.corpus.digest,
            graph_version="trial",
            model=context.reasoner.name,
            created=context.now(),
        )
        begun = State(question=state.question, run=run, interpretation=union(readings))
        begun = replace(begun, **decide(begun, runtime))
        first, drawn, rest = _sample(begun, context)
        return cls(readings, begun, runtime, first, drawn, rest)

    @property
    def context(self) -> Context:
        return self.runtime.context

    def outcomes(self) -> list[Tried] | None:
        """Judge the sample and evaluate every reading on it; None where a limit was reached."""
        from graphs.nodes.align import align

        state = self._judged()
        if state.stopped:
            return None
        align(state, self.runtime)
        return [self._outcome(reading, state) for reading in self.readings]

    def _judged(self) -> State:
        """Judge the sample, wave by wave."""
        from graphs.nodes.batch import batch
        from graphs.nodes.judge import judge

        sample = self.first | self.drawn
        if not sample:
            return self.state
        chosen = ReadingRound(
            purpose="search",
            selection=self.context.store.put_ids(sample),
            size=len(sample),
            why="a sample, to try the readings",
        )
        state = replace(self.state, rounds=(chosen,))
        state = replace(state, **batch(state, self.runtime))
        while state.judged_batches < state.batches and not state.stopped:
            state = replace(state, **judge(state, self.runtime))
        return state

    def _outcome(self, reading: Interpretation, state: State) -> Tried:
        found = matches(state, self.context, reading)
        names = frozenset(_told(entity) for entity in found.entities)
        by_code = not open_conditions(replace(state, interpretation=reading))
        if self.rest and not self.drawn and not by_code:
            return Tried(estimate=None, names=names)
        value = number(reading, found).value
        if by_code:
            return Tried(estimate=Estimate(value=value, exact=True), names=names)
        if self.drawn and totals_places(reading):
            value = self._scaled_places(found)
        elif reading.operation in {"count", "list"} and self.drawn:
            value = self._scaled([entity.documents for entity in found.entities])
        judged = len(self.first) + len(self.drawn)
        estimate = Estimate(value=value, exact=not self.rest, judged=judged)
        return Tried(estimate=estimate, names=names)

    def _scaled(self, places: Iterable[Sequence[str]]) -> int:
        """Count entities; each that only drawn chunks speak for stands for several."""
        corpus = self.context.corpus
        weights = [self._weight(names) for names in places]
        most = len(corpus.documents) if self.readings[0].grain == "document" else np.inf
        return int(min(round(sum(weights)), most))

    def _scaled_places(self, found: Matches) -> int:
        """Count the places of each document; of one that only drawn chunks speak for, several."""
        counts = {name: sum(each.value for each in told) for name, told in found.values.items()}
        weights = (self._weight(each.documents) * counts[each.name] for each in found.entities)
        return round(sum(weights))

    def _weight(self, documents: Sequence[str]) -> float:
        """Return for how many an item of the documents stands."""
        return self.rest / len(self.drawn) if self._only_drawn.issuperset(documents) else 1.0

    @cached_property
    def _only_drawn(self) -> set[str]:
        """The documents for which only chunks speak that were drawn."""
        every = self.context.store.findings(self.state.run)
        findings = [each for each in every if not each.by_code]
        drawn = {each.document for each in findings if each.chunk in self.drawn}
        return drawn - {each.document for each in findings if each.chunk in self.first}


def _told(entity: Entity) -> str:
    """Return an item with what is shown beside it: readings that show other things differ."""
    shown = (f"{name}: {', '.join(values)}" for name, values in entity.shown.items())
    return "; ".join((entity.name, *shown))


def _sample(state: State, context: Context) -> tuple[BitMap, BitMap, int]:
    """Return the chunks taken by rank, those drawn at random, and how many these stand for."""
    if not open_conditions(state):
        return BitMap(), BitMap(), 0
    candidates = within(state, context)
    allowed = _JUDGED if context.policy.trial is None else context.policy.trial
    if len(candidates) <= allowed:
        return candidates, BitMap(), 0
    ranked = np.array(candidates, dtype=np.int64)
    ranked = ranked[np.argsort(-likeness(state, context)[ranked], kind="stable")]
    by_rank = allowed - allowed // 2
    first, others = BitMap(ranked[:by_rank]), sorted(int(each) for each in ranked[by_rank:])
    chance = random.Random(f"{context.corpus.digest}/{state.question}")  # noqa: S311 - a sample
    return first, BitMap(chance.sample(others, allowed // 2)), len(others)
