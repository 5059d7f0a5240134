"""How far reading has come is what the ledger says: every chunk that can matter, once."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.history import Step
from agent.question import AllOf, Condition, Interpretation
from agent.reasoner import ToolCall
from agent.reasoners.scripted import ScriptedReasoner
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger
from graphs.search.unread import Reading
from tests.graphs.searching import corpus_of, letters
from tools.corpus.corpus import Corpus

ONE, TWO = (Condition(id=each, text=f"is about {each}") for each in ("c1", "c2"))
READING = Interpretation(text="?", entity_type="letter", conditions=AllOf(parts=(ONE, TWO)))
CHUNKS = 16
KINDS = ("prune 1", "prune 2", "yes", "no", "failed", "unparsable", "restore")
MOVES = st.lists(
    st.tuples(
        st.sampled_from(KINDS), st.sampled_from(["c1", "c2"]), st.sets(st.integers(0, CHUNKS - 1))
    )
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(letters(2), tmp_path_factory.mktemp("unread"))


@pytest.fixture(scope="module")
def context(corpus: Corpus) -> Iterator[Context]:
    assert len(corpus) == CHUNKS
    opened = Context(corpus=corpus, reasoner=ScriptedReasoner({}))
    with opened.store:
        yield opened


def step(number: int, tool: str, before: str, after: str, *, certain: bool = False) -> Step:
    call = ToolCall(tool=tool, arguments={})
    return Step(round=number, call=call, before=before, after=after, certain=certain)


def started(context: Context, history: tuple[Step, ...] = ()) -> State:
    run = context.new_run()
    context.store.create(run, "?", "digest", "graph", "model", "now")
    return State(question="?", run=run, interpretation=READING, history=history)


def filtered() -> tuple[Step, ...]:
    return (step(1, "keywords", "a", "b"), step(2, "regex", "b", "c"))


def move(state: State, context: Context, kind: str, condition: str, chunks: set[int]) -> None:
    book, ids = ledger(state, context), BitMap(chunks)
    match kind:
        case "prune 1" | "prune 2":
            book.prune(int(kind[-1]), ids, [condition])
        case "yes":
            book.judge(condition, yes=ids, no=BitMap())
        case "no":
            book.judge(condition, yes=BitMap(), no=ids)
        case "failed":
            book.fail(ids, [condition])
        case "unparsable":
            book.unparsable(ids, [condition])
        case _:
            book.restore(ids, [condition])


@given(moves=MOVES)
def test_every_chunk_is_judged_closed_or_unread_whatever_happened(
    context: Context, moves: list[tuple[str, str, set[int]]]
) -> None:
    state = started(context, filtered())
    for kind, condition, chunks in moves:
        move(state, context, kind, condition, chunks)
    told = Reading.of(state, context)
    parts = (told.judged, told.closed, told.unread)
    assert sum(map(len, parts)) == CHUNKS
    assert BitMap.union(*parts) == BitMap(range(CHUNKS))
    assert sum(map(len, told.reasons.values())) == len(told.unread)
    assert BitMap().union(*told.reasons.values()) == told.unread
    book = ledger(state, context)
    assert told.relevant <= book.ids("c1", "yes") | book.ids("c2", "yes")


def test_nothing_was_read_at_first(context: Context) -> None:
    told = Reading.of(started(context), context)
    assert told.unread == BitMap(range(CHUNKS))
    assert told.reasons == {"a candidate that was not read": told.unread}
    assert not told.relevant | told.judged | told.closed


def test_a_chunk_is_judged_once_every_condition_has_a_verdict(context: Context) -> None:
    state = started(context)
    move(state, context, "yes", "c1", {3, 4})
    move(state, context, "no", "c2", {4})
    told = Reading.of(state, context)
    assert told.relevant == BitMap([3, 4])
    assert told.judged == BitMap([4])
    assert 3 in told.unread


@pytest.mark.parametrize("kind", ["failed", "unparsable"])
def test_a_chunk_that_brought_no_verdict_is_closed(kind: str, context: Context) -> None:
    state = started(context)
    move(state, context, "yes", "c1", {3})
    move(state, context, kind, "c2", {3})
    told = Reading.of(state, context)
    assert told.closed == told.relevant == BitMap([3])
    assert 3 not in told.unread


def test_the_unread_are_told_by_the_call_that_ruled_them_out(context: Context) -> None:
    state = started(context, filtered())
    for condition in ("c1", "c2"):
        move(state, context, "prune 1", condition, set(range(9)))
        move(state, context, "prune 2", condition, set(range(4, 12)))
        move(state, context, "no", condition, {0, 15})
    assert Reading.of(state, context).reasons == {
        "keywords in round 1": BitMap(range(1, 9)),
        "regex in round 2": BitMap(range(9, 12)),
        "a candidate that was not read": BitMap(range(12, 15)),
    }


def test_what_code_ruled_out_is_no_part_of_it(context: Context) -> None:
    put = context.store.put_ids
    whole, left = put(BitMap(range(CHUNKS))), put(BitMap(range(8)))
    state = started(context, (step(1, "metadata", whole, left, certain=True),))
    move(state, context, "yes", "c1", {2, 12})
    told = Reading.of(state, context)
    assert told.unread == BitMap(range(8))
    assert told.relevant == BitMap([2])
