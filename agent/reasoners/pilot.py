"""A stand-in for a paid model: it costs nothing and counts what the model would be sent."""

import json
import re
import threading
from collections.abc import Sequence
from typing import Literal, TypeVar, cast

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import HeadcountError
from agent.evidence import Passage
from agent.question import Condition
from agent.reasoner import Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.reasoners.usage import estimate_tokens
from agent.replies import ChunkReply, EvidenceReply, JudgeReply

__all__ = ("Leniency", "PilotReasoner")

R = TypeVar("R", bound=BaseModel)

Leniency = Literal["strict", "inner", "lenient"]
"""Who judges: nobody, so that nothing is relevant; the inner reasoner; or whatever shares words."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_QUOTED = 120


class PilotReasoner:
    """Lets another reasoner read, plan and judge, and counts as if a paid model had done it.

    What a search reads depends on what it finds, so a pilot can judge strictly or leniently too:
    between them lies what a model that judges in earnest will be sent.
    """

    paid = True

    def __init__(
        self,
        inner: Reasoner,
        leniency: Leniency,
        *,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Stand in for a model with these limits."""
        self.name = f"pilot ({leniency})"
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self._inner = inner
        self._leniency = leniency
        self._spent = Cost()
        self._lock = threading.Lock()

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer as the inner reasoner, but for judging as leniently as was asked for."""
        judging = prompt.name == "judge" and self._leniency != "inner"
        answered = self._judged(prompt, reply) if judging else self._inner.ask(prompt, reply)
        schema = json.dumps(reply.model_json_schema())
        self._count(prompt, schema, answered.model_dump_json())
        return answered

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer the prompts one after another."""
        return [self._one(prompt, reply) for prompt in prompts]

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Leave the choice to the inner reasoner."""
        call = self._inner.choose(prompt, tools)
        offered = "".join(
            tool.description + json.dumps(tool.arguments.model_json_schema()) for tool in tools
        )
        self._count(prompt, offered, call.model_dump_json())
        return call

    def spent(self) -> Cost:
        """Return what the model would have been sent so far."""
        with self._lock:
            return self._spent

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill and against the same budget."""
        with self._lock:
            self._spent += cost

    def _one(self, prompt: Prompt, reply: type[R]) -> R | Failure:
        try:
            return self.ask(prompt, reply)
        except HeadcountError as error:
            return Failure(error)

    def _judged(self, prompt: Prompt, reply: type[R]) -> R:
        passages = cast("Sequence[Passage]", prompt.values["passages"])
        conditions = cast("Sequence[Condition]", prompt.values["conditions"])
        told = [
            ChunkReply(passage=number, reason="", evidence=_evidence(passage, conditions))
            for number, passage in enumerate(passages, start=1)
            if self._leniency == "lenient"
        ]
        found = [each for each in told if each.evidence]
        rest = set(range(1, len(passages) + 1)) - {each.passage for each in found}
        return reply.model_validate(JudgeReply(passages=found, none=sorted(rest)).model_dump())

    def _count(self, prompt: Prompt, form: str, answered: str) -> None:
        one = Cost(
            model_calls=1,
            input_tokens=estimate_tokens(prompt.text) + estimate_tokens(form),
            output_tokens=estimate_tokens(answered),
        )
        with self._lock:
            self._spent += one


def _evidence(passage: Passage, conditions: Sequence[Condition]) -> list[EvidenceReply]:
    """Take a passage for evidence of the conditions of which it has half of the words."""
    held = set(_WORD.findall(passage.text.lower()))
    return [
        EvidenceReply(
            condition=condition.id,
            entity=passage.document,
            quote=passage.text[:_QUOTED],
            certainty="certain",
            value=None,
            unit=None,
        )
        for condition in conditions
        if _half(set(_WORD.findall(condition.text.lower())), held)
    ]


def _half(wanted: set[str], held: set[str]) -> bool:
    return bool(wanted) and 2 * len(wanted & held) >= len(wanted)
