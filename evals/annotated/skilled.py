"""The reasoner of controlled skill: it knows the labels of what a prompt shows it, and no more."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from agent.cost import Budget
from agent.errors import LimitReached
from agent.prompt_values import JudgeValues
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.replies import JudgeReply, ObserveReply
from evals.annotated.answering import Answering, Reader, Searching
from evals.annotated.gold import GoldReasoner
from evals.annotated.skill import Chance, Skill, erring
from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("SkillReasoner",)

R = TypeVar("R", bound=BaseModel)


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
                    values.grain,
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
