"""The coverage ledger: every chunk is in exactly one state of every condition, at every step.

The cells are kept on disk, checked at every change, and shared by all openers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

from pyroaring import BitMap

from agent.coverage import Coverage, CoverageState, Standing
from agent.errors import LedgerError, RunError
from tools.runs.ledger_tables import (
    NO_DETAIL,
    Cell,
    Cells,
    append,
    begin,
    header,
    load,
    logged,
    note_number,
    notes,
    reason_numbers,
    save,
)
from tools.runs.store import RunStore
from tools.sqlite_file import Statements


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


def standing(cell: Cell, notes: Mapping[int, str]) -> Standing:
    """Say a cell of the ledger in words, given the notes it may refer to."""
    if cell.detail == NO_DETAIL:
        return Standing(state=cell.state)
    match cell.state:
        case "pruned":
            return Standing(state=cell.state, step=cell.detail)
        case "yes" | "no":
            return Standing(state=cell.state, by=notes[cell.detail])
        case _:
            return Standing(state=cell.state, reason=notes[cell.detail])


_STATES: tuple[CoverageState, ...] = get_args(CoverageState)
_OPEN: tuple[CoverageState, ...] = ("unseen", "reverted", "unparsable", "failed")
_PRECEDENCE: tuple[tuple[str, tuple[CoverageState, ...]], ...] = (
    ("failed", ("failed",)),
    ("unparsable", ("unparsable",)),
    ("judged", ("yes", "no")),
    ("unseen", ("unseen", "reverted")),
    ("pruned", ("pruned",)),
)


_Change = Callable[[Cells, Statements], None]
"""Moves chunks about, within the transaction of the connection."""


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
        self._cached: tuple[Cells, int] = (Cells({}), -1)
        """What was read or written last, with its version."""

    @classmethod
    def stored(cls, store: RunStore, run: str) -> Self:
        """Open the ledger that a run keeps; raise RunError where it keeps none yet."""
        with store.database.transaction() as connection:
            found = header(connection, run)
        if found is None:
            raise RunError(f"run {run!r} has searched nothing yet: nothing happened to its chunks")
        chunks, conditions, _ = found
        return cls(store, run, conditions, chunks)

    def prune(self, step: int, ids: BitMap, conditions: Sequence[str] | None = None) -> None:
        """Rule chunks out by a filter call; only unseen and reverted ones move."""
        targets = [Cell(each, "pruned", step) for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("unseen", "reverted"), step=step)

    def restore(
        self, ids: BitMap, conditions: Sequence[str] | None = None, *, step: int | None = None
    ) -> None:
        """Take chunks back among the candidates, whichever call had ruled them out.

        `step` is the step of the history that does so, for the log.
        """
        targets = [Cell(each, "reverted") for each in self._known(conditions)]
        self._transition(targets, ids, out_of=("pruned",), step=step)

    def judge(
        self, condition: str, yes: BitMap, no: BitMap, *, by: str = "", step: int | None = None
    ) -> None:
        """Record verdicts, whatever the state before; the latest verdict counts.

        `by` is kept with the verdict, `step` in the log.
        """
        self._known([condition])
        self._check_range(yes | no)
        if yes & no:
            raise LedgerError(f"{len(yes & no)} chunks are judged both yes and no")

        def verdicts(cells: Cells, connection: Statements) -> None:
            reader = note_number(connection, self.run, by) if by else NO_DETAIL
            cells.move(yes, Cell(condition, "yes", reader), out_of=_STATES)
            cells.move(no, Cell(condition, "no", reader), out_of=_STATES)

        self._apply(verdicts, step)

    def spoil(
        self,
        state: Literal["failed", "unparsable"],
        ids: BitMap,
        conditions: Sequence[str] | None = None,
        *,
        reasons: Mapping[int, str] | None = None,
        step: int | None = None,
    ) -> None:
        """Record that the request about the chunks failed, or that its reply was unusable.

        A verdict given before stays. Reasons, by chunk, are kept with the state. Without conditions
        it is all.
        """
        self._check_range(ids)
        chosen = self._known(conditions)
        by_reason = _by_reason(ids, reasons or {})

        def moves(cells: Cells, connection: Statements) -> None:
            numbers = reason_numbers(connection, self.run, [each for each in by_reason if each])
            for reason, members in by_reason.items():
                for condition in chosen:
                    target = Cell(condition, state, numbers.get(reason, NO_DETAIL))
                    cells.move(members, target, out_of=("pruned", *_OPEN))

        self._apply(moves, step)

    def ids(self, condition: str, state: CoverageState) -> BitMap:
        """Return the chunks in a state of a condition."""
        self._known([condition])
        return self._current().ids(condition, state)

    def judged(self, condition: str) -> BitMap:
        """Return the chunks with a verdict on a condition."""
        return self.ids(condition, "yes") | self.ids(condition, "no")

    def pruned_by(self, step: int, condition: str) -> BitMap:
        """Return the chunks that a filter call ruled out and that still are."""
        self._known([condition])
        return BitMap(self._current().sets.get(Cell(condition, "pruned", step), BitMap()))

    def parts(self) -> tuple[Part, ...]:
        """Return the chunks of each condition by where they stand and what put them there.

        The parts of a condition are disjoint and hold all N chunks: they answer what happened to
        a chunk as well as which chunks a step ruled out, a reader judged, a reason spoiled.
        """
        with self._database.transaction() as connection:
            cells, version = self._loaded(connection)
            named = notes(connection, self.run)
        self._remember(connection, cells, version)
        return tuple(
            Part(cell.condition, standing(cell, named), BitMap(cells.sets[cell]))
            for condition in self.conditions
            for cell in sorted(cell for cell in cells.sets if cell.condition == condition)
        )

    def transitions(self, among: BitMap | None = None) -> tuple[Transition, ...]:
        """Return what was moved since all chunks were unseen, oldest first.

        Those of chunks that are not among the ones asked about are left out.
        """
        with self._database.transaction() as connection:
            self._loaded(connection)
            named = notes(connection, self.run)
            return tuple(
                Transition(
                    condition=move.target.condition,
                    before=standing(move.source, named),
                    after=standing(move.target, named),
                    step=step,
                    ids=move.ids,
                )
                for step, move in logged(connection, self.run, among)
            )

    def coverage(self, unread: BitMap | None = None) -> Coverage:
        """Return the chunks by what happened to them over all conditions.

        A chunk counts once: as failed if any condition failed, else unparsable if any is, else
        judged if any has a verdict, else unseen if any is unseen or reverted, else pruned.
        `unread` chunks are unseen whatever verdict they have: fields gave it, and their texts were
        to be read for another condition.
        """
        unread = unread or BitMap()
        cells = self._current()
        rest = self._everything
        found: dict[str, BitMap] = {}
        for name, states in _PRECEDENCE:
            members = rest & self._any(cells, *states)
            found[name] = members - unread if name == "judged" else members
            if name == "unseen":
                found[name] |= rest & unread
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
        self,
        targets: Sequence[Cell],
        ids: BitMap,
        *,
        out_of: Sequence[CoverageState],
        step: int | None,
    ) -> None:
        self._check_range(ids)

        def moves(cells: Cells, _: Statements) -> None:
            for target in targets:
                cells.move(ids, target, out_of=out_of)

        self._apply(moves, step)

    def _current(self) -> Cells:
        """Return the cells as they are on disk; not to be changed."""
        with self._database.transaction() as connection:
            cells, version = self._loaded(connection)
        self._remember(connection, cells, version)
        return cells

    def _apply(self, change: _Change, step: int | None) -> None:
        """Carry a change out, check it, save and log what it moved, all or nothing."""
        with self._database.transaction() as connection:
            before, version = self._loaded(connection)
            after = before.copy()
            change(after, connection)
            self._check(after, {move.target.condition for move in after.moves})
            if after.sets != before.sets:
                version += 1
                save(connection, self.run, before, after)
                append(connection, self.run, version, after.moves, step)
        self._remember(connection, after.copy(), version)

    def _remember(self, connection: Statements, cells: Cells, version: int) -> None:
        """Cache what is on disk for good; a transaction around this one may still undo it."""
        if not connection.in_transaction:
            self._cached = (cells, version)

    def _loaded(self, connection: Statements) -> tuple[Cells, int]:
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
            self._check(cells, self.conditions)
        return cells, version

    def _check(self, cells: Cells, conditions: Iterable[str]) -> None:
        for condition in conditions:
            balance = cells.balance(condition)
            if balance != (self.chunks, self.chunks):
                raise LedgerError(
                    f"condition {condition!r}: {balance[0]} states over {balance[1]} chunks "
                    f"of {self.chunks}"
                )


def _by_reason(ids: BitMap, reasons: Mapping[int, str]) -> dict[str, BitMap]:
    """Part the chunks by reason; those without one come under the empty one."""
    found = {"": BitMap(ids)}
    for chunk, reason in reasons.items():
        if chunk in ids:
            found[""].discard(chunk)
            found.setdefault(reason, BitMap()).add(chunk)
    return found
