"""A question whose ambiguity is known, and what each of its readings comes to."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import Field, JsonValue, ValidationError

from agent.answer import Answer
from agent.errors import QuestionError
from agent.evidence import Entity
from agent.taxonomy import CODES, AmbiguityCode
from evals.experiments.experiment import drawn
from evals.names import DocumentNames, normal_name
from evals.questions import Gold, Record, numbered_lines
from evals.scores import is_exact, predicted_documents

if TYPE_CHECKING:
    from evals.spans import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """One reading, as the annotators put it, with its answer."""

    question: str
    """The question rewritten so that only this reading is left."""
    number: float | None = None
    """The number it comes to; of rows, how many there are."""
    names: tuple[str, ...] | None = None
    """Everything it finds, by name; None where the names are not all given."""
    rows: tuple[tuple[str, ...], ...] | None = None
    """The rows it selects from a database, each a tuple of cells; None where it is not one."""

    @property
    def answered(self) -> bool:
        """Whether its answer is known."""
        return self.number is not None


@dataclass(frozen=True, slots=True)
class Dump:
    """Asked over a database, given as SQL that builds it."""

    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Words:
    """Asked over nothing but its own words and what was said before it."""

    text: str


Source = Record | Dump | Words
"""What a question is asked over; a record names its documents itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question."""

    id: str
    question: str
    codes: tuple[AmbiguityCode, ...]
    """What the annotators found; nothing for a control."""
    intended: tuple[Intended, ...] = ()
    source: Source

    @property
    def record(self) -> Record | None:
        """The question with its annotation, where it has one."""
        return self.source if isinstance(self.source, Record) else None

    @property
    def control(self) -> bool:
        """Whether the question is clear."""
        return not self.codes

    @property
    def idle(self) -> bool:
        """Whether its known readings, of which there are several, all have the same answer."""
        known = [each for each in self.intended if each.answered]
        numbers = {each.number for each in known}
        found = {frozenset(each.names) for each in known if each.names is not None}
        rows = {frozenset(each.rows) for each in known if each.rows is not None}
        return len(known) > 1 and max(len(numbers), len(found), len(rows)) == 1


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
    from evals.ambiguity.rendered import opened, select

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


CONTROLS = "none"
"""Stands among codes for the clear questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The questions to ask."""

    cases: tuple[Case, ...]
    left_out: Mapping[str, int]
    """How many questions cannot be asked, by the reason."""


def load(
    paths: Sequence[Path],
    *,
    codes: Collection[str] = (),
    sample: int | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Loaded:
    """Read the questions of some files, in their order.

    Args:
        paths: files with a JSON object a line.
        codes: take only questions with one of these; empty takes all.
        sample: draw so many at random, without replacement; None takes all.
        seed: what is drawn depends on it alone.
        limit: take the first so many of those.

    Raises:
        QuestionError: a file cannot be read, a line is not a question, an id occurs twice, or
            nothing is left.
    """
    lines = [(path, number, each) for path in paths for number, each in _lines(path)]
    dumps = _dumps(paths, [each for _, _, each in lines])
    cases: dict[str, Case] = {}
    left_out: Counter[str] = Counter()
    for path, number, members in lines:
        case = _case(path, number, members, dumps)
        if isinstance(case, LeftOut):
            left_out[case.why] += 1
        elif case.id in cases:
            raise QuestionError(f"{path.name} has two questions with the id {case.id!r}")
        else:
            cases[case.id] = case
    taken = [case for case in cases.values() if not codes or set(codes) & _told(case)]
    if not taken:
        raise QuestionError(f"no question is left to ask in {', '.join(map(str, paths))}")
    ids = drawn([case.id for case in taken], sample, seed)
    return Loaded(cases=tuple(case for case in taken if case.id in ids)[:limit], left_out=left_out)


def wanted_codes(text: str) -> frozenset[str]:
    """Read codes parted by commas; `none` are the controls.

    Raises:
        QuestionError: one is no code.
    """
    codes = {part.strip() for part in text.split(",") if part.strip()}
    unknown = sorted(codes - {*CODES, CONTROLS})
    if unknown:
        raise QuestionError(f"{unknown[0]!r} is none of {', '.join((*CODES, CONTROLS))}")
    return frozenset(codes)


def _told(case: Case) -> set[str]:
    return {CONTROLS} if case.control else set(case.codes)


def _case(
    path: Path, number: int, members: Mapping[str, JsonValue], dumps: Mapping[str, str]
) -> Case | LeftOut:
    try:
        return parse(members).case(dumps)
    except QuestionError as error:
        raise QuestionError(f"{path.name}, line {number}, is not a question: {error}") from error


def _lines(path: Path) -> Iterator[tuple[int, dict[str, JsonValue]]]:
    for number, line in numbered_lines(path):
        yield number, _object(path, number, line)


def _object(path: Path, number: int, line: str) -> dict[str, JsonValue]:
    where = f"{path.name}, line {number}, is not a question"
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QuestionError(f"{where}: it is not JSON: {error}") from error
    if not isinstance(members, dict):
        raise QuestionError(f"{where}: it is not an object")
    return members


def _dumps(paths: Sequence[Path], lines: Sequence[Mapping[str, JsonValue]]) -> dict[str, str]:
    """Return the SQL of each database; where some is missing, look in the files beside these."""
    known = dict(_told_dumps(lines))
    wanted = {str(each["db_file"]) for each in lines if "db_file" in each}
    beside = {file for path in paths for file in path.resolve().parent.glob("*.jsonl")}
    for file in sorted(beside - {path.resolve() for path in paths}):
        if wanted <= known.keys():
            break
        known = {**dict(_told_dumps([each for _, each in _lines(file)])), **known}
    return known


def _told_dumps(lines: Sequence[Mapping[str, JsonValue]]) -> Iterator[tuple[str, str]]:
    for each in lines:
        file, dump = each.get("db_file"), each.get("db_dump")
        if isinstance(file, str) and isinstance(dump, str):
            yield file, dump


def same(answer: Answer, meant: Intended, corpus: "Texts") -> bool:
    """Say whether an answer is what the reading comes to.

    The number is right; where all documents of the reading are known, so are the documents. Of
    rows of a database each is found, and nothing else: an item stands for a row where its name,
    what is shown beside it or the fields of its own document hold all cells.
    """
    if answer.status != "answered" or meant.number is None:
        return False
    if meant.rows is not None:
        return _same_rows(answer, meant.rows, DocumentNames(corpus.documents), corpus)
    value = None if isinstance(answer.value, dict) else answer.value
    measured = not float(meant.number).is_integer()
    if not is_exact(value, meant.number, measured=measured):
        return False
    return meant.names is None or _same_documents(answer, meant.names, corpus)


def _same_documents(answer: Answer, names: tuple[str, ...], corpus: "Texts") -> bool:
    known = DocumentNames(corpus.documents)
    if any(known.find(name) is None for name in names):
        return True
    return known.keys(predicted_documents(answer)) == known.keys(names)


def _same_rows(
    answer: Answer, rows: tuple[tuple[str, ...], ...], known: DocumentNames, corpus: "Texts"
) -> bool:
    held = [_cells(entity, known, corpus) for entity in answer.entities]
    wanted = [{normal_name(cell) for cell in row} for row in rows]
    found = all(any(row <= cells for cells in held) for row in wanted)
    return found and all(any(row <= cells for row in wanted) for cells in held)


def _cells(entity: Entity, known: DocumentNames, corpus: "Texts") -> set[str]:
    """Return what an item is called, what is shown with it, and what its own fields hold."""
    cells = {normal_name(name) for name in (entity.name, *entity.aliases)}
    cells.update(normal_name(each) for values in entity.shown.values() for each in values)
    place = known.find(entity.name)
    if place is not None:
        for line in corpus.document_text(place).splitlines():
            value = line.partition(": ")[2]
            cells.update(normal_name(each) for each in (value, *value.split(", ")))
    return cells
