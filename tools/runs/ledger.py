"""The coverage ledger: every chunk is in exactly one state of every condition, at every step."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import get_args

from pyroaring import BitMap

from agent.coverage import Coverage, CoverageState
from agent.errors import LedgerError
from tools.runs.cell_table import begin, header, load, save
from tools.runs.cells import NO_DETAIL, Cell, Cells
from tools.runs.store import RunStore

__all__ = ("CoverageLedger",)

_STATES: tuple[CoverageState, ...] = get_args(CoverageState)
_OPEN: tuple[CoverageState, ...] = ("unseen", "reverted", "unparsable", "failed")
_PRECEDENCE: tuple[tuple[str, tuple[CoverageState, ...]], ...] = (
    ("failed", ("failed",)),
    ("unparsable", ("unparsable",)),
    ("judged", ("yes", "no")),
    ("unseen", ("unseen", "reverted")),
    ("pruned", ("pruned",)),
)


class CoverageLedger:
    """The states of N chunks under each condition, on disk, shared by all who open the run.

    Every transition is one transaction: it reads what others wrote, moves chunks, checks that the
    states of each condition still add up to N, and saves what changed. Repeating it changes
    nothing. A question without conditions has one, with the id "".
    """

    def __init__(self, store: RunStore, run: str, conditions: Sequence[str], chunks: int) -> None:
        self._database = store.database
        self.run = run
        self.conditions = tuple(conditions) or ("",)
        self.chunks = chunks
        self._everything = BitMap(range(chunks))
        self._cached: tuple[Cells, int] = (Cells({}), -1)
        if len(set(self.conditions)) < len(self.conditions):
            raise LedgerError(f"conditions repeat: {self.conditions}")

    def prune(self, step: int, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Rule chunks out by a filter call; only unseen and reverted ones move."""
        targets = [Cell(each, "pruned", step) for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("unseen", "reverted"))

    def revert(self, step: int) -> None:
        """Undo a filter call: what it pruned, and nobody judged since, is reverted."""

        def undo(cells: Cells) -> None:
            for condition in self.conditions:
                pruned = cells.sets.get(Cell(condition, "pruned", step), BitMap())
                cells.move(pruned, Cell(condition, "reverted"), out_of=("pruned",))

        self._apply(undo)

    def restore(self, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Take chunks back among the candidates, whichever call had ruled them out."""
        targets = [Cell(each, "reverted") for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("pruned",))

    def judge(self, condition: str, yes: BitMap, no: BitMap) -> None:
        """Record verdicts, whatever the state before; the latest verdict counts."""
        self._known([condition])
        self._check_range(yes | no)
        if yes & no:
            raise LedgerError(f"{len(yes & no)} chunks are judged both yes and no")

        def verdicts(cells: Cells) -> None:
            cells.move(yes, Cell(condition, "yes"), out_of=_STATES)
            cells.move(no, Cell(condition, "no"), out_of=_STATES)

        self._apply(verdicts)

    def fail(self, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Record that the request about the chunks failed; a verdict given before stays."""
        targets = [Cell(each, "failed") for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("pruned", *_OPEN))

    def unparsable(self, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Record that the reply about the chunks was unusable; a verdict given before stays."""
        targets = [Cell(each, "unparsable") for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("pruned", *_OPEN))

    def ids(self, condition: str, state: CoverageState) -> BitMap:
        """Return the chunks in a state of a condition."""
        self._known([condition])
        return self._current().ids(condition, state)

    def undecided(self, condition: str) -> BitMap:
        """Return the candidates without a verdict: unseen, reverted, unparsable, failed."""
        self._known([condition])
        cells = self._current()
        return BitMap.union(*(cells.ids(condition, state) for state in _OPEN))

    def pruned_by(self, step: int, condition: str) -> BitMap:
        """Return the chunks that a filter call ruled out and that still are."""
        self._known([condition])
        return BitMap(self._current().sets.get(Cell(condition, "pruned", step), BitMap()))

    def counts(self, condition: str) -> dict[CoverageState, int]:
        """Return how many chunks are in each state of a condition; they add up to N."""
        self._known([condition])
        cells = self._current()
        return {state: len(cells.ids(condition, state)) for state in _STATES}

    def state_of(self, chunk: int) -> dict[str, tuple[CoverageState, int | None]]:
        """Return a chunk's state by condition, with the step for `pruned`, else None."""
        self._check_range(BitMap([chunk]))
        return {
            cell.condition: (cell.state, None if cell.detail == NO_DETAIL else cell.detail)
            for cell, members in sorted(self._current().sets.items())
            if chunk in members
        }

    def coverage(self) -> Coverage:
        """Return the chunks by what happened to them over all conditions.

        A chunk counts once: as failed if any condition failed, else unparsable if any is, else
        judged if any has a verdict, else unseen if any is unseen or reverted, else pruned.
        """
        cells = self._current()
        rest = self._everything
        found: dict[str, BitMap] = {}
        for name, states in _PRECEDENCE:
            found[name] = rest & self._any(cells, *states)
            rest = rest - found[name]
        return Coverage(
            chunks=self.chunks,
            matched=len(found["judged"] & self._any(cells, "yes")),
            **{name: len(members) for name, members in found.items()},
        )

    def _any(self, cells: Cells, *states: CoverageState) -> BitMap:
        sets = [cells.ids(each, state) for each in self.conditions for state in states]
        return BitMap.union(*sets)

    def _known(self, conditions: Sequence[str] | None) -> tuple[str, ...]:
        chosen = self.conditions if conditions is None else tuple(conditions)
        unknown = set(chosen) - set(self.conditions)
        if unknown:
            raise LedgerError(f"run {self.run!r} has no conditions {sorted(unknown)}")
        return chosen

    def _check_range(self, ids: BitMap) -> None:
        if ids and ids.max() >= self.chunks:
            raise LedgerError(f"chunk {ids.max()} is beyond the corpus's {self.chunks}")

    def _transition(
        self, targets: Sequence[Cell], ids: BitMap, *, out_of: Sequence[CoverageState]
    ) -> None:
        self._check_range(ids)

        def moves(cells: Cells) -> None:
            for target in targets:
                cells.move(ids, target, out_of=out_of)

        self._apply(moves)

    def _apply(self, change: Callable[[Cells], None]) -> None:
        with self._database.transaction() as connection:
            before, version = self._loaded(connection)
            after = before.copy()
            change(after)
            self._check(after)
            if after.sets != before.sets:
                save(connection, self.run, before, after)
                version += 1
        self._cached = (after, version)

    def _current(self) -> Cells:
        with self._database.transaction() as connection:
            self._cached = self._loaded(connection)
        return self._cached[0]

    def _loaded(self, connection: sqlite3.Connection) -> tuple[Cells, int]:
        found = header(connection, self.run)
        if found is None:
            cells = Cells({Cell(each, "unseen"): self._everything for each in self.conditions})
            begin(connection, self.run, self.conditions, cells)
            return cells, 0
        chunks, conditions, version = found
        if (chunks, conditions) != (self.chunks, self.conditions):
            raise LedgerError(
                f"run {self.run!r} keeps a ledger of {chunks} chunks and conditions {conditions}, "
                f"not of {self.chunks} and {self.conditions}"
            )
        cells, known = self._cached
        if version != known:
            cells = load(connection, self.run)
            self._check(cells)
        return cells, version

    def _check(self, cells: Cells) -> None:
        for condition in self.conditions:
            balance = cells.balance(condition)
            if balance != (self.chunks, self.chunks):
                raise LedgerError(
                    f"condition {condition!r}: {balance[0]} states over {balance[1]} chunks "
                    f"of {self.chunks}"
                )
