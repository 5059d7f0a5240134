"""Ranked retrieval: of a small corpus by Chroma, of a large one by the exact product.

A collection is a derived copy of the vectors, made when first asked for. Chroma is approximate,
and a process killed while it writes can break a collection for good. So the vectors' own file stays
the truth: a collection is built aside, stamped when complete, opened only with its stamp, and built
anew once where it proves damaged. Several processes may share one: what another uses is not damage,
and stays until nobody does.
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
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.processes.in_use import sweep, use
from tools.corpus.storage.generations import replace_file

__all__ = ("Ranked",)

_BATCH = 5_000
_MOST = 5_000
"""Chroma loses members of long lists: longer ones are ranked by the exact product."""
_INDEXED = 5_000
"""Chunks of the largest corpus with a collection: of a larger one, building it never pays.

Real rows of 256 numbers; processor time, of two cores. A collection built at the first question,
and opened by a later process; a query of it once open; the most memory while building; a scan:

     chunks    built   opened    a query   memory    a scan
      1,000    0.9 s    0.5 s     2.0 ms   0.2 GB    0.8 ms
      3,000    1.3 s    0.5 s     2.1 ms   0.3 GB    0.8 ms
     10,000    4.0 s    0.8 s     3.6 ms   0.6 GB    1.4 ms
     30,000     15 s    0.7 s     4.9 ms   1.0 GB    2.9 ms
    100,000     71 s    1.0 s     4.5 ms   1.3 GB    6.4 ms
    868,494   >600 s                                  57 ms

A scan is quicker until the chunks are many; from there a collection saves milliseconds a query and
costs minutes. Up to here it costs two seconds, once.
"""
_SPARE = 2
"""Chroma orders near ties by chance: so many times the wanted are asked for, and cut exactly."""
_DIGITS = 6
"""A product's last bits depend on where its row stands: cosines equal to here are ties."""
_TIE = 10.0**-_DIGITS
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
    """Nearest chunks by cosine: of a small corpus over a Chroma collection in one directory."""

    def __init__(self, directory: Path, vectors: Vectors, digest: str) -> None:
        self._directory = directory
        self._vectors = vectors
        self._digest = digest
        self._collection: Any = None
        self._place: Path | None = None
        self._leave: Callable[[], object] | None = None

    def nearest(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
        """Return at most n chunks with their cosine to a unit query vector, best first.

        Of chunks with the same cosine the first come first. A small corpus's are Chroma's, of which
        more are asked for than wanted; a large corpus's, many chunks, and those of which as many
        as were asked for are tied, are found by the exact product.

        Raises CorpusDamaged where the collection fails again after it was rebuilt, or where the
        corpus was indexed anew since it was opened.
        """
        if n < 1:
            return []
        small = 0 < len(self._vectors) <= _INDEXED and _SPARE * n <= _MOST
        found = self._approximate(query, n) if small else None
        return self._exact(query, n) if found is None else found

    def _exact(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
        every = np.arange(len(self._vectors), dtype=np.int64)
        chunks = self._vectors.reach(query, every, count=n, least=None, tie=_TIE)
        return _best(chunks, self._vectors.similarity(query, chunks), n)

    def _approximate(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]] | None:
        """Return Chroma's nearest; None where the last of them tie with those beyond."""
        with _ONE_AT_A_TIME:
            chunks = self._asked(query, _SPARE * n)
        best = _best(chunks, self._vectors.similarity(query, chunks), len(chunks))
        if n < len(best) < len(self._vectors) and _tied(best[n - 1][1], best[-1][1]):
            return None
        return best[:n]

    def _asked(self, query: NDArray[np.float32], n: int) -> NDArray[np.int64]:
        asked = min(n, len(self._vectors))
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
                stop = min(start + _BATCH, len(self._vectors))
                rows = self._vectors.rows(np.arange(start, stop))
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


def _best(
    chunks: NDArray[np.int64], cosines: NDArray[np.float32], n: int
) -> list[tuple[int, float]]:
    """Return the n chunks of the highest cosines with these, then by index."""
    rounded = np.round(cosines, _DIGITS)
    if n < len(chunks):
        near = rounded >= np.partition(rounded, -n)[-n]
        chunks, cosines, rounded = chunks[near], cosines[near], rounded[near]
    order = np.lexsort((chunks, -rounded))[:n]
    return [(int(chunks[place]), float(cosines[place])) for place in order]


def _tied(one: float, other: float) -> bool:
    return bool(np.round(np.float32(one), _DIGITS) == np.round(np.float32(other), _DIGITS))


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
