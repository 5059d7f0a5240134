"""`headcount index` into shards: by Daft, in this process or on a Ray cluster."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import Console

from agent.errors import SettingsError
from agent.settings import load_settings
from graphs.apps.indexing import advancing, check_encoding
from graphs.apps.plain import styled
from tools.postgres.address import server_of

if TYPE_CHECKING:
    from tools.corpus.settings import BuildSettings

__all__ = ("run_sharding", "wants_shards")


def wants_shards(
    into: str,
    engine: Literal["local", "daft"] | None,
    cluster: str | None,
    *,
    checksum: bool = False,
) -> bool:
    """Return whether a corpus is to have shards: as asked, else as its place says.

    Raises:
        SettingsError: it cannot be as asked.
    """
    from tools.engines.sharded.corpus import is_sharded

    if engine == "local" and ("://" in into or cluster is not None):
        raise SettingsError("a corpus at a URL or on a cluster needs shards: use --engine daft")
    shards = engine == "daft" or cluster is not None or (engine is None and is_sharded(into))
    if shards and checksum:
        raise SettingsError("shards go by size and time of change: --checksum needs --engine local")
    return shards


def run_sharding(
    paths: Sequence[Path],
    into: str,
    settings: "BuildSettings",
    cluster: str | None,
    store: str | None = None,
) -> None:
    """Build the shards and print what was done and what could not be read."""
    from tools.engines.sharded.build import build_sharded
    from tools.engines.sharded.session import on_cluster

    check_encoding(settings.encoding)
    server = server_of(load_settings(store=store))
    if cluster is not None:
        on_cluster(cluster)
    with advancing() as advance:
        report = build_sharded(paths, into, settings=settings, progress=advance, server=server)
    console = Console(highlight=False)
    line = (
        f"{into}: {report.documents} documents, {report.chunks} chunks in {report.shards} shards, "
        f"{report.made} of them made ({report.seconds:.1f} s)"
    )
    for each in (line, *(f"not read: {path}: {why}" for path, why in report.unreadable)):
        console.print(styled(each), soft_wrap=True)
