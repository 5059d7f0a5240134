"""A question with its SQL as a question with its answer and the sentences behind it."""

import math
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict

from evals.spiderqa.databases import Cell, Database, Rendered, opened, spoken

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = (
    "Aggregate",
    "Asked",
    "Converted",
    "Function",
    "NotConverted",
    "Select",
    "aggregate_of",
    "convert",
    "normal_sql",
)

Function = Literal["count", "avg", "sum"]
_TOKEN: Final = re.compile(
    r"\s*('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|\d+(?:\.\d+)?|\w+|<>|!=|<=|>=|\|\||.)"
)
_CLAUSES: Final = ("select", "from", "where", "group", "having", "order", "limit")
_SETS: Final = frozenset({"union", "intersect", "except"})
_JOINS: Final = frozenset({"join", "inner", "left", "cross", "natural", "outer"})
_EXTREMES: Final = frozenset({"max", "min"})


class NotConverted(Exception):
    """A query that is no question of this benchmark; its text says why."""


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT without set operations, its clauses as tokens."""

    clauses: dict[str, list[str]]

    def said(self, clause: str) -> str:
        """Return a clause as text, without its keyword."""
        return " ".join(self.clauses.get(clause, ()))

    @property
    def sources(self) -> list[tuple[str, str]]:
        """The tables of its FROM with the names they go by."""
        return _sources(self.clauses["from"])


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A query for one aggregate."""

    function: Function
    distinct: bool
    operand: str
    """What is aggregated, as SQL: `*` or an expression."""
    select: Select
    """Where its rows come from: its own clauses, or those of the one query in its FROM."""
    grouped: str = ""
    """Keys of the groups that are counted, where groups are."""
    nested: bool = False

    @property
    def name(self) -> str:
        """The aggregate as questions' files call it."""
        return f"{self.function} distinct" if self.distinct else self.function

    @property
    def joins(self) -> int:
        """How many tables are joined to the first."""
        return len(self.select.sources) - 1

    @property
    def evidence(self) -> str:
        """The modified query: what is aggregated, then the row id of each table, a row a match."""
        named = [alias for _, alias in self.select.sources]
        value = self.grouped or ("1" if self.operand == "*" else self.operand)
        columns = ", ".join([value, *(f"{each}.rowid" for each in named)])
        tests = [f"({self.select.said('where')})"] if self.select.said("where") else []
        if self.operand != "*":
            tests.append(f"({self.operand}) IS NOT NULL")
        if self.grouped:
            tests.append(f"({self.grouped}) IN ({self._groups})")
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        source = self.select.said("from")
        return f"SELECT {columns} FROM {source}{where}"  # noqa: S608 - opened for reading only

    @property
    def _groups(self) -> str:
        kept = {name: self.select.said(name) for name in ("where", "having")}
        where = f" WHERE {kept['where']}" if kept["where"] else ""
        having = f" HAVING {kept['having']}" if kept["having"] else ""
        source = f"{self.select.said('from')}{where} GROUP BY {self.grouped}{having}"
        return f"SELECT {self.grouped} FROM {source}"  # noqa: S608 - opened for reading only


def aggregate_of(sql: str) -> Aggregate:
    """Return the aggregate that a query asks for.

    Raises:
        NotConverted: it asks for a list, groups, an extreme, a comparison, or is too involved.

    >>> aggregate_of("SELECT avg(age) FROM dog WHERE size = 'L'").evidence
    "SELECT age, dog.rowid FROM dog WHERE (size = 'L') AND (age) IS NOT NULL"
    """
    select = _select(tokens(sql))
    function, distinct, operand = _aggregated(select.clauses["select"])
    unwanted = [name for name in ("group", "having", "order", "limit") if name in select.clauses]
    if unwanted:
        raise NotConverted(f"it has {unwanted[0].upper()}: an answer a group, or the most")
    nested = any(token.lower() == "select" for part in select.clauses.values() for token in part)
    if select.clauses["from"][:1] != ["("]:
        return Aggregate(function, distinct, operand, select, nested=nested)
    return _of_groups(select, function, distinct=distinct, operand=operand)


def normal_sql(sql: str) -> str:
    """Return what two spellings of one query share.

    >>> normal_sql("SELECT  count(*) FROM t ;") == normal_sql("select COUNT( * ) from T")
    True
    """
    found = [each if each[0] in "'\"" else each.lower() for each in tokens(sql)]
    return " ".join(found)


def tokens(sql: str) -> list[str]:
    """Return the tokens of a statement without a closing semicolon."""
    found = _TOKEN.findall(sql.strip())
    return found[:-1] if found[-1:] == [";"] else found


def _select(found: Sequence[str]) -> Select:
    """Part a SELECT into clauses at its own level of brackets."""
    if not found or found[0].lower() != "select":
        raise NotConverted("it is no SELECT")
    clauses: dict[str, list[str]] = {}
    current: list[str] = []
    depth = 0
    for token in found:
        word = token.lower()
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0 and word in _SETS:
            raise NotConverted(f"it is a {word.upper()} of queries")
        if depth == 0 and word in _CLAUSES:
            current = clauses.setdefault(word, [])
        elif not (word == "by" and not current and depth == 0):
            current.append(token)
    if "from" not in clauses:
        raise NotConverted("it has no FROM")
    return Select(clauses)


def _aggregated(found: Sequence[str]) -> tuple[Function, bool, str]:
    first = found[0].lower() if found else ""
    if first in _EXTREMES:
        raise NotConverted("it asks for an extreme")
    name = next((each for each in get_args(Function) if each == first), None)
    if name is None or found[1:2] != ["("]:
        raise NotConverted("it asks for no aggregate, or for more than it")
    close = _closing(found, 1)
    if close != len(found) - 1 and found[close + 1].lower() != "as":
        raise NotConverted("it asks for more than one aggregate")
    inner = list(found[2:close])
    distinct = bool(inner) and inner[0].lower() == "distinct"
    function: Function = name
    return function, distinct, " ".join(inner[distinct:])


def _closing(found: Sequence[str], opening: int) -> int:
    depth = 0
    for at in range(opening, len(found)):
        depth += {"(": 1, ")": -1}.get(found[at], 0)
        if depth == 0:
            return at
    raise NotConverted("its brackets do not close")


def _of_groups(outer: Select, function: Function, *, distinct: bool, operand: str) -> Aggregate:
    """Return the count of the groups that a query in the FROM yields."""
    found = outer.clauses["from"]
    close = _closing(found, 0)
    inner = _select(found[1:close])
    simple = not {"order", "limit"} & set(inner.clauses) and "where" not in outer.clauses
    counted = function == "count" and operand == "*" and not distinct and "group" in inner.clauses
    rest = [each.lower() for each in found[close + 1 :]]
    if not (simple and counted and not _JOINS & set(rest) and "," not in rest):
        raise NotConverted("its FROM is a query that is more than groups to count")
    keys = inner.said("group")
    return Aggregate("count", distinct=False, operand="*", select=inner, grouped=keys, nested=True)


def _sources(found: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tables of a FROM and the names they go by."""
    tables: list[tuple[str, str]] = []
    at, expected = 0, True
    while at < len(found):
        word = found[at].lower()
        if word == "(" and expected:
            raise NotConverted("its FROM joins a query")
        if expected and word not in _JOINS:
            alias, length = _alias(found[at : at + 3])
            tables.append((found[at], alias))
            at, expected = at + length, False
            continue
        expected = expected or word in {"join", ","}
        at = (_closing(found, at) if word == "(" else at) + 1
    return tables


def _alias(found: Sequence[str]) -> tuple[str, int]:
    """Return the name a table goes by, and how many tokens say so."""
    after = found[1].lower() if len(found) > 1 else ","
    if after == "as":
        return found[2], 3
    if after.isidentifier() and after not in _JOINS | {"on", "using"}:
        return found[1], 2
    return found[0], 1


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
    if not math.isclose(
        value, _aggregated_conversion(found, [row[:-width] for row in rows]), rel_tol=1e-9
    ):
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


def _aggregated_conversion(found: Aggregate, values: Sequence[tuple[Cell, ...]]) -> float:
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
