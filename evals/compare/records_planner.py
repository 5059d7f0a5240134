"""A planner that knows the true plan: reading is seen apart from querying."""

import math
from typing import TypeVar

from pydantic import BaseModel

from agent.reasoner import Prompt, Reasoner
from agent.reasoners.stand_in import StandIn
from agent.records.query_plan import Plan
from agent.records.record_replies import QueryReply

__all__ = ("DrawnPlanner",)

R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4


class DrawnPlanner(StandIn):
    """Answers how the tables answer one question with its true plan; another answers all else."""

    def __init__(self, inner: Reasoner, plan: Plan) -> None:
        """Plan one question."""
        super().__init__(
            inner, tokens=_tokens, forms=False, context_tokens=128_000, reply_tokens=16_000
        )
        self._plan = plan

    @property
    def name(self) -> str:
        """Say who planned."""
        return "drawn"

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Give the plan, or pass the prompt on."""
        if prompt.name != "query":
            return self._inner.ask(prompt, reply)
        told = QueryReply(
            why="the plan that the question was made with",
            answerable=True,
            missing="",
            plan=self._plan,
            sql=None,
        )
        return reply.model_validate(told.model_dump())


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
