"""What happened to a chunk, told from the ledger, its log, and the findings."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

import pytest
from pyroaring import BitMap

from agent.coverage import Standing
from agent.errors import LedgerError, RunError
from agent.evidence import Finding
from agent.history import Snapshot, Step
from agent.reasoner import ToolCall
from tests.cut_corpus import CutCorpus, evenly
from tools.runs.coverage_ledger import CoverageLedger, account, stories
from tools.runs.store import RunStore

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

QUOTE = "the tenant keeps a dog"
HISTORY = (
    Step(round=3, call=ToolCall(tool="read", arguments={"chunks": 2}), before="b", after="b"),
)


@pytest.fixture
def corpus() -> "Corpus":
    """Two documents of three chunks."""
    places = CutCorpus(dict.fromkeys(("one", "two"), "x" * 99), [evenly("x" * 99, 40)] * 2)
    return cast("Corpus", places)


@pytest.fixture
def store(open_store: Callable[[], RunStore]) -> Iterator[RunStore]:
    """A run that filtered, undid it, judged two chunks and failed on one."""
    with open_store() as made:
        made.create("r", "q", "c", "g", "m", "t")
        ledger = CoverageLedger(made, "r", ("c1", "c2"), 6)
        ledger.judge("c2", BitMap([0]), BitMap([3]), by="metadata", step=0)
        ledger.prune(0, BitMap([1, 2, 4, 5]), ["c2"])
        for number, outcome in ((1, "kept"), (2, "rolled_back")):
            made.add_snapshot("r", number, snapshot(number, outcome))
        ledger.prune(1, BitMap([0, 1, 4]), ["c1"])
        ledger.prune(2, BitMap([2, 3]), ["c1"])
        ledger.restore(BitMap([2, 3]), ["c1"], step=2)
        ledger.judge("c1", BitMap([2]), BitMap([5]), by="reader", step=3)
        ledger.spoil("failed", BitMap([3]), ["c1"], reasons={3: "time-out"}, step=3)
        made.add_findings("r", [found(2, "c1"), found(0, "c2"), found(0, "c1")])
        yield made


def snapshot(number: int, outcome: str) -> Snapshot:
    given = {"id": f"s{number}", "parent": None, "tool": "keywords", "outcome": outcome}
    arguments = {"words": [f"w{number}"]}
    return Snapshot.model_validate(given | {"arguments": arguments, "kept": 3, "discarded": 3})


def found(chunk: int, condition: str) -> Finding:
    return Finding(
        chunk=chunk, document="one", condition=condition, entity=QUOTE, start=chunk * 40,
        end=chunk * 40 + len(QUOTE), quote=QUOTE, by="reader",
    )  # fmt: skip


def test_a_judged_chunk_tells_its_way_its_reader_and_its_quotes(
    store: RunStore, corpus: "Corpus"
) -> None:
    ((first, second),) = stories(store, "r", corpus, [2]).values()
    assert (first.condition, second.condition) == ("c1", "c2")
    assert first.now == Standing(state="yes", by="reader")
    assert first.quotes == (found(2, "c1"),)
    path = [(change.after.state, change.step) for change in first.changes]
    assert path == [("pruned", 2), ("reverted", 2), ("yes", 3)]


def test_an_account_tells_who_stands_where_and_by_which_step(store: RunStore) -> None:
    told = account(store, "r", HISTORY)
    where = {(part.condition, part.standing): list(part.ids) for part in told.parts}
    assert where["c1", Standing(state="pruned", step=1)] == [0, 1, 4]
    assert where["c2", Standing(state="pruned", step=0)] == [1, 2, 4, 5]
    assert sum(len(part.ids) for part in told.parts) == 6 * 2
    steps = [(number, each.tool, each.undone) for number, each in told.causes.items()]
    assert steps == [
        (0, "fields", False),
        (1, "keywords", False),
        (2, "keywords", True),
        (3, "read", False),
    ]


def test_what_is_not_there_is_refused(store: RunStore, corpus: "Corpus") -> None:
    with pytest.raises(LedgerError, match="beyond"):
        stories(store, "r", corpus, [6])
    store.create("new", "q", "c", "g", "m", "t")
    with pytest.raises(RunError, match="searched nothing yet"):
        stories(store, "new", corpus, [0])
