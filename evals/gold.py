"""The gold reasoner: judges from the labels, so that search loss is seen apart from judgement."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from agent.prompt_values import JudgeValues
from agent.reasoner import Prompt, Reasoner
from agent.reasoners.stand_in import StandIn
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.labels import assign
from evals.proof import Proof
from evals.questions import Record
from evals.spans import Texts

__all__ = ("GoldReasoner",)

R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4


class GoldReasoner(StandIn):
    """Judges passages from one question's labels and leaves everything else to another reasoner.

    A passage proves a condition if and only if it overlaps evidence for it. Evidence without
    spans makes every passage of a gold document a proof, where documents are the answer; else
    there is nothing to judge from and the inner reasoner judges too. The inner reasoner also
    names entities and reads numbers, where the question is not about whole documents.

    Its cost is what a model would have been sent: a call a prompt, four characters a token.
    """

    def __init__(
        self,
        inner: Reasoner,
        record: Record,
        corpus: Texts,
        *,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Judge one question; the token limits are those of the model it stands for."""
        super().__init__(
            inner,
            tokens=_tokens,
            forms=False,
            context_tokens=context_tokens,
            reply_tokens=reply_tokens,
        )
        self._record = record
        self._proof = Proof(record, corpus)

    @property
    def name(self) -> str:
        """Say who judged."""
        return "gold"

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Judge from the labels, or pass the prompt on."""
        if prompt.name != "judge" or not self._proof.decides:
            return self._inner.ask(prompt, reply)
        return reply.model_validate(self._judged(prompt).model_dump())

    def _judged(self, prompt: Prompt) -> JudgeReply:
        values = prompt.values_as(JudgeValues)
        conditions, passages = values.conditions, values.passages
        meant = assign(conditions, self._record.conditions)
        by_entity = values.grain == "entity"
        seen = self._seen_by_inner(prompt) if by_entity or values.measure is not None else {}
        verdicts = {
            number: [
                entry
                for condition in conditions
                for entry in self._proof.of(
                    passage,
                    condition.id,
                    meant[condition.id],
                    seen.get(number, ()),
                    by_entity=by_entity,
                )
            ]
            for number, passage in enumerate(passages, start=1)
        }
        return JudgeReply(
            passages=[
                ChunkReply(passage=number, reason="from the labels", evidence=evidence)
                for number, evidence in verdicts.items()
                if evidence
            ],
            none=[number for number, evidence in verdicts.items() if not evidence],
        )

    def _seen_by_inner(self, prompt: Prompt) -> Mapping[int, Sequence[EvidenceReply]]:
        """Return what the inner reasoner finds in each passage, for its names and numbers."""
        reply = self._inner.ask(prompt, JudgeReply)
        return {chunk.passage: chunk.evidence for chunk in reply.passages}


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
