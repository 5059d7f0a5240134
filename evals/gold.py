"""The gold reasoner: judges from the labels, so that search loss is seen apart from judgement."""

import math
import threading
from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import HeadcountError
from agent.evidence import Passage
from agent.question import Condition
from agent.reasoner import Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.labels import assign
from evals.proof import Proof
from evals.questions import Record
from evals.spans import Texts

__all__ = ("GoldReasoner",)

R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4


class GoldReasoner:
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
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self.paid = True
        self._inner = inner
        self._record = record
        self._proof = Proof(record, corpus)
        self._spent = Cost()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Say who judged."""
        return "gold"

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Judge from the labels, or pass the prompt on."""
        if prompt.name != "judge" or not self._proof.decides:
            answered = self._inner.ask(prompt, reply)
        else:
            answered = reply.model_validate(self._judged(prompt).model_dump())
        self._count(prompt, answered.model_dump_json())
        return answered

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer the prompts one after another."""
        return [self._one(prompt, reply) for prompt in prompts]

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Leave the choice to the inner reasoner."""
        call = self._inner.choose(prompt, tools)
        self._count(prompt, call.model_dump_json())
        return call

    def spent(self) -> Cost:
        """Return what a model would have been sent so far."""
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

    def _judged(self, prompt: Prompt) -> JudgeReply:
        values = prompt.values
        conditions = cast("Sequence[Condition]", values["conditions"])
        passages = cast("Sequence[Passage]", values["passages"])
        meant = assign(conditions, self._record.conditions)
        by_entity = values["grain"] == "entity"
        seen = self._seen_by_inner(prompt) if by_entity or values["measure"] is not None else {}
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

    def _count(self, prompt: Prompt, answered: str) -> None:
        one = Cost(
            model_calls=1,
            input_tokens=math.ceil(len(prompt.text) / _CHARACTERS_PER_TOKEN),
            output_tokens=math.ceil(len(answered) / _CHARACTERS_PER_TOKEN),
        )
        with self._lock:
            self._spent += one
