"""weigh: try the readings of each ambiguity; what makes no difference is nobody's trouble."""

from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from agent.ambiguity import Ambiguity
from agent.errors import AmbiguousQuestion, LimitReached, ModelError, QuestionError
from agent.state import State, Update
from agent.value import counted
from graphs.context import Context
from graphs.disambiguation.overlapping import outer_first
from graphs.disambiguation.readings import assuming, carried, executable, read_as
from graphs.trial import Tried, differ, tried

_UNABLE = "cannot be answered without a model: it is not offered"


def weigh(state: State, runtime: Runtime[Context]) -> Update:
    """Make the readings executable, try them, and order what is open by how much depends on it.

    An ambiguity whose readings come to the same is settled and told of; so is one that was
    clarified earlier in the conversation. Where a limit is reached, what is open is not weighed:
    whatever comes next meets the limit too.

    Raises:
        AmbiguousQuestion: something is open and the policy is to fail.
    """
    policy = runtime.context.policy
    if state.interpretation is None:
        raise QuestionError("nothing to weigh: the question was never read")
    if not state.ambiguities:
        return {}
    now = _as_said_before(state, runtime)
    now = replace(now, ambiguities=outer_first(now.ambiguities))
    if policy.disambiguation == "weighed":
        now = _weighed(now, runtime)
    if now.ambiguities and policy.on_ambiguity == "fail":
        raise AmbiguousQuestion(_explained(now.ambiguities))
    return {
        "interpretation": now.interpretation,
        "ambiguities": now.ambiguities,
        "warnings": now.warnings,
    }


def _weighed(state: State, runtime: Runtime[Context]) -> State:
    """Settle what makes no difference, once nothing else is open: until then it still may."""
    while state.ambiguities:
        bare = tuple(_untried(each) for each in state.ambiguities)
        made, stopped = executable(bare, state, runtime)
        if not (stopped or "write" in runtime.context.reasoner.abilities):
            made, told = _executed(made)
            state = replace(state, warnings=(*state.warnings, *told))
        outcomes = None if stopped else _tried(made, state, runtime)
        if outcomes is None:
            return replace(state, ambiguities=made)
        weighed = [_with(each, outcomes) for each in made]
        if any(each.differs is not False for each in weighed):
            ordered = sorted(weighed, key=lambda each: (each.differs is False, -each.consequence))
            return replace(state, ambiguities=outer_first(ordered))
        state = _settled(weighed[0], weighed, state)
    return state


def _executed(found: Sequence[Ambiguity]) -> tuple[tuple[Ambiguity, ...], tuple[str, ...]]:
    """Leave out the readings that could not be interpreted, and say so."""
    kept: list[Ambiguity] = []
    told: list[str] = []
    for each in found:
        able = tuple(one for one in each.readings if one.interpretation is not None)
        kept.append(each.model_copy(update={"readings": able or each.readings}))
        if able and len(able) < len(each.readings):
            lost = " or ".join(one.label for one in each.readings if one not in able)
            told.append(f"“{each.span}” can also mean “{lost}”, which {_UNABLE}")
    return tuple(kept), tuple(told)


def _tried(
    ambiguities: Sequence[Ambiguity], state: State, runtime: Runtime[Context]
) -> dict[str, Tried] | None:
    """Try all executable readings at once; None where a limit ended it."""
    readings = {
        each.model_dump_json(): each.interpretation
        for ambiguity in ambiguities
        for each in ambiguity.readings
        if each.interpretation is not None
    }
    outcomes = tried(list(readings.values()), state, runtime)
    return None if outcomes is None else dict(zip(readings, outcomes, strict=True))


def _with(ambiguity: Ambiguity, outcomes: dict[str, Tried]) -> Ambiguity:
    """Note what the readings came to; a single one is left where all are executed alike."""
    told = [outcomes.get(each.model_dump_json()) for each in ambiguity.readings]
    readings = tuple(
        each.model_copy(update={"estimate": outcome.estimate}) if outcome else each
        for each, outcome in zip(ambiguity.readings, told, strict=True)
    )
    known = [outcome for outcome in told if outcome is not None]
    differs = differ(known) if len(known) == len(told) else None
    return ambiguity.model_copy(update={"readings": readings, "differs": differs})


def _settled(idle: Ambiguity, ambiguities: Sequence[Ambiguity], state: State) -> State:
    """Take the likeliest reading of an ambiguity that makes no difference, and say so."""
    taken = idle.readings[0].interpretation
    if taken is None:
        raise QuestionError("a reading was tried that cannot be executed")
    others = tuple(each for each in ambiguities if each is not idle)
    reading = carried(state.interpretation, taken)
    return replace(
        state, interpretation=assuming(reading, _no_difference(idle)), ambiguities=others
    )


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


def _as_said_before(state: State, runtime: Runtime[Context]) -> State:
    """Take from the conversation what was clarified there about the same words.

    Only a chosen option is taken over, by its label: words of one's own, and the rest of an
    option, were about another question.
    """
    said = {
        (exchange.asked.code, exchange.asked.span.casefold()): exchange.chosen
        for turn in state.conversation
        for exchange in turn.exchanges
    }
    for ambiguity in state.ambiguities:
        option = said.get((ambiguity.code, ambiguity.span.casefold()))
        if option is not None:
            state = _repeated(ambiguity, option.label, state, runtime)
    return state


def _repeated(ambiguity: Ambiguity, label: str, state: State, runtime: Runtime[Context]) -> State:
    """Choose the reading with the label of the one chosen before; none is asked about again."""
    labels = [each.label.casefold() for each in ambiguity.readings]
    if label.casefold() not in labels:
        return state
    choice = labels.index(label.casefold()) + 1
    try:
        reading = read_as(ambiguity, choice, state, runtime)
    except LimitReached:
        return state
    except ModelError as error:
        told = f"what “{ambiguity.span}” meant before could not be taken over: {error}"
        return replace(state, warnings=(*state.warnings, told))
    return replace(
        state,
        interpretation=assuming(reading, f"“{ambiguity.span}” as clarified before: {label}"),
        ambiguities=tuple(each for each in state.ambiguities if each is not ambiguity),
    )


def _untried(ambiguity: Ambiguity) -> Ambiguity:
    """Forget how readings were executed: another question was settled since."""
    new = {"interpretation": None, "estimate": None}
    bare = tuple(each.model_copy(update=new) for each in ambiguity.readings)
    return ambiguity.model_copy(update={"readings": bare, "differs": None})


def _explained(found: Sequence[Ambiguity]) -> str:
    first = found[0]
    readings = " | ".join(
        reading.question + (f" ({reading.estimate.in_words})" if reading.estimate else "")
        for reading in first.readings
    )
    return f"the question is ambiguous ({first.code}, {first.span!r}); ask one of: {readings}"
