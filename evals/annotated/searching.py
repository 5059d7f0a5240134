"""Replies that search: tool calls, next queries, tasks, readings, verdicts on passages."""

from collections.abc import Sequence
from typing import Final

import prompts
from agent.evidence import Passage
from agent.history import Snapshot
from agent.prompt_values import PlanValues
from agent.question import atoms
from agent.reasoner import Prompt, ToolCall, ToolSpec
from evals.annotated.planning import planned
from evals.annotated.rates import Chance, Skill
from evals.annotated.reading import Reader
from evals.baselines.combining import decided_by_reading
from evals.baselines.prompts.answering import BaselineValues
from evals.baselines.replies import AssessReply, DelegateReply, DiversifyReply, VerifyReply

__all__ = ("Searching",)

_TASKS: Final = 4
_TOO_FEW: Final = 20
"""A bad filter call keeps one candidate of so many."""
_IDLE: Final = 2
"""Searches in a row without anything new after which one gives up."""
_WHY: Final = "from the labels of what was shown"


class Searching:
    """Forms the replies to the prompts of `evals.baselines.prompts.searching`, and tool calls."""

    def __init__(self, reader: Reader, skill: Skill) -> None:
        self._reader = reader
        self._skill = skill

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose the next call: by rule, or a bad one."""
        if prompt.name == "act":
            offered = {tool.name for tool in tools}
            if "search" in offered:
                return self._searched(prompt)
            asked = self._planning(prompt, offered)
        else:
            asked = prompt
        call = planned(asked)
        chance = Chance(self._skill, prompt)
        if call.tool == "finish" or not chance.hits(self._skill.searching, "call"):
            return call
        return self._bad_call(_snapshot(prompt))

    def assess(self, prompt: Prompt) -> AssessReply:
        """Grade a search by the share of its passages that state something."""
        shown, chance = _passages(prompt), Chance(self._skill, prompt)
        stating = {each.passage for each in self._reader.stated(shown, chance)}
        tried = prompt.values_as(BaselineValues).queries
        return AssessReply(
            reason=_WHY,
            quality=len(stating) / len(shown) if shown else 0.0,
            query=self._reader.next_query(tried, chance),
        )

    def delegate(self, _: Prompt) -> DelegateReply:
        """Give each condition to a worker; a single one by several of its wordings."""
        conditions = decided_by_reading(self._reader.unaided)
        told = [each.text for each in conditions] if len(conditions) > 1 else self._reader.queries
        return DelegateReply(reason="a task a condition", tasks=list(told[:_TASKS]))

    def diversify(self, prompt: Prompt) -> DiversifyReply:
        """Put the question in other words, as far as the reading has any."""
        number = prompt.values_as(BaselineValues).number
        return DiversifyReply(readings=list(self._reader.queries[1 : number + 1]))

    def verify(self, prompt: Prompt) -> VerifyReply:
        """Take the passages that state something for useful."""
        shown = _passages(prompt)
        stated = self._reader.stated(shown, Chance(self._skill, prompt))
        needed = {each.id for each in decided_by_reading(self._reader.unaided)}
        seen = {each.condition for each in stated}
        whole = needed <= seen
        return VerifyReply(
            reason=_WHY,
            useful=sorted({each.passage for each in stated}),
            verdict="useful" if whole else "partly" if seen else "useless",
        )

    def _searched(self, prompt: Prompt) -> ToolCall:
        history = prompt.values_as(BaselineValues).history
        tried = [str(step.call.arguments.get("query", "")) for step in history]
        idle = [step for step in history[-_IDLE:] if not step.kept]
        query = self._reader.next_query(tried, Chance(self._skill, prompt))
        if query is None or len(idle) == _IDLE:
            return ToolCall(tool="finish", arguments={}, why="nothing new is to be expected")
        return ToolCall(tool="search", arguments={"query": query}, why="not searched for yet")

    def _planning(self, prompt: Prompt, offered: set[str]) -> Prompt:
        """Put the choice of a filter as the main graph puts it."""
        reading = self._reader.reading
        every = list(atoms(reading.conditions))
        return prompts.plan(
            interpretation=reading,
            conditions=[each for each in every if each.predicate is None],
            history=prompt.values_as(BaselineValues).history,
            snapshot=_snapshot(prompt),
            corpus=self._reader.corpus,
            decided=[each.id for each in every if each.predicate is not None],
            tools=sorted(offered),
        )

    def _bad_call(self, snapshot: Snapshot) -> ToolCall:
        """Return a call that keeps far too little, by the name of the thing asked for."""
        kept = max(1, snapshot.kept // _TOO_FEW)
        query = self._reader.unaided.entity_type
        return ToolCall(tool="bm25", arguments={"query": query, "best": kept}, why="a bad guess")


def _snapshot(prompt: Prompt) -> Snapshot:
    match prompt.values:
        case PlanValues(snapshot=snapshot) | BaselineValues(snapshot=Snapshot() as snapshot):
            return snapshot
    raise TypeError(f"the prompt {prompt.name!r} holds no snapshot")


def _passages(prompt: Prompt) -> Sequence[Passage]:
    return prompt.values_as(BaselineValues).shown
