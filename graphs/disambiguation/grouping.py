"""Which readings of a question one search serves."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.ambiguity import Reading
from agent.interpretation import together
from agent.question import Interpretation
from agent.state import State


def grouped(readings: Sequence[Interpretation]) -> list[list[int]]:
    """Return the numbers of the readings that one search serves, in order of their first."""
    groups: list[list[int]] = []
    for place, reading in enumerate(readings):
        for group in groups:
            if together(readings[group[0]], reading):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def searched_with(readings: Sequence[Reading], first: int) -> tuple[Interpretation, ...]:
    """Return the readings that one search serves, from the first of them on."""
    every = [each.interpretation for each in readings if each.interpretation is not None]
    (members, *_) = [group for group in grouped(every) if group[0] == first]
    return tuple(every[each] for each in members)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One reading that the search at hand answers."""

    number: int
    question: str
    interpretation: Interpretation


def served(state: State) -> tuple[Served, ...]:
    """Return the readings that the search at hand answers, in order.

    Where words of the question were settled, assumed, or taken from the conversation, the reading
    says them; else the question itself is the most exact wording.

    Raises:
        QuestionError: the question was never read.
    """
    if not state.readings:
        settled = bool(state.exchanges or state.codes or state.conversation)
        question = state.interpreted.text if settled else state.question
        return (Served(number=0, question=question, interpretation=state.interpreted),)
    members = searched_with(state.readings, state.reading)
    return tuple(
        Served(number=number, question=state.readings[number].question, interpretation=each)
        for number, each in enumerate(members, start=state.reading)
    )
