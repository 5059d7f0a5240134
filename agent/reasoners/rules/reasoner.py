"""The embedded reasoner: every prompt's name has a function of its values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from threading import Lock
from time import monotonic
from typing import Final, TypeVar

from pydantic import BaseModel

from agent.cost import Budget, Cost
from agent.errors import HeadcountError, LimitReached, MalformedReply
from agent.reasoner import ALL_ABILITIES, Failure, Prompt, ToolCall, ToolSpec
from agent.reasoners.ledger import estimate_tokens

__all__ = ("RulesReasoner",)

R = TypeVar("R", bound=BaseModel)
Answer = Callable[[Mapping[str, object]], BaseModel]


class RulesReasoner:
    """A reasoner without a model: deterministic, offline, free of charge.

    A limit of calls or seconds holds for it too; one of money never binds.
    """

    name: Final = "rules"
    reply_tokens: Final = 2000
    context_tokens: Final = 8000
    paid: Final = False
    abilities: Final = ALL_ABILITIES

    def __init__(self, budget: Budget | None = None, already_spent: Cost | None = None) -> None:
        self._budget = (budget or Budget()).model_copy(update={"usd": None})
        self._spent = already_spent or Cost()
        self._lock = Lock()

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the prompt's values.

        Raises:
            LimitReached: the budget is spent.
            MalformedReply: there are no rules for the prompt.
        """
        answered = self._timed(prompt)
        if not isinstance(answered, reply):
            raise MalformedReply(
                f"the rules answer {prompt.name!r} with {type(answered).__name__}, "
                f"not with {reply.__name__}"
            )
        return answered

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer all prompts in order; a failure stands in its own place."""
        return [self._kept(prompt, reply) for prompt in prompts]

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose one of the tools offered."""
        answered = self._timed(prompt)
        if not isinstance(answered, ToolCall):
            raise MalformedReply(f"the rules choose no tool for {prompt.name!r}")
        if answered.tool not in {tool.name for tool in tools}:
            raise MalformedReply(f"the rules chose {answered.tool!r}, which is not offered")
        return answered

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:  # noqa: ARG002
        """Estimate the prompt's tokens."""
        return estimate_tokens(prompt.text)

    def affords(self, sent: int, received: int) -> bool:  # noqa: ARG002
        """Tell that any tokens are within the budget: nothing is paid for."""
        return True

    def spent(self) -> Cost:
        """Return the calls and seconds so far, earlier ones included; tokens and money are nil."""
        return self._spent

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill and against the same budget."""
        with self._lock:
            self._spent += cost

    def _kept(self, prompt: Prompt, reply: type[R]) -> R | Failure:
        try:
            return self.ask(prompt, reply)
        except HeadcountError as error:
            return Failure(error)

    def _timed(self, prompt: Prompt) -> BaseModel:
        rule = _rule(prompt.name)
        reached = self._budget.exceeded_by(self.spent())
        if reached is not None:
            raise LimitReached(reached)
        started = monotonic()
        answered = rule(
            {each.name: getattr(prompt.values, each.name) for each in fields(prompt.values)}
        )
        with self._lock:
            self._spent += Cost(model_calls=1, seconds=monotonic() - started)
        return answered


def _rule(name: str) -> Answer:
    """Return the function for a prompt; imported here, so that loading the reasoner is quick."""
    from agent.reasoners.rules.aligning.align import align
    from agent.reasoners.rules.ambiguity.classify import classify
    from agent.reasoners.rules.clarifying.clarify import clarify
    from agent.reasoners.rules.clarifying.rewrite import rewrite
    from agent.reasoners.rules.judging.judge import judge
    from agent.reasoners.rules.reading.interpret import interpret
    from agent.reasoners.rules.records.analyse import analyse
    from agent.reasoners.rules.records.extract import extract
    from agent.reasoners.rules.records.induce import induce
    from agent.reasoners.rules.records.query import query
    from agent.reasoners.rules.searching.observe import observe
    from agent.reasoners.rules.searching.plan import choose
    from agent.reasoners.rules.senses.decompose import decompose
    from agent.reasoners.rules.senses.gate import gate
    from agent.reasoners.rules.senses.hypothesise import hypothesise
    from agent.reasoners.rules.senses.synthesise import synthesise

    rules: dict[str, Answer] = {
        "align": align,
        "analyse": analyse,
        "clarify": clarify,
        "classify": classify,
        "decompose": decompose,
        "extract": extract,
        "extract-repair": extract,
        "gate": gate,
        "hypothesise": hypothesise,
        "induce": induce,
        "induce-mend": induce,
        "induce-refine": induce,
        "interpret": interpret,
        "judge": judge,
        "observe": observe,
        "plan": choose,
        "query": query,
        "rewrite": rewrite,
        "synthesise": synthesise,
    }
    if name not in rules:
        raise MalformedReply(f"the rules know no prompt {name!r}, only {sorted(rules)}")
    return rules[name]
