"""What a table tells of each document, apart from its text and fields."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tools.corpus.documents.entry import Entry, distinct

if TYPE_CHECKING:
    import polars as pl

__all__ = ("concatenated", "renamed", "rows_of")


def rows_of(entries: Sequence[Entry]) -> "pl.DataFrame":
    """Return the rows of documents, a column each of what is known of them.

    `read_as` is a document's name as read; in `name`, those that two sources share are numbered.
    """
    import polars as pl

    documents = [entry.document for entry in entries]
    names = [each.name for each in documents]
    return pl.DataFrame(
        {
            "name": names,
            "read_as": names,
            "path": [each.path for each in documents],
            "title": [each.title for each in documents],
            "digest": [each.digest for each in documents],
            "reader": [each.reader for each in documents],
            "encoding": [each.encoding for each in documents],
            "chars": [len(each.text) for each in documents],
            "chunks": [len(entry.chunks) for entry in entries],
            "warnings": [list(each.warnings) for each in documents],
        },
        schema={
            **dict.fromkeys(("name", "read_as", "path", "title", "digest", "reader"), pl.String),
            "encoding": pl.String,
            "chars": pl.Int64,
            "chunks": pl.Int32,
            "warnings": pl.List(pl.String),
        },
    )


def renamed(rows: "pl.DataFrame", names: Mapping[int, str]) -> "pl.DataFrame":
    """Return rows of which some are read under another name; a title that was the name follows."""
    import polars as pl

    if not names:
        return rows
    old, titles = rows["read_as"].to_list(), rows["title"].to_list()
    now = [names.get(place, name) for place, name in enumerate(old)]
    told = [
        new if title == name else title for title, name, new in zip(titles, old, now, strict=True)
    ]
    return rows.with_columns(
        pl.Series("read_as", now, dtype=pl.String), pl.Series("title", told, dtype=pl.String)
    )


def concatenated(pieces: "Sequence[pl.DataFrame]") -> "pl.DataFrame":
    """Return the rows of the pieces, one after another, named so that a name means one document."""
    import polars as pl

    rows = pl.concat(pieces, rechunk=True)
    return rows.with_columns(
        pl.Series("name", distinct(rows["read_as"].to_list()), dtype=pl.String)
    )
