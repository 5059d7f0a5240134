"""Whatever happens to a run, each chunk is in exactly one state of each condition."""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from pyroaring import BitMap

from agent.coverage import Coverage, Standing
from agent.errors import LedgerError, RunError
from agent.evidence import Finding
from agent.history import Snapshot, Step
from agent.reasoner import ToolCall
from tests.cut_corpus import CutCorpus, evenly
from tools.runs.coverage_ledger import (
    MOST_REASONS,
    OTHER_REASON,
    CoverageLedger,
    Transition,
    account,
    stories,
)
from tools.runs.store import RunStore

CONDITIONS = ("c1", "c2")
CHUNKS = 12


@pytest.fixture
def store(open_store: Callable[[], RunStore]) -> RunStore:
    opened = open_store()
    opened.create("r", "q", "c", "g", "m", "t")
    return opened


@pytest.fixture
def ledger(store: RunStore) -> CoverageLedger:
    return CoverageLedger(store, "r", CONDITIONS, CHUNKS)


def test_coverage_counts_a_chunk_once_by_precedence(ledger: CoverageLedger) -> None:
    ledger.prune(1, BitMap(range(6)))
    ledger.judge("c1", BitMap([0, 4]), BitMap([1, 2]))
    ledger.judge("c2", BitMap([1]), BitMap())
    ledger.spoil("unparsable", BitMap([2]), ["c2"])
    ledger.spoil("failed", BitMap([3, 4]), ["c2"])
    expected = Coverage(
        chunks=CHUNKS, failed=2, unparsable=1, judged=2, matched=2, pruned=1, unseen=6
    )
    assert ledger.coverage() == expected


@pytest.mark.parametrize(
    "break_it",
    [
        lambda ledger: ledger.judge("c1", BitMap([1]), BitMap([1])),
        lambda ledger: ledger.judge("c9", BitMap([1]), BitMap()),
        lambda ledger: ledger.spoil("failed", BitMap([CHUNKS])),
        lambda ledger: ledger.prune(1, BitMap([1]), ["c9"]),
    ],
    ids=["yes and no", "unknown condition", "beyond", "unknown among"],
)
def test_what_would_not_add_up_is_refused_and_changes_nothing(
    ledger: CoverageLedger, break_it: object
) -> None:
    assert callable(break_it)
    with pytest.raises(LedgerError):
        break_it(ledger)
    assert ledger.coverage().unseen == CHUNKS


def test_another_shape_of_the_same_run_and_a_damaged_row_are_refused(
    store: RunStore, ledger: CoverageLedger
) -> None:
    ledger.prune(1, BitMap([1]))
    with pytest.raises(LedgerError, match="keeps a ledger"):
        CoverageLedger(store, "r", CONDITIONS, CHUNKS + 1).coverage()
    store.database.write("DELETE FROM ledger_cells WHERE state = ?", ("pruned",))
    with pytest.raises(LedgerError, match="11 states"):
        CoverageLedger(store, "r", CONDITIONS, CHUNKS).coverage()


def test_threads_with_their_own_ledgers_lose_no_verdict(
    store: RunStore, open_store: Callable[[], RunStore]
) -> None:
    chunks = 80

    def judge(own: RunStore, offset: int) -> None:
        with own:
            ledger = CoverageLedger(own, "r", CONDITIONS, chunks)
            for chunk in range(offset, offset + 20):
                ledger.judge("c1", BitMap([chunk]), BitMap())

    offsets = range(0, chunks, 20)
    with ThreadPoolExecutor(len(offsets)) as pool:
        list(pool.map(judge, [open_store() for _ in offsets], offsets))
    ledger = CoverageLedger(store, "r", CONDITIONS, chunks)
    assert ledger.ids("c1", "yes") == BitMap(range(chunks))


def test_a_failure_keeps_its_reason_until_a_newer_one_comes(ledger: CoverageLedger) -> None:
    ledger.spoil(
        "failed", BitMap([0, 1, 2]), ["c1"], reasons={0: "time-out", 1: "line 1\n  line 2", 9: "x"}
    )
    ledger.spoil("unparsable", BitMap([0]), ["c1"], reasons={0: "no JSON"})
    told = {part.standing.reason: list(part.ids) for part in ledger.parts() if len(part.ids) == 1}
    assert told == {"no JSON": [0], "line 1 line 2": [1], "": [2]}


def test_the_number_of_reasons_kept_is_bounded(store: RunStore) -> None:
    chunks = MOST_REASONS + 40
    ledger = CoverageLedger(store, "r", (), chunks)
    everything = BitMap(range(chunks))
    ledger.spoil("failed", everything, reasons={chunk: f"request {chunk}" for chunk in everything})
    parts = ledger.parts()
    assert len(parts) == MOST_REASONS + 1
    assert {part.standing.reason: len(part.ids) for part in parts}[OTHER_REASON] == 40
    assert len(BitMap.union(*(part.ids for part in parts))) == chunks


def test_what_changes_nothing_is_not_logged_and_the_log_goes_with_a_search_that_begins_anew(
    store: RunStore, ledger: CoverageLedger
) -> None:
    for _ in range(2):
        ledger.prune(1, BitMap([0]))
        ledger.spoil("failed", BitMap([1]), reasons={1: "time-out"})
    assert len(ledger.transitions()) == 2 * len(CONDITIONS)
    store.restart("r")
    assert CoverageLedger(store, "r", CONDITIONS, CHUNKS).transitions() == ()


def test_a_chunk_tells_its_way_its_quotes_and_which_steps_were_undone(store: RunStore) -> None:
    """A run that filtered, undid it, judged two chunks and failed on one."""
    corpus: Any = CutCorpus(dict.fromkeys(("one", "two"), "x" * 99), [evenly("x" * 99, 40)] * 2)
    ledger = CoverageLedger(store, "r", CONDITIONS, 6)
    for number, outcome in ((1, "kept"), (2, "rolled_back")):
        given = {"id": f"s{number}", "parent": None, "tool": "keywords", "outcome": outcome}
        told = given | {"arguments": {}, "kept": 3, "discarded": 3}
        store.add_snapshot("r", number, Snapshot.model_validate(told))
    ledger.prune(1, BitMap([0, 1, 4]), ["c1"])
    ledger.prune(2, BitMap([2, 3]), ["c1"])
    ledger.restore(BitMap([2, 3]), ["c1"], step=2)
    ledger.judge("c1", BitMap([2]), BitMap([5]), by="reader", step=3)
    quote = Finding(
        chunk=2, document="one", condition="c1", entity="a", start=80, end=83, quote="xxx"
    )
    store.add_findings("r", [quote, quote.model_copy(update={"chunk": 0})])
    ((first, second),) = stories(store, "r", corpus, [2]).values()
    assert (first.condition, second.condition) == ("c1", "c2")
    assert (first.now, first.quotes) == (Standing(state="yes", by="reader"), (quote,))
    path = [(change.after.state, change.step) for change in first.changes]
    assert path == [("pruned", 2), ("reverted", 2), ("yes", 3)]
    read = ToolCall(tool="read", arguments={"chunks": 2})
    told_of = account(store, "r", [Step(round=3, call=read, before="b", after="b")])
    where = {(part.condition, part.standing): list(part.ids) for part in told_of.parts}
    assert where["c1", Standing(state="pruned", step=1)] == [0, 1, 4]
    steps = [(number, each.tool, each.undone) for number, each in told_of.causes.items()]
    assert steps[1:] == [(1, "keywords", False), (2, "keywords", True), (3, "read", False)]
    with pytest.raises(LedgerError, match="beyond"):
        stories(store, "r", corpus, [6])
    store.create("new", "q", "c", "g", "m", "t")
    with pytest.raises(RunError, match="searched nothing yet"):
        stories(store, "new", corpus, [0])


EVERYTHING = frozenset(range(CHUNKS))
OPEN = ("unseen", "reverted")

FROZEN_IDS = st.frozensets(st.integers(0, CHUNKS - 1))
NAMED = st.sampled_from([["c1"], ["c2"], list(CONDITIONS)])
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

    @rule(who=WHO, kept=FROZEN_IDS, conditions=NAMED)
    def filtered_or_rolled_back(
        self, who: int, kept: frozenset[int], conditions: list[str]
    ) -> None:
        self.settle(who, kept, conditions)

    @rule(who=WHO, condition=st.sampled_from(CONDITIONS), yes=FROZEN_IDS, no=FROZEN_IDS, by=REASONS)
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
        conditions=NAMED,
    )
    def spoiled(
        self,
        who: int,
        state: Literal["failed", "unparsable"],
        reasons: dict[int, str],
        conditions: list[str],
    ) -> None:
        ids = BitMap(reasons)
        self.ledgers[who].spoil(state, ids, conditions, reasons=reasons, step=self.step)
        for chunk, reason in reasons.items():
            to = Standing.model_validate({"state": state, "reason": reason})
            self.put(conditions, [chunk], ("pruned", *OPEN, "failed", "unparsable"), to)

    @rule(who=WHO, ids=FROZEN_IDS)
    def killed_in_a_change(self, who: int, ids: frozenset[int]) -> None:
        def die() -> None:
            with self.stores[who].database.transaction():
                self.ledgers[who].prune(self.step + 1, BitMap(ids))
                self.ledgers[who].judge("c1", BitMap(ids), BitMap(), by="gone")
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            die()

    @rule(who=WHO, ids=FROZEN_IDS)
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
        total = self.ledgers[0].coverage()
        named = (total.pruned, total.judged, total.unparsable, total.failed, total.unseen)
        assert sum(named) == CHUNKS

    @invariant()
    def the_log_leads_to_the_same_states(self) -> None:
        assert replayed(self.ledgers[1].transitions()) == self.model


LedgerMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
TestLedgerMachine = LedgerMachine.TestCase
