"""What was asked and answered before, for follow-up questions."""

from agent.ambiguity import Exchange
from agent.question import Interpretation
from agent.value import Value

__all__ = ("Turn",)


class Turn(Value):
    """One question of a conversation with its outcome."""

    question: str
    interpretation: Interpretation | None = None
    value: float | int | dict[str, float | int] | None = None
    entities: tuple[str, ...] = ()
    """Names of the first entities of the answer, at most 20."""
    exchanges: tuple[Exchange, ...] = ()
    """What was clarified: the same words are not asked about again."""
