"""A stand-in for a paid model: it costs nothing and counts what the model would be sent."""

import re
from collections.abc import Sequence
from typing import Literal, TypeVar

from pydantic import BaseModel

from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition
from agent.reasoner import Prompt, Reasoner
from agent.reasoners.ledger import estimate_tokens
from agent.reasoners.stand_in import StandIn
from agent.replies import ChunkReply, EvidenceReply, JudgeReply

__all__ = ("Leniency", "PilotReasoner")

R = TypeVar("R", bound=BaseModel)

Leniency = Literal["strict", "inner", "lenient"]
"""Who judges: nobody, so that nothing is relevant; the inner reasoner; or whatever shares words."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_QUOTED = 120


class PilotReasoner(StandIn):
    """Lets another reasoner read, plan and judge, and counts as if a paid model had done it.

    What a search reads depends on what it finds, so a pilot can judge strictly or leniently too:
    between them lies what a model that judges in earnest will be sent.
    """

    def __init__(
        self,
        inner: Reasoner,
        leniency: Leniency,
        *,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Stand in for a model with these limits."""
        super().__init__(
            inner,
            tokens=estimate_tokens,
            forms=True,
            context_tokens=context_tokens,
            reply_tokens=reply_tokens,
        )
        self.name = f"pilot ({leniency})"
        self._leniency = leniency

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer as the inner reasoner, but for judging as leniently as was asked for."""
        judging = prompt.name == "judge" and self._leniency != "inner"
        return self._judged(prompt, reply) if judging else self._inner.ask(prompt, reply)

    def _judged(self, prompt: Prompt, reply: type[R]) -> R:
        values = prompt.values_as(JudgeValues)
        passages, conditions = values.passages, values.conditions
        told = [
            ChunkReply(passage=number, reason="", evidence=_evidence(passage, conditions))
            for number, passage in enumerate(passages, start=1)
            if self._leniency == "lenient"
        ]
        found = [each for each in told if each.evidence]
        rest = set(range(1, len(passages) + 1)) - {each.passage for each in found}
        return reply.model_validate(JudgeReply(passages=found, none=sorted(rest)).model_dump())


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
