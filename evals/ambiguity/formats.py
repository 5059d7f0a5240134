"""The three formats of questions whose ambiguity is known, recognised by their keys.

Ours: `ambiguity` is a list of codes, each reading has its answer. AMBROSIA (Saparina and Lapata,
2024): `ambiguity` is scope, attachment, vague or null, each interpretation has SQL and its result
over a database. CLAMBER (Zhang et al., 2024): a category and a subclass, no corpus, no answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import Field, JsonValue, ValidationError

from agent.errors import QuestionError
from agent.taxonomy import AmbiguityCode
from evals.ambiguity.case import Case, Dump, Intended, Words
from evals.questions import Gold, Record

__all__ = ("Ambrosia", "Clamber", "LeftOut", "Ours", "parse")

_KINDS: Mapping[str, AmbiguityCode] = {"scope": "B1", "attachment": "B2", "vague": "C1"}
_SUBCLASSES: Mapping[str, AmbiguityCode | None] = {
    "when": "A2",
    "where": "A2",
    "NK": "C3",
    "none": None,
}
"""CLAMBER's subclasses that are among the seven kinds: `NK` names what nobody knows."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that cannot be asked here, and why."""

    why: str


class Parsed(Protocol):
    """A line in one of the formats."""

    def case(self, dumps: Mapping[str, str]) -> Case | LeftOut:
        """Return the question; `dumps` gives the SQL of each database by its file."""
        ...


class Ours(Record):
    """Our own format."""

    def case(self, dumps: Mapping[str, str]) -> Case | LeftOut:  # noqa: ARG002 - the form of all
        """Return the question, asked over the documents that it names."""
        return Case(
            id=self.id,
            question=self.question,
            codes=tuple(dict.fromkeys(self.ambiguity)),
            intended=tuple(
                Intended(question=each.rewritten, number=each.number, names=each.documents)
                for each in self.readings
            ),
            source=self,
        )


class AmbrosiaReading(Gold):
    """An interpretation: SQL, and what it selects."""

    text: str
    result: list[list[JsonValue]] | None = None

    def intended(self) -> Intended:
        """Return it; without an answer where its SQL does not run."""
        return of_rows(self.text, self.result)


class Ambrosia(Gold):
    """A question over a database."""

    id: str
    question: str
    ambiguity: Literal["scope", "attachment", "vague"] | None = None
    interpretations: tuple[AmbrosiaReading, ...] = ()
    db_file: str
    db_dump: str | None = None
    sql: tuple[str, ...] = ()
    """For a clear question, what it selects."""

    def case(self, dumps: Mapping[str, str]) -> Case | LeftOut:
        """Return the question, asked over its database; left out where nobody has its dump."""
        dump = self.db_dump or dumps.get(self.db_file)
        if dump is None:
            return LeftOut("no db_dump for its db_file")
        source = Dump(self.db_file, dump)
        if self.ambiguity is None:
            return Case(
                id=self.id,
                question=self.question,
                codes=(),
                intended=(_selected(self.question, self.sql, source),),
                source=source,
            )
        return Case(
            id=self.id,
            question=self.question,
            codes=(_KINDS[self.ambiguity],),
            intended=tuple(each.intended() for each in self.interpretations),
            source=source,
        )


class Clamber(Gold):
    """A question to a general assistant; nothing but its words is known."""

    id: str
    question: str
    context: str = ""
    category: str
    subclass: str
    needs_clarification: bool = Field(alias="require_clarification")

    def case(self, dumps: Mapping[str, str]) -> Case | LeftOut:  # noqa: ARG002 - the form of all
        """Return the question; left out where its subclass is none of the seven kinds."""
        if self.subclass not in _SUBCLASSES:
            return LeftOut(f"subclass {self.subclass} is none of the seven kinds")
        code = _SUBCLASSES[self.subclass] if self.needs_clarification else None
        return Case(
            id=self.id,
            question=self.question,
            codes=() if code is None else (code,),
            source=Words("\n\n".join(part for part in (self.context, self.question) if part)),
        )


def parse(members: Mapping[str, JsonValue]) -> Parsed:
    """Return a line of a file of questions in its format.

    Raises:
        QuestionError: it is none of them, or lacks something; the text says what.
    """
    form = _form(members)
    try:
        return form.model_validate(members)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise QuestionError(f"{where} {first['msg']}".strip()) from error


def of_rows(question: str, rows: Sequence[Sequence[JsonValue]] | None) -> Intended:
    """Return a reading that selects rows; a single number in a single row is the number asked."""
    if rows is None:
        return Intended(question=question)
    if len(rows) == 1 and len(rows[0]) == 1 and isinstance(rows[0][0], int | float):
        return Intended(question=question, number=float(rows[0][0]))
    told = tuple(dict.fromkeys(tuple(str(cell) for cell in row) for row in rows))
    return Intended(question=question, number=len(told), rows=told)


def _selected(question: str, sql: Sequence[str], source: Dump) -> Intended:
    from evals.ambiguity.dumps import opened, select

    if len(sql) != 1:
        return Intended(question=question)
    with opened(source.sql) as database:
        return of_rows(question, select(database, sql[0]))


def _form(members: Mapping[str, JsonValue]) -> type[Ours] | type[Ambrosia] | type[Clamber]:
    if "db_file" in members:
        return Ambrosia
    if "subclass" in members:
        return Clamber
    if "is_ambiguous" in members or isinstance(members.get("ambiguity"), list):
        return Ours
    raise QuestionError("it has neither `ambiguity` codes, nor `db_file`, nor `subclass`")
