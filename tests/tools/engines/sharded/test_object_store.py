"""Shards in an object store are what shards in a folder are."""

from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from pyroaring import BitMap

from agent.errors import CorpusDamaged, CorpusMissing, CorpusUnreachable
from tests.built import write
from tests.fake_provider.server import served
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


def store(root: Path) -> FastAPI:
    """Return a server that speaks as much of S3 as Daft asks of it, over the files of a folder."""
    application = FastAPI()

    @application.put("/{key:path}")
    async def put(key: str, request: Request) -> Response:
        (root / key).parent.mkdir(parents=True, exist_ok=True)
        (root / key).write_bytes(await request.body())
        return Response(headers={"etag": '"1"'})

    @application.api_route("/{key:path}", methods=["GET", "HEAD"])
    async def get(key: str, prefix: str | None = None) -> Response:
        if prefix is None:
            held = (root / key).is_file()
            missing = Response("<Error><Code>NoSuchKey</Code></Error>", 404)
            return FileResponse(root / key) if held else missing
        below = (each for each in sorted((root / key).rglob("*")) if each.is_file())
        sizes = {str(each.relative_to(root / key)): each.stat().st_size for each in below}
        listed = "".join(
            f"<Contents><Key>{name}</Key><Size>{size}</Size></Contents>"
            for name, size in sizes.items()
            if name.startswith(prefix)
        )
        told = f"<ListBucketResult><IsTruncated>false</IsTruncated>{listed}</ListBucketResult>"
        return Response(told, media_type="application/xml")

    return application


def test_a_store_gives_what_a_folder_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    halls = {f"{number}.txt": f"The pump of hall {number} failed. " * 20 for number in range(6)}
    texts, near = write(tmp_path / "texts", halls), tmp_path / "x.shards"
    build_sharded([texts], near, shard_bytes=600)
    with served(store(tmp_path / "store")) as address:
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
        chunks = tmp_path / "store/bucket/x.shards/chunks"
        (chunks / f"{lost.shards[0].name}.parquet").unlink()
        with pytest.raises(CorpusDamaged, match=lost.shards[0].name):
            ShardedEngine(lost).keep(ExactArguments(phrase="hall"), everything)
