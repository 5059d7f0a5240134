"""The run store keeps what it is given, once, whatever is repeated, killed or broken."""

from collections.abc import Callable

import pytest
from pyroaring import BitMap

from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.errors import CorpusDamaged, RunError
from agent.evidence import Finding
from agent.history import Snapshot
from tools.runs.store import RunStore, packed

START = ("how many?", "c0ffee", "g1", "rules", "2026-01-01T00:00:00Z")


@pytest.fixture
def store(open_store: Callable[[], RunStore]) -> RunStore:
    return open_store()


@pytest.fixture
def run(store: RunStore) -> str:
    return store.create("r1", *START).run


def finding(start: int = 0, condition: str = "c1", entity: str = "a", **more: object) -> Finding:
    quote = "words"
    values = {"chunk": 1, "document": "d", "quote": quote, "end": start + len(quote)} | more
    return Finding.model_validate(
        {"start": start, "condition": condition, "entity": entity, **values}
    )


def snapshot(digest: str, why: str = "") -> Snapshot:
    return Snapshot(
        id=digest,
        parent=None,
        tool="exact",
        arguments={"phrase": "é"},
        kept=3,
        discarded=1,
        why=why,
    )


FOUND = {
    "by place, then by entity": [finding(2), finding(2, entity="b"), finding(9)],
    "by code point": [finding(entity=name) for name in ("B", "_", "a", "b", "Ä")],
    "a null character is kept": [finding(entity="a\0b")],
    "two values in one quote are two": [finding(value=5.0), finding(value=7.0)],
}


class TestRuns:
    def test_creating_twice_keeps_the_first_start_and_status_and_its_id_is_of_no_other_question(
        self, store: RunStore, run: str
    ) -> None:
        store.set_status(run, "paused")
        again = store.create(run, *START[:-1], "2026-02-02T00:00:00Z")
        assert (again.created, again.status) == (START[-1], "paused")
        with pytest.raises(RunError, match="exists already"):
            store.create(run, "another?", *START[1:])

    def test_runs_are_listed_newest_first_whatever_the_clock_said(self, store: RunStore) -> None:
        for name, created in (("a", "2026-01-02"), ("b", "2026-01-03"), ("c", "2026-01-01")):
            store.create(name, *START[:-1], created)
        assert [info.run for info in store.runs()] == ["c", "b", "a"]

    @pytest.mark.parametrize("act", ["info", "status", "snapshot", "findings", "outcome", "ids"])
    def test_what_is_unknown_is_a_run_error(self, store: RunStore, act: str) -> None:
        acts: dict[str, Callable[[], object]] = {
            "info": lambda: store.info("no"),
            "status": lambda: store.set_status("no", "failed"),
            "snapshot": lambda: store.add_snapshot("no", 0, snapshot("x")),
            "findings": lambda: store.add_findings("no", [finding()]),
            "outcome": lambda: store.set_outcome("no", 0, "kept", ""),
            "ids": lambda: store.ids("0" * 12),
        }
        with pytest.raises(RunError):
            acts[act]()


class TestContents:
    def test_equal_sets_have_one_id_and_come_back(self, store: RunStore) -> None:
        built = BitMap(range(10_000)) - BitMap(range(5, 10_000))
        assert store.put_ids(built) == store.put_ids(BitMap([0, 1, 2, 3, 4]))
        assert store.ids(store.put_ids(built)) == built
        assert store.ids(store.put_ids(BitMap())) == BitMap()

    @pytest.mark.parametrize(
        "garbage", [b"\xff\x00\xff", packed(BitMap([1])), packed(BitMap(range(2**29)))]
    )
    def test_a_set_that_is_not_its_own_is_damaged(self, store: RunStore, garbage: bytes) -> None:
        digest = store.put_ids(BitMap([1, 2]))
        store.database.write("UPDATE id_sets SET ids = ?", (garbage,))
        with pytest.raises(CorpusDamaged, match=f"{digest}.*move the file away"):
            store.ids(digest)

    def test_snapshots_come_in_order_with_their_outcome(self, store: RunStore, run: str) -> None:
        for position in (1, 0, 0):
            store.add_snapshot(run, position, snapshot(f"s{position}"))
        store.set_outcome(run, 1, "rolled_back", "lost “all” of it")
        first, second = store.snapshots(run)
        assert (first.id, first.outcome) == ("s0", "kept")
        assert (second.id, second.outcome, second.why) == ("s1", "rolled_back", "lost “all” of it")
        assert second.arguments == {"phrase": "é"}

    @pytest.mark.parametrize("found", FOUND.values(), ids=FOUND)
    def test_findings_are_single_and_in_order(
        self, store: RunStore, run: str, found: list[Finding]
    ) -> None:
        store.add_findings(run, found[1:][::-1])
        store.add_findings(run, found)
        assert store.findings(run) == tuple(found)

    def test_a_new_plan_of_batches_replaces_the_old(self, store: RunStore, run: str) -> None:
        for plan in ([[1, 2], [3]], [[4]], []):
            store.put_batches(run, plan)
            store.put_batches(run, plan)
            assert store.batches(run) == plan

    def test_an_answer_comes_back_equal(self, store: RunStore, run: str) -> None:
        answer = Answer(
            question="q", status="answered", value={"a": 1}, bounds=(1, 2.5), run=run,
            completeness=Completeness(method="none"), coverage=Coverage(chunks=3, unseen=3),
            snapshots=(snapshot("s"),),
        )  # fmt: skip
        assert store.answer(run) is None
        for _ in range(2):
            store.put_answer(run, answer)
        assert store.answer(run) == answer
        changed = "UPDATE answers SET data = replace(data, '2.5', '3.5') WHERE run = ?"
        assert store.database.write(changed, (run,))
        with pytest.raises(CorpusDamaged, match="keeps as its answers is damaged"):
            store.answer(run)


class TestDoubts:
    def test_the_latest_pairs_are_kept_until_a_restart(self, store: RunStore, run: str) -> None:
        pairs = (("Acme", "Acme Corp"), ("J. Smith", "John Smith"))
        assert store.doubts(run) == ()
        store.put_doubts(run, [("a", "b")])
        store.put_doubts(run, pairs)
        assert store.doubts(run) == pairs
        store.restart(run)
        assert store.doubts(run) == ()


class TestScores:
    @pytest.mark.parametrize("order", [(2, 10), (10, 2)], ids=["in order", "out of order"])
    def test_a_chunk_has_that_of_its_latest_round(
        self, store: RunStore, run: str, order: tuple[int, int]
    ) -> None:
        for round_ in order:
            store.put_scores(run, round_, "c1", {4: float(round_), round_: -1.5e-7})
        store.put_scores(run, 10, "c1", {4: 10.0, 10: -1.5e-7})
        assert store.scores(run, "c1") == {4: 10.0, 2: -1.5e-7, 10: -1.5e-7}
