"""A person in a model's place: reads passage after passage at a desk, and judges by hand."""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import LimitReached, QuestionError
from agent.interpretation import order_of
from agent.prompt_values import InterpretValues, JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Ability, Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.replies import JudgeReply

R = TypeVar("R", bound=BaseModel)
_ROOM: Final = 1 << 20
"""Tokens of a prompt and of a reply: no person sends any, and none limits what is shown."""


class Desk(Protocol):
    """Where a person reads: a terminal, a page, or what stands in for one in a test."""

    def judge(self, asked: Sequence[JudgeValues]) -> Sequence[JudgeReply | None]:
        """Show the passages; return a reply each, None for what the person stopped before."""


class PersonReasoner:
    """Judges by a person's verdicts; another reasoner interprets the question.

    Without another, the question is one condition as it stands: each document counts of which a
    passage answers it.
    """

    name: Final = "person"
    paid: Final = True
    abilities: Final[frozenset[Ability]] = frozenset({"judge"})
    context_tokens: Final = 2 * _ROOM
    reply_tokens: Final = _ROOM

    def __init__(self, desk: Desk, interpreter: Reasoner, *, verbatim: bool = False) -> None:
        """Read at a desk; `verbatim` takes the question as it stands."""
        self._desk = desk
        self._interpreter = interpreter
        self._verbatim = verbatim

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Judge by hand; have the other reasoner answer the rest.

        Raises:
            LimitReached: the person stopped.
            QuestionError: the task is neither to judge nor to interpret.
        """
        if isinstance(prompt.values, JudgeValues):
            judged = self.ask_many([prompt], reply)[0]
            if isinstance(judged, Failure):
                raise judged.error
            return judged
        if not (self._verbatim and isinstance(prompt.values, InterpretValues)):
            return self._interpreter.ask(prompt, reply)
        question = prompt.values.question
        reading = Interpretation(
            text=f"List the documents of which a passage answers: {question}",
            entity_type="document",
            conditions=Condition(id="c1", text=question),
            operation="list",
            assumptions=("the question is taken as one condition, as it was asked",),
        )
        return reply.model_validate(order_of(reading).model_dump())

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Put the passages of all prompts on the desk; the other reasoner answers other prompts."""
        asked = [each.values for each in prompts if isinstance(each.values, JudgeValues)]
        if len(asked) < len(prompts):
            return self._interpreter.ask_many(prompts, reply)
        stopped = Failure(LimitReached("the review was stopped"))
        return [
            stopped if each is None else reply.model_validate(each.model_dump())
            for each in self._desk.judge(asked)
        ]

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:  # noqa: ARG002
        """Raise QuestionError: a person is asked for verdicts alone."""
        raise QuestionError(f"a person cannot {prompt.name}: name a model with --model NAME")

    def spent(self) -> Cost:
        """Return what the other reasoner spent."""
        return self._interpreter.spent()
