"""What a build did."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.corpus.manifest import Manifest

if TYPE_CHECKING:
    import polars as pl

__all__ = ("BuildReport", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did; documents are compared by name and content."""

    added: int
    updated: int
    removed: int
    unchanged: int
    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file that could not be read."""
    notes: tuple[tuple[str, str], ...]
    """Path and what its reader notes of it, each note once a file."""
    documents: int
    chunks: int
    seconds: float


def report(
    old: "pl.DataFrame | None", manifest: Manifest, documents: "pl.DataFrame", seconds: float
) -> BuildReport:
    """Compare the rows of a build's documents with those before, if there are any."""
    before = {} if old is None else _contents(old)
    after = _contents(documents)
    noted = documents.select("path", "warnings").explode("warnings").drop_nulls("warnings")
    both = before.keys() & after.keys()
    unchanged = sum(before[name] == after[name] for name in both)
    return BuildReport(
        added=len(after.keys() - before.keys()),
        updated=len(both) - unchanged,
        removed=len(before.keys() - after.keys()),
        unchanged=unchanged,
        unreadable=tuple((file.path, file.reason) for file in manifest.unreadable),
        notes=tuple(dict.fromkeys(noted.iter_rows())),
        documents=manifest.documents,
        chunks=manifest.chunks,
        seconds=seconds,
    )


def _contents(documents: "pl.DataFrame") -> dict[str, str]:
    return dict(documents.select("name", "digest").iter_rows())
