"""From a corpus's location to what evaluates predicates over it: the location says which engine."""

from agent.errors import SettingsError
from tools.corpus.corpus import open_corpus
from tools.engines.sharded.daft_session import on_cluster
from tools.engines.sharded.sharded_corpus import is_sharded, open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine
from tools.filters.arguments import Engine
from tools.filters.local_engine import LocalEngine


def open_engine(location: str, cluster: str | None = None) -> Engine:
    """Open a folder's corpus, or the one of shards that lies there, for a Ray cluster to filter."""
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
