"""Rows of a table or of a JSON Lines file as documents."""

from collections.abc import Mapping, Sequence

from tools.corpus.readers.encoding import normalised
from tools.corpus.readers.reading import Reading

__all__ = ("Row", "row_readings")

Row = Mapping[str, str]
_TEXT_KEYS = ("text", "content", "body", "abstract")
_KEY_KEYS = ("id", "name", "title")
_LONG = 200


def row_readings(
    rows: Sequence[tuple[int, Row, str]], encoding: str, warnings: Sequence[str] = ()
) -> list[Reading]:
    """Return a document for each (number, columns, source) row, its text from its text column.

    The text column is the one called text, content, body or abstract, else those with long values
    in most rows; without one the row reads as `Key: value` lines. The other columns are its fields.
    """
    text_keys = _text_keys([row for _, row, _ in rows])
    key_key = _named([row for _, row, _ in rows], _KEY_KEYS)
    seen: set[str] = set()
    readings = []
    for number, row, source in rows:
        key = (row.get(key_key, "") if key_key else "").strip() or str(number)
        key = key if key not in seen else f"{key}~{number}"
        seen.add(key)
        text, notes = _rendered(row, text_keys)
        readings.append(
            Reading(
                text=text,
                encoding=encoding,
                title=row.get(key_key or "") or None,
                key=key,
                source=source,
                properties={k: v for k, v in row.items() if k not in text_keys and v},
                warnings=(*warnings, *notes),
            )
        )
    return readings


def _rendered(row: Row, text_keys: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    texts = [(key, row[key]) for key in text_keys if row.get(key)]
    if len(text_keys) == 1 and texts:
        return normalised(texts[0][1])
    if texts:
        return normalised("\n\n".join(f"{key}\n\n{text}" for key, text in texts))
    return normalised("".join(f"{key}: {value}\n" for key, value in row.items() if value))


def _text_keys(rows: Sequence[Row]) -> list[str]:
    if named := _named(rows, _TEXT_KEYS):
        return [named]
    lengths: dict[str, int] = {}
    for row in rows:
        for key, value in row.items():
            lengths[key] = lengths.get(key, 0) + len(value)
    return [key for key, length in lengths.items() if length > _LONG * len(rows)]


def _named(rows: Sequence[Row], names: Sequence[str]) -> str | None:
    """Return the column of the first of the names that any row has, whatever its case."""
    columns = {key.casefold(): key for row in rows for key in row}
    return next((columns[name] for name in names if name in columns), None)
