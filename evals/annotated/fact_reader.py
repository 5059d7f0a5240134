"""A reader who knows what each document states, and what a question asks of it.

The sets that `headcount-eval build hotels` and its like invent come with `facts.jsonl`, a document
a line, and their questions with `asked`. By these it fills records and writes queries (S-RAG,
section 3), or answers from passages, with the same errors: a fact that it does not see it sees
nowhere, and a question that it misunderstands, it always does. It draws up no schema.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from agent.prompt_values import ExtractValues, QueryValues
from agent.reasoner import Prompt
from agent.records.record import SampleDocument
from agent.records.record_replies import (
    CellReply,
    DocumentReply,
    ExtractReply,
    QueryReply,
    RecordReply,
    SeveralReply,
)
from agent.records.record_schema import Kind
from agent.replies import AtomReply, InterpretReply, QuotedReply
from agent.value import Value
from evals.annotated.skill import Skill
from evals.asked import NAME, Asked, Fact, facts_table
from evals.baselines.baseline_prompts import AnswerReply, BaselineValues, ItemReply
from evals.scores import numbers_in
from tools.records.schema_file import load_schema

_WORDS: Final = 40
"""Of a quote, at most."""


class Stated(Value):
    """A fact where a document states it."""

    fact: Fact
    value: str
    """As it is written."""
    start: int
    end: int
    """Of the sentence or line that states it, in characters of the document's text."""


class StatedRecord(Value):
    """What one document states."""

    document: str
    name: str
    """As its text begins: a reader never misses it."""
    facts: Mapping[str, Stated]


def quoting(prompt: Prompt, facts: Sequence[str], skill: Skill) -> AnswerReply:
    """Quote the lines of the passages that state a number of these facts (MuDABench, section 4).

    What follows from them nobody has annotated: no number is given.
    """
    wanted = {number for fact in facts for number in numbers_in(fact)}
    items = []
    for at, each in enumerate(prompt.values_as(BaselineValues).shown, start=1):
        quotes = [
            QuotedReply(passage=at, quote=line)
            for line in each.text.splitlines()
            if wanted.intersection(numbers_in(line))
            and not errs(skill, skill.extraction, each.document, line)
        ]
        items += [ItemReply(name=each.document, evidence=quotes)] if quotes else []
    return AnswerReply(reason="what is stated", items=items, value=None, unit=None)


def errs(skill: Skill, rate: float, *place: str) -> bool:
    """Tell whether an error befalls a place: the same in every prompt of every arm."""
    told = "\0".join([str(skill.seed), *place])
    return random.Random(told).random() < rate  # noqa: S311 - no secret


@dataclass(frozen=True)
class FactReader:
    """Answers the prompts of S-RAG, and of retrieval, about one question over known facts."""

    asked: Asked
    question: str
    folder: Path
    """That of the questions, with `facts.jsonl` and `schema.json`."""
    skill: Skill

    @property
    def replies(self) -> Mapping[str, Callable[[Prompt], BaseModel]]:
        """Who replies to which prompt: what is asked of records no passage by itself proves."""
        return {
            "interpret": self._interpreted,
            "extract": self._extracted,
            "query": self._queried,
            "answer": self._answered,
        }

    @cached_property
    def _kind(self) -> Kind:
        (kind,) = load_schema(self.folder / "schema.json").kinds
        return kind

    @cached_property
    def _records(self) -> Mapping[str, StatedRecord]:
        lines = (self.folder / "facts.jsonl").read_text(encoding="utf-8").splitlines()
        records = map(StatedRecord.model_validate_json, lines)
        return {each.document: each for each in records}

    def _seen(self, document: str, start: int, text: str) -> Mapping[str, Stated]:
        """Return what a part of a document states, as far as it is seen."""
        record, end = self._records[document], start + len(text)
        at = text.find(record.name)
        stated = dict(record.facts)
        if at >= 0:
            place = {"start": start + at, "end": start + at + len(record.name)}
            stated[NAME] = Stated(fact=record.name, value=record.name, **place)
        return {
            name: each
            for name, each in stated.items()
            if start <= each.start and each.end <= end
            and (name == NAME or not errs(self.skill, self.skill.extraction, document, name))
        }  # fmt: skip

    def _interpreted(self, _: Prompt) -> InterpretReply:
        """Leave the question whole."""
        whole = [AtomReply(id="c1", text=self.question)]
        return InterpretReply(
            restated=self.question, entity_type=self._kind.name, grain="document",
            conditions=whole, logic="c1", operation="count",
        )  # fmt: skip

    def _extracted(self, prompt: Prompt) -> ExtractReply | SeveralReply:
        values = prompt.values_as(ExtractValues)
        found = [self._record(each, values.kinds[0]) for each in values.documents]
        if len(found) == 1:
            return ExtractReply(records=found)
        numbered = enumerate(found, start=1)
        return SeveralReply(
            documents=[DocumentReply(document=at, records=[each]) for at, each in numbered]
        )

    def _record(self, shown: SampleDocument, kind: Kind) -> RecordReply:
        cells = []
        for part in shown.extracts:
            for name, each in self._seen(shown.name, part.start, part.text).items():
                if kind.attribute(name) is None:
                    continue
                words = part.text[each.start - part.start : each.end - part.start]
                quote = " ".join(words.split()[:_WORDS])
                written = each.fact if isinstance(each.fact, tuple) else (each.value,)
                cells += [
                    CellReply(attribute=name, value=value, unit=None, quote=quote)
                    for value in written
                ]
        return RecordReply(kind=kind.name, label="", cells=cells)

    @property
    def _understood(self) -> Asked:
        """What is asked, at the rate of bad queries without its last condition."""
        bad = self.asked.tests and errs(self.skill, self.skill.searching, self.question)
        return self.asked.model_copy(update={"tests": self.asked.tests[:-1]}) if bad else self.asked

    def _queried(self, prompt: Prompt) -> QueryReply:
        plan = self._understood.query(prompt.values_as(QueryValues).tables.schema.kinds[0].name)
        why = "as the question was made"
        return QueryReply(why=why, answerable=True, missing="", plan=plan, sql=None)

    def _answered(self, prompt: Prompt) -> AnswerReply:
        """Compute from what the passages state; at the rate of counting, a record is left out."""
        rows: dict[str, dict[str, Fact]] = {}
        for each in prompt.values_as(BaselineValues).shown:
            seen = self._seen(each.document, each.start, each.text)
            row = rows.setdefault(each.document, {"document": each.document})
            row |= {name: stated.fact for name, stated in seen.items()}
            row.setdefault(NAME, self._records[each.document].name)
        rate = self.skill.counting
        counted = [row for name, row in rows.items() if not errs(self.skill, rate, "row", name)]
        _, names, value = self._understood.answer(facts_table(self._kind, counted))
        items = [ItemReply(name=each, evidence=[]) for each in names]
        return AnswerReply(reason="computed from the passages", items=items, value=value, unit=None)
