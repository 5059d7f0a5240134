"""From a corpus's location to what evaluates predicates over it: the location says which engine."""

from agent.errors import SettingsError
from tools.corpus.corpus import open_corpus
from tools.engines.sharded.daft_session import on_cluster
from tools.engines.sharded.sharded_corpus import is_sharded, open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine
from tools.filters.arguments import Engine
from tools.filters.local_engine import LocalEngine


def open_engine(location: str, cluster: str | None = None) -> Engine:
    """Open the corpus at a location: a folder, or the place of shards.

    A Ray cluster's address has shards filtered there, else in this process.

    Raises:
        SettingsError: a cluster is named for a corpus without shards, or an extra is missing.
        CorpusMissing: there is no corpus.
        CorpusDamaged: it is broken, or of another version.
    """
    if is_sharded(location):
        if cluster is not None:
            on_cluster(cluster)
        return ShardedEngine(open_sharded(location))
    if cluster is not None:
        raise SettingsError(
            f"{location!r} has no shards for a cluster: make some with "
            "`headcount index PATH --into PLACE --engine daft`"
        )
    return LocalEngine(open_corpus(location))
