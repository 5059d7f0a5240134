"""A question with its SQL as a question with its answer and the sentences behind it."""

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from evals.spiderqa.database import Cell, Database, opened
from evals.spiderqa.document import Rendered
from evals.spiderqa.sql import Aggregate, NotConverted, aggregate_of
from evals.spiderqa.template import spoken

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Asked", "Converted", "convert")

_DIGITS = 6
Evidence = tuple[tuple[str, int], ...]


class Asked(BaseModel):
    """A question in Spider's format; its other keys are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    db_id: str
    question: str
    query: str


@dataclass(frozen=True, slots=True)
class Converted:
    """A question with its answer and evidence."""

    asked: Asked
    aggregate: Aggregate
    value: float
    evidence: Evidence
    """Table, in lower case, and row id of each row behind the aggregate, each once."""
    paraphrases: tuple[str, ...] = ()

    @property
    def logic(self) -> str:
        """How involved the query is."""
        if self.aggregate.nested:
            return "nested"
        return "join" if self.aggregate.joins else "single table"

    def record(self, number: int, rendered: Rendered) -> dict[str, "JsonValue"]:
        """Return it as the questions' files have it."""
        counted = self.aggregate.function == "count"
        first = self.aggregate.select.sources[0][0]
        return {
            "id": f"spiderqa-{number:03}",
            "corpus": "docs",
            "question": self.asked.question,
            "entity_type": f"{spoken(first)} record",
            "aggregation": self.aggregate.name,
            "conditions": [{"text": self.aggregate.select.said("where") or f"any {spoken(first)}"}],
            "logic": self.logic,
            "decided_by": "code: the SQL query executed on the source database",
            "answer": None,
            "answer_count": int(self.value) if counted else None,
            "answer_value": None if counted else self.value,
            "gold_documents": [rendered.name],
            "gold_evidence": [_told(each, rendered) for each in self.evidence],
            "db_id": rendered.name,
            "sql": self.asked.query,
            "evidence_sql": self.aggregate.evidence,
            "paraphrases": [*self.paraphrases],
            "joins": self.aggregate.joins,
            "nested": self.aggregate.nested,
        }


def convert(asked: Asked, path: Path, database: Database, rendered: Rendered) -> Converted:
    """Execute a question's query and the one modified for the evidence.

    The aggregate is computed once more from the rows of the evidence, so that what is listed as
    evidence is what the answer comes from.

    Raises:
        NotConverted: the query is of another kind or fails, nothing satisfies it, its rows are not
            in the document, or they do not give the answer.
    """
    found = aggregate_of(asked.query)
    tables = [database.table(name.strip("\"`[]'")) for name, _ in found.select.sources]
    try:
        with opened(path) as connection:
            answer = connection.execute(asked.query).fetchall()
            rows = connection.execute(found.evidence).fetchall()
    except sqlite3.Error as error:
        raise NotConverted(f"its query fails: {error}") from error
    value = _number(answer)
    width = len(tables)
    if not rows:
        raise NotConverted("no row satisfies it")
    if not math.isclose(value, _aggregated(found, [row[:-width] for row in rows]), rel_tol=1e-9):
        raise NotConverted("the rows behind it do not give its answer")
    places = {
        (table.name.lower(), row_id)
        for row in rows
        for table, row_id in zip(tables, row[-width:], strict=True)
        if table is not None and row_id is not None
    }
    if None in tables or not places <= set(rendered.places):
        raise NotConverted("its rows are in no table of the document")
    ordered = sorted(places, key=lambda place: rendered.places[place])
    return Converted(asked, found, round(value, _DIGITS), tuple(ordered))


def _number(answer: Sequence[Sequence[Cell]]) -> float:
    if len(answer) != 1 or len(answer[0]) != 1:
        raise NotConverted("its answer is no single value")
    value = answer[0][0]
    if value is None:
        raise NotConverted("no row satisfies it")
    if isinstance(value, str):
        raise NotConverted("its answer is no number")
    return float(value)


def _aggregated(found: Aggregate, values: Sequence[tuple[Cell, ...]]) -> float:
    """Return the aggregate of the values in the rows of the evidence."""
    used = sorted(set(values), key=repr) if found.distinct or found.grouped else values
    if found.function == "count":
        return len(used)
    try:
        numbers = [float(each or 0) for (each,) in used]
    except ValueError as error:
        raise NotConverted("it computes with what is no number") from error
    return math.fsum(numbers) / (len(numbers) if found.function == "avg" else 1)


def _told(place: tuple[str, int], rendered: Rendered) -> dict[str, "JsonValue"]:
    start, end = rendered.places[place]
    return {
        "document": rendered.name,
        "table": place[0],
        "rowid": place[1],
        "start": start,
        "end": end,
        "text": rendered.text[start:end],
    }
