"""The run store: everything a run knows that is too big, or too precious, for a checkpoint.

Writes are idempotent: a node that is executed again writes the same rows again.
"""

import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from struct import iter_unpack
from typing import Any, Final, Literal

from pyroaring import BitMap

from agent.answer import Answer
from agent.errors import CorpusDamaged, RunError
from agent.evidence import Finding
from agent.history import Outcome, Snapshot
from agent.private_database import Closing
from tools.corpus.checksums import sealed, unsealed
from tools.sqlite_file import FileForm, SQLiteFile, Tables

TABLES: Final = (
    """CREATE TABLE runs (
        run TEXT PRIMARY KEY, question TEXT NOT NULL, corpus_digest TEXT NOT NULL,
        graph_version TEXT NOT NULL, model TEXT NOT NULL, created TEXT NOT NULL,
        status TEXT NOT NULL, told TEXT NOT NULL DEFAULT '')""",
    "CREATE TABLE id_sets (id TEXT PRIMARY KEY, ids BLOB NOT NULL)",
    """CREATE TABLE snapshots (
        run TEXT NOT NULL REFERENCES runs, position INTEGER NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (run, position)) WITHOUT ROWID""",
    """CREATE TABLE findings (
        run TEXT NOT NULL REFERENCES runs, digest TEXT NOT NULL, document TEXT NOT NULL,
        start INTEGER NOT NULL, condition TEXT NOT NULL, entity TEXT NOT NULL,
        data TEXT NOT NULL, PRIMARY KEY (run, digest))""",
    "CREATE INDEX findings_in_order ON findings (run, document, start, condition, entity)",
    """CREATE TABLE batches (
        run TEXT NOT NULL REFERENCES runs, position INTEGER NOT NULL, chunks TEXT NOT NULL,
        PRIMARY KEY (run, position)) WITHOUT ROWID""",
    "CREATE TABLE entities (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",
    "CREATE TABLE answers (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",
    "CREATE TABLE doubts (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",
    """CREATE TABLE scores (
        run TEXT NOT NULL REFERENCES runs, round INTEGER NOT NULL, condition TEXT NOT NULL,
        data TEXT NOT NULL, PRIMARY KEY (run, round, condition)) WITHOUT ROWID""",
    "CREATE TABLE passages (corpus_digest TEXT PRIMARY KEY, data BLOB NOT NULL)",
    """CREATE TABLE ledgers (
        run TEXT PRIMARY KEY REFERENCES runs, chunks INTEGER NOT NULL,
        conditions TEXT NOT NULL, version INTEGER NOT NULL)""",
    """CREATE TABLE ledger_cells (
        run TEXT NOT NULL REFERENCES ledgers, condition TEXT NOT NULL, state TEXT NOT NULL,
        detail INTEGER NOT NULL, ids BLOB NOT NULL,
        PRIMARY KEY (run, condition, state, detail))""",
    """CREATE TABLE ledger_notes (
        run TEXT NOT NULL REFERENCES ledgers, number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (run, number), UNIQUE (run, text)) WITHOUT ROWID""",
    """CREATE TABLE ledger_moves (
        run TEXT NOT NULL REFERENCES ledgers, sequence INTEGER NOT NULL,
        position INTEGER NOT NULL, condition TEXT NOT NULL, source TEXT NOT NULL,
        source_detail INTEGER NOT NULL, target TEXT NOT NULL, target_detail INTEGER NOT NULL,
        step INTEGER, ids BLOB NOT NULL, PRIMARY KEY (run, sequence, position))""",
)
MIGRATIONS: Final[Sequence[Sequence[str]]] = (*[()] * 5, TABLES)
"""What leads from format i to format i + 1; to those before the sixth, of no release, nothing."""

RUN_STORE: Final = FileForm(
    name="run store",
    migrations=MIGRATIONS,
    remedy=(
        "move the file away: its runs are lost, the corpus is not, and the question can be asked "
        "again"
    ),
    checked=True,
)

RunStatus = Literal["running", "paused", "answered", "partial", "declined", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What a run was started with, and how far it has come."""

    run: str
    question: str
    corpus_digest: str
    graph_version: str
    model: str
    created: str
    status: RunStatus = "running"
    told: str = ""
    """Why it was declined."""


_RUN = re.compile(r"[A-Za-z0-9][\w.:@+=-]{0,127}")
"""A run's id: it names files, and may come with a corpus from anywhere."""
_COLUMNS = "run, question, corpus_digest, graph_version, model, created, status, told"
_LARGEST_SET = 2**28
"""Members: a few damaged bytes may tell of billions."""
TRIAL = "trial"
"""The graph's version of what is no run of its own: a trial of how a question may be read."""
_FOUND = (
    *("ledger_moves", "ledger_notes", "ledger_cells", "ledgers", "snapshots", "findings"),
    *("batches", "entities", "doubts", "scores", "answers"),
)


class RunStore(Closing):
    """The runs of one corpus, in a SQLite file or on a team's server; made when first used."""

    def __init__(self, place: Path | Tables) -> None:
        self.database = SQLiteFile(place, RUN_STORE) if isinstance(place, Path) else place

    def close(self) -> None:
        """Close the file or the connection."""
        self.database.close()

    def create(
        self,
        run: str,
        question: str,
        corpus_digest: str,
        graph_version: str,
        model: str,
        created: str,
    ) -> RunInfo:
        """Start a run, or return it as it was started; raises RunError: the id is bad, or taken."""
        if not _RUN.fullmatch(run):
            raise RunError(f"{run!r} cannot name a run: use letters, digits and _.:@+=-")
        new = RunInfo(
            run=run,
            question=question,
            corpus_digest=corpus_digest,
            graph_version=graph_version,
            model=model,
            created=created,
        )
        self.database.write(
            f"INSERT INTO runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 - constants
            "ON CONFLICT DO NOTHING",
            astuple(new),
        )
        found = self.info(run)
        if replace(found, created=created, status=new.status, told=new.told) != new:
            raise RunError(
                f"run {run!r} exists already, for {found.question!r} by {found.model} on this "
                "corpus: another question, model or corpus needs another run id, and with a "
                "checkpointer of your own another thread_id"
            )
        return found

    def info(self, run: str) -> RunInfo:
        """Return what is known of a run; raise RunError where there is none."""
        rows = self.database.read(f"SELECT {_COLUMNS} FROM runs WHERE run = ?", run)  # noqa: S608 - constants
        if not rows:
            raise RunError(f"there is no run {run!r} in this corpus; `headcount runs` lists them")
        return _info(rows[0])

    def runs(self) -> list[RunInfo]:
        """Return all runs but trials, the newest first, whatever the clock said."""
        query = f"SELECT {_COLUMNS} FROM runs WHERE graph_version <> ? ORDER BY rowid DESC"  # noqa: S608 - constants
        return [_info(row) for row in self.database.read(query, TRIAL)]

    def set_status(self, run: str, status: RunStatus, told: str = "") -> None:
        """Record how far the run has come, and why; raise RunError where there is none."""
        statement = "UPDATE runs SET status = ?, told = ? WHERE run = ?"
        if not self.database.write(statement, (status, told, run)):
            raise RunError(f"there is no run {run!r} in this corpus; `headcount runs` lists them")

    def restart(self, run: str) -> None:
        """Forget what the run found so far: it begins anew, perhaps under another reading."""
        with self.database.transaction() as connection:
            for table in _FOUND:
                connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608 - constants

    def drop(self, run: str) -> None:
        """Forget that there was a run, and all that it found."""
        self.restart(run)
        self.database.write("DELETE FROM runs WHERE run = ?", (run,))

    def put_ids(self, ids: BitMap) -> str:
        """Store a set of chunk ids and return its id."""
        digest = digest_of(ids)
        self.database.write(
            "INSERT INTO id_sets VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, packed(ids))
        )
        return digest

    def ids(self, digest: str) -> BitMap:
        """Return a stored set; raises RunError where there is none, CorpusDamaged if another."""
        rows = self.database.read("SELECT ids FROM id_sets WHERE id = ?", digest)
        if not rows:
            raise RunError(f"there is no snapshot {digest!r} in this corpus's runs")
        try:
            found = BitMap.deserialize(rows[0][0])
        except (ValueError, TypeError):
            found = BitMap()
        if len(found) > _LARGEST_SET or digest_of(found) != digest:
            raise CorpusDamaged(f"the set of passages {digest!r} is damaged; {RUN_STORE.remedy}")
        return found

    def add_snapshot(self, run: str, position: int, snapshot: Snapshot) -> None:
        """Record the snapshot that a filter call made; the same position is overwritten."""
        self.database.write(
            "INSERT INTO snapshots VALUES (?, ?, ?) "
            "ON CONFLICT (run, position) DO UPDATE SET data = excluded.data",
            (run, position, snapshot.model_dump_json()),
        )

    def snapshots(self, run: str) -> tuple[Snapshot, ...]:
        """Return the run's snapshots by position, rolled back ones included."""
        return tuple(self.steps(run).values())

    def steps(self, run: str) -> dict[int, Snapshot]:
        """Return the run's snapshots by position, the number of the step that made each."""
        query = "SELECT position, data FROM snapshots WHERE run = ? ORDER BY position"
        return {
            position: Snapshot.model_validate_json(data)
            for position, data in self.database.read(query, run)
        }

    def set_outcome(self, run: str, position: int, outcome: Outcome, why: str) -> None:
        """Record the verdict on a snapshot; raise RunError where there is none."""
        query = "SELECT data FROM snapshots WHERE run = ? AND position = ?"
        with self.database.transaction() as connection:
            row = connection.execute(query, (run, position)).fetchone()
            if row is None:
                raise RunError(f"run {run!r} has no snapshot at position {position}")
            found = Snapshot.model_validate_json(row[0])
            told = found.model_copy(update={"outcome": outcome, "why": why})
            self.add_snapshot(run, position, told)

    def add_findings(self, run: str, findings: Sequence[Finding]) -> None:
        """Add findings; one that is there already, equal in every field, stays single."""
        self.database.write(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            *(_finding_row(run, finding) for finding in findings),
        )

    def findings(self, run: str, document: str | None = None) -> tuple[Finding, ...]:
        """Return the findings of a run, or in a document, by place, condition and entity."""
        query = (
            "SELECT data FROM findings WHERE run = ? AND coalesce(?, document) = document "
            "ORDER BY document, start, condition, entity, digest"
        )
        rows = self.database.read(query, run, document)
        return tuple(Finding.model_validate_json(data) for (data,) in rows)

    def put_batches(self, run: str, batches: Sequence[Sequence[int]]) -> None:
        """Replace the run's plan of batches."""
        rows = [(run, at, json.dumps([*map(int, batch)])) for at, batch in enumerate(batches)]
        with self.database.transaction():
            self.database.write("DELETE FROM batches WHERE run = ?", (run,))
            self.database.write("INSERT INTO batches VALUES (?, ?, ?)", *rows)

    def batches(self, run: str) -> list[list[int]]:
        """Return the run's plan of batches, in order."""
        query = "SELECT chunks FROM batches WHERE run = ? ORDER BY position"
        return [json.loads(chunks) for (chunks,) in self.database.read(query, run)]

    def put_entities(self, run: str, entities: Mapping[str, Sequence[str]]) -> None:
        """Store the names that mentions were merged under, each with its aliases."""
        data = json.dumps({name: list(aliases) for name, aliases in entities.items()})
        self._put("entities", run, data)

    def entities(self, run: str) -> dict[str, tuple[str, ...]]:
        """Return the aliases by name, empty where nothing was merged."""
        found = json.loads(self._data("entities", run) or "{}")
        return {name: tuple(aliases) for name, aliases in found.items()}

    def put_scores(
        self, run: str, round_: int, condition: str, scores: Mapping[int, float]
    ) -> None:
        """Keep the scores that chunks had for a condition when a round of reading chose them."""
        self.database.write(
            "INSERT INTO scores VALUES (?, ?, ?, ?) "
            "ON CONFLICT (run, round, condition) DO UPDATE SET data = excluded.data",
            (run, round_, condition, json.dumps(list(scores.items()))),
        )

    def scores(self, run: str, condition: str) -> dict[int, float]:
        """Return the scores of all rounds by chunk, the latest where a chunk has several."""
        query = "SELECT data FROM scores WHERE run = ? AND condition = ? ORDER BY round"
        found = self.database.read(query, run, condition)
        return {chunk: score for (data,) in found for chunk, score in json.loads(data)}

    def put_doubts(self, run: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Store the pairs of names that nobody could tell to be one or two."""
        self._put("doubts", run, json.dumps(list(pairs)))

    def doubts(self, run: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs of names that may be one, empty where none was left open."""
        return tuple((one, other) for one, other in json.loads(self._data("doubts", run) or "[]"))

    def put_passages(self, corpus_digest: str, keys: Sequence[bytes]) -> None:
        """Store what tells the passages of a corpus apart, 32 bytes each, by chunk."""
        statement = "INSERT INTO passages VALUES (?, ?) ON CONFLICT DO NOTHING"
        self.database.write(statement, (corpus_digest, b"".join(keys)))

    def passages(self, corpus_digest: str) -> list[bytes]:
        """Return what tells the passages apart, by chunk; empty where nothing had to be read."""
        query = "SELECT data FROM passages WHERE corpus_digest = ?"
        rows = self.database.read(query, corpus_digest)
        return [key for (data,) in rows for (key,) in iter_unpack("32s", data)]

    def put_answer(self, run: str, answer: Answer) -> None:
        """Store the run's answer in place of an earlier one."""
        self._put("answers", run, answer.model_dump_json())

    def answer(self, run: str) -> Answer | None:
        """Return the run's answer, None where it has none yet."""
        data = self._data("answers", run)
        return None if data is None else Answer.model_validate_json(data)

    def _put(self, table: str, run: str, data: str) -> None:
        """Store what a run has once, with its checksum, in place of an earlier one."""
        self.database.write(
            f"INSERT INTO {table} VALUES (?, ?) "  # noqa: S608 - constants
            "ON CONFLICT (run) DO UPDATE SET data = excluded.data",
            (run, sealed(data.encode()).decode()),
        )

    def _data(self, table: str, run: str) -> str | None:
        """Return what a run has once; that of an earlier version has no checksum."""
        rows = self.database.read(f"SELECT data FROM {table} WHERE run = ?", run)  # noqa: S608 - constants
        if not rows or "\n" not in rows[0][0]:
            return rows[0][0] if rows else None
        try:
            return unsealed(rows[0][0].encode()).decode()
        except ValueError as error:
            raise CorpusDamaged(
                f"what run {run!r} keeps as its {table} is damaged ({error}): ask again"
            ) from error


def digest_of(ids: BitMap) -> str:
    """Return a set's name: 12 hex digits of the SHA-256 of its ids, little-endian uint32."""
    members = ids.to_array()
    if sys.byteorder == "big":
        members.byteswap()
    return hashlib.sha256(members.tobytes()).hexdigest()[:12]


def packed(ids: BitMap) -> bytes:
    """Return the set in Roaring's portable format, runs compressed; the argument is unchanged."""
    compact = BitMap(ids)
    compact.run_optimize()
    serialised: bytes = compact.serialize()
    return serialised


def _info(row: tuple[Any, ...]) -> RunInfo:
    """Return a row's run; raise CorpusDamaged where its id, which names files, is none."""
    if not _RUN.fullmatch(str(row[0])):
        raise CorpusDamaged(f"the run store names a run {row[0]!r}, no id of a run: move it away")
    return RunInfo(**dict(zip(_COLUMNS.split(", "), row, strict=True)))


def _finding_row(run: str, finding: Finding) -> tuple[str, str, str, int, str, str, str]:
    data = finding.model_dump_json()
    digest = hashlib.sha256(data.encode()).hexdigest()
    where = (finding.document, finding.start, finding.condition, finding.entity)
    return (run, digest, *where, data)
