"""Replies to the baselines' prompts: answers from passages, nothing or notes, and searches."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import prompts
from agent.evidence import Evidence, Finding, Passage
from agent.history import Snapshot
from agent.interpretation import interpretation_from
from agent.prompt_values import JudgeValues, PlanValues
from agent.question import Interpretation, atoms
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.replies import EvidenceReply, JudgeReply, QuotedReply
from evals.annotated.interpreting import interpreted
from evals.annotated.planning import planned
from evals.annotated.skill import Chance, Skill, erring
from evals.baselines.baseline_prompts import (
    AnswerReply,
    AssessReply,
    BaselineValues,
    DiversifyReply,
    ItemReply,
    MergedReply,
    MergeReply,
    NoteReply,
    VerifyReply,
)
from evals.baselines.combining import combined, decided_by_reading, unaided
from evals.questions import Record
from tools.computation import Computed
from tools.corpus.corpus import Corpus

PRIOR: Final = 10.0
"""What is guessed of a count that nothing is known of: the middle, in magnitude, of 1 to 100."""
_WHY: Final = "from the labels of what was shown"
_TOO_FEW: Final = 20
"""A bad filter call keeps one candidate of so many."""
_IDLE: Final = 2
"""Searches in a row without anything new after which one gives up."""


@dataclass(frozen=True, eq=False)
class Answering:
    """Forms the replies to the prompts of `evals.baselines.baseline_prompts`, and tool calls.

    What a prompt shows is read as a judging prompt is, and put together by code.

    So it understands a question exactly as well as the main graph does with the same reasoner:
    what differs between systems is what they show it.
    """

    record: Record
    corpus: Corpus
    judge: Callable[[Prompt], JudgeReply]
    """Gives the right verdicts on a judging prompt."""
    skill: Skill

    @cached_property
    def reading(self) -> Interpretation:
        """The question as it is annotated; raises QuestionError where it is not annotated."""
        fields = [field.name for field in self.corpus.fields]
        return interpretation_from(interpreted(self.record, self.corpus), fields)

    @cached_property
    def unaided(self) -> Interpretation:
        """The question for somebody who sees no metadata but what the passages hold."""
        return unaided(self.reading)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """What one may search for, in order: the question, its conditions, their other words."""
        conditions = decided_by_reading(self.unaided)
        told = [
            self.record.question,
            *(each.text for each in conditions),
            *("; ".join([*each.terms, *each.counts]) for each in conditions),
            *(f"{self.unaided.entity_type}: {each.text}" for each in conditions),
        ]
        return tuple(dict.fromkeys(each for each in told if each.strip()))

    def _next_query(self, tried: Sequence[str], chance: Chance) -> str | None:
        """Return what was not searched for yet, at times a vague one; None where nothing is left.

        The vague one is the name of the thing asked for alone.
        """
        vague = self.unaided.entity_type
        if vague not in tried and chance.hits(self.skill.searching, "query"):
            return vague
        return next((each for each in self.queries if each not in tried), None)

    def _stated(self, passages: Sequence[Passage], chance: Chance) -> list[Finding]:
        """Return what the passages state, errors of the skill included."""
        if not passages:
            return []
        values = JudgeValues(
            question=self.unaided.text,
            interpretation=self.unaided,
            conditions=decided_by_reading(self.unaided),
            passages=passages,
        )
        reply = erring(self.judge(prompts.judge(values)), values, chance)
        return [
            _finding(entry, passages[each.passage - 1])
            for each in reply.passages
            for entry in each.evidence
        ]

    def _together(
        self, stated: Sequence[Finding], passages: Sequence[Passage]
    ) -> tuple[dict[str, list[Finding]], Computed]:
        """Return what satisfies the question by what was stated."""
        documents = dict.fromkeys(each.document for each in passages)
        return combined(self.unaided, stated, list(documents))

    def answer(self, prompt: Prompt) -> AnswerReply:
        """Answer from the passages shown; without any, guess."""
        if prompt.values_as(BaselineValues).passages is None:
            counted = self.unaided.operation == "count"
            return AnswerReply(
                reason="a guess", items=[], value=PRIOR if counted else None, unit=None
            )
        shown, chance = _passages(prompt), Chance(self.skill, prompt)
        found, computed = self._together(self._stated(shown, chance), shown)
        return AnswerReply(
            reason=_WHY,
            items=[self._item(name, told, shown) for name, told in found.items()],
            value=self._value(found, computed, chance),
            unit=computed.unit,
        )

    def note(self, prompt: Prompt) -> NoteReply:
        """Note whatever the passages state of any condition, and what to search for next."""
        shown, chance = _passages(prompt), Chance(self.skill, prompt)
        values = prompt.values_as(BaselineValues)
        known = {each.quote for note in values.notes for each in note.evidence}
        new: dict[str, list[Finding]] = {}
        for each in self._stated(shown, chance):
            if each.quote not in known:
                new.setdefault(each.entity, []).append(each)
        return NoteReply(
            items=[self._item(name, found, shown) for name, found in new.items()],
            query=self._next_query(values.queries, chance),
        )

    def merge(self, prompt: Prompt) -> MergeReply:
        """Answer from the quotes of notes, read as passages."""
        notes = enumerate(prompt.values_as(BaselineValues).notes, start=1)
        chance = Chance(self.skill, prompt)
        shown = [_as_passage(quote, number) for number, note in notes for quote in note.evidence]
        found, computed = self._together(self._stated(shown, chance), shown)
        return MergeReply(
            reason=_WHY,
            items=[
                MergedReply(
                    name=self._shown(name),
                    notes=list(dict.fromkeys(each.chunk for each in told)),
                )
                for name, told in found.items()
            ],
            value=self._value(found, computed, chance),
            unit=computed.unit,
        )

    def _item(self, name: str, told: Sequence[Finding], shown: Sequence[Passage]) -> ItemReply:
        """Return an item with its quotes; a document that states nothing is shown by a passage."""
        place = _places(shown)
        evidence = [QuotedReply(passage=place[each.chunk], quote=each.quote) for each in told]
        if not evidence:
            first = next(each for each in shown if each.document == name)
            evidence = [QuotedReply(passage=place[first.chunk], quote="")]
        return ItemReply(name=self._shown(name), evidence=evidence)

    def _shown(self, name: str) -> str:
        """Return a document's title, as a prompt shows it; other names as they are."""
        if self.unaided.grain != "document":
            return name
        corpus = self.corpus
        return corpus.titles[corpus.document_index(name)]

    def _value(self, found: Iterable[str], computed: Computed, chance: Chance) -> float | None:
        value = computed.value
        if isinstance(value, Mapping) or value is None:
            return None
        if self.unaided.operation == "count":
            return float(value) + sum(self._slip(name, chance) for name in found)
        return None if self.unaided.operation == "list" else float(value)

    def _slip(self, name: str, chance: Chance) -> int:
        """Return -1 where an item is passed over in counting, 1 where it is counted twice."""
        if not chance.hits(self.skill.counting, "count", name):
            return 0
        return -1 if chance.hits(0.5, "slip", name) else 1

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
        chance = Chance(self.skill, prompt)
        if call.tool == "finish" or not chance.hits(self.skill.searching, "call"):
            return call
        return self._bad_call(_snapshot(prompt))

    def assess(self, prompt: Prompt) -> AssessReply:
        """Grade a search by the share of its passages that state something."""
        shown, chance = _passages(prompt), Chance(self.skill, prompt)
        stating = {each.chunk for each in self._stated(shown, chance)}
        query = self._next_query(prompt.values_as(BaselineValues).queries, chance)
        quality = len(stating) / len(shown) if shown else 0.0
        return AssessReply(reason=_WHY, quality=quality, query=query)

    def diversify(self, prompt: Prompt) -> DiversifyReply:
        """Put the question in other words, as far as the reading has any."""
        last = prompt.values_as(BaselineValues).number + 1
        return DiversifyReply(readings=list(self.queries[1:last]))

    def verify(self, prompt: Prompt) -> VerifyReply:
        """Take the passages that state something for useful."""
        shown = _passages(prompt)
        stated = self._stated(shown, Chance(self.skill, prompt))
        seen = {each.condition for each in stated}
        whole = {each.id for each in decided_by_reading(self.unaided)} <= seen
        return VerifyReply(
            reason=_WHY,
            useful=sorted({_places(shown)[each.chunk] for each in stated}),
            verdict="useful" if whole else "partly" if seen else "useless",
        )

    def _searched(self, prompt: Prompt) -> ToolCall:
        history = prompt.values_as(BaselineValues).history
        tried = [str(step.call.arguments.get("query", "")) for step in history]
        idle = [step for step in history[-_IDLE:] if not step.kept]
        query = self._next_query(tried, Chance(self.skill, prompt))
        if query is None or len(idle) == _IDLE:
            return ToolCall(tool="finish", arguments={}, why="nothing new is to be expected")
        return ToolCall(tool="search", arguments={"query": query}, why="not searched for yet")

    def _planning(self, prompt: Prompt, offered: set[str]) -> Prompt:
        """Put the choice of a filter as the main graph puts it."""
        reading = self.reading
        every = list(atoms(reading.conditions))
        return prompts.plan(
            PlanValues(
                interpretation=reading,
                conditions=[each for each in every if each.predicate is None],
                history=prompt.values_as(BaselineValues).history,
                snapshot=_snapshot(prompt),
                corpus=self.corpus,
                decided=[each.id for each in every if each.predicate is not None],
                tools=sorted(offered),
            )
        )

    def _bad_call(self, snapshot: Snapshot) -> ToolCall:
        """Return a call that keeps far too little, by the name of the thing asked for."""
        kept = max(1, snapshot.kept // _TOO_FEW)
        query = self.unaided.entity_type
        return ToolCall(tool="bm25", arguments={"query": query, "best": kept}, why="a bad guess")


def _snapshot(prompt: Prompt) -> Snapshot:
    match prompt.values:
        case PlanValues(snapshot=snapshot) | BaselineValues(snapshot=Snapshot() as snapshot):
            return snapshot
    raise TypeError(f"the prompt {prompt.name!r} holds no snapshot")


def _as_passage(quote: Evidence, number: int) -> Passage:
    """Return a quote of a note as a passage, the note's number for its chunk."""
    return Passage(
        chunk=number,
        document=quote.document,
        title=quote.document,
        start=quote.start,
        text=quote.quote,
    )


def _finding(said: EvidenceReply, passage: Passage) -> Finding:
    start = passage.start + passage.text.index(said.quote)
    return Finding(
        chunk=passage.chunk,
        document=passage.document,
        entity=said.entity or passage.document,
        start=start,
        end=start + len(said.quote),
        **said.model_dump(include={"condition", "quote", "value", "unit"}),
    )


def _places(shown: Sequence[Passage]) -> dict[int, int]:
    """Return by chunk the number of the passage that shows it."""
    return {each.chunk: number for number, each in enumerate(shown, start=1)}


def _passages(prompt: Prompt) -> Sequence[Passage]:
    return prompt.values_as(BaselineValues).shown
