"""branch: every reading of an ambiguous question; reread: the search for the next ones."""

from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from agent.ambiguity import Ambiguity, Reading
from agent.errors import LimitReached, QuestionError
from agent.interpretation import numbered, union
from agent.state import State, Update
from graphs.context import Context
from graphs.disambiguation import (
    assuming,
    choosing,
    different,
    executable,
    grouped,
    reread_as,
    searched_with,
)
from graphs.nodes.classify import assumed
from graphs.runs.run_entry import enter, graph_version


def branch(state: State, runtime: Runtime[Context]) -> Update:
    """Put together the readings to be answered side by side.

    Several ambiguities multiply; one that would make too many is read in its likeliest sense.
    """
    first, *others = state.ambiguities
    executed, stopped = executable([first], state, runtime)
    made = (*executed, *others)
    if stopped:
        return {"ambiguities": made, "stopped": stopped}
    readings: list[Reading] = []
    for ambiguity in made:
        opened, stopped = _opened(ambiguity, readings, state, runtime)
        if stopped:
            return {"stopped": stopped, "ambiguities": ()}
        readings = opened
    usable = [each for each in readings if each.interpretation is not None]
    if not usable:
        raise QuestionError("no reading could be read in its sense: ask with another policy")
    return {
        "readings": _in_order(different(usable)),
        "ambiguities": (),
        "warnings": (*state.warnings, *_left_out(made, readings, runtime)),
    }


def reread(state: State, runtime: Runtime[Context]) -> Update:
    """Take up the readings that the next search serves, with a clean slate."""
    context, number = runtime.context, state.answered
    served = searched_with(state.readings, number)
    for place in range(number, number + len(served)):
        question = state.readings[place].question
        enter(f"{state.run}.{place}", question, context, graph_version())
    return {
        "interpretation": union(served),
        "reading": number,
        "snapshot": "",
        "call": None,
        "history": (),
        "rounds": (),
        "audits": (),
        "batches": 0,
        "judged_batches": 0,
    }


def first_of_searches(readings: Sequence[Reading], end: int) -> list[int]:
    """Return the numbers, below `end`, of the readings that a search began with; 0 is one."""
    every = [each.interpretation for each in readings if each.interpretation is not None]
    firsts = [group[0] for group in grouped(every)] or [0]
    return [each for each in firsts if each < end]


def _left_out(
    made: Sequence[Ambiguity], readings: Sequence[Reading], runtime: Runtime[Context]
) -> list[str]:
    """Name the readings that are not answered."""
    told = [
        f"a reading could not be read in its sense and is left out: {each.question}"
        for each in readings
        if each.interpretation is None
    ]
    beyond = len(made[0].readings) - runtime.context.policy.max_readings
    if beyond > 0:
        told.append(f"{beyond} of the readings are left out: max_readings allows no more")
    return told


def _opened(
    ambiguity: Ambiguity, readings: Sequence[Reading], state: State, runtime: Runtime[Context]
) -> tuple[list[Reading], str]:
    """Open every reading so far in every sense of one more ambiguity."""
    most = runtime.context.policy.max_readings
    if not readings:
        return list(ambiguity.readings[:most]), ""
    senses = range(1, len(ambiguity.readings) + 1)
    chosen = senses if len(readings) * len(senses) <= most else senses[:1]
    opened = []
    for reading in readings:
        if reading.interpretation is None:
            opened.append(reading)
            continue
        base = replace(state, interpretation=reading.interpretation)
        for sense in chosen:
            try:
                read = reread_as(choosing(ambiguity, sense), base, runtime)
            except LimitReached as limit:
                return [], str(limit)
            if len(chosen) == 1:
                read = assuming(read, assumed(ambiguity))
            label = f"{reading.label}; {ambiguity.readings[sense - 1].label}"
            opened.append(Reading(label=label, question=read.text, interpretation=read))
    return opened, ""


def _in_order(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Put the readings of one search side by side, and name equal conditions alike in them."""
    every = [each.interpretation for each in readings if each.interpretation is not None]
    ordered = []
    for members in grouped(every):
        shared = numbered([every[each] for each in members])
        ordered += [
            readings[each].model_copy(update={"interpretation": reading})
            for each, reading in zip(members, shared, strict=True)
        ]
    return tuple(ordered)
