"""weigh: try the readings of each ambiguity on a sample; what makes no difference is settled."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.ambiguity import Ambiguity, Estimate, Reading
from agent.coverage import ReadingRound
from agent.errors import AmbiguousQuestion, QuestionError
from agent.evidence import Entity
from agent.interpretation import numbered, union
from agent.question import Interpretation
from agent.state import State, Update
from agent.value import counted
from graphs.answering.matches import Matches, matches, number
from graphs.context import Context
from graphs.disambiguation import assuming, carried, executable, grouped
from graphs.nodes.align import align
from graphs.nodes.decide import decide
from graphs.nodes.judge import batch, judge
from graphs.runs.run_entry import enter
from graphs.scope import asked_in, open_conditions, unjudged
from graphs.search.condition_evaluator import totals_places
from graphs.search.rank_unread import likeness
from tools.runs.store import TRIAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a reading came to."""

    estimate: Estimate | None
    """None where a reader would have to decide and the policy lets nothing be judged."""
    names: frozenset[str]
    """What matched among what was looked at."""


def tried(
    ambiguities: Sequence[Ambiguity], state: State, runtime: Runtime[Context]
) -> tuple[dict[str, Tried] | None, State]:
    """Try all executable readings, those together that one search serves; None after a limit.

    Of the chunks that a reader has to decide, the likeliest half of the sample is taken by rank and
    the other half at random from the rest; counts are scaled up by how many the latter stand for.
    The state is returned with the trials: a verdict of theirs is given once.
    """
    every = {
        each.model_dump_json(): each.interpretation
        for ambiguity in ambiguities
        for each in ambiguity.readings
        if each.interpretation is not None
    }
    names, readings = list(every), list(every.values())
    outcomes: dict[str, Tried] = {}
    if "judge" not in runtime.context.reasoner.abilities and any(
        open_conditions(replace(state, interpretation=each)) for each in readings
    ):
        return dict.fromkeys(names, Tried(estimate=None, names=frozenset())), state
    for members in grouped(readings):
        trial = _Trial.of(numbered([readings[each] for each in members]), state, runtime)
        found = trial.outcomes()
        state = replace(state, tried={**state.tried, trial.state.run: trial.state.interpreted})
        if found is None:
            return None, state
        outcomes.update(zip([names[each] for each in members], found, strict=True))
    return outcomes, state


def differ(outcomes: Sequence[Tried]) -> bool | None:
    """Tell whether readings came to different results; None where that cannot be told."""
    estimates = [each.estimate for each in outcomes if each.estimate is not None]
    if len(estimates) < len(outcomes):
        return None
    values = [each.value for each in estimates]
    if len({each.names for each in outcomes}) > 1 or any(each != values[0] for each in values):
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
        cls, readings: Sequence[Interpretation], state: State, runtime: Runtime[Context]
    ) -> "_Trial":
        context, run = runtime.context, f"{state.run}.{TRIAL}-{len(state.tried)}"
        enter(run, state.question, context, TRIAL)
        together = tuple(Reading(label="", question="", interpretation=one) for one in readings)
        begun = State(
            question=state.question,
            run=run,
            interpretation=union(readings),
            readings=together,
            tried=state.tried,
        )
        begun = replace(begun, **decide(begun, runtime))
        return cls(readings, begun, runtime, *_sample(begun, context))

    def outcomes(self) -> list[Tried] | None:
        """Judge the sample and evaluate every reading on it; None where a limit was reached."""
        context, state = self.runtime.context, self.state
        if sample := (self.first | self.drawn) & unjudged(state, context):
            chosen = ReadingRound(
                purpose="search",
                selection=context.store.put_ids(sample),
                size=len(sample),
                why="a sample, to try the readings",
            )
            state = replace(state, rounds=(chosen,))
            state = replace(state, **batch(state, self.runtime))
        while state.judged_batches < state.batches and not state.stopped:
            state = replace(state, **judge(state, self.runtime))
        if state.stopped:
            return None
        align(state, self.runtime)
        return [self._outcome(reading, state) for reading in self.readings]

    def _outcome(self, reading: Interpretation, state: State) -> Tried:
        found = matches(state, self.runtime.context, reading)
        names = frozenset(_told(entity) for entity in found.entities)
        by_code = not open_conditions(replace(state, interpretation=reading))
        if self.rest and not self.drawn and not by_code:
            return Tried(estimate=None, names=names)
        value = number(reading, found).value
        if by_code:
            return Tried(estimate=Estimate(value=value, exact=True), names=names)
        places = totals_places(reading)
        if self.drawn and (places or reading.operation in {"count", "list"}):
            value = self._scaled(found, places=places)
        judged = len(self.first) + len(self.drawn)
        estimate = Estimate(value=value, exact=not self.rest, judged=judged)
        return Tried(estimate=estimate, names=names)

    def _scaled(self, found: Matches, *, places: bool) -> int:
        """Count entities or places; each that only drawn chunks speak for stands for several."""
        counts = {name: sum(each.value for each in told) for name, told in found.values.items()}
        corpus = self.runtime.context.corpus
        told = self.runtime.context.store.findings(self.state.run)
        owner = {each.chunk: each.document for each in told if not each.by_code}
        first = {name for chunk, name in owner.items() if chunk in self.first}
        only_drawn = {name for chunk, name in owner.items() if chunk in self.drawn} - first
        owners = corpus.chunk_document[list(self.first | self.drawn)]
        copied = {*owner.values()} - {corpus.documents[each] for each in owners}

        def weight(documents: Sequence[str]) -> float:
            """Return for how many an item of these stands; for none where drawn ones do."""
            if only_drawn.issuperset(documents):
                return self.rest / len(self.drawn)
            return 0.0 if copied.issuperset(documents) else 1.0

        weights = (
            weight(each.documents) * (counts[each.name] if places else 1) for each in found.entities
        )
        most = len(corpus.documents)
        bounded = self.readings[0].grain == "document" and not places
        return int(min(round(sum(weights)), most if bounded else np.inf))


def _told(entity: Entity) -> str:
    """Return an item with what is shown beside it: readings that show other things differ."""
    shown = (f"{name}: {', '.join(values)}" for name, values in entity.shown.items())
    return "; ".join((entity.name, *shown))


def _sample(state: State, context: Context) -> tuple[BitMap, BitMap, int]:
    """Return the chunks taken by rank, those drawn at random, and how many these stand for."""
    candidates = BitMap().union(*asked_in(state, context).values())
    allowed = context.policy.trial
    if len(candidates) <= allowed:
        return candidates, BitMap(), 0
    ranked = np.array(candidates, dtype=np.int64)
    ranked = ranked[np.argsort(-likeness(state, context)[ranked], kind="stable")]
    by_rank = allowed - allowed // 2
    first, others = BitMap(ranked[:by_rank]), sorted(int(each) for each in ranked[by_rank:])
    chance = random.Random(f"{context.corpus.digest}/{state.question}")  # noqa: S311 - a sample
    return first, BitMap(chance.sample(others, allowed // 2)), len(others)


def weigh(state: State, runtime: Runtime[Context]) -> Update:
    """Make the readings executable, try them, and order what is open by how much depends on it.

    An ambiguity whose readings come to the same is settled and told of.

    Raises AmbiguousQuestion: something is open and the policy is to fail.
    """
    policy = runtime.context.policy
    if not state.ambiguities:
        return {}
    now = _weighed(state, runtime) if policy.disambiguation == "weighed" else state
    if now.ambiguities and policy.on_ambiguity == "fail":
        raise AmbiguousQuestion(_explained(now.ambiguities))
    return {
        "interpretation": now.interpretation,
        "ambiguities": now.ambiguities,
        "tried": now.tried,
        "warnings": now.warnings,
    }


def _weighed(state: State, runtime: Runtime[Context]) -> State:
    """Settle what makes no difference, once nothing else is open: until then it still may."""
    untried = {"interpretation": None, "estimate": None}
    while state.ambiguities:  # each anew: another question was settled since
        bare = tuple(
            each.reading_as([one.model_copy(update=untried) for one in each.readings])
            for each in state.ambiguities
        )
        made, stopped = executable(bare, state, runtime)
        if not (stopped or "write" in runtime.context.reasoner.abilities):
            made, told = _executed(made)
            state = replace(state, warnings=(*state.warnings, *told))
        outcomes, state = (None, state) if stopped else tried(made, state, runtime)
        if outcomes is None:
            return replace(state, ambiguities=made)
        weighed = [_with(each, outcomes) for each in made]
        if any(each.differs is not False for each in weighed):
            ordered = sorted(weighed, key=lambda each: (each.differs is False, -each.consequence))
            return replace(state, ambiguities=tuple(ordered))
        state = _settled(weighed[0], weighed, state)
    return state


def _executed(found: Sequence[Ambiguity]) -> tuple[tuple[Ambiguity, ...], tuple[str, ...]]:
    """Leave out the readings that could not be interpreted, and say so."""
    kept: list[Ambiguity] = []
    told: list[str] = []
    for each in found:
        able = tuple(one for one in each.readings if one.interpretation is not None)
        kept.append(each.reading_as(able or each.readings))
        if able and len(able) < len(each.readings):
            lost = " or ".join(one.label for one in each.readings if one not in able)
            unable = "cannot be answered without a model: it is not offered"
            told.append(f"“{each.span}” can also mean “{lost}”, which {unable}")
    return tuple(kept), tuple(told)


def _with(ambiguity: Ambiguity, outcomes: dict[str, Tried]) -> Ambiguity:
    """Note what the readings came to; a single one is left where all are executed alike."""
    told = [outcomes.get(each.model_dump_json()) for each in ambiguity.readings]
    readings = tuple(
        each.model_copy(update={"estimate": outcome.estimate}) if outcome else each
        for each, outcome in zip(ambiguity.readings, told, strict=True)
    )
    known = [outcome for outcome in told if outcome is not None]
    differs = differ(known) if len(known) == len(told) else None
    return ambiguity.reading_as(readings, differs=differs)


def _settled(idle: Ambiguity, ambiguities: Sequence[Ambiguity], state: State) -> State:
    """Take the likeliest reading of an ambiguity that makes no difference, and say so."""
    taken = idle.readings[0].interpretation
    if taken is None:
        raise QuestionError("a reading was tried that cannot be executed")
    others = tuple(each for each in ambiguities if each is not idle)
    reading = assuming(carried(state.interpreted, taken), _no_difference(idle))
    return replace(state, interpretation=reading, ambiguities=others)


def _no_difference(idle: Ambiguity) -> str:
    labels = " or ".join(each.label for each in idle.readings)
    estimate = idle.readings[0].estimate
    if len(idle.readings) == 1 or estimate is None:
        return f"“{idle.span}”: its readings are executed alike, as {labels}"
    if estimate.exact:
        return f"“{idle.span}” makes no difference here: {labels} gives the same result"
    return (
        f"“{idle.span}” made no difference to {counted(estimate.judged, 'passage')} that it was "
        f"tried on: {labels}"
    )


def _explained(found: Sequence[Ambiguity]) -> str:
    first = found[0]
    readings = " | ".join(
        reading.question + (f" ({reading.estimate.in_words})" if reading.estimate else "")
        for reading in first.readings
    )
    return f"the question is ambiguous ({first.code}, {first.span!r}); ask one of: {readings}"
