"""What one search answers: the question as it was read, or several readings of it."""

from dataclasses import dataclass

from agent.errors import QuestionError
from agent.question import Interpretation
from agent.state import State
from graphs.disambiguation.grouping import searched_with

__all__ = ("Served", "served")


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
    if state.interpretation is None:
        raise QuestionError("nothing to answer: the question was never read")
    if not state.readings:
        settled = bool(state.exchanges or state.codes or state.conversation)
        question = state.interpretation.text if settled else state.question
        return (Served(number=0, question=question, interpretation=state.interpretation),)
    members = searched_with(state.readings, state.reading)
    return tuple(
        Served(number=number, question=state.readings[number].question, interpretation=each)
        for number, each in enumerate(members, start=state.reading)
    )
