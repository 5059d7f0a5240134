"""Building the benchmark: databases to documents, questions to question, answer and evidence."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from agent.errors import CorpusDamaged, QuestionError, SettingsError
from evals.aggbench.benchmark_folder import Folder
from evals.aggbench.building import evidence_chunks, evidence_of
from evals.aggbench.mining import in_turn
from evals.aggbench.sources import Source
from evals.spiderqa.conversion import Asked, Converted, NotConverted, convert, normal_sql
from evals.spiderqa.databases import (
    Database,
    Rendered,
    Template,
    plain_template,
    read_database,
    render,
    table_key,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = (
    "Moderation",
    "Rejected",
    "balanced",
    "build_spiderqa",
    "load_asked",
    "moderate",
    "without_repeats",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moderation:
    """Which databases and how many questions are kept."""

    questions: int = 201
    """In all, at most; the paper has 201 over 48 databases."""
    per_database: int = 8
    fewest: int = 2
    """Questions of a database, at least."""
    most_characters: int = 100_000
    """Of a database's document."""
    most_per_question: int = 25_000
    """Characters of a document for each of its questions."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A question, or with an empty one a database, that is not converted, and why."""

    db_id: str
    question: str
    why: str


def without_repeats(found: Iterable[Converted]) -> list[Converted]:
    """Return each query of a database once; its other wordings become paraphrases.

    A question in the words of an earlier one is left out, whatever its query.
    """
    kept: dict[tuple[str, str], Converted] = {}
    worded: set[tuple[str, str]] = set()
    for each in found:
        words = (each.asked.db_id, " ".join(each.asked.question.casefold().split()))
        if words in worded:
            continue
        worded.add(words)
        key = (each.asked.db_id, normal_sql(each.asked.query))
        first = kept.get(key)
        if first is None:
            kept[key] = each
        else:
            more = (*first.paraphrases, each.asked.question)
            kept[key] = replace(first, paraphrases=more)
    return list(kept.values())


def moderate(
    found: Sequence[Converted], rendered: Mapping[str, Rendered], limits: Moderation
) -> tuple[list[Converted], list[Rejected]]:
    """Return the questions of databases that are neither too large nor asked too little."""
    times = Counter(each.asked.db_id for each in found)
    rejected = []
    for name, document in rendered.items():
        size, asked = len(document.text), times[name]
        if asked < limits.fewest:
            rejected.append(Rejected(name, "", f"{asked} questions, fewer than {limits.fewest}"))
        elif size > limits.most_characters:
            rejected.append(Rejected(name, "", f"{size} characters, too many"))
        elif size > limits.most_per_question * asked:
            rejected.append(Rejected(name, "", f"{size} characters for {asked} questions"))
    dropped = {each.db_id for each in rejected}
    return [each for each in found if each.asked.db_id not in dropped], rejected


def balanced(found: Iterable[Converted], limits: Moderation) -> list[Converted]:
    """Return questions with aggregates and ways to join in turn, no database more than its share.

    The order is that of the databases, so that a file reads by document.
    """
    groups: defaultdict[tuple[str, str], list[Converted]] = defaultdict(list)
    for each in found:
        groups[each.aggregate.name, each.logic].append(each)
    taken: Counter[str] = Counter()

    def fits(each: Converted) -> bool:
        taken[each.asked.db_id] += 1
        return taken[each.asked.db_id] <= limits.per_database

    turns = in_turn(groups[key] for key in sorted(groups))
    chosen = list(islice(filter(fits, turns), limits.questions))
    return sorted(chosen, key=lambda each: each.asked.db_id)


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
) -> dict[str, "JsonValue"]:
    """Convert a folder of databases with their questions; return the statistics.

    Args:
        databases: holds `NAME/NAME.sqlite` for each database.
        questions: JSON in Spider's format: an array, or an object a line.
        into: gets `docs/`, `questions.jsonl`, `rejected.jsonl`, `templates.json` and
            `statistics.json`.
        limits: what is kept.

    Raises:
        SettingsError: a folder cannot be used, or no question can be converted.
        QuestionError: the questions cannot be read.
    """
    folder = Folder(into)
    folder.check_new()
    asked = load_asked(questions)
    written: dict[str, dict[str, Template]] = {}
    read, rejected = _read_all(databases, asked, written)
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
        written[name] = _plain(database)
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
