"""The coverage ledger: every chunk is in exactly one state of every condition, at every step.

On disk are, for each condition, disjoint sets of chunks, one a standing; the log of what moved; and
the notes that both refer to by number: who judged, why it failed.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

from pyroaring import BitMap

from agent.coverage import Cause, Coverage, CoverageState, Standing
from agent.errors import LedgerError, RunError
from agent.evidence import Finding
from agent.history import Step
from tools.corpus.corpus import Corpus
from tools.runs.store import RunStore, packed
from tools.sqlite_file import Statements

MOST_REASONS = 500
"""Different reasons that a run keeps: each is a set of its own in the ledger."""
OTHER_REASON = f"another reason: a run keeps the first {MOST_REASONS} different ones"
_LONGEST = 400
_NO_DETAIL = -1
_UNSEEN = Standing(state="unseen")
_STATES: tuple[CoverageState, ...] = get_args(CoverageState)
_OPEN: tuple[CoverageState, ...] = ("unseen", "reverted", "unparsable", "failed")
_PRECEDENCE: tuple[tuple[str, tuple[CoverageState, ...]], ...] = (
    ("failed", ("failed",)),
    ("unparsable", ("unparsable",)),
    ("judged", ("yes", "no")),
    ("unseen", ("unseen", "reverted")),
    ("pruned", ("pruned",)),
)

_Cells = dict[tuple[str, Standing], BitMap]
"""Who stands where under which condition; the sets are replaced, never changed."""
_Wanted = tuple[Standing, BitMap]
"""Chunks that are to stand there."""


@dataclass(frozen=True, slots=True)
class Part:
    """The chunks that stand alike under a condition."""

    condition: str
    standing: Standing
    ids: BitMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Chunks that went from one standing to another."""

    condition: str
    before: Standing
    after: Standing
    step: int | None
    """The step of the history during which it was done; None where that was not recorded."""
    ids: BitMap


class CoverageLedger:
    """The states of N chunks under each condition, on disk, shared by all who open the run.

    Every transition is one transaction: it reads what others wrote, moves chunks, checks that the
    states of each condition still add up to N, and saves what changed. Repeating it changes
    nothing. A question without conditions has one, with the id "".
    """

    def __init__(self, store: RunStore, run: str, conditions: Sequence[str], chunks: int) -> None:
        self.run = run
        self.conditions = tuple(conditions) or ("",)
        self.chunks = chunks
        if len(set(self.conditions)) < len(self.conditions):
            raise LedgerError(f"conditions repeat: {self.conditions}")
        self._database = store.database
        self._everything = BitMap(range(chunks))
        self._cached: tuple[_Cells, int] = ({}, -1)
        """What was read or written last, with its version."""

    @classmethod
    def stored(cls, store: RunStore, run: str) -> Self:
        """Open the ledger that a run keeps; raise RunError where it keeps none yet."""
        with store.database.transaction() as connection:
            found = _header(connection, run)
        if found is None:
            raise RunError(f"run {run!r} has searched nothing yet: nothing happened to its chunks")
        chunks, conditions, _ = found
        return cls(store, run, conditions, chunks)

    def prune(self, step: int, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Rule chunks out by a filter call; only unseen and reverted ones move."""
        out = Standing(state="pruned", step=step)
        self._move(conditions, [(out, ids)], out_of=("unseen", "reverted"), step=step)

    def restore(
        self, ids: BitMap, conditions: Sequence[str] | None = None, *, step: int | None = None
    ) -> None:
        """Take chunks back among the candidates, whichever call had ruled them out."""
        back = Standing(state="reverted")
        self._move(conditions, [(back, ids)], out_of=("pruned",), step=step)

    def judge(
        self, condition: str, yes: BitMap, no: BitMap, *, by: str = "", step: int | None = None
    ) -> None:
        """Record verdicts, whatever the state before; the latest verdict counts."""
        if yes & no:
            raise LedgerError(f"{len(yes & no)} chunks are judged both yes and no")
        verdicts = (Standing(state="yes", by=by), yes), (Standing(state="no", by=by), no)
        self._move([condition], verdicts, out_of=_STATES, step=step)

    def spoil(
        self,
        state: Literal["failed", "unparsable"],
        ids: BitMap,
        conditions: Sequence[str] | None = None,
        *,
        reasons: Mapping[int, str] | None = None,
        step: int | None = None,
    ) -> None:
        """Record that the chunks' request failed or its reply was unusable; verdicts stay."""
        told = defaultdict[str, BitMap](BitMap)
        for chunk in ids:
            told[(reasons or {}).get(chunk, "")].add(chunk)
        wanted = [(Standing(state=state, reason=each), told[each]) for each in told]
        self._move(conditions, wanted, out_of=("pruned", *_OPEN), step=step)

    def ids(self, condition: str, state: CoverageState) -> BitMap:
        """Return the chunks in a state of a condition."""
        return _in_states(self._current(), self._known([condition]), (state,))

    def judged(self, condition: str) -> BitMap:
        """Return the chunks with a verdict on a condition."""
        return self.ids(condition, "yes") | self.ids(condition, "no")

    def pruned_by(self, step: int, condition: str) -> BitMap:
        """Return the chunks that a filter call ruled out and that still are."""
        self._known([condition])
        cell = condition, Standing(state="pruned", step=step)
        return BitMap(self._current().get(cell, BitMap()))

    def parts(self) -> tuple[Part, ...]:
        """Return the disjoint sets of each condition's chunks, by standing."""
        with self._database.transaction() as connection:
            self._loaded(connection)
            cells = self._read(connection)
        return tuple(
            Part(condition, standing, ids)
            for each in self.conditions
            for (condition, standing), ids in cells.items()
            if condition == each
        )

    def transitions(self, among: BitMap | None = None) -> tuple[Transition, ...]:
        """Return what was moved since all was unseen, or of it some chunks, oldest first."""
        query = (
            "SELECT step, condition, source, source_detail, target, target_detail, ids "
            "FROM ledger_moves WHERE run = ? ORDER BY sequence, position"
        )
        with self._database.transaction() as connection:
            self._loaded(connection)
            rows = connection.execute(query, (self.run,)).fetchall()
            notes = self._notes(connection)
        found = []
        for step, condition, source, source_detail, target, target_detail, moved in rows:
            ids = BitMap.deserialize(moved)
            if among is None or (ids := ids & among):
                before = _standing(source, source_detail, notes)
                after = _standing(target, target_detail, notes)
                found.append(
                    Transition(condition=condition, before=before, after=after, step=step, ids=ids)
                )
        return tuple(found)

    def coverage(self, unread: BitMap | None = None) -> Coverage:
        """Return the chunks by what happened to them over all conditions, each counted once.

        It is failed if any condition failed, else unparsable if any is, else judged if any has a
        verdict, else unseen if any is unseen or reverted, else pruned. `unread` chunks are unseen
        whatever verdict fields gave: their texts were to be read for another condition.
        """
        unread = unread or BitMap()
        cells = self._current()
        rest = self._everything
        found: dict[str, BitMap] = {}
        for name, states in _PRECEDENCE:
            members = rest & _in_states(cells, self.conditions, states)
            found[name] = members - unread if name == "judged" else members
            if name == "unseen":
                found[name] |= rest & unread
            rest = rest - found[name]
        return Coverage(
            chunks=self.chunks,
            matched=len(found["judged"] & _in_states(cells, self.conditions, ("yes",))),
            **{name: len(members) for name, members in found.items()},
        )

    def _known(self, conditions: Sequence[str] | None) -> tuple[str, ...]:
        chosen = self.conditions if conditions is None else tuple(conditions)
        unknown = set(chosen) - set(self.conditions)
        if unknown:
            raise LedgerError(f"run {self.run!r} has no conditions {sorted(unknown)}")
        return chosen

    def _current(self) -> _Cells:
        """Return the cells as they are on disk; not to be changed."""
        with self._database.transaction() as connection:
            cells, version = self._loaded(connection)
        self._remember(connection, cells, version)
        return cells

    def _move(
        self,
        conditions: Sequence[str] | None,
        wanted: Sequence[_Wanted],
        *,
        out_of: Sequence[CoverageState],
        step: int | None,
    ) -> None:
        """Move those of the chunks that are in the given states, check, save and log it."""
        chosen = self._known(conditions)
        for _, ids in wanted:
            if ids and ids.max() >= self.chunks:
                raise LedgerError(f"chunk {ids.max()} is beyond the corpus's {self.chunks}")
        with self._database.transaction() as connection:
            before, version = self._loaded(connection)
            notes = {text: number for number, text in self._notes(connection).items()}
            noted = [
                (condition, self._noted(connection, notes, standing), ids)
                for standing, ids in wanted
                for condition in chosen
            ]
            after, moves = _moved(before, noted, out_of, step)
            self._check(after, {move.condition for move in moves})
            if moves:
                version += 1
                self._save(connection, before, after, notes)
                self._log(connection, version, moves, notes)
        self._remember(connection, after, version)

    def _remember(self, connection: Statements, cells: _Cells, version: int) -> None:
        """Cache what is on disk for good; a transaction around this one may still undo it."""
        if not connection.in_transaction:
            self._cached = (cells, version)

    def _loaded(self, connection: Statements) -> tuple[_Cells, int]:
        found = _header(connection, self.run)
        if found is None:
            cells: _Cells = {(each, _UNSEEN): self._everything for each in self.conditions}
            row = self.run, self.chunks, json.dumps(self.conditions)
            connection.execute("INSERT INTO ledgers VALUES (?, ?, ?, -1)", row)
            self._save(connection, {}, cells, {})
            return cells, 0
        chunks, conditions, version = found
        if (chunks, conditions) != (self.chunks, self.conditions):
            raise LedgerError(
                f"run {self.run!r} keeps a ledger of {chunks} chunks and conditions {conditions}, "
                f"not of {self.chunks} and {self.conditions}"
            )
        cells, known = self._cached
        if version != known:
            cells = self._read(connection)
            self._check(cells, self.conditions)
        return cells, version

    def _check(self, cells: _Cells, conditions: Iterable[str]) -> None:
        for condition in conditions:
            sets = [members for (own, _), members in cells.items() if own == condition]
            states, chunks = sum(map(len, sets)), len(BitMap.union(BitMap(), *sets))
            if (states, chunks) != (self.chunks, self.chunks):
                raise LedgerError(
                    f"condition {condition!r}: {states} states over {chunks} chunks "
                    f"of {self.chunks}"
                )

    def _read(self, connection: Statements) -> _Cells:
        query = (
            "SELECT condition, state, detail, ids FROM ledger_cells WHERE run = ? "
            "ORDER BY state, detail"
        )
        rows = connection.execute(query, (self.run,)).fetchall()
        notes = self._notes(connection)
        return {
            (condition, _standing(state, detail, notes)): BitMap.deserialize(ids)
            for condition, state, detail, ids in rows
        }

    def _save(
        self, connection: Statements, before: _Cells, after: _Cells, notes: Mapping[str, int]
    ) -> None:
        """Write the cells whose sets were replaced and raise the version by one."""
        connection.executemany(
            "DELETE FROM ledger_cells WHERE run = ? AND condition = ? AND state = ? AND detail = ?",
            [
                (self.run, condition, *_stored(standing, notes))
                for condition, standing in before.keys() - after.keys()
            ],
        )
        connection.executemany(
            "INSERT INTO ledger_cells VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (run, condition, state, detail) DO UPDATE SET ids = excluded.ids",
            [
                (self.run, cell[0], *_stored(cell[1], notes), packed(members))
                for cell, members in after.items()
                if before.get(cell) is not members
            ],
        )
        connection.execute("UPDATE ledgers SET version = version + 1 WHERE run = ?", (self.run,))

    def _log(
        self,
        connection: Statements,
        sequence: int,
        moves: Sequence[Transition],
        notes: Mapping[str, int],
    ) -> None:
        """Log moves; each costs a row with a compressed set, not a row a chunk."""
        connection.executemany(
            "INSERT INTO ledger_moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(self.run, sequence, position, move.condition),
                    *(*_stored(move.before, notes), *_stored(move.after, notes)),
                    *(move.step, packed(move.ids)),
                )
                for position, move in enumerate(moves)
            ],
        )

    def _notes(self, connection: Statements) -> dict[int, str]:
        query = "SELECT number, text FROM ledger_notes WHERE run = ?"
        return dict(connection.execute(query, (self.run,)).fetchall())

    def _noted(self, connection: Statements, notes: dict[str, int], standing: Standing) -> Standing:
        """Return a standing as it is kept: long reasons cut, one too many `OTHER_REASON`."""
        if standing.reason:
            words = " ".join(standing.reason.split())
            short = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
            kept = short if short in notes or len(notes) < MOST_REASONS else OTHER_REASON
            standing = Standing(state=standing.state, reason=kept)
        text = standing.by or standing.reason
        if text and text not in notes:
            notes[text] = len(notes)
            row = self.run, notes[text], text
            connection.execute("INSERT INTO ledger_notes VALUES (?, ?, ?)", row)
        return standing


def _moved(
    before: _Cells,
    wanted: Iterable[tuple[str, Standing, BitMap]],
    out_of: Sequence[CoverageState],
    step: int | None,
) -> tuple[_Cells, list[Transition]]:
    """Return the cells after the moves, and what was moved, in order."""
    after, moves = dict(before), list[Transition]()
    for condition, standing, ids in wanted:
        for (own, source), members in list(after.items()):
            leaving = members & ids
            if own == condition and source.state in out_of and source != standing and leaving:
                after[own, source] = members - leaving
                after[own, standing] = after.get((own, standing), BitMap()) | leaving
                moves.append(
                    Transition(condition=own, before=source, after=standing, step=step, ids=leaving)
                )
    return {cell: members for cell, members in after.items() if members}, moves


def _in_states(cells: _Cells, conditions: Sequence[str], states: Sequence[CoverageState]) -> BitMap:
    sets = (
        members
        for (condition, standing), members in cells.items()
        if condition in conditions and standing.state in states
    )
    return BitMap.union(BitMap(), *sets)


def _standing(state: CoverageState, detail: int, notes: Mapping[int, str]) -> Standing:
    """Return the standing that a row says: its detail is a step, or the number of a note."""
    if detail == _NO_DETAIL:
        return Standing(state=state)
    match state:
        case "pruned":
            return Standing(state=state, step=detail)
        case "yes" | "no":
            return Standing(state=state, by=notes[detail])
        case _:
            return Standing(state=state, reason=notes[detail])


def _stored(standing: Standing, notes: Mapping[str, int]) -> tuple[CoverageState, int]:
    """Return the state and the detail that a row has for a standing."""
    if standing.step is not None:
        return standing.state, standing.step
    text = standing.by or standing.reason
    return standing.state, notes[text] if text else _NO_DETAIL


def _header(connection: Statements, run: str) -> tuple[int, tuple[str, ...], int] | None:
    """Return the number of chunks, the conditions and the version; None without a ledger."""
    row = connection.execute(
        "SELECT chunks, conditions, version FROM ledgers WHERE run = ?", (run,)
    ).fetchone()
    return None if row is None else (row[0], tuple(json.loads(row[1])), row[2])


BY_FIELDS = 0
"""The step under which chunks are booked that need no reading, for a field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionStory:
    """What happened to a chunk under one condition."""

    condition: str
    now: Standing
    quotes: tuple[Finding, ...]
    changes: tuple[Transition, ...]
    """Every move since all was unseen, oldest first, each with all chunks that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One run, or one reading of a run, chunk by chunk."""

    parts: tuple[Part, ...]
    causes: dict[int, Cause]


def account(store: RunStore, run: str, history: Sequence[Step] = ()) -> Account:
    """Return what happened to a run's chunks, by its history too, which knows more steps.

    Raises RunError: the run has searched nothing yet.
    """
    parts = CoverageLedger.stored(store, run).parts()
    shots = store.steps(run)
    causes = {BY_FIELDS: Cause(step=BY_FIELDS, tool="fields", arguments={})}
    calls = [(number, shot.tool, shot.arguments) for number, shot in shots.items()]
    calls += [(step.round, step.call.tool, step.call.arguments) for step in history]
    for number, tool, arguments in calls:
        undone = number in shots and shots[number].outcome == "rolled_back"
        causes[number] = Cause(step=number, tool=tool, arguments=arguments, undone=undone)
    return Account(parts=parts, causes=causes)


def stories(
    store: RunStore, run: str, corpus: Corpus, chunks: Collection[int]
) -> dict[int, tuple[ConditionStory, ...]]:
    """Return what happened to chunks, in the order given, under each condition.

    Raises RunError: the run has searched nothing yet; LedgerError: a chunk is beyond the corpus.
    """
    ledger = CoverageLedger.stored(store, run)
    asked = BitMap(chunks)
    if asked and asked.max() >= ledger.chunks:
        raise LedgerError(f"chunk {asked.max()} is beyond the corpus's {ledger.chunks}")
    parts, moves = ledger.parts(), ledger.transitions(asked)
    names = sorted({corpus.documents[corpus.chunk_document[chunk]] for chunk in asked})
    quotes: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for each in (finding for name in names for finding in store.findings(run, name)):
        quotes[each.chunk, each.condition].append(each)
    return {
        chunk: tuple(
            ConditionStory(
                condition=part.condition,
                now=part.standing,
                quotes=tuple(quotes[chunk, part.condition]),
                changes=tuple(
                    move for move in moves if move.condition == part.condition and chunk in move.ids
                ),
            )
            for part in parts
            if chunk in part.ids
        )
        for chunk in chunks
    }
