"""The coverage ledger: every chunk is in exactly one state of every condition, at every step."""

from collections.abc import Mapping, Sequence
from typing import Self, get_args

from pyroaring import BitMap

from agent.coverage import Coverage, CoverageState
from agent.errors import LedgerError, RunError
from tools.runs.cell_table import header
from tools.runs.cells import NO_DETAIL, Cell, Cells
from tools.runs.kept_cells import KeptCells
from tools.runs.note_table import reader_number, reason_numbers
from tools.runs.parts import Part, Transition, standing
from tools.runs.store import RunStore
from tools.statements import Statements

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
        self.run = run
        self.conditions = tuple(conditions) or ("",)
        self.chunks = chunks
        if len(set(self.conditions)) < len(self.conditions):
            raise LedgerError(f"conditions repeat: {self.conditions}")
        self._kept = KeptCells(store.database, run, self.conditions, chunks)

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

    def revert(self, step: int, *, by_step: int | None = None) -> None:
        """Undo a filter call: what it pruned, and nobody judged since, is reverted.

        Args:
            step: the call that is undone.
            by_step: the step of the history that undoes it, for the log.
        """

        def undo(cells: Cells, _: Statements) -> None:
            for condition in self.conditions:
                pruned = cells.sets.get(Cell(condition, "pruned", step), BitMap())
                cells.move(pruned, Cell(condition, "reverted"), out_of=("pruned",))

        self._kept.apply(undo, by_step)

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

        Args:
            condition: the condition they are about.
            yes: chunks that show that it holds.
            no: chunks that do not.
            by: who judged; kept with the verdict.
            step: the step of the history during which it was done, for the log.
        """
        self._known([condition])
        self._check_range(yes | no)
        if yes & no:
            raise LedgerError(f"{len(yes & no)} chunks are judged both yes and no")

        def verdicts(cells: Cells, connection: Statements) -> None:
            reader = reader_number(connection, self.run, by) if by else NO_DETAIL
            cells.move(yes, Cell(condition, "yes", reader), out_of=_STATES)
            cells.move(no, Cell(condition, "no", reader), out_of=_STATES)

        self._kept.apply(verdicts, step)

    def fail(
        self,
        ids: BitMap,
        conditions: Sequence[str] | None = None,
        *,
        reasons: Mapping[int, str] | None = None,
        step: int | None = None,
    ) -> None:
        """Record that the request about the chunks failed; a verdict given before stays.

        Args:
            ids: the chunks.
            conditions: the conditions it was about; None for all.
            reasons: why, by chunk; kept with the state.
            step: the step of the history during which it was done, for the log.
        """
        self._spoil("failed", ids, conditions, reasons or {}, step)

    def unparsable(
        self,
        ids: BitMap,
        conditions: Sequence[str] | None = None,
        *,
        reasons: Mapping[int, str] | None = None,
        step: int | None = None,
    ) -> None:
        """Record that the reply about the chunks was unusable; arguments as of `fail`."""
        self._spoil("unparsable", ids, conditions, reasons or {}, step)

    def ids(self, condition: str, state: CoverageState) -> BitMap:
        """Return the chunks in a state of a condition."""
        self._known([condition])
        return self._kept.current().ids(condition, state)

    def undecided(self, condition: str) -> BitMap:
        """Return the candidates without a verdict: unseen, reverted, unparsable, failed."""
        self._known([condition])
        cells = self._kept.current()
        return BitMap.union(*(cells.ids(condition, state) for state in _OPEN))

    def pruned_by(self, step: int, condition: str) -> BitMap:
        """Return the chunks that a filter call ruled out and that still are."""
        self._known([condition])
        return BitMap(self._kept.current().sets.get(Cell(condition, "pruned", step), BitMap()))

    def counts(self, condition: str) -> dict[CoverageState, int]:
        """Return how many chunks are in each state of a condition; they add up to N."""
        self._known([condition])
        cells = self._kept.current()
        return {state: len(cells.ids(condition, state)) for state in _STATES}

    def state_of(self, chunk: int) -> dict[str, tuple[CoverageState, int | None]]:
        """Return a chunk's state by condition, with the step for `pruned`, else None."""
        self._check_range(BitMap([chunk]))
        return {
            cell.condition: (cell.state, cell.detail if cell.state == "pruned" else None)
            for cell, members in sorted(self._kept.current().sets.items())
            if chunk in members
        }

    def parts(self) -> tuple[Part, ...]:
        """Return the chunks of each condition by where they stand and what put them there.

        The parts of a condition are disjoint and hold all N chunks: they answer what happened to
        a chunk as well as which chunks a step ruled out, a reader judged, a reason spoiled.
        """
        cells, named = self._kept.noted()
        return tuple(
            Part(cell.condition, standing(cell, named), BitMap(cells.sets[cell]))
            for condition in self.conditions
            for cell in sorted(cell for cell in cells.sets if cell.condition == condition)
        )

    def transitions(self, among: BitMap | None = None) -> tuple[Transition, ...]:
        """Return what was moved since all chunks were unseen, oldest first.

        Args:
            among: the chunks asked about; moves of others are left out. None for all.
        """
        found, named = self._kept.moves(among)
        return tuple(
            Transition(
                sequence=each.sequence,
                condition=each.move.target.condition,
                before=standing(each.move.source, named),
                after=standing(each.move.target, named),
                step=each.step,
                ids=each.move.ids,
            )
            for each in found
        )

    def coverage(self, unread: BitMap | None = None) -> Coverage:
        """Return the chunks by what happened to them over all conditions.

        A chunk counts once: as failed if any condition failed, else unparsable if any is, else
        judged if any has a verdict, else unseen if any is unseen or reverted, else pruned.
        `unread` chunks are unseen whatever verdict they have: fields gave it, and their texts were
        to be read for another condition.
        """
        unread = unread or BitMap()
        cells = self._kept.current()
        rest = self._kept.everything
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

        self._kept.apply(moves, step)

    def _spoil(
        self,
        state: CoverageState,
        ids: BitMap,
        conditions: Sequence[str] | None,
        reasons: Mapping[int, str],
        step: int | None,
    ) -> None:
        self._check_range(ids)
        chosen = self._known(conditions)
        by_reason = _by_reason(ids, reasons)

        def moves(cells: Cells, connection: Statements) -> None:
            numbers = reason_numbers(connection, self.run, [each for each in by_reason if each])
            for reason, members in by_reason.items():
                for condition in chosen:
                    target = Cell(condition, state, numbers.get(reason, NO_DETAIL))
                    cells.move(members, target, out_of=("pruned", *_OPEN))

        self._kept.apply(moves, step)


def _by_reason(ids: BitMap, reasons: Mapping[int, str]) -> dict[str, BitMap]:
    """Part the chunks by reason; those without one come under the empty one."""
    found = {"": BitMap(ids)}
    for chunk, reason in reasons.items():
        if chunk in ids:
            found[""].discard(chunk)
            found.setdefault(reason, BitMap()).add(chunk)
    return found
