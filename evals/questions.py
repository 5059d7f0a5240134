"""Questions with their true answers, one JSON object a line."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent.errors import QuestionError
from agent.question import Comparison
from agent.taxonomy import AmbiguityCode
from evals.asked import Asked

Target = Literal["documents", "names", "number"]


class Gold(BaseModel):
    """A part of a record; unknown keys are left alone, null is the same as absent."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None}


class GoldCondition(Gold):
    """One condition as the annotators wrote it."""

    text: str
    label: str | None = None
    """The name by which evidence refers to it."""
    pattern: str | None = None
    """A regular expression that its evidence matches."""
    counts: tuple[str, ...] = ()
    borderline: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    """Its three lists, where a reader drew the line before any document was searched."""
    negated: bool = False
    """The answer's items do not satisfy it."""
    field: str | None = None
    """The metadata field that decides it, where the annotators say so."""
    comparison: Comparison | None = None
    values: tuple[str, ...] = ()
    sql: str | None = None
    """What decides it in a database; such a condition is not put in words."""


class GoldEvidence(Gold):
    """A place that proves an answer."""

    document: str
    start: int | None = None
    """Character offset into the document's file; None where only the text is known."""
    end: int | None = None
    text: str = ""
    condition: str | None = None
    """The label of the condition it proves; None where the annotators gave none."""


class Answered(Gold):
    """What has a true answer: items, how many they are, or a number."""

    answer: tuple[str, ...] | None = None
    """Names of documents or of other things; of a reading perhaps only the first of them."""
    answer_count: float | None = None
    answer_value: float | None = None
    """For sums, averages, extremes."""
    conditions: tuple[GoldCondition, ...] = ()
    logic: str = ""

    @property
    def number(self) -> float | None:
        """The number asked for: the value, else the count."""
        if self.answer_value is not None:
            return self.answer_value
        if self.answer_count is not None:
            return self.answer_count
        return None if self.answer is None else len(self.answer)


class AnnotatedReading(Answered):
    """A reading of an ambiguous question, with its own answer."""

    rewritten: str
    """The question rewritten so that only this reading is left."""

    @property
    def documents(self) -> tuple[str, ...] | None:
        """All that it counts, by name; None where they are not all given."""
        return self.answer if self.answer is not None and len(self.answer) == self.number else None


class Record(Answered):
    """One question with its truth."""

    id: str
    question: str
    corpus: str = ""
    entity_type: str = ""
    aggregation: str = ""
    answer_count: int | None = None
    gold_documents: tuple[str, ...] = ()
    gold_evidence: tuple[GoldEvidence, ...] = ()
    borderline_documents: tuple[str, ...] = ()
    """Neither right nor wrong."""
    corpus_filter: str | None = None
    """A file with a document name a line, or `all`."""
    documents: tuple[str, ...] | None = None
    """The documents the question is asked over, where it is not the whole corpus."""
    db_id: str | None = None
    """The one document that the question is attached to, where there is one."""
    intermediate_facts: tuple[str, ...] = ()
    """What has to be extracted from the documents before anything is computed, a sentence each."""
    final_answer: str = ""
    """The answer in words, with the items' values where they are asked for."""
    per_document_value: dict[str, float | str | None] | None = None
    """What each document gives, for numeric questions."""
    ambiguity: tuple[AmbiguityCode, ...] = ()
    """The kinds of ambiguity that the annotators found; none in a clear question."""
    asked: Asked | None = None
    """What it asks of records whose facts are known."""
    folder: Path | None = Field(default=None, exclude=True)
    """The folder of its file, where a schema and those facts may stand."""
    readings: tuple[AnnotatedReading, ...] = ()
    """What an ambiguous question may mean, the likeliest first."""

    @property
    def measured(self) -> Mapping[str, float]:
        """The numbers that documents give, by document."""
        values = self.per_document_value or {}
        return {name: value for name, value in values.items() if isinstance(value, float)}

    @property
    def target(self) -> Target:
        """What the answer is compared as: documents, other names, or a mere number."""
        if self.answer is None:
            return "number"
        return "documents" if set(self.answer) <= set(self.gold_documents) else "names"


def load(path: Path) -> list[Record]:
    """Read a file of questions.

    Raises:
        QuestionError: the file cannot be read, holds no question, a line is not a question, or an
            id occurs twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionError(f"cannot read the questions {str(path)!r}: {error}") from error
    numbered = enumerate(text.split("\n"), start=1)
    records = [_record(path, number, line) for number, line in numbered if line.strip()]
    if not records:
        raise QuestionError(f"{str(path)!r} holds no question")
    twice = [id_ for id_, times in Counter(each.id for each in records).items() if times > 1]
    if twice:
        raise QuestionError(f"{path.name} has two questions with the id {twice[0]!r}")
    return records


def published(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row of FinanceBench or MuSiQue, as published, as a question; any other as it is.

    FinanceBench's documents bear the filings' names, MuSiQue's the paragraphs' titles.
    """
    if "financebench_id" in row:
        evidence = [(each["doc_name"], each["evidence_text"]) for each in row["evidence"]]
        told = {"id": row["financebench_id"], "decided_by": "FinanceBench"}
    elif "question_decomposition" in row:
        given = [each for each in row["paragraphs"] if each["is_supporting"]]
        evidence = [(each["title"], each["paragraph_text"]) for each in given]
        told = {"id": row["id"], "decided_by": "MuSiQue"}
    else:
        return row
    return told | {
        "question": row["question"],
        "final_answer": " or ".join([row["answer"], *row.get("answer_aliases", ())]),
        "gold_documents": [*dict.fromkeys(document for document, _ in evidence)],
        "gold_evidence": [{"document": document, "text": text} for document, text in evidence],
    }


def _record(path: Path, number: int, line: str) -> Record:
    try:
        record = Record.model_validate(published(json.loads(line)))
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        told = first_fault(error) if isinstance(error, ValidationError) else repr(error)
        why = f"{path.name}, line {number}, is not a question: {told}"
        raise QuestionError(why) from error
    return record.model_copy(update={"folder": path.parent})


def first_fault(error: ValidationError) -> str:
    """Return what the first fault of a validation is, behind where it lies."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip()
