"""What was asked and answered before, for follow-up questions."""

from pydantic import BaseModel, ConfigDict

from agent.question import Interpretation

__all__ = ("Turn",)


class Turn(BaseModel):
    """One question of a conversation with its outcome."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    interpretation: Interpretation | None = None
    value: float | int | dict[str, float | int] | None = None
    entities: tuple[str, ...] = ()
    """Names of the first entities of the answer, at most 20."""
