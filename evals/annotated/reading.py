"""Reading passages for a question: what a reader of some skill takes them to state."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import prompts
from agent.evidence import Passage
from agent.interpretation import interpretation_from
from agent.question import Interpretation
from agent.reasoner import Prompt
from agent.replies import JudgeReply
from evals.annotated.interpreting import interpreted
from evals.annotated.judging import erring
from evals.annotated.rates import Chance, Skill
from evals.baselines.combining import (
    Combined,
    Stated,
    combined,
    decided_by_reading,
    unaided,
)
from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Reader",)


class Reader:
    """Reads what a prompt shows as it reads a judging prompt, and puts it together by code.

    So it understands a question exactly as well as the main graph does with the same reasoner:
    what differs between systems is what they show it.
    """

    def __init__(
        self,
        record: Record,
        corpus: "Corpus",
        judge: Callable[[Prompt], JudgeReply],
        skill: Skill,
    ) -> None:
        """Read for one question; `judge` gives the right verdicts on a judging prompt."""
        self._record = record
        self._judge = judge
        self._skill = skill
        self.corpus = corpus

    @cached_property
    def reading(self) -> Interpretation:
        """The question as it is annotated.

        Raises:
            QuestionError: it is not annotated.
        """
        fields = [field.name for field in self.corpus.fields]
        return interpretation_from(interpreted(self._record, self.corpus), fields)

    @cached_property
    def unaided(self) -> Interpretation:
        """The question for somebody who sees no metadata but what the passages hold."""
        return unaided(self.reading)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """What one may search for, in order: the question, its conditions, their other words."""
        conditions = decided_by_reading(self.unaided)
        told = [
            self._record.question,
            *(each.text for each in conditions),
            *("; ".join([*each.terms, *each.counts]) for each in conditions),
            *(f"{self.unaided.entity_type}: {each.text}" for each in conditions),
        ]
        return tuple(dict.fromkeys(each for each in told if each.strip()))

    def next_query(self, tried: Sequence[str], chance: Chance) -> str | None:
        """Return what was not searched for yet, at times a vague one; None where nothing is left.

        The vague one is the name of the thing asked for alone.
        """
        vague = self.unaided.entity_type
        if vague not in tried and chance.hits(self._skill.searching, "query"):
            return vague
        return next((each for each in self.queries if each not in tried), None)

    def stated(self, passages: Sequence[Passage], chance: Chance) -> list[Stated]:
        """Return what the passages state, errors of the skill included."""
        if not passages:
            return []
        conditions = decided_by_reading(self.unaided)
        prompt = prompts.judge(
            conditions=conditions,
            entity_type=self.unaided.entity_type,
            grain=self.unaided.grain,
            measure=self.unaided.measure,
            passages=passages,
            corpus=self.corpus,
        )
        right = self._judge(prompt)
        reply = erring(right, passages, conditions, self.unaided.grain, self._skill, chance)
        return [
            Stated(
                name=entry.entity or passages[each.passage - 1].document,
                condition=entry.condition,
                passage=each.passage,
                quote=entry.quote,
                value=entry.value,
                unit=entry.unit,
            )
            for each in reply.passages
            for entry in each.evidence
        ]

    def together(self, stated: Sequence[Stated], passages: Sequence[Passage]) -> Combined:
        """Return what satisfies the question by what was stated."""
        documents = dict.fromkeys(each.document for each in passages)
        return combined(self.unaided, stated, list(documents))
