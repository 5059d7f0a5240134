"""The gold reasoner: answers from a question's annotation, so that search is seen by itself."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from agent.errors import MalformedReply
from agent.prompt_values import AlignValues, InterpretValues, JudgeValues, ObserveValues
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.reasoners.stand_in import StandIn
from agent.replies import (
    AlignReply,
    ChunkReply,
    InterpretReply,
    JudgeReply,
    ObserveReply,
    PairReply,
)
from evals.annotated.clarifying import clarified, classified, rewritten
from evals.annotated.interpreting import interpreted, interpreted_reading
from evals.annotated.planning import planned
from evals.annotated.proof import Proof, assign
from evals.names import normal_name
from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("GoldReasoner",)

R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4
_RANKED = frozenset({"semantic", "bm25"})


class GoldReasoner(StandIn):
    """Answers one question's prompts from its annotation; its words are never read.

    The conditions, their logic and the operation are the annotated ones, and so are the readings
    of an ambiguous question. A passage proves a condition if and only if it overlaps evidence for
    it; evidence without spans makes every passage of a gold document a proof, where documents are
    the answer. Filter calls are chosen by rule, and undone where a discarded passage that is shown
    proves something. It writes nothing: no records, no hypothetical passages.

    Its cost is what a model would have been sent: a call a prompt, four characters a token.
    """

    def __init__(
        self,
        record: Record,
        corpus: "Corpus",
        *,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Answer for one question; the token limits are those of the model it stands for."""
        super().__init__(
            tokens=_tokens, forms=False, context_tokens=context_tokens, reply_tokens=reply_tokens
        )
        self._record = record
        self._corpus = corpus
        self._proof = Proof(record, corpus)
        self._replies: dict[str, Callable[[Prompt], BaseModel]] = {
            "align": self._aligned,
            "clarify": clarified,
            "classify": self._classified,
            "interpret": self._interpreted,
            "judge": self._judged,
            "observe": self._observed,
            "rewrite": self._rewritten,
        }

    @property
    def name(self) -> str:
        """Say who answered."""
        return "gold"

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the annotation.

        Raises:
            MalformedReply: the annotation says nothing of such a prompt.
            QuestionError: the question is not annotated.
        """
        answer = self._replies.get(prompt.name)
        if answer is None:
            raise MalformedReply(
                f"the annotation of a question answers no {prompt.name!r} prompt: name a model"
            )
        return reply.model_validate(answer(prompt).model_dump())

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:  # noqa: ARG002
        """Choose a filter call by rule."""
        return planned(prompt)

    def _interpreted(self, prompt: Prompt) -> InterpretReply:
        """Return the question's interpretation; of an ambiguous one, the likeliest."""
        asked = prompt.values_as(InterpretValues).question
        if not self._record.readings:
            return interpreted(self._record, self._corpus)
        same = [each for each in self._record.readings if each.rewritten == asked]
        first, *_ = same or self._record.readings
        return interpreted_reading(self._record, first, self._corpus)

    def _classified(self, prompt: Prompt) -> BaseModel:
        return classified(prompt, self._record)

    def _rewritten(self, prompt: Prompt) -> BaseModel:
        return rewritten(prompt, self._record, self._corpus)

    def _aligned(self, prompt: Prompt) -> AlignReply:
        """Take names for one where the labels write them alike."""
        pairs = prompt.values_as(AlignValues).pairs
        return AlignReply(
            pairs=[
                PairReply(
                    pair=number,
                    reason="from the labels",
                    same=normal_name(left) == normal_name(right),
                )
                for number, (left, right) in enumerate(pairs, start=1)
            ]
        )

    def _judged(self, prompt: Prompt) -> JudgeReply:
        values = prompt.values_as(JudgeValues)
        conditions, passages = values.conditions, values.passages
        meant = assign(conditions, self._record.conditions)
        by_entity = values.grain == "entity"
        verdicts = {
            number: [
                entry
                for condition in conditions
                for entry in self._proof.of(
                    passage, condition.id, meant[condition.id], by_entity=by_entity
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

    def _observed(self, prompt: Prompt) -> ObserveReply:
        """Undo a call of which a discarded passage proves something; keep a ranked cut.

        A ranked cut is joined with what words keep.
        """
        values = prompt.values_as(ObserveValues)
        step, conditions = values.step, values.conditions
        meant = assign(conditions, self._record.conditions)
        lost = step.call.tool not in _RANKED and any(
            self._proof.of(each, condition.id, meant[condition.id], by_entity=False)
            for each in values.discarded or ()
            for condition in conditions
        )
        idle = not step.kept or not step.discarded
        return ObserveReply(
            summary="from the labels",
            why="it discards what proves something" if lost else "nothing shown is lost",
            verdict="again" if lost or idle else "keep",
            rollback_to=None,
        )


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
