"""A stand-in for a paid model on a dry run: it answers from words and counts what would be sent."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.english import ASKING_WORDS
from agent.errors import MalformedReply
from agent.evidence import Passage
from agent.interpretation import order_of
from agent.prompt_values import (
    AlignValues,
    ClassifyValues,
    InterpretValues,
    JudgeValues,
    ObserveValues,
    PlanValues,
    QueryValues,
)
from agent.question import Condition, Interpretation
from agent.reasoner import ALL_ABILITIES, Failure, Prompt, PromptValues, ToolCall, ToolSpec
from agent.reasoners.concurrency import answer_all
from agent.reasoners.ledger import Unlimited, estimate_tokens
from agent.records.record_replies import QueryReply
from agent.replies import (
    AlignReply,
    ChunkReply,
    ClassifyReply,
    EvidenceReply,
    InterpretReply,
    JudgeReply,
    ObserveReply,
)

R = TypeVar("R", bound=BaseModel)


class StandIn(Unlimited, ABC):
    """Counts what a model would be sent, and answers for nothing; safe in several threads."""

    paid = True
    abilities = ALL_ABILITIES

    def __init__(
        self, *, tokens: Callable[[str], int], forms: bool, context_tokens: int, reply_tokens: int
    ) -> None:
        """Stand in for a model with these limits."""
        super().__init__(context_tokens=context_tokens, reply_tokens=reply_tokens)
        self._tokens = tokens
        self._forms = forms

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer, and count the request."""
        answered = self._answered(prompt, reply)
        self._count(prompt, answered, [reply])
        return answered

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer the prompts one after another."""
        return answer_all(lambda prompt: self.ask(prompt, reply), prompts, workers=1)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose, and count the request."""
        call = self._chosen(prompt, tools)
        told = "".join(tool.description for tool in tools)
        self._count(prompt, call, [tool.arguments for tool in tools], told)
        return call

    @abstractmethod
    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Return the reply to a prompt."""

    @abstractmethod
    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Return the tool call for a prompt."""

    def _count(
        self, prompt: Prompt, answered: BaseModel, forms: Sequence[type[BaseModel]], told: str = ""
    ) -> None:
        written = self._tokens(answered.model_dump_json())
        sent = self._sent(prompt, forms, told)
        self.charge(Cost(model_calls=1, input_tokens=sent, output_tokens=written))

    def _sent(self, prompt: Prompt, forms: Sequence[type[BaseModel]], told: str = "") -> int:
        sent = self._tokens(prompt.text)
        if self._forms:
            schemas = "".join(json.dumps(form.model_json_schema()) for form in forms)
            sent += self._tokens(told + schemas)
        return sent


Leniency = Literal["strict", "lenient"]
"""How passages are judged: none is relevant, or all that share half of the question's words."""

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_QUOTED: Final = 120
"""Characters of a quote."""
_WHY: Final = "The passage states this in words close to those of the condition."
"""As long as a model's reasons."""


class PilotReasoner(StandIn):
    """Takes the question's words for one condition on documents, and passages at their words.

    How much a search reads depends on what it finds: the cost of a model lies, most likely, between
    those of a strict and of a lenient pilot. It replies to the prompts of `headcount ask` alone.
    """

    def __init__(
        self, leniency: Leniency, *, context_tokens: int = 128_000, reply_tokens: int = 4096
    ) -> None:
        """Stand in for a model with these limits."""
        super().__init__(
            tokens=estimate_tokens,
            forms=True,
            context_tokens=context_tokens,
            reply_tokens=reply_tokens,
        )
        self.name = f"pilot ({leniency})"
        self._leniency = leniency

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        answered: BaseModel | None
        match values := prompt.values:
            case InterpretValues():
                answered = _interpreted(values.question)
            case JudgeValues():
                answered = self._judged(values.passages, values.conditions)
            case _:
                answered = _FIXED.get(type(values))
        if answered is None:
            raise MalformedReply(f"a dry run has no reply to the prompt {prompt.name!r}")
        return reply.model_validate(answered.model_dump())

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:  # noqa: ARG002
        values = prompt.values
        if not isinstance(values, PlanValues):
            raise MalformedReply(f"a dry run has no tool for the prompt {prompt.name!r}")
        words = [word for each in values.conditions for word in _words(each.text)]
        if values.history or not words:
            return ToolCall(tool="finish", arguments={}, why=_WHY)
        arguments = {"words": list(dict.fromkeys(words)), "match": "any"}
        return ToolCall(tool="keywords", arguments=arguments, why=_WHY)

    def _judged(self, passages: Sequence[Passage], conditions: Sequence[Condition]) -> JudgeReply:
        found = []
        if self._leniency == "lenient":
            found = [
                ChunkReply(passage=number, reason=_WHY, evidence=evidence)
                for number, passage in enumerate(passages, start=1)
                if (evidence := _evidence(passage, conditions))
            ]
        relevant = {each.passage for each in found}
        rest = [number for number in range(1, len(passages) + 1) if number not in relevant]
        return JudgeReply(passages=found, none=rest)


_FIXED: Final[Mapping[type[PromptValues], BaseModel]] = {
    ClassifyValues: ClassifyReply(ambiguities=[]),
    ObserveValues: ObserveReply(summary=_WHY, why=_WHY, verdict="keep", rollback_to=None),
    AlignValues: AlignReply(pairs=[]),
    QueryValues: QueryReply(why=_WHY, answerable=False, missing=_WHY, plan=None, sql=None),
}
"""Replies that do not depend on the prompt: nothing is ambiguous, every filter call is kept, no
names are one, and the tables do not answer."""


def _interpreted(question: str) -> InterpretReply:
    """Take the question for a count of the documents that meet one condition, its words."""
    words = _words(question)
    condition = Condition(id="c1", text=" ".join(words)) if words else None
    return order_of(Interpretation(text=question, entity_type="document", conditions=condition))


def _evidence(passage: Passage, conditions: Sequence[Condition]) -> list[EvidenceReply]:
    """Take a passage for evidence of the conditions of which it has half of the words."""
    held = set(_words(passage.text))
    return [
        EvidenceReply(
            condition=condition.id,
            entity=passage.document,
            quote=passage.text[:_QUOTED],
            certainty="certain",
        )
        for condition in conditions
        if (wanted := set(_words(condition.text))) and 2 * len(wanted & held) >= len(wanted)
    ]


def _words(text: str) -> list[str]:
    """Return the words of a text without those of asking.

    >>> _words("How many of these leases allow a dog?")
    ['leases', 'allow', 'dog']
    """
    return [word for word in _WORD.findall(text.lower()) if word not in ASKING_WORDS]
