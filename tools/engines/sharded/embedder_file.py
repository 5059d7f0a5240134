"""An embedder as one file, so that a node fetches it whole or not at all."""

import io
import tempfile
import zipfile
from functools import cache
from pathlib import Path

from agent.errors import CorpusDamaged
from tools.corpus.embedder import Embedder, load_embedder
from tools.corpus.settings import Endpoint
from tools.engines.sharded.place import Place

__all__ = ("fetch_embedder", "pack_embedder")


def pack_embedder(embedder: Embedder) -> bytes:
    """Return what the embedder saves, as an archive; equal embedders give equal bytes."""
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "embedder"
        embedder.save(saved)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(saved.iterdir()):
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return packed.getvalue()


@cache
def fetch_embedder(place: Place, digest: str) -> Embedder:
    """Return the embedder of that digest, fetched once a process; raises CorpusDamaged."""
    data = place.read(f"embedder/{digest}.zip")
    if data is None:
        raise CorpusDamaged(f"the corpus at {place.root!r} lacks its embedder: index it anew")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive.extractall(folder)
        return load_embedder(Path(folder), Endpoint())
