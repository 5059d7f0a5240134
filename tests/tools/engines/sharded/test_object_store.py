"""Shards in an object store are what shards in a folder are."""

from pathlib import Path

import pytest
from pyroaring import BitMap

from agent.errors import CorpusDamaged, CorpusMissing, CorpusUnreachable
from tests.built import write
from tests.tools.engines.sharded.object_store import object_store
from tests.tools.engines.shards import NEEDS_DAFT
from tools.engines.sharded import daft_session
from tools.engines.sharded.sharded_build import build_sharded
from tools.engines.sharded.sharded_corpus import open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine
from tools.filters.exact import ExactArguments
from tools.filters.semantic import SemanticArguments

pytestmark = pytest.mark.slow

pytest.importorskip("daft", reason=NEEDS_DAFT)

PLACE = "s3://bucket/x.shards"


@pytest.fixture(autouse=True)
def _anyone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anyone")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    monkeypatch.setenv("AWS_REGION", "us-east-1")


def test_a_store_that_does_not_answer_is_told_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daft_session, "_TRIES", 1)
    with pytest.raises(CorpusUnreachable, match="refused"):
        open_sharded(PLACE)


def test_a_store_gives_what_a_folder_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    halls = {f"{number}.txt": f"The pump of hall {number} failed. " * 20 for number in range(6)}
    texts, near = write(tmp_path / "texts", halls), tmp_path / "x.shards"
    build_sharded([texts], near, shard_bytes=600)
    with object_store() as (address, objects):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(CorpusMissing):
            open_sharded(PLACE)
        report = build_sharded([texts], PLACE, shard_bytes=600)
        assert report.made == report.shards > 2
        again = build_sharded([texts], PLACE, shard_bytes=600)
        assert again.made == 0
        everything = BitMap(range(report.chunks))
        for predicate in (
            ExactArguments(phrase="hall 3"),
            SemanticArguments(query="the pump of hall 4", best=2),
        ):
            kept = ShardedEngine(open_sharded(PLACE)).keep(predicate, everything)
            assert kept
            assert kept == ShardedEngine(open_sharded(near)).keep(predicate, everything)
        lost = open_sharded(PLACE)
        del objects[f"/bucket/x.shards/chunks/{lost.shards[0].name}.parquet"]
        with pytest.raises(CorpusDamaged, match=lost.shards[0].name):
            ShardedEngine(lost).keep(ExactArguments(phrase="hall"), everything)
