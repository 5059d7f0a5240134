"""The second stage of annotation: a file for people, a row a judgement, CSV or JSON lines.

People fill `person` with yes, no or unsure; a yes where the machine said no also needs the words
that prove it in `quote`. `name` renames an entity, or names one that the machine did not find.
Whatever is left empty stays as it is.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import ValidationError, field_validator

from agent.errors import SettingsError
from agent.value import Value
from evals.aggbench.agreement import Verdict
from evals.aggbench.annotation import Annotation
from evals.aggbench.condition import Mined
from evals.aggbench.source import Source
from tools.corpus.words.tokenizer import words

__all__ = ("Row", "read_rows", "review_rows", "write_rows")

_CONTEXT: Final = 160


class Row(Value):
    """One judgement: whether a chunk states that an entity satisfies a condition."""

    condition: str
    phrase: str
    document: str
    chunk: int
    """Which of the document's chunks, from 0."""
    entity: str
    """Empty where nothing was found of any; a yes then needs its name in `name`."""
    quote: str = ""
    """The words that prove it; empty where nothing was found."""
    context: str = ""
    """What stands around it, for the eye only."""
    machine: Verdict
    person: Verdict | None = None
    name: str = ""
    """Another name for the entity."""
    note: str = ""

    @field_validator("person", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        if isinstance(value, str):
            return value.strip().lower() or None
        return value

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What two files say of the same judgement."""
        return self.condition, self.document, self.chunk, self.entity


def review_rows(
    conditions: Sequence[Mined],
    annotations: Iterable[Annotation],
    sources: Sequence[Source],
    rng: np.random.Generator,
) -> Iterator[Row]:
    """Yield every chunk that proves a condition, every doubt, and as many that prove nothing.

    Those that prove nothing come from documents without any annotation, drawn at random; of each
    the chunk is shown that shares most words with the condition. Without them nobody would see
    what the machine missed.
    """
    by_name = {each.name: each for each in sources}
    found = list(annotations)
    for condition in conditions:
        own = [each for each in found if each.condition == condition.id]
        rows: dict[tuple[str, str, int, str], Row] = {}
        for each in own:
            row = _positive(condition, each, by_name[each.document])
            rows.setdefault(row.key, row)
        yield from rows.values()
        silent = [each for each in sources if each.name not in {one.document for one in own}]
        drawn = rng.permutation(len(silent))[: len(rows)]
        yield from (_negative(condition, silent[int(at)]) for at in sorted(drawn))


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write CSV, or JSON lines where the file's suffix is `.jsonl`."""
    told = [each.model_dump(mode="json") for each in rows]
    if path.suffix == ".jsonl":
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in told)
        path.write_text("".join(lines), encoding="utf-8")
        return
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(Row.model_fields))
        writer.writeheader()
        writer.writerows(told)


def read_rows(path: Path) -> list[Row]:
    """Read a file that people went through.

    Raises:
        SettingsError: it cannot be read, a line is no row, or one judgement occurs twice.
    """
    rows: dict[tuple[str, str, int, str], Row] = {}
    for number, told in enumerate(_told(path), start=1):
        try:
            row = Row.model_validate(told)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise SettingsError(f"{path.name}, row {number}: {where}: {first['msg']}") from error
        if row.key in rows:
            raise SettingsError(f"{path.name}, row {number}: the same judgement a second time")
        rows[row.key] = row
    return list(rows.values())


def _told(path: Path) -> list[dict[str, object]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return [{**each} for each in csv.DictReader(io.StringIO(text, newline=""))]
    except (OSError, ValueError) as error:
        raise SettingsError(f"the review {str(path)!r} cannot be read: {error}") from error


def _positive(condition: Mined, found: Annotation, source: Source) -> Row:
    start, end = found.start or 0, found.end or 0
    around = source.text[max(0, start - _CONTEXT) : end + _CONTEXT]
    return Row(
        condition=condition.id,
        phrase=condition.phrase,
        document=found.document,
        chunk=source.chunk_at(start),
        entity=found.entity,
        quote=found.quote,
        context=_flat(around) if found.quote else "",
        machine="unsure" if found.doubted else "yes",
    )


def _negative(condition: Mined, source: Source) -> Row:
    wanted = set(words(condition.phrase))
    texts = [source.text[each.start : each.end] for each in source.chunks]
    shared = [len(wanted & set(words(text))) for text in texts]
    chunk = int(np.argmax(shared))
    return Row(
        condition=condition.id,
        phrase=condition.phrase,
        document=source.name,
        chunk=chunk,
        entity=source.name if condition.documents else "",
        context=_flat(texts[chunk]),
        machine="no",
    )


def _flat(text: str) -> str:
    return " ".join(text.split())
