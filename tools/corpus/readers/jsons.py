"""JSON: an array of objects or one object; JSON Lines: an object a line."""

import json
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.fields.header import flattened
from tools.corpus.readers.encoding import decode
from tools.corpus.readers.reading import Reading
from tools.corpus.readers.rows import Row, row_readings

__all__ = ("read_json", "read_json_lines")


def read_json_lines(data: bytes, encoding: str | None) -> list[Reading]:
    """Return a document for each line; a broken line is returned without text, with the reason.

    Raises:
        DocumentUnreadable: If no line can be read.
    """
    text, found, warnings = decode(data, encoding)
    rows = []
    broken = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                rows.append((number, _row(_parsed(line, f"line {number}"), f"line {number}"), line))
        except DocumentUnreadable as error:
            broken.append(Reading(text="", key=str(number), broken=str(error)))
    if broken and not rows:
        raise DocumentUnreadable(broken[0].broken)
    return [*row_readings(rows, found, warnings), *broken]


def read_json(data: bytes, encoding: str | None) -> list[Reading]:
    """Return a document for each object of an array, or one for a single object."""
    text, found, warnings = decode(data, encoding)
    value = _parsed(text, "file")
    if isinstance(value, dict):
        return [_single(value, found, warnings)]
    if not isinstance(value, list):
        raise DocumentUnreadable("JSON is neither an object nor an array of objects")
    rows = [
        (number, _row(item, f"item {number}"), json.dumps(item, sort_keys=True))
        for number, item in enumerate(value, 1)
    ]
    return row_readings(rows, found, warnings)


def _single(value: dict[str, Any], encoding: str, warnings: tuple[str, ...]) -> Reading:
    row = row_readings([(1, _row(value, "file"), "")], encoding, warnings)[0]
    return Reading(
        text=row.text,
        encoding=encoding,
        title=row.title,
        properties=row.properties,
        warnings=row.warnings,
    )


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentUnreadable(f"{where} is no JSON ({error})") from error


def _row(value: Any, where: str) -> Row:
    if not isinstance(value, dict):
        raise DocumentUnreadable(f"{where} is no JSON object")
    try:
        items = flattened(value)
    except RecursionError as error:
        raise DocumentUnreadable(f"{where} is nested too deeply") from error
    return {key: own if isinstance(own, str) else "; ".join(own) for key, own in items.items()}
