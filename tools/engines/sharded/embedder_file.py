"""An embedder as one file, so that a node fetches it whole or not at all."""

import io
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path

from agent.errors import CorpusDamaged
from tools.corpus.embeddings.embedder import Embedder, load_embedder
from tools.corpus.settings import Endpoint
from tools.engines.sharded.place import Place

__all__ = ("embedder_file", "fetch_embedder", "pack_embedder", "unpack_embedder")


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


def embedder_file(digest: str) -> str:
    """Return where the embedder of that digest lies below its place."""
    return f"embedder/{digest}.zip"


def fetch_embedder(place: Place, digest: str) -> Embedder:
    """Return the embedder of that digest.

    Raises:
        CorpusDamaged: it is not there, or broken.
    """
    data = place.read(embedder_file(digest))
    try:
        return unpack_embedder(data or b"")
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise CorpusDamaged(
            f"the embedder of the corpus at {place.root!r} cannot be read ({error}): index anew"
        ) from error


@lru_cache(maxsize=1)
def unpack_embedder(packed: bytes) -> Embedder:
    """Return what was packed; the last one is kept, since a node embeds many shards by it."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
        return load_embedder(Path(folder), Endpoint())
