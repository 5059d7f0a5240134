"""Load files of Concordance, and which files the rows of a table name: in a folder, an archive."""

import csv
import io
import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import PurePosixPath
from typing import TypeVar

from agent.errors import DocumentUnreadable
from tools.corpus.readers.rows import LONGEST_CELL, Row, table_documents
from tools.corpus.suffix import suffix_of

T = TypeVar("T")
_NEARLY_ALL = 0.8
"""The share of a table's rows that name a file, at least, if it is metadata."""


def is_load_file(path: str) -> bool:
    """Tell whether a file may be one, by its name."""
    return suffix_of(path).lower() == ".dat"


def load_file_encoding(head: bytes) -> str | None:
    """Return the encoding of a load file by its first bytes; None where it is none."""
    own = "cp1252" if head.startswith(b"\xfe") else "utf-8-sig"
    own = "utf-16" if head[:2] in {b"\xfe\xff", b"\xff\xfe"} else own
    return own if head[:8].decode(own, "replace").startswith("þ") else None


def load_file_rows(data: bytes) -> list[Row]:
    """Return the rows of a load file, all columns by name; raises DocumentUnreadable."""
    csv.field_size_limit(LONGEST_CELL)
    try:
        text = io.StringIO(data.decode(load_file_encoding(data) or "utf-8"), newline="")
        read = list(csv.reader(text, delimiter="\x14", quotechar="þ"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DocumentUnreadable(f"damaged load file ({error}); save it as UTF-8") from error
    cells = [[cell.replace("®", "\n") for cell in row] for row in read if row]
    return [each.row for each in table_documents(cells, None)]


def folders_of(table: str) -> list[str]:
    """Return what the paths begin with that a table may be about: what lies at or below its folder.

    A load file lies in a folder of its own beside those of its documents: the folders above, too.
    """
    above = [str(each) for each in PurePosixPath(table).parents]
    within = ["" if each == "." else f"{each}/" for each in above]
    return within if is_load_file(table) else within[:1]


def by_name(files: Sequence[tuple[str, T]]) -> dict[str, Sequence[T]]:
    """Return the file of each path, else those that have the path but for their suffix."""
    bare = defaultdict[str, list[T]](list)
    for path, each in files:
        bare[path.removesuffix(suffix_of(path))].append(each)
    return {**bare, **{path: [each] for path, each in files}}


def columns_naming(
    table: str, rows: Sequence[Row], names: Mapping[str, Sequence[T]]
) -> tuple[str, int, list[list[Sequence[T]]]]:
    r"""Return the column that names the most files, in how many rows, and what columns name.

    The files lie at or below a folder of the table; `\` parts folders, too. Where a column names
    files in nearly all rows, so does what others name, of whose values nearly all are such names.
    """
    folders = folders_of(table)

    @cache
    def named(written: str) -> Sequence[T]:
        name = written.strip().replace("\\", "/").lstrip("/")
        for within in folders if name else ():
            path = posixpath.normpath(within + name) if "/" in name else within + name
            if path.startswith(within) and (found := names.get(path)):
                return found
        return ()

    columns = dict.fromkeys(chain.from_iterable(rows))
    found = {key: [named(row.get(key, "")) for row in rows] for key in columns}
    hits = {key: sum(map(bool, each)) for key, each in found.items()}
    best = max(hits, key=lambda key: hits[key], default="")
    if not hits.get(best) or hits[best] < _NEARLY_ALL * len(rows):
        return best, hits.get(best, 0), []
    filled = {key: sum(bool(row.get(key, "").strip()) for row in rows) for key in columns}
    naming = [each for key, each in found.items() if hits[key] >= max(1, _NEARLY_ALL * filled[key])]
    return best, hits[best], naming
