"""The gold reasoner: answers from a question's annotation, so that search is seen by itself."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from agent.cost import Budget
from agent.errors import LimitReached, MalformedReply
from agent.prompt_values import AlignValues, InterpretValues, JudgeValues, ObserveValues
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.reasoners.pilot import StandIn
from agent.replies import (
    AlignReply,
    ChunkReply,
    InterpretReply,
    JudgeReply,
    ObserveReply,
    PairReply,
)
from evals.annotated.answering import Answering, Reader, Searching
from evals.annotated.clarifying import clarified, classified, rewritten
from evals.annotated.interpreting import interpreted, interpreted_reading
from evals.annotated.planning import planned
from evals.annotated.proof import Proof, assign
from evals.annotated.skill import Chance, Skill, erring
from evals.names import normal_name
from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

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
        by_entity = values.interpretation.grain == "entity"
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


class SkillReasoner(GoldReasoner):
    """Answers one question's prompts as a model of a given skill would, offline.

    What a passage proves comes from the labels, as with the gold reasoner, and only for passages
    that the prompt shows; so does what the question means. Errors befall each task at the skill's
    rates; they depend on the seed and on the prompt's words, so that the same run makes the same
    errors.
    """

    def __init__(
        self,
        record: Record,
        corpus: "Corpus",
        *,
        skill: Skill | None = None,
        budget: Budget | None = None,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Stand for a model with these limits, for one question; the budget is the question's."""
        super().__init__(record, corpus, context_tokens=context_tokens, reply_tokens=reply_tokens)
        self._skill = skill or Skill()
        self._budget = budget or Budget()
        self._reader = Reader(record, corpus, self._judged_right, self._skill)
        answering = Answering(self._reader, self._skill)
        self._searching = Searching(self._reader, self._skill)
        self._replies = {
            **self._replies,
            "answer": answering.answer,
            "assess": self._searching.assess,
            "delegate": self._searching.delegate,
            "diversify": self._searching.diversify,
            "merge": answering.merge,
            "note": answering.note,
            "verify": self._searching.verify,
        }

    @property
    def name(self) -> str:
        """The skill in words."""
        return self._skill.name

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer, and count the request; raise LimitReached where the budget is spent."""
        self._check_budget(prompt)
        return super().ask(prompt, reply)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose, and count the request; raise LimitReached where the budget is spent."""
        self._check_budget(prompt)
        return super().choose(prompt, tools)

    def affords(self, sent: int, received: int) -> bool:
        """Tell whether the question's budget pays for so many more tokens."""
        spent, limit = self.spent(), self._budget.tokens
        return limit is None or spent.input_tokens + spent.output_tokens + sent + received <= limit

    def _check_budget(self, prompt: Prompt) -> None:
        """Refuse what the budget does not allow: a call, or the tokens of the prompt alone."""
        spent = self.spent()
        reached = self._budget.exceeded_by(spent)
        limit, ahead = self._budget.tokens, self._tokens(prompt.text)
        used = spent.input_tokens + spent.output_tokens
        if reached is None and limit is not None and used + ahead > limit:
            reached = f"tokens (limit {limit:,}, the next prompt would make it {used + ahead:,})"
        if reached is not None:
            raise LimitReached(f"The budget is spent: {reached}. Raise it to go on.")

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the annotation, and err."""
        right = super()._answered(prompt, reply)
        return reply.model_validate(self._erred(prompt, right).model_dump())

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose a call, and err."""
        return self._searching.choose(prompt, tools)

    def _erred(self, prompt: Prompt, right: BaseModel) -> BaseModel:
        chance = Chance(self._skill, prompt)
        match right:
            case JudgeReply():
                values = prompt.values_as(JudgeValues)
                return erring(
                    right,
                    values.passages,
                    values.conditions,
                    values.interpretation.grain,
                    self._skill,
                    chance,
                )
            case ObserveReply() if chance.hits(self._skill.searching, "observe"):
                return right.model_copy(update={"verdict": "keep", "rollback_to": None})
            case _:
                return right

    def _judged_right(self, prompt: Prompt) -> JudgeReply:
        """Judge without errors."""
        return super()._answered(prompt, JudgeReply)
