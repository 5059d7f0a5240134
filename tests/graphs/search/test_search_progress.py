"""Of conditions joined by AND the rarest is looked for everywhere, the others where it holds."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.evidence import Certainty, Finding
from agent.predicates import satisfying
from agent.question import AllOf, AnyOf, Condition, Interpretation, Measure, Node, Not, Predicate
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger
from graphs.search.search_progress import (
    SearchProgress,
    counts_documents,
    mattering,
    pivot_of,
    settles_documents,
    unmatches,
)
from tests.graphs.replies import interpreted
from tests.graphs.searching import (
    LOOP,
    Case,
    adds_up,
    begun,
    context_of,
    finding,
    letters_once,
    ran,
    step,
)
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of

A, B, C = (Condition(id=name, text=f"is about {name}") for name in "abc")
TOWN = Predicate(field="Town", comparison="is", values=("York",))
YORK = Condition(id="york", text="is of York", predicate=TOWN)
LETTERS = 24
corpus = letters_once(LETTERS, 12)


def asked(tree: Node, **told: Any) -> Interpretation:
    return Interpretation(text="?", entity_type="letter", conditions=tree, **told)


def of_texts(**told: Any) -> Measure:
    return Measure(text="the rent", **told)


class Search:
    """A search in which each condition was found in the first so many letters, and read nowhere."""

    def __init__(
        self, corpus: Corpus, reading: Interpretation, *, rounds: int = 1, **letters: int
    ) -> None:
        self.corpus = corpus
        self.context = context_of(corpus, policy=LOOP)
        read = ReadingRound(purpose="search", selection="", size=1, why="", hits=1)
        self.state = begun(self.context, reading, rounds=(read,) * rounds)
        for name, number in letters.items():
            found = [self._found(name, each) for each in range(number)]
            self.context.store.add_findings(self.state.run, found)

    def _found(self, condition: str, document: int, certainty: Certainty = "certain") -> Finding:
        chunk, quote = (
            self.corpus.chunks_of(document).start,
            self.corpus.document_text(document)[:5],
        )
        return finding(self.corpus, chunk, condition, quote, certainty=certainty)

    def chunks(self, number: int) -> BitMap:
        """Return the chunks of the first so many letters."""
        return BitMap(each for at in range(number) for each in self.corpus.chunks_of(at))


RARE: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "none says little beside five": (0, 5, ()),
    "none beside six": (0, 6, ("a",)),
    "one says little beside five": (1, 5, ()),
    "three of eight are not far fewer": (3, 8, ()),
    "three of nine": (3, 9, ("a",)),
    "whichever is rarer": (9, 3, ("b",)),
    "nothing found": (0, 0, ()),
}


@pytest.mark.parametrize(("a", "b", "pivot"), RARE.values(), ids=RARE)
def test_the_rarest_by_far_is_looked_for_first(
    a: int, b: int, pivot: tuple[str, ...], corpus: Corpus
) -> None:
    search = Search(corpus, asked(AllOf(parts=(A, B))), a=a, b=b)
    assert pivot_of(search.state, search.context) == pivot


NONE: tuple[str, ...] = ()


PIVOTS = {
    "one condition": (A, {}, NONE),
    "joined by or": (AnyOf(parts=(A, B)), {}, NONE),
    "beside a negation": (AllOf(parts=(A, Not(part=B))), {}, NONE),
    "under a negation": (Not(part=AllOf(parts=(A, B))), {}, NONE),
    "of names": (AllOf(parts=(A, B)), {"grain": "entity"}, NONE),
    "beside a field alone": (AllOf(parts=(A, YORK)), {}, NONE),
    "beside a field and another": (AllOf(parts=(A, B, YORK)), {}, ("a",)),
    "beside a field denied": (AllOf(parts=(A, Not(part=YORK), B)), {}, ("a",)),
    "an alternative is one part": (AllOf(parts=(AnyOf(parts=(A, C)), B)), {}, ("a", "c")),
    "beside an alternative": (AllOf(parts=(A, AnyOf(parts=(B, C)))), {}, ("a",)),
    "not rarer than every other part": (AllOf(parts=(A, B, C)), {}, NONE),
}


@pytest.mark.parametrize(("tree", "told", "pivot"), PIVOTS.values(), ids=PIVOTS)
def test_a_pivot_is_a_part_joined_by_and(
    tree: Node, told: dict[str, Any], pivot: tuple[str, ...], corpus: Corpus
) -> None:
    search = Search(corpus, asked(tree, **told), a=2, b=21, c=3)
    assert pivot_of(search.state, search.context) == pivot


@pytest.mark.parametrize(
    ("tree", "could"),
    [
        (A, False),
        (Not(part=A), True),
        (Not(part=YORK), False),
        (AllOf(parts=(A, Not(part=YORK))), False),
        (AnyOf(parts=(YORK, AllOf(parts=(B, Not(part=A))))), True),
    ],
    ids=["text", "text denied", "field denied", "beside it", "deep down"],
)
def test_only_a_denied_text_could_unmatch_a_document(tree: Node, could: bool) -> None:
    assert unmatches(tree) == could
    assert counts_documents(asked(tree)) == (not could)
    assert not counts_documents(asked(tree, grain="entity"))
    assert not counts_documents(asked(tree, entity_field="Town"))


@pytest.mark.parametrize(
    ("pivot", "a", "b"),
    [((), LETTERS, LETTERS), (("a",), LETTERS, 2), (("b",), 21, LETTERS)],
    ids=["no pivot", "the rare one", "the other"],
)
def test_others_matter_where_the_pivot_was_found(
    pivot: tuple[str, ...], a: int, b: int, corpus: Corpus
) -> None:
    search = Search(corpus, asked(AllOf(parts=(A, B))), a=2, b=21)
    where = mattering(pivot, search.state, search.context)
    assert where == {"a": search.chunks(a), "b": search.chunks(b)}


larger = letters_once(16, 30)


@pytest.mark.parametrize(
    ("tree", "told", "settled"),
    [
        (A, {"a": 3}, 3),
        (AllOf(parts=(A, B)), {"a": 5, "b": 2}, 2),
        (AnyOf(parts=(A, B)), {"a": 1, "b": 4}, 4),
        (AllOf(parts=(A, Not(part=B))), {"a": 5, "b": 2}, 2),
        (Not(part=B), {}, 0),
    ],
    ids=["it holds", "both hold", "either holds", "what is denied holds", "nothing is known"],
)
def test_a_document_is_settled_once_it_is_certain_whether_it_matches(
    tree: Node, told: dict[str, int], settled: int, corpus: Corpus
) -> None:
    search = Search(corpus, asked(tree), **told)
    reading = SearchProgress.of(search.state, search.context)
    assert reading.settled == search.chunks(settled)
    assert reading.unread == search.chunks(LETTERS) - search.chunks(settled)
    assert not any(reading.settled & chunks for chunks in reading.where.values())


def test_a_field_settles_the_documents_that_it_decides_and_borderline_evidence_none(
    corpus: Corpus,
) -> None:
    search = Search(corpus, asked(AnyOf(parts=(YORK, A))))
    doubtful = search._found("a", 0, "borderline")
    search.context.store.add_findings(search.state.run, [doubtful])
    york = satisfying(corpus, TOWN)
    assert york
    assert SearchProgress.of(search.state, search.context).settled == chunks_of(corpus, york)


ASKED = {
    "documents": ({}, True),
    "items of a field": ({"entity_field": "Town"}, True),
    "a number of a field": ({"operation": "sum", "measure": of_texts(field="Rent")}, True),
    "a number of the texts": ({"operation": "sum", "measure": of_texts()}, False),
    "places": ({"operation": "sum", "measure": of_texts(places=("a",))}, False),
    "an item over its documents": ({"entity_field": "Town", "across": True}, False),
    "names": ({"grain": "entity"}, False),
}


@pytest.mark.parametrize(("told", "settles"), ASKED.values(), ids=ASKED)
def test_documents_are_settled_where_their_match_alone_is_asked_for(
    told: dict[str, Any], settles: bool, corpus: Corpus
) -> None:
    search = Search(corpus, asked(A, **told), a=2)
    assert settles_documents(search.state.interpreted, search.state) is settles
    assert bool(SearchProgress.of(search.state, search.context).settled) is settles
    two = replace(search.state, readings=(asked(A), asked(B)))
    assert not settles_documents(search.state.interpreted, two)


@pytest.mark.parametrize("logic", ["c1", "c1 or c2"])
def test_a_settled_document_is_not_read_on_and_the_ledger_names_what_settled_it(
    logic: str, larger: Corpus
) -> None:
    case = Case(
        relevant={"c1": frozenset(range(0, len(larger), 4)), "c2": frozenset()},
        reading=interpreted(logic),
    )
    state = ran(larger, case, LOOP)
    store = Context(corpus=larger).store
    matched: set[int] = set()
    for each in (one for one in state.rounds if one.purpose == "search"):
        chosen = store.ids(each.selection)
        owners = {int(larger.chunk_document[chunk]) for chunk in chosen}
        assert not owners & matched
        hits = chosen & BitMap(case.relevant["c1"])
        matched |= {int(larger.chunk_document[chunk]) for chunk in hits}
    steps = {each.round for each in state.history if "settled" in each.call.arguments}
    book = ledger(state, Context(corpus=larger))
    spared = BitMap.union(*(book.pruned_by(each, "c1") for each in steps))
    assert spared
    assert spared <= chunks_of(larger, matched)
    assert adds_up(state)


ONE, TWO = (Condition(id=each, text=f"is about {each}") for each in ("c1", "c2"))
READING = Interpretation(text="?", entity_type="letter", conditions=AllOf(parts=(ONE, TWO)))
CHUNKS = 16
KINDS = ("prune 1", "prune 2", "yes", "no", "failed", "unparsable", "restore")
MOVES = st.lists(
    st.tuples(
        st.sampled_from(KINDS), st.sampled_from(["c1", "c2"]), st.sets(st.integers(0, CHUNKS - 1))
    )
)
plain = letters_once(2)


@pytest.fixture(scope="module")
def context(plain: Corpus) -> Iterator[Context]:
    assert len(plain) == CHUNKS
    opened = Context(corpus=plain, reasoner=ScriptedReasoner({}))
    with opened.store:
        yield opened


FILTERED = (step("keywords"), step("regex", 2, "b", "c"))


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
            book.spoil("failed", ids, [condition])
        case "unparsable":
            book.spoil("unparsable", ids, [condition])
        case _:
            book.restore(ids, [condition])


@given(moves=MOVES)
def test_every_chunk_is_judged_closed_or_unread_whatever_happened(
    context: Context, moves: list[tuple[str, str, set[int]]]
) -> None:
    state = begun(context, READING, history=FILTERED)
    for kind, condition, chunks in moves:
        move(state, context, kind, condition, chunks)
    told = SearchProgress.of(state, context)
    parts = (told.judged, told.closed, told.unread)
    assert sum(map(len, parts)) == CHUNKS
    assert BitMap.union(*parts) == BitMap(range(CHUNKS))
    assert sum(map(len, told.reasons.values())) == len(told.unread)
    assert BitMap().union(*told.reasons.values()) == told.unread
    book = ledger(state, context)
    assert told.relevant <= book.ids("c1", "yes") | book.ids("c2", "yes")


def test_the_unread_are_told_by_the_call_that_ruled_them_out(context: Context) -> None:
    state = begun(context, READING, history=FILTERED)
    for condition in ("c1", "c2"):
        move(state, context, "prune 1", condition, set(range(9)))
        move(state, context, "prune 2", condition, set(range(4, 12)))
        move(state, context, "no", condition, {0, 15})
    assert SearchProgress.of(state, context).reasons == {
        "keywords in round 1": BitMap(range(1, 9)),
        "regex in round 2": BitMap(range(9, 12)),
        "a candidate that was not read": BitMap(range(12, 15)),
    }
