"""Building one shard: its files read, chunked and counted, on whatever node it falls to."""

from agent.errors import DocumentUnreadable
from tools.corpus.documents.document import read_drafts
from tools.corpus.documents.entry import Entry, entries_of
from tools.corpus.documents.listing import FileBelow
from tools.corpus.manifest import row_path
from tools.corpus.settings import BuildSettings
from tools.engines.sharded.plan import PlannedShard
from tools.engines.sharded.tables import ShardTables, shard_tables

__all__ = ("build_shard",)


def build_shard(shard: PlannedShard, settings: BuildSettings) -> ShardTables:
    """Return the shard's tables; what cannot be read is listed in its receipt."""
    entries: list[Entry] = []
    unreadable: list[tuple[str, str]] = []
    for file in shard.files:
        try:
            found, broken = _read(file, settings)
        except DocumentUnreadable as error:
            unreadable.append((file.path, str(error)))
            continue
        entries.extend(found)
        unreadable.extend(broken)
    return shard_tables(shard.name, entries, unreadable)


def _read(file: FileBelow, settings: BuildSettings) -> tuple[list[Entry], list[tuple[str, str]]]:
    drafts, broken = read_drafts(file, encoding=settings.encoding)
    return entries_of(drafts, settings), [(row_path(file.path, row), why) for row, why in broken]
