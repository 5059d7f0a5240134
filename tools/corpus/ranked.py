"""Ranked retrieval by Chroma: a derived copy of the vectors, made when first asked for.

Chroma is approximate, and a process killed while it writes can break a collection for good. So the
vectors' own file stays the truth: a collection is built aside, stamped when complete, opened only
with its stamp, and built anew once where it proves damaged. Several processes may share one: what
another uses is not damage, and stays until nobody does.
"""

import hashlib
import sqlite3
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from agent.errors import CorpusDamaged
from tools.corpus.generations import replace_file
from tools.corpus.in_use import sweep, use
from tools.corpus.vectors import Vectors

__all__ = ("Ranked",)

_BATCH = 5_000
_MOST = 5_000
"""Chroma loses members of long lists: longer ones are ranked by the exact product."""
_SPARE = 2
"""Chroma orders near ties by chance: so many times the wanted are asked for, and cut exactly."""
_DIGITS = 6
"""A product's last bits depend on where its row stands: cosines equal to here are ties."""
_ONE_AT_A_TIME = threading.Lock()
"""Chroma shares its clients by path within a process and does not survive two openings at once."""
_LEFT: deque[Any] = deque()
"""Clients that nobody asks any more, to be closed: each holds a dozen files and seven threads."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_COLLECTION = "chunks"
_DATABASE = "chroma.sqlite3"
_INDEX = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 1000,
    "max_neighbors": 32,
    "num_threads": 1,
}
"""Chroma's defaults lose 2 of 10 neighbours of a query far from all chunks; one thread, so that two
builds give one graph."""
_SYNC = 1_000
"""Chroma writes its graph out after so many vectors; of fewer it leaves files that fit no stamp."""


class Ranked:
    """Nearest chunks by cosine, over a Chroma collection in one directory."""

    def __init__(self, directory: Path, vectors: Vectors, digest: str) -> None:
        self._directory = directory
        self._vectors = vectors
        self._digest = digest
        self._collection: Any = None
        self._place: Path | None = None
        self._leave: Callable[[], object] | None = None

    def nearest(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
        """Return at most n chunks with their cosine to a unit query vector, best first.

        Of chunks with the same cosine the first come first: more are asked for than wanted, and
        all chunks are ranked where as many as were asked for are tied.

        Raises CorpusDamaged where the collection fails again after it was rebuilt, or where the
        corpus was indexed anew since it was opened.
        """
        n = max(0, n)
        with _ONE_AT_A_TIME:
            chunks = self._every() if _SPARE * n > _MOST else self._asked(query, _SPARE * n)
        cosines = self._vectors.similarity(query, chunks)
        best = _best(chunks, cosines)
        if n < len(best) < len(self._vectors) and _tied(cosines[best[n - 1]], cosines[best[-1]]):
            chunks = self._every()
            cosines = self._vectors.similarity(query, chunks)
            best = _best(chunks, cosines)
        return [(int(chunks[place]), float(cosines[place])) for place in best[:n]]

    def _every(self) -> NDArray[np.int64]:
        return np.arange(len(self._vectors), dtype=np.int64)

    def _asked(self, query: NDArray[np.float32], n: int) -> NDArray[np.int64]:
        asked = min(n, len(self._vectors))
        if asked < 1:
            return np.zeros(0, dtype=np.int64)
        try:
            return self._query(query, asked)
        except self._damage:
            self._discard()
        try:
            return self._query(query, asked)
        except self._damage as error:
            raise CorpusDamaged(
                f"ranked retrieval in {str(self._directory)!r} fails though it was just rebuilt: "
                f"{error}; check the disk, then run `headcount index` again"
            ) from error

    def _query(self, query: NDArray[np.float32], n: int) -> NDArray[np.int64]:
        if self._collection is None:
            self._collection = self._open()
        found = self._collection.query(
            query_embeddings=np.asarray(query, dtype=np.float32).reshape(1, -1),
            n_results=n,
            include=[],
        )
        return np.asarray([int(chunk) for chunk in found["ids"][0]], dtype=np.int64)

    def _open(self) -> Any:
        """Open the stamped collection, building it first where there is none."""
        from filelock import FileLock

        if not self._directory.parent.is_dir():
            raise CorpusDamaged("the corpus was indexed anew since it was opened: open it again")
        _close_left()
        with FileLock(self._directory.with_name("chroma.lock")):
            stamped = self._stamped() or self._build()
            leave = use(stamped)
        self._place = stamped
        held = self._leave = weakref.finalize(self, leave)
        client = _client(stamped)
        held.detach()
        # Not closed at once: a collector of garbage may come in the midst of another opening.
        self._leave = weakref.finalize(self, _left, client, leave)
        collection = client.get_collection(_COLLECTION, embedding_function=None)
        if collection.count() != len(self._vectors):
            raise ValueError(f"the collection holds {collection.count()} vectors")
        return collection

    def _build(self) -> Path:
        """Copy the vectors into a new collection; a fresh directory, for Chroma caches by path."""
        self._directory.mkdir(exist_ok=True)
        sweep(self._directory)
        place = Path(tempfile.mkdtemp(dir=self._directory))
        with closing(_client(place)) as client:
            collection = client.create_collection(
                _COLLECTION, embedding_function=None, configuration={"hnsw": self._index}
            )
            for start in range(0, len(self._vectors), _BATCH):
                rows = self._vectors.rows()[start : start + _BATCH]
                ids = [str(chunk) for chunk in range(start, start + len(rows))]
                collection.add(ids=ids, embeddings=rows)
        stamp = _Stamp(digest=self._digest, directory=place.name, files=_files(place))
        replace_file(self._stamp, stamp.model_dump_json())
        return place

    def _stamped(self) -> Path | None:
        """Return the complete collection's directory; None where there is none for this corpus."""
        if not self._stamp.is_file():
            return None
        stamp = _Stamp.model_validate_json(self._stamp.read_bytes())
        place = self._directory / stamp.directory
        whole = stamp.digest == self._digest and stamp.files == _files(place)
        return place if whole and _is_sound(place / _DATABASE) else None

    def _discard(self) -> None:
        """Leave the collection, and have it built anew unless somebody else already did."""
        from filelock import FileLock

        self._collection = None
        if self._leave is not None:
            self._leave()
        _close_left()
        if not self._directory.parent.is_dir():
            return
        with FileLock(self._directory.with_name("chroma.lock")):
            if self._place is None or self._stamped() == self._place:
                self._stamp.unlink(missing_ok=True)

    @property
    def _index(self) -> dict[str, object]:
        """The graph's settings, by which at least once as many as there are are written out."""
        sync = max(2, min(_SYNC, len(self._vectors)))
        return {**_INDEX, "sync_threshold": sync, "batch_size": min(_SYNC // 10, sync)}

    @property
    def _stamp(self) -> Path:
        return self._directory / "stamp.json"

    @cached_property
    def _damage(self) -> tuple[type[Exception], ...]:
        """What Chroma and its files raise where they are damaged."""
        from chromadb.errors import ChromaError

        return (ChromaError, OSError, ValueError, KeyError, RuntimeError)


class _Stamp(BaseModel):
    """What a complete collection holds; written last."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """The corpus's."""
    directory: str
    files: dict[str, str]
    """The digest of each index file. Chroma crashes on one that is overwritten and finds other
    neighbours with one that is cut. Its database changes with every opening, so it has none."""


def _best(chunks: NDArray[np.int64], cosines: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the places of the chunks by cosine, then by index."""
    return np.lexsort((chunks, -np.round(cosines, _DIGITS)))


def _tied(one: np.float32, other: np.float32) -> bool:
    return bool(np.round(one, _DIGITS) == np.round(other, _DIGITS))


def _files(directory: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(directory.glob("*/*")):
        with file.open("rb") as opened:
            found[file.name] = hashlib.file_digest(opened, "sha256").hexdigest()
    return found


def _is_sound(database: Path) -> bool:
    """Ask SQLite first: on some damage Chroma panics, which is no exception one may catch.

    A database that another process writes to is taken for sound: Chroma waits for its turn.
    """
    if not database.is_file():
        return False
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorcode in _BUSY


def _close_left() -> None:
    while _LEFT:
        _LEFT.popleft().close()


def _left(client: Any, leave: Callable[[], None]) -> None:
    _LEFT.append(client)
    leave()


def _client(directory: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False, _env_file=None)
    return chromadb.PersistentClient(str(directory), settings=settings)
