"""SpiderQA: Spider's databases as documents, its aggregate questions with answers and evidence.

The answer is that of the question's SQL; its evidence are the rows that the same SQL returns, with
their row ids, where it asks for the aggregated expression itself.
"""

import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from agent.errors import CorpusDamaged, QuestionError, SettingsError
from evals.question_sets.source_documents import (
    OutputFolder,
    Source,
    evidence_figures,
    gold_evidence,
)
from tools.retrieval import alternating

Cell = str | int | float | bytes | None
_STEPS: Final = 1_000
_MOST_STEPS: Final = 20_000
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading only; a statement that runs too long is interrupted."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = _decoded
        steps = iter(range(_MOST_STEPS))
        connection.set_progress_handler(lambda: int(next(steps, None) is None), _STEPS)
        yield connection


def _decoded(data: bytes) -> str:
    """Decode a text; old dumps mix encodings within one file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


@dataclass(frozen=True, slots=True)
class DatabaseDocument:
    """A database's text, with the place of every row."""

    name: str
    path: Path
    text: str
    places: Mapping[tuple[str, int], tuple[int, int]]
    """By table, in lower case, and row id the characters of the row's sentence."""
    contents: frozenset[object]
    """Columns and rows of each table: what two tables share that say the same."""


def written_out(path: Path) -> DatabaseDocument:
    """Write a database's tables as a document; one that repeats an earlier one is left out.

    Raises CorpusDamaged: it is no database, or a table has no row ids.
    """
    text = f"Records of {column_words(path.stem)}\n"
    places: dict[tuple[str, int], tuple[int, int]] = {}
    contents: set[object] = set()
    try:
        with opened(path) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            ).fetchall()
            for (name,) in names:
                quoted = '"' + name.replace('"', '""') + '"'
                held = connection.execute(f"SELECT rowid, * FROM {quoted} ORDER BY rowid")  # noqa: S608 - a quoted name
                columns, rows = [each[0] for each in held.description[1:]], held.fetchall()
                content = (tuple(map(str.lower, columns)), tuple(row[1:] for row in rows))
                if not rows or content in contents:
                    continue
                contents.add(content)
                text += f"\n# {column_words(name)}\n"
                for row_id, sentence in _sentences(name, columns, rows):
                    places[name.lower(), row_id] = (len(text), len(text) + len(sentence))
                    text += f"{sentence}\n"
    except sqlite3.Error as error:
        raise CorpusDamaged(f"database {path.name!r} cannot be read: {error}") from error
    return DatabaseDocument(path.stem, path, text, places, frozenset(contents))


def _sentences(
    table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, str]]:
    """Yield each row's id and sentence: `Ship 3: ship id is 12; name is Lettice.`."""
    title = column_words(table).capitalize()
    for number, (row_id, *row) in enumerate(rows, start=1):
        told = zip(map(column_words, columns), map(_written, row), strict=True)
        yield row_id, f"{title} {number}: {'; '.join(f'{name} is {cell}' for name, cell in told)}."


def column_words(name: str) -> str:
    """Return an identifier as words.

    >>> column_words("Lost_in_battle"), column_words("StuID"), column_words("dept2name")
    ('lost in battle', 'stu id', 'dept 2 name')
    """
    return " ".join(_WORD.findall(name)).lower() or name


def _written(cell: Cell) -> str:
    if cell is None or cell == "":
        return "not given"
    if isinstance(cell, bytes):
        return cell.hex()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())


_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]")
_TOKEN: Final = re.compile(rf"{_QUOTED.pattern}|\w+|[^\w\s]")
_BRACKETED: Final = re.compile(r"\([^()]*\)")
_REFUSED: Final = re.compile(
    r"\b(group|having|order|limit|union|intersect|except)\b", re.IGNORECASE
)
_QUERY: Final = re.compile(
    r"select\s+(?P<function>count|avg|sum)\s*\(\s*(?P<distinct>distinct\b)?\s*(?P<operand>[^()]+?)"
    r"\s*\)\s*(?:as\s+\w+\s+)?from\s+"
    r"(?P<source>(?P<tables>[^()]+?)(?:\s+where\s+(?P<where>.+))?)",
    re.IGNORECASE | re.DOTALL,
)
_TABLE: Final = re.compile(
    r"(?:^|,|\bjoin\b)\s*(?P<table>\w+)"
    r"(?:\s+(?:as\s+)?(?!(?:on|using|join|inner|left|cross|natural|outer)\b)(?P<alias>\w+))?",
    re.IGNORECASE,
)
_DIGITS: Final = 6
_PER_DATABASE: Final = 8
_FEWEST: Final = 2
"""Questions of a database, at least."""
_MOST_CHARACTERS: Final = 100_000
"""Of a database's document."""
_MOST_PER_QUESTION: Final = 25_000
"""Characters of a document for each of its questions."""


class NotConverted(Exception):
    """A query that is no question of this benchmark; its text says why."""


class Asked(BaseModel):
    """A question in Spider's format; other keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    db_id: str
    question: str
    query: str


_ASKED: TypeAdapter[list[Asked]] = TypeAdapter(list[Asked])


def build_spiderqa(
    databases: Path, questions: Path, into: Path, most: int, say: Callable[[str], None]
) -> dict[str, JsonValue]:
    """Convert a folder of databases with their questions; return the statistics.

    Databases are `NAME/NAME.sqlite`, questions an array in JSON. The folder gets `docs/` and
    `questions.jsonl`; what is left out is told to `say`.

    Raises:
        SettingsError: a folder cannot be used, or no question can be converted.
        QuestionError: the questions cannot be read.
    """
    folder = OutputFolder(into)
    asked = _load(questions)
    documents = _documents(databases, asked, say)
    found = _converted(asked, documents, say)
    chosen = _balanced(_moderated(found, documents, say), most)
    if not chosen:
        raise SettingsError(f"none of {len(asked)} questions can be converted")
    texts = {each.document.name: each.document.text for each in chosen}
    folder.write_documents("docs", texts)
    numbered = enumerate(chosen, start=1)
    records = folder.write_questions(
        "questions.jsonl", [each.record(number) for number, each in numbered]
    )
    return {
        **evidence_figures([Source(*each) for each in texts.items()], records),
        "questions": len(chosen),
        "by_aggregation": {**Counter(each.aggregate.name for each in chosen)},
        "by_logic": {**Counter(each.aggregate.logic for each in chosen)},
    }


def _load(path: Path) -> list[Asked]:
    """Read questions in Spider's format; raise QuestionError where they are something else."""
    try:
        return _ASKED.validate_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise QuestionError(f"{str(path)!r} has no questions in Spider's format: {why}") from error


def _documents(
    databases: Path, asked: Iterable[Asked], say: Callable[[str], None]
) -> dict[str, DatabaseDocument]:
    """Return by name each database that is asked about, unless it repeats an earlier one."""
    found: dict[str, DatabaseDocument] = {}
    seen: set[object] = set()
    for name in dict.fromkeys(each.db_id for each in asked):
        path = databases / name / f"{name}.sqlite"
        try:
            document = written_out(path)
        except CorpusDamaged as error:
            say(f"left out {name!r}: {error}")
            continue
        if document.contents <= seen:
            say(f"left out {name!r}: no rows, or only tables that others have too")
            continue
        seen |= document.contents
        found[name] = document
    return found


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A query for one aggregate over tables."""

    name: str
    """The aggregate as questions' files call it: `count`, `count distinct`, `avg`, `sum`."""
    logic: str
    tables: tuple[tuple[str, str], ...]
    """The tables of its FROM with the names they go by."""
    where: str
    evidence: str
    """The query for what is aggregated, then the row id of each table, a row a match."""


def aggregate_of(sql: str) -> Aggregate:
    """Return the aggregate that a query asks for.

    Raises NotConverted: it asks for a list, groups, an extreme, or is too involved.

    >>> aggregate_of("SELECT avg(age) FROM dog WHERE size = 'L'").evidence
    "SELECT age, dog.rowid FROM dog WHERE size = 'L'"
    """
    bare = unquoted = _QUOTED.sub("_", sql)
    while (outer := _BRACKETED.sub("_", bare)) != bare:
        bare = outer
    unwanted = _REFUSED.search(bare)
    if unwanted is not None:
        raise NotConverted(f"it has {unwanted[1].upper()}: several answers, or the most")
    query = _QUERY.fullmatch(sql.strip().removesuffix(";").strip())
    if query is None:
        raise NotConverted("it asks for no count, sum or average alone, or not of tables")
    found = [each.group("table", "alias") for each in _TABLE.finditer(query["tables"])]
    tables = tuple((table, alias or table) for table, alias in found)
    nested = len(re.findall(r"\bselect\b", unquoted, re.IGNORECASE)) > 1
    value = "1" if query["operand"] == "*" else query["operand"]
    columns = ", ".join([value, *(f"{alias}.rowid" for _, alias in tables)])
    return Aggregate(
        name=query["function"].lower() + (" distinct" if query["distinct"] else ""),
        logic="nested" if nested else "join" if len(tables) > 1 else "single table",
        tables=tables,
        where=" ".join((query["where"] or "").split()),
        evidence=f"SELECT {columns} FROM {query['source']}",  # noqa: S608 - opened to be read only
    )


@dataclass(frozen=True, slots=True)
class Converted:
    """A question with its answer and evidence."""

    asked: Asked
    document: DatabaseDocument
    aggregate: Aggregate
    value: float
    rows: Sequence[tuple[str, int]]
    """Table, in lower case, and row id of each row behind the aggregate, each once."""

    def record(self, number: int) -> dict[str, JsonValue]:
        """Return it as questions' files have it."""
        counted = self.aggregate.name.startswith("count")
        entity = column_words(self.aggregate.tables[0][0])
        places = [(row, *self.document.places[row]) for row in self.rows]
        name = self.document.name
        return {
            "id": f"spiderqa-{number:03}",
            "corpus": "docs",
            "question": self.asked.question,
            "entity_type": f"{entity} record",
            "aggregation": self.aggregate.name,
            "conditions": [{"text": self.aggregate.where or f"any {entity}"}],
            "logic": self.aggregate.logic,
            "decided_by": "code: the SQL query executed on the source database",
            "answer_count": int(self.value) if counted else None,
            "answer_value": None if counted else self.value,
            "gold_documents": [name],
            "gold_evidence": [
                gold_evidence(name, self.document.text, start, end, table=table, rowid=row)
                for (table, row), start, end in places
            ],
            "db_id": name,
            "sql": self.asked.query,
            "evidence_sql": self.aggregate.evidence,
        }


def convert(asked: Asked, document: DatabaseDocument) -> Converted:
    """Execute a question's query and the one for its evidence.

    The aggregate is computed once more from the rows of the evidence, so that what is listed as
    evidence is what the answer comes from.

    Raises:
        NotConverted: the query is of another kind or fails, nothing satisfies it, its rows are not
            in the document, or they do not give the answer.
    """
    found = aggregate_of(asked.query)
    try:
        with opened(document.path) as connection:
            answer = connection.execute(asked.query).fetchall()
            matches = connection.execute(found.evidence).fetchall()
    except sqlite3.Error as error:
        raise NotConverted(f"its query fails: {error}") from error
    matches = [row for row in matches if row[0] is not None]
    if not matches or answer[0][0] is None:
        raise NotConverted("no row satisfies it")
    if not math.isclose(answer[0][0], _computed(found, matches), rel_tol=1e-9):
        raise NotConverted("the rows behind it do not give its answer")
    names = [name.strip("\"`[]'").lower() for name, _ in found.tables]
    rows = {pair for match in matches for pair in zip(names, match[1:], strict=True)}
    rows = {(table, row) for table, row in rows if row is not None}
    if not rows <= document.places.keys():
        raise NotConverted("its rows are in no table of the document")
    ordered = sorted(rows, key=lambda row: document.places[row])
    return Converted(asked, document, found, round(float(answer[0][0]), _DIGITS), ordered)


def _computed(found: Aggregate, matches: Sequence[tuple[Cell, ...]]) -> float:
    """Return the aggregate of the first values of the rows."""
    values = [row[0] for row in matches]
    used = sorted(set(values), key=repr) if found.name.endswith("distinct") else values
    if found.name.startswith("count"):
        return len(used)
    try:
        numbers = [float(each or 0) for each in used]
    except ValueError as error:
        raise NotConverted("it computes with what is no number") from error
    return math.fsum(numbers) / (len(numbers) if found.name.startswith("avg") else 1)


def _converted(
    asked: Iterable[Asked], documents: Mapping[str, DatabaseDocument], say: Callable[[str], None]
) -> list[Converted]:
    """Convert what can be; a question or a query that came before is left out."""
    found: list[Converted] = []
    seen: set[tuple[str, str]] = set()
    for each in asked:
        if each.db_id not in documents:
            continue
        words = " ".join(each.question.casefold().split())
        tokens = _TOKEN.findall(each.query.strip().removesuffix(";"))
        query = " ".join(one if one[0] in "'\"" else one.lower() for one in tokens)
        same = {(each.db_id, words), (each.db_id, query)}
        if same & seen:
            say(f"left out {each.question!r}: the same question or query came before")
            continue
        try:
            found.append(convert(each, documents[each.db_id]))
        except NotConverted as error:
            say(f"left out {each.question!r}: {error}")
        seen |= same
    return found


def _moderated(
    found: Iterable[Converted],
    documents: Mapping[str, DatabaseDocument],
    say: Callable[[str], None],
) -> list[Converted]:
    """Return the questions of databases that are neither too large nor asked too little."""
    kept: defaultdict[str, list[Converted]] = defaultdict(list)
    for each in found:
        kept[each.document.name].append(each)
    for name, document in documents.items():
        size, asked = len(document.text), len(kept[name])
        if asked < _FEWEST or size > min(_MOST_CHARACTERS, _MOST_PER_QUESTION * asked):
            say(f"left out {name!r}: {size} characters for {asked} questions")
            del kept[name]
    return [each for own in kept.values() for each in own]


def _balanced(found: Iterable[Converted], most: int) -> list[Converted]:
    """Return questions with aggregates and ways to join in turn, no database more than its share.

    The order is that of the databases, so that a file reads by document.
    """
    groups: defaultdict[tuple[str, str], list[Converted]] = defaultdict(list)
    for each in found:
        groups[each.aggregate.name, each.aggregate.logic].append(each)
    taken: Counter[str] = Counter()

    def fits(each: Converted) -> bool:
        taken[each.document.name] += 1
        return taken[each.document.name] <= _PER_DATABASE

    turns = alternating(groups[key] for key in sorted(groups))
    chosen = islice(filter(fits, turns), most)
    return sorted(chosen, key=lambda each: each.document.name)
