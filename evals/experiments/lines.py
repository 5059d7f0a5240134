"""Files of JSON that are the same bytes for the same values, and never half-written."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import JsonValue

__all__ = ("read_lines", "replace_text", "write_lines", "written")


def written(value: JsonValue) -> str:
    """Return a value as indented JSON with sorted keys and a final newline."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write_lines(path: Path, rows: Iterable[Mapping[str, JsonValue]]) -> None:
    """Replace a file by one of an object a line, keys sorted."""
    lines = (json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    replace_text(path, "".join(lines))


def replace_text(path: Path, text: str) -> None:
    """Write a file beside the old one and put it in its place: a kill leaves one of the two."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read_lines(path: Path) -> list[dict[str, JsonValue]]:
    """Read a file of an object a line; raise OSError or ValueError where that is not what it is."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{path.name} has a line that is no object")
    return rows
