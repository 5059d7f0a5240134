"""Building the benchmark: databases to documents, questions to question, answer and evidence."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from agent.errors import CorpusDamaged, QuestionError, SettingsError
from evals.aggbench.folder import Folder
from evals.aggbench.source import Source
from evals.aggbench.statistics import evidence_chunks, evidence_of
from evals.spiderqa.conversion import Asked, Converted, convert
from evals.spiderqa.database import Database, read_database
from evals.spiderqa.document import Rendered, render, table_key
from evals.spiderqa.selection import Moderation, Rejected, balanced, moderate, without_repeats
from evals.spiderqa.sql import NotConverted
from evals.spiderqa.template import Template, plain_template

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Templates", "build_spiderqa", "load_asked")

Templates = Callable[[Database], dict[str, Template]]
"""Gives a database's templates by the tables' names."""
_ASKED: TypeAdapter[list[Asked]] = TypeAdapter(list[Asked])


@dataclass(frozen=True, slots=True)
class _Read:
    """A database on disk with its document."""

    path: Path
    database: Database
    rendered: Rendered


def build_spiderqa(
    databases: Path,
    questions: Path,
    into: Path,
    limits: Moderation,
    templates: Templates | None = None,
) -> dict[str, "JsonValue"]:
    """Convert a folder of databases with their questions; return the statistics.

    Args:
        databases: holds `NAME/NAME.sqlite` for each database.
        questions: JSON in Spider's format: an array, or an object a line.
        into: gets `docs/`, `questions.jsonl`, `rejected.jsonl`, `templates.json` and
            `statistics.json`.
        limits: what is kept.
        templates: what the rows' sentences are; by code without it.

    Raises:
        SettingsError: a folder cannot be used, or no question can be converted.
        QuestionError: the questions cannot be read.
    """
    folder = Folder(into)
    folder.check_new()
    asked = load_asked(questions)
    templates = templates or _plain
    written: dict[str, dict[str, Template]] = {}
    read, rejected = _read_all(databases, asked, templates, written)
    found, refused = _converted(asked, read)
    documents = {name: each.rendered for name, each in read.items()}
    moderated, small = moderate(without_repeats(found), documents, limits)
    chosen = balanced(moderated, limits)
    if not chosen:
        raise SettingsError(f"none of {len(asked)} questions can be converted")
    used = sorted({each.asked.db_id for each in chosen})
    sources = [Source(name, documents[name].text) for name in used]
    folder.write_documents("docs", sources)
    records = [
        each.record(number, documents[each.asked.db_id])
        for number, each in enumerate(chosen, start=1)
    ]
    folder.write_lines("questions.jsonl", records)
    told = [asdict(each) for each in (*rejected, *refused, *small)]
    folder.write_lines("rejected.jsonl", told)
    folder.write_json("templates.json", {name: {**written[name]} for name in used})
    statistics = _statistics(sources, chosen, records)
    folder.write_json("statistics.json", statistics)
    return statistics


def load_asked(path: Path) -> list[Asked]:
    """Read questions in Spider's format.

    Raises:
        QuestionError: the file cannot be read, or holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        array = text.lstrip().startswith("[")
        told = (
            json.loads(text)
            if array
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
        return _ASKED.validate_python(told)
    except (OSError, ValueError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise QuestionError(f"{str(path)!r} has no questions in Spider's format: {why}") from error


def _plain(database: Database) -> dict[str, Template]:
    return {each.name: plain_template(each) for each in database.tables}


def _read_all(
    databases: Path,
    asked: Iterable[Asked],
    templates: Templates,
    written: dict[str, dict[str, Template]],
) -> tuple[dict[str, _Read], list[Rejected]]:
    """Read and render each database that is asked about, unless it repeats an earlier one."""
    read: dict[str, _Read] = {}
    rejected: list[Rejected] = []
    seen: set[object] = set()
    for name in dict.fromkeys(each.db_id for each in asked):
        path = databases / name / f"{name}.sqlite"
        try:
            database = read_database(path, name)
        except CorpusDamaged as error:
            rejected.append(Rejected(name, "", str(error)))
            continue
        tables = {table_key(each) for each in database.tables if each.rows}
        if tables <= seen:
            rejected.append(Rejected(name, "", "no rows, or only tables that others have too"))
            continue
        seen |= tables
        written[name] = templates(database)
        read[name] = _Read(path, database, render(database, written[name]))
    return read, rejected


def _converted(
    asked: Iterable[Asked], read: dict[str, _Read]
) -> tuple[list[Converted], list[Rejected]]:
    found, refused = [], []
    for each in asked:
        if each.db_id in read:
            place = read[each.db_id]
            try:
                found.append(convert(each, place.path, place.database, place.rendered))
            except NotConverted as error:
                refused.append(Rejected(each.db_id, each.question, str(error)))
    return found, refused


def _statistics(
    sources: Sequence[Source], chosen: Sequence[Converted], records: list[dict[str, "JsonValue"]]
) -> dict[str, "JsonValue"]:
    chunks = sum(len(each.chunks) for each in sources)
    return {
        "documents": len(sources),
        "chunks": chunks,
        "evidence_density": evidence_chunks(sources, evidence_of(records)) / chunks,
        "questions": len(chosen),
        "by_aggregation": {**Counter(each.aggregate.name for each in chosen)},
        "by_logic": {**Counter(each.logic for each in chosen)},
        "paraphrases": sum(len(each.paraphrases) for each in chosen),
    }
