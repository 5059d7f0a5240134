"""The ledger against a naive model: whatever is done, by whom, and whoever dies, all adds up."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from pyroaring import BitMap

from agent.story import Standing
from tools.runs.ledger import CoverageLedger
from tools.runs.parts import Transition
from tools.runs.store import RunStore

CONDITIONS = ("c1", "c2")
CHUNKS = 8
EVERYTHING = frozenset(range(CHUNKS))
OPEN = ("unseen", "reverted")

IDS = st.frozensets(st.integers(0, CHUNKS - 1))
SOME = st.sampled_from([["c1"], ["c2"], list(CONDITIONS)])
WHO = st.integers(0, 1)
REASONS = st.sampled_from(["", "time-out", "no JSON"])

Where = dict[tuple[str, int], Standing]


def replayed(transitions: tuple[Transition, ...]) -> Where:
    """Return where every chunk stands after the moves, each from where it was said to be."""
    where = {(c, i): Standing(state="unseen") for c in CONDITIONS for i in EVERYTHING}
    for move in transitions:
        for chunk in move.ids:
            assert where[move.condition, chunk] == move.before
            where[move.condition, chunk] = move.after
    return where


class LedgerMachine(RuleBasedStateMachine):
    """Two openers of one run, and a dictionary that knows where every chunk should stand."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "runs.sqlite"
        self.stores: list[RunStore] = []
        self.ledgers: list[CoverageLedger] = []
        for _ in range(2):
            self.stores.append(RunStore(self.path))
            self.stores[-1].create("r", "q", "c", "g", "m", "t")
            self.ledgers.append(CoverageLedger(self.stores[-1], "r", CONDITIONS, CHUNKS))
        self.model: Where = replayed(())
        self.step = 0
        self.snapshots: list[frozenset[int]] = [EVERYTHING]
        self.verdicts = 0

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        self.folder.cleanup()

    def next_step(self) -> int:
        self.step += 1
        return self.step

    def put(self, conditions: list[str], ids: Any, out_of: tuple[str, ...], to: Standing) -> None:
        for condition in conditions:
            for chunk in ids:
                if self.model[condition, chunk].state in out_of:
                    self.model[condition, chunk] = to

    def settle(self, who: int, kept: frozenset[int], conditions: list[str]) -> None:
        step = self.next_step()
        self.ledgers[who].restore(BitMap(kept), conditions, step=step)
        self.ledgers[who].prune(step, BitMap(EVERYTHING - kept), conditions)
        self.put(conditions, kept, ("pruned",), Standing(state="reverted"))
        out = Standing(state="pruned", step=step)
        self.put(conditions, EVERYTHING - kept, OPEN, out)

    @rule(who=WHO, ids=IDS, conditions=SOME)
    def filtered(self, who: int, ids: frozenset[int], conditions: list[str]) -> None:
        kept = self.snapshots[-1] & ids
        self.snapshots.append(kept)
        self.settle(who, kept, conditions)

    @rule(who=WHO, data=st.data())
    def rolled_back(self, who: int, data: st.DataObject) -> None:
        self.settle(who, data.draw(st.sampled_from(self.snapshots)), list(CONDITIONS))

    @rule(who=WHO, data=st.data())
    def united(self, who: int, data: st.DataObject) -> None:
        parts = data.draw(st.lists(st.sampled_from(self.snapshots), min_size=2, max_size=3))
        self.snapshots.append(frozenset().union(*parts))
        self.settle(who, self.snapshots[-1], list(CONDITIONS))

    @precondition(lambda self: self.step)
    @rule(who=WHO, data=st.data())
    def undone(self, who: int, data: st.DataObject) -> None:
        step = data.draw(st.integers(1, self.step))
        self.ledgers[who].revert(step)
        for place, standing in self.model.items():
            if standing == Standing(state="pruned", step=step):
                self.model[place] = Standing(state="reverted")

    @rule(who=WHO, condition=st.sampled_from(CONDITIONS), yes=IDS, no=IDS, by=REASONS)
    def judged(
        self, who: int, condition: str, yes: frozenset[int], no: frozenset[int], by: str
    ) -> None:
        no -= yes
        self.ledgers[who].judge(condition, BitMap(yes), BitMap(no), by=by, step=self.step)
        for ids, state in ((yes, "yes"), (no, "no")):
            for chunk in ids:
                self.model[condition, chunk] = Standing.model_validate({"state": state, "by": by})

    @rule(
        who=WHO,
        state=st.sampled_from(["failed", "unparsable"]),
        reasons=st.dictionaries(st.integers(0, CHUNKS - 1), REASONS),
        conditions=SOME,
    )
    def spoiled(self, who: int, state: str, reasons: dict[int, str], conditions: list[str]) -> None:
        name = "fail" if state == "failed" else "unparsable"
        record = getattr(self.ledgers[who], name)
        record(BitMap(reasons), conditions, reasons=reasons, step=self.step)
        for chunk, reason in reasons.items():
            to = Standing.model_validate({"state": state, "reason": reason})
            self.put(conditions, [chunk], ("pruned", *OPEN, "failed", "unparsable"), to)

    @rule(who=WHO)
    def reading_stopped(self, who: int) -> None:
        step = self.next_step()
        self.ledgers[who].prune(step, BitMap(EVERYTHING))
        out = Standing(state="pruned", step=step)
        self.put(list(CONDITIONS), EVERYTHING, OPEN, out)

    @rule(who=WHO, ids=IDS)
    def killed_in_a_change(self, who: int, ids: frozenset[int]) -> None:
        def die() -> None:
            with self.stores[who].database.transaction():
                self.ledgers[who].prune(self.step + 1, BitMap(ids))
                self.ledgers[who].judge("c1", BitMap(ids), BitMap(), by="gone")
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            die()

    @rule(who=WHO, ids=IDS)
    def killed_between_changes_and_resumed(self, who: int, ids: frozenset[int]) -> None:
        step = self.next_step()
        self.ledgers[who].restore(BitMap(ids), step=step)
        self.put(list(CONDITIONS), ids, ("pruned",), Standing(state="reverted"))
        self.reopened(who)
        self.step -= 1
        self.settle(who, ids, list(CONDITIONS))

    @rule(who=WHO)
    def reopened(self, who: int) -> None:
        self.stores[who].close()
        self.stores[who] = RunStore(self.path)
        self.ledgers[who] = CoverageLedger.stored(self.stores[who], "r")

    @invariant()
    def both_openers_agree_with_the_model(self) -> None:
        for ledger in self.ledgers:
            parts = ledger.parts()
            seen = {(part.condition, i): part.standing for part in parts for i in part.ids}
            assert seen == self.model

    @invariant()
    def states_add_up(self) -> None:
        ledger = self.ledgers[0]
        sizes = [len(part.ids) for part in ledger.parts()]
        assert sum(sizes) == CHUNKS * len(CONDITIONS)
        for condition in CONDITIONS:
            assert sum(ledger.counts(condition).values()) == CHUNKS
        total = ledger.coverage()
        named = (total.pruned, total.judged, total.unparsable, total.failed, total.unseen)
        assert sum(named) == CHUNKS

    @invariant()
    def the_log_leads_to_the_same_states(self) -> None:
        assert replayed(self.ledgers[1].transitions()) == self.model


LedgerMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
TestLedgerMachine = LedgerMachine.TestCase
